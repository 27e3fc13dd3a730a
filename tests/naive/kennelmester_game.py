"""A slow, plain referee for the board game Kennelmester, to be read beside the rules.

The names in brackets are rules (K-12), rulings (A-28), bargaining rules (B-2) and decisions (D-2) of the
rules contract. Cards are strings, a deck is a list with its top card first, a pile of discards a list with
its top card last, a trait vector a list of five numbers. Nothing here is fast and nothing is clever; where
the rules say a thing in one sentence, there should be one small function that says it again.

Contents: parameters, cards, the arithmetic of the game (traits, fees, bonus, valuations, contest, end,
ranks), chance, and `Game`, which plays by the rules and writes its events. What judges others is in
`kennelmester`.
"""

from __future__ import annotations

import csv
import json
import math
import random
import re
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from .lines import is_int

TRAITS = ["appearance", "speed", "balance", "instinct", "trainability"]
TYPES = ["work", "sport", "show"]
SEXES = ["male", "female"]
MODES = ["solo", "competitive", "team"]

# Kinds of action codes (6.3).
PASS, COIN, DRAW_DOG, TAKE_DOG, DRAW_CUSTOMER, TAKE_CUSTOMER, BUY = range(7)
SELL_CUSTOMER, SELL_PLAYER, MATE, BIRTH, ENTER, ENTER_MORE = range(7, 13)
DISCARD_DOG, DISCARD_CUSTOMER, GIFT, RELEASE, CONSENT, START_BREED = range(13, 19)
KIND_NAMES = "PASS COIN DRAW_DOG TAKE_DOG DRAW_CUSTOMER TAKE_CUSTOMER BUY SELL_CUSTOMER SELL_PLAYER MATE"
KIND_NAMES += " BIRTH ENTER ENTER_MORE DISCARD_DOG DISCARD_CUSTOMER GIFT RELEASE CONSENT START_BREED"
ACTION_KINDS = {  # K-16
    COIN: "coin",
    DRAW_DOG: "draw_dog",
    TAKE_DOG: "draw_dog",
    DRAW_CUSTOMER: "draw_customer",
    TAKE_CUSTOMER: "draw_customer",
    BUY: "trade",
    SELL_CUSTOMER: "trade",
    SELL_PLAYER: "trade",
    MATE: "mate",
    BIRTH: "birth",
    ENTER: "enter",
}
NOBODY = 15

Rules = dict[str, Any]  # "mode", "players" and every parameter of section 4
Event = dict[str, Any]
Decks = dict[str, list[dict[str, Any]]]  # characters, dogs, customers, events, as in the header of a trace
Vector = list[int]  # dice per trait
Script = Generator[None, int, Any]  # stops at every decision and is sent the code chosen


class RulesError(ValueError):
    """A rule set or deck that the rules do not allow; `names` are the parameters of the broken bound."""

    def __init__(self, names: list[str], text: str) -> None:
        super().__init__(f"{', '.join(names)}: {text}")
        self.names = names


# ------------------------------------------------------------------------------------- parameters

PARAMETERS: list[tuple[str, Any, Any]] = [  # name, default, bounds: (lowest, highest), the words, None
    ("litter_table", [0, 1, 1, 2, 2, 3], (0, 6)),
    ("litter_probs", [], None),
    ("litter_zero_retry", "action", ("action", "free", "reroll", "none")),
    ("gestation_rounds", 1, (0, 5)),
    ("grow_rounds", 1, (0, 5)),
    ("birth_costs_action", True, None),
    ("off_book_players", False, None),
    ("start_coins", 5, (0, 99)),
    ("start_dogs", 1, (0, 3)),
    ("actions_per_turn", 2, (1, 6)),
    ("bonus_mode", "same_kind", ("same_kind", "any", "off")),
    ("bonus_actions", 1, (0, 3)),
    ("bonus_trade_same_breed", True, None),
    ("bonus_draw_same_breed", False, None),
    ("coin_amount", 1, (0, 10)),
    ("hand_limit", 4, (1, 20)),
    ("hand_limit_check", "immediate", ("immediate", "turn_end")),
    ("discard_access", "any", ("any", "top", "off")),
    ("spent_cards", "recycle", ("recycle", "discard", "remove")),
    ("win_value_bonus", 1, (0, 10)),
    ("pups_sellable", True, None),
    ("sale_deal", "ask", ("ask", "off")),
    ("sale_price_rule", "list", ("list", "split")),
    ("stud_deal", "auto", ("auto", "ask", "off")),
    ("stud_base_fee", 1, (0, 20)),
    ("stud_die_fee", 1, (0, 20)),
    ("trait_rule", "min", ("min", "max", "sum", "off")),
    ("inherit_accumulates", True, None),
    ("trait_cap", 0, (0, 60)),
    ("base_dice", 1, (0, 10)),
    ("prep_dice", 1, (0, 10)),
    ("prep_fee", 1, (0, 20)),
    ("prep_exclusive", True, None),
    ("profession_match", "event_type", ("event_type", "any")),
    ("hire_deal", "ask", ("ask", "auto", "off")),
    ("upkeep_divisor", 4, (0, 20)),
    ("upkeep_fee", 1, (0, 10)),
    ("upkeep_counts_pups", False, None),
    ("unwon_event", "auto", ("auto", "bottom", "remove")),
    ("event_deck_size", 24, (1, 200)),
    ("reputation_target", 24, (1, 500)),
    ("team_target", 48, (1, 500)),
    ("solo_target", 48, (1, 500)),
    ("solo_rounds", 24, (1, 200)),
    ("end_check", "round_end", ("round_end", "immediate")),
    ("tie_break", "shared", ("shared", "coins")),
    ("round_cap", 60, (1, 500)),
]
NAMES = [name for name, _, _ in PARAMETERS]

BARGAIN: dict[str, float] = {  # 3.2
    "deal_margin": 0.0,
    "val_resale_factor": 0.5,
    "val_die": 0.5,
    "val_mate_bonus": 2.0,
    "val_upkeep_rounds": 4,
    "val_stud": 1.0,
    "val_own_prep": 2.0,
    "val_rival": 0.5,
}


def is_number(value: Any) -> bool:
    return type(value) in (int, float) and math.isfinite(value)


def check_value(name: str, value: Any, default: Any, bounds: Any) -> None:
    """Raise RulesError unless the value has the type of the default and keeps within the bounds."""
    if name == "litter_probs":
        check_probabilities(value)
    elif name == "litter_table":
        good = type(value) is list and len(value) == 6 and all(is_int(pups) for pups in value)
        if not good or not all(bounds[0] <= pups <= bounds[1] for pups in value):
            raise RulesError([name], f"six whole numbers from 0 to 6 are due, not {value!r}")
    elif type(value) is not type(default):
        raise RulesError([name], f"a value of type {type(default).__name__} is due, not {value!r}")
    elif isinstance(value, str) and value not in bounds:
        raise RulesError([name], f"one of {', '.join(bounds)} is due, not {value!r}")
    elif is_int(value) and not bounds[0] <= value <= bounds[1]:
        raise RulesError([name], f"a number from {bounds[0]} to {bounds[1]} is due, not {value}")


def check_probabilities(value: Any) -> None:
    if type(value) is not list or len(value) > 7 or not all(is_number(p) and p >= 0 for p in value):
        raise RulesError(["litter_probs"], f"up to seven probabilities are due, not {value!r}")
    if value and abs(sum(value) - 1) > 1e-9:
        raise RulesError(["litter_probs"], f"the probabilities must sum to 1, not {sum(value)}")


def resolve(players: int, overrides: Mapping[str, Any] | None = None) -> Rules:
    """The defaults, then the overrides; every parameter in its order, after "mode" and "players".

    The mode is an override; without it one player plays solo, several the competitive game.
    """
    given = dict(overrides or {})
    if not is_int(players):
        raise RulesError(["players"], f"a whole number is due, not {players!r}")
    mode = given.pop("mode", "solo" if players == 1 else "competitive")
    if mode not in MODES:
        raise RulesError(["mode"], f"one of {', '.join(MODES)} is due, not {mode!r}")
    rules: Rules = {"mode": mode, "players": players}
    for name in given:
        if name not in NAMES:
            raise RulesError([name], "there is no such parameter")
    for name, default, bounds in PARAMETERS:
        value = given.get(name, default)
        check_value(name, value, default, bounds)
        rules[name] = list(value) if isinstance(value, list) else value
    seats = {"solo": [1], "competitive": [2, 3, 4], "team": [4, 6]}[mode]  # K-1, A-62, A-63
    if mode == "competitive" and rules["off_book_players"]:
        seats = [2, 3, 4, 5, 6]
    if players not in seats:
        raise RulesError(["players", "mode"], f"{mode} is played by {seats}, not by {players}")
    if rules["trait_rule"] == "sum" and rules["trait_cap"] < 1:
        raise RulesError(["trait_rule", "trait_cap"], "sum needs a trait_cap of at least 1")
    return rules


