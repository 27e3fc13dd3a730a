"""Charts: valid for plotly, true to the results, readable by everybody."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
from plotly.offline import get_plotlyjs_version

from balance import report
from balance.report import figures, sections, theme
from balance.report.blocks import Chart
from tests.report import sample
from tests.report.sample import Shape, build, estimate

SHAPES = {
    "one cell": build(),
    "three by three": build(
        Shape(players=(3, 4, 5), variants=("baseline", "neutral cards in", "four seasons"))
    ),
    "policies": build(Shape(policies=("greedy", "random", "cautious"))),
    "six seats": build(Shape(players=(6,), levels=("novice", "expert"))),
    "solo": build(Shape(players=(1,))),
    "hostile": sample.hostile(),
    "bare": sample.bare(),
}


def charts(results: dict[str, Any]) -> list[Chart]:
    return list(_charts(block for section in sections.sections(results) for block in section.blocks))


def _charts(blocks: Iterator[Any] | Sequence[Any]) -> Iterator[Chart]:
    for block in blocks:
        if block.kind == "charts":
            yield from block.charts
        elif block.kind == "part":
            yield from _charts(block.blocks)


@pytest.mark.parametrize("shape", SHAPES)
def test_plotly_accepts_every_figure(shape: str) -> None:
    found = charts(SHAPES[shape])
    assert found
    for chart in found:
        go.Figure(chart.figure)


def test_the_vendored_library_fits_the_plotly_that_checks_the_figures() -> None:
    folder = Path(report.__file__).parent
    head = (folder / "plotly-cartesian.min.js").read_text(encoding="utf-8")[:200]
    version = re.search(r"v(\d+)\.\d+\.\d+", head)
    assert version
    assert version[1] == get_plotlyjs_version().split(".")[0]
    assert "MIT License" in (folder / "plotly-cartesian.LICENSE.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("shape", SHAPES)
def test_ids_are_fixed_and_never_twice(shape: str) -> None:
    ids = [chart.id for chart in charts(SHAPES[shape])]
    assert len(set(ids)) == len(ids)
    assert ids == [chart.id for chart in charts(SHAPES[shape])]


def test_a_chart_of_wins_shows_each_seat_with_its_interval() -> None:
    results = build()
    chart = next(chart for chart in charts(results) if chart.id == "wins-0")
    seats = results["cells"][0]["seats"]
    assert [trace["y"][0] for trace in chart.figure["data"]] == [
        round(100 * seat["win_share"]["value"], 4) for seat in seats
    ]
    assert [trace["error_y"]["array"] for trace in chart.figure["data"]] == [[0.3]] * 4
    assert chart.figure["layout"]["shapes"][0]["y0"] == 25
    low, high = chart.figure["layout"]["yaxis"]["range"]
    assert low <= 23
    assert high >= 27


def test_every_chart_has_its_numbers_in_a_table() -> None:
    for chart in charts(SHAPES["three by three"]):
        assert chart.table.rows, chart.id
        assert all(len(row) == len(chart.table.columns) for row in chart.table.rows), chart.id
        assert chart.sentence.endswith("."), chart.id


def test_a_constant_length_needs_no_chart() -> None:
    ids = [chart.id for chart in charts(build(Shape(variants=("baseline", "a", "b"))))]
    assert "rounds-0" not in ids
    assert "rounds-2" in ids


def test_a_difference_that_cannot_be_told_from_none_is_hollow() -> None:
    figure = figures.differences(
        ["a", "b", "c"], [("Turns", [estimate(1, 0.5), estimate(0.1, 0.5), None])], "turns", 1
    )
    assert figure["data"][0]["marker"]["symbol"] == ["circle", "circle-open"]
    assert figure["data"][0]["y"] == [0, 1]


def test_a_mark_is_hollow_where_a_change_was_not_found_whatever_its_own_interval_says() -> None:
    results = build(Shape(variants=("baseline", "a", "b")))
    for comparison in results["comparisons"]:
        for entry in comparison["metrics"]:
            if entry["metric"] == "turns":
                entry |= {
                    "difference": estimate(0.5, 0.1),
                    "found": comparison["variant"] == "a",
                    "worse": False,
                }
    chart = next(chart for chart in charts(results) if chart.id == "change-turns-0")
    assert chart.figure["data"][0]["marker"]["symbol"] == ["circle", "circle-open"]
    assert chart.sentence.endswith("A hollow mark: it may be luck.")


def test_lines_that_lie_on_one_another_are_thinner_one_by_one() -> None:
    histogram = {"values": [1, 2], "counts": [3, 4]}
    for lines in (1, 2, 6):
        drawn = figures.distributions(["a"] * lines, [histogram] * lines, "score")["data"]
        widths = [line["line"]["width"] for line in drawn]
        assert widths == sorted(widths, reverse=True)
        assert widths[-1] == 1.6
        assert len(set(widths[-4:])) == min(lines, 4)


def test_each_difference_has_its_number_and_says_whether_it_is_worse() -> None:
    found = [estimate(1, 0.5), estimate(-0.1, 0.5)]
    (alone,) = figures.differences(["a", "b"], [("Turns", found)], "turns", 1, {(0, 0)})["data"]
    assert alone["text"] == ["+1.0, worse", "\u22120.1"]
    pairs = figures.differences(["a", "b"], [("Seat 1", found), ("Seat 2", found)], "points", 1)["data"]
    assert [line["text"] for line in pairs] == [["+1.0", ""]] * 2  # among several only what was told apart


def test_the_variants_of_a_chart_come_worst_first() -> None:
    results = build(Shape(variants=("baseline", "a", "b", "c", "d")))
    wanted = {
        "a": (0.2, False, False),
        "b": (-0.5, True, False),
        "c": (0.3, True, True),
        "d": (0.4, False, False),
    }
    for comparison in results["comparisons"]:
        for entry in comparison["metrics"]:
            if entry["metric"] == "tie_rate":
                value, found, worse = wanted[comparison["variant"]]
                entry |= {"difference": estimate(value, 0.1), "found": found, "worse": worse}
    chart = next(chart for chart in charts(results) if chart.id == "change-tie_rate-0")
    assert chart.figure["layout"]["yaxis"]["ticktext"] == ["c", "b", "d", "a"]
    assert chart.figure["data"][0]["text"][0] == "+30, worse"
    assert [row[0].text for row in chart.table.rows] == ["c", "b", "d", "a"]
    (section,) = (one for one in sections.sections(results) if one.anchor == "variants")
    assert section.lede.startswith('Worse: "c": "Shared wins" rises with 4 players from')


def test_differences_are_seen_against_zero_with_room_for_every_mark() -> None:
    ahead = figures.differences(["a", "b"], [("Turns", [estimate(8, 1), estimate(0, 0)])], "turns", 1)
    low, high = ahead["layout"]["xaxis"]["range"]
    assert low < -0.1
    assert high > 9.1
    nothing = figures.differences(["a"], [("Turns", [sample.UNKNOWN])], "turns", 1)["layout"]["xaxis"][
        "range"
    ]
    assert nothing == [-0.01, 0.01]


@pytest.mark.parametrize("name", sample.HOSTILE)
def test_names_in_charts_hold_no_tags(name: str) -> None:
    for shown in (figures.label(name), figures.folded(name).replace("<br>", "")):
        assert not set("<>") & set(shown)
        assert not re.search(r"&(?!amp;|lt;|gt;)", shown)


def test_a_line_does_not_pass_over_values_that_never_occurred() -> None:
    figure = figures.distributions(["Seat 1"], [{"values": [1, 2, 4], "counts": [2, 1, 1]}], "score")
    assert (figure["data"][0]["x"], figure["data"][0]["y"]) == ([1, 2, 3, 4], [50, 25, 0, 25])
    sparse = figures.distributions(["Seat 1"], [{"values": [1, 900], "counts": [1, 1]}], "score")
    assert sparse["data"][0]["x"] == [1, 900]
    assert figures.lengths({"values": [], "counts": []}, "turns")["data"][0]["x"] == []


def test_names_are_never_taken_for_numbers_or_dates() -> None:
    figure = figures.shares(["2020-01-01", "17", "17"], [estimate(0.3, 0.01)] * 3, 1 / 3)
    assert [trace["x"] for trace in figure["data"]] == [[0], [1], [2]]
    assert figure["layout"]["xaxis"]["ticktext"] == ["2020-01-01", "17", "17"]


def test_unknown_values_leave_gaps() -> None:
    go.Figure(figures.shares(["a", "b"], [sample.UNKNOWN, estimate(0.5, 0.1)], 0.5))


# ---------------------------------------------------------------------- colours

SIGHT = {
    "full": np.eye(3),
    "without red": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "without green": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "without blue": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
"""How light of each colour is seen (Machado, Oliveira and Fernandes 2009, full severity)."""
TO_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)


def _light(colour: str) -> np.ndarray[Any, Any]:
    parts = np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def _lab(light: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    x, y, z = np.cbrt(np.maximum(TO_XYZ @ np.clip(light, 0, 1) / [0.95047, 1, 1.08883], 1e-4))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def contrast(one: str, other: str) -> float:
    dark, bright = sorted(float(TO_XYZ[1] @ _light(colour)) + 0.05 for colour in (one, other))
    return bright / dark


@pytest.mark.parametrize("sight", SIGHT)
@pytest.mark.parametrize("screen", ["light", "dark"])
def test_seats_can_be_told_apart_by_every_eye(sight: str, screen: str) -> None:
    seen = [_lab(np.array(SIGHT[sight]) @ _light(getattr(look.shade, screen))) for look in theme.MARKS]
    assert min(np.linalg.norm(one - other) for one, other in itertools.combinations(seen, 2)) > 12


def test_seats_have_a_second_cue() -> None:
    assert (
        len({look.symbol for look in theme.MARKS})
        == len({look.dash for look in theme.MARKS})
        == len(theme.MARKS)
        == 6
    )


@pytest.mark.parametrize("screen", ["light", "dark"])
def test_contrast_suffices(screen: str) -> None:
    grounds = [getattr(shade, screen) for shade in (theme.PAPER, theme.PANEL)]
    for ground in grounds:
        assert all(
            contrast(getattr(shade, screen), ground) >= 4.5
            for shade in (theme.INK, theme.MUTED, theme.ACCENT)
        )
    assert all(contrast(getattr(look.shade, screen), grounds[0]) >= 3 for look in theme.MARKS)
    assert contrast(theme.INK.light, theme.TINT.light) >= 4.5
    assert contrast(theme.INK.light, theme.CAUTION.light) >= 4.5


def test_every_light_colour_has_one_dark_partner() -> None:
    assert len(theme.dark_partners()) == len(theme.SHADES)
