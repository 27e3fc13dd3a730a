"""From a game to a loop that plays it: binding, buffers, compiling, and calls for a range of games."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from balance.engine import banned, checked, playout
from balance.engine.banned import Ban
from balance.engine.faults import failed_kernel, illegal_action, uncompiled
from balance.engine.kernels import (
    Bindings,
    KernelError,
    compiled,
    fingerprint,
    interpreted,
    is_cached,
    jit_is_off,
    key_of,
)
from balance.engine.records import (
    KINDS,
    actions_dtype,
    new_record,
    params_dtype,
    params_record,
    record_and_words,
    row_dtype,
    weights_records,
)
from balance.engine.rng import rng_dtype
from balance.errors import BalanceError
from balance.game import MAX_SEATS, Game, GameParams, Policy

_PLACEHOLDERS = (playout.policy_0, playout.policy_1, playout.policy_2, playout.policy_3)
_KERNELS = ("setup", "legal_actions", "apply_action", "score", "tiebreak", "measure")
NOT_REACHED = np.int64(np.iinfo(np.int64).min)
"""In the marks: the round of the game was not played, or was its last one."""
_NOT_PLAYED = -2
"""In the column `turns` of a game that was not reached."""


def bindings(game: Game, policies: Sequence[Policy], *, bans: bool = False) -> list[tuple[Any, Any]]:
    """What stands in the place of the placeholders of `playout`; with `bans` in the loop for them (see `banned`)."""
    kernels = policy_kernels(game, policies)
    if len(kernels) > len(_PLACEHOLDERS):
        raise BalanceError(
            f"{game.title} has {len(kernels)} kinds of policies; there is room for {len(_PLACEHOLDERS)}."
        )
    bind = [(getattr(playout, name), getattr(game, name)) for name in _KERNELS]
    bind += [(_PLACEHOLDERS[i], kernels[min(i, len(kernels) - 1)]) for i in range(len(_PLACEHOLDERS))]
    bind += [
        (playout.MAX_PLIES, np.int64(game.bounds.plies)),
        (playout.N_SCALARS, np.int64(len(game.measures_of("game")))),
        (playout.N_SEAT_VALUES, np.int64(len(game.measures_of("seat")))),
    ]
    bind += checked.checks(game) if checked.is_foreign(game, kernels) else []
    return [*bind, *banned.restrictions(game, kernels)] if bans else bind


def policy_kernels(game: Game, policies: Sequence[Policy]) -> list[Any]:
    """The distinct kernels behind the game's own policies and these, so that all line-ups share one binary."""
    found: list[Any] = []
    for policy in (*game.policies, *policies):
        if policy.choose not in found:
            found.append(policy.choose)
    return found


def columns(game: Game, players: int) -> list[str]:
    """The names of the columns of a row, in order."""
    names = list(playout.FIXED_COLUMNS)
    for face in ("score", "rank", "win_share"):
        names += [f"{face}_{seat}" for seat in range(players)]
    names += [measure.id for measure in game.measures_of("game")]
    for measure in game.measures_of("seat"):
        names += [f"{measure.id}_{seat}" for seat in range(players)]
    return names


def sums_layout(game: Game) -> dict[str, tuple[int, tuple[int, ...]]]:
    """Where a curve or counter lies in the sums: its start and its shape."""
    found, at = {}, 0
    shapes = row_dtype(game)
    for kind in KINDS[2:]:
        for measure in game.measures:
            if measure.kind == kind:
                shape = shapes[measure.id].shape
                found[measure.id] = (at, shape)
                at += int(np.prod(shape))
    return found


def new_marks(games: int = 0, rounds: int = 0) -> np.ndarray[Any, Any]:
    """Room for the score and tiebreak of each seat at the end of each round: [game, round, face, seat]."""
    return np.full((games, rounds, 2, MAX_SEATS), NOT_REACHED, np.int64)


class Buffers:
    """The memory that one worker plays in; kernels allocate nothing. Marks are kept where there is room for them."""

    def __init__(self, game: Game) -> None:
        layout = row_dtype(game)
        start = len(game.measures_of("game")) + MAX_SEATS * len(game.measures_of("seat"))
        self.state, self.words = record_and_words(game.state_dtype)
        self.table, self.noise = new_record(rng_dtype), new_record(rng_dtype)
        self.actions = new_record(actions_dtype(game))
        self.ranking = np.zeros((4, MAX_SEATS), np.int64)
        self.row, self.row_words = record_and_words(layout)
        self.block_words = np.zeros(self.row_words.size - start, np.int64)
        self.marks = new_marks()

    @property
    def tuple(self) -> tuple[Any, ...]:
        """The buffers in the order in which `play_games` takes them."""
        return (
            self.state,
            self.words,
            self.table,
            self.noise,
            self.actions,
            self.ranking,
            self.row,
            self.row_words,
            self.block_words,
            self.marks,
        )

    @cached_property
    def for_bans(self) -> Any:
        """The same for the loop with bans, which has room for a copy of the state beside the actions."""
        state, words, table, noise, actions, *others = self.tuple
        other, other_words = record_and_words(state.dtype)
        return state, words, table, noise, (actions, words, other, other_words), *others


