"""What can be wrong with a deck as a whole: ids taken twice, breeds that nobody has, too many cards or none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from balance.errors import nearest
from balance.game import MAX_SEATS
from balance.games.kennelmester.deck import MOST_BREEDS, SEXES
from balance.games.kennelmester.deck_files.cards import CHARACTERS, CUSTOMERS, DOGS, EVENTS, KINDS, Kind
from balance.games.kennelmester.deck_files.columns import folded
from balance.games.kennelmester.deck_files.findings import Findings, lines_in_words, plural
from balance.games.kennelmester.deck_files.rows import Row
from balance.games.kennelmester.deck_files.table import Table

OFFICIAL_EVENTS = 24
"""The official event_deck_size (4.2)."""


@dataclass(frozen=True)
class Entry:
    """A row that is not switched off, and the card that it shows; that of a faulty row is of no use."""

    row: Row
    card: Any

    @property
    def ids(self) -> list[str]:
        """The ids of its cards: x, x_2 .. x_n."""
        own = self.card.id
        return [own, *(f"{own}_{n}" for n in range(2, self.row.copies + 1))] if own else []


Entries = Mapping[str, Sequence[Entry]]
"""The cards by file, in the order of KINDS; a file that could not be read is missing."""


def check_all(tables: Mapping[str, Table], entries: Entries, findings: Findings) -> None:
    """All checks that look at more than one row."""
    for kind in KINDS:
        if kind.file in tables:
            _check_number(kind, tables[kind.file], entries[kind.file], findings)
            _warn_of_few(kind, tables[kind.file].file, entries[kind.file], findings)
    _check_ids(list(chain.from_iterable(entries.values())))
    if DOGS.file in tables:
        _check_breeds(entries[DOGS.file], findings)
        _check_wanted(tables[DOGS.file], entries, findings)
        _warn_of_dice(entries[DOGS.file], findings)


def _check_number(kind: Kind, table: Table, entries: Sequence[Entry], findings: Findings) -> None:
    cards = sum(entry.row.copies for entry in entries)
    if cards > kind.most:
        findings.fault(table.file, f"{cards} {kind.noun}s are too many; {kind.most} can be played with.")
    if not cards and table.complete and (kind is not CUSTOMERS or not table.rows):
        findings.fault(table.file, f"there is no {kind.noun} in this file.")
    elif not cards and table.complete:
        findings.warning(table.file, "every customer is switched off.")


def _warn_of_few(kind: Kind, file: str, entries: Sequence[Entry], findings: Findings) -> None:
    """Decks that can be played with, but not by the official rules or by all that the game is for."""
    cards = sum(entry.row.copies for entry in entries)
    if kind is CHARACTERS and 0 < cards < MAX_SEATS:
        findings.warning(file, f"{plural(cards, 'character')} for at most as many players.")
    if kind is EVENTS and 0 < cards < OFFICIAL_EVENTS:
        few = f"{plural(cards, 'event')}; the official rules play with {OFFICIAL_EVENTS}"
        findings.warning(file, f"{few}, so set event_deck_size to {cards} or less.")


def _check_ids(entries: Sequence[Entry]) -> None:
    """Every id once, over all files, those of copies included; of each row the first that is taken."""
    taken: dict[str, Row] = {}
    for entry in entries:
        again = next((each for each in entry.ids if each in taken), "")
        if again:
            first = taken[again]
            place = f"in line {first.line}" + (f" of {first.file}" if first.file != entry.row.file else "")
            copy = "" if again == entry.card.id else f"has a copy {again}, which "
            entry.row.fault("id", f"{copy}is an id already, {place}.")
        for each in entry.ids:
            taken.setdefault(each, entry.row)


def _check_breeds(dogs: Sequence[Entry], findings: Findings) -> None:
    """Breeds that are written in one way each, are not too many, and have both sexes and one name."""
    rows: dict[str, list[Entry]] = {}
    spelled: dict[str, Entry] = {}
    for entry in (entry for entry in dogs if entry.card.breed):
        known = spelled.setdefault(folded(entry.card.breed), entry)
        if known.card.breed == entry.card.breed:
            rows.setdefault(entry.card.breed, []).append(entry)
        else:
            entry.row.fault(
                "breed", f"is spelled {known.card.breed} in line {known.row.line}; write it one way."
            )
    if len(rows) > MOST_BREEDS:
        file, number = dogs[0].row.file, len(rows)
        findings.fault(file, f"{number} breeds are too many; {MOST_BREEDS} can be played with.")
    for breed, entries in rows.items():
        first = entries[0].row
        for sex in SEXES:
            if not any(entry.card.sex == sex or entry.row.faulty for entry in entries):
                findings.warning(
                    first.file, f"has no {sex} dog, so it cannot breed.", first.line, _breed(first), breed
                )
        for column in ("breed_name_hu", "breed_name_en"):
            _warn_of_names(entries, column, findings)


def _breed(row: Row) -> str:
    return row.columns.written["breed"]


def _warn_of_names(entries: Sequence[Entry], column: str, findings: Findings) -> None:
    """A breed with several names; it is called by the first."""
    named = [entry.row for entry in entries if entry.row.text(column)]
    other = next((row for row in named if row.text(column) != named[0].text(column)), None)
    if other:
        cell, first = other.cells[column], named[0]
        sentence = f"is another name than in line {first.line} for the same breed; the first one is used."
        findings.warning(other.file, sentence, cell.line, other.columns.written[column], cell.text)


def _check_wanted(dogs: Table, entries: Entries, findings: Findings) -> None:
    """Customers want breeds that there are."""
    breeds = dict.fromkeys(entry.card.breed for entry in entries[DOGS.file])
    if not breeds or not dogs.complete or "" in breeds:  # the breed may be one that could not be read
        return
    off = {row.text("breed") for row in dogs.rows if row.copies == 0}
    spelled = {folded(breed): breed for breed in reversed(breeds)}
    for entry in entries.get(CUSTOMERS.file, ()):
        wanted = entry.card.breed
        if wanted is None or wanted in breeds:
            continue
        if wanted in off:
            entry.row.fault("breed", "is a breed whose dogs are all switched off.")
        else:
            same = spelled.get(folded(wanted))
            near = f' Did you mean "{same}"?' if same else nearest(wanted, breeds)
            entry.row.fault("breed", f"is the breed of no dog.{near}")


def _warn_of_dice(dogs: Sequence[Entry], findings: Findings) -> None:
    lines = [entry.row.line for entry in dogs if max(entry.card.traits) > 2]
    if lines:
        dice = f"more than 2 dice for a trait in {lines_in_words(lines)}; the rulebook knows 1 and 2."
        findings.warning(dogs[0].row.file, dice)
