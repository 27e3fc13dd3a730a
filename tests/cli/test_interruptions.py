"""Equal experiments give equal bytes: after kill -9, and for any number of threads."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

import pytest

from .commands import own_process, played, read_until, start

EXPERIMENT = """\
schema_version = 1
game = "animalia"
players = [4]
[run]
games = 120_000
[[variants]]
name = "no owl"
rules = { owl = false }
"""
COMMAND = ("run", "e.toml", "--out", "r")


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run as it should be, by one thread."""
    folder = tmp_path_factory.mktemp("undisturbed")
    (folder / "e.toml").write_text(EXPERIMENT)
    assert own_process(folder, *COMMAND, "--threads", "1").code == 0
    return folder / "r"


def killed(folder: Path, *arguments: str) -> None:
    """Start and kill after one more step is finished than before, while the next one is played."""
    progress = folder / "r" / "progress"
    before = progress.read_bytes() if progress.exists() else b""
    process = start(folder, *arguments)
    while not progress.exists() or progress.read_bytes() == before:
        assert process.poll() is None
        time.sleep(0.005)
    process.kill()
    process.communicate()


def test_two_threads_give_the_bytes_of_one(here: Path, undisturbed: Path) -> None:
    (here / "e.toml").write_text(EXPERIMENT)
    assert own_process(here, *COMMAND, "--threads", "2").code == 0
    assert played(here / "r") == played(undisturbed)


def test_a_run_killed_twice_ends_as_if_nothing_had_happened(here: Path, undisturbed: Path) -> None:
    (here / "e.toml").write_text(EXPERIMENT)
    process = start(here, *COMMAND, "--threads", "2")
    read_until(process, "into r")
    process.kill()  # before anything is finished
    process.communicate()
    killed(here, *COMMAND, "--threads", "2")  # after the first step
    assert not (here / "r" / "results.json").exists()
    half = here / "r" / "games" / "baseline-p4" / ".new-part-0001.parquet"
    half.write_bytes(b"half")
    ended = own_process(here, *COMMAND, "--threads", "3")
    assert ended.code == 0
    assert "going on after 120,000 games that were finished earlier\n" in ended.err
    assert not half.exists()
    assert played(here / "r") == played(undisturbed)


def test_rows_that_were_removed_are_played_again_and_counted_once(here: Path, undisturbed: Path) -> None:
    (here / "e.toml").write_text(EXPERIMENT)
    shutil.copytree(undisturbed, here / "r")
    lost = sorted((here / "r" / "games" / "baseline-p4").glob("*.parquet"))[0]
    lost.unlink()
    ended = own_process(here, *COMMAND)
    assert ended.code == 0
    counted = [line.split(" (")[0] for line in ended.err.splitlines() if " of " in line]
    games = sum(1 for _ in (here / "r" / "games").glob("*/*.parquet")) * 60_000
    assert counted[-1] == f"{games:,} of {games:,} games"
    assert f"going on after {games - 60_000:,} games" in ended.err
    assert played(here / "r") == played(undisturbed)
