"""Charts as plain dictionaries in plotly's format; nothing here imports plotly.

Positions on an axis are always numbers, and names are put there as labels: a name can then never be taken for
a number or a date, nor two equal names for one. Plotly reads tags and entities in labels, so every text that
comes from outside passes through `label`.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

from balance.report import theme, words

Record = Mapping[str, Any]
Figure = dict[str, Any]
LONGEST_LABEL = 40
SMALLEST_SPAN = 0.02
"""Charts of win shares reach two points to both sides of the even share: small differences look small."""


def label(text: str, longest: int = LONGEST_LABEL) -> str:
    """A text as plotly shows it literally, cut where it is too long for a chart."""
    short = text if len(text) <= longest else text[: longest - 1].rstrip() + "…"
    return words.isolated(_literal(short))


def _literal(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def folded(text: str, width: int = 22) -> str:
    """A name for an axis, on two lines where it is long, and cut where two are not enough."""
    lines = textwrap.wrap(text, width, max_lines=2, placeholder="…")
    return "<br>".join(words.isolated(_literal(line)) for line in lines)


def rounded(number: float | None, scale: float = 1) -> float | None:
    """Six significant digits are more than any chart can show."""
    return None if number is None else float(f"{number * scale:.6g}")


def _axis(title: str, **more: Any) -> dict[str, Any]:
    return {
        "title": {"text": title, "font": {"size": 12, "color": theme.MUTED.light}, "standoff": 8},
        "gridcolor": theme.LINE.light,
        "linecolor": theme.LINE.light,
        "zeroline": False,
        "automargin": True,
        "fixedrange": True,
        "tickfont": {"size": 12, "color": theme.INK.light},
        **more,
    }


def _labels(names: Sequence[str]) -> dict[str, Any]:
    """An axis whose places 0, 1, 2... carry names."""
    places = list(range(len(names)))
    return {"tickmode": "array", "tickvals": places, "ticktext": list(names), "showgrid": False}


def _figure(data: list[Figure], x: Figure, y: Figure, height: int = 300, **layout: Any) -> Figure:
    return {
        "data": data,
        "layout": {
            "height": height,
            "margin": {"l": 48, "r": 16, "t": 12, "b": 44},
            "paper_bgcolor": theme.CLEAR,
            "plot_bgcolor": theme.CLEAR,
            "font": {"family": theme.FONT, "size": 13, "color": theme.INK.light},
            "hoverlabel": {
                "bgcolor": theme.PANEL.light,
                "bordercolor": theme.LINE.light,
                "font": {"family": theme.FONT, "color": theme.INK.light},
                "align": "left",
            },
            "hovermode": "closest",
            "dragmode": False,
            "showlegend": False,
            "legend": {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom", "font": {"size": 12}},
            "xaxis": x,
            "yaxis": y,
            **layout,
        },
    }


def _marker(index: int, size: int = 9) -> Figure:
    look = theme.mark(index)
    return {"color": look.shade.light, "symbol": look.symbol, "size": size}


def _bars(estimates: Sequence[Record], scale: float, index: int | None = None) -> Figure:
    """Intervals as error bars."""
    colour = theme.MUTED if index is None else theme.mark(index).shade
    return {
        "type": "data",
        "symmetric": False,
        "array": [_arm(estimate, "high", scale) for estimate in estimates],
        "arrayminus": [_arm(estimate, "low", scale) for estimate in estimates],
        "color": colour.light,
        "thickness": 1.6,
        "width": 4,
    }


def _arm(estimate: Record, end: str, scale: float) -> float | None:
    return None if estimate[end] is None else rounded(abs(estimate[end] - estimate["value"]), scale)


def _spoken(estimate: Record, share: bool) -> str:
    return f"{words.value(estimate, share)} ({words.interval(estimate, share)})"


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
            "error_y": _bars([estimate], 100, place),
            "marker": _marker(place, 11),
            "hoverinfo": "text",
            "hovertext": [f"{label(name)}: {_spoken(estimate, True)}"],
        }
        for place, (name, estimate) in enumerate(zip(names, estimates, strict=True))
    ]
    low, high = _around(even, estimates)
    x = _axis("", **_labels([folded(name, 18) for name in names]), range=[-0.6, len(names) - 0.4])
    y = _axis("share of wins, %", range=[rounded(low, 100), rounded(high, 100)])
    return _figure(data, x, y, shapes=[_even_line(even)], annotations=[_even_text(even)], margin=_margin(24))


def _around(even: float, estimates: Sequence[Record]) -> tuple[float, float]:
    """A range with the even share in its middle and every interval inside."""
    ends = [estimate[end] for estimate in estimates for end in ("low", "high") if estimate[end] is not None]
    span = 1.25 * max([SMALLEST_SPAN, *(abs(end - even) for end in ends)])
    return max(-0.02, even - span), min(1.02, even + span)


def _even_line(even: float) -> Figure:
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


def distributions(names: Sequence[str], histograms: Sequence[Record], unit: str) -> Figure:
    """The share of games with each value, a line for each seat."""
    data = [
        {
            "type": "scatter",
            "mode": "lines+markers",
            "name": label(name),
            **_shape(histogram),
            "line": {"color": theme.mark(index).shade.light, "dash": theme.mark(index).dash, "width": 1.8},
            "marker": _marker(index, 5),
            "hovertemplate": "%{x}: %{y:.2f} % of games<extra></extra>",
        }
        for index, (name, histogram) in enumerate(zip(names, histograms, strict=True))
    ]
    y = _axis("% of games", rangemode="tozero")
    return _figure(data, _axis(label(unit)), y, 320, showlegend=len(names) > 1, margin=_margin(36))


def _margin(top: int) -> Figure:
    return {"l": 48, "r": 16, "t": top, "b": 44}


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
    return _figure([bars], _axis(label(unit), **few), _axis("% of games", rangemode="tozero"), bargap=0.15)


# ---------------------------------------------------------------------- variants


def differences(
    names: Sequence[str], lines: Sequence[tuple[str, Sequence[Record | None]]], unit: str, scale: float
) -> Figure:
    """For each variant a dot with the interval of its difference; several lines (seats) stand side by side.

    A hollow dot is a difference that cannot be told apart from none.
    """
    gap = 0.7 / max(len(lines), 1)
    data = [
        _difference_line(
            names, index, line, scale, gap * (index - (len(lines) - 1) / 2) if len(lines) > 1 else 0
        )
        for index, line in enumerate(lines)
    ]
    rows = len(names) * max(1, 0.6 * len(lines))
    y = _axis("", **_labels([folded(name) for name in names]), range=[len(names) - 0.4, -0.6])
    reach = _reach([estimate for _, line in lines for estimate in line if estimate is not None], scale)
    x = _axis(unit, range=reach, zeroline=True, zerolinecolor=theme.MUTED.light, zerolinewidth=1.5)
    several = len(lines) > 1
    return _figure(
        data,
        x,
        y,
        int(100 + 38 * rows + 24 * several),
        showlegend=several,
        margin=_margin(36 if several else 12),
    )


def _reach(estimates: Sequence[Record], scale: float) -> list[float | None]:
    """A range that holds zero and every interval, with room for the marks at its ends."""
    ends = [estimate[end] for estimate in estimates for end in ("low", "value", "high")]
    known = [0.0, *(end for end in ends if end is not None)]
    room = 0.06 * (max(known) - min(known)) or 0.01
    return [rounded(min(known) - room, scale), rounded(max(known) + room, scale)]


def _spoken_difference(estimate: Record, share: bool) -> str:
    return f"{words.difference(estimate, share)} ({words.difference_interval(estimate, share)})"


def _difference_line(
    names: Sequence[str], index: int, line: tuple[str, Sequence[Record | None]], scale: float, shift: float
) -> Figure:
    title, estimates = line
    known = [(place, estimate) for place, estimate in enumerate(estimates) if estimate is not None]
    share = scale != 1
    symbol = theme.mark(index).symbol
    told = [words.excludes_zero(estimate) for _, estimate in known]
    return {
        "type": "scatter",
        "mode": "markers",
        "name": label(title),
        "x": [rounded(estimate["value"], scale) for _, estimate in known],
        "y": [rounded(place + shift) for place, _ in known],
        "error_x": _bars([estimate for _, estimate in known], scale, index),
        "marker": {**_marker(index, 10), "symbol": [symbol if sure else f"{symbol}-open" for sure in told]},
        "hoverinfo": "text",
        "hovertext": [
            f"{label(names[place], 60)}: {_spoken_difference(estimate, share)}" for place, estimate in known
        ],
    }


# ---------------------------------------------------------------------- measures


def curves(
    names: Sequence[str], rounds: Sequence[int], means: Sequence[Sequence[Record]], x_title: str, unit: str
) -> Figure:
    """A line with intervals for each seat over the rounds."""
    data = [
        {
            "type": "scatter",
            "mode": "lines+markers",
            "name": label(name),
            "x": list(rounds),
            "y": [rounded(estimate["value"]) for estimate in line],
            "error_y": _bars(line, 1, index),
            "line": {"color": theme.mark(index).shade.light, "dash": theme.mark(index).dash, "width": 1.8},
            "marker": _marker(index, 7),
            "hoverinfo": "text",
            "hovertext": [f"{label(name)}: {_spoken(estimate, False)}" for estimate in line],
        }
        for index, (name, line) in enumerate(zip(names, means, strict=True))
    ]
    few = {"tickmode": "array", "tickvals": list(rounds)} if len(rounds) <= 12 else {}
    several = len(names) > 1
    return _figure(
        data, _axis(label(x_title), **few), _axis(label(unit)), 320, showlegend=several, margin=_margin(36)
    )


FACES = (
    ("offered", "offered", "TINT", 0.84),
    ("taken", "taken", "BAR", 0.56),
    ("held_by_winner", "held by the winner", "ACCENT", 0.24),
)
"""The three faces of a counter as bars over one another: the narrower, the later."""


def counter(items: Sequence[Record]) -> Figure:
    """For each item three bars over one another: wide: offered, narrower: taken, thin: held by the winner."""
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
                f"{name}, {title}: {_spoken(item[face]['mean'], False)}"
                for name, item in zip(names, items, strict=True)
            ],
        }
        for face, title, shade, width in FACES
    ]
    y = _axis("", **_labels(names), range=[len(items) - 0.4, -0.6])
    x = _axis("times a game", rangemode="tozero")
    return _figure(data, x, y, 110 + 26 * len(items), barmode="overlay", showlegend=True, margin=_margin(36))
