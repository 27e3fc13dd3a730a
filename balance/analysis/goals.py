"""How often a goal is reached, and how often another one would be."""

from __future__ import annotations

from balance.analysis.summaries import Cell, Record
from balance.experiment.columns import seat_column
from balance.stats.estimate import Estimate
from balance.stats.intervals import wilson

MOST_VALUES = 200
"""Goals on the curve; where scores differ by more, only every second one, third one..."""


def goal(cell: Cell) -> Record:
    """The goal of a cell in words, and the share of games with at least as many points, from the fewest to the most."""
    scores = cell.tally.of_games(seat_column("score", cell.planned.leaders[0]))
    if scores.minimum is None or scores.maximum is None:
        return {"sentence": cell.planned.goal, "curve": []}
    step = -(-(scores.maximum - scores.minimum + 1) // MOST_VALUES)
    values = range(scores.minimum, scores.maximum + 1, step)
    return {
        "sentence": cell.planned.goal,
        "curve": [
            {
                "at_least": value,
                "rate": _rate(cell, int(scores.counts[scores.values >= value].sum())).as_dict(),
            }
            for value in values
        ],
    }


def _rate(cell: Cell, games: int) -> Estimate:
    """The share of so many games; of games that share a block no more is sure than of one."""
    if cell.rotations == 1:
        return wilson(games, cell.blocks, cell.confidence)
    share = games / (cell.blocks * cell.rotations)
    found = wilson(round(share * cell.blocks), cell.blocks, cell.confidence)
    return Estimate(share, min(found.low, share), max(found.high, share), found.n, found.method)
