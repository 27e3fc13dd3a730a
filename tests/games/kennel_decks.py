"""Decks of Kennelmester as spreadsheets save them: written by the csv module, in any of its dialects."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from balance.errors import DeckError
from balance.games.kennelmester.deck_files import check_deck, read_deck

ROOT = Path(__file__).resolve().parents[2]
VECTORS = ROOT / "tests" / "vectors"
PLAIN = VECTORS / "kennelmester_deck"
"""The placeholder deck as the contract gives it."""
FILES = ("characters", "dogs", "customers", "events")
Sheet = list[dict[str, str]]
"""The rows of a file, in their order, each with its cells by the names of columns."""
Sheets = dict[str, Sheet]
Cells = Mapping[tuple[str, int, str], str]
"""Other cells for the placeholder deck, by sheet, line in the plain file and column."""
UTF8 = 'save the file as "CSV UTF-8".'


def plain_sheets() -> Sheets:
    """The placeholder deck, row by row."""
    return {name: rows_of((PLAIN / f"{name}.csv").read_text("utf-8")) for name in FILES}


def rows_of(text: str) -> Sheet:
    """The rows of a plain file."""
    return list(csv.DictReader(io.StringIO(text, newline="")))


def same(cells: list[str]) -> list[str]:
    return cells


@dataclass(frozen=True)
class Dialect:
    """How a spreadsheet writes a table."""

    separator: str = ","
    encoding: str = "utf-8"
    newline: str = "\n"
    directive: bool = False
    quoting: int = csv.QUOTE_MINIMAL
    order: Callable[[list[str]], list[str]] = same
    header: Callable[[str], str] = str
    cell: Callable[[str], str] = str

    def written(self, rows: Sequence[Mapping[str, str]]) -> bytes:
        """The bytes of a file with these rows."""
        columns = self.order(list(rows[-1]))
        out = io.StringIO()
        writer = csv.writer(out, delimiter=self.separator, lineterminator=self.newline, quoting=self.quoting)  # type: ignore[arg-type]
        writer.writerow([self.header(column) for column in columns])
        writer.writerows([[self.cell(row[column]) for column in columns] for row in rows])
        first = f"sep={self.separator}{self.newline}" if self.directive else ""
        return (first + out.getvalue()).encode(self.encoding)


PLAIN_DIALECT = Dialect()


def save(folder: Path, sheets: Sheets, dialect: Dialect = PLAIN_DIALECT) -> Path:
    """The folder with the files of a deck in it."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, rows in sheets.items():
        (folder / f"{name}.csv").write_bytes(dialect.written(rows))
    return folder


def with_column(rows: Sheet, column: str, value: str) -> Sheet:
    """Every row has a column, with this value where it has none."""
    return [{column: value, **row} if column not in row else row for row in rows]


def whole_with(comma: str) -> Callable[[str], str]:
    """Writes whole numbers as tables of decimals do: 5 as 5,0."""
    return lambda text: f"{text}{comma}0" if text.isdigit() else text


def faults(folder: Path) -> list[str]:
    """What is wrong with the deck in a folder, the same for those who play as for those who check."""
    found = check_deck(folder)
    with pytest.raises(DeckError) as refused:
        read_deck(folder)
    assert refused.value.faults == found.faults
    assert refused.value.message.splitlines()[:20] == [fault.sentence() for fault in found.faults[:20]]
    assert found.tables == ()
    return [fault.sentence().replace(f"{folder}/", "") for fault in found.faults]


def edited(cells: Cells) -> Sheets:
    """The placeholder deck with other cells."""
    sheets = plain_sheets()
    for (name, line, column), value in cells.items():
        sheets[name][line - 2][column] = value
    return sheets
