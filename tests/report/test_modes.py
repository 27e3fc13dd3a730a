"""The page of games with modes: goals instead of seats, teams instead of their seats, caps, and the deck's note."""

from __future__ import annotations

from typing import Any

import pytest
from analysis.summits import found

from balance.analysis.side_by_side import side_by_side
from balance.report import differences, goals, page, precision, verdicts, words
from balance.report.blocks import Charts, Part
from balance.report.cells import placed
from balance.report.sections import sections

from .parsed import parse
from .sample import Shape, build, estimate

NOTE = "PLACEHOLDER DECK: these cards are not those of the mountain."


@pytest.fixture
def alone() -> dict[str, Any]:
    return found((1,), ("alone",))


@pytest.fixture
def pairs() -> dict[str, Any]:
    return found((4,), ("pairs",))


@pytest.fixture
def both() -> dict[str, Any]:
    return found((1, 4), ("alone", "pairs"))


def titles(results: dict[str, Any]) -> dict[str, str]:
    return {section.anchor: section.title for section in sections(results)}


def charts(results: dict[str, Any]) -> list[Any]:
    """The charts of the section about who wins, those of folded parts included."""
    (section,) = [one for one in sections(results) if one.anchor == "seats"]

    def inside(blocks: Any) -> Any:
        for block in blocks:
            if isinstance(block, Charts):
                yield from block.charts
            elif isinstance(block, Part):
                yield from inside(block.blocks)

    return list(inside(section.blocks))


def test_one_player_is_told_of_the_goal_and_not_of_seats(alone: dict[str, Any]) -> None:
    (cell, _) = alone["cells"]
    rate = cell["measures"]["goal_rate"]["mean"]
    sentence = verdicts.of_cell(cell, alone)
    assert sentence == (
        f"With 1 player (alone), the goal is reached in {words.value(rate, True)} of the games "
        f"(95 % interval {words.interval(rate, True)}). The goal: Reach the top in time."
    )
    assert verdicts.headline(cell) == f"Goal reached: {words.value(rate, True)}"
    assert not verdicts.stands_out(cell)
    assert titles(alone)["verdict"] == "How often is the goal reached?"
    text = page.render(alone)
    for wrong in (
        "no seats to compare",
        "Does it matter where you sit",
        "Share of wins by seat",
        "dashed line",
    ):
        assert wrong not in text


def test_other_games_are_told_of_seats_as_before() -> None:
    results = build(Shape(players=(1, 4)))
    assert titles(results)["verdict"] == "Does it matter where you sit?"
    assert verdicts.of_cell(results["cells"][0], results) == "With 1 player, there are no seats to compare."
    assert {"Team", "Goal"}.isdisjoint(_terms(results))
    assert "Goal reached" not in page.render(results)


def test_both_questions_where_both_are_asked(both: dict[str, Any]) -> None:
    assert titles(both)["verdict"] == "Does it matter where you sit? How often is the goal reached?"
    assert {"Team", "Goal"} <= _terms(both)


def _terms(results: dict[str, Any]) -> set[str]:
    (section,) = [one for one in sections(results) if one.anchor == "reading"]
    return {term for term, _ in section.blocks[0].pairs}


def test_the_curve_over_goals_is_a_chart_with_its_numbers(alone: dict[str, Any]) -> None:
    first, *_ = charts(alone)
    curve = alone["cells"][0]["goal"]["curve"]
    assert (first.id, first.title) == ("goal-0", "How often a goal is reached")
    rate = alone["cells"][0]["measures"]["goal_rate"]["mean"]
    (dashed,) = first.figure["layout"]["shapes"]
    assert (dashed["y0"], dashed["y1"]) == (pytest.approx(100 * rate["value"], 1e-4),) * 2
    assert f"is reached, {words.value(rate, True)}." in first.sentence
    line = first.figure["data"][0]
    assert line["x"] == [point["at_least"] for point in curve]
    assert line["y"] == pytest.approx([100 * point["rate"]["value"] for point in curve], rel=1e-5)
    assert [row[0].text for row in first.table.rows] == [str(point["at_least"]) for point in curve]
    assert "Reach the top in time." in first.sentence
    assert line["error_y"]["array"][1] > 0


def test_the_terminal_tells_the_goals_that_say_most() -> None:
    rates = {10: 1.0, 20: 0.95, 30: 0.8, 40: 0.6, 48: 0.3, 50: 0.26, 60: 0.12, 70: 0.01}
    curve = [{"at_least": goal, "rate": {"value": rate}} for goal, rate in rates.items()]
    told = goals.telling({"goal": {"curve": curve}})
    assert [point["at_least"] for point in told] == [20, 30, 40, 50, 60]
    assert goals.telling({"goal": {"curve": []}}) == []


def test_teams_stand_in_the_place_of_their_seats(pairs: dict[str, Any]) -> None:
    (cell, _) = pairs["cells"]
    wins, scores, *_ = charts(pairs)
    assert wins.title == "Share of wins by team"
    assert [row[0].text for row in wins.table.rows] == ["Seats 1 and 3", "Seats 2 and 4"]
    assert "an even share, 50.0 %" in wins.sentence
    assert [line["name"] for line in scores.figure["data"]] == ["Seats 1 and 3", "Seats 2 and 4"]
    assert verdicts.of_cell(cell, pairs).startswith(
        "With 4 players (pairs), all teams lie within the tolerance band of 3 pp: the team of seats 1 and 3 is "
    )
    (verdict,) = [one for one in sections(pairs) if one.anchor == "verdict"]
    card = verdict.blocks[0].cards[0]
    assert [dot.name for dot in card.dots] == ["1 and 3", "2 and 4"]
    assert "1 and 3</text>" in page.render(pairs)


