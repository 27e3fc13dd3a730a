import itertools
import math

import numpy as np
import pytest

from balance.stats.sequential import looks
from balance.stats.sprt import bounds, normal_llr
from balance.stats.stopped import stopped_mean, worse_outcome
from tests.stats.simulated import REPLICATIONS
from tests.stats.test_sprt import ERRORS, NORMALISED_PER_ELO, PAIRS, elo, score

MEANS = (0.25, 0.27)
VARIANCE = 0.0419
UNIT = (MEANS[1] - MEANS[0]) ** 2 / VARIANCE
BOUNDS = bounds(*ERRORS)
OVERSHOOT = 0.5826
"""How far a walk is on average beyond a bound when it crosses it, in standard deviations of a step (Siegmund)."""


def watched_always(counts, means, number):
    """The published estimate for tests of chess programs that are looked at without a break, in Elo points, and the
    chance of a score above even: at so many looks, with bounds nearer by what a walk overshoots them."""
    counts = np.array(counts)
    n, mean = int(counts.sum()), counts @ PAIRS / counts.sum()
    variance = counts @ (np.array(PAIRS) - mean) ** 2 / n
    tested = means(math.sqrt(2 * variance))
    unit = (tested[1] - tested[0]) ** 2 / variance
    beyond = OVERSHOOT * math.sqrt(unit * n / number)
    at, ends = [n * k / number for k in range(1, number + 1)], (BOUNDS[0] + beyond, BOUNDS[1] - beyond)
    found = stopped_mean(mean, variance, at, ends, tested, 0.95, (0.4, 0.6))
    assert (found.n, found.method) == (n, "median unbiased")
    ratio, even = normal_llr(n, mean, variance, *tested), normal_llr(1, 0.5, variance, *tested)
    superior = worse_outcome(at, ends, unit)(ratio, even)
    return np.array([*map(elo, (found.value, found.low, found.high)), superior])


def without_a_break(counts, means):
    """What twice as many looks change is half of what is left to change."""
    return 2 * watched_always(counts, means, 800) - watched_always(counts, means, 400)


def test_published():
    found = without_a_break([10789, 19328, 33806, 19402, 10543], lambda _: (score(-3), score(1)))
    assert found[0] == pytest.approx(-0.9925, abs=5e-5)
    assert found[1:3] == pytest.approx([-3.488, 1.489], abs=5e-4)


def test_published_in_units_of_the_spread():
    """Bounds of 0 and 2 normalised Elo: an Elo point is ln(10)/800 standard deviations of a game."""
    found = without_a_break(
        [365, 16618, 36229, 16974, 390], lambda sd: (0.5, 0.5 + 2 * NORMALISED_PER_ELO * sd)
    )
    assert found[:3] == pytest.approx([0.932, -0.051, 1.878], abs=5e-4)
    assert found[3] == pytest.approx(0.9687, abs=5e-5)


def test_with_one_look_it_is_the_mean_and_its_normal_interval():
    found = stopped_mean(0.31, VARIANCE, [400], BOUNDS, MEANS, 0.95, (0.0, 1.0))
    half = 1.959964 * math.sqrt(VARIANCE / 400)
    assert (found.value, found.low, found.high) == pytest.approx((0.31, 0.31 - half, 0.31 + half), abs=1e-8)


def test_looks_at_which_nothing_can_end_do_not_count():
    one = stopped_mean(0.27, VARIANCE, [1, 2, 4, 400], BOUNDS, MEANS, 0.95, (0.0, 1.0))
    assert one == stopped_mean(0.27, VARIANCE, [400], BOUNDS, MEANS, 0.95, (0.0, 1.0))


@pytest.mark.parametrize("drift", [-0.05, -1e-3, 1e-9, 1e-3, 0.05])
def test_after_very_many_looks_it_is_walds_chance(drift):
    number, unit = 3_000, 0.02
    beyond = OVERSHOOT * math.sqrt(unit)
    tilt, (lower, upper) = -2 * drift / unit, BOUNDS
    down, up = math.exp(tilt * lower), math.exp(tilt * upper)
    ends = (lower + beyond, upper - beyond)
    found = worse_outcome(range(1, number + 1), ends, unit)(lower, drift)
    assert found == pytest.approx((up - 1) / (up - down), abs=2e-3)


def test_a_better_ratio_and_a_worse_drift_leave_more_below():
    at = looks(3_000, first=100)
    points = np.linspace(-4.0, 4.0, 30)
    worse = worse_outcome(at, BOUNDS, UNIT)
    chances = [worse(point, 0.005) for point in points]
    assert all(a < b for a, b in itertools.pairwise(chances))
    drifts = [worse(1.0, drift) for drift in np.linspace(-0.5, 0.5, 50)]
    assert all(a >= b - 1e-12 for a, b in itertools.pairwise(drifts))
    assert 0 <= min(drifts) <= max(drifts) <= 1 + 1e-9


def stopped(truth, at):
    """Whether the plain mean, and the corrected one, are too high, and the interval holds the truth; for each test.

    A test is a walk with the drift and spread of its log-likelihood ratio, looked at after these numbers of blocks.
    """
    rng = np.random.default_rng(3)
    drift = normal_llr(1, truth, VARIANCE, *MEANS)
    llrs, n, running = np.zeros(REPLICATIONS), np.zeros(REPLICATIONS, int), np.ones(REPLICATIONS, bool)
    for number, step in enumerate(np.diff([0, *at]), 1):
        llrs[running] += rng.normal(drift * step, math.sqrt(UNIT * step), running.sum())
        n[running] = number
        running &= (BOUNDS[0] < llrs) & (llrs < BOUNDS[1])
    assert not running.any()
    of = {number: worse_outcome(at[:number], BOUNDS, UNIT) for number in set(n.tolist())}
    worse = np.array([of[number](llr, drift) for number, llr in zip(n.tolist(), llrs, strict=True)])
    return llrs / np.array(at)[n - 1] > drift, worse > 0.5, (0.025 <= worse) & (worse <= 0.975)


@pytest.mark.parametrize(
    ("truth", "first"), [(0.255, 100), (0.26, 100), (0.275, 100), (0.265, 1_000), (0.35, 1_000)]
)
def test_it_is_as_often_too_high_as_too_low_and_its_interval_holds(truth, first):
    """At the looks of a run, of a test that takes some 900 blocks if one of its means is the truth."""
    plain, corrected, covered = stopped(truth, looks(10**6, first))
    assert corrected.mean() == pytest.approx(0.5, abs=3 * 0.5 / math.sqrt(REPLICATIONS))
    assert covered.mean() == pytest.approx(0.95, abs=3 * math.sqrt(0.95 * 0.05 / REPLICATIONS))
    if first == 100 and truth != 0.26:  # the plain mean is off to where the test stopped
        assert np.mean(plain == (truth > 0.26)) > 0.56


def test_refuses_no_variance():
    with pytest.raises(ValueError, match="vary"):
        stopped_mean(0.3, 0.0, [10], BOUNDS, MEANS, 0.95, (0.0, 1.0))
