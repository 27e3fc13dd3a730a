"""What all charts are drawn with: labels that plotly shows literally, axes, intervals, and the look of a figure."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

from balance.report import theme, words

Record = Mapping[str, Any]
Figure = dict[str, Any]
LONGEST_LABEL = 40


def label(text: str, longest: int = LONGEST_LABEL) -> str:
    """A text as plotly shows it literally, cut where it is too long for a chart."""
    return words.isolated(_literal(words.shortened(text, longest)))


def _literal(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def folded(text: str, width: int = 22) -> str:
    """A name for an axis, on two lines where it is long, and cut where two are not enough."""
    lines = textwrap.wrap(text, width, max_lines=2, placeholder="…")
    return "<br>".join(words.isolated(_literal(line)) for line in lines)


def rounded(number: float | None, scale: float = 1) -> float | None:
    """Six significant digits are more than any chart can show."""
    return None if number is None else float(f"{number * scale:.6g}")


def axis(title: str, **more: Any) -> dict[str, Any]:
    """An axis in the look of the page; `more` overrides."""
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


def named_axis(names: Sequence[str]) -> dict[str, Any]:
    """An axis whose places 0, 1, 2... carry names."""
    places = list(range(len(names)))
    return {"tickmode": "array", "tickvals": places, "ticktext": list(names), "showgrid": False}


def figure(data: list[Figure], x: Figure, y: Figure, height: int = 300, **layout: Any) -> Figure:
    """A chart of these traces and axes in the look of the page; `layout` overrides."""
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
            "yaxis": {
                **y,
                "automargin": "left",
            },  # on all sides, its topmost number makes room for itself to and fro
            **layout,
        },
    }


def marker(index: int, size: int = 9) -> Figure:
    """The marker of a seat, or of the n-th line."""
    look = theme.mark(index)
    return {"color": look.shade.light, "symbol": look.symbol, "size": size}


def bars(estimates: Sequence[Record], scale: float, index: int | None = None) -> Figure:
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
    return (
        None
        if None in (estimate[end], estimate["value"])
        else rounded(abs(estimate[end] - estimate["value"]), scale)
    )


def spoken(estimate: Record, share: bool) -> str:
    """An estimate as a reader hears it: its value and its interval."""
    return f"{words.value(estimate, share)} ({words.interval(estimate, share)})"


def margin(top: int) -> Figure:
    """The margins of a chart with so much room on top."""
    return {"l": 48, "r": 16, "t": top, "b": 44}
