"""Gates in words, as a JUnit file, as Markdown and as GitHub's annotations: nothing breaks out, nothing is hidden."""

from __future__ import annotations

import re
from itertools import product
from typing import Any

import pytest
from junitparser import Error, Failure, JUnitXml, Skipped

from balance.report import gates, github, undecided
from balance.report.junit import junit

NASTY = 'a|b <i>x</i> ]]> & "q" \x07\x1b[31m \U0001f600 犬 `c` *d* [e](f) %0A::error::\ufffe\ud800'


def cell(verdict: str = "pass", variant: str = "baseline", players: int = 4, **facts: Any) -> dict[str, Any]:
    estimate = {"value": 0.0151, "low": 0.0021, "high": 0.0281, "n": 40_000, "method": "normal mixture"}
    plain = {
        "variant": variant,
        "players": players,
        "mode": None,
        "rotations": 1,
        "verdict": verdict,
        "confidence": 0.98,
    }
    return {"cell": f"{variant}-p{players}", **plain, "estimate": estimate, "more_games": 0, **facts}


def gate(*cells: dict[str, Any], **facts: Any) -> dict[str, Any]:
    worst = min((one["verdict"] for one in cells), key=gates.ORDER.index)
    plain = {"gate": 0, "metric": "tie_rate", "seat": None, "policy": None, "against": None, "share": True}
    ends = {"limits": {"low": None, "high": 0.03}, "level": "error", "why": "", "verdict": worst}
    return {**plain, **ends, "cells": list(cells), **facts}


def verdict(*found: dict[str, Any], **facts: Any) -> dict[str, Any]:
    for number, one in enumerate(found):
        one["gate"] = number
    cells = {
        one["cell"]: {"name": one["cell"], "variant": one["variant"]}
        for each in found
        for one in each["cells"]
    }
    plain = {
        "title": "A race",
        "game_title": "Race",
        "confidence": 0.95,
        "definitions": {},
        "gates": list(found),
    }
    return {**plain, "cells": [one | {"games": 40_000} for one in cells.values()], **facts}


OPEN = {"verdict": "inconclusive", "more_games": 123_456}
EVERY = verdict(
    gate(cell("pass"), cell("fail", "no swaps"), cell(**OPEN, players=3)),
    gate(cell("fail"), level="warn", why="Nice to have"),
    gate(cell("no data", estimate={"value": None, "low": None, "high": None, "n": 0, "method": "too few"})),
    gate(cell("pass")),
)


# ---------------------------------------------------------------------- in words


@pytest.mark.parametrize(
    ("facts", "subject", "limits"),
    [
        ({}, "tie_rate", "at most 3 %"),
        ({"metric": "seat_spread"}, "seat_spread", "at most 3 pp"),
        (
            {"metric": "win_share", "seat": 1, "limits": {"low": 0.24, "high": None}},
            "win_share of seat 2",
            "at least 24 %",
        ),
        ({"metric": "win_share", "policy": "x", "seat": 0}, "win_share of x in seat 1", "at most 3 %"),
        (
            {"metric": "turns.p90", "share": False, "limits": {"low": 1000, "high": 2500.5}},
            "turns.p90",
            "from 1,000 to 2,500.5",
        ),
        (
            {"against": "baseline", "limits": {"low": -0.005, "high": 0.005}},
            "tie_rate against the baseline",
            "from -0.5 to +0.5 pp",
        ),
        ({"metric": "turns", "share": False, "limits": {"low": 4, "high": 4}}, "turns", "exactly 4"),
        ({"limits": {"low": None, "high": 0}}, "tie_rate", "at most 0 %"),
        ({"metric": "seat_spread", "limits": {"low": None, "high": 0.01}}, "seat_spread", "at most 1 pp"),
    ],
)
def test_what_is_judged_and_what_is_fine(facts: dict[str, Any], subject: str, limits: str) -> None:
    found = gate(cell(), **facts)
    assert (gates.subject(found), gates.limits(found)) == (subject, limits)


def test_the_worst_comes_first_and_what_only_warns_after_it() -> None:
    order = [(row.verdict, row.warns) for row in gates.rows(EVERY)]
    assert order == [
        ("fail", False),
        ("fail", True),
        ("no data", False),
        ("inconclusive", False),
        ("pass", False),
        ("pass", False),
    ]
    assert gates.summary(EVERY) == (
        "3 gates for 2 sets of rules at 2 tables: 1 failed, 1 had no data and 1 passed. 1 gate only to warn: 1 failed. "
        "The chance that any verdict is wrong is 5 % at most."
    )