def test_a_team_that_stands_out_is_named(pairs: dict[str, Any]) -> None:
    cell = {**pairs["cells"][0]}
    cell["tests"] = {
        "largest_team_deviation": {
            "team": 1,
            "estimate": {"value": 0.03, "low": 0.02, "high": 0.04, "n": 9, "method": ""},
        }
    }
    assert verdicts.of_cell(cell, pairs) == (
        "With 4 players (pairs), seats 2 and 4 are furthest from an even share of 50.0 %: they take 53.0 % of the "
        "wins, 3.0 pp more (95 % interval 2.0 to 4.0 pp more)."
    )
    assert verdicts.headline(cell) == "Seats 2 and 4: +3.0 pp"


def test_what_changes_for_a_team_is_told_of_both_its_seats(pairs: dict[str, Any]) -> None:
    entry = {"metric": "win_share", "seat": 1, "seats": [1, 3]}
    assert differences.subject(pairs, entry) == "share of wins of seats 2 and 4"
    assert differences.subject(pairs, {"metric": "win_share", "seat": 1}) == "seat 2's share of wins"
    text = page.render(pairs)
    assert "Seats 2 and 4" in text
    assert ">Share of wins, seats 1 and 3<" in text.replace("<bdi>", "").replace("</bdi>", "")


def test_all_cells_at_a_glance_have_the_goal_beside_the_seats(both: dict[str, Any]) -> None:
    (section,) = [one for one in sections(both) if one.anchor == "seats"]
    overview = section.blocks[0]
    heads = [column.title for column in overview.columns]
    assert heads == [
        "Cell",
        "Games",
        "Seats 1 and 3 win",
        "Seats 2 and 4 win",
        "Goal reached",
        "Ties",
        "Turns",
        "Score",
    ]
    rows = {row[0].text: [entry.text for entry in row] for row in overview.rows}
    alone, pairs = rows["baseline, 1 player (alone)"], rows["baseline, 4 players (pairs)"]
    assert alone[2:4] == [""] * 2
    assert alone[4].endswith("%")
    shares = both["cells"][2]["teams"]
    assert pairs[2:4] == [words.value(one["win_share"], True) for one in shares]
    assert pairs[4] == words.NOTHING


def test_teams_stand_side_by_side_as_teams(pairs: dict[str, Any]) -> None:
    held = side_by_side({"a": pairs, "b": pairs})
    shares = [one for one in held["tables"][0]["metrics"] if one["metric"] == "win_share"]
    assert [one["seats"] for one in shares] == [[0, 2], [1, 3]]
    assert [one["values"][0] for one in shares] == [team["win_share"] for team in pairs["cells"][0]["teams"]]
    text = page.render_together(held)
    assert "Share of wins, seats 1 and 3" in text
    assert "Seat 1's share of wins" not in text.replace("&#39;", "'")


def test_a_precision_of_teams_is_told_of_teams() -> None:
    both = {"plain": estimate(0.5, 0.01), "adjusted": estimate(0.5, 0.02)}
    cell = {**build()["cells"][0], "name": "a"}
    shares = [{"seat": seat, "seats": [seat, seat + 2], **both} for seat in (0, 1)]
    results = {
        "status": "complete",
        "cells": [cell],
        "precision": {"half_width": 0.02, "cells": [{"cell": "a", "shares": shares}]},
    }
    assert "the share of wins of every team was known" in precision.sentence(results)
    ((_, rows),) = precision.cells(results)
    assert [row[0] for row in rows] == ["seats 1 and 3", "seats 2 and 4"]


def test_capped_games_are_told_beside_the_games_and_as_a_warning(pairs: dict[str, Any]) -> None:
    text = page.render(pairs)
    capped = pairs["cells"][0]["capped"]
    assert f"{capped:,} games ended at the cap" in text
    assert "end at the cap that the rules set; they are ranked, and count in every mean." in text
    assert "Ended at the cap" in text


def test_the_decks_note_stands_at_the_top_of_the_page(pairs: dict[str, Any]) -> None:
    text = page.render(pairs)
    assert 0 < text.index(NOTE) < text.index("<main")
    assert NOTE not in page.render({**pairs, "deck": {**pairs["deck"], "note": ""}}).split("<main")[0]
    assert words.deck_note(build()) == ""


def test_rules_are_told_by_mode(both: dict[str, Any]) -> None:
    text = page.render(both)
    assert "1 (alone) and 4 (pairs)" in text


def test_the_page_is_well_formed(both: dict[str, Any]) -> None:
    seen = parse(page.render(both))
    assert {"figure-goal-0", "figure-wins-2"} <= seen.figures.keys()
    assert NOTE in seen.text
    assert [one.where for one in placed(both)] == [
        "baseline, 1 player (alone)",
        "lucky, 1 player (alone)",
        "baseline, 4 players (pairs)",
        "lucky, 4 players (pairs)",
    ]
