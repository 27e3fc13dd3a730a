"""Where something stops being true, by halving."""

from __future__ import annotations

from collections.abc import Callable

HALVINGS = 50
"""As many as a double has digits."""


def last_true(holds: Callable[[float], bool], true: float, false: float) -> float:
    """The point farthest from `true` on the way to `false` at which `holds` is still true, if it turns once."""
    for _ in range(HALVINGS):
        middle = (true + false) / 2
        if holds(middle):
            true = middle
        else:
            false = middle
    return true
