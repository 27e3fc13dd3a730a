"""What it would take to decide the gates of a check that are not decided yet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from balance.report import words

Record = Mapping[str, Any]
OPEN = "inconclusive"


def more(gate: Record, cell: Record) -> str:
    """What it would take to decide a gate in a cell, as a sentence; '' where it is decided, or the whole gate is."""
    if not gate["verdict"] == cell["verdict"] == OPEN:
        return ""
    if cell.get("never_passes"):
        return "It can fail, but never pass: no number of games makes an interval that fits into such limits."
    if cell.get("file_too_small"):
        return "No number of games decides it: the baseline file holds too few. Keep a larger one."
    if cell["more_games"] is None and None in (cell["estimate"]["low"], cell["estimate"]["high"]):
        return "Too few games were played to say how many more would decide it."
    if cell["more_games"] is None:
        own = " for the baseline file's own interval" if "file_blocks" in cell else ""
        return f"Nobody can say how many more games would decide it: it lies too close to a limit{own}."
    return f"About {words.count(_rounded(cell['more_games']))} more games would probably decide it."


def games_needed(results: Record) -> int | None:
    """About how many games a cell takes until all gates are decided; None where there is nothing to say."""
    played = {cell["name"]: cell["games"] for cell in results["cells"]}
    needed = [_needed(gate, played) for gate in results["gates"] if gate["verdict"] == OPEN]
    known = [games for games in needed if games is not None]
    return _rounded(max(known)) if known and len(known) == len(needed) else None


def is_of_several(results: Record) -> bool:
    """Whether any gate that is not decided asks in more than one cell."""
    return any(len(gate["cells"]) > 1 for gate in results["gates"] if gate["verdict"] == OPEN)


def _needed(gate: Record, played: Mapping[str, int]) -> int | None:
    """The same of one gate: until the first cell fails, where one looks like it, or else until all pass."""
    cells = [cell for cell in gate["cells"] if cell["verdict"] == OPEN]
    failing = [cell for cell in cells if _lies_outside(cell["estimate"]["value"], gate["limits"])]
    if found := list(_totals(failing, played)):
        return min(found)
    found = list(_totals(cells, played))
    return max(found) if len(found) == len(cells) else None


def _totals(cells: list[Record], played: Mapping[str, int]) -> Iterator[int]:
    for cell in cells:
        if cell["more_games"] is not None:
            yield played[cell["cell"]] + cell["more_games"]


def _lies_outside(value: float, limits: Record) -> bool:
    low, high = limits["low"], limits["high"]
    return (low is not None and value < low) or (high is not None and value > high)


def _rounded(games: int) -> int:
    """A number of games rounded up to two digits: it is an estimate."""
    unit = int(10 ** max(0, len(str(games)) - 2))
    return -(-games // unit) * unit
