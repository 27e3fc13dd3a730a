"""What a sequential test came to, in words."""

from __future__ import annotations

from typing import Any

from balance import report
from balance.cli.tables import summary
from balance.report import sprt
from balance.report.summary import statements
from tests.report.parsed import parse
from tests.report.sample import build, estimate


def found(accepted: int | None, policy: str | None = "greedy", seat: int | None = None) -> dict[str, Any]:
    results = build()
    name = results["cells"][0]["name"]
    tested = {"cell": name, "accepted": accepted, "llr": 1.234, "lower": -2.944, "upper": 2.944, "even": 0.25}
    tested |= {
        "plain": estimate(0.3, 0.01),
        "adjusted": estimate(0.3, 0.02),
        "corrected": estimate(0.29, 0.01),
    }
    claim = {
        "means": [0.0, 0.02],
        "policy": policy,
        "metric": "win_share" if policy else "tie_rate",
        "seat": seat,
    }
    results["sprt"] = {**claim, "error": 0.05, "cells": [tested]}
    return results


def test_what_was_accepted_and_how_large_it_is() -> None:
    games = f"{build()['cells'][0]['games']:,}"
    number = (
        "Its share of the wins, corrected for a test that ended play: 29.0 % (28.0 to 30.0 %); not corrected: 30.0 % "
        "(29.0 to 31.0 % as if the games had been fixed, 28.0 to 32.0 % whenever one stops); even would be 25.0 %."
    )
    assert sprt.sentences(found(1)) == [
        'With 4 players, baseline: in the share of wins of "greedy" the test chose "at least 2 pp more than an even '
        f'share", not "at most an even share", after {games} games. {number}',
        "Where one of the two is true, the other is chosen with a chance of 5 % at most. Where the truth lies between "
        f"them, either may be. {sprt.OTHERS}",
    ]
    assert 'the test chose "at most an even share", not "at least 2 pp' in sprt.sentences(found(0))[0]
    assert (
        'the test has not chosen between "at most an even share" and "at least 2 pp more than an even share" after '
        f"{games} games."
    ) in sprt.sentences(found(None))[0]


def test_the_answer_in_short_is_a_choice_with_its_error() -> None:
    results = found(1, None, seat=1)
    results["sprt"] |= {"metric": "win_share", "means": [-0.03, -0.01]}
    results["sprt"]["cells"][0] |= {"corrected": None, "adjusted": estimate(-0.012, 0.01)}
    assert sprt.in_short(results) == (
        'With 4 players, baseline: in seat 2\'s share of wins the test chose "at most 1 pp less", not "at least 3 pp '
        'less", after 100,000 games (wrong in at most 5 %); the change: -1.2 pp (-2.2 to -0.2 pp).'
    )
    results["sprt"]["cells"][0]["adjusted"] = estimate(0.0, 0.0004)
    assert sprt.in_short(results).endswith("the change: 0.00 pp (-0.04 to +0.04 pp)."), (
        "never seen is not never"
    )
    assert sprt.is_told(results)
    assert not sprt.is_told(found(None))
    assert "wrong in" not in sprt.in_short(found(None))
    assert sprt.in_short(build()) == ""


def test_the_change_of_a_share() -> None:
    results = found(1, policy=None)
    results["sprt"]["cells"][0]["corrected"] = None
    sentence = sprt.sentences(results)[0]
    assert (
        'in "Shared wins" the test chose "at least 2 pp more", not "no more than before", after' in sentence
    )
    assert sentence.endswith(
        " games. The change: +30.0 pp (+29.0 to +31.0 pp as if the games had been fixed, +28.0 to +32.0 pp "
        "whenever one stops)."
    )


def test_it_stands_on_the_page_and_in_the_terminal() -> None:
    results = found(1)
    first, last = sprt.sentences(results)
    text = " ".join(line.strip() for line in summary(results).splitlines())
    assert first in text
    assert last in text
    assert last in "".join(parse(report.render(results)).texts).replace("\N{NO-BREAK SPACE}", " ")
    assert sprt.sentences(build()) == []


def test_it_is_the_fourth_answer_of_the_first_screen() -> None:
    for policy, question in ((None, "What changed?"), ("greedy", "Who wins?")):
        last = statements(found(1, policy))[-1]
        assert (last.question, last.sure) == (question, "found")
        assert last.sentence.startswith("with 4 players, baseline: in ")
    assert statements(found(None))[-1].sure == "could not be told"


def test_a_number_between_the_claims_makes_neither_true() -> None:
    results = found(0, None, seat=1)
    results["sprt"] |= {"metric": "win_share", "means": [0.0, 0.6]}
    results["sprt"]["cells"][0] |= {"corrected": None, "adjusted": estimate(0.021, 0.014)}
    assert 'chose "no more than before", not "at least 60 pp more"' in sprt.in_short(results)
    assert sprt.in_short(results).endswith(sprt.NEITHER)
    assert sprt.sentences(results)[0].endswith(sprt.NEITHER)
    results["sprt"]["cells"][0]["adjusted"] = estimate(0.01, 0.014)
    assert not sprt.in_short(results).endswith(sprt.NEITHER)
    share = found(1)
    share["sprt"]["cells"][0]["corrected"] = estimate(0.26, 0.005)
    assert sprt.sentences(share)[0].endswith(sprt.NEITHER)


def test_it_is_judged_by_the_interval_that_is_told() -> None:
    """The corrected one may lie between the claims where the other does not."""
    results = found(0)
    results["sprt"]["cells"][0] |= {"corrected": estimate(0.26, 0.005), "adjusted": estimate(0.26, 0.03)}
    assert "26.0 % (25.5 to 26.5 %)" in sprt.in_short(results)
    assert sprt.in_short(results).endswith(sprt.NEITHER)
