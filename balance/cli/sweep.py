"""balance sweep: many values of some rules, what each does by itself, and the best point played once more."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
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
from balance.cli.timed import rule_of
from balance.errors import BalanceError

if TYPE_CHECKING:
    from balance.cli.playing import Last
    from balance.cli.progress import Talk
    from balance.experiment.models import Experiment
    from balance.experiment.runner import Run

Varies = Annotated[
    list[str] | None,
    typer.Option(
        "--vary",
        metavar="RULE=VALUES",
        help="Values of a rule: 1,2,3 or 0..4 or 0..10/2, words, or lists apart by ' | '; may be given several times.",
    ),
]


def sweep(
    target: Annotated[str, typer.Argument(metavar="TARGET", help="An experiment file or a game.")],
    vary: Varies = None,
    around: Annotated[
        bool, typer.Option("--around", help="Instead: each rule by itself, halved, doubled, switched.")
    ] = False,
    sets: Sets = None,
    players: Players = None,
    mode: Modes = None,
    deck: Deck = None,
    policies: Policies = None,
    levels: Levels = None,
    games: Games = None,
    seed: Seed = None,
    threads: Threads = None,
    out: Out = None,
    best: Annotated[
        str | None,
        typer.Option(
            "--best",
            metavar="METRIC:END",
            help="What is best, such as turns:low; the closest seats if left out.",
        ),
    ] = None,
    form: Annotated[Format, form_of("What is printed on standard output.")] = Format.TEXT,
) -> None:
    """Play many values of some rules on the same deals.

    All combinations are played; the best one is played again on fresh deals.

    The same command again goes on where it was stopped.
    """
    done: list[tuple[Last, dict[str, Any]]] = []
    by: list[tuple[str, str] | None] = []

    def begin(talk: Talk) -> Run:
        from balance.analysis.best_point import wanted

        experiment, source = experiment_of(
            target, sets, players, mode, deck, policies, games, seed, levels=levels
        )
        laid_out = _laid_out(experiment, vary, around)
        by.append(wanted(laid_out, best))
        talk.say("preparing")
        return _run(laid_out, source, out, threads)

    def keep(event: Last, found: dict[str, Any]) -> str:
        if found["status"] == "complete":
            done.append((event, found))
        else:
            _show(form, event, found)
        return ""

    play(begin, keep)
    for event, found in done:
        if by[0] is not None:
            _again(event, found, by[0], threads)
        _show(form, event, found)


def _laid_out(experiment: Experiment, vary: list[str] | None, around: bool) -> Experiment:
    from balance.experiment.sweep import swept, swept_around
    from balance.experiment.sweep_values import parse_varies

    if experiment.run.time:
        raise BalanceError(
            "A sweep plays a number of games at each point, and this file has a time; say --games N instead."
        )
    values = parse_varies(vary or [])
    if bool(values) == around:
        raise BalanceError(
            "Say what to vary: --vary RULE=VALUES, or --around for each rule by itself; one of them.",
            "`balance rules GAME` lists the rules with their ranges.",
        )
    return swept_around(experiment) if around else swept(experiment, values)


def _run(experiment: Experiment, source: str, folder: Path | None, threads: int | None) -> Run:
    from balance.experiment.runner import Options, run

    options = Options(command=command_without(*NOT_RESULTS), source=source)
    return run(experiment, folder, threads, options, rule_of(experiment))


def _again(event: Last, found: dict[str, Any], by: tuple[str, str], threads: int | None) -> None:
    """Play the best points again in a folder within the run's, and add them to its results and its page."""
    from balance.analysis import best_point, tables
    from balance.report import write

    experiment = event.outcome.plan.experiment
    points = best_point.best_points(found, *by)
    once_more = best_point.again(experiment, points)
    fresh: list[dict[str, Any]] = []
    if once_more is not None:
        folder = event.folder.path / "best"
        play(lambda _: _run(once_more, "", folder, threads), partial(_kept, fresh))
    found["sweep"]["best"] = best_point.best(experiment, points, *by, fresh[0] if fresh else None)
    event.folder.save_results(found, tables(found))
    write(found, event.folder.path / "report.html")


def _kept(fresh: list[dict[str, Any]], _: Last, found: dict[str, Any]) -> str:
    fresh.append(found)
    return ""


def _show(form: Format, event: Last, found: dict[str, Any]) -> None:
    from balance.cli.sweeps import as_text
    from balance.experiment.files import as_json
    from balance.experiment.wording import printable

    if form is Format.JSON:
        sys.stdout.write(as_json(found).decode("utf-8", "surrogatepass"))
        return
    page = printable(str(event.folder.path / "report.html"))
    sys.stdout.write(f"{as_text(found)}\nReport: {page}\n")
