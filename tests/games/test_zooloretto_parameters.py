"""Every parameter matters: moved off its default it changes games. What clashes is refused in one sentence."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from balance.errors import RulesError
from balance.games.zooloretto.params import ZoolorettoParams

from . import zoo
from .zoo import GREEDY, RANDOM

GAMES = 10_000
Moved = tuple[Any, int, dict[str, Any]]
GENEROUS: dict[str, Any] = {"enclosure_fill_coins": [10, 10, 10]}

MOVED: dict[str, list[Moved]] = {
    "species_in_box": [(9, 4, {}), (3, 2, {})],
    "species_removed": [(3, 4, {}), (0, 2, {})],
    "removed_species": [(["zebra"], 4, {})],
    "animals_per_species": [(10, 4, {})],
    "fertile_males": [(1, 4, {})],
    "fertile_females": [(3, 4, {})],
    "offspring": [(False, 4, {})],
    "offspring_per_species": [(1, 4, {}), (0, 4, {})],
    "stall_kinds": [(3, 4, {}), (6, 4, {})],
    "stalls_per_kind": [(2, 4, {})],
    "coin_tiles": [(10, 4, {})],
    "end_stack": [(14, 4, {})],
    "truck_count": [(4, 2, {}), (6, 4, {})],
    "truck_capacity": [(2, 4, {}), (5, 4, {})],
    "truck_blocked": [([0, 0, 0], 2, {}), ([0, 1, 0, 2], 4, {})],
    "start_coins": [(3, 4, {}), (0, 4, {})],
    "coin_supply": [(8, 4, GENEROUS)],
    "enclosure_spaces": [([3, 5, 6], 4, {}), ([4, 5, 7], 4, {})],
    "enclosure_high": [([6, 8, 10], 4, {})],
    "enclosure_low": [([4, 5, 7], 4, {})],
    "enclosure_fill_coins": [([1, 1, 0], 4, {}), ([1, 2, 1], 4, {})],
    "enclosure_stall_spaces": [([1, 1, 1], 4, {}), ([0, 0, 0], 4, {})],
    "expansion_boards": [(0, 4, {}), (3, 4, {}), (1, 2, {})],
    "expansion_spaces": [(4, 4, {})],
    "expansion_high": [(12, 4, {})],
    "expansion_low": [(4, 4, {})],
    "expansion_fill_coins": [(3, 4, {})],
    "expansion_stall_spaces": [(0, 4, {})],
    "price_move": [(0, 4, {}), (2, 4, {})],
    "price_exchange": [(2, 4, {})],
    "price_buy": [(1, 4, {})],
    "buy_seller_share": [(2, 4, {}), (0, 4, {})],
    "price_discard": [(1, 4, {})],
    "price_expand": [(2, 4, {})],
    "allow_move": [(False, 4, {})],
    "allow_exchange": [(False, 4, {})],
    "allow_buy": [(False, 4, {})],
    "allow_discard": [(False, 4, {})],
    "allow_expand": [(False, 4, {})],
    "bank_short": [("pay_none", 4, GENEROUS)],
    "partial_points": [(2, 4, {})],
    "stall_points": [(3, 4, {})],
    "barn_stall_penalty": [(1, 4, {})],
    "barn_stall_unit": [("kind", 4, {})],
    "barn_species_penalty": [(1, 4, {})],
    "tie_break": [("none", 4, {})],
    "placement_order": [("truck", 4, {})],
    "move_scope": [("barn_or_stall", 4, {})],
    "stall_to_barn_by_choice": [(True, 4, {})],
    "exchange_with_empty": [(True, 4, {})],
    "exchange_same_species": [(True, 4, {})],
    "exchange_pays_fill": [(True, 4, {})],
    "offspring_pays_fill": [(False, 4, {})],
    "refill_pays": [(False, 4, {})],
    "trade_kinds": [("animals_and_stalls", 4, {})],
    "leftover_truck": [("keep", 2, {})],
    "next_start": [("rotate", 4, {})],
    "turn_limit": [(150, 4, {})],
}
"""For each parameter: the value, the number of players, and what else has to be changed for it to matter."""

DEAD: list[tuple[str, Any, int, dict[str, Any]]] = [
    ("offspring_per_species", 0, 4, {"offspring": False}),
    ("expansion_high", 20, 4, {"expansion_boards": 0}),
    ("price_move", 5, 4, {"allow_move": False}),
    ("barn_stall_unit", "kind", 4, {"barn_stall_penalty": 0}),
    ("stall_points", 9, 4, {"stall_kinds": 0}),
    ("turn_limit", 100_000, 4, {}),
    ("bank_short", "pay_none", 4, {"coin_supply": 300}),
    ("leftover_truck", "keep", 4, {}),
]
"""What has no effect beside such companions."""


def games_changed(name: str, value: Any, players: int, companions: dict[str, Any]) -> int:
    """In how many of the games something in the row differs."""
    before = ZoolorettoParams.resolve(players, companions)
    after = ZoolorettoParams.resolve(players, {**companions, name: value})
    assert before != after
    one, other = (zoo.play(params, [RANDOM] * players, GAMES, seed=4) for params in (before, after))
    return int(np.count_nonzero(np.any([one[column] != other[column] for column in one], axis=0)))


def test_every_parameter_is_moved() -> None:
    assert set(MOVED) == set(ZoolorettoParams.model_fields) - {"players"}


@pytest.mark.parametrize("name", MOVED)
def test_parameter_changes_games(name: str) -> None:
    for value, players, companions in MOVED[name]:
        assert games_changed(name, value, players, companions) > 0, (value, companions)


@pytest.mark.parametrize(("name", "value", "players", "companions"), DEAD, ids=[case[0] for case in DEAD])
def test_what_cannot_matter_changes_nothing(
    name: str, value: Any, players: int, companions: dict[str, Any]
) -> None:
    assert games_changed(name, value, players, companions) == 0


def test_removing_species_shortens_the_game() -> None:
    """The headline variant (4.1): 11 tiles fewer for each species."""
    turns = []
    for removed in range(8):
        params = ZoolorettoParams.resolve(4, {"species_removed": removed})
        rows = zoo.play(params, [GREEDY] * 4, 2000)
        turns.append(rows["turns"].mean())
        assert params.tiles_in_play() == 112 - 11 * removed
    assert turns == sorted(turns, reverse=True)


# ---------------------------------------------------------------- defaults


@pytest.mark.parametrize(
    ("players", "changes", "expected"),
    [
        (2, {}, {"species_removed": 3, "truck_blocked": (0, 1, 2), "expansion_boards": 2, "truck_count": 3}),
        (3, {}, {"species_removed": 2, "truck_blocked": (0, 0, 0), "expansion_boards": 1, "truck_count": 3}),
        (4, {}, {"species_removed": 1, "truck_blocked": (0, 0, 0, 0), "truck_count": 4}),
        (5, {}, {"species_removed": 0, "truck_blocked": (0, 0, 0, 0, 0), "truck_count": 5}),
        (2, {"species_in_box": 3}, {"species_removed": 2}),
        (4, {"removed_species": ["zebra", "camel"]}, {"species_removed": 2}),
        (4, {"removed_species": []}, {"species_removed": 1, "removed_species": ()}),
        (2, {"truck_count": 2}, {"truck_blocked": (0, 1)}),
        (2, {"truck_count": 4}, {"truck_blocked": (0, 1, 2, 0)}),
        (2, {"truck_capacity": 2}, {"truck_blocked": (0, 1, 1)}),
        (2, {"truck_capacity": 1}, {"truck_blocked": (0, 0, 0)}),
        (4, {"price_buy": 0}, {"buy_seller_share": 0}),
        (4, {"price_buy": 5}, {"buy_seller_share": 1}),
        (4, {"price_buy": 5, "buy_seller_share": 4}, {"buy_seller_share": 4}),
    ],
)
def test_defaults_that_follow_others(players: int, changes: dict[str, Any], expected: dict[str, Any]) -> None:
    params = ZoolorettoParams.resolve(players, changes)
    assert {name: getattr(params, name) for name in expected} == expected


REFUSED: list[tuple[int, dict[str, Any], list[str]]] = [
    (4, {"animals_per_species": 3}, ["fertile_males", "fertile_females", "animals_per_species"]),
    (2, {"species_in_box": 3, "end_stack": 35}, ["end_stack"]),
    (2, {"truck_blocked": [0, 1]}, ["truck_blocked", "truck_count"]),
    (4, {"species_removed": 2, "removed_species": ["zebra"]}, ["removed_species", "species_removed"]),
    (4, {"removed_species": ["zebra", "zebra"]}, ["removed_species"]),
    (4, {"removed_species": ["extra_1"]}, ["removed_species", "species_in_box"]),
    (4, {"species_removed": 8}, ["species_removed", "species_in_box"]),
    (4, {"truck_count": 3}, ["truck_count"]),
    (4, {"truck_blocked": [0, 0, 0, 3]}, ["truck_blocked", "truck_capacity"]),
    (4, {"coin_supply": 7}, ["coin_supply", "start_coins"]),
    (4, {"buy_seller_share": 3}, ["buy_seller_share", "price_buy"]),
    (4, {"prize_buy": 2}, ["prize_buy", "price_buy"]),
    (4, {"enclosure_spaces": [4, 5]}, ["enclosure_spaces"]),
]


@pytest.mark.parametrize(("players", "changes", "names"), REFUSED)
def test_what_clashes_is_refused(players: int, changes: dict[str, Any], names: list[str]) -> None:
    with pytest.raises(RulesError) as refused:
        ZoolorettoParams.resolve(players, changes)
    (fault,) = refused.value.faults
    assert all(f'"{name}"' in fault.sentence for name in names)
    assert fault.sentence.endswith((".", "?"))


def test_one_tile_of_main_stock_is_enough() -> None:
    assert ZoolorettoParams.resolve(2, {"species_in_box": 3, "end_stack": 34}).tiles_in_play() == 35
