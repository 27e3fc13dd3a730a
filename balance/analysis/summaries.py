"""A cell and what was tallied of it: what every number of the results comes from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from balance.experiment.plan import PlannedCell
from balance.experiment.tally import EMPTY, Tally

Record = dict[str, Any]


@dataclass(frozen=True)
class Cell:
    """A cell, what was tallied of it, and the confidence of its intervals.

    `best_at` are the blocks, settled before the first game, at which intervals are narrowest that hold at all looks,
    where the run may have ended early. None where the number of games was fixed.
    """

    planned: PlannedCell
    tally: Tally
    confidence: float
    best_at: int | None = None

    @property
    def players(self) -> int:
        """The number of players."""
        return self.planned.players

    @property
    def rotations(self) -> int:
        """The games of a block."""
        return self.planned.rotations

    @property
    def blocks(self) -> int:
        """How many blocks count: those in which no game was void."""
        return self.tally.of_blocks("turns").n

    @property
    def pairs(self) -> int:
        """How many blocks are compared: those in which neither this variant nor the baseline has a void game."""
        return self.tally.differences.get("turns", EMPTY).n

    @property
    def compared(self) -> bool:
        """Whether there are such blocks."""
        return self.pairs > 0

    def left_out(self, baseline: Cell) -> int:
        """How many blocks count by one of the two sets of rules alone, so that they are not compared."""
        return self.blocks + baseline.blocks - 2 * self.pairs
