"""About how many more games decide a gate: those that were played, made more until the interval they give fits."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from balance.analysis.grown import grown
from balance.analysis.questions import Question, Tallies
from balance.experiment.metrics import QUANTILES
from balance.experiment.plan import Plan
from balance.stats.bisection import last_true
from balance.stats.critical import normal_critical
from balance.stats.estimate import Estimate
from balance.stats.multiplicity import each_of
from balance.stats.power import power_critical
from balance.stats.sequential import FEWEST_BLOCKS, anytime_factor

PROBABLY = 0.8
"""The chance with which that many games decide a question, if what was found is the truth."""
MOST = 10**9
"""Nobody plays more games for a gate."""
_NEARLY, _AT_LEAST = 1.02, 1.1
"""So near the number of blocks is sought, from so many times those that were played."""


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
        return _is_decided(one, plan, then, blocks, looked)

    most, short, enough = MOST // one.cell.rotations, n, math.ceil(_AT_LEAST * n)
    while not decides(enough):
        if enough >= most:
            return None
        last = plain if enough < plain < 2 * enough else 2 * enough  # beyond `plain` it takes more
        short, enough = enough, min(last, most)
    while enough > _NEARLY * short + 1 and short > n:
        middle = (short + enough) // 2
        short, enough = (short, middle) if decides(middle) else (middle, enough)
    return (enough - n) * one.cell.rotations


def _is_decided(one: Question, plan: Plan, tallies: Tallies, blocks: int, looked: int | None) -> bool:
    """Whether the intervals decide the question though luck goes against it, as it does once in five times."""
    found = one.estimates(plan, tallies, looked)
    band, sides = one.band, len(found) * sum(map(math.isfinite, (one.band.low, one.band.high)))
    level = each_of(one.confidence, len(found))
    errors = _errors(blocks, level, looked)
    of_one, of_all = (power_critical(chance) for chance in (PROBABLY, 1 - (1 - PROBABLY) / sides))
    if (
        one.gate.metric.partition(".")[2] in QUANTILES
    ):  # they move by whole steps: luck is in how many lie below
        surer = replace(one, confidence=_level(blocks, errors + of_all, looked))
        return band.judge_all(surer.estimates(plan, tallies, looked)) in ("inside", "outside")
    ends = [(each, *_own(one, each)) for each in found]
    inside = all(
        band.low <= each.low - of_all / errors * below and each.high + of_all / errors * above <= band.high
        for each, below, above in ends
    )
    return inside or any(
        each.high + of_one / errors * above < band.low or each.low - of_one / errors * below > band.high
        for each, below, above in ends
    )


def _errors(blocks: int, level: float, looked: int | None) -> float:
    """Half the length of an interval in standard errors."""
    return (
        normal_critical(level)
        if looked is None
        else anytime_factor(blocks, level, looked) * math.sqrt(blocks)
    )


def _level(blocks: int, errors: float, looked: int | None) -> float:
    """The level of an interval that is so long."""
    return last_true(lambda level: _errors(blocks, level, looked) <= errors, 0.5, 1 - 1e-12)


def _own(one: Question, found: Estimate) -> tuple[float, float]:
    """How far the interval reaches down and up by the luck of the games that are played now, not by a file's.

    What never came up, or always, is not a matter of luck.
    """
    below, above = found.value - found.low, found.high - found.value
    if found.method == "unseen" or (0 in (below, above) and one.gate.against != "file"):
        return 0.0, 0.0
    then = one.of_file()
    if then is None:
        return below, above
    return _less(below, then.high - then.value), _less(above, then.value - then.low)


def _less(end: float, of_file: float) -> float:
    return math.sqrt(max(0.0, end**2 - of_file**2))