def test_a_number_is_shown_with_its_interval_and_games() -> None:
    (row,) = gates.rows(verdict(gate(cell())))
    assert (row.found, row.where, row.more) == (
        "1.5 % (98 % interval 0.2 to 2.8; 40,000 games)",
        "baseline, 4 players",
        "",
    )
    (row,) = gates.rows(verdict(gate(cell(rotations=4))))
    assert row.found == "1.5 % (98 % interval 0.2 to 2.8; 40,000 blocks of 4 games)"
    (row,) = gates.rows(verdict(gate(cell(pair=[0, 2]), metric="seat_spread")))
    assert row.found == "1.5 pp between seats 1 and 3 (98 % interval 0.2 to 2.8; 40,000 games)"


def test_teams_are_called_by_their_seats_as_everywhere() -> None:
    teams = {"teams": [[0, 2], [1, 3]], "mode": "pairs"}
    (row,) = gates.rows(verdict(gate(cell(pair=[0, 1], **teams), metric="seat_spread")))
    assert (
        row.found == "1.5 pp between seats 1 and 3 and seats 2 and 4 (98 % interval 0.2 to 2.8; 40,000 games)"
    )
    assert row.where == "baseline, 4 players (pairs)"
    for metric, seat, whose in (
        ("win_share", 3, "win_share of seats 2 and 4"),
        ("score.p90", 0, "score.p90 of seats 1 and 3"),
        ("coins", 0, "coins of seat 1"),
    ):
        (row,) = gates.rows(verdict(gate(cell(**teams), metric=metric, seat=seat)))
        assert row.subject == whose


NOTHING = {"estimate": {"value": None, "low": None, "high": None, "n": 0, "method": "too few"}, "games": 60}


@pytest.mark.parametrize(
    ("facts", "found"),
    [
        ({"void": 0}, "nothing was measured"),
        ({"void": 60}, "all 60 games were void"),
        ({"void": 1, "games": 1}, "the only game was void"),
        ({"void": 20}, "in every block a game was void (20 games of 60)"),
        ({"void": 60, "baseline_void": 3}, "all 60 games were void"),
        ({"void": 3, "baseline_void": 60}, "all 60 games by the baseline were void"),
        (
            {"void": 30, "baseline_void": 40},
            "on every deal a game was void (30 games, and 40 by the baseline)",
        ),
    ],
)
def test_where_void_games_leave_nothing_that_is_said(facts: dict[str, Any], found: str) -> None:
    (row,) = gates.rows(verdict(gate(cell("no data", **{**NOTHING, **facts}))))
    assert row.found == found


def test_void_games_are_told_of_beside_what_was_found() -> None:
    (row,) = gates.rows(verdict(gate(cell(games=42_000, void=2_000))))
    assert row.found == "1.5 % (98 % interval 0.2 to 2.8; 40,000 games; 2,000 games of 42,000 void)"
    (row,) = gates.rows(verdict(gate(cell(games=42_000, void=0, baseline_void=2_000))))
    assert row.found.endswith("; 0 games of 42,000 void, and 2,000 by the baseline)")


def test_tables_that_a_gate_leaves_out_are_named_everywhere() -> None:
    lacking = [{"players": 2, "mode": None}, {"players": 4, "mode": "pairs"}]
    found = verdict(gate(cell()), gate(cell(), metric="score", seat=2, left_out=lacking))
    told = (
        "Gate 2 (score of seat 3) says nothing of 2 players and 4 players (pairs), which have no such number."
    )
    assert gates.left_out(found) == [told]
    assert told in gates.section(found).lede
    assert re.sub(r"\\(.)", r"\1", github.markdown(found, "pass")).count(told) == 1
    assert gates.left_out(EVERY) == []


def test_what_can_never_pass_says_so_instead_of_a_number() -> None:
    (row,) = gates.rows(verdict(gate(cell(**OPEN | {"more_games": None}, never_passes=True))))
    assert row.more.startswith("It can fail, but never pass: ")
    assert (
        undecided.games_needed(verdict(gate(cell(**OPEN | {"more_games": None}, never_passes=True)))) is None
    )
    (row,) = gates.rows(verdict(gate(cell(level="random"))))
    assert row.where == 'baseline, 4 players at level "random"'


