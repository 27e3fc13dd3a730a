"""Minutes: decisions are counted, how long one takes is what the experiment file says; the one times the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from balance.report import figures, words
from balance.report.blocks import Chart, Text, table
from balance.report.cells import Placed, placed

Record = Mapping[str, Any]


NONE = (
    "No minutes: the experiment file gives no seconds per decision. Add how long people take under [run], "
    "seconds_per_decision = 15, for example."
)
UNCOUNTED = (
    "No minutes: they are reckoned from decisions with more than one option, of which none were counted."
)


def seconds(results: Record) -> float | None:
    """How long people take for a decision, as the experiment file has it; None where it says nothing."""
    found = results.get("seconds_per_decision")
    return None if found is None else float(found)


def mean(cell: Record, results: Record) -> Record | None:
    """The mean length in minutes with its interval, from the decisions with more than one option."""
    each = seconds(results)
    if each is None or "plies" not in cell["measures"]:
        return None
    found = cell["measures"]["plies"]["mean"]
    ends = {end: None if found[end] is None else found[end] * each / 60 for end in ("value", "low", "high")}
    return {**found, **ends}


def row(cell: Record, results: Record) -> list[str]:
    """Mean, interval, and what a tenth, half and nine tenths of the games last at most."""
    each, found = seconds(results), mean(cell, results)
    if each is None or found is None:
        return []
    quantiles = cell["measures"]["plies"]["quantiles"]
    whole = [words.fixed(quantiles[name] * each / 60) for name in ("p10", "p50", "p90")]
    return [words.value(found, False), words.interval(found, False), *whole]


def terms(results: Record) -> str:
    """How the minutes came about; '' where there are none."""
    each = seconds(results)
    if each is None:
        return ""
    return (
        f"Minutes are an estimate: the decisions with more than one option, which were counted, times "
        f"{_spelled(each)} for each, which the experiment file says; setting up and scoring come on top."
    )


def blocks(results: Record) -> list[Any]:
    """The minutes of every cell as a table, and how they came about; or how to have them."""
    rows = [[one.where, *row(one.cell, results)] for one in placed(results) if row(one.cell, results)]
    if not rows:
        return [Text([NONE if seconds(results) is None else UNCOUNTED], "aside")]
    heads = ["Cell", "#Mean", "#Interval", "#1 in 10 below", "#Middle", "#1 in 10 above"]
    return [table("Length in minutes, an estimate", heads, rows), Text([terms(results)], "aside")]


def charts(results: Record, one: Placed) -> list[Chart]:
    """The share of games by whole minutes; nothing where the experiment says nothing."""
    each, plies = seconds(results), one.cell["measures"].get("plies")
    if each is None or not plies:
        return []
    counts: dict[int, int] = {}
    for value, games in zip(plies["histogram"]["values"], plies["histogram"]["counts"], strict=True):
        minute = int(value * each / 60 + 0.5)
        counts[minute] = counts.get(minute, 0) + games
    histogram, every = {"values": list(counts), "counts": list(counts.values())}, sum(counts.values())
    _, _, least, middle, most = row(one.cell, results)
    rows = [[words.quantity(minute), words.percent(games / every, 2)] for minute, games in counts.items()]
    numbers = table(f"Share of games by minutes: {one.where}", ["Minutes", "#Games"], rows)
    sentence = (
        f"An estimate: half of the games last {middle} minutes or fewer; eight in ten from {least} to {most}."
    )
    figure = figures.lengths(histogram, "minutes")
    return [Chart(f"minutes-{one.index}", "Length in minutes, an estimate", sentence, figure, numbers)]


def told(cells: Sequence[Record], results: Record) -> str:
    """The minutes of all tables together, to follow a sentence; '' where there are none."""
    each = seconds(results)
    means = [found["value"] for cell in cells if (found := mean(cell, results))]
    known = [value for value in means if value is not None]
    if each is None or not known:
        return ""
    low, high = (words.fixed(end, 0 if end >= 10 else 1) for end in (min(known), max(known)))
    about = low if low == high else f"{low} to {high}"
    return f" At {_spelled(each)} a decision that is about {about} minutes."


def _spelled(each: float) -> str:
    """'1 second', '7.5 seconds'."""
    return "1 second" if each == 1 else f"{each:g} seconds"
