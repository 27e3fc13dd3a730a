import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from balance.stats.outcome import evenness, partial_wins

PLACES = [[50, 20, 30], [30, 50, 20], [20, 30, 50]]


def test_three_players_by_hand():
    assert partial_wins(PLACES) == [0.60, 0.55, 0.35]
    assert evenness(PLACES) == 0.75


def test_dividing_whole_numbers_too_early_is_not_what_happens():
    # an integer array loses the halves: (0.50, 0.30, 0.20) and 0.70
    assert partial_wins(np.array(PLACES)) != [0.50, 0.30, 0.20]
    assert evenness(np.array(PLACES)) == evenness(PLACES) != 0.70


def test_shared_places_count_in_parts():
    # two games in sixtieths: the first two seats share the first place, then all three share everything
    shared = [[30 + 20, 30 + 20, 0 + 20], [30 + 20, 30 + 20, 0 + 20], [0 + 20, 0 + 20, 60 + 20]]
    assert partial_wins(shared) == [0.625, 0.625, 0.25]


@given(st.integers(2, 6), st.data())
def test_all_seats_together_have_half_of_all_partial_wins(players, data):
    games = data.draw(st.lists(st.permutations(range(players)), min_size=1, max_size=20))
    places = [
        [sum(game[seat] == place for game in games) for place in range(players)] for seat in range(players)
    ]
    wins = partial_wins(places)
    assert sum(wins) == pytest.approx(players / 2)
    assert evenness(places) == pytest.approx(1 - (max(wins) - min(wins)))
    assert 0 <= evenness(places) <= 1


def test_who_is_always_first_makes_it_0_and_even_places_make_it_1():
    assert evenness([[9, 0], [0, 9]]) == 0
    assert evenness([[3, 3], [3, 3]]) == 1


@pytest.mark.parametrize("places", [[], [[1], [1]], [[1, 2], [1]], [[1, 2], [0, 0]], [[1, 2], [-1, 4]]])
def test_refuses_counts_that_cannot_be(places):
    with pytest.raises(ValueError, match="Each seat"):
        evenness(places)
