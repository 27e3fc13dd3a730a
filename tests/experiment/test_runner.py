"""A run may be cut short anywhere, by anything, and played by any number of threads: the end is the same."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import polars
import pytest

from balance.analysis import results, tables
from balance.engine import cache
from balance.engine.playing import Loop
from balance.errors import BalanceError, EnvironmentFault
from balance.experiment import files, plan, progress_file, runner, workers
from balance.experiment.config import Experiment
from balance.experiment.events import (
    AlreadyComplete,
    CellDone,
    Compiled,
    Compiling,
    Event,
    Finished,
    Interrupted,
    Outcome,
    Progress,
    Started,
    Warned,
)
from balance.experiment.rundir import RunDir
from balance.experiment.runner import Options, Run, run

from .dice_race import install, race

SMALL = Options(part_games=120, chunk_games=30)
EXPERIMENT = race(players=(2, 3), variants={"far": {"goal": 20}}, policies=("any", "steady"), games=400)


@pytest.fixture(autouse=True)
def fake_games(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch)
    monkeypatch.setattr(files.os, "fsync", lambda _: None)  # half of the time of these tests


def saved(event: Event) -> None:
    """Write what the command line writes."""
    if isinstance(event, Finished | AlreadyComplete | Interrupted):
        found = results(event.outcome, "balance run race")
        event.folder.save_results(found, tables(found))


def play(
    path: Path, experiment: Experiment = EXPERIMENT, threads: int = 2, options: Options = SMALL
) -> list[Event]:
    events = []
    for event in run(experiment, path, threads, options):
        saved(event)
        events.append(event)
    return events


def outcome(events: list[Event]) -> Outcome:
    assert isinstance(events[-1], Finished | AlreadyComplete | Interrupted)
    return events[-1].outcome


def contents(path: Path) -> dict[str, bytes]:
    """All files of a run whose content is settled by the experiment."""
    skipped = {".lock", "run.log", "manifest.json"}
    return {
        str(file.relative_to(path)): file.read_bytes()
        for file in sorted(path.rglob("*"))
        if file.is_file() and file.name not in skipped
    }


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What the experiment comes to when nothing happens to it."""
    path = tmp_path_factory.mktemp("whole") / "run"
    with pytest.MonkeyPatch.context() as patch:
        install(patch)
        play(path, threads=1)
    return contents(path)


# ---------------------------------------------------------------------- events


def test_the_events_of_a_run(tmp_path: Path):
    events = play(tmp_path)
    assert events[0] == Started(tmp_path, 4, 0, 4 * 400 + 4, 2)  # with 3 players 402 games are whole blocks
    told = [event for event in events if not isinstance(event, Progress | Compiling | Compiled)]
    assert [type(event) for event in told] == [Started, *[CellDone] * 4, Finished]
    assert [event.cell.where for event in told if isinstance(event, CellDone)] == [
        "baseline, 2 players",
        "far, 2 players",
        "baseline, 3 players",
        "far, 3 players",
    ]
    last = [event for event in events if isinstance(event, Progress)][-1]
    assert (last.done, last.total, last.seconds_left) == (1604, 1604, 0)
    assert last.games_per_second > 0


def test_the_outcome_of_a_run(tmp_path: Path):
    found = outcome(play(tmp_path))
    assert found.complete
    assert [tally.played for tally in found.tallies] == [400, 400, 402, 402]
    assert found.games == 1604
    timing = found.timing
    assert set(timing) == {"machine", "threads", "started", "seconds", "compile_seconds", "games_per_second"}
    assert timing["seconds"] > 0
    assert timing["games_per_second"] > 0


def test_the_speed_is_that_of_play_alone(monkeypatch: pytest.MonkeyPatch):
    now = itertools.chain([0.0, 10.0, 14.0], itertools.repeat(99.0))
    monkeypatch.setattr(runner.time, "perf_counter", lambda: next(now))
    clock = runner.Clock()
    clock.start()
    clock.stop()
    assert clock.timing(1, 0.0, 800)["games_per_second"] == 200


def test_a_finished_run_has_nothing_left_to_do(tmp_path: Path, expected: dict[str, bytes]):
    play(tmp_path)
    (event,) = play(tmp_path)
    assert isinstance(event, AlreadyComplete)
    assert event.outcome.games == 1604
    assert contents(tmp_path) == expected


