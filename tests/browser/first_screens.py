"""Runs whose first screen holds much: many tables, many gates, long names, levels, a goal, one player, a sweep."""

from __future__ import annotations

import copy
from typing import Any

from tests.analysis.summits import found
from tests.report import sample
from tests.report.sample import Shape, build, estimate
from tests.report.sample_sweep import with_sweep
from tests.report.test_gates import cell, gate

LONG = "the variant whose name takes all of the eighty characters that a name may ever have"[:80]
TYPE = "type-of-player-with-a-name-of-forty-lett"
LEVELS = ("novice", "average", "expert")
FIVE = ("baseline", *(f"variant {number}" for number in range(4)))


def with_gates(results: dict[str, Any], number: int, variant: str = "baseline") -> dict[str, Any]:
    """The results with so many gates, of which every other one fails."""
    verdicts = ("fail", "inconclusive", "pass")
    for at in range(number):
        one = cell(verdicts[at % 3], variant=variant, more_games=123_456, level=None)
        results["gates"].append(gate(one) | {"gate": at, "why": "Nobody should lose by where they sit"})
    return results


def levels() -> dict[str, Any]:
    """Three levels of play at three numbers of players, at all of which the verdict depends on who plays."""
    results = build(Shape(players=(3, 4, 5), levels=LEVELS))
    results["policies"] = build(Shape(policies=LEVELS))["policies"]
    for at, one in enumerate(results["cells"]):
        one["tests"]["verdict"] = ("inside", "cannot tell", "outside")[at % 3]
        one["tests"]["largest_seat_deviation"] = {"seat": at % 3, "estimate": estimate(0.05, 0.004)}
    return results


def with_a_note(results: dict[str, Any]) -> dict[str, Any]:
    """The results with a word on the deck at the top of the page."""
    note = "PLACEHOLDER DECK: these cards are not those of the game, so its numbers say nothing of the printed one."
    return results | {"deck": {"folder": "", "note": note, "digest": "00c1ab34"}}


def long_names() -> dict[str, Any]:
    """Every name is as long as it may be."""
    types = [f"{TYPE[:-1]}{number}" for number in range(6)]
    shape = Shape(
        players=(3, 4, 5), variants=("baseline", LONG), policies=types, title=f"{LONG}: {LONG}, {TYPE[:36]}"
    )
    results = with_gates(build(shape), 9, LONG)
    for policy in results["policies"]:
        policy["help"] = f"{LONG}, {LONG}, {TYPE[:36]}"
    for title in ("turns", "tie_rate", "score_margin"):
        results["definitions"][title]["title"] = LONG[:50]
    return results


def series() -> dict[str, Any]:
    """Five values of a rule at four numbers of players."""
    results = build(Shape(players=(2, 3, 4, 5), variants=FIVE, half_width=0.0026))
    return sample.with_series(results, "species_removed", (0, 1, 2, 3, 4), 2)


def series_of_a_mode() -> dict[str, Any]:
    """The same in a mode with a long name, of a deck that is marked as invented."""
    results = with_a_note(series())
    for one in (*results["cells"], *results["comparisons"], *results["series"][0]["tables"]):
        one["mode"] = "competitive"
    return results


def crowded() -> dict[str, Any]:
    """A series beside gates, levels that disagree, a word on the deck, and values that are lists."""
    results = with_gates(levels() | {"series": []}, 7)
    values = [[0, 0, 1, 1, 2, number] for number in range(len(FIVE))]
    shaped = build(Shape(players=(2, 3, 4, 5), variants=FIVE, half_width=0.0026))
    shaped = sample.with_series(shaped, "litter_table", values)
    return with_a_note(shaped | {"gates": results["gates"], "status": "interrupted"})


SHAPES: dict[str, dict[str, Any]] = {
    "many tables": build(Shape(players=(2, 3, 4, 5, 6), variants=FIVE, status="interrupted")),
    "many gates": with_gates(build(Shape(players=(3, 4, 5), deviation=0.05)), 40),
    "long names": long_names(),
    "levels": with_a_note(with_gates(levels(), 6)),
    "goal": with_gates(copy.deepcopy(found((1, 4), ("alone", "pairs"))), 3),
    "one player": copy.deepcopy(found((1,), ("alone",))),
    "sweep": with_sweep(),
    "series": series(),
    "series of a mode": series_of_a_mode(),
    "crowded series": crowded(),
    "hostile": with_gates(sample.hostile(), 5, sample.HOSTILE[0]),
}
