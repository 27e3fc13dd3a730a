"""How far apart the seats are, and what a variant changes about it, against counting and by simulation."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats
from stats.simulated import REPLICATIONS, at_most

from balance.analysis import spread
from balance.analysis.summaries import Cell
from balance.experiment.tally import Tally
from balance.game import SHARE_UNIT
from balance.stats.estimate import Estimate
from balance.stats.histogram import Histogram
from balance.stats.joint import Joint
from balance.stats.multiplicity import each_of
from balance.stats.paired import share_difference

from .made_up import pair, planned
from .played import FAR, cells, played

SHARES = {"even": [1, 1, 1], "first ahead": [1.3, 1, 0.7], "last ahead": [0.8, 1, 1.2]}


def draws(luck: np.random.Generator, shares: list[float], games: int) -> np.ndarray:
    return luck.choice(len(shares), games, p=np.array(shares) / sum(shares))


def test_pairs_are_those_of_the_rows() -> None:
    for policies in (("any",), ("any", "steady")):
        run = played((3,), FAR, policies)
        rows = run.rows["baseline-p3"]
        found = spread.pairs(cells(run)[0], 0.95)
        assert list(found) == [(0, 1), (0, 2), (1, 2)]
        for (a, b), one in found.items():
            blocks = (
                (rows[f"win_share_{a}"] - rows[f"win_share_{b}"])
                .to_numpy()
                .reshape(-1, len(policies) + (1 if len(policies) > 1 else 0))
            )
            means = blocks.mean(axis=1) / 60
            assert one.value == pytest.approx(means.mean())
            assert one.half_width == pytest.approx(
                2.387 * math.sqrt((means.var(ddof=1) + 2 / means.size) / means.size), rel=0.01
            )  # Šidák's quantile for three; two more blocks are allowed for
        assert spread.widest(found) == max(abs(one.value) for one in found.values())


def test_where_no_game_changed_the_next_may() -> None:
    winners = draws(np.random.default_rng(1), [1, 1, 1], 500)
    baseline, variant = pair(winners, winners)
    found = spread.change(variant, baseline, 0.95)
    assert (found.value, found.n) == (0, 500)
    assert -0.031 < found.low < -0.015 < 0.015 < found.high < 0.031
    same = spread.change(replace(variant, planned=baseline.planned), baseline, 0.95)
    assert same == Estimate(0.0, 0.0, 0.0, 500, "all equal")


def test_a_planted_change_is_found_with_its_size() -> None:
    luck = np.random.default_rng(2)
    before = draws(luck, SHARES["first ahead"], 20_000)
    after = np.where((before == 0) & (luck.random(20_000) < 0.1), 2, before)  # from 43 % to 39 %
    baseline, variant = pair(before, after)
    found = spread.change(variant, baseline, 0.95)
    gone = [np.mean(one == 0) - np.mean(one == 2) for one in (after, before)]
    assert found.value == pytest.approx(gone[0] - gone[1])
    assert found.low < found.value < found.high < 0
    assert found.high - found.low < 0.03  # by far less than without the same deals
    assert spread.change_p_value(variant, baseline) < 0.001


def test_all_that_the_interval_rests_on_holds_together() -> None:
    """Where it is clear who is ahead it is the interval of one difference, a third of the doubt left to it."""
    luck = np.random.default_rng(6)
    before = draws(luck, [0.8, 0.2], 5_000)
    after = np.where((before == 0) & (luck.random(5_000) < 0.1), 1, before)
    baseline, variant = pair(before, after, players=2)
    moved = np.where(after == 0, 1, -1) - np.where(before == 0, 1, -1)
    half = stats.t.ppf(1 - 0.05 / 6, 4_999) * math.sqrt((moved.var(ddof=1) + 3 * 4 / 4_999) / 5_000)
    found = spread.change(variant, baseline, 0.95)
    assert (found.low, found.high) == pytest.approx((moved.mean() - half, moved.mean() + half))


def test_the_p_value_is_where_the_interval_begins_to_leave_out_zero() -> None:
    luck = np.random.default_rng(3)
    before = draws(luck, SHARES["first ahead"], 2_000)
    after = np.where(luck.random(2_000) < 0.1, draws(luck, SHARES["even"], 2_000), before)
    baseline, variant = pair(before, after)
    p = spread.change_p_value(variant, baseline)
    assert 0.001 < p < 0.9
    inside, outside = (spread.change(variant, baseline, 1 - level) for level in (0.99 * p, 1.01 * p))
    assert inside.low <= 0 <= inside.high
    assert not outside.low <= 0 <= outside.high


def test_where_deals_are_left_out_of_the_pairs_the_spreads_themselves_alone_count() -> None:
    """What the other deals did to each pair says nothing of those that count by one set of rules alone."""
    luck = np.random.default_rng(7)
    before = draws(luck, SHARES["first ahead"], 2_000)
    after = np.where((before == 0) & (luck.random(2_000) < 0.1), 2, before)
    baseline, variant = pair(before, after)
    whole = spread.change(variant, baseline, 0.95)
    fewer = {**variant.tally.differences, "turns": Histogram(np.array([0]), np.array([1_990]))}
    left_out = replace(variant, tally=replace(variant.tally, differences=fewer))
    assert left_out.left_out(baseline) == 20
    found = spread.change(left_out, baseline, 0.95)
    old, new = (spread.largest(one, each_of(0.95, 3)) for one in (baseline, variant))
    assert (found.low, found.high) == pytest.approx((new.low - old.high, new.high - old.low))
    assert found.low < whole.low < whole.high < found.high


CHANGES = [
    ("even", "even"),
    ("first ahead", "first ahead"),
    ("first ahead", "last ahead"),
    ("last ahead", "even"),
]
GAMES = 400


def simulated(before: np.ndarray, after: np.ndarray, alike: float, seed: int) -> Iterator[tuple[Cell, Cell]]:
    """Baselines and variants of which the seats win with these chances; a part of the deals is won alike by both."""
    seats = before.size
    baseline, variant = planned(seats)
    chances = (1 - alike) * np.outer(before, after) + alike * np.diag(before)
    both = np.random.default_rng(seed).multinomial(GAMES, chances.ravel(), size=REPLICATIONS)
    for counts in both.reshape(-1, seats, seats):
        old, new = counts.sum(axis=1), counts.sum(axis=0)
        moved = np.diag(old + new) - counts - counts.T
        yield (
            Cell(baseline, Tally(GAMES, TURNS, wins=joint(old, np.diag(old))), 0.95),
            Cell(
                variant,
                Tally(
                    GAMES,
                    TURNS,
                    differences=TURNS,
                    wins=joint(new, np.diag(new)),
                    wins_moved=joint(new - old, moved),
                    changed=True,
                ),
                0.95,
            ),
        )


TURNS = {"turns": Histogram(np.array([9]), np.array([GAMES]))}


def joint(totals: np.ndarray, products: np.ndarray) -> Joint:
    whole = SHARE_UNIT
    return Joint(
        GAMES, tuple((whole * totals).tolist()), tuple(map(tuple, (whole * whole * products).tolist()))
    )


def chances(name: str) -> np.ndarray:
    return np.array(SHARES[name]) / sum(SHARES[name])


@pytest.mark.parametrize(("before", "after"), CHANGES)
def test_the_interval_holds_the_truth(before: str, after: str) -> None:
    """Whichever seats are furthest apart, and where none are."""
    one, other, missed = chances(before), chances(after), 0
    true = np.ptp(other) - np.ptp(one)
    for baseline, variant in simulated(one, other, 0.5 if before == after else 0.0, seed=4):
        missed += spread.change(variant, baseline, 0.95).excludes(true)
    assert missed / REPLICATIONS <= at_most(0.05)


def test_an_interval_of_the_two_that_turn_out_furthest_apart_would_be_caught() -> None:
    """What the test above is for: a pair that is chosen by what was seen is taken for one chosen beforehand."""
    even, missed = np.full(6, 1 / 6), 0
    for _, variant in simulated(even, even, 0.0, seed=5):
        wins, moved = variant.tally.wins, variant.tally.wins_moved
        assert wins is not None
        assert moved is not None
        most, least = np.argmax(wins.totals), np.argmin(wins.totals)
        missed += share_difference(*moved.difference(most, least), 0.95, SHARE_UNIT).excludes(0)
    assert missed / REPLICATIONS > 2 * at_most(0.05)


def test_simulated_cells_are_those_of_games() -> None:
    """The sums of made-up games, counted one by one, are the ones that the simulation makes of their numbers."""
    luck = np.random.default_rng(6)
    before, after = (draws(luck, [1, 1, 1], GAMES) for _ in range(2))
    counts = np.zeros((3, 3), int)
    np.add.at(counts, (before, after), 1)
    old, new = counts.sum(axis=1), counts.sum(axis=0)
    baseline, variant = pair(before, after)
    assert baseline.tally.wins == joint(old, np.diag(old))
    assert variant.tally.wins_moved == joint(new - old, np.diag(old + new) - counts - counts.T)


def test_before_the_first_game_nothing_is_known() -> None:
    run = played((2, 3), FAR, games=600, stop=True)
    *_, baseline, variant = cells(run)
    assert baseline.tally.played == 0
    assert spread.pairs(baseline, 0.95) == {}
    found = spread.change(variant, baseline, 0.95)
    assert math.isnan(found.value)
    assert found.low < 0 < found.high
