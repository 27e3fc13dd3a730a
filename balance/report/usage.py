"""What is used and what is not: of each item how often it was offered, taken, passed and held by the winner."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from balance.report import cells, figures, words
from balance.report.blocks import Chart, Charts, Entry, Section, table
from balance.report.cells import Placed
from balance.report.measures import Row, head, of_kind

Record = Mapping[str, Any]
COUNTS = ("#Offered", "#a game", "#Taken", "#a game", "#Passed", "#Held by the winner", "#a game")
FORCED = "Always: each time that it was offered, perhaps without another choice."
SHOWN = 6
"""So many unused items are named in the sentence above; the tables mark them all."""


def section(results: Record) -> Section:
    """All counters of the game."""
    full = cells.in_full(results)
    parts = cells.by_table(results, lambda one: _of_cell(results, one) if one.index in full else [])
    told = [sentence(results)] if parts else []
    lede = " ".join([*told, cells.left_out(results)]).strip()
    return Section("usage", "What is used, and what is not", lede, parts)


def sentence(results: Record) -> str:
    """Which items the baseline never uses, and which of those that it does use it takes least."""
    found = list(_counted(results))
    unused = list(dict.fromkeys(name for name, _, item, _ in found if not _is_used(item)))
    used = {name for name, _, item, _ in found if _is_used(item)}
    never = [name for name in unused if name not in used]
    games = words.plural(sum(cell["games"] for cell in words.baseline_cells(results)), "game")
    more = len(never) - SHOWN
    names = ", ".join(never[:SHOWN]) + (f" and {words.count(more)} more" if more > 0 else "")
    told = f"Never used in {games}: {names}." if never else f"Everything was used at some time in {games}."
    rates = [
        one
        for one in found
        if one[2]["take_rate"]
        and 0 < one[2]["taken"]["total"]
        and not figures.is_always_taken(one[2])
        and not figures.is_more_than_offered(one[3])
    ]
    if not rates:
        return told
    name, cell, item, _ = min(rates, key=lambda one: float(one[2]["take_rate"]["value"]))
    share = item["take_rate"]
    return (
        f"{told} Taken least when offered: {name}, {words.value(share, True)} ({words.interval(share, True)}) with "
        f"{words.setting(cell)}."
    )


def _is_used(item: Record) -> bool:
    """Whether it was taken, or held where nothing is said of taking."""
    return bool(item["taken"]["total"] or (item["held_by_winner"]["total"] and not item["offered"]["total"]))


def _counted(results: Record) -> Iterator[tuple[str, Record, Record, Sequence[Record]]]:
    """All items of the baseline: name and counter, cell, numbers, those of all items of the counter."""
    for cell in words.baseline_cells(results):
        for metric in of_kind(results, cell, "counter"):
            items = cell["measures"][metric]["items"]
            for item in items:
                name = f"{words.name(str(item['item']))} ({words.isolated(words.title(results, metric))})"
                yield name, cell, item, items


def _of_cell(results: Record, one: Placed) -> cells.Blocks:
    counters = [
        _counter(results, one, metric)
        for metric in of_kind(results, one.cell, "counter")
        if one.cell["measures"][metric]["items"]  # all of them may be left out by the rules
    ]
    return [Charts(counters)] if counters else []


def _counter(results: Record, one: Placed, metric: str) -> Chart:
    items, title = one.cell["measures"][metric]["items"], words.title(results, metric)
    each = figures.is_more_than_offered(items)
    beside = "how often it was taken each time" if each else "how much of what was offered was taken"
    bars = f"Wide bars: offered; narrower: taken; thin: held by the winner; beside them, {beside}."
    always = FORCED if any(map(figures.is_always_taken, items)) and not each else ""
    told = " ".join(filter(None, [head(results, metric).note, bars, always]))
    heads = ["Item", *COUNTS, "#Taken when offered", "#Interval"]
    numbers = table(f"{title}: {one.where}", heads, _rows(items))
    return Chart(f"{metric}-{one.index}", title, told, figures.counter(items), numbers)


def _rows(items: Sequence[Record]) -> list[Row]:
    """What happened to each item; a zero is marked where it was offered and yet never taken or never held."""
    each = figures.is_more_than_offered(items)
    return [[str(item["item"]), *_faces(item, each), *_rate(item, each)] for item in items]


def _rate(item: Record, each: bool) -> list[str]:
    """How much of what was offered was taken; what always was may have been no choice."""
    return [figures.ALWAYS, words.NOTHING] if figures.is_always_taken(item) and not each else rate(item, each)


def rate(item: Record, each: bool) -> list[str]:
    """How much of what was offered was taken and its interval: '45.7 %'; '12.7 each' of what is no share."""
    found = item["take_rate"]
    if not found:
        return [words.NOTHING, words.NOTHING]
    return [words.value(found, not each) + " each" * each, words.interval(found, not each)]


def _faces(item: Record, each: bool) -> Row:
    offered, taken = item["offered"]["total"], item["taken"]["total"]
    row: Row = []
    for face, *_ in figures.FACES:
        total = item[face]["total"]
        row.append(Entry(words.count(total), marked=not total and offered > 0))
        row.append(words.value(item[face]["mean"], False))
        if face == "taken":
            row.append(words.NOTHING if each or taken > offered else words.count(offered - taken))
    return row
