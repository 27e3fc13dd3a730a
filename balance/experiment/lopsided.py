"""The most lopsided deals of a run, played again with other choices of the players: was it the deal, or the play?

A deal is a block: everything that is shuffled and rolled for it is the same each time, and only the random numbers of
the policies are others. Players whose choices hang on no random number play every deal the same way again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from balance.engine.playing import Buffers, Table
from balance.experiment.columns import block_sums, seat_column, tallied
from balance.experiment.plan import Plan, PlannedCell
from balance.experiment.tally import Tally, counted

REPLAYS = 200
"""So many times each of these deals is played again."""
METRIC = "score_margin"
Deals = list[dict[str, Any]]
"""For each deal its game and margin, who won it, and histograms over the replays (sums over a block)."""


def lopsided(plan: Plan, tallies: Sequence[Tally], go_on: Callable[[], bool]) -> dict[str, Deals] | None:
    """The deals of each table's baseline by its folder; None when `go_on` says no. `plan.loop` is compiled."""
    found: dict[str, Deals] = {}
    for group in plan.groups:
        cell = group[0]
        games = tallies[cell.index].highest.get(METRIC, ()) if len(cell.leaders) > 1 else ()
        blocks = dict.fromkeys(number // cell.rotations for _, number in games)
        first_of = {number // cell.rotations: (value, number) for value, number in reversed(games)}
        deals: Deals = []
        table = plan.table(cell)  # one for all deals: what the rules look things up in takes time to make
        for block in blocks:
            if not go_on():
                return None
            deals.append(_deal(plan, cell, table, *first_of[block]))
        if deals:
            found[cell.folder] = deals
    return found


def _deal(plan: Plan, cell: PlannedCell, table: Table, margin: int, number: int) -> dict[str, Any]:
    block, rotation = divmod(number, cell.rotations)
    buffers, sums = Buffers(plan.game), plan.loop.new_sums()

    def play(again: int) -> np.ndarray[Any, Any]:
        first, seed = block * cell.rotations, plan.experiment.run.seed
        return plan.loop.play(table, seed, first, cell.rotations, buffers, sums, again)

    once = tallied(plan.game, cell, play(0))
    won = [once[seat_column("win_share", team[0])][rotation] for team in cell.teams]
    side = int(np.argmax(won))
    every = tallied(plan.game, cell, np.concatenate([play(again) for again in range(1, REPLAYS + 1)], axis=1))
    shares = every[seat_column("win_share", cell.teams[side][0])] * len(cell.teams[side])
    return {
        "game": number,
        "margin": margin,
        "side": side,
        "margins": counted(block_sums(every[METRIC], cell.rotations)).as_dict(),
        "shares": counted(block_sums(shares, cell.rotations)).as_dict(),
    }
