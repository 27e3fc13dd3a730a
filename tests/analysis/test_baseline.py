"""A committed baseline: what the file holds, when it is refused, and that drift from it is found."""

from __future__ import annotations

import copy
import json
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from experiment.dice_race import race

from balance.analysis.baseline import as_text, baseline, estimate, read, refuse
from balance.analysis.gates import UntilDecided, judged
from balance.errors import BalanceError
from balance.experiment.models import Experiment, Gate
from balance.experiment.plan import Plan
from balance.experiment.tally import Tally
from balance.stats.histogram import Histogram
from balance.stats.intervals import mean_from_sums, mean_interval

from .test_gates import experiment, outcome, won

DRIFT = Gate(metric="win_share", seat=1, against="file", target=0, band="3pp")
SEATS = (300, 300, 300)


def all_of(shares: tuple[int, ...], scale: int = 100) -> Tally:
    """A tally with all columns that a baseline keeps; only the wins mean anything."""
    wins = won(*(scale * count for count in shares))
    same = Histogram(np.array([4]), np.array([wins.played]))
    names = ("score", "rounds", "plies", "tie_rate", "score_margin", "all_sixes", "no_six", "own_sixes")
    of_seats = [f"{name}_{seat}" for name in ("score", "own_sixes") for seat in range(len(shares))]
    none = Histogram(np.array([0]), np.array([wins.played]))
    shares_of_games = ("tie_rate", "no_six")
    columns = {name: none if name in shares_of_games else same for name in (*names, *of_seats)}
    return Tally(wins.played, {**columns, **wins.blocks}, wins=wins.wins)


def saved(shares: tuple[int, ...] = SEATS, asked: Experiment | None = None, scale: int = 100) -> Any:
    return read(
        as_text(baseline(outcome(asked or experiment(DRIFT), all_of(shares, scale)), "0.1")), "b.json"
    )


def verdict(shares: tuple[int, ...], against: Any, scale: int = 100) -> str:
    asked = experiment(DRIFT, games=sum(shares) * scale)
    (gate,) = judged(outcome(asked, all_of(shares, scale)), against)
    return str(gate["verdict"])


def test_the_file_has_one_line_for_each_metric() -> None:
    found = baseline(outcome(experiment(DRIFT), all_of(SEATS)), "0.1")
    text = as_text(found)
    assert json.loads(text) == found
    lines = [line for line in text.splitlines() if '"metric"' in line]
    assert len(lines) == len(found["cells"][0]["metrics"]) == 18
    moved = as_text(baseline(outcome(experiment(DRIFT), all_of((310, 295, 295))), "0.1"))
    changed = [pair for pair in zip(text.splitlines(), moved.splitlines(), strict=True) if pair[0] != pair[1]]
    assert [json.loads(one.strip().rstrip(","))["metric"] for one, _ in changed] == ["win_share"] * 3


def test_drift_is_found_and_its_absence_as_well() -> None:
    assert verdict((301, 300, 299), saved()) == "pass"
    assert verdict((400, 250, 250), saved()) == "fail"
    assert verdict((330, 285, 285), saved()) == "inconclusive"
    assert verdict((301, 300, 299), saved(scale=1), scale=1) == "inconclusive"


def test_without_a_baseline_there_is_no_pass() -> None:
    assert verdict(SEATS, None) == "no data"
    other = saved()
    other["cells"][0]["metrics"] = []
    assert verdict(SEATS, other) == "no data"


def test_ten_small_steps_are_caught_against_the_first() -> None:
    """Each step of half a point passes against the one before; the tenth does not against the first."""
    steps = [(3000 + 45 * step, 3000 - 20 * step, 3000 - 25 * step) for step in range(11)]
    kept = [saved(step) for step in steps]
    assert [verdict(now, kept[at]) for at, now in enumerate(steps[1:])] == ["pass"] * 10
    assert verdict(steps[10], kept[0]) == "fail"


