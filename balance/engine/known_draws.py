"""Random numbers whose values are known beforehand: a build that draws others plays other games."""

from __future__ import annotations

from typing import Any

import numpy as np

from balance.engine.kernels import compiled, interpreted, kernel
from balance.engine.records import new_record
from balance.engine.rng import aim, below, draw, draw_at, rng_dtype, seed_policies, seed_table

KNOWN = (
    *(0xDCE423FC82C0D5B8, 0xA2C0726B2DA9A945, 0xA8513AFE4FC256E8, 0x5CC12A98BD491EA2, 0xE37FDBADBBB2ACA2),
    *(0x89F9ABDA56679E58, 0x25E0A3214D3C37EC, 0xA576C27E2DE2CC4C, 384),
    *(0x5E41AB087439611E, 0x3484CDE1169E9223, 0x422A665E502B14D9, 0x16832D195265BD0C, 0x16F5C7E866FC1075),
    *(0xB05FF61FEE1A095B, 0xA7A06DBF749B9062, 0x20A57CF0E2FB8152, 105),
)
"""For blocks 0 and 1 of seed 1: the table's two keys and its draws at the addresses 0, 1 and 2**20; the policies' two
keys and a draw at stream 2, round 3, turn 5, step 7, word 9; the table's number below 1000 at stream 0, round 11, turn
13, step 17, word 19."""


@kernel
def known_draws(table, noise, found):
    """Draw them all, into `found`."""
    for block in range(2):
        at = block * (found.shape[0] // 2)
        seed_table(table, np.uint64(1), block)
        found[at], found[at + 1] = table.key_1, table.key_2
        found[at + 2] = draw_at(table.key_1, table.key_2, np.uint64(0))
        found[at + 3] = draw_at(table.key_1, table.key_2, np.uint64(1))
        found[at + 4] = draw_at(table.key_1, table.key_2, np.uint64(1 << 20))
        seed_policies(noise, table)
        found[at + 5], found[at + 6] = noise.key_1, noise.key_2
        aim(noise, 2, 3, 5, 7)
        found[at + 7] = draw(noise, 9)
        aim(table, 0, 11, 13, 17)
        found[at + 8] = np.uint64(below(table, 19, 1000))


def drawn(*, in_plain_python: bool) -> tuple[int, ...]:
    """The same numbers as this build draws them."""
    from numba import from_dtype, types, uint64

    rng: Any = from_dtype(rng_dtype)
    found = np.zeros(len(KNOWN), np.uint64)
    numbers = types.Array(uint64, 1, "C")
    fill = (
        interpreted(known_draws)
        if in_plain_python
        else compiled(known_draws, "known-draws", (rng, rng, numbers))
    )
    fill(new_record(rng_dtype), new_record(rng_dtype), found)
    return tuple(int(number) for number in found)
