"""balance players: how strong each type of player is, those in policy files included."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from balance.cli.options import Seed, Threads
from balance.cli.progress import Talk
from balance.cli.tables import filled, table
from balance.cli.usage import one_of, whole
from balance.report import words

if TYPE_CHECKING:
    from balance.experiment.contests import Contests
    from balance.experiment.events import Outcome, Progress
    from balance.experiment.models import Experiment
    from balance.experiment.runner import Run

Record = Mapping[str, Any]


class TableFormat(StrEnum):
    """How the table is printed."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"


def players(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game (see `balance games`).")],
    files: Annotated[
        list[Path] | None, typer.Argument(metavar="FILE...", help="Policy files to measure as well.")
    ] = None,
    count: Annotated[
        int | None,
        typer.Option(
            "--players",
            metavar="N",
            parser=whole("--players", 1),
            help="How many sit at the table; 4 if left out, or as near as the game comes.",
        ),
    ] = None,
    games: Annotated[
        str, typer.Option("--games", metavar="N", help="Games for each pair of types: 5000, 200k, 5M.")
    ] = "20_000",
    seed: Seed = None,
    threads: Threads = None,
    form: Annotated[
        TableFormat,
        typer.Option(
            "--format",
            metavar="text|json|markdown",
            parser=one_of("--format", TableFormat),
            help="What is printed on standard output.",
        ),
    ] = TableFormat.TEXT,
) -> None:
    """Measure how strong each type of player is. One of it sits among random players, and among the usual ones."""
    from balance.experiment import settings
    from balance.experiment.contests import contests

    number = settings.parse_seed(seed) if seed is not None else 1
    found = contests(game, files or [], count, settings.parse_games(games), number)
    talk = Talk()
    talk.say("preparing")
    try:
        facts = _facts(found, threads, talk)
    finally:
        talk.wipe()
    sys.stdout.write(_PRINTED[form](facts))


def _facts(found: Contests, threads: int | None, talk: Talk) -> Record:
    """Play all contests; nothing is left of their folders."""
    from balance.analysis.contests import standings, win_share

    games, shares = found.run.games, {}
    with tempfile.TemporaryDirectory() as place:
        for number, one in enumerate(found.each):
            with closing(_run(one.experiment, Path(place) / str(number), threads)) as going:
                outcome = _played(going, talk, number * games, len(found.each) * games)
            shares[one.policy, one.against] = win_share(outcome, one.policy)
    return standings(found, shares)


def _run(experiment: Experiment, folder: Path, threads: int | None) -> Run:
    from balance.experiment.runner import Options, run

    return run(experiment, folder, threads, Options(rows=False))


def _played(going: Run, talk: Talk, done: int, total: int) -> Outcome:
    """The outcome of one of several runs; `done` of the `total` games of all were played before."""
    from balance.experiment.events import Compiled, Compiling, Finished, Progress, Warned

    for event in going:
        if isinstance(event, Finished):
            return event.outcome
        if isinstance(event, Progress):
            talk.tell(_of_all(event, done, total))
        elif isinstance(event, Compiling | Compiled | Warned):
            talk.tell(event)
    raise KeyboardInterrupt  # nothing else ends a run before it is finished


def _of_all(event: Progress, done: int, total: int) -> Progress:
    """How far all experiments are together."""
    speed, far = event.games_per_second, done + event.done
    return replace(event, done=far, total=total, seconds_left=(total - far) / speed if speed else None)


# ---------------------------------------------------------------------- the table


def _caption(facts: Record) -> str:
    others = words.plural(facts["players"] - 1, "player")
    return (
        f"{words.isolated(facts['game_title'])}, {words.plural(facts['players'], 'player')}: "
        f"one player of each type among {others} of another, in every seat equally often. Its share of the wins "
        f"in {words.count(facts['games'])} games, with the {words.confidence(facts)} interval. "
        f"An even share is {words.percent(facts['even'])}."
    )


def _share(estimate: Record | None) -> list[str]:
    """A share and its interval; among its own kind everybody is even."""
    return [words.value(estimate, True), words.interval(estimate, True)] if estimate else [words.NOTHING] * 2


def _text(facts: Record) -> str:
    heads = [part for other in facts["against"] for part in (f"among {other}", "interval")]
    rows = [["", *heads]]
    for one in facts["types"]:
        shares = [part for other in facts["against"] for part in _share(one["win_share"][other])]
        rows.append([words.isolated(one["policy"]), *shares])
    lines = [*filled(_caption(facts)), "", *table(rows), ""]
    for one in facts["types"]:
        lines += filled(f"{words.isolated(one['policy'])}: {one['help']}", "  ")
    return "\n".join(lines) + "\n"


def _markdown(facts: Record) -> str:
    heads = ["type of player", "what it does", *(f"among `{other}`" for other in facts["against"])]
    rows = [heads, ["---"] * len(heads)]
    for one in facts["types"]:
        shares = [_share(one["win_share"][other]) for other in facts["against"]]
        cells = [value if between == words.NOTHING else f"{value} ({between})" for value, between in shares]
        rows.append([f"`{one['policy']}`", one["help"].replace("|", "\\|"), *cells])
    lines = [_caption(facts), "", *(f"| {' | '.join(row)} |" for row in rows)]
    return "\n".join(lines) + "\n"


def _json(facts: Record) -> str:
    from balance.experiment.files import as_json

    return as_json(facts).decode("utf-8", "surrogatepass")


_PRINTED = {TableFormat.TEXT: _text, TableFormat.JSON: _json, TableFormat.MARKDOWN: _markdown}
