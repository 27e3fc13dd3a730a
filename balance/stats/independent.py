"""Two estimates from different deals, such as a run and a baseline of last month."""

from __future__ import annotations

import math

from balance.stats.estimate import Estimate


def independent_difference(one: Estimate, other: Estimate) -> Estimate:
    """`one` minus `other`, both of the same confidence level (Newcombe 1998, Zou and Donner 2008).

    Each side's distance from its bound says how uncertain it is in that direction, so for shares the interval is
    right near 0 and 1 too. `n` is the smaller of the two.
    """
    n = min(one.n, other.n)
    value = one.value - other.value
    if math.isnan(value):
        return Estimate(math.nan, -math.inf, math.inf, n, "too few")
    low = value - math.hypot(one.value - one.low, other.high - other.value)
    high = value + math.hypot(one.high - one.value, other.value - other.low)
    method = "all equal" if low == high else "too few" if math.isinf(high - low) else "two samples"
    return Estimate(value, low, high, n, method)
