"""RULES.md names every rule and ruling, and only kernels that there are."""

from __future__ import annotations

import importlib
import pkgutil
import re
from pathlib import Path

from balance.games import kennelmester

FOLDER = Path(kennelmester.__file__).parent
PAGE = (FOLDER / "RULES.md").read_text(encoding="utf-8")
HEADINGS = [
    "Edition and sources",
    "How the code maps to the contract's ids",
    "Parameters",
    "Games at the cap, and goals that are missed",
    "Departures",
    "Version history",
]
RULES = [
    *range(1, 8),
    *range(10, 28),
    *range(30, 42),
    *range(50, 55),
    *range(60, 64),
    *range(70, 78),
    *range(80, 84),
    *range(90, 99),
]
"""The numbers that the contract gives to rules."""


def placed() -> set[str]:
    """The ids in the table; `K-2 to K-7` stands for all of them."""
    found = set()
    for line in PAGE.splitlines():
        if line.startswith("|"):
            for kind, first, last in re.findall(r"\b([KABD])-(\d+)(?: to [KABD]-(\d+))?", line.split("|")[3]):
                found |= {f"{kind}-{number}" for number in range(int(first), int(last or first) + 1)}
    return found


def test_headings() -> None:
    assert re.findall(r"^## (.*)$", PAGE, re.MULTILINE) == HEADINGS
    assert "## Departures\n\nNone." in PAGE


def test_every_rule_ruling_and_decision_is_placed() -> None:
    due = {f"K-{n}" for n in RULES} | {f"A-{n}" for n in range(1, 82)}
    due |= {f"D-{n}" for n in range(1, 9)} | {f"B-{n}" for n in range(1, 6)}
    found = placed()
    assert due - found == set()
    assert {one for one in found - due if not one.startswith("K-")} == set()


def test_every_kernel_named_is_there() -> None:
    table = [line.split("|")[2] for line in PAGE.splitlines() if line.startswith("|")]
    named = {name for cell in table for name in re.findall(r"`(\w+)`", cell)} - {"random"}
    assert len(named) > 60
    modules = [
        importlib.import_module(f"{kennelmester.__name__}.{module.name}")
        for module in pkgutil.iter_modules([str(FOLDER)])
    ]
    there = {name for module in modules for name, value in vars(module).items() if callable(value)}
    assert named - there == set()


def test_the_history_ends_with_the_version_of_the_rules() -> None:
    versions = re.findall(r"^- \*\*(\d+)\*\*", PAGE, re.MULTILINE)
    assert versions == [str(number) for number in range(1, kennelmester.GAME.rules_version + 1)]
