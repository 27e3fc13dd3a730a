import math
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from balance.stats.estimate import Estimate
from balance.stats.histogram import Histogram
from balance.stats.intervals import (
    count_from_sums,
    from_zero,
    mean_from_sums,
    mean_interval,
    quantile_interval,
    ratio_interval,
    share_interval,
    simultaneous,
    wilson,
)
from balance.stats.unseen import unseen_squares

levels = st.sampled_from([0.5, 0.9, 0.95, 0.99, 0.999])
scores = st.lists(st.integers(-300, 300), min_size=2, max_size=60)


def hist(values):
    return Histogram.from_values(np.array(values, np.int64))


def bounds(estimate):
    return estimate.low, estimate.high


def sums(x, y):
    """The arguments of `ratio_interval` for the games' x and y."""
    pairs = list(zip(x, y, strict=True))
    return len(x), sum(x), sum(y), sum(a * a for a in x), sum(b * b for b in y), sum(a * b for a, b in pairs)


class TestWilson:
    @pytest.mark.parametrize(
        ("successes", "n", "low", "high"),
        [(81, 263, 0.2553, 0.3662), (0, 20, 0.0, 0.1611), (20, 20, 0.8389, 1.0)],
    )
    def test_published_values(self, successes, n, low, high):
        assert bounds(wilson(successes, n, 0.95)) == pytest.approx((low, high), abs=5e-5)

    @given(st.data(), st.integers(1, 10**9), levels)
    @settings(deadline=None)
    def test_equals_statsmodels(self, data, n, confidence):
        successes = data.draw(st.integers(0, n))
        expected = proportion_confint(successes, n, alpha=1 - confidence, method="wilson")
        estimate = wilson(successes, n, confidence)
        assert bounds(estimate) == pytest.approx(expected, rel=1e-9, abs=1e-12)
        assert 0 <= estimate.low <= estimate.value <= estimate.high <= 1
        assert (estimate.value, estimate.n, estimate.method) == (successes / n, n, "wilson")

    def test_never_and_always_reach_the_end_exactly(self):
        for n in (1, 2, 3, 7, 20, 10**6):
            assert wilson(0, n, 0.95).low == 0.0
            assert wilson(n, n, 0.95).high == 1.0
            assert wilson(0, n, 0.95).high == pytest.approx(1 - wilson(n, n, 0.95).low, abs=1e-15)

    @pytest.mark.parametrize(
        ("p", "half_width", "games"),
        [
            (Fraction(1, 2), 0.01, 9_604),
            (Fraction(1, 2), 0.005, 38_415),
            (Fraction(1, 2), 0.001, 960_365),
            (Fraction(1, 4), 0.01, 7_203),
            (Fraction(1, 4), 0.005, 28_811),
            (Fraction(1, 4), 0.001, 720_274),
        ],
    )
    def test_games_for_a_half_width(self, p, half_width, games):
        z = 1.959963984540054
        assert math.ceil(z * z * p * (1 - p) / Fraction(str(half_width)) ** 2) == games
        assert wilson(round(p * games), games, 0.95).half_width == pytest.approx(half_width, rel=5e-4)
        fewer = games * 99 // 100
        assert wilson(round(p * fewer), fewer, 0.95).half_width > half_width

    def test_nothing_played_says_nothing(self):
        estimate = wilson(0, 0, 0.95)
        assert math.isnan(estimate.value)
        assert (*bounds(estimate), estimate.n, estimate.method) == (0.0, 1.0, 0, "too few")

    @pytest.mark.parametrize(("successes", "n"), [(-1, 5), (6, 5)])
    def test_refuses_impossible_counts(self, successes, n):
        with pytest.raises(ValueError, match="cannot be"):
            wilson(successes, n, 0.95)