def test_nothing_seems_to_lie_on_a_limit_that_does_not() -> None:
    estimate = {"value": 0.0291, "low": 0.0281, "high": 0.03003, "n": 9, "method": "t"}
    (row,) = gates.rows(verdict(gate(cell(**OPEN, estimate=estimate))))
    assert row.found == "2.910 % (98 % interval 2.810 to 3.003; 9 games)"


def test_what_it_would_take_is_said_where_somebody_knows() -> None:
    (row,) = gates.rows(verdict(gate(cell(**OPEN))))
    assert row.more == "About 130,000 more games would probably decide it."
    (row,) = gates.rows(verdict(gate(cell("inconclusive", more_games=None))))
    assert "too close to a limit" in row.more
    unknown = {"value": 1.0, "low": None, "high": None, "n": 1, "method": "too few"}
    (row,) = gates.rows(verdict(gate(cell("inconclusive", more_games=None, estimate=unknown))))
    assert row.more == "Too few games were played to say how many more would decide it."
    assert undecided.games_needed(verdict(gate(cell(**OPEN)))) == 170_000
    assert (
        undecided.games_needed(verdict(gate(cell("inconclusive", more_games=None)), gate(cell(**OPEN))))
        is None
    )
    assert undecided.games_needed(EVERY) is None, "a gate that has failed waits for nothing"
    assert [row.more for row in gates.rows(EVERY)] == [""] * 6


def test_a_gate_waits_for_the_first_cell_that_fails_or_for_all_that_pass() -> None:
    soon, late = ({"verdict": "inconclusive", "more_games": more} for more in (10_000, 500_000))
    inside = gate(cell(**soon), cell(**late, players=3))
    assert undecided.games_needed(verdict(inside)) == 540_000
    found = {**cell()["estimate"], "value": 0.05}
    outside = gate(cell(**soon, estimate=found), cell(**late, players=3))
    assert undecided.games_needed(verdict(outside)) == 50_000


def test_a_baseline_file_of_too_few_games_is_named() -> None:
    of_file = {"file_blocks": 500, "file_too_small": True, "more_games": None}
    (row,) = gates.rows(verdict(gate(cell("inconclusive", **of_file), against="file")))
    assert "40,000 games against 500 games of the file" in row.found
    assert row.more == "No number of games decides it: the baseline file holds too few. Keep a larger one."


def test_where_nothing_was_judged_nothing_can_be_wrong() -> None:
    nothing = cell(
        "no data", estimate={"value": None, "low": None, "high": None, "n": 0, "method": "too few"}
    )
    assert gates.summary(verdict(gate(nothing))) == "1 gate: 1 had no data."
    assert (
        gates.summary(verdict(gate(nothing, nothing | {"players": 5})))
        == "1 gate at 2 tables: 1 had no data."
    )


def test_a_gate_that_was_interrupted_at_one_table_is_judged_in_part() -> None:
    """It has data at 4 players: that it 'had no data' would be wrong."""
    found = verdict(gate(cell("inconclusive"), cell("no data", players=5), cell("no data", players=6)))
    assert gates.summary(found) == (
        "1 gate at 3 tables: 1 judged only in part. Of 3 verdicts 2 lack data. "
        "The chance that the verdict is wrong is 5 % at most."
    )


def test_how_many_tables_and_sets_of_rules_the_gates_are_about_is_said() -> None:
    at_two = verdict(gate(cell("inconclusive"), cell("inconclusive", players=5)))
    assert gates.summary(at_two).startswith("1 gate at 2 tables: 1 undecided. ")
    of_two = verdict(gate(cell(), cell(variant="other")), gate(cell("fail"), cell(players=5), level="warn"))
    assert gates.summary(of_two).startswith(
        "1 gate for 2 sets of rules: 1 passed. 1 gate at 2 tables only to warn: 1 failed. "
    )


# ---------------------------------------------------------------------- JUnit


