"""Tables of 80 columns in which long names are folded and numbers are whole."""

from __future__ import annotations

from balance.cli.tables import _table as table

NUMBERS = ["123,456.78", "123,450.00 to 123,463.56", "1,234", "12,345", "123,456"]


def test_columns_are_as_wide_as_their_widest_cell() -> None:
    assert list(table([["", "mean"], ["Turns", "44.8"], ["Decisions", "157.9"]])) == [
        "              mean",
        "  Turns       44.8",
        "  Decisions  157.9",
    ]


def test_a_long_name_is_folded_and_its_numbers_stay_whole() -> None:
    name = "The number of times that somebody looked at the card on top of the deck"
    head, first, *more = table([["per game", "mean", "interval", "p10", "median", "p90"], [name, *NUMBERS]])
    assert max(map(len, (head, first, *more))) == 80
    assert first.endswith("  ".join(["", *NUMBERS]))
    assert " ".join(" ".join([first.split(NUMBERS[0])[0], *more]).split()) == name


def test_a_name_without_spaces_is_folded_too() -> None:
    lines = list(table([["", "mean"], ["x" * 200, "1.0"]]))
    assert max(map(len, lines)) == 80
    assert "".join(lines).count("x") == 200
    assert sum(line.endswith("  1.0") for line in lines) == 1


def test_an_indented_name_stays_indented() -> None:
    _, *lines = table([["", *NUMBERS], ["  a name that is rather long for its place", *NUMBERS]])
    assert lines[0].startswith("    a name")
    assert all(line.startswith("      ") for line in lines[1:])
