"""The cells of a run in the order of the page, and how each is called there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from balance.errors import listed
from balance.report import words
from balance.report.blocks import Part, Text

Record = Mapping[str, Any]
Blocks = list[Any]


@dataclass(frozen=True)
class Placed:
    """A cell and its place in the results, which names its charts."""

    index: int
    cell: Record

    @property
    def label(self) -> str:
        """What sets the cell apart from the others at the same table."""
        return words.isolated(str(self.cell["variant"]))

    @property
    def quoted(self) -> str:
        """The label inside a sentence: '"baseline"'."""
        return words.name(str(self.cell["variant"]))

    @property
    def where(self) -> str:
        """The cell in words: 'baseline, 4 players'."""
        return f"{words.isolated(str(self.cell['variant']))}, {words.setting(self.cell)}"


def placed(results: Record) -> list[Placed]:
    """The cells with numbers of their own: by number of players, the baseline first, without what is the same."""
    same = {_at(one) for one in results["comparisons"] if is_same(one)}
    return [one for one in every(results) if _at(one.cell) not in same]


def is_same(comparison: Record) -> bool:
    """Whether a variant came out as the baseline did, game for game."""
    return not comparison["changed"] and not comparison.get("left_out")


def twins(results: Record, cell: Record) -> list[str]:
    """The variants that came out as this baseline did in every game, by name, in quotation marks."""
    return [
        words.name(str(one["variant"]))
        for one in results["comparisons"]
        if is_same(one) and _table(one) == _table(cell) and one["baseline"] == cell["variant"]
    ]


def _at(one: Record) -> tuple[object, ...]:
    return one["variant"], *_table(one)


def every(results: Record) -> list[Placed]:
    """All cells in which games count, in the same order."""
    baseline = words.baseline_name(results)
    cells = [Placed(index, cell) for index, cell in enumerate(results["cells"]) if cell["blocks"]]
    return sorted(cells, key=lambda one: (*_table(one.cell), one.cell["variant"] != baseline, one.index))


def _table(cell: Record) -> tuple[int, str, str]:
    return cell["players"], cell.get("mode") or "", cell.get("level") or ""


MOST_IN_FULL = 9
"""So many cells have all their charts on the page; of more, the baseline's alone, lest the page grow too large."""


def thinned(results: Record) -> bool:
    """Whether only the cells of the baseline have charts."""
    return len(every(results)) > MOST_IN_FULL


def in_full(results: Record) -> set[int]:
    """The places of the cells that have all their charts on the page."""
    shown = placed(results)
    if thinned(results):
        baseline = words.baseline_name(results)
        shown = [one for one in shown if one.cell["variant"] == baseline][:MOST_IN_FULL]
    return {one.index for one in shown}


def left_out(results: Record) -> str:
    """Where to find the charts' numbers that the page leaves out; '' where it has them all."""
    if not thinned(results):
        return ""
    return (
        f"Of {words.count(len(every(results)))} cells only those of the baseline have their charts and all their "
        "measures here; those of the others stand beside this page, in results.json and in the folder tables."
    )


def by_table(results: Record, build: Callable[[Placed], Blocks]) -> list[Part]:
    """A part for each number of players: the first cell (the baseline) open, every other one folded."""
    groups: dict[tuple[int, str, str], list[tuple[Placed, Blocks]]] = {}
    for one in placed(results):
        blocks = build(one)
        if blocks:
            groups.setdefault(_table(one.cell), []).append((one, blocks))
    return [_part(group, twins(results, group[0][0].cell)) for group in groups.values()]


def _part(group: list[tuple[Placed, Blocks]], same: list[str]) -> Part:
    (first, blocks), *others = group
    alike = f", and of {listed(same)}, which came out the same in every game" if same else ""
    rest = "; the others are folded below" if others else ""
    told = Text([f"These are the numbers of {first.quoted}{alike}{rest}."], "aside")
    folded = [Part(one.label, its_blocks, folded=True) for one, its_blocks in others]
    return Part(words.setting(first.cell), [*([told] if others or same else []), *blocks, *folded])


def seat_names(cell: Record) -> list[str]:
    """'Seat 1', 'Seat 2'..."""
    return [words.capital(words.seat(entry["seat"])) for entry in cell["seats"]]


def sides(cell: Record) -> tuple[list[str], list[Record]]:
    """All who compete, by name ('Seat 1' or 'Seats 1 and 3'), and what is known of them."""
    found = words.sides(cell)
    return [words.capital(name) for name, _ in found], [entry for _, entry in found]


def facts(cell: Record) -> str:
    """How many games stand behind a cell, and which of them ended unusually."""
    rotated = f" in {words.plural(cell['blocks'], 'block')}" if cell["rotations"] > 1 else ""
    capped = f"; {words.plural(cell['capped'], 'game')} ended at the cap" if cell["capped"] else ""
    void = f"; {words.plural(cell['void'], 'void game')}, left out of every mean" if cell["void"] else ""
    return f"{words.plural(cell['games'], 'game')}{rotated}{capped}{void}."
