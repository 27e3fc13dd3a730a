"""The loop for games and policies that are not part of this package: every action is checked before it is done.

Our own are proven by tests, so their loop is left as it is. In the others' loop three kernels of `playout` are
replaced by those below; a game ends as soon as a policy chooses what `legal_actions` does not list. Their loop
also looks at every index (`compiled(..., checked=True)`), which costs a twentieth of the speed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from balance.engine import playout
from balance.engine.kernels import Bindings, kernel
from balance.engine.playout import ask, legal_actions
from balance.game import Game

OURS = "balance.games."
"""The modules whose kernels are proven by tests."""
ILLEGAL = np.int64(-1)
"""In `state.over`, and in the column `turns`: the game ended with an illegal action."""
MOST_ACTIONS = np.int64(0)
"""Bound to the most actions that the game says there are."""


@kernel
def game_applies(state, params, action, rng):
    """Bound to the game's `apply_action`."""


@kernel
def game_measures(state, params, shares, row):
    """Bound to the game's `measure`."""


@kernel
def is_legal(state, params, action, actions):
    """Whether the game lists the action, and no more actions than it has room for."""
    n = legal_actions(state, params, actions)
    found = False
    for i in range(min(n, MOST_ACTIONS)):
        found |= actions.code[i] == action
    return found and n <= MOST_ACTIONS


@kernel
def choose(kind, state, params, weights, rng, actions):
    """In the place of `playout.choose`: an illegal action ends the game."""
    action = ask(kind, state, params, weights, rng, actions)
    if not is_legal(state, params, action, actions):
        state.over = ILLEGAL
    return action


@kernel
def apply_action(state, params, action, rng):
    """In the place of the game's own: does nothing once the game has ended."""
    if state.over != ILLEGAL:
        game_applies(state, params, action, rng)


@kernel
def measure(state, params, shares, row):
    """In the place of the game's own: marks a game that ended with an illegal action, and measures nothing."""
    if state.over == ILLEGAL:
        state.turns = ILLEGAL
    else:
        game_measures(state, params, shares, row)


def is_foreign(game: Game, policies: Iterable[Any]) -> bool:
    """Whether some kernel of the game, or of these policies, is not part of this package."""
    own = (game.setup, game.legal_actions, game.apply_action, game.score, game.tiebreak, game.measure)
    kernels = (*own, *policies)
    return any(not str(fn.__module__).startswith(OURS) for fn in kernels)


def checks(game: Game) -> Bindings:
    """What is bound besides, or instead, in the loop of such a game."""
    return [
        (playout.choose, choose),
        (playout.apply_action, apply_action),
        (playout.measure, measure),
        (game_applies, game.apply_action),
        (game_measures, game.measure),
        (MOST_ACTIONS, np.int64(game.bounds.actions)),
    ]
