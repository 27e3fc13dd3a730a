"""What a sequential test tells of the mean once it has stopped.

The plain mean is off to the side at which the test stopped, for a test stops when luck and truth point the same
way. The log-likelihood ratio moves like a Brownian motion between two barriers; the estimate is the mean with which a
worse outcome is as likely as a better one, its interval holds the means with which neither is too unlikely. From the
worst to the best outcome: accepts 0 early, accepts 0 late, still goes on, accepts 1 late, accepts 1 early.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import special

from balance.stats.bisection import last_true
from balance.stats.critical import check_confidence
from balance.stats.estimate import Estimate
from balance.stats.sprt import Sprt, normal_llr

Floats = npt.NDArray[np.floating[Any]]

FREE = 20
"""After so many spans' worth of standard deviations no motion is still free."""


def stopped_mean(
    test: Sprt,
    variance: float,
    means: tuple[float, float],
    confidence: float,
    within: tuple[float, float] = (0.0, 1.0),
) -> Estimate:
    """The median-unbiased estimate and interval for the mean of a block, which lies `within` two values.

    `variance` is that of the blocks that were played, `means` are the two that were tested.
    """
    check_confidence(confidence)
    if not variance > 0:
        raise ValueError(f"The blocks of a test vary; a variance of {variance} says nothing.")
    llr = min(test.upper, max(test.lower, test.llr))
    time = test.n * (llr / test.llr if llr != test.llr else 1.0)  # when it reached the barrier
    unit = (means[1] - means[0]) ** 2 / variance

    def worse(truth: float) -> float:
        drift = normal_llr(1, truth, variance, *means)
        return worse_outcome(test.lower, test.upper, time, llr, drift, unit)

    def mean_with(chance: float) -> float:
        return last_true(lambda truth: worse(truth) > chance, *within)

    tail = (1 - confidence) / 2
    return Estimate(mean_with(0.5), mean_with(1 - tail), mean_with(tail), test.n, "median unbiased")


def worse_outcome(lower: float, upper: float, time: float, at: float, drift: float, variance: float) -> float:
    """The chance that a Brownian motion from 0 is absorbed at `lower` by `time`, or is still free and below `at`.

    By the method of images: between two mirrors every path has infinitely many reflections, of which those
    farther away than some standard deviations do not count.
    """
    span = upper - lower
    time = min(time, (FREE * span) ** 2 / variance)
    sd = math.sqrt(variance * time)
    images: Floats = 2 * span * np.arange(-math.ceil(6 * sd / span) - 2, math.ceil(6 * sd / span) + 3)
    tilt, moved = drift / variance, drift * time
    free = _below(at, lower, images, tilt, moved, sd) - _below(at, lower, images + 2 * lower, tilt, moved, sd)
    away = np.abs(images - lower)
    early = np.exp(tilt * lower - abs(tilt) * away + special.log_ndtr((abs(moved) - away) / sd))
    late = np.exp(tilt * lower + abs(tilt) * away + special.log_ndtr(-(abs(moved) + away) / sd))
    absorbed = np.sign(images - lower) * (early + late)
    return float(np.sum(free) + np.sum(absorbed))


def _below(at: float, lower: float, images: Floats, tilt: float, moved: float, sd: float) -> Floats:
    """The part of each image that lies between `lower` and `at`."""
    high, low = (at - images - moved) / sd, (lower - images - moved) / sd
    high, low = np.where(low > 0, -low, high), np.where(low > 0, -high, low)  # in the tail that is small
    below: Floats = np.exp(tilt * images + special.log_ndtr(high)) - np.exp(
        tilt * images + special.log_ndtr(low)
    )
    return below
