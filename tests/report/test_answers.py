"""What a series says: one rule, value by value, in sentences and tables that the page and the terminal share."""

from __future__ import annotations

import copy
import re
from typing import Any

import pytest

from balance import report
from balance.cli.tables import summary
from balance.report import answers, first_screen, halves, verdicts
from tests.report import sample
from tests.report.parsed import parse
from tests.report.sample import Shape, build, estimate
from tests.report.test_gates import cell, gate

NAMES = ("baseline", *(f"variant {number}" for number in range(4)))


def found(
    values: tuple[Any, ...] = (2, 0, 1, 3, 4),
    players: tuple[int, ...] = (2, 3, 4, 5),
    at: int = 2,
    **shape: Any,
) -> dict[str, Any]:
    """Results with a series of these values, the first of which is the baseline's and comes at that place in order."""
    results = build(Shape(players=players, variants=NAMES[: len(values)], **shape))
    results = sample.with_series(results, "species_removed", values)
    for table in results["series"][0]["tables"]:
        before, *others = table["rows"]
        table["rows"] = [*others[:at], before, *others[at:]]
    return results


def row(results: dict[str, Any], value: Any) -> dict[str, Any]:
    """A row of the first table."""
    rows: list[dict[str, Any]] = results["series"][0]["tables"][0]["rows"]
    return next(one for one in rows if one["value"] == value)


def said(results: dict[str, Any], table: int = 0) -> str:
    one = results["series"][0]
    return answers.sentence(one, one["tables"][table], results)


def test_the_sentence_tells_the_values_next_to_the_rulebook_s() -> None:
    results = found(players=(3,))
    row(results, 3)["differences"] |= {"turns": estimate(-1.9, 0.06), "score": estimate(-2.2, 0.25)}
    row(results, 3)["seat"] = {"seat": 0, "estimate": estimate(-0.021, 0.004)}
    row(results, 1)["differences"] |= {"turns": estimate(2.1, 0.06), "score": estimate(0.04, 0.05)}
    row(results, 1)["seat"] = {"seat": 1, "estimate": estimate(0.002, 0.004)}
    assert said(results) == (
        "With 3 players the rulebook sets species_removed to 2. Set to 3, the game is 1.9 turns shorter "
        "(1.8 to 2.0), the mean score is 2.2 lower (2.0 to 2.5) and seat 1 wins 2.1 pp fewer than even there "
        "(1.7 to 2.5). Set to 1, the game is 2.1 turns longer (2.0 to 2.2), no change of the mean score above 0.1 "
        "was found and no seat was found more than 0.6 pp from even. Of the others 4 changes most: the game is 8.01 "
        "turns longer (7.98 to 8.04). And 1 more below."
    )


def values_told(results: dict[str, Any]) -> list[str]:
    return re.findall(r"(?:Set to|the others) (\S+?),? (?:changes|the|no)", said(results))


def test_the_lowest_and_the_highest_value_have_one_neighbor_and_what_changes_most_is_told_too() -> None:
    assert values_told(found((0, 1, 2), at=0)) == ["1", "2"]
    assert values_told(found((2, 0, 1), at=2)) == ["1", "0"]
    results = found(at=2)
    assert values_told(results) == ["3", "1", "4"]
    row(results, 0)["differences"]["score"] = estimate(-9.0, 0.1)
    assert values_told(results) == ["3", "1", "0"]
    row(results, 0)["differences"]["score"] = estimate(-9.0, 10.0)
    assert values_told(results) == ["3", "1", "4"], "what may be luck is no change"


def test_lists_of_numbers_have_an_order_by_what_they_add_up_to() -> None:
    """As of litters: the next poorer and the next richer table stand nearest, whatever the order of the file."""
    lists = ([0, 1, 1, 2], [0, 0, 0, 0], [3, 3, 3, 3], [0, 1, 1, 1], [1, 1, 1, 2])
    assert values_told(found(lists, at=0))[:2] == ["[1,1,1,2]", "[0,1,1,1]"]


def test_of_words_and_lists_of_words_what_changes_most_is_told_first() -> None:
    results = found(("off", "any", "round", "turn"), at=0)
    for value, longer in (("any", 0.5), ("round", 4.0), ("turn", -2.0)):
        row(results, value)["differences"] = {"turns": estimate(longer, 0.1), "score": estimate(0.0, 0.1)}
    assert values_told(results) == ["round", "turn"]


