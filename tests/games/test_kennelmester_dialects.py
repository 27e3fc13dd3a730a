"""Any deck of Kennelmester, written in any form that spreadsheets know, is read as it was written."""

from __future__ import annotations

import csv
import io
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from balance.games.kennelmester.deck import (
    EVENT_TYPES,
    SEXES,
    TRAITS,
    Breed,
    Character,
    Customer,
    Deck,
    Dog,
    Event,
    Reward,
)
from balance.games.kennelmester.deck_files import read_deck
from balance.games.kennelmester.deck_files.cells import rows_of

from .kennel_decks import Dialect, Sheets, save, whole_with

PIECES = (
    "Kölyök",
    "ŐŰ",
    "puli",
    "a, b",
    "a; b",
    '"so"',
    "'",
    "[bold]",
    "-",
    "1-May",
    "total",
    "\\",
    "|",
    "“”",
    "–",
)
BEYOND = ("犬", "שלום", "😀", "e\u0301", "ı", "\u202f", "ﬁ")
"""Parts of names that cp1250 does not know."""


def names(pieces: tuple[str, ...]) -> st.SearchStrategy[str]:
    """What people call things, without surrounding blanks, which no reader keeps."""
    return st.lists(st.sampled_from(pieces), max_size=3).map(" ".join).map(str.strip)


@st.composite
def decks(draw: Any, pieces: tuple[str, ...]) -> Deck:
    """Small decks with everything that the files can say."""
    name, trait, small = names(pieces), st.integers(0, 4), st.integers(0, 20)
    ids = iter(range(100))
    known = ("puli", "magyar agár", "犬 [x]")[: 3 if "犬" in pieces else 2]
    breeds = draw(st.lists(st.sampled_from(known), min_size=1, unique=True))
    dogs = []
    for breed in breeds:
        for sex in SEXES:
            first, second = draw(st.lists(trait, min_size=2, max_size=2, unique=True))
            traits = [0] * 5
            traits[first], traits[second] = draw(st.integers(1, 6)), draw(st.integers(1, 6))
            dogs.append(Dog(f"d{next(ids)}", breed, sex, draw(st.integers(0, 50)), tuple(traits)))  # type: ignore[arg-type]
    reward = st.builds(Reward, trait, st.integers(1, 9), small, small)
    return Deck(
        tuple(
            Character(
                f"ch_{next(ids)}", tuple(sorted(draw(st.sets(st.integers(0, 2))))), draw(name), draw(name)
            )
            for _ in range(draw(st.integers(1, 3)))
        ),
        tuple(dogs),
        tuple(
            Customer(
                f"cu_{next(ids)}",
                draw(st.sampled_from((None, *breeds))),
                draw(st.sampled_from((None, *SEXES))),
                tuple(draw(st.lists(reward, max_size=2))),
                draw(name),
                draw(name),
            )
            for _ in range(draw(st.integers(1, 4)))
        ),
        tuple(
            Event(
                f"ev_{next(ids)}",
                draw(st.integers(0, 2)),
                draw(small),
                tuple(draw(st.lists(trait, min_size=1, max_size=3, unique=True))),
                draw(st.integers(1, 20)),
                draw(st.integers(2, 6)),
                draw(small),
                draw(name),
                draw(name),
            )
            for _ in range(draw(st.integers(1, 4)))
        ),
        tuple(Breed(breed, draw(name), draw(name)) for breed in breeds),
    )


