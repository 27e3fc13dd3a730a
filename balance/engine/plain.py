"""Kernels in plain Python, several times faster than on records: for replays, referees and debugging.

A numpy record hands out every field as a numpy number, and arithmetic on those is slow outside compiled
code. Here a record is an object with one attribute for each field: a Python integer, or a dictionary from
index to integer. The arrays that kernels look things up in become dictionaries as well, so an index out of
bounds, which our own compiled games do not notice, is a KeyError.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

import numpy as np

from balance.engine.kernels import Bindings, global_names, interpreted, is_kernel
from balance.engine.records import params_record
from balance.game import Game, GameParams

F = TypeVar("F", bound=Callable[..., Any])


class Cells(dict[Any, int]):
    """An array as a dictionary from index to number, in which nothing can be written that was not there."""

    def __setitem__(self, index: Any, value: int) -> None:
        """Write one number; KeyError for an index out of bounds."""
        if index not in self:
            raise KeyError(index)
        dict.__setitem__(self, index, value)


class _Integers:
    """Stands in the place of numpy: the signed types are Python's integer, all else is numpy's own."""

    int64 = int32 = int16 = int8 = int
    uint64 = np.uint64

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)


_INTEGERS = _Integers()


def plain_kernel(fn: F, bind: Bindings = ()) -> F:
    """A copy of `fn`, and of all it reaches, that works on plain records; `bind` as for `interpreted`."""
    return interpreted(fn, [*bind, *_plain_constants(fn, bind)], free=True)


def _plain_constants(fn: Any, bind: Bindings) -> list[tuple[Any, Any]]:
    """Pairs for every numpy constant that `fn` reaches: what stands there, and Python's own value for it."""
    bound = {id(placeholder): value for placeholder, value in bind}
    pairs, seen, waiting = [], set(), [fn]
    while waiting:
        current = waiting.pop()
        if current in seen:
            continue
        seen.add(current)
        for name in global_names(current.__code__):
            stands = current.__globals__.get(name)
            value = bound.get(id(stands), stands)
            if is_kernel(value):
                waiting.append(value)
            elif value is np or isinstance(value, (np.ndarray, np.signedinteger)):
                pairs.append((stands, _INTEGERS if value is np else _plain_value(value)))
    return pairs


def _plain_value(value: Any) -> Any:
    """Python integers for signed numbers, numpy's own for unsigned ones; of an array a dictionary of them."""
    if not isinstance(value, np.ndarray) or value.ndim == 0:
        return value.item() if value.dtype.kind == "i" else value[()]
    entries = value.ravel().tolist() if value.dtype.kind == "i" else list(value.ravel())
    keys = range(value.size) if value.ndim == 1 else np.ndindex(value.shape)
    return Cells(zip(keys, entries, strict=True))


@cache
def _template(dtype: np.dtype[Any]) -> tuple[Any, tuple[tuple[str, Any], ...]]:
    """The class of a plain record (no attributes but the fields) and its fields with zeros."""
    zero = np.zeros((), dtype)
    names = tuple(dtype.names or ())
    fields = tuple((name, _plain_value(np.asarray(zero[name]))) for name in names)
    return type("PlainRecord", (), {"__slots__": names}), fields


def blank(dtype: np.dtype[Any]) -> Any:
    """A zeroed plain record."""
    kind, fields = _template(dtype)
    new = kind()
    for name, value in fields:
        setattr(new, name, Cells(value) if type(value) is Cells else value)
    return new


def plain(record: Any) -> Any:
    """A numpy record as a plain one."""
    new = blank(record.dtype)
    for name in record.dtype.names:
        setattr(new, name, _plain_value(np.asarray(record[name])))
    return new


def copied(record: Any) -> Any:
    """A plain record that shares nothing with this one."""
    new = type(record)()
    for name in record.__slots__:
        value = getattr(record, name)
        setattr(new, name, Cells(value) if type(value) is Cells else value)
    return new


_KEPT = 32
_rules: dict[tuple[int, GameParams], tuple[Game, Any]] = {}


def plain_params(game: Game, params: GameParams) -> Any:
    """The rules as kernels see them, as a plain record; the last few are kept, as their tables take time."""
    key = (id(game), params)
    if key not in _rules:
        while len(_rules) >= _KEPT:
            del _rules[next(iter(_rules))]
        _rules[key] = (game, plain(params_record(game, params)))
    return _rules[key][1]
