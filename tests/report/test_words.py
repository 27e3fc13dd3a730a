"""The sentences that the page and the terminal share."""

from __future__ import annotations

import pytest

from balance.report import words
from tests.report import sample
from tests.report.sample import Shape, build, estimate


@pytest.mark.parametrize(
    ("number", "text"),
    [(0.26123, "26.1 %"), (0.25, "25.0 %"), (1.0, "100.0 %"), (-0.0001, "0.0 %"), (None, "-")],
)
def test_percent_has_one_decimal(number: float | None, text: str) -> None:
    assert words.percent(number) == text


@pytest.mark.parametrize(
    ("share", "text"),
    [(0.0112, "+1.1 points"), (-0.004, "-0.4 points"), (0.00001, "0.0 points"), (-0.00001, "0.0 points")],
)
def test_points_carry_their_sign(share: float, text: str) -> None:
    assert words.points(share) == text


def test_interval_of_a_share() -> None:
    assert words.interval(estimate(0.2555, 0.0015), True) == "25.4 to 25.7 %"


def test_a_narrow_interval_gets_more_decimals() -> None:
    assert words.interval(estimate(0.25, 0.0001), True) == "24.99 to 25.01 %"
    assert words.value(estimate(31.4159, 0.004), False) == "31.416"
    assert words.value(estimate(31.4159, 0.3), False) == "31.4"


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


# ---------------------------------------------------------------------- the verdict


def test_a_seat_that_stands_out_is_named_with_its_interval() -> None:
    sentence = words.verdict(build())[0]
    assert sentence == (
        "With 4 players, seat 2 is furthest from an even share of 25.0 %: it takes 26.1 % of the wins, "
        "1.1 points more (95 % interval 0.7 to 1.5 points more, allowing for having looked at all 4 seats)."
    )


def test_a_seat_that_wins_too_little_is_said_to_win_fewer() -> None:
    sentence = words.verdict(build(Shape(deviation=-0.02)))[0]
    assert "it takes 23.0 % of the wins, 2.0 points fewer (95 % interval 1.6 to 2.4 points fewer" in sentence


def test_an_interval_that_leaves_out_zero_never_seems_to_begin_at_it() -> None:
    sentence = words.verdict(build(Shape(deviation=0.004)))[0]
    assert "0.40 points more (95 % interval 0.01 to 0.79 points more" in sentence


def test_without_evidence_a_bound_is_given_and_balance_is_not_claimed() -> None:
    sentences = words.verdict(build(Shape(deviation=0.002)))
    assert "no seat difference larger than 0.6 points was found" in sentences[0]
    assert "from 0.2 points below to 0.6 points above" in sentences[0]
    assert words.headline(build(Shape(deviation=0.002))["cells"][0]) == "Nothing above 0.6 points"
    assert [sentence for sentence in sentences if "balanced" in sentence] == [
        "No tolerance band was set, so this report does not call the game balanced or unbalanced."
    ]


def test_the_bound_is_rounded_up() -> None:
    results = build(Shape(deviation=0))
    results["cells"][0]["tests"]["largest_seat_deviation"]["estimate"] = {
        **estimate(0, 0),
        "low": -0.0051,
        "high": 0.00501,
    }
    sentence = words.verdict(results)[0]
    assert "larger than 0.6 points" in sentence
    assert "from 0.6 points below to 0.6 points above" in sentence


def test_each_number_of_players_has_its_sentence() -> None:
    sentences = words.verdict(build(Shape(players=(3, 4, 5), variants=("baseline", "other"))))
    assert [sentence[:14] for sentence in sentences[:3]] == [
        "With 3 players",
        "With 4 players",
        "With 5 players",
    ]
    assert len(sentences) == 5


def test_levels_are_named() -> None:
    sentences = words.verdict(build(Shape(levels=("novice", "expert"))))
    assert sentences[1].startswith('With 4 players at level "expert", seat 2')


def test_the_line_up_is_part_of_the_verdict() -> None:
    assert 'players of type "greedy" only: simulated players' in words.verdict(build())[-1]
    several = words.verdict(build(Shape(policies=("greedy", "random"))))[-1]
    assert 'players of types "greedy" and "random" only (each sat in every seat equally often)' in several


def test_an_interruption_is_said_first() -> None:
    assert words.verdict(build(Shape(status="interrupted")))[0].startswith("This run was interrupted")


def test_no_games_no_verdict() -> None:
    results = build(Shape(status="interrupted"))
    results["cells"][0] |= {"games": 0, "blocks": 0}
    assert "No game of the baseline was finished" in words.verdict(results)[1]
    assert words.verdict({**results, "cells": []})[1] == words.verdict(results)[1]


def test_solo_and_missing_tests_say_so() -> None:
    assert words.verdict(build(Shape(players=(1,))))[0] == "With 1 player, there are no seats to compare."
    assert words.verdict(sample.bare())[0] == "With 2 players, the seats were not compared."
    assert words.headline(sample.bare()["cells"][0]) == "Not compared"


def test_too_few_games_to_compare_seats_say_so() -> None:
    results = build()
    results["cells"][0]["tests"]["largest_seat_deviation"]["estimate"] = {**estimate(0.25, 0), "high": None}
    assert words.verdict(results)[0] == "With 4 players, the seats were not compared."
    assert words.headline(results["cells"][0]) == "Not compared"
    assert not words.stands_out(results["cells"][0])


