"""Kernels and their fingerprints: what does the same has the same, and what could differ has another."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from numba import int64, types

from balance.engine import cache, kernel, playout
from balance.engine.cache import cache_key
from balance.engine.frontend import answers_kept
from balance.engine.kernels import (
    KernelError,
    _no_collection,
    code_digest,
    compiled,
    fingerprint,
    interpreted,
    is_kernel,
)
from balance.engine.playing import bindings
from engine import toy
from engine.packages import Packages


@pytest.fixture
def packages(tmp_path: Path) -> Iterator[Packages]:
    found = Packages(tmp_path)
    yield found
    found.forget()


# ---------------------------------------------------------------- marking


@kernel
def plus(a, b):
    """Plain Python."""
    return a + b


@kernel(inline=True)
def times(a, b):
    """Inlined at every call."""
    return a * b


def test_a_kernel_stays_a_plain_function() -> None:
    assert plus(2, 3) == 5
    assert times(2, 3) == 6
    assert is_kernel(plus)
    assert is_kernel(times)
    assert not is_kernel(int)


# ---------------------------------------------------------------- equal fingerprints


def test_the_same_source_twice_has_the_same_fingerprint(packages: Packages) -> None:
    first, second = packages.load(), packages.load()
    assert first.total is not second.total
    assert fingerprint(first.total) == fingerprint(second.total)
    assert code_digest(first.total) == code_digest(second.total)


@pytest.mark.parametrize(
    "edits",
    [
        {("top", "  # each value"): "  # another comment"},
        {("top", '"""The sum of some values."""'): '"""Something else."""'},
        {("top", '    """The sum of some values."""\n'): ""},
        {("top", "    found = 0"): "\n    found = (\n        0\n    )"},
        {("far", "def worth(value):"): 'def worth(value):\n    """New."""'},
        {("far", "    return value\n"): "    return value + 1\n"},
        {("numbers", "UNRELATED = 1"): "UNRELATED = 2"},
        {("numbers", "BONUS = 3"): "BONUS = 2 + 1"},
        {("near", "from edited_game.far import worth"): "from edited_game.far import not_reached, worth"},
        {("top", "def other(value):\n    return 7"): "def other(value):\n    return 8"},
    ],
    ids=[
        "comment",
        "docstring",
        "docstring removed",
        "layout",
        "docstring far away",
        "a kernel not reached",
        "a constant not read",
        "a constant spelled otherwise",
        "an import not used",
        "the neighbour",
    ],
)
def test_what_changes_nothing_keeps_the_fingerprint(
    packages: Packages, edits: dict[tuple[str, str], str]
) -> None:
    before, after = packages.load(), packages.load(edits)
    assert fingerprint(before.total) == fingerprint(after.total)
    assert code_digest(before.total) == code_digest(after.total)


# ---------------------------------------------------------------- different fingerprints


@pytest.mark.parametrize(
    "edits",
    [
        {("top", "twice(i)"): "twice(i + 1)"},
        {("near", "2 * worth"): "3 * worth"},
        {("far", "TABLE[value % 3] + BONUS"): "TABLE[value % 3] - BONUS"},
        {("far", "@kernel\ndef worth"): "@kernel(inline=True)\ndef worth"},
        {("numbers", "BONUS = 3"): "BONUS = 4"},
        {("numbers", "BONUS = 3"): "BONUS = np.int32(3)"},
        {("numbers", "[1, 2, 4]"): "[1, 2, 5]"},
        {("numbers", "[1, 2, 4]"): "[1, 2, 4, 8]"},
        {("numbers", "dtype=np.int64"): "dtype=np.int32"},
        {("numbers", "UNRELATED = 1"): "UNRELATED = 1\nBONUS = 4"},
        {("far", "import BONUS, TABLE"): "import UNRELATED as BONUS, TABLE"},
        {("near", "import worth"): "import not_reached as worth"},
    ],
    ids=[
        "itself",
        "one file away",
        "two files away",
        "inlined",
        "constant",
        "type of a constant",
        "entry of a table",
        "length of a table",
        "type of a table",
        "constant set again",
        "another constant by the same name",
        "another kernel by the same name",
    ],
)
def test_what_could_change_results_changes_the_fingerprint(
    packages: Packages, edits: dict[tuple[str, str], str]
) -> None:
    before, after = packages.load(), packages.load(edits)
    assert fingerprint(before.total) != fingerprint(after.total)


def test_an_edit_undone_has_the_old_fingerprint(packages: Packages) -> None:
    before = fingerprint(packages.load().total)
    assert fingerprint(packages.load({("numbers", "BONUS = 3"): "BONUS = 4"}).total) != before
    assert fingerprint(packages.load().total) == before


def test_a_file_edited_after_it_was_loaded(packages: Packages) -> None:
    """The text has changed, the code has not: the key holds both, so neither version's file is taken."""
    top = packages.load()
    far = Path(sys.modules["edited_game.far"].__file__ or "")
    loaded = fingerprint(top.total), code_digest(top.total)
    far.write_text(far.read_text("utf-8").replace("+ BONUS", "- BONUS"), "utf-8")
    assert code_digest(top.total) == loaded[1]
    assert code_digest(packages.load({("far", "+ BONUS"): "- BONUS"}).total) != loaded[1]