class TestMean:
    @given(scores, levels)
    @settings(deadline=None)
    def test_equals_the_t_interval(self, values, confidence):
        assume(len(set(values)) > 1 and not unseen_squares(hist(values), 1, 0.95))
        estimate = mean_interval(hist(values), confidence)
        expected = stats.t.interval(confidence, len(values) - 1, np.mean(values), stats.sem(values))
        assert bounds(estimate) == pytest.approx(expected, rel=1e-9, abs=1e-9)
        assert (estimate.n, estimate.method) == (len(values), "t")

    @given(scores, levels, st.sampled_from([1, 4, 60]))
    @settings(deadline=None)
    def test_from_sums_is_the_same_to_the_bit(self, values, confidence, scale):
        squares = sum(v * v for v in values) + unseen_squares(hist(values), 1.0 * scale, confidence)
        from_sums = mean_from_sums(len(values), sum(values), squares, confidence, scale)
        assert mean_interval(hist(values), confidence, scale) == from_sums

    @given(scores, levels)
    @settings(deadline=None)
    def test_scale_divides(self, values, confidence):
        one, sixty = (mean_interval(hist(values), confidence, by, reach=300 / by) for by in (1, 60))
        ends = (one.value, one.low, one.high)
        assert (sixty.value, sixty.low, sixty.high) == pytest.approx([x / 60 for x in ends], abs=1e-12)

    def test_one_to_five(self):
        estimate = mean_interval(hist([1, 2, 3, 4, 5]), 0.95)
        assert (estimate.value, *bounds(estimate)) == pytest.approx((3, 1.036757, 4.963243), abs=1e-6)

    def test_numpy_sums_do_not_overflow(self):
        n, total, squares = 4 * 10**9, 4 * 10**13, 5 * 10**17
        estimate = mean_from_sums(np.int64(n), np.int64(total), np.int64(squares), 0.95)
        assert estimate == mean_from_sums(n, total, squares, 0.95)
        assert estimate.half_width > 0

    @pytest.mark.parametrize("reach", [1.0, 7.5])
    def test_of_what_was_all_alike_others_may_be_unseen(self, reach):
        estimate, unseen = mean_interval(hist([4] * 50), 0.95, reach=reach), wilson(0, 50, 0.95).high
        ends = pytest.approx((4 - reach * unseen, 4 + reach * unseen))
        assert (estimate.value, bounds(estimate), estimate.method) == (4.0, ends, "unseen")

    def test_a_few_that_were_all_alike_say_nothing(self):
        for n in (2, 9):
            estimate = mean_interval(hist([4] * n), 0.95)
            assert (estimate.value, *bounds(estimate), estimate.method) == (4, -math.inf, math.inf, "too few")

    def test_one_block_has_no_interval(self):
        estimate = mean_interval(hist([9]), 0.95)
        assert (estimate.value, *bounds(estimate)) == (9.0, -math.inf, math.inf)
        assert (estimate.n, estimate.method) == (1, "too few")
        assert not estimate.excludes(10**9)

    def test_no_block_has_no_value(self):
        estimate = mean_interval(hist([]), 0.95)
        assert math.isnan(estimate.value)
        assert (estimate.n, estimate.method) == (0, "too few")

    def test_refuses_sums_of_nothing(self):
        with pytest.raises(ValueError, match="sum of squares"):
            mean_from_sums(3, 9, 26, 0.95)
        with pytest.raises(ValueError, match="scale"):
            mean_interval(hist([1, 2]), 0.95, 0)


