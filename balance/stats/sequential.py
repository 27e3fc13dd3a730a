"""Confidence intervals that hold at all looks together, so that one may stop whenever one likes.

They are wider than those of `intervals`, which hold at one number of blocks fixed beforehand. `best_at` is the
number of blocks at which they shall be narrowest, chosen before the first game; they hold at every other too, but
far below it they are wide. The methods:

    beta-binomial mixture  shares of single games; exact, at every number of games (Howard et al. 2021)
    quantile mixture       quantiles, by the shares of the games below and above them; no assumption
    normal mixture         everything else, from 1,000 blocks on, by their variance (Waudby-Smith et al. 2024)
    unseen                 the same where all blocks were alike: what others there may be decides
    too few                fewer blocks than that
"""

from __future__ import annotations

import math
from operator import index

from balance.stats.bernoulli import bernoulli_interval
from balance.stats.critical import check_confidence
from balance.stats.estimate import Estimate
from balance.stats.histogram import Histogram
from balance.stats.intervals import between_ranks, blocks_of
from balance.stats.mixtures import BetaBinomialMixture, NormalMixture
from balance.stats.unseen import UNSEEN_BLOCKS, beyond

FEWEST_BLOCKS = 1_000
"""From here on means of blocks are normal enough for the normal mixture."""


def looks(last: int, first: int = FEWEST_BLOCKS) -> list[int]:
    """The numbers of blocks at which to look: `first`, then a quarter more each time, and `last`."""
    first, last = index(first), index(last)
    if not 1 <= first:
        raise ValueError(f"The first look comes at 1 block or later, not at {first}.")
    found, at = [], first
    while at < last:
        found.append(at)
        at += -(-at // 4)
    return [*found, last]


def anytime_share(
    histogram: Histogram, confidence: float, unit: int, games: int = 1, *, best_at: float
) -> Estimate:
    """The interval for a share from 0 to 1 of which each block of `games` games holds value / unit.

    For single games nothing is assumed but that each has the same chances, shared wins included. Blocks of
    several games are more even than that, which only their variance knows.
    """
    n, total = histogram.n, histogram.total
    if index(unit) < 1 or index(games) < 1:
        raise ValueError(f"A block has at least 1 unit and 1 game, not {unit} and {games}.")
    if n and not 0 <= histogram.values[0] <= histogram.values[-1] <= unit:
        raise ValueError(f"A block's share must lie from 0 to {unit} units.")
    if games == 1:
        return bernoulli_interval(total / unit, n, confidence, best_at)
    found = anytime_from_sums(n, total, histogram.squares, confidence, unit, unit, best_at=best_at)
    return Estimate(found.value, max(0.0, found.low), min(1.0, found.high), n, found.method)


def anytime_mean(
    histogram: Histogram, confidence: float, scale: int = 1, reach: float = 1.0, *, best_at: float
) -> Estimate:
    """The interval for the mean of value / scale, whole values whose range nobody knows.

    `reach` is how far a block may lie from others that were all, or nearly all, alike.
    """
    sums = histogram.n, histogram.total, histogram.squares
    return anytime_from_sums(*sums, confidence, scale, beyond(histogram, reach * scale), best_at=best_at)


def anytime_from_sums(
    n: int, total: int, squares: int, confidence: float, scale: int = 1, reach: int = 1, *, best_at: float
) -> Estimate:
    """The interval for a mean from the number, sum and sum of squares of whole numbers / scale.

    `reach` is how far, in whole numbers, a block may lie from the mean; it keeps the interval from being
    trusted too much while all blocks are alike.
    """
    check_confidence(confidence)
    n, total, scale = index(n), index(total), index(scale)
    if scale < 1:
        raise ValueError(f"The scale must be at least 1, not {scale}.")
    sd = _sd(n, total, squares, reach) / scale
    value = total / (n * scale) if n else math.nan
    if n < FEWEST_BLOCKS:
        return Estimate(value, -math.inf, math.inf, n, "too few")
    half = sd * anytime_factor(n, confidence, best_at)
    method = "unseen" if n * index(squares) == total**2 else "normal mixture"
    return Estimate(value, value - half, value + half, n, method)


def anytime_quantile(
    histogram: Histogram, q: float, confidence: float, games: int = 1, *, best_at: float
) -> Estimate:
    """The interval for a quantile of single games; those of a block count as one observation."""
    check_confidence(confidence)
    blocks = blocks_of(histogram, games)
    if not 0 < q < 1:
        raise ValueError(f"A quantile with an interval lies between 0 and 1, not at {q}.")

    def rank(part: float) -> int:
        """At least so many games lie at the quantile or beyond it, seen from the end that has `part` of all."""
        one, tail = part * (1 - part), (1 - confidence) / 2
        mixture = BetaBinomialMixture.best_at(best_at * one, tail, 1 - part, part, one_sided=True)
        least = blocks * part - mixture.bound(blocks * one) if blocks else 0.0
        return max(0, math.ceil(least * games - 1e-6))  # a rounding error is no game

    return between_ranks(histogram, q, blocks, rank(q), rank(1 - q), "quantile mixture")


def anytime_p_value(
    n: int, total: int, squares: int, confidence: float, reach: int = 1, *, best_at: float
) -> float:
    """The chance that blocks ever look as far from a mean of 0 as they do now, if it were 0.

    At or below 1 - confidence exactly where the interval of `anytime_from_sums` excludes 0.
    """
    check_confidence(confidence)
    sd = _sd(index(n), index(total), squares, reach)
    if n < FEWEST_BLOCKS:
        return 1.0
    bet = NormalMixture.best_at(best_at, 1 - confidence).log_m(total / sd, n)
    return math.exp(-max(0.0, bet))


def anytime_factor(n: float, confidence: float, best_at: float) -> float:
    """Half the length of a normal mixture's interval from `n` blocks, in standard deviations of a block."""
    return NormalMixture.best_at(best_at, 1 - confidence).bound(n) / n


def _sd(n: int, total: int, squares: int, reach: int) -> float:
    """The standard deviation of a block, in whole numbers, with the blocks that are still unseen."""
    spread = n * index(squares) - total * total
    if n < 0 or spread < 0 or index(reach) < 1:
        raise ValueError(f"No {n} numbers have the sum {total} and the sum of squares {squares}.")
    return math.sqrt((spread + UNSEEN_BLOCKS * n * reach * reach) / (n * (n - 1))) if n > 1 else math.inf
