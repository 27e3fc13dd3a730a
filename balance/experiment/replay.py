"""Playing one numbered game again, with its trace.

The kernels and the random numbers are those of the compiled loop, in plain Python. Nothing is compiled, so
nothing has to be loaded or waited for; a game takes milliseconds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from balance.engine import banned, playout, trace
from balance.engine.banned import Ban
from balance.engine.checked import is_foreign
from balance.engine.faults import PlayError, failed_kernel
from balance.engine.plain import blank, plain, plain_kernel, plain_params
from balance.engine.playing import Table, bindings, columns, new_marks
from balance.engine.records import actions_dtype, row_dtype
from balance.engine.rng import rng_dtype
from balance.experiment.umpire import IllegalActionError, Umpire
from balance.game import Game, GameParams, Policy


@dataclass(frozen=True)
class Replayed:
    """A game played again: its trace (empty for a game that has none) and its row, column by column."""

    events: list[dict[str, Any]]
    row: dict[str, int]


class _Bound:
    """The templates of `playout` bound to a game and its policies, and the tracer that listens just now."""

    def __init__(self, game: Game, policies: Sequence[Policy], bans: bool) -> None:
        self.held = (game, tuple(policies))  # keeps alive what the key of `_prepared` tells by identity
        self.tracer: Callable[..., None] | None = None
        bind = [
            *bindings(game, policies, bans=bans),
            (banned.copy_state, banned.copy_plain),
            (trace.note, self._note),
            (trace.TRACE, np.int64(game.tracer is not None)),
        ]
        self.is_foreign = is_foreign(game, [policy.choose for policy in policies])
        if self.is_foreign:
            bind.append((playout.choose, Umpire(game, bind, bans=bans)))
        self.play_one: Any = plain_kernel(playout.play_one, bind)
        self.rank_seats: Any = plain_kernel(playout.rank_seats, bind)
        self.measure: Any = plain_kernel(game.measure)
        self.write_row: Any = plain_kernel(playout.write_row, bind)

    def _note(self, *told: Any) -> None:
        if self.tracer is not None:
            self.tracer(*told)


_prepared: dict[tuple[int, ...], _Bound] = {}


def _bound(game: Game, policies: Sequence[Policy], bans: bool) -> _Bound:
    key = (id(game), bans, *(id(policy.choose) for policy in policies))
    if key not in _prepared:
        _prepared[key] = _Bound(game, policies, bans)
    return _prepared[key]


class Replayer:
    """Plays any game of one cell: rules, policies by slot (one for each seat), rotations, and what is banned, if the
    cell is of the loop with bans."""

    def __init__(
        self,
        game: Game,
        params: GameParams,
        policies_by_slot: Sequence[Policy],
        rotations: int,
        ban: Ban | None = None,
    ) -> None:
        """Prepare what all games of the cell have in common."""
        self._game, self._params, self._ban = game, params, ban
        self._policies, self._rotations = tuple(policies_by_slot), rotations
        self._bound = _bound(game, self._policies, ban is not None)
        table = Table(game, params, self._policies, rotations, ban)
        self._record = plain(table.record) if ban else plain_params(game, params)
        self._kinds = table.kinds.tolist()
        self._weights = [plain(weights) for weights in table.weights]
        self._columns = columns(game, params.players)

    def play(self, seed: int, number: int) -> Replayed:
        """Game `number` of the run with this seed; PlayError where a game of somebody else's cannot be played on."""
        block, rotation = divmod(number, self._rotations)
        tracer = self._tracer(seed, number, rotation)
        try:
            return self._play(seed, block, rotation, tracer)
        except Exception as error:
            if not self._bound.is_foreign or isinstance(error, MemoryError):
                raise
            found = self._explained(error, number)
            found.events = tracer.events if tracer is not None else []
            raise found from error

    def _explained(self, error: Exception, number: int) -> PlayError:
        if not isinstance(error, IllegalActionError):
            return failed_kernel(self._game.title, number, error)
        slot = (error.seat + number % self._rotations) % self._params.players
        who = f'the policy "{self._policies[slot].id}" in seat {error.seat + 1}'
        sentence = f"Game {number} of {self._game.title} stops: {who} {error.what}."
        return PlayError(sentence, f"The state was: {error.state}", number)

    def _play(self, seed: int, block: int, rotation: int, tracer: Any) -> Replayed:
        self._bound.tracer = tracer
        state, record = blank(self._game.state_dtype), self._record
        table, noise, actions = blank(rng_dtype), blank(rng_dtype), blank(actions_dtype(self._game))
        memory = (actions, None, blank(self._game.state_dtype), None) if self._ban else actions
        try:
            plies = self._bound.play_one(
                state,
                record,
                np.uint64(seed),
                block,
                rotation,
                0,
                self._kinds,
                self._weights,
                table,
                noise,
                memory,
                new_marks(),
                0,
            )
        finally:
            self._bound.tracer = None
        row = self._row(state, plies)
        if tracer is None:
            return Replayed([], row)
        tracer.finish(state, row)
        return Replayed(tracer.events, row)

    def _tracer(self, seed: int, number: int, rotation: int) -> Any:
        if self._game.tracer is None:
            return None
        seats = range(self._params.players)
        names = [self._policies[(seat + rotation) % self._params.players].id for seat in seats]
        return self._game.tracer(self._params, number, seed, names)

    def _row(self, state: Any, plies: int) -> dict[str, int]:
        """The row as the compiled loop writes it, by the same kernels."""
        ranking: dict[tuple[int, int], int] = {}
        self._bound.rank_seats(state, self._record, ranking)
        measured = blank(row_dtype(self._game))
        shares = {seat: ranking[2, seat] for seat in range(self._params.players)}
        self._bound.measure(state, self._record, shares, measured)
        values = [getattr(measured, name) for name in measured.__slots__]
        words = [
            word for value in values for word in (value.values() if isinstance(value, dict) else [value])
        ]
        rows: dict[tuple[int, int], int] = {}
        self._bound.write_row(rows, 0, state, self._record, plies, ranking, words)
        return {name: int(rows[column, 0]) for column, name in enumerate(self._columns)}


def explained(error: PlayError, table: Table, seed: int) -> PlayError:
    """What went wrong in a game that the loop gave up, found by playing it again in plain Python."""
    if error.game is None:
        return error
    try:
        Replayer(table.game, table.params, table.policies, table.rotations, table.ban).play(seed, error.game)
    except PlayError as found:
        return found
    return PlayError(f"{error.message} Played in plain Python it does not.", error.hint, error.game)


def replay(
    game: Game, params: GameParams, policies_by_slot: Sequence[Policy], rotations: int, seed: int, number: int
) -> Replayed:
    """Game `number` of the run with this seed, played again; for several games of one cell use a Replayer."""
    return Replayer(game, params, policies_by_slot, rotations).play(seed, number)
