"""The most lopsided deals in words and as a table: was it the deal, or how it was played?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from balance.report import words
from balance.report.blocks import Entry, Table, table

Record = Mapping[str, Any]
BY_DEAL, AGAINST, OPEN, SAME = "the deal", "the play", "cannot tell", "always the same"


def verdict(deal: Record, cell: Record) -> str:
    """What made a deal lopsided: whoever won it also wins it with other choices of the players, or does not."""
    share, even = deal["share_again"], 1 / len(words.sides(cell))
    margin = deal["margin_again"]
    if margin["low"] == margin["high"]:
        return SAME
    if share["low"] > even:
        return BY_DEAL
    return AGAINST if share["high"] < even else OPEN


def sentence(cell: Record) -> str:
    """What was found of the most lopsided deals of a cell; '' where none were played again."""
    found = cell.get("lopsided")
    if not found:
        return ""
    deals, usual = found["deals"], words.value(found["usual"], False)
    times, margins = deals[0]["margin_again"]["n"], [deal["margin"] for deal in deals]
    ends = words.quantity(max(margins))
    if min(margins) < max(margins):
        ends = f"{words.quantity(min(margins))} to {ends}"
    many = (
        "most lopsided deal was" if len(deals) == 1 else f"{words.count(len(deals))} most lopsided deals were"
    )
    each = " each" * (len(deals) > 1)
    start = (
        f"The {many} won by {ends} (usual: {usual}). Played again {words.count(times)} times{each}, with other choices "
        "of the players,"
    )
    counts = {
        word: sum(verdict(deal, cell) == word for deal in deals) for word in (BY_DEAL, AGAINST, OPEN, SAME)
    }
    told = [
        (BY_DEAL, "favours whoever won it", "favour whoever won them", ": there the deal decides"),
        (AGAINST, "favours the others", "favour the others", ": there the play decided"),
        (OPEN, "does not tell", "do not tell", ""),
        (SAME, "is", "are", " played the same way each time, as these players roll no dice of their own"),
    ]
    parts = [
        f"{words.plural(counts[word], one, many)}{text}" for word, one, many, text in told if counts[word]
    ]
    return f"{start} {'; '.join(parts)}."


def numbers(cell: Record, where: str) -> Table:
    """The deals one by one."""
    heads = ["#Game", "Won by", "#Margin", "#Margin again", "#Interval", "#Wins again", "#Interval", "It was"]
    rows: list[list[str | Entry]] = [
        [
            str(deal["game"]),
            words.side(deal),
            words.quantity(deal["margin"]),
            words.value(deal["margin_again"], False),
            words.interval(deal["margin_again"], False),
            words.value(deal["share_again"], True),
            words.interval(deal["share_again"], True),
            verdict(deal, cell),
        ]
        for deal in cell["lopsided"]["deals"]
    ]
    return table(f"The most lopsided deals, played again: {where}", heads, rows)
