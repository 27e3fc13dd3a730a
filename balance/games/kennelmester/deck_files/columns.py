"""The first line of a file: which column is which, in any order, and what is missing."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from balance.errors import listed, nearest
from balance.games.kennelmester.deck_files.cells import Cell
from balance.games.kennelmester.deck_files.findings import Findings

NOTES = "notes"
COUNT = "count"
COUNTS = (COUNT, "qty", "quantity", "copies", "amount", "db", "darab", "antal", "anzahl", "nombre")


@dataclass(frozen=True)
class Columns:
    """Where each known column stands and what the file calls it; that of the copies is `COUNT` under all its names."""

    places: dict[str, int]
    written: dict[str, str]
    width: int
    ignored: tuple[str, ...]
    complete: bool


def folded(text: str) -> str:
    """A text without accents and capitals, by which names are compared."""
    letters = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def columns_of(file: str, header: Sequence[Cell], needed: Sequence[str], findings: Findings) -> Columns:
    """The columns that a header names; those that are needed and missing, or there twice, are faults."""
    places: dict[str, int] = {}
    ignored = []
    for place, cell in enumerate(header):
        name = folded(cell.text)
        name = COUNT if name in COUNTS else name
        if name not in (*needed, NOTES, COUNT):
            ignored += [cell.text] if cell.text else []
        elif name in places:
            findings.fault(file, _twice(name, header[places[name]].text), cell.line, value=cell.text)
        else:
            places[name] = place
    missing = [name for name in needed if name not in places]
    if len(missing) == len(needed):
        sentence = f"this is not the line that names the columns: {listed(needed)}."
        findings.fault(file, sentence, header[0].line)
    else:
        for name in missing:
            findings.fault(file, f"this column is missing.{nearest(name, ignored)}", header[0].line, name)
    written = {name: header[place].text for name, place in places.items()}
    return Columns(places, written, len(header), tuple(ignored), not missing)


def _twice(name: str, first: str) -> str:
    if name == COUNT:
        return f'also says how many there are of a card, as does "{first}"; leave one of them.'
    return "is the name of two columns."
