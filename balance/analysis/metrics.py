"""What was found of every metric, by its name, and how it differs from the baseline's; the only place that knows it.

Which metrics there are says `experiment.metrics`: `turns`, `score` (with a seat: that seat's), `win_share` (with a
seat, or a policy), a measure of the game. `.sd`, `.p10`, `.p50` and `.p90` behind it ask how it is spread over
single games. A seat of a team has its team's wins and score.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import reduce

from balance.analysis import spread
from balance.analysis.summaries import Cell, Record
from balance.experiment.columns import seat_column, side_column
from balance.experiment.metrics import QUANTILES, SPREAD, STATISTICS, by_seat, is_share, names
from balance.experiment.tally import EMPTY, merged
from balance.game import SHARE_UNIT, Game
from balance.stats.estimate import Estimate
from balance.stats.histogram import Histogram
from balance.stats.independent import independent_difference
from balance.stats.intervals import mean_interval, quantile_interval, share_interval
from balance.stats.paired import Pairing, paired_difference, pairing
from balance.stats.sequential import anytime_mean, anytime_quantile, anytime_share
from balance.stats.spread import sd_interval


@dataclass(frozen=True)
class Source:
    """Where the numbers of a metric stand.

    Its column by block, and how much of it makes 1 there (of what is no share, as many numbers as a block has); its
    columns by game; and of how many alike the block has all of a share.
    """

    column: str
    unit: int
    share: bool
    games: tuple[str, ...] = ()
    parts: int = 1


def estimate(
    game: Game,
    cell: Cell,
    metric: str,
    seat: int | None,
    confidence: float,
    best_at: int | None = None,
    policy: str | None = None,
) -> Estimate | tuple[Estimate, ...]:
    """What was found of a metric; of `seat_spread` the differences of each seat with each, which hold together.

    With `best_at`, blocks fixed before the first game, the interval holds at all looks and is narrowest there.
    """
    if metric == SPREAD:
        return tuple(spread.pairs(cell, confidence, best_at).values())
    return single(game, cell, metric, seat, confidence, best_at, policy)


def single(
    game: Game,
    cell: Cell,
    metric: str,
    seat: int | None,
    confidence: float,
    best_at: int | None = None,
    policy: str | None = None,
) -> Estimate:
    """The same of a metric that is one number."""
    name, _, statistic = metric.partition(".")
    found = source(game, cell, name, seat, policy)
    if statistic:
        return _statistic(cell, found, statistic, confidence, best_at)
    blocks = cell.tally.of_blocks(found.column)
    if not found.share:
        if best_at is None:
            return mean_interval(blocks, confidence, found.unit, reach(found, cell))
        return anytime_mean(blocks, confidence, found.unit, reach(found, cell), best_at=best_at)
    if best_at is None:
        share = share_interval(blocks, confidence, found.unit)
    else:
        share = anytime_share(blocks, confidence, found.unit, cell.rotations, best_at=best_at)
    return share if found.parts == 1 else part(share, found.parts)


def part(whole: Estimate, of: float) -> Estimate:
    """One of several equal parts of a quantity."""
    return replace(whole, value=whole.value / of, low=whole.low / of, high=whole.high / of)


def reach(found: Source, *cells: Cell) -> float:
    """How far apart two blocks lie, by the games that were played: at least 1, as these are whole numbers.

    Of a share all that there is. A block of several games is thought to stray less than one, by the root of their
    number: a deal, never seen so far, that moves all of its games alike by the whole range is not allowed for.
    """
    if found.share:
        return 1.0
    values = [of_games(cell, found) for cell in cells]
    ends = [end for one in values for end in (one.minimum, one.maximum) if end is not None]
    return max(1.0, (max(ends) - min(ends)) / math.sqrt(cells[0].rotations)) if ends else 1.0


def difference(
    game: Game,
    cell: Cell,
    baseline: Cell,
    metric: str,
    seat: int | None,
    confidence: float,
    best_at: int | None = None,
    policy: str | None = None,
) -> Estimate:
    """A metric of a variant less that of the baseline, on the same deals; exactly 0 where their rules do not differ.

    Means are compared deal by deal. For a statistic (`.sd`...) that cannot be done: its interval is the wider one
    of two runs.
    """
    if metric == SPREAD:
        return spread.change(cell, baseline, confidence, best_at)
    name, _, statistic = metric.partition(".")
    if statistic:
        new, old = (single(game, one, metric, seat, confidence, best_at, policy) for one in (cell, baseline))
        if not cell.planned.cell.differs and new.n:
            return Estimate(0.0, 0.0, 0.0, new.n, "all equal")
        return independent_difference(new, old)
    found = source(game, cell, name, seat, policy)
    told = how_paired(cell, baseline, found)
    return paired_difference(
        differences(cell, found), confidence, differs=cell.planned.cell.differs, best_at=best_at, **told
    )


def how_paired(cell: Cell, baseline: Cell, found: Source) -> Record:
    """What a paired difference and its p-value have to know of the numbers."""
    scale = found.unit * found.parts
    return {"scale": scale, "share": found.share, "reach": reach(found, cell, baseline)}


def differences(cell: Cell, found: Source) -> Histogram:
    """Variant less baseline, block by block."""
    return cell.tally.differences.get(found.column, EMPTY)


def gained(cell: Cell, baseline: Cell, found: Source) -> Pairing:
    """What playing the same deals gained; unknown where the means are of other games than the differences."""
    if not same_games(cell, baseline, found):
        return Pairing(None, None)
    return pairing(differences(cell, found), *(one.tally.of_blocks(found.column) for one in (cell, baseline)))


def same_games(cell: Cell, baseline: Cell, found: Source) -> bool:
    """Whether the means of both are of the very games that are compared: none of them counts by one alone."""
    return all(one.tally.of_blocks(found.column).n == cell.pairs for one in (cell, baseline))


def source(game: Game, cell: Cell, metric: str, seat: int | None = None, policy: str | None = None) -> Source:
    """Where the numbers of a metric stand; ValueError for one that the cell does not have."""
    for one in _sources(game, cell, metric, seat, policy):
        return one
    whose = "" if seat is None and policy is None else f" of {policy or 'seat'} {seat}"
    raise ValueError(f"There is no metric {metric}{whose} with {cell.planned.where}.")


def _sources(game: Game, cell: Cell, metric: str, seat: int | None, policy: str | None) -> Iterator[Source]:
    rotations, players = cell.rotations, cell.players
    unit = rotations * (SHARE_UNIT if metric == "win_share" else 1)
    seats = range(players) if metric in by_seat(game) else range(0)
    if policy is not None:
        if rotations > 1 and policy in cell.planned.sides and metric in ("win_share", "score"):
            held = cell.planned.slots.count(policy)
            column = side_column(metric, policy)
            if metric == "score":
                yield Source(column, unit * held, False, (column,))
            elif seat is None:
                yield Source(column, unit, True, parts=held)
            elif seat in seats:  # in each block it sits there in as many games as it holds seats
                yield Source(side_column(seat_column(metric, seat), policy), SHARE_UNIT * held, True)
    elif seat is not None:
        if seat in seats:
            team = next(team for team in cell.planned.teams if seat in team)
            shared = metric in ("win_share", "score")
            column = seat_column(metric, team[0] if shared else seat)
            yield Source(
                column,
                unit // len(team) if metric == "win_share" else unit,
                is_share(game, metric),
                (column,),
            )
    elif seats and metric != "win_share":
        columns = tuple(seat_column(metric, one) for one in seats)
        yield Source(metric, unit * players, False, columns)
    elif metric in names(game, cell.planned.size) and metric not in ("win_share", SPREAD):
        yield Source(metric, unit, is_share(game, metric), (metric,))


def of_games(cell: Cell, found: Source) -> Histogram:
    """The distribution of a metric over single games, or of those of all seats over theirs."""
    return reduce(merged, (cell.tally.of_games(column) for column in found.games))


def _statistic(cell: Cell, found: Source, statistic: str, confidence: float, best_at: int | None) -> Estimate:
    if found.share or statistic not in STATISTICS:
        raise ValueError(f"There is no {statistic} of {found.column}.")
    values = of_games(cell, found)
    if statistic == "sd":
        return sd_interval(values, confidence, found.unit, best_at=best_at)
    if best_at is None:
        return quantile_interval(values, QUANTILES[statistic], confidence, found.unit)
    return anytime_quantile(values, QUANTILES[statistic], confidence, found.unit, best_at=best_at)


def summary(
    game: Game, cell: Cell, metric: str, seat: int | None = None, policy: str | None = None
) -> Record:
    """The numbers of a metric in the results: mean, spread, quantiles and distribution; of a share, mean and count."""
    found = source(game, cell, metric, seat, policy)
    mean = single(game, cell, metric, seat, cell.confidence, policy=policy).as_dict()
    if found.share:
        return {"mean": mean, "count": cell.tally.of_blocks(found.column).total}
    values = of_games(cell, found)
    return {
        "mean": mean,
        "sd": values.sd,
        "quantiles": {name: values.quantile(q) for name, q in QUANTILES.items()},
        "min": values.minimum,
        "max": values.maximum,
        "histogram": values.as_dict(),
    }
