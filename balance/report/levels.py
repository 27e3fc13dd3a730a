"""Levels of play: where a verdict depends on who plays, which has to be said before anything else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from balance.errors import listed
from balance.report import verdicts, words
from balance.report.gates import subject

Record = Mapping[str, Any]
MOSTLY = 0.5
"""From this part of its games on, stopped unfinished, a level's verdict comes with a warning."""
DECIDED = {"inside": "inside", "outside": "outside"}


def flips(results: Record) -> list[str]:
    """A sentence for each verdict that one level of play gives and another contradicts; none without levels."""
    return [*_of_seats(results), *of_gates(results)]


def unfinished(cell: Record) -> float:
    """The part of a cell's games that were stopped before they were won, from 0 to 1."""
    return float(cell["capped"]) / cell["games"] if cell["games"] else 0.0


def _cut_off(cells: Iterable[Record]) -> str:
    """' It rests on unfinished games: 100 % at level "random" were stopped at the cap.'; '' where few were."""
    found = [one for one in cells if one.get("capped") and unfinished(one) >= MOSTLY]
    told = [f"{words.percent(unfinished(one), 0)} at level {words.name(str(one['level']))}" for one in found]
    return f" It rests on unfinished games: {listed(told)} were stopped at the cap." if told else ""


def _of_seats(results: Record) -> Iterable[str]:
    tables: dict[tuple[str, str], list[Record]] = {}
    for cell in results["cells"]:
        if cell["level"] is not None and cell["blocks"]:
            tables.setdefault(_table(cell), []).append(cell)
    for (variant, table), cells in tables.items():
        where = f"With {table}, {words.isolated(variant)}"
        band = _apart({cell["level"]: DECIDED.get(cell["tests"].get("verdict", "")) for cell in cells})
        if band:
            told = [f"{word} the tolerance band between {who}" for word, who in band.items()]
            sentence = f"{where}, the verdict depends on who plays: the seats lie {' but '.join(told)}."
            yield f"{sentence}{_cut_off(cells)}"
        ahead = _apart({cell["level"]: verdicts.favoured(cell) for cell in cells})
        if ahead:
            told = [f"{who} {verb} ahead between {players}" for (who, verb), players in ahead.items()]
            sentence = f"{where}, who is ahead depends on who plays: {' but '.join(told)}."
            yield f"{sentence}{_cut_off(cells)}"


def of_gates(results: Record) -> Iterable[str]:
    """A sentence for each gate that passes at one level and fails at another."""
    for gate in results["gates"]:
        tables: dict[tuple[str, str], dict[str, str | None]] = {}
        for cell in gate["cells"]:
            if cell.get("level") is not None:
                levels = tables.setdefault(_table(cell), {})
                levels[cell["level"]] = cell["verdict"] if cell["verdict"] in ("pass", "fail") else None
        for (variant, table), verdict_at in tables.items():
            told = [f"{word} between {who}" for word, who in _apart(verdict_at).items()]
            if told:
                start = f"Gate {gate['gate'] + 1} ({subject(gate)}), {words.isolated(variant)} with {table}"
                judged = {cell["cell"] for cell in gate["cells"] if _table(cell) == (variant, table)}
                at = [cell for cell in results["cells"] if cell["name"] in judged]
                yield f"{start}, depends on who plays: {' but '.join(told)}.{_cut_off(at)}"


def _table(cell: Record) -> tuple[str, str]:
    return str(cell["variant"]), words.table_size(cell)


def _apart(found: Mapping[str, Any]) -> dict[Any, str]:
    """For each of several answers the levels that give it, in words; empty where all that answer agree."""
    answers: dict[Any, list[str]] = {}
    for level, answer in found.items():
        if answer is not None:
            answers.setdefault(answer, []).append(words.name(level))
    if len(answers) < 2:
        return {}
    return {answer: f"{listed(levels)} players" for answer, levels in answers.items()}
