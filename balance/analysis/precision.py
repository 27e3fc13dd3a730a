"""Play until shares are known well enough: the stopping rule, and the shares with intervals that allow for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from balance.analysis.metrics import single
from balance.analysis.summaries import Cell, Record
from balance.experiment.events import Outcome
from balance.experiment.lengths import half_width, shares_at
from balance.experiment.models import Experiment
from balance.experiment.plan import Plan, PlannedCell
from balance.experiment.tally import Tally
from balance.game import Game
from balance.stats.estimate import Estimate
from balance.stats.power import blocks_for_half_width, share_sd

RULE = "precision"


class UntilPrecise:
    """The stopping rule of a precision: every side's share of wins, or the goal rate, is known to within so much."""

    def __init__(self, experiment: Experiment) -> None:
        self._half_width = half_width(experiment.run.precision) or 1.0
        self.identity = {"rule": RULE, "half_width": self._half_width}

    def decided(self, plan: Plan, cells: Sequence[PlannedCell], tallies: Sequence[Tally]) -> bool:
        """Whether all shares of these cells are known so well."""
        confidence = plan.experiment.run.confidence
        found = [
            one
            for cell, tally in zip(cells, tallies, strict=True)
            for _, one in _shares(plan, Cell(cell, tally, confidence), stopped=True)
        ]
        return all(one.half_width <= self._half_width for one in found)


def precision(outcome: Outcome) -> Record | None:
    """All shares of a run that was played until they were known so well: as if the games had been fixed, and allowing
    for having looked again and again; None for other runs."""
    plan, confidence = outcome.plan, outcome.plan.experiment.run.confidence
    if not plan.stopping or plan.stopping["rule"] != RULE:
        return None
    cells = [Cell(one, tally, confidence) for one, tally in zip(plan.cells, outcome.tallies, strict=True)]
    return {
        "half_width": plan.stopping["half_width"],
        "cells": [
            {"cell": cell.planned.folder, "shares": list(_both(plan, cell))} for cell in cells if cell.blocks
        ],
    }


def _both(plan: Plan, cell: Cell) -> Iterator[Record]:
    several = _shares(plan, cell, stopped=False), _shares(plan, cell, stopped=True)
    for (seat, plain), (_, adjusted) in zip(*several, strict=True):
        team = next((one for one in cell.planned.teams if seat in one and len(one) > 1), None)
        whose = {"seat": seat, **({"seats": list(team)} if team else {})}
        yield {**whose, "plain": plain.as_dict(), "adjusted": adjusted.as_dict()}


def _shares(plan: Plan, cell: Cell, stopped: bool) -> Iterator[tuple[int | None, Estimate]]:
    """The share of each side, by the first of its seats, or of games in which the goal is reached."""
    game, planned = plan.game, cell.planned
    best_at = best_at_of(plan, planned) if stopped and len(plan.looks(planned)) > 1 else None
    for seat in _seats(game, planned):
        metric = "goal_rate" if seat is None else "win_share"
        yield seat, single(game, cell, metric, seat, cell.confidence, best_at)


def _seats(game: Game, cell: PlannedCell) -> Sequence[int | None]:
    return cell.leaders if shares_at(game, (cell.players, cell.cell.mode)) == "win_share" else (None,)


def best_at_of(plan: Plan, cell: PlannedCell) -> int:
    """The blocks that it takes if the seats are even and the games of a block independent; fixed before the first."""
    wanted = float((plan.stopping or {})["half_width"])
    sd = share_sd(1 / len(cell.teams) if len(cell.teams) > 1 else 0.5) / cell.rotations**0.5
    return blocks_for_half_width(wanted, sd, plan.experiment.run.confidence, anytime=True)
