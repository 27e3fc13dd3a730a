"""What a sequential test tells of the mean once it has stopped.

The plain mean is off to the side at which the test stopped, for a test stops when luck and truth point the same way.
The estimate is the mean with which a worse outcome is as likely as a better one, its interval holds the means with
which neither is too unlikely. From the worst to the best outcome: accepts 0 early, accepts 0 late, still goes on,
accepts 1 late, accepts 1 early; at the same look, the larger log-likelihood ratio is better.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import special

from balance.stats.bisection import last_true
from balance.stats.critical import check_confidence
from balance.stats.estimate import Estimate
from balance.stats.sprt import normal_llr

Floats = npt.NDArray[np.floating[Any]]

POINTS = 128
"""At so many ratios a test that goes on is followed: enough for looks a quarter apart, and for a thousand even ones."""
SURE = 9.0
"""A bound that is so many standard deviations away is not reached."""


def stopped_mean(
    mean: float,
    variance: float,
    looks: Sequence[float],
    bounds: tuple[float, float],
    means: tuple[float, float],
    confidence: float,
    within: tuple[float, float],
) -> Estimate:
    """The median-unbiased estimate and interval for the mean of a block, which lies `within` two values.

    `mean` and `variance` are those of the blocks that were played when the last of the `looks` was taken, `means` the
    two that were tested and `bounds` the log-likelihood ratios at which the test stops.
    """
    check_confidence(confidence)
    if not variance > 0:
        raise ValueError(f"The blocks of a test vary; a variance of {variance} says nothing.")
    unit = (means[1] - means[0]) ** 2 / variance
    worse = worse_outcome(looks, bounds, unit)
    at = looks[-1] * normal_llr(1, mean, variance, *means)

    def mean_with(chance: float) -> float:
        return last_true(lambda truth: worse(at, normal_llr(1, truth, variance, *means)) > chance, *within)

    tail = (1 - confidence) / 2
    ends = mean_with(1 - tail), mean_with(tail)
    return Estimate(mean_with(0.5), *ends, math.floor(looks[-1]), "median unbiased")


def worse_outcome(
    looks: Sequence[float], bounds: tuple[float, float], unit: float
) -> Callable[[float, float], float]:
    """The chance of a worse outcome than a ratio at the last look, for any such ratio and its drift in a block.

    `unit` is its variance in a block. It is followed from look to look as if it had no drift; with a drift every path
    is as much likelier or less likely as its end says.
    """
    steps = _steps(looks, bounds, unit)

    def worse(at: float, drift: float) -> float:
        tilt, found = drift / unit, 0.0
        for number, (before, step, points, free) in enumerate(steps, 1):
            moved = (at if number == len(steps) else bounds[0]) - points - drift * step
            likelier = np.exp(tilt * points - tilt * drift * before / 2)
            found += float(free * likelier @ special.ndtr(moved / math.sqrt(unit * step)))
        return found

    return worse


def _steps(
    looks: Sequence[float], bounds: tuple[float, float], unit: float
) -> list[tuple[float, float, Floats, Floats]]:
    """For each look: the blocks before it, those until it, where the ratio may be before it, and how likely that is."""
    reach = min(-bounds[0], bounds[1]) / SURE
    taken = [look for look in looks[:-1] if unit * look > reach**2]  # none before them can end the test
    nodes, weights = np.polynomial.legendre.leggauss(POINTS)
    half = (bounds[1] - bounds[0]) / 2
    inside, weights = bounds[0] + half * (1 + nodes), half * weights
    points, free, before = np.zeros(1), np.ones(1), 0.0
    found: list[tuple[float, float, Floats, Floats]] = []
    for look in [*taken, looks[-1]]:
        sd = math.sqrt(unit * (look - before))
        found.append((before, look - before, points, free))
        away = (inside[:, None] - points) / sd
        free = weights * (np.exp(-(away**2) / 2) @ free) / (sd * math.sqrt(2 * math.pi))
        points, before = inside, look
    return found
