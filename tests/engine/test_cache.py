"""Compiled code on disk: found again by other processes, never stale, never in the way."""

from __future__ import annotations

import os
import pwd
import shutil
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numba
import pytest
from numba import int64

from balance.engine import cache, kernel
from balance.engine.cache import CacheWarning, cache_folder, cache_key
from balance.engine.kernels import compiled, is_cached, key_of
from engine import packages
from engine.processes import ROOT, Fresh

UseFolder = Callable[[Path], Path]


@kernel
def double(n):
    return 2 * n


@kernel
def doubled_square(n):
    return double(n) * n


def ask() -> int:
    """The result of a kernel, from the cache where it is there."""
    return compiled(doubled_square, "square", (int64,))(7)


def is_kept() -> bool:
    return is_cached("square", key_of(doubled_square, (int64,)))


def files_in(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch) -> Iterator[UseFolder]:
    """`use(folder)` makes it the folder for compiled code, as a new process would."""

    def use_folder(folder: Path) -> Path:
        monkeypatch.setenv("BALANCE_CACHE_DIR", str(folder))
        cache_folder.cache_clear()
        return folder

    yield use_folder
    cache_folder.cache_clear()


@pytest.fixture(autouse=True)
def no_unexpected_warnings() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("error", CacheWarning)
        yield


# ---------------------------------------------------------------- other processes

TOTAL = """
from numba import int64
from balance.engine.kernels import compiled
from edited_game.top import total
print(compiled(total, "total", (int64,))(10))
"""


def total(bonus: int = 3, table: tuple[int, ...] = (1, 2, 4), factor: int = 2) -> str:
    """What the process must print."""
    return str(factor * sum(table[i % 3] + bonus for i in range(10)))


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache that already holds the package's code as it was before any edit."""
    folder = tmp_path_factory.mktemp("filled")
    package = packages.write(folder / "package")
    first = Fresh(TOTAL, package, BALANCE_CACHE_DIR=str(folder / "cache")).finish()
    assert first.lines == [total()]
    return folder / "cache"


@pytest.mark.compiler
def test_a_second_process_compiles_nothing(tmp_path: Path, filled: Path) -> None:
    files = files_in(filled)
    assert [path.name.partition("-")[0] for path in files] == ["total"]
    elsewhere = packages.write(tmp_path / "elsewhere")
    second = Fresh(TOTAL, elsewhere, BALANCE_CACHE_DIR=str(filled)).finish()
    assert (second.lines, second.compiled, second.complaints) == ([total()], [], "")
    assert files_in(filled) == files


@pytest.mark.compiler
def test_two_processes_at_once_on_a_cold_cache(tmp_path: Path) -> None:
    package, cold = packages.write(tmp_path / "package"), tmp_path / "cold"
    for process in [Fresh(TOTAL, package, BALANCE_CACHE_DIR=str(cold)) for _ in range(2)]:
        found = process.finish()
        assert (found.lines, found.complaints) == ([total()], "")
    assert len(files_in(cold)) == 1


@pytest.mark.parametrize(
    ("edit", "after"),
    [
        ({("numbers", "BONUS = 3"): "BONUS = 4"}, total(bonus=4)),
        ({("numbers", "[1, 2, 4]"): "[1, 2, 5]"}, total(table=(1, 2, 5))),
        ({("far", "+ BONUS"): "+ 3 * BONUS"}, total(bonus=9)),
    ],
    ids=["constant", "table", "rule two files away"],
)
def test_an_edit_counts_at_once(
    tmp_path: Path, filled: Path, edit: dict[tuple[str, str], str], after: str
) -> None:
    edited = packages.write(tmp_path / "package", edit)
    assert Fresh(TOTAL, edited, BALANCE_CACHE_DIR=str(filled)).finish().lines == [after]
    shutil.rmtree(edited)
    undone = Fresh(TOTAL, packages.write(edited), BALANCE_CACHE_DIR=str(filled)).finish()
    assert (undone.lines, undone.compiled) == ([total()], [])


