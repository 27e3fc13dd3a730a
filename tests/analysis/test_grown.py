"""A tally made larger: everything in the same relation, in whole numbers that belong to games."""

from __future__ import annotations

import numpy as np
import pytest

from balance.analysis.grown import grown
from balance.experiment.tally import Tally
from balance.stats.histogram import Histogram
from balance.stats.joint import Joint, pairwise_differences

WINS = np.array([[60, 0, 60, 20, 60], [0, 60, 0, 20, 0], [0, 0, 0, 20, 0]])


def tally(rotations: int = 1) -> Tally:
    turns = Histogram(np.array([7, 8, 30]), np.array([3, 1, 1]))
    games = Histogram(np.array([7, 9]), np.array([4 * rotations, rotations]))
    none = Histogram(np.array([0]), np.array([5]))
    joint = Joint.from_blocks(WINS)
    return Tally(5 * rotations, {"turns": turns}, {"turns": games}, {"turns": none}, wins=joint, changed=True)


@pytest.mark.parametrize("factor", [1.0, 1.3, 2.0, 17.77, 1e6])
def test_all_columns_have_equally_many_blocks(factor: float) -> None:
    found = grown(tally(4), factor, 4)
    n = round(5 * factor)
    assert found.wins is not None
    assert found.blocks["turns"].n == found.differences["turns"].n == found.wins.n == n
    assert found.of_games("turns").n == found.played == 4 * n
    assert found.changed


def test_the_same_relation_of_values_means_and_spreads() -> None:
    before, found = tally(), grown(tally(), 1000.0, 1)
    for name in ("blocks", "games", "differences"):
        one, other = getattr(before, name)["turns"], getattr(found, name)["turns"]
        assert other.values.tolist() == one.values.tolist()
        assert other.mean == pytest.approx(one.mean)
    assert before.wins is not None
    assert found.wins is not None
    assert found.wins.totals == tuple(1000 * total for total in before.wins.totals)
    assert found.wins.products == tuple(tuple(1000 * one for one in row) for row in before.wins.products)


@pytest.mark.parametrize("factor", [1.0, 1.3, 2.5, 2.8, 3.996])
def test_of_many_values_the_mean_and_spread_stay_too(factor: float) -> None:
    scores = Histogram.from_values(np.random.default_rng(3).gamma(3, 200, 250).astype(np.int64))
    found = grown(Tally(250, {"score": scores}), factor, 1).blocks["score"]
    assert found.n == round(250 * factor)
    assert found.mean == pytest.approx(scores.mean, rel=0.005)
    assert found.sd == pytest.approx(scores.sd, rel=0.01)
    assert found.quantile(0.5) == pytest.approx(scores.quantile(0.5), rel=0.02)


@pytest.mark.parametrize("factor", np.geomspace(1, 50, 40).tolist())
def test_no_rounding_makes_numbers_that_no_games_can_have(factor: float) -> None:
    found = grown(tally(), factor, 1)
    assert found.wins is not None
    assert len(pairwise_differences(found.wins, 0.95, 60)) == 3
    alike = Tally(9, wins=Joint.from_blocks(np.full((2, 9), 30)))
    same = grown(alike, factor, 1).wins
    assert same is not None
    assert same.difference(0, 1)[1:] == (0, 0)


def test_nothing_grows_to_nothing() -> None:
    found = grown(Tally(), 3.0, 1)
    assert (found.played, dict(found.blocks), found.wins) == (0, {}, None)