def test_the_default_folder_and_all_cores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(runner, "default_threads", lambda: 3)
    events = list(run(race(games=60)))
    assert isinstance(events[0], Started)
    assert (events[0].folder.parent, events[0].threads) == (Path("reports"), 3)
    assert events[0].folder.is_dir()


def test_compiling_is_announced_before_it_begins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    begun: list[Event] = []
    compiling = Loop.compile
    monkeypatch.setattr(plan, "Loop", Loop)
    monkeypatch.setattr(Loop, "is_ready", lambda _self: False)
    monkeypatch.setattr(Loop, "compile", lambda self: (begun.append(events[-1]), compiling(self)))
    events: list[Event] = []
    for event in run(race(games=60), tmp_path, 1):
        events.append(event)
    assert begun == [Compiling("Dice race")]
    assert isinstance(events[2], Compiled)
    assert events[2].seconds > 0


def test_a_cache_that_cannot_be_used_is_told_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    compiling = plan.Loop.compile

    def warning(loop: Any) -> None:
        for _ in range(2):
            cache.warnings.warn("The cache is full.", cache.CacheWarning, stacklevel=1)
        compiling(loop)

    monkeypatch.setattr(plan.Loop, "compile", warning)
    events = play(tmp_path, race(games=60))
    assert [event for event in events if isinstance(event, Warned)] == [Warned("The cache is full.")]
    assert "The cache is full." in (tmp_path / "run.log").read_text()


def test_other_warnings_are_not_swallowed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(
        plan.Loop, "compile", lambda _loop: cache.warnings.warn("Old.", DeprecationWarning, stacklevel=1)
    )
    with pytest.raises(DeprecationWarning, match="Old"):
        play(tmp_path)


# ---------------------------------------------------------------------- rows


