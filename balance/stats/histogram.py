"""The exact distribution of a whole-number quantity: how often each value came up."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]
DENSE_SPAN = 1 << 16
"""Values that lie closer together than this are always counted in a table."""


@dataclass(frozen=True, eq=False)
class Histogram:
    """Values in rising order and how often each came up (never 0 times); equal data give equal histograms.

    Everything is computed from the counts in exact integers and rounded once, so it does not depend on
    how the data were cut into parts. What an empty histogram cannot answer is None.
    """

    values: Integers
    counts: Integers

    def __post_init__(self) -> None:
        """Keeps its own copies, which nobody can change."""
        values, counts = _integers(self.values), _integers(self.counts)
        if values.shape != counts.shape:
            raise ValueError("A histogram needs one count for each value.")
        if np.any(values[1:] <= values[:-1]):
            raise ValueError("The values of a histogram must rise.")
        if np.any(counts <= 0):
            raise ValueError("The counts of a histogram must be above 0.")
        for name, array in (("values", values), ("counts", counts)):
            array.flags.writeable = False
            object.__setattr__(self, name, array)

    @classmethod
    def from_values(cls, data: npt.NDArray[np.integer] | npt.NDArray[np.bool_]) -> Histogram:
        """Counts the data; a table when the values lie close together, sorting when they do not."""
        data = _integers(data, copy=False)
        if data.size == 0:
            return cls(data, data)
        low, high = int(data.min()), int(data.max())
        if high - low >= max(DENSE_SPAN, data.size):
            return cls(*np.unique(data, return_counts=True))
        table = np.bincount(data - low)
        seen = np.flatnonzero(table)
        return cls(seen + low, table[seen])

    @classmethod
    def from_dict(cls, saved: Mapping[str, Sequence[int]]) -> Histogram:
        """The histogram that `as_dict` wrote."""
        return cls(np.array(saved["values"] or [], np.int64), np.array(saved["counts"] or [], np.int64))

    def as_dict(self) -> dict[str, list[int]]:
        """Plain whole numbers for a JSON file."""
        return {"values": self.values.tolist(), "counts": self.counts.tolist()}

    def merge(self, other: Histogram) -> Histogram:
        """The histogram of both data sets together; the order of merging makes no difference."""
        values = np.union1d(self.values, other.values)
        counts = np.zeros(values.size, np.int64)
        for part in (self, other):
            counts[np.searchsorted(values, part.values)] += part.counts
        return Histogram(values, counts)

    def __eq__(self, other: object) -> bool:
        """Whether the same values came up equally often."""
        if not isinstance(other, Histogram):
            return NotImplemented
        return np.array_equal(self.values, other.values) and np.array_equal(self.counts, other.counts)

    __hash__ = None  # type: ignore[assignment]

    @cached_property
    def n(self) -> int:
        """How many observations there are."""
        return sum(self.counts.tolist())

    @cached_property
    def total(self) -> int:
        """The sum of the observations."""
        return sum(v * c for v, c in zip(self.values.tolist(), self.counts.tolist(), strict=True))

    @cached_property
    def squares(self) -> int:
        """The sum of the squared observations."""
        return sum(v * v * c for v, c in zip(self.values.tolist(), self.counts.tolist(), strict=True))

    @property
    def mean(self) -> float | None:
        """The mean; None without observations."""
        return self.total / self.n if self.n else None

    @property
    def variance(self) -> float | None:
        """The unbiased variance (divisor n - 1); None with fewer than two observations."""
        if self.n < 2:
            return None
        return (self.n * self.squares - self.total**2) / (self.n * (self.n - 1))

    @property
    def sd(self) -> float | None:
        """The standard deviation, the root of the unbiased variance."""
        return None if self.variance is None else math.sqrt(self.variance)

    @property
    def minimum(self) -> int | None:
        """The smallest observation; None without observations."""
        return int(self.values[0]) if self.n else None

    @property
    def maximum(self) -> int | None:
        """The largest observation; None without observations."""
        return int(self.values[-1]) if self.n else None

    def quantile(self, q: float) -> int | None:
        """The smallest value whose cumulative count reaches q * n, so always a value that was observed.

        `q` from 0 to 1 is meant as it is written: 0.07 is 7/100, though no binary fraction is. None
        without observations.
        """
        if not 0 <= q <= 1:
            raise ValueError(f"A quantile lies from 0 to 1, not at {q}.")
        if not self.n:
            return None
        return self.at_rank(max(1, math.ceil(Fraction(repr(float(q))) * self.n)))

    def at_rank(self, rank: int) -> int:
        """The observation at a rank from 1 (the smallest) to n (the largest)."""
        if not 1 <= rank <= self.n:
            raise ValueError(f"A rank lies from 1 to {self.n}, not at {rank}.")
        return int(self.values[np.searchsorted(self._cumulative, rank)])

    @cached_property
    def _cumulative(self) -> Integers:
        return np.cumsum(self.counts)


def _integers(data: npt.ArrayLike, copy: bool = True) -> Integers:
    """The data as one row of int64; refuses what is not whole or does not fit."""
    array = np.asarray(data)
    if array.dtype.kind not in "iub":
        raise ValueError(f"A histogram counts whole numbers, not {array.dtype}.")
    if array.dtype == np.uint64 and array.size and int(array.max()) > np.iinfo(np.int64).max:
        raise ValueError("A value is too large for a histogram.")
    return array.astype(np.int64, copy=copy).reshape(-1)
