"""How sure a combination of means is that were found on the same deals, from what it came to in batches of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean

from balance.stats.critical import t_critical
from balance.stats.estimate import Estimate
from balance.stats.intervals import unlike


def batched_estimate(
    value: float, by_batch: Sequence[float], n: int, confidence: float, reach: float = 0.0
) -> Estimate:
    """The t interval of `value`, found over all of `n` blocks, from what was found in each of the batches they form.

    Batches must be about equally large. With fewer than two of them there is no interval. `reach` is how far a block
    may lie from others that were all alike.
    """
    count = len(by_batch)
    if count < 2:
        return Estimate(value, -math.inf, math.inf, n, "too few")
    middle = fmean(by_batch)
    variance = math.fsum((one - middle) ** 2 for one in by_batch) / (count - 1)
    if variance == 0:
        return (
            unlike(value, n, confidence, reach, reach)
            if reach
            else Estimate(value, value, value, n, "all equal")
        )
    half = t_critical(confidence, count) * math.sqrt(variance / count)
    return Estimate(value, value - half, value + half, n, "batches")
