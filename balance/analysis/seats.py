"""Who wins: by seat, by team where some play together, and by policy where several play."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from balance.analysis.summaries import Cell, Record, summary
from balance.experiment.columns import seat_column, side_column
from balance.experiment.tally import merged
from balance.game import SHARE_UNIT
from balance.stats.estimate import Estimate
from balance.stats.intervals import share_interval, simultaneous


def seats(cell: Cell) -> list[Record]:
    """For each seat its share of the wins and its scores."""
    return [
        {
            "seat": seat,
            "win_share": _win_share(cell, seat, cell.confidence).as_dict(),
            "score": cell.summary(seat_column("score", seat)),
        }
        for seat in range(cell.players)
    ]


def teams(cell: Cell) -> list[Record]:
    """For each side its seats, its share of the wins (1 / sides is even) and its scores."""
    return [
        {
            "team": number,
            "seats": list(team),
            "win_share": _team_share(cell, team, cell.confidence).as_dict(),
            "score": cell.summary(seat_column("score", team[0])),
        }
        for number, team in enumerate(cell.planned.teams)
    ]


def sides(cell: Cell) -> list[Record]:
    """For each policy the wins for each seat that it held (1 / players is even) and the scores there.

    The denominators are a policy's own games: one that holds two seats at once counts both. Its share of all wins
    is what adds up to 1 over the policies.
    """
    return [_side(cell, policy) for policy in cell.planned.sides]


def tests(cell: Cell) -> Record:
    """The seat farthest from an even share, or the team; the interval allows for having looked at all of them."""
    among = cell.planned.teams
    if len(among) == 1:
        return {}
    number = max(range(len(among)), key=lambda at: _unevenness(cell, among[at][0]))  # the first of equals
    found = _team_share(cell, among[number], simultaneous(cell.confidence, len(among)))
    even = 1 / len(among)
    moved = Estimate(found.value - even, found.low - even, found.high - even, found.n, found.method)
    if cell.planned.has_teams:
        return {"largest_team_deviation": {"team": number, "estimate": moved.as_dict()}}
    return {"largest_seat_deviation": {"seat": number, "estimate": moved.as_dict()}}


def _win_share(cell: Cell, seat: int, confidence: float) -> Estimate:
    return _team_share(cell, (seat,), confidence)


def _team_share(cell: Cell, team: Sequence[int], confidence: float) -> Estimate:
    """The wins of a side, of which each of its seats has an equal part."""
    blocks = cell.tally.of_blocks(seat_column("win_share", team[0]))
    return share_interval(blocks, confidence, SHARE_UNIT // len(team) * cell.rotations)


def _unevenness(cell: Cell, seat: int) -> int:
    """How far the seat is from an even share, in whole numbers that can be compared."""
    wins = cell.tally.of_blocks(seat_column("win_share", seat)).total
    return abs(wins * cell.players - cell.blocks * cell.rotations * SHARE_UNIT)


def _win_share_in(cell: Cell, seat: int, policy: str, held: int) -> Estimate:
    """The wins of a policy in one seat; in each block it sits there in as many games as it holds seats."""
    if cell.rotations == 1:
        return _win_share(cell, seat, cell.confidence)
    wins = cell.tally.of_blocks(side_column(seat_column("win_share", seat), policy))
    return share_interval(wins, cell.confidence, SHARE_UNIT * held)


def _side(cell: Cell, policy: str) -> Record:
    held = cell.planned.slots.count(policy)
    if cell.rotations == 1:  # it holds every seat, so it wins every game in which anybody wins
        all_wins = Estimate(1.0, 1.0, 1.0, cell.blocks, "all equal")
        if cell.planned.goal:
            all_wins = share_interval(cell.tally.of_blocks("goal_rate"), cell.confidence, 1)
        columns = [cell.tally.of_games(seat_column("score", seat)) for seat in range(cell.players)]
        games, blocks = reduce(merged, columns), cell.tally.of_blocks("score")
    else:
        wins = cell.tally.of_blocks(side_column("win_share", policy))
        all_wins = share_interval(wins, cell.confidence, SHARE_UNIT * cell.rotations)
        games, blocks = (
            of(side_column("score", policy)) for of in (cell.tally.of_games, cell.tally.of_blocks)
        )
    each = (all_wins.value / held, all_wins.low / held, all_wins.high / held)
    return {
        "policy": policy,
        "seat_share": held / cell.players,
        "win_share": Estimate(*each, all_wins.n, all_wins.method).as_dict(),
        "share_of_wins": all_wins.as_dict(),
        "seats": [_win_share_in(cell, seat, policy, held).as_dict() for seat in range(cell.players)],
        "score": summary(games, blocks, cell.rotations * held, cell.confidence),
    }
