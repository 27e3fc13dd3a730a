"""What is counted: lengths and outcomes, which every game has, and the game's own measures of four kinds."""

from __future__ import annotations

import math

from balance.analysis.metrics import summary
from balance.analysis.summaries import Cell, Record
from balance.engine.playing import sums_layout
from balance.experiment.columns import outcomes
from balance.experiment.metrics import LENGTHS
from balance.game import COUNTER_FACES, SHARE_UNIT, CounterMeasure, CurveMeasure, Game
from balance.stats.estimate import Estimate
from balance.stats.intervals import count_from_sums, from_zero, mean_from_sums, ratio_interval

TAKEN = COUNTER_FACES.index("taken")
HELD = COUNTER_FACES.index("held_by_winner")
"""This face of a counter is counted in sixtieths, like the win: of two who share it each holds half."""


def measures(game: Game, cell: Cell) -> Record:
    """All measures of a cell by id."""
    own = [measure.id for measure in game.measures_of("game")]
    names = [*LENGTHS, *sorted(outcomes(game, cell.planned)), *own]
    found: Record = {name: summary(game, cell, name) for name in names}
    for measure in game.measures_of("seat"):
        seats = [summary(game, cell, measure.id, seat) for seat in range(cell.players)]
        found[measure.id] = {"seats": seats}
    layout = sums_layout(game)
    for measure in game.measures_of("curve"):
        found[measure.id] = curve(cell, measure, *layout[measure.id])
    for measure in game.measures_of("counter"):
        found[measure.id] = counter(cell, measure, layout[measure.id][0])
    return found


def curve(cell: Cell, measure: CurveMeasure, start: int, shape: tuple[int, ...]) -> Record:
    """The mean of each seat at the end of each round, over the games that came so far."""
    played = cell.tally.of_games("rounds")
    last = min(played.maximum or 0, measure.rounds)
    reached = [int(played.counts[played.values >= number].sum()) for number in range(1, last + 1)]
    lines = [
        [_point(cell, start + at * shape[1] + seat, games) for at, games in enumerate(reached)]
        for seat in range(cell.players)
    ]
    return {"rounds": list(range(1, last + 1)), "games": reached, "seats": lines}


def _point(cell: Cell, at: int, reached: int) -> Record:
    total, squares = cell.tally.sums[0][at], cell.tally.sums[1][at]
    if cell.rotations == 1:
        mean = mean_from_sums(reached, total, squares, cell.confidence)
        spread = reached * squares - total * total
        sd = math.sqrt(spread / (reached * (reached - 1))) if reached > 1 else None
    elif reached == cell.blocks * cell.rotations:
        mean, sd = mean_from_sums(cell.blocks, total, squares, cell.confidence, cell.rotations), None
    else:  # which games of a block came so far is not known, so nothing says how sure the mean is
        mean, sd = Estimate(total / reached, -math.inf, math.inf, cell.blocks, "too few"), None
    return {"mean": mean.as_dict(), "sd": sd}


def counter(cell: Cell, measure: CounterMeasure, start: int) -> Record:
    """How often each item was offered, taken and held by the winner, and how often taken when offered.

    Items that the rules of the cell leave out of the game are left out here, too.
    """
    absent = measure.absent(cell.planned.cell.rules) if measure.absent else ()
    items = []
    for number, item in enumerate(measure.items):
        at = start + number * len(COUNTER_FACES)
        if item in absent and not _sum(cell, 0, at + TAKEN):
            continue
        faces = {face: _face(cell, at, which) for which, face in enumerate(COUNTER_FACES)}
        items.append({"item": item, **faces, "take_rate": _take_rate(cell, at)})
    return {"items": items}


def _face(cell: Cell, at: int, face: int) -> Record:
    unit = SHARE_UNIT if face == HELD else 1
    total, squares = (_sum(cell, row, at + face) for row in (0, 1))
    mean = count_from_sums(cell.blocks, total, squares, cell.confidence, cell.rotations * unit)
    return {"total": (total + unit // 2) // unit, "mean": mean.as_dict()}


def _take_rate(cell: Cell, at: int) -> Record | None:
    (offered, taken), (xx, yy) = ([_sum(cell, row, at + face) for face in (0, 1)] for row in (0, 1))
    xy = _sum(cell, 2, at + 1)
    part = taken < offered or xx == yy == xy  # so far as is known, no block took more than it was offered
    rate = ratio_interval(cell.blocks, offered, taken, xx, yy, xy, cell.confidence, share=part)
    return from_zero(rate).as_dict() if rate else None


def _sum(cell: Cell, row: int, at: int) -> int:
    return cell.tally.sums[row][at] if cell.tally.sums else 0
