"""Many questions at once: p-values adjusted for their number, and the level that each of many intervals takes.

An adjusted p-value is compared with the level of the whole family: what lies at or below it is found.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import index

import numpy as np

from balance.stats.critical import check_confidence


def bonferroni(p_values: Sequence[float]) -> list[float]:
    """Adjusted so that the chance of any false finding is at most the level: each times their number."""
    return [min(1.0, p * len(p_values)) for p in _checked(p_values)]


def holm(p_values: Sequence[float]) -> list[float]:
    """The same promise with more findings (Holm 1979), however the questions depend on each other."""
    factors = np.arange(len(p_values), 0, -1)
    return _stepwise(p_values, factors, downward=True)


def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """Adjusted so that of all findings at most a share of the level is false on average (1995).

    Holds where the questions are independent or depend on each other positively; for lists to explore.
    """
    factors = len(p_values) / np.arange(1, len(p_values) + 1)
    return _stepwise(p_values, factors, downward=False)


def each_of(confidence: float, intervals: int) -> float:
    """The level for each of `intervals` so that all hold at `confidence`, however they depend (Bonferroni).

    For gates: each is judged by an interval of this level, so that the chance that any of them is judged
    wrongly is at most 1 - confidence.
    """
    check_confidence(confidence)
    if index(intervals) < 1:
        raise ValueError(f"The number of intervals must be at least 1, not {intervals}.")
    return 1 - (1 - confidence) / intervals


def _stepwise(p_values: Sequence[float], factors: np.ndarray, downward: bool) -> list[float]:
    """Each p-value, from the smallest, times its factor, made to rise with the p-values themselves."""
    p = np.array(_checked(p_values), float)
    order = np.argsort(p, kind="stable")
    scaled = np.minimum(1.0, p[order] * factors)
    rising = np.maximum.accumulate(scaled) if downward else np.minimum.accumulate(scaled[::-1])[::-1]
    adjusted = np.empty_like(p)
    adjusted[order] = rising
    return [float(one) for one in adjusted]


def _checked(p_values: Sequence[float]) -> Sequence[float]:
    if not all(0 <= p <= 1 for p in p_values):
        raise ValueError("A p-value lies from 0 to 1.")
    return p_values
