"""The files of a deck as bytes; each that is not there or cannot be read is a fault."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from balance.errors import BalanceError, nearest
from balance.games.kennelmester.deck_files.findings import Findings

FILES = ("characters.csv", "dogs.csv", "customers.csv", "events.csv")
MOST_BYTES = 4 * 2**20
"""More than the largest deck needs, with long remarks in every row."""
_WORKBOOKS = (".xlsx", ".xls", ".ods", ".numbers")


def contents(folder: Path, findings: Findings) -> Iterator[tuple[str, bytes]]:
    """Each file that can be read, by its path; BalanceError where there is no such folder."""
    names = _names_in(folder)
    for name in FILES:
        path = folder / name
        if name in names:
            try:
                yield str(path), _bytes_of(path)
            except BalanceError as error:
                findings.fault(str(path), error.message)
        else:
            findings.fault(str(path), f"this file is missing.{_instead(name, names)}")


def _names_in(folder: Path) -> list[str]:
    try:
        return sorted(entry.name for entry in folder.iterdir())
    except NotADirectoryError:
        raise BalanceError(f"{folder} is a file, not the folder of a deck.") from None
    except FileNotFoundError:
        raise BalanceError(f"There is no folder {folder}.{_sibling(folder)}") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise BalanceError(f"The folder {folder} cannot be read: {reason}.") from error


def _sibling(folder: Path) -> str:
    try:
        return nearest(folder.name, [entry.name for entry in folder.parent.iterdir() if entry.is_dir()])
    except OSError:
        return ""


def _instead(name: str, names: list[str]) -> str:
    workbooks = [name.removesuffix(".csv") + ending for ending in _WORKBOOKS]
    found = next((each for each in names if each.lower() in workbooks), "")
    return (
        f' Save the table in "{found}" as CSV.'
        if found
        else nearest(name, [each for each in names if each not in FILES])
    )


def _bytes_of(path: Path) -> bytes:
    """What is in a file; BalanceError with the end of a sentence about it otherwise."""
    try:
        if not path.is_file():
            raise BalanceError(f"this is {'a folder' if path.is_dir() else 'something else'}, not a file.")
        with path.open("rb") as file:
            found = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise BalanceError(f"this file cannot be read: {error.strerror or error}.") from error
    if len(found) > MOST_BYTES:
        raise BalanceError(f"this file has more than {MOST_BYTES // 2**20} MB, which is no deck.")
    return found
