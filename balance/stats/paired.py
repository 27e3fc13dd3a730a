"""Two rule sets on the same deals: the differences of their blocks, and what playing the same deals gained."""

from __future__ import annotations

import math
from dataclasses import dataclass

from scipy import special

from balance.stats.critical import normal_critical
from balance.stats.estimate import Estimate
from balance.stats.histogram import Histogram
from balance.stats.intervals import mean_from_sums, unlike
from balance.stats.sequential import UNSEEN_BLOCKS, anytime_from_sums, anytime_mean


@dataclass(frozen=True)
class Pairing:
    """The correlation of two rule sets on the same deals, and how many unpaired games one paired game is worth.

    None is what the data do not tell; worth is infinite where all blocks differ alike.
    """

    correlation: float | None
    worth: float | None


def pairing(differences: Histogram, one: Histogram, other: Histogram) -> Pairing:
    """From the histograms of blocks of both rule sets and of their differences."""
    var_d, var_one, var_other = differences.variance, one.variance, other.variance
    if var_d is None or var_one is None or var_other is None or var_one + var_other == 0:
        return Pairing(None, None)
    worth = (var_one + var_other) / var_d if var_d else math.inf
    if var_one == 0 or var_other == 0:
        return Pairing(None, worth)
    correlation = (var_one + var_other - var_d) / (2 * math.sqrt(var_one * var_other))
    return Pairing(max(-1.0, min(1.0, correlation)), worth)


def paired_difference(
    differences: Histogram,
    confidence: float,
    scale: int = 1,
    *,
    share: bool = False,
    changed: bool = True,
    best_at: float | None = None,
) -> Estimate:
    """The interval for the mean of difference / scale; with `best_at` one that holds at all looks together.

    `share`: the differences are of shares, so they lie between -1 and 1. `changed` says whether any game came
    out otherwise at all; where none did the difference is 0 and nothing is uncertain.
    """
    n = differences.n
    if not changed and n:
        if differences.total or differences.squares:
            raise ValueError("Where nothing changed no block can differ.")
        return Estimate(0.0, 0.0, 0.0, n, "all equal")
    if best_at is not None and not share:
        return anytime_mean(differences, confidence, scale, best_at=best_at)
    sums = n, differences.total, differences.squares
    if share:
        return share_difference(*sums, confidence, scale, best_at=best_at)
    return mean_from_sums(*sums, confidence, scale)


def share_difference(
    n: int, total: int, squares: int, confidence: float, scale: int, *, best_at: float | None = None
) -> Estimate:
    """The same for shares, from the number, sum and sum of squares of differences between -scale and scale.

    Blocks that all differed alike may still differ in the next one: the interval is then that of an event that was
    never seen. Where few differed, there may be more to come: two more are allowed for, half of them in each
    direction, and more than two where the interval has to be surer than usual.
    """
    if best_at is not None:
        found = anytime_from_sums(n, total, squares, confidence, scale, scale, best_at=best_at)
    elif n * squares == total**2:
        found = mean_from_sums(n, total, squares, confidence, scale)
    else:
        unseen = max(UNSEEN_BLOCKS, math.ceil(normal_critical(confidence) ** 2 / 2))
        found = mean_from_sums(n, total, squares + unseen * scale**2, confidence, scale)
    if found.method == "all equal":
        return unlike(found.value, n, confidence, 1 + found.value, 1 - found.value)
    return Estimate(found.value, max(-1.0, found.low), min(1.0, found.high), n, found.method)


def p_value(n: int, total: int, squares: int, reach: int = 0) -> float:
    """The chance of a mean at least as far from 0 if it were 0: Student's t, two-sided.

    Where all observations are the same, and not 0, it is the chance that all have the same sign. Of shares, which reach
    from -`reach` to `reach`, as many unseen blocks are allowed for as in their interval of 95 %.
    """
    spread = n * squares - total**2
    spread += UNSEEN_BLOCKS * n * reach**2 if spread else 0
    if n < 2 or total == 0:
        return 1.0
    if spread == 0:
        return math.ldexp(1.0, max(1 - n, -1000))
    t = abs(total) * math.sqrt((n - 1) / spread)
    return float(2 * special.stdtr(n - 1, -t))
