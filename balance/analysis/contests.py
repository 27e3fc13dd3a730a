"""How a type of player does at a table of another."""

from __future__ import annotations

from collections.abc import Mapping

from balance.analysis.seats import sides
from balance.analysis.summaries import Cell, Record
from balance.experiment.contests import Contests
from balance.experiment.events import Outcome

CONTESTS_SCHEMA = "balance.players/1"


def win_share(outcome: Outcome, policy: str) -> Record:
    """The wins of a policy, for each seat that it held, in an experiment of a single cell."""
    (planned,), (tally,) = outcome.plan.cells, outcome.tallies
    found = sides(Cell(planned, tally, outcome.plan.experiment.run.confidence))
    return next(dict(side["win_share"]) for side in found if side["policy"] == policy)


def standings(found: Contests, shares: Mapping[tuple[str, str], Record]) -> Record:
    """The share of the wins of each type against each yardstick; None against itself. `shares` go by both names."""
    return {
        "schema": CONTESTS_SCHEMA,
        "game": found.game.id,
        "game_title": found.game.title,
        "players": found.players,
        "games": found.run.games,
        "seed": found.run.seed,
        "confidence": found.run.confidence,
        "even": 1 / found.players,
        "against": list(found.against),
        "types": [
            {
                "policy": policy,
                "help": what,
                "win_share": {other: shares.get((policy, other)) for other in found.against},
            }
            for policy, what in found.types.items()
        ],
    }
