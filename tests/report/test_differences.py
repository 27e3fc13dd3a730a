"""What is said of the variants: what got worse first, then the biggest changes, and how sure that is."""

from __future__ import annotations

import copy
from typing import Any

from balance.report import differences, sections, verdicts, voids
from tests.report.sample import Shape, build, estimate, judged

ONE = Shape(variants=("baseline", "other"))


def added(results: dict[str, Any], metric: str, before: float, after: float, **more: Any) -> dict[str, Any]:
    """One difference more, which was found."""
    entry = {
        "metric": metric,
        "seat": None,
        "baseline": before,
        "value": after,
        "difference": estimate(after - before, 0.001),
        **judged(metric, after - before, 0.001),
        **more,
    }
    results["comparisons"][0]["metrics"].append(entry)
    return entry


def test_no_variants_no_changes() -> None:
    assert differences.sentences(build()) == []


def test_what_got_worse_comes_first_however_small_then_the_biggest() -> None:
    sentences = differences.sentences(build(Shape(variants=("baseline", "neutral cards in"))))
    assert sentences[0].startswith(
        'Worse: "neutral cards in": "Shared wins" rises with 4 players from 4.1 % to 4.'
    )
    assert sentences[1].startswith('"neutral cards in": "Turns" rises with 4 players from 36.00 to ')
    assert any(
        "seat 2's share of wins falls with 4 players from 26.1 %" in sentence for sentence in sentences
    )
    assert differences.WORSE in sentences


def test_how_far_the_seats_are_apart_is_told_in_percentage_points() -> None:
    found = build(Shape(variants=("baseline", "other")))
    (one,) = found["comparisons"]
    entry = one["metrics"][0] | {"metric": "seat_spread", "baseline": 0.0571, "value": 0.0075}
    entry |= {"difference": estimate(-0.0496, 0.01), "worse": False}
    told = differences.change(found, [(one, entry)])
    assert "falls with 4 players from 5.71 pp to 0.75 pp, by 4.96 pp (interval 4.0 to 6.0 pp)" in told


def test_without_anything_worse_nobody_explains_it() -> None:
    results = build(ONE)
    for metric in results["comparisons"][0]["metrics"]:
        metric["worse"] = False
    sentences = differences.sentences(results)
    assert sentences[0].startswith('"other": "Turns" rises')
    assert differences.WORSE not in sentences


def test_what_could_not_be_told_apart_is_counted_and_the_number_of_questions_told() -> None:
    results = build(ONE)
    metrics = results["comparisons"][0]["metrics"]
    untold = sum(not metric["found"] for metric in metrics)
    sentences = differences.sentences(results)
    assert 0 < untold < len(metrics)
    assert (
        f"{untold} of the {len(metrics)} differences looked at could not be told apart from no change."
        in sentences
    )
    assert (
        "These findings allow for the number of questions: among the 9 headline numbers a false one has a chance of "
        "5 % at most (Holm); of those found among the 2 others about 5 % may be false (Benjamini and Hochberg)."
    ) in sentences


def test_nothing_told_apart_is_one_sentence_and_what_the_same_deals_gained() -> None:
    results = build(ONE)
    for metric in results["comparisons"][0]["metrics"]:
        metric |= {"difference": estimate(0, 0.01), "found": False, "worse": False}
    nothing, gain = differences.sentences(results)
    assert nothing == "None of the 11 differences looked at could be told apart from no change."
    assert gain.startswith("A game on the same deals is worth so many games on different deals: 2.5 for ")


def test_the_gain_runs_from_the_least_to_the_most() -> None:
    results = build(ONE)
    for at, metric in enumerate(results["comparisons"][0]["metrics"]):
        metric |= {"worth": 2.0 + at, "correlation": 0.5 + at / 100}
    assert differences.sentences(results)[-1] == (
        'A game on the same deals is worth so many games on different deals: 2.0 for "Score" (correlation 0.50) to '
        "12.0 for seat 4's share of wins (correlation 0.60)."
    )


def test_of_several_variants_and_tables_the_gain_says_of_which() -> None:
    results = build(Shape(players=(3, 4), variants=("baseline", "a", "b")))
    entries = [(one, metric) for one in results["comparisons"] for metric in one["metrics"]]
    for at, (_, metric) in enumerate(entries):
        metric |= {"worth": 2.0 + (at == len(entries) - 1) - (at == 0), "correlation": 0.5}
    assert differences.sentences(results)[-1].split(": ")[1] == (
        '1.0 for "Score" by "a" with 3 players (correlation 0.50) to 3.0 for seat 4\'s share of wins by "b" with 4 '
        "players (correlation 0.50)."
    )


