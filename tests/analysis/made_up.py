"""Cells of the dice race whose wins are made up."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from experiment.dice_race import GAME

from balance.analysis.summaries import Cell
from balance.engine.playing import columns
from balance.experiment.plan import PlannedCell
from balance.experiment.tally import Played, tally
from balance.game import SHARE_UNIT

from .played import FAR, played

Winners = np.ndarray


def planned(players: int = 3) -> tuple[PlannedCell, PlannedCell]:
    """The baseline and a variant, each of one type of players."""
    baseline, variant = played((players,), FAR, games=60).outcome.plan.cells
    return baseline, variant


def won_by(cell: PlannedCell, winners: Winners) -> Played:
    """Games in which nothing happens but that somebody wins."""
    names = columns(GAME, cell.players)
    rows = np.zeros((len(names), winners.size), np.int32)
    for seat in range(cell.players):
        rows[names.index(f"win_share_{seat}")] = SHARE_UNIT * (winners == seat)
    return Played(0, rows, np.zeros((3, 45), np.int64))


def pair(before: Winners, after: Winners, players: int = 3) -> tuple[Cell, Cell]:
    """A baseline and a variant in which these seats win the same deals."""
    one, other = planned(players)
    base, changed = won_by(one, before), won_by(other, after)
    return (
        Cell(one, tally(GAME, one, base), 0.95),
        Cell(replace(other), tally(GAME, other, changed, base), 0.95),
    )
