"""Altered decks for Kennelmester: fewer cards and more, invented breeds, other prices, lone sexes, frequent ties."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from naive.kennelmester_game import Decks, read_decks

from balance.games.kennelmester.deck import EVENT_TYPES, SEXES, TRAITS, Deck
from balance.games.kennelmester.deck_files import placeholder_deck, read_deck

from .kennel_decks import PLAIN, Sheet, Sheets, plain_sheets, save

_FOLDER = tempfile.TemporaryDirectory(prefix="kennel_decks_")
PLACEHOLDER = "placeholder"


def dog(breed: str, at: int, sex: str, price: int, *dice: Any) -> dict[str, str]:
    """A row of dogs.csv; `dice` are two traits by number, each with its dice."""
    names = {"trait1": TRAITS[dice[0]], "dice1": dice[1], "trait2": TRAITS[dice[2]], "dice2": dice[3]}
    row = {"id": f"{breed}_{sex[0]}{at}", "breed": breed, "breed_name_hu": "", "breed_name_en": ""}
    return row | {"sex": sex, "price": str(price)} | {name: str(value) for name, value in names.items()}


def dogs(breed: str, each: int, price: int = 3, most: int = 2, sexes: tuple[str, ...] = SEXES) -> Sheet:
    """So many dogs of each sex, with traits in turn."""
    return [
        dog(breed, at, sex, price + at % 3, at % 5, 1 + at % most, (at + 1 + at % 3) % 5, 1 + (at + 1) % most)
        for sex in sexes
        for at in range(each)
    ]


def customer(at: int, breed: str = "", sex: str = "", *rewards: tuple[int, int, int, int]) -> dict[str, str]:
    """A row of customers.csv; a reward is trait, min, coins and reputation."""
    row = {"id": f"cu_{at}", "name_hu": "", "name_en": "", "breed": breed, "sex": sex}
    for number in (1, 2):
        trait, *rest = rewards[number - 1] if len(rewards) >= number else ("", "", "", "")
        row[f"bonus{number}_trait"] = "" if trait == "" else TRAITS[int(trait)]
        row |= {
            f"bonus{number}_{name}": str(value)
            for name, value in zip(("min", "coins", "rep"), rest, strict=True)
        }
    return row


def event(at: int, kind: int, traits: tuple[int, ...], *numbers: int) -> dict[str, str]:
    """A row of events.csv; `numbers` are cost, required, target and reputation."""
    row = {"id": f"ev_{at}", "type": EVENT_TYPES[kind], "name_hu": "", "name_en": "", "cost": str(numbers[0])}
    row |= {f"trait{n + 1}": TRAITS[traits[n]] if n < len(traits) else "" for n in range(3)}
    return row | {"required": str(numbers[1]), "target": str(numbers[2]), "reputation": str(numbers[3])}


def character(at: int, *prep: int) -> dict[str, str]:
    """A row of characters.csv; `prep` are event types by number."""
    return {"id": f"ch_{at}", "name_hu": "", "name_en": ""} | {
        f"prep_{name}": str(int(kind in prep)) for kind, name in enumerate(EVENT_TYPES)
    }


EASY = [event(at, at % 3, (at % 5, (at + 2) % 5), at % 2, 1, 3, 1 + at % 4) for at in range(10)]
JACKS = [character(at, at % 3, (at + at // 3) % 3) for at in range(6)]


def small() -> Sheets:
    """Few cards of each kind: decks run out; two dogs of each sex and breed are born like a rare third."""
    buyers = [customer(at, "", "", (at % 5, 1 + at % 3, at % 4, at % 2)) for at in range(5)]
    return {
        "characters": JACKS,
        "dogs": [*dogs("a", 4), *dogs("b", 4), *dogs("c", 1)],
        "customers": buyers,
        "events": EASY[:8],
    }


def invented() -> Sheets:
    """More cards, invented breeds that stand mixed, all numbers that a deck may have; a profession for nothing."""
    kinds = [row for breed in range(9) for row in dogs(f"breed_{breed}", 2 + breed % 3, 1 + breed, 6)]
    odd = [dog("lonely", 0, "female", 50, 0, 6, 4, 6), dog("free", 0, "male", 0, 1, 1, 2, 1)]
    wishes = [
        customer(at, f"breed_{at % 9}" if at % 2 else "", ("", *SEXES)[at % 3], (at % 5, 1 + at, 9, at % 3))
        for at in range(20)
    ]
    twice = [customer(20 + at, "", "", (at, 2, 3, 0), (at, 4, 0, 2)) for at in range(5)]
    bounds = [(0, 1, 2, 0), (20, 20, 6, 50), (1, 2, 2, 50), (0, 3, 3, 2), (2, 1, 6, 0), (1, 1, 5, 3)]
    contests = [
        event(at, at % 3, (0, 1, 2, 3, 4)[at % 3 : at % 3 + 1 + at % 3], *bounds[at % 6]) for at in range(30)
    ]
    people = [character(0), character(1, 0, 1, 2), *(character(at, at % 3) for at in range(2, 9))]
    return {
        "characters": people,
        "dogs": odd[:1] + kinds[::2] + odd[1:] + kinds[1::2],
        "customers": wishes + twice,
        "events": contests,
    }


def lone_sexes() -> Sheets:
    """One breed has no males and another no females; the third has many males."""
    few = [*dogs("girls", 9, sexes=SEXES[1:]), *dogs("boys", 9, sexes=SEXES[:1])]
    many = [*dogs("both", 8, sexes=SEXES[:1]), *dogs("both", 3, sexes=SEXES[1:])]
    buyers = [customer(at, ("girls", "boys", "both", "")[at % 4], "", (at % 5, 1, 2, 1)) for at in range(12)]
    return {"characters": JACKS, "dogs": few + many, "customers": buyers, "events": EASY}


def ties() -> Sheets:
    """One successful die is a six, so that results are often equal; entering is free, every profession fits."""
    alike = [
        row | {"trait1": "speed", "dice1": "2", "trait2": "balance", "dice2": "2"} for row in dogs("a", 12)
    ]
    return {
        "characters": [character(at, 0, 1, 2) for at in range(6)],
        "dogs": [*alike, *dogs("b", 6)],
        "customers": [customer(at) for at in range(8)],
        "events": [event(at, at % 3, (1, 2), 0, 1, 6, 1 + at % 2) for at in range(24)],
    }


def dear() -> Sheets:
    """Other prices, from nothing to 50; customers who bring much fame."""
    rows = plain_sheets()
    for at, row in enumerate(rows["dogs"]):
        row["price"] = str((0, 1, 2, 9, 50, 7, 3)[at % 7])
    fame = [customer(at, "", "", (at % 5, 1 + at % 2, 5, 2), ((at + 1) % 5, 1, 0, 3)) for at in range(15)]
    return rows | {"customers": fame}


def largest() -> Sheets:
    """As many cards and breeds as a deck may have."""
    return {
        "characters": [character(at, at % 3) for at in range(64)],
        "dogs": [row for breed in range(64) for row in dogs(f"b{breed}", 8 if breed < 52 else 7)],
        "customers": [
            customer(at, f"b{at % 64}" if at % 2 else "", "", (at % 5, 1, 1, 1)) for at in range(500)
        ],
        "events": [event(at, at % 3, (at % 5,), at % 2, 1, 4, 1 + at % 2) for at in range(200)],
    }


SHEETS: dict[str, Callable[[], Sheets]] = {
    "small": small,
    "invented": invented,
    "lone_sexes": lone_sexes,
    "ties": ties,
    "dear": dear,
    "largest": largest,
}


@cache
def folder_of(name: str) -> Path:
    """The folder with the four files of a deck."""
    return PLAIN if name == PLACEHOLDER else save(Path(_FOLDER.name) / name, SHEETS[name]())


@cache
def deck_of(name: str) -> Deck:
    """A deck as the package reads it."""
    return placeholder_deck() if name == PLACEHOLDER else read_deck(folder_of(name))


@cache
def decks_of(name: str) -> Decks:
    """The same deck as the referee reads it."""
    return read_decks(folder_of(name))