def test_no_game_that_came_out_otherwise_is_said_with_the_reason() -> None:
    results = build(Shape(players=(3, 4), variants=("baseline", "a", "b")))
    for one in results["comparisons"]:
        one |= {"changed": False, "same_rules": "rulebook" if one["variant"] == "a" else None}
    assert differences.sentences(results) == [
        '"a" with 3 players and 4 players is what the rulebook says already: not one of 200,000 games came out '
        "otherwise, so every difference is exactly 0.",
        '"b" with 3 players and 4 players: not one of 200,000 games came out otherwise: in them every difference '
        "is exactly 0.",
    ]


def test_many_changes_that_change_no_game_are_one_sentence() -> None:
    results = build(Shape(players=(4,), variants=("baseline", *"abcd")))
    for one in results["comparisons"]:
        one |= {"changed": False, "same_rules": "rulebook" if one["variant"] in "cd" else None}
    assert differences.sentences(results) == [
        'These 2 changes changed no game of 100,000 with 4 players: "a" and "b".',
        "These 2 changes changed no game of 100,000 with 4 players, as the rulebook says the same already: "
        '"c" and "d".',
    ]


def test_a_difference_without_variation_is_said_to_be_there_every_time() -> None:
    results = build(ONE)
    added(results, "rounds", 3.0, 4.0, difference=estimate(1, 0), effect=None)
    sentence = '"other": "Seasons" rises with 4 players from 3 to 4, by 1 every time.'
    assert differences.sentences(results)[1] == sentence


def test_a_seat_s_part_of_a_change_of_all_seats_is_left_to_the_tables() -> None:
    results = build(ONE)
    results["comparisons"][0]["metrics"] = results["comparisons"][0]["metrics"][1:]
    for whose in ({"seat": None}, {"seat": 2}, {"policy": "greedy"}):
        added(results, "score", 20.0, 50.0, difference=estimate(30, 1), **whose)
    about_scores = [sentence for sentence in differences.sentences(results) if ': "Score"' in sentence]
    assert about_scores == [
        '"other": "Score" rises with 4 players from 20.0 to 50.0, by 30.0 (interval 29.0 to 31.0).'
    ]


def test_one_change_at_several_numbers_of_players_is_one_sentence() -> None:
    sentences = differences.sentences(build(Shape(players=(3, 4), variants=("baseline", "other"))))
    turns = [sentence for sentence in sentences if '"Turns" rises' in sentence]
    assert len(turns) == 1
    assert turns[0].index("with 3 players from 27.00 to") < turns[0].index("; with 4 players from 36.00 to")


def test_a_long_list_of_changes_is_cut_and_the_rest_counted() -> None:
    results = build(Shape(players=(3, 4), variants=("baseline", "a", "b", "c")))
    every, some = differences.sentences(results, limit=1000), differences.sentences(results, limit=2)
    told = [metric for one in results["comparisons"] for metric in one["metrics"] if metric["found"]]
    assert some[:2] == every[:2]
    shown = sum(sentence.count("from ") for sentence in some[:2])
    assert f"{len(told) - shown} more differences are in the tables." in some
    assert not any("in the tables" in sentence for sentence in every)


def test_tables_have_what_got_worse_first_then_what_was_found() -> None:
    (one,) = build(ONE)["comparisons"]
    found = [entry for _, entry in differences.ordered([(one, entry) for entry in one["metrics"]])]
    ranks = [(not entry["found"], not entry["worse"]) for entry in found]
    assert ranks == sorted(ranks)
    assert (found[0]["metric"], found[1]["metric"]) == ("tie_rate", "turns")


def test_whose_number_it_is_is_told() -> None:
    results = build()
    for whose, subject, what in (
        ({"seat": None}, '"Turns"', "Turns"),
        ({"seat": 1}, 'seat 2\'s "Turns"', "Turns, seat 2"),
        ({"seat": 0, "seats": [0, 2]}, '"Turns" of seats 1 and 3', "Turns, seats 1 and 3"),
        ({"seat": None, "policy": "greedy"}, '"Turns" of "greedy"', "Turns, greedy"),
    ):
        entry = {"metric": "turns", **whose}
        assert (differences.subject(results, entry), differences.what(results, entry)) == (subject, what)


