"""A game with modes, teams, a goal, a cap, a decimal number and a deck, so small that its results are known exactly.

In turn a player climbs or rests. Who climbs turns over one of the two cards of the deck, the better one with the chance
`luck`, and goes up as many steps as it says. Pairs go up together. Alone the target has to be reached in all rounds
together; else the first at the target wins after that round, and after the last round the highest one.
"""

# ruff: noqa: ARG001  kernels have the arguments of their kind, used or not

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest
from pydantic import Field

from balance import registry
from balance.engine import CAPPED_OVER, LOST_OVER, aim, below, kernel, state_dtype
from balance.errors import BalanceError
from balance.experiment import plan
from balance.game import MILLION, Bounds, CurveMeasure, Fault, Game, GameParams, Mode, Policy, SeatMeasure

from .dice_race import SharedLoop

ROUNDS, SEATS = 8, 6
ALONE, FREE, PAIRS = 0, 1, 2
REST, CLIMB = 0, 1
MOST_STEPS = 9


@dataclass(frozen=True)
class Card:
    """A card and how many steps it leads up."""

    id: str
    steps: int


@dataclass(frozen=True)
class Deck:
    """The card of those who have no luck, and the other one."""

    cards: tuple[Card, Card]
    placeholder: bool = False
    names: tuple[str, ...] = field(default=("bad", "good"))


def placeholder() -> Deck:
    return Deck((Card("stone", 0), Card("rope", 1)), placeholder=True)


def read_deck(folder: Path) -> Deck:
    with open(folder / "cards.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    wrong = [
        f'cards.csv:{line}: steps must be a whole number from 0 to {MOST_STEPS}, not "{row["steps"]}".'
        for line, row in enumerate(rows, start=2)
        if not row["steps"].isdigit() or int(row["steps"]) > MOST_STEPS
    ]
    if wrong or len(rows) != 2:
        raise BalanceError("\n".join(wrong) or f"cards.csv: there must be 2 cards, not {len(rows)}.")
    first, second = (Card(row["id"], int(row["steps"])) for row in rows)
    return Deck((first, second))


def deck_note(deck: Deck) -> str:
    return "PLACEHOLDER DECK: these cards are not those of the mountain." if deck.placeholder else ""


class SummitParams(GameParams):
    players: int = Field(ge=1, le=SEATS, description="Number of players.")
    mode: Literal["alone", "free", "pairs"] = Field("free", description="The mode.")
    deck: Deck = Field(default_factory=placeholder, description="The deck.")
    rounds: int = Field(2, ge=1, le=ROUNDS, description="Rounds, at most.")
    target: int = Field(2, ge=1, le=20, description="Steps to the top.")
    luck: float = Field(0.5, ge=0, le=1, description="The chance of the better card.")
    crowd: bool = Field(False, description="Whether five may climb.")

    @classmethod
    def for_players(cls, players: int) -> dict[str, object]:
        return {"mode": {1: "alone", SEATS: "pairs"}.get(players, "free")}

    def impossible(self) -> list[Fault]:
        if self.players == 5 and not self.crowd:
            return [Fault(("crowd",), '5 players need "crowd".')]
        if self.rounds * max(card.steps for card in self.deck.cards) * self.players < self.target:
            return [Fault(("target",), 'The "target" is out of reach within these "rounds".')]
        return []


summit_state = state_dtype(
    ("height", np.int64, SEATS), ("climbs", np.int64, SEATS), ("track", np.int64, (ROUNDS, SEATS))
)


@kernel
def side_of(params, seat):
    return seat % (params.players // 2) if params.mode == PAIRS else seat


@kernel
def setup(state, params, rng):
    pass


@kernel
def legal_actions(state, params, actions):
    actions.code[0], actions.code[1] = REST, CLIMB
    return 2


@kernel
def apply_action(state, params, action, rng):
    seat = state.seat
    if action == CLIMB:
        aim(rng, 0, state.round_number, state.turn, 1)
        is_good = below(rng, 0, MILLION) < params.luck
        state.height[side_of(params, seat)] += params.steps[1 if is_good else 0]
        state.climbs[seat] += 1
    state.turns += 1
    state.turn += 1
    state.seat += 1
    if state.seat == params.players:
        end_round(state, params)


@kernel
def end_round(state, params):
    best = 0
    for seat in range(params.players):
        state.track[state.round_number, seat] = score(state, params, seat)
        best = max(best, score(state, params, seat))
    state.round_number += 1
    state.seat = state.turn = 0
    is_last = state.round_number == params.rounds
    if params.mode != ALONE and best >= params.target:
        state.over = 1
    elif is_last and params.mode != ALONE:
        state.over = CAPPED_OVER
    elif is_last:
        state.over = 1 if best >= params.target else LOST_OVER


@kernel
def score(state, params, seat):
    return state.height[side_of(params, seat)]


@kernel
def tiebreak(state, params, seat):
    return 0


@kernel
def measure(state, params, shares, row):
    for seat in range(params.players):
        row.climbs[seat] = state.climbs[seat]
        for number in range(state.round_number):
            row.track[number, seat] = state.track[number, seat]


@kernel
def determinize(state, params, seat, rng):
    pass


@kernel
def choose_to_climb(state, params, weights, rng, actions):
    return CLIMB


@kernel
def choose_any(state, params, weights, rng, actions):
    return below(rng, 0, 2)


def tables(params: Any) -> dict[str, Any]:
    return {"steps": np.array([card.steps for card in params.deck.cards], np.int64)}


def pairs(players: int) -> Sequence[int]:
    return [seat % (players // 2) for seat in range(players)]


def game(sides: Callable[[int], Sequence[int]] = pairs, **changes: Any) -> Game:
    facts: dict[str, Any] = {
        "modes": (
            Mode("alone", "Alone", (1,), goal="Reach the top in time."),
            Mode("free", "Each for himself", (2, 3, 4, 5)),
            Mode("pairs", "In pairs", (4, 6), sides=sides),
        ),
        "capped_by_rules": True,
        "read_deck": read_deck,
        "deck_note": deck_note,
        **changes,
    }
    return Game(
        id="summit",
        title="Summit",
        rules_version=1,
        players=range(1, SEATS + 1),
        Params=SummitParams,
        state_dtype=summit_state,
        bounds=Bounds(actions=2, rounds=ROUNDS, turns=SEATS * ROUNDS, steps=1, plies=SEATS * ROUNDS + 1),
        setup=setup,
        legal_actions=legal_actions,
        apply_action=apply_action,
        score=score,
        tiebreak=tiebreak,
        measure=measure,
        determinize=determinize,
        measures=(
            SeatMeasure("climbs", "Climbs", "turns", "Turns in which a player climbed.", "more courage"),
            CurveMeasure("track", "Height", "steps", "Steps after each round.", "a lead", rounds=ROUNDS),
        ),
        policies=(
            Policy("climber", "Climber", "Always climbs.", choose_to_climb),
            Policy("any", "Any", "Climbs or rests by chance.", choose_any),
        ),
        round_name="day",
        turn_name="turn",
        summary="Up to the top before the others.",
        tables=tables,
        **facts,
    )


GAME = game()


def install(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes it an installed game, beside those that are."""
    load = registry.load
    monkeypatch.setattr(registry, "load", lambda name: GAME if name == "summit" else load(name))
    monkeypatch.setattr(plan, "Loop", SharedLoop)
