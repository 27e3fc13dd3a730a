"""The most lopsided deals in words and as a table: was it the deal, or how it was played?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from balance.report import words
from balance.report.blocks import Entry, Table, table

Record = Mapping[str, Any]
BY_DEAL, HELPED, AGAINST, OPEN, SAME = (
    "the deal",
    "the deal in part",
    "the play",
    "cannot tell",
    "always the same",
)
_TOLD = {
    BY_DEAL: ("favours", "favour", ": there the deal decides"),
    HELPED: ("helps", "help", ", where an even share would be {even}"),
    AGAINST: ("goes against", "go against", ", where an even share would be {even}: there the play decided"),
}
"""What is said of a deal, of several, and after how often whoever won wins again."""


def verdict(deal: Record, cell: Record) -> str:
    """What made a deal lopsided: how surely does whoever won it also win it with other choices of the players?

    The deal decides where most replays are won again; of two, of whom one wins half of them anyway, three in four.
    """
    share, even = deal["share_again"], 1 / len(words.sides(cell))
    if deal["same"]:
        return SAME
    if share["low"] > max(1 / 2, 3 / 2 * even):
        return BY_DEAL
    if share["low"] > even:
        return HELPED
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
    many, each, allowing = "most lopsided deal was", "", ""
    if len(deals) > 1:
        many, each = f"{words.count(len(deals))} most lopsided deals were", " each"
        allowing = f", and allowing for having looked at all {words.count(len(deals))}:"
    start = (
        f"The {many} won by {ends} (usual: {usual}). Played again {words.count(times)} times{each}, with other choices "
        f"of the players{allowing or ':'}"
    )
    alike = {word: [deal for deal in deals if verdict(deal, cell) == word] for word in (*_TOLD, OPEN, SAME)}
    return f"{start} {'; '.join(_told(word, alike[word], cell) for word in alike if alike[word])}."


def _told(word: str, deals: Sequence[Record], cell: Record) -> str:
    """'1 helps whoever won it, who wins again in 45 % (36 to 54 %), where an even share would be 25.0 %'."""
    alone = len(deals) == 1
    if word == OPEN:
        return _untold(len(deals), cell)
    if word == SAME:
        played = words.plural(len(deals), "is", "are")
        return f"{played} played the same way each time, as these players roll no dice of their own"
    one, many, after = _TOLD[word]
    shares = [deal["share_again"] for deal in deals]
    often = f"{words.value(shares[0], True)} ({words.interval(shares[0], True)})"
    if not alone:
        least, most = (end(shares, key=lambda share: share["value"]) for end in (min, max))
        often = f"{words.value(least, True).removesuffix(' %')} to {words.value(most, True)}"
    whoever = "whoever won it, who wins again in" if alone else "whoever won them, who win again in"
    even = words.percent(1 / len(words.sides(cell)))
    return f"{words.plural(len(deals), one, many)} {whoever} {often}{after.format(even=even)}"


def _untold(number: int, cell: Record) -> str:
    """What is said of deals of which neither the deal nor the play can be blamed; `number` of them."""
    every, even = len(cell["lopsided"]["deals"]), words.percent(1 / len(words.sides(cell)))
    if number < every:
        return f"of {words.count(number)} nothing shows whether the deal or the play decided"
    who, which = ("whoever won it does not win", "it") if every == 1 else ("no winner wins", "any of them")
    return (
        f"{who} again more or less often than an even share of {even} by more than luck, so nothing shows that the "
        f"deal decided {which}"
    )


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
