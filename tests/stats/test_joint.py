import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multivariate import test_mvmean as hotelling

from balance.stats.histogram import Histogram
from balance.stats.intervals import mean_interval, simultaneous, wilson
from balance.stats.joint import Joint, even_test, pairwise_differences
from balance.stats.multiplicity import each_of
from balance.stats.paired import paired_difference


def winners(counts):
    """The win shares of games that were won by the first seat `counts[0]` times and so on, in sixtieths."""
    return 60 * np.repeat(np.eye(len(counts), dtype=np.int64), counts, axis=1)


def random_blocks(seats, blocks, seed):
    """Blocks of four games with ties, in which a deal favours a seat."""
    rng = np.random.default_rng(seed)
    lucky = rng.dirichlet(np.full(seats, 1.0), blocks)
    wins = np.array([rng.multinomial(4, chance) for chance in lucky]).T * 60
    tied = rng.random(blocks) < 0.2
    wins[:, tied] = 240 // seats
    return wins


class TestJoint:
    @given(st.integers(2, 5), st.integers(1, 40), st.integers(0, 10**6))
    @settings(deadline=None)
    def test_sums_add_up_over_parts(self, seats, blocks, seed):
        data = np.random.default_rng(seed).integers(-9, 240, (seats, blocks))
        cut = seed % (blocks + 1)
        whole = Joint.from_blocks(data)
        assert Joint.from_blocks(data[:, :cut]).merge(Joint.from_blocks(data[:, cut:])) == whole
        assert whole.totals == tuple(data.sum(axis=1))
        for a, b in combinations(range(seats), 2):
            difference = Histogram.from_values(data[a] - data[b])
            assert whole.difference(a, b) == (difference.n, difference.total, difference.squares)

    def test_products_beyond_64_bits(self):
        part = Joint(2**40, (2**45,) * 2, ((2**62, 2**61), (2**61, 2**62)))
        whole = part
        for _ in range(4):
            whole = whole.merge(whole)
        assert whole.products[0] == (2**66, 2**65)
        assert whole.difference(0, 1) == (2**44, 0, 2**66)
        assert pairwise_differences(whole, 0.95, 60)[0, 1].value == 0

    def test_unsigned_numbers_do_not_wrap(self):
        joint = Joint.from_blocks(np.array([[3, 200], [250, 250]], np.uint8))
        assert joint.difference(0, 1) == (2, -297, 247**2 + 50**2)

    def test_numbers_of_numpy_are_made_pythons(self):
        joint = Joint.from_blocks(np.array([[1, 2], [3, 4]], np.int8))
        assert all(type(x) is int for x in (joint.n, *joint.totals, *joint.products[0]))

    def test_refuses_sums_that_do_not_fit(self):
        with pytest.raises(ValueError, match="for each quantity with each"):
            Joint(3, (1, 2), ((1, 2),))


