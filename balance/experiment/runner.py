"""Runs an experiment and tells, as events, how it goes; prints nothing.

A run proceeds step by step: a step is one part of all cells at one number of players. After each step the
rows of its games are put into place, then the progress. Whatever happens in between, the same command goes on
later from the last finished step, and the end is the same to the last byte.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from balance.engine.faults import PlayError
from balance.errors import BalanceError
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
from balance.experiment.files import prepare, put
from balance.experiment.leads import leads
from balance.experiment.logs import logs
from balance.experiment.lopsided import lopsided
from balance.experiment.machine import default_threads, describe
from balance.experiment.plan import PART_GAMES, Plan, PlannedCell, Step
from balance.experiment.progress_file import DamagedError, ProgressFile, Saved
from balance.experiment.proof import digest_of_run
from balance.experiment.rows import as_parquet, is_whole
from balance.experiment.rundir import RunDir, default_folder, utc_now
from balance.experiment.stopping import StoppingRule
from balance.experiment.tally import Tally, tally
from balance.experiment.workers import Task, Workers

MOST_ROWS = 5_000_000
"""Cells with more games than this keep no rows, unless they are asked for."""
_PROGRESS_SECONDS = 0.1


@dataclass(frozen=True)
class Options:
    """How a run is carried out; none of this changes its results.

    `rows`: whether a row for each game is kept (None: in cells of up to 5 million games). `command` is the
    command that leads to these results, `source` the text of the experiment file. `chunk_games` fixes how
    many games a thread plays at a time.
    """

    rows: bool | None = None
    command: str = ""
    source: str = ""
    part_games: int = PART_GAMES
    chunk_games: int | None = None


def run(
    experiment: Experiment,
    folder: Path | None = None,
    threads: int | None = None,
    options: Options | None = None,
    rule: StoppingRule | None = None,
) -> Run:
    """Play an experiment, in its default folder if `folder` is None and on all cores if `threads` is None.

    With a `rule` the number of games of the experiment is the most that is played (see `stopping`).
    """
    return Run(experiment, folder, threads, options or Options(), rule)


class Run(Iterator[Event]):
    """The events of one run; after `stop()` the next ones are Interrupted and no more.

    While there are events the folder is locked, also while the last one is being handled. BalanceError says
    that the run cannot begin, EnvironmentFault that it cannot go on.
    """

    def __init__(
        self,
        experiment: Experiment,
        folder: Path | None,
        threads: int | None,
        options: Options,
        rule: StoppingRule | None = None,
    ) -> None:
        """Nothing happens before the first event is asked for."""
        self._options = options
        self._rule = rule
        self._threads = threads or default_threads()
        self._plan = Plan(experiment, options.part_games, rule.identity if rule else None)
        self._folder = RunDir(folder or default_folder(self._plan))
        self._file = ProgressFile(self._folder.progress, self._plan)
        self._saved = Saved(0, (Tally(),) * len(self._plan.cells))
        self._pending: dict[int, Tally] = {}
        self._workers = Workers(self._plan, self._tasks(), self._finish, options.chunk_games)
        self._stopping = False
        self._clock = Clock()
        self._events: Generator[Event] = self._in_folder()

    def __next__(self) -> Event:
        """The next event."""
        return next(self._events)

    def stop(self) -> None:
        """End soon; may be called from a signal handler or another thread."""
        self._stopping = True

    def close(self) -> None:
        """End at once and let go of the folder; what was finished is kept."""
        self._events.close()

    # ------------------------------------------------------------------------------------------ the events

    def _in_folder(self) -> Generator[Event]:
        self._folder.claim(self._plan, self._options.command, self._options.source)
        try:
            yield from self._played()
        except BalanceError as error:
            if isinstance(error, PlayError) and error.game is not None:
                again = self._folder.replay_command(error.game, error.cell)
                error.hint += f"\nTo look at the game: {again}"
            self._folder.log(error.message)
            raise
        finally:
            self._workers.stop()
            self._folder.clean()
            self._folder.release()

    def _played(self) -> Iterator[Event]:
        try:
            self._saved = self._file.load()
        except DamagedError:
            yield self._warned("What an earlier run left behind is damaged; everything is played again.")
        if self._nothing_left():
            yield AlreadyComplete(self._outcome(), self._folder)
            return
        missing = sum(task.count for task in self._missing())
        done, total = self._outcome().games - missing, self._total()
        self._folder.log(
            f"Playing {total - done} games on {self._threads} threads; {done} are already played."
        )
        yield Started(
            self._folder.path, len(self._plan.cells), done, total, self._threads, self._rule is not None
        )
        try:
            yield from self._compile()
            yield from self._identify()
            yield from self._play(done)
            self._clock.stop()
            yield from self._look_again()
        except KeyboardInterrupt:
            self._stopping = True
        self._workers.stop()
        finished = self._nothing_left()
        self._folder.log("Complete." if finished else f"Stopped after {self._outcome().games} games.")
        yield (Finished if finished else Interrupted)(self._outcome(), self._folder)

    def _compile(self) -> Iterator[Event]:
        loop = self._plan.loop
        with _cache_warnings() as found:
            ready = loop.is_ready()
        if not ready:
            yield Compiling(self._plan.game.title)
        with _cache_warnings() as more:
            loop.compile()
        if not ready:
            self._folder.log(f"Compiled in {loop.compile_seconds:.1f} seconds.")
            yield Compiled(loop.compile_seconds)
        for sentence in dict.fromkeys([*found, *more]):
            yield self._warned(sentence)

    def _identify(self) -> Iterator[Event]:
        """Play the fixed games that tell this build from others; those of an earlier build were alike, or else."""
        found = digest_of_run(self._plan, lambda: not self._stopping)
        known = self._saved.games_digest
        if known and found and found != known:
            yield self._warned(
                "The run began on another machine or version, which plays the same games otherwise."
            )
        self._saved = replace(self._saved, games_digest=known or found)

    def _play(self, done: int) -> Iterator[Event]:
        self._clock.start()
        self._workers.start(self._threads)
        for task in self._workers.finished():
            if self._stopping:
                return
            if task is not None:
                yield from self._take(task)
            if self._clock.is_time():
                yield self._progress(done)
        yield self._progress(done)

    def _look_again(self) -> Iterator[Event]:
        """Play some games again, once all are played: the most lopsided deals, to see who leads, and to be read."""
        if not self._complete or self._looked_again:
            return
        plan, tallies = self._plan, self._saved.tallies

        def go_on() -> bool:
            return not self._stopping

        try:
            deals, led = lopsided(plan, tallies, go_on), leads(plan, tallies, go_on)
        except PlayError as error:
            yield self._warned(f"Some games cannot be played again. {error.message}")
            deals, led = {}, {}
        told = logs(plan, tallies, led or {}, go_on)
        self._saved = replace(self._saved, lopsided=deals, leads=led, logs=told)
        self._file.save(self._saved)

    def _progress(self, done: int) -> Progress:
        return self._clock.progress(done - self._workers.lost, self._total(), self._workers.games)

    def _take(self, task: Task) -> Iterator[Event]:
        """Keep what a task has brought; the whole step when it was the step's last one."""
        if task.tally is None:
            put(self._folder.part(task.cell, task.step.part))
            return
        step = task.step
        self._pending[task.cell.index] = task.tally
        if len(self._pending) < len(step.cells):
            return
        for cell in step.cells:
            if self._keeps_rows(cell):
                put(self._folder.part(cell, step.part))
        tallies = list(self._saved.tallies)
        for index, more in self._pending.items():
            tallies[index] = tallies[index].merge(more)
        ends = self._ends_after(step, tallies)
        next_step = self._plan.steps_before(step.group + 1) if ends else step.number + 1
        saved = Saved(next_step, tuple(tallies), self._saved.games_digest)
        self._file.save(saved)
        self._saved, self._pending = saved, {}
        if ends:
            self._workers.drop(step.group)
            for cell in step.cells:
                self._folder.log(f"Played {tallies[cell.index].played} games: {cell.where}.")
                yield CellDone(cell)

    def _ends_after(self, step: Step, tallies: Sequence[Tally]) -> bool:
        """Whether the cells of a step need no more games: the last one is played, or the rule says so."""
        if step.first + step.count == step.cells[0].games:
            return True
        of_cells = [tallies[cell.index] for cell in step.cells]
        return (
            self._rule is not None and step.is_look and self._rule.decided(self._plan, step.cells, of_cells)
        )

    def _warned(self, sentence: str) -> Warned:
        self._folder.log(sentence)
        return Warned(sentence)

    # ------------------------------------------------------------------------------------------ the work

    def _tasks(self) -> Iterator[Task]:
        """All that is still to be done, in order."""
        yield from self._missing()
        for step in self._plan.steps():
            baseline = None
            for cell in step.cells:
                if step.number < self._saved.steps:
                    break  # played before, or its cells have ended in the meantime
                task = Task(step, cell, self._plan.table(cell), baseline)
                baseline = baseline or task
                yield task

    def _missing(self) -> Iterator[Task]:
        """Parts that are tallied but whose rows are not in the folder, or not whole."""
        for step in self._plan.steps():
            if step.number >= self._saved.steps:
                return
            for cell in step.cells:
                if step.first >= self._saved.tallies[cell.index].played:
                    continue  # the cell ended before it
                if self._keeps_rows(cell) and not is_whole(self._folder.part(cell, step.part)):
                    yield Task(step, cell, self._plan.table(cell), new=False)

    def _finish(self, task: Task) -> None:
        """Tally the games of a task and prepare the file of their rows; done by a worker."""
        game, cell, played = self._plan.game, task.cell, task.played
        assert played is not None
        if task.new:
            baseline = task.baseline.played if task.baseline else None
            task.tally = tally(game, cell, played, baseline, self._plan.experiment.is_grid)
        if self._keeps_rows(cell):
            prepare(
                self._folder.part(cell, task.step.part), as_parquet(game, cell, played.first, played.rows)
            )

    def _keeps_rows(self, cell: PlannedCell) -> bool:
        return cell.games <= MOST_ROWS if self._options.rows is None else self._options.rows

    # ------------------------------------------------------------------------------------------ the outcome

    def _total(self) -> int:
        """The games of a whole run: all, less those that cells which have ended early did without."""
        games = 0
        for at, group in enumerate(self._plan.groups):
            ended = self._saved.steps >= self._plan.steps_before(at + 1)
            games += sum(self._saved.tallies[cell.index].played if ended else cell.games for cell in group)
        return games

    @property
    def _complete(self) -> bool:
        return self._saved.steps == self._plan.n_steps

    def _nothing_left(self) -> bool:
        return self._complete and self._looked_again and next(self._missing(), None) is None

    @property
    def _looked_again(self) -> bool:
        return None not in (self._saved.lopsided, self._saved.leads, self._saved.logs)

    def _outcome(self) -> Outcome:
        timing = self._clock.timing(self._threads, self._plan.loop.compile_seconds, self._workers.games)
        return Outcome(
            self._plan,
            self._saved.tallies,
            self._complete,
            timing,
            self._saved.games_digest,
            self._saved.lopsided or {},
            self._saved.leads or {},
            self._saved.logs or {},
        )


