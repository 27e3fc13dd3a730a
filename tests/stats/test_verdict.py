import math

import pytest

from balance.stats.estimate import Estimate
from balance.stats.verdict import Band

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
