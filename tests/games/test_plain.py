"""Plain records and kernels on them: Python's integers, the same results, and no index out of bounds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from balance.engine import kernel
from balance.engine.kernels import interpreted
from balance.engine.plain import blank, copied, plain, plain_kernel, plain_params
from balance.engine.records import new_record, params_record
from balance.engine.rng import draw, rng_dtype
from balance.games.animalia import GAME
from balance.games.animalia.params import AnimaliaParams

SQUARES = np.array([0, 1, 4, 9], dtype=np.int64)
GRID = np.array([[1, 2], [3, 4]], dtype=np.int8)
LIMIT, SHIFT = np.int64(3), np.uint64(63)
DTYPE = np.dtype([("total", np.int64), ("cells", np.int16, 4), ("grid", np.int64, (2, 2))])


@kernel
def limit():  # type: ignore[no-untyped-def]
    """Bound to another kernel."""
    return LIMIT


@kernel
def tighter():  # type: ignore[no-untyped-def]
    """A limit of 2."""
    return 2


@kernel
def add_squares(record, n):  # type: ignore[no-untyped-def]
    """Uses constants of all kinds."""
    for i in range(min(n, limit())):
        record.cells[i] = SQUARES[i]
        record.total += np.int64(record.cells[i]) + GRID[1, 1]
        record.grid[0, 1] = np.int64(np.uint64(i) << SHIFT >> SHIFT)


def values(record: Any) -> list[Any]:
    """The fields as lists."""
    cells = [int(record.cells[i]) for i in range(4)]
    return [int(record.total), cells, [int(record.grid[i, j]) for i in range(2) for j in range(2)]]


@pytest.mark.parametrize("n", range(4))
@pytest.mark.parametrize(
    "bind", [[], [(limit, tighter)], [(LIMIT, np.int64(1))]], ids=["", "kernel", "number"]
)
def test_a_kernel_does_the_same_on_records_and_plain_records(n: int, bind: list[tuple[Any, Any]]) -> None:
    record, simple = new_record(DTYPE), blank(DTYPE)
    interpreted(add_squares, bind)(record, n)
    plain_kernel(add_squares, bind)(simple, n)
    assert values(simple) == values(record) == values(plain(record))
    assert {type(value) for value in (simple.total, *simple.cells.values(), *simple.grid.values())} == {int}


def test_an_index_out_of_bounds_is_an_error() -> None:
    with pytest.raises(KeyError):
        plain_kernel(add_squares, [(LIMIT, np.int64(5))])(blank(DTYPE), 5)
    with pytest.raises(KeyError):
        blank(DTYPE).cells[-1]


def test_there_are_no_fields_but_those_of_the_record() -> None:
    with pytest.raises(AttributeError):
        blank(DTYPE).totals = 1


def test_a_copy_shares_nothing() -> None:
    first = blank(DTYPE)
    second = copied(first)
    second.total, second.cells[0], second.grid[1, 1] = 5, 6, 7
    assert values(first) == [0, [0] * 4, [0] * 4]
    assert values(second) == [5, [6, 0, 0, 0], [0, 0, 0, 7]]
    assert values(blank(DTYPE)) == values(first)


def test_unsigned_numbers_wrap_round_as_they_do_compiled() -> None:
    record, simple = new_record(rng_dtype), blank(rng_dtype)
    for numbers in (record, simple):
        numbers.key_1, numbers.key_2, numbers.moment = (np.uint64(2**64 - k) for k in (1, 2, 3))
    assert plain_kernel(draw)(simple, 2) == interpreted(draw)(record, 2)


def test_rules_as_a_plain_record_are_those_of_the_record() -> None:
    params = AnimaliaParams.resolve(5, {"spy_depth": 7})
    record, simple = params_record(GAME, params), plain_params(GAME, params)
    assert plain_params(GAME, AnimaliaParams.resolve(5, {"spy_depth": 7})) is simple
    for name in record.dtype.names:
        there = np.asarray(record[name])
        here = getattr(simple, name)
        assert (list(here.values()) if isinstance(here, dict) else [here]) == there.ravel().tolist()


def test_nothing_is_written_out_of_bounds() -> None:
    """A cell that was not there would be memory of something else."""
    record = blank(DTYPE)
    name = next(name for name in record.__slots__ if isinstance(getattr(record, name), dict))
    for one in (record, copied(record), plain(np.zeros(1, DTYPE).view(np.recarray)[0])):
        cells = getattr(one, name)
        size = len(cells)
        for index in (size, -1):
            with pytest.raises(KeyError):
                cells[index] = 3
        cells[0] = 3
        assert (len(cells), cells[0]) == (size, 3)