def test_each_game_has_one_row_in_order(tmp_path: Path):
    play(tmp_path)
    rows = polars.concat(
        polars.read_parquet(part) for part in sorted((tmp_path / "games" / "far-p3").iterdir())
    )
    assert rows["game"].to_list() == list(range(402))
    assert rows["block"].to_list() == [game // 3 for game in range(402)]
    assert rows["rotation"].to_list() == [game % 3 for game in range(402)]
    assert rows["ended"].unique().to_list() == ["rules"]
    assert rows.select("policy_0", "policy_1", "policy_2").head(3).rows() == [
        ("any", "steady", "any"),
        ("steady", "any", "any"),
        ("any", "any", "steady"),
    ]
    assert rows.columns[:7] == ["game", "block", "rotation", "ended", "turns", "rounds", "plies"]
    assert rows.columns[7:16] == [
        f"{face}_{seat}" for face in ("score", "rank", "win_share") for seat in range(3)
    ]
    assert rows.columns[16:] == [
        "policy_0",
        "policy_1",
        "policy_2",
        "all_sixes",
        "no_six",
        *(f"own_sixes_{s}" for s in range(3)),
    ]
    assert (rows["win_share_0"] + rows["win_share_1"] + rows["win_share_2"] == 60).all()


def test_rows_agree_with_the_tallies(tmp_path: Path):
    found = outcome(play(tmp_path))
    for planned, tally in zip(found.plan.cells, found.tallies, strict=True):
        rows = polars.read_parquet(tmp_path / "games" / planned.folder / "*.parquet")
        for name in ("turns", "score_1", "own_sixes_0", "all_sixes"):
            assert tally.of_games(name).total == rows[name].sum()
            assert tally.of_games(name).n == planned.games


def test_without_rows_no_files_of_games_are_kept(tmp_path: Path, expected: dict[str, bytes]):
    play(tmp_path, options=Options(part_games=120, rows=False))
    assert not (tmp_path / "games").exists()
    assert contents(tmp_path) == {
        name: text for name, text in expected.items() if not name.startswith("games")
    }


def test_rows_can_be_had_later(tmp_path: Path, expected: dict[str, bytes]):
    play(tmp_path, options=Options(part_games=120, rows=False))
    events = play(tmp_path)
    assert events[0] == Started(tmp_path, 4, 0, 1604, 2)
    assert isinstance(events[-1], Finished)
    assert contents(tmp_path) == expected


def test_a_run_stopped_while_it_replaces_rows_is_not_finished(tmp_path: Path, expected: dict[str, bytes]):
    play(tmp_path, options=Options(part_games=120, rows=False))
    going = run(EXPERIMENT, tmp_path, 2, SMALL)
    assert isinstance(next(going), Started)
    going.stop()
    (*_, last) = going
    assert isinstance(last, Interrupted)
    assert last.outcome.games == 1604
    assert isinstance(play(tmp_path)[-1], Finished)
    assert contents(tmp_path) == expected


def test_lost_rows_are_played_again(tmp_path: Path, expected: dict[str, bytes]):
    play(tmp_path)
    (tmp_path / "games" / "far-p2" / "part-0001.parquet").unlink()
    events = play(tmp_path)
    assert events[0] == Started(tmp_path, 4, 1484, 1604, 2)
    assert contents(tmp_path) == expected


def test_large_cells_keep_no_rows_unless_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(runner, "MOST_ROWS", 401)
    play(tmp_path)
    assert sorted(folder.name for folder in (tmp_path / "games").iterdir()) == ["baseline-p2", "far-p2"]


# ---------------------------------------------------------------------- the same end


@pytest.mark.parametrize(
    ("threads", "chunk"), [(1, 7), (1, 120), (2, None), (2, 1), (3, 30), (3, 50), (8, 13), (13, None)]
)
def test_threads_and_chunks_change_nothing(
    tmp_path: Path, expected: dict[str, bytes], threads: int, chunk: int | None
):
    play(tmp_path, threads=threads, options=Options(part_games=120, chunk_games=chunk))
    assert contents(tmp_path) == expected


@pytest.mark.parametrize("games", [1, 7, 8, 9, 119, 120, 121])
def test_exactly_the_games_asked_for_are_played(tmp_path: Path, games: int):
    events = play(tmp_path, race(games=games), threads=8, options=Options(part_games=60, chunk_games=3))
    rows = polars.read_parquet(tmp_path / "games" / "baseline-p3" / "*.parquet")
    assert rows["game"].to_list() == list(range(games))
    assert outcome(events).games == games


class KilledError(BaseException):
    """Ends a run as nothing that it could handle would."""


def deadly(step: Callable[..., None], calls: Iterator[int], last: int) -> Callable[..., None]:
    """`step`, which is not done at its call number `last`."""

    def call(*arguments: Any) -> None:
        if next(calls) == last:
            raise KilledError
        step(*arguments)

    return call


def killed_at(path: Path, number: int) -> bool:
    """Play until that many files were put into place, then die; False when the run ends before."""
    calls = itertools.count()
    with pytest.MonkeyPatch.context() as patch:
        for module in (runner, progress_file):
            for name in ("put", "write_whole"):
                if hasattr(module, name):
                    patch.setattr(module, name, deadly(getattr(module, name), calls, number))
        try:
            for _ in run(EXPERIMENT, path, 2, SMALL):
                pass
        except KilledError:
            return True
    return False


def test_a_run_killed_at_any_moment_goes_on_to_the_same_end(tmp_path: Path, expected: dict[str, bytes]):
    moments = 0
    while killed_at(tmp_path / str(moments), moments):
        play(tmp_path / str(moments), threads=1 + moments % 3)
        assert contents(tmp_path / str(moments)) == expected, moments
        moments += 1
    assert (
        moments == 8 * 3 + 1
    )  # 8 steps of two cells, the progress after each, and the lopsided deals at the end


def test_a_run_killed_again_and_again_comes_to_the_same_end(tmp_path: Path, expected: dict[str, bytes]):
    attempts = 0
    while killed_at(tmp_path, 4):
        attempts += 1
    assert attempts > 4
    play(tmp_path)
    assert contents(tmp_path) == expected


def test_letting_go_of_a_run_frees_its_folder_and_threads(tmp_path: Path, expected: dict[str, bytes]):
    going = run(EXPERIMENT, tmp_path, 2, SMALL)
    while not isinstance(next(going), CellDone):
        pass
    going.close()
    assert not list(tmp_path.rglob(f"{files.TEMPORARY}*"))
    assert isinstance(play(tmp_path)[-1], Finished)
    assert contents(tmp_path) == expected


def test_a_folder_in_use_is_refused(tmp_path: Path):
    going = run(EXPERIMENT, tmp_path, 1, SMALL)
    next(going)
    with pytest.raises(BalanceError, match="in use by another run"):
        play(tmp_path)
    going.close()
    assert isinstance(play(tmp_path)[-1], Finished)


# ---------------------------------------------------------------------- interruption


def stopped_after_a_cell(going: Run, how: Callable[[Run], None]) -> list[Event]:
    events = []
    for event in going:
        saved(event)
        events.append(event)
        if isinstance(event, CellDone):
            how(going)
    return events


def test_stopping_ends_with_what_is_finished(tmp_path: Path, expected: dict[str, bytes]):
    events = stopped_after_a_cell(run(EXPERIMENT, tmp_path, 2, SMALL), Run.stop)
    assert isinstance(events[-1], Interrupted)
    assert not outcome(events).complete
    assert [tally.played for tally in outcome(events).tallies] == [400, 400, 0, 0]
    found = RunDir.open(tmp_path).results
    assert (found["status"], [cell["games"] for cell in found["cells"]]) == ("interrupted", [400, 400, 0, 0])
    events = play(tmp_path)
    assert events[0] == Started(tmp_path, 4, 800, 1604, 2)
    assert contents(tmp_path) == expected


def test_control_c_while_waiting_is_an_interruption(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(runner, "put", interrupt)
    events = play(tmp_path)
    assert isinstance(events[-1], Interrupted)
    assert outcome(events).games == 0


def test_control_c_while_compiling_is_an_interruption(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def interrupt(_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(plan.Loop, "compile", interrupt)
    events = play(tmp_path)
    assert [type(event) for event in events[-1:]] == [Interrupted]
    assert outcome(events).games == 0


def test_a_stop_drops_the_unfinished_part_at_once(tmp_path: Path):
    going = run(race(games=10**12), tmp_path, 2, Options(rows=False))
    while not isinstance(next(going), Progress):
        pass
    going.stop()
    started = time.monotonic()
    assert isinstance(list(going)[-1], Interrupted)
    assert time.monotonic() - started < 2


def two_cells(games: int) -> Experiment:
    return race(players=(3,), variants={"far": {"goal": 20}}, policies=("any", "steady"), games=games)


SCRIPT = """
import sys
import pytest
from experiment.dice_race import install
install(pytest.MonkeyPatch())
from experiment.test_runner import play, two_cells
from balance.experiment.runner import Options
from pathlib import Path
play(Path(sys.argv[1]), two_cells(int(sys.argv[2])), 2, Options(part_games=int(sys.argv[3])))
status = Path("/proc/self/status").read_text()  # getrusage would count the memory of the process that started us
print(next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM")))
"""


def process(path: Path, games: int, part_games: int) -> subprocess.Popen[str]:
    here = Path(__file__).parents[1]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(here), str(here.parent)])}
    command = [sys.executable, "-c", SCRIPT, str(path), str(games), str(part_games)]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)


