"""Are the seats even? One test of all, each seat, each two seats, and the tolerance band."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from experiment.dice_race import GAME
from scipy import stats

from balance.analysis import seats
from balance.analysis.bands import USUAL, Tolerance, tolerance_of
from balance.experiment.models import Gate

from . import summits
from .made_up import pair
from .played import FAR, IDLE, cells, played

NONE_SET = Tolerance()


def of_winners(winners: np.ndarray, tolerance: Tolerance = NONE_SET) -> dict[str, Any]:
    return seats.tests(GAME, pair(winners, winners)[0], tolerance)


def counts(*wins: int) -> np.ndarray:
    return np.repeat(np.arange(len(wins)), wins)


def test_the_omnibus_test_is_near_the_chi_square_of_plain_games() -> None:
    found = of_winners(counts(360, 330, 310))["even"]
    chi = stats.chisquare([360, 330, 310])
    assert found["statistic"] == pytest.approx(chi.statistic, rel=0.02)
    assert found["p_value"] == pytest.approx(chi.pvalue, abs=0.006)
    assert found["effect"] == pytest.approx(math.sqrt(chi.statistic / 1000))


def test_each_seat_and_each_two_seats_have_intervals_that_hold_together() -> None:
    found = of_winners(counts(360, 330, 310))
    assert [one["estimate"]["value"] for one in found["deviations"]] == pytest.approx(
        [0.36 - 1 / 3, 0.33 - 1 / 3, 0.31 - 1 / 3]
    )
    assert found["largest_seat_deviation"] == found["deviations"][0]
    assert [(one["seats"], one["difference"]["value"]) for one in found["pairs"]] == [
        ([0, 1], pytest.approx(0.03)),
        ([0, 2], pytest.approx(0.05)),
        ([1, 2], pytest.approx(0.02)),
    ]
    assert found["spread"] == pytest.approx(0.05)
    alone = 1.96 * math.sqrt((0.36 + 0.33 - 0.03**2) / 1000)
    half = (found["pairs"][0]["difference"]["high"] - found["pairs"][0]["difference"]["low"]) / 2
    assert 1.2 * alone < half < 1.25 * alone  # Šidák for three: 2.39 standard errors


@pytest.mark.parametrize(
    ("wins", "most", "verdict"),
    [
        ((3400, 3300, 3300), 0.05, "inside"),
        ((3400, 3300, 3300), 0.01, "cannot tell"),
        ((4400, 2800, 2800), 0.05, "outside"),
        ((34, 33, 33), 0.05, "cannot tell"),
    ],
)
def test_the_verdict_is_one_of_three(wins: tuple[int, ...], most: float, verdict: str) -> None:
    found = of_winners(counts(*wins), Tolerance(most, True))
    assert (found["verdict"], found["band"]) == (verdict, {"most": most, "set": True})


def test_before_the_first_game_there_is_no_data() -> None:
    run = played((2, 3), FAR, games=600, stop=True)
    found = run.cell("baseline", 3)["tests"]
    assert (found["even"], found["pairs"], found["spread"], found["verdict"]) == (None, [], None, "no data")


def test_the_tests_are_in_the_results_for_every_table() -> None:
    for cell in played((2, 3, 6), FAR + IDLE).results["cells"]:
        found = cell["tests"]
        assert len(found["deviations"]) == cell["players"]
        assert len(found["pairs"]) == math.comb(cell["players"], 2)
        assert found["band"] == {"most": USUAL, "set": False}
        assert 0 <= found["even"]["p_value"] <= 1


def test_a_seat_that_is_ahead_is_found() -> None:
    found = played((6,), FAR + IDLE).cell("ahead", 6)["tests"]
    assert found["even"]["p_value"] < 1e-6
    assert found["verdict"] == "outside"


def test_teams_are_compared_instead_of_their_seats() -> None:
    outcome = summits.outcome((6,), ("pairs",))
    found = summits.found((6,), ("pairs",))["cells"][0]["tests"]
    assert [one["team"] for one in found["deviations"]] == [0, 1, 2]
    assert [one["teams"] for one in found["pairs"]] == [[0, 1], [0, 2], [1, 2]]
    wins = outcome.tallies[0].wins
    assert wins is not None
    assert sum(wins.totals) == 60 * wins.n


# ---------------------------------------------------------------- where the band comes from


def tolerance(variant: str = "baseline", **gate: Any) -> Tolerance:
    plan = played((2, 3), FAR).outcome.plan
    gates = (Gate(**{"metric": "seat_spread", "max": "2pp", **gate}),)
    experiment = plan.experiment.model_copy(update={"gates": gates})
    cell = next(cell for cell in plan.cells if cell.players == 3 and cell.cell.variant == variant)
    return tolerance_of(GAME, experiment, cell)


def test_a_gate_on_the_seat_spread_is_the_band() -> None:
    assert tolerance() == Tolerance(0.02, True)
    assert tolerance(max=0.05) == Tolerance(0.05, True)


@pytest.mark.parametrize(
    "gate", [{"players": (2,)}, {"variants": ("far",)}, {"against": "baseline"}, {"metric": "tie_rate"}]
)
def test_a_gate_that_is_about_something_else_is_not(gate: dict[str, Any]) -> None:
    assert tolerance(**gate) == Tolerance(USUAL, False)


def test_how_far_the_spread_may_grow_is_no_band() -> None:
    assert tolerance("far", against="baseline") == Tolerance(USUAL, False)
    assert tolerance("far") == Tolerance(0.02, True)


def test_of_several_gates_the_strictest_counts() -> None:
    plan = played((2, 3), FAR).outcome.plan
    gates = tuple(Gate(metric="seat_spread", max=most) for most in ("4pp", "1pp", "2pp"))
    experiment = plan.experiment.model_copy(update={"gates": gates})
    assert tolerance_of(GAME, experiment, plan.cells[0]) == Tolerance(0.01, True)


def test_the_sums_of_the_seats_are_those_of_the_rows() -> None:
    for policies in (("any",), ("any", "steady")):
        run = played((3,), FAR, policies)
        cell, rows = cells(run)[0], run.rows["baseline-p3"]
        wins = rows.select(f"win_share_{seat}" for seat in range(3)).to_numpy().astype(np.int64)
        blocks = wins.reshape(-1, cell.rotations, 3).sum(axis=1)
        joint = cell.tally.wins
        assert joint is not None
        assert joint.totals == tuple(blocks.sum(axis=0).tolist())
        assert joint.products == tuple(map(tuple, (blocks.T @ blocks).tolist()))


def test_where_the_run_may_have_ended_early_intervals_hold_at_all_looks() -> None:
    winners = np.random.default_rng(1).choice(3, 4000)
    cell = pair(winners, winners)[0]
    fixed, stopped = (seats.tests(GAME, one, NONE_SET) for one in (cell, replace(cell, best_at=4000)))
    assert fixed["even"] is not None
    assert stopped["even"] is None, "there is none that holds at all looks"
    for key, name in (("pairs", "difference"), ("deviations", "estimate")):
        for one, other in zip(fixed[key], stopped[key], strict=True):
            assert other[name]["low"] < one[name]["low"] < one[name]["high"] < other[name]["high"]
