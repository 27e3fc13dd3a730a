"""Sequential tests of two means: is it at least `mean1`, or only `mean0`? They stop as soon as either is clear.

The generalised sequential probability ratio test of Van den Bergh for blocks with finitely many results: of all
distributions with a given mean the one is taken under which the data are likeliest. It does not depend on the
scale, so differences from -1 to 1 are tested like shares from 0 to 1. As with any interval here the block is the
observation: the games in which a player sat in every seat of one deal, or the difference between two rule sets.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from operator import index

import numpy as np
import numpy.typing as npt

from balance.stats.histogram import Histogram

NEVER = 1e-3
"""The count that stands for a result that was never seen, so that the test is finite at 0 % and 100 %."""
FARTHEST = 50.0
"""Where the truth lies farther from the two means than this, there is no doubt about what is accepted."""
STEPS = 100
"""More than the search for a root ever takes."""

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Sprt:
    """The log-likelihood ratio of `mean1` against `mean0` after `n` blocks, and the bounds at which to stop."""

    llr: float
    lower: float
    upper: float
    n: int

    @property
    def accepted(self) -> int | None:
        """0 or 1, the number of the mean that is accepted; None while the test goes on."""
        return 1 if self.llr >= self.upper else 0 if self.llr <= self.lower else None


def share_test(
    wins: Histogram, unit: int, games: int, means: tuple[float, float], errors: tuple[float, float]
) -> Sprt:
    """Whether a share is `means[1]` or `means[0]`, of which each block of `games` games holds value / unit.

    Of a player who sat in each of P seats once against P - 1 others an even share is 1 / P. Whole wins and, of
    shared ones, any part of them may come up. `errors` are the chances to accept 1 or 0 wrongly.
    """
    grid = [number * index(unit) // index(games) for number in range(games + 1)]
    return _sprt(wins, grid, means, errors)


def difference_test(
    differences: Histogram, unit: int, games: int, means: tuple[float, float], errors: tuple[float, float]
) -> Sprt:
    """Whether a share changed by `means[1]` or by `means[0]`, from its differences in blocks of `games`."""
    grid = [number * index(unit) // index(games) for number in range(-games, games + 1)]
    return _sprt(differences, grid, means, errors)


def bounds(false_one: float, false_zero: float) -> tuple[float, float]:
    """The log-likelihood ratios at which to accept 0 and 1, with these chances of error (Wald)."""
    if not (0 < false_one and 0 < false_zero and false_one + false_zero < 1):
        raise ValueError(f"Chances of error lie between 0 and 1/2, not at {false_one} and {false_zero}.")
    return math.log(false_zero / (1 - false_one)), math.log((1 - false_zero) / false_one)


def llr(values: npt.ArrayLike, counts: npt.ArrayLike, mean0: float, mean1: float) -> float:
    """The log-likelihood ratio of two means after the results `values` came up `counts` times.

    The means lie between the smallest and the largest value; results that never came up count 1/1000.
    """
    results = np.asarray(values, float)
    seen = np.asarray(counts, float)
    seen = np.where(seen == 0, NEVER, seen)
    for mean in (mean0, mean1):
        if not results.min() < mean < results.max():
            raise ValueError(f"A mean of {mean} needs results below and above it.")
    n = seen.sum()
    ratio = np.log(stretch(seen / n, results - mean0) / stretch(seen / n, results - mean1))
    return float(seen @ ratio)


def normal_llr(n: int, mean: float, variance: float, mean0: float, mean1: float) -> float:
    """The same for results that are as good as normal."""
    return n * (mean1 - mean0) * (2 * mean - mean0 - mean1) / (2 * variance)


def expected_blocks(
    mean: float, variance: float, means: tuple[float, float], errors: tuple[float, float]
) -> float:
    """How many blocks the test takes on average if the truth is `mean` (Wald's approximation)."""
    lower, upper = bounds(*errors)
    drift = normal_llr(1, mean, variance, *means)
    exponent = -2 * drift * variance / (means[1] - means[0]) ** 2
    exponent = max(-FARTHEST, min(FARTHEST, exponent))
    if abs(exponent) < 1e-9:
        return -lower * upper * variance / (means[1] - means[0]) ** 2
    down, up = math.expm1(exponent * lower), math.expm1(exponent * upper)
    accepts_one = down / (down - up)
    return (accepts_one * upper + (1 - accepts_one) * lower) / drift


def stretch(shares: Floats, deviations: Floats) -> Floats:
    """By what to divide the observed shares so that the deviations become 0 on average, at the least cost."""
    low, high = -1 / deviations.max(), -1 / deviations.min()  # outside a share would be negative
    theta = 0.0
    for _ in range(STEPS):
        scaled = deviations / (1 + theta * deviations)
        slope = float(shares @ scaled)
        low, high = (theta, high) if slope > 0 else (low, theta)
        step = slope / float(shares @ (scaled * scaled))  # Newton's, or else halving
        if abs(step) <= 1e-12 * abs(theta):
            break
        theta = theta + step if low < theta + step < high else (low + high) / 2
    return 1 + theta * deviations


def _sprt(
    histogram: Histogram, grid: list[int], means: tuple[float, float], errors: tuple[float, float]
) -> Sprt:
    """The test on the results that came up and those of `grid`, the largest of which is a share of 1."""
    if not means[0] < means[1]:
        raise ValueError(f"The second mean must be the larger one, not {means[1]} after {means[0]}.")
    values = np.union1d(histogram.values, np.array(grid, np.int64))
    if not grid[0] <= values[0] <= values[-1] <= grid[-1]:
        raise ValueError(f"A result must lie from {grid[0]} to {grid[-1]} units.")
    counts = np.zeros(values.size)
    counts[np.searchsorted(values, histogram.values)] = histogram.counts
    ratio = llr(values / grid[-1], counts, *means) if histogram.n else 0.0
    return Sprt(ratio, *bounds(*errors), histogram.n)
