"""The most lopsided deals, and what became of them when they were played again: was it the deal, or the play?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from balance.analysis.summaries import Cell, Record
from balance.experiment.lopsided import METRIC
from balance.game import SHARE_UNIT
from balance.stats.histogram import Histogram
from balance.stats.intervals import mean_interval, share_interval
from balance.stats.multiplicity import each_of


def lopsided(cell: Cell, deals: Sequence[Any]) -> Record:
    """For each deal its margin and winner, then margin and share of the wins of that winner over the replays.

    `usual` is the margin of all games; n are the replays. The intervals of all deals hold together, margins and shares
    each for themselves. `same` says that no replay came out otherwise than another.
    """
    usual = mean_interval(cell.tally.of_blocks(METRIC), cell.confidence, cell.rotations)
    level = each_of(cell.confidence, len(deals))
    return {"usual": usual.as_dict(), "deals": [_deal(cell, deal, level) for deal in deals]}


def _deal(cell: Cell, deal: Record, level: float) -> Record:
    margins, shares = (Histogram.from_dict(deal[name]) for name in ("margins", "shares"))
    team = cell.planned.teams[deal["side"]]
    return {
        "game": deal["game"],
        "margin": deal["margin"],
        "seat": team[0],
        **({"seats": list(team)} if len(team) > 1 else {}),
        "margin_again": mean_interval(margins, level, cell.rotations).as_dict(),
        "share_again": share_interval(shares, level, SHARE_UNIT * cell.rotations).as_dict(),
        "same": len(margins.values) == len(shares.values) == 1,
    }
