"""Digests of games, and random numbers that are known: the same for equal games, another for any other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from balance.engine import digest as module
from balance.engine import kernel, known_draws
from balance.engine.digest import games_digest
from balance.engine.known_draws import KNOWN, drawn
from balance.engine.playing import Loop, Table
from engine import toy

SEED, GAMES = 3, 12


@kernel
def other_below(numbers, word, n):  # type: ignore[no-untyped-def]  # noqa: ARG001
    return n


def table(players: int = 2) -> Table:
    return Table(toy.GAME, toy.ToyParams.resolve(players), (toy.POLICIES * players)[:players], players)


@pytest.fixture(scope="module")
def loop() -> Loop:
    found = Loop(toy.GAME, toy.GAME.policies, toy.ToyParams.resolve(2))
    found.interpret()
    return found


class Altered:
    """A loop whose rows, or sums, are changed at one place."""

    def __init__(self, loop: Loop, what: str) -> None:
        self._loop, self._what, self.new_sums = loop, what, loop.new_sums

    def play(
        self, played: Table, seed: int, first: int, count: int, buffers: Any, sums: np.ndarray
    ) -> np.ndarray:
        rows = self._loop.play(played, seed, first, count, buffers, sums)
        if first == 0:
            (rows if self._what == "rows" else sums)[0, 0] += 1
        return rows


def test_it_does_not_depend_on_chunks(loop: Loop, monkeypatch: pytest.MonkeyPatch) -> None:
    found = games_digest(loop, table(), SEED, GAMES)
    assert len(found) == 64
    monkeypatch.setattr(module, "_CHUNK_SECONDS", 0.0)
    assert games_digest(loop, table(), SEED, GAMES) == found


def test_it_depends_on_every_game_and_number(loop: Loop) -> None:
    found = {
        games_digest(loop, table(), SEED, GAMES),
        games_digest(loop, table(), SEED, GAMES - 2),
        games_digest(loop, table(), SEED + 1, GAMES),
        games_digest(loop, table(3), SEED, GAMES),
        games_digest(Altered(loop, "rows"), table(), SEED, GAMES),  # type: ignore[arg-type]
        games_digest(Altered(loop, "sums"), table(), SEED, GAMES),  # type: ignore[arg-type]
    }
    assert len(found) == 6


def test_it_stops_when_told(loop: Loop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_CHUNK_SECONDS", 0.0)
    answers = iter([True, True, False])
    assert games_digest(loop, table(), SEED, GAMES, lambda: next(answers)) == ""


# ---------------------------------------------------------------- random numbers that are known


def by_hand(block: int) -> list[int]:
    """The formulas in plain Python integers."""
    everything, golden = 2**64 - 1, 0x9E3779B97F4A7C15
    first, second, policy = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB, 0xA0761D6478BD642F

    def mix(z: int, between: int = 0) -> int:
        z = ((z ^ z >> 30) * first) & everything ^ between
        z = ((z ^ z >> 27) * second) & everything
        return z ^ z >> 31

    def draw(key_1: int, key_2: int, address: int) -> int:
        return mix((key_1 + address * golden) & everything, key_2)

    def address(stream: int, round_number: int, turn: int, step: int, word: int) -> int:
        return stream << 60 | round_number << 48 | turn << 28 | step << 12 | word

    scrambled = mix(1 + golden)
    key_1 = mix((scrambled + block * golden) & everything)
    key_2 = mix(key_1 ^ scrambled ^ 0xD1342543DE82EF95)
    noise_1, noise_2 = mix(key_1 ^ policy), mix((key_2 + policy) & everything)
    draws = [draw(key_1, key_2, at) for at in (0, 1, 2**20)]
    noise = draw(noise_1, noise_2, address(2, 3, 5, 7, 9))
    number = (draw(key_1, key_2, address(0, 11, 13, 17, 19)) >> 32) * 1000 >> 32
    return [key_1, key_2, *draws, noise_1, noise_2, noise, number]


def test_the_known_numbers_are_those_of_the_formulas() -> None:
    assert list(KNOWN) == by_hand(0) + by_hand(1)


@pytest.mark.parametrize("in_plain_python", [False, True])
def test_they_are_drawn(in_plain_python: bool) -> None:
    assert drawn(in_plain_python=in_plain_python) == KNOWN


def test_other_numbers_are_drawn_by_other_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known_draws, "below", other_below)
    found = drawn(in_plain_python=True)
    assert [at for at, known in enumerate(KNOWN) if found[at] != known] == [8, 17]
