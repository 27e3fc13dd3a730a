"""A small game with everything that can be counted: a race with dice, for 1 to 6 players."""

# ruff: noqa: ARG001  kernels have the arguments of their kind, used or not

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
import pytest
from pydantic import Field

from balance import registry
from balance.engine import aim, below, kernel, state_dtype
from balance.engine.playing import Loop
from balance.experiment import plan
from balance.experiment.config import Experiment, Lineup, Run, Variant
from balance.game import (
    Bounds,
    CounterMeasure,
    CurveMeasure,
    Game,
    GameMeasure,
    GameParams,
    Policy,
    SeatMeasure,
)

ROUNDS = 6


class RaceParams(GameParams):
    players: int = Field(ge=1, le=6, description="Number of players.")
    goal: int = Field(12, ge=5, le=30, description="The place where the race ends.")
    head_start: int = Field(0, ge=0, le=3, description="Places that the last seat is ahead at the start.")
    idle: int = Field(0, ge=0, le=9, description="A rule without any effect.")


race_state = state_dtype(
    ("place", np.int64, 6),
    ("sixes", np.int64, 6),
    ("bold", np.int64, (3, 6)),
    ("track", np.int64, (ROUNDS, 6)),
)


@kernel
def setup(state, params, rng):
    state.place[params.players - 1] = params.head_start


@kernel
def legal_actions(state, params, actions):
    actions.code[0], actions.code[1] = 0, 1
    return 2


@kernel
def apply_action(state, params, action, rng):
    seat = state.seat
    aim(rng, 0, state.round_number, state.turn, 0)
    die = below(rng, 0, 6) + 1
    state.bold[0, seat] += die > 1
    state.bold[1, seat] += action == 1 and die > 1
    if action == 0:
        state.place[seat] += die
    elif die > 3:
        state.place[seat] += 2 * die - 2
    state.sixes[seat] += die == 6
    state.turns += 1
    state.turn += 1
    state.seat += 1
    if state.seat == params.players:
        end_round(state, params)


@kernel
def end_round(state, params):
    for seat in range(params.players):
        state.track[state.round_number, seat] = state.place[seat]
        state.over |= state.place[seat] >= params.goal
    state.round_number += 1
    state.seat = state.turn = 0
    state.over |= state.round_number == ROUNDS


@kernel
def score(state, params, seat):
    return state.place[seat]


@kernel
def tiebreak(state, params, seat):
    return 0


@kernel
def measure(state, params, shares, row):
    row.all_sixes = 0
    for seat in range(params.players):
        row.all_sixes += state.sixes[seat]
        row.own_sixes[seat] = state.sixes[seat]
        row.choices[0, 0] += state.bold[0, seat]
        row.choices[0, 1] += state.bold[1, seat]
        row.choices[0, 2] += state.bold[1, seat] * shares[seat]
        row.choices[1, 0] += 1
        for number in range(state.round_number):
            row.progress[number, seat] = state.track[number, seat]
    row.no_six = row.all_sixes == 0


@kernel
def determinize(state, params, seat, rng):
    pass


@kernel
def choose_steady(state, params, weights, rng, actions):
    return 0


@kernel
def choose_any(state, params, weights, rng, actions):
    return below(rng, 0, 2)


GAME = Game(
    id="race",
    title="Dice race",
    rules_version=3,
    players=range(1, 7),
    Params=RaceParams,
    state_dtype=race_state,
    bounds=Bounds(actions=2, rounds=ROUNDS, turns=6 * ROUNDS, steps=1, plies=6 * ROUNDS),
    setup=setup,
    legal_actions=legal_actions,
    apply_action=apply_action,
    score=score,
    tiebreak=tiebreak,
    measure=measure,
    determinize=determinize,
    measures=(
        GameMeasure("all_sixes", "Sixes", "sixes", "Sixes rolled.", "more luck"),
        GameMeasure("no_six", "No six", "games", "Games without a six.", "less luck", share=True),
        SeatMeasure("own_sixes", "Own sixes", "sixes", "Sixes of a seat.", "more luck"),
        CurveMeasure("progress", "Progress", "places", "Places after each round.", "a lead", rounds=ROUNDS),
        CounterMeasure(
            "choices", "Choices", "turns", "What was chosen.", "more use", items=("bold", "nothing", "ghost")
        ),
    ),
    policies=(
        Policy("steady", "Steady", "Never takes a risk.", choose_steady),
        Policy("any", "Any", "Chooses by chance.", choose_any),
    ),
    round_name="lap",
    turn_name="roll",
    summary="First past the goal.",
)


def race(
    players: tuple[int, ...] = (3,),
    variants: dict[str, dict[str, int]] | None = None,
    policies: tuple[str, ...] = ("any",),
    games: int = 600,
    title: str = "A race",
    seed: int = 5,
) -> Experiment:
    """An experiment with this game, complete."""
    return Experiment(
        schema_version=1,
        game="race",
        title=title,
        players=players,
        run=Run(games=games, seed=seed),
        variants=tuple(Variant(name=name, rules=rules) for name, rules in (variants or {}).items()),
        lineup=Lineup(policies=policies),
    )


class SharedLoop(Loop):
    """Compiles the loop of each game once for all tests."""

    known: ClassVar[dict[str, Any]] = {}

    def __init__(
        self, game: Game, policies: Sequence[Policy], params: GameParams, *, bans: bool = False
    ) -> None:
        super().__init__(game, policies, params, bans=bans)
        self._name = f"{game.id} with bans" if bans else game.id

    @property
    def fingerprint(self) -> str:
        key = f"fingerprint of {self._name}"
        if key not in self.known:
            self.known[key] = Loop.fingerprint.func(self)
        return self.known[key]

    def is_ready(self) -> bool:
        return True

    def compile(self) -> None:
        if self._name not in self.known:
            super().compile()
            self.known[self._name] = self._play
        self._play = self.known[self._name]


def install(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes the race an installed game, beside those that are."""
    load = registry.load
    monkeypatch.setattr(registry, "load", lambda name: GAME if name == "race" else load(name))
    monkeypatch.setattr(plan, "Loop", SharedLoop)
