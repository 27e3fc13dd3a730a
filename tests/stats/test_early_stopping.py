"""What stopping early promises, in simulated experiments with fixed seeds that are looked at again and again.

"Flagged" is an experiment whose interval excluded the truth at any look. Peeking at intervals made for one look is
the mistake that every one of these tests has to catch.
"""

import math
from bisect import bisect_left, bisect_right
from functools import cache

import numpy as np
import pytest
from scipy import special

from balance.stats import sequential
from balance.stats.histogram import Histogram
from balance.stats.independent import independent_difference
from balance.stats.intervals import mean_from_sums, quantile_interval, wilson
from balance.stats.multiplicity import holm
from balance.stats.paired import share_difference
from balance.stats.power import blocks_for_difference, difference_sd, share_sd
from balance.stats.sequential import (
    anytime_from_sums,
    anytime_p_value,
    anytime_quantile,
    bernoulli_interval,
    looks,
)
from balance.stats.sprt import bounds, llr, share_test
from balance.stats.verdict import Band
from tests.stats.simulated import (
    DEAL_DECIDES,
    REPLICATIONS,
    SEAT_DECIDES,
    WINS,
    at_most,
    beta_binomial,
    histogram,
    paired_wins,
    three_errors,
    watched,
)

BUDGET = 100_000
CAUGHT = 0.15
"""A mistake is caught when it flags three times as many experiments as promised."""


def flagged(excludes, experiments):
    """In which part of the experiments any look excludes; only asked until it does."""
    return np.mean([any(excludes(look) for look in one) for one in experiments])


def flagged_shares(interval, share, at, seed, replications=REPLICATIONS):
    """The same for wins with a chance of `share`, where more wins move the interval up."""
    wins = watched([1 - share, share], at, seed, replications)[:, :, 1]
    out = np.zeros(replications, bool)
    for look, n in enumerate(at):
        ends = cache(lambda k, n=n: interval(k, n))
        least = bisect_left(range(n), share, key=lambda k: ends(k).high)
        most = bisect_right(range(n), share, key=lambda k: ends(k).low) - 1
        out |= (wins[:, look] < least) | (wins[:, look] > most)
    return out.mean()


def sums_at(values, chances, at, seed):
    """For each experiment the number, sum and sum of squares of its blocks at each look."""
    values, counts = np.asarray(values), watched(chances, at, seed)
    totals, squares = (counts @ values).tolist(), (counts @ values**2).tolist()
    return [list(zip(at, *one, strict=True)) for one in zip(totals, squares, strict=True)]


class TestShares:
    @pytest.mark.parametrize("share", [0.25, 0.02, 0.5])
    def test_beta_binomial_mixture(self, share):
        at = looks(20_000, first=20)
        rate = flagged_shares(lambda k, n: bernoulli_interval(k, n, 0.95, 2000), share, at, seed=1)
        assert rate <= at_most(0.05)

    @pytest.mark.parametrize("share", [0.25, 0.02, 0.5])
    def test_wilson_with_peeking_is_caught(self, share):
        at = looks(20_000, first=20)
        assert flagged_shares(lambda k, n: wilson(k, n, 0.95), share, at, seed=1) > CAUGHT

    @pytest.mark.parametrize("chances", [DEAL_DECIDES, SEAT_DECIDES], ids=["deal decides", "seat decides"])
    def test_blocks_of_rotations(self, chances):
        experiments, truth = sums_at(WINS, chances, looks(20_000), seed=2), chances @ WINS / 4

        def excludes(sums):
            return anytime_from_sums(*sums, 0.95, 4, 4, best_at=5000).excludes(truth)

        assert flagged(excludes, experiments) <= at_most(0.05)
        assert flagged(lambda sums: mean_from_sums(*sums, 0.95, 4).excludes(truth), experiments) > CAUGHT

    @pytest.mark.parametrize("q", [0.1, 0.5])
    def test_quantiles(self, q):
        # zeros with a chance of q, or just less or more: the quantile is 0 or 1, so saying either alone is wrong
        def holds(interval, k, n):
            return interval(Histogram(np.array([0, 1]), np.array([k, n - k])))

        def flagged_at(interval):
            at = looks(20_000, first=200)
            below = watched([q, 1 - q], at, seed=4)[:, :, 0]
            out = np.zeros(REPLICATIONS, bool)
            for look, n in enumerate(at):
                low = bisect_left(range(1, n), True, key=lambda k, n=n: holds(interval, k, n).low < 1) + 1
                high = bisect_left(range(1, n), True, key=lambda k, n=n: holds(interval, k, n).high < 1) + 1
                out |= (below[:, look] < low) | (below[:, look] >= high)
            return out.mean()

        assert flagged_at(lambda one: anytime_quantile(one, q, 0.95, best_at=2000)) <= at_most(0.05)
        assert flagged_at(lambda one: quantile_interval(one, q, 0.95)) > CAUGHT

    def test_what_is_rare_may_not_have_shown_yet(self, monkeypatch):
        def rate():
            def interval(k, n):
                return anytime_from_sums(n, k, k, 0.95, best_at=10_000)

            return max(
                flagged_shares(interval, chance, looks(1_000_000), seed=3, replications=20_000)
                for chance in (1e-4, 3e-4, 1e-3, 3e-3)
            )

        assert rate() <= at_most(0.05, 20_000)
        monkeypatch.setattr(sequential, "UNSEEN_BLOCKS", 1)
        assert rate() > at_most(0.05, 20_000)


