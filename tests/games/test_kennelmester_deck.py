"""Decks of Kennelmester that are good: in every form in which spreadsheets save them, they are the same deck."""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from naive.kennelmester_game import read_decks

from balance.errors import BalanceError
from balance.game import DeckCheck
from balance.games.kennelmester import GAME
from balance.games.kennelmester.deck import EVENT_TYPES, TRAITS, Deck
from balance.games.kennelmester.deck_files import check_deck, deck_note, placeholder_deck, read_deck
from balance.games.kennelmester.deck_files.checks import OFFICIAL_EVENTS
from balance.games.kennelmester.params import KennelmesterParams

from .kennel_decks import (
    FILES,
    PLAIN,
    PLAIN_DIALECT,
    ROOT,
    Dialect,
    Sheets,
    plain_sheets,
    save,
    whole_with,
    with_column,
)

SHIPPED = ROOT / "balance" / "games" / "kennelmester" / "placeholder"
TO_EDIT = ROOT / "configs" / "decks" / "kennelmester"
Change = Callable[[Sheets], Any]


def read(folder: Path, sheets: Sheets, dialect: Dialect = PLAIN_DIALECT) -> Deck:
    return read_deck(save(folder, sheets, dialect))


def notes(folder: Path) -> list[str]:
    """How the files in a folder were understood, without what is said of a plain file and of placeholders."""
    said = [note.sentence().removeprefix(f"{folder}/") for note in checked(folder).notes]
    return [note for note in said if "UTF-8 with commas between" not in note and "PLACEHOLDER" not in note]


def checked(folder: Path) -> DeckCheck:
    found = check_deck(folder)
    assert found.faults == ()
    return found


# ---------------------------------------------------------------- the placeholder deck


@pytest.mark.parametrize("name", FILES)
def test_the_shipped_deck_is_the_contracts_and_so_is_the_copy_to_edit(name: str) -> None:
    given = (PLAIN / f"{name}.csv").read_bytes()
    assert (SHIPPED / f"{name}.csv").read_bytes() == given
    assert (TO_EDIT / f"{name}.csv").read_bytes() == given
    assert {path.name for path in (*SHIPPED.iterdir(), *TO_EDIT.iterdir())} == {
        f"{name}.csv" for name in FILES
    }


def as_data(deck: Deck) -> dict[str, Any]:
    """A deck in the words of traces (8.2)."""
    return {
        "characters": [
            {"id": card.id, "prep": [EVENT_TYPES[number] for number in card.prep]} for card in deck.characters
        ],
        "dogs": [
            {
                "id": card.id,
                "breed": card.breed,
                "sex": card.sex,
                "price": card.price,
                "traits": named(card.traits),
            }
            for card in deck.dogs
        ],
        "customers": [
            {
                "id": card.id,
                "breed": card.breed,
                "sex": card.sex,
                "bonuses": [
                    {
                        "trait": TRAITS[one.trait],
                        "min": one.min,
                        "coins": one.coins,
                        "reputation": one.reputation,
                    }
                    for one in card.rewards
                ],
            }
            for card in deck.customers
        ],
        "events": [
            {
                "id": card.id,
                "type": EVENT_TYPES[card.type],
                "cost": card.cost,
                "traits": [TRAITS[number] for number in card.traits],
                "required": card.required,
                "target": card.target,
                "reputation": card.reputation,
            }
            for card in deck.events
        ],
    }


def named(traits: tuple[int, ...]) -> dict[str, int]:
    return {name: dice for name, dice in zip(TRAITS, traits, strict=True) if dice}


def test_the_cards_are_those_that_the_plain_referee_reads() -> None:
    assert as_data(placeholder_deck()) == read_decks(PLAIN)
    assert (
        json.dumps(as_data(placeholder_deck())["events"][7]["traits"])
        == '["instinct", "trainability", "balance"]'
    )


def test_a_run_keeps_its_deck_as_data(tmp_path: Path) -> None:
    sheets = plain_sheets()
    sheets["dogs"][0] |= {"breed_name_hu": "犬 [x] שלום", "notes": ""}
    for deck in (placeholder_deck(), read(tmp_path, sheets)):
        assert GAME.deck_of(json.loads(json.dumps(GAME.deck_data(deck)))) == deck


