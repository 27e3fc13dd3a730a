"""RULES.md names every rule and ruling, and only kernels that there are."""

from __future__ import annotations

import re
from pathlib import Path

from balance.games import zooloretto
from balance.games.zooloretto import (
    counts,
    hidden,
    layout,
    lists,
    money,
    options,
    params,
    policies,
    rules,
    scoring,
    spending,
    trucks,
    worth,
    zoo,
)

PAGE = (Path(zooloretto.__file__).parent / "RULES.md").read_text(encoding="utf-8")
HEADINGS = [
    "Edition and sources",
    "How the code maps to the contract's ids",
    "Parameters",
    "Void games",
    "Departures",
    "Version history",
]
MODULES = (
    *(counts, hidden, layout, lists, money, options, params, policies, rules, scoring, spending),
    *(trucks, worth, zoo),
)


def placed() -> set[str]:
    """The ids in the table; `Z-1 to Z-8` stands for all of them."""
    found = set()
    for line in PAGE.splitlines():
        if line.startswith("|"):
            for kind, first, last in re.findall(r"\b([ZAD])-(\d+)(?: to [ZAD]-(\d+))?", line.split("|")[3]):
                found |= {f"{kind}-{number}" for number in range(int(first), int(last or first) + 1)}
    return found


def test_headings() -> None:
    assert re.findall(r"^## (.*)$", PAGE, re.MULTILINE) == HEADINGS
    assert "## Departures\n\nNone." in PAGE


def test_every_rule_ruling_and_decision_is_placed() -> None:
    due = {f"Z-{n}" for n in range(1, 70)} | {f"A-{n}" for n in range(1, 53)} | {"D-1", "D-2", "D-3"}
    assert placed() == due


def test_every_kernel_named_is_there() -> None:
    table = [line.split("|")[2] for line in PAGE.splitlines() if line.startswith("|")]
    named = {name for cell in table for name in re.findall(r"`(\w+)`", cell)} - {"random"}
    assert len(named) > 25
    there = {name for module in MODULES for name, value in vars(module).items() if callable(value)}
    assert named - there == set()


def test_the_history_ends_with_the_version_of_the_rules() -> None:
    versions = re.findall(r"^- \*\*(\d+)\*\*", PAGE, re.MULTILINE)
    assert versions == [str(number) for number in range(1, zooloretto.GAME.rules_version + 1)]