def test_lists_of_the_same_sum_are_told_by_their_effect() -> None:
    lists = ([0, 0, 1, 1, 2, 2], [0, 1, 1, 1, 2, 1], [1, 1, 1, 1, 1, 1], [0, 0, 0, 0, 3, 3])
    results = found(lists, at=0)
    for value, longer in zip(lists[1:], (4.0, 3.0, 2.0), strict=True):
        row(results, value)["differences"] = {"turns": estimate(longer, 0.1)}
    sentence = said(results)
    assert "sets species_removed to [0,0,1,1,2,2]. Set to [0,1,1,1,2,1], the game" in sentence
    assert ". Set to [1,1,1,1,1,1], the game" in sentence
    assert sentence.count("Set to ") == 2
    assert "sets species_removed to true. Set to false, the game" in said(found((True, False), at=1))


def test_a_baseline_of_one_s_own_is_not_called_the_rulebook_s() -> None:
    results = found()
    results["series"][0]["official"] = False
    assert said(results).startswith("With 2 players the baseline sets species_removed to 2.")
    assert "; * is the baseline." in answers.terms(results["series"][0], results)


def test_what_differs_every_time_and_what_is_not_known() -> None:
    results = found(players=(3,))
    row(results, 3)["differences"] |= {"turns": estimate(-2, 0), "score": sample.UNKNOWN}
    row(results, 1)["differences"] = {}
    row(results, 1)["seat"] = {"seat": 1, "estimate": sample.UNKNOWN}
    sentence = said(results)
    assert "Set to 3, the game is 2 turns shorter every time and no seat was found" in sentence
    assert "Set to 1, too few games were played to tell. Of the others 4 " in sentence
    assert answers.cells(row(results, 1), results["series"][0]["tables"][0], results)[-1] == ("-", "-")


def test_no_effect_is_never_claimed() -> None:
    """Where nothing was told apart, the sentence says how much could have been missed."""
    results = found(players=(3,))
    table = results["series"][0]["tables"][0]
    table["rows"] = [one for one in table["rows"] if one["value"] in (1, 2, 3)]
    for value in (1, 3):
        row(results, value)["differences"] = {
            name: estimate(0.0, 0.3) for name in ("turns", "score", "score_margin")
        }
        row(results, value)["seat"] = {"seat": 1, "estimate": estimate(0.0, 0.004)}
    assert said(results) == (
        "With 3 players the rulebook sets species_removed to 2."
        + 2
        * " Set to {}, no change of the length above 0.3 turns was found, no change of the mean score above 0.3 "
        "was found and no seat was found more than 0.4 pp from even."
    ).format(3, 1)


def test_a_number_that_changed_in_no_game_is_said_to() -> None:
    results = found(players=(3,))
    row(results, 3)["differences"] |= {"turns": estimate(0, 0), "score": estimate(0, 0)}
    expected = "no change of the length was seen in any game, no change of the mean score was seen in any game and no"
    assert f"Set to 3, {expected}" in said(results)


def test_someone_alone_has_no_seats_but_a_goal() -> None:
    results = found(players=(1,))
    table = results["series"][0]["tables"][0]
    table["metrics"] = ["turns", "score", "goal_rate"]
    results["definitions"]["goal_rate"] = {"title": "Goal reached", "share": True}
    for one in table["rows"]:
        one["means"]["goal_rate"] = estimate(0.41, 0.003)
        one["differences"]["goal_rate"] = estimate(0.021, 0.004)
    assert "the goal is reached 2.1 pp more often (1.7 to 2.5). Set to 1, " in said(results)
    assert "seat" not in said(results)
    assert answers.heads(table, results) == ["set to", "turns", "score", "Goal reached"]
    assert answers.cells(table["rows"][0], table, results)[2] == ("41.0 %", "0.3")


def test_a_team_is_named_by_its_seats() -> None:
    results = found(players=(4,))
    table = results["series"][0]["tables"][0]
    for one in table["rows"]:
        one["seat"] = {"seat": 1, "team": 1, "seats": [1, 3], "estimate": estimate(-0.021, 0.004)}
    row(results, 3)["seat"]["estimate"] = estimate(0.002, 0.004)
    assert "and no team was found more than 0.6 pp from even. Set to 1," in said(results)
    assert "seats 2 and 4 win 2.1 pp fewer than even there (1.7 to 2.5). Of the others " in said(results)
    assert answers.heads(table, results)[-1] == "team edge"
    assert answers.cells(row(results, 1), table, results)[-1] == ("2+4: -2.1", "0.4")
    assert "team" not in answers.terms(results["series"][0], results)
    results["cells"][0]["teams"] = []
    assert "Edge: the seat or team furthest from even, in pp" in answers.terms(results["series"][0], results)


