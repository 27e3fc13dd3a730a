"""The census of a deck of Kennelmester: the numbers of the contract, and others for other decks."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from balance.games.kennelmester.deck import Deck
from balance.games.kennelmester.deck_files import census, placeholder_deck, read_deck

from .kennel_decks import PLAIN, VECTORS, plain_sheets, save, with_column

CHECKS = [
    vector
    for vector in tomllib.loads((VECTORS / "kennelmester.toml").read_text("utf-8"))["vector"]
    if vector["check"].startswith("deck_")
]


def tables(deck: Deck) -> dict[str, dict[str, dict[str, Any]]]:
    """The census as values by table, row and column."""
    return {
        table.title: {str(row[0]): dict(zip(table.columns, row[1:], strict=True)) for row in table.rows}
        for table in census.census_of(deck)
    }


def counts(deck: Deck) -> dict[str, Any]:
    found = tables(deck)
    kinds = {kind: row["in the deck"] for kind, row in found["cards"].items() if kind != "all cards"}
    events, breeds = found["event types"]["all events"], found["breeds"]
    assert breeds["all breeds"]["mean price"] == float(census.mean_price(deck.dogs))
    return kinds | {
        "breeds": len(breeds) - 1,
        "males": breeds["all breeds"]["males"],
        "reputation_total": events["reputation"],
        "cost_total": events["entry cost"],
        "mean_price": str(Fraction(breeds["all breeds"]["mean price"]).limit_denominator(1000)),
    }


ANSWERS: dict[str, Callable[[Deck], dict[str, Any]]] = {
    "deck_counts": counts,
    "deck_exposure": lambda deck: {
        "events": {trait: row["events"] for trait, row in tables(deck)["traits"].items()}
    },
    "deck_inheritance": lambda deck: {
        "pairs": [row["pairs"] for row in tables(deck)["a pair of one breed passes on"].values()]
    },
    "deck_customers": lambda deck: {
        "accepting_each_dog": int(tables(deck)["breeds"]["all breeds"]["customers"])
    },
}


@pytest.mark.parametrize("vector", CHECKS, ids=lambda vector: str(vector["id"]))
def test_vector(vector: dict[str, Any]) -> None:
    assert ANSWERS[vector["check"]](placeholder_deck()) == vector["out"]
    assert ANSWERS[vector["check"]](read_deck(PLAIN)) == vector["out"]


def test_all_vectors_of_decks_are_there() -> None:
    assert [vector["id"] for vector in CHECKS] == ["V-110", "V-111", "V-112", "V-113"]


@pytest.mark.parametrize(
    ("check", "change"),
    [
        ("deck_counts", ("events", 0, "cost", "2")),
        ("deck_counts", ("dogs", 0, "sex", "female")),
        ("deck_exposure", ("events", 0, "trait1", "speed")),
        ("deck_inheritance", ("dogs", 0, "dice1", "1")),
        ("deck_customers", ("customers", 0, "sex", "male")),
    ],
)
def test_another_deck_has_another_census(
    tmp_path: Path, check: str, change: tuple[str, int, str, str]
) -> None:
    sheet, at, column, value = change
    sheets = plain_sheets()
    sheets[sheet][at][column] = value
    (vector,) = (vector for vector in CHECKS if vector["check"] == check)
    found = read_deck(save(tmp_path, sheets))
    if check == "deck_customers":
        assert tables(found)["breeds"]["all breeds"]["customers"] == "18 to 19"
    else:
        assert ANSWERS[check](found) != vector["out"]


def test_the_census_counts_copies(tmp_path: Path) -> None:
    sheets = plain_sheets()
    sheets["events"] = with_column(sheets["events"], "db", "2")
    found = tables(read_deck(save(tmp_path, sheets)))
    assert found["cards"]["all cards"] == {"in the deck": 178}
    assert found["event types"]["work"] == {
        "events": 16,
        "entry cost": 24,
        "reputation": 64,
        "characters prepare": 2,
    }
    assert found["sexes"]["male"] == {
        "dogs": 48,
        "mean price": float(Fraction(29, 6)),
        "dice": 136,
        "customers want only it": 2,
    }
