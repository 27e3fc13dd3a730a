"""Play until shares are known so well: when it ends, and what the intervals that allow for it promise."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from experiment.dice_race import race
from stats.simulated import at_most

from balance.analysis.precision import UntilPrecise, precision
from balance.experiment.events import Outcome
from balance.experiment.lengths import half_width, most_blocks, seconds
from balance.experiment.models import Experiment, Run
from balance.experiment.plan import Plan
from balance.experiment.tally import Tally

from .test_gates import won

HALF = 0.01
ASKED = race(players=(3,)).model_copy(update={"run": Run(precision="1pp", seed=5)})


def until(experiment: Experiment = ASKED) -> tuple[Plan, UntilPrecise]:
    rule = UntilPrecise(experiment)
    return Plan(experiment, stopping=rule.identity), rule


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("0.5pp", 0.005),
        ("1 pp", 0.01),
        ("20pp", 0.2),
        ("0.01pp", 0.0001),
        ("21pp", None),
        ("0pp", None),
        ("1%", None),
    ],
)
def test_a_precision_is_written_in_points(text: str, share: float | None) -> None:
    assert half_width(text) == share


@pytest.mark.parametrize(
    ("text", "time"),
    [("60s", 60), ("1.5m", 90), ("2 h", 7200), ("0s", None), ("25h", None), ("5", None), ("x", None)],
)
def test_a_time_has_a_unit(text: str, time: float | None) -> None:
    assert seconds(text) == time


def test_play_ends_when_every_share_is_known_so_well() -> None:
    plan, rule = until()
    (cells,) = plan.groups
    assert not rule.decided(plan, cells, (won(3_000, 3_000, 3_000),))
    assert rule.decided(plan, cells, (won(10_000, 10_000, 10_000),))
    assert not rule.decided(plan, cells, (Tally(),))


def test_there_are_enough_games_for_the_share_that_varies_most() -> None:
    experiment = race(players=(2,)).model_copy(update={"run": Run(precision="1pp")})
    plan, rule = until(experiment)
    (cells,) = plan.groups
    n = plan.blocks(cells[0])
    assert n == most_blocks("1pp", 0.95)
    assert rule.decided(plan, cells, (won(n // 2, n - n // 2),))
    assert not rule.decided(plan, cells, (won(int(0.45 * n), int(0.45 * n)),))


def test_the_games_go_by_the_precision_and_so_does_the_run() -> None:
    fine = ASKED.model_copy(update={"run": Run(precision="0.5pp", seed=5)})
    assert 3.9 < Plan(fine).games / Plan(ASKED).games < 4.1
    assert until(fine)[0].digest != until()[0].digest


def shown(*tallies: Tally, experiment: Experiment = ASKED, stopped: bool = True) -> Any:
    plan = Plan(experiment, stopping=UntilPrecise(experiment).identity if stopped else None)
    return precision(Outcome(plan, tallies, True, {}))


def test_both_estimates_are_kept_and_the_one_to_trust_is_wider() -> None:
    found = shown(won(10_500, 10_000, 9_500))
    assert found["half_width"] == HALF
    (cell,) = found["cells"]
    assert [share["seat"] for share in cell["shares"]] == [0, 1, 2]
    for share in cell["shares"]:
        plain, adjusted = share["plain"], share["adjusted"]
        assert plain["value"] == adjusted["value"]
        assert adjusted["low"] < plain["low"] < plain["value"] < plain["high"] < adjusted["high"]
        assert (adjusted["high"] - adjusted["low"]) / 2 <= HALF
    assert shown(won(10_500, 10_000, 9_500), stopped=False) is None


def test_the_intervals_to_trust_hold_wherever_play_ends() -> None:
    """A run that is stopped where its first seat looks best is the worst case: looks at all of them, one seat."""
    experiment = race(players=(2,)).model_copy(update={"run": Run(precision="2pp")})
    plan, _ = until(experiment)
    (cell,) = plan.cells
    at = plan.looks(cell)
    rng = np.random.default_rng(11)
    steps = np.diff([0, *at])
    wins = np.cumsum(rng.binomial(steps, 0.5, size=(4000, len(at))), axis=1)
    missed = {"plain": 0, "adjusted": 0}
    for which in missed:
        limits = []
        for n in at:
            (one,) = shown(won(n // 2, n - n // 2), experiment=experiment)["cells"]
            width = (one["shares"][0][which]["high"] - one["shares"][0][which]["low"]) / 2
            limits.append(width * n)
        off = np.abs(wins - np.array(at) / 2)
        missed[which] = int((off > np.array(limits)).any(axis=1).sum())
    assert missed["adjusted"] / 4000 <= at_most(0.05)
    assert missed["plain"] / 4000 > 2 * at_most(0.05), "peeking at the plain intervals is caught"
