"""Tables of 80 columns in which long names are folded and numbers are whole."""

from __future__ import annotations

import re

from report.sample import Shape, build

from balance.cli.tables import summary, table

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


NAMES = [f"{letter}-type-of-player-with-a-name-of-forty-c" for letter in "abcdef"]


def test_six_policies_at_six_seats_fit_with_every_number() -> None:
    results = build(Shape(players=(6,), policies=NAMES))
    whole = {"value": 1.0, "low": 0.123456, "high": 1.0, "n": 10**9, "method": "test"}
    for side in results["cells"][0]["sides"]:
        side |= {"win_share": whole, "share_of_wins": whole, "seats": [whole] * 6}
    lines = summary(results).splitlines()
    assert max(map(len, lines)) <= 80
    numbers = [line for line in lines if line.count("100.0 %") == 6]
    assert len(numbers) == 6
    assert all(line.endswith("  43.8") for line in numbers)
    for name in NAMES:  # in the table of scores, of all wins, and of seats
        found = [line for line in lines if line.startswith(f"  {name[:8]}")]
        assert sum(bool(re.search(r"100(\.0)? %", line)) for line in found) == 3
    assert "of all wins" in "".join(lines)


def test_the_tests_of_the_seats_and_what_a_variant_changes_fit_with_every_number() -> None:
    results = build(Shape(players=(6,), variants=("baseline", NAMES[0])))
    for entry in results["comparisons"][0]["metrics"]:
        share = entry["metric"] in ("win_share", "tie_rate")
        moved = {"value": -0.999999, "low": -1.0, "high": -0.999998} if share else MOVED
        entry |= {"difference": {**moved, "n": 10**9, "method": "test"}, "worth": 1234567.0}
        entry |= {"baseline": 0.999999 if share else 123456.78}
    lines = summary(results).splitlines()
    assert max(map(len, lines)) <= 80
    assert "  all seats even: p <0.001, effect size 0.021 (0.1 is small)" in lines
    assert any(line.startswith("  seats furthest apart: seats 1 and 2, ") for line in lines)
    (head,) = [at for at, line in enumerate(lines) if line.split()[-2:] == ["p", "worth"]]
    end = lines.index("", head)
    assert sum(">9999x" in line for line in lines[head:end]) == 11, "the headline numbers, seats included"


MOVED = {"value": -123456.78, "low": -123457.12, "high": -123450.0}


def test_a_check_that_is_a_number_is_no_part_of_the_games() -> None:
    lines = summary(build()).splitlines()
    assert "  Check: Most medals of one family used: 11.00 (10.99 to 11.01) a game" in lines
    assert "  Check: Games that ran out of medals: 0.07 % (0.05 to 0.09 %) of games" in lines