class TestShare:
    @given(st.integers(0, 400), st.integers(0, 400), levels, st.sampled_from([1, 4, 60]))
    @settings(deadline=None)
    def test_whole_wins_are_wilson_exactly(self, wins, losses, confidence, unit):
        histogram = hist([unit] * wins + [0] * losses)
        share, plain = share_interval(histogram, confidence, unit), wilson(wins, wins + losses, confidence)
        assert share.as_dict() == plain.as_dict()

    @given(st.lists(st.integers(0, 60), min_size=1, max_size=200), levels)
    @settings(deadline=None)
    def test_stays_within_0_and_1_and_is_never_empty(self, values, confidence):
        estimate = share_interval(hist(values), confidence, 60)
        assert 0 <= estimate.low <= estimate.value <= estimate.high <= 1
        assert estimate.low < estimate.high
        assert estimate.n == len(values)

    @given(st.lists(st.integers(0, 60), min_size=2, max_size=100), levels)
    @settings(deadline=None)
    def test_seen_from_the_others_it_is_the_mirror_image(self, values, confidence):
        mine = share_interval(hist(values), confidence, 60)
        theirs = share_interval(hist([60 - v for v in values]), confidence, 60)
        assert bounds(theirs) == pytest.approx((1 - mine.high, 1 - mine.low), abs=1e-9)

    @pytest.mark.parametrize("value", [0, 15, 60])
    @pytest.mark.parametrize("n", [1, 2, 50])
    def test_of_equal_blocks_others_may_be_unseen_which_lie_at_an_end(self, value, n):
        estimate, share = share_interval(hist([value] * n), 0.95, 60), value / 60
        unseen = proportion_confint(0, n, method="wilson")[1]
        unseen = 1 if value == 15 and n < 10 else unseen  # so few shared wins say nothing
        assert bounds(estimate) == pytest.approx(
            (share - share * unseen, share + (1 - share) * unseen), abs=1e-12
        )
        if value != 15:  # then they are trials that all came out alike
            assert bounds(estimate) == pytest.approx(
                proportion_confint(share * n, n, method="wilson"), abs=1e-12
            )

    def test_effective_number_by_hand(self):
        # 300 blocks of 0, 100 of 1/2, 100 of 1: p = .3, s² = .16032064, n_eff = 500 * .21 / s² = 654.9375
        estimate = share_interval(hist([0] * 300 + [30] * 100 + [60] * 100), 0.95, 60)
        n_eff, t = 654.9375, stats.t.ppf(0.975, 499)
        centre = (0.3 + t * t / (2 * n_eff)) / (1 + t * t / n_eff)
        half = t / (1 + t * t / n_eff) * math.sqrt(0.21 / n_eff + t * t / (4 * n_eff**2))
        assert bounds(estimate) == pytest.approx((centre - half, centre + half), abs=1e-12)
        assert (estimate.value, estimate.n, estimate.method) == (0.3, 500, "wilson, effective n")

    def test_one_tie_among_many_games_changes_next_to_nothing(self):
        plain = share_interval(hist([60] * 500 + [0] * 1500), 0.95, 60)
        tied = share_interval(hist([60] * 500 + [0] * 1499 + [30]), 0.95, 60)
        assert tied.half_width == pytest.approx(plain.half_width, rel=2e-3)
        assert (plain.method, tied.method) == ("wilson", "wilson, effective n")

    def test_many_blocks_agree_with_the_t_interval(self):
        values = np.random.default_rng(8).choice([0, 20, 30, 60], 100_000, p=[0.6, 0.1, 0.1, 0.2])
        share, mean = share_interval(hist(values), 0.95, 60), mean_interval(hist(values), 0.95, 60)
        assert share.value == mean.value
        assert bounds(share) == pytest.approx(bounds(mean), abs=1e-5)

    def test_one_loss_in_four_games_is_not_less_sure_than_none(self):
        """Of a player who wins nearly all blocks of four games."""
        none, one, two = (share_interval(hist([60] * (500 - k) + [45] * k), 0.95, 60) for k in range(3))
        assert none.low > 0.99
        assert 0.99 < two.low < one.low < none.low, "nor is it surer"
        assert one.high == 1

    @pytest.mark.parametrize("expected", [1, 3, 5, 8, 15, 25])
    def test_blocks_that_are_rarely_unlike_the_rest(self, expected):
        """Exactly, over all numbers of them: a share of 1/2, and now and then of all."""
        n, held = 1000, 0.0
        for k, chance in enumerate(stats.binom.pmf(range(80), n, expected / n)):
            found = share_interval(hist([30] * (n - k) + [60] * k), 0.95, 60)
            held += chance * (not found.excludes(0.5 + expected / n / 2))
        assert held > 0.93

    def test_no_block_says_nothing(self):
        estimate = share_interval(hist([]), 0.95, 60)
        assert math.isnan(estimate.value)
        assert (*bounds(estimate), estimate.method) == (0.0, 1.0, "too few")

    @pytest.mark.parametrize("values", [[-1, 3], [61, 3]])
    def test_refuses_shares_outside_0_and_1(self, values):
        with pytest.raises(ValueError, match="must lie"):
            share_interval(hist(values), 0.95, 60)

    def test_refuses_a_unit_of_nothing(self):
        with pytest.raises(ValueError, match="unit"):
            share_interval(hist([0]), 0.95, 0)


