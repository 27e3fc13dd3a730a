"""Sets of seats as bit masks: counting and choosing members."""

import numpy as np

from balance.engine import kernel
from balance.games.kennelmester.params import SEATS

COUNT = np.array([mask.bit_count() for mask in range(1 << SEATS)], dtype=np.int64)
"""How many members a set of seats has."""
LOWEST = np.array([0] + [(mask & -mask).bit_length() - 1 for mask in range(1, 1 << SEATS)], dtype=np.int64)
"""The lowest member of a set of seats that is not empty."""


@kernel(inline=True)
def member(mask, k):
    """Member number k of a set of seats, counted from 0."""
    for _ in range(k):
        mask &= mask - 1
    return LOWEST[mask]
