"""What a game counts, shown by kind alone: no game is known here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from balance.report import figures, words
from balance.report.blocks import Chart, Charts, Entry, Table, table
from balance.report.cells import SUMMARY, Blocks, Placed, seat_names, summary_row

Record = Mapping[str, Any]
FIRST = ("turns", "rounds", "plies", "score_margin", "tie_rate")
"""Measures that every game has come first, the game's own follow by name."""


def in_order(ids: Sequence[str]) -> list[str]:
    """The ids in the order of the page, whatever the order of the results."""
    return sorted(ids, key=lambda one: (FIRST.index(one) if one in FIRST else len(FIRST), one))


def of_kind(results: Record, cell: Record, kind: str) -> list[str]:
    """The measures of one kind that a cell has."""
    definitions = results["definitions"]
    return in_order([one for one in cell["measures"] if definitions.get(one, {}).get("kind") == kind])


def head(results: Record, metric: str) -> Entry:
    """The title of a measure with what it means in small print."""
    definition = results["definitions"].get(metric, {})
    more = f"More of it means {definition['more']}".rstrip(".") + "." if definition.get("more") else ""
    unit = f", {definition['unit']}" if _tells(definition) else ""
    note = " ".join(part for part in (str(definition.get("help", "")), more) if part)
    return Entry(words.title(results, metric) + unit, note)


def _tells(definition: Record) -> bool:
    """Whether the unit says more than the title does."""
    unit = str(definition.get("unit") or "")
    return bool(unit) and unit.casefold() not in str(definition["title"]).casefold()


def in_full(results: Record, one: Placed) -> Blocks:
    """All measures of one cell."""
    charts = [
        *(_curve(results, one, metric) for metric in of_kind(results, one.cell, "curve")),
        *(_counter(results, one, metric) for metric in of_kind(results, one.cell, "counter")),
    ]
    return [*_by_game(results, one), *_by_seat(results, one), *([Charts(charts)] if charts else [])]


def _by_game(results: Record, one: Placed) -> list[Table]:
    ids = of_kind(results, one.cell, "game")
    shares = [metric for metric in ids if "quantiles" not in one.cell["measures"][metric]]
    counts = [[head(results, metric), *summary_row(one.cell["measures"][metric])] for metric in ids if metric not in shares]
    rates = [[head(results, metric), *_rate(one.cell["measures"][metric])] for metric in shares]
    tables = [table(f"Per game: {one.where}", ["Measure", *SUMMARY], counts)] if counts else []
    if rates:
        tables.append(table(f"How often: {one.where}", ["Measure", "#Share of games", "#Interval", "#Games"], rates))
    return tables


def _rate(measure: Record) -> list[str]:
    return [words.value(measure["mean"], True), words.interval(measure["mean"], True), words.count(measure["count"])]


def _by_seat(results: Record, one: Placed) -> list[Table]:
    rows = [
        [head(results, metric) if not seat else words.isolated(words.title(results, metric)), name, *summary_row(summary)]
        for metric in of_kind(results, one.cell, "seat")
        for seat, (name, summary) in enumerate(zip(seat_names(one.cell), one.cell["measures"][metric]["seats"], strict=True))
    ]
    return [table(f"Per seat: {one.where}", ["Measure", "Seat", *SUMMARY], rows)] if rows else []


def _curve(results: Record, one: Placed, metric: str) -> Chart:
    curve, title = one.cell["measures"][metric], words.title(results, metric)
    names, unit = seat_names(one.cell), words.table_word(results, "round")
    means = [[step["mean"] for step in line] for line in curve["seats"]]
    rows = [
        [f"{words.capital(unit)} {number}", *(f"{words.value(line[at], False)} ({words.interval(line[at], False)})" for line in means)]
        for at, number in enumerate(curve["rounds"])
    ]
    numbers = table(f"{title} by {unit}: {one.where}", [words.capital(unit), *(f"#{name}" for name in names)], rows)
    figure = figures.curves(names, curve["rounds"], means, unit, str(results["definitions"][metric].get("unit") or title))
    return Chart(f"{metric}-{one.index}", f"{title} by {unit}", head(results, metric).note, figure, numbers)


def _counter(results: Record, one: Placed, metric: str) -> Chart:
    items, title = one.cell["measures"][metric]["items"], words.title(results, metric)
    rows = [_item(item) for item in items]
    heads = ["Item", "#Offered", "#a game", "#Taken", "#a game", "#Held by the winner", "#a game", "#Taken when offered", "#Interval"]
    sentence = f"{head(results, metric).note} Wide bars: offered; narrower: taken; thin: held by the winner.".strip()
    return Chart(f"{metric}-{one.index}", title, sentence, figures.counter(items), table(f"{title}: {one.where}", heads, rows))


def _item(item: Record) -> list[str | Entry]:
    rate = item["take_rate"]
    faces: list[str | Entry] = []
    for face, _, _, _ in figures.FACES:
        never = face != "offered" and item["offered"]["total"] and not item[face]["total"]
        faces += [Entry(words.count(item[face]["total"]), marked=bool(never)), words.value(item[face]["mean"], False)]
    return [str(item["item"]), *faces, words.value(rate, True) if rate else words.NOTHING, words.interval(rate, True) if rate else words.NOTHING]