class TestEven:
    @pytest.mark.parametrize("seats", [3, 5])
    def test_is_hotellings_test_measured_around_evenness(self, seats):
        blocks = random_blocks(seats, 400, seats)
        deviations = (blocks - blocks.mean(axis=0))[:-1].T  # the last follows from the others
        expected = hotelling(deviations).t2 * 400 / 399
        found = even_test(Joint.from_blocks(blocks))
        assert found.statistic == pytest.approx(expected / (1 + expected / 400), rel=1e-9)
        f = found.statistic * (401 - seats) / ((seats - 1) * 399)
        assert found.p_value == pytest.approx(stats.f.sf(f, seats - 1, 401 - seats), rel=1e-9)

    def test_of_two_seats_it_is_a_t_test(self):
        blocks = random_blocks(2, 400, 1)
        t = stats.ttest_1samp(blocks[0] - blocks[1], 0).statistic
        expected = t * t * 400 / 399
        found = even_test(Joint.from_blocks(blocks))
        assert found.statistic == pytest.approx(expected / (1 + expected / 400), rel=1e-9)

    def test_of_single_games_it_is_about_pearsons_chi_square(self):
        counts = [26_000, 25_100, 24_800, 24_100]
        found, expected = even_test(Joint.from_blocks(winners(counts))), stats.chisquare(counts)
        assert found.statistic == pytest.approx(expected.statistic, rel=0.02)
        counts = [2520, 2510, 2480, 2490]
        found, expected = even_test(Joint.from_blocks(winners(counts))), stats.chisquare(counts)
        assert found.p_value == pytest.approx(expected.pvalue, abs=0.01)

    def test_effect_is_cohens(self):
        shares = np.array([0.4, 0.3, 0.2, 0.1])
        found = even_test(Joint.from_blocks(winners([40, 30, 20, 10])))
        assert found.effect == pytest.approx(math.sqrt(((shares - 0.25) ** 2 / 0.25).sum()))
        assert even_test(Joint.from_blocks(winners([5, 5, 5]))).effect == 0

    @pytest.mark.parametrize("n", [1, 2, 20, 10**6])
    def test_is_finite_where_one_seat_always_wins(self, n):
        joint = Joint(n, (60 * n, 0, 0, 0), ((3600 * n, 0, 0, 0), (0,) * 4, (0,) * 4, (0,) * 4))
        found = even_test(joint)
        assert found.statistic == pytest.approx(n)
        assert (found.p_value < 0.05) == (n > 2)
        assert found.effect == pytest.approx(math.sqrt(3))

    def test_games_that_nobody_wins_say_nothing_about_seats(self):
        blocks = random_blocks(3, 300, 1)
        lost = np.concatenate([blocks, np.zeros((3, 300), np.int64)], axis=1)
        with_lost, without = (even_test(Joint.from_blocks(x)) for x in (lost, blocks))
        assert with_lost.statistic == pytest.approx(without.statistic)
        assert with_lost.effect == without.effect

    def test_nothing_played_and_one_seat(self):
        none = even_test(Joint(0, (0, 0), ((0, 0), (0, 0))))
        assert (none.statistic, none.p_value) == (0, 1)
        assert math.isnan(none.effect)
        with pytest.raises(ValueError, match="alone"):
            even_test(Joint(1, (1,), ((1,),)))


class TestPairwise:
    @pytest.mark.parametrize("best_at", [None, 2000.0])
    def test_each_is_the_interval_of_the_differences(self, best_at):
        blocks = random_blocks(4, 1500, 3)
        found = pairwise_differences(Joint.from_blocks(blocks), 0.95, 240, best_at=best_at)
        assert list(found) == list(combinations(range(4), 2))
        level = simultaneous(0.95, 6) if best_at is None else each_of(0.95, 6)
        for (a, b), estimate in found.items():
            difference = Histogram.from_values(blocks[a] - blocks[b])
            assert estimate == paired_difference(difference, level, 240, share=True, best_at=best_at)
        plain = mean_interval(Histogram.from_values(blocks[0] - blocks[1]), level, 240)
        if best_at is None:
            assert 1 < found[0, 1].half_width / plain.half_width < 1.01, "a few blocks may yet be unseen"
        else:
            assert found[0, 1].half_width > plain.half_width

    def test_two_seats_that_never_won_may_still_differ(self):
        found = pairwise_differences(Joint.from_blocks(winners([30, 30, 0, 0])), 0.95, 60)
        unseen = wilson(0, 60, simultaneous(0.95, 6)).high
        assert (found[2, 3].low, found[2, 3].high) == pytest.approx((-unseen, unseen))

    def test_partial_wins_of_three_seats_by_hand(self):
        """Counts by seat and place; a first place is worth 1, a second one half. Ludii's Balance is 1 less the widest.

        (An array of whole numbers that loses the halves has the shares 0.50, 0.30 and 0.20, and 0.70.)
        """
        orders = np.repeat(
            [[0, 1, 2], [1, 2, 0], [2, 0, 1]], [50, 20, 30], axis=0
        ).T  # places by [seat, game]
        places = [[int((seat == place).sum()) for place in range(3)] for seat in orders]
        assert places == [[50, 20, 30], [30, 50, 20], [20, 30, 50]]
        joint = Joint.from_blocks(2 - orders)
        assert [total / (2 * joint.n) for total in joint.totals] == [0.60, 0.55, 0.35]
        widest = max(abs(one.value) for one in pairwise_differences(joint, 0.95, 2).values())
        assert 1 - widest == pytest.approx(0.75)
