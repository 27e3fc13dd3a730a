"""The most extreme games of a cell, to be looked at one by one."""

from __future__ import annotations

from balance.analysis.summaries import Cell, Record
from balance.experiment.columns import searched, seat_column
from balance.experiment.extremes import ENDS, KEPT, Ranked
from balance.game import Game


def extremes(game: Game, cell: Cell) -> list[Record]:
    """For each metric that differs between games the ten highest and the ten lowest games.

    Of what happens or not, those where it happened. The scores of all seats are one list that names the seat.
    """
    scores = [seat_column("score", seat) for seat in range(cell.players)]
    shares = {measure.id for measure in game.measures_of("game") if measure.share}
    found = []
    for name in searched(game, cell.planned):
        if name in scores or not _varies(cell, name):
            continue
        for end in ENDS[:1] if name in shares else ENDS:
            games = [{"game": n, "value": value} for value, n in _kept(cell, end, name)]
            if name in shares:
                games = [one for one in games if one["value"]]
            found.append({"metric": name, "end": end, "games": games})
    if any(_varies(cell, name) for name in scores):
        found += [{"metric": "score", "end": end, "games": _scores(cell, end)} for end in ENDS]
    return found


def _kept(cell: Cell, end: str, name: str) -> Ranked:
    return (cell.tally.highest if end == "high" else cell.tally.lowest)[name]


def _varies(cell: Cell, name: str) -> bool:
    games = cell.tally.of_games(name)
    return games.minimum != games.maximum


def _scores(cell: Cell, end: str) -> list[Record]:
    sign = -1 if end == "high" else 1
    found = [
        (sign * value, n, seat)
        for seat in range(cell.players)
        for value, n in _kept(cell, end, seat_column("score", seat))
    ]
    return [{"game": n, "seat": seat, "value": sign * value} for value, n, seat in sorted(found)[:KEPT]]
