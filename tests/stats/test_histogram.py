import json
import math
import statistics
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from balance.stats.histogram import DENSE_SPAN, Histogram

near = st.integers(-50, 200)
far = st.integers(-(2**63), 2**63 - 1)
data = st.lists(near | far, max_size=60)


def hist(values):
    return Histogram.from_values(np.array(values, np.int64))


def as_bytes(histogram):
    return histogram.values.tobytes(), histogram.counts.tobytes()


@given(data)
@settings(deadline=None)
def test_counts_each_value(values):
    histogram = hist(values)
    expected = sorted(set(values))
    assert histogram.values.tolist() == expected
    assert histogram.counts.tolist() == [values.count(v) for v in expected]
    assert histogram.values.dtype == histogram.counts.dtype == np.int64


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.uint32, np.int64, np.uint64, np.bool_])
def test_any_integer_type_counts_alike(dtype):
    low = -128 if dtype == np.int8 else 0
    high = 1 if dtype == np.bool_ else 127
    assert Histogram.from_values(np.array([low, high, high, 0], dtype)) == hist([low, high, high, 0])


def test_table_and_sorting_agree():
    values = np.random.default_rng(5).integers(-DENSE_SPAN // 3, DENSE_SPAN // 3, 4000)
    widened = np.append(values, 10**15)
    assert Histogram.from_values(widened) == Histogram.from_values(values).merge(hist([10**15]))


@given(data, data, data)
@settings(deadline=None)
def test_merging_is_associative_and_commutative_to_the_byte(a, b, c):
    first = hist(a).merge(hist(b)).merge(hist(c))
    second = Histogram.merge(hist(a), Histogram.merge(hist(b), hist(c)))
    third = hist(c).merge(hist(a)).merge(hist(b))
    assert as_bytes(first) == as_bytes(second) == as_bytes(third) == as_bytes(hist(a + b + c))


@given(st.lists(near, min_size=2, max_size=60), st.randoms(use_true_random=False), st.integers(1, 59))
@settings(deadline=None)
def test_results_do_not_depend_on_order_or_cutting(values, random, cut):
    shuffled = values[:]
    random.shuffle(shuffled)
    whole, parts = hist(values), hist(shuffled[cut:]).merge(hist(shuffled[:cut]))
    assert (whole.mean, whole.variance, whole.sd) == (parts.mean, parts.variance, parts.sd)
    assert json.dumps(whole.as_dict()) == json.dumps(parts.as_dict())


@given(st.lists(near | far, min_size=2, max_size=40))
@settings(deadline=None)
def test_moments_are_exact_and_rounded_once(values):
    histogram = hist(values)
    assert (histogram.n, histogram.total) == (len(values), sum(values))
    assert histogram.squares == sum(v * v for v in values)
    assert histogram.mean == float(Fraction(sum(values), len(values)))
    variance = statistics.variance([Fraction(v) for v in values])
    assert histogram.variance == float(variance)
    assert histogram.sd == math.sqrt(float(variance))
    assert (histogram.minimum, histogram.maximum) == (min(values), max(values))


def test_variance_does_not_cancel_where_floats_would():
    values = [10**12, 10**12 + 1, 10**12 + 2]
    assert hist(values).variance == 1.0
    floats = np.array(values, float)
    assert np.mean(floats**2) - np.mean(floats) ** 2 != pytest.approx(2 / 3, rel=0.01)


dyadic = st.integers(0, 64).map(lambda k: k / 64)


@given(st.lists(near, min_size=1, max_size=80), dyadic | st.sampled_from([0.1, 0.5, 0.9]))
@settings(deadline=None, max_examples=300)
def test_quantile_is_the_inverted_cdf(values, q):
    assert hist(values).quantile(q) == np.quantile(values, q, method="inverted_cdf")


def test_quantile_takes_q_as_written():
    hundred = hist(range(1, 101))
    assert [hundred.quantile(k / 100) for k in range(1, 101)] == list(range(1, 101))
    assert math.ceil(0.07 * 100) == 8, "multiplying floats gives the wrong rank, so this can fail"


def test_quantile_of_a_skewed_count():
    histogram = Histogram(np.array([0, 1, 9]), np.array([90, 9, 1]))
    assert [histogram.quantile(q) for q in (0, 0.5, 0.9, 0.91, 0.99, 0.991, 1)] == [0, 0, 0, 1, 1, 9, 9]
    assert [histogram.at_rank(k) for k in (1, 90, 91, 100)] == [0, 0, 1, 9]
    for rank in (0, 101):
        with pytest.raises(ValueError, match="rank"):
            histogram.at_rank(rank)
    for q in (-0.1, 1.1, math.nan):
        with pytest.raises(ValueError, match="quantile"):
            histogram.quantile(q)


def test_an_empty_histogram_answers_none():
    empty = hist([])
    assert (empty.n, empty.total, empty.squares) == (0, 0, 0)
    answers = (empty.mean, empty.variance, empty.sd, empty.minimum, empty.maximum, empty.quantile(0.5))
    assert answers == (None,) * 6
    assert empty.merge(empty) == empty
    assert empty.merge(hist([3])) == hist([3])
    assert Histogram.from_dict(json.loads(json.dumps(empty.as_dict()))) == empty


def test_one_observation_has_a_mean_and_no_variance():
    assert (hist([7]).mean, hist([7]).variance, hist([7]).sd) == (7.0, None, None)


@given(data)
@settings(deadline=None)
def test_survives_a_json_file(values):
    saved = json.loads(json.dumps(hist(values).as_dict()))
    assert as_bytes(Histogram.from_dict(saved)) == as_bytes(hist(values))


def test_cannot_be_changed():
    values = np.array([1, 2])
    histogram = Histogram(values, np.array([5, 6]))
    values[0] = 0
    assert histogram.minimum == 1
    with pytest.raises(ValueError, match="read-only"):
        histogram.counts[0] = 9
    assert histogram != "5 ones and 6 twos"
    with pytest.raises(TypeError, match="unhashable"):
        hash(histogram)


@pytest.mark.parametrize(
    ("values", "counts", "why"),
    [
        ([1, 1], [2, 2], "rise"),
        ([2, 1], [2, 2], "rise"),
        ([1, 2], [2, 0], "above 0"),
        ([1, 2], [2], "one count"),
        ([1.5], [2], "whole numbers"),
        ([2**63], [1], "too large"),
    ],
)
def test_refuses_what_is_no_histogram(values, counts, why):
    with pytest.raises(ValueError, match=why):
        Histogram(np.array(values), np.array(counts))


@pytest.mark.parametrize("exponent", [31, 32, 61])
def test_counts_and_totals_grow_beyond_their_half_words(exponent):
    """Parts as of games that were never played: 2^31 and 2^32 games overflow a half word, with a sign and without."""
    part = Histogram(np.array([0, 3]), np.array([1, 2 ** (exponent - 1)]))
    whole = part.merge(part)
    assert whole.counts.tolist() == [2, 2**exponent]
    assert (whole.n, whole.total, whole.squares) == (2**exponent + 2, 3 * 2**exponent, 9 * 2**exponent)
    assert whole.merge(Histogram(np.array([1]), np.array([1]))).counts.tolist() == [2, 1, 2**exponent]
    assert whole.quantile(0.5) == 3


def test_a_million_values_merge_to_the_same_bytes_in_any_order():
    values = np.random.default_rng(3).poisson(39, 1_000_000)
    parts = [Histogram.from_values(part) for part in np.array_split(values, 37)]
    forward, backward = hist([]), hist([])
    for part in parts:
        forward = forward.merge(part)
    for part in reversed(parts):
        backward = part.merge(backward)
    assert as_bytes(forward) == as_bytes(backward) == as_bytes(Histogram.from_values(values))
    assert forward.mean == pytest.approx(values.mean(), rel=1e-12)
    assert forward.sd == pytest.approx(values.std(ddof=1), rel=1e-12)