def test_the_words_never_need_more_than_ascii() -> None:
    results = build(
        Shape(
            players=(2, 3),
            variants=("baseline", "other"),
            policies=("greedy", "random"),
            status="interrupted",
        )
    )
    assert all(
        sentence.isascii() for sentence in [*verdicts.sentences(results), *differences.sentences(results)]
    )


def test_games_that_are_called_off_are_said_first_and_are_for_the_worse() -> None:
    results = copy.deepcopy(build(Shape(variants=("baseline", "strict"))))
    before, after = results["cells"]
    before["void"], after["void"] = 3, after["games"] // 2
    first = differences.sentences(results)[0]
    assert first == (
        f'Worse: "strict" with 4 players: {after["void"]:,} of {after["games"]:,} games are void, 3 by the baseline. '
        "Only deals that are void under neither are compared, and they may not be like the others."
    )
    before["void"], after["void"] = after["void"], 3
    assert differences.sentences(results)[0].startswith('"strict" with 4 players: 3 of')
    before["void"] = 3
    assert voids.few(results) == []
    assert "void" not in " ".join(differences.sentences(results))


def test_a_few_void_games_are_one_sentence_among_the_warnings() -> None:
    results = copy.deepcopy(build(Shape(players=(3, 4), variants=("baseline", *"abcde"))))
    for at, cell in enumerate(results["cells"]):
        cell["void"] = at % 6
    few = (
        'A few games are void, at most 0.01 %, in the comparison with "a", "b", "c" and 2 more: only deals that are '
        "void under neither set of rules are compared."
    )
    assert voids.few(results) == [few]
    assert "void" not in " ".join(differences.sentences(results))
    assert few in sections.checks(results).blocks[0].sentences
    results["cells"][1]["void"] = results["cells"][1]["games"] // 100
    assert differences.sentences(results)[0].startswith(
        'Worse: "a" with 3 players: 1,000 of 100,000 games are void'
    )
    assert len(voids.few(results)) == 1, "at the other table they are as few as before"


def test_what_is_told_of_a_change_agrees_with_the_numbers_before_and_after() -> None:
    """With one decimal it would be from 13.6 to 13.3, by 0.4."""
    results = build(ONE)
    added(results, "score", 13.649, 13.251, difference=estimate(-0.398, 0.1))
    (told,) = [one for one in differences.sentences(results) if '"Score" falls' in one]
    assert told == '"other": "Score" falls with 4 players from 13.65 to 13.25, by 0.40 (interval 0.3 to 0.5).'


def test_means_of_other_games_than_those_compared_are_not_told_as_if_they_differed_by_the_change() -> None:
    results = build(ONE)
    added(results, "score", 13.6, 13.2, difference=estimate(-0.3, 0.1), same_games=False)
    (told,) = [one for one in differences.sentences(results) if '"Score" falls' in one]
    assert told == '"other": "Score" falls with 4 players by 0.3 (interval 0.2 to 0.4).'


def test_where_more_was_asked_than_differed_the_number_of_questions_says_so() -> None:
    results = build(Shape(variants=("baseline", "a", "b")))
    told = " ".join(differences.sentences(results))
    assert "number of questions: among the 18 headline" in told
    results["comparisons"][1]["changed"] = False
    told = " ".join(differences.sentences(results))
    assert "of the 11 differences looked at" in told
    assert "number of questions, those included where not one game changed: among the 18 headline" in told


def test_beside_a_claim_that_was_accepted_it_is_not_said_that_nothing_was_found() -> None:
    results = build(ONE)
    for metric in results["comparisons"][0]["metrics"]:
        metric |= {"difference": estimate(0, 0.01), "found": False, "worse": False}
    for accepted, start in (
        (None, "None of the 11 "),
        (1, "Beside the claim that the sequential test chose, none "),
    ):
        results["sprt"] = {"policy": None, "cells": [{"accepted": accepted}]}
        assert differences.sentences(results)[0].startswith(start)


def test_a_seat_is_told_of_where_all_seats_together_were_not_found() -> None:
    results = build(ONE)
    for metric in results["comparisons"][0]["metrics"]:
        metric |= {"found": False, "worse": False}
    whole = added(results, "score", 20.0, 20.1)
    added(results, "score", 20.0, 22.0, seat=1)
    results["comparisons"][0]["metrics"][-2]["found"] = False
    assert differences.sentences(results)[0].startswith('"other": seat 2\'s "Score" rises')
    whole["found"] = True
    told = differences.sentences(results)
    assert told[0].startswith('"other": "Score" rises')
    assert "1 more difference is in the tables." in told