def steps_in(path: Path) -> int:
    parts = path / "games" / "far-p3"
    return sum(not part.name.startswith(".") for part in parts.iterdir()) if parts.exists() else 0


def test_a_process_killed_twice_goes_on_to_the_same_end(tmp_path: Path):
    games, part_games = 36_000, 600
    for _ in range(2):
        going = process(tmp_path / "killed", games, part_games)
        before, deadline = steps_in(tmp_path / "killed"), time.monotonic() + 60
        while steps_in(tmp_path / "killed") < before + 10:
            assert going.poll() is None, "It ended before it could be killed."
            assert time.monotonic() < deadline
            time.sleep(0.005)
        going.send_signal(signal.SIGKILL)
        assert going.wait() == -signal.SIGKILL
        going.communicate()
    assert 20 <= steps_in(tmp_path / "killed") < 60
    for name in ("killed", "whole"):
        play(tmp_path / name, two_cells(games), options=Options(part_games=part_games))
    assert contents(tmp_path / "killed") == contents(tmp_path / "whole")


def test_memory_does_not_grow_with_the_games(tmp_path: Path):
    peaks = []
    for games in (60_000, 600_000):
        output, _ = process(tmp_path / str(games), games, 60_000).communicate()
        peaks.append(int(output) / 1024)
    assert peaks[1] < peaks[0] + 60  # MB
    assert peaks[1] < 500


# ---------------------------------------------------------------------- what can go wrong


def damage_of(content: bytes) -> dict[str, bytes]:
    middle = len(content) // 2
    return {
        "empty": b"",
        "cut": content[:middle],
        "changed": content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :],
        "foreign": b"\x00\xff" * 100,
    }


