"""The sentences that the page and the terminal share."""

from __future__ import annotations

import random
from decimal import Decimal
from typing import Any

import pytest

from balance.report import words
from tests.report import sample
from tests.report.sample import UNKNOWN, estimate


@pytest.mark.parametrize(
    ("number", "text"),
    [(0.26123, "26.1 %"), (0.25, "25.0 %"), (1.0, "100.0 %"), (-0.0001, "0.0 %"), (None, "-")],
)
def test_percent_has_one_decimal(number: float | None, text: str) -> None:
    assert words.percent(number) == text


@pytest.mark.parametrize(
    ("share", "text"),
    [(0.0112, "+1.1 pp"), (-0.004, "-0.4 pp"), (0.00001, "0.0 pp"), (-0.00001, "0.0 pp")],
)
def test_points_carry_their_sign(share: float, text: str) -> None:
    assert words.points(share) == text


def test_how_far_two_shares_are_apart_is_no_share() -> None:
    assert words.measured("seat_spread", "5.71 % (4.0 to 6.0 %)") == "5.71 pp (4.0 to 6.0 pp)"
    assert words.measured("tie_rate", "5.71 %") == "5.71 %"


def test_interval_of_a_share() -> None:
    assert words.interval(estimate(0.2555, 0.0015), True) == "25.4 to 25.7 %"


def test_a_narrow_interval_gets_more_decimals() -> None:
    assert words.interval(estimate(0.25, 0.0001), True) == "24.99 to 25.01 %"
    assert words.value(estimate(31.4159, 0.004), False) == "31.416"
    assert words.value(estimate(31.4159, 0.3), False) == "31.4"


@pytest.mark.parametrize("seed", range(5))
def test_two_numbers_and_their_difference_agree_as_they_are_shown(seed: int) -> None:
    luck, as_deserved = random.Random(seed), 0
    for _ in range(200):
        one, other = luck.uniform(0, 60), luck.uniform(61, 99)
        moved = estimate(other - one, luck.choice([0.2, 0.01]))
        digits, _, size, _ = words.sizes(moved, False, (one, other))
        before, after = (words.fixed(number, digits) for number in (one, other))
        assert abs(Decimal(before) - Decimal(after)) == Decimal(size)
        plain = words.sizes(moved, False)
        as_deserved += digits == plain[0]
        assert digits >= plain[0]
    assert 100 < as_deserved < 190, "the decimals that each deserves by itself contradict each other at times"


def test_numbers_that_differ_by_the_same_in_every_game_agree_too() -> None:
    assert words.alike(3.0, 4.0, 1.0) == ("3", "4", "1")
    assert words.alike(3.3349, 4.2351, 0.9002) == ("3.335", "4.235", "0.900")


def test_a_number_without_variation_has_no_interval() -> None:
    always = estimate(3, 0)
    assert (words.value(always, False), words.interval(always, False)) == ("3", "-")


def test_unknown_numbers_are_dashes() -> None:
    unknown = sample.UNKNOWN
    assert {words.value(unknown, True), words.interval(unknown, False), words.difference(unknown, True)} == {
        "-"
    }
    assert words.difference_interval(unknown, True) == "-"
    assert not words.excludes_zero(unknown)
    assert words.fixed(float("nan")) == "-"


def test_people_count_seats_from_one() -> None:
    assert words.seat(0) == "seat 1"


def test_only_names_written_from_right_to_left_are_isolated() -> None:
    assert words.name("owl 🦉") == '"owl 🦉"'
    assert words.name("שלום") == '"\u2068שלום\u2069"'


def test_p_values_and_times() -> None:
    assert [words.p_value(p) for p in (None, 0.0002, 0.0123, 0.5, 1.0)] == [
        "-",
        "<0.001",
        "0.012",
        "0.50",
        "1.00",
    ]
    assert [words.times(worth) for worth in (None, 0.97, 12.34, 250.4, 1e7)] == [
        "-",
        "1.0x",
        "12.3x",
        "250x",
        ">9999x",
    ]


# ---------------------------------------------------------------------- as many digits as the interval supports


@pytest.mark.parametrize(
    ("half", "text"),
    [(29.3, "232 to 291"), (5, "257 to 267"), (4.9, "256.8 to 266.6"), (0.02, "261.69 to 261.73")],
)
def test_a_wide_interval_gets_no_decimals(half: float, text: str) -> None:
    assert words.interval(estimate(261.71, half), False) == text


