"""How even the places of the seats are, from how often each seat came in which place."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from operator import index


def partial_wins(places: Sequence[Sequence[int]]) -> list[float]:
    """For each seat its mean partial win: 1 for the first place, 0 for the last, evenly spaced between.

    `places` are counts by [seat, place]. Seats that share places count a part in each place they share.
    """
    return [float(one) for one in _partial_wins(places)]


def evenness(places: Sequence[Sequence[int]]) -> float:
    """1 minus the largest difference between the mean partial wins of two seats; 1 is even (Ludii's Balance)."""
    wins = _partial_wins(places)
    return float(1 - (max(wins) - min(wins)))


def _partial_wins(places: Sequence[Sequence[int]]) -> list[Fraction]:
    counts = [[index(count) for count in row] for row in places]
    last = len(counts[0]) - 1 if counts else 0
    if last < 1 or any(len(row) != last + 1 or min(row) < 0 or sum(row) < 1 for row in counts):
        raise ValueError("Each seat needs counts of the same two or more places, one of them above 0.")
    return [
        Fraction(sum(count * (last - place) for place, count in enumerate(row)), sum(row) * last)
        for row in counts
    ]
