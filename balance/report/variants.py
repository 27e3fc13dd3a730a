"""The variants against the baseline, the worst first: a chart for each metric and a table of all differences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from balance.errors import listed
from balance.report import cells, differences, figures, words
from balance.report.blocks import Chart, Charts, Entry, Part, Text, table
from balance.report.seats import histogram_table

Record = Mapping[str, Any]
NOTHING_FOUND = "No difference could be told apart from no change."
LINES = 6
"""So many rules are in one chart of scores: more could not be told apart."""
CHARTED = ("win_share", "goal_rate", "score", "turns", "tie_rate", "score_margin", "capped_rate")


def lede(results: Record) -> str:
    """The change that comes first, and how to read the charts."""
    pairs = [(one, entry) for one in results["comparisons"] if one["changed"] for entry in one["metrics"]]
    found = any(entry["found"] for _, entry in pairs)
    first = differences.change(results, differences.ordered(pairs)[:1]) if found else NOTHING_FOUND
    return (
        f"{first} Each dot is the variant minus the baseline on the same deals, each bar its interval, the worst "
        "first. Left of the line: less; right of it: more."
    )


def parts(results: Record) -> list[Part]:
    """A part for each number of players (and level): charts, and under them all differences as a table."""
    return [
        Part(
            words.setting(group[0]),
            [
                *_left_out(results, group[0]),
                Charts([*_charts(results, at, group), *_scores(results, at, group)]),
                Part(_title(results), _all(results, group), folded=True),
            ],
        )
        for at, group in enumerate(_groups(results))
    ]


def _left_out(results: Record, comparison: Record) -> list[Text]:
    """Which variants are not here, as there is nothing to see."""
    same = cells.twins(results, {**comparison, "variant": comparison["baseline"]})
    return [Text([f"Not drawn, as every game came out the same: {listed(same)}."], "aside")] if same else []


def _groups(results: Record) -> list[list[Record]]:
    groups: dict[tuple[int, str, str], list[Record]] = {}
    for comparison in results["comparisons"]:
        if cells.is_same(comparison):
            continue
        key = (comparison["players"], str(comparison.get("mode") or ""), str(comparison.get("level") or ""))
        groups.setdefault(key, []).append(comparison)
    return [groups[key] for key in sorted(groups)]


def _charts(results: Record, at: int, group: Sequence[Record]) -> list[Chart]:
    present = {metric["metric"] for comparison in group for metric in comparison["metrics"]}
    return [_chart(results, at, group, metric) for metric in CHARTED if metric in present]


def _chart(results: Record, at: int, group: Sequence[Record], metric: str) -> Chart:
    share = words.is_share(results, metric)
    group = _worst_first(group, metric)
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
    worse = {
        (line, place)
        for line, seat in enumerate(wanted)
        for place, comparison in enumerate(group)
        for entry in _entries([comparison], metric)
        if entry["seat"] == seat and entry["worse"]
    }
    unit = "difference in percentage points" if share else "difference"
    names = [str(comparison["variant"]) for comparison in group]
    baseline = words.name(str(group[0]["baseline"]))
    sentence = f"Difference from {baseline}. A hollow mark: it may be luck."
    rows = [
        _row(results, comparison, entry)[:IN_SHORT]
        for comparison in group
        for entry in comparison["metrics"]
        if entry["metric"] == metric
    ]
    numbers = table(
        f"{title}, variants against the baseline: {words.setting(group[0])}", COLUMNS[:IN_SHORT], rows
    )
    return Chart(
        f"change-{metric}-{at}",
        title,
        sentence,
        figures.differences(names, lines, unit, 100 if share else 1, worse),
        numbers,
    )


def _scores(results: Record, at: int, group: Sequence[Record]) -> list[Chart]:
    """How often each score comes up by the baseline and by the variants that change it most, all seats together."""
    order = [group[0]["baseline"], *(one["variant"] for one in _worst_first(group, "score"))][:LINES]
    found = [
        cell for name in order for cell in results["cells"] if cell["blocks"] and _is_at(cell, name, group[0])
    ]
    if len(found) < 2:
        return []
    names = [words.isolated(str(cell["variant"])) for cell in found]
    pooled = [_pooled(cell) for cell in found]
    caption = f"Share of scores by rules, all seats together: {words.setting(group[0])}"
    numbers = histogram_table(caption, ["Score", *(f"#{name}" for name in names)], pooled)
    more = len(group) + 1 - len(found)
    sentence = f"How often a seat ended with each score. {figures.ON_TOP}" + (
        f" {words.plural(more, 'variant changes', 'variants change')} the mean score less and are not drawn."
        if more
        else ""
    )
    figure = figures.distributions([str(cell["variant"]) for cell in found], pooled, "score")
    return [Chart(f"scores-by-rules-{at}", "Scores by rules", sentence, figure, numbers)]


def _is_at(cell: Record, variant: str, comparison: Record) -> bool:
    """Whether it is the cell of that variant at the table of a comparison."""
    return bool(
        cell["variant"] == variant
        and all(cell[key] == comparison[key] for key in ("players", "mode", "level"))
    )


def _pooled(cell: Record) -> Record:
    """The scores of all sides of a cell as one histogram."""
    counts: Counter[int] = Counter()
    for _, entry in words.sides(cell):
        histogram = entry["score"]["histogram"]
        counts.update(dict(zip(histogram["values"], histogram["counts"], strict=True)))
    return {"values": sorted(counts), "counts": [counts[value] for value in sorted(counts)]}


def _worst_first(group: Sequence[Record], metric: str) -> list[Record]:
    """What got worse, then what changed, then the others, each by the size of the difference."""

    def place(comparison: Record) -> tuple[bool, bool, float]:
        found = [
            (not entry["worse"], not entry["found"], -abs(entry["difference"]["value"] or 0))
            for entry in _entries([comparison], metric)
        ]
        return min(found, default=(True, True, 0.0))

    return sorted(group, key=place)


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
            return {**entry["difference"], "found": entry["found"]}
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


IN_SHORT = len(COLUMNS) - 2
"""So many of them are under a chart; the table of all differences has the others as well."""


def _row(results: Record, comparison: Record, entry: Record) -> list[str | Entry]:
    share, estimate = words.is_share(results, entry["metric"]), entry["difference"]
    ends, moved = words.moved(estimate, share, (entry["baseline"], entry["value"]))
    return [
        str(comparison["variant"]),
        differences.what(results, entry),
        *(words.measured(entry["metric"], end) for end in ends),
        Entry(moved, marked=entry["found"]),
        words.difference_interval(estimate, share),
        words.p_value(entry["adjusted"]),
        words.fixed(entry["correlation"], 2),
        words.times(entry["worth"]),
    ]


def _all(results: Record, group: Sequence[Record]) -> list[Any]:
    """Every difference; of very many only those that were found, lest the page grow too large, and where the others
    are."""
    pairs = differences.ordered(
        [(comparison, entry) for comparison in group for entry in comparison["metrics"]]
    )
    thinned = cells.thinned(results)
    shown = [pair for pair in pairs if pair[1]["found"]] if thinned else pairs
    rest = len(pairs) - len(shown)
    told = (
        f"{words.count(len(shown)) if shown else 'None'} of {words.plural(len(pairs), 'difference')} could be told "
        f"apart from no change. {words.plural(rest, 'other is', 'others are')} in tables/comparisons.csv, beside this "
        "page."
    )
    marked = "" if thinned else "marked where a change was found, "
    found = table(
        f"{_title(results)}: {words.setting(group[0])}; {marked}what got worse first",
        COLUMNS,
        [_row(results, *pair) for pair in shown],
    )
    return [*([Text([told], "aside")] if rest else []), *([found] if shown else [])]


def _title(results: Record) -> str:
    """What the table of differences has."""
    return "Differences found" if cells.thinned(results) else "All differences"
