"""A run may end at a look, when a rule says so: the same run for any threads, chunks and interruptions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars
import pytest

from balance.experiment import files, runner
from balance.experiment.events import AlreadyComplete, CellDone, Event, Finished, Progress, Started
from balance.experiment.plan import Plan, PlannedCell
from balance.experiment.rundir import RunDir
from balance.experiment.runner import Options, run
from balance.experiment.tally import Tally
from balance.stats.sequential import looks

from .dice_race import install, race
from .test_runner import KilledError, contents, deadly, outcome, saved

SMALL = Options(part_games=600, chunk_games=90)
EXPERIMENT = race(players=(2, 3), variants={"far": {"goal": 20}}, policies=("any", "steady"), games=9000)
"""With 2 players 4,500 blocks at most, with 3 players 3,000."""


class AfterBlocks:
    """Ends a table once it has so many blocks, or never."""

    def __init__(self, enough: dict[int, int]) -> None:
        self.identity = {"rule": "blocks", "enough": sorted(enough.items())}
        self.enough = enough
        self.asked: list[tuple[int, int]] = []

    def decided(self, _plan: Plan, cells: Sequence[PlannedCell], tallies: Sequence[Tally]) -> bool:
        players = cells[0].players
        (blocks,) = {tally.of_blocks("turns").n for tally in tallies}
        self.asked.append((players, blocks))
        return blocks >= self.enough.get(players, 10**9)


@pytest.fixture(autouse=True)
def the_race(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch)
    monkeypatch.setattr(files.os, "fsync", lambda _: None)


def play(
    path: Path, enough: dict[int, int], threads: int = 2, options: Options = SMALL
) -> tuple[list[Event], AfterBlocks]:
    events, rule = [], AfterBlocks(enough)
    for event in run(EXPERIMENT, path, threads, options, rule):
        saved(event)
        events.append(event)
    return events, rule


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Tables of 2 end after 1,500 blocks, those of 3 never."""
    path = tmp_path_factory.mktemp("whole") / "run"
    with pytest.MonkeyPatch.context() as patch:
        install(patch)
        play(path, {2: 1500}, threads=1)
    return contents(path)


def test_a_table_ends_at_the_first_look_at_which_the_rule_says_so(tmp_path: Path) -> None:
    events, rule = play(tmp_path, {2: 1500})
    assert rule.asked == [(2, 1000), (2, 1250), (2, 1563), *((3, at) for at in looks(3000)[:-1])]
    found = outcome(events)
    assert events[0] == Started(tmp_path, 4, 0, 36_000, 2, at_most=True)
    assert isinstance(events[-1], Finished)
    assert found.complete
    assert [tally.played for tally in found.tallies] == [2 * 1563, 2 * 1563, 9000, 9000]
    done = [event.cell.where for event in events if isinstance(event, CellDone)]
    assert done == ["baseline, 2 players", "far, 2 players", "baseline, 3 players", "far, 3 players"]
    last = [event for event in events if isinstance(event, Progress)][-1]
    assert last.done == last.total == found.games == 2 * (3126 + 9000)


def test_without_a_decision_all_games_are_played(tmp_path: Path) -> None:
    events, _ = play(tmp_path, {})
    assert [tally.played for tally in outcome(events).tallies] == [9000] * 4


def test_its_rows_are_those_of_its_games(tmp_path: Path, expected: dict[str, bytes]) -> None:
    events, _ = play(tmp_path, {2: 1500})
    for cell, tally in zip(outcome(events).plan.cells, outcome(events).tallies, strict=True):
        rows = polars.read_parquet(tmp_path / "games" / cell.folder / "*.parquet")
        assert rows["game"].to_list() == list(range(tally.played))
    assert not list(tmp_path.rglob(f"{files.TEMPORARY}*"))
    assert contents(tmp_path) == expected