def test_names_come_along() -> None:
    deck = placeholder_deck()
    assert (deck.characters[4].name_hu, deck.characters[4].name_en) == ("kutyakozmetikus", "groomer")
    assert (deck.customers[4].name_hu, deck.events[3].name_en) == ("városi pár", "guarding exam")
    assert [(breed.id, breed.name_hu, breed.name_en) for breed in deck.breeds[2:4]] == [
        ("agar", "magyar agár", "Hungarian Greyhound"),
        ("pumi", "pumi", "Pumi"),
    ]
    assert list(deck.breed_index.items())[-1] == ("mudi", 7)


def test_a_deck_is_a_placeholder_as_soon_as_one_row_is_marked(tmp_path: Path) -> None:
    assert (placeholder_deck().placeholder, placeholder_deck().placeholder_cards) == (True, 154)
    sheets = plain_sheets()
    for row in (row for rows in sheets.values() for row in rows):
        row["notes"] = "tested in May"
    assert deck_note(read(tmp_path, sheets)) == ""
    sheets["dogs"][3] |= {"notes": "still a placeholder, says Anna", "copies": "3"}
    sheets["dogs"] = with_column(sheets["dogs"], "copies", "1")
    deck = read(tmp_path, sheets)
    assert (deck.placeholder, deck.placeholder_cards) == (True, 3)
    assert deck_note(deck) == (
        "PLACEHOLDER DECK: 3 of its 156 cards are marked as invented, in place of the publisher's."
    )


# ---------------------------------------------------------------- as spreadsheets write


def shuffled(columns: list[str]) -> list[str]:
    return random.Random(len(columns)).sample(columns, len(columns))


DIALECTS = {
    "as it is": Dialect(),
    "semicolons": Dialect(";"),
    "tabs": Dialect("\t"),
    "byte order mark": Dialect(encoding="utf-8-sig"),
    "European Excel": Dialect(";", "utf-8-sig", "\r\n"),
    "old European Excel": Dialect(";", "cp1250", "\r\n"),
    "cp1250 with commas": Dialect(encoding="cp1250"),
    "Unicode text": Dialect("\t", "utf-16", "\r\n"),
    "UTF-16 of a Mac": Dialect("\t", "utf-16", "\r"),
    "sep=;": Dialect(";", directive=True),
    "sep=; of Excel": Dialect(";", "utf-8-sig", "\r\n", directive=True),
    "sep=|": Dialect("|", directive=True),
    "sep= in Unicode text": Dialect("\t", "utf-16", "\r\n", directive=True),
    "old line ends": Dialect(newline="\r"),
    "all in quotes": Dialect(quoting=csv.QUOTE_ALL),
    "all in quotes, semicolons": Dialect(";", quoting=csv.QUOTE_ALL, newline="\r\n"),
    "other order": Dialect(order=shuffled),
    "backwards": Dialect(";", order=lambda columns: columns[::-1]),
    "blanks around": Dialect(cell=lambda text: f"  {text}\u00a0", header=lambda text: f" {text} "),
    "capitals": Dialect(header=str.upper),
    "accents": Dialect(header=lambda text: text.replace("i", "í").title()),
    "decimal commas": Dialect(";", cell=whole_with(",")),
    "decimal commas in quotes": Dialect(cell=whole_with(",")),
    "decimal points": Dialect(cell=whole_with(".")),
    "two decimals": Dialect(cell=lambda text: f"{text}.00" if text.isdigit() else text),
    "capitals in cells": Dialect(
        cell=lambda text: text.upper() if text in (*TRAITS, "male", "female", "show") else text
    ),
    "invisible marks": Dialect(cell=lambda text: f"\ufeff{text}\u200b", header=lambda text: f"\u200e{text}"),
    "line break before a header": Dialect(header=lambda text: f"\n{text}"),
}


@pytest.mark.parametrize("dialect", DIALECTS.values(), ids=DIALECTS)
def test_every_form_of_the_files_is_the_same_deck(tmp_path: Path, dialect: Dialect) -> None:
    assert read(tmp_path, plain_sheets(), dialect) == placeholder_deck()
    assert checked(tmp_path).warnings == ()


