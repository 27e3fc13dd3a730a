"""How sure a combination of means is that were found on the same deals, from what it came to in batches of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean, median_low

from balance.stats.critical import t_critical
from balance.stats.estimate import Estimate
from balance.stats.unseen import FEWEST_UNLIKE, UNSEEN_BLOCKS, all_alike

_ROUNDING = 1e-12
"""By so small a part numbers that are equal may differ."""


def batched_estimate(
    value: float, by_batch: Sequence[float], n: int, confidence: float, reach: float
) -> Estimate:
    """The t interval of `value`, found over all of `n` blocks, from what was found in each of the batches they form.

    Batches must be about equally large. With fewer than two of them there is no interval. `reach` is how far a block
    may lie from others that were all alike; where few batches are unlike the rest, as rare things show in few, more
    of them are allowed for.
    """
    count = len(by_batch)
    if count < 2:
        return Estimate(value, -math.inf, math.inf, n, "too few")
    middle, usual = fmean(by_batch), median_low(by_batch)
    squares = math.fsum((one - middle) ** 2 for one in by_batch)
    if max(by_batch) - min(by_batch) <= _ROUNDING * max(1.0, abs(middle)):
        return all_alike(value, n, confidence, reach, reach)
    unlike = [abs(one - usual) for one in by_batch if one != usual]
    if 4 * len(unlike) <= count and len(unlike) < FEWEST_UNLIKE:
        squares += UNSEEN_BLOCKS * max(*unlike, reach * count / n) ** 2
    half = t_critical(confidence, count) * math.sqrt(squares / (count - 1) / count)
    return Estimate(value, value - half, value + half, n, "batches")
