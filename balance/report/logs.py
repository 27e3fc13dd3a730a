"""The games most worth reading, move by move, folded in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from balance.report import folder, words
from balance.report.blocks import Log

Record = Mapping[str, Any]


def logs(results: Record, cell: Record) -> list[Log]:
    """A log for each game that a cell has one of."""
    return [
        Log(
            _title(results, cell, one),
            words.without_codes(one["text"]),
            _rest(results, cell, one),
            _at(cell, at),
        )
        for at, one in enumerate(cell.get("logs", ()))
    ]


def anchor(cell: Record, game: int) -> str:
    """Where on the page the log of a game stands; '' where it is not told."""
    return next((_at(cell, at) for at, one in enumerate(cell.get("logs", ())) if one["game"] == game), "")


def _at(cell: Record, number: int) -> str:
    return f"log-{cell['name']}-{number}"


def seats(cell: Record) -> str:
    """Which seat is whose in the logs, where these speak of players by number; '' where they do not."""
    speaks = any("Player 1" in one["text"] for one in cell.get("logs", ()))
    more = ", Player 2 in seat 2, and so on" if cell["players"] > 1 else ""
    return f"Player 1 sits in seat 1{more}." if speaks else ""


def _title(results: Record, cell: Record, one: Record) -> str:
    """'Game 128: the biggest comeback of the first 200 games, from 8 behind', 'Game 7: Turns 62, the highest'."""
    value = words.quantity(one["value"])
    if one["metric"] == "comeback":
        first = words.plural(cell["leads"]["games"], "game")
        return f"Game {one['game']}: the biggest comeback of the first {first}, from {value} behind"
    end = "highest" if one["end"] == "high" else "lowest"
    return f"Game {one['game']}: {words.isolated(words.title(results, one['metric']))} {value}, the {end}"


def _rest(results: Record, cell: Record, one: Record) -> str:
    """Where to find the rest of a log that was cut; '' where it is whole."""
    if one["whole"]:
        return ""
    return f"All of it: balance replay {folder.name(results)} --game {one['game']} --cell {cell['name']}"
