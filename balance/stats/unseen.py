"""What was never seen may still come: room in an interval for blocks of a kind of which there were few, or none.

Where all blocks were alike their spread says nothing of how sure their mean is, and where few were unlike the rest it
says too little: an event that is expected three times is not seen at all in one run of twenty.
"""

from __future__ import annotations

import math

from balance.stats.bernoulli import bernoulli_interval
from balance.stats.critical import normal_critical
from balance.stats.estimate import Estimate
from balance.stats.histogram import Histogram

FEWEST_ALIKE = 10
"""From fewer blocks that were all alike nothing follows."""
FEWEST_UNLIKE = 30
"""Of so few things that were seen nobody knows how they vary."""
ENOUGH_UNLIKE = 100
"""Of so many blocks that are unlike the rest the largest shows how far others may lie."""
UNSEEN_BLOCKS = 2
"""So many blocks at the greatest distance are thought to be still to come: what is rare may not have shown yet.

With 2 an interval of 95 % holds what is rare at 93 % at the worst, if all of it is of one kind, and one for all looks
always; with 1 they fail. The tests show both.
"""


def unseen_part(blocks: float, confidence: float, best_at: float | None = None) -> float:
    """How large a part of all blocks may be of a kind that none of so many was; with `best_at` at all looks together.

    Wilson's upper end for nothing in `blocks` trials, or that of the beta-binomial mixture.
    """
    if blocks < FEWEST_ALIKE:
        return 1.0
    if best_at is not None:
        return bernoulli_interval(0, int(blocks), confidence, best_at).high
    squared = normal_critical(confidence) ** 2
    return squared / (blocks + squared)


def all_alike(value: float, n: int, confidence: float, below: float, above: float) -> Estimate:
    """The interval for a mean of `n` blocks that were all alike, when others lie at most so far below or above them."""
    unseen = unseen_part(n, confidence)
    return Estimate(value, value - below * unseen, value + above * unseen, n, "unseen")


def unseen_blocks(confidence: float) -> int:
    """How many blocks are thought to be still to come, more where an interval has to be surer than usual."""
    return max(UNSEEN_BLOCKS, math.ceil(normal_critical(confidence) ** 2 / 2))


def rare_blocks(confidence: float) -> float:
    """How many blocks are thought to be still to come where few were unlike the rest: so many that the first of them
    makes no interval narrower than it was without."""
    return normal_critical(confidence) ** 2


def room(n: float, unlike: float, seen: float, far: float, enough: int = ENOUGH_UNLIKE) -> float:
    """The square of how far a block that is still to come may lie from the rest, where `unlike` of `n` do so.

    Those that do show by and by how far: from `far` with none down to what was `seen`, and with `enough` of them, or
    where half of all blocks are unlike the rest, the spread alone says everything.
    """
    unknown = max(0.0, 1 - unlike / enough)
    rare = min(1.0, max(0.0, 2 - 4 * unlike / n)) * min(1.0, 2 * unknown)
    return rare * (seen + max(0.0, far - seen) * unknown) ** 2


def beyond(histogram: Histogram, far: float) -> int:
    """How far, in whole numbers, a block that is still to come may lie from the mean of these.

    At least as far as any did; where they show too little of that, up to `far` from most of them.
    """
    if not histogram.n:
        return max(1, math.ceil(far))
    return max(1, _seen(histogram), math.ceil(math.sqrt(room(*rarity(histogram), far))))


def unseen_squares(histogram: Histogram, far: float, confidence: float) -> int:
    """What to add to the sum of squares for blocks that are still to come, where few were unlike the rest."""
    return math.ceil(rare_blocks(confidence) * room_of(histogram, far))


def unseen_shares(histogram: Histogram, unit: int, confidence: float) -> int:
    """The same for shares of `unit`, which lie between 0 and 1 as every block shows."""
    return math.ceil(rare_blocks(confidence) * room_of_share(histogram, unit))


def room_of(histogram: Histogram, far: float) -> float:
    """The room for one block more, in squares of whole numbers; none where all are alike."""
    return room(*rarity(histogram), far) if len(histogram.values) > 1 else 0.0


def room_of_share(histogram: Histogram, unit: int) -> float:
    """The same for a share of `unit`; single wins and losses are trials, which need none."""
    if len(histogram.values) < 2 or unit * histogram.total == histogram.squares:
        return 0.0
    n, unlike, _ = rarity(histogram)
    return room(n, unlike, 0.0, unit, FEWEST_UNLIKE)


def rarity(histogram: Histogram) -> tuple[int, int, int]:
    """The number of blocks, how many are unlike most of them, and how far any lies from the mean, in whole numbers."""
    return histogram.n, histogram.n - int(histogram.counts.max()), _seen(histogram)


def _seen(histogram: Histogram) -> int:
    mean = histogram.total / histogram.n
    return math.ceil(max(mean - int(histogram.values[0]), int(histogram.values[-1]) - mean))
