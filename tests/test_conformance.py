"""Every installed game passes the kit, and the kit finds each thing that can be wrong."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from bad_examples.games import (
    COMPILED,
    PLAYED,
    STATIC,
    WRITTEN,
    Bad,
    Unread,
    WithLists,
    tables_without_effect,
)
from engine import toy

from balance import registry
from balance.conformance import Violation, check, code, examine, fast, idle, summed_up
from balance.conformance.advice import ADVICE
from balance.conformance.extremes import extremes
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


@pytest.mark.parametrize("bad", WRITTEN.values(), ids=WRITTEN)
def test_what_is_written_wrongly_is_found_once_and_with_its_line(bad: Bad) -> None:
    (violation,) = check(bad.game, FEW)
    assert violation.rule == bad.rule
    assert bad.says in violation.sentence
    assert re.search(r"\((kernels|games)\.py, line \d+\)|^tables= of Toy", violation.sentence)


def test_what_kernels_may_make_is_not_refused() -> None:
    assert [fault for name in registry.names() for fault in code.written(registry.load(name))] == []


def test_faults_of_one_kind_are_told_once() -> None:
    """Each game shows it, and each decision."""
    (told,) = found(PLAYED["writing out of bounds"])
    assert re.search(
        r"apply_past_the_end \(kernels\.py, line \d+\) failed .* \(and \d+ more like it\)$", told.sentence
    )
    (wrong,) = found(PLAYED["no such action"])
    assert wrong.sentence.startswith("any chose 17, which is not among the options")
    assert check(PLAYED["no such action"].game, FEW) == [wrong]


def test_only_what_differs_by_numbers_and_games_is_of_one_kind() -> None:
    one, other, third = (
        Violation("runs", "It is 3. [2 players]"),
        Violation("runs", "It is 7. [3 players, rounds 2]"),
        Violation("runs", "It was 7. [3 players]"),
    )
    assert [fault.sentence for fault in summed_up([one, one, other, third])] == [
        "It is 3. [2 players] (and one more like it)",
        "It was 7. [3 players]",
    ]


@pytest.mark.parametrize("bad", PLAYED.values(), ids=PLAYED)
def test_wrong_rules_are_found_by_playing(bad: Bad) -> None:
    assert any(bad.says in violation.sentence for violation in found(bad))


@pytest.mark.compiler
@pytest.mark.parametrize("bad", COMPILED.values(), ids=COMPILED)
def test_wrong_rules_are_found_by_compiling(bad: Bad) -> None:
    assert any(bad.says in violation.sentence for violation in found(bad))


@pytest.mark.compiler
def test_a_parameter_that_changes_nothing_is_found_by_many_games() -> None:
    """It is read to work out a table, so only play can tell."""
    game = replace(toy.GAME, Params=Unread, tables=tables_without_effect)
    assert check(game, FEW) == []
    assert [(one.rule, one.sentence) for one in check(game, idle.LEAST)] == [
        ("parameters", '"lucky" changed nothing in 100 games, whatever the other rules were.')
    ]


def test_a_list_is_taken_to_its_extremes() -> None:
    found = [extreme for extreme in extremes(WithLists) if extreme[0] in ("lucky", "moves")]
    assert found == [("lucky", (0, 0)), ("lucky", (9, 9)), ("moves", ()), ("moves", ("stand", "deck"))]
    unread = check(replace(toy.GAME, Params=WithLists))
    assert [one.sentence.split(" is read")[0] for one in unread] == ['"lucky"', '"moves"']


def test_there_is_advice_about_every_rule() -> None:
    examples = (*STATIC.values(), *WRITTEN.values(), *PLAYED.values(), *COMPILED.values())
    assert {bad.rule for bad in examples} <= ADVICE.keys()
    assert all(text.endswith(".") and "\n" not in text for text in ADVICE.values())
    says = "".join(path.read_text("utf-8") for path in Path(fast.__file__).parent.glob("*.py"))
    named = set(re.findall(r'(?:Violation\(|_say\(|_guard\(|yield )"([a-z ]+)"', says))
    assert {"names", "leftovers", "ends"} <= named <= ADVICE.keys()


def test_how_far_a_check_came() -> None:
    stopped = examine(STATIC["title"].game)
    assert (stopped.watched, stopped.compiled, len(stopped.violations)) == (0, False, 1)
    watched = examine(PLAYED["cheating"].game)
    assert watched.watched > 5
    assert not watched.compiled
    whole = examine(toy.GAME, FEW)
    assert (whole.watched, whole.compiled, whole.violations) == (watched.watched, True, [])


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
