import itertools
import math
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from balance.stats.histogram import Histogram
from balance.stats.intervals import mean_from_sums, quantile_interval, wilson
from balance.stats.mixtures import BetaBinomialMixture, NormalMixture
from balance.stats.sequential import (
    FEWEST_BLOCKS,
    anytime_factor,
    anytime_from_sums,
    anytime_mean,
    anytime_p_value,
    anytime_quantile,
    anytime_share,
    bernoulli_interval,
    looks,
)


def hist(values):
    return Histogram.from_values(np.array(values, np.int64))


class TestLooks:
    def test_a_quarter_more_each_time(self):
        assert looks(3000) == [1000, 1250, 1563, 1954, 2443, 3000]
        assert looks(500) == [500]
        assert looks(1000) == [1000]
        assert looks(4, first=1) == [1, 2, 3, 4]

    @given(st.integers(1, 10**12), st.integers(1, 10**6))
    def test_rises_and_ends_at_the_last(self, last, first):
        found = looks(last, first)
        assert found[-1] == last
        assert all(a < b <= a * 5 // 4 + 1 for a, b in itertools.pairwise(found))
        assert len(found) < 200

    def test_refuses_no_block(self):
        with pytest.raises(ValueError, match="first look"):
            looks(100, 0)


class TestBernoulli:
    def test_published(self):
        many, few = bernoulli_interval(700, 1000, 0.95, 100), bernoulli_interval(1, 50, 0.95, 50)
        assert (many.low, many.high) == pytest.approx((0.651629, 0.745949), abs=1e-6)
        assert (few.low, few.high) == pytest.approx((0, 0.13489), abs=5e-6)
        assert (many.value, many.n, many.method) == (0.7, 1000, "beta-binomial mixture")

    @given(st.integers(1, 10**6), st.data(), st.sampled_from([10, 1000, 10**5]))
    @settings(deadline=None, max_examples=50)
    def test_holds_what_no_bet_was_won_against(self, n, data, best_at):
        wins = data.draw(st.integers(0, n) | st.integers(0, 3).map(lambda one: min(one, n)))
        estimate = bernoulli_interval(wins, n, 0.95, best_at)

        def bet(p):
            variance = p * (1 - p)
            mixture = BetaBinomialMixture.best_at(best_at * variance, 0.05, p, 1 - p)
            return mixture.log_m(wins - n * p, n * variance) - math.log(20)

        assert 0 <= estimate.low <= estimate.value <= estimate.high <= 1
        for end, other in ((estimate.low, 0.0), (estimate.high, 1.0)):
            if end not in (0.0, 1.0):
                assert bet(end) == pytest.approx(0, abs=1e-3)
                assert bet((end + other) / 2) > 0
            if 0 < (end + estimate.value) / 2 < 1 and end != estimate.value:
                assert bet((end + estimate.value) / 2) < 0

    @given(st.integers(1, 10**5), st.data())
    @settings(deadline=None, max_examples=30)
    def test_seen_from_the_others_it_is_the_mirror_image(self, n, data):
        wins = data.draw(st.integers(0, n))
        mine, theirs = (bernoulli_interval(x, n, 0.95, 1000) for x in (wins, n - wins))
        assert (theirs.low, theirs.high) == pytest.approx((1 - mine.high, 1 - mine.low), abs=1e-9)

    def test_never_and_always_reach_the_end(self):
        for n in (1, 50, 10**9):
            assert bernoulli_interval(0, n, 0.95, 100).low == 0.0
            assert bernoulli_interval(n, n, 0.95, 100).high == 1.0
            assert bernoulli_interval(0, n, 0.95, 100).high > 0

    def test_wider_than_one_look_and_narrowest_where_asked(self):
        plain = wilson(250_000, 10**6, 0.95).half_width
        widths = [bernoulli_interval(250_000, 10**6, 0.95, at).half_width for at in (10**4, 10**6, 10**8)]
        assert widths[1] == min(widths)
        assert widths[1] / plain == pytest.approx(1.549, abs=2e-3)

    def test_nothing_played_says_nothing(self):
        estimate = bernoulli_interval(0, 0, 0.95, 100)
        assert math.isnan(estimate.value)
        assert (estimate.low, estimate.high, estimate.method) == (0, 1, "too few")

    @pytest.mark.parametrize(("wins", "n"), [(-1, 5), (6, 5)])
    def test_refuses_impossible_counts(self, wins, n):
        with pytest.raises(ValueError, match="cannot be"):
            bernoulli_interval(wins, n, 0.95, 100)


class TestShare:
    def test_single_games_with_shared_wins_are_parts_of_trials(self):
        shared = anytime_share(hist([0] * 300 + [30] * 100 + [60] * 100), 0.95, 60, best_at=1000)
        assert shared == bernoulli_interval(150, 500, 0.95, 1000)

    def test_blocks_of_games_take_their_variance(self):
        blocks = hist([60] * 1600 + [0] * 200 + [120] * 200)
        estimate = anytime_share(blocks, 0.95, 240, games=4, best_at=2000)
        sums = blocks.n, blocks.total, blocks.squares
        assert estimate == anytime_from_sums(*sums, 0.95, 240, 240, best_at=2000)
        alone = anytime_share(blocks, 0.95, 240, best_at=2000)
        assert estimate.half_width < alone.half_width / 2
        assert estimate.method == "normal mixture"

    def test_blocks_that_are_all_equal_are_not_certain(self):
        none = anytime_share(hist([0] * 2000), 0.95, 240, games=4, best_at=2000)
        assert none.low == none.value == 0
        assert 3 / 2000 < none.high < 5 / 2000  # of 3 that are to be expected none shows in 1 of 20 runs

    def test_few_blocks_say_no_more_than_that_it_is_a_share(self):
        few = anytime_share(hist([60] * 999), 0.95, 240, games=4, best_at=2000)
        assert (few.value, few.low, few.high, few.method) == (0.25, 0, 1, "too few")

    def test_refuses_what_is_no_share(self):
        with pytest.raises(ValueError, match="must lie"):
            anytime_share(hist([61, 3]), 0.95, 60, best_at=100)
        with pytest.raises(ValueError, match="unit"):
            anytime_share(hist([0]), 0.95, 0, best_at=100)


class TestMean:
    values = st.lists(st.integers(-300, 300), min_size=2, max_size=30)

    @given(values, st.sampled_from([1, 4, 60]), st.integers(100, 10**4))
    @settings(deadline=None)
    def test_is_the_mixture_of_the_standardized_sum(self, values, scale, repeats):
        histogram = hist(values * repeats)
        estimate = anytime_mean(histogram, 0.95, scale, best_at=5000)
        n, sd = histogram.n, histogram.sd
        if n < FEWEST_BLOCKS:
            assert (estimate.low, estimate.high, estimate.method) == (-math.inf, math.inf, "too few")
            return
        bound = NormalMixture.best_at(5000, 0.05).bound(n)
        mean = histogram.total / n
        farthest = max(1, math.ceil(max(abs(v - mean) for v in values)))
        farthest = scale if len(set(values)) == 1 else farthest  # of what was all alike another may be 1 off
        spread = math.sqrt(sd**2 + 2 * farthest**2 / (n - 1))
        assert estimate.half_width == pytest.approx(spread * bound / n / scale, rel=1e-9)
        assert estimate.value == pytest.approx(mean / scale)

    def test_the_blocks_still_to_come_soon_do_not_matter(self):
        values = [0, 10, 20, 30] * 5000
        estimate = anytime_mean(hist(values), 0.95, best_at=20_000)
        plain = mean_from_sums(len(values), sum(values), sum(v * v for v in values), 0.95)
        assert estimate.half_width / plain.half_width == pytest.approx(1.549, abs=2e-3)

    def test_what_never_varied_may_still_vary_by_one(self):
        estimate = anytime_mean(hist([5] * 10_000), 0.95, best_at=10_000)
        assert estimate.value == 5
        assert 0.0003 < estimate.half_width < 0.0006

    def test_billions_do_not_overflow(self):
        n, total, squares = 4 * 10**9, 4 * 10**13, 5 * 10**17
        numpy = anytime_from_sums(np.int64(n), np.int64(total), np.int64(squares), 0.95, best_at=1e9)
        assert numpy == anytime_from_sums(n, total, squares, 0.95, best_at=1e9)
        assert numpy.half_width == pytest.approx(5000 * anytime_factor(n, 0.95, 1e9), rel=1e-6)

    def test_nothing_played(self):
        estimate = anytime_mean(hist([]), 0.95, best_at=100)
        assert math.isnan(estimate.value)
        assert (estimate.n, estimate.method) == (0, "too few")

    def test_refuses_sums_of_nothing(self):
        with pytest.raises(ValueError, match="sum of squares"):
            anytime_from_sums(3, 9, 26, 0.95, best_at=100)
        with pytest.raises(ValueError, match="scale"):
            anytime_mean(hist([1, 2]), 0.95, 0, best_at=100)


class TestQuantile:
    def test_lies_outside_the_interval_of_one_look(self):
        games = hist(np.random.default_rng(1).integers(0, 10_000, 20_000))
        for q in (0.1, 0.5, 0.9):
            once, always = quantile_interval(games, q, 0.95), anytime_quantile(games, q, 0.95, best_at=20_000)
            assert always.low < once.low < always.value < once.high < always.high
            assert always.half_width / once.half_width < 1.8
        assert (always.n, always.method) == (20_000, "quantile mixture")

    def test_ranks_are_those_of_the_bound(self):
        n, q = 1000, 0.3
        found = anytime_quantile(hist(range(1, n + 1)), q, 0.95, best_at=500)
        below = BetaBinomialMixture.best_at(500 * 0.21, 0.025, 0.7, 0.3, one_sided=True).bound(n * 0.21)
        above = BetaBinomialMixture.best_at(500 * 0.21, 0.025, 0.3, 0.7, one_sided=True).bound(n * 0.21)
        assert (found.low, found.high) == (math.ceil(n * q - below), math.floor(n * q + above) + 1)

    def test_games_of_a_block_count_once(self):
        games = hist(np.arange(8000))
        alone, blocks = (anytime_quantile(games, 0.5, 0.95, size, best_at=8000 / size) for size in (1, 4))
        assert blocks.half_width / alone.half_width == pytest.approx(2, rel=0.05)
        assert blocks.n == 2000

    def test_too_few_for_a_bound(self):
        few = anytime_quantile(hist(range(10)), 0.1, 0.95, best_at=100)
        assert (few.low, few.value) == (-math.inf, 0)
        none = anytime_quantile(hist([]), 0.1, 0.95, best_at=100)
        assert (math.isnan(none.value), none.method) == (True, "too few")

    def test_refuses_what_cannot_be(self):
        with pytest.raises(ValueError, match="quantile"):
            anytime_quantile(hist([1]), 1.0, 0.95, best_at=100)
        with pytest.raises(ValueError, match="whole blocks"):
            anytime_quantile(hist([1, 2, 3]), 0.5, 0.95, 2, best_at=100)


class TestPValue:
    @given(st.integers(FEWEST_BLOCKS, 10**6), st.floats(-5, 5), st.sampled_from([0.9, 0.95, 0.999]))
    @settings(deadline=None)
    def test_is_small_exactly_where_the_interval_excludes_0(self, n, z, confidence):
        total = round(z * math.sqrt(n))
        estimate = anytime_from_sums(n, total, n, confidence, best_at=5000)
        p = anytime_p_value(n, total, n, confidence, best_at=5000)
        assert 0 <= p <= 1
        if abs(p - (1 - confidence)) > 1e-9:
            assert (p < 1 - confidence) == estimate.excludes(0)

    def test_few_blocks_and_no_difference(self):
        assert anytime_p_value(999, 999, 999, 0.95, best_at=1000) == 1
        assert anytime_p_value(5000, 0, 100, 0.95, best_at=1000) == 1
        assert anytime_p_value(0, 0, 0, 0.95, best_at=1000) == 1


@pytest.mark.parametrize("confidence", [0, 1, 95, math.nan])
def test_every_interval_refuses_a_level_that_is_none(confidence):
    two = hist([0, 1])
    for call in (
        lambda: bernoulli_interval(1, 2, confidence, 100),
        lambda: anytime_share(two, confidence, 1, 2, best_at=100),
        lambda: anytime_mean(two, confidence, best_at=100),
        lambda: anytime_quantile(two, 0.5, confidence, best_at=100),
        lambda: anytime_p_value(2, 1, 1, confidence, best_at=100),
    ):
        with pytest.raises(ValueError, match="confidence level"):
            call()


def test_the_run_path_loads_no_heavy_library():
    names = "power, joint, independent, verdict, spread"
    heavy = "{'scipy.stats', 'scipy.optimize', 'polars', 'numba', 'plotly'}"
    code = f"import sys; from balance.stats import {names}; print(sorted({heavy} & set(sys.modules)))"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"
