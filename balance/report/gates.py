"""Gates in words: one row for each cell that a gate covers, the worst first."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from balance.errors import listed
from balance.report import words
from balance.report.blocks import Entry, Section, Table, Text, table

Record = Mapping[str, Any]
ORDER = ("fail", "no data", "inconclusive", "pass")
"""From the worst to the best."""
SPREAD = "seat_spread"
_MOST_DIGITS = 6
_AGAINST = {None: "", "baseline": " against the baseline", "file": " against the baseline file"}


@dataclass(frozen=True)
class Row:
    """A gate in one cell; names that somebody chose are as they were written."""

    gate: int
    verdict: str
    warns: bool
    """True: it is shown, but never fails a check."""
    subject: str
    variant: str
    table: str
    limits: str
    found: str
    """What was found, with its interval and how many blocks it rests on."""
    more: str
    """What it would take to decide it; '' where it is decided."""
    why: str

    @property
    def where(self) -> str:
        """The cell: 'baseline, 4 players'."""
        return f"{self.variant}, {self.table}"


def rows(results: Record) -> list[Row]:
    """All gates in all their cells: the worst first, those that only warn after those that fail a check."""
    found = [_row(gate, cell) for gate in results["gates"] for cell in gate["cells"]]
    return sorted(found, key=lambda row: (row.warns and row.verdict != "pass", ORDER.index(row.verdict)))


def summary(results: Record) -> str:
    """How many gates came to what: '3 gates: 1 failed and 2 passed. A wrong verdict ...'."""
    names = {"fail": "failed", "no data": "had no data", "inconclusive": "undecided", "pass": "passed"}
    counts = {"error": dict.fromkeys(ORDER, 0), "warn": dict.fromkeys(ORDER, 0)}
    for gate in results["gates"]:
        counts[gate["level"]][gate["verdict"]] += 1
    told = [f"{number} {names[verdict]}" for verdict, number in counts["error"].items() if number]
    warned = [f"{number} {names[verdict]}" for verdict, number in counts["warn"].items() if number]
    of = words.plural(sum(counts["error"].values()), "gate")
    sentence = f"{of}: {listed(told)}." if told else "No gate can fail this check."
    if warned:
        of_warnings = words.plural(sum(counts["warn"].values()), "gate")
        sentence += f" {of_warnings} only to warn: {listed(warned)}."
    return f"{sentence} {_sure(results)}"


def _sure(results: Record) -> str:
    many = sum(len(gate["cells"]) for gate in results["gates"]) > 1
    chance = words.quantity(round(100 * (1 - results["confidence"]), 6))
    together = " in all of them together" if many else ""
    return f"A wrong verdict{together} has a chance of {chance} % at most."


def _row(gate: Record, cell: Record) -> Row:
    return Row(
        gate["gate"],
        cell["verdict"],
        gate["level"] == "warn",
        subject(gate),
        cell["variant"],
        words.setting(cell),
        limits(gate),
        _found(gate, cell),
        _more(cell),
        gate["why"],
    )


def subject(gate: Record) -> str:
    """What is judged: 'win_share of seat 1', 'turns against the baseline'."""
    whose = [words.seat(gate["seat"])] if gate["seat"] is not None else []
    whose = [gate["policy"], *whose] if gate["policy"] else whose
    of = f" of {' in '.join(whose)}" if whose else ""
    return f"{gate['metric']}{of}{_AGAINST[gate['against']]}"


def limits(gate: Record) -> str:
    """'at most 3 points', 'from 24 % to 26 %'."""
    low, high = (_limit(gate["limits"][end], gate) for end in ("low", "high"))
    if not low or not high:
        return f"at least {low}" if low else f"at most {high}"
    return f"exactly {low}" if low == high else f"from {low} to {high}"


def _limit(number: float | None, gate: Record) -> str:
    return "" if number is None else f"{_plain(number * _scale(gate))}{_unit(gate)}"


def _plain(number: float) -> str:
    """A number as short as it can be."""
    return f"{round(number, 9):,.9f}".rstrip("0").rstrip(".")


def _scale(gate: Record) -> int:
    return 100 if gate["share"] else 1


def _unit(gate: Record) -> str:
    if not gate["share"]:
        return ""
    return " points" if gate["against"] or gate["metric"] == SPREAD else " %"


def _found(gate: Record, cell: Record) -> str:
    estimate, scale, unit = cell["estimate"], _scale(gate), _unit(gate)
    if estimate["value"] is None:
        return "nothing was measured"
    blocks = _blocks(estimate["n"], cell["rotations"])
    value, low, high = (estimate[name] for name in ("value", "low", "high"))
    digits = _digits(gate, estimate)
    shown = words.fixed(scale * value, digits)
    pair = f" between {cell['sides']} {listed(one + 1 for one in cell['pair'])}" if "pair" in cell else ""
    if low is None or high is None:
        return f"{shown}{unit}{pair}, and how sure that is cannot be told yet ({blocks})"
    ends = " to ".join(words.fixed(scale * end, digits) for end in (low, high))
    return f"{shown}{unit}{pair} ({ends}; {blocks})"


def _blocks(n: int, rotations: int) -> str:
    """The independent observations: '1,000 games', '1,000 blocks of 4 games'."""
    return words.plural(n, "game") if rotations == 1 else f"{words.plural(n, 'block')} of {rotations} games"


def _digits(gate: Record, estimate: Record) -> int:
    """So many decimals that nothing seems to lie on a limit that does not."""
    scale = _scale(gate)
    known = [scale * estimate[name] for name in ("value", "low", "high") if estimate[name] is not None]
    ends = [scale * end for end in gate["limits"].values() if end is not None]
    digits = int(words.decimals((max(known) - min(known)) / 2))
    while digits < _MOST_DIGITS and any(
        not math.isclose(one, end, rel_tol=1e-12) and round(one, digits) == round(end, digits)
        for one in known
        for end in ends
    ):
        digits += 1
    return digits


def _more(cell: Record) -> str:
    if cell["verdict"] != "inconclusive":
        return ""
    if cell["more_games"] is None:
        return "Nobody can say how many more games would decide it: it lies too close to a limit."
    return f"About {words.count(_rounded(cell['more_games']))} more games would decide it."


def _rounded(games: int) -> int:
    """A number of games rounded up to two digits: it is an estimate."""
    unit = int(10 ** max(0, len(str(games)) - 2))
    return -(-games // unit) * unit


def games_needed(results: Record) -> int | None:
    """About how many games a cell takes until all gates are decided; None where there is nothing to say."""
    played = {cell["name"]: cell["games"] for cell in results["cells"]}
    needed = [
        None if cell["more_games"] is None else played[cell["cell"]] + cell["more_games"]
        for gate in results["gates"]
        for cell in gate["cells"]
        if gate["verdict"] == cell["verdict"] == "inconclusive"
    ]
    known = [games for games in needed if games is not None]
    return _rounded(max(known)) if known and len(known) == len(needed) else None


def section(results: Record) -> Section:
    """The gates on the page."""
    found = rows(results)
    if not found:
        return Section("gates", "")
    return Section("gates", "Do the gates hold?", summary(results), [_table(found)])


def _table(found: Sequence[Row]) -> Table | Text:
    heads = ["Verdict", "Gate", "Where", "Limits", "Found"]
    return table("The gates, the worst first", heads, [_entries(row) for row in found])


def _entries(row: Row) -> list[str | Entry]:
    where = f"{words.isolated(row.variant)}, {row.table}"
    verdict = f"{row.verdict} (only warns)" if row.warns and row.verdict != "pass" else row.verdict
    return [
        Entry(verdict, marked=row.verdict == "fail"),
        Entry(row.subject, row.why),
        where,
        row.limits,
        Entry(row.found, row.more),
    ]
