"""What can go wrong, as plain sentences; every error a user can cause is one of these."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


class BalanceError(Exception):
    """A user's error: `message` is a plain sentence, `hint` says what to try; the command ends with code 2."""

    exit_code = 2

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class EnvironmentFault(BalanceError):
    """The machine failed us (disk full, a worker lost): what was finished is kept; the command ends with code 4."""

    exit_code = 4


@dataclass(frozen=True)
class Fault:
    """One thing wrong with a set of values: the key it concerns (a path of names and indices) and a sentence."""

    key: tuple[str | int, ...]
    sentence: str


class RulesError(BalanceError):
    """Values that make no game: unknown, of a wrong type, out of range, or impossible together."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__(" ".join(fault.sentence for fault in faults))
        self.faults = tuple(faults)


def one_line(error: BaseException) -> str:
    """An error of Python's in one line: its kind and what it says, without a full stop at the end."""
    text = " ".join(str(error).split()).rstrip(".")
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def nearest(word: str, known: Iterable[str]) -> str:
    """The end of a sentence about an unknown word: ' Did you mean "seed"?', or '' when nothing is near."""
    found = difflib.get_close_matches(word, list(known), n=1, cutoff=0.6)
    return f' Did you mean "{found[0]}"?' if found else ""
