"""Exact tallies of the games of a cell: whole numbers that can be merged in any order with equal results.

The block is the observation behind every interval, so what is tallied for intervals are sums over blocks.
A void game enters no mean, and as the policies of a line-up are compared over whole blocks, in which each sits in
each seat equally often, a block with a void game is set aside as a whole. Only how games ended, and the measures
that say something of void games too, are tallied over all games.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np

from balance.experiment import extremes
from balance.experiment.batches import Batches, batched
from balance.experiment.columns import (
    Column,
    block_sums,
    compared,
    kept_games,
    of_all_games,
    per_game,
    pooled_scores,
    searched,
    side_column,
    tallied,
    wins_of_sides,
)
from balance.experiment.extremes import Ranked
from balance.experiment.plan import PlannedCell
from balance.game import Game
from balance.stats.histogram import DENSE_SPAN, Histogram
from balance.stats.joint import Joint

V = TypeVar("V")
EMPTY = Histogram(np.array([], np.int64), np.array([], np.int64))
_HISTOGRAMS = ("blocks", "games", "differences")
_JOINTS = ("wins", "wins_moved")
_EXTREMES = ("highest", "lowest")


@dataclass(frozen=True)
class Tally:
    """What is known of some games of a cell.

    `blocks` are histograms of sums over blocks, `games` histograms of single games where those differ from
    the former, `differences` histograms of variant minus baseline by block. `wins` are the wins of all sides
    together, in sixtieths by block, and `wins_moved` variant minus baseline; None before there are games. `sums`
    are the totals, squares and products of the curves and counters by block, `batches` the sums of a grid (see there).
    """

    played: int = 0
    blocks: Mapping[str, Histogram] = field(default_factory=dict)
    games: Mapping[str, Histogram] = field(default_factory=dict)
    differences: Mapping[str, Histogram] = field(default_factory=dict)
    batches: Batches = field(default_factory=dict)
    wins: Joint | None = None
    wins_moved: Joint | None = None
    highest: Mapping[str, Ranked] = field(default_factory=dict)
    lowest: Mapping[str, Ranked] = field(default_factory=dict)
    sums: tuple[tuple[int, ...], ...] = ()
    changed: bool = False
    """Whether any game of a variant came out unlike the baseline's."""

    def of_games(self, name: str) -> Histogram:
        """The distribution of a column over single games."""
        return self.games[name] if name in self.games else self.of_blocks(name)

    def of_blocks(self, name: str) -> Histogram:
        """The distribution of a column's sums over blocks."""
        return self.blocks.get(name, EMPTY)

    def merge(self, other: Tally) -> Tally:
        """The tally of both sets of games."""
        return Tally(
            self.played + other.played,
            _joined(self.blocks, other.blocks, merged),
            _joined(self.games, other.games, merged),
            _joined(self.differences, other.differences, merged),
            _joined(self.batches, other.batches, lambda one, two: _added([one], [two])[0]),
            _together(self.wins, other.wins),
            _together(self.wins_moved, other.wins_moved),
            _joined(self.highest, other.highest, lambda one, two: extremes.merged(one, two, "high")),
            _joined(self.lowest, other.lowest, lambda one, two: extremes.merged(one, two, "low")),
            _added(self.sums, other.sums),
            self.changed or other.changed,
        )

    def as_dict(self) -> dict[str, Any]:
        """Plain whole numbers for a JSON file."""
        plain: dict[str, Any] = {"played": self.played, "sums": self.sums, "changed": self.changed}
        for name in _HISTOGRAMS:
            plain[name] = {key: one.as_dict() for key, one in getattr(self, name).items()}
        for name in _JOINTS:
            joint = getattr(self, name)
            plain[name] = joint and {"n": joint.n, "totals": joint.totals, "products": joint.products}
        return plain | {name: dict(getattr(self, name)) for name in (*_EXTREMES, "batches")}

    @classmethod
    def from_dict(cls, saved: Mapping[str, Any]) -> Tally:
        """The tally that `as_dict` wrote."""
        found: dict[str, Any] = {"played": saved["played"], "changed": saved["changed"]}
        found["sums"] = tuple(tuple(row) for row in saved["sums"])
        for name in _HISTOGRAMS:
            found[name] = {key: Histogram.from_dict(one) for key, one in saved[name].items()}
        for name in _JOINTS:
            found[name] = saved[name] and Joint(**saved[name])
        found["batches"] = {key: tuple(sums) for key, sums in saved["batches"].items()}
        for name in _EXTREMES:
            found[name] = {key: tuple((v, n) for v, n in pairs) for key, pairs in saved[name].items()}
        return cls(**found)