@pytest.mark.parametrize(
    ("half", "number"),
    [(0.3, ("2.0", "0.3")), (0.02, ("2.00", "0.02")), (0.003, ("2.000", "0.003")), (0.0, ("2", "-"))],
)
def test_half_an_interval_is_never_rounded_to_nothing(half: float, number: tuple[str, str]) -> None:
    results = found()
    row(results, 3)["means"]["turns"] = estimate(2.0, half)
    assert answers.cells(row(results, 3), results["series"][0]["tables"][0], results)[0] == number


# ---------------------------------------------------------------------- the page


def test_the_first_series_comes_after_the_first_screen_and_the_others_follow_later() -> None:
    results = sample.with_series(found(), "prices", (3, 1, 2, 4, 5))
    page = parse(report.render(results))
    order = [given["id"] for tag, given in page.tags if tag == "section"]
    assert order[:3] == ["summary", "answer", "verdict"]
    assert order.index("series") == order.index("variants") + 1
    first, second = results["series"]
    text = page.text
    assert text.index(answers.question(first)) < text.index(verdicts.sentences(results)[0])
    for one in results["series"]:
        for table in one["tables"]:
            assert answers.sentence(one, table, results) in text
    assert text.index(said(results, 3)) < text.index(verdicts.sentences(results)[0])
    assert (
        answers.sentence(second, second["tables"][0], results) in text[text.index("Variants side by side") :]
    )
    captions = [caption for caption in page.tables if caption.startswith('"species_removed"')]
    assert len(captions) == 4


def asked(results: dict[str, Any]) -> tuple[list[str], list[list[str]], str]:
    """The heads and rows of the table that the first screen begins with, and what it says is left out."""
    short = first_screen.section(results).blocks[-1]
    rows = [[cell.text for cell in entries] for entries in short.asked.rows]
    return [column.title for column in short.asked.columns], rows, short.more


def gap(results: dict[str, Any], value: int, moved: dict[str, Any], found: bool) -> None:
    """How much further apart the seats are where the first table has that value."""
    one = row(results, value)
    compared = next(
        each
        for each in results["comparisons"]
        if (each["variant"], each["players"])
        == (one["variant"], results["series"][0]["tables"][0]["players"])
    )
    entry = {**compared["metrics"][0], "metric": "seat_spread", "seat": None}
    compared["metrics"].append(entry | {"difference": moved, "found": found})


def test_the_first_screen_begins_with_an_answer_and_not_with_the_help_of_the_rule() -> None:
    results = found()
    for table in results["series"][0]["tables"]:
        for one in table["rows"]:
            one["differences"] = {name: estimate(0.0, 0.3) for name in ("turns", "score")}
    results["parameters"]["species_removed"] = "How many species stay in the box."
    nothing = first_screen.section(results).lede
    assert nothing.startswith(
        'No value of "species_removed" that was played surely changes the length, the mean score or how '
        "even the seats are."
    )
    row(results, 3)["differences"] |= {"score": estimate(-2.2, 0.25)}
    assert (
        "set to 3 with 2 players the mean score is 2.2 lower (2.0 to 2.5)"
        in first_screen.section(results).lede
    )
    row(results, 3)["differences"] |= {"turns": estimate(-1.9, 0.06)}
    row(results, 1)["differences"] |= {"turns": estimate(0.9, 0.06)}
    said_first = first_screen.section(results).lede
    assert said_first == (
        "The largest change: set to 3 with 2 players the game is 1.9 turns shorter (1.8 to 2.0). Below the table: the "
        "baseline."
    )
    assert "species stay" not in said_first


def effects(results: dict[str, Any], value: int, **of: float | None) -> None:
    """How large the changes of that value are at the first table, by how much each number varies between games."""
    wanted = row(results, value)["variant"], results["series"][0]["tables"][0]["players"]
    (compared,) = [one for one in results["comparisons"] if (one["variant"], one["players"]) == wanted]
    for one in compared["metrics"]:
        if one["seat"] is None and one["metric"] in of:
            one["effect"] = of[one["metric"]]


