"""The ten most extreme games of a metric, kept while millions stream by."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from balance.stats.histogram import Histogram

Column = np.ndarray[Any, Any]
KEPT = 10
Ranked = tuple[tuple[int, int], ...]
"""Pairs (value, game number), the most extreme first; of equal values the lowest game number first."""
ENDS = ("high", "low")


def most_extreme(values: Column, counted: Histogram, numbers: Column, end: str) -> Ranked:
    """The most extreme of the games with these values and numbers; `counted` counts the values."""
    if counted.n == 0:
        return ()
    rank = min(KEPT, counted.n)
    limit = counted.at_rank(counted.n + 1 - rank if end == "high" else rank)
    beyond = np.flatnonzero(values > limit if end == "high" else values < limit)
    level = np.flatnonzero(values == limit)[:KEPT]
    return _best(((int(values[at]), int(numbers[at])) for at in (*beyond, *level)), end)


def merged(one: Ranked, other: Ranked, end: str) -> Ranked:
    """The most extreme of both; the order of merging makes no difference."""
    return _best([*one, *other], end)


def _best(pairs: Iterable[tuple[int, int]], end: str) -> Ranked:
    sign = -1 if end == "high" else 1
    return tuple(sorted(pairs, key=lambda pair: (sign * pair[0], pair[1]))[:KEPT])
