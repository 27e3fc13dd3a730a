"""Seat by seat: what each takes and what it earns, which may be why one of them wins more often."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from balance.report import cells, theme, words
from balance.report.blocks import Chart, Charts, Entry, Section, table
from balance.report.cells import Placed, seat_names
from balance.report.drawing import (
    Figure,
    axis,
    bars,
    figure,
    folded,
    label,
    margin,
    marker,
    named_axis,
    rounded,
    spoken,
)
from balance.report.measures import Row, head, of_kind
from balance.report.seats import SUMMARY, summary_row

Record = Mapping[str, Any]


def section(results: Record) -> Section:
    """All measures that each seat has."""
    full = cells.in_full(results)
    parts = cells.by_table(results, lambda one: _of_cell(results, one) if one.index in full else [])
    lede = " ".join(part for part in (sentence(results), cells.left_out(results)) if part) if parts else ""
    return Section("takings", "What each seat takes and earns", lede, parts)


def sentence(results: Record) -> str:
    """In what the seats of the baseline differ most, by how much that varies from game to game; '' for one alone."""
    found = [
        (abs(high["mean"]["value"] - low["mean"]["value"]) / (high["sd"] or low["sd"] or 1), metric, cell)
        for cell in words.baseline_cells(results)
        for metric in of_kind(results, cell, "seat")
        for low, high in [_ends(cell["measures"][metric]["seats"])]
        if len(cell["seats"]) > 1 and low is not high
    ]
    if not found:
        return ""
    _, metric, cell = max(found, key=lambda one: one[0])
    of_seats = cell["measures"][metric]["seats"]
    low, high = (of_seats.index(end) for end in _ends(of_seats))
    ends = [f"{words.seat(seat)} has {spoken(of_seats[seat]['mean'], False)}" for seat in (high, low)]
    least, most = of_seats[low]["mean"], of_seats[high]["mean"]
    is_told = None not in (least["high"], most["low"]) and least["high"] < most["low"]
    luck = "" if is_told else ", which may be luck"
    return (
        f"The seats differ most in {words.name(words.title(results, metric))}, with {words.setting(cell)}: "
        f"{', '.join(ends)} a game{luck}."
    )


def _ends(of_seats: Sequence[Record]) -> tuple[Record, Record]:
    """The seat with the least and the one with the most."""
    known = [one for one in of_seats if one["mean"]["value"] is not None] or list(of_seats[:1])
    return min(known, key=_mean), max(known, key=_mean)


def _mean(summary: Record) -> float:
    return float(summary["mean"]["value"] or 0)


def _of_cell(results: Record, one: Placed) -> cells.Blocks:
    metrics = of_kind(results, one.cell, "seat")
    rows: list[Row] = []
    for metric in metrics:
        title = head(results, metric)
        for name, summary in zip(seat_names(one.cell), one.cell["measures"][metric]["seats"], strict=True):
            rows.append([title, name, *summary_row(summary)])
            title = Entry(words.title(results, metric))
    if not rows:
        return []
    numbers = table(f"Per seat: {one.where}", ["Measure", "Seat", *SUMMARY], rows)
    shown = [metric for metric in metrics if _is_known(one.cell["measures"][metric]["seats"])]
    if len(one.cell["seats"]) < 2 or not shown:
        return [numbers]
    told = (
        f"By how many percent each seat has more or less than all seats on average, with the "
        f"{words.confidence(results)} interval of its mean. What is too rare to compare is in the table alone."
    )
    drawn = _figure(results, one.cell, shown)
    return [Charts([Chart(f"takings-{one.index}", "Each seat against the average", told, drawn, numbers)])]


def _is_known(of_seats: Sequence[Record]) -> bool:
    """Whether it happens at all, and often enough that no interval is wider than the average is large."""
    ends = [(summary["mean"]["low"], summary["mean"]["high"]) for summary in of_seats]
    overall = abs(_overall(of_seats))
    return overall > 0 and all(None not in pair and pair[1] - pair[0] <= overall for pair in ends)


def _overall(of_seats: Sequence[Record]) -> float:
    return sum(_mean(summary) for summary in of_seats) / len(of_seats)


def _figure(results: Record, cell: Record, metrics: Sequence[str]) -> Figure:
    """A row for each measure, a dot with its interval for each seat, and a line at the average."""
    names, gap = seat_names(cell), 0.7 / len(cell["seats"])
    data = []
    for seat, name in enumerate(names):
        means = [cell["measures"][metric]["seats"][seat]["mean"] for metric in metrics]
        against = [
            _against(mean, _overall(cell["measures"][metric]["seats"]))
            for metric, mean in zip(metrics, means, strict=True)
        ]
        shift = gap * (seat - (len(names) - 1) / 2)
        data.append(
            {
                "type": "scatter",
                "mode": "markers",
                "name": label(name),
                "x": [rounded(one["value"], 100) for one in against],
                "y": [rounded(row + shift) for row in range(len(metrics))],
                "error_x": bars(against, 100, seat),
                "marker": marker(seat, 9),
                "hoverinfo": "text",
                "hovertext": [
                    f"{label(name)}, {label(words.title(results, metric))}: {spoken(mean, False)}"
                    for metric, mean in zip(metrics, means, strict=True)
                ],
            }
        )
    titles = [folded(words.title(results, metric)) for metric in metrics]
    y = axis("", **named_axis(titles), range=[len(metrics) - 0.4, -0.6])
    x = axis(
        "% from the average seat",
        zeroline=True,
        zerolinecolor=theme.MUTED.light,
        zerolinewidth=1.5,
    )
    height = int(124 + len(metrics) * max(30, 14 * len(names)))
    return figure(data, x, y, height, showlegend=True, margin=margin(36))


def _against(mean: Record, overall: float) -> Record:
    """A mean as a part more or less than the average of all seats."""
    return {
        end: None if mean[end] is None else (mean[end] - overall) / abs(overall)
        for end in ("value", "low", "high")
    }
