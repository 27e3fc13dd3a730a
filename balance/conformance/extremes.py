"""Rules at their extremes: each parameter at each of its bounds or words, several at a time."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Any

from balance.errors import BalanceError
from balance.game import Game, GameParams

Extreme = tuple[str, Any]
TOGETHER = 8
"""Parameters taken to an extreme at the same time."""


def extreme_rules(game: Game, chance: random.Random) -> Iterator[tuple[Extreme, GameParams | None]]:
    """Rules that together take each parameter to each extreme; None for an extreme that is impossible."""
    waiting = extremes(game.Params)
    while waiting:
        chance.shuffle(waiting)
        first, *others = waiting
        params = _first(game, chance, first)
        reached = dict([first])
        for name, value in others:
            if params and name not in reached and len(reached) < TOGETHER:
                more = _resolved(game, params.players, {**reached, name: value})
                if more:
                    params, reached[name] = more, value
        yield first, params
        waiting = [(name, value) for name, value in waiting if name not in reached or reached[name] != value]


def extremes(kind: type[GameParams]) -> list[Extreme]:
    """Every parameter but `players` at each of its bounds, or at each of its words."""
    found: list[Extreme] = []
    for name, field in kind.model_fields.items():
        if name != "players":
            values = (False, True) if field.annotation is bool else kind.choices(name) or kind.bounds(name)
            found += [(name, value) for value in values]
    return found


def _first(game: Game, chance: random.Random, extreme: Extreme) -> GameParams | None:
    """Rules with this extreme, for the first of the shuffled numbers of players that allow it."""
    for players in chance.sample(list(game.players), len(game.players)):
        params = _resolved(game, players, dict([extreme]))
        if params:
            return params
    return None


def _resolved(game: Game, players: int, changed: Mapping[str, Any]) -> GameParams | None:
    try:
        return game.Params.resolve(players, changed)
    except BalanceError:
        return None
