"""Where games are found: by the name of an entry point, or as `module:GAME`."""

from __future__ import annotations

import importlib
from importlib.metadata import EntryPoint, entry_points

from balance.errors import BalanceError, nearest
from balance.game import Game

GROUP = "balance.games.v1"


def _entries() -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group=GROUP)}


def names() -> list[str]:
    """The names of all installed games, sorted."""
    return sorted(_entries())


def load(name: str) -> Game:
    """The game called `name`, or the object at `module:GAME`; BalanceError when there is none."""
    if ":" in name:
        return _checked(_import(name), name)
    entry = _entries().get(name)
    if entry is None:
        known = names()
        raise BalanceError(
            f'There is no game "{name}".{nearest(name, known)}',
            f"Installed games: {', '.join(known) or 'none'}. A game in your own module is written module:GAME.",
        )
    return _checked(entry.load(), name)


def _import(name: str) -> object:
    module, _, attribute = name.partition(":")
    try:
        return getattr(importlib.import_module(module), attribute)
    except Exception as error:
        raise BalanceError(f'The game "{name}" cannot be loaded: {type(error).__name__}: {error}.') from error


def _checked(found: object, name: str) -> Game:
    if not isinstance(found, Game):
        raise BalanceError(f'"{name}" is a {type(found).__name__}, not a balance.game.Game.')
    return found
