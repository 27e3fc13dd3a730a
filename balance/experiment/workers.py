"""Threads that play: they share a counter of chunks, and what they finish is handed on in order.

A *task* is one part of one cell. Threads take chunks of games from it; whoever plays its last chunk also
finishes it: tallies the games and prepares their file. Who plays what changes nothing in the results.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from balance.engine.faults import PlayError
from balance.engine.playing import Buffers, Table
from balance.errors import BalanceError, EnvironmentFault
from balance.experiment.plan import PART_GAMES, Plan, PlannedCell, Step
from balance.experiment.replay import explained
from balance.experiment.tally import Played, Tally

LARGEST_CHUNK = 20_000
_FIRST_CHUNK = 100
_CHUNK_SECONDS = 0.1
"""Chunks grow until they last so long: enough to cost nothing, little enough to stop at once."""
_POLL_SECONDS = 0.1
_JOIN_SECONDS = 1.5


@dataclass(eq=False)
class Task:
    """One part of a cell: what is to be done, and what has been done of it."""

    step: Step
    cell: PlannedCell
    table: Table
    baseline: Task | None = None
    new: bool = True
    """False: these games are tallied already, only their file is missing."""
    handed: int = 0
    played_games: int = 0
    chunks: list[Played] = field(default_factory=list)
    gathered: threading.Event = field(default_factory=threading.Event)
    played: Played | None = None
    tally: Tally | None = None
    done: bool = False
    dropped: bool = False
    """True: nobody waits for these games any more."""

    @property
    def first(self) -> int:
        """The number of the first game."""
        return self.step.first

    @property
    def count(self) -> int:
        """How many games there are."""
        return self.step.count

    def add(self, chunk: Played) -> bool:
        """Add the games of a chunk; whether that was the last one."""
        self.chunks.append(chunk)
        self.played_games += int(chunk.rows.shape[1])
        return self.played_games == self.count

    def gather(self) -> None:
        """Put the chunks together, in the order of the games."""
        self.chunks.sort(key=lambda chunk: chunk.first)
        rows = np.concatenate([chunk.rows for chunk in self.chunks], axis=1)
        sums = np.sum([chunk.sums for chunk in self.chunks], axis=0)
        self.played = Played(self.first, rows, sums)
        self.chunks.clear()
        self.gathered.set()


class Workers:
    """Threads at work on a stream of tasks; `finished` hands the tasks on in the order of the stream."""

    def __init__(
        self, plan: Plan, tasks: Iterator[Task], finish: Callable[[Task], None], chunk: int | None = None
    ) -> None:
        """`finish` is called, in some thread, with each task whose games are played."""
        self._plan, self._tasks, self._finish, self._chunk = plan, tasks, finish, chunk
        self._changed = threading.Condition()
        self._waiting: deque[Task] = deque()
        self._current: Task | None = None
        self._stopping = self._exhausted = False
        self._failure: BaseException | None = None
        self._threads: list[threading.Thread] = []
        self._most_ahead = 0
        self.games = 0
        self.lost = 0
        """Those of the games that were dropped."""

    def start(self, threads: int) -> None:
        """Set this many threads to work."""
        self._most_ahead = PART_GAMES + threads * LARGEST_CHUNK
        for number in range(threads):
            self._threads.append(threading.Thread(target=self._work, name=f"games-{number}", daemon=True))
            self._threads[-1].start()

    def finished(self) -> Iterator[Task | None]:
        """The tasks in order, each when it is done; None now and then, while nothing is."""
        while True:
            with self._changed:
                if self._failure is not None:
                    raise _lost(self._failure) from self._failure
                if not self._waiting and self._exhausted:
                    return
                if not self._waiting or not self._waiting[0].done:
                    self._changed.wait(_POLL_SECONDS)
                task = self._waiting.popleft() if self._waiting and self._waiting[0].done else None
                self._changed.notify_all()
            yield task

    def drop(self, group: int) -> None:
        """Forget what is still to be done for a group of cells; what is being played of it is dropped as well."""
        with self._changed:
            dropped = [task for task in self._waiting if task.step.group == group]
            for task in dropped:
                task.dropped = True
                self.lost += task.played_games
                self._waiting.remove(task)
            self._changed.notify_all()

    def stop(self) -> None:
        """Let the threads end; what they are playing is dropped."""
        with self._changed:
            self._stopping = True
            self._changed.notify_all()
        end = time.monotonic() + _JOIN_SECONDS
        for thread in self._threads:
            thread.join(max(0.0, end - time.monotonic()))

    def _work(self) -> None:
        try:
            buffers = Buffers(self._plan.game)
            size = float(self._chunk or _FIRST_CHUNK)
            while (found := self._next(size)) is not None:
                task, first, count = found
                started = time.perf_counter()
                chunk = self._play(task, first, count, buffers)
                speed = count / (time.perf_counter() - started)
                if self._chunk is None:
                    size = min(speed * _CHUNK_SECONDS, 8 * size, LARGEST_CHUNK)
                self._add(task, chunk)
        except BaseException as error:
            with self._changed:
                self._failure = self._failure or error
                self._stopping = True
                self._changed.notify_all()

    def _next(self, size: float) -> tuple[Task, int, int] | None:
        """The next chunk of about that size, whole blocks: its task, first game and number of games."""
        with self._changed:
            task = self._task()
            if task is None:
                return None
            blocks = max(1, int(size) // task.cell.rotations)
            first = task.first + task.handed
            count = min(blocks * task.cell.rotations, task.count - task.handed)
            task.handed += count
            return task, first, count

    def _task(self) -> Task | None:
        """The task to take chunks from, or None; waits while too much is not handed on yet."""
        while not self._stopping:
            task = self._current
            if task is not None and task.handed < task.count and not task.dropped:
                return task
            if self._is_far_ahead():
                self._changed.wait(_POLL_SECONDS)
                continue
            self._current = next(self._tasks, None)
            if self._current is None:
                self._exhausted = True
                self._changed.notify_all()
                return None
            self._waiting.append(self._current)
        return None

    def _is_far_ahead(self) -> bool:
        """Whether too many games wait; or, where the next look may be the last, any beyond the look after it."""
        looks = {task.step.number for task in self._waiting if task.step.is_look}
        if self._plan.stopping and len(looks) > 1:
            return True
        return sum(task.count for task in self._waiting) > self._most_ahead

    def _play(self, task: Task, first: int, count: int, buffers: Buffers) -> Played:
        sums = np.zeros((3, buffers.block_words.size), np.int64)
        seed = self._plan.experiment.run.seed
        try:
            rows = self._plan.loop.play(task.table, seed, first, count, buffers, sums)
        except PlayError as error:
            found = explained(error, task.table, seed)
            found.cell = task.cell.folder
            raise found from error
        return Played(first, rows, sums)

    def _add(self, task: Task, chunk: Played) -> None:
        with self._changed:
            self.games += chunk.rows.shape[1]
            self.lost += chunk.rows.shape[1] if task.dropped else 0
            if task.dropped or not task.add(chunk):
                return
        task.gather()
        while task.baseline is not None and not task.baseline.gathered.wait(_POLL_SECONDS):
            if self._stopping or task.dropped:
                return
        self._finish(task)
        if task.baseline is not None or len(task.step.cells) == 1:
            task.played = task.baseline = None  # the baseline's games are kept for the variants
        with self._changed:
            task.done = True
            self._changed.notify_all()


def _lost(failure: BaseException) -> BaseException:
    """What a failure in a thread means to the user."""
    if isinstance(failure, BalanceError):
        return failure
    kept = "What was finished is kept; the same command continues there."
    if isinstance(failure, MemoryError):
        return EnvironmentFault("There is not enough memory.", kept)
    return EnvironmentFault(f"A worker failed: {type(failure).__name__}: {failure}.", kept)
