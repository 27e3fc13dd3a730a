"""balance replay: play any game of a run, or of a game, again from its number."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from balance.cli.options import Deck, Modes, Players, Policies, Seed, Sets, cell_named, experiment_of
from balance.cli.streams import say
from balance.cli.usage import one_of
from balance.errors import BalanceError, EnvironmentFault, nearest

if TYPE_CHECKING:
    from balance.experiment.plan import Plan, PlannedCell
    from balance.experiment.rundir import RunDir
    from balance.game import Game


class TraceFormat(StrEnum):
    """How a game is told."""

    TEXT = "text"
    JSONL = "jsonl"


def replay(
    target: Annotated[
        str, typer.Argument(metavar="RUN|TARGET", help="The folder of a run, an experiment file, or a game.")
    ],
    game: Annotated[
        str | None, typer.Option("--game", metavar="N", help="The number of one game, from 0.")
    ] = None,
    games: Annotated[
        str | None, typer.Option("--games", metavar="A:B", help="The games from A up to, not including, B.")
    ] = None,
    cell: Annotated[
        str | None, typer.Option("--cell", metavar="NAME", help="Which cell of a run, such as baseline-p4.")
    ] = None,
    sets: Sets = None,
    players: Players = None,
    mode: Modes = None,
    deck: Deck = None,
    policies: Policies = None,
    seed: Seed = None,
    form: Annotated[
        TraceFormat,
        typer.Option(
            "--format",
            metavar="text|jsonl",
            parser=one_of("--format", TraceFormat),
            help="A readable log, or the trace as JSON lines.",
        ),
    ] = TraceFormat.TEXT,
) -> None:
    """Play games again, move by move. The same number is always the same game."""
    numbers = _numbers(game, games)
    run, plan = _plan(target, sets, players, mode, deck, policies, seed)
    if form is TraceFormat.JSONL and plan.game.tracer is None:
        raise BalanceError(
            f"{plan.game.title} tells no trace; without --format there are the game's numbers."
        )
    planned = plan.cells[cell_named(cell, [one.folder for one in plan.cells])]
    if run is not None and numbers[-1] >= planned.games:
        last = f"{planned.games:,}"
        raise BalanceError(
            f"The run has {last} games in the cell {planned.folder}, numbered from 0; there is no game {numbers[-1]}."
        )
    if form is TraceFormat.TEXT:
        _say_what_is_banned(plan, planned)
    for lines in _told(run, plan, planned, numbers, form):
        sys.stdout.write(lines)


def _say_what_is_banned(plan: Plan, planned: PlannedCell) -> None:
    ban, bans = planned.cell.ban, plan.game.bans
    if ban is not None and bans is not None:
        from balance.report.bans import forbidden

        say(f"{forbidden(ban.seat - 1, bans.names[ban.name])}\n")


def _numbers(game: str | None, games: str | None) -> Sequence[int]:
    from balance.experiment.settings import parse_range

    if (game is None) == (games is None):
        raise BalanceError("Say which game: --game N, or --games A:B for several.")
    if games is not None:
        return parse_range(games)
    if not str(game).isdecimal() or int(str(game)) > 10**12:
        raise BalanceError(f'--game takes the number of a game, from 0, not "{game}".')
    return [int(str(game))]


def _plan(
    target: str,
    sets: list[str] | None,
    players: str | None,
    mode: str | None,
    deck: str | None,
    policies: str | None,
    seed: str | None,
) -> tuple[RunDir | None, Plan]:
    from balance import registry
    from balance.experiment.plan import Plan
    from balance.experiment.rundir import RunDir

    path = Path(target)
    if path.is_dir() and target not in registry.names():
        if any((sets, players, mode, deck, policies, seed)):
            raise BalanceError(
                "A run has its rules, players, policies and seed; choose among its cells with --cell."
            )
        run = RunDir.open(target)
        return run, run.plan()
    games = registry.names()
    if not path.exists() and path.suffix != ".toml" and ":" not in target and target not in games:
        known = [*_folders_in(path.parent), *games]
        nor = "" if "/" in target else ", and no game of that name"
        raise BalanceError(f'There is no run "{target}"{nor}.{nearest(target, known)}')
    experiment, _ = experiment_of(target, sets, players, mode, deck, policies, None, seed)
    return None, Plan(experiment)


def _folders_in(folder: Path) -> list[str]:
    return [str(path) for path in folder.iterdir() if path.is_dir()] if folder.is_dir() else []


def _told(
    run: RunDir | None, plan: Plan, planned: PlannedCell, numbers: Sequence[int], form: TraceFormat
) -> Iterator[str]:
    from balance.engine.faults import PlayError
    from balance.experiment.replay import Replayer

    table = plan.table(planned)
    replayer = Replayer(plan.game, table.params, table.policies, table.rotations, table.ban)
    for number in numbers:
        try:
            replayed = replayer.play(plan.experiment.run.seed, number)
        except PlayError as error:
            yield _so_far(plan.game, error.events, form)
            raise
        if run is not None:
            _same_as_played(run, plan, planned, number, replayed.row)
        if form is TraceFormat.JSONL:
            yield _json_lines(replayed.events)
        elif plan.game.narrate:
            yield "\n".join(plan.game.narrate(replayed.events)) + "\n"
        else:
            yield "".join(f"{name} = {value}\n" for name, value in replayed.row.items())


def _json_lines(events: Sequence[dict[str, Any]]) -> str:
    lines = [json.dumps(event, ensure_ascii=False, separators=(",", ":")) for event in events]
    return "".join(f"{line}\n" for line in lines)


def _so_far(game: Game, events: Sequence[dict[str, Any]], form: TraceFormat) -> str:
    """A game that cannot be played on, up to there; as JSON lines where its log needs a game that is whole."""
    if form is TraceFormat.TEXT and game.narrate and events:
        with suppress(Exception):
            return "\n".join(game.narrate(events)) + "\n"
    return _json_lines(events)


def _same_as_played(run: RunDir, plan: Plan, planned: PlannedCell, number: int, row: dict[str, int]) -> None:
    """A replay that differs from the row of the run would be another game: better no answer than a wrong one."""
    path = run.part(planned, plan.part_of(planned, number))
    if not path.exists():
        return
    import polars

    kept = run.read_part(path, lambda rows: rows.filter(polars.col("game") == number)).to_dicts()
    differing = [
        name
        for name, value in row.items()
        if kept and name != "ended" and kept[0].get(name, value) not in (value, None)
    ]
    if differing:
        raise EnvironmentFault(
            f"Game {number} was not played again as it was in the run: {', '.join(differing)} came out otherwise."
        )
