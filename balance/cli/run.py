"""balance run: play an experiment, print what it says, leave a folder with the page."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from balance.cli.options import (
    Deck,
    Format,
    Games,
    Levels,
    Modes,
    Out,
    Players,
    Policies,
    Seed,
    Sets,
    Threads,
    command_without,
    experiment_of,
    form_of,
)
from balance.cli.playing import NOT_RESULTS, play
from balance.cli.timed import rule_of, settled
from balance.errors import BalanceError

if TYPE_CHECKING:
    from balance.cli.playing import Last
    from balance.cli.progress import Talk
    from balance.experiment.runner import Run


def run(
    target: Annotated[
        str | None,
        typer.Argument(
            metavar="TARGET", help="An experiment file or a game; the only file in configs/ if left out."
        ),
    ] = None,
    sets: Sets = None,
    players: Players = None,
    mode: Modes = None,
    deck: Deck = None,
    policies: Policies = None,
    levels: Levels = None,
    games: Games = None,
    precision: Annotated[
        str | None,
        typer.Option(
            "--precision", metavar="P", help="Play until every seat's share of wins is known to 0.5pp, say."
        ),
    ] = None,
    time: Annotated[
        str | None, typer.Option("--for", metavar="TIME", help="Play for about so long: 60s, 5m.")
    ] = None,
    sprt: Annotated[
        str | None,
        typer.Option(
            "--sprt",
            metavar="LOW,HIGH",
            help="Play until it is clear whether the first policy wins at most LOW or at least HIGH more than even, "
            "such as 0pp,2pp; --games is the most.",
        ),
    ] = None,
    seed: Seed = None,
    threads: Threads = None,
    out: Out = None,
    rows: Annotated[
        bool | None,
        typer.Option(
            "--rows/--no-rows", help="Keep a row for each game (up to 5 M games a cell if left out)."
        ),
    ] = None,
    form: Annotated[Format, form_of("What is printed on standard output.")] = Format.TEXT,
) -> None:
    """Play an experiment and leave a report. The same command again goes on where it was stopped."""

    def begin(talk: Talk) -> Run:
        if sum(given is not None for given in (games or sprt, precision, time)) > 1:
            raise BalanceError("Say how long to play in one way: --games, --precision, --for or --sprt.")
        experiment, source = experiment_of(
            target,
            sets,
            players,
            mode,
            deck,
            policies,
            games,
            seed,
            levels=levels,
            precision=precision,
            time=time,
        )
        talk.say("preparing")
        experiment = settled(experiment, threads, talk)
        from balance.experiment.runner import Options
        from balance.experiment.runner import run as start

        options = Options(rows=rows, command=command_without(*NOT_RESULTS), source=source)
        return start(experiment, out, threads, options, rule_of(experiment, sprt))

    play(begin, partial(_show, form))


def _show(form: Format, event: Last, found: dict[str, Any]) -> str:
    from balance.cli.tables import summary
    from balance.experiment.files import as_json
    from balance.experiment.wording import printable

    if form is Format.JSON:
        sys.stdout.write(as_json(found).decode("utf-8", "surrogatepass"))
        return ""
    sys.stdout.write(summary(found))
    return f"\nReport: {printable(str(event.folder.path / 'report.html'))}\n"
