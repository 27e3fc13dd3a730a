"""A parameter that is read and yet changes nothing: nobody could ever see an effect of it."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np

from balance.conformance.again import played
from balance.conformance.extremes import extremes, openings, resolved, size_of
from balance.conformance.violation import Violation
from balance.conformance.watch import SEED, line_up
from balance.engine.playing import Loop, Table
from balance.game import Game, GameParams

LEAST = 100
MIXTURES, ONE_IN = 200, 7
Played = tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]


def idle(game: Game, loop: Loop, rule_sets: Sequence[GameParams], games: int) -> Iterator[Violation]:
    """Parameters that change no game, neither of the official rules nor of any others that were played.

    Each parameter is moved to its extremes within each of `rule_sets`, and then within many mixtures of extremes,
    as some rules matter only beside others. Few games say nothing about a rule that matters rarely, and nothing can be
    said of a list of which no other value makes a game.
    """
    if games < LEAST:
        return
    known: dict[GameParams, Played] = {}

    def play(params: GameParams) -> Played:
        if params not in known:
            table = Table(game, params, tuple(line_up(game, params.players, 0)), 1)
            sums = loop.new_sums()
            known[params] = played(loop, table, SEED, 0, games, sums), sums
        return known[params]

    gates = {name for opened in openings(game).values() for name in opened}
    for name, values in _extremes(game.Params).items():
        if name in gates:
            continue  # it decides at which tables the game can be played
        bases = chain(rule_sets, mixtures(game, random.Random(name)))
        moves = [*values, *_near_zero(game.Params, name)]
        pairs = ((base, moved) for base in bases for moved in _moved(game, base, name, moves))
        first = next(pairs, None)
        if first is None and game.Params.is_list(name):
            continue
        if not any(
            _differ(play(base), play(moved)) for base, moved in chain([first] if first else [], pairs)
        ):
            sentence = f'"{name}" changed nothing in {games} games, whatever the other rules were.'
            yield Violation("parameters", sentence)


def mixtures(game: Game, chance: random.Random) -> Iterator[GameParams]:
    """Rules in which chance takes one parameter in `ONE_IN` to an extreme."""
    at_extremes = _extremes(game.Params)
    for _ in range(MIXTURES):
        drawn = {name: chance.choice(values) for name, values in at_extremes.items()}
        changed = {name: value for name, value in drawn.items() if chance.randrange(ONE_IN) == 0}
        params = resolved(game, chance.choice(list(openings(game))), changed)
        if params is not None:
            yield params


def _extremes(kind: type[GameParams]) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for name, value in extremes(kind):
        found.setdefault(name, []).append(value)
    return found


def _near_zero(kind: type[GameParams], name: str) -> list[int]:
    """One above a lowest value of 0, which may stand for no limit, as may one that is too high to be met."""
    is_number = kind.model_fields[name].annotation is int
    return [1] if is_number and kind.bounds(name)[0] == 0 and kind.bounds(name)[1] > 1 else []


def _moved(game: Game, base: GameParams, name: str, values: Sequence[Any]) -> Iterator[GameParams]:
    """The rules with other values of one parameter, where that makes a game."""
    size = size_of(base)
    official = game.resolve(size, openings(game)[size])
    changed = {key: value for key, value in base if value != getattr(official, key)} | openings(game)[size]
    for value in values:
        if value != getattr(base, name):
            params = resolved(game, size, {**changed, name: value})
            if params is not None:
                yield params


def _differ(one: Played, other: Played) -> bool:
    return any(not np.array_equal(a, b) for a, b in zip(one, other, strict=True))
