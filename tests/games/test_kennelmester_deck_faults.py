"""What a deck is refused for: each fault in one sentence with file, line, column and value, and all of them at once."""

from __future__ import annotations

import string
from collections.abc import Mapping
from pathlib import Path

import pytest

from balance.errors import DeckError
from balance.games.kennelmester.deck import TRAITS
from balance.games.kennelmester.deck_files import placeholder_deck, read_deck

from .kennel_decks import PLAIN, Dialect, edited, faults, plain_sheets, rows_of, save, with_column

TEXT = "write the id into a column that is formatted as text."
DATE = "looks like a date that a spreadsheet has made"
SHORTENED = "looks like a number that a spreadsheet has shortened"
NUMBER = "a whole number from 0 to 50"
KNOWN = f"Known are {', '.join(TRAITS[:-1])} and {TRAITS[-1]}."


# ---------------------------------------------------------------- cells

IDS = {
    **dict.fromkeys(
        (
            "1-May",
            "1. máj",
            "2026-05-01",
            "2026-05-01 00:00:00",
            "2026. 05. 01.",
            "01.05.2026",
            "5/1/26",
            "1/5",
        ),
        f"{DATE}; {TEXT}",
    ),
    **dict.fromkeys(("May-26", "máj.26", "szept. 5.", "12-Jan-2026", "1-Dez"), f"{DATE}; {TEXT}"),
    **dict.fromkeys(("1E+05", "1,00E+05", "1.2E-3", "1E5"), f"{SHORTENED}; {TEXT}"),
    "Puli M1": 'is no id: that has only the letters a to z, digits and underscores. Write "puli_m1".',
    "Kölyök-1": 'is no id: that has only the letters a to z, digits and underscores. Write "kolyok_1".',
    "犬": "is no id: that has only the letters a to z, digits and underscores.",
    "ENDROW": 'is no id: that has only the letters a to z, digits and underscores. Write "endrow".',
    "=A2&1": "is a formula; save the table with the values.",
    **dict.fromkeys(
        ("#REF!", "#NAME?", "#DIV/0!", "#N/A", "#NÉV?", "#HIÁNYZIK", "Err:502"),
        "is an error of the spreadsheet; correct the formula there.",
    ),
    "x" * 201: "is longer than 200 letters.",
    "puli_f1": "is an id already, in line 8.",
    "ch_groomer": "is an id already, in line 6 of FOLDER/characters.csv.",
}


@pytest.mark.parametrize("value", IDS)
def test_an_id_that_cannot_be_trusted(tmp_path: Path, value: str) -> None:
    save(tmp_path, edited({("dogs", 9, "id"): value}), Dialect(";"))
    shown = value if len(value) < 60 else f"{value[:59]}…"
    sentence = IDS[value].replace("FOLDER/", "")
    assert faults(tmp_path) == [f'dogs.csv, line 9, column id: "{shown}" {sentence}']


PRICES = {
    **dict.fromkeys(("5,5", "5.5", "0,25"), f"is a fraction; {NUMBER} is needed."),
    **dict.fromkeys(("-1", "51", "x", "1 000", "1\u202f000", "5 Ft"), "is no whole number from 0 to 50."),
    **dict.fromkeys(("٥", "5,", "9" * 20, "5%", "--5", "'5"), "is no whole number from 0 to 50."),
    **dict.fromkeys(("1.000", "5,000"), f"can be read in two ways; write {NUMBER} without a point or comma."),
    **dict.fromkeys(("5-May", "2026-01-05", "1.máj"), f"{DATE}; {NUMBER} is needed."),
    "5E+01": f"{SHORTENED}; {NUMBER} is needed.",
    "=5": "is a formula; save the table with the values.",
    "#VALUE!": "is an error of the spreadsheet; correct the formula there.",
}


