"""Simulated experiments of which the truth is known, and how far chance may take their rates."""

from __future__ import annotations

import math

import numpy as np
from scipy import special

from balance.stats.histogram import Histogram

REPLICATIONS = 4_000


def beta_binomial(k, a, b):
    """Chances of 0..k wins where the win chance itself is Beta(a, b) by deal."""
    j = np.arange(k + 1)
    return special.binom(k, j) * special.beta(j + a, k - j + b) / special.beta(a, b)


WINS = [0, 1, 2, 3, 4]
"""Of a block of four rotations so many games are won."""
DEAL_DECIDES = beta_binomial(4, 0.5, 1.5)
"""A policy wins a deal wherever it sits, or never."""
SEAT_DECIDES = np.array([0.10, 0.80, 0.10, 0, 0])
"""A deal has its winning seat, which all take once."""


def three_errors(rate, replications=REPLICATIONS):
    """Three standard errors of a rate."""
    return 3 * math.sqrt(rate * (1 - rate) / replications)


def at_most(rate, replications=REPLICATIONS):
    """What a rate that is at most `rate` may come out as."""
    return rate + three_errors(rate, replications)


def histogram(values, counts):
    """The histogram of outcomes that came up so often, perhaps never."""
    seen = counts > 0
    return Histogram(np.asarray(values)[seen], counts[seen])


def played(chances, blocks, seed, replications=REPLICATIONS):
    """How often each outcome came up in `blocks` blocks, by [replication, outcome]."""
    return np.random.default_rng(seed).multinomial(blocks, chances, size=replications)


def watched(chances, at, seed, replications=REPLICATIONS):
    """The same at each of several looks at a growing experiment, by [replication, look, outcome]."""
    steps = np.diff([0, *at])
    rng = np.random.default_rng(seed)
    parts = [rng.multinomial(step, chances, size=replications) for step in steps]
    return np.cumsum(np.stack(parts, axis=1), axis=1)


def paired_wins(one, other, correlation):
    """Chances of the differences -1, 0 and 1 of wins under two rule sets on the same deal."""
    both = one * other + correlation * math.sqrt(one * (1 - one) * other * (1 - other))
    return np.array([other - both, 1 - one - other + 2 * both, one - both])
