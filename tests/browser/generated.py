"""Pages of commands as users give them: a sample of each game, a comparison, a sweep, levels of play, a failed gate."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from tests.cli.commands import own_process
from tests.house_rules import ROOT

SAMPLES = ROOT / "reports" / "samples"
GAMES = ("animalia", "zooloretto", "kennelmester")
FAILING = """
schema_version = 1
title = "Pig: is a small head start fair?"
game = "pig"
players = [3]
[run]
games = 2_000
[rules]
head_start = 9
[[gates]]
metric = "seat_spread"
max = "3pp"
"""
PIG = {
    "comparison": ("compare", "pig", "--players", "3", "--games", "2000", "--set", "target=50"),
    "sweep": ("sweep", "pig", "--players", "2", "--games", "2000", "--vary", "target=20..60/20"),
    "levels": ("run", "pig", "--players", "3", "--games", "2000", "--levels", "random,hold-at-20"),
    "failed gate": ("check", "gate.toml"),
}
CODES = {"failed gate": 1}
"""What a command exits with where that is not 0."""


def make(name: str, folder: Path) -> dict[str, Any]:
    """Run the command of that name in a folder; the results that its page was made from."""
    (folder / "gate.toml").write_text(FAILING, encoding="utf-8")
    shutil.copytree(SAMPLES, folder / "reports" / "samples", dirs_exist_ok=True)
    command = PIG.get(name) or ("run", f"reports/samples/{name}.toml")
    ended = own_process(folder, *command, "--out", f"{name}-run")
    assert ended.code == CODES.get(name, 0), ended.err
    found: dict[str, Any] = json.loads((folder / f"{name}-run" / "results.json").read_text(encoding="utf-8"))
    return found
