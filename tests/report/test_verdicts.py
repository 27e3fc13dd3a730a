"""What is said of the seats: who is furthest from even, and whether that is within the tolerance band."""

from __future__ import annotations

from typing import Any

import pytest

from balance.report import verdicts
from tests.report import sample
from tests.report.sample import Shape, build, estimate


def test_a_seat_that_stands_out_is_named_with_its_interval() -> None:
    sentence = verdicts.sentences(build())[0]
    assert sentence == (
        "With 4 players, seat 2 is furthest from an even share of 25.0 %: it takes 26.1 % of the wins, "
        "1.1 pp more (95 % interval 0.7 to 1.5 pp more, allowing for having looked at all 4 seats). "
        "All seats lie within the tolerance band of 3 pp: seat 2 is 1.5 pp ahead of seat 1 "
        "(interval 0.9 to 2.1), and no two seats are further apart."
    )


def test_a_seat_that_wins_too_little_is_said_to_win_fewer() -> None:
    sentence = verdicts.sentences(build(Shape(deviation=-0.02)))[0]
    assert "it takes 23.0 % of the wins, 2.0 pp fewer (95 % interval 1.6 to 2.4 pp fewer" in sentence


def test_an_interval_that_leaves_out_zero_never_seems_to_begin_at_it() -> None:
    sentence = verdicts.sentences(build(Shape(deviation=0.004)))[0]
    assert "0.4 pp more (95 % interval 0.01 to 0.8 pp more" in sentence


def test_without_evidence_a_bound_is_given_and_balance_is_not_claimed() -> None:
    sentences = verdicts.sentences(build(Shape(deviation=0.002)))
    assert "no seat was found further than 0.6 pp from an even share of 25.0 %. " in sentences[0]
    assert "from 0.2 pp below to 0.6 pp above" in sentences[0]
    assert (
        verdicts.headline(build(Shape(deviation=0.002))["cells"][0]) == "None further than 0.6 pp from even"
    )
    assert "balanced" not in " ".join(sentences)


def even(players: int) -> dict[str, Any]:
    """A table at which all seats took as many wins."""
    results = build(Shape(players=(players,), deviation=0))
    tests = results["cells"][0]["tests"]
    for one in (tests["largest_seat_deviation"], tests["pairs"][0]):
        one |= {key: estimate(0, 0.025) for key in ("estimate", "difference") if key in one}
    return results


def test_of_two_seats_one_sentence_says_how_far_they_are_apart() -> None:
    assert verdicts.sentences(even(2))[0] == (
        "With 2 players, all seats lie within the tolerance band of 3 pp: seats 1 and 2 are level "
        "(interval -2.5 to 2.5)."
    )
    assert [what for what, _ in verdicts.evenness(even(2)["cells"][0])] == [
        *("all seats even", "seat furthest from even", "seats furthest apart", "tolerance band of 3 pp"),
    ]
    assert "looked at" not in verdicts.sentences(build(Shape(players=(2,))))[0]
    untold = even(2)
    untold["cells"][0]["tests"]["verdict"] = None
    assert "no seat was found further than 1.2 pp from an even share" in verdicts.sentences(untold)[0]


def test_where_all_are_exactly_even_no_seat_is_the_furthest() -> None:
    assert verdicts.sentences(even(4))[0].startswith(
        "With 4 players, no seat was found further than 2.5 pp from an even share of 25.0 %. All seats won "
        "equally often, but that may be luck: the 95 % interval reaches from 2.5 pp below to 2.5 pp above. All "
    )


def test_of_two_seats_heading_sentence_and_table_say_the_same() -> None:
    """Half of how far they are apart, where an interval of its own for each seat would not leave out 0."""
    results = build(Shape(players=(2,), half_width=0.02))
    cell = results["cells"][0]
    cell["tests"] |= {"verdict": "cannot tell", "spread": 0.045}
    cell["tests"]["pairs"][0]["difference"] = estimate(0.045, 0.044)
    cell["tests"]["largest_seat_deviation"] = {"seat": 1, "estimate": estimate(-0.0225, 0.0255)}
    cell["seats"][0]["win_share"], cell["seats"][1]["win_share"] = (
        estimate(0.5225, 0.02),
        estimate(0.4775, 0.02),
    )
    assert verdicts.headline(cell) == "Seat 1: +2.2 pp"
    assert verdicts.stands_out(cell)
    assert verdicts.favoured(cell) == ("seat 1", "is")
    assert verdicts.sentences(results)[0] == (
        "With 2 players, seat 1 is furthest from an even share of 50.0 %: it takes 52.2 % of the wins, 2.2 pp more "
        "(95 % interval 0.1 to 4.5 pp more). Whether all seats lie within the tolerance band of 3 pp cannot be told "
        "yet: seat 1 is 4.5 pp ahead of seat 2 (interval 0.1 to 8.9)."
    )
    rows = dict(verdicts.evenness(cell))
    assert rows["seat furthest from even"] == "seat 1, +2.2 pp (+0.1 to +4.5)"
    assert rows["seats furthest apart"] == "seats 1 and 2, +4.5 pp (+0.1 to +8.9)"
    cell["tests"]["pairs"][0]["difference"] = estimate(0.045, 0.0506)
    assert verdicts.headline(cell) == "None further than 4.8 pp from even"
    assert dict(verdicts.evenness(cell))["seat furthest from even"] == "seat 1, +2.2 pp (-0.3 to +4.8)"


