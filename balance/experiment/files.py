"""Files that are written whole or not at all, and what to say when the disk does not let us."""

from __future__ import annotations

import errno
import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

from balance.errors import BalanceError, EnvironmentFault
from balance.experiment.wording import printable

TEMPORARY = ".new-"
"""How the name of a file begins while it is being written."""


def write_whole(path: Path, content: bytes) -> None:
    """Put a file in its place at once: whoever reads it finds the old file or the new one, never a part."""
    prepare(path, content)
    try:
        put(path)
    except EnvironmentFault:
        with suppress(OSError):
            _temporary(path).unlink()
        raise


def prepare(path: Path, content: bytes) -> None:
    """Write the file under a temporary name, beside its place."""
    temporary = _temporary(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(temporary, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise fault(error, path) from error


def write_named(path: Path, content: bytes) -> None:
    """Write a file that somebody named: a device, a pipe or a link is written into, any other file whole or not at all.

    Whether the place is fit for it says `refuse_place`.
    """
    if not path.is_symlink() and (path.is_file() or not path.exists()):
        write_whole(path, content)
        return
    try:
        path.write_bytes(content)
    except OSError as error:
        raise fault(error, path) from error


def refuse_place(path: Path, option: str, *taken: Path | None) -> None:
    """BalanceError for a place where no file should be written: in no folder, in a run's, or onto another file."""
    where = printable(str(path))
    if path.is_dir():
        raise BalanceError(f"{option} takes a file, and {where} is a folder.")
    if not path.parent.is_dir():
        raise BalanceError(f"{option} {where}: there is no folder {printable(str(path.parent))}.")
    if (path.parent / "manifest.json").is_file():
        raise BalanceError(f"{option} {where}: that is the folder of a run, whose files are its own.")
    if path.suffix == ".toml" and path.exists():
        raise BalanceError(f"{option} {where}: an experiment file would be lost.")
    if any(one is not None and path.absolute() == one.absolute() for one in taken):
        raise BalanceError(f"{option} {where}: another option writes there, too.")


def put(path: Path) -> None:
    """Move the prepared file into its place."""
    try:
        os.replace(_temporary(path), path)
    except OSError as error:
        raise fault(error, path) from error


def as_json(data: Any) -> bytes:
    """Data as a JSON file for people and programs: keys sorted, indented, no NaN; UTF-8 whatever a name is made of."""
    text = json.dumps(data, sort_keys=True, indent=1, ensure_ascii=False, allow_nan=False)
    return (text + "\n").encode("utf-8", "backslashreplace")  # an escape that JSON has, too


def fault(error: OSError, path: Path) -> EnvironmentFault:
    """What went wrong with a file of a run, as a sentence."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        what = f"The disk is full: {path} could not be written."
        return EnvironmentFault(what, "What was finished is kept; make room and give the same command again.")
    reason = error.strerror or str(error)
    return EnvironmentFault(f"{path} could not be written: {reason}.", "What was finished before is kept.")


def _temporary(path: Path) -> Path:
    return path.with_name(TEMPORARY + path.name)