@pytest.mark.parametrize("value", PRICES)
def test_a_price_that_is_no_whole_number_in_its_range(tmp_path: Path, value: str) -> None:
    save(tmp_path, edited({("dogs", 3, "price"): value}))
    assert faults(tmp_path) == [f'dogs.csv, line 3, column price: "{value}" {PRICES[value]}']


BOUNDS = {
    ("dogs", "price"): (0, 50),
    ("dogs", "dice1"): (1, 6),
    ("dogs", "dice2"): (1, 6),
    ("customers", "bonus1_min"): (1, 1000),
    ("customers", "bonus2_coins"): (0, 1000),
    ("customers", "bonus2_rep"): (0, 1000),
    ("events", "cost"): (0, 20),
    ("events", "required"): (1, 20),
    ("events", "target"): (2, 6),
    ("events", "reputation"): (0, 50),
}


@pytest.mark.parametrize(("sheet", "column"), BOUNDS)
def test_numbers_keep_their_bounds(tmp_path: Path, sheet: str, column: str) -> None:
    low, high = BOUNDS[sheet, column]
    line = 13  # a customer with two rewards, too
    for value in (low, high):
        read_deck(save(tmp_path / "good", edited({(sheet, line, column): str(value)})))
    for value in (low - 1, high + 1):
        save(tmp_path / "bad", edited({(sheet, line, column): str(value)}))
        said = (
            f'{sheet}.csv, line {line}, column {column}: "{value}" is no whole number from {low} to {high}.'
        )
        assert faults(tmp_path / "bad") == [said]
    save(tmp_path / "bad", edited({(sheet, line, column): ""}))
    assert faults(tmp_path / "bad") == [
        f"{sheet}.csv, line {line}, column {column}: a whole number from {low} to {high} is missing."
    ]


WORDS: dict[tuple[str, int, str], dict[str, str]] = {
    ("dogs", 2, "trait1"): {
        "appearence": '"appearence" is no trait. Did you mean "appearance"?',
        "küllem": f'"küllem" is no trait. {KNOWN}',
        "": "the trait is missing: appearance, speed, balance, instinct or trainability.",
    },
    ("dogs", 3, "trait2"): {
        "appearance": '"appearance" is the first trait as well; a dog has two different ones.',
        "": "the trait is missing: appearance, speed, balance, instinct or trainability.",
    },
    ("dogs", 4, "sex"): {
        "mal": '"mal" is no sex. Did you mean "male"?',
        "kan": '"kan" is no sex. Known are male and female.',
        "": "the sex is missing: male or female.",
    },
    ("dogs", 2, "breed"): {
        "": "the breed is missing, and there is none in a row above.",
        "1-May": f'"1-May" {DATE}; write the breed into a column that is formatted as text.',
        "#REF!": '"#REF!" is an error of the spreadsheet; correct the formula there.',
    },
    ("dogs", 5, "breed"): {"Pulí": '"Pulí" is spelled puli in line 2; write it one way.'},
    ("dogs", 6, "breed_name_en"): {"=B2": '"=B2" is a formula; save the table with the values.'},
    ("customers", 2, "sex"): {"females": '"females" is no sex. Did you mean "female"?'},
    ("customers", 2, "breed"): {
        "pulli": '"pulli" is the breed of no dog. Did you mean "puli"?',
        "Puli": '"Puli" is the breed of no dog. Did you mean "puli"?',
        "dachshund": '"dachshund" is the breed of no dog.',
    },
    ("customers", 9, "bonus1_trait"): {"Sped": '"Sped" is no trait. Did you mean "speed"?'},
    ("customers", 9, "bonus2_min"): {"1": '"1" belongs to a reward without a trait.'},
    ("customers", 2, "bonus1_rep"): {"0": '"0" belongs to a reward without a trait.'},
    ("events", 2, "type"): {
        "wrk": '"wrk" is no event type. Did you mean "work"?',
        "munka": '"munka" is no event type. Known are work, sport and show.',
        "": "the event type is missing: work, sport or show.",
    },
    ("events", 2, "trait2"): {
        "instinct": '"instinct" is listed already; the traits of an event are different.',
        "smell": f'"smell" is no trait. {KNOWN}',
    },
    ("characters", 2, "prep_work"): {
        "2": '"2" is neither 0 nor 1.',
        "x": '"x" is neither 0 nor 1.',
        "#N/A": '"#N/A" is an error of the spreadsheet; correct the formula there.',
    },
}