def test_blanks_around_quotation_marks(tmp_path: Path) -> None:
    save(tmp_path, plain_sheets(), Dialect(";", quoting=csv.QUOTE_ALL))
    for name in FILES:
        path = tmp_path / f"{name}.csv"
        path.write_text(path.read_text("utf-8").replace('";"', ' " ;  "'), encoding="utf-8")
    assert read_deck(tmp_path) == placeholder_deck()


@pytest.mark.parametrize(
    "name", ["count", "QTY", "Quantity", " copies ", "amount", "db", "Darab", "antal", "Anzahl", "nombre"]
)
@pytest.mark.parametrize("place", [0, 3, -1])
def test_a_count_makes_copies_with_ids_of_their_own(tmp_path: Path, name: str, place: int) -> None:
    sheets = plain_sheets()
    sheets["dogs"] = with_column(sheets["dogs"], name, "1")
    for at, count in enumerate(("3", "0", "", "2,0", "1.0")):
        sheets["dogs"][at][name] = count

    def moved(columns: list[str]) -> list[str]:
        others = [column for column in columns if column != name]
        return [*others[:place], name, *others[place:]] if name in columns else columns

    deck = read(tmp_path, sheets, Dialect(";", order=moved))
    official = placeholder_deck()
    first, _, third, fourth, *others = official.dogs
    copies = (first, replace(first, id="puli_m1_2"), replace(first, id="puli_m1_3"))
    assert deck.dogs == (*copies, third, fourth, replace(fourth, id="puli_m4_2"), *others)
    assert replace(deck, dogs=official.dogs, placeholder_cards=154) == official
    assert deck.placeholder_cards == 156
    assert notes(tmp_path) == [
        *(f"{kind}.csv: read as UTF-8 with semicolons between the columns." for kind in FILES[:2]),
        f"dogs.csv, column {name.strip()}: blank in line 4, which counts as 1.",
        f"dogs.csv, column {name.strip()}: 0 in line 3, which switches off 1 card.",
        f"dogs.csv, column {name.strip()}: lines 2 and 5 make 5 cards, with ids such as puli_m1 and puli_m1_2.",
        *(f"{kind}.csv: read as UTF-8 with semicolons between the columns." for kind in FILES[2:]),
    ]


def test_other_columns_are_named_and_not_read(tmp_path: Path) -> None:
    sheets = plain_sheets()
    sheets["events"] = with_column(with_column(sheets["events"], "art", "=A1"), "Számláló", "#REF!")
    assert read(tmp_path, sheets) == placeholder_deck()
    assert notes(tmp_path) == ["events.csv, line 1: columns not read: Számláló and art."]


def test_notes_are_for_anything(tmp_path: Path) -> None:
    sheets = plain_sheets()
    for row, note in zip(
        sheets["dogs"], ("=A1+1", "#REF!", "1-May", "long " * 99, "two\nlines", "x, y"), strict=False
    ):
        row["notes"] = f"{note} PLACEHOLDER"
    sheets["dogs"][6]["notes"] = "=1"
    assert read(tmp_path, sheets) == replace(placeholder_deck(), placeholder_cards=153)


def test_the_other_order_of_bytes(tmp_path: Path) -> None:
    for path in save(tmp_path, plain_sheets(), Dialect("\t")).iterdir():
        path.write_bytes(("\ufeff" + path.read_text("utf-8")).encode("utf-16-be"))
    assert read_deck(tmp_path) == placeholder_deck()


def test_blank_rows_and_totals_are_no_cards(tmp_path: Path) -> None:
    save(tmp_path, plain_sheets(), Dialect(";"))
    path = tmp_path / "dogs.csv"
    head, *lines = path.read_text("utf-8").splitlines()
    totals = [
        "Összesen:;;;;;464;;144;;128;",
        ";;;;;464;;;;;",
        "",
        ";;;;;4,83;;;TOTAL;1 000;",
        ";;;;;;;FALSE;;;",
    ]
    text = "\n".join(["", ";;", head, *lines[:4], "", " ; ;", *lines[4:], *totals, "", ";;;;;;;;;;;;;"])
    path.write_text(text, encoding="utf-8")
    assert read_deck(tmp_path) == placeholder_deck()
    assert notes(tmp_path)[1:4] == [
        "dogs.csv: read as UTF-8 with semicolons between the columns.",
        "dogs.csv: lines 1, 2, 8, 9, 104, 107 and 108 are blank; skipped.",
        "dogs.csv: lines 102, 103, 105 and 106 hold totals and no cards; skipped.",
    ]


