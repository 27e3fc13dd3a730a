"""Is a quantity within a tolerance band? Yes, no, or not to be said yet; and how much more it would take."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from balance.stats.estimate import Estimate

Verdict = Literal["inside", "outside", "cannot tell", "no data"]


@dataclass(frozen=True)
class Band:
    """The values from `low` to `high`, ends included, that are fine; a side without limit is infinite."""

    low: float = -math.inf
    high: float = math.inf

    def __post_init__(self) -> None:
        """A band that holds nothing is refused."""
        if not self.low <= self.high:
            raise ValueError(f"A band from {self.low} to {self.high} holds nothing.")

    @classmethod
    def around(cls, target: float, reach: float) -> Band:
        """From `reach` below a target to `reach` above it."""
        return cls(target - reach, target + reach)

    def judge(self, estimate: Estimate) -> Verdict:
        """Inside or outside only if the whole interval is."""
        if math.isnan(estimate.value):
            return "no data"
        if self.low <= estimate.low and estimate.high <= self.high:
            return "inside"
        return "outside" if estimate.high < self.low or self.high < estimate.low else "cannot tell"

    def judge_all(self, estimates: Sequence[Estimate]) -> Verdict:
        """Of several together: inside when all are, outside when any is. Their intervals must hold together."""
        found = {self.judge(one) for one in estimates} or {"no data"}
        if "outside" in found:
            return "outside"
        return found.pop() if len(found) == 1 else "no data" if "no data" in found else "cannot tell"


def plain_width(n: float) -> float:
    """How the length of an interval depends on the number of blocks, if that was fixed beforehand."""
    return 1 / math.sqrt(n)


def more_blocks(
    estimate: Estimate, band: Band, width: Callable[[float], float] = plain_width
) -> float | None:
    """About how many more blocks it takes to be decided, if the value stays what it is and the spread as well.

    0 where it is decided, infinite where the value lies on the edge of the band, None where nothing is known of
    the spread. `width` says how the interval's length falls with blocks; for intervals that hold at all looks it is
    `sequential.anytime_factor` at their level.
    """
    verdict = band.judge(estimate)
    if verdict in ("inside", "outside"):
        return 0
    if verdict == "no data" or math.isinf(estimate.high - estimate.low):
        return None
    needed = _needed_part(estimate, band)
    if needed <= 0:
        return math.inf
    n = estimate.n
    enough, target = 2 * n, width(n) * needed
    while width(enough) > target:
        enough *= 2
        if enough > 1e30:
            return math.inf
    short = n
    while enough - short > 1:
        middle = (short + enough) // 2
        short, enough = (middle, enough) if width(middle) > target else (short, middle)
    return enough - n


def more_blocks_of_all(
    estimates: Sequence[Estimate], band: Band, width: Callable[[float], float] = plain_width
) -> float | None:
    """The same for several together: until any is outside, if one looks like it, or else until all are inside."""
    if band.judge_all(estimates) in ("inside", "outside"):
        return 0
    waits = [(one, more_blocks(one, band, width)) for one in estimates]
    if not waits or any(wait is None for _, wait in waits):
        return None
    out = [wait for one, wait in waits if wait and not band.low <= one.value <= band.high]
    known = [wait for _, wait in waits if wait is not None]
    return min(one for one in out if one is not None) if out else max(known)


def _needed_part(estimate: Estimate, band: Band) -> float:
    """To which part of its length the interval must shrink; 0 or less where that is never enough."""
    value, low, high = estimate.value, estimate.low, estimate.high
    if value > band.high:
        return (value - band.high) / (value - low)
    if value < band.low:
        return (band.low - value) / (high - value)
    below = (value - band.low) / (value - low) if low < band.low else 1.0
    above = (band.high - value) / (high - value) if high > band.high else 1.0
    return min(below, above)
