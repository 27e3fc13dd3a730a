"""What the results may not be used for: each sentence is there only where it is true."""

from __future__ import annotations

from typing import Any

import pytest

from balance import report
from balance.report import limits
from tests.report.parsed import parse
from tests.report.sample import Shape, build
from tests.report.sample_sweep import with_sweep
from tests.report.test_gates import cell, gate


def results(verdict: str = "inside", **shape: Any) -> dict[str, Any]:
    found = build(Shape(**shape))
    for one in found["cells"]:
        if one["tests"]:
            one["tests"]["verdict"] = verdict
    return found


def of_one_rule() -> dict[str, Any]:
    """Three values of one rule, which cannot be played at once."""
    found = results(variants=("baseline", "one", "two"))
    for at, one in enumerate(found["cells"]):
        one["changes"] = {"seasons": at} if at else {}
    return found


def test_the_players_and_the_tables_are_named() -> None:
    who, where, always = limits.sentences(results(players=(3, 5), policies=("greedy", "random")))
    assert '"greedy" and "random" only' in who
    assert where == "Only games with 3 and 5 players were played, and only by the rules that stand below."
    assert always == limits.ALWAYS
    assert "Only games with 1 player were played" in " ".join(limits.sentences(results(players=(1,))))


@pytest.mark.parametrize(
    ("found", "alone"),
    [
        (results(), False),
        (results(variants=("baseline", "one")), False),
        (results(variants=("baseline", "one", "two")), True),
        (of_one_rule(), False),
        (with_sweep(), False),
    ],
    ids=["none", "one", "two", "values of one rule", "sweep"],
)
def test_variants_are_said_to_stand_alone_where_there_are_several(found: dict[str, Any], alone: bool) -> None:
    assert (limits.ALONE in limits.sentences(found)) is alone


def test_invented_cards_are_a_limit() -> None:
    assert limits.INVENTED not in limits.sentences(results())
    assert limits.INVENTED in limits.sentences(results() | {"deck": {"note": "PLACEHOLDER DECK"}})


def test_what_is_open_is_not_called_fair() -> None:
    assert limits.OPEN in limits.sentences(results("cannot tell"))
    assert limits.OPEN not in limits.sentences(results("outside"))
    asked = results()
    asked["gates"] = [gate(cell("inconclusive", more_games=5))]
    assert limits.OPEN in limits.sentences(asked)
    asked["gates"] = [gate(cell("fail"))]
    assert limits.OPEN not in limits.sentences(asked)


def test_the_page_says_all_of_it_once() -> None:
    found = results(players=(3, 4), variants=("baseline", "a", "b"))
    text = parse(report.render(found)).text
    for sentence in limits.sentences(found):
        assert text.count(sentence) == 1, sentence
    assert limits.TITLE in text
