"""What the tests of games share: the loop compiled once, and the switch for golden transcripts."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from balance.engine.playing import Buffers, Loop, Table
from balance.game import GameParams, Policy
from balance.games.animalia import GAME
from balance.games.animalia.params import AnimaliaParams

Play = Callable[..., np.ndarray]


@pytest.fixture(scope="session")
def loop() -> Loop:
    """Animalia's compiled loop; one binary serves every number of players, all rules and both policies."""
    loop = Loop(GAME, GAME.policies, AnimaliaParams.resolve(4))
    loop.compile()
    return loop


@pytest.fixture(scope="session")
def play(loop: Loop) -> Play:
    """`play(params, line_up, games, ...)` plays compiled games and returns their rows [column, game]."""
    buffers = Buffers(GAME)

    def play_games(
        params: GameParams,
        line_up: list[Policy],
        games: int,
        seed: int = 1,
        first: int = 0,
        rotations: int = 1,
        sums: np.ndarray | None = None,
    ) -> np.ndarray:
        table = Table(GAME, params, tuple(line_up), rotations)
        return loop.play(table, seed, first, games, buffers, loop.new_sums() if sums is None else sums)

    return play_games
