import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from balance.stats.intervals import simultaneous
from balance.stats.multiplicity import benjamini_hochberg, each_of, holm

PUBLISHED = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459]
PUBLISHED += [0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0]
METHODS = {"holm": holm, "fdr_bh": benjamini_hochberg}
p_values = st.lists(st.floats(0, 1) | st.sampled_from([0.0, 0.01, 0.02, 1.0]), min_size=1, max_size=40)


@pytest.mark.parametrize(("name", "found"), [("fdr_bh", 4), ("holm", 3)])
def test_benjamini_and_hochbergs_example(name, found):
    assert sum(p <= 0.05 for p in METHODS[name](PUBLISHED)) == found


def test_bonferronis_findings_in_the_same_example() -> None:
    """Each at the level that each of so many gates takes."""
    assert sum(p <= 1 - each_of(0.95, len(PUBLISHED)) for p in PUBLISHED) == 3


@pytest.mark.parametrize("name", METHODS)
@given(p_values)
@settings(deadline=None)
def test_equals_statsmodels(name, p):
    assert METHODS[name](p) == pytest.approx(multipletests(p, method=name)[1], rel=1e-12, abs=1e-300)


@pytest.mark.parametrize("name", METHODS)
def test_keeps_the_order_of_the_questions(name):
    adjusted = METHODS[name]([0.5, 0.001, 0.02])
    assert adjusted.index(min(adjusted)) == 1
    assert adjusted.index(max(adjusted)) == 0


@pytest.mark.parametrize("name", METHODS)
def test_one_question_costs_nothing_and_none_is_no_error(name):
    assert METHODS[name]([0.03]) == [0.03]
    assert METHODS[name]([]) == []


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("p", [-0.1, 1.1, math.nan])
def test_refuses_what_is_no_p_value(name, p):
    with pytest.raises(ValueError, match="p-value"):
        METHODS[name]([0.5, p])


def test_the_level_of_each_gate():
    assert each_of(0.95, 1) == 0.95
    assert each_of(0.95, 40) == pytest.approx(0.99875, abs=1e-12)
    assert simultaneous(0.95, 40) < each_of(0.95, 40) < 1
    with pytest.raises(ValueError, match="intervals"):
        each_of(0.95, 0)
    with pytest.raises(ValueError, match="confidence level"):
        each_of(1, 3)
