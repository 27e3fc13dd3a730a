"""What is used and what is not, and what each seat takes: said, charted and counted in tables."""

from __future__ import annotations

from typing import Any

import pytest

from balance import registry, report
from balance.analysis.definitions import definitions
from balance.cli.tables import summary
from balance.report import figures, takings, usage
from tests.report.parsed import parse
from tests.report.sample import Shape, build, estimate


def items(results: dict[str, Any], cell: int = 0) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = results["cells"][cell]["measures"]["cards"]["items"]
    return found


def plain(rows: list[list[str]]) -> list[list[str]]:
    return [[cell.replace("\u00a0", " ") for cell in row] for row in rows]


def test_what_is_never_used_comes_first_then_what_is_taken_least() -> None:
    assert usage.section(build()).lede == (
        'Never used in 100,000 games: "parrot_beauty" (Cards). Taken least when offered: "owl" (Cards), '
        "45.7 % (45.5 to 45.9 %) with 4 players."
    )


def test_an_item_that_is_used_at_one_table_is_not_unused() -> None:
    results = build(Shape(players=(3, 4)))
    items(results, 1)[5]["taken"] = {"total": 3, "mean": estimate(0.1, 0.01)}
    assert usage.sentence(results).startswith("Everything was used at some time in 200,000 games.")


def test_many_unused_items_are_counted() -> None:
    results = build(Shape(items=tuple(f"card {number}" for number in range(9))))
    for item in items(results)[1:]:
        item["taken"] = item["held_by_winner"] = {"total": 0, "mean": estimate(0, 0)}
        item["take_rate"] = None
    told = usage.sentence(results)
    assert told.endswith('"card 5" (Cards), "card 6" (Cards) and 2 more.')
    assert "Taken least" not in told  # of the only one that was taken nothing is known of how often


def test_the_table_says_what_was_taken_and_what_was_passed() -> None:
    rows = parse(report.render(build())).tables["Cards: baseline, 4 players"]
    assert rows[0][1:8] == ["Offered", "a game", "Taken", "a game", "Passed", "Held by the winner", "a game"]
    for row in rows[1:]:
        offered, taken, passed = (int(row[at].replace(",", "")) for at in (1, 3, 5))
        assert passed == offered - taken
    assert rows[6][5] == rows[6][1]  # never taken, so always passed
    results = build()
    items(results)[0]["taken"]["total"] = 10**9  # where more is taken than offered, nothing was passed
    rows = parse(report.render(results)).tables["Cards: baseline, 4 players"]
    assert {row[5] for row in rows[1:]} == {"–"}


def declared(**shape: Any) -> dict[str, Any]:
    """Results with a counter of what is no choice."""
    results = build(Shape(**shape))
    results["definitions"]["cards"] |= {"faces": ["entered", "won"], "title": "Entries"}
    return results


def test_what_is_no_choice_is_neither_passed_nor_never_used() -> None:
    results = declared()
    page = parse(report.render(results))
    rows = page.tables["Entries: baseline, 4 players"]
    assert rows[0] == [
        "Item",
        "Entered",
        "a game",
        "Won",
        "a game",
        "By the winner",
        "a game",
        "Rate",
        "Interval",
    ]
    assert "Wide bars: entered; narrower: won; thin: by the winner; beside them, the rate." in page.text
    assert [line["name"] for line in page.figures["figure-cards-0"]["data"]] == [
        "entered",
        "won",
        "by the winner",
    ]
    assert "never taken" not in str(page.figures["figure-cards-0"])
    assert usage.sentence(results) == ""
    text = summary(results)
    assert "Entries, per game: entered won by winner rate interval" in " ".join(text.split())


def test_only_what_a_game_names_itself_is_no_choice() -> None:
    declared = {
        metric: definition["faces"]
        for game in ("animalia", "kennelmester", "pig", "zooloretto")
        for metric, definition in definitions(registry.load(game)).items()
        if "faces" in definition
    }
    assert declared == {
        "litters": ["litters", "this size"],
        "generations": ["pups", "trait dice"],
        "events": ["entered", "won"],
    }


def test_alone_nobody_is_the_winner_who_holds_more() -> None:
    results = build(Shape(players=(1,)))
    page = parse(report.render(results))
    heads = page.tables["Cards: baseline, 1 player"][0]
    assert heads == [
        "Item",
        "Offered",
        "a game",
        "Taken",
        "a game",
        "Passed",
        "Taken when offered",
        "Interval",
    ]
    assert len(page.figures["figure-cards-0"]["data"]) == 2
    assert "held by the winner" not in usage.section(results).blocks[0].blocks[0].charts[0].sentence
    assert "by winner" not in summary(results)


def test_the_bars_say_how_much_was_taken() -> None:
    offered, taken, _ = figures.counter(items(build()))["data"]
    assert offered["text"] == ["", "74 %", "69 %", "63 %", "57 %", "never taken", "46 %"]
    assert "text" not in taken


