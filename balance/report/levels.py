"""Levels of play: where a verdict depends on who plays, which has to be said before anything else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from balance.errors import listed
from balance.report import verdicts, words
from balance.report.gates import subject

Record = Mapping[str, Any]
DECIDED = {"inside": "inside", "outside": "outside"}


def flips(results: Record) -> list[str]:
    """A sentence for each verdict that one level of play gives and another contradicts; none without levels."""
    return [*_of_seats(results), *of_gates(results["gates"])]


def _of_seats(results: Record) -> Iterable[str]:
    tables: dict[tuple[str, str], list[Record]] = {}
    for cell in results["cells"]:
        if cell["level"] is not None and cell["blocks"]:
            tables.setdefault((cell["variant"], words.table_size(cell)), []).append(cell)
    for (variant, table), cells in tables.items():
        where = f"With {table}, {words.isolated(variant)}"
        band = _apart({cell["level"]: DECIDED.get(cell["tests"].get("verdict", "")) for cell in cells})
        if band:
            told = [f"{word} the tolerance band between {who}" for word, who in band.items()]
            yield f"{where}, the verdict depends on who plays: the seats lie {' but '.join(told)}."
        ahead = _apart({cell["level"]: verdicts.favoured(cell) for cell in cells})
        if ahead:
            told = [f"{who} {verb} ahead between {players}" for (who, verb), players in ahead.items()]
            yield f"{where}, who is ahead depends on who plays: {' but '.join(told)}."


def of_gates(gates: Sequence[Record]) -> Iterable[str]:
    """A sentence for each gate that passes at one level and fails at another."""
    for gate in gates:
        tables: dict[tuple[str, str], dict[str, str | None]] = {}
        for cell in gate["cells"]:
            if cell.get("level") is not None:
                levels = tables.setdefault((cell["variant"], words.table_size(cell)), {})
                levels[cell["level"]] = cell["verdict"] if cell["verdict"] in ("pass", "fail") else None
        for (variant, table), verdict_at in tables.items():
            told = [f"{word} between {who}" for word, who in _apart(verdict_at).items()]
            if told:
                start = f"Gate {gate['gate'] + 1} ({subject(gate)}), {words.isolated(variant)} with {table}"
                yield f"{start}, depends on who plays: {' but '.join(told)}."


def _apart(found: Mapping[str, Any]) -> dict[Any, str]:
    """For each of several answers the levels that give it, in words; empty where all that answer agree."""
    answers: dict[Any, list[str]] = {}
    for level, answer in found.items():
        if answer is not None:
            answers.setdefault(answer, []).append(words.name(level))
    if len(answers) < 2:
        return {}
    return {answer: f"{listed(levels)} players" for answer, levels in answers.items()}
