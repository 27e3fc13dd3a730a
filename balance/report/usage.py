"""What is used and what is not: of each item how often it was offered, taken, passed and held by the winner."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from balance.report import cells, figures, words
from balance.report.blocks import Chart, Charts, Entry, Section, Table, table
from balance.report.cells import Placed
from balance.report.measures import Row, head, of_kind

Record = Mapping[str, Any]
BARS = ("Wide bars", "narrower", "thin")
FORCED = "Always: each time that it was offered, perhaps without another choice."
SHOWN = 6
"""So many unused items are named in the sentence above; the tables mark them all."""


def section(results: Record) -> Section:
    """All counters of the game."""
    full = cells.in_full(results)
    parts = cells.by_table(results, lambda one: _of_cell(results, one) if one.index in full else [])
    told = [sentence(results), cells.left_out(results)] if parts else []
    lede = " ".join(filter(None, told))
    return Section("usage", "What is used, and what is not", lede, parts)


def faces(results: Record, cell: Record, metric: str) -> tuple[str, ...]:
    """What the numbers of a counter are called; those of the winner are left out where nobody can be beaten."""
    first = tuple(results["definitions"].get(metric, {}).get("faces", figures.ALL_FACES[:2]))
    winner = "by the winner" if is_no_choice(results, metric) else figures.ALL_FACES[-1]
    return (*first, winner) if cell["players"] > 1 else first


def is_no_choice(results: Record, metric: str) -> bool:
    """Whether the game has names of its own for what it counts: nobody offers that, and nobody takes or passes it."""
    return "faces" in results["definitions"].get(metric, {})


def sentence(results: Record) -> str:
    """Which items the baseline never uses, and which of those that it does use it takes least."""
    found = list(_counted(results))
    if not found:
        return ""
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
    """All items of the baseline that can be chosen: name and counter, cell, numbers, those of all of the counter."""
    for cell in words.baseline_cells(results):
        for metric in of_kind(results, cell, "counter"):
            if is_no_choice(results, metric):
                continue
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
    each, is_choice = figures.is_more_than_offered(items), not is_no_choice(results, metric)
    called = faces(results, one.cell, metric)
    beside = "how often it was taken each time" if each else "how much of what was offered was taken"
    bars = "; ".join(f"{bar}: {face}" for bar, face in zip(BARS, called, strict=False))
    forced = is_choice and any(map(figures.is_always_taken, items)) and not each
    told = [head(results, metric).note, f"{bars}; beside them, {beside if is_choice else 'the rate'}."]
    drawn = figures.counter(items, called)
    sentences = " ".join(filter(None, [*told, FORCED if forced else ""]))
    return Chart(
        f"{metric}-{one.index}", title, sentences, drawn, _numbers(one, title, items, called, is_choice)
    )


def _numbers(
    one: Placed, title: str, items: Sequence[Record], called: Sequence[str], is_choice: bool
) -> Table:
    """What happened to each item; a zero is marked where it was offered and yet never taken or never held."""
    each, heads = figures.is_more_than_offered(items), ["Item"]
    for at, face in enumerate(called):
        heads += [f"#{words.capital(face)}", "#a game", *(["#Passed"] if is_choice and at == 1 else [])]
    heads += ["#Taken when offered" if is_choice else "#Rate", "#Interval"]
    rows: list[Row] = []
    for item in items:
        always = is_choice and figures.is_always_taken(item) and not each
        last = [figures.ALWAYS, words.NOTHING] if always else rate(item, each)
        rows.append([str(item["item"]), *_faces(item, each, len(called), is_choice), *last])
    return table(f"{title}: {one.where}", heads, rows)


def rate(item: Record, each: bool) -> list[str]:
    """How much of what was offered was taken and its interval: '45.7 %'; '12.7 each' of what is no share."""
    found = item["take_rate"]
    if not found:
        return [words.NOTHING, words.NOTHING]
    return [words.value(found, not each) + " each" * each, words.interval(found, not each)]


def _faces(item: Record, each: bool, shown: int, is_choice: bool) -> Row:
    offered, taken = item["offered"]["total"], item["taken"]["total"]
    row: Row = []
    for face, *_ in figures.FACES[:shown]:
        total = item[face]["total"]
        row.append(Entry(words.count(total), marked=is_choice and not total and offered > 0))
        row.append(words.value(item[face]["mean"], False))
        if face == "taken" and is_choice:
            row.append(words.NOTHING if each or taken > offered else words.count(offered - taken))
    return row