def test_with_gates_the_yardstick_is_not_denied() -> None:
    assert not any(
        "tolerance band" in sentence
        for sentence in words.verdict({**build(), "gates": [{"metric": "turns"}]})
    )


# ---------------------------------------------------------------------- variants


def test_no_variants_no_changes() -> None:
    assert words.changes(build()) == []


def test_changes_are_sentences_with_the_biggest_first() -> None:
    sentences = words.changes(build(Shape(variants=("baseline", "neutral cards in"))))
    assert sentences[0].startswith('"neutral cards in": "Turns" rises with 4 players from 36.00 to ')
    assert any(
        '"Shared wins" rises with 4 players from 4.1 % to 4.' in sentence and " points (interval " in sentence
        for sentence in sentences
    )
    assert any(
        "seat 2's share of wins falls with 4 players from 26.1 %" in sentence for sentence in sentences
    )


def test_what_could_not_be_told_apart_is_counted() -> None:
    results = build(Shape(variants=("baseline", "other")))
    metrics = results["comparisons"][0]["metrics"]
    untold = sum(not words.excludes_zero(metric["difference"]) for metric in metrics)
    sentences = words.changes(results)
    assert 0 < untold < len(metrics)
    assert (
        f"{untold} of the {len(metrics)} differences looked at could not be told apart from no change."
        in sentences
    )
    assert sentences[-1].endswith("would still seem to differ, by luck.")


def test_nothing_told_apart_is_one_sentence() -> None:
    results = build(Shape(variants=("baseline", "other")))
    for metric in results["comparisons"][0]["metrics"]:
        metric["difference"] = estimate(0, 0.01)
    assert words.changes(results) == [
        "None of the 11 differences looked at could be told apart from no change."
    ]


def test_a_difference_without_variation_is_said_to_be_there_every_time() -> None:
    results = build(Shape(variants=("baseline", "other")))
    seasons = {"metric": "rounds", "seat": None, "baseline": 3.0, "value": 4.0, "difference": estimate(1, 0)}
    results["comparisons"][0]["metrics"].append(seasons)
    sentence = '"other": "Seasons" rises with 4 players from 3 to 4, by 1 every time.'
    assert words.changes(results)[0] == sentence


def test_a_rare_thing_does_not_come_first_because_the_baseline_never_had_it() -> None:
    results = build(Shape(variants=("baseline", "other")))
    results["cells"][0]["measures"]["most_medals"]["sd"] = 0.0
    rare = {
        "metric": "most_medals",
        "seat": None,
        "baseline": 0.0,
        "value": 0.02,
        "difference": estimate(0.02, 0.001),
    }
    results["comparisons"][0]["metrics"].append(rare)
    assert '"Turns"' in words.changes(results)[0]


def test_a_number_that_varies_by_an_unknown_amount_can_still_be_ranked() -> None:
    results = build(Shape(variants=("baseline", "other")))
    for cell in results["cells"]:
        cell["measures"]["turns"]["sd"] = None
    assert any('"Turns" rises' in sentence for sentence in words.changes(results))


def test_a_seat_s_part_of_a_change_of_all_seats_is_left_to_the_tables() -> None:
    results = build(Shape(variants=("baseline", "other")))
    metrics = results["comparisons"][0]["metrics"]
    both = [{"metric": "score", "seat": seat, "baseline": 20.0, "value": 50.0} for seat in (None, 2)]
    results["comparisons"][0]["metrics"] = [
        *({**one, "difference": estimate(30, 1)} for one in both),
        *metrics[1:],
    ]
    about_scores = [sentence for sentence in words.changes(results) if '"Score"' in sentence]
    assert about_scores == [
        '"other": "Score" rises with 4 players from 20.0 to 50.0, by 30.0 (interval 29.0 to 31.0).'
    ]


def test_one_change_at_several_numbers_of_players_is_one_sentence() -> None:
    sentences = words.changes(build(Shape(players=(3, 4), variants=("baseline", "other"))))
    turns = [sentence for sentence in sentences if '"Turns" rises' in sentence]
    assert len(turns) == 1
    assert turns[0].index("with 3 players from 27.00 to") < turns[0].index("; with 4 players from 36.00 to")


def test_a_long_list_of_changes_is_cut_and_the_rest_counted() -> None:
    results = build(Shape(players=(3, 4), variants=("baseline", "a", "b", "c")))
    every, some = words.changes(results, limit=1000), words.changes(results, limit=2)
    told = [metric for one in results["comparisons"] for metric in one["metrics"]]
    told = [metric for metric in told if words.excludes_zero(metric["difference"])]
    assert some[:2] == every[:2]
    shown = sum(sentence.count("from ") for sentence in some[:2])
    assert some[2] == f"{len(told) - shown} more differences are in the tables."
    assert not any("in the tables" in sentence for sentence in every)


def test_the_words_never_need_more_than_ascii() -> None:
    results = build(
        Shape(
            players=(2, 3),
            variants=("baseline", "other"),
            policies=("greedy", "random"),
            status="interrupted",
        )
    )
    assert all(sentence.isascii() for sentence in [*words.verdict(results), *words.changes(results)])
