"""balance check: do the gates of an experiment hold? Plays until they are decided, or judges a run that was saved."""

from __future__ import annotations

import os
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
from balance.errors import BalanceError, NotJudged

if TYPE_CHECKING:
    from balance.cli.playing import Last
    from balance.cli.progress import Talk
    from balance.experiment.events import Outcome
    from balance.experiment.plan import Plan
    from balance.experiment.rundir import RunDir
    from balance.experiment.runner import Run

    Record = dict[str, Any]

_CODES = {"pass": 0, "fail": 1, "inconclusive": 3, "no data": 4}
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
    told = _Told(junit, summary, form)
    run = _saved_run(target)
    try:
        if run is None:
            _played(told, target, games, seed, threads, out, baseline)
        elif any(given is not None for given in (games, seed, threads, out)):
            raise BalanceError("A run has its games and its seed; to play others, check its experiment file.")
        else:
            sys.stdout.write(told.tell(_judged(run, baseline), run, [], saved=True))
            sys.stdout.flush()
    except BrokenPipeError:  # whoever reads our output may leave; the verdict stays
        streams.silence(sys.stdout)
    raise typer.Exit(told.code)


class _Told:
    """Tells a verdict in every way that was asked for, and keeps the exit code that it leads to."""

    def __init__(self, junit: Path | None, summary: Path | None, form: Format) -> None:
        self._junit, self._summary, self._form = junit, summary, form
        self.code = _CODES["no data"]

    def tell(
        self, found: Record, folder: RunDir, gates_at: list[int], file: str = "", saved: bool = False
    ) -> str:
        """Write the files that were asked for and print the verdict; what is to be printed last."""
        from balance.experiment.files import as_json, write_named, write_whole
        from balance.experiment.wording import printable
        from balance.report import github
        from balance.report.junit import junit

        self.code = _CODES[found["verdict"]]
        found = found | {"exit_code": self.code}
        content = as_json(found)
        write_whole(folder.path / "verdict.json", content)
        if self._junit is not None:
            write_named(self._junit, junit(found))
        if self._summary is not None:
            _summarize(self._summary, github.markdown(found, found["verdict"]))
        if self._form is Format.JSON:
            sys.stdout.write(content.decode("utf-8", "surrogatepass"))
            return ""
        sys.stdout.write("\n".join(_lines(found, folder if saved else None)) + "\n")
        if os.environ.get("GITHUB_ACTIONS") == "true":
            sys.stdout.writelines(f"{line}\n" for line in github.notices(found, file, gates_at))
        return f"Verdict: {printable(str(folder.path / 'verdict.json'))}\n"


def _summarize(path: Path, text: str) -> None:
    """To the summary that GitHub gathers a step adds its own; any other file is written anew."""
    from balance.experiment.files import fault, write_named

    if str(path) != os.environ.get("GITHUB_STEP_SUMMARY"):
        write_named(path, text.encode("utf-8", "replace"))
        return
    try:
        with open(path, "ab") as file:
            file.write(text.encode("utf-8", "replace"))
    except OSError as error:
        raise fault(error, path) from error


def _lines(found: Record, saved: RunDir | None = None) -> list[str]:
    from balance.cli.tables import filled
    from balance.report import gates, levels, words

    lines = []
    if saved is not None and found["status"] != "complete":
        played = words.plural(sum(cell["games"] for cell in found["cells"]), "game")
        lines += filled(f"This run was stopped after {played}. To go on: {saved.command_again}")
    for sentence in levels.of_gates(found["gates"]):
        lines += filled(sentence)
    for row in gates.rows(found):
        label = f"{'warning: ' if row.warns and row.verdict != 'pass' else ''}{row.verdict}".upper()
        where = f"{words.isolated(row.variant)}, {row.table}"
        sentence = f"{row.subject}, {where}: {row.found}; limit: {row.limits}. {row.more}"
        lines += filled(f"{label:<12} {sentence}".rstrip())
    lines += ["", *filled(f"{found['verdict'].upper()}. {gates.summary(found)}")]
    needed = gates.games_needed(found)
    if needed is not None:
        how = (
            f"--games {needed}, in another folder if you name one"
            if saved is None
            else "check its experiment file"
        )
        lines += filled(f"About {words.count(needed)} games in each cell would decide all: {how}.")
    return lines


def _played(
    told: _Told,
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
            sys.stdout.write("\n".join(_lines(found)) + "\n")
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
    from balance.analysis.gates import questions
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
