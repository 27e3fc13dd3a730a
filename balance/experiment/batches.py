"""Sums over batches of blocks, kept for the points of a grid, so that any of them can be held together.

All points are played on the same deals, so their means go up and down together. Block b belongs to batch b mod
BATCHES in every point: how a combination of means varies from batch to batch tells how sure it is, whatever hangs
together with whatever.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from balance.experiment.columns import Column, block_sums, compared
from balance.experiment.plan import PlannedCell
from balance.game import Game

BATCHES = 64
BLOCKS = ""
"""The name under which the number of blocks of each batch stands."""
Batches = Mapping[str, tuple[int, ...]]


def batched(
    game: Game, cell: PlannedCell, first: int, every: Mapping[str, Column], kept: Column
) -> dict[str, tuple[int, ...]]:
    """The sum over each batch of every column that is compared, of the games at the positions `kept`."""
    blocks = (first + kept[:: cell.rotations]) // cell.rotations % BATCHES
    found = {BLOCKS: np.bincount(blocks, minlength=BATCHES)}
    for name in compared(game, cell):
        sums = block_sums(every[name][kept], cell.rotations)
        # exact: far below 2**53, up to which floats hold every whole number
        found[name] = np.bincount(blocks, weights=sums, minlength=BATCHES).astype(np.int64)
    return {name: tuple(values.tolist()) for name, values in found.items()}
