import math

import numpy as np
import pytest
from scipy import stats

from balance.stats.estimate import Estimate
from balance.stats.histogram import Histogram
from balance.stats.independent import independent_difference
from balance.stats.intervals import mean_interval, wilson


def test_newcombes_published_example():
    # 56/70 against 48/80, by the method he numbers 10
    found = independent_difference(wilson(56, 70, 0.95), wilson(48, 80, 0.95))
    assert (found.value, found.low, found.high) == pytest.approx((0.2, 0.0524, 0.3339), abs=5e-5)
    assert (found.n, found.method) == (70, "two samples")


@pytest.mark.parametrize(
    ("a", "b", "low", "high"), [((9, 10), (3, 10), 0.1705, 0.8090), ((10, 10), (0, 20), 0.6791, 1)]
)
def test_more_of_his_examples(a, b, low, high):
    found = independent_difference(wilson(*a, 0.95), wilson(*b, 0.95))
    assert (found.low, found.high) == pytest.approx((low, high), abs=5e-5)


def test_of_many_numbers_it_is_welchs_interval():
    rng = np.random.default_rng(1)
    one, other = rng.integers(0, 9, 20_000), rng.integers(0, 40, 30_000)
    found = independent_difference(*(mean_interval(Histogram.from_values(x), 0.95) for x in (one, other)))
    expected = stats.ttest_ind(one, other, equal_var=False).confidence_interval(0.95)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-5)


def test_swapping_sides_mirrors():
    one, other = wilson(56, 70, 0.95), wilson(48, 80, 0.95)
    forward, back = independent_difference(one, other), independent_difference(other, one)
    assert (back.value, back.low, back.high) == (-forward.value, -forward.high, -forward.low)


def test_the_certain_and_the_unknown():
    five, four = Estimate(5.0, 5.0, 5.0, 9, "all equal"), Estimate(4.0, 4.0, 4.0, 7, "all equal")
    assert independent_difference(five, four) == Estimate(1.0, 1.0, 1.0, 7, "all equal")
    one = independent_difference(five, Estimate(4.0, -math.inf, math.inf, 1, "too few"))
    assert (one.value, one.low, one.high, one.method) == (1.0, -math.inf, math.inf, "too few")
    none = independent_difference(five, Estimate(math.nan, 0.0, 1.0, 0, "too few"))
    assert math.isnan(none.value)
    assert (none.low, none.high, none.n, none.method) == (-math.inf, math.inf, 0, "too few")
