"""Games in plain Python, watched at every decision."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from balance.engine import playout, trace
from balance.engine.plain import blank, plain, plain_kernel, plain_params
from balance.engine.playing import Table, bindings, new_marks, policy_kernels
from balance.engine.records import actions_dtype
from balance.engine.rng import rng_dtype
from balance.game import Game, GameParams, Policy

Watch = Callable[["Moment"], None]


@dataclass
class Moment:
    """A decision that is due: everything the policy is about to be handed."""

    kind: int
    state: Any
    params: Any
    weights: Any
    rng: Any
    actions: Any
    listed: int

    @property
    def options(self) -> list[int]:
        """The list of options."""
        return [self.actions.code[i] for i in range(self.listed)]


class Watched:
    """`play_one` for one game and its policies, told of each decision and of each event."""

    def __init__(self, game: Game, policies: Sequence[Policy], extra: Sequence[tuple[Any, Any]] = ()) -> None:
        self.game, self.watch, self.tracer = game, _nothing, _nothing
        self.action = -1
        """What was chosen last."""
        self._policies = tuple(policies)
        bind = [*bindings(game, policies), (trace.note, self._note), (trace.TRACE, np.int64(1)), *extra]
        self.bind = bind
        self.choose = plain_kernel(playout.choose, bind)
        self.legal_actions = plain_kernel(game.legal_actions, bind)
        self._play_one = plain_kernel(playout.play_one, [*bind, (playout.choose, self._ask)])

    def _note(self, *told: Any) -> None:
        self.tracer(*told)

    def _ask(self, kind: int, state: Any, params: Any, weights: Any, rng: Any, actions: Any) -> int:
        listed = self.legal_actions(state, params, actions)
        self.watch(Moment(kind, state, params, weights, rng, actions, listed))
        self.action = int(self.choose(kind, state, params, weights, rng, actions))
        return self.action

    def play(
        self, params: GameParams, line_up: Sequence[Policy], seed: int, block: int, rotation: int = 0
    ) -> tuple[Any, int]:
        """One game; returns its last state and the plies."""
        record, weights = (
            plain_params(self.game, params),
            [plain(weights) for weights in Table(self.game, params, tuple(line_up), 1).weights],
        )
        kernels = policy_kernels(self.game, self._policies)
        kinds = [kernels.index(policy.choose) for policy in line_up]
        state, table, noise = blank(self.game.state_dtype), blank(rng_dtype), blank(rng_dtype)
        actions = blank(actions_dtype(self.game))
        plies = self._play_one(
            *(state, record, np.uint64(seed), block, rotation, 0, kinds, weights, table, noise, actions),
            *(new_marks(), 0),
        )
        return state, plies


def _nothing(*_told: Any) -> None:
    """Nobody listens."""
