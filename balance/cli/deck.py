"""balance deck check: what a deck of a designer's files holds, and what is wrong with it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from balance.cli.options import Format, form_of
from balance.errors import BalanceError, Remark, listed

if TYPE_CHECKING:
    from balance.game import DeckCheck, DeckTable, Game

_FAULTY = 1
app = typer.Typer(
    help="Check a deck of cards in files of your own.", no_args_is_help=True, rich_markup_mode=None
)


@app.command()
def check(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder with the files of a deck.")],
    game: Annotated[
        str | None,
        typer.Option("--game", metavar="GAME", help="Whose deck it is, where several games have decks."),
    ] = None,
    form: Annotated[Format, form_of("What is printed.")] = Format.TEXT,
) -> None:
    """Print what a deck holds, and all that is wrong with it.

    What was skipped, filled down or copied is noted. Reads CSV files as spreadsheets save them.
    """
    chosen = _game_of(game)
    assert chosen.check_deck is not None
    checked = chosen.check_deck(folder)
    if form is Format.JSON:
        facts = _facts(chosen, folder, checked)
        sys.stdout.write(json.dumps(facts, indent=2, ensure_ascii=False) + "\n")
    else:
        sys.stdout.write("".join(f"{line}\n" for line in _lines(chosen, folder, checked)))
    if checked.faults:
        sys.stdout.flush()
        raise typer.Exit(_FAULTY)


def _game_of(name: str | None) -> Game:
    """The game whose deck it is: the one that is named, or the only installed one that has decks."""
    from balance import registry

    if name is not None:
        found = registry.load(name)
        if found.check_deck is None:
            raise BalanceError(f"{found.title} has no decks to check.")
        return found
    games = [game for game in map(registry.load, registry.names()) if game.check_deck]
    if len(games) != 1:
        known = listed(game.id for game in games) or "none"
        raise BalanceError("Say whose deck it is, with --game GAME.", f"Games with decks: {known}.")
    return games[0]


def _facts(game: Game, folder: Path, checked: DeckCheck) -> dict[str, Any]:
    return {
        "game": game.id,
        "folder": str(folder),
        "good": not checked.faults,
        **{
            kind: [asdict(remark) | {"sentence": remark.sentence()} for remark in getattr(checked, kind)]
            for kind in ("faults", "warnings", "notes")
        },
        "census": [asdict(table) for table in checked.tables],
    }


def _lines(game: Game, folder: Path, checked: DeckCheck) -> Iterator[str]:
    """The tables, then what there is to say, what matters most at the end."""
    from balance.cli.tables import filled
    from balance.report.words import plural

    for table in checked.tables:
        yield from _table(table)
        yield ""
    yield from _remarks("Notes", checked.notes)
    yield from _remarks("Warnings", checked.warnings)
    yield from _remarks("Faults", checked.faults)
    n = len(checked.faults)
    verdict = f"{plural(n, 'fault')}; it cannot be played with" if n else "nothing is wrong with it"
    yield from filled(f"{_fit(str(folder))}, a deck of {game.title}: {verdict}.")


def _table(found: DeckTable) -> Iterator[str]:
    from balance.cli.tables import table

    yield from table([(found.title, *found.columns), *(tuple(map(_cell, row)) for row in found.rows)])


def _cell(value: int | float | str) -> str:
    from balance.report.words import count, fixed

    if isinstance(value, str):
        return _fit(value)
    return count(value) if isinstance(value, int) else fixed(value, 2)


def _remarks(title: str, remarks: Sequence[Remark]) -> Iterator[str]:
    from balance.cli.lines import wrapped

    if remarks:
        yield f"{title}:"
        for remark in remarks:
            yield from wrapped(remark.sentence(_fit), "- ", "  ")
        yield ""


def _fit(text: str) -> str:
    """What the designer has written, fit for a screen: nothing steers it, and nothing turns its neighbours round."""
    from balance.experiment.wording import printable
    from balance.report.words import isolated

    return isolated(printable(text))
