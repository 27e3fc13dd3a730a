"""A number with half the width of its interval, as '28.1 ± 0.2'; both its ends where that would be wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from balance.report import words

Record = Mapping[str, Any]
TITLE = "means, each with half its interval, or all of it where its sides differ"
"""What tables of such numbers have."""
_EVEN = 0.1
"""By so much of half its width an interval may lie further to one side of its value than to the other."""
_ENDS = " to "


def half_width(
    estimate: Record, scale: int, written: Callable[[float, int], str] = words.fixed
) -> tuple[int, str]:
    """Half the width of an interval, and its decimals, which the number has everywhere else on the page, too.

    Where the value does not lie in the middle, both ends as they are `written`: '0.0 to 4.5'.
    """
    value, low, high = (scale * estimate[end] for end in ("value", "low", "high"))
    half = (high - low) / 2
    digits = words.decimals(half)
    if abs((low + high) / 2 - value) > _EVEN * half:
        return digits, _ENDS.join(written(end, digits) for end in (low, high))
    return digits, words.fixed(half, digits)


def joined(number: str, half: str) -> str:
    """A number and its half width in one: '28.1 ± 0.2', '0.4 pp (0.0 to 4.5)'; alone where all games were alike."""
    if half == words.NOTHING:
        return number
    return f"{number} ({half})" if _ENDS in half else f"{number} \N{PLUS-MINUS SIGN} {half}"
