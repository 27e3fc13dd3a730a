"""How often a goal is reached, and how often others would be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from balance.report import figures, words
from balance.report.blocks import Chart, table
from balance.report.cells import Placed

Record = Mapping[str, Any]
TOLD = (0.9, 0.75, 0.5, 0.25, 0.1)
"""Shares of games for which the terminal tells the highest goal that is reached as often."""


def telling(cell: Record) -> list[Record]:
    """Points of a goal's curve that say most of it, from the lowest goal on."""
    curve: Sequence[Record] = cell["goal"]["curve"]
    found = [[point for point in curve if point["rate"]["value"] >= share][-1:] for share in TOLD]
    return list({point["at_least"]: point for points in found for point in points}.values())


def row(point: Record) -> list[str]:
    """A goal, how often it is reached, and the interval."""
    rate = point["rate"]
    return [words.quantity(point["at_least"]), words.value(rate, True), words.interval(rate, True)]


def chart(results: Record, one: Placed) -> Chart:
    """The curve over all goals."""
    rate = one.cell["measures"]["goal_rate"]["mean"]
    goal, score = one.cell["goal"], words.title(results, "score")
    sentence = (
        f"For each score the share of games that come so far, with its {words.confidence(results)} interval: "
        "how often a goal there is reached. Dashed: how often the goal that was played for is reached, "
        f"{words.value(rate, True)}. That goal: {goal['sentence']}"
    )
    heads = [score, "#Reached in", "#Interval"]
    numbers = table(
        f"How often each goal is reached: {one.where}", heads, [row(point) for point in goal["curve"]]
    )
    goals = [point["at_least"] for point in goal["curve"]]
    rates = [_in_percent(point["rate"]) for point in goal["curve"]]
    figure = figures.curves(["reached"], goals, [rates], score, "% of games")
    figure["layout"]["yaxis"]["rangemode"] = "tozero"
    figure["layout"]["shapes"] = [figures.even_line(rate["value"])]
    return Chart(f"goal-{one.index}", "How often a goal is reached", sentence, figure, numbers)


def _in_percent(rate: Record) -> Record:
    return {end: None if rate[end] is None else 100 * rate[end] for end in ("value", "low", "high")}
