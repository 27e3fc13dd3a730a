"""Sets as bit masks: counting and choosing members, compiled as in plain Python."""

from __future__ import annotations

import random

import pytest
from numba import int64

from balance.engine import kernel
from balance.engine.kernels import compiled
from balance.engine.plain import plain_kernel
from balance.games.zooloretto.bits import FIRST, lowest, member, members

MASKS = [1 << bit for bit in range(42)] + [random.Random(1).getrandbits(42) | 1 << 41 for _ in range(200)]


@kernel
def count(mask, k):  # type: ignore[no-untyped-def]  # noqa: ARG001
    return members(mask)


@kernel
def choose(mask, k):  # type: ignore[no-untyped-def]
    return member(mask, k)


@kernel
def beyond(mask, k):  # type: ignore[no-untyped-def]
    """A comparison with what `lowest` finds: a product that overflowed as a signed integer made it come out wrong."""
    tile = lowest(mask)
    if tile >= k:
        return tile + 100
    return tile


def bits_of(mask: int) -> list[int]:
    return [bit for bit in range(42) if mask >> bit & 1]


@pytest.mark.compiler
@pytest.mark.parametrize("make", ["compiled", "plain"])
def test_members(make: str) -> None:
    kernels = [
        compiled(fn, "bits", (int64, int64)) if make == "compiled" else plain_kernel(fn)
        for fn in (count, choose, beyond)
    ]
    for mask in MASKS:
        bits = bits_of(mask)
        assert kernels[0](mask, 0) == len(bits)
        assert [kernels[1](mask, k) for k in range(len(bits))] == bits
        for k in (0, 12, 36):
            assert kernels[2](mask, k) == bits[0] + 100 * (bits[0] >= k)
    assert kernels[0](0, 0) == 0


def test_the_table_of_small_sets() -> None:
    assert [int(FIRST[mask]) for mask in range(1, 128)] == [bits_of(mask)[0] for mask in range(1, 128)]