def test_a_plain_customer_without_a_name_is_no_total(tmp_path: Path) -> None:
    sheets = plain_sheets()
    sheets["customers"][0] = dict.fromkeys(sheets["customers"][0], "") | {"id": "cu_total"}
    sheets["characters"][0] = sheets["characters"][0] | {"id": "7", "name_hu": "", "name_en": "", "notes": ""}
    deck = read(tmp_path, sheets)
    assert (deck.customers[0].id, deck.characters[0].id) == ("cu_total", "7")
    assert notes(tmp_path) == []


def test_a_breed_is_filled_down_and_nothing_else(tmp_path: Path) -> None:
    sheets = plain_sheets()
    for at, row in enumerate(sheets["dogs"]):
        if at % 12:
            row["breed"] = row["breed_name_hu"] = row["breed_name_en"] = ""
    sheets["dogs"][30]["breed"] = "pumi"
    deck = read(tmp_path, sheets)
    assert [dog.breed for dog in deck.dogs[24:36]] == ["agar"] * 6 + ["pumi"] * 6
    assert replace(deck, dogs=()) == replace(placeholder_deck(), dogs=())
    told = notes(tmp_path)
    assert len(told) == 9
    assert (
        told[0]
        == 'dogs.csv, line 3, column breed: "puli" is filled down from the row above into lines 3 to 13.'
    )
    assert (
        told[3]
        == 'dogs.csv, line 33, column breed: "pumi" is filled down from the row above into lines 33 to 37.'
    )


def test_line_breaks_and_signs_within_cells(tmp_path: Path) -> None:
    names = {
        0: 'the "big"\r\n test;, one',
        1: "“curly”",
        2: "[bold]x[/bold]",
        3: "שלום  犬 😀",
        4: "TRUE",
        5: "1-May",
    }
    for number, dialect in enumerate((Dialect(), Dialect(";", newline="\r\n"), Dialect("\t", "utf-16"))):
        sheets = plain_sheets()
        for at, name in names.items():
            sheets["events"][at]["name_en"] = name
        deck = read(tmp_path / str(number), sheets, dialect)
        found = [event.name_en for event in deck.events[:6]]
        assert found == ['the "big" test;, one', *list(names.values())[1:]]
        assert [event.cost for event in deck.events] == [event.cost for event in placeholder_deck().events]


@pytest.mark.parametrize(
    ("on", "off"), [("TRUE", "FALSE"), ("IGAZ", "HAMIS"), ("WAHR", "FALSCH"), ("1", ""), ("1,0", "0,0")]
)
def test_boxes_to_tick(tmp_path: Path, on: str, off: str) -> None:
    sheets = plain_sheets()
    for row in sheets["characters"]:
        row |= {name: on if row[name] == "1" else off for name in row if name.startswith("prep_")}
    assert read(tmp_path, sheets, Dialect(";")) == placeholder_deck()


def test_letters_that_were_guessed_are_shown(tmp_path: Path) -> None:
    save(tmp_path, plain_sheets(), Dialect(";", "cp1250"))
    assert notes(tmp_path)[:2] == [
        "characters.csv: read as cp1250 with semicolons between the columns.",
        'characters.csv, line 2: "kiképző" shows how letters were read; '
        'if it looks wrong, save the file as "CSV UTF-8".',
    ]


def test_blanks_alone_are_no_letters(tmp_path: Path) -> None:
    """They can make a file cp1250, and are stripped then."""
    save(tmp_path, plain_sheets())
    path = tmp_path / "characters.csv"
    path.write_bytes(path.read_text("utf-8").encode("ascii", "ignore").replace(b"1,0,0", b"1\xa0,0,0"))
    assert read_deck(tmp_path).events == placeholder_deck().events
    assert notes(tmp_path) == ["characters.csv: read as cp1250 with commas between the columns."]


