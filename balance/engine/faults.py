"""What is wrong with a game of somebody else's, found while it is compiled or played, as plain sentences."""

from __future__ import annotations

import re
import sysconfig
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from balance.engine.kernels import KernelError, global_names, is_kernel
from balance.errors import BalanceError, one_line

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


def illegal_action(title: str, game: int) -> PlayError:
    """The loop has met an action that the game does not list; a replay of the game tells which."""
    return PlayError(f"In game {game} of {title} a policy chose an action that is not legal.", game=game)


def failed_kernel(title: str, games: str, error: Exception, *, compiled: bool = False) -> PlayError:
    """A kernel raised an error in one of these games."""
    return PlayError(f"{failing(error, compiled=compiled)} failed in {games} of {title}: {said(error)}.")


def failing(error: BaseException, *, compiled: bool = False) -> str:
    """The function of somebody else's that an error comes from: 'apply_action (pig.py, line 27)'.

    Compiled code has the lines of the file as it was when it was compiled, so they are not told.
    """
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if _is_foreign(frame.filename)]
    if not frames:
        return "A kernel"
    line = "" if compiled else f", line {frames[-1].lineno}"
    return f"{frames[-1].name} ({Path(frames[-1].filename).name}{line})"


def uncompiled(title: str, kernels: list[Any], error: Exception) -> PlayError:
    """The game's kernels cannot be compiled."""
    if isinstance(error, KernelError):
        return PlayError(f"{title} cannot be compiled: {error}")
    said = [line.strip() for line in str(error).splitlines() if line.strip()]
    reasons = [line for line in said if not line.startswith(_NOISE)]
    calls = [line.removeprefix(">>> ") for line in said if line.startswith(">>> ")]
    reason = " ".join([*reasons[:1], *calls[:1]]).rstrip(".")
    if place := _PLACE.search(str(error)):
        file, line, name = Path(place[1]).name, place[2], place[3]
        return PlayError(f"The kernel {name} of {title} cannot be compiled ({file}, line {line}): {reason}.")
    if isinstance(error, KeyError) and (fn := _reading(str(error.args[0]), kernels)):
        file, line = Path(fn.__code__.co_filename).name, fn.__code__.co_firstlineno
        what = f'it uses the field "{error.args[0]}", which its record does not have'
        return PlayError(
            f"The kernel {fn.__name__} of {title} cannot be compiled ({file}, line {line}): {what}."
        )
    return PlayError(f"{title} cannot be compiled: {one_line(error)}.")


def said(error: BaseException) -> str:
    """What an error of a kernel says, in one line."""
    if isinstance(error, KeyError) and not isinstance(error.args[0], str):
        return f"an index out of bounds: {error}"  # so plain records answer
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


def _reading(name: str, kernels: list[Any]) -> Any:
    """The first kernel, among these and all they reach, that uses a field of that name."""
    return next((fn for fn in _reached(kernels) if name in fn.__code__.co_names), None)


def _reached(kernels: list[Any]) -> Iterator[Any]:
    waiting, seen = list(kernels), set()
    while waiting:
        fn = waiting.pop(0)
        if fn in seen or not hasattr(fn, "__code__"):
            continue
        seen.add(fn)
        yield fn
        found = [fn.__globals__.get(name) for name in global_names(fn.__code__)]
        waiting += [value for value in found if is_kernel(value)]