@dataclass(frozen=True)
class Played:
    """Some games of a cell, whole blocks: rows by [column, game], and the sums of curves and counters."""

    first: int
    rows: Column
    sums: Column


def tally(
    game: Game, cell: PlannedCell, played: Played, baseline: Played | None = None, grid: bool = False
) -> Tally:
    """Tallies games of a cell; `baseline` are the same games by the baseline's rules. Of a `grid` also by batches."""
    every = tallied(game, cell, played.rows)
    numbers = np.arange(played.first, played.first + played.rows.shape[1])
    kept, named = kept_games(every["ended"], cell.rotations), every
    if kept.size < numbers.size:
        named = {name: one if name in of_all_games(game) else one[kept] for name, one in every.items()}
    blocks = {name: counted(block_sums(values, cell.rotations)) for name, values in named.items()}
    games = _single_games(game, cell, named) if cell.rotations > 1 else {}
    highest, lowest = {}, {}
    for name in searched(game, cell):
        counts = games[name] if games else blocks[name]
        of = numbers if name in of_all_games(game) else numbers[kept]
        highest[name] = extremes.most_extreme(named[name], counts, of, "high")
        lowest[name] = extremes.most_extreme(named[name], counts, of, "low")
    wins, moved, differences, changed = _joint(cell, wins_of_sides(cell, named)), None, {}, False
    if baseline is not None:
        base = tallied(game, cell, baseline.rows)
        both = kept_games(np.maximum(every["ended"], base["ended"]), cell.rotations)
        differences = _differences(game, cell, every, base, both)
        moved = _joint(cell, (wins_of_sides(cell, every) - wins_of_sides(cell, base))[:, both])
        same = np.array_equal(played.rows, baseline.rows) and np.array_equal(played.sums, baseline.sums)
        changed = not same
    sums = tuple(tuple(row) for row in played.sums.tolist())
    return Tally(
        played=played.rows.shape[1],
        blocks=blocks,
        games=games,
        differences=differences,
        batches=batched(game, cell, played.first, every, kept) if grid else {},
        wins=wins,
        wins_moved=moved,
        highest=highest,
        lowest=lowest,
        sums=sums,
        changed=changed,
    )


def counted(values: Column) -> Histogram:
    """The histogram of a column, by the fastest way that fits it."""
    if values.size == 0:
        return EMPTY
    low, high = int(values.min()), int(values.max())
    if low == high:
        return Histogram(np.array([low]), np.array([values.size]))
    if high - low >= DENSE_SPAN:
        return Histogram.from_values(values)
    table = np.bincount(values - low)
    seen = np.flatnonzero(table)
    return Histogram(seen + low, table[seen])


def merged(one: Histogram, other: Histogram) -> Histogram:
    """Both histograms together; quick where the same values came up in both."""
    if np.array_equal(one.values, other.values):
        return Histogram(one.values, one.counts + other.counts)
    return one.merge(other)


def _single_games(game: Game, cell: PlannedCell, named: Mapping[str, Column]) -> dict[str, Histogram]:
    games = {name: counted(named[name]) for name in per_game(game, cell)}
    for policy in cell.sides:
        games[side_column("score", policy)] = counted(pooled_scores(cell, named, policy))
    return games


def _differences(
    game: Game, cell: PlannedCell, named: Mapping[str, Column], base: Mapping[str, Column], kept: Column
) -> dict[str, Histogram]:
    """By block, of the games `kept`: those where neither the variant nor the baseline has a void game."""

    def sums(values: Column) -> Column:
        return block_sums(values if kept.size == values.size else values[kept], cell.rotations)

    return {name: counted(sums(named[name]) - sums(base[name])) for name in compared(game, cell)}


def _joint(cell: PlannedCell, wins: Column) -> Joint:
    """Of what each side won, or won more, by [side, game]."""
    return Joint.from_blocks(np.array([block_sums(side, cell.rotations) for side in wins]))


def _together(one: Joint | None, other: Joint | None) -> Joint | None:
    return one.merge(other) if one and other else one or other


def _joined(one: Mapping[str, V], other: Mapping[str, V], join: Callable[[V, V], V]) -> dict[str, V]:
    """The entries of both; `join` makes one of two that have the same name."""
    found = {**one, **other}
    found.update((name, join(value, other[name])) for name, value in one.items() if name in other)
    return found


def _added(one: Sequence[Sequence[int]], other: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
    if not one or not other:
        return tuple(tuple(row) for row in (one or other))
    return tuple(tuple(a + b for a, b in zip(*rows, strict=True)) for rows in zip(one, other, strict=True))
