"""How early it is decided, in words, as a chart and in the games to read."""

from __future__ import annotations

import re
from typing import Any

import pytest

from balance import report
from balance.report import leads
from balance.report.logs import logs, seats
from tests.report.parsed import Parsed, parse
from tests.report.sample import HOSTILE, Shape, build, estimate, game_log, hostile


def baseline(results: dict[str, Any]) -> dict[str, Any]:
    return results["cells"][0]


def test_one_sentence_says_how_often_the_leader_half_way_wins() -> None:
    results = build(Shape(players=(2, 4)))
    section = leads.section(results)
    assert section.lede == (
        "In the first 2,000 games of each table: where somebody leads alone after half of the seasons, the leader wins "
        "70.0 % (68.0 to 72.0 %) with 2 players; "
        "45.0 % (43.0 to 47.0 %) with 4 players. The biggest comeback, from 5 behind, was with 2 players."
    )
    baseline(results)["leads"]["games"] = 500
    assert leads.section(results).lede.startswith("In the first games of each table: where somebody leads")
    assert leads.lede([baseline(results)], results).startswith("In the first 500 games: where somebody leads")
    many = leads.section(build(Shape(players=(2, 3, 4, 5))))
    assert (
        "wins 40.0 % (38.0 to 42.0 %) with 5 players to 70.0 % (68.0 to 72.0 %) with 2 players." in many.lede
    )


def test_a_table_is_told_who_is_caught_up_and_how_often_the_lead_passes() -> None:
    assert leads.sentence(baseline(build()), build()) == (
        "Of the games in which somebody is behind all others after half of the seasons, that player wins 15.0 % (14.0 "
        "to 16.0 %). The lead passes to another 0.80 (0.76 to 0.84) times a game, and never in 45.0 % (43.0 to 47.0 %) "
        "of the games. In 50.0 % (48.0 to 52.0 %) of the games the winner was never behind; in one of ten it was by 5 "
        "or more, and 5 was the most that was caught up."
    )


def test_the_same_share_is_told_once_and_an_exact_mean_has_no_interval() -> None:
    results = build()
    led = baseline(results)["leads"]
    led["changes"]["none"] = led["behind"]["none"]
    led["changes"]["mean"] = {**estimate(2.0, 0.0), "n": 10}
    assert "The lead passes to another 2 times a game. In 50.0 %" in leads.sentence(
        baseline(results), results
    )


def test_the_chart_and_its_table_say_the_same_round_by_round() -> None:
    results = build()
    baseline(results)["leads"]["rounds"].append(
        {"round": 3, "games": 99, "alone": 1.0, "wins": None, "decided": estimate(0.5, 0.1)}
    )  # fewer than one game in twenty
    page = parse(report.render(results))
    rows = page.tables["Who leads, and who wins: baseline, 4 players"][1:]
    assert [[cell.replace("\u00a0", " ") for cell in row[:4]] for row in rows] == [
        ["Season 1", "2,000", "70.0 %", "45.0 %"],
        ["Season 2", "2,000", "90.0 %", "65.0 %"],
    ]
    wins, settled = page.figures["figure-leads-0"]["data"]
    assert (wins["x"], wins["y"], settled["y"]) == ([1, 2], [45, 65], [30, 60])
    assert page.figures["figure-leads-0"]["layout"]["shapes"][0]["y0"] == 25


def test_a_round_in_which_nobody_led_leaves_a_gap() -> None:
    results = build()
    baseline(results)["leads"]["rounds"][0]["wins"] = None
    baseline(results)["leads"]["half"] = None
    page = parse(report.render(results))
    assert page.figures["figure-leads-0"]["data"][0]["y"] == [None, 65]
    assert "In none of the first 2,000 games does anybody lead alone after half of the seasons." in page.text


def test_the_biggest_comeback_has_its_command() -> None:
    page = parse(report.render(build()))
    rows = page.tables["The biggest comebacks: baseline, 4 players"][1:]
    assert rows == [["128", "seat 2", "5", "2"], ["7", "seat 2", "4", "2"]]
    assert "balance replay RUN --game 128 --cell cell-0-p4" in page.text


