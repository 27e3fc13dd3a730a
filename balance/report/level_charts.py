"""Levels of play side by side: how uneven the seats are, how long and how close the game is, at each level."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from balance.report import figures, levels, verdicts, words
from balance.report.blocks import Chart, Charts, Section, Table, Text, table

Record = Mapping[str, Any]
Found = tuple[str, Record]
"""Whose number it is, '' where it is the table's, and the estimate."""
NO_FLIP = "No verdict at one level of play contradicts that at another."


def section(results: Record) -> Section:
    """The levels of a run in the order of its line-up; empty where it has fewer than two."""
    cells = [cell for cell in words.baseline_cells(results) if cell["level"] is not None]
    names = list(dict.fromkeys(str(cell["level"]) for cell in cells))
    if len(names) < 2:
        return Section("levels", "")
    told = levels.flips(results)
    lede = (
        f"All games of {words.name(words.baseline_name(results))}, a line for each table; each dot has its "
        f"{words.confidence(results)} interval. At each level all seats are played alike."
    )
    charts = [chart for one in _KINDS if (chart := _chart(results, cells, names, *one)) is not None]
    return Section(
        "levels",
        "Does it depend on how well people play?",
        lede,
        [Text(told or [NO_FLIP], "list"), *([Charts(charts)] if charts else [])],
    )


def _furthest(cell: Record) -> Found | None:
    """The seat, or team, furthest from an even share, by how much whatever the direction."""
    test = verdicts.furthest(cell)
    if test is None or "goal" in cell or test["estimate"]["value"] is None:
        return None
    found = test["estimate"]
    among = [name for name, _ in words.sides(cell)]
    who = among[test["team"] if "team" in test else test["seat"]]
    if found["value"] >= 0:
        return who, found
    low, high = (None if found[end] is None else -found[end] for end in ("high", "low"))
    return who, {**found, "value": -found["value"], "low": low, "high": high}


def _of(metric: str) -> Callable[[Record], Found | None]:
    """The mean of a metric."""

    def found(cell: Record) -> Found | None:
        measure = cell["measures"].get(metric)
        return None if measure is None or measure["mean"]["value"] is None else ("", measure["mean"])

    return found


_KINDS: tuple[tuple[str, str, Callable[[Record], Found | None]], ...] = (
    ("deviation", "Furthest from an even share", _furthest),
    ("goal_rate", "", _of("goal_rate")),
    ("turns", "", _of("turns")),
    ("score_margin", "", _of("score_margin")),
)
"""What is charted: a metric or a name of its own, its title if the game has none for it, and how it is found."""


def _chart(
    results: Record,
    cells: Sequence[Record],
    names: Sequence[str],
    kind: str,
    title: str,
    find: Callable[[Record], Found | None],
) -> Chart | None:
    found: dict[str, dict[str, Found]] = {}
    for cell in cells:
        one = find(cell)
        if one is not None:
            found.setdefault(words.table_size(cell), {})[str(cell["level"])] = one
    if not found:
        return None
    title, share = title or words.title(results, kind), kind in ("deviation", "goal_rate")
    unit = {"deviation": "percentage points from even", "goal_rate": "% of games"}.get(kind, title)
    lines = [(size, [at[level][1] if level in at else None for level in names]) for size, at in found.items()]
    figure = figures.over_runs(names, lines, unit, 100 if share else 1)
    figure["layout"]["yaxis"]["rangemode"] = "tozero"
    sentence = "Whoever wins most or least of all at that level." if kind == "deviation" else ""
    return Chart(f"levels-{kind}", title, sentence, figure, _numbers(title, names, found, kind, share))


def _numbers(
    title: str, names: Sequence[str], found: Mapping[str, Mapping[str, Found]], kind: str, share: bool
) -> Table:
    """A row for each level, a column for each table."""
    rows = [
        [level, *(_told(at[level], kind, share) if level in at else words.NOTHING for at in found.values())]
        for level in names
    ]
    return table(f"{title} by level of play", ["Level", *(f"#{size}" for size in found)], rows)


def _told(one: Found, kind: str, share: bool) -> str:
    who, estimate = one
    if kind == "deviation":
        between = words.difference_interval(estimate, True).removesuffix(words.PP)
        return f"{words.capital(who)}: {words.difference(estimate, True)} ({between})".replace("+", "")
    return f"{words.value(estimate, share)} ({words.interval(estimate, share)})"