def test_a_junit_parser_reads_the_verdicts() -> None:
    found = JUnitXml.fromstring(junit(EVERY))
    assert (found.tests, found.failures, found.errors, found.skipped) == (6, 1, 2, 1)
    suites = {
        suite.name: [(case.name, [type(one) for one in case.result]) for case in suite] for suite in found
    }
    assert suites == {
        "baseline": [
            ("tie_rate at most 3 %, 4 players", [Skipped]),
            ("tie_rate at most 3 %, 4 players", [Error]),
            ("tie_rate at most 3 %, 3 players", [Error]),
            ("tie_rate at most 3 %, 4 players", []),
            ("tie_rate at most 3 %, 4 players", []),
        ],
        "no swaps": [("tie_rate at most 3 %, 4 players", [Failure])],
    }
    (failed,) = [
        case for suite in found for case in suite if case.result and isinstance(case.result[0], Failure)
    ]
    assert failed.classname == "Race.no swaps"
    assert failed.result[0].message == "fail: 1.5 % (98 % interval 0.2 to 2.8; 40,000 games)"


@pytest.mark.parametrize(
    ("place", "outcome"), list(product(("variant", "title", "why"), ("fail", "pass", "inconclusive")))
)
def test_no_name_breaks_the_junit_file(place: str, outcome: str) -> None:
    names = {"variant": "baseline", "title": "A race", "why": "", place: NASTY}
    made = gate(cell(outcome, names["variant"], more_games=None), why=names["why"])
    found = JUnitXml.fromstring(junit(verdict(made, title=names["title"])))
    (suite,) = found
    (case,) = suite
    assert len(case.result) == (outcome != "pass")
    read = {"variant": suite.name, "title": found.name, "why": case.result[0].text if case.result else NASTY}[
        place
    ]
    for part in ("a|b <i>x</i> ]]> &", "\U0001f600 犬"):
        assert part in read


# ---------------------------------------------------------------------- GitHub


def rendered(markdown: str) -> list[list[str]]:
    """The cells of the table, as a reader of GitHub's Markdown splits them, with escapes undone."""
    lines = [line for line in markdown.splitlines() if line.startswith("|")]
    return [
        [re.sub(r"\\(.)", r"\1", part.strip()) for part in re.split(r"(?<!\\)\|", line)[1:-1]]
        for line in lines
    ]


def test_the_summary_of_a_job_is_a_table_worst_first() -> None:
    text = github.markdown(EVERY, "fail")
    assert text.startswith("## A race: fail\n\n3 gates for 2 sets of rules at 2 tables\\: 1 failed")
    head, _, *table = rendered(text)
    assert head == ["verdict", "gate", "where", "limits", "found"]
    assert [row[0] for row in table] == [
        "fail",
        "fail (only warns)",
        "no data",
        "inconclusive",
        "pass",
        "pass",
    ]
    assert {len(row) for row in table} == {5}


def test_the_summary_of_a_job_says_why_a_gate_is_there() -> None:
    (row,) = rendered(github.markdown(verdict(gate(cell("fail"), why="Ties | annoy.")), "fail"))[2:]
    assert row[4].endswith(") Ties | annoy.")


def test_no_name_breaks_the_table() -> None:
    text = github.markdown(verdict(gate(cell("fail", NASTY)), title=NASTY), "fail")
    assert "<i>" not in text
    assert "\x1b" not in text
    (row,) = rendered(text)[2:]
    assert len(row) == 5
    assert row[2].startswith("a|b &lt;i>x&lt;/i> ]]> &amp; ")


def test_a_summary_that_is_too_long_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(github, "MOST_BYTES", 300)
    text = github.markdown(EVERY, "fail")
    left = 6 - len(rendered(text)[2:])
    assert left > 0
    assert f"\n{left} more rows did not fit; verdict.json has all.\n" in text


def test_annotations_stand_at_the_line_of_their_gate() -> None:
    found = list(github.notices(EVERY, "a:b,c.toml", [10, 14, 20, 25]))
    assert [line.split(",title")[0] for line in found] == [
        "::error file=a%3Ab%2Cc.toml,line=10",
        "::error file=a%3Ab%2Cc.toml,line=20",
        "::error file=a%3Ab%2Cc.toml,line=10",
        "::warning file=a%3Ab%2Cc.toml,line=14",
    ]
    assert found[0].endswith(
        "title=fail%3A tie_rate%2C no swaps%2C 4 players::"
        "1.5 %25 (98 %25 interval 0.2 to 2.8; 40,000 games); the limit is at most 3 %25."
    )
    assert found[3].endswith(" Nice to have")
    assert next(github.notices(EVERY, "", [])).startswith("::error title=fail")


