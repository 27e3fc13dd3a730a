"""Standard output and standard error, also where they are closed, full, or nobody reads them any more."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TextIO

from balance.experiment.wording import printable


def prepare() -> None:
    """Open what was closed, lest a file of ours takes its place; a name that cannot be shown is an escape."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode, encoding="utf-8"))
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def say(text: str) -> None:
    """Write to standard error, names that could steer the terminal by their codes; if nobody hears it, no matter."""
    try:
        sys.stderr.write("".join(letter if letter in "\r\n" else printable(letter) for letter in text))
        sys.stderr.flush()
    except OSError:
        silence(sys.stderr)


def silence(stream: TextIO) -> None:
    """From now on what is written to the stream, or still waits to be, goes nowhere."""
    with suppress(OSError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