def test_what_comes_several_times_when_offered_once_is_no_share() -> None:
    results = build()
    found = items(results)
    for item in found[:2]:
        item["taken"]["total"] = 1_000_000_000
        item["take_rate"] = estimate(12.667, 0.25)
    found[2]["taken"]["total"] = found[2]["offered"]["total"]
    found[2]["take_rate"] = estimate(1.0, 0.06)
    for item in found[4:]:
        item |= {"take_rate": None}
    assert figures.counter(found)["data"][0]["text"][:4] == ["12.7 each", "12.7 each", "1.0 each", "0.6 each"]
    rows = parse(report.render(results)).tables["Cards: baseline, 4 players"]
    assert [row[-2:] for row in plain(rows)[1:4:2]] == [
        ["12.7 each", "12.4 to 12.9"],
        ["1.0 each", "0.9 to 1.1"],
    ]
    assert "how often it was taken each time" in parse(report.render(results)).text
    assert usage.FORCED not in report.render(results)
    assert "Taken least" not in usage.sentence(results)  # a number each time is no part that was taken
    lines = [" ".join(line.split()) for line in summary(results).splitlines()]
    assert any(line.endswith("12.7 each 12.4 to 12.9") for line in lines)
    assert not any("1,266" in line for line in lines)


def test_what_is_always_taken_is_no_choice() -> None:
    results = build()
    forced = items(results)[2]
    forced["taken"]["total"] = forced["offered"]["total"]
    rows = {row[0]: row for row in parse(report.render(results)).tables["Cards: baseline, 4 players"]}
    assert rows[forced["item"]][-2:] == [figures.ALWAYS, "–"]
    assert [row[-2] for row in rows.values()].count(figures.ALWAYS) == 1
    assert usage.FORCED in parse(report.render(results)).text
    assert figures.counter(items(results))["data"][0]["text"].count(figures.ALWAYS) == 1
    assert usage.FORCED not in report.render(build())
    for item in items(results):
        item["take_rate"] = estimate(0.3 if item is items(results)[3] else 1.0, 0.01)
        if item is not items(results)[3]:
            item["taken"]["total"] = item["offered"]["total"] = 5
    assert f'Taken least when offered: "{items(results)[3]["item"]}"' in usage.sentence(results)
    items(results)[3]["taken"]["total"] = items(results)[3]["offered"]["total"]
    assert "Taken least" not in usage.sentence(results)


# ---------------------------------------------------------------------- seat by seat


def test_the_seats_differ_most_in_what_varies_least() -> None:
    results = build()
    assert takings.section(results).lede == (
        'The seats differ most in "Cards stolen", with 4 players: seat 4 has 1.70 (1.69 to 1.71), seat 1 has '
        "1.40 (1.39 to 1.41) a game."
    )
    seats = results["cells"][0]["measures"]["thefts"]["seats"]
    for seat in seats:
        seat["mean"] = estimate(2, 0.01)
    assert takings.sentence(results) == ""


@pytest.mark.parametrize("wide", [estimate(1.7, 0.3), estimate(1.7, 0.01) | {"low": None, "high": None}])
def test_what_may_be_luck_is_said_to_be(wide: dict[str, Any]) -> None:
    results = build()
    results["cells"][0]["measures"]["thefts"]["seats"][3]["mean"] = wide
    assert takings.sentence(results).startswith(
        'The seats differ most in "Cards stolen", with 4 players: seat 4 has '
    )
    assert takings.sentence(results).endswith(" a game, which may be luck.")


def test_each_seat_is_charted_against_the_average() -> None:
    page = parse(report.render(build(Shape(players=(3,)))))
    chart = page.figures["figure-takings-0"]
    assert [line["name"] for line in chart["data"]] == ["Seat 1", "Seat 2", "Seat 3"]
    assert [line["x"][0] for line in chart["data"]] == [-6.66667, 0, 6.66667]  # 1.4, 1.5 and 1.6
    assert plain(page.tables["Per seat: baseline, 3 players"])[1][1:4] == [
        "Seat 1",
        "1.40",
        "1.39 to 1.41",
    ]


def test_for_one_alone_there_is_a_table_and_no_comparison() -> None:
    results = build(Shape(players=(1,)))
    assert takings.section(results).lede == ""
    page = parse(report.render(results))
    assert "Per seat: baseline, 1 player" in page.tables
    assert "figure-takings-0" not in page.figures


@pytest.mark.parametrize("rare", [estimate(0, 0), estimate(0.01, 0.006)])
def test_what_nobody_ever_has_or_too_rarely_is_not_charted(rare: dict[str, Any]) -> None:
    results = build()
    for seat in results["cells"][0]["measures"]["thefts"]["seats"]:
        seat["mean"] = rare
    assert "figure-takings-0" not in parse(report.render(results)).figures