class TestDifferences:
    """Two rule sets that are alike (A/A), or differ by a planted effect, on the same deals."""

    def looked_at(self, chances, at, seed=4):
        return sums_at([-1, 0, 1], chances, at, seed)

    @pytest.mark.parametrize("correlation", [0.0, 0.9])
    def test_alike(self, correlation):
        experiments = self.looked_at(paired_wins(0.25, 0.25, correlation), looks(BUDGET))

        def excludes(sums):
            return share_difference(*sums, 0.95, 1, best_at=20_000).excludes(0)

        def peeks(sums):
            return share_difference(*sums, 0.95, 1).excludes(0)

        assert flagged(excludes, experiments) <= at_most(0.05)
        assert flagged(peeks, experiments) > CAUGHT

    @pytest.mark.parametrize("correlation", [0.0, 0.9])
    def test_planted_effects_are_found_as_planned(self, correlation):
        sd = difference_sd(math.sqrt((share_sd(0.25) ** 2 + share_sd(0.26) ** 2) / 2), correlation)
        planned = blocks_for_difference(0.01, sd, 0.95, 0.8, anytime=True)
        alone = blocks_for_difference(0.01, sd, 0.95, 0.8)

        def found(budget):
            experiments = self.looked_at(paired_wins(0.26, 0.25, correlation), looks(budget))
            return flagged(
                lambda sums: share_difference(*sums, 0.95, 1, best_at=budget).excludes(0), experiments
            )

        assert found(planned) >= 0.8
        assert found(alone) < 0.8 - three_errors(0.8)

    def test_scores(self):
        values, chances = [-30, -5, 0, 1, 20], np.array([0.04, 0.2, 0.42, 0.24, 0.1])
        experiments, truth = sums_at(values, chances, looks(20_000), seed=5), float(values @ chances)

        def excludes(sums):
            return anytime_from_sums(*sums, 0.95, reach=30, best_at=5000).excludes(truth)

        assert flagged(excludes, experiments) <= at_most(0.05)
        assert flagged(lambda sums: mean_from_sums(*sums, 0.95).excludes(truth), experiments) > CAUGHT

    def test_five_comparisons_with_holm(self):
        families = [self.looked_at(paired_wins(0.25, 0.25, 0.5), looks(4000), seed) for seed in range(5)]

        def any_found(p_of):
            found = [
                any(min(holm([p_of(*sums) for sums in look])) <= 0.05 for look in zip(*run, strict=True))
                for run in zip(*families, strict=True)
            ]
            return np.mean(found)

        assert any_found(lambda *sums: anytime_p_value(*sums, 0.95, best_at=2000)) <= at_most(0.05)
        assert any_found(t_test) > 2 * at_most(0.05)


def t_test(n, total, squares):
    """The p-value of a mean of 0 for a number of blocks that was fixed beforehand."""
    return 2 * special.stdtr(n - 1, -abs(total) * math.sqrt((n - 1) / (n * squares - total**2)))


def test_drift_against_a_fixed_baseline():
    # a gate of no width is never passed, so it plays on and looks again and again
    at, before = looks(50_000), 20_000
    chances = np.array([0.05, 0.1, 0.2, 0.25, 0.2, 0.1, 0.06, 0.04])
    baselines = sums_at(range(8), chances, [before], seed=6)
    runs = sums_at(range(8), chances, at, seed=7)

    def failing(interval):
        failed = 0
        for [old], run in zip(baselines, runs, strict=True):
            baseline = mean_from_sums(*old, 0.95)
            differences = (independent_difference(interval(*sums), baseline) for sums in run)
            failed += any(Band.around(0, 0).judge(one) == "outside" for one in differences)
        return failed / len(runs)

    assert failing(lambda *sums: anytime_from_sums(*sums, 0.95, best_at=before)) <= at_most(0.05)
    assert failing(lambda *sums: mean_from_sums(*sums, 0.95)) > 2 * at_most(0.05)


class TestSequentialTest:
    """Is a policy of four players at 25 or at 28 %? Deals favour it or do not, whatever its seat."""

    means, errors = (0.25, 0.28), (0.05, 0.05)
    at = range(200, 12_001, 200)

    def accepted(self, mean, test):
        """How often 0 and 1 were accepted, each at the first look at which any was."""
        chances = beta_binomial(4, 2 * mean, 2 * (1 - mean))
        found = [0, 0]
        for one in watched(chances, self.at, seed=8):
            verdicts = (test(look) for look in one)
            found[next(verdict for verdict in verdicts if verdict is not None)] += 1
        return np.array(found) / REPLICATIONS

    def by_block(self, look):
        return share_test(histogram(WINS, look), 4, 4, self.means, self.errors).accepted

    def by_game(self, look):
        won = int(look @ WINS)
        ratio, (lower, upper) = llr([0, 1], [4 * look.sum() - won, won], *self.means), bounds(*self.errors)
        return 1 if ratio >= upper else 0 if ratio <= lower else None

    @pytest.mark.parametrize("truth", [0, 1])
    def test_errs_as_seldom_as_promised(self, truth):
        assert self.accepted(self.means[truth], self.by_block)[1 - truth] <= at_most(0.05)

    def test_counting_games_is_caught(self):
        assert self.accepted(self.means[0], self.by_game)[1] > at_most(0.05) + 0.02
