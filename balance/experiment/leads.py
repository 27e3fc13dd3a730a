"""Who leads when: a part of a run's games is played again at its end, with the standing noted after each round.

The games are the first ones of each table's baseline, so they are the same whatever the machine. A side leads if it
would win were the game over: by its score, and its tiebreak where scores are equal. What is kept are whole numbers,
summed over blocks, from which `analysis.leads` makes shares and intervals.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from balance.engine.playing import NOT_REACHED, Buffers, Table, new_marks
from balance.experiment.columns import Column, block_sums, kept_games, tallied, wins_of_sides
from balance.experiment.plan import Plan, PlannedCell
from balance.experiment.tally import EMPTY, Tally, counted
from balance.game import SHARE_UNIT

FEWEST, MOST, ONE_OF = 1_000, 10_000, 50
"""Of a run one game in fifty is looked at, but at least 1,000 (or a tenth, if that is fewer), and 10,000 at most."""
MOST_ROUNDS = 400
"""Of longer games the rounds after that are left out."""
COMEBACKS = 3
_WHOLE_BLOCKS, _MARKS = 60, 3_000
"""So many games are whole blocks at any number of rotations; and so many times that many marks fit into memory."""
Sums = np.ndarray[Any, Any]
"""Over blocks: the sums of x, y, x squared, y squared and x times y, where y is a part of x, and so for each round."""


def sample(games: int, rotations: int) -> int:
    """How many of so many games are looked at: whole blocks, one at least."""
    wanted = min(MOST, max(games // ONE_OF, min(FEWEST, games // 10)))
    return max(1, wanted // rotations) * rotations


def leads(plan: Plan, tallies: Sequence[Tally], go_on: Callable[[], bool]) -> dict[str, Any] | None:
    """What is known of who led, of each table's baseline by its folder; None when `go_on` says no.

    `plan.loop` is compiled. Nothing is said where one plays alone, or where nobody is ever ahead before the end.
    """
    found: dict[str, Any] = {}
    for cell in (group[0] for group in plan.groups):
        played = tallies[cell.index]
        rounds = min(played.of_games("rounds").maximum or 0, MOST_ROUNDS)
        if len(cell.leaders) < 2 or rounds < 2:
            continue
        total = _Led(rounds)
        games = sample(played.played, cell.rotations)
        table = plan.table(cell)
        at_a_time = _WHOLE_BLOCKS * max(1, _MARKS // rounds)
        for first in range(0, games, at_a_time):
            if not go_on():
                return None
            total.add(_looked_at(plan, cell, table, first, min(at_a_time, games - first), rounds))
        if total.wins[0].any():
            found[cell.folder] = total.as_dict()
    return found


@dataclass(frozen=True)
class Seen:
    """Some games by [game, round, side] or [game]: `alone` and `leader` after each round that was `reached`."""

    numbers: Column
    rotations: int
    reached: Column
    alone: Column
    leader: Column
    behind: Column
    """By how much each side is behind the best score."""
    last: Column
    """Whether a side is behind all others."""
    wins: Column
    """What each side won in the end, in sixtieths by [game, side]."""
    rounds: Column


def _looked_at(plan: Plan, cell: PlannedCell, table: Table, first: int, count: int, rounds: int) -> Seen:
    buffers = Buffers(plan.game)
    buffers.marks = new_marks(count, rounds)
    rows = plan.loop.play(table, plan.experiment.run.seed, first, count, buffers, plan.loop.new_sums())
    named = tallied(plan.game, cell, rows)
    kept = kept_games(named["ended"], cell.rotations)
    marks = buffers.marks[kept][..., list(cell.leaders)]
    return seen(
        marks, wins_of_sides(cell, named).T[kept], named["rounds"][kept], first + kept, cell.rotations
    )


def seen(marks: Column, wins: Column, rounds: Column, numbers: Column, rotations: int) -> Seen:
    """Who leads after each round, from marks[game, round, score | tiebreak, side] and what each side won."""
    score, tiebreak = marks[:, :, 0], marks[:, :, 1]
    best = score.max(axis=2, keepdims=True)
    first = (score == best) & (tiebreak == _most(tiebreak, score == best))
    lowest = score == score.min(axis=2, keepdims=True)
    last = lowest & (-tiebreak == _most(-tiebreak, lowest))
    reached = score[:, :, 0] != NOT_REACHED
    return Seen(
        numbers=numbers,
        rotations=rotations,
        reached=reached,
        alone=reached & (first.sum(axis=2) == 1),
        leader=first.argmax(axis=2),
        behind=np.where(reached[..., None], best - score, 0),
        last=last & (last.sum(axis=2, keepdims=True) == 1),
        wins=wins,
        rounds=rounds,
    )


def _most(values: Column, among: Column) -> Column:
    """The highest of the values that stand where `among` is true, along the last axis."""
    return np.asarray(np.where(among, values, NOT_REACHED).max(axis=2, keepdims=True))


class _Led:
    """The whole numbers that are kept of all games looked at."""

    def __init__(self, rounds: int) -> None:
        self.blocks = self.games = 0
        self.wins, self.decided = (np.zeros((5, rounds), np.int64) for _ in range(2))
        self.half, self.last, self.unmoved, self.never_behind = (np.zeros((5, 1), np.int64) for _ in range(4))
        self.changes = self.block_changes = self.behind = EMPTY
        self.comebacks: list[list[int]] = []

    def add(self, found: Seen) -> None:
        """Add some games to those before."""
        games = np.arange(found.numbers.size)
        self.games += games.size
        self.blocks += games.size // found.rotations
        of_leader = found.alone * np.take_along_axis(found.wins, found.leader, axis=1)
        self.wins += _sums(SHARE_UNIT * found.alone, of_leader, found.rotations)
        self.decided += _sums(found.reached, decided(found), found.rotations)
        known = found.reached.shape[1]
        half = np.clip(found.rounds // 2 - 1, 0, known - 1)
        in_reach = (found.rounds >= 2) & (found.rounds // 2 <= known)
        has_half = in_reach & found.reached[games, half]
        alone = has_half & found.alone[games, half]
        has_last = has_half & found.last[games, half].any(axis=1)
        of_last = has_last * (found.last[games, half] * found.wins).sum(axis=1)
        self.half += _sums(
            SHARE_UNIT * alone[:, None], (alone * of_leader[games, half])[:, None], found.rotations
        )
        self.last += _sums(SHARE_UNIT * has_last[:, None], of_last[:, None], found.rotations)
        moved = changes(found)
        self.unmoved += _sums(np.ones((games.size, 1)), (moved == 0)[:, None], found.rotations)
        self.changes = self.changes.merge(counted(moved))
        self.block_changes = self.block_changes.merge(counted(block_sums(moved, found.rotations)))
        self._catch_up(found)

    def _catch_up(self, found: Seen) -> None:
        """How far behind the winners were at the worst, and the games in which that was most."""
        is_won = found.wins.max(axis=1) > 0
        won = np.flatnonzero(is_won)
        behind = found.behind[won] * (found.wins[won] > 0)[:, None, :]
        most = behind.max(axis=(1, 2), initial=0)
        never = is_won.copy()
        never[won] = most == 0
        self.never_behind += _sums(np.ones((never.size, 1)), never[:, None], found.rotations)
        self.behind = self.behind.merge(counted(most))
        order = np.lexsort((found.numbers[won], -most))[:COMEBACKS]
        for at in order[most[order] > 0]:
            ended, side = np.argwhere(behind[at] == most[at])[0]
            shared = int(found.wins[won[at], side] < SHARE_UNIT)
            self.comebacks.append(
                [int(most[at]), int(found.numbers[won[at]]), int(side), int(ended) + 1, shared]
            )
        self.comebacks = sorted(self.comebacks, key=lambda one: (-one[0], one[1]))[:COMEBACKS]

    def as_dict(self) -> dict[str, Any]:
        """Plain whole numbers for a JSON file."""
        summed = ("wins", "decided", "half", "last", "unmoved", "never_behind")
        sums = {name: getattr(self, name).T.tolist() for name in summed}
        histograms = {name: getattr(self, name).as_dict() for name in ("changes", "block_changes", "behind")}
        counts = {"blocks": self.blocks, "games": self.games}
        return {**counts, **sums, **histograms, "comebacks": self.comebacks}


def _sums(x: Column, y: Column, rotations: int) -> Sums:
    """Of x and y by [game, round]."""
    x, y = (one.astype(np.int64).reshape(-1, rotations, one.shape[1]).sum(axis=1) for one in (x, y))
    return np.array([x.sum(0), y.sum(0), (x * x).sum(0), (y * y).sum(0), (x * y).sum(0)])


def decided(found: Seen) -> Column:
    """Whether a game was decided after a round: from then on its sole winner led alone to the end."""
    winner, sole = found.wins.argmax(axis=1), found.wins.max(axis=1) == SHARE_UNIT
    holds = ~found.reached | (found.alone & (found.leader == winner[:, None]) & sole[:, None])
    to_the_end = np.logical_and.accumulate(holds[:, ::-1], axis=1)[:, ::-1]
    return np.asarray(found.reached & to_the_end)


def changes(found: Seen) -> Column:
    """How often the lead passed to another side, its sole winner's win included; a shared lead is nobody's."""
    before = np.full(found.numbers.size, -1)
    count = np.zeros(found.numbers.size, np.int64)
    sole = found.wins.max(axis=1) == SHARE_UNIT
    leaders = [(found.alone[:, at], found.leader[:, at]) for at in range(found.reached.shape[1])]
    for alone, leader in [*leaders, (sole, found.wins.argmax(axis=1))]:
        count += alone & (before >= 0) & (before != leader)
        before = np.where(alone, leader, before)
    return count
