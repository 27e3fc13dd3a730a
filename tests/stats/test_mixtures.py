import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

from balance.stats.mixtures import BetaBinomialMixture, NormalMixture, best_rho

THRESHOLD = math.log(20)


class TestNormal:
    def test_published_two_sided(self):
        mixture = NormalMixture.best_at(100, 0.05)
        assert mixture.rho == pytest.approx(12.60056, abs=5e-6)
        assert mixture.log_m(10, 100) == pytest.approx(-0.6510052, abs=5e-8)
        assert mixture.bound(100) == pytest.approx(30.35209, abs=5e-6)

    def test_published_one_sided(self):
        mixture = NormalMixture.best_at(100, 0.05, one_sided=True)
        assert mixture.rho == pytest.approx(15.80063, abs=5e-6)
        assert mixture.log_m(10, 100) == pytest.approx(-0.06502391, abs=5e-9)
        assert mixture.bound(100) == pytest.approx(27.66071, abs=5e-6)

    def test_cost_of_looking_whenever_one_likes(self):
        wider = NormalMixture.best_at(100, 0.05).bound(100) / (1.959964 * 10)
        assert wider == pytest.approx(1.549, abs=5e-4)
        assert wider**2 == pytest.approx(2.40, abs=5e-3)

    @given(st.floats(-200, 200), st.floats(0.01, 1e4), st.floats(0.1, 1e4))
    @settings(deadline=None)
    def test_is_the_mean_of_bets_on_all_means(self, s, v, rho):
        # exp(λS - λ²V/2), averaged over λ ~ N(0, 1/rho), is what the closed form sums up
        width = v + rho
        peak, spread = s / width, 1 / math.sqrt(width)

        def bet(at):
            effect = peak + at * spread
            prior = stats.norm.logpdf(effect, scale=1 / math.sqrt(rho))
            return math.exp(effect * s - effect * effect * v / 2 + prior - s * s / (2 * width)) * spread

        total = integrate.quad(bet, -12, 12)[0]
        mixture = NormalMixture(rho, 0.05)
        assert mixture.log_m(s, v) == pytest.approx(math.log(total) + s * s / (2 * width), abs=1e-6)

    @pytest.mark.parametrize("one_sided", [False, True])
    @pytest.mark.parametrize("v", [0.5, 100, 1e7])
    def test_the_bet_is_won_exactly_at_the_bound(self, one_sided, v):
        mixture = NormalMixture.best_at(100, 0.05, one_sided)
        assert mixture.log_m(mixture.bound(v), v) == pytest.approx(THRESHOLD, abs=1e-9)

    @pytest.mark.parametrize("alpha", [0.2, 0.05, 0.001])
    def test_the_best_rho_is_the_best(self, alpha):
        rho = best_rho(100, alpha)
        best = NormalMixture(rho, alpha).bound(100)
        # the published formula is an approximation: within 1 % of the lowest bound there is
        lowest = min(NormalMixture(rho * factor, alpha).bound(100) for factor in np.geomspace(0.2, 5, 200))
        assert lowest <= best <= lowest * 1.01
        assert NormalMixture(rho * 5, alpha).bound(100) > best * 1.02


class TestBetaBinomial:
    @pytest.mark.parametrize(
        ("one_sided", "log_m", "bound"), [(False, -0.6941012, 31.4308), (True, -0.07134019, 28.41238)]
    )
    def test_published(self, one_sided, log_m, bound):
        mixture = BetaBinomialMixture.best_at(100, 0.05, 0.2, 0.8, one_sided)
        assert mixture.log_m(10, 100) == pytest.approx(log_m, abs=5e-8)
        assert mixture.bound(100) == pytest.approx(bound, abs=5e-6)

    @given(st.integers(1, 40), st.data(), st.floats(0.05, 0.95))
    @settings(deadline=None)
    def test_is_a_ratio_of_beta_binomial_to_binomial(self, n, data, p):
        wins = data.draw(st.integers(0, n))
        mixture = BetaBinomialMixture.best_at(1000 * p * (1 - p), 0.05, p, 1 - p)
        a, b = mixture.r / (1 - p), mixture.r / p
        expected = stats.betabinom.logpmf(wins, n, a, b) - stats.binom.logpmf(wins, n, p)
        assert mixture.log_m(wins - n * p, n * p * (1 - p)) == pytest.approx(expected, abs=1e-7)

    @pytest.mark.parametrize("one_sided", [False, True])
    @pytest.mark.parametrize("p", [0.03, 0.25, 0.5, 0.9])
    def test_gains_nothing_while_the_chance_is_right(self, one_sided, p):
        n = 60
        mixture = BetaBinomialMixture.best_at(100 * p * (1 - p), 0.05, p, 1 - p, one_sided)
        bets = [math.exp(mixture.log_m(wins - n * p, n * p * (1 - p))) for wins in range(n + 1)]
        assert np.dot(bets, stats.binom.pmf(range(n + 1), n, p)) == pytest.approx(1, abs=1e-9)
        wrong = np.dot(bets, stats.binom.pmf(range(n + 1), n, p + 0.05))
        assert wrong > 1.05

    @pytest.mark.parametrize("one_sided", [False, True])
    def test_the_bet_is_won_exactly_at_the_bound(self, one_sided):
        mixture = BetaBinomialMixture.best_at(100, 0.05, 0.2, 0.8, one_sided)
        assert mixture.log_m(mixture.bound(500), 500) == pytest.approx(THRESHOLD, abs=1e-9)

    def test_a_bet_that_cannot_be_won_is_bounded_by_what_can_happen(self):
        mixture = BetaBinomialMixture.best_at(100, 0.05, 0.5, 0.5)
        assert mixture.bound(0.25) == 0.5  # one game, won

    def test_a_lost_one_sided_bet_is_worth_nothing(self):
        mixture = BetaBinomialMixture.best_at(100, 0.05, 0.5, 0.5, one_sided=True)
        assert mixture.log_m(-2e4, 1e4) == -math.inf


@pytest.mark.parametrize(("v", "alpha"), [(0, 0.05), (-1, 0.05), (100, 0), (100, 1), (math.nan, 0.05)])
def test_refuses_what_is_no_chance_or_variance(v, alpha):
    with pytest.raises(ValueError, match="boundary"):
        NormalMixture.best_at(v, alpha)


def test_refuses_a_one_sided_chance_of_a_half_and_one_sided_deviations():
    with pytest.raises(ValueError, match="1/2"):
        best_rho(100, 0.5, one_sided=True)
    with pytest.raises(ValueError, match="both sides"):
        BetaBinomialMixture.best_at(100, 0.05, 0, 1)
