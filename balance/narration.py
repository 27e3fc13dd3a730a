"""What the readable logs of games have in common: a margin, sentences in lines, rule ids that stay with their words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
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
    """The lines so far; a game adds a method `on_EVENT` for each kind of event of its traces.

    `sides` are the names of those who compete, `rounds` how many rounds the game lasted: 0 where it was void, or where
    it was not played to its end.
    """

    points, round_name, tiebreak = "points", "round", ""
    """What a game counts, in rounds of what name, and what decides between equals."""

    def __init__(self, sides: Sequence[str], rounds: int) -> None:
        self.lines: list[str] = []
        self.sides, self.rounds = sides, rounds
        self.course: list[list[object]] = []

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
        self.say(words or f"the official rules for {counted(players, 'player')}", "rules")

    def standing(self, number: int, scores: Sequence[int], breaks: Sequence[int], left: str = "") -> None:
        """The points of each side after a round, and who leads: by them, then by `breaks`, as the leads of a run have
        it. Of the last round nothing is said: the result follows."""
        if len(self.sides) < 2 or number == self.rounds:
            return
        first = leaders(scores, breaks)
        lead = "nobody leads" if len(first) == len(self.sides) else self.lead(first, scores)
        if number == self.half:
            lead = f"half-way, after {number} of {self.rounds} {self.round_name}s, {lead}"
        points = ", ".join(f"{self.joined(side)}{JOINED}{score}" for side, score in enumerate(scores))
        self.say(f"{self.points} so far: {points}; {lead}", left)
        alone = first[0] + 1 if len(first) == 1 else "-"
        self.course.append([*scores, alone])

    @property
    def half(self) -> int:
        """After which round a game is half-way: half of its rounds, rounded down."""
        return self.rounds // 2

    def lead(self, first: Sequence[int], scores: Sequence[int]) -> str:
        """Who leads, and what decides between equals."""
        if len(first) > 1:
            return f"{listed([self.joined(side) for side in first])} share the lead"
        by = f" by {self.tiebreak}" if list(scores).count(scores[first[0]]) > 1 else ""
        return f"{self.joined(first[0])} leads{by}"

    def result(self) -> None:
        """The result begins, below a table of all standings; of a long log a page has only the end."""
        if self.course:
            half = f" (half-way: {self.round_name} {self.half})" if self.half else ""
            self.heading(f"{self.points.upper()} AFTER EACH {self.round_name.upper()}{half}")
            self.table([*self.sides, "leads"], dict(self.courses()))
        self.heading("RESULT")

    def courses(self) -> Iterator[tuple[str, list[object]]]:
        """The standings, each with the rounds over which it stayed as it was: `round 3`, `round 4-9`."""
        number = 0
        for standing, same in groupby(self.course):
            first, number = number + 1, number + len(list(same))
            yield f"{self.round_name} {first}" + (f"-{number}" if number > first else ""), standing

    def joined(self, side: int) -> str:
        """The name of a side, kept on one line."""
        return self.sides[side].replace(" ", JOINED)

    def who(self, side: int) -> str:
        """A side by its name; games with teams say who plays in it."""
        return self.sides[side]

    def victory(self, scores: Sequence[int], ranks: Sequence[int]) -> tuple[str, list[int]]:
        """Who wins and with how many points, as a sentence, and the sides that have as many."""
        best = max(scores)
        winners = [self.who(side) for side, rank in enumerate(ranks) if rank == 1]
        verb = "wins" if len(winners) == 1 else "share the victory"
        points = counted(best, "point") if self.points == "points" else f"{best} {self.points}"
        sentence = f"{listed(winners)} {verb} with {points}"
        return sentence, [side for side, score in enumerate(scores) if score == best]


def leaders(scores: Sequence[int], breaks: Sequence[int]) -> list[int]:
    """The sides that would win were the game over: by their scores, and by their tiebreaks where these are equal."""
    places = list(zip(scores, breaks, strict=True))
    return [side for side, place in enumerate(places) if place == max(places)]


def player(seat: int) -> str:
    """A seat as people count it."""
    return f"Player {seat + 1}"


def players(number: int) -> list[str]:
    """All seats, where everybody plays for himself."""
    return [player(seat) for seat in range(number)]


def counted(number: int, noun: str) -> str:
    """`1 card`, `2 cards`."""
    return f"{number} {noun}" + ("" if number == 1 else "s")


def _shown(value: object) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(str, value))}]"
    return str(value).lower() if isinstance(value, bool) else str(value)
