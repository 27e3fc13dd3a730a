"""A verdict that holds at one level of play only is said first."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from balance import report
from balance.cli.tables import summary
from balance.report import level_charts, levels
from tests.report.parsed import parse
from tests.report.sample import Shape, build, estimate

LEVELS = ("novice", "average", "expert")


def found(verdicts: tuple[str, ...] = ("inside", "cannot tell", "outside")) -> dict[str, Any]:
    """Results of three levels with these verdicts, and nobody ahead."""
    results = copy.deepcopy(build(Shape(levels=LEVELS)))
    for cell, verdict in zip(results["cells"], verdicts, strict=True):
        cell["tests"]["verdict"] = verdict
        cell["tests"]["largest_seat_deviation"] = {"seat": 0, "estimate": estimate(0.001, 0.01)}
    return results


def ahead(cell: dict[str, Any], seat: int, by: float) -> None:
    cell["tests"]["largest_seat_deviation"] = {"seat": seat, "estimate": estimate(by, 0.004)}


def test_a_verdict_that_flips_is_told_with_who_gives_which() -> None:
    assert levels.flips(found()) == [
        "With 4 players, baseline, the verdict depends on who plays: the seats lie inside the tolerance band between "
        '"novice" players but outside the tolerance band between "expert" players.'
    ]
    assert levels.flips(found(("outside", "inside", "outside"))) == [
        "With 4 players, baseline, the verdict depends on who plays: the seats lie outside the tolerance band between "
        '"novice" and "expert" players but inside the tolerance band between "average" players.'
    ]


@pytest.mark.parametrize(
    "same", [("inside",) * 3, ("inside", "cannot tell", "cannot tell"), ("no data",) * 3]
)
def test_what_is_not_contradicted_is_no_flip(same: tuple[str, ...]) -> None:
    assert levels.flips(found(same)) == []


def test_another_seat_ahead_is_told() -> None:
    results = found(("outside",) * 3)
    ahead(results["cells"][0], 0, 0.05)
    ahead(results["cells"][1], 2, -0.05)  # behind: nobody is known to be ahead
    assert levels.flips(results) == []
    ahead(results["cells"][2], 3, 0.05)
    assert levels.flips(results) == [
        'With 4 players, baseline, who is ahead depends on who plays: seat 1 is ahead between "novice" players but '
        'seat 4 is ahead between "expert" players.'
    ]


@pytest.mark.parametrize(("part", "is_told"), [(0.49, False), (0.5, True), (1.0, True)])
def test_a_flip_that_rests_on_unfinished_games_says_so(part: float, is_told: bool) -> None:
    results = found()
    before = levels.flips(results)
    results["cells"][0]["capped"] = int(part * results["cells"][0]["games"])
    told = f' It rests on unfinished games: {100 * part:.0f} % at level "novice" were stopped at the cap.'
    assert levels.flips(results) == [f"{one}{told * is_told}" for one in before]


def test_a_gate_that_flips_is_told() -> None:
    results = found(("inside",) * 3)
    cells = [
        {"variant": "baseline", "players": 4, "mode": None, "level": level, "verdict": verdict, "cell": level}
        for level, verdict in zip(LEVELS, ("pass", "inconclusive", "fail"), strict=True)
    ]
    gates = [{"gate": 0, "metric": "turns", "seat": None, "policy": None, "against": None, "cells": cells}]
    for one, level in zip(results["cells"], LEVELS, strict=True):
        one["name"] = level
    results["gates"] = gates
    assert list(levels.of_gates(results)) == [
        'Gate 1 (turns), baseline with 4 players, depends on who plays: pass between "novice" players but fail between '
        '"expert" players.'
    ]
    assert next(iter(levels.of_gates(results))) in levels.flips(results)
    results["cells"][2]["capped"] = results["cells"][2]["games"]
    (warned,) = levels.of_gates(results)
    assert warned.endswith(
        'players. It rests on unfinished games: 100 % at level "expert" were stopped at the cap.'
    )
    cells[0]["verdict"] = "inconclusive"
    assert list(levels.of_gates(results)) == []


def test_a_run_without_levels_has_no_flips() -> None:
    assert levels.flips(build()) == []


def test_it_is_said_first_on_the_page_and_in_the_terminal() -> None:
    results = found()
    (sentence,) = levels.flips(results)
    lines = [line.strip() for line in summary(results).splitlines() if line]
    assert " ".join(lines[1:]).startswith(sentence)
    texts = "".join(parse(report.render(results)).texts)
    assert texts.index(sentence) < texts.index('With 4 players at level "novice"')


# ---------------------------------------------------------------------- side by side


def test_levels_stand_side_by_side_with_their_numbers() -> None:
    results = copy.deepcopy(build(Shape(players=(3, 4), levels=LEVELS)))
    for at, cell in enumerate(results["cells"]):
        ahead(cell, at % 3, (-0.01 if at % 2 else 0.02) * (at + 1))
    page = parse(report.render(results))
    rows = page.tables["Furthest from an even share by level of play"]
    assert rows[0] == ["Level", "3 players", "4 players"]
    assert [row[0] for row in rows[1:]] == list(LEVELS)
    assert [text.replace("\xa0", " ") for text in rows[2][1:]] == [
        "Seat 2: 2.0 pp (1.6 to 2.4)",
        "Seat 2: 10.0 pp (9.6 to 10.4)",
    ]
    figure = page.figures["figure-levels-deviation"]
    assert [line["name"] for line in figure["data"]] == ["3 players", "4 players"]
    assert figure["data"][0]["y"] == [2.0, 2.0, 6.0]
    assert figure["layout"]["xaxis"]["ticktext"] == list(LEVELS)
    for metric in ("turns", "score_margin"):
        line = page.figures[f"figure-levels-{metric}"]["data"][0]
        means = [cell["measures"][metric]["mean"]["value"] for cell in results["cells"][:3]]
        assert line["y"] == pytest.approx(means, rel=1e-5)


def test_a_goal_stands_in_the_place_of_the_seats() -> None:
    results = found()
    for cell in results["cells"]:
        cell["goal"] = {"sentence": "Reach it.", "curve": []}
        cell["measures"]["goal_rate"] = {"mean": estimate(0.4, 0.01), "count": 40_000}
    charts = {chart.id for chart in level_charts.section(results).blocks[1].charts}
    assert charts == {"levels-goal_rate", "levels-turns", "levels-score_margin"}


def test_the_section_tells_every_flip_or_that_there_is_none() -> None:
    told = level_charts.section(found()).blocks[0].sentences
    assert told == levels.flips(found())
    assert level_charts.section(found(("inside",) * 3)).blocks[0].sentences == [level_charts.NO_FLIP]
    assert level_charts.section(build()).blocks == ()
