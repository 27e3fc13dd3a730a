import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from balance.stats.bernoulli import bernoulli_interval
from balance.stats.histogram import Histogram
from balance.stats.intervals import mean_from_sums, mean_interval, wilson
from balance.stats.paired import Pairing, p_value, paired_difference, pairing, share_difference
from balance.stats.sequential import anytime_from_sums, anytime_mean
from balance.stats.unseen import unseen_squares

pairs = st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=10, max_size=60)

MOVES = st.lists(st.integers(-3, 3), min_size=2, max_size=60)
ALIKE = st.builds(lambda one, n: [one] * n, st.integers(-3, 3), st.integers(2, 60))


def hist(values):
    return Histogram.from_values(np.array(values, np.int64))


def sums(values):
    return len(values), sum(values), sum(v * v for v in values)


class TestPairing:
    @given(pairs)
    @settings(deadline=None)
    def test_is_the_correlation_of_the_pairs(self, games):
        one, other = (np.array(column) for column in zip(*games, strict=True))
        assume(one.std() > 0 and other.std() > 0)
        found = pairing(hist(one - other), hist(one), hist(other))
        assert found.correlation == pytest.approx(np.corrcoef(one, other)[0, 1], abs=1e-9)
        variance = (one - other).var()
        if variance > 0:
            assert found.worth == pytest.approx((one.var() + other.var()) / variance)

    def test_by_hand(self):
        # of 100 deals 60 are won and 20 lost under both, 10 under only one and 10 under only the other
        one, other = [1] * 60 + [0] * 20 + [1] * 10 + [0] * 10, [1] * 60 + [0] * 20 + [0] * 10 + [1] * 10
        found = pairing(hist(np.subtract(one, other)), hist(one), hist(other))
        assert found.correlation == pytest.approx(0.21 / 0.21 - 0.10 / 0.21)
        assert found.worth == pytest.approx(2 * 0.21 / 0.20)

    def test_the_same_games_are_worth_any_number(self):
        found = pairing(hist([0] * 12), hist([1, 2, 3] * 4), hist([1, 2, 3] * 4))
        assert found == Pairing(1.0, math.inf)

    def test_a_few_blocks_tell_nothing(self):
        assert pairing(hist([0] * 9), hist([1, 2, 3] * 3), hist([1, 2, 3] * 3)) == Pairing(None, None)

    def test_what_never_varies_tells_nothing(self):
        assert pairing(hist([1] * 12), hist([5] * 12), hist([4] * 12)) == Pairing(None, None)
        assert pairing(hist([-4, -3] * 6), hist([1, 2] * 6), hist([5, 5] * 6)) == Pairing(None, 1.0)
        assert pairing(hist([1]), hist([5]), hist([4])) == Pairing(None, None)


