import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, stats

from balance.stats.histogram import Histogram
from balance.stats.intervals import mean_interval
from balance.stats.paired import p_value
from balance.stats.power import share_sd
from balance.stats.sprt import (
    NEVER,
    Sprt,
    bounds,
    difference_test,
    expected_blocks,
    llr,
    normal_llr,
    share_test,
    stretch,
)

PAIRS = [0, 0.25, 0.5, 0.75, 1]
"""Scores of pairs of games: both lost to both won. The published tests are of chess programs."""
SINGLES = [0, 0.5, 1]
ERRORS = (0.05, 0.05)
NORMALISED_PER_ELO = math.log(10) / 800


def score(elo):
    """The mean score that chess players call a difference of so many Elo points."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo(mean):
    return -400 * math.log10(1 / mean - 1)


def histogram(counts):
    values = np.flatnonzero(counts)
    return Histogram(values, np.array(counts, np.int64)[values])


def elo_interval(counts):
    estimate = mean_interval(histogram(counts), 0.95, len(counts) - 1)
    return elo(estimate.value), elo(estimate.low), elo(estimate.high)


def superiority(counts):
    """The likelihood of superiority: one minus half the p-value of an even score."""
    steps = 2 * np.arange(len(counts)) - (len(counts) - 1)
    return 1 - p_value(Histogram(steps, np.array(counts, np.int64)), 0.95) / 2


def normalised_llr(counts, elo0, elo1):
    """The published test of (mean - 1/2) / sd, built from the same step as ours, repeated until stable."""
    values, shares = np.array(PAIRS), np.array(counts) / sum(counts)

    def likeliest(t):
        found = np.full(5, 0.2)
        for _ in range(50):
            mean = found @ values
            sd = math.sqrt(found @ (values - mean) ** 2)
            found = shares / stretch(shares, values - 0.5 - t * sd * (1 + ((values - mean) / sd) ** 2) / 2)
        return found

    one, zero = (likeliest(math.sqrt(2) * NORMALISED_PER_ELO * x) for x in (elo1, elo0))
    return float(np.array(counts) @ np.log(one / zero))


class TestPublished:
    @pytest.mark.parametrize(
        ("counts", "elos", "expected"),
        [
            ([223, 9863, 21279, 10037, 246], (0.5, 2.5), -3.0741264),
            ([10789, 19328, 33806, 19402, 10543], (-3, 1), 2.131068),
        ],
    )
    def test_logistic_rows(self, counts, elos, expected):
        found = llr(PAIRS, counts, *map(score, elos))
        assert found == pytest.approx(expected, abs=0.5 * 10.0 ** -len(str(expected).split(".")[1]))

    def test_the_row_of_openbench_is_of_the_normalised_model(self):
        counts = [39, 8843, 26675, 9240, 44]
        assert normalised_llr(counts, 0.5, 2.5) == pytest.approx(2.94168, abs=5e-6)
        assert normalised_llr([365, 16618, 36229, 16974, 390], 0, 2) == pytest.approx(2.2503677, abs=5e-8)
        assert normalised_llr([127, 4883, 10712, 5150, 104], -1.75, 0.25) == pytest.approx(
            3.0101542, abs=5e-8
        )
        assert llr(PAIRS, counts, score(0.5), score(2.5)) == pytest.approx(0.555517, abs=5e-7)

    def test_results_that_never_came_up_count_a_thousandth(self):
        always = [0, 0, 0, 0, 5550]
        assert normalised_llr([c or NEVER for c in always], 0, 5) == pytest.approx(111.80, abs=5e-3)
        assert llr(PAIRS, always, score(0), score(5)) == llr(PAIRS, [1e-3] * 4 + [5550], score(0), score(5))

    def test_elo_and_superiority_of_the_rows(self):
        value, low, high = elo_interval([39, 8843, 26675, 9240, 44])
        assert (value, (high - low) / 2) == pytest.approx((1.577, 1.030), abs=5e-4)
        assert superiority([39, 8843, 26675, 9240, 44]) == pytest.approx(0.99865, abs=5e-6)

    def test_what_pairing_buys(self):
        value, low, high = elo_interval([22569, 44137, 22976])
        assert (value, (high - low) / 2) == pytest.approx((1.577, 1.620), abs=5e-4)
        assert superiority([22569, 44137, 22976]) == pytest.approx(0.97175, abs=5e-6)

    def test_blocks_of_four_players(self):
        wins = histogram([300, 480, 170, 40, 10])
        assert (wins.mean / 4, wins.variance / 16 * 999 / 1000) == pytest.approx((0.245, 0.044975), abs=1e-12)
        found = share_test(wins, 4, 4, (0.25, 0.27), ERRORS)
        assert found.llr == pytest.approx(-6.204423, abs=5e-7)
        assert normal_llr(1000, 0.245, 0.044975, 0.25, 0.27) == pytest.approx(-6.670372, abs=5e-7)
        assert (found.lower, found.upper) == pytest.approx((-2.944439, 2.944439), abs=5e-7)
        assert (found.accepted, found.n) == (0, 1000)
        assert share_sd(0.245) ** 2 / 4 == pytest.approx(0.046244, abs=5e-7)  # if games were independent

    @pytest.mark.parametrize(("mean", "blocks"), [(0.25, 555.17), (0.27, 555.17), (0.26, 908.15)])
    def test_expected_blocks(self, mean, blocks):
        found = expected_blocks(mean, 0.0419, (0.25, 0.27), ERRORS)
        assert found == pytest.approx(blocks, abs=5e-3)


class TestLikelihood:
    @given(st.lists(st.integers(0, 500), min_size=5, max_size=5), st.floats(0.05, 0.95))
    @settings(deadline=None, max_examples=100)
    def test_is_the_likeliest_distribution_with_that_mean(self, counts, mean):
        seen = np.array([c or NEVER for c in counts], float)
        shares = seen / seen.sum()
        likeliest = shares / stretch(shares, np.array(PAIRS) - mean)
        assert (likeliest > 0).all()
        assert (likeliest.sum(), likeliest @ PAIRS) == pytest.approx((1, mean), abs=1e-5)
        # moving along the two directions that keep sum and mean makes the data less likely
        for direction in ([1, -2, 1, 0, 0], [0, 1, -2, 1, 0], [0, 0, 1, -2, 1]):
            gradient = (shares / likeliest) @ direction
            assert gradient == pytest.approx(0, abs=1e-5 * np.abs(shares / likeliest).max())

    def test_agrees_with_a_general_optimizer(self):
        counts, mean = np.array([5, 20, 50, 20, 5]), 0.55
        result = optimize.minimize(
            lambda q: -(counts @ np.log(q)),
            np.full(5, 0.2),
            bounds=[(1e-9, 1)] * 5,
            constraints=[
                {"type": "eq", "fun": lambda q: q.sum() - 1},
                {"type": "eq", "fun": lambda q: q @ PAIRS - mean},
            ],
            options={"ftol": 1e-14},
        )
        shares = counts / counts.sum()
        assert shares / stretch(shares, np.array(PAIRS) - mean) == pytest.approx(result.x, abs=1e-5)

    @given(st.lists(st.integers(0, 10**6), min_size=3, max_size=3), st.floats(0.1, 0.8))
    @settings(deadline=None)
    def test_swapping_the_means_and_mirroring_change_the_sign(self, counts, mean):
        forward = llr(SINGLES, counts, mean, mean + 0.1)
        tolerance = {"rel": 1e-6, "abs": 1e-6}
        assert llr(SINGLES, counts, mean + 0.1, mean) == pytest.approx(-forward, **tolerance)
        assert llr(SINGLES, counts[::-1], 1 - mean, 0.9 - mean) == pytest.approx(forward, **tolerance)
        assert llr(SINGLES, counts, mean, mean) == 0

    @pytest.mark.parametrize("n", [1, 1000, 10**9])
    def test_is_finite_at_0_and_100_percent(self, n):
        never, always = (share_test(histogram(c), 4, 4, (0.25, 0.27), ERRORS) for c in ([n], [0, 0, 0, 0, n]))
        assert always.llr == pytest.approx(n * math.log(0.27 / 0.25), rel=1e-2)
        assert never.llr == pytest.approx(n * math.log(0.73 / 0.75), rel=1e-2)
        up, down = (
            difference_test(Histogram(np.array([60 * sign]), np.array([n])), 60, 1, (0.0, 0.04), ERRORS)
            for sign in (1, -1)
        )
        assert up.llr == pytest.approx(n * math.log(0.52 / 0.5), rel=1e-2)
        assert down.llr == pytest.approx(n * math.log(0.48 / 0.5), rel=1e-2)

    def test_close_means_and_many_blocks_are_as_good_as_normal(self):
        counts = [30_000, 48_000, 17_000, 4_000, 1_000]
        exact, normal = (
            llr(PAIRS, counts, 0.2445, 0.2455),
            normal_llr(100_000, 0.245, 0.044975, 0.2445, 0.2455),
        )
        assert exact == pytest.approx(normal, abs=2e-3)

    @pytest.mark.parametrize("mean", [0, 1, -0.1, 1.1, math.nan])
    def test_refuses_a_mean_that_no_result_reaches(self, mean):
        with pytest.raises(ValueError, match="needs results"):
            llr(PAIRS, [1, 2, 3, 2, 1], 0.5, mean)


class TestShares:
    def test_shared_wins_enlarge_the_results(self):
        whole = Histogram(np.array([0, 60, 120]), np.array([40, 50, 10]))
        shared = Histogram(np.array([0, 30, 60, 120]), np.array([39, 2, 49, 10]))
        found = [share_test(one, 240, 4, (0.15, 0.2), ERRORS).llr for one in (whole, shared)]
        assert found[0] == pytest.approx(llr(PAIRS, [40, 50, 10, 0, 0], 0.15, 0.2))
        expected = llr([0, 0.125, *PAIRS[1:]], [39, 2, 49, 10, 0, 0], 0.15, 0.2)
        assert found[1] == pytest.approx(expected)

    def test_differences_are_shares_of_half_the_size(self):
        # mapping D to (D + 1) / 2 changes neither the data nor the question
        differences = Histogram(np.array([-60, 0, 60]), np.array([90, 800, 110]))
        found = difference_test(differences, 60, 1, (0.0, 0.04), ERRORS)
        assert found.llr == pytest.approx(llr(SINGLES, [90, 800, 110], 0.5, 0.52), rel=1e-9)

    def test_no_difference_at_all_soon_accepts_none(self):
        differences = Histogram(np.array([0]), np.array([1000]))
        assert difference_test(differences, 60, 1, (0.0, 0.02), ERRORS).accepted == 0

    def test_nothing_played_goes_on(self):
        found = share_test(histogram([]), 4, 4, (0.25, 0.27), ERRORS)
        assert found == Sprt(0.0, *bounds(*ERRORS), 0)
        assert found.accepted is None

    def test_bounds_keep_the_two_errors_apart(self):
        assert bounds(0.05, 0.1) == pytest.approx((math.log(0.1 / 0.95), math.log(0.9 / 0.05)))

    def test_accepts_at_the_bounds(self):
        assert [Sprt(x, -2.9, 2.9, 9).accepted for x in (-2.9, -2.8, 2.8, 2.9)] == [0, None, None, 1]

    def test_refuses_what_cannot_be(self):
        with pytest.raises(ValueError, match="larger"):
            share_test(histogram([1]), 4, 4, (0.27, 0.25), ERRORS)
        with pytest.raises(ValueError, match="must lie"):
            share_test(Histogram(np.array([5]), np.array([1])), 4, 4, (0.25, 0.27), ERRORS)
        with pytest.raises(ValueError, match="Chances"):
            bounds(0, 0.05)
        with pytest.raises(ValueError, match="Chances"):
            bounds(0.5, 0.5)


def test_expected_blocks_far_from_both_means():
    far = expected_blocks(0.9, 0.0419, (0.25, 0.251), ERRORS)
    steps = bounds(*ERRORS)[1] / normal_llr(1, 0.9, 0.0419, 0.25, 0.251)
    assert far == pytest.approx(steps)
    assert expected_blocks(0.26 + 1e-9, 0.0419, (0.25, 0.27), ERRORS) == pytest.approx(908.153, abs=1e-3)


@pytest.mark.parametrize("truth", [0.25, 0.26, 0.27])
def test_expected_blocks_is_what_a_walk_takes(truth):
    # a normal walk of the log-likelihood ratio; the surplus at the bound makes it a little longer
    rng, reps, steps = np.random.default_rng(1), 4000, 6000
    drift, sd = normal_llr(1, truth, 0.0419, 0.25, 0.27), 0.02 / math.sqrt(0.0419)
    taken = np.zeros(reps)
    at, running = np.zeros(reps), np.ones(reps, bool)
    for _ in range(steps):
        taken[running] += 1
        at[running] += rng.normal(drift, sd, running.sum())
        running &= np.abs(at) < -bounds(*ERRORS)[0]
        if not running.any():
            break
    expected = expected_blocks(truth, 0.0419, (0.25, 0.27), ERRORS)
    surplus = 1 + 2 * 0.583 * sd / -bounds(*ERRORS)[0]  # Siegmund: 0.583 steps beyond each bound
    assert taken.mean() == pytest.approx(expected * surplus, rel=4 * stats.sem(taken) / taken.mean())
