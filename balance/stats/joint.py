"""Several whole-number quantities of the same blocks, such as the wins of all seats: are they even?

Win shares of seats depend on each other, as one seat's win is no other's. Everything that can be asked of them
follows from the sums and the sums of products, which are whole numbers and add up over parts of a run.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations
from operator import index

import numpy as np
import numpy.typing as npt
from scipy import special

from balance.stats.estimate import Estimate
from balance.stats.intervals import simultaneous
from balance.stats.multiplicity import each_of
from balance.stats.paired import share_difference


@dataclass(frozen=True)
class Joint:
    """The number of blocks, the sum of each quantity, and the sums of products of each with each."""

    n: int
    totals: tuple[int, ...]
    products: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        """Whole numbers of Python, which cannot overflow."""
        products = tuple(tuple(index(one) for one in row) for row in self.products)
        size = len(self.totals)
        if len(products) != size or any(len(row) != size for row in products):
            raise ValueError("Sums of products are needed for each quantity with each.")
        object.__setattr__(self, "n", index(self.n))
        object.__setattr__(self, "totals", tuple(index(one) for one in self.totals))
        object.__setattr__(self, "products", products)

    @classmethod
    def from_blocks(cls, blocks: npt.NDArray[np.integer]) -> Joint:
        """From the quantities by [quantity, block]; their products must fit into 64 bits."""
        wide = blocks.astype(np.int64)
        return cls(
            wide.shape[1], tuple(wide.sum(axis=1).tolist()), tuple(map(tuple, (wide @ wide.T).tolist()))
        )

    def merge(self, other: Joint) -> Joint:
        """Of both parts together."""
        products = (
            tuple(a + b for a, b in zip(*rows, strict=True))
            for rows in zip(self.products, other.products, strict=True)
        )
        totals = (a + b for a, b in zip(self.totals, other.totals, strict=True))
        return Joint(self.n + other.n, tuple(totals), tuple(products))

    def difference(self, one: int, other: int) -> tuple[int, int, int]:
        """The number, sum and sum of squares of one quantity minus another."""
        squares = self.products[one][one] + self.products[other][other] - 2 * self.products[one][other]
        return self.n, self.totals[one] - self.totals[other], squares


@dataclass(frozen=True)
class EvenTest:
    """Whether several means are equal: statistic (like a chi-square), p-value, and Cohen's effect size w.

    w is 0 where all are even; 0.1 is called small, 0.3 medium, 0.5 large.
    """

    statistic: float
    p_value: float
    effect: float


def even_test(joint: Joint) -> EvenTest:
    """The score test that all quantities have the same mean, from blocks as the independent observations.

    The spread is measured around evenness, so that the test is finite where one quantity is all there is, and
    is itself uncertain, hence F. With rotations or shared wins a chi-square test of games would not hold; this
    one does, from some 20 blocks on, at a number of blocks fixed beforehand.
    """
    k, total = len(joint.totals), sum(joint.totals)
    if k < 2:
        raise ValueError("One quantity alone is even with itself.")
    rows = [sum(row) for row in joint.products]
    off = [k * one - total for one in joint.totals]  # k times the deviation from the mean of all
    spread = [
        [k * k * joint.products[a][b] - k * (rows[a] + rows[b]) + sum(rows) for b in range(k)]
        for a in range(k)
    ]
    inverse = np.linalg.pinv(np.array(spread, float), rcond=1e-12, hermitian=True)
    statistic = float(np.array(off, float) @ inverse @ np.array(off, float))
    effect = math.sqrt(sum(one * one for one in off) / k) / total if total else math.nan
    free = joint.n - (k - 1)
    f = max(0.0, statistic) * free / ((k - 1) * max(1, joint.n - 1))
    return EvenTest(statistic, float(special.fdtrc(k - 1, free, f)) if free > 0 else 1.0, effect)


def pairwise_differences(
    joint: Joint, confidence: float, scale: int, *, best_at: float | None = None, most: int = 1
) -> dict[tuple[int, int], Estimate]:
    """The differences of shares of each with each, first minus second; all intervals hold together.

    A block's shares are value / scale, and they differ by up to `most`: changes of shares by 2. The means of blocks
    are taken to be jointly normal (Šidák); with `best_at` the intervals hold at all looks as well (Bonferroni).
    """
    pairs = list(combinations(range(len(joint.totals)), 2))
    level = simultaneous(confidence, len(pairs)) if best_at is None else each_of(confidence, len(pairs))
    return {
        pair: share_difference(*joint.difference(*pair), level, scale, best_at=best_at, most=most)
        for pair in pairs
    }
