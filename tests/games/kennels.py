"""What the tests of Kennelmester share: the loop compiled once, tables of every size, a player who likes variety."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from balance.engine import below, kernel
from balance.engine.playing import Buffers, Loop, Table, columns
from balance.game import Policy
from balance.games.kennelmester import GAME
from balance.games.kennelmester.layout import KIND_AT
from balance.games.kennelmester.lists import legal_actions

RANDOM = GAME.policy("random")
SIZES = [(1, "solo"), (2, "competitive"), (3, "competitive"), (4, "competitive"), (4, "team"), (6, "team")]
"""Tables of the official rules."""
RICH = {
    "start_dogs": 3,
    "start_coins": 40,
    "base_dice": 3,
    "coin_amount": 4,
    "litter_table": [0, 1, 2, 3, 4, 6],
    "round_cap": 25,
}
"""Rules under which a player who likes variety breeds, enters, hires and pays upkeep."""


@kernel
def choose_by_kind(state, params, weights, rng, actions):  # noqa: ARG001
    """A kind of action first, then one of its options; uniform draws seldom breed or enter."""
    n = legal_actions(state, params, actions)
    kinds = 0
    for i in range(n):
        kinds += i == 0 or actions.code[i] >> KIND_AT != actions.code[i - 1] >> KIND_AT
    wanted, first = below(rng, 0, kinds), 0
    while wanted > 0:
        first += 1
        wanted -= actions.code[first] >> KIND_AT != actions.code[first - 1] >> KIND_AT
    last = first
    while last + 1 < n and actions.code[last + 1] >> KIND_AT == actions.code[first] >> KIND_AT:
        last += 1
    return actions.code[first + below(rng, 1, last - first + 1)]


VARIED = Policy("varied", "Varied", "Takes each kind of action with the same probability.", choose_by_kind)


@cache
def loop() -> Loop:
    """The compiled loop; one binary serves every size of table, all rules and all policies of the game."""
    found = Loop(GAME, GAME.policies, GAME.resolve((4, "competitive")))
    found.compile()
    return found


def play(
    size: tuple[int, str],
    games: int,
    overrides: dict[str, Any] | None = None,
    line_up: Sequence[Policy] | None = None,
    seed: int = 1,
    sums: np.ndarray | None = None,
) -> dict[str, np.ndarray]:
    """The rows of compiled games by column."""
    params = GAME.resolve(size, overrides)
    table = Table(GAME, params, tuple(line_up or [RANDOM] * size[0]), 1)
    rows = loop().play(table, seed, 0, games, Buffers(GAME), loop().new_sums() if sums is None else sums)
    return dict(zip(columns(GAME, size[0]), rows, strict=True))


def everywhere(rows: dict[str, np.ndarray], name: str) -> np.ndarray:
    """A seat's column for all seats, as [seat, game]."""
    players = sum(column.startswith("rank_") for column in rows)
    return np.array([rows[f"{name}_{seat}"] for seat in range(players)])
