"""The loop in which one seat may not choose some of its actions, so that one sees what they are worth to it.

The ordinary loop is left as it is. In this one `playout.ask` is replaced by `decide`, and the game's list of actions
by `options_left`. Who is banned from what stands in two more fields of the rules, so one binary serves every ban, and
the free games beside it. Where the policy would choose what it may not, it is asked again about a copy of the state
in which the game has withheld that; where nothing else is on the list, it chooses freely.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from balance.engine import playout
from balance.engine.checked import ILLEGAL, is_foreign
from balance.engine.kernels import Bindings, kernel
from balance.engine.plain import Cells
from balance.engine.rng import GOLDEN, WORD_BITS, below
from balance.game import Game

TRIES = 16
"""So many times a policy is asked, each time with other noise, before one of the actions left is drawn instead."""
LAST_WORD = (1 << WORD_BITS) - 1
"""The address of that draw, which no policy uses."""
MOST_ACTIONS = np.int64(0)
"""Bound to the most actions that the game says there are."""


@dataclass(frozen=True)
class Ban:
    """Which seat (from 0; -1: none) may not choose actions about which of the game's names, as a bit mask."""

    banned_seat: int = -1
    banned_names: int = 0

    @property
    def fields(self) -> dict[str, int]:
        """What stands in the rules as kernels see them."""
        return asdict(self)


NOBODY = Ban()


@kernel
def game_lists(state, params, actions):
    """Bound to the game's `legal_actions`."""


@kernel
def concerns(state, params, action):
    """Bound to the game's kernel."""


@kernel
def withhold(state, params, names):
    """Bound to the game's kernel, if it has one."""


@kernel
def ask_freely(kind, state, params, weights, rng, actions):
    """Bound to `playout.ask`."""


@kernel
def copy_state(state, words, other, other_words):
    """Make `other` what the state is; both are given as their words, too. Another kernel stands here in replays."""
    for i in range(words.shape[0]):
        other_words[i] = words[i]


@kernel
def is_banned(state, params, action):
    """Whether the action is about something that the banned seat may not choose."""
    return concerns(state, params, action) & params.banned_names != 0


@kernel
def options_left(state, params, actions):
    """The game's list less what the seat may not choose; all of it where that would leave nothing."""
    n = game_lists(state, params, actions)
    if state.seat != params.banned_seat or n > MOST_ACTIONS:
        return n
    left = 0
    for i in range(n):
        action = actions.code[i]
        if not is_banned(state, params, action):
            actions.code[left] = action
            left += 1
    return left if left > 0 else n


@kernel
def decide(kind, state, params, weights, rng, memory):
    """What the policy chooses; the banned seat keeps its choice if it may, and else makes another one."""
    actions, _, _, _ = memory
    action = ask_freely(kind, state, params, weights, rng, actions)
    if state.seat != params.banned_seat or not is_banned(state, params, action):
        return action
    n = options_left(state, params, actions)
    if is_banned(state, params, actions.code[0]):
        return action
    return actions.code[0] if n == 1 else choose_among_rest(kind, state, params, weights, rng, memory)


@kernel
def choose_among_rest(kind, state, params, weights, rng, memory):
    """What the policy chooses when it does not see what it may not choose; or else any of the other actions."""
    actions, words, other, other_words = memory
    copy_state(state, words, other, other_words)
    withhold(other, params, params.banned_names)
    own, found, action = rng.key_1, False, np.int64(0)
    for _ in range(TRIES):
        if not found:
            action = np.int64(ask_freely(kind, other, params, weights, rng, actions))
            found = is_left(state, params, action, actions)
            rng.key_1 += GOLDEN
    rng.key_1 = own
    if found:
        return action
    n = options_left(state, params, actions)
    return actions.code[below(rng, LAST_WORD, n)]


@kernel
def is_left(state, params, action, actions):
    """Whether the seat may choose the action."""
    found = False
    for i in range(min(options_left(state, params, actions), MOST_ACTIONS)):
        found |= actions.code[i] == action
    return found


@kernel
def choose(kind, state, params, weights, rng, memory):
    """In the place of `playout.choose` where actions are checked: an illegal one ends the game, as does a banned one
    where there are others."""
    action = decide(kind, state, params, weights, rng, memory)
    if not is_left(state, params, action, memory[0]):
        state.over = ILLEGAL
    return action


def kernels_of(game: Game) -> list[Any]:
    """The game's own kernels for bans, `concerns` first."""
    bans = game.bans
    return [fn for fn in (bans.concerns, bans.withhold) if fn is not None] if bans else []


def restrictions(game: Game, policies: Iterable[Any]) -> Bindings:
    """What is bound besides, or instead, in the loop with a ban."""
    own = dict(zip((concerns, withhold), kernels_of(game), strict=False))
    bind = [
        (playout.ask, decide),
        (playout.legal_actions, options_left),
        (game.legal_actions, options_left),
        (ask_freely, playout.ask),
        (game_lists, game.legal_actions),
        (MOST_ACTIONS, np.int64(game.bounds.actions)),
        *own.items(),
    ]
    return [*bind, (playout.choose, choose)] if is_foreign(game, policies) else bind


def copy_plain(state: Any, _words: None, other: Any, _other_words: None) -> None:
    """In the place of `copy_state` in replays, where records are plain (see `engine.plain`)."""
    for name in state.__slots__:
        value = getattr(state, name)
        setattr(other, name, Cells(value) if type(value) is Cells else value)
