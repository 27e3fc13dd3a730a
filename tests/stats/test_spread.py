import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from balance.stats.histogram import Histogram
from balance.stats.intervals import wilson
from balance.stats.spread import sd_interval
from tests.stats.simulated import histogram, played

CHANCES = np.array([math.exp(-4) * 4**k / math.factorial(k) for k in range(20)])


def hist(values):
    return Histogram.from_values(np.array(values, np.int64))


@given(st.lists(st.integers(-50, 50), min_size=8, max_size=60), st.sampled_from([0.5, 0.95]))
@settings(deadline=None)
def test_is_the_delta_method_of_the_logarithm(values, confidence):
    assume(len(set(values)) > 1)
    data, n = np.array(values, float), len(values)
    found = sd_interval(hist(values), confidence)
    deviations = data - data.mean()
    kurtosis = (deviations**4).mean() / (deviations**2).mean() ** 2
    assert found.value == pytest.approx(data.std(ddof=1))
    assert found.low * found.high == pytest.approx(found.value**2)
    narrow = sd_interval(hist(values * 1000), confidence)
    z = {0.5: 0.6745, 0.95: 1.96}[confidence]
    assert math.log(narrow.high / narrow.low) == pytest.approx(
        z * math.sqrt((kurtosis - 1 + 2 / (1000 * n)) / (1000 * n)), rel=1e-3
    )


def test_coverage():
    truth, counts = 2.0, played(CHANCES / CHANCES.sum(), 1000, seed=1)
    found = [sd_interval(histogram(range(20), one), 0.95) for one in counts]
    assert 0.93 <= np.mean([not one.excludes(truth) for one in found]) <= 0.96
    narrow = [one.low + 0.03 <= truth <= one.high - 0.03 for one in found]  # the check catches narrower ones
    assert np.mean(narrow) < 0.93


def test_games_of_a_block_count_once_and_looking_costs():
    data = hist(np.random.default_rng(1).poisson(4, 8000))
    plain, blocks = sd_interval(data, 0.95), sd_interval(data, 0.95, 4)
    assert blocks.n == 2000
    assert blocks.half_width / plain.half_width == pytest.approx(2, rel=0.01)
    anytime = sd_interval(data, 0.95, 4, best_at=2000)
    assert anytime.half_width / blocks.half_width == pytest.approx(1.549, rel=0.01)


def test_what_cannot_be_told():
    alike = sd_interval(hist([4] * 50), 0.95)
    assert (alike.low, alike.method) == (0, "unseen")
    assert alike.high == pytest.approx(math.sqrt(wilson(0, 50, 0.95).high))
    assert sd_interval(hist([4] * 9), 0.95).high == math.inf
    assert alike.high < sd_interval(hist([4] * 1000), 0.95, best_at=1000).high * 5 < 1
    one = sd_interval(hist([4]), 0.95)
    assert math.isnan(one.value)
    assert (one.low, one.high, one.method) == (0, math.inf, "too few")
    assert sd_interval(hist([1, 2] * 499), 0.95, best_at=1000).method == "too few"
    with pytest.raises(ValueError, match="whole blocks"):
        sd_interval(hist([1, 2, 3]), 0.95, 2)
    with pytest.raises(ValueError, match="confidence level"):
        sd_interval(hist([1, 2, 3]), 95)


def test_billions_of_games():
    data = Histogram(np.array([-(2**40), 2**40]), np.array([2**32, 2**32]))
    found = sd_interval(data, 0.95)
    assert found.value == pytest.approx(2**40)
    assert found.low < found.value < found.high
