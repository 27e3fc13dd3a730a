"""Sets of tile classes, places, trucks or seats as bit masks: counting and choosing members."""

import numpy as np

from balance.engine import kernel

SUM_BYTES, TOP_BYTE = np.uint64(0x0101010101010101), np.uint64(56)
FIRST = np.array([0] + [(mask & -mask).bit_length() - 1 for mask in range(1, 1 << 7)], dtype=np.int64)
"""The lowest member of every set of places, trucks or slots, of which there are at most seven."""


@kernel(inline=True)
def members(mask):
    """How many members a set has; the compiler knows this pattern and makes one instruction of it.

    The product may overflow, which only unsigned integers are allowed to do.
    """
    mask = mask - (mask >> 1 & 0x5555555555555555)
    mask = (mask & 0x3333333333333333) + (mask >> 2 & 0x3333333333333333)
    mask = (mask + (mask >> 4)) & 0x0F0F0F0F0F0F0F0F
    return np.int64(np.uint64(mask) * SUM_BYTES >> TOP_BYTE)


@kernel(inline=True)
def lowest(mask):
    """The lowest member of a set that is not empty."""
    return members((mask & -mask) - 1)


@kernel(inline=True)
def member(mask, k):
    """Member number k of a set, counted from 0."""
    for _ in range(k):
        mask &= mask - 1
    return lowest(mask)
