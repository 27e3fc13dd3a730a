"""What lies on the table, as readers are told it, is what is dealt."""

from __future__ import annotations

import pytest

from balance.registry import load
from tests.games.plays import plain_params

SPECIES = {2: 5, 3: 6, 4: 7, 5: 8}


@pytest.mark.parametrize("players", SPECIES)
def test_zooloretto_takes_species_out(players: int) -> None:
    params = load("zooloretto").resolve((players, None))
    found = params.components()
    assert found["species"] == SPECIES[players]
    assert found["animal tiles"] == 11 * SPECIES[players]
    assert found["offspring"] == 2 * SPECIES[players]
    tiles = found["animal tiles"] + found["stalls"] + found["coin tiles"]
    assert tiles == params.tiles_in_play()  # type: ignore[attr-defined]
    less = load("zooloretto").resolve((players, None), {"offspring": False, "species_removed": 0})
    assert (less.components()["offspring"], less.components()["animal tiles"]) == (0, 88)


@pytest.mark.parametrize("players", range(2, 7))
def test_animalia_counts_the_cards_that_are_dealt(players: int) -> None:
    game = load("animalia")
    for rules in ({}, {"owl": False}, {"copies_thief": 2}):
        params = game.resolve((players, None), rules)
        total, *kinds = params.components().values()
        assert total == sum(kinds) == plain_params(game, params).n_cards
    assert game.resolve((players, None), {"owl": False}).components()["owl"] == 0


def test_kennelmester_counts_its_deck() -> None:
    game = load("kennelmester")
    found = game.resolve((4, "team")).components()
    assert found == {"characters": 6, "dogs": 96, "breeds": 8, "customers": 28, "events": 24}
