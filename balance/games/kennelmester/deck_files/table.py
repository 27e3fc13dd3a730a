"""From the text of a file to the rows that hold cards; what is skipped, filled down or switched off is noted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from balance.games.kennelmester.deck_files import cells, notes, values
from balance.games.kennelmester.deck_files.cells import SEPARATORS, Cell, StrayQuoteError
from balance.games.kennelmester.deck_files.columns import COUNT, COUNTS, Columns, columns_of, folded
from balance.games.kennelmester.deck_files.encodings import Text
from balance.games.kennelmester.deck_files.findings import Findings
from balance.games.kennelmester.deck_files.rows import Row

MOST_COPIES, MOST_ROWS = 100, 10_000
_TOTALS = {"total", "totals", "subtotal", "sum", "osszesen", "osszes", "mindosszesen", "summe", "gesamt"}
_TOTALS |= {"insgesamt", "somme", "suma", "celkem", "spolu"}
_NUMBER = re.compile("[+-]?[0-9][0-9., \u00a0\u202f]*")


@dataclass
class Table:
    """The rows of a file that hold cards, switched off or not; `complete` unless some could not be read."""

    file: str
    rows: list[Row] = field(default_factory=list)
    complete: bool = True


def table_of(file: str, text: Text, needed: Sequence[str], filled: str, findings: Findings) -> Table:
    """The table in a text; `needed` are its columns, of which `filled` is filled down where it is blank."""
    known = {*needed, *COUNTS}
    separator, start, line = cells.separator_of(text.text, lambda name: folded(name) in known)
    raw, stray = _raw_rows(text.text, separator, start, line)
    if stray:
        findings.fault(file, stray.text, stray.line, value=stray.value)
    full = [row for row in raw if not cells.is_blank(row)]
    if not full:
        if not stray:
            findings.fault(file, "this file is empty.")
        return Table(file, complete=False)
    columns = columns_of(file, full[0], needed, findings)
    totals = [row for row in full[1:] if _is_total(row, columns)]
    held = [row for row in full[1:] if row not in totals]
    if len(held) > MOST_ROWS:
        findings.fault(file, f"{len(held)} rows are too many; no deck has more than {MOST_ROWS}.")
        return Table(file, complete=False)
    if not columns.places:
        return Table(file, complete=False)
    notes.form(file, text, separator, full, columns, findings)
    notes.skipped(file, raw, totals, findings)
    rows = [row for row in held if not _runs_over(file, row, columns, separator, findings)]
    made = [_row(file, row, columns, findings) for row in rows]
    if filled in columns.places:
        _fill_down(made, filled, findings)
    _count(made, findings)
    return Table(file, made, columns.complete and len(rows) == len(held) and not stray)


def _raw_rows(
    text: str, separator: str, at: int, line: int
) -> tuple[list[list[Cell]], StrayQuoteError | None]:
    """The rows up to the end, or up to a quotation mark that is out of place."""
    rows: list[list[Cell]] = []
    try:
        rows.extend(cells.rows_of(text, separator, at, line))
    except StrayQuoteError as error:
        return rows, error
    return rows, None


def _is_total(row: list[Cell], columns: Columns) -> bool:
    """Whether a row has only numbers, beside at most one cell that says so; a card has an id and more words."""
    words = [folded(cell.text) for cell in row if cell.text and not _NUMBER.fullmatch(cell.text)]
    words = [word for word in words if word not in (*values.ON, *values.OFF)]
    place = columns.places.get("id", len(row))
    unnamed = place >= len(row) or not row[place].text
    if not words:
        return unnamed
    return len(words) == 1 and not _TOTALS.isdisjoint(re.split(r"[\s:.]+", words[0]))


def _runs_over(file: str, row: list[Cell], columns: Columns, separator: str, findings: Findings) -> bool:
    """Whether there is more in a row than columns have names, so that no cell is where it should be."""
    beyond = [number for number, cell in enumerate(row, 1) if number > columns.width and cell.text]
    if beyond:
        sign = SEPARATORS.get(separator, separator).removesuffix("s")
        named = f"stands in cell {beyond[0]}, but only {columns.width} columns have names"
        sentence = f"{named}; a text with a {sign} in it needs quotation marks around it."
        cell = row[beyond[0] - 1]
        findings.fault(file, sentence, cell.line, value=cell.text)
    return bool(beyond)


def _row(file: str, row: list[Cell], columns: Columns, findings: Findings) -> Row:
    padded = [*row, *[Cell("", row[-1].line)] * (columns.width - len(row))]
    named = {name: padded[place] for name, place in columns.places.items()}
    return Row(file, row[0].line, named, columns, findings, faulty=not columns.complete)


def _fill_down(rows: list[Row], column: str, findings: Findings) -> None:
    """Where the cell is blank, as merged cells are saved, it is that of the row above; without it if that is faulty."""
    above: Cell | None = Cell("", 0)
    groups: list[list[Row]] = []
    for row in rows:
        cell = row.cells.get(column)
        if cell is None or cell.text or above == Cell("", 0):
            above = cell
            groups.append([])
        elif above is None:
            row.lose(column)
        else:
            row.cells = {**row.cells, column: Cell(above.text, cell.line)}
            groups[-1].append(row)
    for group in filter(None, groups):
        notes.filled_down(group, column, findings)


def _count(rows: list[Row], findings: Findings) -> None:
    """How many cards each row stands for, by the column of counts, where there is one."""
    for row in rows:
        if row.text(COUNT):
            row.copies = values.whole(row, COUNT, 0, MOST_COPIES, instead=1)
    notes.counted(rows, findings)
