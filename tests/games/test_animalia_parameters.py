"""Every parameter matters: moved off its default it changes games."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from pydantic import Field

from balance.errors import RulesError
from balance.experiment.replay import Replayer
from balance.game import Game, GameParams
from balance.games.animalia import GAME
from balance.games.animalia.params import AnimaliaParams

from .conftest import Play

GAMES = 10_000
RANDOM = GAME.policy("random")
Moved = tuple[Any, int, dict[str, Any]]

MOVED: dict[str, list[Moved]] = {
    "first_dealer": [(1, 4, {})],
    "seasons": [(2, 4, {})],
    "collections_per_player": [(2, 3, {}), (1, 2, {})],
    "collection_size": [(4, 4, {})],
    "max_set_size": [(2, 4, {})],
    "families": [(4, 3, {})],
    "owl": [(False, 4, {})],
    "remove_neutral": [(False, 4, {}), (True, 5, {})],
    "copies_champion": [(2, 4, {})],
    "copies_beauty": [(2, 4, {})],
    "copies_cute": [(2, 5, {}), (2, 4, {"remove_neutral": False})],
    "copies_scruffy": [(2, 4, {})],
    "copies_thief": [(2, 4, {})],
    "copies_spy": [(2, 4, {})],
    "copies_trickster": [(2, 4, {})],
    "stars_champion": [(2, 4, {})],
    "stars_beauty": [(1, 4, {})],
    "stars_cute": [(1, 5, {})],
    "stars_scruffy": [(0, 4, {})],
    "stars_thief": [(1, 4, {})],
    "stars_spy": [(1, 4, {})],
    "stars_trickster": [(1, 4, {})],
    "stars_owl": [(1, 4, {})],
    "power_thief": [(False, 4, {})],
    "power_spy": [(False, 4, {})],
    "power_trickster": [(False, 4, {})],
    "power_pair_requirement": [(1, 4, {}), (3, 4, {})],
    "power_activations": [("once_per_card", 4, {})],
    "spy_depth": [(4, 4, {})],
    "thief_targets_full": [(False, 4, {})],
    "deck_bottom_return_cap": [(1, 4, {})],
    "elegance_unit": [
        ("player_sum", 2, {}),
        ("player_best", 2, {}),
    ],  # one collection each: the same in all three ways
    "bonus_first": [(3, 4, {})],
    "bonus_second": [(2, 4, {})],
    "bonus_first_tied": [(2, 4, {})],
    "bonus_second_after_first_tie": [(1, 4, {})],
    "bonus_carry": [(False, 4, {})],
    "medals_group_1": [(1, 4, {})],
    "medals_group_2": [(1, 4, {})],
    "medals_group_3": [(4, 4, {})],
    "medals_group_4": [(5, 4, {})],
    "medals_group_5": [(6, 4, {})],
    "medals_group_6": [(7, 4, {"collection_size": 6})],
    "medals_group_7": [(8, 2, {"collection_size": 7, "families": 3, "copies_thief": 3, "copies_spy": 3})],
    "five_different": [(False, 4, {})],
    "five_different_medals": [(2, 4, {})],
    "medal_points": [(2, 4, {})],
    "excellence_group_size": [(4, 4, {}), (6, 2, {})],
    "excellence_points": [(4, 4, {})],
    "tiebreak": [("none", 4, {})],
    "season_dealer": [("rotate", 4, {})],
}
"""For each parameter: the value, the number of players, and what else has to be changed for it to matter."""

DEAD: list[tuple[str, Any, int, dict[str, Any]]] = [
    ("copies_cute", 3, 4, {}),  # remove_neutral takes them all away
    ("stars_cute", 5, 4, {}),
    ("elegance_unit", "player_sum", 4, {}),
    ("medals_group_6", 0, 4, {}),
    ("medals_group_7", 10, 4, {"collection_size": 6}),
    ("five_different_medals", 3, 4, {"five_different": False}),
    ("spy_depth", 10, 4, {"power_spy": False}),
]
"""What the contract says has no effect."""


def games_changed(play: Play, name: str, value: Any, players: int, companions: dict[str, Any]) -> int:
    """In how many of the games something in the row differs."""
    before = AnimaliaParams.resolve(players, companions)
    after = AnimaliaParams.resolve(players, {**companions, name: value})
    assert getattr(before, name) != value
    rows = [play(params, [RANDOM] * players, GAMES, seed=4) for params in (before, after)]
    return int(np.count_nonzero((rows[0] != rows[1]).any(axis=0)))


def test_every_parameter_is_moved() -> None:
    assert set(MOVED) == set(AnimaliaParams.model_fields) - {"players"}


@pytest.mark.parametrize("name", MOVED)
def test_parameter_changes_games(play: Play, name: str) -> None:
    for value, players, companions in MOVED[name]:
        assert games_changed(play, name, value, players, companions) > 0, (value, companions)


@pytest.mark.parametrize(("name", "value", "players", "companions"), DEAD, ids=[case[0] for case in DEAD])
def test_what_cannot_matter_changes_nothing(
    play: Play, name: str, value: Any, players: int, companions: dict[str, Any]
) -> None:
    assert games_changed(play, name, value, players, companions) == 0


class WithADeadParameter(AnimaliaParams):
    """A parameter is planted that no rule reads."""

    feathers: int = Field(1, ge=0, le=3, description="Nothing.")


def test_a_planted_dead_parameter_is_caught() -> None:
    """The same comparison, in plain Python: the planted parameter changes nothing, a living one does."""
    game: Game = replace(GAME, Params=WithADeadParameter)

    def rows(params: GameParams) -> list[dict[str, int]]:
        replayer = Replayer(game, params, [RANDOM] * 3, 1)
        return [replayer.play(4, number).row for number in range(20)]

    official = rows(WithADeadParameter.resolve(3))
    assert rows(WithADeadParameter.resolve(3, {"feathers": 2})) == official
    assert rows(WithADeadParameter.resolve(3, {"medal_points": 2})) != official


@pytest.mark.parametrize(
    ("overrides", "culprit"),
    [
        ({"collection_size": 7}, "collection_size"),
        ({"collection_size": 4, "families": 3}, "families"),
        ({"owl": False, "copies_thief": 0, "copies_spy": 0, "copies_trickster": 0}, "copies_thief"),
    ],
)
def test_too_few_cards_are_put_down_to_the_change_that_costs_most(
    overrides: dict[str, Any], culprit: str
) -> None:
    with pytest.raises(RulesError) as caught:
        AnimaliaParams.resolve(6, overrides)
    assert [fault.key for fault in caught.value.faults] == [(culprit,)]