@pytest.mark.compiler
def test_with_checked_bounds_other_code_is_compiled(tmp_path: Path, filled: Path) -> None:
    package = packages.write(tmp_path / "package")
    switched = "0" if numba.config.BOUNDSCHECK else "1"
    other = Fresh(TOTAL, package, BALANCE_CACHE_DIR=str(filled), NUMBA_BOUNDSCHECK=switched).finish()
    assert other.lines == [total()]
    assert "total" in other.compiled


# ---------------------------------------------------------------- an edited game

ANIMALIA = """
import hashlib
from balance.engine.playing import Buffers, Loop, Table
from balance.games.animalia import GAME

params = GAME.Params.resolve(4)
table = Table(GAME, params, (GAME.policy("greedy"),) * 4, 1)
loop, buffers = Loop(GAME, GAME.policies, params), Buffers(GAME)
for prepare in (loop.compile, loop.interpret):
    prepare()
    print(hashlib.sha256(loop.play(table, 1, 0, 10, buffers, loop.new_sums()).tobytes()).hexdigest())
"""


@pytest.fixture(scope="module")
def before_edits(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What Animalia gives as it is, compiled and interpreted, from a copy that is then thrown away."""
    return Fresh(ANIMALIA, copy_of_balance(tmp_path_factory.mktemp("before"))).finish().lines


def copy_of_balance(folder: Path) -> Path:
    """Copy the whole package into a folder, to be edited."""
    ignored = shutil.ignore_patterns("__pycache__", "*.js")
    shutil.copytree(ROOT / "balance", folder / "balance", ignore=ignored)
    return folder


def edit_animalia(copy: Path, old: str, new: str) -> None:
    """Edit the one place of the game that says `old`, in whichever file it stands."""
    texts = {path: path.read_text("utf-8") for path in (copy / "balance" / "games" / "animalia").glob("*.py")}
    [(path, text)] = [(path, text) for path, text in texts.items() if old in text]
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), "utf-8")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("excellence_points: int = Field(5", "excellence_points: int = Field(6"),
        ("* params.medal_points", "* params.medal_points * 2"),
        ('"card": -14', '"card": -9'),
    ],
    ids=["default of a rule", "scoring", "weight of a policy"],
)
def test_an_edit_anywhere_in_a_game_changes_the_next_run(
    tmp_path: Path, before_edits: list[str], old: str, new: str
) -> None:
    """Nothing is cleared between the runs, and the edited game is right, not only different."""
    copy = copy_of_balance(tmp_path)
    edit_animalia(copy, old, new)
    compiled_rows, interpreted_rows = Fresh(ANIMALIA, copy).finish().lines
    assert compiled_rows == interpreted_rows
    assert len({compiled_rows, *before_edits}) == 2


# ---------------------------------------------------------------- damage


@pytest.mark.compiler
@pytest.mark.parametrize("damage", ["shorter", "one bit", "empty", "other bytes"])
def test_a_damaged_file_is_one_warning_and_right_results(use: UseFolder, tmp_path: Path, damage: str) -> None:
    use(tmp_path)
    assert not is_kept()
    assert ask() == 98
    assert is_kept()
    [file] = files_in(tmp_path)
    content = file.read_bytes()
    middle = len(content) // 2
    damaged = {
        "shorter": content[:middle],
        "one bit": content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :],
        "empty": b"",
        "other bytes": b"not compiled code " * 100,
    }[damage]
    file.write_bytes(damaged)
    with pytest.warns(CacheWarning, match="damaged") as heard:
        assert ask() == 98
    assert len(heard) == 1
    assert file.read_bytes() != damaged
    assert ask() == 98


# ---------------------------------------------------------------- folders that cannot be written to


@pytest.fixture
def blocked(tmp_path: Path) -> Path:
    """A path that nobody can make a folder at, not even an administrator: it lies below a file."""
    (tmp_path / "file").write_text("in the way", "utf-8")
    return tmp_path / "file" / "below"


@pytest.mark.compiler
@pytest.mark.parametrize(
    "variables",
    [
        {"BALANCE_CACHE_DIR": "blocked", "NUMBA_CACHE_DIR": "good"},
        {"NUMBA_CACHE_DIR": "blocked", "XDG_CACHE_HOME": "good"},
        {"XDG_CACHE_HOME": "blocked"},
        {"HOME": "blocked"},
    ],
    ids=["own folder", "numba's folder", "user's cache", "home"],
)
def test_a_folder_that_cannot_be_written_to_is_passed_over_with_one_warning(
    monkeypatch: pytest.MonkeyPatch, use: UseFolder, tmp_path: Path, blocked: Path, variables: dict[str, str]
) -> None:
    good = tmp_path / "good"
    good.mkdir()
    use(blocked)
    monkeypatch.setattr(tempfile, "tempdir", str(good))
    for name in ("BALANCE_CACHE_DIR", "NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, place in variables.items():
        monkeypatch.setenv(name, str(blocked if place == "blocked" else good))
    with pytest.warns(CacheWarning, match="cannot be kept") as heard:
        assert ask() == 98
    assert len(heard) == 1
    assert str(blocked) in str(heard[0].message)
    assert is_kept()
    assert len(files_in(good)) == 1
    assert ask() == 98


@pytest.mark.compiler
def test_without_any_folder_everything_works(
    monkeypatch: pytest.MonkeyPatch, use: UseFolder, blocked: Path
) -> None:
    use(blocked)
    monkeypatch.setattr(cache, "_candidates", lambda: iter([blocked]))
    with pytest.warns(CacheWarning, match="compiled anew") as heard:
        assert ask() == 98
    assert len(heard) == 1
    assert not is_kept()
    assert ask() == 98


def test_a_user_without_a_home_gets_no_folder_named_tilde(monkeypatch: pytest.MonkeyPatch) -> None:
    """In many containers the user is a bare number: there is no home, and `~` stands for nothing."""

    def unknown(number: int) -> Any:
        raise KeyError(f"no user {number}")

    monkeypatch.setattr(pwd, "getpwuid", unknown)
    for variable in ("HOME", "XDG_CACHE_HOME", "BALANCE_CACHE_DIR", "NUMBA_CACHE_DIR"):
        monkeypatch.delenv(variable, raising=False)
    candidates = list(cache._candidates())
    assert candidates
    assert all(candidate.is_absolute() for candidate in candidates)


@pytest.mark.compiler
def test_a_full_disk_is_a_warning(monkeypatch: pytest.MonkeyPatch, use: UseFolder, tmp_path: Path) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    use(tmp_path)
    monkeypatch.setattr(os, "replace", full)
    with pytest.warns(CacheWarning, match="No space left"):
        assert ask() == 98
    assert files_in(tmp_path) == []


@pytest.mark.compiler
def test_an_interrupted_write_leaves_nothing(
    monkeypatch: pytest.MonkeyPatch, use: UseFolder, tmp_path: Path
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    use(tmp_path)
    monkeypatch.setattr(os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        ask()
    assert files_in(tmp_path) == []


# ---------------------------------------------------------------- the key


def keys_with(changes: list[tuple[Any, str, Any]], monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The key as it is, and with each of these attributes changed in turn."""
    keys = {cache_key("source", "code", (int64,))}
    for owner, attribute, value in changes:
        with monkeypatch.context() as changed:
            changed.setattr(owner, attribute, value)
            keys.add(cache_key("source", "code", (int64,)))
    return keys


def test_the_compilers_switches_are_in_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    switches = ("BOUNDSCHECK", "OPT", "SLP_VECTORIZE", "LOOP_VECTORIZE", "DEBUGINFO_DEFAULT")
    keys = keys_with([(numba.config, switch, 17) for switch in switches], monkeypatch)
    assert len(keys) == 1 + len(switches)


def test_versions_are_in_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    changes = [
        (numba, "__version__", "another"),
        (cache.llvmlite, "__version__", "another"),
        (cache.platform, "python_version", lambda: "another"),
    ]
    assert len(keys_with(changes, monkeypatch)) == 4
