"""A number with its uncertainty."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Estimate:
    """A value, the confidence interval `low` to `high`, the independent observations `n`, and the method.

    What the data cannot tell is not a number: the value is NaN when there is no observation, and a
    bound that is not known is infinite.
    """

    value: float
    low: float
    high: float
    n: int
    method: str

    @property
    def half_width(self) -> float:
        """Half the length of the interval: the ± of a score interval, which need not be centred."""
        return (self.high - self.low) / 2

    def excludes(self, x: float) -> bool:
        """Whether `x` lies outside the interval; its ends belong to it."""
        return not self.low <= x <= self.high

    def as_dict(self) -> dict[str, float | int | str | None]:
        """Plain numbers for a JSON file; what is not known (NaN, infinite) becomes None."""
        numbers = {"value": self.value, "low": self.low, "high": self.high}
        plain = {key: float(x) if math.isfinite(x) else None for key, x in numbers.items()}
        return {**plain, "n": int(self.n), "method": self.method}