class TestRatio:
    games = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=60)

    @given(games, levels)
    @settings(deadline=None)
    def test_is_the_linearised_t_interval(self, games, confidence):
        x, y = (np.array(column) for column in zip(*games, strict=True))
        assume(x.sum() > 0)
        ratio = y.sum() / x.sum()
        residuals = (y - ratio * x) / x.mean()
        estimate = ratio_interval(*sums(x, y), confidence)
        assert estimate is not None
        assert estimate.value == ratio
        if estimate.method == "delta":
            half = stats.t.ppf((1 + confidence) / 2, len(x) - 1) * np.sqrt(residuals.var(ddof=1) / len(x))
            assert bounds(estimate) == pytest.approx((ratio - half, ratio + half), rel=1e-9, abs=1e-9)
        else:
            assert estimate.method == ("unseen" if len(x) >= 10 else "too few")
            assert residuals == pytest.approx(0, abs=1e-12)

    @given(st.lists(st.booleans(), min_size=2, max_size=60), st.integers(0, 60), levels)
    @settings(deadline=None)
    def test_one_offer_a_game_is_nearly_wilson(self, taken, idle, confidence):
        n = len(taken) + idle
        x, y = [1] * len(taken) + [0] * idle, [int(t) for t in taken] + [0] * idle
        estimate = ratio_interval(*sums(x, y), confidence, share=True)
        assert estimate is not None
        t = stats.t.ppf((1 + confidence) / 2, n - 1)
        assume(t < 35)  # beyond that the oracle's level is 0
        if 0 < sum(y) < len(taken):
            effective = len(taken) * (n - 1) / n
            expected = proportion_confint(
                estimate.value * effective, effective, alpha=2 * stats.norm.sf(t), method="wilson"
            )
        else:
            expected = proportion_confint(sum(y), len(taken), alpha=1 - confidence, method="wilson")
        assert bounds(estimate) == pytest.approx(expected, abs=1e-8)

    @given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=60), levels)
    @settings(deadline=None)
    def test_a_share_stays_within_0_and_1(self, games, confidence):
        x, y = [max(game) for game in games], [min(game) for game in games]
        estimate = ratio_interval(*sums(x, y), confidence, share=True)
        if sum(x) == 0:
            assert estimate is None
        else:
            assert 0 <= estimate.low <= estimate.value <= estimate.high <= 1
            assert estimate.low < estimate.high
            assert estimate.n == len(games)

    def test_never_taken_counts_the_games_with_an_offer(self):
        estimate = ratio_interval(*sums([2, 2, 2, 2, 0, 0, 0, 0], [0] * 8), 0.95, share=True)
        assert estimate is not None
        assert bounds(estimate) == pytest.approx(bounds(wilson(0, 4, 0.95)), abs=1e-15)
        assert (estimate.n, estimate.method) == (8, "wilson")

    def test_never_offered_has_no_rate(self):
        assert ratio_interval(*sums([0, 0, 0], [0, 0, 0]), 0.95, share=True) is None
        assert ratio_interval(0, 0, 0, 0, 0, 0, 0.95) is None

    def test_one_game_has_no_interval_unless_it_is_a_share(self):
        alone = ratio_interval(*sums([4], [1]), 0.95)
        assert alone is not None
        assert (alone.value, *bounds(alone), alone.method) == (0.25, -math.inf, math.inf, "too few")
        share = ratio_interval(*sums([4], [1]), 0.95, share=True)
        assert share is not None
        assert (share.value, share.method) == (0.25, "wilson")

    def test_refuses_impossible_sums(self):
        with pytest.raises(ValueError, match="not a share"):
            ratio_interval(*sums([1, 1], [1, 2]), 0.95, share=True)
        with pytest.raises(ValueError, match="no games"):
            ratio_interval(2, 4, 2, 4, 2, 2, 0.95)
        with pytest.raises(ValueError, match="no games"):
            ratio_interval(*sums([1, 2, 3], [2, 1, 3]), 0.95, share=True)