def sides_of(rules: Rules) -> list[int]:
    """1.6: the side of each player."""
    sides = rules["players"] // 2 if rules["mode"] == "team" else rules["players"]
    return [player % sides for player in range(rules["players"])]


def start_coins(rules: Rules) -> list[int]:
    """K-6: the coins of each side."""
    sides = sides_of(rules)
    return [sides.count(side) * rules["start_coins"] for side in range(max(sides) + 1)]


def target_of(rules: Rules) -> int:
    """The target of the mode."""
    name = {"solo": "solo_target", "competitive": "reputation_target", "team": "team_target"}[rules["mode"]]
    return int(rules[name])


def turn_order(players: int, round_number: int) -> list[int]:
    """K-11."""
    return [(round_number - 1 + step) % players for step in range(players)]


def start_order(rules: Rules) -> list[int]:
    """K-5, A-75: who takes each starting dog."""
    return list(range(rules["players"])) * int(rules["start_dogs"])


# ------------------------------------------------------------------------------------------ cards


def read_table(path: Path) -> list[dict[str, str]]:
    """The rows of one file of a deck, blanks stripped."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        return [{key: (cell or "").strip() for key, cell in row.items()} for row in csv.DictReader(file)]


def read_decks(folder: Path) -> Decks:
    """The four files of 5.1 in their plain form: commas, one row per card."""
    characters = [
        {"id": row["id"], "prep": [kind for kind in TYPES if row[f"prep_{kind}"] == "1"]}
        for row in read_table(folder / "characters.csv")
    ]
    dogs = [
        {
            "id": row["id"],
            "breed": row["breed"],
            "sex": row["sex"],
            "price": int(row["price"]),
            "traits": {row["trait1"]: int(row["dice1"]), row["trait2"]: int(row["dice2"])},
        }
        for row in read_table(folder / "dogs.csv")
    ]
    customers = [
        {
            "id": row["id"],
            "breed": row["breed"] or None,
            "sex": row["sex"] or None,
            "bonuses": [
                {
                    "trait": row[f"bonus{n}_trait"],
                    "min": int(row[f"bonus{n}_min"]),
                    "coins": int(row[f"bonus{n}_coins"]),
                    "reputation": int(row[f"bonus{n}_rep"]),
                }
                for n in (1, 2)
                if row[f"bonus{n}_trait"]
            ],
        }
        for row in read_table(folder / "customers.csv")
    ]
    events = [
        {
            "id": row["id"],
            "type": row["type"],
            "cost": int(row["cost"]),
            "traits": [row[name] for name in ("trait1", "trait2", "trait3") if row[name]],
            "required": int(row["required"]),
            "target": int(row["target"]),
            "reputation": int(row["reputation"]),
        }
        for row in read_table(folder / "events.csv")
    ]
    return {"characters": characters, "dogs": dogs, "customers": customers, "events": events}


def ids(cards: list[dict[str, Any]]) -> list[str]:
    return [card["id"] for card in cards]


def breeds_of(decks: Decks) -> list[str]:
    """6.3: in the order of first appearance."""
    return list(dict.fromkeys(dog["breed"] for dog in decks["dogs"]))


def deck_faults(rules: Rules, decks: Decks) -> list[str]:
    """What 5.1 does not allow in decks whose values have the right types."""
    faults: list[str] = []

    def need(holds: bool, text: str) -> None:
        if not holds:
            faults.append(text)

    every = [name for cards in decks.values() for name in ids(cards)]
    need(len(set(every)) == len(every), "an id stands twice")
    need(all(re.fullmatch("[a-z0-9_]+", name) for name in every), "an id has other signs than a-z 0-9 _")
    for kind, most in (("characters", 64), ("dogs", 1000), ("customers", 500), ("events", 200)):
        need(len(decks[kind]) <= most, f"there are more than {most} {kind}")
    need(len(breeds_of(decks)) <= 64, "there are more than 64 breeds")
    for card in decks["characters"]:
        prep = card["prep"]
        need(set(prep) <= set(TYPES) and len(set(prep)) == len(prep), f"{card['id']}: event types")
    for card in decks["dogs"]:
        need(card["sex"] in SEXES, f"{card['id']}: sex")
        need(0 <= card["price"] <= 50, f"{card['id']}: price")
        need(len(card["traits"]) == 2 and set(card["traits"]) <= set(TRAITS), f"{card['id']}: traits")
        need(all(1 <= dice <= 6 for dice in card["traits"].values()), f"{card['id']}: dice")
    for card in decks["customers"]:
        need(card["breed"] is None or card["breed"] in breeds_of(decks), f"{card['id']}: breed")
        need(card["sex"] is None or card["sex"] in SEXES, f"{card['id']}: sex")
        need(len(card["bonuses"]) <= 2, f"{card['id']}: more than two rewards")
        for reward in card["bonuses"]:
            good = reward["min"] >= 1 and reward["coins"] >= 0 and reward["reputation"] >= 0
            need(good and reward["trait"] in TRAITS, f"{card['id']}: reward")
    for card in decks["events"]:
        traits = card["traits"]
        need(card["type"] in TYPES, f"{card['id']}: type")
        need(1 <= len(traits) <= 3 and len(set(traits)) == len(traits), f"{card['id']}: number of traits")
        need(set(traits) <= set(TRAITS), f"{card['id']}: traits")
        for name, low, high in (
            ("cost", 0, 20),
            ("required", 1, 20),
            ("target", 2, 6),
            ("reputation", 0, 50),
        ):
            need(low <= card[name] <= high, f"{card['id']}: {name}")
    need(len(decks["characters"]) >= rules["players"], "there are fewer characters than players")
    need(len(decks["events"]) >= rules["event_deck_size"], "there are fewer events than event_deck_size")
    need(len(decks["dogs"]) >= len(start_order(rules)), "there are fewer dogs than starting dogs")
    return faults


def encode(kind: int, a: int = 0, b: int = 0) -> int:
    """6.3."""
    assert 0 <= a < 4096
    assert 0 <= b < 4096
    return kind << 24 | a << 12 | b


def decode(code: int) -> tuple[int, int, int]:
    return code >> 24, code >> 12 & 4095, code & 4095


# ------------------------------------------------------------------------------------ trait vectors


def as_vector(traits: Mapping[str, int]) -> Vector:
    return [traits.get(name, 0) for name in TRAITS]


def as_object(vector: Vector) -> dict[str, int]:
    """1.1: only the non-zero traits."""
    return {name: dice for name, dice in zip(TRAITS, vector, strict=True) if dice}


def capped(rules: Rules, vector: Vector) -> Vector:
    """K-83."""
    cap = rules["trait_cap"]
    return [min(dice, cap) for dice in vector] if cap > 0 else list(vector)


def total_of(rules: Rules, card: Vector, inherited: Vector) -> Vector:
    """1.5, K-82: card and inheritance, limited."""
    return capped(rules, [a + b for a, b in zip(card, inherited, strict=True)])


def basis_of(rules: Rules, card: Vector, inherited: Vector) -> Vector:
    """1.5: what a dog passes on."""
    return total_of(rules, card, inherited if rules["inherit_accumulates"] else [0] * 5)


def inherit(rules: Rules, mother: Vector, father: Vector) -> Vector:
    """K-80, K-81: from the parents' `basis`."""
    ways: dict[str, Callable[[int, int], int]] = {
        "min": min,
        "max": max,
        "sum": lambda a, b: a + b,
        "off": lambda _a, _b: 0,
    }
    way = ways[rules["trait_rule"]]
    return [way(a, b) if a and b else 0 for a, b in zip(mother, father, strict=True)]


def stud_fee(rules: Rules, inherited: Vector, own_side: bool) -> int:
    """K-32."""
    return 0 if own_side else int(rules["stud_base_fee"] + rules["stud_die_fee"] * sum(inherited))


# ------------------------------------------------------------------------------- bonus, valuations, upkeep


def bonus_earned(rules: Rules, actions: list[dict[str, Any]]) -> dict[str, Any]:
    """K-15, K-17: from the kind and breed of the regular actions; `breed` only if the bonus is tied to it."""
    kinds = {action["kind"] for action in actions}
    if rules["bonus_mode"] == "off" or rules["bonus_actions"] == 0 or len(kinds) > 1:
        return {"earned": False}
    kind = actions[0]["kind"]
    by_trade = kind == "trade" and rules["bonus_trade_same_breed"]
    by_draw = kind == "draw_dog" and rules["bonus_draw_same_breed"]
    if not by_trade and not by_draw:
        return {"earned": True, "kind": kind}
    if len({action["breed"] for action in actions}) > 1:
        return {"earned": False}
    if rules["bonus_mode"] == "any":
        return {"earned": True, "kind": kind}
    return {"earned": True, "kind": kind, "breed": actions[0]["breed"]}


