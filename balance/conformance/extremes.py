"""Rules at their extremes: each parameter at each of its bounds or words, several at a time."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from balance.errors import RulesError
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
        params, reached = _first(game, chance, first)
        for name, value in others:
            if params and name not in reached and len(reached) < TOGETHER:
                more = resolved(game, params.players, {**reached, name: value})
                if more:
                    params, reached[name] = more, value
        yield first, params
        waiting = [(name, value) for name, value in waiting if name not in reached or reached[name] != value]


def extremes(kind: type[GameParams]) -> list[Extreme]:
    """Every parameter but `players` at each of its bounds or words; a list, short or long and all of one of them."""
    found: list[Extreme] = []
    for name, field in kind.model_fields.items():
        if name != "players":
            values = (False, True) if field.annotation is bool else kind.choices(name) or kind.bounds(name)
            found += [(name, value) for value in (_lists(kind, name) if kind.is_list(name) else values)]
    return found


def _lists(kind: type[GameParams], name: str) -> list[tuple[Any, ...]]:
    """A list at its extremes: of words, the first few or many; of numbers, all of them low or high."""
    words, lengths = kind.choices(name), sorted(set(kind.lengths(name)))
    if words:
        return [words[:length] for length in lengths]
    numbers = sorted({(number,) * length for number in kind.bounds(name) for length in lengths})
    return list(numbers)


def _first(game: Game, chance: random.Random, extreme: Extreme) -> tuple[GameParams | None, dict[str, Any]]:
    """Rules with this extreme, for the first of the shuffled numbers of players that allow it.

    Where none does, other parameters that the refusal names are taken to an extreme as well.
    """
    shuffled = chance.sample(list(game.players), len(game.players))
    for players in shuffled:
        for reached in (dict([extreme]), *_with_companions(game, players, extreme)):
            params = resolved(game, players, reached)
            if params:
                return params, reached
    return None, dict([extreme])


def _with_companions(game: Game, players: int, extreme: Extreme) -> Iterator[dict[str, Any]]:
    """The extreme beside every extreme of the parameters that a refusal of it names."""
    try:
        game.Params.resolve(players, dict([extreme]))
    except RulesError as error:
        named = [
            name for name in game.Params.model_fields if f'"{name}"' in error.message and name != extreme[0]
        ]
        ends = [[one for one in extremes(game.Params) if one[0] == name] for name in named]
        for companions in product(*ends):
            yield dict([extreme, *companions])


def resolved(game: Game, players: int, changed: Mapping[str, Any]) -> GameParams | None:
    """The rules with these changes; None where they make no game."""
    try:
        return game.Params.resolve(players, changed)
    except RulesError:
        return None
