"""Void games of variants: what they are compared on is then a choice among the deals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from balance.errors import listed
from balance.report import words

Record = Mapping[str, Any]
_CELL = ("variant", "players", "mode", "level")
FEW = 0.01
"""A smaller part of the games being void is told beside the warnings, not before all changes."""
MOST_NAMED = 3


def few(results: Record) -> list[str]:
    """The variants of which so few games are void that it hardly matters, in a sentence; empty where there is none."""
    found = [pair for pair in _unlike(results) if _is_few(*pair)]
    if not found:
        return []
    variants = list(dict.fromkeys(words.name(cell["variant"]) for cell, _ in found))
    more = len(variants) - MOST_NAMED
    shown = [*variants[:MOST_NAMED], *([f"{words.count(more)} more"] if more > 0 else [])]
    most = max(max(map(_part, pair)) for pair in found)
    return [
        f"A few games are void, at most {words.percent(most, 2)}, in the comparison with {listed(shown)}: only deals "
        "that are void under neither set of rules are compared."
    ]


def sentences(results: Record) -> Iterable[str]:
    """The variants of which so many games are void, or of the baseline's, that it matters, one by one."""
    compared = {tuple(one[key] for key in _CELL): one for one in results["comparisons"]}
    for cell, before in _unlike(results):
        if _is_few(cell, before):
            continue
        worse = "Worse: " if _part(cell) > _part(before) else ""
        yield (
            f"{worse}{words.name(cell['variant'])} with {words.setting(cell)}: {words.count(cell['void'])} of "
            f"{words.plural(cell['games'], 'game')} are void, {words.count(before['void'])} by the baseline. "
            f"{_left(compared.get(tuple(cell[key] for key in _CELL)))}"
        )


def _unlike(results: Record) -> Iterable[tuple[Record, Record]]:
    """The cells of variants of which another part of the games is void than by the baseline's rules, each with that of
    the baseline."""
    cells = {tuple(cell[key] for key in _CELL): cell for cell in results["cells"]}
    compared = {tuple(one[key] for key in _CELL): one for one in results["comparisons"]}
    for key, cell in cells.items():
        before, left_out = cells.get(("baseline", *key[1:])), compared.get(key, {}).get("left_out", 0)
        if before is None or not cell["games"] or not before["games"]:
            continue
        if left_out or cell["void"] * before["games"] != before["void"] * cell["games"]:
            yield cell, before


def _is_few(cell: Record, before: Record) -> bool:
    """Whether hardly any game is void by either set of rules."""
    return max(_part(cell), _part(before)) < FEW


def _part(cell: Record) -> float:
    return float(cell["void"] / cell["games"])


def _left(comparison: Record | None) -> str:
    """What void games leave to compare."""
    if comparison is None:
        return "No deal is void under neither, so nothing is compared."
    told = "Only deals that are void under neither are compared, and they may not be like the others."
    if not comparison.get("left_out"):
        return told
    means = "Means before and after are of all games that count by either set of rules"
    return f"{told} {means}, so they need not differ by the change."