@dataclass(frozen=True)
class Table:
    """Who plays by which rules: the resolved rules and the policies by slot, one for each seat."""

    game: Game
    params: GameParams
    policies: tuple[Policy, ...]
    rotations: int
    ban: Ban | None = None
    """Who may not choose what, in the loop with bans (`banned.NOBODY`: everybody is free); None in the ordinary one."""

    @cached_property
    def record(self) -> Any:
        """The rules as kernels see them."""
        return params_record(self.game, self.params, self.ban.fields if self.ban else None)

    @cached_property
    def kinds(self) -> np.ndarray[Any, Any]:
        """Which of the bound policy kernels each slot uses."""
        kernels = policy_kernels(self.game, self.policies)
        return np.array([kernels.index(policy.choose) for policy in self.policies], np.int64)

    @cached_property
    def weights(self) -> Any:
        """The numbers of each slot's policy, one record for each slot."""
        return weights_records(self.policies, (*self.game.policies, *self.policies))


class Loop:
    """`play_games` bound to a game and its policies; to compile it may take seconds, to play holds no lock."""

    def __init__(
        self, game: Game, policies: Sequence[Policy], params: GameParams, *, bans: bool = False
    ) -> None:
        self._game, self._bans = game, bans
        self._bind: Bindings = bindings(game, policies, bans=bans)
        self._params = params
        self._kernels = policy_kernels(game, policies)
        self._is_foreign = checked.is_foreign(game, self._kernels)
        self._weights_dtype = weights_records((), (*game.policies, *policies)).dtype
        self.compile_seconds = 0.0

    @cached_property
    def fingerprint(self) -> str:
        """What this loop does, as 32 hex digits; BalanceError for kernels that cannot be compiled."""
        try:
            return fingerprint(playout.play_games, self._bind)
        except (KernelError, OSError) as error:
            raise self._uncompiled(error) from error

    @cached_property
    def _types(self) -> tuple[Any, ...]:
        from numba import from_dtype, int64, uint64
        from numba import types as numba_types

        types: Any = numba_types

        def array(dtype: Any, ndim: int = 1) -> Any:
            return types.Array(dtype, ndim, "C")

        state = from_dtype(self._game.state_dtype)
        row, rng = from_dtype(row_dtype(self._game)), from_dtype(rng_dtype)
        more = banned.NOBODY.fields if self._bans else None
        params = from_dtype(params_dtype(self._game, self._params, more))
        actions, weights = from_dtype(actions_dtype(self._game)), from_dtype(self._weights_dtype)
        vector, matrix = array(int64), array(int64, 2)
        actions = types.Tuple((actions, vector, state, vector)) if self._bans else actions
        marks = array(int64, 4)
        buffers = types.Tuple((state, vector, rng, rng, actions, matrix, row, vector, vector, marks))
        rows = array(types.int32, 2)
        return (int64, int64, int64, uint64, int64, params, vector, array(weights), buffers, rows, matrix)

    @cached_property
    def _key(self) -> str:
        return key_of(playout.play_games, self._types, self._bind, checked=self._is_foreign)

    def is_ready(self) -> bool:
        """Whether the compiled loop lies in the cache, so that `compile` takes no time."""
        return jit_is_off() or is_cached(self._game.id, self._key)

    def compile(self) -> None:
        """Compile the loop, or take it from the cache."""
        started = time.perf_counter()
        try:
            name = self._game.id
            self._play: Any = compiled(
                playout.play_games, name, self._types, self._bind, self._key, checked=self._is_foreign
            )
        except Exception as error:
            if not self._is_foreign:
                raise
            raise self._uncompiled(error) from error
        self.compile_seconds = time.perf_counter() - started

    def interpret(self) -> None:
        """Play in plain Python instead: slow, and equal to the last bit."""
        self._play = interpreted(playout.play_games, self._bind)

    def play(
        self,
        table: Table,
        seed: int,
        first: int,
        count: int,
        buffers: Buffers,
        sums: np.ndarray[Any, Any],
        again: int = 0,
    ) -> np.ndarray[Any, Any]:
        """Play `count` games from number `first`; returns their rows as int32 [column, game], adds to `sums`.

        Played `again`, with any number above 0, the deals are the same and the policies' random numbers others.
        """
        rows = np.empty((len(columns(self._game, table.params.players)), count), np.int32)
        memory = buffers.for_bans if self._bans else buffers.tuple
        arguments = (table.record, table.kinds, table.weights, memory, rows, sums)
        turns = rows[playout.FIXED_COLUMNS.index("turns")]
        turns[:] = _NOT_PLAYED
        try:
            self._play(first, count, table.rotations, np.uint64(seed), again, *arguments)
        except Exception as error:
            if not self._is_foreign or isinstance(error, MemoryError):
                raise
            self._look_for_illegal(first, turns)  # of two games that stop, the first is named
            game = first + int(np.argmax(turns == _NOT_PLAYED))
            is_compiled = hasattr(self._play, "py_func")
            raise failed_kernel(self._game.title, game, error, compiled=is_compiled) from error
        if self._is_foreign:
            self._look_for_illegal(first, turns)
        return rows

    def _look_for_illegal(self, first: int, turns: np.ndarray[Any, Any]) -> None:
        marked = np.flatnonzero(turns == checked.ILLEGAL)
        if marked.size:
            raise illegal_action(self._game.title, first + int(marked[0]))

    def _uncompiled(self, error: Exception) -> BalanceError:
        kernels = [*(getattr(self._game, name) for name in _KERNELS), *self._kernels]
        kernels += banned.kernels_of(self._game) if self._bans else []
        game = self._game
        records = {
            "state": game.state_dtype,
            "params": params_dtype(game, self._params),
            "row": row_dtype(game),
            "weights": self._weights_dtype,
        }
        fields = {name: record.names or () for name, record in records.items()}
        return uncompiled(game.title, kernels, fields, error)

    def new_sums(self) -> np.ndarray[Any, Any]:
        """Zeroed sums for the curves and counters: totals, squares and products with the value before."""
        return np.zeros((3, Buffers(self._game).block_words.size), np.int64)
