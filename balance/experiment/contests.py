"""Contests: one player of a type at a table of another, so that types of players can be compared."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from balance import registry
from balance.errors import BalanceError, listed
from balance.experiment.models import SCHEMA_VERSION, Experiment, Lineup, Run, default_policy
from balance.experiment.policy_files import types_of
from balance.game import Game

FLOOR = "random"
USUAL_PLAYERS = 4


@dataclass(frozen=True)
class Contest:
    """One player of a type among players of another type, each in every seat equally often."""

    policy: str
    against: str
    experiment: Experiment


@dataclass(frozen=True)
class Contests:
    """All types of players of a game, and those in files, among players of each yardstick in `against`.

    `each` leaves out a type among its own kind: there everybody is even.
    """

    game: Game
    players: int
    run: Run
    types: dict[str, str]
    """What each type does, by name."""
    against: tuple[str, ...]
    each: tuple[Contest, ...]


def contests(name: str, files: Iterable[Path], players: int | None, games: int, seed: int) -> Contests:
    """The contests of a game's types, each of `games` games; 4 players, or as near as the game comes, if None."""
    game = registry.load(name)
    count = _table(game, players)
    own = tuple(types_of(dict.fromkeys(files), game).values())
    types = {one.id: one.help for one in game.policies} | {one.name: one.help for one in own}
    against = tuple(dict.fromkeys([*([FLOOR] if FLOOR in types else []), default_policy(game)]))
    run = Run(games=-(-games // count) * count, seed=seed)
    each = tuple(
        Contest(
            policy,
            other,
            Experiment(
                schema_version=SCHEMA_VERSION,
                game=name,
                title=game.title,
                players=(count,),
                run=run,
                lineup=Lineup(policies=(policy, *(other,) * (count - 1))),
                types=own,
            ),
        )
        for policy, other in product(types, against)
        if policy != other
    )
    return Contests(game, count, run, types, against, each)


def _table(game: Game, players: int | None) -> int:
    """How many sit at a table: at least two, or there is nobody to be compared with."""
    possible = [count for count in game.players if count > 1]
    if not possible:
        raise BalanceError(f"{game.title} is for one player; types of players need a table of two or more.")
    if players is None:
        return min(possible, key=lambda count: (abs(count - USUAL_PLAYERS), count))
    if players not in possible:
        raise BalanceError(
            f"Types of players of {game.title} meet at tables of {listed(possible)}, not {players}."
        )
    return players