def test_a_check_keeps_what_it_was_played_against() -> None:
    asked = experiment(DRIFT, games=90_000)

    plain, kept = UntilDecided(asked), UntilDecided(asked, saved())
    assert Plan(asked, stopping=plain.identity).digest != Plan(asked, stopping=kept.identity).digest
    plan = Plan(asked, stopping=kept.identity)
    assert kept.decided(plan, plan.groups[0], (all_of(SEATS),))
    assert not plain.decided(Plan(asked, stopping=plain.identity), plan.groups[0], (all_of(SEATS),))


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        (race(players=(2,)), 'b.json has nothing on baseline, 2 players; it has "baseline" with 3 players.'),
        (
            race(players=(3,), policies=("steady",)),
            "b.json was played by others: any, not steady (baseline, 3 players).",
        ),
        (
            race(players=(3,)).model_copy(update={"rules": {"goal": 20}}),
            "b.json was played by other rules, or with another deck (baseline, 3 players).",
        ),
    ],
)
def test_what_cannot_be_compared_is_refused_with_the_reason(asked: Experiment, says: str) -> None:
    plan = Plan(asked)
    with pytest.raises(BalanceError) as refused:
        refuse(saved(), plan, plan.cells, "b.json")
    assert refused.value.message == says
    plan = Plan(race(players=(3,)))
    refuse(saved(), plan, plan.cells, "b.json")
    with pytest.raises(BalanceError, match=r"b.json is a baseline of chess, not of race"):
        refuse(saved() | {"game": "chess"}, plan, plan.cells, "b.json")


def test_another_version_of_the_rules_and_other_weights_are_refused() -> None:
    plan, held = Plan(race(players=(3,))), saved()
    with pytest.raises(BalanceError, match=r"b.json is of version 2 of the rules, and this is version 3\."):
        refuse(held | {"rules_version": 2}, plan, plan.cells, "b.json")
    others = [{**cell, "players_digest": "0" * 16} for cell in held["cells"]]
    with pytest.raises(
        BalanceError, match=r"b.json was played by players of other weights \(baseline, 3 players\)"
    ):
        refuse(held | {"cells": others}, plan, plan.cells, "b.json")


@pytest.mark.parametrize("harm", [{"squares": -5}, {"total": math.nan}, {"unit": 0}, {"n": "x"}, {"n": -1}])
def test_numbers_that_no_games_can_have_are_told(harm: dict[str, Any]) -> None:
    held = copy.deepcopy(saved())
    held["cells"][0]["metrics"][3] |= harm
    with pytest.raises(BalanceError, match=r"b.json is no baseline"):
        read(json.dumps(held), "b.json")
    with pytest.raises(BalanceError, match=r"b.json is no baseline"):
        read(json.dumps(held | {"cells": []}), "b.json")


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"schema": "balance.baseline/1"}', '{"schema": 3'])
def test_a_file_that_is_none_is_told(text: str) -> None:
    with pytest.raises(BalanceError, match=r"b.json is no baseline; `balance baseline RUN FILE` writes one"):
        read(text, "b.json")


def test_a_file_of_another_version_is_told() -> None:
    with pytest.raises(
        BalanceError, match=r'written by another version of balance: its layout is "balance.baseline/9"'
    ):
        read('{"schema": "balance.baseline/9"}', "b.json")


def test_a_file_knows_how_much_more_may_come_of_what_is_rare() -> None:
    """Sums alone would not tell that a mean rests on four games."""
    rare = Histogram(np.array([4, 34]), np.array([896, 4]))
    tally = all_of(SEATS, 1)
    tally = replace(tally, blocks={**tally.blocks, "turns": rare})
    asked = experiment(DRIFT, games=900)
    found = read(as_text(baseline(outcome(asked, tally), "0.1")), "b.json")
    (cell, *_) = Plan(asked).cells
    kept = estimate(found, cell, "turns", None, 0.95)
    assert kept == mean_interval(rare, 0.95, reach=30.0)
    (turns,) = [one for one in found["cells"][0]["metrics"] if one["metric"] == "turns"]
    assert turns["room"] > 0
    plain = mean_from_sums(turns["n"], turns["total"], turns["squares"], 0.95)
    assert plain.half_width < kept.half_width / 1.1
