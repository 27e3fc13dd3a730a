"""What the intervals at a number of blocks fixed beforehand promise, in simulated experiments with fixed seeds."""

import math
from functools import cache
from itertools import combinations

import numpy as np
import pytest
from scipy import special, stats

from balance.stats.histogram import Histogram
from balance.stats.independent import independent_difference
from balance.stats.intervals import mean_from_sums, mean_interval, share_interval, wilson
from balance.stats.joint import Joint, even_test, pairwise_differences
from balance.stats.multiplicity import each_of
from balance.stats.paired import paired_difference, share_difference
from balance.stats.power import blocks_for_difference, difference_sd, share_sd
from balance.stats.verdict import Band
from tests.stats.simulated import (
    DEAL_DECIDES,
    SEAT_DECIDES,
    WINS,
    at_most,
    histogram,
    paired_wins,
    played,
    three_errors,
)

MANY = 10_000
HOLD = (0.94, 0.96)


def coverage(interval, counts, truth):
    """In which part of the experiments the interval holds the truth."""
    return np.mean([not interval(one).excludes(truth) for one in counts])


class TestFixedNumberOfBlocks:
    @pytest.mark.parametrize(("share", "games"), [(0.25, 1000), (0.25, 10_000), (0.05, 2000), (0.5, 501)])
    def test_plain_shares(self, share, games):
        counts = played([1 - share, share], games, seed=1, replications=MANY)
        hits = coverage(lambda one: wilson(int(one[1]), games, 0.95), counts, share)
        assert HOLD[0] <= hits <= HOLD[1]

    @pytest.mark.parametrize("chances", [DEAL_DECIDES, SEAT_DECIDES], ids=["deal decides", "seat decides"])
    def test_rotated_shares(self, chances):
        counts, truth = played(chances, 1000, seed=2, replications=MANY), chances @ WINS / 4
        hits = coverage(lambda one: share_interval(histogram(WINS, one), 0.95, 4), counts, truth)
        assert HOLD[0] <= hits <= HOLD[1]

    @pytest.mark.parametrize("chances", [DEAL_DECIDES, SEAT_DECIDES], ids=["deal decides", "seat decides"])
    def test_rotations_are_no_independent_games(self, chances):
        counts, truth = played(chances, 1000, seed=2, replications=MANY), chances @ WINS / 4
        hits = coverage(lambda one: wilson(int(one @ WINS), 4000, 0.95), counts, truth)
        assert not HOLD[0] - 0.02 <= hits <= HOLD[1] + 0.02

    def test_rotated_scores(self):
        # sums of four games whose deal moves all of them
        values, chances = np.arange(0, 41, 4), stats.binom.pmf(np.arange(11), 10, 0.3)
        counts = played(chances, 200, seed=3, replications=MANY)
        hits = coverage(lambda one: mean_interval(histogram(values, one), 0.95, 4), counts, 3.0)
        assert HOLD[0] <= hits <= HOLD[1]

    @pytest.mark.parametrize("correlation", [0.0, 0.6, 0.9])
    @pytest.mark.parametrize("change", [0.0, 0.02])
    def test_paired_shares(self, correlation, change):
        chances = paired_wins(0.25 + change, 0.25, correlation)
        counts = played(chances, 3000, seed=4, replications=MANY)

        def interval(one):
            return paired_difference(histogram([-1, 0, 1], one), 0.95, share=True)

        assert HOLD[0] <= coverage(interval, counts, change) <= HOLD[1]

    def test_paired_shares_are_not_two_samples(self):
        # the games of both rule sets by [won under neither, only the variant, only the baseline, both]
        lost, same, won = paired_wins(0.25, 0.25, 0.6)
        counts = played([same - 0.25 + won, won, lost, 0.25 - won], 3000, seed=5, replications=MANY)

        def unpaired(one):
            of_variant, of_baseline = (wilson(int(one[at] + one[3]), 3000, 0.95) for at in (1, 2))
            return independent_difference(of_variant, of_baseline)

        assert coverage(unpaired, counts, 0.0) > HOLD[1] + 0.02
        hits = coverage(lambda one: share_difference(3000, *sums_of(one), 0.95, 1), counts, 0.0)
        assert HOLD[0] <= hits <= HOLD[1]

    def test_two_samples(self):
        ours, theirs = (played([0.75, 0.25], n, seed=n, replications=MANY) for n in (2000, 5000))
        hits = [
            not independent_difference(wilson(int(a), 2000, 0.95), wilson(int(b), 5000, 0.95)).excludes(0)
            for a, b in zip(ours[:, 1], theirs[:, 1], strict=True)
        ]
        assert HOLD[0] <= np.mean(hits) <= HOLD[1]


