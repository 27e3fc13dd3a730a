"""By which interval a gate judges: for a check one that holds at all its looks, at the level of all gates together."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from balance.analysis.gates import judged
from balance.experiment.models import Gate
from balance.stats.estimate import Estimate
from balance.stats.histogram import Histogram
from balance.stats.independent import independent_difference
from balance.stats.intervals import mean_interval, quantile_interval, share_interval
from balance.stats.sequential import anytime_mean, anytime_quantile, anytime_share
from balance.stats.spread import sd_interval

from .test_baseline import all_of, saved
from .test_gates import experiment, outcome

GAMES = 30_000
SEATS = (GAMES * 3 // 10, GAMES * 3 // 10, GAMES * 4 // 10)
TURNS = Histogram(np.array([7, 8, 12]), np.array([9_000, 15_000, 6_000]))
TALLY = replace(all_of(SEATS, 1), blocks={**all_of(SEATS, 1).blocks, "turns": TURNS})
FIRST = TALLY.blocks["win_share_0"]
LEVEL = 1 - 0.05 / 3
"""Three gates that ask one question each share the chance of an error."""
OTHERS = (Gate(metric="score", seat=1, max=5.0), Gate(metric="score", seat=2, max=5.0))

KINDS = {
    "win_share": (
        Gate(metric="win_share", seat=1, max="40%"),
        share_interval(FIRST, LEVEL, 60),
        anytime_share(FIRST, LEVEL, 60, best_at=GAMES),
    ),
    "turns": (
        Gate(metric="turns", max=9.0),
        mean_interval(TURNS, LEVEL),
        anytime_mean(TURNS, LEVEL, best_at=GAMES),
    ),
    "turns.p90": (
        Gate(metric="turns.p90", max=12.0),
        quantile_interval(TURNS, 0.9, LEVEL),
        anytime_quantile(TURNS, 0.9, LEVEL, best_at=GAMES),
    ),
    "turns.sd": (
        Gate(metric="turns.sd", max=3.0),
        sd_interval(TURNS, LEVEL),
        sd_interval(TURNS, LEVEL, best_at=GAMES),
    ),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_check_judges_by_an_interval_for_all_looks(kind: str) -> None:
    gate, fixed, looked = KINDS[kind]
    asked = experiment(gate, *OTHERS, games=GAMES)

    def shown(check: bool) -> object:
        return judged(outcome(asked, TALLY, check=check))[0]["cells"][0]["estimate"]

    assert shown(check=False) == pytest.approx(fixed.as_dict())
    assert shown(check=True) == pytest.approx(looked.as_dict())
    assert looked.low <= fixed.low <= fixed.value <= fixed.high <= looked.high
    assert fixed.method != looked.method or looked.half_width > fixed.half_width


def test_drift_allows_for_the_looks_of_the_run_and_for_all_gates_on_both_sides() -> None:
    gate = Gate(metric="win_share", seat=1, against="file", target=0, band="3pp")
    asked, before = experiment(gate, *OTHERS, games=GAMES), (3_500, 3_400, 3_100)
    then = share_interval(all_of(before, 1).blocks["win_share_0"], LEVEL, 60)

    def found(now: Estimate, check: bool) -> bool:
        gates = judged(outcome(asked, TALLY, check=check), saved(before, scale=1))
        return bool(gates[0]["cells"][0]["estimate"] == independent_difference(now, then).as_dict())

    _, fixed, looked = KINDS["win_share"]
    assert found(fixed, check=False)
    assert found(looked, check=True)
    assert not found(fixed, check=True)
