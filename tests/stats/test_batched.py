"""The interval of a combination of means by batches: by hand, and how often it holds the truth."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from balance.stats.batched import batched_estimate
from balance.stats.estimate import Estimate
from balance.stats.intervals import wilson

REPLICATIONS = 4000


UNSEEN = wilson(0, 640, 0.95).high


def test_by_hand() -> None:
    by_batch = [1.0, 2.0, 4.0, 5.0]
    found = batched_estimate(3.1, by_batch, 1000, 0.9, 1.0)
    low, high = stats.t.interval(0.9, 3, loc=3.1, scale=stats.sem(by_batch))
    assert (found.value, found.n, found.method) == (3.1, 1000, "batches")
    assert (found.low, found.high) == pytest.approx((low, high))


def test_what_shows_no_spread_may_still_vary_and_what_is_too_little_has_no_interval() -> None:
    reaching = batched_estimate(2.0, [2.0] * 64, 640, 0.95, reach=3.0)
    assert reaching.method == "unseen"
    assert (reaching.low, reaching.high) == pytest.approx((2.0 - 3 * UNSEEN, 2.0 + 3 * UNSEEN))
    for few in ([], [2.0]):
        assert batched_estimate(2.0, few, 9, 0.95, 1.0) == Estimate(2.0, -math.inf, math.inf, 9, "too few")


def test_it_holds_the_truth_as_often_as_it_says_whatever_hangs_together() -> None:
    """A contrast of three points on the same deals, of which one varies a lot."""
    chance = np.random.default_rng(11)
    deals = chance.exponential(size=(REPLICATIONS, 64, 10, 1))
    points = deals * [1.0, 1.3, 4.0] + chance.integers(0, 3, size=(REPLICATIONS, 64, 10, 3))
    means = points.mean(axis=2)
    contrast = means[..., 0] - means.mean(axis=2)
    truth = 1.0 - (1.0 + 1.3 + 4.0) / 3
    held = sum(
        not batched_estimate(float(one.mean()), one.tolist(), 640, 0.95, 1.0).excludes(truth)
        for one in contrast
    )
    margin = 3 * math.sqrt(0.95 * 0.05 * REPLICATIONS)
    assert abs(held - 0.95 * REPLICATIONS) < margin
    # red: as if the points had different deals
    width = 1.96 * np.sqrt(means.var(axis=1, ddof=1).mean(axis=1) / 64)
    assert (np.abs(contrast.mean(axis=1) - truth) < width).mean() > 0.97


def test_things_so_rare_that_few_batches_have_one_are_not_trusted_too_much() -> None:
    chance = np.random.default_rng(12)
    batches = (chance.random((REPLICATIONS, 64)) < 3 / 64) * chance.choice([2.0, 5.0], (REPLICATIONS, 64))
    truth = 3 / 64 * 3.5
    held = [
        not batched_estimate(one.mean(), one.tolist(), 640, 0.95, 50.0).excludes(truth) for one in batches
    ]
    assert np.mean(held) > 0.94
    # red: the t interval of the batches alone
    half = stats.t.ppf(0.975, 63) * batches.std(axis=1, ddof=1) / 8
    assert (np.abs(batches.mean(axis=1) - truth) <= half).mean() < 0.9
