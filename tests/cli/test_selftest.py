"""balance selftest: right here, and wrong in a copy of the package with one fault in it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import balance as package
from balance import registry
from balance.errors import BalanceError
from balance.experiment import selftest
from balance.experiment.selftest import Check, checks

from .commands import Ended

ROOT = Path(package.__file__).parents[1]
Command = Callable[..., Ended]

pytestmark = pytest.mark.compiler


@pytest.fixture(scope="module")
def found() -> list[Check]:
    """All checks of this very installation."""
    return list(checks())


@pytest.fixture
def told(found: list[Check], monkeypatch: pytest.MonkeyPatch) -> Callable[[list[Check]], None]:
    """`told(checks)` makes these the outcome of the checks."""

    def tell(outcome: list[Check]) -> None:
        monkeypatch.setattr(selftest, "checks", lambda: iter(outcome))

    tell(found)
    return tell


def test_this_installation_plays_as_it_should(found: list[Check]) -> None:
    assert [check for check in found if check.fault] == []
    assert [check.what for check in found][:2] == [
        "random numbers, compiled",
        "random numbers, in plain Python",
    ]
    assert {"Pig, wins, 2 players", "Pig, wins, 4 players", "Pig, first turn"} <= {
        check.what for check in found
    }
    for name in registry.names():
        title = registry.load(name).title
        assert {f"{title}, 10,000 games", f"{title}, in plain Python"} <= {check.what for check in found}


@pytest.mark.usefixtures("told")
def test_one_line_for_each_check(balance: Command, found: list[Check]) -> None:
    ended = balance("selftest")
    assert (ended.code, ended.err) == (0, "")
    lines = ended.out.splitlines()
    assert len(lines) == len(found)
    for line, check in zip(lines, found, strict=True):
        assert line.split()[0] == ("right" if check.compared else "-")
        assert check.what in line
        assert check.found in line
        assert len(line) <= 80


@pytest.mark.usefixtures("told")
def test_the_same_as_json(balance: Command, found: list[Check]) -> None:
    ended = balance("selftest", "--format", "json")
    assert (ended.code, ended.err) == (0, "")
    report = json.loads(ended.out)
    assert report["passed"] is True
    assert [one["what"] for one in report["checks"]] == [check.what for check in found]


def test_a_fault_is_a_sentence_and_exit_code_1(balance: Command, told: Callable[[list[Check]], None]) -> None:
    told([Check("one", "2"), Check("two", "3", "Two is 3."), Check("three", "none", compared=False)])
    ended = balance("selftest")
    assert (ended.code, ended.err) == (1, "error: Two is 3.\n")
    assert [line.split()[0] for line in ended.out.splitlines()] == ["right", "WRONG", "-"]
    as_json = balance("selftest", "--format", "json")
    assert (as_json.code, json.loads(as_json.out)["passed"]) == (1, False)


def test_without_the_compiler_there_is_nothing_to_test(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selftest, "jit_is_off", lambda: True)
    with pytest.raises(BalanceError, match="NUMBA_DISABLE_JIT is set"):
        list(checks())


def test_a_game_without_a_digest_and_one_that_cannot_be_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    load = registry.load

    def other(name: str) -> object:
        if name == "broken":
            raise BalanceError("It is broken.")
        return replace(load("pig"), id="other", games_digest="")

    monkeypatch.setattr(registry, "names", lambda: ["broken", "other"])
    monkeypatch.setattr(registry, "load", other)
    found = {check.what: check for check in checks()}
    assert found["broken"].fault == "It is broken."
    assert found["Pig, 10,000 games"] == Check(
        "Pig, 10,000 games", "the game declares no digest", compared=False
    )
    assert "Pig, wins, 2 players" not in found


# ---------------------------------------------------------------- planted faults


def selftest_of_a_copy(folder: Path, file: str, old: str, new: str, without: tuple[str, ...] = ()) -> Ended:
    """What `balance selftest` says of a copy of the package with one edit, and without some of its games."""
    shutil.copytree(
        ROOT / "balance", folder / "balance", ignore=shutil.ignore_patterns("__pycache__", "*.js")
    )
    for game in without:
        shutil.rmtree(folder / "balance" / "games" / game)
    path = folder / "balance" / file
    text = path.read_text("utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), "utf-8")
    done = subprocess.run(
        [sys.executable, "-P", "-m", "balance", "selftest"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )
    return Ended(done.returncode, done.stdout, done.stderr)


def wrong(ended: Ended) -> set[str]:
    """What is called wrong."""
    lines = [line for line in ended.out.splitlines() if line.startswith("WRONG")]
    assert len(lines) == len(ended.err.splitlines())
    return {line[7:38].strip() for line in lines}


def test_an_altered_rule_of_pig_is_named(tmp_path: Path) -> None:
    ended = selftest_of_a_copy(
        tmp_path, "games/pig/rules.py", "state.turn_points += face", "state.turn_points += face + 1"
    )
    assert ended.code == 1
    assert wrong(ended) == {
        "Pig, wins, 2 players",
        "Pig, wins, 4 players",
        "Pig, first turn",
        "Pig, 10,000 games",
    }
    assert "Pig is not played as it should be: with 2 players seat 1 wins " in ended.err
    assert f"expected the digest {registry.load('pig').games_digest}, got " in ended.err
    assert "Animalia" not in ended.err


def test_an_altered_random_number_is_named(tmp_path: Path) -> None:
    ended = selftest_of_a_copy(
        tmp_path,
        "engine/rng.py",
        "0x94D049BB133111EB",
        "0x94D049BB133111E9",
        without=("kennelmester", "zooloretto"),  # which would have to be compiled anew
    )
    assert ended.code == 1
    assert {"random numbers, compiled", "random numbers, in plain Python", "Animalia, 10,000 games"} <= wrong(
        ended
    )
    assert (
        "error: Random numbers are drawn wrongly (compiled): number 1 is 0xdce423fc82c0d5b8, not 0x"
        in ended.err
    )


def test_an_altered_score_of_animalia_is_named(tmp_path: Path) -> None:
    ended = selftest_of_a_copy(
        tmp_path, "games/animalia/medals.py", "* params.medal_points", "* params.medal_points * 2"
    )
    assert ended.code == 1
    assert wrong(ended) == {"Animalia, 10,000 games"}
    declared = registry.load("animalia").games_digest
    assert ended.err.startswith(
        f"error: Animalia is not played as it was: expected the digest {declared}, got "
    )
