"""Looks at each action in a replay of a game that is not part of this package, and says what is illegal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from balance.engine import banned, playout
from balance.engine.kernels import Bindings
from balance.engine.plain import plain_kernel
from balance.errors import listed
from balance.game import Game

_LONGEST_FIELD = 12
_LONGEST_STATE = 1000


class IllegalActionError(Exception):
    """A policy chose an action that the game does not list: whose turn it was, what happened, and the state."""

    def __init__(self, seat: int, what: str, state: str) -> None:
        super().__init__(what)
        self.seat, self.what, self.state = seat, what, state


class Umpire:
    """Stands in the place of `playout.choose`: asks the policy, and compares with what the game lists."""

    def __init__(self, game: Game, bind: Bindings, *, bans: bool = False) -> None:
        """What is bound in the loop, that with `bans` or the ordinary one."""
        self._room, self._bans = game.bounds.actions, bans
        self._ask: Any = plain_kernel(banned.decide if bans else playout.ask, bind)
        self._legal_actions = plain_kernel(game.legal_actions, bind)

    def __call__(self, kind: int, state: Any, params: Any, weights: Any, noise: Any, memory: Any) -> int:
        """The action that the policy chooses; IllegalActionError when it may not be done."""
        action = int(self._ask(kind, state, params, weights, noise, memory))
        actions = memory[0] if self._bans else memory
        n = int(self._legal_actions(state, params, actions))
        options = [int(actions.code[at]) for at in range(n)]
        if n <= self._room and action in options:
            return action
        what = f"chose action {action}, but {_legal(options)}"
        if n > self._room:
            what = f"had {n} actions to choose from, more than the bound of {self._room}"
        what += f" (round {state.round_number + 1}, turn {state.turn + 1})"
        raise IllegalActionError(int(state.seat), what, shown_state(state))


def shown_state(state: Any) -> str:
    """A plain record as text: 'seat = 1, points = [3, 0, 2]', long fields and long states cut."""
    text = ", ".join(f"{name} = {_shown(getattr(state, name))}" for name in state.__slots__)
    return text if len(text) <= _LONGEST_STATE else text[: _LONGEST_STATE - 1] + "…"


def _shown(value: Any) -> str:
    if not isinstance(value, dict):
        return str(value)
    cells = [str(cell) for cell in value.values()]
    return f"[{', '.join(cells[:_LONGEST_FIELD])}{', …' if len(cells) > _LONGEST_FIELD else ''}]"


def _legal(options: Sequence[int]) -> str:
    if not options:
        return "there is no legal action"
    return f"{listed(options)} {'are' if len(options) > 1 else 'is all that is'} legal"
