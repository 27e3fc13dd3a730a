"""balance find: games of a run by what is in their rows, each with the command that plays it again."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from balance.cli import streams
from balance.cli.options import Format, cell_named, form_of
from balance.cli.usage import whole
from balance.errors import BalanceError

if TYPE_CHECKING:
    from balance.experiment.find import Extreme, Found, Hit
    from balance.experiment.rundir import RunDir

_SHOWN, _MOST_SHOWN = 10, 100_000


def find(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run.")],
    condition: Annotated[
        str | None, typer.Argument(metavar="CONDITION", help="Such as 'score_margin > 15 and turns < 50'.")
    ] = None,
    top: Annotated[
        str | None, typer.Option("--top", metavar="COLUMN", help="The games with the highest values.")
    ] = None,
    bottom: Annotated[
        str | None, typer.Option("--bottom", metavar="COLUMN", help="The games with the lowest values.")
    ] = None,
    n: Annotated[
        int,
        typer.Option(
            "-n", metavar="N", parser=whole("-n", 1, _MOST_SHOWN), help="How many games are shown at most."
        ),
    ] = _SHOWN,
    cell: Annotated[
        str | None, typer.Option("--cell", metavar="NAME", help="Search one cell only, such as baseline-p4.")
    ] = None,
    form: Annotated[Format, form_of("What is printed.")] = Format.TEXT,
) -> None:
    """Find games by what happened in them. Columns count seats from 0: score_0 is the score of seat 1."""
    asked = _asked(condition, top, bottom)
    from balance.experiment.find import search
    from balance.experiment.rundir import RunDir

    folder = RunDir.open(run)
    if cell is not None:
        cell_named(cell, [one["folder"] for one in folder.manifest["cells"]])
    found = search(folder, asked, cell, n)
    for sentence in found.notes:
        streams.say(f"{sentence}\n")
    if form is Format.JSON:
        sys.stdout.write(_as_json(folder, found))
    else:
        sys.stdout.write("".join(_told(folder, hit) for hit in found.hits) + _summary(asked, found))


def _asked(condition: str | None, top: str | None, bottom: str | None) -> str | Extreme:
    given = [one for one in (condition, top, bottom) if one is not None]
    if len(given) != 1:
        raise BalanceError("Say what to find: a CONDITION, or --top COLUMN, or --bottom COLUMN; one of them.")
    if condition is not None:
        return condition
    from balance.experiment.find import Extreme

    return Extreme(given[0], lowest=bottom is not None)


def _told(folder: RunDir, hit: Hit) -> str:
    values = ", ".join(f"{name} = {value}" for name, value in hit.values.items())
    return f"{hit.cell}, game {hit.game}: {values}\n  {folder.replay_command(hit.game, hit.cell)}\n"


def _summary(asked: str | Extreme, found: Found) -> str:
    games = f"{found.searched:,} game{'s' if found.searched > 1 else ''}"
    if not isinstance(asked, str):
        return f"The {len(found.hits)} most extreme of {games}.\n"
    if not found.matching:
        return f"No game of {games} fulfils {asked.strip()}.\n"
    fulfil = "fulfil" if found.matching > 1 else "fulfils"
    return f"{found.matching:,} of {games} {fulfil} {asked.strip()}.{_shown(found)}\n"


def _shown(found: Found) -> str:
    n = len(found.hits)
    if n == found.matching:
        return ""
    return f" The first {n} are shown; -n shows more." if n > 1 else " The first is shown; -n shows more."


def _as_json(folder: RunDir, found: Found) -> str:
    games = [
        {
            "cell": hit.cell,
            "game": hit.game,
            "values": hit.values,
            "replay": folder.replay_command(hit.game, hit.cell),
        }
        for hit in found.hits
    ]
    facts = {
        "games": games,
        "matching": found.matching,
        "searched": found.searched,
        "notes": list(found.notes),
    }
    return json.dumps(facts, indent=2, ensure_ascii=False) + "\n"
