"""Confidence intervals from integer counts and sums.

Shares get score intervals (Wilson 1927), which keep their coverage near 0 and 1 and are never empty;
means get t intervals. The observation is the block: the rotations of one deal are not independent games.
A method says how an interval was found:

    wilson               score interval for 0/1 observations
    wilson, effective n  score interval with the number of 0/1 observations that would be as uncertain
    t                    normal theory for a mean
    delta                the same for a ratio of means
    widest               the same for a part of a sum, as wide as any dependence of its parts can make it
    order statistics     ranks of the sorted observations, no assumption about the distribution
    unseen               every observation was the same: only others that were not seen can make a difference
    all equal            no other can be: low = value = high
    too few              no interval can be given: its bounds are those that the quantity cannot pass
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from operator import index

from scipy import special

from balance.stats.critical import check_confidence, normal_critical, t_critical
from balance.stats.estimate import Estimate
from balance.stats.histogram import Histogram
from balance.stats.unseen import (
    FEWEST_ALIKE,
    FEWEST_UNLIKE,
    all_alike,
    rare_blocks,
    unseen_shares,
    unseen_squares,
)


def wilson(successes: int, n: int, confidence: float) -> Estimate:
    """The Wilson score interval for a probability after `successes` in `n` independent trials."""
    successes, n = index(successes), index(n)
    if not 0 <= successes <= n:
        raise ValueError(f"{successes} successes in {n} trials cannot be.")
    z = normal_critical(confidence)
    if n == 0:
        return Estimate(math.nan, 0.0, 1.0, 0, "too few")
    return _score_interval(successes / n, n, z, n, "wilson")


def share_interval(histogram: Histogram, confidence: float, unit: int) -> Estimate:
    """The interval for a share from 0 to 1 of which each block holds value / unit, perhaps a fraction.

    Blocks of only 0 and `unit` are plain trials: Wilson. Otherwise the blocks' variance s² says how many
    plain trials they are worth, n_eff = n * p(1-p) / s², and the score interval takes that number and,
    as s² is itself estimated, the t quantile. Blocks that are all equal may show no variance by luck: see `unseen`.
    """
    if histogram.n and (histogram.values[0] < 0 or histogram.values[-1] > index(unit) >= 1):
        raise ValueError(f"A block's share must lie from 0 to {unit} units.")
    more = unseen_shares(histogram, unit, confidence)
    return share_from_sums(histogram.n, histogram.total, histogram.squares, confidence, unit, more)


def share_from_sums(
    n: int, total: int, squares: int, confidence: float, unit: int, more: int = 0
) -> Estimate:
    """The same from the number, sum and sum of squares of the blocks' whole numbers, and the squares of `more` blocks
    that are thought to be still to come."""
    n, total, squares = index(n), index(total), index(squares)
    z = normal_critical(confidence)
    if index(unit) < 1:
        raise ValueError(f"The unit of a share must be at least 1, not {unit}.")
    if n == 0:
        return Estimate(math.nan, 0.0, 1.0, 0, "too few")
    share = total / (n * unit)
    spread = n * squares - total**2
    if squares == unit * total:  # nothing between 0 and unit
        return _score_interval(share, n, z, n, "wilson")
    if spread == 0:
        return all_alike(share, n, confidence, share, 1 - share)
    effective = total * (n * unit - total) * (n - 1) / spread
    found = _score_interval(share, effective, t_critical(confidence, n), n, "wilson, effective n")
    if not more:
        return found
    wide = mean_from_sums(n, total, squares + more, confidence, unit)
    return replace(found, low=max(0.0, min(found.low, wide.low)), high=min(1.0, max(found.high, wide.high)))


def mean_interval(histogram: Histogram, confidence: float, scale: int = 1, reach: float = 1.0) -> Estimate:
    """The t interval for the mean of value / scale.

    Where all values are alike, or few unlike the rest, others are allowed for that lie up to `reach` from them.
    """
    squares = histogram.squares + unseen_squares(histogram, reach * scale, confidence)
    return mean_from_sums(histogram.n, histogram.total, squares, confidence, scale, reach)


def mean_from_sums(
    n: int, total: int, squares: int, confidence: float, scale: int = 1, reach: float = 1.0
) -> Estimate:
    """The t interval for a mean from the number, sum and sum of squares of whole numbers / scale."""
    n, total, squares, scale = index(n), index(total), index(squares), index(scale)
    check_confidence(confidence)
    if scale < 1:
        raise ValueError(f"The scale must be at least 1, not {scale}.")
    spread = n * squares - total**2
    if n < 0 or spread < 0:
        raise ValueError(f"No {n} numbers have the sum {total} and the sum of squares {squares}.")
    if n < 2 or (spread == 0 and n < FEWEST_ALIKE):
        return _too_few(total / (n * scale) if n else math.nan, n)
    mean = total / (n * scale)
    if spread == 0:
        return all_alike(mean, n, confidence, reach, reach)
    half = t_critical(confidence, n) * math.sqrt(spread / (n * n * (n - 1) * scale * scale))
    return Estimate(mean, mean - half, mean + half, n, "t")


def count_from_sums(n: int, total: int, squares: int, confidence: float, scale: int = 1) -> Estimate:
    """The same for what cannot be below 0, such as how often a thing was done.

    Of a rare thing two more blocks are allowed for, as large as those that had it were in the main: t intervals of
    what was seen a few times are too sure, and reach below 0. Whether one had far more than others sums do not tell.
    """
    n, total, squares = index(n), index(total), index(squares)
    alone = 0.0 if not total else total**2 / squares  # so few blocks, alike, would have had all of it
    if 0 < alone < min(FEWEST_UNLIKE, n / 4):
        squares += math.ceil(rare_blocks(confidence) * math.ceil(squares / total) ** 2)
    return from_zero(mean_from_sums(n, total, squares, confidence, scale))


def ratio_interval(
    n: int,
    sum_x: int,
    sum_y: int,
    sum_xx: int,
    sum_yy: int,
    sum_xy: int,
    confidence: float,
    *,
    share: bool = False,
) -> Estimate | None:
    """The ratio of means y / x over `n` games, such as taken / offered; None when x never came up.

    The delta method gives its variance. With `share` each y is a part of its x (0 <= y <= x), and the
    interval is the score interval of that variance, which stays in 0..1 and holds its coverage for rare
    things. Without variance (never taken, always taken) each game counts as at most one trial, those
    with x = 0 not at all: (Σx)² / Σx² trials, which is Σx where x is 0 or 1.
    """
    n, x, y = index(n), index(sum_x), index(sum_y)
    xx, yy, xy = index(sum_xx), index(sum_yy), index(sum_xy)
    z = normal_critical(confidence)
    if share and not 0 <= y <= x:
        raise ValueError(f"{y} of {x} is not a share.")
    if x == 0:
        return None
    ratio = y / x
    residual = x * x * yy - 2 * x * y * xy + y * y * xx  # Σ(y - ratio * x)², times x²
    certain = share and y in (0, x)
    if residual < 0 or n * xx < x * x or n * yy < y * y or (certain and residual > 0):
        raise ValueError("These sums belong to no games.")
    if share and residual == 0:
        return _score_interval(ratio, x * x / xx, z, n, "wilson")
    if n < 2:
        return _too_few(ratio, n)
    if residual == 0:
        return _too_few(ratio, n) if n < FEWEST_ALIKE else all_alike(ratio, n, confidence, ratio, ratio)
    t = t_critical(confidence, n)
    if share:
        effective = y * (x - y) * x * x * (n - 1) / (n * residual)
        return _score_interval(ratio, effective, t, n, "wilson, effective n")
    half = t * math.sqrt(n * residual / ((n - 1) * x**4))
    return Estimate(ratio, ratio - half, ratio + half, n, "delta")


def from_zero(found: Estimate) -> Estimate:
    """The interval of what cannot be below 0, such as the mean of a count: t intervals of rare things reach below."""
    return replace(found, low=max(0.0, found.low)) if math.isfinite(found.low) else found


def part_interval(
    n: int, totals: Sequence[int], squares: Sequence[int], which: int, confidence: float
) -> Estimate | None:
    """The part of number `which` in the sum of several counts; None when nothing was counted.

    Each count is given by its sum and its sum of squares over `n` games. How the counts of a game go together is not
    known, so the interval is the widest that these sums allow: at least `confidence`. A count that was never (or
    alone) there shows no variance; each game is then one trial.
    """
    sums, whole = [index(total) for total in totals], sum(map(index, totals))
    check_confidence(confidence)
    spreads = [index(n) * square - total**2 for total, square in zip(sums, squares, strict=True)]
    if n < 0 or min(sums) < 0 or min(spreads) < 0:
        raise ValueError(f"No {n} games have these sums of counts.")
    if whole == 0:
        return None
    part = sums[which] / whole
    if sums[which] in (0, whole):
        return _score_interval(part, n, normal_critical(confidence), n, "wilson")
    if n < 2:
        return _too_few(part, n)
    others = sum(math.sqrt(spread) for at, spread in enumerate(spreads) if at != which)
    widest = ((1 - part) * math.sqrt(spreads[which]) + part * others) / math.sqrt(n - 1)
    if widest == 0:
        return all_alike(part, n, confidence, part, 1 - part)
    half = t_critical(confidence, n) * widest / whole
    return Estimate(part, max(0.0, part - half), min(1.0, part + half), n, "widest")


def quantile_interval(histogram: Histogram, q: float, confidence: float, games: int = 1) -> Estimate:
    """The interval for a quantile between two order statistics; at least `confidence` for any distribution.

    Too few observations for a bound (fewer than 36 for the tenth percentile at 95 %) leave it infinite. Games
    that come in blocks of `games` count as one observation for each block: that is never too sure.
    """
    check_confidence(confidence)
    blocks, tail = blocks_of(histogram, games), (1 - confidence) / 2
    if not 0 < q < 1:
        raise ValueError(f"A quantile with an interval lies between 0 and 1, not at {q}.")
    below, above = (_ranks_below(blocks, part, tail) * games for part in (q, 1 - q))
    return between_ranks(histogram, q, blocks, below, above, "order statistics")


def blocks_of(histogram: Histogram, games: int) -> int:
    """How many blocks of `games` games the games of a histogram are; ValueError if a part is left over."""
    if index(games) < 1 or histogram.n % games:
        raise ValueError(f"{histogram.n} games are no whole blocks of {games}.")
    return histogram.n // games


def between_ranks(
    histogram: Histogram, q: float, blocks: int, below: int, above: int, method: str
) -> Estimate:
    """A quantile between two observations, counted from the smallest and from the largest; 0 leaves it open."""
    value = histogram.quantile(q)
    if value is None:
        return _too_few(math.nan, 0)
    low = float(histogram.at_rank(below)) if below else -math.inf
    high = float(histogram.at_rank(histogram.n + 1 - above)) if above else math.inf
    return Estimate(float(value), low, high, blocks, method)


def simultaneous(confidence: float, looks: int) -> float:
    """The level for each of `looks` intervals so that all together hold at `confidence` (Šidák 1967).

    Holds for two-sided intervals of jointly normal estimates however they depend on each other, such as
    the win shares of all seats.
    """
    check_confidence(confidence)
    if index(looks) < 1:
        raise ValueError(f"The number of looks must be at least 1, not {looks}.")
    return float(confidence ** (1 / looks))


def _score_interval(share: float, trials: float, critical: float, n: int, method: str) -> Estimate:
    """The shares that a test at `critical` standard errors does not reject, from `trials` 0/1 trials."""
    weight = critical * critical / trials
    centre = (share + weight / 2) / (1 + weight)
    half = math.sqrt(weight * share * (1 - share) + weight * weight / 4) / (1 + weight)
    low = 0.0 if share == 0 else max(0.0, min(centre - half, share))
    high = 1.0 if share == 1 else min(1.0, max(centre + half, share))
    return Estimate(share, low, high, n, method)


def _too_few(value: float, n: int) -> Estimate:
    return Estimate(value, -math.inf, math.inf, n, "too few")


def _ranks_below(n: int, q: float, tail: float) -> int:
    """The highest rank whose observation lies above the q-quantile with at most a `tail` chance, or 0.

    The observation at rank k lies above when fewer than k of n fell at or below the quantile.
    """
    low, high = 0, n
    while low < high:
        rank = (low + high + 1) // 2
        if special.betaincc(rank, n - rank + 1, q) <= tail:
            low = rank
        else:
            high = rank - 1
    return low
