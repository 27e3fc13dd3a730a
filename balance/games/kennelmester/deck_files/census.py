"""What a deck holds, in tables that a designer can compare with the box."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from balance.game import DeckTable
from balance.games.kennelmester.deck import EVENT_TYPES, SEXES, TRAITS, Breed, Customer, Deck, Dog


def census_of(deck: Deck) -> tuple[DeckTable, ...]:
    """All tables: cards, breeds, sexes, traits, event types, and what pairs of dogs pass on."""
    return (_cards(deck), _breeds(deck), _sexes(deck), _traits(deck), _events(deck), _pairs(deck))


def mean_price(dogs: Sequence[Dog]) -> Fraction:
    """The mean price of dogs, of which there is at least one."""
    return Fraction(sum(dog.price for dog in dogs), len(dogs))


def accepting(deck: Deck, dog: Dog) -> int:
    """How many customers accept a dog (K-25)."""
    return sum(_accepts(customer, dog) for customer in deck.customers)


def _accepts(customer: Customer, dog: Dog) -> bool:
    return customer.breed in (None, dog.breed) and customer.sex in (None, dog.sex)


def pairs_by_dice(deck: Deck) -> Counter[int]:
    """How many pairs of unbred dogs of one breed pass on how many dice by the official rule, the smaller (K-80)."""
    found: Counter[int] = Counter()
    for breed in deck.breeds:
        mothers, fathers = (_printed(deck, breed, sex) for sex in ("female", "male"))
        for mother, many in mothers.items():
            for father, times in fathers.items():
                found[sum(map(min, mother, father))] += many * times
    return found


def _printed(deck: Deck, breed: Breed, sex: str) -> Counter[tuple[int, ...]]:
    return Counter(dog.traits for dog in deck.dogs if (dog.breed, dog.sex) == (breed.id, sex))


def _cards(deck: Deck) -> DeckTable:
    kinds = {
        "characters": deck.characters,
        "dogs": deck.dogs,
        "customers": deck.customers,
        "events": deck.events,
    }
    rows = [(kind, len(cards)) for kind, cards in kinds.items()]
    return DeckTable("cards", ("in the deck",), (*rows, ("all cards", sum(number for _, number in rows))))


def _breeds(deck: Deck) -> DeckTable:
    rows = [
        (_called(breed), *_dogs(deck, [dog for dog in deck.dogs if dog.breed == breed.id]))
        for breed in deck.breeds
    ]
    return DeckTable("breeds", _OF_DOGS, (*rows, ("all breeds", *_dogs(deck, deck.dogs))))


_OF_DOGS = ("dogs", *(f"{sex}s" for sex in SEXES), "mean price", "dice", "customers")


def _called(breed: Breed) -> str:
    names = [name for name in dict.fromkeys((breed.name_hu, breed.name_en)) if name and name != breed.id]
    return f"{breed.id} ({', '.join(names)})" if names else breed.id


def _dogs(deck: Deck, dogs: Sequence[Dog]) -> Iterator[int | float | str]:
    """Number, males, females, mean price and dice of some dogs, and how many customers accept one of them."""
    yield len(dogs)
    yield from (sum(dog.sex == sex for dog in dogs) for sex in SEXES)
    yield float(mean_price(dogs))
    yield sum(sum(dog.traits) for dog in dogs)
    numbers = {accepting(deck, one) for one in {(dog.breed, dog.sex): dog for dog in dogs}.values()}
    yield str(min(numbers)) if len(numbers) == 1 else f"{min(numbers)} to {max(numbers)}"


def _sexes(deck: Deck) -> DeckTable:
    rows = []
    for sex in SEXES:
        dogs = [dog for dog in deck.dogs if dog.sex == sex]
        wanted = sum(customer.sex == sex for customer in deck.customers)
        price = float(mean_price(dogs)) if dogs else "-"
        rows.append((sex, len(dogs), price, sum(sum(dog.traits) for dog in dogs), wanted))
    return DeckTable("sexes", ("dogs", "mean price", "dice", "customers want only it"), tuple(rows))


def _traits(deck: Deck) -> DeckTable:
    rows = []
    for trait, name in enumerate(TRAITS):
        dice = [dog.traits[trait] for dog in deck.dogs]
        rewards = sum(reward.trait == trait for customer in deck.customers for reward in customer.rewards)
        events = sum(trait in event.traits for event in deck.events)
        rows.append((name, sum(map(bool, dice)), sum(dice), events, rewards))
    return DeckTable("traits", ("dogs", "dice", "events", "rewards"), tuple(rows))


def _events(deck: Deck) -> DeckTable:
    columns = ("events", "entry cost", "reputation", "characters prepare")
    rows = []
    for number, name in enumerate(EVENT_TYPES):
        events = [event for event in deck.events if event.type == number]
        prepare = sum(number in character.prep for character in deck.characters)
        rows.append((name, len(events), *_sums((event.cost, event.reputation) for event in events), prepare))
    total = _sums((event.cost, event.reputation) for event in deck.events)
    return DeckTable(
        "event types", columns, (*rows, ("all events", len(deck.events), *total, len(deck.characters)))
    )


def _sums(pairs: Iterable[tuple[int, int]]) -> tuple[int, int]:
    both = list(pairs)
    return sum(cost for cost, _ in both), sum(prize for _, prize in both)


def _pairs(deck: Deck) -> DeckTable:
    found = pairs_by_dice(deck)
    every = sum(found.values())
    rows = [
        ("1 die" if dice == 1 else f"{dice} dice", found[dice], f"{100 * found[dice] / every:.1f} %")
        for dice in sorted(found)
    ]
    return DeckTable("a pair of one breed passes on", ("pairs", "of all"), tuple(rows))