# ---------------------------------------------------------------- bindings


def test_binding_is_by_identity_and_part_of_the_fingerprint(packages: Packages) -> None:
    top = packages.load()
    bound = fingerprint(top.total, [(top.placeholder, top.other)])
    assert bound != fingerprint(top.total)
    assert bound == fingerprint(top.total, [(top.placeholder, top.other)])
    assert interpreted(top.total, [(top.placeholder, top.other)])(5) == top.total(5) + 35
    assert interpreted(top.total, [(top.other, top.placeholder)])(5) == top.total(5)


def test_no_two_bindings_of_the_loop_share_a_key() -> None:
    """Each placeholder that the loop reaches bound to something else, and two of them exchanged."""
    bind = bindings(toy.GAME, toy.GAME.policies)
    versions = [bind]
    for i, (placeholder, value) in enumerate(bind):
        replaced = any(placeholder is later for later, _ in bind[i + 1 :])
        if not replaced and placeholder is not playout.legal_actions:  # policies ask for the list themselves
            other: Any = value + 1 if isinstance(value, np.integer) else toy.deal
            versions.append([*bind[:i], (placeholder, other), *bind[i + 1 :]])
    versions.append([*bind, (playout.policy_0, toy.choose_careful), (playout.policy_1, toy.choose_any)])
    versions.append([*bind, (playout.score, toy.tiebreak), (playout.tiebreak, toy.score)])
    assert len({fingerprint(playout.play_games, version) for version in versions}) == len(versions)


def test_the_key_tells_types_code_and_source_apart() -> None:
    keys = {
        cache_key(source, code, signature)
        for source in ("a", "b")
        for code in ("a", "b")
        for signature in ((int64,), (int64, int64), (types.int32,))
    }
    assert len(keys) == 12


# ---------------------------------------------------------------- refusals

NUMBERS = [1, 2, 3]
LOOKUP = {1: 2}


@kernel
def reads_a_list(i):
    return NUMBERS[i]


@kernel
def reads_a_dictionary(i):
    return LOOKUP[i]


@kernel
def reads_an_undefined_name(i):
    return i + nowhere_to_be_found  # type: ignore[name-defined]  # noqa: F821


@kernel
def calls_into_a_module(i):
    return toy.may_change(i, i)


def not_a_kernel(i: int) -> int:
    return i


@kernel
def calls_a_function(i):
    return not_a_kernel(i)


@kernel
def holds_a_function(i):
    def inner(j: int) -> int:
        return j

    return inner(i)


@kernel
def holds_a_generator(i):
    return sum(j for j in range(i))


def factory(step: int) -> Callable[[int], int]:
    @kernel
    def closure(i):
        return i + step

    return closure


@kernel
def reaches_a_refusal(i):
    return reads_a_list(i)


nameless = kernel(lambda i: i)


def with_default(step: int) -> Any:
    """A kernel whose default is worked out when it is made: its value stands nowhere in the source."""

    def adds(i: int, more: int = step) -> int:
        return i + more

    return kernel(adds)


@kernel
def twin(i):
    return i


first_twin = twin


@kernel
def twin(i):
    return i + 1


second_twin = twin


@kernel
def prints(i):
    print(i)
    return i


@kernel
def calls_twins(i):
    return first_twin(i) * second_twin(i)


