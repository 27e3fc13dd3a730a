"""Scores, margins and lengths are shown as distributions, by seat and by rules."""

from __future__ import annotations

from typing import Any

from balance import report
from balance.report import summary, words
from balance.report.sections import sections
from tests.report.parsed import Parsed, parse
from tests.report.sample import Shape, build


def page_of(results: dict[str, Any]) -> Parsed:
    return parse(report.render(results))


def bars(histogram: dict[str, Any]) -> dict[int, float]:
    every = sum(histogram["counts"])
    pairs = zip(histogram["values"], histogram["counts"], strict=True)
    return {value: round(100 * count / every, 4) for value, count in pairs}


def test_margins_are_a_chart_that_says_how_often_a_win_is_shared() -> None:
    results = build()
    measure = results["cells"][0]["measures"]["score_margin"]
    measure["quantiles"] = {"p10": 1, "p50": 4, "p90": 8}
    page = page_of(results)
    chart = page.figures["figure-margins-0"]["data"][0]
    assert dict(zip(chart["x"], chart["y"], strict=True)) == bars(measure["histogram"])
    assert (
        "Half of the games are won by 4 or fewer, nine in ten by 8 or fewer. Wins are shared in 4.1 % "
        "(4.0 to 4.2 %) of the games."
    ) in page.text
    assert page.tables["Share of games by winning margin: baseline, 4 players"][0] == ["Margin", "Games"]


def test_who_plays_alone_has_no_margin() -> None:
    results = build(Shape(players=(1,)))
    for metric in ("score_margin", "tie_rate"):
        del results["cells"][0]["measures"][metric]
    assert "figure-margins-0" not in page_of(results).figures


def test_minutes_are_a_chart_only_where_a_decision_has_a_length() -> None:
    results = build()
    assert "figure-minutes-0" not in page_of(results).figures
    results["seconds_per_decision"] = 30
    results["cells"][0]["measures"]["plies"]["histogram"] = {
        "values": [1, 2, 3, 4],
        "counts": [10, 20, 30, 40],
    }
    page = page_of(results)
    chart = page.figures["figure-minutes-0"]["data"][0]
    assert dict(zip(chart["x"], chart["y"], strict=True)) == {1: 30, 2: 70}  # half minutes are rounded up
    assert "An estimate: half of the games last" in page.text


def test_the_scores_of_the_rules_are_in_one_chart_the_baseline_first() -> None:
    results = build(Shape(players=(3, 4), variants=("baseline", "a", "b")))
    page = page_of(results)
    lines = page.figures["figure-scores-by-rules-1"]["data"]
    assert lines[0]["name"] == "baseline"
    assert {line["name"] for line in lines} == {"baseline", "a", "b"}
    (cell,) = (one for one in results["cells"] if (one["variant"], one["players"]) == ("baseline", 4))
    counts: dict[int, int] = {}
    for seat in cell["seats"]:
        histogram = seat["score"]["histogram"]
        for value, count in zip(histogram["values"], histogram["counts"], strict=True):
            counts[value] = counts.get(value, 0) + count
    whole = {"values": sorted(counts), "counts": [counts[value] for value in sorted(counts)]}
    assert dict(zip(lines[0]["x"], lines[0]["y"], strict=True)) == bars(whole)


def test_of_many_variants_only_those_with_the_biggest_changes_are_drawn() -> None:
    names = [f"variant {number}" for number in range(8)]
    results = build(Shape(variants=("baseline", *names)))
    for at, comparison in enumerate(results["comparisons"]):
        for entry in comparison["metrics"]:
            if entry["metric"] == "score":
                entry |= {
                    "found": True,
                    "worse": False,
                    "difference": {**entry["difference"], "value": float(at)},
                }
    page = page_of(results)
    drawn = [line["name"] for line in page.figures["figure-scores-by-rules-0"]["data"]]
    assert drawn == ["baseline", *names[:2:-1]]
    assert "3 variants change the mean score less and are not drawn." in page.text


def test_the_section_begins_with_how_long_and_how_close_the_games_are() -> None:
    results = build()
    (section,) = (one for one in sections(results) if one.anchor == "seats")
    long, close = (one.sentence for one in summary.statements(results)[1:3])
    assert section.lede == f"{words.capital(long)} {words.capital(close)}"
