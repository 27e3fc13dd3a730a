"""Rules at their extremes: each parameter at each of its bounds or words, several at a time."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from balance.errors import RulesError
from balance.game import Game, GameParams, Size

Extreme = tuple[str, Any]
TOGETHER = 8
"""Parameters taken to an extreme at the same time, for each mode that a game has."""


def extreme_rules(game: Game, chance: random.Random) -> tuple[list[GameParams], list[Extreme]]:
    """Rules that together take each parameter to each extreme in every mode, and the extremes that no mode allows."""
    found: list[GameParams] = []
    impossible = extremes(game.Params)
    modes: list[str | None] = [mode.id for mode in game.modes]
    for mode in modes or [None]:
        sizes = [size for size in openings(game) if size[1] == mode]
        pairs = list(_in_mode(game, chance, sizes))
        found += [params for _, params in pairs if params]
        missed = [extreme for extreme, params in pairs if params is None]
        impossible = [extreme for extreme in impossible if extreme in missed]
    return found, impossible


def _in_mode(
    game: Game, chance: random.Random, sizes: Sequence[Size]
) -> Iterator[tuple[Extreme, GameParams | None]]:
    """Rules at tables of these sizes; None for an extreme that is impossible there."""
    waiting = extremes(game.Params)
    while waiting:
        chance.shuffle(waiting)
        first, *others = waiting
        params, reached = _first(game, chance, sizes, first)
        for name, value in others:
            if params and name not in reached and len(reached) < TOGETHER * max(1, len(game.modes)):
                more = resolved(game, size_of(params), {**reached, name: value})
                if more:
                    params, reached[name] = more, value
        yield first, params
        waiting = [(name, value) for name, value in waiting if name not in reached or reached[name] != value]


def extremes(kind: type[GameParams]) -> list[Extreme]:
    """Every rule at each of its bounds or words; a list, short or long and all of one of them."""
    found: list[Extreme] = []
    for name in kind.rule_names():
        is_switch = kind.model_fields[name].annotation is bool
        values = (False, True) if is_switch else kind.choices(name) or kind.bounds(name)
        found += [(name, value) for value in (_lists(kind, name) if kind.is_list(name) else values)]
    return found


def size_of(params: GameParams) -> Size:
    """The number of players and the mode of these rules."""
    return params.players, getattr(params, "mode", None)


_opened: dict[int, tuple[Game, dict[Size, dict[str, Any]]]] = {}


def openings(game: Game) -> dict[Size, dict[str, Any]]:
    """Every size of table at which the game can be played, with the rule, if any, that has to be changed for that."""
    if id(game) not in _opened:
        _opened[id(game)] = (game, _openings(game))
    return _opened[id(game)][1]


def _openings(game: Game) -> dict[Size, dict[str, Any]]:
    found: dict[Size, dict[str, Any]] = {size: {} for size in game.official_sizes}
    for size in game.all_sizes:
        for name, value in extremes(game.Params) if size not in found else ():
            if size not in found and resolved(game, size, {name: value}):
                found[size] = {name: value}
    return {size: found[size] for size in game.all_sizes if size in found}


def _lists(kind: type[GameParams], name: str) -> list[tuple[Any, ...]]:
    """A list at its extremes: of words, the first few or many; of numbers, all of them low or high."""
    words, lengths = kind.choices(name), sorted(set(kind.lengths(name)))
    if words:
        return [words[:length] for length in lengths]
    numbers = sorted({(number,) * length for number in kind.bounds(name) for length in lengths})
    return list(numbers)


def _first(
    game: Game, chance: random.Random, sizes: Sequence[Size], extreme: Extreme
) -> tuple[GameParams | None, dict[str, Any]]:
    """Rules with this extreme, for the first of the shuffled sizes of table that allow it.

    Where none does, other parameters that the refusal names are taken to an extreme as well.
    """
    for size in chance.sample(sizes, len(sizes)):
        for reached in (openings(game)[size] | dict([extreme]), *_with_companions(game, size, extreme)):
            params = resolved(game, size, reached)
            if params:
                return params, reached
    return None, dict([extreme])


def _with_companions(game: Game, size: Size, extreme: Extreme) -> Iterator[dict[str, Any]]:
    """The extreme beside every extreme of the parameters that a refusal of it names."""
    try:
        game.resolve(size, dict([extreme]))
    except RulesError as error:
        named = [
            name for name in game.Params.rule_names() if f'"{name}"' in error.message and name != extreme[0]
        ]
        ends = [[one for one in extremes(game.Params) if one[0] == name] for name in named]
        for companions in product(*ends):
            yield dict([extreme, *companions])


def resolved(game: Game, size: Size, changed: Mapping[str, Any]) -> GameParams | None:
    """The rules with these changes; None where they make no game."""
    try:
        return game.resolve(size, changed)
    except RulesError:
        return None
