"""From bytes to text: which encoding a spreadsheet has used, and whether it can be trusted."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

_WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
_BY_MARK = (
    (codecs.BOM_UTF8, "utf-8", "UTF-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16-be", "UTF-16"),
)
_LETTERS_IN_UTF8 = re.compile(rb"[\xc3-\xc5][\x80-\xbf]|\xe2[\x80-\x84][\x80-\xbf]|\xf0\x9f[\x80-\xbf]{2}")
"""Letters of European names, typographic signs and emoji; hardly ever neighbours in an encoding of one byte each."""
_UNFIT = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]")
"""Characters that no text has; line ends, tabs and what stands for a line break in a cell are fit."""
_ADVICE = 'save the file as "CSV UTF-8".'


@dataclass(frozen=True)
class Text:
    """A file as text whose lines end with a line feed; `guessed` where nothing but its letters tells the encoding."""

    text: str
    encoding: str
    guessed: bool = False


class UnreadableError(Exception):
    """Bytes that are no text to be trusted: the line, from 1 or 0 for all of it, and the end of a sentence."""

    def __init__(self, line: int, text: str) -> None:
        super().__init__(text)
        self.line = line
        self.text = text


def text_of(content: bytes) -> Text:
    """The text of a file: UTF-8 with or without a byte order mark, UTF-16 with one, or else cp1250.

    Raises UnreadableError.
    """
    if content.startswith(_WORKBOOKS):
        raise UnreadableError(0, f"this is a workbook, not a CSV file; {_ADVICE}")
    found = _marked(content) or _unmarked(content)
    text = found.text.replace("\r\n", "\n").replace("\r", "\n")
    unfit = _UNFIT.search(text)
    if unfit:
        line = text.count("\n", 0, unfit.start()) + 1
        raise UnreadableError(line, f"there is a U+{ord(unfit[0]):04X} here, which no text has; {_ADVICE}")
    return Text(text, found.encoding, found.guessed)


def _marked(content: bytes) -> Text | None:
    for mark, codec, name in _BY_MARK:
        if content.startswith(mark):
            try:
                return Text(content[len(mark) :].decode(codec), name)
            except UnicodeDecodeError as error:
                line = content[len(mark) :][: error.start].decode(codec).count("\n") + 1
                raise UnreadableError(
                    line, f"the file begins as {name}, but this is not; {_ADVICE}"
                ) from error
    return None


def _unmarked(content: bytes) -> Text:
    try:
        return Text(content.decode("utf-8"), "UTF-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        if _LETTERS_IN_UTF8.search(content):
            sentence = f"the file is written in two encodings, one of them UTF-8, but not here; {_ADVICE}"
            raise UnreadableError(line, sentence) from error
    try:
        return Text(content.decode("cp1250"), "cp1250", guessed=True)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise UnreadableError(line, f"this is neither UTF-8 nor cp1250; {_ADVICE}") from error
