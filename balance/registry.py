"""Where games are found: by the name of an entry point, or as `module:GAME`."""

from __future__ import annotations

import importlib
import importlib.util
import sys
import traceback
from collections.abc import Callable
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from balance.errors import BalanceError, nearest, one_line
from balance.game import Game

GROUP = "balance.games.v1"


@cache
def _entries() -> dict[str, tuple[EntryPoint, ...]]:
    """The entry points by name; more than one where packages disagree about what a name means."""
    found: dict[str, dict[str, EntryPoint]] = {}
    for entry in entry_points(group=GROUP):
        found.setdefault(entry.name, {}).setdefault(entry.value, entry)
    return {name: tuple(entries.values()) for name, entries in found.items()}


def names() -> list[str]:
    """The names of all installed games, sorted."""
    return sorted(_entries())


def load(name: str) -> Game:
    """The game called `name`, or the object at `module:GAME`; BalanceError when there is none."""
    if ":" in name:
        _look_for_the_module(name)
        return _checked(_loaded(lambda: _attribute(name), f'The game "{name}"'), name)
    entries = _entries().get(name)
    if not entries:
        known = names()
        raise BalanceError(
            f'There is no game "{name}".{nearest(name, known)}',
            f"Installed games: {', '.join(known) or 'none'}. A game in your own module is written module:GAME.",
        )
    packages = " and ".join(sorted(_package(entry) for entry in entries))
    if len(entries) > 1:
        raise BalanceError(
            f'The installed packages {packages} both have a game "{name}".', "Remove one of them."
        )
    what, remedy = f'The game "{name}" of the package {packages}', "Update that package, or remove it."
    return _checked(_loaded(entries[0].load, what, remedy), name)


def _package(entry: EntryPoint) -> str:
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist else entry.value


def _look_for_the_module(name: str) -> None:
    """BalanceError where no module of that name lies in the current folder or is installed."""
    module, _, attribute = name.partition(":")
    if module.endswith(".py"):
        without = f"{module.removesuffix('.py')}:{attribute}"
        raise BalanceError(f'A module is named without ".py", so the game "{name}" is written {without}.')
    top = module.partition(".")[0]
    if top and top not in sys.modules and importlib.util.find_spec(top) is None:
        near = nearest(top, [path.stem for path in Path().glob("*.py")])
        sentence = f'There is no module "{top}", neither in the folder {Path.cwd()} nor installed.{near}'
        raise BalanceError(sentence, "Run the command in the folder in which the module lies.")


def _attribute(name: str) -> object:
    module, _, attribute = name.partition(":")
    return getattr(importlib.import_module(module), attribute)


def _loaded(load_it: Callable[[], object], what: str, remedy: str = "") -> object:
    """What is loaded; a module can fail in any way, and end the program, while it is imported."""
    try:
        return load_it()
    except SystemExit as error:
        reason = "it ends the program while it is imported"
        raise BalanceError(f"{what} cannot be loaded: {reason}{_place(error)}.", remedy) from error
    except Exception as error:
        raise BalanceError(f"{what} cannot be loaded: {one_line(error)}{_place(error)}.", remedy) from error


def _place(error: BaseException) -> str:
    """Where in a game's module an error comes from: ' (pig.py, line 3)'; '' where Python itself or we raise it."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    outside = (
        last.filename.startswith("<") or Path(last.filename) == Path(__file__) or "importlib" in last.filename
    )
    return "" if outside else f" ({Path(last.filename).name}, line {last.lineno})"


def _checked(found: object, name: str) -> Game:
    if not isinstance(found, Game):
        raise BalanceError(f'"{name}" is a {type(found).__name__}, not a balance.game.Game.')
    return found
