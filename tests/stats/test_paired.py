import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from balance.stats.histogram import Histogram
from balance.stats.intervals import mean_interval, wilson
from balance.stats.paired import Pairing, p_value, paired_difference, pairing, share_difference
from balance.stats.sequential import anytime_from_sums, anytime_mean

pairs = st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=3, max_size=60)


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
        found = pairing(hist([0, 0, 0]), hist([1, 2, 3]), hist([1, 2, 3]))
        assert found == Pairing(1.0, math.inf)

    def test_what_never_varies_tells_nothing(self):
        assert pairing(hist([1, 1, 1]), hist([5, 5, 5]), hist([4, 4, 4])) == Pairing(None, None)
        assert pairing(hist([-4, -3]), hist([1, 2]), hist([5, 5])) == Pairing(None, 1.0)
        assert pairing(hist([1]), hist([5]), hist([4])) == Pairing(None, None)


class TestDifference:
    @given(st.lists(st.integers(-9, 9), min_size=2, max_size=60), st.sampled_from([1, 60]))
    @settings(deadline=None)
    def test_of_numbers_it_is_the_t_interval_of_differences(self, values, scale):
        assert paired_difference(hist(values), 0.95, scale) == mean_interval(hist(values), 0.95, scale)

    def test_nothing_changed_is_exactly_0(self):
        for best_at in (None, 1000.0):
            for share in (False, True):
                found = paired_difference(
                    hist([0] * 500), 0.95, 60, share=share, changed=False, best_at=best_at
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
            plain += chance * (
                not mean_interval(hist([60] * k + [0] * (n - k)), 0.95, 60).excludes(expected / n)
            )
        assert held > 0.93
        assert plain < held or expected > 5

    def test_a_share_cannot_change_by_more_than_all(self):
        found = paired_difference(hist([60, 60, -60]), 0.95, 60, share=True)
        assert (found.low, found.high) == (-1, 1)
        alike, unseen = paired_difference(hist([60] * 9), 0.95, 60, share=True), wilson(0, 9, 0.95).high
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
            paired_difference(hist([1, -1]), 0.95, changed=False)

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
        for changed in (True, False):
            found = paired_difference(hist([]), 0.95, changed=changed)
            assert math.isnan(found.value)
            assert found.method == "too few"


class TestPValue:
    @given(st.lists(st.integers(-50, 50), min_size=2, max_size=60))
    @settings(deadline=None)
    def test_equals_the_t_test(self, values):
        assume(len(set(values)) > 1)
        expected = stats.ttest_1samp(values, 0).pvalue
        assert p_value(*sums(values)) == pytest.approx(expected, rel=1e-8, abs=1e-300)

    @given(st.lists(st.integers(-3, 3), min_size=2, max_size=60), st.sampled_from([0.5, 0.9, 0.95]))
    @settings(deadline=None)
    def test_agrees_with_the_interval(self, values, confidence):
        assume(len(set(values)) > 1)
        p, found = p_value(*sums(values)), paired_difference(hist(values), confidence)
        if abs(p - (1 - confidence)) > 1e-9:
            assert (p < 1 - confidence) == found.excludes(0)

    def test_all_equal_is_a_run_of_one_sign(self):
        assert p_value(5, 10, 20) == 2**-4
        assert p_value(5, 0, 0) == 1
        assert 0 < p_value(10**7, 10**7, 10**7) < 1e-300
        assert p_value(1, 3, 9) == p_value(0, 0, 0) == 1
