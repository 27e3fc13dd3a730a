"""What a cell means: a number, a switch, one of several words, an id or a name; whatever else it holds is a fault.

Nothing more is said of a cell that is missing, or is a fault already.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from balance.errors import listed, nearest
from balance.games.kennelmester.deck_files.columns import folded
from balance.games.kennelmester.deck_files.rows import Row

ON, OFF = ("1", "true", "igaz", "wahr"), ("0", "", "false", "hamis", "falsch")
"""What a switch may be, also as the boxes to tick of spreadsheets are saved."""
_WHOLE = re.compile(r"([+-]?[0-9]{1,9})(?:[.,]0{1,2})?")
_FRACTION = re.compile(r"[+-]?[0-9]+[.,][0-9]+")
_THOUSANDS = re.compile(r"[1-9][0-9]{0,2}[.,]000")
_ID = re.compile("[a-z0-9_]+")
_SCIENTIFIC = re.compile(r"[+-]?[0-9]+(?:[.,][0-9]+)?E\+?-?[0-9]+", re.IGNORECASE)
_MONTH = r"[^\W\d_]{3,10}\.?"
_DATE = re.compile(
    rf"""[0-9]{{4}}[-./]\s?[0-9]{{1,2}}[-./]\s?[0-9]{{1,2}}\.?(?:[ T][0-9:.]+)?   # 2026-05-01, 2026. 05. 01.
    | [0-9]{{1,2}}[-/][0-9]{{1,2}}                                               # 1/5
    | [0-9]{{1,2}}[-./]\s?[0-9]{{1,2}}[-./]\s?(?:[0-9]{{2}}|[0-9]{{4}})?\.?        # 01.05.2026
    | [0-9]{{1,2}}[-./ ]\s?{_MONTH}(?:[-./ ]\s?[0-9]{{2,4}})?                     # 1-May, 1. May 2026
    | {_MONTH}[-./ ]\s?[0-9]{{1,4}}\.?                                            # May-26""",
    re.VERBOSE,
)
_MONTH_NAMES = re.compile("jan|feb|mar|mrz|apr|ma[yij]|jun|jul|aug|sep|sze|o[ck]t|nov|de[cz]")


def whole(row: Row, column: str, lowest: int, highest: int, instead: int = 0) -> int:
    """A whole number within bounds, `instead` where it is a fault; `5.0` and `5,0` are whole."""
    text = row.text(column)
    found = _WHOLE.fullmatch(text or "")
    number = int(found[1]) if found else lowest - 1
    if lowest <= number <= highest:
        return number
    if text is None:
        return instead
    wanted = f"a whole number from {lowest} to {highest}"
    if not text:
        row.fault(column, f"{wanted} is missing.")
    elif _THOUSANDS.fullmatch(text):
        row.fault(column, f"can be read in two ways; write {wanted} without a point or comma.")
    elif _FRACTION.fullmatch(text):
        row.fault(column, f"is a fraction; {wanted} is needed.")
    else:
        spoiled = _mistaken(text)
        row.fault(column, f"{spoiled}; {wanted} is needed." if spoiled else f"is no{wanted[1:]}.")
    return instead


def switch(row: Row, column: str) -> bool:
    """0 or 1; a blank cell is 0, and boxes to tick are saved as TRUE and FALSE."""
    text = row.text(column)
    number = _WHOLE.fullmatch(text or "")
    word = number[1] if number else folded(text or "")
    if text is not None and word not in (*ON, *OFF):
        row.fault(column, "is neither 0 nor 1.")
    return word in ON


def word(row: Row, column: str, known: Sequence[str], noun: str) -> int | None:
    """One of several words as its number, whatever its capitals; None where it is blank, or a fault."""
    text = row.text(column)
    if not text or text.lower() in known:
        return known.index(text.lower()) if text else None
    row.fault(column, f"is no {noun}.{nearest(text.lower(), known) or f' Known are {listed(known)}.'}")
    return None


def needed_word(row: Row, column: str, known: Sequence[str], noun: str) -> int | None:
    """One of several words as its number; None where it is a fault, as a blank cell is."""
    found = word(row, column, known, noun)
    if found is None and row.text(column) == "":
        row.fault(column, f"the {noun} is missing: {', '.join(known[:-1])} or {known[-1]}.")
    return found


def identifier(row: Row) -> str:
    """The id of a card; '' where it is none."""
    text = row.text("id")
    if text is None or _ID.fullmatch(text):
        return text or ""
    spoiled = _mistaken(text)
    if not text:
        row.fault("id", "the id is missing.")
    elif spoiled:
        row.fault("id", f"{spoiled}; write the id into a column that is formatted as text.")
    else:
        better = re.sub(r"[\s.-]+", "_", folded(text))
        hint = f' Write "{better}".' if _ID.fullmatch(better) else ""
        row.fault("id", f"is no id: that has only the letters a to z, digits and underscores.{hint}")
    return ""


def breed(row: Row) -> str:
    """The breed of a dog, any text; '' where it is none."""
    text = row.text("breed")
    spoiled = _mistaken(text or "")
    if spoiled:
        row.fault("breed", f"{spoiled}; write the breed into a column that is formatted as text.")
    elif text == "":
        row.fault("breed", "the breed is missing, and there is none in a row above.")
    return "" if spoiled else text or ""


def name(row: Row, column: str) -> str:
    """A name, any text."""
    return row.text(column) or ""


def _mistaken(text: str) -> str:
    """What a spreadsheet has made of a text, as part of a sentence; '' where it has not."""
    if _SCIENTIFIC.fullmatch(text):
        return "looks like a number that a spreadsheet has shortened"
    month = any(map(_MONTH_NAMES.match, re.findall(r"[^\W\d_]+", folded(text))))
    if _DATE.fullmatch(text) and (month or not re.search(r"[^\W\d_]", text.replace("T", ""))):
        return "looks like a date that a spreadsheet has made"
    return ""
