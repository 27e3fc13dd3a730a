"""A TOML file with its text, its data and the place of every key: faults can say file, line and column."""

from __future__ import annotations

import os
import re
import tomllib
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from balance.errors import BalanceError, nearest
from balance.experiment.toml_positions import KeyPath, scan
from balance.experiment.toml_syntax import explain
from balance.experiment.wording import printable


@dataclass(frozen=True)
class Source:
    """A file that has been read: `text` has no byte order mark and ends its lines with a line feed."""

    path: str
    text: str
    data: dict[str, Any]
    offsets: Mapping[KeyPath, int]

    def position(self, key_path: KeyPath) -> tuple[int, int]:
        """Line and column, from 1, of a key or list item, or of the nearest thing around it in the file."""
        while key_path and key_path not in self.offsets:
            key_path = key_path[:-1]
        return _line_and_column(self.text, self.offsets.get(key_path, 0))

    def line(self, number: int) -> str:
        """The text of a line; the first is number 1."""
        return self.text.split("\n")[number - 1]

    def fault(self, key_path: KeyPath, sentence: str) -> str:
        """The sentence as a line that editors can jump to: FILE:LINE:COLUMN: sentence."""
        line, column = self.position(key_path)
        return _placed(self.path, line, column, sentence)


def read(path: Path | str, kind: str = "experiment file") -> Source:
    """The file at `path`; BalanceError, which calls it by its kind, when it cannot be read or is no TOML."""
    return parse(_decoded(content(Path(path), kind), str(path)), str(path))


def parse(text: str, path: str) -> Source:
    """The document `text`; `path` is what its faults call the file."""
    text = text.replace("\r\n", "\n")
    try:
        data = tomllib.loads(text)
        return Source(path, text, data, scan(text).offsets)
    except tomllib.TOMLDecodeError as error:
        offset, sentence = explain(error, text)
        raise BalanceError(_placed(path, *_line_and_column(text, offset), sentence)) from error
    except RecursionError as error:
        raise BalanceError(f"{printable(path)}: Lists or tables are nested too deeply to be read.") from error
    except ValueError as error:
        # Python refuses to convert integers of more than some thousand digits.
        long = re.search(r"[0-9][0-9_]{640,}", text)
        line, column = _line_and_column(text, long.start() if long else 0)
        raise BalanceError(_placed(path, line, column, "This number has too many digits.")) from error


def content(path: Path, kind: str) -> bytes:
    """What is in a file of that kind; BalanceError, without a place in the file, when it cannot be read."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise _no_file(path, kind) from None
    except (OSError, ValueError) as error:
        name = printable(f'"{path}"')
        if os.path.isdir(path):
            raise BalanceError(f"{name} is a folder, not {_a(kind)}.", _files_in(path, kind)) from None
        reason = getattr(error, "strerror", None) or str(error)
        raise BalanceError(f"{name} cannot be read: {reason}.") from error


def _a(kind: str) -> str:
    return f"{'an' if kind[0] in 'aeio' else 'a'} {kind}"


def _no_file(path: Path, kind: str) -> BalanceError:
    folder, sentence = path.parent, printable(f'There is no file "{path}"')
    if not folder.is_dir():
        return BalanceError(f"{sentence}: its folder does not exist either.")
    try:
        names = [entry.name for entry in folder.iterdir() if entry.is_file()]
    except OSError:
        names = []
    return BalanceError(f"{sentence}.{printable(nearest(path.name, names))}", _files_in(folder, kind))


def _files_in(folder: Path, kind: str) -> str:
    try:
        names = sorted(entry.name for entry in folder.glob("*.toml"))
    except OSError:
        names = []
    return printable(f"{kind.capitalize()}s in that folder: {', '.join(names)}.") if names else ""


def _decoded(content: bytes, path: str) -> str:
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise BalanceError(_placed(path, 1, 1, "The file is saved as UTF-16; save it as UTF-8."))
    try:
        return content.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        before = content[: error.start].decode("utf-8").removeprefix("\ufeff").replace("\r\n", "\n")
        line, column = _line_and_column(before, len(before))
        sentence = f"The file is not UTF-8 text (byte 0x{content[error.start]:02x}); save it as UTF-8."
        raise BalanceError(_placed(path, line, column, sentence)) from error


def _line_and_column(text: str, offset: int) -> tuple[int, int]:
    starts = [0, *(found.end() for found in re.finditer("\n", text))]
    line = bisect_right(starts, offset)
    return line, offset - starts[line - 1] + 1


def _placed(path: str, line: int, column: int, sentence: str) -> str:
    return printable(f"{path}:{line}:{column}: {sentence}")
