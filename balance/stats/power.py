"""How many blocks a question takes, before any is played; and what a number of blocks can tell.

All by normal theory, so for `FEWEST_NORMAL` blocks or more. `sd` is the standard deviation of a block's mean: of a
share of single games `share_sd`, of a difference on the same deals `difference_sd`. With `anytime` the intervals are
those at which one may look all the time, narrowest at the last look; blocks are found by the last look, and often
long before.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from operator import index

from scipy import special

from balance.stats.critical import check_confidence, normal_critical
from balance.stats.multiplicity import each_of
from balance.stats.sequential import anytime_factor

FEWEST_NORMAL = 30
"""From so many blocks on their mean is normal enough to plan by."""


def nothing(_blocks: float) -> float:
    """The squares of unseen blocks for which an interval has no room."""
    return 0.0


def share_sd(share: float) -> float:
    """The standard deviation of a game that is won with chance `share`."""
    if not 0 <= share <= 1:
        raise ValueError(f"A share lies from 0 to 1, not at {share}.")
    return math.sqrt(share * (1 - share))


def difference_sd(sd: float, correlation: float = 0.0) -> float:
    """That of the difference between two rule sets, whose results correlate where the deals are the same."""
    if not -1 <= correlation <= 1:
        raise ValueError(f"A correlation lies from -1 to 1, not at {correlation}.")
    return sd * math.sqrt(2 * (1 - correlation))


def blocks_for_half_width(half_width: float, sd: float, confidence: float, anytime: bool = False) -> int:
    """The blocks after which an interval is `half_width` to each side."""
    return _blocks(critical(confidence, anytime), sd, half_width)


def blocks_for_difference(
    difference: float,
    sd: float,
    confidence: float,
    power: float,
    anytime: bool = False,
    unseen: Callable[[float], float] = nothing,
) -> int:
    """The blocks after which the interval excludes 0 with chance `power`, if the truth is `difference`.

    For a gate the `difference` is how far the truth lies outside the band. `unseen` is the sum of squares that the
    interval of so many blocks allows for what is still to come; it does not rise with them.
    """
    return _blocks(critical(confidence, anytime) + power_critical(power), sd, difference, unseen)


def detectable(
    n: int,
    sd: float,
    confidence: float,
    power: float,
    anytime: bool = False,
    unseen: Callable[[float], float] = nothing,
) -> float:
    """The difference that `n` blocks show with chance `power`."""
    if index(n) < 1:
        raise ValueError(f"The number of blocks must be at least 1, not {n}.")
    errors = critical(confidence, anytime) + power_critical(power)
    return errors * math.sqrt((sd * sd + unseen(n) / n) / n)


def multiplicity_price(comparisons: int, confidence: float, power: float) -> float:
    """How many times the games one of `comparisons` takes, at worst, compared to asking it alone (Holm)."""
    strict = normal_critical(each_of(confidence, comparisons)) + power_critical(power)
    return (strict / (normal_critical(confidence) + power_critical(power))) ** 2


def critical(confidence: float, anytime: bool) -> float:
    """Half the length of an interval in standard errors; anytime: 3.04 instead of 1.96 at 95 %."""
    return anytime_factor(1, confidence, 1) if anytime else normal_critical(confidence)


def _blocks(
    standard_errors: float, sd: float, size: float, unseen: Callable[[float], float] = nothing
) -> int:
    if not (size > 0 and sd >= 0):
        raise ValueError(f"A size above 0 and a spread are needed, not {size} and {sd}.")
    by_one = (standard_errors / size) ** 2
    fewest = max(1, math.ceil(by_one * sd * sd))

    def do(blocks: int) -> bool:
        return blocks >= by_one * (sd * sd + unseen(blocks) / blocks)

    enough = fewest
    while not do(enough):
        enough *= 2
    short = max(fewest - 1, enough // 2)
    while enough - short > 1:
        middle = (short + enough) // 2
        short, enough = (short, middle) if do(middle) else (middle, enough)
    return enough


def power_critical(power: float) -> float:
    """By how many standard errors luck falls short with a chance of 1 - `power`: 0.84 for 80 %."""
    check_confidence(power)
    return float(special.ndtri(power))
