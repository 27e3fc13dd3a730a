"""Is a quantity within a tolerance band? Yes, no, or not to be said yet."""

from __future__ import annotations

import math
from collections.abc import Sequence
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