@pytest.mark.parametrize("shape", [Shape(players=(1,)), Shape(variants=("baseline", "other"))])
def test_one_alone_and_variants_have_none(shape: Shape) -> None:
    results = build(shape)
    for cell in results["cells"][len(results["cells"]) // 2 :]:
        assert "leads" not in cell
    assert len(leads.section(results).blocks) == (0 if shape.players == (1,) else 2)


# ---------------------------------------------------------------------- games to read


def lines(page: Parsed) -> list[str]:
    return [text for text in page.texts if HOSTILE[0] in text and HOSTILE[2] in text]


def test_games_are_told_under_what_they_are() -> None:
    results = build()
    told = [
        game_log("comeback", "a\nb"),
        game_log("turns", "c", 7),
        game_log("score_margin", "d", 9, whole=False),
    ]
    baseline(results)["logs"] = told
    first, second, third = logs(results, baseline(results))
    assert (first.title, first.text) == (
        "Game 128: the biggest comeback of the first 2,000 games, from 60 behind",
        "a\nb",
    )
    assert (second.title, second.note) == ("Game 7: Turns 60, the highest", "")
    assert third.note == "All of it: balance replay RUN --game 9 --cell cell-0-p4"
    page = parse(report.render(results))
    assert [given["class"] for tag, given in page.tags if tag == "details"].count("log") == 3
    assert "The games most worth reading, move by move." in page.text
    assert "The games most worth reading" not in report.render(build())


@pytest.mark.parametrize(
    ("players", "text", "said"),
    [
        (4, "Player 1 greedy\nPlayer 2 greedy", "Player 1 sits in seat 1, Player 2 in seat 2, and so on."),
        (1, "Player 1 greedy", "Player 1 sits in seat 1."),
        (4, "seat 1 rolls", ""),
    ],
)
def test_players_of_logs_are_given_their_seats(players: int, text: str, said: str) -> None:
    results = build(Shape(players=(players,)))
    baseline(results)["logs"] = [game_log("turns", text)]
    assert seats(baseline(results)) == said
    assert f"The games most worth reading, move by move. {said}".strip() in parse(report.render(results)).text


def test_the_numbers_of_rules_are_left_out_of_logs() -> None:
    results = build()
    baseline(results)["logs"] = [
        game_log("turns", "takes truck 1: panda to e4 [Z-19,\n   Z-20]\n  end [Z-13]")
    ]
    assert logs(results, baseline(results))[0].text == "takes truck 1: panda to e4\n  end"


def test_shared_places_are_in_the_definitions() -> None:
    text = parse(report.render(build())).text
    assert "where several share it, nobody is" in text
    assert "of the winner, or of whoever shares the win, the most over all of them" in text


def test_hostile_logs_are_shown_literally() -> None:
    page = report.render(hostile())
    assert lines(parse(page))
    inside = re.findall(r'<details class="log">(.*?)</details>', page, re.DOTALL)
    assert inside
    assert not any("<script" in one or "<b>" in one or "<img" in one for one in inside)


# ---------------------------------------------------------------------- of whom, and where


def test_the_last_of_two_is_not_told_twice_and_a_team_is_no_player() -> None:
    two = build(Shape(players=(2,)))
    assert leads.sentence(baseline(two), two).startswith("The lead passes")
    results = build(Shape(players=(6,)))
    cell = baseline(results)
    assert ", that player wins 10.0 %" in leads.sentence(cell, results)
    cell["teams"] = [{"seats": [at, at + 3]} for at in range(3)]
    assert ", that team wins 10.0 %" in leads.sentence(cell, results)
    cell["teams"] = cell["teams"][:2]
    assert leads.sentence(cell, results).startswith("The lead passes")


def test_the_biggest_comeback_is_read_where_its_game_is_told() -> None:
    results = build()
    assert "Read it below" not in report.render(results)
    baseline(results)["logs"] = [game_log("turns", "c", 7)]
    assert "Read it below" not in report.render(results), "another game"
    baseline(results)["logs"].append(game_log("comeback", "a", 128))
    page = report.render(results)
    assert '<a href="#log-cell-0-p4-1">Read it below.</a>' in page
    assert page.count('<pre id="log-cell-0-p4-1"') == 1
