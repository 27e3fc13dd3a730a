"""What the tally of a cell comes to after more blocks, if these go on like those that were played."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import accumulate, pairwise

import numpy as np

from balance.experiment.tally import Tally
from balance.stats.histogram import Histogram
from balance.stats.joint import Joint


def grown(tally: Tally, factor: float, rotations: int) -> Tally:
    """The tally with `factor` times as many blocks, at least as many as it has; only what intervals are made of."""
    return Tally(
        round(tally.played / rotations * factor) * rotations,
        blocks=_Grown(tally.blocks, factor),
        games=_Grown(tally.games, factor, rotations),
        differences=_Grown(tally.differences, factor),
        wins=_joint(tally.wins, factor),
        wins_moved=_joint(tally.wins_moved, factor),
        changed=tally.changed,
    )


class _Grown(Mapping[str, Histogram]):
    """Histograms that are made larger when somebody asks for them: a gate asks for few of many."""

    def __init__(self, of: Mapping[str, Histogram], factor: float, games: int = 1) -> None:
        self._of, self._factor, self._games = of, factor, games

    def __getitem__(self, name: str) -> Histogram:
        return _histogram(self._of[name], self._factor, self._games)

    def __iter__(self) -> Iterator[str]:
        return iter(self._of)

    def __len__(self) -> int:
        return len(self._of)


def _histogram(one: Histogram, factor: float, games: int) -> Histogram:
    """All values as often as before in relation, in whole blocks of `games`."""
    if not one.n:
        return one
    unit = games if one.n % games == 0 else 1
    total = round(one.n / unit * factor) * unit
    up_to = [_times(below, total, one.n) for below in accumulate(one.counts.tolist())]
    counts = np.array([this - before for before, this in pairwise([0, *up_to])], np.int64)
    return Histogram(one.values[counts > 0], counts[counts > 0])


def _joint(one: Joint | None, factor: float) -> Joint | None:
    """Sums in the same relation; squares are rounded up, so that no difference has less than none."""
    if one is None or not one.n:
        return one
    n = round(one.n * factor)
    totals = tuple(_times(total, n, one.n) for total in one.totals)
    products = tuple(
        tuple(_times(each, n, one.n) + (row == at and each * n % one.n != 0) for at, each in enumerate(line))
        for row, line in enumerate(one.products)
    )
    return Joint(n, totals, products)


def _times(number: int, new: int, old: int) -> int:
    """number * new / old, rounded."""
    return (2 * number * new + old) // (2 * old)