@pytest.mark.parametrize(("threads", "chunk"), [(1, 7), (3, None), (8, 50)])
def test_threads_and_chunks_change_nothing(
    tmp_path: Path, expected: dict[str, bytes], threads: int, chunk: int | None
) -> None:
    play(tmp_path, {2: 1500}, threads, Options(part_games=600, chunk_games=chunk))
    assert contents(tmp_path) == expected


def killed_at(path: Path, number: int) -> None:
    """Play until that many steps were saved, then die before the next is."""
    saving = runner.ProgressFile.save
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runner.ProgressFile, "save", deadly(saving, iter(range(100)), number))
        with pytest.raises(KilledError):
            play(path, {2: 1500})


@pytest.mark.parametrize("number", [0, 4, 5, 6, 7, 9])
def test_killed_at_any_step_it_goes_on_to_the_same_end(
    tmp_path: Path, expected: dict[str, bytes], number: int
) -> None:
    killed_at(tmp_path, number)
    events, rule = play(tmp_path, {2: 1500})
    assert isinstance(events[0], Started)
    assert isinstance(events[-1], Finished)
    assert ((2, 1563) in rule.asked) == (number < 7)  # the steps of 2 players: 4, 1 and 2
    assert contents(tmp_path) == expected


def test_a_complete_run_has_nothing_left_to_do(tmp_path: Path, expected: dict[str, bytes]) -> None:
    play(tmp_path, {2: 1500})
    (event,), rule = play(tmp_path, {2: 1500})
    assert isinstance(event, AlreadyComplete)
    assert rule.asked == []
    assert contents(tmp_path) == expected


def test_lost_rows_are_played_again_and_none_beyond(tmp_path: Path, expected: dict[str, bytes]) -> None:
    play(tmp_path, {2: 1500})
    (tmp_path / "games" / "far-p2" / "part-0006.parquet").unlink()
    events, _ = play(tmp_path, {2: 1500})
    assert isinstance(events[0], Started)
    assert events[0].total - events[0].done == 26  # 3,126 games up to the look, in parts of 600
    assert contents(tmp_path) == expected


def test_the_rule_is_part_of_what_is_played(tmp_path: Path) -> None:
    rule = {"rule": "blocks", "enough": [(2, 1500)]}
    plans = [Plan(EXPERIMENT), Plan(EXPERIMENT, stopping=rule), Plan(EXPERIMENT, stopping={"rule": "other"})]
    assert len({plan.digest for plan in plans}) == 3
    play(tmp_path, {2: 1500})
    assert RunDir.open(tmp_path).plan().digest == Plan(EXPERIMENT, 600, rule).digest


def test_parts_are_numbered_look_by_look() -> None:
    plan = Plan(EXPERIMENT, 600, {"rule": "any"})
    for group in plan.groups:
        cell = group[0]
        steps = [step for step in plan.steps() if step.cells == group]
        for step in steps:
            assert {plan.part_of(cell, game) for game in (step.first, step.first + step.count - 1)} == {
                step.part
            }
        assert plan.part_of(cell, cell.games) == len(steps)
        ends = [step.first + step.count for step in steps if step.is_look]
        assert ends == [blocks * cell.rotations for blocks in plan.looks(cell)]
    assert [step.number for step in plan.steps()] == list(range(plan.n_steps))
    plain: Any = Plan(EXPERIMENT, 600)
    assert [step.count for step in plain.steps()] == [600] * 30
    assert [step.number for step in plain.steps() if step.is_look] == [14, 29]


def test_what_is_played_beyond_the_end_is_dropped_and_not_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With many threads others are at work on the next look when the last one is decided."""
    dropped: list[int] = []
    drop = runner.Workers.drop

    def noted(workers: Any, group: int) -> None:
        dropped.append(sum(task.step.group == group for task in workers._waiting))
        drop(workers, group)

    monkeypatch.setattr(runner.Workers, "drop", noted)
    events, _ = play(tmp_path, {2: 1, 3: 1}, threads=8, options=Options(part_games=600, chunk_games=2))
    assert [tally.played for tally in outcome(events).tallies] == [2000, 2000, 3000, 3000]
    assert max(dropped) > 0