def test_the_largest_change_is_that_of_all_numbers_that_are_shown() -> None:
    """A game that is longer by a third of what it varies is no larger a change than half of the points gone."""
    results = found()
    for table in results["series"][0]["tables"]:
        for one in table["rows"]:
            one["differences"] = {name: estimate(0.0, 0.3) for name in ("turns", "score", "score_margin")}
    row(results, 3)["differences"] |= {"turns": estimate(1.7, 0.1), "score": estimate(0.5, 0.1)}
    row(results, 1)["differences"] |= {"turns": estimate(0.9, 0.06), "score": estimate(-7.1, 0.6)}
    effects(results, 3, turns=0.42, score=0.1)
    effects(results, 1, turns=0.2, score=-0.8)
    assert told_first(results) == "set to 1 with 2 players the mean score is 7.1 lower (6.5 to 7.7)"
    gap(results, 3, estimate(0.06, 0.02), found=True)
    effects(results, 3, seat_spread=0.9)
    assert told_first(results) == "set to 3 with 2 players the gap between seats is 6.0 pp wider (4.0 to 8.0)"
    row(results, 3)["differences"] |= {"turns": estimate(2.0, 0.0)}
    effects(results, 3, turns=None)
    assert told_first(results) == "set to 3 with 2 players the game is 2 turns longer every time"


def told_first(results: dict[str, Any]) -> str:
    return (
        answers.in_a_sentence(results["series"][0], results)
        .removeprefix("The largest change: ")
        .removesuffix(".")
    )


@pytest.mark.parametrize(("by", "way"), [(-0.035, "fewer"), (0.035, "more")])
def test_a_seat_that_was_as_far_from_even_before_is_no_effect_of_the_value(by: float, way: str) -> None:
    results = found(players=(3,))
    row(results, 3)["seat"] = {"seat": 0, "estimate": estimate(by, 0.024)}
    compared = next(one for one in results["comparisons"] if one["variant"] == row(results, 3)["variant"])
    (wins,) = [one for one in compared["metrics"] if (one["metric"], one["seat"]) == ("win_share", 0)]
    for is_found, rest in ((True, "."), (False, ", of which no change was found.")):
        wins["found"] = is_found
        assert f"seat 1 wins 3.5 pp {way} than even there (1.1 to 5.9){rest}" in said(results)


def test_of_two_seats_a_value_says_what_their_card_says() -> None:
    results = found(players=(2,))
    name = row(results, 3)["variant"]
    (cell,) = [one for one in results["cells"] if one["variant"] == name]
    cell["tests"]["pairs"][0]["difference"] = estimate(-0.045, 0.044)
    row(results, 3)["seat"] = {"seat": 1, "estimate": estimate(0.0225, 0.0255)}
    assert "seat 2 wins 2.2 pp more than even there (0.1 to 4.5)" in said(results)
    assert answers.cells(row(results, 3), results["series"][0]["tables"][0], results)[-1] == (
        "2: +2.2",
        "2.2",
    )
    assert verdicts.headline(cell) == "Seat 2: +2.2 pp"


def test_the_first_screen_answers_for_every_number_of_players() -> None:
    results = found()
    row(results, 3)["differences"] |= {"turns": estimate(-1.9, 0.06), "score": estimate(0.04, 0.05)}
    row(results, 1)["differences"] |= {"turns": estimate(0.0, 0.0), "score": estimate(2.2, 0.25)}
    gap(results, 3, estimate(-0.021, 0.004), found=True)
    gap(results, 1, estimate(0.002, 0.004), found=False)
    heads, rows, more = asked(results)
    last = "Gap between seats, in pp"
    assert heads == ["At the table", "With", "Length in turns", "Mean score", last]
    assert [one[:2] for one in rows[::2]] == [[f"{players} players", "variant 2"] for players in (2, 3, 4, 5)]
    seats = ["2.1 pp narrower (1.7 to 2.5)", "no change above 0.6 pp"]
    assert rows[0][2:] == ["1.9 shorter (1.8 to 2.0)", "no change above 0.1", seats[0]]
    assert rows[1][1:] == ["variant 1", "no change in any game", "2.2 higher (2.0 to 2.5)", seats[1]]
    assert (len(rows), more) == (8, "And 8 more values, below; pp: percentage points.")


