"""What a deck of Kennelmester is: the four kinds of cards, as the designer's files name them.

Cards stand in the order of their files, which gives each its index (5.1). Traits and event types are numbered by
their place in TRAITS and EVENT_TYPES (1.1, 1.2).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

TRAITS = ("appearance", "speed", "balance", "instinct", "trainability")
EVENT_TYPES = ("work", "sport", "show")
SEXES = ("male", "female")
MOST_CHARACTERS, MOST_DOGS, MOST_CUSTOMERS, MOST_EVENTS, MOST_BREEDS = 64, 1000, 500, 200, 64
"""The largest deck that is taken (5.1)."""


@dataclass(frozen=True)
class Character:
    """A profession: for which event types its owner can prepare dogs (A-43), by number."""

    id: str
    prep: tuple[int, ...]
    name_hu: str = ""
    name_en: str = ""


@dataclass(frozen=True)
class Dog:
    """A dog card; `traits` are the printed dice of the five traits."""

    id: str
    breed: str
    sex: str
    price: int
    traits: tuple[int, int, int, int, int]


@dataclass(frozen=True)
class Reward:
    """What a customer pays more for a trait, by number, whose total reaches `min`."""

    trait: int
    min: int
    coins: int
    reputation: int


@dataclass(frozen=True)
class Customer:
    """A customer card; without a breed or a sex any will do."""

    id: str
    breed: str | None
    sex: str | None
    rewards: tuple[Reward, ...]
    name_hu: str = ""
    name_en: str = ""


@dataclass(frozen=True)
class Event:
    """An event card: how many dice must show its target, for dogs with any of its traits."""

    id: str
    type: int
    cost: int
    traits: tuple[int, ...]
    required: int
    target: int
    reputation: int
    name_hu: str = ""
    name_en: str = ""


@dataclass(frozen=True)
class Breed:
    """A breed and what people call it."""

    id: str
    name_hu: str = ""
    name_en: str = ""


@dataclass(frozen=True)
class Deck:
    """All cards of a game. A placeholder was invented for the simulator and stands in for the publisher's cards."""

    characters: tuple[Character, ...]
    dogs: tuple[Dog, ...]
    customers: tuple[Customer, ...]
    events: tuple[Event, ...]
    breeds: tuple[Breed, ...]
    """In the order of their first dogs."""
    placeholder: bool = False
    placeholder_cards: int = 0
    """How many of the cards are marked so."""

    @cached_property
    def breed_index(self) -> dict[str, int]:
        """The number of each breed."""
        return {breed.id: index for index, breed in enumerate(self.breeds)}
