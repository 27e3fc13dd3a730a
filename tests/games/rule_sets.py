"""Sets of rules for Animalia that together take every parameter to each of its bounds and words."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from balance.errors import RulesError
from balance.games.animalia.params import AnimaliaParams

Extreme = tuple[str, Any]

NEEDED: dict[Extreme, dict[str, Any]] = {
    ("collection_size", 3): {"max_set_size": 3},
    ("collection_size", 7): {"copies_champion": 3, "copies_thief": 3, "copies_trickster": 2},
    ("collections_per_player", 2): {"collection_size": 4, "copies_spy": 3, "copies_thief": 3},
    ("families", 3): {"copies_beauty": 3, "copies_scruffy": 2},
    ("max_set_size", 5): {"collection_size": 6, "copies_spy": 3},
    ("first_dealer", 5): {},
}
"""What has to come with an extreme so that it can be played (enough cards) and shows (large collections)."""
PLAYERS_NEEDED = {
    ("first_dealer", 5): 6,
    ("copies_champion", 0): 3,
    ("copies_cute", 0): 5,
    ("families", 3): 3,
}
LONG_GAMES = ("seasons", "spy_depth", "deck_bottom_return_cap")


def extremes() -> list[Extreme]:
    """Each parameter (players apart) at each of its bounds, or at each of its words."""
    found: list[Extreme] = []
    for name, field in AnimaliaParams.model_fields.items():
        if name == "players":
            continue
        if field.annotation is bool:
            found += [(name, False), (name, True)]
        elif field.annotation is int:
            found += [(name, bound) for bound in AnimaliaParams.bounds(name)]
        else:
            found += [(name, word) for word in AnimaliaParams.choices(name)]
    return found


def rule_sets() -> list[AnimaliaParams]:
    """One set of rules for each extreme, and three others drawn by lot at theirs; then corners."""
    chance = random.Random(2024)
    return [next(_attempts(extreme, chance)) for extreme in extremes()] + corners()


MANY = {
    f"copies_{member}": 3 for member in ("champion", "beauty", "cute", "scruffy", "thief", "spy", "trickster")
}
SPOTS = {
    f"stars_{kind}": -5 for kind in ("champion", "beauty", "cute", "scruffy", "thief", "spy", "trickster")
}
ALL_ACT = {"power_pair_requirement": 1, "power_activations": "once_per_card"}


def corners() -> list[AnimaliaParams]:
    """Rules that act together: where one parameter alone would hide a mistake."""
    two = {"collections_per_player": 2}
    small = {**two, "collection_size": 4, "remove_neutral": False}
    return [
        AnimaliaParams.resolve(players, overrides)
        for players, overrides in [
            (3, {**two, "thief_targets_full": False, "copies_thief": 3}),
            (4, {**small, "thief_targets_full": False, "power_pair_requirement": 1}),
            (5, {**SPOTS, "stars_owl": -5, "bonus_second_after_first_tie": 2}),
            (6, {**SPOTS, "stars_owl": 5, "bonus_first": 4, "bonus_carry": False}),
            (3, {**ALL_ACT, "deck_bottom_return_cap": 1, "max_set_size": 5, "copies_thief": 3}),
            (6, {**ALL_ACT, "deck_bottom_return_cap": 2, "max_set_size": 3, "copies_trickster": 3}),
            (4, {**small, "elegance_unit": "player_best", "bonus_second_after_first_tie": 1}),
            (4, {**small, "elegance_unit": "player_sum", "season_dealer": "rotate"}),
            (
                3,
                {
                    "collection_size": 3,
                    "medals_group_1": 10,
                    "five_different_medals": 3,
                    "power_pair_requirement": 1,
                },
            ),
            (4, {"collection_size": 4, "families": 4, "five_different": False, "medals_group_1": 1}),
            (6, {"collection_size": 6, **ALL_ACT, "season_dealer": "rotate"}),
            (6, {"bonus_first_tied": 4, "bonus_second": 4, "bonus_carry": False, "season_dealer": "rotate"}),
            (5, {"power_pair_requirement": 1, "spy_depth": 10, "copies_spy": 3}),
            (
                5,
                {
                    **MANY,
                    "power_activations": "once_per_card",
                    "power_pair_requirement": 3,
                    "max_set_size": 5,
                },
            ),
            (3, {**two, **MANY, "collection_size": 7, "max_set_size": 5, "seasons": 1}),
            (
                2,
                {
                    "first_dealer": 1,
                    "season_dealer": "rotate",
                    "excellence_group_size": 3,
                    "tiebreak": "none",
                },
            ),
        ]
    ]


def _attempts(extreme: Extreme, chance: random.Random) -> Iterator[AnimaliaParams]:
    name, value = extreme
    while True:
        players = PLAYERS_NEEDED.get(extreme, chance.randint(2, 6))
        others = [other for other in extremes() if other[0] not in (name, *LONG_GAMES)]
        drawn = dict(chance.sample(others, 3))
        try:
            yield AnimaliaParams.resolve(players, {**drawn, **NEEDED.get(extreme, {}), name: value})
        except RulesError:
            continue