@pytest.mark.parametrize(("place", "value"), [(place, value) for place in WORDS for value in WORDS[place]])
def test_a_word_that_is_not_known(tmp_path: Path, place: tuple[str, int, str], value: str) -> None:
    sheet, line, column = place
    save(tmp_path, edited({place: value}), Dialect("\t", "utf-16"))
    assert faults(tmp_path) == [f"{sheet}.csv, line {line}, column {column}: {WORDS[place][value]}"]


def test_an_event_needs_a_trait(tmp_path: Path) -> None:
    save(tmp_path, edited({("events", 4, "trait1"): "", ("events", 4, "trait2"): ""}))
    assert faults(tmp_path) == ["events.csv, line 4, column trait1: an event lists at least one trait."]


def test_a_reward_needs_all_its_numbers(tmp_path: Path) -> None:
    save(tmp_path, edited({("customers", 3, "bonus2_trait"): "speed"}))
    assert faults(tmp_path) == [
        f"customers.csv, line 3, column bonus2_{part}: a whole number from {low} to 1000 is missing."
        for part, low in (("min", 1), ("coins", 0), ("rep", 0))
    ]


# ---------------------------------------------------------------- copies

COUNTS = {
    **dict.fromkeys(("1000000", "101", "-1", "x", "TRUE"), "is no whole number from 0 to 100."),
    **dict.fromkeys(("1,5", "0.5"), "is a fraction; a whole number from 0 to 100 is needed."),
    "1.000": "can be read in two ways; write a whole number from 0 to 100 without a point or comma.",
    "1E+06": f"{SHORTENED}; a whole number from 0 to 100 is needed.",
    "=SUM(A1)": "is a formula; save the table with the values.",
}


@pytest.mark.parametrize("value", COUNTS)
def test_a_count_that_cannot_be_trusted(tmp_path: Path, value: str) -> None:
    sheets = plain_sheets()
    sheets["events"] = with_column(sheets["events"], "Darab", "1")
    sheets["events"][4]["Darab"] = value
    save(tmp_path, sheets, Dialect(";"))
    assert faults(tmp_path) == [f'events.csv, line 6, column Darab: "{value}" {COUNTS[value]}']


def test_the_row_of_a_faulty_count_is_looked_at(tmp_path: Path) -> None:
    sheets = edited({("events", 6, "cost"): "x"})
    sheets["events"] = with_column(sheets["events"], "db", "1")
    sheets["events"][4]["db"] = "-3"
    save(tmp_path, sheets)
    assert faults(tmp_path) == [
        'events.csv, line 6, column db: "-3" is no whole number from 0 to 100.',
        'events.csv, line 6, column cost: "x" is no whole number from 0 to 20.',
    ]


def test_a_count_is_found_by_name_and_never_by_place(tmp_path: Path) -> None:
    """An id in the first column once gave a million cards elsewhere."""
    sheets = plain_sheets()
    sheets["dogs"] = with_column(sheets["dogs"], "card number", "1162167")
    assert read_deck(save(tmp_path, sheets)) == placeholder_deck()


def test_two_counts(tmp_path: Path) -> None:
    sheets = plain_sheets()
    sheets["events"] = with_column(with_column(sheets["events"], "db", "1"), "Qty", "1")
    save(tmp_path, sheets)
    assert faults(tmp_path) == [
        'events.csv, line 1: "db" also says how many there are of a card, as does "Qty"; leave one of them.'
    ]