def test_what_github_would_drop_is_counted() -> None:
    many = verdict(*[gate(cell("fail", players=players)) for players in range(12)], gate(cell("pass")))
    found = list(github.notices(many, "e.toml", list(range(13))))
    assert len(found) == github.MOST_ANNOTATIONS == 10
    assert [line.endswith("And 2 more.") for line in found] == [*[False] * 9, True]


def test_no_name_makes_a_command_of_its_own() -> None:
    (line,) = github.notices(verdict(gate(cell("fail", NASTY), why=NASTY)), NASTY, [1])
    assert "\n" not in line
    assert len(re.findall("::", line.split("title=")[0])) == 1
    properties = re.fullmatch(r"::error file=([^,:]*),line=1,title=([^,:]*)::(.*)", line)
    assert properties is not None
    assert "%250A%3A%3Aerror%3A%3A" in properties[2]


# ---------------------------------------------------------------------- the page


@pytest.mark.parametrize(
    ("confidence", "told"),
    [(0.95, "95 %"), (0.9916666, "99.2 %"), (0.99999, "99.999 %"), (1 - 1e-12, "100 %")],
)
def test_the_interval_of_a_gate_says_how_sure_it_is(confidence: float, told: str) -> None:
    (row,) = gates.rows(verdict(gate(cell(confidence=confidence))))
    assert row.found == f"1.5 % ({told} interval 0.2 to 2.8; 40,000 games)"


def test_only_several_gates_have_wider_intervals() -> None:
    assert gates.wider(verdict(gate(cell()))) == gates.wider(verdict()) == ""
    told = "Gates have wider intervals than the 95 % ones elsewhere, so that all 6 hold together."
    assert gates.wider(EVERY) == told


def test_on_the_page_a_gate_is_named_in_words_and_explained() -> None:
    named = {
        "turns": {"title": "Turns", "help": "Turns of all (Z-47)."},
        "seat_spread": {"title": "Seat spread", "help": "How far apart."},
    }
    found = verdict(
        gate(cell(), metric="turns.p90", share=False),
        gate(cell(), cell(players=3), metric="seat_spread"),
        definitions=named,
    )
    assert [gates.in_words(row, found) for row in gates.rows(found)] == [
        "Turns (p90)",
        *["Seat spread"] * 2,
    ]
    (shown,) = gates.section(found).blocks
    assert [(row[1].text, row[1].note, row[2].text, row[2].code) for row in shown.rows] == [
        ("Turns (p90)", "Turns of all.", "turns.p90", True),
        ("Seat spread", "How far apart.", "seat_spread", True),
        ("Seat spread", "", "seat_spread", True),
    ]


def test_a_long_title_is_cut_on_the_first_screen_alone() -> None:
    named = {"tie_rate": {"title": "Games that nobody wins because nobody can"}}
    found = verdict(gate(cell(), against="baseline"), definitions=named)
    (row,) = gates.rows(found)
    assert gates.in_words(row, found) == "Games that nobody wins\N{HORIZONTAL ELLIPSIS} against the baseline"
    (shown,) = gates.section(found).blocks
    assert shown.rows[0][1].text == "Games that nobody wins because nobody can against the baseline"


def test_a_difference_from_the_baseline_says_its_direction() -> None:
    limits = {"low": -2.0, "high": 2.0}
    longer = {"value": 16.6, "low": 16.1, "high": 17.2, "n": 40_000, "method": "made up"}
    shown = {"metric": "turns", "share": False, "limits": limits}
    (row,) = gates.rows(verdict(gate(cell(estimate=longer), against="baseline", **shown)))
    assert (row.limits, row.in_short) == ("from -2 to +2", "+16.6 (98 % interval +16.1 to +17.2)")
    (row,) = gates.rows(verdict(gate(cell(estimate=longer), **shown)))
    assert (row.limits, row.in_short) == ("from -2 to 2", "16.6 (98 % interval 16.1 to 17.2)")


def test_the_page_has_the_gates_worst_first() -> None:
    section = gates.section(EVERY)
    (table,) = section.blocks
    assert [row[0].text for row in table.rows][:3] == ["fail", "fail (only warns)", "no data"]
    assert [row[0].marked for row in table.rows] == [True, True, False, False, False, False]
    assert section.lede == f"{gates.summary(EVERY)} {gates.wider(EVERY)}"
    assert gates.section(verdict()).blocks == ()
