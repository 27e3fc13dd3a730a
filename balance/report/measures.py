"""What a game counts, shown by kind alone: no game is known here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from balance.errors import listed
from balance.report import figures, words
from balance.report.blocks import Chart, Charts, Entry, Table, table
from balance.report.cells import Blocks, Placed, seat_names
from balance.report.seats import SUMMARY, summary_row

Record = Mapping[str, Any]
Row = list[str | Entry]
SHOWN = 0.05
"""Rounds that fewer of the games reached are not drawn: their intervals would flatten all others."""
FIRST = ("turns", "rounds", "plies", "goal_rate", "score_margin", "tie_rate", "capped_rate")
"""Measures that every game has come first, the game's own follow by name."""


def in_order(ids: Sequence[str]) -> list[str]:
    """The ids in the order of the page, whatever the order of the results."""
    return sorted(ids, key=lambda one: (FIRST.index(one) if one in FIRST else len(FIRST), one))


def of_kind(results: Record, cell: Record, kind: str) -> list[str]:
    """The measures of one kind that a cell has."""
    definitions = results["definitions"]
    return in_order([one for one in cell["measures"] if definitions.get(one, {}).get("kind") == kind])


def checks(results: Record) -> list[str]:
    """The measures that check whether the box holds enough."""
    return in_order([one for one, definition in results["definitions"].items() if definition.get("check")])


def short_of(results: Record, cells: Sequence[Record]) -> list[tuple[str, str]]:
    """Checks that the box failed in some games, each with how often that was at the worst table."""
    found = []
    for metric in checks(results):
        rates = [(cell["measures"][metric]["mean"], cell) for cell in cells if metric in cell["measures"]]
        known = [one for one in rates if one[0]["value"] and words.is_share(results, metric)]
        if known:
            rate, cell = max(known, key=lambda one: one[0]["value"])
            between = f"({words.interval(rate, True)}) with {words.setting(cell)}"
            found.append((metric, f"{words.value(rate, True)} {between}"))
    return found


def shortage(results: Record) -> str:
    """What the box lacked by the baseline's rules, as a sentence; '' where it never did."""
    found = short_of(results, words.baseline_cells(results))
    told = listed([f"{words.name(words.title(results, metric))} in {often}" for metric, often in found])
    return f"By the rules of the baseline the box holds too little: {told}." if told else ""


def head(results: Record, metric: str) -> Entry:
    """The title of a measure with what it means in small print."""
    definition = results["definitions"].get(metric, {})
    more = f"More of it means {definition['more']}".rstrip(".") + "." if definition.get("more") else ""
    unit = f", {definition['unit']}" if _tells(definition) else ""
    explained = words.without_codes(str(definition.get("help", "")))
    note = " ".join(part for part in (explained, more) if part)
    return Entry(words.title(results, metric) + unit, note)


def _tells(definition: Record) -> bool:
    """Whether the unit says more than the title does; a share is shown in percent whatever its unit."""
    unit = str(definition.get("unit") or "")
    return (
        bool(unit)
        and not definition.get("share")
        and unit.casefold() not in str(definition["title"]).casefold()
    )


def in_full(results: Record, one: Placed) -> Blocks:
    """What is counted of one cell, but for what players take (see `usage`, `takings`)."""
    curves = [_curve(results, one, metric) for metric in of_kind(results, one.cell, "curve")]
    return [*_by_game(results, one), *([Charts(curves)] if curves else [])]


def _by_game(results: Record, one: Placed) -> list[Table]:
    counts: list[Row] = []
    rates: list[Row] = []
    for metric in of_kind(results, one.cell, "game"):
        measure = one.cell["measures"][metric]
        if "quantiles" in measure:
            counts.append([head(results, metric), *summary_row(measure)])
        else:
            rates.append([head(results, metric), *rate(measure["mean"]), words.count(measure["count"])])
    rate_heads = ["Measure", "#Share of games", "#Interval", "#Games"]
    tables = [
        table(f"Per game: {one.where}", ["Measure", *SUMMARY], counts),
        table(f"How often: {one.where}", rate_heads, rates),
    ]
    return [found for found in tables if found.rows]


def rate(estimate: Record | None) -> list[str]:
    """A share and its interval, for two columns."""
    if estimate is None:
        return [words.NOTHING, words.NOTHING]
    return [words.value(estimate, True), words.interval(estimate, True)]


def _curve(results: Record, one: Placed, metric: str) -> Chart:
    curve, names = one.cell["measures"][metric], seat_names(one.cell)
    title, unit = words.title(results, metric), words.table_word(results, "round")
    title += "" if unit.casefold() in title.casefold() else f" by {unit}"
    means = [[step["mean"] for step in line] for line in curve["seats"]]
    reached = curve.get("games", [1] * len(curve["rounds"]))
    most = sum(games >= SHOWN * max(reached) for games in reached)
    rows = [
        [f"{words.capital(unit)} {number}", *(_with_interval(line[at]) for line in means)]
        for at, number in enumerate(curve["rounds"])
    ]
    heads = [words.capital(unit), *(f"#{name}" for name in names)]
    numbers = table(f"{title}: {one.where}", heads, rows)
    upwards = str(results["definitions"][metric].get("unit") or "")
    figure = figures.curves(names, curve["rounds"][:most], [line[:most] for line in means], unit, upwards)
    rest = f" {words.capital(unit)}s that fewer than one game in twenty reached are not drawn."
    note = f"{head(results, metric).note}{rest if most < len(curve['rounds']) else ''}"
    return Chart(f"{metric}-{one.index}", title, note, figure, numbers)


def _with_interval(estimate: Record) -> str:
    return f"{words.value(estimate, False)} ({words.interval(estimate, False)})"
