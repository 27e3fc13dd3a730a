"""Every metric by its name, against the results, the rows and what statistics say of them."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from experiment.dice_race import GAME

from balance.analysis import metrics
from balance.analysis.summaries import Cell
from balance.experiment.metrics import SPREAD, by_seat, is_share, names
from balance.stats.estimate import Estimate

from . import summits
from .played import FAR, IDLE, Played, cells, played


@pytest.fixture(params=[("any",), ("any", "steady")], ids=["one type", "two types"])
def run(request: pytest.FixtureRequest) -> Played:
    return played((3,), FAR + IDLE, request.param)


def test_every_metric_has_an_estimate_and_a_difference_for_whomever_it_may_be_asked(run: Played) -> None:
    baseline, far, *_ = cells(run)
    known = names(GAME, far.planned.size)
    assert set(known) >= {"win_share", SPREAD, "score", "turns", "tie_rate", "all_sixes", "own_sixes"}
    for name in known:
        whose = [0, 1, 2] if name == "win_share" else [None, 0, 1, 2] if name in by_seat(GAME) else [None]
        statistics = [""] if is_share(GAME, name) else ["", ".sd", ".p10", ".p50", ".p90"]
        for seat in whose:
            for statistic in statistics:
                metric = f"{name}{statistic}"
                found = metrics.estimate(GAME, far, metric, seat, 0.95)
                for one in found if isinstance(found, tuple) else [found]:
                    assert one.low <= one.value <= one.high, metric
                moved = metrics.difference(GAME, far, baseline, metric, seat, 0.95)
                assert moved.low <= moved.value <= moved.high, metric


def test_the_estimates_are_those_of_the_results(run: Played) -> None:
    cell, shown = cells(run)[0], run.cell()
    for metric in ("turns", "tie_rate", "score_margin", "all_sixes", "no_six"):
        found = metrics.single(GAME, cell, metric, None, 0.95)
        assert found.as_dict() == shown["measures"][metric]["mean"]
    for seat in range(3):
        wins, score = (metrics.single(GAME, cell, name, seat, 0.95) for name in ("win_share", "score"))
        assert wins.as_dict() == shown["seats"][seat]["win_share"]
        assert score.as_dict() == shown["seats"][seat]["score"]["mean"]
        own = metrics.single(GAME, cell, "own_sixes", seat, 0.95)
        assert own.as_dict() == shown["measures"]["own_sixes"]["seats"][seat]["mean"]


def test_without_a_seat_it_is_the_mean_of_all_and_its_spread_that_of_all(run: Played) -> None:
    cell, rows = cells(run)[0], run.rows["baseline-p3"]
    for metric in ("score", "own_sixes"):
        values = rows.select(f"{metric}_{seat}" for seat in range(3)).to_numpy().ravel()
        assert metrics.single(GAME, cell, metric, None, 0.95).value == pytest.approx(values.mean())
        assert metrics.single(GAME, cell, f"{metric}.sd", None, 0.95).value == pytest.approx(
            values.std(ddof=1)
        )
        for q in ("p10", "p90"):
            found = metrics.single(GAME, cell, f"{metric}.{q}", None, 0.95)
            assert found.value == np.quantile(values, int(q[1:]) / 100, method="inverted_cdf")
            assert found.n == cell.blocks


def test_a_policy_has_its_wins_and_scores_for_each_seat_that_it_held() -> None:
    run = played((3,), FAR, ("any", "steady"))
    baseline, far = cells(run)
    for policy in ("any", "steady"):
        side = next(side for side in run.cell("far")["sides"] if side["policy"] == policy)
        wins = metrics.single(GAME, far, "win_share", None, 0.95, policy=policy)
        assert wins.as_dict() == side["win_share"]
        in_seats = [metrics.single(GAME, far, "win_share", seat, 0.95, policy=policy) for seat in range(3)]
        assert [one.as_dict() for one in in_seats] == side["seats"]
        assert (
            metrics.single(GAME, far, "score", None, 0.95, policy=policy).as_dict() == side["score"]["mean"]
        )
        before = metrics.single(GAME, baseline, "score", None, 0.95, policy=policy)
        after = metrics.single(GAME, far, "score", None, 0.95, policy=policy)
        moved = metrics.difference(GAME, far, baseline, "score", None, 0.95, policy=policy)
        assert moved.value == pytest.approx(after.value - before.value)
        held = metrics.single(GAME, baseline, "win_share", None, 0.95, policy=policy)
        gained = metrics.difference(GAME, far, baseline, "win_share", None, 0.95, policy=policy)
        assert gained.value == pytest.approx(wins.value - held.value)


@pytest.mark.parametrize(
    ("metric", "seat", "policy"),
    [
        ("nonsense", None, None),
        ("win_share", None, None),
        ("win_share", 3, None),
        ("turns", 0, None),
        ("score", None, "nobody"),
        ("progress", None, None),
        ("tie_rate.sd", None, None),
        ("turns.p11", None, None),
    ],
)
def test_what_there_is_not_is_refused(metric: str, seat: int | None, policy: str | None) -> None:
    baseline, far, *_ = cells(played((3,), FAR + IDLE))
    with pytest.raises(ValueError, match="There is no "):
        metrics.single(GAME, far, metric, seat, 0.95, policy=policy)
    with pytest.raises(ValueError, match="There is no "):
        metrics.difference(GAME, far, baseline, metric, seat, 0.95, policy=policy)


def test_equal_rules_differ_by_exactly_nothing_and_others_by_what_was_not_seen(run: Played) -> None:
    baseline, _, idle, _ = cells(run)
    assert not idle.tally.changed
    same = replace(idle, planned=baseline.planned)
    for metric in ("turns", "turns.sd", "turns.p90", "score", "tie_rate", SPREAD):
        found = metrics.difference(GAME, idle, baseline, metric, None, 0.95)
        assert found.value == 0
        assert found.low < 0 < found.high or metric == "turns.p90"
        exact = metrics.difference(GAME, same, baseline, metric, None, 0.95)
        assert exact == Estimate(0.0, 0.0, 0.0, idle.blocks, "all equal"), metric


def test_intervals_for_all_looks_are_wider(run: Played) -> None:
    baseline, far, *_ = cells(run)
    if far.blocks < 1000:  # so few that the wider ones say nothing yet
        assert math.isinf(metrics.single(GAME, far, "turns", None, 0.95, 1000).high)
        return
    for metric, seat in (("turns", None), ("win_share", 0), ("score.p50", 1), ("turns.sd", None)):
        fixed, looked = (metrics.single(GAME, far, metric, seat, 0.95, at) for at in (None, 1000))
        assert looked.value == pytest.approx(fixed.value)
        assert looked.low <= fixed.low <= fixed.high <= looked.high
        assert looked.method != fixed.method or looked.half_width > fixed.half_width
        moved = [metrics.difference(GAME, far, baseline, metric, seat, 0.95, at) for at in (None, 1000)]
        assert moved[1].low <= moved[0].low <= moved[0].high <= moved[1].high
    pairs = [metrics.estimate(GAME, far, SPREAD, None, 0.95, at) for at in (None, 1000)]
    for fixed, looked in zip(*map(tuple, pairs), strict=True):
        assert looked.low < fixed.low < fixed.high < looked.high


def test_a_seat_of_a_team_has_the_wins_of_its_team() -> None:
    outcome = summits.outcome((4,), ("pairs",))
    game = outcome.plan.game
    baseline, lucky = (
        Cell(planned, tally, 0.95) for planned, tally in zip(outcome.plan.cells, outcome.tallies, strict=True)
    )
    shares = [metrics.single(game, baseline, "win_share", seat, 0.95) for seat in range(4)]
    assert shares[0] == shares[2]
    assert shares[0].value + shares[1].value == pytest.approx(1)
    moved = [metrics.difference(game, lucky, baseline, "win_share", seat, 0.95) for seat in range(4)]
    assert moved[1] == moved[3]
    assert moved[0].value == pytest.approx(
        metrics.single(game, lucky, "win_share", 2, 0.95).value - shares[2].value
    )
    (pair,) = metrics.estimate(game, baseline, SPREAD, None, 0.95)
    assert pair.value == pytest.approx(shares[0].value - shares[1].value)


def test_alone_there_are_no_seats_to_compare() -> None:
    outcome = summits.outcome((1,), ("alone",))
    assert not {"win_share", SPREAD, "tie_rate"} & set(names(outcome.plan.game, outcome.plan.cells[0].size))
    cell = Cell(outcome.plan.cells[0], replace(outcome.tallies[0]), 0.95)
    assert metrics.estimate(outcome.plan.game, cell, SPREAD, None, 0.95) == ()