class TestDifference:
    @given(st.lists(st.integers(-9, 9), min_size=2, max_size=60), st.sampled_from([1, 60]))
    @settings(deadline=None)
    def test_of_numbers_it_is_the_t_interval_of_differences(self, values, scale):
        assume(len(set(values)) > 1 and not unseen_squares(hist(values), 1, 0.95))
        assert paired_difference(hist(values), 0.95, scale) == mean_interval(hist(values), 0.95, scale)

    @pytest.mark.parametrize("value", [0, -3])
    def test_of_numbers_that_all_moved_alike_others_lie_up_to_their_reach_to_each_side_of_0(self, value):
        found = paired_difference(hist([4 * value] * 50), 0.95, 4, reach=10.0)
        half = (10 + abs(value)) * wilson(0, 50, 0.95).high
        assert (found.value, found.low, found.high) == pytest.approx((value, value - half, value + half))
        looked = paired_difference(hist([4 * value] * 5000), 0.95, 4, reach=10.0, best_at=5000)
        assert looked.half_width > (10 + abs(value)) * bernoulli_interval(0, 5000, 0.95, 5000).high
        few = paired_difference(hist([4 * value] * 9), 0.95, 4, reach=10.0)
        assert (few.value, few.low, few.high) == (value, -math.inf, math.inf)

    def test_nothing_changed_is_exactly_0(self):
        for best_at in (None, 1000.0):
            for share in (False, True):
                found = paired_difference(
                    hist([0] * 500), 0.95, 60, share=share, differs=False, best_at=best_at
                )
                assert (found.value, found.low, found.high) == (0.0, 0.0, 0.0)
                assert (found.n, found.method) == (500, "all equal")

    def test_an_unseen_change_of_a_share_is_not_excluded(self):
        found = paired_difference(hist([0] * 500), 0.95, 60, share=True)
        unseen = wilson(0, 500, 0.95).high
        assert (found.value, found.low, found.high, found.method) == (0, -unseen, unseen, "unseen")
        later = paired_difference(hist([0] * 5000), 0.95, 60, share=True, best_at=5000)
        assert later.low < 0 < later.high < 0.001

    def test_the_more_games_changed_the_more_may_have(self):
        ends = [
            paired_difference(hist([60] * k + [0] * (1000 - k)), 0.95, 60, share=True).high for k in range(6)
        ]
        assert ends == sorted(ends)

    @pytest.mark.parametrize("expected", [1.0, 3.0, 3.5, 4.0, 6.0, 12.0])
    def test_the_interval_of_a_rare_change_holds_it(self, expected):
        """Exactly, over all numbers of changed games; without the unseen ones it would be 85 % where 3 are expected."""
        n = 1000
        held = plain = 0.0
        for k, chance in enumerate(stats.binom.pmf(range(60), n, expected / n)):
            found = paired_difference(hist([60] * k + [0] * (n - k)), 0.95, 60, share=True)
            held += chance * (not found.excludes(expected / n))
            plain += chance * (not mean_from_sums(n, k, k, 0.95, reach=0).excludes(expected / n))
        assert held > 0.93
        assert plain < held or expected > 5

    def test_a_share_cannot_change_by_more_than_all(self):
        found = paired_difference(hist([60, 60, -60]), 0.95, 60, share=True)
        assert (found.low, found.high) == (-1, 1)
        alike, unseen = paired_difference(hist([60] * 12), 0.95, 60, share=True), wilson(0, 12, 0.95).high
        assert (alike.low, alike.high) == (pytest.approx(1 - 2 * unseen), 1), "a block may yet lie two away"

    def test_at_all_looks(self):
        values = [0] * 1500 + [1] * 300 + [-1] * 200
        assert paired_difference(hist(values), 0.95, best_at=2000) == anytime_mean(
            hist(values), 0.95, best_at=2000
        )
        of_share = paired_difference(hist(values), 0.95, 4, share=True, best_at=2000)
        assert of_share == anytime_from_sums(*sums(values), 0.95, 4, 4, best_at=2000)
        assert of_share == share_difference(*sums(values), 0.95, 4, best_at=2000)

    def test_refuses_a_change_where_nothing_changed(self):
        with pytest.raises(ValueError, match="nothing changed"):
            paired_difference(hist([1, -1]), 0.95, differs=False)

    def test_billions_of_blocks(self):
        # more wins than 32 bits hold, and a difference that must not wrap below 0
        n = 2**32
        differences = Histogram(np.array([-60, 0, 60]), np.array([n, 2 * n, n - 1]))
        found = paired_difference(differences, 0.95, 60, share=True)
        assert found.value == -1 / (4 * n - 1)
        assert found.n == 4 * n - 1
        assert found.low < found.value < found.high < 1e-4
        always = paired_difference(differences, 0.95, 60, share=True, best_at=n)
        assert always.low < found.low < found.high < always.high

    def test_nothing_played(self):
        for differs in (True, False):
            found = paired_difference(hist([]), 0.95, differs=differs)
            assert math.isnan(found.value)
            assert found.method == "too few"


class TestPValue:
    @given(st.lists(st.integers(-50, 50), min_size=2, max_size=60))
    @settings(deadline=None)
    def test_equals_the_t_test(self, values):
        assume(len(set(values)) > 1 and not unseen_squares(hist(values), 1, 0.95))
        expected = stats.ttest_1samp(values, 0).pvalue
        assert p_value(hist(values), 0.95) == pytest.approx(expected, rel=1e-8, abs=1e-300)

    @given(MOVES | ALIKE, st.sampled_from([0.5, 0.9, 0.95, 0.99, 0.9999]), st.booleans())
    @settings(deadline=None)
    def test_agrees_with_the_interval(self, values, confidence, share):
        """Also where all are alike, and where few are unlike the rest."""
        how = {"scale": 3, "share": share, "reach": 1.0 if share else 4.0}
        p = p_value(hist(values), confidence, **how)
        found = paired_difference(hist(values), confidence, **how)
        if abs(p - (1 - confidence)) > 1e-9:
            assert (p < 1 - confidence) == found.excludes(0)

    @pytest.mark.parametrize("values", [[0] * 2000, [3] * 2000, [0] * 1995 + [3] * 5, [0, 1, -1, 1] * 500])
    @pytest.mark.parametrize("share", [False, True])
    def test_agrees_with_the_interval_at_all_looks(self, values, share):
        how = {"scale": 3, "share": share, "reach": 1.0 if share else 4.0, "best_at": 2000}
        p, found = p_value(hist(values), 0.95, **how), paired_difference(hist(values), 0.95, **how)
        assert (p <= 0.05) == found.excludes(0)

    def test_a_few_that_are_all_alike_prove_nothing(self):
        assert p_value(hist([2] * 9), 0.95) == p_value(hist([3]), 0.95) == p_value(hist([]), 0.95) == 1
        assert p_value(hist([0] * 50), 0.95) == 1
        assert p_value(hist([2] * 10), 0.95) < 1e-3

    def test_billions_are_no_more_than_sure(self):
        assert 0 <= p_value(Histogram(np.array([1]), np.array([10**7])), 0.95) < 1e-300
