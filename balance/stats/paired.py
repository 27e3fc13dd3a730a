"""Two rule sets on the same deals: the differences of their blocks, and what playing the same deals gained."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from scipy import special

from balance.stats.bisection import last_true
from balance.stats.estimate import Estimate
from balance.stats.histogram import Histogram
from balance.stats.intervals import mean_from_sums, mean_interval
from balance.stats.sequential import anytime_from_sums, anytime_mean, anytime_p_value
from balance.stats.unseen import FEWEST_ALIKE, all_alike, beyond, unseen_blocks, unseen_squares

_LEAST_SURE, _SUREST = 1e-6, 37.0
"""In standard errors: no levels beyond are told from each other."""
_SUREST_LEVEL = 1 - 1e-15
"""So many more blocks as for this level are thought to be still to come at most."""


@dataclass(frozen=True)
class Pairing:
    """The correlation of two rule sets on the same deals, and how many unpaired games one paired game is worth.

    None is what the data do not tell, as a few blocks never do; worth is infinite where all blocks differ alike.
    """

    correlation: float | None
    worth: float | None


def pairing(differences: Histogram, one: Histogram, other: Histogram) -> Pairing:
    """From the histograms of blocks of both rule sets and of their differences."""
    var_d, var_one, var_other = differences.variance, one.variance, other.variance
    if differences.n < FEWEST_ALIKE or var_d is None or var_one is None or var_other is None:
        return Pairing(None, None)
    if var_one + var_other == 0:
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
    differs: bool = True,
    reach: float = 1.0,
    best_at: float | None = None,
) -> Estimate:
    """The interval for the mean of difference / scale; with `best_at` one that holds at all looks together.

    `share`: the differences are of shares, so they lie between -1 and 1; others that are not known yet may lie up to
    `reach` to each side of 0. Where rules do not differ at all the difference is 0 and nothing is uncertain.
    """
    n = differences.n
    sums = n, differences.total, differences.squares
    if not differs and n:
        if any(sums[1:]):
            raise ValueError("Where nothing changed no block can differ.")
        return Estimate(0.0, 0.0, 0.0, n, "all equal")
    if share:
        return share_difference(*sums, confidence, scale, best_at=best_at)
    unseen = _unseen_reach(differences, scale, reach)
    if best_at is not None:
        return anytime_mean(differences, confidence, scale, unseen, best_at=best_at)
    return mean_interval(differences, confidence, scale, unseen)


def share_difference(
    n: int,
    total: int,
    squares: int,
    confidence: float,
    scale: int,
    *,
    best_at: float | None = None,
    most: int = 1,
) -> Estimate:
    """The same for shares, from the number, sum and sum of squares of differences between -scale and scale, or `most`
    times as far apart as that.

    Blocks that all differed alike may still differ in the next one: the interval is then that of an event that was
    never seen. Where few differed, there may be more to come: two more are allowed for, half of them in each
    direction, and more than two where the interval has to be surer than usual.
    """
    if best_at is not None:
        found = anytime_from_sums(n, total, squares, confidence, scale, most * scale, best_at=best_at)
    elif n * squares == total**2 and n:
        value = total / (n * scale)
        found = all_alike(value, n, confidence, most + value, most - value)
    else:
        more = unseen_blocks(confidence) * (most * scale) ** 2
        found = mean_from_sums(n, total, squares + more, confidence, scale)
    return Estimate(found.value, max(-most, found.low), min(most, found.high), n, found.method)


def p_value(
    differences: Histogram,
    confidence: float,
    scale: int = 1,
    *,
    share: bool = False,
    reach: float = 1.0,
    best_at: float | None = None,
) -> float:
    """The chance of a mean at least as far from 0 if it were 0, two-sided: the level up to which the interval that
    `paired_difference` gives for the same numbers holds 0. `confidence` tunes the one that holds at all looks.
    """
    n, total, squares = differences.n, differences.total, differences.squares
    far = scale * _unseen_reach(differences, scale, reach)
    if best_at is not None:
        most = scale if share else beyond(differences, far)
        return anytime_p_value(n, total, squares, confidence, most, best_at=best_at)
    if n < 2 or total == 0:
        return 1.0
    if n * squares == total**2:
        return _alike_p_value(n, abs(total), scale * (1.0 if share else reach))
    if share:
        return _p_value(n, total, squares, lambda level: unseen_blocks(level) * scale**2)
    return _p_value(n, total, squares, lambda level: unseen_squares(differences, far, level))


def _unseen_reach(differences: Histogram, scale: int, reach: float) -> float:
    """How far a block may lie from the mean of all, if a difference lies up to `reach` to each side of 0."""
    return reach + abs(differences.total) / (scale * differences.n) if differences.n else reach


def _alike_p_value(n: int, total: int, reach: float) -> float:
    """Where all blocks differed alike: how surely fewer than all others, which differ the other way, were missed."""
    return float(2 * special.ndtr(-math.sqrt(total / reach))) if n >= FEWEST_ALIKE else 1.0


def _p_value(n: int, total: int, squares: int, more: Callable[[float], float]) -> float:
    """By Student's t. The surer one wants to be the more blocks are thought to be still to come: `more` are their
    squares by the confidence."""

    def excludes(z: float) -> bool:
        tail = float(special.ndtr(-z))
        spread = n * (squares + more(min(1 - 2 * tail, _SUREST_LEVEL))) - total**2
        return bool(special.stdtr(n - 1, -abs(total) * math.sqrt((n - 1) / spread)) < tail)

    return float(2 * special.ndtr(-last_true(excludes, _LEAST_SURE, _SUREST)))
