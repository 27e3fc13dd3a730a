"""Boundaries that a sum of deviations crosses with at most a chance alpha, however often one looks.

From Howard, Ramdas, McAuliffe and Sekhon (2021). S is a sum of deviations from the mean under test, V its
variance so far. exp(log_m(S, V)) is a bet that gains nothing on average while the mean is right, so it ever
reaches 1/alpha with a chance of at most alpha.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from scipy import special

from balance.stats.bisection import last_true


def best_rho(v: float, alpha: float, one_sided: bool = False) -> float:
    """The tuning with which the boundary is lowest at variance `v`."""
    if not 0 < alpha < 1 or not v > 0:
        raise ValueError(
            f"A boundary needs a chance from 0 to 1 and a variance above 0, not {alpha} and {v}."
        )
    odds = 2 * math.log(1 / (2 * alpha if one_sided else alpha))
    if odds <= 0:
        raise ValueError(f"A one-sided chance lies below 1/2, not at {alpha}.")
    return v / (odds + math.log1p(odds))


@dataclass(frozen=True)
class NormalMixture:
    """The boundary for sums that are as good as normal."""

    rho: float
    alpha: float
    one_sided: bool = False

    @classmethod
    def best_at(cls, v: float, alpha: float, one_sided: bool = False) -> NormalMixture:
        """The boundary that is lowest at variance `v`; it holds at every other variance too."""
        return cls(best_rho(v, alpha, one_sided), alpha, one_sided)

    def log_m(self, s: float, v: float) -> float:
        """The logarithm of the bet at sum `s` and variance `v`."""
        width = v + self.rho
        plain = math.log(self.rho / width) / 2 + s * s / (2 * width)
        if not self.one_sided:
            return plain
        return plain + math.log(2) + float(special.log_ndtr(s / math.sqrt(width)))

    def bound(self, v: float) -> float:
        """The sum that is never passed (in absolute value; one-sided: upward) with chance 1 - alpha."""
        width, threshold = v + self.rho, math.log(1 / self.alpha)
        two_sided = math.sqrt(width * (math.log(width / self.rho) + 2 * threshold))
        if not self.one_sided:
            return two_sided
        return last_true(lambda s: self.log_m(s, v) <= threshold, 0.0, two_sided)


@dataclass(frozen=True)
class BetaBinomialMixture:
    """The boundary for sums of deviations that lie between -g and h, such as 0 - p and 1 - p of a share."""

    r: float
    alpha: float
    g: float
    h: float
    one_sided: bool = False

    @classmethod
    def best_at(
        cls, v: float, alpha: float, g: float, h: float, one_sided: bool = False
    ) -> BetaBinomialMixture:
        """The boundary that is about lowest at variance `v`."""
        if not (g > 0 and h > 0):
            raise ValueError(f"Deviations lie on both sides of 0, not between {-g} and {h}.")
        return cls(max(best_rho(v, alpha, one_sided) - g * h, 1e-3 * g * h), alpha, g, h, one_sided)

    def log_m(self, s: float, v: float) -> float:
        """The logarithm of the bet at sum `s`, which is at most v / g, and variance `v`."""
        g, h, reach = self.g, self.h, self.g + self.h
        likelihood = v / (g * h) * math.log(reach)
        likelihood -= (v + h * s) / (h * reach) * math.log(g) + (v - g * s) / (g * reach) * math.log(h)
        after = self._log_beta((self.r + v - g * s) / (g * reach), (self.r + v + h * s) / (h * reach))
        return likelihood + after - self._log_beta(self.r / (g * reach), self.r / (h * reach))

    def bound(self, v: float) -> float:
        """The sum that is never passed upward with chance 1 - alpha."""
        threshold, most = math.log(1 / self.alpha), v / self.g
        if self.log_m(most, v) <= threshold:
            return most  # so few games cannot win the bet
        return last_true(lambda s: self.log_m(s, v) <= threshold, 0.0, most)

    def _log_beta(self, a: float, b: float) -> float:
        whole = float(special.betaln(a, b))
        if not self.one_sided:
            return whole
        part = float(special.betainc(a, b, self.h / (self.g + self.h)))
        return whole + math.log(part) if part > 0 else -math.inf
