"""A deck from its four files: the whole way from bytes to cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from balance.errors import DeckError, Remark
from balance.game import DeckCheck
from balance.games.kennelmester.deck import Breed, Deck
from balance.games.kennelmester.deck_files.cards import CHARACTERS, CUSTOMERS, DOGS, EVENTS, KINDS, Kind
from balance.games.kennelmester.deck_files.census import census_of
from balance.games.kennelmester.deck_files.checks import Entry, check_all
from balance.games.kennelmester.deck_files.contents import FILES, contents
from balance.games.kennelmester.deck_files.encodings import UnreadableError, text_of
from balance.games.kennelmester.deck_files.findings import Findings
from balance.games.kennelmester.deck_files.rows import Row
from balance.games.kennelmester.deck_files.table import Table, table_of
from balance.games.kennelmester.deck_files.values import identifier

_PACKAGE, _SHIPPED = "balance.games.kennelmester", "placeholder"


def read_deck(folder: Path) -> Deck:
    """The deck in a folder; DeckError with all that is wrong with its files, BalanceError where there is no folder."""
    findings = Findings()
    return _without_fault(_deck_of(contents(folder, findings), findings), findings, str(folder))


@cache
def placeholder_deck() -> Deck:
    """The deck that comes along, of cards invented for the simulator."""
    folder, findings = resources.files(_PACKAGE) / _SHIPPED, Findings()
    deck = _deck_of(((name, (folder / name).read_bytes()) for name in FILES), findings)
    return _without_fault(deck, findings, _SHIPPED)


def check_deck(folder: Path) -> DeckCheck:
    """All that there is to say of the deck in a folder; BalanceError where there is no folder."""
    findings = Findings()
    deck = _deck_of(contents(folder, findings), findings)
    if deck and deck.placeholder:
        findings.note(str(folder), deck_note(deck))
    tables = census_of(deck) if deck else ()
    faults, warnings, notes = map(_sorted, (findings.faults, findings.warnings, findings.notes))
    return DeckCheck(faults, warnings, notes, tables)


def deck_note(deck: Deck) -> str:
    """What readers of results with this deck must know: that cards are placeholders; '' where none is marked so."""
    cards = len(deck.characters) + len(deck.dogs) + len(deck.customers) + len(deck.events)
    marked = (
        f"{deck.placeholder_cards} of its {cards} cards are marked as invented, in place of the publisher's."
    )
    return f"PLACEHOLDER DECK: {marked}" if deck.placeholder else ""


def _without_fault(deck: Deck | None, findings: Findings, folder: str) -> Deck:
    if deck is None:
        raise DeckError(folder, _sorted(findings.faults))
    return deck


def _sorted(remarks: Iterable[Remark]) -> tuple[Remark, ...]:
    """In the order of the files and their lines, what is said of no file first."""
    places = {name: place for place, name in enumerate(FILES)}
    return tuple(sorted(remarks, key=lambda remark: (places.get(Path(remark.file).name, -1), remark.line)))


def _deck_of(files: Iterable[tuple[str, bytes]], findings: Findings) -> Deck | None:
    """The deck in files by their paths; None where there is a fault."""
    kinds = {kind.file: kind for kind in KINDS}
    tables: dict[str, Table] = {}
    for path, content in files:
        kind = kinds[Path(path).name]
        try:
            tables[kind.file] = table_of(path, text_of(content), kind.columns, kind.filled, findings)
        except UnreadableError as error:
            findings.fault(path, error.text, error.line)
    entries = {
        name: [_entry(kinds[name], row) for row in table.rows if row.copies] for name, table in tables.items()
    }
    check_all(tables, entries, findings)
    return None if findings.faults else _assembled(entries)


def _entry(kind: Kind, row: Row) -> Entry:
    return Entry(row, kind.card(row, identifier(row)))


def _assembled(entries: dict[str, list[Entry]]) -> Deck:
    """The cards of all rows, copies after one another."""
    marked = [entry.row.copies for each in entries.values() for entry in each if entry.row.is_placeholder]
    return Deck(
        tuple(_copies(entries[CHARACTERS.file])),
        tuple(_copies(entries[DOGS.file])),
        tuple(_copies(entries[CUSTOMERS.file])),
        tuple(_copies(entries[EVENTS.file])),
        tuple(_breeds(entries[DOGS.file])),
        placeholder=bool(marked),
        placeholder_cards=sum(marked),
    )


def _copies(entries: Iterable[Entry]) -> Iterator[Any]:
    for entry in entries:
        yield from (replace(entry.card, id=each) for each in entry.ids)


def _breeds(dogs: list[Entry]) -> Iterator[Breed]:
    """In the order of their first dogs, each with the first name in each language."""
    for breed in dict.fromkeys(entry.card.breed for entry in dogs):
        rows = [entry.row for entry in dogs if entry.card.breed == breed]
        names = [[row.text(f"breed_name_{language}") for row in rows] for language in ("hu", "en")]
        yield Breed(breed, *(next(filter(None, each), "") for each in names))
