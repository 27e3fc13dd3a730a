"""The four kinds of cards: their files, their columns, and what makes a card of a row."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from balance.games.kennelmester.deck import (
    EVENT_TYPES,
    MOST_CHARACTERS,
    MOST_CUSTOMERS,
    MOST_DOGS,
    MOST_EVENTS,
    SEXES,
    TRAITS,
    Character,
    Customer,
    Dog,
    Event,
    Reward,
)
from balance.games.kennelmester.deck_files.rows import Row
from balance.games.kennelmester.deck_files.values import (
    breed,
    name,
    needed_word,
    switch,
    whole,
    word,
)

MOST_DICE, MOST_PRICE, MOST_COST, MOST_REQUIRED, MOST_PRIZE = 6, 50, 20, 20, 50
MOST_OF_REWARD = 1000
"""The contract bounds rewards only from below; this keeps all sums far within what kernels can count."""


@dataclass(frozen=True)
class Kind:
    """A kind of cards: `card` makes one of a row and its id; `filled` is the column that is filled down."""

    file: str
    noun: str
    most: int
    columns: tuple[str, ...]
    card: Callable[[Row, str], Any]
    filled: str = ""


def character(row: Row, card_id: str) -> Character:
    """A profession."""
    prep = tuple(number for number, event in enumerate(EVENT_TYPES) if switch(row, f"prep_{event}"))
    return Character(card_id, prep, name(row, "name_hu"), name(row, "name_en"))


def dog(row: Row, card_id: str) -> Dog:
    """A dog with two different traits."""
    traits = [0] * len(TRAITS)
    first, second = (needed_word(row, f"trait{n}", TRAITS, "trait") for n in (1, 2))
    if first == second and first is not None:
        row.fault("trait2", "is the first trait as well; a dog has two different ones.")
    for trait, n in ((first, 1), (second, 2)):
        traits[trait or 0] = whole(row, f"dice{n}", 1, MOST_DICE)
    sex = SEXES[needed_word(row, "sex", SEXES, "sex") or 0]
    a, b, c, d, e = traits
    return Dog(card_id, breed(row), sex, whole(row, "price", 0, MOST_PRICE), (a, b, c, d, e))


def customer(row: Row, card_id: str) -> Customer:
    """A customer, who may want a breed or a sex, with up to two rewards; whether the breed exists is seen later."""
    sex = word(row, "sex", SEXES, "sex")
    rewards = tuple(reward for n in (1, 2) if (reward := _reward(row, f"bonus{n}")))
    wanted = row.text("breed") or None
    names = name(row, "name_hu"), name(row, "name_en")
    return Customer(card_id, wanted, None if sex is None else SEXES[sex], rewards, *names)


def _reward(row: Row, column: str) -> Reward | None:
    """A reward for a trait; numbers without a trait are a fault."""
    trait = word(row, f"{column}_trait", TRAITS, "trait")
    if row.text(f"{column}_trait") == "":
        for number in ("min", "coins", "rep"):
            if row.text(f"{column}_{number}"):
                row.fault(f"{column}_{number}", "belongs to a reward without a trait.")
        return None
    least, coins, reputation = (
        whole(row, f"{column}_{number}", lowest, MOST_OF_REWARD)
        for number, lowest in (("min", 1), ("coins", 0), ("rep", 0))
    )
    return None if trait is None else Reward(trait, least, coins, reputation)


def event(row: Row, card_id: str) -> Event:
    """An event with one to three different traits."""
    traits: list[int] = []
    for column in ("trait1", "trait2", "trait3"):
        trait = word(row, column, TRAITS, "trait")
        if trait in traits:
            row.fault(column, "is listed already; the traits of an event are different.")
        elif trait is not None:
            traits.append(trait)
    if not any(row.text(column) != "" for column in ("trait1", "trait2", "trait3")):
        row.fault("trait1", "an event lists at least one trait.")
    return Event(
        card_id,
        needed_word(row, "type", EVENT_TYPES, "event type") or 0,
        whole(row, "cost", 0, MOST_COST),
        tuple(traits),
        whole(row, "required", 1, MOST_REQUIRED),
        whole(row, "target", 2, 6),
        whole(row, "reputation", 0, MOST_PRIZE),
        name(row, "name_hu"),
        name(row, "name_en"),
    )


_NAMES = ("name_hu", "name_en")
_REWARDS = tuple(f"bonus{n}_{part}" for n in (1, 2) for part in ("trait", "min", "coins", "rep"))
CHARACTERS = Kind(
    "characters.csv",
    "character",
    MOST_CHARACTERS,
    ("id", *_NAMES, *(f"prep_{event_type}" for event_type in EVENT_TYPES)),
    character,
)
DOGS = Kind(
    "dogs.csv",
    "dog",
    MOST_DOGS,
    ("id", "breed", "breed_name_hu", "breed_name_en", "sex", "price", "trait1", "dice1", "trait2", "dice2"),
    dog,
    filled="breed",
)
CUSTOMERS = Kind(
    "customers.csv", "customer", MOST_CUSTOMERS, ("id", *_NAMES, "breed", "sex", *_REWARDS), customer
)
EVENTS = Kind(
    "events.csv",
    "event",
    MOST_EVENTS,
    ("id", "type", *_NAMES, "cost", "trait1", "trait2", "trait3", "required", "target", "reputation"),
    event,
)
KINDS = (CHARACTERS, DOGS, CUSTOMERS, EVENTS)
