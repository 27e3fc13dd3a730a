import functools
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from balance.stats.estimate import Estimate
from balance.stats.intervals import mean_from_sums
from balance.stats.sequential import anytime_factor, anytime_from_sums
from balance.stats.verdict import Band, more_blocks, more_blocks_of_all

BAND = Band.around(0.25, 0.01)


def interval(low, high, value=None, n=1000):
    return Estimate((low + high) / 2 if value is None else value, low, high, n, "t")


class TestVerdict:
    @pytest.mark.parametrize(
        ("low", "high", "verdict"),
        [
            (0.245, 0.255, "inside"),
            (0.24, 0.26, "inside"),
            (0.2399, 0.255, "cannot tell"),
            (0.255, 0.2601, "cannot tell"),
            (0.20, 0.30, "cannot tell"),
            (0.26, 0.27, "cannot tell"),
            (0.2601, 0.27, "outside"),
            (0.20, 0.2399, "outside"),
            (-math.inf, math.inf, "cannot tell"),
        ],
    )
    def test_only_a_whole_interval_decides(self, low, high, verdict):
        assert BAND.judge(interval(low, high, value=0.25)) == verdict

    def test_one_side_alone(self):
        assert Band(high=0.03).judge(interval(-1, 0.03)) == "inside"
        assert Band(low=0.5).judge(interval(0.6, math.inf, value=0.7)) == "inside"
        assert Band(low=0.5).judge(interval(0.1, 0.4)) == "outside"

    def test_nothing_measured_never_passes(self):
        none = Estimate(math.nan, 0.0, 1.0, 0, "too few")
        assert Band().judge(none) == Band(0, 1).judge(none) == "no data"

    def test_no_width_passes_only_what_is_certain(self):
        assert Band.around(0, 0).judge(interval(0, 0)) == "inside"
        assert Band.around(0, 0).judge(interval(-0.001, 0.001)) == "cannot tell"
        assert Band.around(0, 0).judge(interval(0.001, 0.002)) == "outside"

    def test_of_several(self):
        inside, unsure, outside = interval(0.245, 0.255), interval(0.2, 0.3), interval(0.3, 0.4)
        none = Estimate(math.nan, 0.0, 1.0, 0, "too few")
        assert BAND.judge_all([inside, inside]) == "inside"
        assert BAND.judge_all([inside, unsure]) == "cannot tell"
        assert BAND.judge_all([inside, unsure, outside]) == "outside"
        assert BAND.judge_all([inside, none]) == "no data"
        assert BAND.judge_all([]) == "no data"

    def test_refuses_a_band_that_holds_nothing(self):
        for low, high in ((1, 0), (math.nan, 1)):
            with pytest.raises(ValueError, match="holds nothing"):
                Band(low, high)


class TestMoreBlocks:
    def test_until_it_is_inside(self):
        # the half-width is 0.02 and must be 0.008
        assert more_blocks(interval(0.232, 0.272), BAND) == pytest.approx(1000 * (2.5**2 - 1), abs=1)

    def test_until_it_is_outside(self):
        assert more_blocks(interval(0.24, 0.30), BAND) == pytest.approx(1000 * (3**2 - 1), abs=1)
        assert more_blocks(interval(0.20, 0.26), BAND) == pytest.approx(1000 * (3**2 - 1), abs=1)

    def test_decided_and_never_decided(self):
        assert more_blocks(interval(0.245, 0.255), BAND) == 0
        assert more_blocks(interval(0.3, 0.4), BAND) == 0
        assert more_blocks(interval(0.25, 0.27, value=0.26), BAND) == math.inf
        assert more_blocks(interval(-0.1, 0.1), Band.around(0, 0)) == math.inf

    def test_nothing_is_known(self):
        assert more_blocks(Estimate(math.nan, 0.0, 1.0, 0, "too few"), BAND) is None
        assert more_blocks(interval(-math.inf, math.inf, value=0.25), BAND) is None

    @settings(deadline=None, max_examples=300)
    @given(st.integers(5, 1000), st.integers(-80, 80), st.booleans())
    def test_so_many_decide_if_value_and_spread_stay(self, thousands, per_mille, anytime):
        def at(thousands):
            n, total = 1000 * thousands, per_mille * thousands
            if anytime:
                return anytime_from_sums(n, total, n, 0.95, best_at=10_000)
            return mean_from_sums(n, total, n, 0.95)

        width = functools.partial(anytime_factor, confidence=0.95, best_at=10_000)
        band, found = Band.around(0, 0.05), at(thousands)
        more = more_blocks(found, band, width) if anytime else more_blocks(found, band)
        if band.judge(found) != "cannot tell":
            assert more == 0
        elif abs(per_mille) == 50:
            assert more > 10**10
        else:
            needed = thousands + more / 1000
            assert band.judge(at(math.ceil(needed * 1.01))) != "cannot tell"
            assert band.judge(at(max(thousands, math.floor(needed * 0.99)))) == "cannot tell"

    def test_of_several(self):
        inside, slow, out = interval(0.232, 0.272), interval(0.229, 0.275), interval(0.24, 0.30)
        assert more_blocks_of_all([inside, slow], BAND) == more_blocks(slow, BAND)
        assert more_blocks_of_all([inside, slow, out], BAND) == more_blocks(out, BAND)
        assert more_blocks_of_all([inside, interval(0.3, 0.4)], BAND) == 0
        assert more_blocks_of_all([inside, interval(-math.inf, math.inf, value=0.2)], BAND) is None
        assert more_blocks_of_all([], BAND) is None
        assert more_blocks_of_all([inside, interval(0.25, 0.27, value=0.26)], BAND) == math.inf