@pytest.mark.parametrize(
    ("fn", "named"),
    [
        (reads_a_list, "NUMBERS"),
        (reads_a_dictionary, "LOOKUP"),
        (reads_an_undefined_name, "nowhere_to_be_found"),
        (calls_into_a_module, "toy"),
        (calls_a_function, "not_a_kernel"),
        (prints, "print"),  # compiled, it waits for Python while the loop runs without it: for ever
        (holds_a_function, "holds_a_function"),
        (holds_a_generator, "holds_a_generator"),
        (factory(1), "closure"),
        (nameless, "lambda"),
        (reaches_a_refusal, "NUMBERS"),
        (with_default(1), "adds"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_what_has_no_identity_is_refused(fn: Any, named: str) -> None:
    for attempt in (
        lambda: fingerprint(fn),
        lambda: interpreted(fn),
        lambda: compiled(fn, "refused", (int64,)),
    ):
        with pytest.raises(KernelError, match=named):
            attempt()


def test_two_kernels_of_one_name_have_no_fingerprint() -> None:
    """Constants and code are told apart by the names of modules and functions, so these must be unique."""
    with pytest.raises(KernelError, match="twin"):
        fingerprint(calls_twins)


def test_a_tracer_is_admitted_where_nothing_is_kept() -> None:
    heard: list[int] = []
    bound = interpreted(plus_and_tell, [(tell, heard.append)], free=True)
    assert bound(2, 3) == 5
    assert heard == [5]
    with pytest.raises(KernelError):
        interpreted(plus_and_tell, [(tell, heard.append)])


@kernel
def tell(value):
    """Bound to a listener."""


@kernel
def plus_and_tell(a, b):
    tell(a + b)
    return plus(a, b)


# ---------------------------------------------------------------- compiled and interpreted


SHIFT = np.uint64(59)
SMALL = np.array([-3, 100, 7], dtype=np.int16)


@kernel
def mixed(a, b, cells):
    """Signed and unsigned numbers, divisions of negative ones, shifts, a table of narrow numbers."""
    total = (a // 7) * (b % 5) - (a >> 3) + SMALL[b % 3]
    scrambled = np.uint64(a) * np.uint64(0x9E3779B97F4A7C15)
    total += np.int64(scrambled >> SHIFT) - np.int64(np.uint64(b) & np.uint64(63))
    for i in range(cells.shape[0]):
        cells[i] += total ^ (a << i)
        total = times(total, 3) if total > b else plus(total, b)
    return total


@pytest.mark.compiler
def test_interpreted_equals_compiled_bit_for_bit() -> None:
    fast = compiled(mixed, "mixed", (int64, int64, int64[::1]))
    slow = interpreted(mixed)
    chance = np.random.default_rng(4)
    for a, b in chance.integers(-(2**40), 2**40, (500, 2)):
        cells, others = np.arange(5), np.arange(5)
        assert fast(int(a), int(b), cells) == slow(np.int64(a), np.int64(b), others)
        assert cells.tolist() == others.tolist()


@kernel
def pick(cells, at):
    return cells[at]


@kernel
def pick_twice(cells, at):
    return pick(cells, at) + cells[at]


@pytest.mark.compiler
@pytest.mark.parametrize("at", [-1, 3, 2**40, -(2**40)])
def test_with_checked_bounds_an_index_outside_is_an_error(monkeypatch: pytest.MonkeyPatch, at: int) -> None:
    """Negative ones too: no kernel counts from the end, and compiled code would not do so."""
    monkeypatch.setattr(numba.config, "BOUNDSCHECK", 1)
    fast, cells = compiled(pick_twice, "pick", (int64[::1], int64)), np.arange(3)
    assert [fast(cells, inside) for inside in range(3)] == [0, 2, 4]
    with pytest.raises(IndexError):
        fast(cells, at)


@kernel
def count_up(a):
    return times(a, 0) + times(a, 1) + times(a, a)


@pytest.mark.compiler
def test_a_kernel_is_compiled_once_whatever_numbers_it_is_called_with(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Each number that stands in a call has a type of its own, for which the compiler would compile it anew."""
    monkeypatch.setattr(
        cache, "cache_folder", lambda: tmp_path
    )  # a folder that is remembered may hold it already
    seen: list[str] = []
    usual = numba.core.compiler.compile_extra

    def watched(*args: Any, **more: Any) -> Any:
        seen.append(next(one for one in args if hasattr(one, "__code__")).__name__)
        return usual(*args, **more)

    monkeypatch.setattr(numba.core.compiler, "compile_extra", watched)
    assert compiled(count_up, "once", (int64,))(3) == 12
    assert seen == ["count_up", "times"]


@pytest.mark.compiler
@pytest.mark.parametrize("was_on", [True, False])
def test_the_collector_rests_while_kernels_are_compiled_and_is_then_as_it_was(was_on: bool) -> None:
    kept = gc.isenabled()
    try:
        (gc.enable if was_on else gc.disable)()
        with _no_collection():
            assert not gc.isenabled()
        with pytest.raises(ZeroDivisionError), _no_collection():
            raise ZeroDivisionError
        assert gc.isenabled() == was_on
    finally:
        (gc.enable if kept else gc.disable)()


@pytest.mark.compiler
def test_numba_is_as_it_was_once_a_game_is_compiled() -> None:
    """What is kept is kept for one game: a key of the cache, for one, needs the whole of a record's description."""
    record = numba.from_dtype(np.dtype([("turn", np.int64)]))
    whole, usual = str(record), numba.core.types.functions.BaseFunction.get_call_type
    with answers_kept():
        assert str((record,)) == "(Record of 1 fields,)"
        assert numba.core.types.functions.BaseFunction.get_call_type is not usual
    with pytest.raises(ZeroDivisionError), answers_kept():
        raise ZeroDivisionError
    assert str(record) == whole
    assert "turn" in repr(record)
    assert numba.core.types.functions.BaseFunction.get_call_type is usual


def test_compiled_uses_what_is_bound() -> None:
    fast = compiled(plus_and_times, "bound", (int64, int64), [(OFFSET, np.int64(10)), (plus, times)])
    assert fast(3, 4) == interpreted(plus_and_times, [(OFFSET, np.int64(10)), (plus, times)])(3, 4) == 22
    assert plus_and_times(3, 4) == 8


OFFSET = np.int64(1)


@kernel
def plus_and_times(a, b):
    return plus(a, b) + OFFSET
