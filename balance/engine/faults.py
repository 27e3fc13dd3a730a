"""What is wrong with a game of somebody else's, found while it is compiled or played, as plain sentences."""

from __future__ import annotations

import dis
import re
import sysconfig
import traceback
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from balance.engine.kernels import KernelError, reached
from balance.errors import BalanceError, nearest, one_line

_PLACE = re.compile(r'File "([^"]+)", line (\d+):\n(?:.*\n)*?def (\w+)\(')
"""How the compiler shows where it stopped; the innermost kernel comes first."""
_NOISE = "Failed in "
CHECK = "`balance conform MODULE:GAME` finds out more."


class PlayError(BalanceError):
    """A game cannot be played on because of its own rules or policies; `game` and `cell` say which, where known.

    `events` is the trace of the game up to there.
    """

    def __init__(self, message: str, hint: str = CHECK, game: int | None = None) -> None:
        super().__init__(message, hint)
        self.game, self.cell = game, ""
        self.events: list[dict[str, Any]] = []


class IllegalError(PlayError):
    """A policy chose what the game does not list."""


def illegal_action(title: str, game: int) -> IllegalError:
    """The loop has met an action that the game does not list; a replay of the game tells which."""
    return IllegalError(f"In game {game} of {title} a policy chose an action that is not legal.", game=game)


def failed_kernel(title: str, game: int, error: Exception, *, compiled: bool = False) -> PlayError:
    """A kernel raised an error in this game."""
    sentence = f"{failing(error, compiled=compiled)} failed in game {game} of {title}: {said(error)}."
    return PlayError(sentence, game=game)


def failing(error: BaseException, *, compiled: bool = False) -> str:
    """The function of somebody else's that an error comes from: 'apply_action (pig.py, line 27)'.

    Compiled code has the lines of the file as it was when it was compiled, so they are not told.
    """
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if _is_foreign(frame.filename)]
    if not frames:
        return "A kernel"
    line = "" if compiled else f", line {frames[-1].lineno}"
    return f"{frames[-1].name} ({Path(frames[-1].filename).name}{line})"


def uncompiled(
    title: str, kernels: list[Any], fields: Mapping[str, Iterable[str]], error: Exception
) -> PlayError:
    """The game's kernels cannot be compiled; `fields` are those of the records that their arguments name."""
    if isinstance(error, KernelError):
        return PlayError(f"{title} cannot be compiled: {error}")
    own = [fn for fn in reached(kernels) if not str(fn.__module__).startswith("balance.engine")]
    if isinstance(error, KeyError) and (found := _reading(name := str(error.args[0]), own)):
        fn, record, line = found
        near = nearest(name, fields.get(record, ()))
        what = f'it uses the field "{name}", which its record does not have.{near}'
        return PlayError(f"{_cannot(title, fn.__name__, fn.__code__.co_filename, line)}: {what}")
    places = {(Path(fn.__code__.co_filename).name, fn.__name__) for fn in own}
    for file, line, name in _PLACE.findall(str(error)):
        if (Path(file).name, name) in places:
            return PlayError(f"{_cannot(title, name, file, line)}: {_reason(error)}.")
    return PlayError(f"{title} cannot be compiled: {_reason(error) or one_line(error)}.")


def _cannot(title: str, kernel: str, file: str, line: int | str) -> str:
    return f"The kernel {kernel} of {title} cannot be compiled ({Path(file).name}, line {line})"


def _reason(error: Exception) -> str:
    """What the compiler says, in the words of somebody who writes a game where that is known."""
    said = [line.strip() for line in str(error).splitlines() if line.strip()]
    reasons = [line for line in said if not line.startswith(_NOISE)]
    calls = [line.removeprefix(">>> ") for line in said if line.startswith(">>> ")]
    if calls and calls[0].startswith("rshift(float64, uint64"):
        return (
            "a draw was mixed with a signed number, so it became a fraction; "
            "begin with bits = draw(rng, word), not with bits = 0"
        )
    if calls and "float64" in calls[0]:
        return "it reckons with a fraction, which / makes, and a draw beside a signed number; write // for /"
    return " ".join([*reasons[:1], *calls[:1]]).rstrip(".")


def said(error: BaseException) -> str:
    """What an error of a kernel says, in one line."""
    if isinstance(error, KeyError) and not isinstance(error.args[0], str):
        return f"an index out of bounds: {error}"  # so plain records answer
    if isinstance(error, IndexError):
        return "an index out of bounds"  # so compiled code answers
    return one_line(error)


def _is_foreign(path: str) -> bool:
    """Whether a file is neither one that plays or checks games here nor of a package that we build on."""
    file, ours = Path(path), Path(__file__).parents[1]
    if path.startswith("<") or not {"numba", "numpy", "pydantic"}.isdisjoint(file.parts):
        return False
    known = [ours / folder for folder in ("engine", "conformance", "experiment", "game.py")]
    if "site-packages" not in file.parts:
        known.append(Path(sysconfig.get_path("stdlib")))
    return not any(file.is_relative_to(place) for place in known)


def _reading(name: str, kernels: list[Any]) -> tuple[Any, str, int] | None:
    """The first of these kernels that uses a field of that name, of what, and the line."""
    for fn in kernels:
        line, record = fn.__code__.co_firstlineno, ""
        for step in dis.get_instructions(fn.__code__):
            line = step.starts_line if type(step.starts_line) is int else line
            line = getattr(step, "line_number", None) or line  # the name of it since Python 3.13
            if step.argval == name and step.opname in ("LOAD_ATTR", "STORE_ATTR", "LOAD_METHOD"):
                return fn, record, line
            record = str(step.argval)
    return None
