"""Playing in front of somebody: what happens is told, a signal ends it in order, and the results are shown and kept."""

from __future__ import annotations

import _thread
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from types import FrameType
from typing import TYPE_CHECKING, Any, Self

import typer

from balance.cli import streams
from balance.cli.options import command_without, typed_command
from balance.cli.progress import Talk
from balance.errors import BalanceError
from balance.interrupts import CODES, put_off

if TYPE_CHECKING:
    from balance.experiment.events import AlreadyComplete, Finished, Interrupted
    from balance.experiment.rundir import RunDir
    from balance.experiment.runner import Run

    Last = Finished | AlreadyComplete | Interrupted

NOT_RESULTS = ("--threads", "--out", "--format", "--junit", "--summary")
"""Options that leave the results as they are."""
_PATIENCE_SECONDS = 1.2
"""For the results so far, after a signal; with what Python needs to leave, a run ends within two seconds."""


def play(begin: Callable[[Talk], Run], show: Callable[[Last, dict[str, Any]], str]) -> None:
    """Play what `begin` prepares; `show` prints the results, and returns what is printed once the page is there.

    A run that is stopped shows its results so far, and leaves with the code of its signal.
    """
    talk = Talk()
    with _Stop() as stop:
        try:
            finished = _followed(begin(talk), talk, stop, show)
        except (Exception, KeyboardInterrupt) as error:
            if not stop.ended_by(error):
                raise
            talk.wipe()
            _how_to_go_on("Stopped; what was finished is kept.")
            finished = False
        finally:
            talk.wipe()
    if not finished:
        raise typer.Exit(stop.code)


@contextmanager
def said_if_stopped(sentence: str) -> Iterator[None]:
    """Within it a signal ends the command with this sentence and its code: for what keeps nothing to go on with."""
    try:
        yield
    except KeyboardInterrupt:
        streams.say(f"{sentence}\n")
        raise typer.Exit(CODES[signal.SIGINT]) from None
    except SystemExit as leaving:
        if leaving.code not in CODES.values():
            raise
        streams.say(f"{sentence}\n")
        raise typer.Exit(int(leaving.code or 0)) from None


def _followed(going: Run, talk: Talk, stop: _Stop, show: Callable[[Last, dict[str, Any]], str]) -> bool:
    """Tell what happens and conclude; whether the experiment is complete now."""
    from balance.experiment.events import AlreadyComplete, Finished, Interrupted

    complete = False
    with closing(going):
        for event in going:
            with stop.put_off(going):
                talk.tell(event)
            if isinstance(event, Finished | AlreadyComplete | Interrupted):
                _conclude(event, show)
                complete = not isinstance(event, Interrupted)
    return complete


class _Stopped(KeyboardInterrupt):
    """A signal came. (Python itself dies of the signal if it ever meets a bare KeyboardInterrupt in `exec`.)"""


class _Stop:
    """Makes of SIGINT and SIGTERM an orderly stop of play, and an end at once of all that takes too long after it."""

    def __init__(self) -> None:
        self.code = CODES[signal.SIGINT]
        self._told_to: Run | None = None
        self._before: dict[int, Any] = {}
        self._deadline: threading.Timer | None = None

    def __enter__(self) -> Self:
        for number in CODES:
            self._before[number] = signal.signal(number, partial(self._stop, number))
        return self

    def __exit__(self, *_: object) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def ended_by(self, error: BaseException) -> bool:
        """Whether an error is the signal's: a compiler that is cut short may fail in ways of its own."""
        came = self._deadline is not None and not isinstance(error, BalanceError | OSError)
        return came or isinstance(error, KeyboardInterrupt)

    def _stop(self, asked: signal.Signals, _number: int, frame: FrameType | None) -> None:
        self.code = CODES[asked]
        if self._deadline is None:
            self._deadline = threading.Timer(_PATIENCE_SECONDS, _thread.interrupt_main, [asked])
            self._deadline.daemon = True
            self._deadline.start()
        if self._told_to is not None:
            self._told_to.stop()
        elif not put_off(partial(self._stop, asked), frame):
            raise _Stopped

    @contextmanager
    def put_off(self, going: Run) -> Iterator[None]:
        """Within it a signal is passed on to the run, which then ends with its next event."""
        self._told_to = going
        try:
            yield
        finally:
            self._told_to = None


def _conclude(event: Last, show: Callable[[Last, dict[str, Any]], str]) -> None:
    from balance.analysis import results, tables
    from balance.experiment.events import AlreadyComplete, Interrupted
    from balance.report import write

    folder = event.folder
    if not event.outcome.games:
        _how_to_go_on("Stopped before any games were kept.")
        return
    found = results(event.outcome, command_without(*NOT_RESULTS))
    earlier = _timing(folder) if isinstance(event, AlreadyComplete) else None
    found["timing"] = earlier or event.outcome.timing | {"command": typed_command()}
    folder.save_results(found, tables(found))
    try:
        last_words = show(event, found)
        sys.stdout.flush()
    finally:
        write(found, folder.path / "report.html")  # also when the reader of our output has gone
    sys.stdout.write(last_words)
    sys.stdout.flush()
    if isinstance(event, Interrupted):
        _how_to_go_on("Stopped; what was finished is kept.")


def _timing(folder: RunDir) -> dict[str, Any] | None:
    """What is written down about how the games of a complete run were played."""
    try:
        earlier = folder.results
    except BalanceError:
        return None
    return earlier.get("timing") if earlier.get("status") == "complete" else None


def _how_to_go_on(sentence: str) -> None:
    streams.say(f"{sentence} To go on, give the same command again:\n  {typed_command()}\n")
