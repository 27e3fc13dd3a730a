"""From text to rows of cells, each with the line in which it begins, also after line breaks within a cell.

The csv module gives a record the line in which it ends, its cells none, and reads on to the end of the file after a
stray quotation mark; so the few rules of the format stand here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs"}
_DIRECTIVE = re.compile(r'"?sep=([^\w"\s]|\t)"?[ ,;\t]*(?:\n|$)', re.IGNORECASE)
_OPENING = re.compile('[ \u00a0]*"')
_QUOTED = re.compile('[ \u00a0]*"([^"]*(?:""[^"]*)*)"[ \u00a0]*')
_BREAKS = re.compile(r"[ \t]*[\t\n\v\f\x85\u2028\u2029]+[ \t]*")
_EDGES = "\ufeff\u200b\u200e\u200f\u2060"
_SHOWN = 40


@dataclass(frozen=True)
class Cell:
    """What stands in a cell, without surrounding blanks and in one line, and the line of the file."""

    text: str
    line: int


class StrayQuoteError(Exception):
    """A quotation mark that is never closed, or closed in the middle of a text: where it opens, and what follows it."""

    def __init__(self, line: int, value: str, text: str) -> None:
        super().__init__(text)
        self.line = line
        self.value = value
        self.text = text


def separator_of(text: str, fits: Callable[[str], bool]) -> tuple[str, int, int]:
    """What stands between cells, where the table begins, and the line of that; by Excel's `sep=`, or by the names.

    `fits` says whether a text is the name of a column: the separator is that which gives the most of them.
    """
    directive = _DIRECTIVE.match(text)
    if directive:
        return directive[1], directive.end(), 2

    def columns(separator: str) -> tuple[int, bool]:
        try:
            names = next((row for row in rows_of(text, separator) if not is_blank(row)), [])
        except StrayQuoteError:
            return 0, False
        return sum(fits(cell.text) for cell in names), not names

    return max(SEPARATORS, key=columns), 0, 1


def rows_of(text: str, separator: str, at: int = 0, line: int = 1) -> Iterator[list[Cell]]:
    """The rows of a table that begins at a place in the text, in that line. Raises StrayQuoteError."""
    plain = re.compile(f"[^{re.escape(separator)}\n]*")
    while at < len(text):
        row: list[Cell] = []
        goes_on = True
        while goes_on:
            raw, at, breaks = _cell(text, at, line, plain, separator)
            row.append(Cell(tidy(raw), line))
            line += breaks
            goes_on = text.startswith(separator, at)
            at += 1
        line += 1
        yield row


def _cell(text: str, at: int, line: int, plain: re.Pattern[str], separator: str) -> tuple[str, int, int]:
    """A cell as it stands there, where it ends, and how many line breaks are in it."""
    if not _OPENING.match(text, at):
        found = plain.match(text, at)
        return (found[0], found.end(), 0) if found else ("", at, 0)
    quoted = _QUOTED.match(text, at)
    value = text[at : at + _SHOWN].partition("\n")[0].strip()
    if not quoted:
        raise StrayQuoteError(line, value, "begins with a quotation mark that nothing closes.")
    breaks = quoted[0].count("\n")
    end = quoted.end()
    if end < len(text) and not text.startswith((separator, "\n"), end):
        where = f"in line {line + breaks}, " if breaks else ""
        sentence = f"begins with a quotation mark that is closed {where}in the middle of a text."
        raise StrayQuoteError(line, value, sentence)
    return quoted[1].replace('""', '"'), end, breaks


def tidy(raw: str) -> str:
    """A cell's text without surrounding blanks; a line break within it is a blank."""
    stripped = raw.strip().strip(_EDGES).strip()
    return _BREAKS.sub(" ", stripped)


def is_blank(row: list[Cell]) -> bool:
    """Whether nothing stands in a row."""
    return not any(cell.text for cell in row)
