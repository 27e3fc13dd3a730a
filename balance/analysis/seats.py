"""Who wins: by seat, by team where some play together, and by policy where several play; and whether it is even."""

from __future__ import annotations

from collections.abc import Sequence

from balance.analysis import spread
from balance.analysis.bands import Tolerance
from balance.analysis.metrics import part, single, summary
from balance.analysis.summaries import Cell, Record
from balance.game import Game
from balance.stats.estimate import Estimate
from balance.stats.intervals import simultaneous
from balance.stats.joint import even_test
from balance.stats.multiplicity import each_of


def seats(game: Game, cell: Cell) -> list[Record]:
    """For each seat its share of the wins (of a team's, its part) and its scores."""
    return [
        {
            "seat": seat,
            "win_share": part(_wins(game, cell, seat), len(team)).as_dict(),
            "score": summary(game, cell, "score", seat),
        }
        for seat in range(cell.players)
        for team in cell.planned.teams
        if seat in team
    ]


def teams(game: Game, cell: Cell) -> list[Record]:
    """For each side its seats, its share of the wins (1 / sides is even) and its scores."""
    return [
        {
            "team": number,
            "seats": list(team),
            "win_share": _wins(game, cell, team[0]).as_dict(),
            "score": summary(game, cell, "score", team[0]),
        }
        for number, team in enumerate(cell.planned.teams)
    ]


def sides(game: Game, cell: Cell) -> list[Record]:
    """For each policy the wins for each seat that it held (1 / players is even) and the scores there.

    The denominators are a policy's own games: one that holds two seats at once counts both. Its share of all wins
    is what adds up to 1 over the policies.
    """
    return [_side(game, cell, policy) for policy in cell.planned.sides]


def tests(game: Game, cell: Cell, tolerance: Tolerance) -> Record:
    """Whether the seats, or the teams, are even.

    `even`: the test of all at once, None where the run may have ended early. `deviations`: each less an even share,
    with intervals that hold together, and the largest of them. `pairs`: each less each other, likewise; `spread` is
    the largest of these. `verdict`: whether all of these lie inside the tolerance band.
    """
    if len(cell.planned.teams) == 1:
        return {}
    one, several = ("team", "teams") if cell.planned.has_teams else ("seat", "seats")
    joint, pairs = cell.tally.wins, spread.pairs(cell, cell.confidence, cell.best_at)
    even = even_test(joint) if joint and joint.n and cell.best_at is None else None
    return {
        **largest_deviation(game, cell),
        "even": even and {"statistic": even.statistic, "p_value": even.p_value, "effect": even.effect},
        "deviations": [
            {one: number, "estimate": found.as_dict()} for number, found in enumerate(_deviations(game, cell))
        ],
        "pairs": [{several: list(pair), "difference": found.as_dict()} for pair, found in pairs.items()],
        "spread": spread.widest(pairs) if pairs and joint and joint.n else None,
        "band": {"most": tolerance.most, "set": tolerance.set_by_file},
        "verdict": tolerance.band.judge_all(list(pairs.values())),
    }


def largest_deviation(game: Game, cell: Cell) -> Record:
    """The seat farthest from an even share, or the team; the interval allows for having looked at all of them."""
    if len(cell.planned.teams) == 1:
        return {}
    found = _deviations(game, cell)
    number = max(range(len(found)), key=lambda at: abs(_unevenness(cell, at)))  # the first of equals
    one = "team" if cell.planned.has_teams else "seat"
    return {f"largest_{one}_deviation": {one: number, "estimate": found[number].as_dict()}}


def _deviations(game: Game, cell: Cell) -> list[Estimate]:
    among = cell.planned.teams
    even, together = 1 / len(among), simultaneous if cell.best_at is None else each_of
    level = together(cell.confidence, len(among))
    shares = [single(game, cell, "win_share", team[0], level, cell.best_at) for team in among]
    return [Estimate(one.value - even, one.low - even, one.high - even, one.n, one.method) for one in shares]


def _unevenness(cell: Cell, side: int) -> int:
    """How far a side is from an even share, in whole numbers that can be compared."""
    wins: Sequence[int] = cell.tally.wins.totals if cell.tally.wins else [0] * len(cell.planned.teams)
    return wins[side] * len(wins) - sum(wins)


def _wins(game: Game, cell: Cell, seat: int) -> Estimate:
    """The share of the wins of a seat's side; alone it wins whenever anybody does."""
    return single(game, cell, "win_share", seat, cell.confidence)


def _side(game: Game, cell: Cell, policy: str) -> Record:
    held, alone = cell.planned.slots.count(policy), cell.rotations == 1
    if not alone:
        each = single(game, cell, "win_share", None, cell.confidence, policy=policy)
        in_seats = [
            single(game, cell, "win_share", seat, cell.confidence, policy=policy)
            for seat in range(cell.players)
        ]
        all_wins = part(each, 1 / held)
    else:  # it holds every seat, so it wins every game in which anybody wins
        all_wins = Estimate(1.0, 1.0, 1.0, cell.blocks, "all equal")
        if cell.planned.goal:
            all_wins = single(game, cell, "goal_rate", None, cell.confidence)
        each = part(all_wins, held)
        in_seats = [_wins(game, cell, seat) for seat in range(cell.players)]
    return {
        "policy": policy,
        "seat_share": held / cell.players,
        "win_share": each.as_dict(),
        "share_of_wins": all_wins.as_dict(),
        "seats": [found.as_dict() for found in in_seats],
        "score": summary(game, cell, "score", policy=None if alone else policy),
    }