def test_a_copy_may_have_the_id_of_another_card(tmp_path: Path) -> None:
    sheets = edited({("events", 4, "id"): "ev_work_1_2", ("customers", 2, "id"): "ev_show_1_3"})
    sheets["events"] = with_column(sheets["events"], "db", "1")
    sheets["events"][0]["db"] = sheets["events"][16]["db"] = "3"
    save(tmp_path, sheets)
    assert faults(tmp_path) == [
        'events.csv, line 4, column id: "ev_work_1_2" is an id already, in line 2.',
        'events.csv, line 18, column id: "ev_show_1" has a copy ev_show_1_3, which is an id already, '
        "in line 2 of customers.csv.",
    ]


def test_a_row_that_is_switched_off_is_not_looked_at(tmp_path: Path) -> None:
    sheets = edited({("dogs", 2, "id"): "1-May", ("dogs", 2, "price"): "?"})
    sheets["dogs"] = with_column(sheets["dogs"], "count", "1")
    sheets["dogs"][0]["count"] = "0"
    assert read_deck(save(tmp_path, sheets)).dogs == placeholder_deck().dogs[1:]


def test_customers_of_a_breed_that_is_switched_off(tmp_path: Path) -> None:
    sheets = plain_sheets()
    sheets["dogs"] = with_column(sheets["dogs"], "count", "1")
    for row in sheets["dogs"][:12]:
        row["count"] = "0"
    save(tmp_path, sheets)
    assert faults(tmp_path) == [
        'customers.csv, line 18, column breed: "puli" is a breed whose dogs are all switched off.'
    ]


# ---------------------------------------------------------------- columns and rows


@pytest.mark.parametrize(
    ("renamed", "said"),
    [
        ({"price": "prise"}, ['column price: this column is missing. Did you mean "prise"?']),
        ({"price": "x", "sex": ""}, [f"column {name}: this column is missing." for name in ("sex", "price")]),
        (
            {"price": "Dice1"},
            ['line 1: "dice1" is the name of two columns.', "column price: this column is missing."],
        ),
    ],
)
def test_columns_that_are_missing(tmp_path: Path, renamed: Mapping[str, str], said: list[str]) -> None:
    """What else is wrong in the file is still found, and the customers' breeds are still known."""
    sheets = edited({("dogs", 7, "trait1"): "sped"})
    sheets["dogs"] = [{renamed.get(name, name): cell for name, cell in row.items()} for row in sheets["dogs"]]
    save(tmp_path, sheets)
    assert faults(tmp_path) == [
        *(f"dogs.csv, {'' if one.startswith('line') else 'line 1, '}{one}" for one in said),
        'dogs.csv, line 7, column trait1: "sped" is no trait. Did you mean "speed"?',
    ]


# ---------------------------------------------------------------- whole decks


MOST = {"characters": 64, "dogs": 1000, "customers": 500, "events": 200}


@pytest.mark.parametrize("sheet", MOST)
def test_how_many_cards_can_be_played_with(tmp_path: Path, sheet: str) -> None:
    most = MOST[sheet]
    sheets = plain_sheets()
    row = sheets[sheet][-1]
    sheets[sheet] += [row | {"id": f"more_{number}"} for number in range(most - len(sheets[sheet]))]
    assert len(getattr(read_deck(save(tmp_path, sheets)), sheet)) == most
    sheets[sheet].append(row | {"id": "one_more"})
    save(tmp_path, sheets)
    assert faults(tmp_path) == [f"{sheet}.csv: {most + 1} {sheet} are too many; {most} can be played with."]


