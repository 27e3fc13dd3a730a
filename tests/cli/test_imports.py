"""Nothing heavy is loaded before a command needs it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

DECK = str(Path(__file__).parents[2] / "configs" / "decks" / "kennelmester")
HEAVY = ("numba", "llvmlite", "numpy", "polars", "scipy", "plotly", "jinja2", "pydantic", "balance.game")
LOADED = f"""
import sys
from balance.__main__ import main
try:
    main()
finally:
    print(*(name for name in {HEAVY!r} if name in sys.modules), file=sys.stderr)
"""


def loaded(folder: Path, *arguments: str) -> set[str]:
    """Which of the heavy modules a command has loaded by its end."""
    done = subprocess.run(
        [sys.executable, "-c", LOADED, *arguments],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    return set(done.stderr.splitlines()[-1].split())


@pytest.mark.parametrize("arguments", [("--help",), ("-h",), ()])
def test_help_loads_nothing_heavy(here: Path, arguments: tuple[str, ...]) -> None:
    assert loaded(here, *arguments) == set()


@pytest.mark.parametrize(
    "arguments", [("run", "--help"), ("rn",), ("run", "animalia", "--plyers", "3"), ("rules",)], ids=" ".join
)
def test_nor_does_a_mistyped_command(here: Path, arguments: tuple[str, ...]) -> None:
    assert loaded(here, *arguments) <= {"pydantic"}  # which reads command lines, too


LISTS = (("games",), ("rules", "animalia"), ("init", "animalia"), ("schema",), ("deck", "check", DECK))


@pytest.mark.parametrize("arguments", LISTS, ids=lambda arguments: arguments[0])
def test_lists_load_neither_compiler_nor_tables(here: Path, arguments: tuple[str, ...]) -> None:
    assert not loaded(here, *arguments) & {"numba", "llvmlite", "polars", "scipy", "plotly", "jinja2"}


def test_a_replay_compiles_nothing(here: Path) -> None:
    found = loaded(here, "replay", "animalia", "--players", "4", "--game", "1")
    assert not found & {"numba", "llvmlite", "polars", "scipy", "plotly"}
