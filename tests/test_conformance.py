"""Every installed game passes the kit, and the kit finds each thing that can be wrong."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import pytest
from bad_examples.games import COMPILED, PLAYED, STATIC, Bad
from engine import toy

from balance import registry
from balance.conformance import Violation, check, fast
from balance.engine.playing import Table, columns

FEW = 12
"""Games for each number of players: enough for a game that keeps the rules where nothing is compiled."""


def found(bad: Bad) -> list[Violation]:
    """What is found wrong, with the rule that must be among it."""
    violations = check(bad.game, FEW)
    assert bad.rule in {violation.rule for violation in violations}, violations
    return [violation for violation in violations if violation.rule == bad.rule]


@pytest.mark.parametrize("name", registry.names())
def test_installed_games_keep_every_rule(name: str) -> None:
    assert check(registry.load(name), FEW if numba.config.DISABLE_JIT else 500) == []


def test_so_does_the_toy() -> None:
    assert check(toy.GAME, FEW) == []


@pytest.mark.parametrize("bad", STATIC.values(), ids=STATIC)
def test_wrong_facts_are_found(bad: Bad) -> None:
    assert any(bad.says in violation.sentence for violation in found(bad))


@pytest.mark.parametrize("bad", PLAYED.values(), ids=PLAYED)
def test_wrong_rules_are_found_by_playing(bad: Bad) -> None:
    assert any(bad.says in violation.sentence for violation in found(bad))


@pytest.mark.compiler
@pytest.mark.parametrize("bad", COMPILED.values(), ids=COMPILED)
def test_wrong_rules_are_found_by_compiling(bad: Bad) -> None:
    assert any(bad.says in violation.sentence for violation in found(bad))


def test_no_more_than_a_handful_of_sentences_for_one_rule() -> None:
    violations = check(STATIC["no header"].game)
    assert 1 <= len([violation for violation in violations if violation.rule == "state"]) <= 5
    assert len(set(violations)) == len(violations)


class FakeLoop:
    """Hands out rows that somebody else has written."""

    def __init__(self, *rows: np.ndarray) -> None:
        self._rows = list(rows)

    def new_sums(self) -> None:
        """Nobody looks at them."""

    def play(self, *_: Any) -> np.ndarray:
        return self._rows.pop(0)


def many(first: np.ndarray, second: np.ndarray, slow: np.ndarray) -> dict[str, str]:
    """What is found when a loop gives these rows, and the interpreted one the last."""
    table = Table(toy.GAME, toy.ToyParams.resolve(2), toy.POLICIES, 2)
    violations = fast._many(table, FakeLoop(first, second), FakeLoop(slow), 4)  # type: ignore[arg-type]
    return {violation.rule: violation.sentence for violation in violations}


def test_games_that_differ_are_found() -> None:
    rows = np.zeros((len(columns(toy.GAME, 2)), 4), np.int32)
    other = rows + 1
    assert many(rows, rows, rows[:, :2]) == {}
    assert list(many(rows, other, rows[:, :2])) == ["repeatable"]
    assert list(many(rows, rows, other[:, :2])) == ["compiled"]
    ended, turns = rows.copy(), rows.copy()
    ended[0, 3], turns[1, 3] = 1, 999
    assert list(many(ended, ended, ended[:, :2])) == ["ends"]
    assert list(many(turns, turns, turns[:, :2])) == ["bounds"]
