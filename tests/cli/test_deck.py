"""balance deck check: what a deck holds, how its files were understood, and everything that is wrong with it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from games.kennel_decks import PLAIN, Dialect, edited, plain_sheets, save, with_column
from rich.cells import cell_len

from balance.cli.deck import app

from .commands import Ended, own_process

Command = Callable[..., Ended]
ISOLATES = "\u2068", "\u2069"
GOOD = """\
  cards       in the deck
  characters            6
  dogs                 96
  customers            28
  events               24
  all cards           154

  breeds                       dogs  males  females  mean price  dice  customers
  puli (Puli)                    12      6        6        4.83    34         19
  komondor (Komondor)            12      6        6        4.83    34         19
  agar (magyar agár,             12      6        6        4.83    34         19
    Hungarian Greyhound)
  pumi (Pumi)                    12      6        6        4.83    34         19
  kuvasz (Kuvasz)                12      6        6        4.83    34         19
  vizsla (magyar vizsla,         12      6        6        4.83    34         19
    Hungarian Vizsla)
  kopo (erdélyi kopó,            12      6        6        4.83    34         19
    Transylvanian Hound)
  mudi (Mudi)                    12      6        6        4.83    34         19
  all breeds                     96     48       48        4.83   272         19

  sexes   dogs  mean price  dice  customers want only it
  male      48        4.83   136                       2
  female    48        4.83   136                       2

  traits        dogs  dice  events  rewards
  appearance      38    53       9        7
  speed           38    53      10        6
  balance         42    60      11        6
  instinct        36    51      10        7
  trainability    38    55      11        5

  event types  events  entry cost  reputation  characters prepare
  work              8          12          32                   2
  sport             8          12          32                   2
  show              8          12          32                   2
  all events       24          36          96                   6

  a pair of one breed passes on  pairs  of all
  0 dice                            16   5.6 %
  1 die                            168  58.3 %
  2 dice                            72  25.0 %
  3 dice                            32  11.1 %

Notes:
- d: PLACEHOLDER DECK: 154 of its 154 cards are marked as invented, in place of
  the publisher's.
- d/characters.csv: read as UTF-8 with commas between the columns.
- d/dogs.csv: read as UTF-8 with commas between the columns.
- d/customers.csv: read as UTF-8 with commas between the columns.
- d/events.csv: read as UTF-8 with commas between the columns.

