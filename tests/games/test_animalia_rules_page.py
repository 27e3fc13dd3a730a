"""RULES.md names every rule and ruling, and only kernels that there are."""

from __future__ import annotations

import re
from pathlib import Path

from balance.games import animalia
from balance.games.animalia import building, cards, hidden, layout, medals, powers, rules

PAGE = (Path(animalia.__file__).parent / "RULES.md").read_text(encoding="utf-8")
HEADINGS = [
    "Edition and sources",
    "How the code maps to the contract's ids",
    "Parameters",
    "Departures",
    "Version history",
]


def test_headings() -> None:
    assert re.findall(r"^## (.*)$", PAGE, re.MULTILINE) == HEADINGS
    assert "## Departures\n\nNone.\n" in PAGE


def test_every_rule_ruling_and_decision_is_placed() -> None:
    placed = set(re.findall(r"\b[ARD]-\d+", PAGE)) | {f"D-{number}" for number in range(1, 10)}
    due = (
        {f"A-{n}" for n in range(1, 49)} | {f"R-{n}" for n in range(1, 51)} | {f"D-{n}" for n in range(1, 10)}
    )
    assert placed == due


def test_every_kernel_named_is_there() -> None:
    table = [line.split("|")[2] for line in PAGE.splitlines() if line.startswith("|")]
    named = {name for cell in table for name in re.findall(r"`(\w+)`", cell)}
    assert len(named) > 30
    modules = (rules, building, cards, hidden, medals, powers, layout)
    there = {name for module in modules for name, value in vars(module).items() if callable(value)}
    assert named - there == set()


def test_the_history_ends_with_the_version_of_the_rules() -> None:
    versions = re.findall(r"^- \*\*(\d+)\*\*", PAGE, re.MULTILINE)
    assert versions == [str(number) for number in range(1, animalia.GAME.rules_version + 1)]
