import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.power import normal_power

from balance.stats.intervals import wilson
from balance.stats.power import (
    blocks_for_difference,
    blocks_for_half_width,
    critical,
    detectable,
    difference_sd,
    multiplicity_price,
    nothing,
    share_sd,
)
from balance.stats.sequential import anytime_from_sums, bernoulli_interval


class TestHalfWidth:
    @pytest.mark.parametrize(
        ("share", "half_width", "games"),
        [
            (0.5, 0.01, 9_604),
            (0.5, 0.005, 38_415),
            (0.5, 0.001, 960_365),
            (0.25, 0.01, 7_203),
            (0.25, 0.005, 28_811),
            (0.25, 0.001, 720_274),
        ],
    )
    def test_games_for_a_half_width(self, share, half_width, games):
        assert blocks_for_half_width(half_width, share_sd(share), 0.95) == games
        assert wilson(round(games * share), games, 0.95).half_width == pytest.approx(half_width, rel=5e-4)

    def test_when_looking_all_the_time(self):
        games = blocks_for_half_width(0.005, share_sd(0.25), 0.95, anytime=True)
        assert games / 28_811 == pytest.approx(2.40, abs=5e-3)
        found = bernoulli_interval(games // 4, games, 0.95, games)
        assert found.half_width == pytest.approx(0.005, rel=5e-3)


class TestDifference:
    @pytest.mark.parametrize(
        ("correlation", "pairs"),
        [
            (0.0, [7_359, 29_434, 117_734, 735_833]),
            (0.6, [2_944, 11_774, 47_094, 294_333]),
            (0.9, [736, 2_944, 11_774, 73_584]),
        ],
    )
    def test_pairs_to_see_a_difference(self, correlation, pairs):
        sd = difference_sd(share_sd(0.25), correlation)
        assert [blocks_for_difference(d, sd, 0.95, 0.8) for d in (0.02, 0.01, 0.005, 0.002)] == pairs

    @given(
        st.floats(0.001, 2), st.floats(0.01, 100), st.sampled_from([0.9, 0.95]), st.sampled_from([0.5, 0.8])
    )
    def test_equals_statsmodels(self, effect, sd, confidence, power):
        found = blocks_for_difference(effect * sd, sd, confidence, power)
        # statsmodels counts the other side as well, where next to nothing is found
        reached = normal_power(effect, found, 1 - confidence)
        assert power - 1e-9 <= reached
        if found > 1:
            assert normal_power(effect, found - 1, 1 - confidence) <= power + 0.01

    def test_when_looking_all_the_time(self):
        plain, anytime = (blocks_for_difference(0.01, 0.5, 0.95, 0.8, anytime) for anytime in (False, True))
        assert anytime / plain == pytest.approx(((3.0352 + 0.8416) / (1.96 + 0.8416)) ** 2, rel=1e-3)

    @given(st.integers(1, 10**9), st.floats(0.01, 100), st.booleans())
    def test_what_can_be_seen_is_the_reverse(self, n, sd, anytime):
        size = detectable(n, sd, 0.95, 0.8, anytime)
        assert blocks_for_difference(size, sd, 0.95, 0.8, anytime) in (n, n + 1)

    def test_what_a_million_games_see(self):
        assert detectable(10**6, difference_sd(share_sd(0.25)), 0.95, 0.8) == pytest.approx(
            0.001716, abs=5e-7
        )


@pytest.mark.parametrize(("comparisons", "price"), [(1, 1.00), (10, 1.70), (50, 2.18), (200, 2.58)])
def test_price_of_many_comparisons(comparisons, price):
    assert multiplicity_price(comparisons, 0.95, 0.8) == pytest.approx(price, abs=5e-3)


@pytest.mark.parametrize("confidence", [0.9, 0.95, 0.999])
def test_critical_is_that_of_the_interval_at_its_best(confidence):
    n = 10**6
    found = anytime_from_sums(n, 0, n, confidence, best_at=n)
    assert critical(confidence, True) == pytest.approx(found.half_width * math.sqrt(n), rel=1e-5)


def test_standard_deviations():
    assert share_sd(0.5) == 0.5
    assert difference_sd(3.0, 1.0) == 0
    assert difference_sd(3.0, 0.0) == pytest.approx(3 * math.sqrt(2))
    assert blocks_for_half_width(0.01, 0.0, 0.95) == 1


def test_refuses_what_cannot_be():
    for call, says in (
        (lambda: share_sd(1.2), "share"),
        (lambda: difference_sd(1.0, 1.1), "correlation"),
        (lambda: blocks_for_half_width(0, 0.5, 0.95), "size"),
        (lambda: blocks_for_difference(-0.01, 0.5, 0.95, 0.8), "size"),
        (lambda: blocks_for_difference(0.01, 0.5, 95, 0.8), "confidence level"),
        (lambda: detectable(0, 0.5, 0.95, 0.8), "blocks"),
    ):
        with pytest.raises(ValueError, match=says):
            call()


def test_what_an_interval_allows_for_unseen_takes_more_blocks() -> None:
    def two(_blocks: float) -> float:
        return 2.0

    for size, sd in ((0.2, 0.3), (0.05, 0.1), (0.01, 0.2)):
        plain, wary = (blocks_for_difference(size, sd, 0.95, 0.8, unseen=more) for more in (nothing, two))
        assert plain < wary
        shown = [detectable(blocks, sd, 0.95, 0.8, unseen=two) for blocks in (wary, wary - 1)]
        assert shown[0] <= size < shown[1]
        assert detectable(plain, sd, 0.95, 0.8) <= size