def sums_of(one):
    """Total and squares of the differences where `one` counts [neither, only variant, only baseline, both]."""
    return int(one[1] - one[2]), int(one[1] + one[2])


class TestPower:
    @pytest.mark.parametrize(("correlation", "change"), [(0.0, 0.02), (0.6, 0.02), (0.9, 0.01)])
    def test_planted_effects_are_found_as_often_as_planned(self, correlation, change):
        variance = sum(share_sd(p) ** 2 for p in (0.25, 0.25 + change)) / 2
        sd = difference_sd(math.sqrt(variance), correlation)
        n = blocks_for_difference(change, sd, 0.95, 0.8)
        assert self.found(n, correlation, change) >= 0.8 - three_errors(0.8)
        assert self.found(n, correlation, change) <= 0.8 + 2 * three_errors(0.8)
        assert self.found(n // 2, correlation, change) < 0.7

    def found(self, n, correlation, change):
        counts = played(paired_wins(0.25 + change, 0.25, correlation), n, seed=6)
        return 1 - coverage(
            lambda one: paired_difference(histogram([-1, 0, 1], one), 0.95, share=True), counts, 0.0
        )


class TestDrift:
    """Forty gates of no width on identical rules, played anew: none of them may fail, in 95 of 100 runs."""

    shares = (0.25, 0.24, 0.26, 0.02, 0.5, 0.001) * 5
    games = 1000

    @cache  # noqa: B019 the instance lives as long as the test
    def share(self, wins, level):
        return wilson(wins, self.games, level)

    def failing(self, level):
        """In which part of the runs any gate fails: thirty of shares, ten of means."""
        rng = np.random.default_rng(7)
        failed = np.zeros(4000, bool)
        for share in self.shares:
            wins = rng.binomial(self.games, share, (4000, 2)).tolist()
            failed |= [self.moved(*(self.share(w, level) for w in pair)) for pair in wins]
        for scores in range(10):
            values, chances = np.arange(8), special.softmax(-np.abs(np.arange(8) - scores * 0.5))
            counts = rng.multinomial(self.games, chances, (4000, 2))
            totals, squares = (counts @ values).tolist(), (counts @ values**2).tolist()
            failed |= [
                self.moved(*(mean_from_sums(self.games, t, q, level) for t, q in zip(*both, strict=True)))
                for both in zip(totals, squares, strict=True)
            ]
        return failed.mean()

    def moved(self, new, old):
        return Band.around(0, 0).judge(independent_difference(new, old)) == "outside"

    def test_forty_gates_keep_their_level_together(self):
        assert self.failing(each_of(0.95, 40)) <= at_most(0.05)

    def test_forty_gates_that_each_take_the_whole_level_are_caught(self):
        assert self.failing(0.95) > 0.7


SEATS = 4
ALONE_OR_SHARED = [*np.eye(SEATS, dtype=int) * 4, [1] * SEATS]
"""The parts of a game's win by seat: one seat's, or shared by all."""
SPREAD = Band.around(0, 0.01)


def joints(blocks, counts):
    """The sums of each experiment; `blocks` are the seats' wins by [outcome, seat]."""
    blocks = np.array(blocks)
    products = np.einsum("ro,os,ot->rst", counts, blocks, blocks)
    for n, totals, product in zip(counts.sum(axis=1), counts @ blocks, products, strict=True):
        yield Joint(n, tuple(totals), tuple(map(tuple, product)))


def seat_verdicts(counts, level=None):
    """The verdicts of a gate on the spread of win shares; with `level` each pair has an interval of that level."""
    for joint in joints(ALONE_OR_SHARED, counts):
        if level is None:
            yield SPREAD.judge_all(list(pairwise_differences(joint, 0.95, 4).values()))
        else:
            pairs = combinations(range(SEATS), 2)
            yield SPREAD.judge_all([share_difference(*joint.difference(*p), level, 4) for p in pairs])


def rate(verdicts, wanted):
    return np.mean([one == wanted for one in verdicts])


class TestSeatGate:
    """At most 1 point between any two seats; the block is one game, won by one seat, or shared by all."""

    def shares(self, spread):
        even = np.array([0.24 + spread * 0.75, *[0.24 - spread * 0.25] * 3])
        return [*even, 1 - even.sum()]

    edge = (0.245, 0.245, 0.235, 0.235, 0.04)
    """Four of six pairs differ by 1 point."""

    def test_a_planted_effect_of_two_points_fails(self):
        sd = math.sqrt(0.48 - 0.02**2)  # of the difference between two seats in a game
        n = blocks_for_difference(0.01, sd, 1 - 0.05 / 6, 0.8)
        counts = played(self.shares(0.02), n, seed=8)
        assert rate(seat_verdicts(counts), "outside") >= 0.8
        few = played(self.shares(0.02), n // 4, seed=8)
        assert rate(seat_verdicts(few), "outside") < 0.5
        assert rate(seat_verdicts(few), "inside") <= at_most(0.05)

    def test_fair_seats_pass_and_seats_at_the_edge_do_not_fail(self):
        fair = list(seat_verdicts(played(self.shares(0), 150_000, seed=9)))
        assert rate(fair, "inside") > 0.8
        assert rate(fair, "outside") <= at_most(0.05)
        edge = played(self.edge, 20_000, seed=10)
        assert rate(seat_verdicts(edge), "outside") <= at_most(0.05)

    def test_a_gate_that_forgets_how_many_pairs_there_are_is_caught(self):
        edge = played(self.edge, 20_000, seed=10)
        assert rate(seat_verdicts(edge, level=0.95), "outside") > at_most(0.05)


class TestSeatTest:
    """All games of a deal tend to go to one seat, which may be any: the rotations are not independent."""

    blocks = np.array([*(np.eye(SEATS, dtype=int) * 4), [1] * SEATS, [2, 2, 0, 0], [0, 0, 2, 2]])
    fair = np.array([0.15] * SEATS + [0.2, 0.1, 0.1])

    def p_values(self, chances, n, test):
        return np.array([test(joint) for joint in joints(self.blocks, played(chances, n, seed=11))])

    def by_block(self, joint):
        return even_test(joint).p_value

    def by_game(self, joint):
        return stats.chisquare(joint.totals).pvalue

    @pytest.mark.parametrize("n", [20, 300])
    def test_fair_seats_are_seldom_called_unfair(self, n):
        called = np.mean(self.p_values(self.fair, n, self.by_block) <= 0.05)
        assert 0.03 < called <= at_most(0.05)

    def test_counting_games_is_caught(self):
        assert np.mean(self.p_values(self.fair, 300, self.by_game) <= 0.05) > 0.15

    def test_unfair_seats_are_found(self):
        unfair = self.fair + np.array([0.06, -0.02, -0.02, -0.02, 0, 0, 0])
        assert np.mean(self.p_values(unfair, 1000, self.by_block) <= 0.05) > 0.8


def test_the_helpers_know_the_truth():
    lost, same, won = paired_wins(0.27, 0.25, 0.6)
    assert (won - lost, lost + same + won) == pytest.approx((0.02, 1))
    variance = won + lost - 0.02**2
    covariance = (share_sd(0.27) ** 2 + share_sd(0.25) ** 2 - variance) / 2
    assert covariance / (share_sd(0.27) * share_sd(0.25)) == pytest.approx(0.6)
    assert at_most(0.05) == pytest.approx(0.0603, abs=1e-4)
    assert isinstance(histogram([1, 2], np.array([0, 3])), Histogram)
