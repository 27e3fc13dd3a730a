"""balance run: play an experiment, print what it says, leave a folder with the page."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from balance.cli.options import (
    Format,
    Players,
    Policies,
    Seed,
    Sets,
    command_without,
    experiment_of,
    typed_command,
)

if TYPE_CHECKING:
    from balance.experiment.events import AlreadyComplete, Finished, Interrupted

_NOT_RESULTS = ("--threads", "--out", "--format")
"""Options that leave the results as they are."""
_INTERRUPTED, _TERMINATED = 130, 143


def run(
    target: Annotated[
        str | None,
        typer.Argument(
            metavar="TARGET", help="An experiment file or a game; the only file in configs/ if left out."
        ),
    ] = None,
    sets: Sets = None,
    players: Players = None,
    policies: Policies = None,
    games: Annotated[
        str | None, typer.Option("--games", metavar="N", help="Games in each cell: 5000, 200k, 5M.")
    ] = None,
    seed: Seed = None,
    threads: Annotated[
        int | None, typer.Option("--threads", min=1, help="Worker threads; all cores if left out.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="The folder for the results.")
    ] = None,
    rows: Annotated[
        bool | None,
        typer.Option(
            "--rows/--no-rows", help="Keep a row for each game (up to 5 M games a cell if left out)."
        ),
    ] = None,
    form: Annotated[
        Format, typer.Option("--format", help="What is printed on standard output.")
    ] = Format.TEXT,
) -> None:
    """Play an experiment and leave a report. The same command again goes on where it was stopped."""
    from balance.cli.progress import Talk

    experiment, source = experiment_of(target, sets, players, policies, games, seed)
    talk = Talk()
    talk.say("preparing")
    from balance.experiment.events import AlreadyComplete, Finished, Interrupted
    from balance.experiment.runner import Options
    from balance.experiment.runner import run as play

    options = Options(rows=rows, command=command_without(*_NOT_RESULTS), source=source)
    going = play(experiment, folder=out, threads=threads, options=options)
    stop = _Stop(going)
    while (event := stop.next_event()) is not None:
        with stop.put_off():
            talk.tell(event)
            if isinstance(event, Finished | AlreadyComplete | Interrupted):
                _conclude(event, form)
    if stop.code:
        raise typer.Exit(stop.code)


class _Stop:
    """Makes of SIGINT and SIGTERM an orderly stop: at once in play, later while results are written."""

    def __init__(self, going: Any) -> None:
        self._going, self.code, self._busy = going, 0, False
        for number, code in ((signal.SIGINT, _INTERRUPTED), (signal.SIGTERM, _TERMINATED)):
            signal.signal(number, partial(self._stop, code))

    def _stop(self, code: int, _number: int, _frame: Any) -> None:
        self.code = code
        if self._busy:
            self._going.stop()
        else:
            raise KeyboardInterrupt

    def next_event(self) -> Any:
        """The next event of the run; None after the last."""
        while True:
            try:
                return next(self._going, None)
            except KeyboardInterrupt:
                self._going.stop()

    @contextmanager
    def put_off(self) -> Iterator[None]:
        """Within it a signal is only remembered, so that no file is left half-written."""
        self._busy = True
        try:
            yield
        finally:
            self._busy = False


def _conclude(event: Finished | AlreadyComplete | Interrupted, form: Format) -> None:
    from balance.analysis import results, tables
    from balance.cli.tables import summary
    from balance.experiment.events import AlreadyComplete, Interrupted
    from balance.report import write

    folder = event.folder.path
    if not event.outcome.games:
        _how_to_go_on("Stopped before the first games were finished.")
        return
    if isinstance(event, AlreadyComplete) and (folder / "results.json").exists():
        found = event.folder.results
    else:
        found = results(event.outcome, command_without(*_NOT_RESULTS))
        found["timing"] = event.outcome.timing | {"command": typed_command()}
        event.folder.save_results(found, tables(found))
    page = folder / "report.html"
    write(found, page)
    sys.stdout.write(
        json.dumps(found, sort_keys=True, indent=2) + "\n" if form is Format.JSON else summary(found)
    )
    if form is Format.TEXT:
        sys.stdout.write(f"\nReport: {page}\n")
    sys.stdout.flush()
    if isinstance(event, Interrupted):
        _how_to_go_on("Stopped; what was finished is kept.")


def _how_to_go_on(sentence: str) -> None:
    print(f"{sentence} To go on, give the same command again:\n  {typed_command()}", file=sys.stderr)