def test_how_many_breeds_can_be_played_with(tmp_path: Path) -> None:
    sheets = plain_sheets()
    letters = string.ascii_lowercase
    names = [f"breed {one}{other}" for one in letters[:3] for other in letters][:56]
    row = sheets["dogs"][0]
    sheets["dogs"] += [row | {"id": f"more_{at}", "breed": name} for at, name in enumerate(names)]
    assert len(read_deck(save(tmp_path, sheets)).breeds) == 64
    sheets["dogs"].append(row | {"id": "one_more", "breed": "one more"})
    save(tmp_path, sheets)
    assert faults(tmp_path) == ["dogs.csv: 65 breeds are too many; 64 can be played with."]


@pytest.mark.parametrize(
    ("sheet", "noun"), [("characters", "character"), ("dogs", "dog"), ("events", "event")]
)
def test_a_deck_needs_cards_of_each_kind(tmp_path: Path, sheet: str, noun: str) -> None:
    sheets = plain_sheets()
    sheets[sheet] = with_column(sheets[sheet], "count", "0")
    save(tmp_path, sheets)
    assert faults(tmp_path) == [f"{sheet}.csv: there is no {noun} in this file."]


def test_all_faults_are_told_at_once_file_by_file_and_line_by_line(tmp_path: Path) -> None:
    sheets = edited(
        {
            ("events", 3, "cost"): "5,5",
            ("events", 2, "type"): "wrk",
            ("dogs", 90, "id"): "1-May",
            ("dogs", 5, "price"): "#REF!",
            ("dogs", 5, "sex"): "m",
            ("customers", 20, "breed"): "agár",
            ("characters", 2, "prep_show"): "yes",
        }
    )
    save(tmp_path, sheets)
    (tmp_path / "events.csv").write_bytes((tmp_path / "events.csv").read_bytes() + b'"')
    assert faults(tmp_path) == [
        'characters.csv, line 2, column prep_show: "yes" is neither 0 nor 1.',
        'dogs.csv, line 5, column price: "#REF!" is an error of the spreadsheet; correct the formula there.',
        'dogs.csv, line 5, column sex: "m" is no sex. Known are male and female.',
        f'dogs.csv, line 90, column id: "1-May" {DATE}; {TEXT}',
        'customers.csv, line 20, column breed: "agár" is the breed of no dog. Did you mean "agar"?',
        'events.csv, line 2, column type: "wrk" is no event type. Did you mean "work"?',
        'events.csv, line 3, column cost: "5,5" is a fraction; a whole number from 0 to 20 is needed.',
        'events.csv, line 26: """ begins with a quotation mark that nothing closes.',
    ]


def test_those_who_play_see_the_first_faults_and_where_to_find_the_rest(tmp_path: Path) -> None:
    folder = tmp_path / "my deck"
    sheets = plain_sheets()
    for row in sheets["dogs"]:
        row["price"] = "5,5"
    save(folder, sheets)
    assert len(faults(folder)) == 96
    with pytest.raises(DeckError) as refused:
        read_deck(folder)
    *first, last = refused.value.message.splitlines()
    assert len(first) == 20
    assert last == f"These are the first 20 of 96 faults; `balance deck check '{folder}'` shows all."
    save(folder, edited({("dogs", 2, "price"): "x"}))
    assert len(faults(folder)) == 1


def test_what_cannot_be_told_for_another_fault_is_not(tmp_path: Path) -> None:
    """A breed that was lost makes no customer's wish a fault, nor blank cells below it."""
    sheets = edited({("dogs", 14, "breed"): "#REF!"})
    for row in sheets["dogs"][13:24]:
        row["breed"] = ""
    save(tmp_path, sheets)
    assert faults(tmp_path) == [
        'dogs.csv, line 14, column breed: "#REF!" is an error of the spreadsheet; correct the formula there.'
    ]


def test_the_rows_of_the_plain_files_are_one_to_a_line() -> None:
    """So the lines in these tests are right."""
    text = (PLAIN / "dogs.csv").read_text("utf-8")
    assert [row["id"] for row in rows_of(text)] == [line.partition(",")[0] for line in text.splitlines()[1:]]
