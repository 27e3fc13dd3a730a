"""The sentence at the top of the page: what is asked, at which tables, how many games, and who played."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from analysis.summits import found as summits

from balance import report
from balance.cli.tables import summary
from balance.report import asking
from tests.report.parsed import parse
from tests.report.sample import HOSTILE, Shape, build, hostile
from tests.report.sample_sweep import with_sweep


def results(**shape: Any) -> dict[str, Any]:
    return build(Shape(**shape))


def banned() -> dict[str, Any]:
    found = results(variants=("baseline", "without owl"))
    found["cells"][1]["ban"] = {"seat": 1, "name": "owl", "what": "to keep the owl"}
    return found


TWENTY = ("baseline", *(f"v{number}" for number in range(20)))
HUNDRED = "100,000 games each (200,000 in all)"


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (
            results(),
            "Is Animalia fair, and how does it play? 4 players, 100,000 games, all played by greedy.",
        ),
        (
            results(variants=("baseline", "no swaps")),
            f'What does "no swaps" change in Animalia? 4 players, {HUNDRED}, all played by greedy.',
        ),
        (
            results(players=(3, 5), variants=("baseline", "in", "out"), policies=("greedy", "random")),
            'What do "in" and "out" change in Animalia? 3 and 5 players, 100,000 games each (600,000 in all), '
            "played by greedy and random.",
        ),
        (
            results(variants=TWENTY),
            "What do 20 other sets of rules change in Animalia? 4 players, 100,000 games each (2,100,000 in all), all "
            "played by greedy.",
        ),
        (
            banned(),
            f'What is "owl" worth to seat 2 in Animalia? 4 players, {HUNDRED}, all played by greedy.',
        ),
        (
            results(levels=("novice", "expert"), policies=("novice", "expert")),
            f"Is Animalia fair, and how does it play? 4 players, {HUNDRED}, each once by novice and expert.",
        ),
        (
            results(policies=("a", "b", "c", "d")),
            "Is Animalia fair, and how does it play? 4 players, 100,000 games, played by 4 types of player.",
        ),
    ],
    ids=["no variants", "one", "several", "twenty", "ban", "levels", "many types"],
)
def test_the_question_is_one_plain_sentence(found: dict[str, Any], said: str) -> None:
    assert asking.sentence(found) == said
    assert said in parse(report.render(found)).text


def test_alone_the_question_is_the_goal_and_modes_are_named() -> None:
    found = copy.deepcopy(summits((1,), ("alone",)))
    found["cells"] = found["cells"][:1]
    alone = asking.sentence(found)
    assert alone.startswith("How often is the goal of ")
    assert "1 player (alone), " in alone
    both = asking.sentence(copy.deepcopy(summits((1, 4), ("alone", "pairs"))))
    assert "1 player (alone) and 4 players (pairs), " in both
    assert "How often is the goal" not in both


def test_a_sweep_asks_about_its_rules_by_name() -> None:
    found = with_sweep()
    names = [one["rule"] for one in found["sweep"]["factors"]]
    assert asking.sentence(found).startswith(f"What do {' and '.join(names)} change in Animalia? ")
    found["sweep"]["factors"] = found["sweep"]["factors"][:1]
    told = [str(value) for value in found["sweep"]["factors"][0]["values"]]
    first, *_ = asking.sentence(found).partition("?")
    assert first.startswith(f"What does {names[0]}, set to {told[0]}")
    assert first.endswith(f" and {told[-1]}, change in Animalia")


def test_tables_of_which_some_played_less_are_told_as_a_range() -> None:
    found = results(players=(3, 4))
    found["cells"][0]["games"] = 250
    assert ", 250 to 100,000 games each (100,250 in all), " in asking.sentence(found)


def test_names_are_cut_and_break_nothing() -> None:
    found = results(variants=("baseline", "x" * 80), policies=("y" * 80,))
    assert len(asking.sentence(found)) < 230
    assert HOSTILE[0] not in report.render(hostile())
    assert HOSTILE[0][:20] in asking.sentence(hostile())


def test_rules_that_are_not_the_rulebook_s_are_said_first() -> None:
    results = build()
    assert "Not the rulebook" not in asking.sentence(results)
    results["own_rules"] = {"goal": 48, "deal": "<b>ask</b>", "odds": [0, 1], "swap": True, "more": 1}
    assert " Not the rulebook: goal = 48, deal = " in asking.sentence(results)
    assert "odds = [0, 1] and 2 more. 4 players" in asking.sentence(results)
    assert "Not the rulebook: goal = 48" in " ".join(summary(results).split())