def test_two_numbers_and_their_difference_never_take_more_than_one_decimal_more() -> None:
    """13.249 and 13.951 are 0.702 apart: with two decimals 13.25 and 13.95 would seem to be 0.70 apart, and are."""
    for one, other in ((13.249, 13.951), (232.1134, 290.7579), (0.14449, 0.55551), (13.6449, 13.2451)):
        moved = estimate(other - one, 0.3)
        digits, _, size, _ = words.sizes(moved, False, (one, other))
        assert digits <= 2
        before, after = (Decimal(words.fixed(number, digits)) for number in (one, other))
        assert abs(before - after) == Decimal(size), (one, other)


@pytest.mark.parametrize(
    ("moved", "ends", "shown"),
    [
        (estimate(-0.0233, 0.0232999), (3.08975, 3.06645), (["3.09", "3.07"], "-0.02")),
        (estimate(-0.0024, 0.06), (2.7512, 2.7488), (["2.75", "2.75"], "0.00")),
        (estimate(-1.0, 0), (4.0, 3.0), (["4", "3"], "-1")),
        (estimate(0.0, 0), (4.25, 4.25), (["4.25", "4.25"], "0.00")),
        (estimate(-0.00004, 0.3), (4.0, 3.99996), (["4.0", "4.0"], "0.0")),
    ],
)
def test_a_row_shows_two_numbers_and_their_difference_alike(
    moved: dict[str, Any], ends: tuple[float, float], shown: tuple[list[str], str]
) -> None:
    assert words.moved(moved, False, ends) == shown


def test_a_row_of_shares_shows_their_difference_in_percentage_points() -> None:
    assert words.moved(estimate(0.0236, 0.003), True, (0.2512, 0.2748)) == (["25.1 %", "27.5 %"], "+2.4 pp")
    assert words.moved(UNKNOWN, True, (0.2512, None)) == (["25.1 %", "-"], "-")


def test_names_within_names_have_single_quotation_marks() -> None:
    assert words.name('More than 15 "5" medals') == "\"More than 15 '5' medals\""


def test_means_of_other_games_leave_the_difference_as_it_is() -> None:
    assert words.sizes(estimate(2.0, 0.3), False, (29.0, 0.08)) == (1, "1.7", "2.0", "2.3")


def test_the_end_that_leaves_out_zero_does_not_seem_to_be_zero() -> None:
    assert words.sizes(estimate(5.4, 5.2), False) == (0, "0.2", "5", "11")
    assert words.difference_interval(estimate(-5.4, 5.2), False) == "-11 to -0.2"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("kept (R-31).", "kept."),
        ("e5 is full [Z-47]", "e5 is full"),
        ("[Z-19, Z-20] at the start", "[Z-19, Z-20] at the start"),
        ("2 coins [Z-19,\n  Z-20, Z-27]\nnext", "2 coins\nnext"),
        (
            "(as in R-31) stays, and so do (the first) and [x]",
            "(as in R-31) stays, and so do (the first) and [x]",
        ),
    ],
)
def test_numbers_of_rules_are_left_out(text: str, left: str) -> None:
    assert words.without_codes(text) == left


def test_what_was_the_same_in_every_game_has_few_decimals() -> None:
    same = {"value": 3.0, "low": 2.999998, "high": 3.000002, "n": 10**6, "method": "unseen"}
    assert (words.value(same, False), words.interval(same, False)) == ("3.00", "3.00 to 3.00")
    never = {"value": 0.0, "low": -0.000004, "high": 0.000004, "n": 10**6, "method": "unseen"}
    assert (words.value(never, False), words.interval(never, False)) == ("0.00", "0.00 to 0.00")
    assert words.value({**same, "method": "t"}, False) == "3.000000"


def test_what_was_0_in_every_game_never_differed() -> None:
    never = {"value": 0.0, "low": -0.002, "high": 0.002, "n": 2000, "method": "unseen"}
    assert words.never_differed(never)
    assert words.never_differed({**never, "low": 0.0, "high": 0.0, "method": "all equal"})
    assert not words.never_differed({**never, "method": "t"})
    assert not words.never_differed({**never, "value": 1.0, "low": 0.998, "high": 1.002})
