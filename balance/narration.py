"""What the readable logs of games have in common: a margin, sentences in lines, rule ids that stay with their words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from textwrap import wrap
from typing import Any

from balance.errors import listed

WIDTH = 80
MARGIN = 11
JOINED = "\N{NO-BREAK SPACE}"
"""Stands for a blank at which no line is broken."""
_IDS = re.compile(r" \[[^]]*\]")

Event = dict[str, Any]
"""One line of a trace."""


class Log:
    """The lines so far; a game adds a method `on_EVENT` for each kind of event of its traces."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def told(self, events: Sequence[Event]) -> list[str]:
        """The lines of a whole game."""
        for event in events:
            getattr(self, f"on_{event['event']}")(event)
        return self.lines

    def say(self, text: str, left: str = "") -> None:
        """One sentence, wrapped; rule ids stay on the line of the word before them."""
        text = _IDS.sub(lambda ids: ids[0].replace(" ", JOINED), text)
        for part in wrap(text, WIDTH - MARGIN, subsequent_indent="  ", break_on_hyphens=False):
            self.row(left, part.replace(JOINED, " "))
            left = ""

    def row(self, left: str, text: str) -> None:
        """A line of a table, or of a sentence, with what stands in the margin."""
        self.lines.append(f"{left:{MARGIN}}{text}".rstrip())

    def table(self, heads: Sequence[str], rows: Mapping[str, Sequence[object]]) -> None:
        """Numbers in columns; the name of each row stands in the margin."""
        lines = {"": heads, **rows}
        widths = [max(len(str(cells[i])) for cells in lines.values()) + 2 for i in range(len(heads))]
        for left, cells in lines.items():
            self.row(left, "".join(f"{cell!s:>{width}}" for cell, width in zip(cells, widths, strict=True)))

    def heading(self, text: str) -> None:
        """A line of its own above a part of the log."""
        self.lines += ["", text]

    def title(self, title: str, number: int, seed: object, policies: Sequence[str]) -> None:
        """Which game it is, and who plays."""
        self.lines.append(f"{title}, game {number} of seed {seed}")
        self.say(", ".join(f"{player(seat)} {policy}" for seat, policy in enumerate(policies)), "players")

    def rules_changed(self, changed: Mapping[str, object], players: int) -> None:
        """Which rules are not the official ones."""
        words = ", ".join(f"{name} = {_shown(value)}" for name, value in changed.items())
        self.say(words or f"the official rules for {players} players", "rules")

    def victory(self, scores: Sequence[int], ranks: Sequence[int]) -> tuple[str, list[int]]:
        """Who wins and with how many points, as a sentence, and the seats that have as many."""
        best = max(scores)
        winners = [player(seat) for seat, rank in enumerate(ranks) if rank == 1]
        verb = "wins" if len(winners) == 1 else "share the victory"
        sentence = f"{listed(winners)} {verb} with {counted(best, 'point')}"
        return sentence, [seat for seat, score in enumerate(scores) if score == best]


def player(seat: int) -> str:
    """A seat as people count it."""
    return f"Player {seat + 1}"


def counted(number: int, noun: str) -> str:
    """`1 card`, `2 cards`."""
    return f"{number} {noun}" + ("" if number == 1 else "s")


def _shown(value: object) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(str, value))}]"
    return str(value).lower() if isinstance(value, bool) else str(value)
