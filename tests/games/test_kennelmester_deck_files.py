"""Files of a deck of Kennelmester that are no tables, no text, or not there."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from balance.games.kennelmester.deck_files.contents import MOST_BYTES

from .kennel_decks import FILES, UTF8, Dialect, edited, faults, plain_sheets, save

NAMES = "id, breed, breed_name_hu, breed_name_en, sex, price, trait1, dice1, trait2 and dice2"
TEXTS: dict[str, tuple[Callable[[str], str], list[str]]] = {
    "no line with names": (
        lambda text: text.partition("\n")[2],
        [f"line 1: this is not the line that names the columns: {NAMES}."],
    ),
    "an unknown separator": (
        lambda text: text.replace(",", "|"),
        [f"line 1: this is not the line that names the columns: {NAMES}."],
    ),
    "a title above": (
        lambda text: f"My dogs,,,\n{text}",
        [f"line 1: this is not the line that names the columns: {NAMES}."],
    ),
    "empty": (lambda _text: "", ["this file is empty."]),
    "blank": (lambda _text: "\n ; ;\n\n", ["this file is empty."]),
    "names only": (lambda text: text.partition("\n")[0], ["there is no dog in this file."]),
    "a comma in a name": (
        lambda text: text.replace("puli_m2,puli,puli,", "puli_m2,puli,puli, kutya,"),
        ['line 3: "PLACEHOLDER" stands in cell 12, but only 11 columns have names; '
         "a text with a comma in it needs quotation marks around it."],
    ),
    "a quotation mark that nothing closes": (
        lambda text: text.replace("puli_m2,", '"puli_m2,'),
        ['line 3: ""puli_m2,puli,puli,Puli,male,5,appearanc" begins with a quotation mark that nothing closes.'],
    ),
    "a quotation mark that another closes": (
        lambda text: text.replace("puli_m2,", '"puli_m2,').replace("pumi_f3,", '"pumi_f3,'),
        ['line 3: ""puli_m2,puli,puli,Puli,male,5,appearanc" begins with a quotation mark that is closed '
         "in line 46, in the middle of a text."],
    ),
    "a text after a quotation mark": (
        lambda text: text.replace("puli_m2,puli,puli", 'puli_m2,puli,"pu"li'),
        ['line 3: ""pu"li,Puli,male,5,appearance,2,balance," begins with a quotation mark that is closed '
         "in the middle of a text."],
    ),
    "a zero byte": (
        lambda text: text.replace("puli_m4", "puli\0m4"),
        [f"line 5: there is a U+0000 here, which no text has; {UTF8}"],
    ),
    "a code that steers the terminal": (
        lambda text: text.replace("Puli,male,4", "\x1b[31mPuli,male,4"),
        [f"line 4: there is a U+001B here, which no text has; {UTF8}"],
    ),
    "too many rows": (
        lambda text: text + "\n" * 3 + "x,puli,,,male,1,speed,1,instinct,1,\n" * 9_905,
        ["10001 rows are too many; no deck has more than 10000."],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", TEXTS)
def test_a_file_that_is_no_table_of_cards(tmp_path: Path, name: str) -> None:
    path = save(tmp_path, plain_sheets()) / "dogs.csv"
    change, said = TEXTS[name]
    path.write_text(change(path.read_text("utf-8")), encoding="utf-8")
    assert faults(tmp_path) == [f"dogs.csv{':' if one[:5] != 'line ' else ','} {one}" for one in said]


def test_lines_are_those_of_the_file_after_line_breaks_in_cells(tmp_path: Path) -> None:
    name = 'one "big"\r\nname,\n\nthree breaks'
    wrong = {("events", 2, "name_hu"): name, ("events", 2, "cost"): "x", ("events", 3, "name_en"): name}
    for dialect in (Dialect(), Dialect(";", newline="\r\n"), Dialect("\t", "utf-16", "\r")):
        sheets = edited({**wrong, ("events", 3, "target"): "1", ("events", 9, "target"): "9"})
        sheets["events"] = [dict.fromkeys(sheets["events"][0], ""), *sheets["events"]]
        save(tmp_path, sheets, dialect)
        assert faults(tmp_path) == [
            'events.csv, line 6, column cost: "x" is no whole number from 0 to 20.',
            'events.csv, line 10, column target: "1" is no whole number from 2 to 6.',
            'events.csv, line 16, column target: "9" is no whole number from 2 to 6.',
        ]


def test_lines_after_the_line_that_names_the_separator(tmp_path: Path) -> None:
    save(tmp_path, edited({("events", 2, "cost"): "x"}), Dialect(";", "utf-8-sig", "\r\n", directive=True))
    assert faults(tmp_path) == ['events.csv, line 3, column cost: "x" is no whole number from 0 to 20.']


def test_cells_that_a_short_row_does_not_have_are_blank_in_its_line(tmp_path: Path) -> None:
    path = save(tmp_path, plain_sheets()) / "events.csv"
    path.write_text(path.read_text("utf-8").replace("3,4,5,PLACEHOLDER", "3,4", 1), encoding="utf-8")
    assert faults(tmp_path) == [
        "events.csv, line 7, column reputation: a whole number from 0 to 50 is missing."
    ]


# ---------------------------------------------------------------- bytes

BYTES: dict[str, tuple[Callable[[str], bytes], str]] = {
    "UTF-8 and cp1250": (
        lambda text: text.encode() + "ev_x,work,őű,,1,speed,,,1,5,2,\n".encode("cp1250"),
        f"line 26: the file is written in two encodings, one of them UTF-8, but not here; {UTF8}",
    ),
    "a mark of UTF-8 before cp1250": (
        lambda text: b"\xef\xbb\xbf" + text.encode("cp1250"),
        f"line 2: the file begins as UTF-8, but this is not; {UTF8}",
    ),
    "UTF-16 with half a letter": (
        lambda text: text.encode("utf-16") + b"x",
        f"line 26: the file begins as UTF-16, but this is not; {UTF8}",
    ),
    "UTF-16 without a mark": (
        lambda text: text.encode("utf-16-le"),
        f"line 1: there is a U+0000 here, which no text has; {UTF8}",
    ),
    "neither": (
        lambda text: text.encode("ascii", "ignore") + b"\n\n\x81\x98",
        f"line 28: this is neither UTF-8 nor cp1250; {UTF8}",
    ),
    "a workbook": (lambda _text: b"PK\x03\x04 and more", f"this is a workbook, not a CSV file; {UTF8}"),
    "an old workbook": (lambda _text: b"\xd0\xcf\x11\xe0", f"this is a workbook, not a CSV file; {UTF8}"),
    "too many": (
        lambda text: text.encode() + b"\n" * MOST_BYTES,
        "this file has more than 4 MB, which is no deck.",
    ),
}


@pytest.mark.parametrize("name", BYTES)
def test_bytes_that_are_no_text(tmp_path: Path, name: str) -> None:
    path = save(tmp_path, plain_sheets()) / "events.csv"
    change, said = BYTES[name]
    path.write_bytes(change(path.read_text("utf-8")))
    assert faults(tmp_path) == [f"events.csv{',' if said[:5] == 'line ' else ':'} {said}"]


def test_random_bytes_never_fail_otherwise(tmp_path: Path) -> None:
    save(tmp_path, plain_sheets())
    for number in range(48):
        (tmp_path / "dogs.csv").write_bytes(bytes((number * 7 + at * at) % 256 for at in range(number)))
        assert faults(tmp_path)


# ---------------------------------------------------------------- files


def broken_link(path: Path) -> None:
    path.symlink_to("nowhere")


def unreadable(path: Path) -> None:
    """Readable by its rights, but whoever reads it gets an error."""
    path.symlink_to("/proc/self/mem")


@pytest.mark.parametrize(
    ("put", "said"),
    [
        (lambda _path: None, "this file is missing."),
        (lambda path: path.with_name("Dogs.csv").touch(), 'this file is missing. Did you mean "Dogs.csv"?'),
        (
            lambda path: path.with_name("dogs.xlsx").touch(),
            'this file is missing. Save the table in "dogs.xlsx" as CSV.',
        ),
        (lambda path: path.mkdir(), "this is a folder, not a file."),
        (os.mkfifo, "this is something else, not a file."),
        (broken_link, "this is something else, not a file."),
        (unreadable, "this file cannot be read: Input/output error."),
    ],
    ids=["missing", "capital", "workbook", "folder", "pipe", "broken link", "unreadable"],
)
def test_a_file_that_cannot_be_read(tmp_path: Path, put: Callable[[Path], None], said: str) -> None:
    path = save(tmp_path, plain_sheets()) / "dogs.csv"
    path.unlink()
    put(path)
    assert faults(tmp_path) == [f"dogs.csv: {said}"]


def test_an_empty_folder(tmp_path: Path) -> None:
    assert faults(tmp_path) == [f"{name}.csv: this file is missing." for name in FILES]
