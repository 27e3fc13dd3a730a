"""What the players change, told in the place of what the rules change where only one set of them was played."""

from __future__ import annotations

import copy
from typing import Any

from analysis.summits import found as summits

from balance.report import lineups, summary
from tests.report.sample import Shape, build, estimate

LEVELS = ("random", "greedy")


def played(players: tuple[int, ...] = (4,), levels: tuple[str, ...] = LEVELS) -> dict[str, Any]:
    return copy.deepcopy(build(Shape(players=players, levels=levels)))


def last(results: dict[str, Any]) -> tuple[str, str, str]:
    one = summary.statements(results)[-1]
    return one.question, one.sure, one.sentence


def turns(cell: dict[str, Any], value: float) -> None:
    cell["measures"]["turns"]["mean"] = estimate(value, 0.1)


def apart(cell: dict[str, Any], value: float, half: float = 0.005) -> None:
    for pair in cell["tests"]["pairs"]:
        pair["difference"] = estimate(value if pair["seats"] == [0, 1] else 0.0, half)


def test_whether_the_level_of_play_matters_is_answered() -> None:
    results = played()
    for cell, length, gap in zip(results["cells"], (60.0, 30.0), (0.01, -0.12), strict=True):
        turns(cell, length)
        apart(cell, gap)
    assert last(results) == (
        "Does the level of play matter?",
        "found",
        'with 4 players games take 30.0 turns at level "greedy", 60.0 turns at level "random"; the seats furthest '
        'apart differ by 1.0 pp at level "random", 12.0 pp at level "greedy".',
    )
    results["cells"][0]["capped"] = results["cells"][0]["games"]
    assert '60.0 turns at level "random" (no game finished); ' in last(results)[2]


def test_of_several_tables_the_one_that_differs_most_is_told() -> None:
    results = played((3, 4))
    for cell, length in zip(results["cells"], (30.0, 31.0, 30.0, 90.0), strict=True):
        turns(cell, length)
    assert last(results)[2].startswith(
        'most of all with 4 players: games take 30.0 turns at level "random", 90.0 '
    )


def test_what_may_be_luck_is_no_difference_between_levels() -> None:
    results = played()
    for cell, gap in zip(results["cells"], (0.01, 0.02), strict=True):
        turns(cell, 30.0)
        apart(cell, gap, 0.1)
    assert last(results)[1:] == (
        "could not be told",
        "with 4 players no difference in length was found; no difference in how even the seats are was found.",
    )


def test_one_level_and_several_rule_sets_are_asked_what_changed() -> None:
    assert last(played(levels=("greedy",)))[0] == "What changed?"
    assert last(build(Shape(variants=("baseline", "other"), levels=LEVELS)))[0] == "What changed?"


def test_tables_and_levels_are_counted_apart() -> None:
    results = played((4,), ("random", "beginner", "greedy"))
    for cell in results["cells"]:
        cell["tests"]["verdict"] = "inside"
    assert "at all 3 levels of play the seats lie inside" in summary.statements(results)[0].sentence
    results["cells"][1]["tests"]["verdict"] = "outside"
    assert "at 1 of 3 levels of play the seats lie outside" in summary.statements(results)[0].sentence
    several = played((3, 4))
    for cell in several["cells"]:
        cell["tests"]["verdict"] = "inside"
    assert "at all 4 tables and levels the seats lie inside" in summary.statements(several)[0].sentence


def test_of_several_types_who_wins_and_by_how_much_is_told() -> None:
    results = copy.deepcopy(build(Shape(policies=("greedy", "beginner"))))
    for side, share in zip(results["cells"][0]["sides"], (0.405, 0.095), strict=True):
        side["win_share"] = estimate(share, 0.009)
    assert last(results) == (
        "Who wins?",
        "found",
        '"greedy" wins 40.5 % (39.6 to 41.4 %) in each seat that it holds, "beginner" 9.5 % (8.6 to 10.4 %); an even '
        "share is 25.0 %.",
    )
    for side in results["cells"][0]["sides"]:
        side["win_share"] = estimate(0.25, 0.009)
    assert last(results)[1] == "could not be told"


def test_nobody_to_compare_is_no_answer() -> None:
    assert lineups.of_levels(build()) is None
    assert lineups.of_types(build()) is None
    assert lineups.of_types(summits((1,), ("alone",))) is None
