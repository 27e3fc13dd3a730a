import json
import math

import pytest

from balance.stats.estimate import Estimate


def test_as_dict_is_plain_json():
    estimate = Estimate(0.25, 0.2, 0.31, 400, "wilson")
    assert estimate.as_dict() == {"value": 0.25, "low": 0.2, "high": 0.31, "n": 400, "method": "wilson"}


def test_what_is_not_known_becomes_null():
    unknown = Estimate(math.nan, -math.inf, math.inf, 0, "too few").as_dict()
    assert json.loads(json.dumps(unknown, allow_nan=False)) == {
        "value": None,
        "low": None,
        "high": None,
        "n": 0,
        "method": "too few",
    }


@pytest.mark.parametrize(
    ("x", "out"), [(0.19, True), (0.2, False), (0.25, False), (0.31, False), (0.32, True)]
)
def test_excludes_what_lies_outside_and_not_the_ends(x, out):
    assert Estimate(0.25, 0.2, 0.31, 400, "wilson").excludes(x) is out


def test_an_unknown_interval_excludes_nothing():
    assert not Estimate(math.nan, -math.inf, math.inf, 0, "too few").excludes(1e300)


def test_half_width_is_half_the_length():
    assert Estimate(0.25, 0.2, 0.31, 400, "wilson").half_width == pytest.approx(0.055)
    assert Estimate(1.0, -math.inf, math.inf, 1, "too few").half_width == math.inf
