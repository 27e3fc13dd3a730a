"""How far apart the seats are: the wins of each less those of each, and how a variant changes the largest of them.

Where some play together, the sides are compared instead of the seats.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping

from balance.analysis.summaries import Cell
from balance.game import SHARE_UNIT
from balance.stats.estimate import Estimate
from balance.stats.joint import Joint, pairwise_differences
from balance.stats.multiplicity import each_of

Pair = tuple[int, int]
_FAMILIES = 3
"""A change of the spread rests on the differences of baseline and variant, and on how these changed."""
_FINEST = 1e-12


def pairs(cell: Cell, confidence: float, best_at: int | None = None) -> dict[Pair, Estimate]:
    """The difference of each two sides in their share of the wins, first less second; all intervals hold together."""
    return _pairs(cell.tally.wins, cell, confidence, best_at)


def widest(found: Mapping[Pair, Estimate]) -> float:
    """The largest difference between any two sides; NaN where nothing was played."""
    return max((abs(one.value) for one in found.values()), default=math.nan)


def largest(cell: Cell, confidence: float) -> Estimate:
    """The largest difference between any two sides, with what it is at least and at most; NaN without games."""
    return of_pairs(pairs(cell, confidence).values())


def of_pairs(found: Collection[Estimate]) -> Estimate:
    """The same from the differences of each two, which hold together; a band from 0 up holds it where it holds all."""
    least, most = _range([*found, *map(_turned, found)])
    first = next(iter(found), None)
    n, method = (first.n, first.method) if first else (0, "too few")
    return Estimate(max((abs(one.value) for one in found), default=math.nan), least, most, n, method)


def change(cell: Cell, baseline: Cell, confidence: float, best_at: int | None = None) -> Estimate:
    """By how much the largest difference between two sides is larger than the baseline's.

    The pair that is furthest apart need not be the same in both, nor is it known for sure. The interval runs from the
    least change of any pair that may be the baseline's largest to the most of any that may be the variant's; and it
    reaches no further than the two spreads themselves allow. These alone count where deals are left out of the pairs.
    """
    moved, n = cell.tally.wins_moved, cell.pairs
    if not cell.planned.cell.differs and n:
        return Estimate(0.0, 0.0, 0.0, n, "all equal")
    level = each_of(confidence, _FAMILIES)
    old, new = (_both_ways(pairs(one, level, best_at)) for one in (baseline, cell))
    steps = _both_ways(_pairs(moved, cell, level, best_at, most=2))
    (least, most), (new_least, new_most) = _range(old.values()), _range(new.values())
    low, high = new_least - most, new_most - least
    if not cell.left_out(baseline):
        low = max(low, min((steps[pair].low for pair in _perhaps_widest(old)), default=-1.0))
        high = min(high, max((steps[pair].high for pair in _perhaps_widest(new)), default=1.0))
    value = widest(new) - widest(old)
    return Estimate(value, min(low, value), max(high, value), n, "pairs of seats")


def change_p_value(cell: Cell, baseline: Cell, best_at: int | None = None) -> float:
    """The lowest level at which the interval of `change` excludes 0."""

    def holds_zero(level: float) -> bool:
        found = change(cell, baseline, 1 - level, best_at)
        return found.low <= 0 <= found.high

    low, high = _FINEST, 1.0
    if not holds_zero(low):
        return low
    while high / low > 1.001:
        middle = math.sqrt(low * high)
        low, high = (middle, high) if holds_zero(middle) else (low, middle)
    return high


def _pairs(
    joint: Joint | None, cell: Cell, confidence: float, best_at: int | None, most: int = 1
) -> dict[Pair, Estimate]:
    if joint is None or len(joint.totals) < 2:
        return {}
    return pairwise_differences(joint, confidence, SHARE_UNIT * cell.rotations, best_at=best_at, most=most)


def _both_ways(found: Mapping[Pair, Estimate]) -> dict[Pair, Estimate]:
    """Each with each in both orders."""
    return {**found, **{(b, a): _turned(one) for (a, b), one in found.items()}}


def _turned(one: Estimate) -> Estimate:
    """The same difference, the other way round."""
    return Estimate(-one.value, -one.high, -one.low, one.n, one.method)


def _range(found: Collection[Estimate]) -> tuple[float, float]:
    """How large the largest difference is at least, and at most; `found` are those of each two in both orders."""
    least, most = (max((getattr(one, end) for one in found), default=0.0) for end in ("low", "high"))
    return max(0.0, least), most if found else 1.0


def _perhaps_widest(found: Mapping[Pair, Estimate]) -> list[Pair]:
    """The pairs of which one is the furthest apart."""
    least = max((one.low for one in found.values()), default=0.0)
    return [pair for pair, one in found.items() if one.high >= least]