@pytest.mark.parametrize("kind", ["empty", "cut", "changed", "foreign", "of another run"])
def test_damaged_progress_is_one_warning_and_a_fresh_start(
    tmp_path: Path, expected: dict[str, bytes], kind: str
):
    stopped_after_a_cell(run(EXPERIMENT, tmp_path / "run", 2, SMALL), Run.stop)
    play(tmp_path / "other", race(games=60))
    content = (tmp_path / "run" / "progress").read_bytes()
    other = (tmp_path / "other" / "progress").read_bytes()
    (tmp_path / "run" / "progress").write_bytes({**damage_of(content), "of another run": other}[kind])
    events = play(tmp_path / "run")
    assert isinstance(events[0], Warned)
    assert "damaged; everything is played again" in events[0].sentence
    assert events[1] == Started(tmp_path / "run", 4, 0, 1604, 2)
    assert not [event for event in events[1:] if isinstance(event, Warned)]
    assert contents(tmp_path / "run") == expected


def test_a_full_disk_is_told_and_what_was_finished_is_kept(tmp_path: Path, expected: dict[str, bytes]):
    full = tmp_path / f"{files.TEMPORARY}progress"
    going = run(EXPERIMENT, tmp_path, 2, SMALL)
    while not isinstance(next(going), CellDone):
        pass
    full.symlink_to("/dev/full")
    with pytest.raises(EnvironmentFault, match="The disk is full") as caught:
        list(going)
    assert caught.value.exit_code == 4
    assert "What was finished is kept" in caught.value.hint
    assert not full.is_symlink()
    events = play(tmp_path)
    assert isinstance(events[0], Started)
    assert 800 <= events[0].done < 1604
    assert contents(tmp_path) == expected


def test_a_disk_that_is_full_for_rows_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    going = run(EXPERIMENT, tmp_path, 2, SMALL)
    next(going)
    monkeypatch.setattr(files.os, "fsync", full)
    with pytest.raises(
        EnvironmentFault, match=r"The disk is full: .*part-0000\.parquet could not be written"
    ):
        list(going)
    assert not list(tmp_path.rglob(f"{files.TEMPORARY}*"))


def test_a_folder_that_cannot_be_made_is_a_sentence(tmp_path: Path):
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(BalanceError, match=r"file/run cannot be used: Not a directory") as caught:
        play(tmp_path / "file" / "run")
    assert caught.value.exit_code == 2


def test_a_folder_that_vanishes_is_a_sentence(tmp_path: Path):
    going = run(EXPERIMENT, tmp_path / "run", 2, SMALL)
    next(going)
    (tmp_path / "run").rename(tmp_path / "gone")
    (tmp_path / "run").write_text("a file")
    with pytest.raises(EnvironmentFault, match=r"part-0000\.parquet could not be written: Not a directory"):
        list(going)


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (ZeroDivisionError("by zero"), "A worker failed: ZeroDivisionError: by zero"),
        (MemoryError(), "not enough memory"),
    ],
)
def test_a_lost_worker_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, sentence: str
):
    def fail(*_: Any) -> None:
        raise error

    monkeypatch.setattr(runner, "tally", fail)
    with pytest.raises(EnvironmentFault, match=sentence) as caught:
        play(tmp_path)
    assert "the same command continues" in caught.value.hint
    assert sentence.split(":")[0] in (tmp_path / "run.log").read_text()


def test_workers_that_hang_do_not_hold_up_a_stop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(workers, "_JOIN_SECONDS", 0.2)
    monkeypatch.setattr(plan.Loop, "play", lambda *_: time.sleep(1.5))
    going = run(EXPERIMENT, tmp_path, 1, SMALL)
    next(going)
    going.stop()
    started = time.monotonic()
    list(going)
    assert time.monotonic() - started < 1


def test_a_fast_game_is_never_far_ahead(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Threads wait when what they have finished is not handed on."""
    monkeypatch.setattr(workers, "LARGEST_CHUNK", 100)
    monkeypatch.setattr(workers, "PART_GAMES", 60)
    going = run(race(games=60_000), tmp_path, 2, Options(part_games=60, rows=False))
    while not isinstance(next(going), Progress):
        pass
    before = going._workers.games
    time.sleep(0.3)
    assert going._workers.games <= before + 60 + 2 * 100 + 60
    going.close()
