import itertools
import math

import numpy as np
import pytest
from scipy import stats

from balance.stats.sprt import Sprt, bounds, llr, normal_llr
from balance.stats.stopped import stopped_mean, worse_outcome
from tests.stats.test_sprt import ERRORS, PAIRS, elo, score

MEANS = (0.25, 0.27)
VARIANCE = 0.0419


def test_published():
    counts = np.array([10789, 19328, 33806, 19402, 10543])
    n, means = int(counts.sum()), (score(-3), score(1))
    mean = counts @ PAIRS / n
    variance = counts @ (np.array(PAIRS) - mean) ** 2 / n
    test = Sprt(llr(PAIRS, counts, *means), *bounds(*ERRORS), n)
    found = stopped_mean(test, variance, means, 0.95)
    assert [elo(x) for x in (found.value, found.low, found.high)] == pytest.approx(
        [-0.9925, -3.488, 1.489], abs=5e-4
    )
    assert (found.n, found.method) == (n, "median unbiased")


class TestWorseOutcome:
    lower, upper = bounds(0.05, 0.1)

    @pytest.mark.parametrize("drift", [-0.02, -0.003, 0.0, 0.003, 0.02])
    @pytest.mark.parametrize("time", [50, 400, 3000])
    def test_is_what_walks_do(self, drift, time):
        # bridges between the steps: the chance that a path crossed in between is known exactly
        rng, reps, steps = np.random.default_rng(1), 20_000, 40
        step, variance = time / steps, 0.02
        at, worse, free = np.zeros(reps), np.zeros(reps), np.ones(reps)
        for _ in range(steps):
            following = at + rng.normal(drift * step, math.sqrt(variance * step), reps)
            down, up = (
                np.exp(
                    -2
                    * np.clip((at - b) * s, 0, None)
                    * np.clip((following - b) * s, 0, None)
                    / (variance * step)
                )
                for b, s in ((self.lower, 1), (self.upper, -1))
            )
            worse += free * down * (1 - up / 2)
            free *= np.clip(1 - down - up + down * up, 0, 1)
            at = following
        for point in (self.lower, -1.0, 0.5, self.upper):
            expected = worse + free * (at < point)
            found = worse_outcome(self.lower, self.upper, time, point, drift, variance)
            assert found == pytest.approx(expected.mean(), abs=4 * stats.sem(expected) + 4e-3)

    @pytest.mark.parametrize("drift", [-0.05, -1e-3, 0.0, 1e-3, 0.05])
    def test_after_very_long_it_is_walds_chance(self, drift):
        tilt = -2 * drift / 0.02
        if drift:
            down, up = math.exp(tilt * self.lower), math.exp(tilt * self.upper)
            wald = (up - 1) / (up - down)
        else:
            wald = self.upper / (self.upper - self.lower)
        for time in (10**5, 10**9):
            found = worse_outcome(self.lower, self.upper, time, 0.0, drift, 0.02)
            assert found == pytest.approx(wald, abs=1e-9)

    def test_rises_with_the_point_and_falls_with_the_drift(self):
        points = np.linspace(self.lower, self.upper, 30)
        chances = [worse_outcome(self.lower, self.upper, 200, at, 0.005, 0.02) for at in points]
        assert all(a < b for a, b in itertools.pairwise(chances))
        drifts = [
            worse_outcome(self.lower, self.upper, 200, 1.0, d, 0.02) for d in np.linspace(-0.5, 0.5, 50)
        ]
        assert all(a >= b - 1e-12 for a, b in itertools.pairwise(drifts))
        assert 0 <= min(drifts) <= max(drifts) <= 1 + 1e-12


@pytest.mark.parametrize("truth", [0.245, 0.26, 0.275])
def test_a_stopped_tests_estimate_is_as_often_too_high_as_too_low(truth):
    # each test is a walk in small steps; what is asked of the estimate is asked of the chance behind it
    rng, reps = np.random.default_rng(3), 4_000
    drift, sd = normal_llr(1, truth, VARIANCE, *MEANS), (MEANS[1] - MEANS[0]) / math.sqrt(VARIANCE)
    lower, upper = bounds(*ERRORS)
    at, n, running, scale = np.zeros(reps), np.zeros(reps), np.ones(reps, bool), 0.25
    while running.any():
        at[running] += rng.normal(drift * scale, sd * math.sqrt(scale), running.sum())
        n[running] += scale
        running &= (lower < at) & (at < upper)
    mean = (at / n) * VARIANCE / (MEANS[1] - MEANS[0]) + sum(MEANS) / 2
    ends = np.clip(at, lower, upper)
    worse = [
        worse_outcome(lower, upper, t * e / a, e, drift, sd**2) for t, e, a in zip(n, ends, at, strict=True)
    ]
    too_high, covered = (
        np.mean(np.array(worse) > 0.5),
        np.mean((0.025 <= np.array(worse)) & (np.array(worse) <= 0.975)),
    )
    assert too_high == pytest.approx(0.5, abs=3 * 0.5 / math.sqrt(reps) + 0.01)
    assert covered == pytest.approx(0.95, abs=3 * math.sqrt(0.95 * 0.05 / reps) + 0.005)
    if truth != 0.26:
        assert np.mean((mean > truth) == (truth > 0.26)) > 0.55  # the plain mean is off to where it stopped


def test_a_test_that_overshot_is_taken_where_it_reached_the_bound():
    test = Sprt(6.0, *bounds(*ERRORS), 1000)
    early = Sprt(test.upper, test.lower, test.upper, round(1000 * test.upper / 6))
    over, at = (stopped_mean(one, VARIANCE, MEANS, 0.95) for one in (test, early))
    assert over.value == pytest.approx(at.value, abs=2e-5)
    assert over.low < over.value < over.high


def test_refuses_no_variance():
    with pytest.raises(ValueError, match="vary"):
        stopped_mean(Sprt(0.0, -2.9, 2.9, 10), 0.0, MEANS, 0.95)
