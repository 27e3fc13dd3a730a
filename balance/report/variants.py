"""The variants against the baseline: a chart for each metric and a table of all differences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from balance.report import differences, figures, words
from balance.report.blocks import Chart, Charts, Entry, Part, Table, table

Record = Mapping[str, Any]
CHARTED = ("win_share", "goal_rate", "score", "turns", "tie_rate", "score_margin", "capped_rate")


def parts(results: Record) -> list[Part]:
    """A part for each number of players (and level): charts, and under them all differences as a table."""
    return [
        Part(
            words.setting(group[0]),
            [
                Charts(_charts(results, at, group)),
                Part("All differences", [_all(results, group)], folded=True),
            ],
        )
        for at, group in enumerate(_groups(results))
    ]


def _groups(results: Record) -> list[list[Record]]:
    groups: dict[tuple[int, str, str], list[Record]] = {}
    for comparison in results["comparisons"]:
        key = (comparison["players"], str(comparison.get("mode") or ""), str(comparison.get("level") or ""))
        groups.setdefault(key, []).append(comparison)
    return [groups[key] for key in sorted(groups)]


def _charts(results: Record, at: int, group: Sequence[Record]) -> list[Chart]:
    present = {metric["metric"] for comparison in group for metric in comparison["metrics"]}
    return [_chart(results, at, group, metric) for metric in CHARTED if metric in present]


def _chart(results: Record, at: int, group: Sequence[Record], metric: str) -> Chart:
    share = words.is_share(results, metric)
    seats = {entry["seat"] for entry in _entries(group, metric)}
    wanted = [None] if None in seats else sorted(seats)
    who = "team" if any("seats" in entry for entry in _entries(group, metric)) else "seat"
    title = f"Share of wins by {who}" if metric == "win_share" else words.title(results, metric)
    lines = [
        (
            words.capital(_whose(group, metric, seat)) if seat is not None else title,
            [_difference(comparison, metric, seat) for comparison in group],
        )
        for seat in wanted
    ]
    unit = "difference in points" if share else "difference"
    names = [str(comparison["variant"]) for comparison in group]
    baseline = words.name(str(group[0]["baseline"]))
    sentence = f"Difference from {baseline}. A hollow mark: the interval includes no change."
    rows = [
        _row(results, comparison, entry)
        for comparison in group
        for entry in comparison["metrics"]
        if entry["metric"] == metric
    ]
    numbers = table(f"{title}, variants against the baseline: {words.setting(group[0])}", COLUMNS, rows)
    return Chart(
        f"change-{metric}-{at}",
        title,
        sentence,
        figures.differences(names, lines, unit, 100 if share else 1),
        numbers,
    )


def _whose(group: Sequence[Record], metric: str, seat: int) -> str:
    return next(words.side(entry) for entry in _entries(group, metric) if entry["seat"] == seat)


def _entries(group: Sequence[Record], metric: str) -> list[Record]:
    return [
        entry
        for comparison in group
        for entry in comparison["metrics"]
        if entry["metric"] == metric and "policy" not in entry
    ]


def _difference(comparison: Record, metric: str, seat: int | None) -> Record | None:
    for entry in _entries([comparison], metric):
        if entry["seat"] == seat:
            found: Record = entry["difference"]
            return found
    return None


COLUMNS = (
    "Variant",
    "What",
    "#Baseline",
    "#Variant",
    "#Difference",
    "#Interval",
    "#p",
    "#Correlation",
    "#Worth",
)


def _row(results: Record, comparison: Record, entry: Record) -> list[str | Entry]:
    share, estimate = words.is_share(results, entry["metric"]), entry["difference"]
    return [
        str(comparison["variant"]),
        differences.what(results, entry),
        words.plain(entry["baseline"], share, 2),
        words.plain(entry["value"], share, 2),
        Entry(words.difference(estimate, share), marked=entry["found"]),
        words.difference_interval(estimate, share),
        words.p_value(entry["adjusted"]),
        words.fixed(entry["correlation"], 2),
        words.times(entry["worth"]),
    ]


def _all(results: Record, group: Sequence[Record]) -> Table:
    pairs = differences.ordered(
        [(comparison, entry) for comparison in group for entry in comparison["metrics"]]
    )
    return table(
        f"All differences: {words.setting(group[0])}; marked where a change was found, what got worse first",
        COLUMNS,
        [_row(results, *pair) for pair in pairs],
    )