def test_a_change_that_is_luck_among_so_many_is_not_told_as_found() -> None:
    results = found(players=(3,))
    row(results, 3)["differences"] |= {"turns": estimate(-1.9, 0.06) | {"found": False}}
    assert asked(results)[1][0][2] == "no change above 2.0"
    assert "Set to 3, no change of the length above 2.0 turns was found" in said(results)


def test_where_the_baseline_differs_each_line_says_from_what() -> None:
    results = found(players=(3, 4))
    first = results["series"][0]["tables"][0]["rows"]
    first[1]["baseline"], first[2]["baseline"] = True, False
    tables = [one[0] for one in asked(results)[1]]
    assert tables == ["3 players (rulebook: 1)"] * 4 + ["4 players (rulebook: 2)"] * 4
    values = [one[1] for one in asked(results)[1]]
    assert values[:4] == ["baseline", "variant 0", "variant 3", "variant 2"], (
        "from the nearest on, then what changes most"
    )


def test_one_alone_has_a_goal_and_no_seats() -> None:
    results = found(players=(3, 4))
    table = results["series"][0]["tables"][0]
    table["metrics"].append("goal_rate")
    for one in table["rows"]:
        one["seat"], one["differences"]["goal_rate"] = None, estimate(-0.102, 0.03)
    heads, rows, _ = asked(results)
    assert heads[-1] == "Goal, or gap between seats, in pp"
    assert rows[0][-1] == "goal reached 10.2 pp less often (7.2 to 13.2)"
    assert "goal" not in rows[4][-1]


def test_without_room_every_number_of_players_comes_before_second_values() -> None:
    results = found()
    results["gates"].append(gate(cell("fail", level=None)) | {"gate": 0, "verdict": "fail"})
    _, rows, more = asked(results)
    assert [one[:2] for one in rows] == [[f"{players} players", "variant 2"] for players in (2, 3, 4, 5)]
    assert more.startswith("And 12 more values, below")


def test_the_tables_of_the_page_mark_the_rulebook_s_value() -> None:
    results = found(players=(3,))
    page = parse(report.render(results))
    head, *rows = page.tables[f'"species_removed", 3 players: {halves.TITLE}']
    assert head == ["Set to", "Turns", "Score", "Margin", "Seat edge"]
    assert [one[0] for one in rows] == ["0variant 0", "1variant 1", "2 *", "3variant 2", "4variant 3"]
    table = results["series"][0]["tables"][0]
    number, half = answers.cells(table["rows"][0], table, results)[0]
    assert rows[0][1] == f"{number}\xa0\xb1\xa0{half}"


def test_without_series_the_verdict_comes_after_the_first_screen() -> None:
    page = parse(report.render(build()))
    assert [given["id"] for tag, given in page.tags if tag == "section"][:2] == ["summary", "verdict"]
    assert answers.headline(build()) is None


def test_an_interruption_is_said_once_and_first() -> None:
    page = report.render(found(status="interrupted"))
    assert page.count("This run was interrupted") == 1
    assert page.index("This run was interrupted") < page.index("With 2 players the rulebook")


# ---------------------------------------------------------------------- the terminal


def test_the_terminal_tells_the_answer_last_but_for_the_summary_in_80_columns() -> None:
    results = found(status="complete", half_width=0.0004)
    lines = summary(results).splitlines()
    assert max(map(len, lines)) <= 80
    last = next(at for at, line in enumerate(lines) if line.startswith("In short."))
    end = lines[lines.index('What does "species_removed" change?') : last]
    told = " ".join(" ".join(end).split())
    assert all(said(results, table) in told for table in range(4))
    tables = [line.split() for line in end if line.startswith("  ")]
    assert sum(line[:2] == ["2", "*"] for line in tables) == 4
    assert sum(line[:2] == ["set", "to"] for line in tables) == 4
    assert [line[0] for line in tables[-5:]] == ["0", "1", "2", "3", "4"]


def test_without_series_the_summary_follows_the_last_cell() -> None:
    results = found()
    without = copy.deepcopy(results) | {"series": []}
    whole, less = (text.split("\nIn short.") for text in (summary(results), summary(without)))
    assert whole[0].startswith(less[0])
    assert whole[1] == less[1]
    assert "set to" not in less[0]
