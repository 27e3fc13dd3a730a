"""Files that are written whole or not at all, and what to say when the disk does not let us."""

from __future__ import annotations

import errno
import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

from balance.errors import EnvironmentFault

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