def test_a_bound_is_rounded_as_the_table_rounds_it() -> None:
    results = build(Shape(deviation=0))
    results["cells"][0]["tests"]["largest_seat_deviation"]["estimate"] = {
        **estimate(0.001, 0),
        "low": -0.00148,
        "high": 0.02411,
    }
    sentence = verdicts.sentences(results)[0]
    assert "further than 2.4 pp from" in sentence
    assert "from 0.1 pp below to 2.4 pp above" in sentence
    assert verdicts.headline(results["cells"][0]) == "None further than 2.4 pp from even"
    assert dict(verdicts.evenness(results["cells"][0]))["seat furthest from even"].endswith("(-0.1 to +2.4)")


def test_each_number_of_players_has_its_sentence() -> None:
    sentences = verdicts.sentences(build(Shape(players=(3, 4, 5), variants=("baseline", "other"))))
    assert [sentence[:14] for sentence in sentences[:3]] == [
        "With 3 players",
        "With 4 players",
        "With 5 players",
    ]
    assert len(sentences) == 5


def test_levels_are_named() -> None:
    sentences = verdicts.sentences(build(Shape(levels=("novice", "expert"))))
    assert sentences[1].startswith('With 4 players at level "expert", seat 2')


def test_the_line_up_is_part_of_the_verdict() -> None:
    assert 'players of type "greedy" only: simulated players' in verdicts.sentences(build())[-1]
    several = verdicts.sentences(build(Shape(policies=("greedy", "random"))))[-1]
    assert 'players of types "greedy" and "random" only (each sat in every seat equally often)' in several


def test_an_interruption_is_said_first() -> None:
    assert verdicts.sentences(build(Shape(status="interrupted")))[0].startswith("This run was interrupted")


def test_no_games_no_verdict() -> None:
    results = build(Shape(status="interrupted"))
    results["cells"][0] |= {"games": 0, "blocks": 0}
    assert "No game of the baseline was finished" in verdicts.sentences(results)[1]
    assert verdicts.sentences({**results, "cells": []})[1] == verdicts.sentences(results)[1]


def test_solo_and_missing_tests_say_so() -> None:
    assert (
        verdicts.sentences(build(Shape(players=(1,))))[0] == "With 1 player, there are no seats to compare."
    )
    assert verdicts.sentences(sample.bare())[0] == "With 2 players, the seats were not compared."
    assert verdicts.headline(sample.bare()["cells"][0]) == "Not compared"


def test_too_few_games_to_compare_seats_say_so() -> None:
    results = build()
    results["cells"][0]["tests"]["largest_seat_deviation"]["estimate"] = {**estimate(0.25, 0), "high": None}
    assert verdicts.sentences(results)[0] == "With 4 players, the seats were not compared."
    assert verdicts.headline(results["cells"][0]) == "Not compared"
    assert not verdicts.stands_out(results["cells"][0])


@pytest.mark.parametrize(
    ("deviation", "half", "most", "verdict", "says"),
    [
        (0.011, 0.003, 0.03, "inside", "All seats lie within the tolerance band of 3 pp: seat 2 is"),
        (0.05, 0.003, 0.03, "outside", "The seats lie outside the tolerance band of 3 pp: seat 2 is"),
        (
            0.02,
            0.003,
            0.025,
            "cannot tell",
            "within the tolerance band of 2.5 pp cannot be told yet: seat 2 is",
        ),
    ],
)
def test_the_seats_are_held_against_the_tolerance_band(
    deviation: float, half: float, most: float, verdict: str, says: str
) -> None:
    results = build(Shape(deviation=deviation, half_width=half))
    tests = results["cells"][0]["tests"]
    tests |= {"band": {"most": most, "set": True}, "verdict": verdict}
    assert says in verdicts.sentences(results)[0]
    assert dict(verdicts.evenness(results["cells"][0]))[f"tolerance band of {100 * most:g} pp"] == (
        f"{verdict}{' yet' if verdict == 'cannot tell' else ''} (the band is of the experiment)"
    )


def test_where_the_band_comes_from_is_told_unless_the_file_says_it() -> None:
    results = build()
    assert (
        "The tolerance band of 3 pp (percentage points) between any two seats is this tool's own; a gate on "
        "seat_spread in the experiment file sets another."
    ) in verdicts.sentences(results)
    results["cells"][0]["tests"]["band"]["set"] = True
    assert not any("tool's own" in sentence for sentence in verdicts.sentences(results))


def test_all_tests_of_the_seats_stand_together() -> None:
    assert verdicts.evenness(build()["cells"][0]) == [
        ("all seats even", "p <0.001, effect size 0.021 (0.1 is small)"),
        ("seat furthest from even", "seat 2, +1.1 pp (+0.7 to +1.5)"),
        ("seats furthest apart", "seats 1 and 2, -1.5 pp (-2.1 to -0.9)"),
        ("tolerance band of 3 pp", "inside (the band is this tool's own)"),
    ]
    assert verdicts.evenness(build(Shape(players=(1,)))["cells"][0]) == []
