"""What a run says that was played until shares were known well enough: one sentence, and both kinds of intervals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from balance.report import words
from balance.report.blocks import Part, Section, table

Record = Mapping[str, Any]
HEADS = ("", "share", "interval", "allowing for looks")


def sentence(results: Record) -> str:
    """How the intervals are to be read; '' for a run of a number of games that was fixed."""
    found = results.get("precision")
    if found is None:
        return ""
    within = f"{round(100 * found['half_width'], 6):g}{words.PP}"
    what = _what(found)
    ends = "ended" if results["status"] == "complete" else "was interrupted; it would have ended"
    return (
        f"Play {ends} as soon as {what} was known to within {within}, so the intervals that allow for having looked "
        "again and again are the ones to trust; the plain ones would hold for a number of games fixed beforehand."
    )


def _what(found: Record) -> str:
    shares = [share for cell in found["cells"] for share in cell["shares"]]
    if all(share["seat"] is None for share in shares):
        return "how often the goal is reached"
    return f"the share of wins of every {'team' if all('seats' in share for share in shares) else 'seat'}"


def cells(results: Record) -> Iterator[tuple[str, list[list[str]]]]:
    """Each cell in words, with a row for each share: whose, the share, the plain interval, the one to trust."""
    named = {cell["name"]: cell for cell in results["cells"]}
    found = results.get("precision")
    for one in found["cells"] if found else ():
        cell = named[one["cell"]]
        where = f"{words.setting(cell)}, {words.isolated(cell['variant'])}"
        yield where, [_row(share) for share in one["shares"]]


def _row(share: Record) -> list[str]:
    whose = "goal reached" if share["seat"] is None else words.side(share)
    both = [words.interval(share[which], True) for which in ("plain", "adjusted")]
    return [whose, words.value(share["adjusted"], True), *both]


def section(results: Record) -> Section:
    """The same on the page."""
    heads = ["Share of", "#Value", "#Interval", "#Allowing for looks"]
    parts = [Part(where, [table(where, heads, rows)]) for where, rows in cells(results)]
    return Section("precision", "How well are the shares known?", sentence(results), parts)
