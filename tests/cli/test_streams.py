"""Standard output and standard error: piped, closed, full, or of another alphabet."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from .commands import Ended, files_in, own_process, shell

RUN = "balance run animalia --players 4 --games 60 --out r"
FULL = "error: The output could not be written: No space left on device.\n"
FINISHED = {"results.json", "report.html", "tables/seats.csv"}


@pytest.mark.parametrize(
    ("line", "out"),
    [
        ("balance games | head -n 1", "animalia: Animalia, 2 to 6 players\n"),
        ("balance schema | head -n 1", "{\n"),
        ("balance replay animalia --players 4 --games 0:40 | head -n 1", "Animalia, game 0 of seed 1\n"),
        ("balance replay animalia --players 4 --games 0:40 | true", ""),
        ("balance --help | true", ""),
    ],
)
def test_a_reader_who_leaves_early_is_no_error(here: Path, line: str, out: str) -> None:
    assert shell(here, f"set -o pipefail\n{line}") == Ended(0, out, "")


@pytest.mark.parametrize("command", ["games", "schema", "--help", "--version", "rules animalia"])
def test_a_full_device_is_a_fault_of_the_machine(here: Path, command: str) -> None:
    assert shell(here, f"balance {command} > /dev/full") == Ended(4, "", FULL)


def test_results_are_kept_when_they_cannot_be_printed(here: Path) -> None:
    ended = shell(here, f"{RUN} > /dev/full")
    assert (ended.code, ended.err.endswith(FULL)) == (4, True)
    assert shell(here, RUN).err == "already complete: r\n"


@pytest.mark.parametrize("streams", ["2>&1 | true", "2> /dev/full", "<&- >&- 2>&-"])
def test_a_run_that_nobody_hears_is_finished(here: Path, streams: str) -> None:
    assert shell(here, f"set -o pipefail\n{RUN} {streams}").code == 0
    assert set(files_in(here / "r")) >= FINISHED


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("balance games >&-", 0),
        ("balance --help >&-", 0),
        ("balance rn 2>&-", 2),
        ("balance rn 2> /dev/full", 2),
        ("balance run nope >&- 2>&-", 2),
    ],
)
def test_what_is_closed_changes_no_code(here: Path, line: str, code: int) -> None:
    assert shell(here, line) == Ended(code, "", "")


@pytest.mark.parametrize(
    "alphabet",
    [
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "ascii:strict"},
        {"LC_ALL": "tr_TR.UTF-8", "LANGUAGE": "tr"},
    ],
    ids=["C", "Turkish"],
)
def test_names_are_written_in_utf_8_everywhere(here: Path, alphabet: dict[str, str]) -> None:
    variant = '[[variants]]\nname = "犬 Kölyök"\nrules = { owl = false }\n'
    head = 'schema_version = 1\ntitle = "Şampiyon ıİ"\ngame = "animalia"\nplayers = [2]\n[run]\ngames = 60\n'
    (here / "e.toml").write_text(head + variant, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "balance", "run", "e.toml"],
        cwd=here,
        env={**os.environ, **alphabet},
        capture_output=True,
        timeout=60,
        check=True,
    )
    out = done.stdout.decode("utf-8")
    assert "Şampiyon ıİ" in out
    assert "2 players, \u2068犬 Kölyök" in out or "2 players, 犬 Kölyök" in out
    (folder,) = (here / "reports").iterdir()
    assert "犬 Kölyök" in (folder / "results.json").read_text("utf-8")
    assert "犬 Kölyök" in (folder / "tables" / "seats.csv").read_text("utf-8")


def test_there_is_nothing_but_plain_lines_and_no_home_is_needed(here: Path) -> None:
    surroundings = {"TERM": "dumb", "CI": "true", "NO_COLOR": "1", "COLUMNS": "40", "HOME": "/nonexistent"}
    ended = own_process(here, *RUN.split()[1:], env=surroundings)
    assert ended.code == 0
    assert not {"\x1b", "\r", "\b"} & {*ended.out, *ended.err}


def test_the_installed_command_is_this_one(here: Path) -> None:
    installed = Path(sys.executable).with_name("balance")
    done = subprocess.run([installed, "--version"], cwd=here, capture_output=True, text=True, check=True)
    assert done.stdout == own_process(here, "--version").out
