"""Sets of rules for Zooloretto that together take every parameter to each of its bounds and words."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from balance.errors import RulesError
from balance.games.zooloretto.params import SPECIES, ZoolorettoParams

Overrides = dict[str, Any]
Extreme = tuple[str, Any]

PRICES = "price_move", "price_exchange", "price_buy", "price_discard", "price_expand"
RICH: Overrides = {"start_coins": 10, "coin_supply": 60}
TWENTY = {"animals_per_species": 20, "species_in_box": 4}
NEEDED: dict[Extreme, Overrides] = {
    ("species_removed", 11): {"species_in_box": 12},
    ("removed_species", SPECIES[1:]): {"species_in_box": 12},
    ("end_stack", 60): {**TWENTY, "species_in_box": 8},
    ("animals_per_species", 1): {"fertile_males": 0, "fertile_females": 0},
    ("fertile_males", 10): TWENTY,
    ("fertile_females", 10): TWENTY,
    ("offspring_per_species", 10): {**TWENTY, "fertile_males": 10, "fertile_females": 10},
    ("truck_blocked", 4): {"truck_capacity": 5},
    ("start_coins", 10): RICH,
    ("coin_supply", 0): {"start_coins": 0, "enclosure_fill_coins": [10, 10, 10]},
    ("buy_seller_share", 10): {**RICH, "price_buy": 10},
    ("bank_short", "pay_rest"): {"coin_supply": 8, "enclosure_fill_coins": [9, 9, 9]},
    ("bank_short", "pay_none"): {"coin_supply": 8, "enclosure_fill_coins": [9, 9, 9]},
    **{(price, 10): RICH for price in PRICES},
    **{(price, 0): {"turn_limit": 80} for price in PRICES},
}
"""What has to come with an extreme so that it can be played and shows."""
ENDLESS = [("turn_limit", 1), ("turn_limit", 100_000), *((price, 0) for price in PRICES)]
"""What is not drawn by lot beside other extremes: void games say nothing of scores."""
PLAYERS_NEEDED = {("truck_count", 2): 2, ("leftover_truck", "keep"): 2}
LIMIT = 200
"""Turns that games under odd rules have: where actions are free, random players go on for thousands."""
SMALL: Overrides = {
    "species_in_box": 5,
    "animals_per_species": 7,
    "stalls_per_kind": 2,
    "coin_tiles": 7,
    "turn_limit": LIMIT,
}
"""A box that is soon empty."""


def extremes() -> list[Extreme]:
    """Each parameter (players apart) at each bound (a list of numbers: all of them there), or at each word."""
    found: list[Extreme] = []
    for name, field in ZoolorettoParams.model_fields.items():
        if name == "players":
            continue
        if field.annotation is bool:
            found += [(name, False), (name, True)]
        elif name == "removed_species":
            found += [(name, ()), (name, SPECIES[1:])]
        elif ZoolorettoParams.choices(name):
            found += [(name, word) for word in ZoolorettoParams.choices(name)]
        else:
            found += [(name, bound) for bound in ZoolorettoParams.bounds(name)]
    return found


def reached(params: ZoolorettoParams) -> set[Extreme]:
    """What of `extremes` a set of rules is at."""
    found: set[Extreme] = set()
    for name, value in params:
        numbers = set(value) if ZoolorettoParams.is_list(name) and name != "removed_species" else {value}
        found |= {(name, next(iter(numbers)))} if len(numbers) == 1 else set()
    return found


def rule_sets() -> list[tuple[int, Overrides]]:
    """For each extreme players and overrides, with three others drawn by lot at theirs; then corners."""
    chance = random.Random(2025)
    odd = [next(_attempts(extreme, chance)) for extreme in extremes()]
    return odd + [(players, {**SMALL, **overrides}) for players, overrides in CORNERS]


def _attempts(extreme: Extreme, chance: random.Random) -> Iterator[tuple[int, Overrides]]:
    while True:
        players = PLAYERS_NEEDED.get(extreme, chance.randint(2, 5))
        others = [other for other in extremes() if other[0] != extreme[0] and other not in ENDLESS]
        drawn = chance.sample(others, 3)
        overrides = dict(SMALL)
        for name, value in [*drawn, extreme]:
            overrides |= NEEDED.get((name, value), {})
        trucks = dict([*drawn, extreme]).get("truck_count", players if players > 2 else 3)
        for name, value in [*drawn, extreme]:
            overrides[name] = listed(name, value, trucks)
        try:
            ZoolorettoParams.resolve(players, overrides)
        except RulesError:
            continue
        yield players, overrides


def listed(name: str, value: Any, trucks: int) -> Any:
    """An extreme as it is written in overrides."""
    if isinstance(value, tuple):
        return list(value)
    if ZoolorettoParams.is_list(name) and isinstance(value, int):
        return [value] * (trucks if name == "truck_blocked" else 3)
    return value


SWAPS = {"exchange_with_empty": True, "exchange_same_species": True, "exchange_pays_fill": True}
FERTILE = {"animals_per_species": 11, "fertile_males": 5, "fertile_females": 5}
LATER = {"move_scope": "barn_or_stall", "trade_kinds": "animals_and_stalls", "barn_stall_unit": "kind"}

CORNERS: list[tuple[int, Overrides]] = [
    (2, {"species_in_box": 12, "removed_species": ["extra_3", "zebra", "camel"], "stall_kinds": 6}),
    (2, {"truck_count": 6, "truck_capacity": 5, "truck_blocked": [4, 4, 0, 1, 2, 3]}),
    (4, {"truck_count": 6, "leftover_truck": "keep", "next_start": "rotate"}),
    (2, {"leftover_truck": "keep", "placement_order": "truck", "truck_capacity": 5}),
    (5, {"placement_order": "truck", "truck_capacity": 5, **FERTILE}),
    (4, {"price_buy": 10, "buy_seller_share": 7, "start_coins": 10, "coin_supply": 40}),
    (4, {"price_buy": 0, "trade_kinds": "animals_and_stalls"}),
    # the end stack may run out
    (5, {"end_stack": 1, "start_coins": 0, "allow_expand": False}),
    (5, {"end_stack": 1, "start_coins": 0, "truck_capacity": 1, "truck_count": 6}),
    (
        5,
        {
            "end_stack": 2,
            "allow_move": False,
            "allow_exchange": False,
            "start_coins": 0,
            "next_start": "rotate",
        },
    ),
    (3, {"end_stack": 1, "truck_count": 6, "truck_capacity": 5, "coin_tiles": 0}),
    # exchanges of all kinds, births without tiles, banks without coins
    (2, {**SWAPS, **FERTILE, "species_removed": 2}),
    (3, {**SWAPS, **FERTILE, "offspring_pays_fill": False, "refill_pays": False}),
    (4, {**SWAPS, "enclosure_spaces": [2, 3, 2], "expansion_spaces": 3, "bank_short": "pay_none"}),
    (5, {**SWAPS, "offspring_per_species": 5, **FERTILE, "coin_tiles": 30}),
    (
        2,
        {"exchange_same_species": True, "price_exchange": 0, "removed_species": ["panda", "camel"]},
    ),
    (2, {"offspring_per_species": 1, **FERTILE, "price_exchange": 0}),
    (2, {"coin_supply": 4, "coin_tiles": 3, "bank_short": "pay_none", "enclosure_spaces": [2, 2, 2]}),
    (
        2,
        {"coin_supply": 6, "coin_tiles": 9, "enclosure_fill_coins": [5, 4, 3], "enclosure_spaces": [2, 2, 3]},
    ),
    (3, {"coin_tiles": 40, "refill_pays": False, "enclosure_spaces": [2, 2, 3]}),
    (4, {**LATER, "coin_tiles": 30}),
    (
        4,
        {**LATER, "stall_to_barn_by_choice": True, "stalls_per_kind": 6, "enclosure_stall_spaces": [4, 0, 2]},
    ),
    (
        3,
        {
            "stall_to_barn_by_choice": True,
            "price_discard": 0,
            "trade_kinds": "animals_and_stalls",
            "stall_kinds": 6,
        },
    ),
    (2, {"expansion_boards": 3, "price_expand": 0, "species_removed": 0, "expansion_stall_spaces": 2}),
    (3, {"next_start": "rotate", "tie_break": "none", "turn_limit": 60}),
    (
        4,
        {
            "enclosure_spaces": [1, 1, 1],
            "expansion_spaces": 1,
            "enclosure_fill_coins": [3, 3, 3],
            "turn_limit": 99,
        },
    ),
    (5, {"allow_move": False, "allow_exchange": False, "allow_buy": False, "allow_discard": False}),
]
"""Rules that act together: where one parameter alone would hide a mistake."""
