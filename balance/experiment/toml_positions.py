"""Where each key of a TOML document stands; the standard library's parser does not tell.

The scanner trusts that `tomllib` has accepted the text. On a text that was refused it goes as far as it can,
which is enough to find a key that is written twice.
"""

from __future__ import annotations

import re
import tomllib
from contextlib import suppress
from dataclasses import dataclass, field

KeyPath = tuple[str | int, ...]

_BLANK = re.compile(r"[ \t]*")
_FILLING = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_FILLING_IN_LIST = re.compile(r"(?:[ \t\r\n,]|#[^\n]*)*")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_TEXT = re.compile(
    r'"""(?:\\.|[^\\])*?""""{0,2}'
    + r"|'''.*?''''{0,2}"
    + r'|"(?!"")(?:\\.|[^"\\\n])*"'
    + r"|'(?!'')[^'\n]*'",
    re.DOTALL,
)
_SCALAR = re.compile(r"[^,\]}\n#]+")


class _UnreadableError(Exception):
    """The text stops being TOML here."""


@dataclass
class Places:
    """What a scan found: the offset of every key and list item, and the keys that are written twice."""

    offsets: dict[KeyPath, int] = field(default_factory=dict)
    repeated: list[tuple[KeyPath, int, int]] = field(default_factory=list)
    """Path, offset of the first mention, offset of the second."""
    end: int = 0
    """Where the scan stopped: at the end of the text, or where it is no TOML."""


def scan(text: str) -> Places:
    """The places of all keys of a document."""
    scanner = _Scanner(text)
    with suppress(_UnreadableError):
        scanner.document()
    scanner.places.end = scanner.at
    return scanner.places


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.places = Places()
        self.defined: dict[KeyPath, int] = {}
        self.last_index: dict[KeyPath, int] = {}
        """For each list of tables written [[so]]: the index of its latest table."""

    def document(self) -> None:
        table: KeyPath = ()
        self.take(_FILLING)
        while self.at < len(self.text):
            table = self.header() if self.sees("[") else self.pair(table)
            self.take(_FILLING)

    def header(self) -> KeyPath:
        """[table] or [[list of tables]]: the path that the pairs below it belong to."""
        is_list = self.sees("[[")
        self.at += 2 if is_list else 1
        path: KeyPath = ()
        keys = self.dotted()
        for number, (key, offset) in enumerate(keys, start=1):
            path += (key,)
            self.places.offsets.setdefault(path, offset)
            if is_list and number == len(keys):
                self.last_index[path] = self.last_index.get(path, -1) + 1
                self.places.offsets[(*path, self.last_index[path])] = offset
            if path in self.last_index:
                path += (self.last_index[path],)
        if not is_list:
            self.define(path, keys[-1][1])
        self.expect("]]" if is_list else "]")
        return path

    def pair(self, table: KeyPath) -> KeyPath:
        """`key = value` inside `table`, which stays the table of the next line."""
        path, offset = table, self.at
        for key, offset in self.dotted():
            path += (key,)
            self.places.offsets.setdefault(path, offset)
        self.define(path, offset)
        self.expect("=")
        self.take(_BLANK)
        self.value(path)
        return table

    def value(self, path: KeyPath) -> None:
        if self.sees("["):
            self.items(path)
        elif self.sees("{"):
            self.inline_table(path)
        elif self.sees('"') or self.sees("'"):
            self.take(_TEXT)
        else:
            self.take(_SCALAR)

    def items(self, path: KeyPath) -> None:
        self.at += 1
        self.take(_FILLING_IN_LIST)
        index = 0
        while not self.sees("]"):
            self.places.offsets[(*path, index)] = self.at
            self.value((*path, index))
            self.take(_FILLING_IN_LIST)
            index += 1
        self.at += 1

    def inline_table(self, path: KeyPath) -> None:
        self.at += 1
        self.take(_FILLING_IN_LIST)
        while not self.sees("}"):
            self.pair(path)
            self.take(_FILLING_IN_LIST)
        self.at += 1

    def dotted(self) -> list[tuple[str, int]]:
        """The parts of a key, each with its offset; blanks around them are skipped."""
        parts = [self.key()]
        while self.sees("."):
            self.at += 1
            parts.append(self.key())
        return parts

    def key(self) -> tuple[str, int]:
        self.take(_BLANK)
        offset = self.at
        quoted = self.sees('"') or self.sees("'")
        key = self.take(_TEXT if quoted else _BARE_KEY)
        self.take(_BLANK)
        return _unquoted(key) if quoted else key, offset

    def define(self, path: KeyPath, offset: int) -> None:
        if path in self.defined:
            self.places.repeated.append((path, self.defined[path], offset))
        self.defined.setdefault(path, offset)

    def sees(self, text: str) -> bool:
        return self.text.startswith(text, self.at)

    def expect(self, text: str) -> None:
        if not self.sees(text):
            raise _UnreadableError
        self.at += len(text)

    def take(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self.text, self.at)
        if found is None:
            raise _UnreadableError
        self.at = found.end()
        return found.group()


def _unquoted(key: str) -> str:
    try:
        (name,) = tomllib.loads(f"{key} = 0")
    except (ValueError, RecursionError) as error:
        raise _UnreadableError from error
    return name
