"""The columns of numbers that are tallied: those of the rows and those derived from them, by name.

A seat's column is called `score_0`, a policy's `score@greedy`, a policy's in one seat `win_share_0@greedy`; the
scores of all seats together are `score`, and so for every measure that each seat has.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from balance.engine.playing import columns
from balance.engine.playout import TRUNCATED, VOID
from balance.experiment import metrics
from balance.experiment.metrics import LENGTHS as LENGTHS
from balance.experiment.plan import PlannedCell
from balance.game import SHARE_UNIT, Game

Column = np.ndarray[Any, Any]


def per_game(game: Game, cell: PlannedCell) -> list[str]:
    """The columns whose distribution over single games is wanted."""
    scalars = [measure.id for measure in game.measures_of("game")]
    by_seat = ["score", *(measure.id for measure in game.measures_of("seat"))]
    return [
        "ended",
        *LENGTHS,
        *_margins(cell),
        *scalars,
        *(seat_column(name, seat) for name in by_seat for seat in range(cell.players)),
    ]


def compared(game: Game, cell: PlannedCell) -> list[str]:
    """The columns whose difference between a variant and the baseline is tallied, block by block.

    Of a team that of its first seat, which has its side's score and an equal part of its win.
    """
    of_sides = ("score",) if cell.goal else ("win_share", "score")
    by_seat = [seat_column(name, seat) for name in of_sides for seat in cell.leaders]
    by_policy = [side_column(name, policy) for name in of_sides for policy in cell.sides]
    own = [measure.id for measure in game.measures_of("game")]
    of_seats = [measure.id for measure in game.measures_of("seat")]
    return [
        *(by_seat if len(cell.leaders) > 1 or not cell.goal else []),
        *(by_policy if cell.rotations > 1 else []),
        "score",
        *LENGTHS,
        *outcomes(game, cell),
        *own,
        *of_seats,
        *(seat_column(name, seat) for name in of_seats for seat in range(cell.players)),
    ]


def outcomes(game: Game, cell: PlannedCell) -> tuple[str, ...]:
    """The columns that say how a game came out for the whole table, whatever the game counts itself."""
    return metrics.outcomes(game, len(cell.leaders) > 1, bool(cell.goal))


def _margins(cell: PlannedCell) -> list[str]:
    return ["score_margin"] if len(cell.leaders) > 1 else []


def of_all_games(game: Game) -> list[str]:
    """The columns in which void games count as well."""
    return ["ended", *(measure.id for measure in game.measures_of("game") if measure.of_void_games)]


def kept_games(ended: Column, rotations: int) -> Column:
    """The positions of the games that count, whole blocks: all but the blocks in which a game was void."""
    has_void = np.any((ended == VOID).reshape(-1, rotations), axis=1)
    return np.flatnonzero(np.repeat(~has_void, rotations))


def searched(game: Game, cell: PlannedCell) -> list[str]:
    """The columns whose most extreme games are kept."""
    scores = [seat_column("score", seat) for seat in range(cell.players)]
    own = [measure.id for measure in game.measures_of("game")]
    return ["turns", "plies", *_margins(cell), *scores, *own]


def seat_column(name: str, seat: int) -> str:
    """The name of one seat's column."""
    return f"{name}_{seat}"


def side_column(name: str, policy: str) -> str:
    """The name of one policy's column."""
    return f"{name}@{policy}"


def tallied(game: Game, cell: PlannedCell, rows: Column) -> dict[str, Column]:
    """All columns, one value for each game."""
    players = cell.players
    found = dict(zip(columns(game, players), rows, strict=True))
    scores = [found[seat_column("score", seat)] for seat in range(players)]
    shares = [found[seat_column("win_share", seat)] for seat in range(players)]
    for seat in range(players):
        del found[seat_column("rank", seat)]
    found["score"] = np.sum(scores, axis=0)
    for measure in game.measures_of("seat"):
        of_seats = [found[seat_column(measure.id, seat)] for seat in range(players)]
        found[measure.id] = np.sum(of_seats, axis=0)
    most = np.max([np.sum([shares[seat] for seat in team], axis=0) for team in cell.teams], axis=0)
    if len(cell.leaders) > 1:
        found["tie_rate"] = ((most > 0) & (most < SHARE_UNIT)).astype(np.int32)
        found["score_margin"] = _margin([scores[seat] for seat in cell.leaders])
    if cell.goal:
        found["goal_rate"] = (most > 0).astype(np.int32)
    if game.capped_by_rules:
        found["capped_rate"] = (found["ended"] == TRUNCATED).astype(np.int32)
    if cell.rotations > 1:
        for policy in cell.sides:
            held = held_by(cell, policy, rows.shape[1])
            won = np.where(held, shares, 0)
            found[side_column("score", policy)] = np.sum(np.where(held, scores, 0), axis=0)
            found[side_column("win_share", policy)] = np.sum(won, axis=0)
            for seat in range(players):
                found[side_column(seat_column("win_share", seat), policy)] = won[seat]
    return found


def wins_of_sides(cell: PlannedCell, named: Mapping[str, Column]) -> Column:
    """What each side won, in sixtieths by [side, game]."""
    return np.array([named[seat_column("win_share", team[0])] * len(team) for team in cell.teams])


def held_by(cell: PlannedCell, policy: str, games: int) -> Column:
    """Which seats a policy holds in whole blocks of games: true or false by [seat, game]."""
    slots = (np.arange(cell.players)[:, None] + np.arange(cell.rotations)) % cell.players
    of_policy = np.array([slot == policy for slot in cell.slots])
    return np.tile(of_policy[slots], games // cell.rotations)


def block_sums(values: Column, rotations: int) -> Column:
    """The sum over each block of games."""
    if rotations == 1:
        return values
    total = values[::rotations].astype(np.int64)
    for rotation in range(1, rotations):
        total += values[rotation::rotations]
    return total


def pooled_scores(cell: PlannedCell, named: Mapping[str, Column], policy: str) -> Column:
    """The scores of all seats that a policy held, one after the other."""
    scores = np.array([named[seat_column("score", seat)] for seat in range(cell.players)])
    return scores[held_by(cell, policy, scores.shape[1])]


def _margin(scores: list[Column]) -> Column:
    """First score minus second, of the sides."""
    first, second = np.maximum(scores[0], scores[1]), np.minimum(scores[0], scores[1])
    for score in scores[2:]:
        second = np.maximum(second, np.minimum(first, score))
        first = np.maximum(first, score)
    return first - second