class Clock:
    """How long a run has taken so far."""

    def __init__(self) -> None:
        """The run begins now, play later."""
        self._created, self._created_utc = time.perf_counter(), utc_now()
        self._began: float | None = None
        self._ended: float | None = None
        self._told = 0.0

    def start(self) -> None:
        """Play begins."""
        self._began = self._told = time.perf_counter()

    def stop(self) -> None:
        """Play ends; what is looked at again afterwards is no part of its speed."""
        self._ended = time.perf_counter()

    def is_time(self) -> bool:
        """Whether progress should be told again."""
        return time.perf_counter() - self._told >= _PROGRESS_SECONDS

    def progress(self, done: int, total: int, games: int) -> Progress:
        """How far it is when `done` games were there at first and `games` have been played since."""
        self._told = time.perf_counter()
        speed = self._speed(games)
        return Progress(done + games, total, speed, (total - done - games) / speed if speed else None)

    def timing(self, threads: int, compile_seconds: float, games: int) -> dict[str, Any]:
        """What is written down about this run."""
        return {
            "machine": describe(),
            "threads": threads,
            "started": self._created_utc,
            "seconds": round(time.perf_counter() - self._created, 3),
            "compile_seconds": round(compile_seconds, 3),
            "games_per_second": round(self._speed(games)),
        }

    def _speed(self, games: int) -> float:
        if self._began is None:
            return 0.0
        return games / ((time.perf_counter() if self._ended is None else self._ended) - self._began)


@contextmanager
def _cache_warnings() -> Iterator[list[str]]:
    """Collects what the cache of compiled code warns of; other warnings go their way."""
    from balance.engine.cache import CacheWarning

    found: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", CacheWarning)
        yield found
    for one in caught:
        if issubclass(one.category, CacheWarning):
            found.append(str(one.message))
        else:
            warnings.warn_explicit(one.message, one.category, one.filename, one.lineno)
