"""What is played to hold Kennelmester's kernels against its referee: all tables, bounds and words, altered decks."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from balance.errors import RulesError
from balance.games.kennelmester.params import BARGAIN, KennelmesterParams

from .kennel_altered import PLACEHOLDER, deck_of

Overrides = dict[str, Any]
Extreme = tuple[str, Any]

TABLES = [("solo", 1), *(("competitive", players) for players in range(2, 7)), ("team", 4), ("team", 6)]
"""Every mode with every number of players that it has."""
COMPANY = TABLES[1:]
DECKS = ("small", "invented", "lone_sexes", "ties", "dear")
FEW_EVENTS = {"small": 8, "lone_sexes": 10}
"""Decks with fewer events than are in play by the rules."""
EACH, LONG, CORNER = 8, 1, 5
"""Games at each extreme, at those whose games are long, and for each corner at each of its tables."""


@dataclass(frozen=True)
class Job:
    """Some games at one table under one set of rules."""

    mode: str
    players: int
    overrides: Overrides = field(hash=False)
    deck: str = PLACEHOLDER
    games: int = EACH

    def params(self) -> KennelmesterParams:
        """The rules in force; RulesError for such as cannot be played."""
        return KennelmesterParams.resolve(self.players, self.overrides, self.mode, deck_of(self.deck))


def job(mode: str, players: int, overrides: Overrides, deck: str = PLACEHOLDER, games: int = EACH) -> Job:
    """A job of short games, with what the number of players and the deck require."""
    needed: Overrides = {"solo_rounds": 8} if mode == "solo" else {"round_cap": 4}
    if mode == "competitive" and players > 4:
        needed["off_book_players"] = True
    if deck in FEW_EVENTS:
        needed["event_deck_size"] = FEW_EVENTS[deck]
    return Job(mode, players, {**needed, **overrides}, deck, games)


# ---------------------------------------------------------------- extremes

ODDS = (0.25, 0.0, 0.5, 0.0, 0.0, 0.0, 0.25)
LISTS: list[Extreme] = [
    *(("litter_table", (pups,) * 6) for pups in (0, 6)),
    *(("litter_probs", odds) for odds in ((), (1.0,), (0.0,) * 6 + (1.0,), ODDS)),
]
"""Lists with every item at a bound, and of each length."""
RICH: Overrides = {"start_dogs": 3, "start_coins": 40, "base_dice": 3}
DULL = (
    "round_cap",
    "solo_rounds",
    "event_deck_size",
    "reputation_target",
    "team_target",
    "start_dogs",
    "start_coins",
)
"""What is not drawn by lot beside other extremes: games that are over before they have begun say little."""
LONG_GAMES = [("round_cap", 500), ("solo_rounds", 200), ("event_deck_size", 200)]
NEEDED: dict[Extreme, Overrides] = {
    ("trait_rule", "sum"): {"trait_cap": 5},
    ("trait_cap", 60): {"trait_rule": "sum"},
    ("round_cap", 500): {"unwon_event": "bottom", "reputation_target": 500, "base_dice": 0},
    ("solo_rounds", 200): {"unwon_event": "bottom", "round_cap": 300},
    ("start_dogs", 0): {"start_coins": 30},
    ("litter_zero_retry", "free"): {"litter_table": [0, 0, 0, 0, 1, 2]},
    ("litter_zero_retry", "reroll"): {"litter_table": [0, 0, 0, 1, 2, 3]},
    ("litter_zero_retry", "none"): {"litter_table": [0, 0, 0, 1, 2, 3]},
    ("inherit_accumulates", False): {"litter_table": [2, 2, 3, 3, 4, 4]},
    ("upkeep_fee", 10): {"start_coins": 2},
    **{(name, bound): {"sale_price_rule": "split"} for name in BARGAIN for bound in (-1000.0, 1000.0)},
}
"""What has to come with an extreme so that it can be played and shows."""
MODES_NEEDED = {
    "solo_target": "solo",
    "solo_rounds": "solo",
    "reputation_target": "competitive",
    "team_target": "team",
}
DEALS = ("sale_", "stud_", "hire_", "prep_fee", "prep_exclusive", "end_check", "tie_break", *BARGAIN)
"""Beginnings of the names of parameters that mean nothing alone."""


def extremes() -> list[Extreme]:
    """Each parameter of section 4, and of 3.2, at each bound (lists: as in LISTS), or at each word."""
    found = list(LISTS)
    for name, kind in KennelmesterParams.model_fields.items():
        if name in ("players", "mode", "deck") or KennelmesterParams.is_list(name):
            continue
        if kind.annotation is bool:
            found += [(name, False), (name, True)]
        elif KennelmesterParams.choices(name):
            found += [(name, word) for word in KennelmesterParams.choices(name)]
        else:
            found += [(name, bound) for bound in KennelmesterParams.bounds(name)]
    return found


def reached(params: KennelmesterParams) -> set[Extreme]:
    """What of `extremes` a set of rules is at."""
    return {(name, getattr(params, name)) for name in KennelmesterParams.rule_names()}


def table_for(extreme: Extreme, chance: random.Random) -> tuple[str, int]:
    """A mode and a number of players with which an extreme means something."""
    name, value = extreme
    if name == "off_book_players":
        return ("competitive", chance.choice([5, 6])) if value else ("competitive", 4)
    if name == "round_cap" and value == 500:
        return "competitive", 2
    mode = MODES_NEEDED.get(name)
    tables = COMPANY if name.startswith(DEALS) else TABLES
    return chance.choice([table for table in tables if mode in (None, table[0])])


def attempts(extreme: Extreme, chance: random.Random) -> Iterator[Job]:
    """Jobs at an extreme that can be played, with three other parameters at theirs."""
    apart = (extreme[0], "off_book_players", *DULL, *BARGAIN)
    others = [other for other in extremes() if other[0] not in apart]
    while True:
        mode, players = table_for(extreme, chance)
        deck = "largest" if extreme == ("event_deck_size", 200) else chance.choice([PLACEHOLDER, *DECKS])
        drawn = [*chance.sample(others, 3), extreme]
        overrides = dict(RICH) if chance.random() < 0.7 else {}
        for name, value in drawn:
            overrides |= NEEDED.get((name, value), {})
        overrides |= {name: list(value) if isinstance(value, tuple) else value for name, value in drawn}
        found = job(mode, players, overrides, deck, LONG if extreme in LONG_GAMES else EACH)
        try:
            found.params()
        except RulesError:
            continue
        yield found


# ---------------------------------------------------------------- corners

BREEDING: Overrides = {
    "start_dogs": 3,
    "actions_per_turn": 5,
    "start_coins": 30,
    "litter_table": [2] * 6,
}
RARE: Overrides = {**BREEDING, "litter_table": [0, 0, 0, 0, 0, 2]}
BY_ITSELF: Overrides = {"birth_costs_action": False}
POOR: Overrides = {
    **BREEDING,
    "litter_table": [3, 3, 4, 4, 6, 6],
    "upkeep_divisor": 1,
    "upkeep_fee": 3,
    "start_coins": 3,
}
AT_ONCE: Overrides = {"end_check": "immediate", "reputation_target": 3, "team_target": 5}
ODD: Overrides = {
    "deal_margin": -0.75,
    "val_resale_factor": 0.37,
    "val_die": 1.25,
    "val_mate_bonus": 3.5,
    "val_upkeep_rounds": 2.125,
    "val_stud": 0.5,
    "val_own_prep": 4.25,
    "val_rival": 0.123456,
}
BELOW: Overrides = {"val_mate_bonus": -3.3, "val_die": -0.7, "val_upkeep_rounds": -5.5, "upkeep_divisor": 2}
SPLIT: Overrides = {**RICH, **ODD, "sale_price_rule": "split"}
ONE_BREED: Overrides = {"bonus_draw_same_breed": True}
FREELY: Overrides = {"litter_zero_retry": "free"}
AGAIN: Overrides = {"litter_zero_retry": "reroll"}
NO_GROWING: Overrides = {"grow_rounds": 0, "gestation_rounds": 0}

CORNERS: list[tuple[Overrides, str]] = [
    # litters of none, births by themselves, and what may follow at once
    ({**RARE, **FREELY, "stud_deal": "ask"}, PLACEHOLDER),
    ({**RARE, **FREELY, "stud_deal": "ask", "upkeep_divisor": 0}, "ties"),
    ({**RARE, **FREELY, "stud_deal": "ask", **BY_ITSELF, "litter_table": [0] * 6}, "lone_sexes"),
    ({**RARE, **FREELY, **BY_ITSELF}, "small"),
    ({**RARE, **FREELY, **BY_ITSELF, "gestation_rounds": 0}, "ties"),
    ({**RARE, **AGAIN, "litter_table": [0, 0, 0, 1, 1, 2], "grow_rounds": 0}, "small"),
    ({**RARE, **AGAIN, "litter_probs": [0.7, 0.1, 0.2]}, PLACEHOLDER),
    ({**RARE, "litter_zero_retry": "none", **NO_GROWING}, "dear"),
    ({**BREEDING, "grow_rounds": 2, **BY_ITSELF, "litter_table": [4, 4, 4, 5, 5, 5]}, "ties"),
    ({**BREEDING, "grow_rounds": 2, **BY_ITSELF, "litter_table": [1] * 6, "round_cap": 6}, "ties"),
    ({**BREEDING, **NO_GROWING, "litter_table": [3] * 6}, "small"),
    ({**BREEDING, **AGAIN, "litter_table": [0, 0, 2, 4, 6, 6]}, "small"),
    # inheritance
    ({**BREEDING, "trait_rule": "sum", "trait_cap": 7, **NO_GROWING}, "invented"),
    ({**BREEDING, "trait_rule": "max", "inherit_accumulates": False, "trait_cap": 3}, "invented"),
    ({**BREEDING, "trait_rule": "max", "stud_die_fee": 2, "grow_rounds": 0}, PLACEHOLDER),
    # debts
    (POOR, PLACEHOLDER),
    ({**POOR, "pups_sellable": False, "hire_deal": "auto"}, PLACEHOLDER),
    ({**POOR, "upkeep_counts_pups": True, **BY_ITSELF, "spent_cards": "remove"}, "ties"),
    ({**POOR, "sale_price_rule": "split", "spent_cards": "discard"}, "lone_sexes"),
    ({**POOR, "sale_deal": "off", "grow_rounds": 3, "start_coins": 5}, "small"),
    # deals and prices
    (SPLIT, PLACEHOLDER),
    ({**SPLIT, "start_coins": 4, "upkeep_divisor": 2}, "dear"),
    ({**SPLIT, "win_value_bonus": 3, "upkeep_divisor": 3, "bonus_actions": 2}, "ties"),
    ({**SPLIT, **BELOW}, "invented"),
    ({**RICH, "stud_deal": "ask", "prep_fee": 3, "profession_match": "any"}, "ties"),
    ({**RICH, "profession_match": "any", "prep_exclusive": False}, PLACEHOLDER),
    ({**RICH, "hire_deal": "auto", "stud_deal": "ask", "start_coins": 3}, "invented"),
    ({**RICH, "hire_deal": "auto", "profession_match": "any", "actions_per_turn": 3}, PLACEHOLDER),
    # hands, piles and bonus actions
    ({"hand_limit": 1, "hand_limit_check": "turn_end", "discard_access": "top"}, "small"),
    ({"hand_limit": 2, "discard_access": "top", "spent_cards": "discard", "actions_per_turn": 3}, "dear"),
    ({"hand_limit": 2, "discard_access": "off", **ONE_BREED, "bonus_actions": 3}, "small"),
    ({"bonus_mode": "any", "bonus_actions": 3, "actions_per_turn": 1, "start_coins": 20}, "dear"),
    ({**BREEDING, "actions_per_turn": 1, "bonus_actions": 3, **ONE_BREED}, PLACEHOLDER),
    ({**BREEDING, "actions_per_turn": 1, "bonus_actions": 2, "round_cap": 8}, "ties"),
    ({**RICH, "bonus_actions": 2, "bonus_trade_same_breed": False, **ONE_BREED}, "lone_sexes"),
    ({**RICH, "bonus_actions": 3, **ONE_BREED, "sale_deal": "off"}, "ties"),
    # events and the end
    ({**AT_ONCE, **RICH}, "dear"),
    (
        {**AT_ONCE, "start_dogs": 3, "base_dice": 0, "prep_dice": 0, "actions_per_turn": 5, "hand_limit": 9},
        "dear",
    ),
    ({**AT_ONCE, "start_dogs": 2, "base_dice": 4}, "ties"),
    ({**RICH, "unwon_event": "remove", "event_deck_size": 5, "tie_break": "coins", "round_cap": 9}, "ties"),
    ({**RICH, "solo_target": 2, "reputation_target": 4, "team_target": 6, "round_cap": 9}, "ties"),
    ({"base_dice": 0, "prep_dice": 0, "unwon_event": "bottom", "tie_break": "coins"}, "small"),
    ({"start_coins": 0, "start_dogs": 0, "actions_per_turn": 6, "hand_limit": 20}, "small"),
]
"""Rules that act together, with the deck that they are played with."""


def corner(at: int, table: tuple[str, int]) -> Job:
    """A corner at a table; a small deck has few dogs to begin with."""
    overrides, deck = CORNERS[at]
    mode, players = table
    dogs = len(deck_of(deck).dogs) // players
    few = {**overrides, "start_dogs": min(dogs, overrides.get("start_dogs", 1))}
    return job(mode, players, few, deck, CORNER)


def rule_sets() -> list[Job]:
    """A job for each extreme at a table drawn by lot; then the corners, each at four tables."""
    chance = random.Random(2026)
    odd = [next(attempts(extreme, chance)) for extreme in extremes()]
    for at in range(len(CORNERS)):
        odd += [corner(at, TABLES[(3 * at + step) % len(TABLES)]) for step in (0, 1, 3, 6)]
    return odd


# ---------------------------------------------------------------- all games

GAMES, WHOLE = 2000, 2
"""Games in all, and those that go by the official rules to their end at each table."""


def jobs() -> list[Job]:
    """GAMES games: under odd rules, by the official rules to the end, and by those for a few rounds."""
    played = rule_sets()
    played += [Job(*table, {"off_book_players": True}, games=WHOLE) for table in TABLES]
    left = GAMES - sum(each.games for each in played)
    share = [(left + at) // len(TABLES) for at in range(len(TABLES))]
    return played + [job(*table, {}, games=games) for table, games in zip(TABLES, share, strict=True)]