d, a deck of Kennelmester: nothing is wrong with it.
"""


def test_a_good_deck(balance: Command, here: Path) -> None:
    save(here / "d", plain_sheets())
    assert balance("deck", "check", "d") == Ended(0, GOOD, "")


@pytest.mark.parametrize("width", ["40", "300"])
def test_the_width_of_the_terminal_changes_nothing(
    balance: Command, here: Path, monkeypatch: pytest.MonkeyPatch, width: str
) -> None:
    save(here / "d", plain_sheets())
    monkeypatch.setenv("COLUMNS", width)
    assert balance("deck", "check", "d").out == GOOD
    assert max(map(len, GOOD.splitlines())) == 80


def test_a_faulty_deck(balance: Command, here: Path) -> None:
    sheets = edited({("dogs", 2, "id"): "1-May", ("dogs", 3, "dice1"): "4", ("events", 9, "target"): "2,5"})
    sheets["dogs"] = with_column(sheets["dogs"], "db", "1")
    sheets["dogs"][8]["db"] = "0"
    save(here / "d", sheets, Dialect(";", "cp1250", "\r\n"))
    (here / "d" / "customers.csv").unlink()
    ended = balance("deck", "check", "d")
    assert (ended.code, ended.err) == (1, "")
    notes, warnings, faults = (part.splitlines() for part in ended.out.split("\n\n")[:3])
    assert notes[0] == "Notes:"
    assert notes[-3:-1] == [
        "- d/events.csv: read as cp1250 with semicolons between the columns.",
        '- d/events.csv, line 2: "ösztönpróba" shows how letters were read; if it looks',
    ]
    assert "- d/dogs.csv, column db: 0 in line 10, which switches off 1 card." in notes
    assert warnings == [
        "Warnings:",
        "- d/dogs.csv: more than 2 dice for a trait in line 3; the rulebook knows 1 and",
        "  2.",
    ]
    assert faults == [
        "Faults:",
        '- d/dogs.csv, line 2, column id: "1-May" looks like a date that a spreadsheet',
        "  has made; write the id into a column that is formatted as text.",
        "- d/customers.csv: this file is missing.",
        '- d/events.csv, line 9, column target: "2,5" is a fraction; a whole number from',
        "  2 to 6 is needed.",
    ]
    assert ended.out.endswith("\n\nd, a deck of Kennelmester: 3 faults; it cannot be played with.\n")


def test_json_has_all_of_it(balance: Command, here: Path) -> None:
    save(here / "d", plain_sheets())
    facts = json.loads(balance("deck", "check", "d", "--format", "json").out)
    assert {key: facts[key] for key in ("game", "folder", "good", "faults", "warnings")} == {
        "game": "kennelmester",
        "folder": "d",
        "good": True,
        "faults": [],
        "warnings": [],
    }
    assert len(facts["notes"]) == 5
    tables = {table["title"]: table for table in facts["census"]}
    assert tables["traits"]["columns"] == ["dogs", "dice", "events", "rewards"]
    assert tables["traits"]["rows"][0] == ["appearance", 38, 53, 9, 7]
    assert tables["breeds"]["rows"][2][:4] == ["agar (magyar agár, Hungarian Greyhound)", 12, 6, 6]


def test_json_of_a_faulty_deck(balance: Command, here: Path) -> None:
    save(here / "d", edited({("dogs", 3, "price"): "5,5"}))
    ended = balance("deck", "check", "d", "--format", "json")
    assert (ended.code, ended.err) == (1, "")
    facts = json.loads(ended.out)
    text = "is a fraction; a whole number from 0 to 50 is needed."
    assert (facts["good"], facts["census"]) == (False, [])
    assert facts["faults"] == [
        {
            "file": "d/dogs.csv",
            "line": 3,
            "column": "price",
            "value": "5,5",
            "text": text,
            "sentence": f'd/dogs.csv, line 3, column price: "5,5" {text}',
        }
    ]


NAMES = (
    "[brackets] [bold]x[/bold] %s {0} `id`",
    "back\\slash \\n \\x1b '",
    "犬と猫のゲーム" * 5,
    "שלום עולם: " * 3 + "12 אב",
    "😀 e\u0301 Kölyök  ıİ 한국어 عربي ٣",
    "<b>&amp;",
    "w" * 90,
)


def plain(text: str) -> str:
    """The text without what lines add to it: ends, indents, and marks around names from right to left."""
    return "".join(letter for letter in text if not letter.isspace() and letter not in ISOLATES)


def test_names_are_shown_exactly_as_written(here: Path) -> None:
    sheets = plain_sheets()
    for name, at in zip(NAMES, range(0, 96, 12), strict=False):
        for row in sheets["dogs"][at : at + 12]:
            row |= {"breed": name, "breed_name_hu": f"hu {name}", "breed_name_en": ""}
    for row in sheets["customers"]:
        row["breed"] = ""
    sheets["events"] = with_column(sheets["events"], "\u202eart", "")  # it writes what follows backwards
    save(here / "good", sheets)
    good = own_process(here, "deck", "check", "good", env={"PYTHONIOENCODING": "ascii"})
    assert good.code == 0
    assert "- good/events.csv, line 1: column not read: \\u202eart.\n" in good.out
    for at, name in enumerate(NAMES):
        sheets["events"][at]["type"] = name
    save(here / "ש [x]", sheets)
    bad = own_process(here, "deck", "check", "ש [x]")
    assert bad.code == 1
    for ended in (good, bad):
        assert max(map(cell_len, ended.out.splitlines())) <= 80
        assert all(line.count(ISOLATES[0]) == line.count(ISOLATES[1]) for line in ended.out.splitlines())
    assert f"  {ISOLATES[0]}{NAMES[3][:10]}" in good.out
    assert f'"{ISOLATES[0]}{NAMES[3][:10]}' in bad.out
    for at, name in enumerate(NAMES):
        assert plain(f"{name} (hu {name}) 12" if len(name) < 20 else name[:20]) in plain(good.out)
        shown = name if len(name) < 60 else f"{name[:59]}…"
        assert plain(f'ש [x]/events.csv, line {at + 2}, column type: "{shown}" is no event type.') in plain(
            bad.out
        )


FOLDERS = {
    "gone": "There is no folder gone.",
    "deks": 'There is no folder deks. Did you mean "decks"?',
    "file": "file is a file, not the folder of a deck.",
}


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_folder_that_is_none(balance: Command, here: Path, folder: str) -> None:
    (here / "file").write_text("")
    (here / "decks").mkdir()
    assert balance("deck", "check", folder) == Ended(2, "", f"error: {FOLDERS[folder]}\n")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("check",), "`balance deck check` needs more: FOLDER is missing."),
        (("chek", "d"), 'There is no command "chek". Did you mean "check"?'),
        (
            ("check", "d", "--formt", "json"),
            '`balance deck check` has no option --formt. Did you mean "--format"?',
        ),
        (("check", "d", "--format", "xml"), '--format takes text or json, not "xml".'),
        (("check", "d", "--game", "animalia"), "Animalia has no decks to check."),
        (("check", "d", "--game", "chess"), 'There is no game "chess".'),
    ],
    ids=" ".join,
)
def test_a_wrong_command_line(balance: Command, arguments: tuple[str, ...], said: str) -> None:
    ended = balance("deck", *arguments)
    assert (ended.code, ended.out, ended.faults) == (2, "", [f"error: {said}"])


def test_whose_deck_it_is_must_be_clear(
    balance: Command, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With one game that has decks it is clear; there may be none, or several."""
    save(here / "d", plain_sheets())
    assert balance("deck", "check", "d", "--game", "kennelmester").out == GOOD
    for names, known in (
        (["animalia", "pig"], "none"),
        (["kennelmester"] * 2, "kennelmester and kennelmester"),
    ):
        monkeypatch.setattr("balance.registry.names", lambda names=names: names)
        assert balance("deck", "check", "d") == Ended(
            2, "", f"error: Say whose deck it is, with --game GAME.\n  Games with decks: {known}.\n"
        )


def test_help_says_what_there_is(balance: Command) -> None:
    assert len(app.registered_commands) == 1
    ended = balance("deck", "--help")
    assert ended.code == 0
    assert "check  Print what a deck holds, and all that is wrong with it.\n" in ended.out
    assert balance("deck") == Ended(2, "", ended.out)


def test_the_copy_to_edit_is_good(balance: Command) -> None:
    ended = balance("deck", "check", Path(__file__).parents[2] / "configs" / "decks" / "kennelmester")
    assert ended.code == 0
    assert ended.out.split("\n\nNotes:")[0] == GOOD.split("\n\nNotes:")[0]
    assert balance("deck", "check", PLAIN).code == 0
