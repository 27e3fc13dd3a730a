"""Fixed games that prove nothing but themselves: equal digests mean that two builds play alike.

A game declares the digest of its own (`Game.games_digest`); a run keeps the digest of its own, so that runs from two
machines or versions can be compared. Which games these are depends on nothing but the game or the experiment.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace

from balance.engine.digest import games_digest
from balance.engine.playing import Loop, Table
from balance.experiment.models import default_policy
from balance.experiment.plan import Plan
from balance.game import Game

MOST_GAMES = 10_000
SEED = 1
_SHARE_OF_RUN = 10


def digest_of_game(game: Game, loop: Loop) -> str:
    """That of 10,000 games by the official rules, shared out among all sizes of table, of the default policy.

    `loop` is the game's own, compiled.
    """
    policy = game.policy(default_policy(game))
    total = hashlib.sha256()
    for size in game.official_sizes:
        table = Table(game, game.resolve(size), (policy,) * size[0], 1)
        total.update(games_digest(loop, table, SEED, MOST_GAMES // len(game.official_sizes)).encode())
    return total.hexdigest()


def digest_of_run(plan: Plan, go_on: Callable[[], bool]) -> str:
    """That of games by the official rules with the fewest players of a run and its own line-up.

    They are a tenth of the run's games, and 10,000 at most, so that a game that is slow to play stays bearable.
    '' when `go_on` says no, or where these games cannot be played; a run does not end for that.
    """
    cell = plan.cells[0]
    try:
        table = replace(plan.table(cell), params=cell.cell.rules.with_changes({}))
        return games_digest(plan.loop, table, SEED, games_of_run(plan), go_on)
    except Exception:
        return ""


def games_of_run(plan: Plan) -> int:
    """How many games the digest of a run is made of: whole blocks, one at least."""
    blocks = min(MOST_GAMES, plan.games // _SHARE_OF_RUN) // plan.cells[0].rotations
    return max(1, blocks) * plan.cells[0].rotations
