"""What can go wrong, as plain sentences; every error a user can cause is one of these."""

from __future__ import annotations

import difflib
import traceback
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import Any

_LONGEST_SHOWN = 60
_MOST_FAULTS = 20


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


class NotJudged(BalanceError):
    """What was asked could not be judged: there is nothing to judge, or nothing was measured; code 4, never a pass."""

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


@dataclass(frozen=True)
class Remark:
    """What there is to say of a place in a designer's files, such as those of a deck.

    `line` counts from 1, and 0 stands for the whole file; `column` is called as the file calls it, '' for none; `value`
    is what stands there, '' for nothing; `text` goes on from there, in small letters, to the full stop.
    """

    file: str
    text: str
    line: int = 0
    column: str = ""
    value: str = ""

    def sentence(self, fit: Callable[[str], str] = str) -> str:
        """All of it in one line; `fit` makes words of the designer's fit for a screen."""
        place = fit(self.file) + (f", line {self.line}" if self.line else "")
        place += f", column {fit(self.column)}" if self.column else ""
        value = f'"{fit(_short(self.value))}" ' if self.value else ""
        return f"{place}: {value}{fit(self.text)}"


class DeckError(BalanceError):
    """A deck that cannot be played with; `faults` are all that is wrong with its files, the message has the first."""

    def __init__(self, folder: str, faults: Sequence[Remark]) -> None:
        sentences = [fault.sentence() for fault in faults[:_MOST_FAULTS]]
        if len(faults) > _MOST_FAULTS:
            first = f"These are the first {_MOST_FAULTS} of {len(faults)} faults"
            sentences.append(f"{first}; `balance deck check {quote(folder)}` shows all.")
        super().__init__("\n".join(sentences))
        self.faults = tuple(faults)


class GameCodeError(BalanceError):
    """A plain function of a game's own, such as `for_players` or `tables`, fails or returns what it must not."""


def answer(fn: Callable[..., Any], fits: Callable[[Any], bool], expected: str, *arguments: Any) -> Any:
    """What a plain function of a game's own returns; GameCodeError where it fails, or `fits` says that it is not
    what is `expected`."""
    try:
        found = fn(*arguments)
    except BalanceError:
        raise
    except Exception as error:
        inside = [
            frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.name == fn.__name__
        ]
        where = place(fn, inside[-1] if inside else None)
        raise GameCodeError(f"{where} failed with {one_line(error)}; it must return {expected}.") from error
    if not fits(found):
        raise GameCodeError(f"{place(fn)} must return {expected}, not {_short(repr(found))}.")
    return found


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_SHOWN else f"{text[: _LONGEST_SHOWN - 1]}…"


FAULTS = 'a list of balance.game.Fault(("rule",), "A sentence."), empty where all can be played'


def are_faults(found: Any) -> bool:
    """Whether `impossible` of a game returned what it should: things with the key of a rule and a sentence."""
    return isinstance(found, list | tuple) and all(
        isinstance(getattr(one, "key", None), str | tuple) and isinstance(getattr(one, "sentence", None), str)
        for one in found
    )


COUNTS = 'names with whole numbers, such as {"dice": 2}'


def are_counts(found: Any) -> bool:
    """Whether `components` of a game returned what it should."""
    return isinstance(found, dict) and all(
        isinstance(name, str) and isinstance(count, int) and count >= 0 for name, count in found.items()
    )


def place(fn: Any, line: int | None = None) -> str:
    """A function by its name, file and line: 'for_players (pig.py, line 12)'."""
    code = getattr(fn, "__code__", None)
    if code is None:
        return str(getattr(fn, "__name__", fn))
    return f"{fn.__name__} ({Path(code.co_filename).name}, line {line or code.co_firstlineno})"


def one_line(error: BaseException) -> str:
    """An error of Python's in one line: its kind and what it says, without a full stop at the end."""
    text = " ".join(str(error).split()).rstrip(".")
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def listed(words: Iterable[object]) -> str:
    """Words as in a sentence: 'a', 'a and b', 'a, b and c'."""
    *most, last = [str(word) for word in words] or [""]
    return f"{', '.join(most)} and {last}" if most else last


def so_many_players(numbers: Iterable[object]) -> str:
    """Numbers of players as in a sentence: '1 player', '2 and 3 players'."""
    those = [str(number) for number in numbers]
    return f"{listed(those)} player{'' if those == ['1'] else 's'}"


def nearest(word: str, known: Iterable[str]) -> str:
    """The end of a sentence about an unknown word: ' Did you mean "seed"?', or '' when nothing is near."""
    found = difflib.get_close_matches(word, list(known), n=1, cutoff=0.6)
    return f' Did you mean "{found[0]}"?' if found else ""
