"""Experiments with the dice race, played: their outcomes, results and rows."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars
from experiment.dice_race import race

from balance.analysis import results
from balance.analysis.summaries import Cell
from balance.experiment.events import CellDone, Finished, Interrupted, Outcome
from balance.experiment.runner import Options, run

FAR = (("far", (("goal", 20),)),)
IDLE = (("idle", (("idle", 1),)), ("ahead", (("head_start", 3),)))


class Played:
    """One experiment, played into a folder that is gone again."""

    def __init__(self, outcome: Outcome, rows: dict[str, polars.DataFrame]) -> None:
        self.outcome, self.rows = outcome, rows
        self.results: dict[str, Any] = results(outcome, "balance run race")

    def cell(self, variant: str = "baseline", players: int | None = None) -> dict[str, Any]:
        return next(
            cell
            for cell in self.results["cells"]
            if cell["variant"] == variant and players in (None, cell["players"])
        )


def cells(run: Played) -> list[Cell]:
    """The cells of what was played, in order."""
    return [
        Cell(planned, tally, 0.95)
        for planned, tally in zip(run.outcome.plan.cells, run.outcome.tallies, strict=True)
    ]


@cache
def played(
    players: tuple[int, ...] = (3,),
    variants: tuple[Any, ...] = (),
    policies: tuple[str, ...] = ("any",),
    games: int = 1200,
    stop: bool = False,
) -> Played:
    """The experiment, once for all tests; `stop`: interrupted after the first number of players."""
    experiment = race(players, {name: dict(rules) for name, rules in variants}, policies, games)
    with TemporaryDirectory() as folder:
        going = run(experiment, Path(folder), 2, Options(part_games=600))
        for event in going:
            if stop and isinstance(event, CellDone):
                going.stop()
            if isinstance(event, Finished | Interrupted):
                outcome = event.outcome
        rows = {
            cell.folder: polars.read_parquet(Path(folder) / "games" / cell.folder / "*.parquet")
            for cell, tally in zip(outcome.plan.cells, outcome.tallies, strict=True)
            if tally.played
        }
    return Played(outcome, rows)
