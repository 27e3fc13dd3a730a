"""Minutes are decisions times what the experiment file says one takes; without that there are none."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from balance import report
from balance.cli.tables import summary as on_the_terminal
from balance.report import minutes, summary
from balance.report.blocks import Text
from tests.report.parsed import parse
from tests.report.sample import Shape, build, estimate


def results(seconds: float | None, **shape: Any) -> dict[str, Any]:
    found = copy.deepcopy(build(Shape(**shape)))
    for cell in found["cells"]:
        cell["measures"]["plies"] |= {
            "mean": estimate(30.0 * cell["players"], 3.0),
            "quantiles": {"p10": 90, "p50": 120, "p90": 180},
        }
    return found | ({} if seconds is None else {"seconds_per_decision": seconds})


def test_decisions_become_minutes_with_their_interval() -> None:
    found = results(15)
    assert minutes.row(found["cells"][0], found) == ["30.0", "29.2 to 30.8", "22.5", "30.0", "45.0"]


@pytest.mark.parametrize(
    ("seconds", "players", "told"),
    [
        (15, (4,), " At 15 seconds a decision that is about 30 minutes."),
        (7.5, (3, 4, 5), " At 7.5 seconds a decision that is about 11 to 19 minutes."),
        (1, (2,), " At 1 second a decision that is about 1.0 minutes."),
        (None, (4,), ""),
    ],
)
def test_the_first_screen_says_them(seconds: float | None, players: tuple[int, ...], told: str) -> None:
    found = results(seconds, players=players)
    assert minutes.told(found["cells"], found) == told
    sentence = summary.statements(found)[1].sentence
    assert sentence.endswith(told or "40.")
    assert ("minutes" in sentence) == bool(told)


def test_page_and_terminal_have_them_and_say_that_they_are_an_estimate() -> None:
    found = results(15, players=(3, 4))
    page = parse(report.render(found))
    rows = page.tables["Length in minutes, an estimate"]
    assert [row[:2] for row in rows[1:]] == [["baseline, 3 players", "22.5"], ["baseline, 4 players", "30.0"]]
    assert minutes.terms(found) in page.text
    assert "times 15 seconds for each, which the experiment file says" in minutes.terms(found)
    told = [line.split() for line in on_the_terminal(found).splitlines() if "Minutes (estimate)" in line]
    assert [line[2:] for line in told] == [
        ["22.5", "21.8", "to", "23.2", "22.5", "30.0", "45.0"],
        ["30.0", "29.2", "to", "30.8", "22.5", "30.0", "45.0"],
    ]


def test_without_seconds_the_page_says_once_how_to_have_minutes() -> None:
    found = results(None)
    assert minutes.blocks(found) == [Text([minutes.NONE], "aside")]
    assert parse(report.render(found)).text.count("inutes") == minutes.NONE.count("inutes") == 1
    assert minutes.NONE not in report.render(results(15))
    assert "inutes" not in on_the_terminal(found)