class TestQuantile:
    @given(
        st.lists(st.integers(-100, 100), min_size=1, max_size=300),
        st.sampled_from([0.1, 0.25, 0.5, 0.9]),
        levels,
    )
    @settings(deadline=None)
    def test_ranks_are_binomial_quantiles(self, values, q, confidence):
        estimate = quantile_interval(hist(values), q, confidence)
        ordered, n, tail = sorted(values), len(values), (1 - confidence) / 2
        ranks = np.arange(1, n + 1)
        below = int((stats.binom.cdf(ranks - 1, n, q) <= tail).sum())
        above = int((stats.binom.sf(ranks - 1, n, q) <= tail).sum())
        assert estimate.low == (ordered[below - 1] if below else -math.inf)
        assert estimate.high == (ordered[n - above] if above else math.inf)
        assert estimate.low <= estimate.value <= estimate.high
        assert estimate.value == hist(values).quantile(q)

    def test_median_of_a_hundred(self):
        # the textbook ranks 40 and 61: P(40 <= B < 61) = .9648 for B ~ Bin(100, 1/2)
        estimate = quantile_interval(hist(range(1, 101)), 0.5, 0.95)
        assert (estimate.value, *bounds(estimate)) == (50, 40, 61)
        assert (estimate.n, estimate.method) == (100, "order statistics")

    def test_too_few_for_a_bound(self):
        assert quantile_interval(hist(range(35)), 0.1, 0.95).low == -math.inf
        assert quantile_interval(hist(range(36)), 0.1, 0.95).low == 0
        assert quantile_interval(hist(range(36)), 0.9, 0.95).high == 35

    def test_a_billion_observations(self):
        histogram = Histogram(np.arange(100), np.full(100, 10**7))
        estimate = quantile_interval(histogram, 0.5, 0.95)
        assert (estimate.value, *bounds(estimate)) == (49, 49, 50)
        ranks = Histogram(np.array([0, 1]), np.array([499_969_009, 500_030_991]))
        assert quantile_interval(ranks, 0.5, 0.95).low == stats.binom.ppf(0.025, 10**9, 0.5) - 499_969_009

    def test_games_of_a_block_count_once(self):
        games = Histogram(np.arange(1, 101), np.full(100, 4))
        once, blocks = (
            quantile_interval(hist(range(1, 101)), 0.5, 0.95),
            quantile_interval(games, 0.5, 0.95, 4),
        )
        assert (blocks.value, *bounds(blocks), blocks.n) == (once.value, *bounds(once), once.n)
        with pytest.raises(ValueError, match="whole blocks"):
            quantile_interval(hist([1, 2, 3]), 0.5, 0.95, 2)

    def test_empty_and_impossible(self):
        assert quantile_interval(hist([]), 0.5, 0.95).method == "too few"
        with pytest.raises(ValueError, match="quantile"):
            quantile_interval(hist([1]), 0.0, 0.95)


class TestSimultaneous:
    def test_sidak(self):
        assert simultaneous(0.95, 1) == 0.95
        assert simultaneous(0.95, 4) == pytest.approx(0.987259, abs=1e-6)
        assert 1 - 0.05 / 4 > simultaneous(0.95, 4), "Bonferroni asks for more"

    @given(levels, st.integers(1, 1000))
    @settings(deadline=None)
    def test_all_looks_together_hold(self, confidence, looks):
        assert simultaneous(confidence, looks) ** looks == pytest.approx(confidence, rel=1e-9)

    def test_refuses_no_look(self):
        with pytest.raises(ValueError, match="looks"):
            simultaneous(0.95, 0)


def test_what_cannot_be_below_zero_has_no_interval_that_reaches_below():
    rare = mean_interval(hist([0] * 99 + [1]), 0.95)
    assert rare.low < 0
    assert from_zero(rare) == Estimate(rare.value, 0.0, rare.high, 100, "t")
    assert count_from_sums(100, 1, 1, 0.95) == from_zero(rare), "of a count the sums say how rare it was"
    often = mean_interval(hist([3, 4, 5]), 0.95)
    assert from_zero(often) == often
    few = mean_interval(hist([3]), 0.95)
    assert from_zero(few) == few  # nothing is known of it


@pytest.mark.parametrize("confidence", [0, 1, -0.1, 95, math.nan])
def test_every_interval_refuses_a_level_that_is_none(confidence):
    two = hist([0, 1])
    for call in (
        lambda: wilson(1, 2, confidence),
        lambda: mean_interval(two, confidence),
        lambda: share_interval(two, confidence, 1),
        lambda: ratio_interval(2, 2, 1, 2, 1, 1, confidence),
        lambda: quantile_interval(two, 0.5, confidence),
        lambda: simultaneous(confidence, 2),
    ):
        with pytest.raises(ValueError, match="confidence level"):
            call()


def test_the_run_path_loads_no_heavy_library():
    heavy = "{'scipy.stats', 'polars', 'numba', 'plotly'}"
    code = f"import sys, balance.stats.intervals; print(sorted({heavy} & set(sys.modules)))"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"
