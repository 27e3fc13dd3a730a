"""Many questions at once: p-values adjusted for their number, and the level that each of many intervals takes.

An adjusted p-value is compared with the level of the whole family: what lies at or below it is found.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import index

import numpy as np

from balance.stats.critical import check_confidence


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjusted so that the chance of any false finding is at most the level, however they depend (Holm 1979)."""
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
    p = np.array(p_values, float)
    if not ((p >= 0) & (p <= 1)).all():
        raise ValueError("A p-value lies from 0 to 1.")
    order = np.argsort(p, kind="stable")
    scaled = np.minimum(1.0, p[order] * factors)
    rising = np.maximum.accumulate(scaled) if downward else np.minimum.accumulate(scaled[::-1])[::-1]
    adjusted = np.empty_like(p)
    adjusted[order] = rising
    return [float(one) for one in adjusted]