def sheets_of(deck: Deck) -> Sheets:
    """The rows of the files, one for each card."""
    called = {breed.id: breed for breed in deck.breeds}
    return {
        "characters": [
            {
                **head(card),
                **{f"prep_{kind}": str(int(number in card.prep)) for number, kind in enumerate(EVENT_TYPES)},
            }
            for card in deck.characters
        ],
        "dogs": [
            {
                "id": dog.id,
                "breed": dog.breed,
                "breed_name_hu": called[dog.breed].name_hu,
                "breed_name_en": called[dog.breed].name_en,
                "sex": dog.sex,
                "price": str(dog.price),
                **printed(dog),
            }
            for dog in deck.dogs
        ],
        "customers": [
            {**head(card), "breed": card.breed or "", "sex": card.sex or "", **promised(card)}
            for card in deck.customers
        ],
        "events": [
            {
                **head(card),
                "type": EVENT_TYPES[card.type],
                "cost": str(card.cost),
                **{
                    f"trait{n}": TRAITS[card.traits[n - 1]] if n <= len(card.traits) else ""
                    for n in (1, 2, 3)
                },
                "required": str(card.required),
                "target": str(card.target),
                "reputation": str(card.reputation),
            }
            for card in deck.events
        ],
    }


def head(card: Any) -> dict[str, str]:
    return {"id": card.id, "name_hu": card.name_hu, "name_en": card.name_en}


def printed(dog: Dog) -> dict[str, str]:
    (one, other) = [(TRAITS[trait], str(dice)) for trait, dice in enumerate(dog.traits) if dice]
    return {"trait1": other[0], "dice1": other[1], "trait2": one[0], "dice2": one[1]}


def promised(card: Customer) -> dict[str, str]:
    found = {}
    for number in (1, 2):
        reward = card.rewards[number - 1] if number <= len(card.rewards) else None
        values = (TRAITS[reward.trait], reward.min, reward.coins, reward.reputation) if reward else ("",) * 4
        parts = (f"bonus{number}_{part}" for part in ("trait", "min", "coins", "rep"))
        found |= dict(zip(parts, map(str, values), strict=True))
    return found


WIDE = ("utf-8", "utf-8-sig", "utf-16")


@st.composite
def dialects(draw: Any, encodings: tuple[str, ...]) -> Dialect:
    """Any form of the files."""
    separator = draw(st.sampled_from(",;\t"))
    comma = draw(st.sampled_from(("", ",", ".")))
    random = draw(st.randoms(use_true_random=False))
    return Dialect(
        separator,
        draw(st.sampled_from(encodings)),
        draw(st.sampled_from(("\n", "\r\n", "\r"))),
        draw(st.booleans()),
        draw(st.sampled_from((csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC))),
        lambda columns: random.sample(columns, len(columns)),
        draw(st.sampled_from((str, str.upper, str.title, lambda text: f" {text}\u00a0"))),
        whole_with(comma) if comma else str,
    )


@given(st.data(), st.booleans())
@settings(max_examples=120, deadline=None)
def test_a_deck_is_read_as_it_was_written(data: st.DataObject, narrow: bool) -> None:
    deck = data.draw(decks(PIECES if narrow else PIECES + BEYOND))
    dialect = data.draw(dialects(WIDE + ("cp1250",) * narrow))
    with tempfile.TemporaryDirectory() as place:
        assert read_deck(save(Path(place), sheets_of(deck), dialect)) == deck


TABLES = st.lists(st.lists(st.text("ab,;\t\"'\n é犬", max_size=6), min_size=2, max_size=4), max_size=5)


@given(TABLES, st.sampled_from(",;\t"), st.sampled_from((csv.QUOTE_MINIMAL, csv.QUOTE_ALL)))
@settings(max_examples=300, deadline=None)
def test_cells_are_those_of_the_csv_module(rows: list[list[str]], separator: str, quoting: Any) -> None:
    """Each with the line in which it begins; what stands around it is taken away, and line breaks in it are blanks."""
    out = io.StringIO()
    csv.writer(out, delimiter=separator, lineterminator="\n", quoting=quoting).writerows(rows)
    line = 1
    expected: list[list[tuple[list[str], int]]] = []
    for row in rows:
        expected.append([])
        for text in row:
            expected[-1].append((text.split(), line))
            line += text.count("\n")
        line += 1
    found = rows_of(out.getvalue(), separator)
    assert [[(cell.text.split(), cell.line) for cell in row] for row in found] == expected
