"""Four answers on all tables together: the range or the worst of them, and a word for how sure that is."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from analysis.summits import found as summits

from balance import report
from balance.analysis.gates import verdict as word_of
from balance.cli.tables import summary as on_the_terminal
from balance.errors import so_many_players
from balance.report import first_screen, measures, summary, verdicts
from balance.report.gates import wider
from tests.report.sample import UNKNOWN, Shape, build, estimate
from tests.report.test_gates import cell, gate


def results(**shape: Any) -> dict[str, Any]:
    return copy.deepcopy(build(Shape(**shape)))


def told(found: dict[str, Any]) -> dict[str, tuple[str, str]]:
    return {one.question: (one.sure, one.sentence) for one in summary.statements(found)}


def judged(cell: dict[str, Any], verdict: str, apart: float) -> None:
    """A cell in which seat 1 takes so much more than seat 3."""
    tests = cell["tests"]
    for pair in tests["pairs"]:
        pair["difference"] = estimate(apart if pair["seats"] == [0, 2] else 0.0, 0.005)
    tests |= {"verdict": verdict, "spread": abs(apart)}


# ---------------------------------------------------------------------- is it fair


def test_the_worst_table_is_told_of_several() -> None:
    found = results(players=(3, 4, 5))
    for one, verdict, apart in zip(
        found["cells"], ("inside", "outside", "outside"), (0.01, -0.09, 0.05), strict=True
    ):
        judged(one, verdict, apart)
    assert told(found)["Is it fair?"] == (
        "outside the band",
        "at 2 of 3 tables the seats lie outside the band of 3 pp; worst: with 4 players seat 3 takes 9.0 pp "
        "(8.5 to 9.5) more of the wins than seat 1.",
    )


@pytest.mark.parametrize(
    ("verdict", "sure", "start"),
    [
        (
            "inside",
            "inside the band",
            "with 4 players the seats lie inside the band of 3 pp; seat 1 takes 2.0",
        ),
        (
            "outside",
            summary.OUTSIDE,
            "with 4 players the seats lie outside the band of 3 pp; seat 1 takes 2.0",
        ),
        (
            "cannot tell",
            summary.UNEVEN,
            "whether the seats lie inside the band of 3 pp is open with 4",
        ),
    ],
)
def test_each_verdict_has_its_word(verdict: str, sure: str, start: str) -> None:
    found = results()
    judged(found["cells"][0], verdict, 0.02)
    word, sentence = told(found)["Is it fair?"]
    assert (word, sentence[: len(start)]) == (sure, start)


def test_what_cannot_be_told_at_one_table_is_not_called_inside() -> None:
    found = results(players=(3, 4))
    judged(found["cells"][0], "inside", 0.029)
    judged(found["cells"][1], "cannot tell", 0.004)  # less than the half of its interval
    word, sentence = told(found)["Is it fair?"]
    assert word == "could not be told"
    assert "is open at 1 of 2 tables; worst: with 4 players" in sentence


def test_a_goal_takes_the_place_of_the_seats() -> None:
    alone = told(summits((1,), ("alone",)))
    assert "Is it fair?" not in alone
    sure, sentence = alone["How often is the goal reached?"]
    assert sure == "found"
    assert sentence.startswith("the goal is reached in ")
    both = told(summits((1, 4), ("alone", "pairs")))
    assert "The goal is reached in " in both["Is it fair?"][1]
    assert "the teams lie" in both["Is it fair?"][1]


# ---------------------------------------------------------------------- length, margin, changes


def test_lengths_are_a_range_with_the_tables_at_its_ends() -> None:
    sure, sentence = told(results(players=(5, 3, 4)))["How long is it?"]
    assert sure == "found"
    assert sentence.startswith(
        "all players together take 27.00 turns (26.98 to 27.02) with 3 players, 8 in 10 games 23 to 31, to 45.00 turns "
        "(44.98 to 45.02) with 5 players, 8 in 10 games 41 to 49."
    )
    assert "minutes" not in sentence
    alone = told(results())["How long is it?"][1]
    assert alone.startswith("all players together take 36.00 turns (35.98 to 36.02), 8 in 10 games 32")


def test_what_is_the_same_is_said_once() -> None:
    found = results(players=(3, 4))
    every = [one["measures"]["turns"] for one in found["cells"]]
    for turns, value in zip(every, (24.0, 24.001), strict=True):
        turns |= {"mean": estimate(value, 0.02)}
        turns |= {"min": 20, "max": 30, "quantiles": {"p10": 24, "p50": 24, "p90": 24}}
    start = "all players together take"
    assert told(found)["How long is it?"][1] == f"{start} 24.00 turns (23.98 to 24.02), 8 in 10 games 24."
    for turns in every:
        turns |= {"mean": estimate(24.0, 0.0), "min": 24, "max": 24}
    assert told(found)["How long is it?"][1] == f"{start} 24 turns in every game."
    every[1] |= {
        "mean": estimate(30.0, 0.1),
        "min": 25,
        "max": 40,
        "quantiles": {"p10": 26, "p50": 30, "p90": 34},
    }
    assert told(found)["How long is it?"][1] == (
        f"{start} 24 turns in every game with 3 players, to 30.0 turns (29.9 to 30.1) with 4 players, 8 in 10 games 26 "
        "to 34."
    )


def test_numbers_without_intervals_are_not_called_found() -> None:
    found = results()
    for metric in ("turns", "score_margin"):
        found["cells"][0]["measures"][metric]["mean"] |= {"low": None, "high": None}
    assert {told(found)[question][0] for question in ("How long is it?", "How close is it?")} == {
        "could not be told"
    }


def test_how_close_it_is_says_the_margin_and_the_ties() -> None:
    assert told(results())["How close is it?"] == (
        "found",
        "the winner is ahead by 4.20 points (4.18 to 4.22) on average; a win is shared in 4.1 % (4.0 to 4.2 %) of the "
        "games.",
    )
    several = results(players=(3, 4))
    several["cells"][0]["measures"]["tie_rate"]["mean"] = estimate(0.07, 0.01)
    assert told(several)["How close is it?"][1].endswith(
        "; wins are shared most often with 3 players, in 7.0 % (6.0 to 8.0 %) of the games."
    )
    alone = told(summits((1,), ("alone",)))["How close is it?"][1]
    assert alone.startswith("the mean score is ")


def test_what_got_worse_is_what_changed() -> None:
    found = results(variants=("baseline", "other"))
    sure, sentence = told(found)["What changed?"]
    assert sure == "found"
    assert sentence.startswith('worse: "other": "Shared wins" rises with 4 players from ')
    assert sentence.endswith("; 3 of 11 differences could be told apart from no change.")


def test_where_nothing_got_worse_a_number_of_every_game_is_told_before_one_of_this_game() -> None:
    found = results(variants=("baseline", "other"))
    for one in found["comparisons"][0]["metrics"]:
        one |= {"worse": False, "found": False}
    turns = next(one for one in found["comparisons"][0]["metrics"] if one["metric"] == "turns")
    own = next(one for one in found["comparisons"][0]["metrics"] if one["family"] != "headline")
    own |= {"found": True, "effect": 9.0}
    assert '"Turns"' not in told(found)["What changed?"][1]
    turns |= {"found": True, "effect": 0.1}
    assert '"Turns"' in told(found)["What changed?"][1]


def test_a_gate_that_is_undecided_is_named_beside_seats_inside_its_band() -> None:
    found = results()
    judged(found["cells"][0], "inside", 0.02)
    inside = told(found)["Is it fair?"][1]
    found["gates"] = [gate(cell("inconclusive"), metric="seat_spread")]
    assert told(found)["Is it fair?"][1] == (f"{inside} By the gates' wider intervals that is open.")
    for other in (
        gate(cell("pass"), metric="seat_spread"),
        gate(cell("inconclusive")),
        gate(cell("inconclusive"), metric="seat_spread", against="baseline"),
    ):
        found["gates"] = [other]
        assert told(found)["Is it fair?"][1] == inside


def test_nothing_found_and_nothing_changed_are_two_things() -> None:
    found = results(variants=("baseline", "other"))
    for metric in found["comparisons"][0]["metrics"]:
        metric |= {"found": False, "worse": False, "difference": UNKNOWN}
    assert told(found)["What changed?"] == (
        "could not be told",
        "not one of 11 differences could be told apart from no change.",
    )
    found["comparisons"][0]["changed"] = False
    assert told(found)["What changed?"] == ("nothing", "not one of 100,000 games came out otherwise.")
    found["comparisons"][0]["same_rules"] = "rulebook"
    assert told(found)["What changed?"] == (
        "nothing",
        '"other" is what the rulebook says already, so not one of 100,000 games came out otherwise.',
    )
    found["comparisons"].append({**found["comparisons"][0], "variant": "third"})
    assert told(found)["What changed?"][1].startswith(
        "these 2 changes are what the rulebook says already, so "
    )
    found["comparisons"][1]["same_rules"] = None
    assert told(found)["What changed?"][1] == "not one of 200,000 games came out otherwise."
    assert told(results())["What changed?"] == ("not asked", "one set of rules was played.")


def test_where_no_deal_counts_under_both_rule_sets_that_is_said() -> None:
    found = results(variants=("baseline", "other"))
    found["comparisons"] = []
    assert told(found)["What changed?"] == ("could not be told", "no deal counts under both sets of rules.")


def test_a_table_at_which_all_games_are_void_is_named() -> None:
    found = results(players=(3, 4))
    void = found["cells"][0]
    void |= {"blocks": 0, "measures": {}, "seats": [], "tests": {}}
    said = told(found)
    for question in ("Is it fair?", "How long is it?", "How close is it?"):
        assert said[question][1].endswith("; with 3 players no game was finished.")
    void["games"] = 0
    assert not any("was finished" in sentence for _, sentence in told(found).values()), "not played at all"


def test_without_games_nothing_is_claimed() -> None:
    found = results()
    found["cells"][0] |= {"games": 0, "blocks": 0}
    assert {sure for sure, _ in told(found).values()} == {"could not be told", "not asked"}


# ---------------------------------------------------------------------- where it is told


def test_the_terminal_ends_with_the_four_sentences() -> None:
    found = results(players=(3, 4), variants=("baseline", "other"))
    lines = on_the_terminal(found).splitlines()
    assert max(map(len, lines)) <= 80
    told_last = " ".join(" ".join(lines[lines.index("") :]).split())
    assert told_last.endswith(" ".join(summary.lines(found)))


def test_of_many_gates_the_worst_five_are_shown() -> None:
    found = results()
    for at in range(8):
        verdict = "fail" if at in (5, 7) else "pass"
        found["gates"].append(gate(cell(verdict, level=None)) | {"gate": at, "verdict": verdict})
    gates, _, players = first_screen.section(found).blocks[-1].boxes
    assert [verdict for verdict, _ in gates.pairs] == ["fail", "fail", "pass", "pass", "pass"]
    assert gates.note == f"And 3 more. {wider(found)}"
    assert players.pairs == [("greedy", "Weighs each option.")]
    assert "neither talk nor learn" in players.note


def test_gates_of_variants_that_are_not_shown_are_not_counted() -> None:
    found = results(variants=("baseline", "twin"))
    found["comparisons"][0]["changed"] = False
    for at in range(8):
        both = cell("pass", level=None), cell("pass", "twin", level=None)
        found["gates"].append(gate(*both) | {"gate": at, "verdict": "pass"})
    assert first_screen.section(found).blocks[-1].boxes[0].note.startswith("And 3 more. ")


def played_with(found: dict[str, Any]) -> list[tuple[str, str]]:
    return [pair for box in first_screen.section(found).blocks[-1].boxes for pair in box.pairs][:-1]


def test_what_lay_on_the_table_is_told() -> None:
    assert played_with(results(players=(3, 4, 5))) == [
        ("With 3, 4 and 5 players", "66 / 77 / 88 animal tiles, 12 stalls and 30 coins."),
        ("Games that ran out of medals", "0.07 % (0.05 to 0.09 %) with 3 players."),
    ]
    assert measures.shortage(results(players=(3,))) == (
        'By the rules of the baseline the box holds too little: "Games that ran out of medals" in '
        "0.07 % (0.05 to 0.09 %) with 3 players."
    )
    alike = results(players=(5, 6))
    for one in alike["cells"]:
        one["measures"]["out_of_medals"]["mean"] = estimate(0.0, 0.0)
    assert played_with(alike) == [("At every table", "88 animal tiles, 12 stalls and 30 coins.")]
    assert measures.shortage(alike) == ""
    interrupted(alike, 1)
    assert played_with(alike) == [("With 5 players", "88 animal tiles, 12 stalls and 30 coins.")]
    for one in alike["cells"]:
        one["components"] = []
    assert played_with(alike) == []


def interrupted(found: dict[str, Any], first: int) -> dict[str, Any]:
    """The results as they are where only the first cells were played."""
    for one in found["cells"][first:]:
        one |= {"games": 0, "blocks": 0}
    return found | {"status": "interrupted"}


def test_answers_on_some_of_the_tables_say_on_which() -> None:
    found = interrupted(results(players=(3, 4, 5)), 1)
    for question in ("Is it fair?", "How long is it?", "How close is it?"):
        assert told(found)[question][1].endswith("; so far only games with 3 players were played.")
    both = interrupted(results(players=(3, 4, 5)), 2)
    assert told(both)["How long is it?"][1].endswith("; so far only games with 3 and 4 players were played.")
    assert "so far" not in told(results(players=(3, 4)))["How long is it?"][1]


def test_one_player_is_no_players() -> None:
    assert [so_many_players(each) for each in ([1], ["1"], [2], [1, 2])] == [
        *("1 player", "1 player", "2 players", "1 and 2 players"),
    ]
    found = interrupted(results(players=(1, 2)), 1)
    assert next(pair for pair in played_with(found) if "tiles" in pair[1])[0] == "With 1 player"


def test_seats_inside_the_band_are_not_called_so_while_a_gate_is_open() -> None:
    found = results()
    judged(found["cells"][0], "inside", 0.02)
    found["gates"] = [gate(cell("inconclusive", level=None, more_games=9), metric="seat_spread")]
    word, sentence = told(found)["Is it fair?"]
    assert word == summary.GATE_OPEN
    assert sentence.endswith("By the gates' wider intervals that is open.")


def test_of_many_flips_two_are_shown_and_the_others_counted() -> None:
    found = results(players=(3, 4, 5), levels=("novice", "expert"))
    for at, one in enumerate(found["cells"]):
        one["tests"] |= {
            "verdict": ("inside", "outside")[at % 2],
            "largest_seat_deviation": {"seat": 0, "estimate": estimate(0.001, 0.01)},
        }
    caution = first_screen.section(found).blocks[0]
    assert caution.style == "caution"
    assert caution.sentences[0].startswith("With 3 players, baseline, the verdict depends on who plays")
    assert caution.sentences[2:] == ["And 1 more verdict depends on who plays."]


# ---------------------------------------------------------------------- what a reader asks first


def test_a_table_at_which_no_game_was_finished_says_so_beside_its_length() -> None:
    found = results(players=(3, 6))
    one = found["cells"][1]
    one["capped"] = one["games"]
    one["measures"]["turns"] |= {"mean": estimate(360.0, 0.0), "min": 360, "max": 360}
    one["measures"]["rounds"] = {"min": 60, "max": 60}
    assert told(found)["How long is it?"][1].endswith(
        "to 360 turns with 6 players, where no game was finished: all were stopped after 60 rounds."
    )
    one["measures"]["rounds"]["min"] = 30
    assert told(found)["How long is it?"][1].endswith("where no game was finished: all were stopped.")
    one["measures"]["turns"] |= {"min": 90, "quantiles": {"p10": 100, "p90": 360}}
    one["capped"] = int(0.34 * one["games"])
    assert told(found)["How long is it?"][1].endswith("8 in 10 games 100 to 360, 34.0 % stopped unfinished.")
    one["capped"] = int(0.009 * one["games"])
    assert told(found)["How long is it?"][1].endswith("8 in 10 games 100 to 360.")


def test_the_seats_are_as_far_apart_on_the_first_screen_as_on_the_card() -> None:
    found = results()
    judged(found["cells"][0], "cannot tell", -0.004)
    found["cells"][0]["tests"]["pairs"][1]["difference"] = estimate(-0.004, 0.041)
    (pair,) = [one for one in found["cells"][0]["tests"]["pairs"] if one["seats"] == [0, 2]]
    pair["difference"] = estimate(-0.004, 0.041)
    assert "seat 3 takes 0.4 pp (-3.7 to 4.5) more" in told(found)["Is it fair?"][1]
    card = verdicts.of_cell(found["cells"][0], found)
    assert "seat 3 is 0.4 pp ahead of seat 1 (interval -3.7 to 4.5)" in card


def test_of_two_teams_the_one_ahead_is_named() -> None:
    found = copy.deepcopy(summits((1, 4), ("alone", "pairs")))
    cell = next(one for one in found["cells"] if "teams" in one)
    cell["tests"]["pairs"][0]["difference"] = estimate(-0.031, 0.004)
    assert "the team of seats 2 and 4 is 3.1 pp ahead of that of seats 1 and 3" in verdicts.judged(cell)


def test_only_what_lies_outside_the_band_looks_bad() -> None:
    tones = {}
    for verdict, apart in (("inside", 0.01), ("cannot tell", 0.03), ("outside", 0.25)):
        found = results()
        judged(found["cells"][0], verdict, apart)
        page = report.render(found)
        tones[verdict] = '<span class="sure bad">outside the band</span>' in page
        assert page.count('class="sure bad"') == tones[verdict]
    assert tones == {"inside": False, "cannot tell": False, "outside": True}


@pytest.mark.parametrize(
    ("verdicts_of", "title", "tone"),
    [
        (("pass", "fail", "inconclusive", "fail"), "FAIL: 2 of 4 gates fail, 1 is open.", "bad"),
        (("fail",), "FAIL: 1 of 1 gate fails.", "bad"),
        (("pass", "inconclusive", "inconclusive"), "NOT DECIDED: 2 of 3 gates are open.", "open"),
        (
            ("pass", "no data", "inconclusive"),
            "NO DATA: 1 of 3 gates lacks data; 2 of 3 gates are open.",
            "open",
        ),
        (("no data", "fail"), "FAIL: 1 of 2 gates fails, 1 is open.", "bad"),
        (("pass", "pass"), "PASS: all 2 gates pass.", "good"),
        (("pass",), "PASS: the gate passes.", "good"),
        ((), "In short", ""),
    ],
)
def test_the_verdict_of_the_gates_is_the_first_thing(
    verdicts_of: tuple[str, ...], title: str, tone: str
) -> None:
    found = results()
    found["gates"] = [gate(cell(one, level=None)) | {"gate": at} for at, one in enumerate(verdicts_of)]
    section = first_screen.section(found)
    assert (section.title, section.tone) == (title, tone)
    found["gates"].append(gate(cell("fail", level=None), level="warn") | {"gate": 9})
    title = f"{title[:-1]}; 1 more only warns." if "fail" in verdicts_of else title
    assert first_screen.section(found).title == title, "what only warns fails no check"
    if tone:
        assert f'<h2 id="summary-title" class="{tone}">{title}</h2>' in report.render(found)


def test_the_heading_of_a_check_that_was_interrupted_has_the_word_of_its_verdict() -> None:
    found = results(players=(3, 4, 5)) | {"status": "interrupted"}
    cells = [
        cell(one, players=at, level=None)
        for at, one in zip((3, 4, 5), ("pass", *2 * ["no data"]), strict=True)
    ]
    found["gates"] = [gate(*cells)]
    heading = "NO DATA: interrupted before 2 of 3 tables were played; 1 of 1 gate is open."
    assert first_screen.section(found).title == heading
    assert heading.startswith(f"{word_of(found['gates']).upper()}: ")


def test_what_was_the_same_in_every_game_has_no_interval_there_and_one_player_is_not_all_together() -> None:
    found = results(players=(1, 3))
    turns = [one["measures"]["turns"] for one in found["cells"]]
    turns[0] |= {"mean": estimate(24.0, 0.002), "min": 24, "max": 24}
    turns[1] |= {"mean": estimate(30.0, 0.1), "min": 20, "max": 40, "quantiles": {"p10": 26, "p90": 34}}
    assert told(found)["How long is it?"][1] == (
        "24 turns in every game with 1 player, to 30.0 turns (29.9 to 30.1) with 3 players, 8 in 10 games 26 to 34; "
        "turns of all players together."
    )
    found["cells"].pop()
    assert told(found)["How long is it?"][1] == "24 turns in every game."


def test_whoever_plays_alone_is_told_the_goal_beside_the_score() -> None:
    sentence = told(summits((1,), ("alone",)))["How close is it?"][1]
    assert sentence.endswith(". The goal: Reach the top in time.")
    assert "The goal:" not in told(results(players=(1,)))["How close is it?"][1]


def test_what_lay_on_the_only_table_needs_no_place() -> None:
    alone = first_screen.section(results(players=(3,))).blocks[-1].boxes[0]
    assert alone.pairs[0][0] == ""
    assert "<li><bdi>66 animal tiles" in report.render(results(players=(3,))).replace("\xa0", " ")
