"""How much single games vary: the standard deviation with its interval."""

from __future__ import annotations

import math

from balance.stats.critical import check_confidence, t_critical
from balance.stats.estimate import Estimate
from balance.stats.histogram import Histogram
from balance.stats.intervals import blocks_of
from balance.stats.sequential import FEWEST_BLOCKS, anytime_factor
from balance.stats.unseen import FEWEST_ALIKE, UNSEEN_BLOCKS, unseen_part


def sd_interval(
    histogram: Histogram, confidence: float, games: int = 1, *, best_at: float | None = None
) -> Estimate:
    """The interval for the standard deviation of single games; with `best_at` one that holds at all looks.

    From how far the fourth powers of the deviations reach, on a logarithmic scale. Games that come in blocks of
    `games` count as one observation for each block: that is never too sure. Needs some 200 blocks, and has nothing
    of what is rarer than one block in all of them: a game far from all others changes it more than it allows for.
    """
    check_confidence(confidence)
    blocks, sd = blocks_of(histogram, games), histogram.sd
    fewest = (2 if sd else FEWEST_ALIKE) if best_at is None else FEWEST_BLOCKS
    if sd is None or blocks < fewest:
        return Estimate(math.nan if sd is None else sd, 0.0, math.inf, blocks, "too few")
    if sd == 0:  # games that are unlike all others by 1 may have been missed
        return Estimate(0.0, 0.0, math.sqrt(unseen_part(blocks, confidence, best_at)), blocks, "unseen")
    deviations = [value * histogram.n - histogram.total for value in histogram.values.tolist()]
    counts = histogram.counts.tolist()
    seconds, fourths = (sum(c * d**k for c, d in zip(counts, deviations, strict=True)) for k in (2, 4))
    of_log = math.sqrt(fourths * histogram.n / seconds**2 - 1 + UNSEEN_BLOCKS / blocks)
    if best_at is None:
        half = t_critical(confidence, blocks) * of_log / math.sqrt(blocks)
    else:
        half = anytime_factor(blocks, confidence, best_at) * of_log
    return Estimate(sd, sd * math.exp(-half / 2), sd * math.exp(half / 2), blocks, "fourth moment")
