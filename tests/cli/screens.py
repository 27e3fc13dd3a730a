"""A terminal, to see what a person before it would see: commands run on it, and what its screen then shows."""

from __future__ import annotations

import errno
import os
import pty
import signal
import subprocess
import sys
import termios
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

WATCHED = {"TERM": "xterm-256color"}
"""Somebody sits before it."""
UNWATCHED = ("CI", "COLUMNS", "LINES", "NO_COLOR", "TERM")


@dataclass(frozen=True)
class Shown:
    """How a command on a terminal ended, all that it wrote there, and the lines on the screen in the end."""

    code: int
    text: str
    screen: list[str]
    wraps: int
    """How often a line was too wide for the screen."""


def on_terminal(
    folder: Path,
    columns: int,
    *arguments: str,
    env: Mapping[str, str] = WATCHED,
    output: Path | None = None,
    interrupt_at: str = "",
) -> Shown:
    """The command on a terminal this wide; its standard output may go to a file, and Ctrl-C may come at some words."""
    ours, its = pty.openpty()
    termios.tcsetwinsize(its, (24, columns))
    surroundings = {name: value for name, value in os.environ.items() if name not in UNWATCHED}
    with open(output or os.devnull, "wb") as file:
        process = subprocess.Popen(
            [sys.executable, "-m", "balance", *arguments],
            cwd=folder,
            env={**surroundings, **env},
            stdin=its,
            stdout=file if output else its,
            stderr=its,
        )
    os.close(its)
    text = ""
    while piece := _read(ours):
        text += piece
        if interrupt_at and interrupt_at in text:
            process.send_signal(signal.SIGINT)
            interrupt_at = ""
    code = process.wait(timeout=60)
    os.close(ours)
    return Shown(code, text, *screen_of(text, columns))


def _read(terminal: int) -> str:
    """What comes next; '' when the command has ended."""
    try:
        return os.read(terminal, 65536).decode("utf-8")
    except OSError as error:
        if error.errno != errno.EIO:  # so Linux says that nobody writes any more
            raise
        return ""


def screen_of(text: str, columns: int) -> tuple[list[str], int]:
    """What a terminal shows after a text of letters of one column each, and how often it had to wrap a line."""
    rows: list[list[str]] = [[]]
    place = wraps = 0
    for letter in text:
        if letter == "\r":
            place = 0
        elif letter == "\n":
            rows.append([])
        else:
            if place == columns:
                rows.append([])
                place, wraps = 0, wraps + 1
            row = rows[-1]
            row += [" "] * (place + 1 - len(row))
            row[place] = letter
            place += 1
    return ["".join(row).rstrip() for row in rows], wraps
