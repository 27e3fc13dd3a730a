"""Text in lines of 80 columns, counted as a terminal shows them; no number and no name is broken that fits a line."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

WIDTH = 80
_OPEN, _CLOSE = "\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"


def columns(text: str) -> int:
    """How many columns a terminal needs for a text: two for 犬, none for an accent that joins the letter before."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def _columns(letter: str) -> int:
    if unicodedata.category(letter) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in ("W", "F") else 1


def to_the_left(text: str, width: int) -> str:
    """The text and blanks up to a number of columns."""
    return text + " " * (width - columns(text))


def to_the_right(text: str, width: int) -> str:
    """Blanks and the text, up to a number of columns."""
    return " " * (width - columns(text)) + text


def wrapped(text: str, first: str = "", later: str = "", width: int = WIDTH) -> list[str]:
    """The text in lines that begin with these indents; at least one line. A percent sign stays with its number."""
    lines, line, fresh = [], first, True
    for word in re.split(" (?!%)", text):
        fits = columns(line) + (not fresh) + columns(word) <= width
        for piece in [word] if fits else _pieces(word, width - columns(later)):
            if not fresh and columns(line) + 1 + columns(piece) > width:
                lines.append(line)
                line, fresh = later, True
            line += piece if fresh else f" {piece}"
            fresh = False
    return [line.rstrip(" ") for line in _isolated([*lines, line], later)]


def _pieces(word: str, room: int) -> Iterator[str]:
    """A word as it is, or in pieces of a whole line each where it is longer."""
    piece = ""
    for letter in word:
        if columns(piece + letter) > room:
            yield piece
            piece = ""
        piece += letter
    yield piece


def _isolated(lines: list[str], later: str) -> Iterator[str]:
    """A name from right to left that goes on in the next line is closed in each, lest it turns the numbers there."""
    inside = False
    for line in lines:
        whole = f"{later}{_OPEN}{line.removeprefix(later)}" if inside else line
        inside = whole.count(_OPEN) > whole.count(_CLOSE)
        yield whole + _CLOSE if inside else whole
