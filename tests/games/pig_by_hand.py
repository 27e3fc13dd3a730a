"""Pig's exact chances, worked out from the rulebook in plain Python; nothing of the game's code is used."""

from __future__ import annotations

from functools import cache

import numpy as np

TARGET, SIDES = 100, 6
PRECISION = 1e-12


@cache
def turn(missing: int, hold_at: int | None = 20) -> dict[int, float]:
    """The chance of each number of points from one turn of a player who needs `missing` more to win.

    `hold_at` None is the player who tosses a coin after each roll.
    """
    found: dict[int, float] = {}
    open_turns = {0: 1.0}
    while open_turns:
        points = min(open_turns)
        chance = open_turns.pop(points)
        found[0] = found.get(0, 0.0) + chance / SIDES
        for face in range(2, SIDES + 1):
            total, part = points + face, chance / SIDES
            if total >= missing or (hold_at is not None and total >= hold_at):
                stops = 1.0
            else:
                stops = 0.0 if hold_at is not None else 0.5
            found[total] = found.get(total, 0.0) + part * stops
            if stops < 1.0:
                open_turns[total] = open_turns.get(total, 0.0) + part * (1 - stops)
    return {points: chance for points, chance in found.items() if chance}


def turns_to_win(hold_at: int | None, start: int = 0, most: int = 400) -> list[float]:
    """The chance that a player who is left alone wins with turn 1, 2, ..."""
    at, found = {start: 1.0}, []
    for _ in range(most):
        after: dict[int, float] = {}
        for points, chance in at.items():
            for more, part in turn(TARGET - points, hold_at).items():
                after[points + more] = after.get(points + more, 0.0) + chance * part
        found.append(sum(chance for points, chance in after.items() if points >= TARGET))
        at = {points: chance for points, chance in after.items() if points < TARGET}
    return found


def win_shares(players: list[int | None], starts: list[int] | None = None) -> list[float]:
    """How often each seat wins, where nobody looks at the others; the seats take turns in order."""
    wins = [
        turns_to_win(hold_at, start)
        for hold_at, start in zip(players, starts or [0] * len(players), strict=True)
    ]
    alive = [1.0] * len(players)
    found = [0.0] * len(players)
    for chances in zip(*wins, strict=True):
        for seat, chance in enumerate(chances):
            others = 1.0
            for other, left in enumerate(alive):
                others *= left if other != seat else 1.0
            found[seat] += chance * others
            alive[seat] -= chance
    return found


class Optimal:
    """The best play of two players, by repeated improvement of the chance to win."""

    def __init__(self) -> None:
        self.rolls = np.zeros((TARGET, TARGET, TARGET), bool)
        """Whether to roll, by own points, the other's, and the points of the turn."""
        self.begins = np.full((TARGET, TARGET), 0.5)
        """The chance to win of the player whose turn begins, by own points and the other's."""
        change = 1.0
        while change > PRECISION:
            before, self.begins = self.begins, self._turn(1 - self.begins.T, settled=False)
            change = float(np.abs(self.begins - before).max())

    def _turn(self, passed: np.ndarray, *, settled: bool) -> np.ndarray:
        """The chance to win as a turn begins, where it is `passed[own, other]` after the turn.

        Not `settled`: what is better, to roll or to hold, is found out on the way and noted in `rolls`.
        """
        own = np.arange(TARGET)
        decided = np.ones((TARGET + SIDES + 1, TARGET, TARGET))
        for kept in range(TARGET - 1, -1, -1):
            rolled = passed / SIDES
            for face in range(2, SIDES + 1):
                wins = (own + kept + face >= TARGET)[:, None]
                rolled = rolled + np.where(wins, 1.0, decided[kept + face]) / SIDES
            held = np.where((own + kept >= TARGET)[:, None], 1.0, passed[np.minimum(own + kept, TARGET - 1)])
            if not settled:
                self.rolls[:, :, kept] = (rolled > held) | (kept == 0)
            decided[kept] = np.where(self.rolls[:, :, kept], rolled, held)
        return decided[0]

    def against(self, hold_at: int) -> tuple[float, float]:
        """How often best play beats a player who holds at so many points: sitting first, and second."""
        first, second = np.zeros((TARGET, TARGET)), np.zeros((TARGET, TARGET))
        change = 1.0
        while change > PRECISION:
            before = first
            second = self._held_at(hold_at, first)
            first = self._turn(1 - second.T, settled=True)
            change = float(np.abs(first - before).max())
        return float(first[0, 0]), float(1 - second[0, 0])

    @staticmethod
    def _held_at(hold_at: int, passed_to: np.ndarray) -> np.ndarray:
        """The chance to win as the turn of the other player begins, by that player's points and ours."""
        found = np.zeros((TARGET, TARGET))
        for points in range(TARGET):
            for more, chance in turn(TARGET - points, hold_at).items():
                after = points + more
                found[points] += chance * (1.0 if after >= TARGET else 1 - passed_to[:, after])
        return found