def upkeep_due(rules: Rules, adults: int, pups: int) -> tuple[int, int]:
    """K-60: the dogs counted and the coins due."""
    counted = adults + (pups if rules["upkeep_counts_pups"] else 0)
    if rules["upkeep_divisor"] == 0:
        return counted, 0
    return counted, rules["upkeep_fee"] * (counted // rules["upkeep_divisor"])


def rewards(customer: dict[str, Any], total: Vector) -> tuple[int, int]:
    """K-25, A-16: coins and reputation of the trait rewards for a dog with this total."""
    paid = [r for r in customer["bonuses"] if total[TRAITS.index(r["trait"])] >= r["min"]]
    return sum(r["coins"] for r in paid), sum(r["reputation"] for r in paid)


def valuation(
    rules: Rules,
    bargain: Mapping[str, float],
    value: int,
    dice: int,
    customer_offers: list[int],
    mate_case: bool,
    other_adults: int,
) -> float:
    """B-1."""
    resale = max([bargain["val_resale_factor"] * value, *customer_offers])
    mate = bargain["val_mate_bonus"] if mate_case else 0
    divisor = rules["upkeep_divisor"]
    full = divisor > 0 and (other_adults + 1) % divisor == 0
    keep = bargain["val_upkeep_rounds"] * rules["upkeep_fee"] if full else 0
    return float(resale + bargain["val_die"] * dice + mate - keep)


def sale_price(price_rule: str, value: int, seller: float, buyer: float, buyer_coins: int) -> int:
    """B-2: the price between different sides from the two valuations."""
    if price_rule == "list":
        return value
    return min(max(math.floor((seller + buyer) / 2 + 1e-9), 0), buyer_coins)


def deal_made(price: int, seller: float, buyer: float, buyer_coins: int, margin: float) -> bool:
    """B-2: the seller offers and the buyer accepts."""
    return price - seller > margin and buyer - price > margin and buyer_coins >= price


# ----------------------------------------------------------------------------------- contest, end, ranks


def dice_parts(rules: Rules, event_traits: list[str], total: Vector, prepared: bool) -> tuple[int, int, int]:
    """K-71: base, trait and preparation dice."""
    traits = sum(total[TRAITS.index(trait)] for trait in event_traits)
    return rules["base_dice"], traits, rules["prep_dice"] if prepared else 0


def judge(dice: list[int], required: int, target: int) -> tuple[int, bool, int]:
    """K-72, K-73: successes, qualified, result."""
    good = [die for die in dice if die >= target]
    qualified = len(good) >= required
    return len(good), qualified, sum(good) if qualified else 0


def unwon_goes(rules: Rules) -> str:
    """K-76: `bottom` or `removed`."""
    fate = rules["unwon_event"]
    if fate == "auto":
        fate = "remove" if rules["mode"] == "solo" else "bottom"
    return "bottom" if fate == "bottom" else "removed"


def end_reason(rules: Rules, side_reputation: list[int], events_left: int, round_number: int) -> str | None:
    """K-90, K-93, K-94, K-96, K-98: why the game ends after this round."""
    if rules["mode"] != "solo" and max(side_reputation) >= target_of(rules):
        return "target"
    if rules["mode"] == "solo" and round_number >= rules["solo_rounds"]:
        return "solo_rounds"
    if events_left == 0:
        return "events_exhausted"
    return "round_cap" if round_number >= rules["round_cap"] else None


def ranking(rules: Rules, side_reputation: list[int], coins: list[int]) -> dict[str, Any]:
    """K-91, K-92, K-98: ranks and win shares of the sides."""
    with_coins = rules["tie_break"] == "coins"
    standing = [(rep, own if with_coins else 0) for rep, own in zip(side_reputation, coins, strict=True)]
    ranks = [1 + len([other for other in standing if other > own]) for own in standing]
    if rules["mode"] == "solo":
        shares = [1.0 if side_reputation[0] >= rules["solo_target"] else 0.0]
    else:
        shares = [1 / ranks.count(1) if rank == 1 else 0.0 for rank in ranks]
    return {"ranks": ranks, "win_shares": shares}


# ----------------------------------------------------------------------------------------- chance


class Chance(Protocol):
    """What the game takes from chance once it has begun."""

    def refill(self, deck: str, breed: str | None, cards: list[str]) -> list[str]:
        """The cards shuffled."""

    def litter_die(self) -> int: ...

    def litter_size(self, probs: list[float]) -> int: ...

    def contest_dice(self, dog: str, count: int) -> list[int]: ...

    def tie_die(self, dog: str) -> int: ...


class Rolled:
    """Chance from Python's generator."""

    def __init__(self, source: random.Random) -> None:
        self.source = source

    def refill(self, deck: str, breed: str | None, cards: list[str]) -> list[str]:  # noqa: ARG002
        return self.source.sample(cards, len(cards))

    def litter_die(self) -> int:
        return self.source.randint(1, 6)

    def litter_size(self, probs: list[float]) -> int:
        return self.source.choices(range(len(probs)), probs)[0]

    def contest_dice(self, dog: str, count: int) -> list[int]:  # noqa: ARG002
        return [self.source.randint(1, 6) for _ in range(count)]

    def tie_die(self, dog: str) -> int:  # noqa: ARG002
        return self.source.randint(1, 6)


def shuffled_orders(rules: Rules, decks: Decks, source: random.Random) -> dict[str, Any]:
    """K-3: the four orders of the `setup` line."""
    dogs = {breed: [c["id"] for c in decks["dogs"] if c["breed"] == breed] for breed in breeds_of(decks)}
    orders: dict[str, Any] = {
        "character_order": ids(decks["characters"]),
        "customer_order": ids(decks["customers"]),
        "dog_order": dogs,
        "event_order": ids(decks["events"]),
    }
    for order in (*dogs.values(), *(value for value in orders.values() if isinstance(value, list))):
        source.shuffle(order)
    orders["event_order"] = orders["event_order"][: rules["event_deck_size"]]
    return orders


def order_faults(rules: Rules, decks: Decks, orders: Mapping[str, Any]) -> list[str]:
    """What is wrong with the orders of a `setup` line."""
    faults = []
    for name, kind in (("character_order", "characters"), ("customer_order", "customers")):
        if sorted(orders[name]) != sorted(ids(decks[kind])):
            faults.append(f"{name} is not made of the {kind}")
    events = orders["event_order"]
    if len(set(events)) != len(events) or not set(events) <= set(ids(decks["events"])):
        faults.append("event_order is not made of different events")
    if len(events) != rules["event_deck_size"]:
        faults.append(f"event_order must have {rules['event_deck_size']} cards")
    if sorted(orders["dog_order"]) != sorted(breeds_of(decks)):
        faults.append("dog_order does not name each breed")
    for breed, order in orders["dog_order"].items():
        if sorted(order) != sorted(card["id"] for card in decks["dogs"] if card["breed"] == breed):
            faults.append(f"dog_order of {breed} is not made of its dogs")
    return faults


# ------------------------------------------------------------------------------------------- the game


@dataclass
class Dog:
    """1.5: the record of a dog in a kennel."""

    card: str
    owner: int
    stage: str = "adult"
    inherited: Vector = field(default_factory=lambda: [0] * 5)
    wins: int = 0
    used_round: int = 0
    entered_round: int = 0
    pregnancy: dict[str, Any] | None = None  # father, inherited (a vector), round
    nursing_round: int | None = None
    born_round: int | None = None

    @property
    def adult(self) -> bool:
        return self.stage == "adult"


class TargetReachedError(Exception):
    """K-90 with `end_check = "immediate"`: the game ends at this very moment."""


class Game:
    """One game. `orders` are the shuffled decks as in a `setup` line, `chance` gives the rest.

    The game runs by itself up to the next list of at least two options. Then `decision` and `player` say who
    decides what, `legal_actions()` is the list, and `apply(code)` goes on from there. With `every` it stops
    at lists with a single option too.
    """

    def __init__(
        self,
        rules: Rules,
        decks: Decks,
        orders: Mapping[str, Any],
        chance: Chance,
        bargain: Mapping[str, float] | None = None,
        every: bool = False,
    ) -> None:
        given = {name: value for name, value in rules.items() if name != "players"}
        rules = resolve(rules["players"], given)
        faults = deck_faults(rules, decks) or order_faults(rules, decks, orders)
        if faults:
            raise RulesError(["decks"], "; ".join(faults))
        self._lay_out(rules, decks, chance, bargain, every)
        self._deal(orders)
        self._start(self._play())

    def _lay_out(
        self,
        rules: Rules,
        decks: Decks,
        chance: Chance | None,
        bargain: Mapping[str, float] | None = None,
        every: bool = True,
    ) -> None:
        """The table before the first card is shuffled."""
        players = range(rules["players"])
        self.rules = rules
        self.decks = decks
        self.chance = chance
        self.bargain = dict(bargain or BARGAIN)
        self.every = every
        self.events: list[Event] = []
        # cards
        self.card = {card["id"]: card for cards in decks.values() for card in cards}
        self.printed = {card["id"]: as_vector(card["traits"]) for card in decks["dogs"]}
        self.dog_ids, self.customer_ids = ids(decks["dogs"]), ids(decks["customers"])
        self.number = {name: at for cards in decks.values() for at, name in enumerate(ids(cards))}
        self.breeds = breeds_of(decks)
        # piles
        self.orders: dict[str, Any] = {}
        self.dog_decks: dict[str, list[str]] = {breed: [] for breed in self.breeds}
        self.dog_discards: dict[str, list[str]] = {breed: [] for breed in self.breeds}
        self.dog_spent: dict[str, list[str]] = {breed: [] for breed in self.breeds}
        self.customer_deck: list[str] = []
        self.customer_discards: list[str] = []
        self.customer_spent: list[str] = []
        self.gone: list[str] = []
        self.event_deck: list[str] = []
        self.events_removed: list[str] = []
        self.current: str | None = None
        # players and sides
        self.sides = sides_of(rules)
        self.coins = start_coins(rules)
        self.characters: list[str] = []
        self.kennels: list[list[Dog]] = [[] for _ in players]
        self.hand_dogs: list[list[str]] = [[] for _ in players]
        self.hand_customers: list[list[str]] = [[] for _ in players]
        self.reputation = [0 for _ in players]
        self.events_won: list[list[str]] = [[] for _ in players]
        self.breeds_named: list[list[str]] = [[] for _ in players]
        self.dogs_received: list[list[str]] = [[] for _ in players]
        # round: K-53 refers to the number of the round, 0 is never
        self.round = 0
        self.prepared_own = [0 for _ in players]
        self.helped = [0 for _ in players]
        self.entered: list[dict[str, Any]] = []  # player, dog, prepared
        # turn
        self.active = 0
        self.n = 0
        self.bonus = False
        self.actions: list[dict[str, Any]] = []  # kind and breed of the regular actions
        self.earned: dict[str, Any] = {"earned": False}
        self.refused: list[tuple[str, Any, int]] = []
        self.entries: list[dict[str, Any]] = []  # of the `enter` action under way
        self.proposal: Event | None = None  # what D-6 is about, in the words of a `refuse` line
        self.mother: str | None = None  # whom D-8 is about
        # what is asked now
        self.over = False
        self.decision: str | None = None
        self.player: int | None = None
        self._options: list[int] = []

    def _deal(self, orders: Mapping[str, Any]) -> None:
        """K-3, K-4."""
        self.orders = copied(dict(orders))
        self.dog_decks = {breed: list(orders["dog_order"][breed]) for breed in self.breeds}
        self.customer_deck = list(orders["customer_order"])
        self.event_deck = list(orders["event_order"])
        self.characters = list(orders["character_order"][: self.rules["players"]])

    @classmethod
    def at(cls, rules: Rules, decks: Decks, chance: Chance | None = None, **state: Any) -> Game:
        """A game in the midst of things, for test vectors: the attributes named, all else at rest."""
        game = cls.__new__(cls)
        game._lay_out(rules, decks, chance)
        for name, value in state.items():
            setattr(game, name, value)
        return game

    # ---- asking

    def _start(self, script: Script) -> None:
        """Run a script up to its first decision or its end."""
        self._script = script
        self.over = False
        self._resume(None)

    def _resume(self, code: int | None) -> None:
        while True:
            self.decision, self.player, self._options = None, None, []
            try:
                self._script.send(code)  # type: ignore[arg-type]
            except StopIteration:
                self.over = True
                return
            if self.every or len(self._options) > 1:
                return
            code = self._options[0]

    def _ask(self, decision: str, player: int, options: list[int]) -> Script:
        """Ask a player for one of the options (6.2)."""
        assert options
        assert len(set(options)) == len(options), "6.2: no option twice"
        self.decision, self.player, self._options = decision, player, sorted(options)
        return (yield)

    def legal_actions(self) -> list[int]:
        """The action codes among which `player` chooses, ascending; empty when the game is over."""
        return list(self._options)

    def apply(self, code: int) -> None:
        """Carry out one of the options and go on to the next decision."""
        if code not in self._options:
            raise ValueError(f"{code!r} is not an option now: {self.decision}, {self._options}")
        self._resume(code)

    # ---- looking at dogs

    def breed(self, card: str) -> str:
        return str(self.card[card]["breed"])

    def total(self, dog: Dog) -> Vector:
        return total_of(self.rules, self.printed[dog.card], dog.inherited)

    def basis(self, dog: Dog) -> Vector:
        return basis_of(self.rules, self.printed[dog.card], dog.inherited)

    def value(self, dog: Dog) -> int:
        """1.5, A-15."""
        return int(self.card[dog.card]["price"] + self.rules["win_value_bonus"] * dog.wins)

    def is_idle(self, dog: Dog) -> bool:
        free = dog.pregnancy is None and dog.nursing_round is None
        return dog.adult and free and dog.used_round != self.round

    def may_leave(self, dog: Dog) -> bool:
        free = dog.pregnancy is None and dog.nursing_round is None
        return dog.adult and free and dog.entered_round != self.round

    def may_go_to_customer(self, dog: Dog) -> bool:
        """6.4, K-27."""
        return bool(self.may_leave(dog) or (not dog.adult and self.rules["pups_sellable"]))

    def may_give_birth(self, dog: Dog) -> bool:
        """K-35."""
        if dog.pregnancy is None:
            return False
        return bool(self.round >= dog.pregnancy["round"] + self.rules["gestation_rounds"])

    def grows_up(self, since: int | None) -> bool:
        """K-40, K-41: for the round of the birth, of a pup or of a litter; None: there was none."""
        return since is not None and self.round >= since + self.rules["grow_rounds"]

    def dog(self, card: str) -> Dog:
        """The record of a card that is in a kennel."""
        return next(dog for kennel in self.kennels for dog in kennel if dog.card == card)

    def accepts(self, customer: str, dog: Dog) -> bool:
        """K-25."""
        wanted, card = self.card[customer], self.card[dog.card]
        return wanted["breed"] in (None, card["breed"]) and wanted["sex"] in (None, card["sex"])

    # ---- looking at players

    def side_coins(self, player: int) -> int:
        return self.coins[self.sides[player]]

    def same_side(self, a: int, b: int) -> bool:
        return self.sides[a] == self.sides[b]

    def others(self, player: int) -> list[int]:
        return [other for other in range(self.rules["players"]) if other != player]

    def side_reputation(self) -> list[int]:
        """K-91, K-95."""
        sums = [0 for _ in self.coins]
        for player, reputation in enumerate(self.reputation):
            sums[self.sides[player]] += reputation
        return sums

    def matches(self, player: int) -> bool:
        """K-51: does the player's profession cover the event?"""
        assert self.current is not None
        prep = self.card[self.characters[player]]["prep"]
        return self.rules["profession_match"] == "any" or self.card[self.current]["type"] in prep

    def may_prepare_own(self, player: int) -> bool:
        """K-53."""
        return not (self.rules["prep_exclusive"] and self.helped[player] == self.round)

    def may_help(self, player: int) -> bool:
        """K-53."""
        return not (self.rules["prep_exclusive"] and self.prepared_own[player] == self.round)

    def had_turn(self, player: int) -> bool:
        """B-3, B-4: has the player begun his turn of this round?"""
        order = turn_order(self.rules["players"], self.round)
        return order.index(player) <= order.index(self.active)

    def position(self) -> dict[str, Any]:
        """The `state` of 8.3."""
        return {
            "players": [
                {
                    "player": player,
                    "coins": self.side_coins(player),
                    "reputation": self.reputation[player],
                    "hand_dogs": self.in_card_order(self.hand_dogs[player]),
                    "hand_customers": self.in_card_order(self.hand_customers[player]),
                    "kennel": [self.record(dog) for dog in self.kennels[player]],
                    "events_won": self.in_card_order(self.events_won[player]),
                }
                for player in range(self.rules["players"])
            ],
            "dog_decks": {breed: len(deck) for breed, deck in self.dog_decks.items()},
            "dog_discards": copied(self.dog_discards),
            "dog_spent": {breed: self.in_card_order(pile) for breed, pile in self.dog_spent.items()},
            "customer_deck": len(self.customer_deck),
            "customer_discards": list(self.customer_discards),
            "customer_spent": self.in_card_order(self.customer_spent),
            "gone": self.in_card_order([card for card in self.gone if card in self.printed])
            + self.in_card_order([card for card in self.gone if card not in self.printed]),
            "event_deck": list(self.event_deck),
            "events_removed": self.in_card_order(self.events_removed),
        }

    def in_card_order(self, cards: list[str]) -> list[str]:
        return sorted(cards, key=self.number.__getitem__)

    def record(self, dog: Dog) -> dict[str, Any]:
        """A dog record of 8.3."""
        pregnancy = dog.pregnancy
        if pregnancy is not None:
            pregnancy = pregnancy | {"inherited": as_object(pregnancy["inherited"])}
        return {
            "dog": dog.card,
            "stage": dog.stage,
            "total": as_object(self.total(dog)),
            "inherited": as_object(dog.inherited),
            "wins": dog.wins,
            "used_round": dog.used_round,
            "entered_round": dog.entered_round,
            "pregnancy": pregnancy,
            "nursing_round": dog.nursing_round,
            "born_round": dog.born_round,
        }

    def snapshot(self) -> dict[str, Any]:
        """The whole situation as plain data: the position, then what belongs to round, turn and decision."""
        return self.position() | {
            "dog_cards": copied(self.dog_decks),
            "customer_cards": list(self.customer_deck),
            "characters": list(self.characters),
            "side_coins": list(self.coins),
            "over": self.over,
            "decision": self.decision,
            "player": self.player,
            "options": self.legal_actions(),
            "round": self.round,
            "current": self.current,
            "entered": copied(self.entered),
            "prepared_own": [last == self.round for last in self.prepared_own],
            "helped": [last == self.round for last in self.helped],
            "active": self.active,
            "n": self.n,
            "bonus": self.bonus,
            "actions": copied(self.actions),
            "earned": dict(self.earned),
            "refused": [list(offer) for offer in self.refused],
            "entries": copied(self.entries),
            "proposal": copied(self.proposal),
            "mother": self.mother,
        }

    # ---- writing

    def trace(self, seed: int = 0, game_index: int = 0, policies: list[str] | None = None) -> list[str]:
        """The lines of the trace so far, header first (section 8)."""
        head = header(self.rules, self.decks, self.bargain, seed, game_index, policies)
        return [json.dumps(event, separators=(",", ":")) for event in (head, *self.events)]

    def _note(self, event: str, **fields: Any) -> None:
        """Write an event; lists are copied, as those on the table go on changing."""
        self.events.append({"event": event} | {name: copied(value) for name, value in fields.items()})

    def _note_action(self, event: str, **fields: Any) -> None:
        """8.4."""
        self._note(event, player=self.active, n=self.n, bonus=self.bonus, **fields)

    # ---- the game and its rounds

    def _play(self) -> Script:
        """K-10, K-90."""
        yield from self._set_up()
        reason: str | None = None
        try:
            while reason is None:
                self._begin_round()
                for player in turn_order(self.rules["players"], self.round):
                    yield from self._play_turn(player)
                self._hold_contest()
                reason = self._end_round()
        except TargetReachedError:
            reason = "target"
        self._finish(reason)

    def _set_up(self) -> Script:
        """K-5."""
        for player in start_order(self.rules):
            options = [encode(START_BREED, b) for b, breed in enumerate(self.breeds) if self.dog_decks[breed]]
            code = yield from self._ask("D-1", player, options)
            breed = self.breeds[decode(code)[1]]
            card = self.dog_decks[breed].pop(0)
            self.kennels[player].append(Dog(card, player))
            self.breeds_named[player].append(breed)
            self.dogs_received[player].append(card)
        self._note(
            "setup",
            **self.orders,
            players=[
                {
                    "player": player,
                    "side": self.sides[player],
                    "character": self.characters[player],
                    "breeds": self.breeds_named[player],
                    "dogs": self.dogs_received[player],
                }
                for player in range(self.rules["players"])
            ],
            coins=self.coins,
        )

    def _begin_round(self) -> None:
        """K-11, K-12."""
        self.round += 1
        self.entered = []
        self.current = self.event_deck.pop(0)
        starter = turn_order(self.rules["players"], self.round)[0]
        self._note("round_start", round=self.round, starter=starter, card=self.current)

    def _end_round(self) -> str | None:
        """K-77, K-90: why the game is over, if it is."""
        self.entered = []
        reason = end_reason(self.rules, self.side_reputation(), len(self.event_deck), self.round)
        self._note(
            "round_end",
            round=self.round,
            reputation=self.reputation,
            coins=self.coins,
            events_left=len(self.event_deck),
            game_over=reason is not None,
            reason=reason,
            state=self.position(),
        )
        return reason

    def _finish(self, reason: str) -> None:
        """K-91, K-92."""
        sums, target = self.side_reputation(), target_of(self.rules)
        self._note(
            "result",
            rounds=self.round,
            reason=reason,
            reputation=self.reputation,
            side_reputation=sums,
            **ranking(self.rules, sums, self.coins),
            target=target,
            target_reached=[own >= target for own in sums],
        )

    # ---- a turn

    def _play_turn(self, player: int) -> Script:
        """K-13."""
        self.active, self.n, self.bonus = player, 0, False
        self.refused, self.actions, self.earned = [], [], {"earned": False}
        self._note("turn_start", round=self.round, player=player)
        self._grow_up()
        if not self.rules["birth_costs_action"]:
            yield from self._automatic_births()
        for _ in range(self.rules["actions_per_turn"]):
            done = yield from self._take_action()
            self.actions.append(done)
        yield from self._take_bonus()
        self.n, self.bonus = 0, False
        if self.rules["hand_limit_check"] == "turn_end":
            yield from self._discard_down()
        yield from self._pay_upkeep()

    def _grow_up(self) -> None:
        """K-40, K-41: of the active player."""
        kennel = self.kennels[self.active]
        pups = [dog for dog in kennel if not dog.adult and self.grows_up(dog.born_round)]
        mothers = [dog for dog in kennel if self.grows_up(dog.nursing_round)]
        for pup in pups:
            pup.stage, pup.born_round = "adult", None
        for mother in mothers:
            mother.nursing_round = None
        if pups or mothers:
            names = [[dog.card for dog in dogs] for dogs in (pups, mothers)]
            self._note("grow_up", player=self.active, pups=names[0], mothers=names[1])

    def _automatic_births(self) -> Script:
        """K-35, A-76."""
        for mother in [dog for dog in self.kennels[self.active] if self.may_give_birth(dog)]:
            yield from self._give_birth(mother)

    def _take_action(self) -> Script:
        """K-14: one regular or bonus action with what follows it; None if a bonus was declined."""
        self.n += 1
        while True:
            if self.bonus:
                code = yield from self._ask("D-4", self.active, [PASS, *self.bonus_options()])
            else:
                code = yield from self._ask("D-2", self.active, self.action_options())
            if code == PASS:
                return None
            done = yield from self._act(code)
            if done:
                break
        if self.rules["hand_limit_check"] == "immediate":
            yield from self._discard_down()
        kind, breed = self.nature(code)
        return {"kind": kind, "breed": breed}

    def _take_bonus(self) -> Script:
        """K-15."""
        self.earned = bonus_earned(self.rules, self.actions)
        if not self.earned["earned"]:
            return
        self.bonus = True
        count = self.rules["bonus_actions"]
        breed = self.earned.get("breed")
        self._note("bonus_action", player=self.active, kind=self.earned["kind"], breed=breed, count=count)
        for _ in range(count):
            done = yield from self._take_action()
            if done is None:
                return

    def nature(self, code: int) -> tuple[str, str | None]:
        """K-16: the kind of an action; the breed of a draw of a dog or a trade."""
        kind, a, _ = decode(code)
        if kind == DRAW_DOG:
            return "draw_dog", self.breeds[a]
        if kind in (TAKE_DOG, BUY, SELL_CUSTOMER, SELL_PLAYER):
            return ACTION_KINDS[kind], self.breed(self.dog_ids[a])
        return ACTION_KINDS[kind], None

    # ---- what may be done (6.4)

    def action_options(self) -> list[int]:
        """D-2, without regard to a bonus."""
        options = [encode(COIN), *self._draws(), *self._purchases(), *self._customer_sales()]
        options += self._player_sales()
        females = [dog for dog in self.kennels[self.active] if self.card[dog.card]["sex"] == "female"]
        for mother in females:
            options += self._matings(mother)
        if self.rules["birth_costs_action"]:
            options += [encode(BIRTH, self.number[dog.card]) for dog in females if self.may_give_birth(dog)]
        return options + self._entries(ENTER)

    def bonus_options(self) -> list[int]:
        """D-4 without PASS."""
        options = self.action_options()
        if self.rules["bonus_mode"] == "any":
            return options
        kind, tied = self.earned["kind"], self.earned.get("breed")
        kept = []
        for code in options:
            own_kind, breed = self.nature(code)
            if own_kind == kind and tied in (None, breed):
                kept.append(code)
        return kept

    def _draws(self) -> list[int]:
        """K-21..K-23."""
        options = []
        for b, breed in enumerate(self.breeds):
            if self.dog_decks[breed] or self.dog_spent[breed] or self.dog_discards[breed]:
                options.append(encode(DRAW_DOG, b))
            takeable = self._takeable(self.dog_discards[breed])
            options += [encode(TAKE_DOG, self.number[card]) for card in takeable]
        if self.customer_deck or self.customer_spent or self.customer_discards:
            options.append(encode(DRAW_CUSTOMER))
        takeable = self._takeable(self.customer_discards)
        return options + [encode(TAKE_CUSTOMER, self.number[card]) for card in takeable]

    def _takeable(self, discards: list[str]) -> list[str]:
        """K-19."""
        return {"any": discards, "top": discards[-1:], "off": []}[self.rules["discard_access"]]

    def _purchases(self) -> list[int]:
        """K-24."""
        coins = self.side_coins(self.active)
        hand = self.hand_dogs[self.active]
        return [encode(BUY, self.number[card]) for card in hand if coins >= self.card[card]["price"]]

    def _customer_sales(self) -> list[int]:
        """K-25."""
        return [
            encode(SELL_CUSTOMER, self.number[dog.card], self.number[customer])
            for dog in self.kennels[self.active]
            if self.may_go_to_customer(dog)
            for customer in self.hand_customers[self.active]
            if self.accepts(customer, dog)
        ]

    def _player_sales(self) -> list[int]:
        """K-26."""
        if self.rules["sale_deal"] == "off":
            return []
        return [
            encode(SELL_PLAYER, self.number[dog.card], buyer)
            for dog in self.kennels[self.active]
            if self.may_leave(dog)
            for buyer in self.others(self.active)
            if ("sale", dog.card, buyer) not in self.refused and self._can_pay_list_price(buyer, dog)
        ]

    def _can_pay_list_price(self, buyer: int, dog: Dog) -> bool:
        """B-2, 6.4: asked only of another side, and only under `list`."""
        if self.same_side(buyer, self.active) or self.rules["sale_price_rule"] != "list":
            return True
        return self.side_coins(buyer) >= self.value(dog)

    def _matings(self, mother: Dog) -> list[int]:
        """K-30..K-32: of one own female."""
        if not self.is_idle(mother):
            return []
        return [
            encode(MATE, self.number[mother.card], self.number[father.card])
            for kennel in self.kennels
            for father in kennel
            if self.breed(father.card) == self.breed(mother.card)
            and self.card[father.card]["sex"] == "male"
            and self.is_idle(father)
            and self._may_hire_male(mother, father)
        ]

    def _may_hire_male(self, mother: Dog, father: Dog) -> bool:
        if father.owner == self.active:
            return True
        if (
            self.rules["stud_deal"] == "off"
            or ("stud", (mother.card, father.card), father.owner) in self.refused
        ):
            return False
        return self.side_coins(self.active) >= self._pairing(mother, father)[1]

    def _pairing(self, mother: Dog, father: Dog) -> tuple[Vector, int]:
        """K-32, K-33: what the pups inherit, and the stud fee."""
        inherited = inherit(self.rules, self.basis(mother), self.basis(father))
        return inherited, stud_fee(self.rules, inherited, self.same_side(father.owner, self.active))

    def _entries(self, kind: int) -> list[int]:
        """K-50..K-53: kind is ENTER or ENTER_MORE."""
        assert self.current is not None
        cost, coins = self.card[self.current]["cost"], self.side_coins(self.active)
        idle = [dog for dog in self.kennels[self.active] if self.is_idle(dog)]
        if not idle:
            return []
        preparers = [NOBODY] if coins >= cost else []
        for player in range(self.rules["players"]):
            if self._available(player) and coins >= cost + self._prep_fee(player):
                preparers.append(player)
        return [encode(kind, self.number[dog.card], preparer) for dog in idle for preparer in preparers]

    def _available(self, preparer: int) -> bool:
        """6.4: may the active player name this preparer, coins apart?"""
        if not self.matches(preparer):
            return False
        if preparer == self.active:
            return self.may_prepare_own(preparer)
        refused = ("hire", None, preparer) in self.refused
        return self.rules["hire_deal"] != "off" and self.may_help(preparer) and not refused

    def _prep_fee(self, preparer: int) -> int:
        """K-52."""
        return 0 if self.same_side(preparer, self.active) else int(self.rules["prep_fee"])

    # ---- doing it

    def _act(self, code: int) -> Script:
        """Carry out an action of D-2; False if it was refused."""
        kind, a, b = decode(code)
        if kind == COIN:
            self._pay(self.active, self.rules["coin_amount"])
            self._note_action("coin", amount=self.rules["coin_amount"], coins=self.side_coins(self.active))
        elif kind in (DRAW_DOG, DRAW_CUSTOMER):
            self._draw(self.breeds[a] if kind == DRAW_DOG else None)
        elif kind in (TAKE_DOG, TAKE_CUSTOMER):
            self._take_discard(self.dog_ids[a] if kind == TAKE_DOG else self.customer_ids[a])
        elif kind == BUY:
            self._buy(self.dog_ids[a])
        elif kind == SELL_CUSTOMER:
            self._sell_to_customer(self.dog(self.dog_ids[a]), self.customer_ids[b])
        elif kind == SELL_PLAYER:
            return (yield from self._sell_to_player(self.dog(self.dog_ids[a]), b))
        elif kind == MATE:
            mother, father = self.dog(self.dog_ids[a]), self.dog(self.dog_ids[b])
            return (yield from self._mate(mother, father, free=False))
        elif kind == BIRTH:
            yield from self._give_birth(self.dog(self.dog_ids[a]))
        else:
            assert kind == ENTER
            return (yield from self._enter(self.dog(self.dog_ids[a]), b))
        return True

    def _pay(self, player: int, amount: int) -> None:
        """Add coins to the side of a player, or with a negative amount take them away."""
        self.coins[self.sides[player]] += amount
        assert self.side_coins(player) >= 0

    def _consents(self, other: int, needed: bool, **deal: Any) -> Script:
        """D-6: the other player's answer; a refusal is written down and remembered (A-73, A-81)."""
        if self.same_side(other, self.active) or not needed:
            return True
        self.proposal = {"player": self.active, "n": self.n, **deal, "other": other}
        code = yield from self._ask("D-6", other, [encode(CONSENT, 0), encode(CONSENT, 1)])
        self.proposal = None
        if code == encode(CONSENT, 1):
            return True
        what = {"sale": deal["dog"], "stud": (deal["mother"], deal["dog"]), "hire": None}[deal["deal"]]
        self.refused.append((deal["deal"], what, other))
        after = deal["after"]
        self._note(
            "refuse",
            player=self.active,
            n=self.n,
            deal=deal["deal"],
            other=other,
            dog=deal["dog"],
            mother=deal["mother"],
            price=deal["price"],
            after=after,
        )
        return False

    # ---- hand and piles

    def _pile(self, breed: str | None) -> tuple[list[str], list[str], list[str]]:
        """Deck, spent pile and discards of a breed; None: of the customers."""
        if breed is None:
            return self.customer_deck, self.customer_spent, self.customer_discards
        return self.dog_decks[breed], self.dog_spent[breed], self.dog_discards[breed]

    def _refill(self, breed: str | None, needed: int) -> None:
        """K-23."""
        deck, spent, discards = self._pile(breed)
        if len(deck) >= needed or not spent + discards:
            return
        assert self.chance is not None
        name = "customers" if breed is None else "dogs"
        order = self.chance.refill(name, breed, self.in_card_order(spent + discards))
        if sorted(order) != sorted(spent + discards):
            raise ValueError("order is not made of the spent cards and the discards")
        deck += order
        spent.clear()
        discards.clear()
        self._note("refill", deck=name, breed=breed, order=order)

    def _draw(self, breed: str | None) -> None:
        """K-21, K-22: the top card of a deck."""
        self._refill(breed, 1)
        self._into_hand(self._pile(breed)[0].pop(0), "deck")

    def _take_discard(self, card: str) -> None:
        """K-19."""
        self._pile(self.card[card]["breed"] if card in self.printed else None)[2].remove(card)
        self._into_hand(card, "discard")

    def _into_hand(self, card: str, source: str) -> None:
        is_dog = card in self.printed
        (self.hand_dogs if is_dog else self.hand_customers)[self.active].append(card)
        self._note_action(
            "draw",
            deck="dogs" if is_dog else "customers",
            breed=self.breed(card) if is_dog else None,
            source=source,
            card=card,
        )

    def _discard_down(self) -> Script:
        """D-5, K-18."""
        dogs, customers = self.hand_dogs[self.active], self.hand_customers[self.active]
        while len(dogs) + len(customers) > self.rules["hand_limit"]:
            options = [encode(DISCARD_DOG, self.number[card]) for card in dogs]
            options += [encode(DISCARD_CUSTOMER, self.number[card]) for card in customers]
            code = yield from self._ask("D-5", self.active, options)
            kind, a, _ = decode(code)
            if kind == DISCARD_DOG:
                card = self.dog_ids[a]
                dogs.remove(card)
                self.dog_discards[self.breed(card)].append(card)
            else:
                card = self.customer_ids[a]
                customers.remove(card)
                self.customer_discards.append(card)
            deck = "dogs" if kind == DISCARD_DOG else "customers"
            self._note("discard", player=self.active, deck=deck, card=card)

    def _leave_play(self, card: str) -> None:
        """A-12: a sold or released dog, a used customer."""
        _, spent, discards = self._pile(self.card[card]["breed"] if card in self.printed else None)
        {"recycle": spent, "discard": discards, "remove": self.gone}[self.rules["spent_cards"]].append(card)

    # ---- trading

    def _buy(self, card: str) -> None:
        """K-24."""
        price = self.card[card]["price"]
        self._pay(self.active, -price)
        self.hand_dogs[self.active].remove(card)
        self.kennels[self.active].append(Dog(card, self.active))
        self._note_action("buy", dog=card, price=price, coins=self.side_coins(self.active))

    def _sell_to_customer(self, dog: Dog, customer: str, forced: bool = False) -> None:
        """K-25."""
        price = self.value(dog)
        coins, reputation = rewards(self.card[customer], self.total(dog))
        self._pay(self.active, price + coins)
        self.reputation[self.active] += reputation
        self.kennels[self.active].remove(dog)
        self.hand_customers[self.active].remove(customer)
        self._leave_play(dog.card)
        self._leave_play(customer)
        self._note_sale(dog, not dog.adult, customer, None, price, coins, reputation, forced)
        immediate = self.rules["end_check"] == "immediate" and self.rules["mode"] != "solo"
        if immediate and self.side_reputation()[self.sides[self.active]] >= target_of(self.rules):  # K-90
            raise TargetReachedError

    def _note_sale(
        self,
        dog: Dog,
        pup: bool,
        customer: str | None,
        buyer: int | None,
        price: int,
        bonus_coins: int,
        reputation: int,
        forced: bool,
    ) -> None:
        self._note_action(
            "sell",
            dog=dog.card,
            pup=pup,
            to="player" if customer is None else "customer",
            customer=customer,
            buyer=buyer,
            price=price,
            bonus_coins=bonus_coins,
            reputation=reputation,
            forced=forced,
            coins=self.side_coins(self.active),
        )

    def _sell_to_player(self, dog: Dog, buyer: int, forced: bool = False) -> Script:
        """K-26; False if the buyer refuses."""
        price = self.asked_price(dog, buyer)
        agreed = yield from self._consents(
            buyer, True, deal="sale", dog=dog.card, mother=None, price=price, after=0
        )
        if not agreed:
            return False
        self._pay(buyer, -price)
        self._pay(self.active, price)
        self._hand_over(dog, buyer)
        self._note_sale(dog, False, None, buyer, price, 0, 0, forced)
        return True

    def _hand_over(self, dog: Dog, to: int) -> None:
        """1.5: the record goes with the dog, to the end of the other kennel."""
        self.kennels[dog.owner].remove(dog)
        self.kennels[to].append(dog)
        dog.owner = to

    # ---- bargaining (3.2)

    def asked_price(self, dog: Dog, buyer: int) -> int:
        """B-2, B-5."""
        if self.same_side(buyer, dog.owner):
            return 0
        seller_worth, buyer_worth = self.worth(dog.owner, dog), self.worth(buyer, dog)
        rule = self.rules["sale_price_rule"]
        return sale_price(rule, self.value(dog), seller_worth, buyer_worth, self.side_coins(buyer))

    def worth(self, player: int, dog: Dog) -> float:
        """B-1: V of the dog for the player."""
        value, total = self.value(dog), self.total(dog)
        adults = [other for other in self.kennels[player] if other.adult and other is not dog]
        customers = [card for card in self.hand_customers[player] if self.accepts(card, dog)]
        offers = [value + rewards(self.card[card], total)[0] for card in customers]
        sex = self.card[dog.card]["sex"]
        kin = [self.card[o.card]["sex"] for o in adults if self.breed(o.card) == self.breed(dog.card)]
        mate_case = sex not in kin and len(kin) > 0
        return valuation(self.rules, self.bargain, value, sum(total), offers, mate_case, len(adults))

    def model_offers(self, code: int) -> bool:
        """B-2: would a simulated player make this SELL_PLAYER offer?"""
        _, a, buyer = decode(code)
        dog = self.dog(self.dog_ids[a])
        price = self.asked_price(dog, buyer)
        return bool(price - self.worth(self.active, dog) > self.bargain["deal_margin"])

    def model_consents(self) -> bool:
        """B-2..B-4: would a simulated player consent to the proposal of D-6?"""
        assert self.proposal is not None
        other, dog, price = self.proposal["other"], self.dog(self.proposal["dog"]), self.proposal["price"]
        if self.proposal["deal"] == "sale":
            gain = self.worth(other, dog) - price
            return bool(gain > self.bargain["deal_margin"] and self.side_coins(other) >= price)
        idle = [own for own in self.kennels[other] if self.is_idle(own)] if not self.had_turn(other) else []
        if self.proposal["deal"] == "stud":
            breed = self.breed(dog.card)
            own = [d for d in idle if self.breed(d.card) == breed and self.card[d.card]["sex"] == "female"]
            return bool(price > self.bargain["val_stud"] + (self.bargain["val_mate_bonus"] if own else 0))
        return bool(price > (self.bargain["val_own_prep"] if idle else self.bargain["val_rival"]))

    # ---- breeding

    def _mate(self, mother: Dog, father: Dog, free: bool) -> Script:
        """K-30..K-33; False if the male's owner refuses."""
        inherited, fee = self._pairing(mother, father)
        owner, ask = father.owner, self.rules["stud_deal"] == "ask"
        agreed = yield from self._consents(
            owner, ask, deal="stud", dog=father.card, mother=mother.card, price=fee, after=0
        )
        if not agreed:
            return False
        self._pay(self.active, -fee)
        self._pay(owner, fee)
        mother.used_round = father.used_round = self.round
        mother.pregnancy = {"father": father.card, "inherited": inherited, "round": self.round}
        self._note_action(
            "mate",
            free=free,
            mother=mother.card,
            father=father.card,
            father_owner=owner,
            fee=fee,
            inherited=as_object(inherited),
            coins=self.side_coins(self.active),
        )
        return True

    def _litter(self) -> tuple[list[int], int]:
        """K-36, K-37: the dice rolled and the litter that stands."""
        assert self.chance is not None
        rolls: list[int] = []
        litter = 0
        for _ in range(2 if self.rules["litter_zero_retry"] == "reroll" else 1):
            if self.rules["litter_probs"]:
                litter = self.chance.litter_size(self.rules["litter_probs"])
                if (
                    litter not in range(len(self.rules["litter_probs"]))
                    or not self.rules["litter_probs"][litter]
                ):
                    raise ValueError(f"a litter of {litter} is impossible")
            else:
                rolls.append(checked_die(self.chance.litter_die()))
                litter = self.rules["litter_table"][rolls[-1] - 1]
            if litter:
                break
        return rolls, litter

    def _give_birth(self, mother: Dog) -> Script:
        """K-35..K-39, with what follows at once."""
        assert mother.pregnancy is not None
        pregnancy, breed = mother.pregnancy, self.breed(mother.card)
        rolls, litter = self._litter()
        self._refill(breed, litter)
        pups = self.dog_decks[breed][:litter]
        del self.dog_decks[breed][:litter]
        mother.pregnancy = None
        for card in pups:
            inherited = list(pregnancy["inherited"])
            self.kennels[self.active].append(
                Dog(card, self.active, stage="pup", inherited=inherited, born_round=self.round)
            )
        if pups:
            mother.nursing_round = self.round
        elif self.rules["litter_zero_retry"] == "none":
            mother.used_round = self.round
        self._note_action(
            "birth",
            mother=mother.card,
            father=pregnancy["father"],
            rolls=rolls,
            litter=litter,
            pups=pups,
            inherited=as_object(pregnancy["inherited"]),
        )
        if pups and self.rules["grow_rounds"] == 0:
            self._grow_up()
        if not pups and self.rules["litter_zero_retry"] == "free":
            yield from self._mate_freely(mother)

    def _mate_freely(self, mother: Dog) -> Script:
        """D-8, A-77."""
        done = False
        while not done:
            self.mother = mother.card
            code = yield from self._ask("D-8", self.active, [PASS, *self._matings(mother)])
            self.mother = None
            if code == PASS:
                return
            done = yield from self._mate(mother, self.dog(self.dog_ids[decode(code)[2]]), free=True)

    # ---- entering

    def _enter(self, dog: Dog, preparer: int) -> Script:
        """K-50, D-3; False if the first dog's helper refuses."""
        self.entries = []
        agreed = yield from self._enter_one(dog, preparer)
        if not agreed:
            return False
        while True:
            code = yield from self._ask("D-3", self.active, [PASS, *self._entries(ENTER_MORE)])
            if code == PASS:
                break
            _, a, b = decode(code)
            yield from self._enter_one(self.dog(self.dog_ids[a]), b)  # a refusal changes nothing
        self._note_action(
            "enter", card=self.current, entries=self.entries, coins=self.side_coins(self.active)
        )
        self.entries = []
        return True

    def _enter_one(self, dog: Dog, preparer: int) -> Script:
        """K-50..K-53; False if the helper refuses."""
        fee = 0
        if preparer not in (NOBODY, self.active):
            fee, ask = self._prep_fee(preparer), self.rules["hire_deal"] == "ask"
            agreed = yield from self._consents(
                preparer, ask, deal="hire", dog=dog.card, mother=None, price=fee, after=len(self.entries)
            )
            if not agreed:
                return False
            self._pay(preparer, fee)
            self.helped[preparer] = self.round
        elif preparer == self.active:
            self.prepared_own[preparer] = self.round
        cost = self.card[self.current or ""]["cost"]
        self._pay(self.active, -cost - fee)
        dog.used_round = dog.entered_round = self.round
        named = None if preparer == NOBODY else preparer
        self.entries.append({"dog": dog.card, "preparer": named, "entry_cost": cost, "prep_fee": fee})
        self.entered.append({"player": self.active, "dog": dog.card, "preparer": named})
        return True

    # ---- upkeep

    def _upkeep_due(self) -> tuple[int, int]:
        adults = len([dog for dog in self.kennels[self.active] if dog.adult])
        return upkeep_due(self.rules, adults, len(self.kennels[self.active]) - adults)

    def dispose_options(self) -> list[int]:
        """D-7, K-62."""
        leaving = [dog for dog in self.kennels[self.active] if self.may_leave(dog)]
        options = [*self._customer_sales(), *self._player_sales()]
        for dog in leaving:
            options += [encode(GIFT, self.number[dog.card], other) for other in self.others(self.active)]
            if self.rules["mode"] == "solo":
                options.append(encode(RELEASE, self.number[dog.card]))
        return options

    def _pay_upkeep(self) -> Script:
        """K-60..K-63."""
        counted, due = self._upkeep_due()
        while due > self.side_coins(self.active):
            options = self.dispose_options()
            if not options:
                break
            code = yield from self._ask("D-7", self.active, options)
            yield from self._part_with(code)
            counted, due = self._upkeep_due()
        paid = min(due, self.side_coins(self.active))
        self._pay(self.active, -paid)
        self._note(
            "upkeep",
            player=self.active,
            dogs=counted,
            due=due,
            paid=paid,
            waived=due - paid,
            coins=self.side_coins(self.active),
        )

    def _part_with(self, code: int) -> Script:
        """K-62: one step."""
        kind, a, b = decode(code)
        dog = self.dog(self.dog_ids[a])
        if kind == SELL_CUSTOMER:
            self._sell_to_customer(dog, self.customer_ids[b], forced=True)
        elif kind == SELL_PLAYER:
            yield from self._sell_to_player(dog, b, forced=True)
        elif kind == GIFT:
            self._hand_over(dog, b)
            self._note("gift", player=self.active, dog=dog.card, recipient=b)
        else:
            self.kennels[self.active].remove(dog)
            self._leave_play(dog.card)
            self._note("release", player=self.active, dog=dog.card)

    # ---- contest

    def _hold_contest(self) -> None:
        """K-70..K-76."""
        assert self.chance is not None
        assert self.current is not None
        event = self.card[self.current]
        told = []
        for entry in self.entered:
            total = self.total(self.dog(entry["dog"]))
            prepared = entry["preparer"] is not None
            base, traits, prep = dice_parts(self.rules, event["traits"], total, prepared)
            dice = self.chance.contest_dice(entry["dog"], base + traits + prep)
            if len(dice) != base + traits + prep:
                raise ValueError(f"{entry['dog']} rolls {base + traits + prep} dice, not {len(dice)}")
            dice = [checked_die(die) for die in dice]
            successes, qualified, result = judge(dice, event["required"], event["target"])
            told.append(
                {
                    "player": entry["player"],
                    "dog": entry["dog"],
                    "base": base,
                    "traits": traits,
                    "prep": prep,
                    "dice": dice,
                    "successes": successes,
                    "qualified": qualified,
                    "result": result,
                }
            )
        winner, rerolls = self._best_dog(told)
        card_to = self._award(winner)
        self._note(
            "compete",
            round=self.round,
            card=event["id"],
            entries=told,
            rerolls=rerolls,
            winner=winner,
            reputation=event["reputation"] if winner else 0,
            card_to=card_to,
        )

    def _best_dog(self, told: list[Event]) -> tuple[Event | None, list[list[Event]]]:
        """K-73, K-74: the winner, and the dice that broke ties."""
        assert self.chance is not None
        qualified = [entry for entry in told if entry["qualified"]]
        highest = max((entry["result"] for entry in qualified), default=0)
        tied = [entry for entry in qualified if entry["result"] == highest]
        rerolls = []
        while len(tied) > 1:
            dice = [checked_die(self.chance.tie_die(entry["dog"])) for entry in tied]
            rerolls.append([{"dog": e["dog"], "die": die} for e, die in zip(tied, dice, strict=True)])
            tied = [entry for entry, die in zip(tied, dice, strict=True) if die == max(dice)]
        winner = {"player": tied[0]["player"], "dog": tied[0]["dog"]} if tied else None
        return winner, rerolls

    def _award(self, winner: Event | None) -> str:
        """K-75, K-76: prize and card; where the card goes."""
        assert self.current is not None
        card, self.current = self.current, None
        if winner is not None:
            self.reputation[winner["player"]] += self.card[card]["reputation"]
            self.events_won[winner["player"]].append(card)
            self.dog(winner["dog"]).wins += 1
            return "winner"
        fate = unwon_goes(self.rules)
        (self.event_deck if fate == "bottom" else self.events_removed).append(card)
        return fate


def checked_die(face: int) -> int:
    if face not in range(1, 7):
        raise ValueError(f"{face} is no face of a die")
    return face


def copied(value: Any) -> Any:
    """The value with its own lists and objects."""
    if isinstance(value, list):
        return [copied(entry) for entry in value]
    if isinstance(value, dict):
        return {name: copied(entry) for name, entry in value.items()}
    return value


def header(
    rules: Rules,
    decks: Decks,
    bargain: Mapping[str, float],
    seed: int,
    game_index: int,
    policies: list[str] | None = None,
) -> Event:
    """The `game` line (8.2)."""
    return {
        "event": "game",
        "schema": "kennelmester-trace/1",
        "mode": rules["mode"],
        "n_players": rules["players"],
        "sides": sides_of(rules),
        "seed": seed,
        "game_index": game_index,
        "policies": policies or ["random"] * rules["players"],
        "rules": {name: copied(rules[name]) for name in NAMES},
        "bargain": dict(bargain),
        "decks": copied(decks),
    }


def shuffled_game(
    players: int, overrides: Mapping[str, Any], decks: Decks, source: random.Random, every: bool = False
) -> Game:
    """A game whose shuffles and dice come from Python's generator."""
    rules = resolve(players, overrides)
    return Game(rules, decks, shuffled_orders(rules, decks, source), Rolled(source), every=every)
