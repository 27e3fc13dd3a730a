"""Charts as plain dictionaries in plotly's format; nothing here imports plotly.

Positions on an axis are always numbers, and names are put there as labels: a name can then never be taken for
a number or a date, nor two equal names for one. Plotly reads tags and entities in labels, so every text that
comes from outside passes through `label`.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import Any

from balance.report import theme, words
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

Record = Mapping[str, Any]
SMALLEST_SPAN = 0.02
"""Charts of win shares reach two percentage points to both sides of the even share: small differences look small."""


# ---------------------------------------------------------------------- shares of wins


def shares(names: Sequence[str], estimates: Sequence[Record], even: float) -> Figure:
    """A dot with its interval for each seat or policy, and a line at an even share."""
    data = [
        {
            "type": "scatter",
            "mode": "markers",
            "name": label(name),
            "x": [place],
            "y": [rounded(estimate["value"], 100)],
            "error_y": bars([estimate], 100, place),
            "marker": marker(place, 11),
            "hoverinfo": "text",
            "hovertext": [f"{label(name)}: {spoken(estimate, True)}"],
        }
        for place, (name, estimate) in enumerate(zip(names, estimates, strict=True))
    ]
    low, high = _around(even, estimates)
    x = axis("", **named_axis([folded(name, 18) for name in names]), range=[-0.6, len(names) - 0.4])
    y = axis("share of wins, %", range=[rounded(low, 100), rounded(high, 100)])
    return figure(data, x, y, shapes=[even_line(even)], annotations=[_even_text(even)], margin=margin(24))


def _around(even: float, estimates: Sequence[Record]) -> tuple[float, float]:
    """A range with the even share in its middle and every interval inside."""
    ends = [estimate[end] for estimate in estimates for end in ("low", "high") if estimate[end] is not None]
    span = 1.25 * max([SMALLEST_SPAN, *(abs(end - even) for end in ends)])
    return max(-0.02, even - span), min(1.02, even + span)


def even_line(even: float) -> Figure:
    """A dashed line at an even share."""
    line = {"color": theme.MUTED.light, "width": 1.5, "dash": "dash"}
    at = rounded(even, 100)
    return {
        "type": "line",
        "xref": "paper",
        "x0": 0,
        "x1": 1,
        "y0": at,
        "y1": at,
        "line": line,
        "layer": "below",
    }


def _even_text(even: float) -> Figure:
    return {
        "xref": "paper",
        "x": 1,
        "xanchor": "right",
        "yref": "paper",
        "y": 1.01,
        "yanchor": "bottom",
        "text": f"dashed line: an even share, {words.percent(even)}",
        "showarrow": False,
        "font": {"size": 11, "color": theme.MUTED.light},
    }


# ---------------------------------------------------------------------- distributions


ON_TOP = "Where lines lie on one another, the thinner one is on top."


def distributions(names: Sequence[str], histograms: Sequence[Record], unit: str) -> Figure:
    """The share of games with each value, a line for each seat; the later, the thinner, so that none hides another."""
    data = [
        {
            "type": "scatter",
            "mode": "lines+markers",
            "name": label(name),
            **_shape(histogram),
            "line": {
                "color": theme.mark(index).shade.light,
                "dash": theme.mark(index).dash,
                "width": rounded(1.6 + min(4, 1.1 * (len(names) - 1 - index))),
            },
            "marker": marker(index, 5),
            "hovertemplate": "%{x}: %{y:.2f} % of games<extra></extra>",
        }
        for index, (name, histogram) in enumerate(zip(names, histograms, strict=True))
    ]
    y = axis("% of games", rangemode="tozero")
    return figure(data, axis(label(unit)), y, 320, showlegend=len(names) > 1, margin=margin(36))


def _shape(histogram: Record) -> Figure:
    """The values and the share of games with each; a line must not pass over a value that never occurred."""
    counts = dict(zip(histogram["values"], histogram["counts"], strict=True))
    whole = range(min(counts), max(counts) + 1) if counts else range(0)
    values = list(whole) if len(whole) <= 3 * len(counts) else list(counts)
    games = sum(counts.values()) or 1
    return {"x": values, "y": [rounded(counts.get(value, 0) / games, 100) for value in values]}


def lengths(histogram: Record, unit: str) -> Figure:
    """The share of games with each value as bars."""
    bars = {
        "type": "bar",
        **_shape(histogram),
        "marker": {"color": theme.BAR.light},
        "hovertemplate": "%{x}: %{y:.2f} % of games<extra></extra>",
    }
    few = (
        {"tickmode": "array", "tickvals": list(histogram["values"])} if len(histogram["values"]) <= 12 else {}
    )
    return figure([bars], axis(label(unit), **few), axis("% of games", rangemode="tozero"), bargap=0.15)


# ---------------------------------------------------------------------- variants


def differences(
    names: Sequence[str],
    lines: Sequence[tuple[str, Sequence[Record | None]]],
    unit: str,
    scale: float,
    worse: Container[tuple[int, int]] = (),
) -> Figure:
    """For each variant a dot with its difference and its interval; several lines (seats) stand side by side.

    A hollow dot is a difference that was not "found" (where that is not said, one that its interval cannot tell from
    none), and has no number where there are several lines;
    (line, variant) in `worse` are said to be worse.
    """
    gap = 0.7 / max(len(lines), 1)
    data = [
        _difference_line(
            names, index, line, scale, gap * (index - (len(lines) - 1) / 2), worse, alone=len(lines) == 1
        )
        for index, line in enumerate(lines)
    ]
    rows = len(names) * max(1, 0.75 * len(lines))
    y = axis("", **named_axis([folded(name) for name in names]), range=[len(names) - 0.4, -0.6])
    reach = _reach([estimate for _, line in lines for estimate in line if estimate is not None], scale)
    x = axis(unit, range=reach, zeroline=True, zerolinecolor=theme.MUTED.light, zerolinewidth=1.5)
    several = len(lines) > 1
    return figure(
        data,
        x,
        y,
        int(100 + 38 * rows + 24 * several),
        showlegend=several,
        margin=margin(36 if several else 12),
    )


def _reach(estimates: Sequence[Record], scale: float) -> list[float | None]:
    """A range that holds zero and every interval, with room for the marks at its ends."""
    ends = [estimate[end] for estimate in estimates for end in ("low", "value", "high")]
    known = [0.0, *(end for end in ends if end is not None)]
    room = 0.06 * (max(known) - min(known)) or 0.01
    return [rounded(min(known) - room, scale), rounded(max(known) + room, scale)]


def _shortly(estimate: Record, share: bool) -> str:
    """'+2.3', in percentage points where it is a share."""
    return words.difference(estimate, share).removesuffix(words.PP).replace("-", "\N{MINUS SIGN}")


def _spoken_difference(estimate: Record, share: bool) -> str:
    return f"{words.difference(estimate, share)} ({words.difference_interval(estimate, share)})"


def _difference_line(
    names: Sequence[str],
    index: int,
    line: tuple[str, Sequence[Record | None]],
    scale: float,
    shift: float,
    worse: Container[tuple[int, int]],
    *,
    alone: bool,
) -> Figure:
    title, estimates = line
    known = [(place, estimate) for place, estimate in enumerate(estimates) if estimate is not None]
    share = scale != 1
    symbol = theme.mark(index).symbol
    told = [estimate.get("found", words.excludes_zero(estimate)) for _, estimate in known]
    return {
        "type": "scatter",
        "mode": "markers+text",
        "name": label(title),
        "x": [rounded(estimate["value"], scale) for _, estimate in known],
        "y": [rounded(place + shift) for place, _ in known],
        "text": [
            _shortly(estimate, share) + ", worse" * ((index, place) in worse) if alone or sure else ""
            for (place, estimate), sure in zip(known, told, strict=True)
        ],
        "textposition": "top center",
        "textfont": {"size": 11, "color": theme.INK.light},
        "cliponaxis": False,
        "error_x": bars([estimate for _, estimate in known], scale, index),
        "marker": {**marker(index, 10), "symbol": [symbol if sure else f"{symbol}-open" for sure in told]},
        "hoverinfo": "text",
        "hovertext": [
            f"{label(names[place], 60)}: {_spoken_difference(estimate, share)}" for place, estimate in known
        ],
    }


# ---------------------------------------------------------------------- measures


def curves(
    names: Sequence[str],
    rounds: Sequence[int],
    means: Sequence[Sequence[Record]],
    x_title: str,
    unit: str,
    scale: float = 1,
) -> Figure:
    """A line with intervals for each seat over the rounds; of shares the scale is 100."""
    data = [
        {
            "type": "scatter",
            "mode": "lines+markers",
            "name": label(name),
            "x": list(rounds),
            "y": [rounded(estimate["value"], scale) for estimate in line],
            "error_y": bars(line, scale, index),
            "line": {"color": theme.mark(index).shade.light, "dash": theme.mark(index).dash, "width": 1.8},
            "marker": marker(index, 7),
            "hoverinfo": "text",
            "hovertext": [f"{label(name)}: {spoken(estimate, scale != 1)}" for estimate in line],
        }
        for index, (name, line) in enumerate(zip(names, means, strict=True))
    ]
    few = {"tickmode": "array", "tickvals": list(rounds)} if len(rounds) <= 12 else {}
    several = len(names) > 1
    return figure(
        data, axis(label(x_title), **few), axis(label(unit)), 320, showlegend=several, margin=margin(36)
    )


def over_runs(
    runs: Sequence[str], lines: Sequence[tuple[str, Sequence[Record | None]]], unit: str, scale: float
) -> Figure:
    """A line over the runs for each seat, or one for all, each dot with its interval; nothing where a run lacks it."""
    data = []
    for index, (title, values) in enumerate(lines):
        known = [(place, value) for place, value in enumerate(values) if value is not None]
        estimates = [value for _, value in known]
        data.append(
            {
                "type": "scatter",
                "mode": "lines+markers",
                "name": label(title),
                "x": [place for place, _ in known],
                "y": [rounded(value["value"], scale) for value in estimates],
                "error_y": bars(estimates, scale, index),
                "line": {
                    "color": theme.mark(index).shade.light,
                    "dash": theme.mark(index).dash,
                    "width": 1.8,
                },
                "marker": marker(index, 8),
                "hoverinfo": "text",
                "hovertext": [
                    f"{label(title)}, {label(runs[place])}: {spoken(value, scale != 1)}"
                    for place, value in known
                ],
            }
        )
    x = axis("", **named_axis([folded(name, 14) for name in runs]), range=[-0.4, len(runs) - 0.6])
    return figure(data, x, axis(label(unit)), 320, showlegend=len(lines) > 1, margin=margin(36))


def heat_map(
    down: tuple[str, Sequence[str]],
    across: tuple[str, Sequence[str]],
    values: Sequence[Sequence[float | None]],
    told: Sequence[Sequence[str]],
    scale: float,
) -> Figure:
    """A field for each combination of the values of two rules, the darker the higher, with its number in it."""
    cells = {
        "type": "heatmap",
        "z": [[rounded(value, scale) for value in row] for row in values],
        "text": [[label(text) for text in row] for row in told],
        "texttemplate": "%{text}",
        "colorscale": [[0, theme.TINT.light], [1, theme.ACCENT.light]],
        "showscale": False,
        "xgap": 2,
        "ygap": 2,
        "hoverinfo": "text",
    }
    x = axis(label(across[0]), **named_axis([folded(name, 12) for name in across[1]]))
    y = axis(label(down[0]), **named_axis([folded(name) for name in down[1]]), autorange="reversed")
    return figure([cells], x, y, 110 + 44 * len(down[1]))


FACES = (("offered", "TINT", 0.84), ("taken", "BAR", 0.56), ("held_by_winner", "ACCENT", 0.24))
"""The three faces of a counter as bars over one another: the narrower, the later."""
ALL_FACES = ("offered", "taken", "held by the winner")
"""What they are called where players choose."""


ALWAYS = "always"


def counter(items: Sequence[Record], titles: Sequence[str] = ALL_FACES) -> Figure:
    """For each item bars over one another, one for each face: wide: offered, narrower: taken, thin: held by the winner.

    Beside them stands how much of what was offered was taken. Two `titles` leave out the winner.
    """
    names = [label(str(item["item"]), 26) for item in items]
    data = [
        {
            "type": "bar",
            "orientation": "h",
            "name": title,
            "x": [rounded(item[face]["mean"]["value"]) for item in items],
            "y": list(range(len(items))),
            "width": width,
            "marker": {
                "color": getattr(theme, shade).light,
                "line": {"color": theme.ACCENT.light, "width": 0.7},
            },
            "hoverinfo": "text",
            "hovertext": [
                f"{name}, {title}: {spoken(item[face]['mean'], False)}"
                for name, item in zip(names, items, strict=True)
            ],
        }
        for (face, shade, width), title in zip(FACES, titles, strict=False)
    ]
    each, is_choice = is_more_than_offered(items), tuple(titles[:2]) == ALL_FACES[:2]
    shown = [_part_taken(item, each, is_choice) for item in items]
    text = {"text": shown, "textposition": "outside", "cliponaxis": False}
    data[0] |= {**text, "textfont": {"size": 11, "color": theme.INK.light}}
    y = axis("", **named_axis(names), range=[len(items) - 0.4, -0.6])
    most = max(item[face]["mean"]["value"] or 0 for item in items for face, *_ in FACES)
    x = axis("times a game", range=[0, rounded(1.3 * most or 1)])
    return figure(data, x, y, 110 + 26 * len(items), barmode="overlay", showlegend=True, margin=margin(36))


def is_always_taken(item: Record) -> bool:
    """Whether it was taken each time that it was offered."""
    return bool(item["offered"]["total"]) and item["offered"]["total"] == item["taken"]["total"]


def is_more_than_offered(items: Sequence[Record]) -> bool:
    """Whether a counter is of what comes several times when offered once, such as the dice of a roll: no share."""
    return any(item["taken"]["total"] > item["offered"]["total"] > 0 for item in items)


def _part_taken(item: Record, each: bool, is_choice: bool) -> str:
    """'71 %', 'never taken', or nothing where that cannot be said; '12.7 each' where it is no share."""
    rate = item["take_rate"]
    if is_choice and item["offered"]["total"] and not item["taken"]["total"]:
        return "never taken"
    if is_choice and is_always_taken(item) and not each:
        return ALWAYS
    if rate and each:
        return f"{words.fixed(rate['value'])} each"
    return words.percent(rate["value"], 0) if rate and rate["value"] <= 1 else ""
