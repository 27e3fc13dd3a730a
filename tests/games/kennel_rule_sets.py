"""Sets of rules for Kennelmester that together take every parameter to each of its bounds and words."""

from __future__ import annotations

import random
from typing import Any

from balance.errors import RulesError
from balance.games.kennelmester import GAME
from balance.games.kennelmester.params import BARGAIN, KennelmesterParams

from .kennels import RICH, SIZES

Overrides = dict[str, Any]
Extreme = tuple[str, Any]
Size = tuple[int, str]
ROUNDS = 12
"""Rounds that games under odd rules have, as they take long in plain Python."""
LISTS: dict[str, list[Any]] = {
    "litter_table": [[0] * 6, [6] * 6, [3, 2, 1, 0, 5, 4]],
    "litter_probs": [[], [1.0], [0.0] * 6 + [1.0], [1 / 6, 1 / 3, 1 / 3, 1 / 6]],
}
NEEDED: dict[Extreme, Overrides] = {
    ("event_deck_size", 200): {"event_deck_size": 24},
    ("trait_rule", "sum"): {"trait_cap": 5},
    ("round_cap", 500): {"round_cap": 40},
    ("round_cap", 1): {"round_cap": 1},
}
"""What an extreme becomes, or has to come with, so that it can be played in a while."""
CORNERS: list[tuple[Size, Overrides]] = [
    ((2, "competitive"), {**RICH, "stud_deal": "ask", "litter_zero_retry": "free"}),
    (
        (3, "competitive"),
        {**RICH, "birth_costs_action": False, "litter_zero_retry": "free", "gestation_rounds": 0},
    ),
    ((4, "team"), {**RICH, "birth_costs_action": False, "grow_rounds": 0, "gestation_rounds": 0}),
    ((4, "team"), {**RICH, "stud_deal": "ask", "hire_deal": "auto", "sale_price_rule": "split"}),
    ((4, "competitive"), {**RICH, "sale_price_rule": "split", "win_value_bonus": 3, "val_die": -1.25}),
    ((4, "competitive"), {**RICH, "end_check": "immediate", "reputation_target": 6}),
    ((6, "team"), {**RICH, "end_check": "immediate", "team_target": 9, "upkeep_counts_pups": True}),
    ((1, "solo"), {**RICH, "upkeep_divisor": 2, "upkeep_fee": 5, "solo_rounds": 15}),
    ((1, "solo"), {**RICH, "unwon_event": "bottom", "event_deck_size": 9, "spent_cards": "remove"}),
    ((2, "competitive"), {**RICH, "hand_limit_check": "turn_end", "actions_per_turn": 5, "bonus_actions": 3}),
    ((2, "competitive"), {**RICH, "bonus_mode": "any", "bonus_actions": 2, "hand_limit": 1}),
    (
        (3, "competitive"),
        {**RICH, "bonus_draw_same_breed": True, "bonus_actions": 2, "discard_access": "top"},
    ),
    ((3, "competitive"), {**RICH, "spent_cards": "discard", "discard_access": "top", "hand_limit": 2}),
    ((3, "competitive"), {**RICH, "spent_cards": "discard", "discard_access": "off", "upkeep_divisor": 1}),
    (
        (5, "competitive"),
        {**RICH, "off_book_players": True, "profession_match": "any", "prep_exclusive": False},
    ),
    ((6, "competitive"), {**RICH, "off_book_players": True, "inherit_accumulates": False, "trait_cap": 2}),
    (
        (4, "team"),
        {**RICH, "upkeep_divisor": 2, "upkeep_fee": 10, "coin_amount": 0, "litter_zero_retry": "none"},
    ),
    ((2, "competitive"), {**RICH, "trait_rule": "sum", "trait_cap": 7, "litter_zero_retry": "reroll"}),
    ((2, "competitive"), {**RICH, "trait_rule": "max", "pups_sellable": False, "start_coins": 99}),
    ((2, "competitive"), {"start_coins": 0, "coin_amount": 0, "upkeep_divisor": 1, "start_dogs": 3}),
]


def extremes() -> list[Extreme]:
    """Each rule at each bound, or at each word; of lists a few that matter."""
    found: list[Extreme] = []
    for name in KennelmesterParams.rule_names():
        field = KennelmesterParams.model_fields[name]
        if name in LISTS:
            found += [(name, value) for value in LISTS[name]]
        elif field.annotation is bool:
            found += [(name, False), (name, True)]
        elif KennelmesterParams.choices(name):
            found += [(name, word) for word in KennelmesterParams.choices(name)]
        else:
            found += [(name, bound) for bound in KennelmesterParams.bounds(name)]
    return found


def rule_sets() -> list[tuple[Size, Overrides]]:
    """For each extreme a table and overrides, with four others drawn by lot at theirs; then corners."""
    chance = random.Random(2026)
    odd = [_with_others(extreme, chance) for extreme in extremes() if extreme[0] not in BARGAIN]
    return odd + CORNERS


def _with_others(extreme: Extreme, chance: random.Random) -> tuple[Size, Overrides]:
    while True:
        size = chance.choice(SIZES)
        overrides: Overrides = dict(RICH) if chance.random() < 0.6 else {}
        overrides["round_cap"] = ROUNDS
        for name, value in [*chance.sample(extremes(), 4), extreme]:
            overrides |= {name: value} | NEEDED.get(
                (name, value) if not isinstance(value, list) else ("", 0), {}
            )
        try:
            GAME.resolve(size, overrides)
        except RulesError:
            continue
        return size, overrides
