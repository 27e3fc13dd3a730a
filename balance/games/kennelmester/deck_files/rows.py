"""One row of a file that holds a card: its cells by the names of columns, and a fault for each that is wrong."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from balance.games.kennelmester.deck_files.cells import Cell
from balance.games.kennelmester.deck_files.columns import NOTES, Columns
from balance.games.kennelmester.deck_files.findings import Findings

_LONGEST = 200
_ERRORS = re.compile("#[A-ZÁÄÉÍÓÖŐÚÜŰ/0]+[!?]|#N/A|#NV|#HIÁNYZIK|Err:[0-9]{3}")
"""What spreadsheets show where a formula fails: #REF!, #DIV/0!, #NAME?, #N/A and the like, in several languages."""
_MARK = re.compile(r"\bPLACEHOLDER\b", re.IGNORECASE)


@dataclass
class Row:
    """A row with the cells of the known columns; `copies` cards are made of it, none where it is switched off."""

    file: str
    line: int
    cells: Mapping[str, Cell]
    columns: Columns
    findings: Findings
    copies: int = 1
    faulty: bool = False

    def __post_init__(self) -> None:
        """Take no cell for a value that holds an error, a formula or far too much."""
        fit = {}
        for column, cell in self.cells.items():
            wrong = "" if column == NOTES else _spoiled(cell.text)
            if wrong:
                self.fault(column, wrong)
            else:
                fit[column] = cell
        self.cells = fit

    def text(self, column: str) -> str | None:
        """What stands in a column; None where nothing can be said of it: it is missing, or a fault already."""
        return self.cells[column].text if column in self.cells else None

    def fault(self, column: str, text: str) -> None:
        """What is wrong with a cell, as the end of a sentence about it."""
        self.faulty = True
        cell = self.cells[column]
        self.findings.fault(self.file, text, cell.line, self.columns.written[column], cell.text)

    def lose(self, column: str) -> None:
        """Leave a cell out of which nothing can be said, without a fault of its own."""
        self.faulty = True
        self.cells = {name: cell for name, cell in self.cells.items() if name != column}

    @property
    def is_placeholder(self) -> bool:
        """Whether the notes mark this row as a placeholder for a card of the publisher's."""
        return bool(_MARK.search(self.text(NOTES) or ""))


def _spoiled(text: str) -> str:
    """What is wrong with a cell whatever its column; '' where nothing is."""
    if text.startswith("="):
        return "is a formula; save the table with the values."
    if _ERRORS.fullmatch(text):
        return "is an error of the spreadsheet; correct the formula there."
    return f"is longer than {_LONGEST} letters." if len(text) > _LONGEST else ""
