"""What the README says holds: its commands run, in order, and what it names exists."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from balance.experiment.config import read_experiment
from balance.experiment.plan import Plan

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
CONFIGS = sorted((ROOT / "configs").glob("*.toml"))
BLOCKS = re.findall(r"^```sh\n(.*?)^```", README, re.DOTALL | re.MULTILINE)
COMMANDS = [line for block in BLOCKS for line in block.splitlines() if line.startswith("balance ")]
NAMED = sorted(
    {
        found
        for text in [*BLOCKS, *re.findall(r"`([^`\n]+)`", README)]
        for found in re.findall(r"\bbalance .*", text)
    }
)
"""Every command that stands in a block or between backticks, up to the end of its line."""
OPTIONS = sorted(set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", " ".join(re.findall(r"`([^`\n]+)`", README)))))
"""Every option that stands between backticks."""
FILES = re.findall(r"`([\w/*-]+\.(?:html|json|csv|parquet|log))`", README.split("## What a run leaves")[1])
"""The files that a run leaves."""


def balance(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "balance", *arguments],
        cwd=folder,
        env={**os.environ, "COLUMNS": "80"},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


@cache
def options_of(command: str) -> frozenset[str]:
    """The options that a command's help lists."""
    shown = balance(ROOT, *command.split(), "--help")
    assert shown.returncode == 0, f"there is no command {command}: {shown.stderr}"
    return frozenset(re.findall(r"(?<![\w-])--[a-z][a-z-]*", shown.stdout))


@cache
def commands() -> tuple[str, ...]:
    """The commands that the help lists."""
    return tuple(re.findall(r"^  (\w+) ", balance(ROOT, "--help").stdout.split("Commands:")[1], re.MULTILINE))


def test_the_commands_of_the_readme_run_in_order(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "configs", tmp_path / "configs")
    assert len(COMMANDS) >= 5
    for command in COMMANDS:
        ended = balance(tmp_path, *shlex.split(command)[1:])
        assert ended.returncode == 0, f"{command}\n{ended.stderr}"
        assert ended.stdout, command
    runs = list((tmp_path / "reports").iterdir())
    assert len(runs) == sum(command.startswith("balance run ") for command in COMMANDS)
    assert len(FILES) >= 6
    for run in runs:
        assert [pattern for pattern in FILES if not list(run.glob(pattern))] == []


@pytest.mark.parametrize("command", NAMED)
def test_a_command_that_the_readme_names_has_these_options(command: str) -> None:
    line = re.split(r"[;|&`]", command)[0]
    name = line.split()[1]
    if name == "COMMAND":  # any of them, as in `balance COMMAND --help`
        name = "run"
    assert name in commands()
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", line)) <= options_of(name)


@pytest.mark.parametrize("option", OPTIONS)
def test_an_option_that_the_readme_names_exists(option: str) -> None:
    assert option in frozenset[str]().union(*map(options_of, commands()))


def test_the_readme_names_every_command() -> None:
    table = set(re.findall(r"^\| `balance (\w+)", README, re.MULTILINE))
    assert table == set(commands())


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.name)
def test_the_experiments_that_come_along_are_without_fault(path: Path) -> None:
    plan = Plan(read_experiment(path))
    assert len(plan.cells) == len({cell.folder for cell in plan.cells}) > 1


def test_the_first_experiment_is_as_the_readme_says() -> None:
    plan = Plan(read_experiment(ROOT / "configs" / "quickstart.toml"))
    assert [(cell.where, cell.games) for cell in plan.cells] == [
        ("baseline, 4 players", 100_000),
        ("neutral cards in, 4 players", 100_000),
    ]
