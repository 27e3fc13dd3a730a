"""Compiled games: equal to those in plain Python to the last bit, and many of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from balance.conformance.again import played
from balance.conformance.extremes import extremes, openings, resolved
from balance.conformance.idle import idle
from balance.conformance.violation import Violation
from balance.conformance.watch import SEED, in_words, line_up
from balance.engine.checked import is_foreign
from balance.engine.faults import IllegalError, PlayError
from balance.engine.playing import Buffers, Loop, Table, columns
from balance.engine.playout import TRUNCATED
from balance.errors import BalanceError, GameCodeError
from balance.game import Game, GameParams

Rows = np.ndarray[Any, Any]
_GAMES_ALONE = 100


def compiled(
    game: Game, rule_sets: Sequence[GameParams], rows: Sequence[Mapping[str, int]], games: int
) -> Iterator[Violation]:
    """What differs from the watched games (`rows`, one for each set of rules), and what many games show.

    `games` are played for each number of players, rounded up to whole rotations of the line-up.
    """
    loop, slow = (Loop(game, game.policies, rule_sets[0]) for _ in range(2))
    slow.interpret()
    try:
        loop.compile()
    except BalanceError as error:
        yield Violation("compiled", error.message)
        return
    for number, (params, row) in enumerate(zip(rule_sets, rows, strict=True)):
        table = Table(game, params, tuple(line_up(game, params.players, number)), 1)
        again = played(loop, table, SEED, number, 1)[:, 0].tolist()
        for name, value in zip(columns(game, params.players), again, strict=True):
            if value != row[name]:
                yield Violation("compiled", f"Compiled, {name} of game {number} is {value}, not {row[name]}.")
    if is_foreign(game, [policy.choose for policy in game.policies]):
        found = list(_alone(game, loop, games))
        yield from found
        if found:
            return
    yield from idle(game, loop, rule_sets, games)
    for size, opened in openings(game).items():
        players = size[0]
        slots = tuple(line_up(game, players, 0))
        table = Table(game, game.resolve(size, opened), slots, players)
        count = -(-games // players) * players
        yield from _many(table, loop, slow, count)
        yield from _left_over(table, loop, count)


def _alone(game: Game, loop: Loop, games: int) -> Iterator[Violation]:
    """Each parameter at each extreme, all others official, with every number of players: what is a little too short
    for some rules shows there. Our own games are proven by tests."""
    for size, opened in openings(game).items():
        players = size[0]
        for name, value in extremes(game.Params):
            params = resolved(game, size, {**opened, name: value})
            if params is not None:
                where = f"[{in_words(params)}, {name} {value}]"
                table = Table(game, params, tuple(line_up(game, players, 0)), 1)
                try:
                    rows = played(loop, table, SEED, 0, min(games, _GAMES_ALONE))
                except PlayError as error:
                    yield Violation(rule_of(error), f"{error.message} {where}")
                    continue
                by_name = dict(zip(columns(game, players), rows, strict=True))
                yield from (
                    Violation(rule, f"{sentence} {where}") for rule, sentence in _wrong(game, by_name)
                )


def rule_of(error: BalanceError) -> str:
    """The rule of the kit that a game breaks which cannot be played on."""
    if isinstance(error, GameCodeError):
        return "functions"
    return "policies" if isinstance(error, IllegalError) else "runs"


def _many(table: Table, loop: Loop, slow: Loop, count: int) -> Iterator[Violation]:
    """Many games of one number of players, by the official rules."""
    players = table.params.players
    rows = played(loop, table, SEED + 1, 0, count)
    if (rows != played(loop, table, SEED + 1, 0, count)).any():
        yield Violation("repeatable", f"The same seed gave different games with {in_words(table.params)}.")
    if (rows[:, :players] != played(slow, table, SEED + 1, 0, players)).any():
        yield Violation("compiled", f"Compiled and interpreted games differ with {in_words(table.params)}.")
    by_name = dict(zip(columns(table.game, players), rows, strict=True))
    for rule, sentence in _wrong(table.game, by_name):
        yield Violation(rule, f"{sentence} [{in_words(table.params)}]")


def _left_over(table: Table, loop: Loop, count: int) -> Iterator[Violation]:
    """The same games block by block from the last to the first, in memory that is used again."""
    buffers, block = Buffers(table.game), table.rotations
    firsts = reversed(range(0, count, block))
    again = [loop.play(table, SEED + 1, first, block, buffers, loop.new_sums()) for first in firsts]
    if (np.concatenate(again[::-1], axis=1) != played(loop, table, SEED + 1, 0, count)).any():
        what = "Games come out otherwise when others were played before"
        yield Violation("leftovers", f"{what} [{in_words(table.params)}].")


def _wrong(game: Game, rows: Mapping[str, Rows]) -> Iterator[tuple[str, str]]:
    stopped = rows["ended"] == TRUNCATED
    if game.capped_by_rules:
        stopped &= rows["plies"] >= game.bounds.plies
    if stopped.any():
        yield "ends", f"A game was not over after {game.bounds.plies} plies, the most by its bounds."
    for name in ("rounds", "turns"):
        if rows[name].max() > getattr(game.bounds, name):
            yield "bounds", f'There were {rows[name].max()} {name}, more than the bound "{name}".'
    for measure in game.measures_of("game"):
        if measure.share and not set(rows[measure.id].tolist()) <= {0, 1}:
            yield "measures", f"{measure.id} is a share, so it must be 0 or 1 in each game."
