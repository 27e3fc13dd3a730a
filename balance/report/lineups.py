"""What the players change where one set of rules was played: their level of play, or which of several types wins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from balance.report import levels, verdicts, words

Record = Mapping[str, Any]
Told = tuple[str, bool, str]
"""A question, whether the answer is more than luck, and the answer."""


def of_levels(results: Record) -> Told | None:
    """How the length and the seats, or the goal, differ between levels, at the table where the length does most."""
    tables: dict[str, list[Record]] = {}
    for cell in words.baseline_cells(results):
        if cell.get("level") is not None and "turns" in cell["measures"]:
            tables.setdefault(words.table_size(cell), []).append(cell)
    several = {table: cells for table, cells in tables.items() if len(cells) > 1}
    if not several:
        return None
    table, cells = max(several.items(), key=lambda one: _ratio(one[1]))
    most = f"with {table}" if len(several) == 1 else f"most of all with {table}:"
    (is_longer, length), (is_other, outcome) = _length(cells, results), _outcome(cells)
    told = "; ".join(part for part in (length, outcome) if part)
    return "Does the level of play matter?", is_longer or is_other, f"{most} {told}."


def _ratio(cells: Sequence[Record]) -> float:
    turns = [float(cell["measures"]["turns"]["mean"]["value"] or 0) for cell in cells]
    return max(turns) / max(min(turns), 1e-9)


def _length(cells: Sequence[Record], results: Record) -> tuple[bool, str]:
    """How long the games are at the levels where they are shortest and longest."""
    unit = words.table_word(results, "turn")
    ends = _ends([(str(one["level"]), one["measures"]["turns"]["mean"]) for one in cells])
    if not _differ(ends):
        return False, "no difference in length was found"
    stopped = {str(one["level"]) for one in cells if levels.unfinished(one) == 1}
    low, high = (
        f"{words.value(one, False)} {unit}s at level {words.name(level)}{' (no game finished)' * (level in stopped)}"
        for level, one in ends
    )
    return True, f"games take {low}, {high}"


def _outcome(cells: Sequence[Record]) -> tuple[bool, str]:
    """How far apart the seats are, or how often the goal is reached, at the levels where that is least and most."""
    if all("goal" in cell for cell in cells):
        rates = [(str(one["level"]), one["measures"]["goal_rate"]["mean"]) for one in cells]
        ends = _ends(rates)
        low, high = (f"in {words.value(one, True)} at level {words.name(level)}" for level, one in ends)
        return _differ(ends), f"the goal is reached {low}, {high}"
    judged = [one for one in cells if one.get("tests", {}).get("pairs")]
    if len(judged) < 2:
        return False, ""
    who = "teams" if "teams" in judged[0] else "seats"
    ends = _ends([(str(one["level"]), verdicts.leader(one)[2]) for one in judged])
    low, high = (f"{verdicts.apart(one)[0]} at level {words.name(level)}" for level, one in ends)
    if not _differ(ends):
        return False, f"no difference in how even the {who} are was found"
    return True, f"the {who} furthest apart differ by {low}, {high}"


def of_types(results: Record) -> Told | None:
    """Which type of player wins most and which least, at the table where they are furthest apart."""
    tables = [
        cell for cell in words.baseline_cells(results) if len(cell.get("sides", ())) > 1 < cell["players"]
    ]
    if not tables:
        return None
    ends = {
        cell["name"]: _ends([(str(one["policy"]), one["win_share"]) for one in cell["sides"]])
        for cell in tables
    }
    cell = max(tables, key=lambda one: _apart(ends[one["name"]]))
    worst, best = ends[cell["name"]]
    most, least = (f"{words.value(one, True)} ({words.interval(one, True)})" for _, one in (best, worst))
    even = words.percent(1 / cell["players"])
    where = f"most apart with {words.table_size(cell)}: " if len(tables) > 1 else ""
    wins = f"{words.name(best[0])} wins {most} in each seat that it holds, {words.name(worst[0])} {least}"
    return "Who wins?", _differ((worst, best)), f"{where}{wins}; an even share is {even}."


Named = tuple[str, Record]


def _ends(found: Sequence[Named]) -> tuple[Named, Named]:
    """The least and the most of several estimates."""
    known = [one for one in found if one[1]["value"] is not None] or list(found)
    return min(known, key=_value), max(known, key=_value)


def _value(one: Named) -> float:
    return float(one[1]["value"] or 0)


def _apart(ends: tuple[Named, Named]) -> float:
    return _value(ends[1]) - _value(ends[0])


def _differ(ends: tuple[Named, Named]) -> bool:
    """Whether the intervals of the two leave a gap between them."""
    (_, low), (_, high) = ends
    return None not in (low["high"], high["low"]) and bool(low["high"] < high["low"])
