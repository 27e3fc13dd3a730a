"""balance check: do the gates of an experiment hold? Plays until they are decided, or judges a run that was saved."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from balance.cli import streams
from balance.cli.options import (
    Format,
    Games,
    Out,
    Seed,
    Threads,
    command_without,
    experiment_of,
    file_of,
    form_of,
)
from balance.cli.playing import NOT_RESULTS, play
from balance.cli.timed import settled
from balance.cli.told import VERDICT, Told, lines
from balance.errors import BalanceError, NotJudged

if TYPE_CHECKING:
    from balance.cli.playing import Last
    from balance.cli.progress import Talk
    from balance.experiment.events import Outcome
    from balance.experiment.plan import Plan
    from balance.experiment.rundir import RunDir
    from balance.experiment.runner import Run

    Record = dict[str, Any]

_HOW_TO = (
    'A gate begins with [[gates]] and has a metric and a limit, such as metric = "seat_spread", max = "3pp".'
)


def check(
    target: Annotated[
        str | None,
        typer.Argument(
            metavar="FILE|RUN",
            help="An experiment file with gates, or the folder of a run; the only file in configs/ if left out.",
        ),
    ] = None,
    games: Games = None,
    seed: Seed = None,
    threads: Threads = None,
    out: Out = None,
    baseline: Annotated[
        Path | None,
        typer.Option(
            "--baseline", metavar="FILE", help="What `balance baseline` wrote, for gates against a file."
        ),
    ] = None,
    junit: Annotated[
        Path | None, typer.Option("--junit", metavar="FILE", help="Write the verdicts as a JUnit file.")
    ] = None,
    summary: Annotated[
        Path | None,
        typer.Option(
            "--summary", metavar="FILE", help="Write the verdicts as Markdown, for a job's summary."
        ),
    ] = None,
    form: Annotated[Format, form_of("What is printed on standard output.")] = Format.TEXT,
) -> None:
    """Judge the gates of an experiment.

    The command leaves with 0 (all pass), 1 (one fails), 3 (not decided) or 4 (not judged). Play ends as soon as every
    gate is decided, and after the games of the file at the latest.
    """
    from balance.experiment.files import refuse_place

    for option, path, other in (("--junit", junit, summary), ("--summary", summary, junit)):
        if path is not None:
            refuse_place(path, option, other)
    told = Told(junit, summary, form)
    run = _saved_run(target)
    try:
        if run is None:
            _make_room(out)
            _played(told, target, games, seed, threads, out, baseline)
        elif any(given is not None for given in (games, seed, threads, out)):
            raise BalanceError("A run has its games and its seed; to play others, check its experiment file.")
        else:
            sys.stdout.write(told.tell(_judged(run, baseline), run, [], saved=True))
            sys.stdout.flush()
    except NotJudged as error:
        told.tell_nothing(error.message, str(file_of(target) or target), run.path if run else _free(out))
        raise
    except BrokenPipeError:  # whoever reads our output may leave; the verdict stays
        streams.silence(sys.stdout)
    raise typer.Exit(told.code)


def _make_room(folder: Path | None) -> None:
    """Take away what a check that had nothing to judge has left, so that the folder can be a run's."""
    if folder is not None and folder.is_dir() and _names(folder) == [VERDICT]:
        (folder / VERDICT).unlink()


def _free(folder: Path | None) -> Path | None:
    """The folder, if nothing but such a verdict is in its place."""
    return folder if folder is not None and _names(folder) in ([], [VERDICT]) else None


def _names(folder: Path) -> list[str]:
    """What is in a folder, which need not exist; of a file itself."""
    if folder.is_dir():
        return [one.name for one in folder.iterdir()]
    return [folder.name] if folder.exists() else []


def _played(
    told: Told,
    target: str | None,
    games: str | None,
    seed: str | None,
    threads: int | None,
    out: Path | None,
    baseline: Path | None,
) -> None:
    at: list[int] = []

    def begin(talk: Talk) -> Run:
        experiment, source = experiment_of(target, None, None, None, None, None, games, seed)
        if not experiment.gates:
            raise NotJudged(f"There are no gates to judge in {target or 'the experiment'}.", _HOW_TO)
        talk.say("preparing")
        experiment = settled(experiment, threads, talk)
        from balance.analysis.gates import UntilDecided
        from balance.experiment.plan import Plan
        from balance.experiment.runner import Options, run
        from balance.experiment.toml_source import parse

        file = parse(source, "")
        at.extend(file.position(("gates", number))[0] for number in range(len(experiment.gates)))
        options = Options(command=command_without(*NOT_RESULTS), source=source)
        saved = _saved(Plan(experiment), baseline)
        return run(experiment, out, threads, options, UntilDecided(experiment, saved))

    def show(event: Last, _results: Record) -> str:
        from balance.analysis.gates import record
        from balance.experiment.wording import printable

        found, page = record(event.outcome), event.folder.path / "report.html"
        if not event.outcome.complete:
            sys.stdout.write("\n".join(lines(found)) + "\n")
            return ""
        last = told.tell(found, event.folder, at, str(file_of(target)))
        return f"{last}Report: {printable(str(page))}\n" if last else ""

    play(begin, show)


def _saved_run(target: str | None) -> RunDir | None:
    """The run in the folder that is named; None where a file or a game is."""
    from balance import registry
    from balance.experiment.rundir import RunDir

    path = Path(target or "")
    if not target or path.suffix == ".toml" or target in registry.names() or not path.is_dir():
        return None
    return RunDir.open(path)


def _judged(run: RunDir, file: Path | None) -> Record:
    """The verdict on the games of a saved run."""
    from balance.analysis.gates import record

    outcome = outcome_of(run)
    if not outcome.plan.experiment.gates:
        raise NotJudged(f"The experiment of the run in {run.path} has no gates to judge.", _HOW_TO)
    played_against = (outcome.plan.stopping or {}).get("baseline")
    saved = _saved(outcome.plan, file) if file or not played_against else None
    return record(outcome, saved)


def outcome_of(run: RunDir) -> Outcome:
    """What was played in a saved run; NotJudged where that cannot be read, or not by the game as it is now."""
    from balance.experiment.events import Outcome
    from balance.experiment.progress_file import DamagedError, ProgressFile

    try:
        plan = run.plan()
        saved = ProgressFile(run.progress, plan).load()
    except DamagedError as error:
        hint = f"Give the run's command again: {run.command_again}"
        raise NotJudged(f"{run.progress} is damaged.", hint) from error
    except BalanceError as error:
        raise NotJudged(error.message, error.hint) from error
    return Outcome(plan, saved.tallies, saved.steps == plan.n_steps, {})


def _saved(plan: Plan, file: Path | None) -> Record | None:
    """The baseline in a file, if the gates ask for one; BalanceError where it is missing, or cannot be compared."""
    from balance.analysis.baseline import read, refuse
    from balance.analysis.questions import questions
    from balance.experiment.toml_source import content

    asked = [one.cell for one in questions(plan) if one.gate.against == "file"]
    if not asked:
        if file is not None:
            raise BalanceError(f'No gate is held against {file}; that takes against = "file" in it.')
        return None
    if file is None:
        raise BalanceError('A gate is held against = "file": say which one with --baseline FILE.')
    try:
        text = content(file, "baseline").decode("utf-8", "replace")
    except BalanceError as error:
        raise BalanceError(error.message, "`balance baseline RUN FILE` writes one.") from None
    found = read(text, str(file))
    refuse(found, plan, asked, str(file))
    return found
