"""From a tally to the numbers of one quantity: mean with its interval, spread, quantiles, distribution."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from balance.experiment.plan import PlannedCell
from balance.experiment.tally import EMPTY, Tally
from balance.stats.histogram import Histogram
from balance.stats.intervals import mean_interval, share_interval

QUANTILES = {"p10": 0.1, "p50": 0.5, "p90": 0.9}
Record = dict[str, Any]


@dataclass(frozen=True)
class Cell:
    """A cell, what was tallied of it, and the confidence of its intervals."""

    planned: PlannedCell
    tally: Tally
    confidence: float

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
    def compared(self) -> bool:
        """Whether there are blocks in which neither this variant nor the baseline has a void game."""
        return self.tally.differences.get("turns", EMPTY).n > 0

    def summary(self, name: str) -> Record:
        """The numbers of a column, whose blocks give the interval of its mean."""
        return summary(self.tally.of_games(name), self.tally.of_blocks(name), self.rotations, self.confidence)

    def share(self, name: str) -> Record:
        """The numbers of a column of zeros and ones: a share of games and how many they are."""
        blocks = self.tally.of_blocks(name)
        return {
            "mean": share_interval(blocks, self.confidence, self.rotations).as_dict(),
            "count": blocks.total,
        }


def summary(games: Histogram, blocks: Histogram, scale: int, confidence: float) -> Record:
    """The numbers of a quantity; the mean is that of block sums / `scale`."""
    return {
        "mean": mean_interval(blocks, confidence, scale).as_dict(),
        "sd": games.sd,
        "quantiles": {name: games.quantile(q) for name, q in QUANTILES.items()},
        "min": games.minimum,
        "max": games.maximum,
        "histogram": games.as_dict(),
    }
