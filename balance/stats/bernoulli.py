"""A chance from single games, looked at as often as one likes: the beta-binomial mixture of Howard et al. (2021)."""

from __future__ import annotations

import math
from operator import index

from balance.stats.bisection import last_true
from balance.stats.critical import check_confidence
from balance.stats.estimate import Estimate
from balance.stats.mixtures import BetaBinomialMixture


def bernoulli_interval(successes: float, n: int, confidence: float, best_at: float) -> Estimate:
    """The interval for a chance after `successes`, parts of which may be shared, in `n` independent games."""
    check_confidence(confidence)
    n = index(n)
    if not 0 <= successes <= n:
        raise ValueError(f"{successes} successes in {n} trials cannot be.")
    if n == 0:
        return Estimate(math.nan, 0.0, 1.0, 0, "too few")
    value = successes / n
    low = _low(successes, n, 1 - confidence, best_at)
    high = max(value, 1 - _low(n - successes, n, 1 - confidence, best_at))
    return Estimate(value, low, high, n, "beta-binomial mixture")


def _low(successes: float, n: int, alpha: float, best_at: float) -> float:
    """The smallest chance against which no bet has been won."""
    threshold = math.log(1 / alpha)

    def holds(p: float) -> bool:
        variance = p * (1 - p)
        bet = BetaBinomialMixture.best_at(best_at * variance, alpha, p, 1 - p)
        return bet.log_m(successes - n * p, n * variance) <= threshold

    smallest = 1e-300
    if successes <= 1 and (successes == 0 or holds(smallest)):
        return 0.0
    share = successes / n
    return last_true(holds, share if share < 1 else 1 - 1e-15, smallest)
