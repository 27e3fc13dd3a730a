"""About how many more games decide a gate: those that were played, made more until the interval they give fits."""

from __future__ import annotations

import math
from collections.abc import Sequence

from balance.analysis.grown import grown
from balance.analysis.questions import Question, Tallies
from balance.experiment.models import MOST_GAMES
from balance.experiment.plan import Plan
from balance.stats.critical import normal_critical
from balance.stats.estimate import Estimate
from balance.stats.multiplicity import each_of
from balance.stats.power import power_critical
from balance.stats.sequential import FEWEST_BLOCKS, anytime_factor

PROBABLY = 0.8
"""The chance with which that many games decide a question, if what was found is the truth."""
_NEARLY = 1.02
"""So near the number of blocks is sought."""


def more_games(
    one: Question, found: Sequence[Estimate], plan: Plan, tallies: Tallies, best_at: int | None
) -> int | None:
    """About how many more games it takes until the question is probably decided; None where nobody can tell."""
    if one.band.judge_all(found) in ("inside", "outside"):
        return 0
    if not found or any(math.isinf(each.high - each.low) or math.isnan(each.value) for each in found):
        return None
    n = max(each.n for each in found)
    plain = max(FEWEST_BLOCKS, 0 if best_at else n)

    def decides(blocks: int) -> bool:
        """A check of at most `plain` blocks looks but once; that of more is paid for with wider intervals."""
        looked = None if blocks <= plain else blocks
        cells = {one.cell.index, one.baseline.index}
        then = {at: grown(tallies[at], blocks / n, one.cell.rotations) for at in cells}
        return _is_decided(one, one.estimates(plan, then, looked), blocks, looked)

    most, enough = MOST_GAMES // one.cell.rotations, n
    while not decides(enough):
        if enough >= most:
            return None
        short, enough = enough, min(2 * enough, most)
    while enough > n and enough > _NEARLY * short + 1:
        middle = (short + enough) // 2
        short, enough = (short, middle) if decides(middle) else (middle, enough)
    return max(1, enough - n) * one.cell.rotations


def _is_decided(one: Question, found: Sequence[Estimate], blocks: int, looked: int | None) -> bool:
    """Whether the intervals decide the question though luck goes against it, as it does once in five times."""
    band, sides = one.band, len(found) * sum(map(math.isfinite, (one.band.low, one.band.high)))
    level = each_of(one.confidence, len(found))
    errors = (
        normal_critical(level)
        if looked is None
        else anytime_factor(blocks, level, looked) * math.sqrt(blocks)
    )
    of_one, of_all = (power_critical(chance) / errors for chance in (PROBABLY, 1 - (1 - PROBABLY) / sides))
    ends = [_own(one, each) for each in found]
    inside = all(
        band.low <= each.low - of_all * below and each.high + of_all * above <= band.high
        for each, (below, above) in zip(found, ends, strict=True)
    )
    return inside or any(
        each.high + of_one * above < band.low or each.low - of_one * below > band.high
        for each, (below, above) in zip(found, ends, strict=True)
    )


def _own(one: Question, found: Estimate) -> tuple[float, float]:
    """How far the interval reaches down and up by the luck of the games that are played now, not by a file's.

    What never came up, or always, is not a matter of luck.
    """
    below, above = found.value - found.low, found.high - found.value
    if found.method == "unseen" or 0 in (below, above):
        return 0.0, 0.0
    then = one.of_file()
    if then is None:
        return below, above
    return _less(below, then.high - then.value), _less(above, then.value - then.low)


def _less(end: float, of_file: float) -> float:
    return math.sqrt(max(0.0, end**2 - of_file**2))
