"""The tolerance band of the seats: how far apart in their share of the wins any two may be."""

from __future__ import annotations

from dataclasses import dataclass

from balance.experiment.gates import band_of, covers
from balance.experiment.metrics import SPREAD
from balance.experiment.models import Experiment
from balance.experiment.plan import PlannedCell
from balance.game import Game
from balance.stats.verdict import Band

USUAL = 0.03
"""Three points: what is allowed where the experiment says nothing."""


@dataclass(frozen=True)
class Tolerance:
    """How large the difference between any two seats may be, as a part of all wins, and whether the file says so."""

    most: float = USUAL
    set_by_file: bool = False

    @property
    def band(self) -> Band:
        """The differences that are fine, to either side."""
        return Band.around(0.0, self.most)


def tolerance_of(game: Game, experiment: Experiment, cell: PlannedCell) -> Tolerance:
    """What an experiment allows in a cell: the least `max` of its gates on `seat_spread` that cover it."""
    asked = [
        band_of(gate).high
        for gate in experiment.gates
        if gate.metric == SPREAD and not gate.against and covers(game, gate, cell.cell.variant, cell.size)
    ]
    return Tolerance(min(asked), True) if asked else Tolerance()