def test_short_rows_end_in_blank_cells(tmp_path: Path) -> None:
    save(tmp_path, plain_sheets())
    path = tmp_path / "customers.csv"
    text = path.read_text("utf-8").replace("PLACEHOLDER", "")
    path.write_text("\n".join(line.rstrip(",") for line in text.splitlines()), encoding="utf-8")
    assert read_deck(tmp_path).customers == placeholder_deck().customers


def test_rows_are_added_counts_changed_and_breeds_invented(tmp_path: Path) -> None:
    sheets = plain_sheets()
    new = dict(sheets["dogs"][0]) | {
        "breed": "犬 [x]",
        "breed_name_hu": "שלום",
        "breed_name_en": "Mutt",
        "price": "50",
    }
    sheets["dogs"] = [new | {"id": "mutt_f1", "sex": "female"}, new | {"id": "mutt_m1"}, *sheets["dogs"]]
    sheets["customers"][0] |= {"breed": "犬 [x]"}
    deck = read(tmp_path, sheets)
    assert [breed.id for breed in deck.breeds][:2] == ["犬 [x]", "puli"]
    assert (deck.customers[0].breed, len(deck.dogs), deck.dogs[0].price) == ("犬 [x]", 98, 50)


def test_there_are_good_decks_without_customers(tmp_path: Path) -> None:
    sheets = plain_sheets()
    sheets["customers"] = with_column(sheets["customers"], "db", "0")
    assert read(tmp_path, sheets).customers == ()
    assert [warning.text for warning in checked(tmp_path).warnings] == ["every customer is switched off."]


# ---------------------------------------------------------------- warnings


def doubled_dice(sheets: Sheets) -> None:
    for at in (3, 4, 5, 9):
        sheets["dogs"][at]["dice1"] = "3"


def no_male_puli(sheets: Sheets) -> None:
    sheets["dogs"] = sheets["dogs"][6:]


def few_characters(sheets: Sheets) -> None:
    sheets["characters"] = sheets["characters"][:3]


def few_events(sheets: Sheets) -> None:
    sheets["events"] = sheets["events"][1:]


def other_name(sheets: Sheets) -> None:
    sheets["dogs"][26]["breed_name_hu"] = "agár"
    sheets["dogs"][27]["breed_name_hu"] = "agárka"


def test_the_official_number_of_events_is_that_of_the_rules() -> None:
    assert OFFICIAL_EVENTS == KennelmesterParams.model_fields["event_deck_size"].default


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            doubled_dice,
            "dogs.csv: more than 2 dice for a trait in lines 5 to 7 and 11; the rulebook knows 1 and 2.",
        ),
        (no_male_puli, 'dogs.csv, line 2, column breed: "puli" has no male dog, so it cannot breed.'),
        (few_characters, "characters.csv: 3 characters for at most as many players."),
        (
            few_events,
            "events.csv: 23 events; the official rules play with 24, so set event_deck_size to 23 or less.",
        ),
        (
            other_name,
            'dogs.csv, line 28, column breed_name_hu: "agár" is another name than in line 26 for the same breed; '
            "the first one is used.",
        ),
    ],
)
def test_what_may_not_be_meant_is_a_warning(tmp_path: Path, change: Change, said: str) -> None:
    sheets = plain_sheets()
    change(sheets)
    (warning,) = checked(save(tmp_path, sheets)).warnings
    assert warning.sentence() == f"{tmp_path}/{said}"


# ---------------------------------------------------------------- places


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "my-deck").mkdir()
    (tmp_path / "file").write_text("")
    for name, sentence in {
        "my-dec": 'There is no folder {}. Did you mean "my-deck"?',
        "file": "{} is a file, not the folder of a deck.",
        "gone/deck": "There is no folder {}.",
        "nul\0": "The folder {} cannot be read: embedded null byte.",
    }.items():
        for look in (read_deck, check_deck):
            with pytest.raises(BalanceError) as refused:
                look(tmp_path / name)
            assert refused.value.message == sentence.format(tmp_path / name)
            assert type(refused.value) is BalanceError
