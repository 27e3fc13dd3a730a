"""Colours and shapes, light and dark, in one place: the style sheet and the charts both read them here.

A chart is written in the light colours; the page's script swaps each for its dark partner where the reader's
screen is dark. Every light colour therefore occurs once. A seat keeps its colour, its marker and its dash on
the whole page, so that colour is never the only cue.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Shade:
    """One colour by its role, on a light and on a dark screen."""

    name: str
    light: str
    dark: str


@dataclass(frozen=True)
class Mark:
    """How a seat (or the n-th line of a chart) looks."""

    shade: Shade
    symbol: str
    dash: str


PAPER = Shade("paper", "#ffffff", "#16191d")
PANEL = Shade("panel", "#f6f5f1", "#1e2227")
INK = Shade("ink", "#1b1d21", "#e9e7e2")
MUTED = Shade("muted", "#5a5f67", "#a8adb5")
LINE = Shade("line", "#dedcd5", "#343a41")
ACCENT = Shade("accent", "#0e5566", "#7cc8d8")
TINT = Shade("tint", "#d3e4e7", "#24434b")
CAUTION = Shade("caution", "#fdf1d6", "#3a3015")
CAUTION_EDGE = Shade("caution-edge", "#8f6200", "#e2b34a")
BAD = Shade("bad", "#a3231b", "#f0897f")
GOOD = Shade("good", "#1d6b35", "#7fcb94")
BAR = Shade("bar", "#7ba7b3", "#4c8594")

MARKS = (
    Mark(Shade("seat-0", "#0b5fa5", "#5aa2f6"), "circle", "solid"),
    Mark(Shade("seat-1", "#ef5313", "#e98b4b"), "square", "dash"),
    Mark(Shade("seat-2", "#128a6d", "#50dca4"), "diamond", "dot"),
    Mark(Shade("seat-3", "#8d4384", "#a874b0"), "triangle-up", "dashdot"),
    Mark(Shade("seat-4", "#9a962c", "#f5d44f"), "x", "longdash"),
    Mark(Shade("seat-5", "#23272e", "#dde6f5"), "star", "longdashdot"),
)

SHADES = (
    PAPER,
    PANEL,
    INK,
    MUTED,
    LINE,
    ACCENT,
    TINT,
    CAUTION,
    CAUTION_EDGE,
    BAD,
    GOOD,
    BAR,
    *(mark.shade for mark in MARKS),
)
CLEAR = "rgba(0,0,0,0)"
FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif'


def mark(index: int) -> Mark:
    """The look of a seat; beyond six the looks repeat."""
    return MARKS[index % len(MARKS)]


def dark_partners() -> dict[str, str]:
    """For each light colour its dark partner, for the page's script."""
    return {shade.light: shade.dark for shade in SHADES}


def variables() -> str:
    """The style sheet's variables; light on paper and by default, dark where the reader's screen is."""
    light = "".join(f"--{shade.name}:{shade.light};" for shade in SHADES)
    dark = "".join(f"--{shade.name}:{shade.dark};" for shade in SHADES)
    return f":root{{{light}}}@media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}"
