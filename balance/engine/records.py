"""The records that kernels work on: numpy structured scalars, one integer type, fields read by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from balance.game import COUNTER_FACES, MAX_SEATS, Game, GameParams, Policy

HEADER = ("seat", "round_number", "turn", "step", "turns", "over")
"""What every state begins with: who is to act, the moment (round from 0, turn in the round, decision in the turn),
the turns played so far in the game, and whether the game is over (0: not yet, 1: over, or one of the three below)."""
VOID_OVER = 2
"""In `over`: the game has ended by its rules and is void, so it is not ranked and enters no mean."""
CAPPED_OVER = 3
"""In `over`: the game has ended at a cap that its rules set and is ranked; it enters every mean, and is counted."""
LOST_OVER = 4
"""In `over`: the game has ended and has scores, and nobody wins it: a goal was missed."""
_ROOM = 2


def state_dtype(*fields: tuple[str, Any] | tuple[str, Any, Any]) -> np.dtype[Any]:
    """The dtype of a game's state: the header, then the game's own fields."""
    return np.dtype([(name, np.int64) for name in HEADER] + [tuple(field) for field in fields])


def new_record(dtype: np.dtype[Any]) -> Any:
    """A zeroed record whose fields are attributes."""
    return np.zeros(1, dtype).view(np.recarray)[0]


def record_and_words(dtype: np.dtype[Any]) -> tuple[Any, np.ndarray[Any, Any]]:
    """A zeroed record, and the same memory as int64 words (the record's size is a multiple of 8)."""
    memory = np.zeros(1, dtype)
    return memory.view(np.recarray)[0], memory.view(np.int64)


def params_dtype(game: Game, params: GameParams, more: dict[str, int] | None = None) -> np.dtype[Any]:
    """One int64 field for each parameter and for each of `more`, one array for each of the game's derived tables."""
    return _dtype_of(_values(game, params) | (more or {}))


def params_record(game: Game, params: GameParams, more: dict[str, int] | None = None) -> Any:
    """The rules as kernels see them."""
    values = _values(game, params) | (more or {})
    record = new_record(_dtype_of(values))
    for name, value in values.items():
        record[name] = value
    return record


def _values(game: Game, params: GameParams) -> dict[str, Any]:
    tables = game.tables_of(params)
    return {**params.codes(), **{name: np.asarray(table) for name, table in tables.items()}}


def _dtype_of(values: Mapping[str, Any]) -> np.dtype[Any]:
    shapes = {name: (getattr(value, "dtype", np.int64), np.shape(value)) for name, value in values.items()}
    return np.dtype([(name, dtype, shape) for name, (dtype, shape) in shapes.items()])


KINDS = ("game", "seat", "curve", "counter")
"""The order of measures in a row: what has a column of its own comes first."""


def row_dtype(game: Game) -> np.dtype[Any]:
    """What `measure` writes for a game: scalars, values per seat, curves (round, seat), counters (item, face)."""
    shapes: dict[str, tuple[int, ...]] = {}
    for measure in sorted(game.measures, key=lambda measure: KINDS.index(measure.kind)):
        if measure.kind == "seat":
            shapes[measure.id] = (MAX_SEATS,)
        elif measure.kind == "curve":
            shapes[measure.id] = (measure.rounds, MAX_SEATS)  # type: ignore[attr-defined]
        elif measure.kind == "counter":
            shapes[measure.id] = (len(measure.items), len(COUNTER_FACES))  # type: ignore[attr-defined]
        else:
            shapes[measure.id] = ()
    return np.dtype([(name, np.int64, shape) for name, shape in shapes.items()])


def actions_dtype(game: Game) -> np.dtype[Any]:
    """The list that `legal_actions` fills: field `code`, with room for more than there may be, so that a game that
    lists too many can be told so."""
    return np.dtype([("code", np.int64, _ROOM * game.bounds.actions)])


def weights_records(policies: Sequence[Policy], known: Sequence[Policy]) -> Any:
    """The numbers of each of `policies`, one record for each slot, with a field for every name used in `known`."""
    names = sorted({name for policy in known for name in policy.weights})
    records = np.zeros(len(policies), np.dtype([(name, np.int64) for name in ["temperature", *names]])).view(
        np.recarray
    )
    for record, policy in zip(records, policies, strict=True):
        for name, value in {"temperature": policy.temperature, **policy.weights}.items():
            record[name] = value
    return records
