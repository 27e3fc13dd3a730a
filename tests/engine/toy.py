"""A small complete game with hidden cards and a measure of every kind, which keeps every rule of the house.

Each round every player gets a card that the others cannot see. In turn, a player may keep it, change it for
the top card of the deck and look again (once), or change it with the next player. The highest card earns what
its number says, the lowest loses a point.
"""
# ruff: noqa: ARG001, ARG002  kernels and tracers have the arguments of their kind, used or not

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
from pydantic import Field

from balance.engine import TRACE, aim, below, draw, kernel, note, prefers, state_dtype
from balance.errors import Fault
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

SEATS, ROUNDS, CARDS = 6, 4, 24
STAND, DECK, NEIGHBOUR = 0, 1, 2
MOVES = ("stand", "deck", "neighbour")
DEALT, CHOSEN, SCORED = 0, 1, 2
EVENTS = ("dealt", "chosen", "scored")


class ToyParams(GameParams):
    """The rules of the toy."""

    players: int = Field(ge=2, le=6, description="Number of players.")
    rounds: int = Field(3, ge=1, le=ROUNDS, description="Rounds in a game.")
    deck_size: int = Field(20, ge=8, le=CARDS, description="Cards in the deck.")
    second_look: bool = Field(True, description="Whether a player who has changed his card may do so again.")
    neighbours: Literal["may_change", "keep_their_card"] = Field(
        "may_change", description="Whether a player may change cards with the next one."
    )
    points_per_card: int = Field(1, ge=1, le=3, description="What a winning card's number is multiplied by.")

    @classmethod
    def for_players(cls, players: int) -> dict[str, object]:
        return {"deck_size": 22 if players == 6 else 20}

    def impossible(self) -> list[Fault]:
        needed = self.players * (3 if self.second_look else 2)
        if needed > self.deck_size:
            return [Fault(("deck_size",), f"{self.players} players may need {needed} cards.")]
        return []


def tables(params: ToyParams) -> dict[str, Any]:
    """What a winning card earns."""
    return {"earns": np.arange(CARDS) * params.points_per_card}


toy_state = state_dtype(
    ("looked", np.int64),  # the player has changed his card once in this turn
    ("deck_at", np.int64),
    ("held", np.int64, SEATS),
    ("points", np.int64, SEATS),
    ("changes", np.int64, SEATS),
    ("best_card", np.int64, SEATS),
    ("standing", np.int64, (ROUNDS, SEATS)),
    ("moves", np.int64, (3, 2)),  # offered, taken
    ("own_moves", np.int64, (SEATS, 3)),
    ("deck", np.int16, CARDS),
)


@kernel
def setup(state, params, rng):
    """The first round begins."""
    deal(state, params, rng)


@kernel
def deal(state, params, rng):
    """Shuffle the deck and give each player the card of his seat."""
    aim(rng, 0, state.round_number, 0, 0)
    for i in range(params.deck_size):
        place = below(rng, i, i + 1)
        state.deck[i] = state.deck[place]
        state.deck[place] = i
    for seat in range(params.players):
        state.held[seat] = state.deck[seat]
    state.deck_at = params.players
    if TRACE:
        note(state, params, DEALT, 0, 0, 0)


@kernel(inline=True)
def may_change(state, params):
    """Whether the next player's card may be asked for."""
    return params.neighbours == 0 and state.looked == 0


@kernel
def legal_actions(state, params, actions):
    """Stand, the deck, the neighbour."""
    actions.code[0], actions.code[1] = STAND, DECK
    n = 2
    if may_change(state, params):
        actions.code[2] = NEIGHBOUR
        n = 3
    return n


@kernel
def apply_action(state, params, action, rng):
    """Do what was chosen; the next player's turn comes unless this one looks again."""
    seat = state.seat
    state.moves[STAND, 0] += 1
    state.moves[DECK, 0] += 1
    state.moves[NEIGHBOUR, 0] += may_change(state, params)
    state.moves[action, 1] += 1
    state.own_moves[seat, action] += 1
    if TRACE:
        note(state, params, CHOSEN, seat, action, 0)
    if action == DECK:
        state.held[seat] = state.deck[state.deck_at]
        state.deck_at += 1
        state.changes[seat] += 1
        if params.second_look and state.looked == 0:
            state.looked = 1
            return
    elif action == NEIGHBOUR:
        change_with_neighbour(state, params, seat)
    end_turn(state, params, rng)


@kernel
def change_with_neighbour(state, params, seat):
    """Change cards with the next player."""
    other = (seat + 1) % params.players
    card = state.held[seat]
    state.held[seat] = state.held[other]
    state.held[other] = card
    state.changes[seat] += 1


@kernel
def end_turn(state, params, rng):
    """The next player's turn, or the end of the round."""
    state.looked = 0
    state.turns += 1
    state.turn += 1
    state.seat += 1
    if state.seat < params.players:
        return
    score_round(state, params)
    state.seat = state.turn = 0
    state.round_number += 1
    if state.round_number == params.rounds:
        state.over = 1
    else:
        deal(state, params, rng)


@kernel
def score_round(state, params):
    """The highest card earns its number, the lowest loses a point."""
    high = low = 0
    for seat in range(params.players):
        high = seat if state.held[seat] > state.held[high] else high
        low = seat if state.held[seat] < state.held[low] else low
        state.best_card[seat] = max(state.best_card[seat], state.held[seat])
    state.points[high] += params.earns[state.held[high]]
    state.points[low] -= 1
    for seat in range(params.players):
        state.standing[state.round_number, seat] = state.points[seat]
    if TRACE:
        note(state, params, SCORED, high, low, 0)


@kernel
def score(state, params, seat):
    """The points, which may be negative."""
    return state.points[seat]


@kernel
def tiebreak(state, params, seat):
    """Fewer changes win."""
    return -state.changes[seat]


@kernel
def measure(state, params, shares, row):
    """Changes, best cards, standings and moves."""
    row.changes = 0
    for seat in range(params.players):
        row.changes += state.changes[seat]
        row.best_card[seat] = state.best_card[seat]
        for move in range(3):
            row.moves[move, 2] += state.own_moves[seat, move] * shares[seat]
        for number in range(state.round_number):
            row.standing[number, seat] = state.standing[number, seat]
    row.calm = row.changes < params.players
    for move in range(3):
        row.moves[move, 0] = state.moves[move, 0]
        row.moves[move, 1] = state.moves[move, 1]


@kernel
def determinize(state, params, seat, rng):
    """Shuffle the others' cards and the rest of the deck."""
    hidden = params.deck_size - state.deck_at
    for other in range(params.players):
        if other == seat:
            continue
        place = below(rng, other, hidden + 1)
        if place < hidden:
            card = state.held[other]
            state.held[other] = state.deck[state.deck_at + place]
            state.deck[state.deck_at + place] = card
    for i in range(hidden):
        place = state.deck_at + below(rng, SEATS + i, i + 1)
        card = np.int64(state.deck[place])
        state.deck[place] = state.deck[state.deck_at + i]
        state.deck[state.deck_at + i] = card


@kernel
def choose_any(state, params, weights, rng, actions):
    """Each option alike."""
    return actions.code[below(rng, 0, legal_actions(state, params, actions))]


@kernel
def choose_careful(state, params, weights, rng, actions):
    """Change a low card, more readily the more the weights say; a coin says with whom."""
    low = (params.deck_size >> 1) * weights.courage - state.held[state.seat] * weights.card
    if not prefers(low, weights.temperature, rng):
        return STAND
    if may_change(state, params) and draw(rng, 1) >> np.uint64(63) == 0:
        return NEIGHBOUR
    return DECK


class ToyTracer:
    """Events by name."""

    def __init__(self, params: Any, number: int, seed: int, policies: Sequence[str]) -> None:
        self.events: list[dict[str, Any]] = [
            {"event": "game", "number": number, "seed": str(seed), "policies": list(policies)}
        ]

    def __call__(self, state: Any, params: Any, event: int, a: int, b: int, c: int, /) -> None:
        self.events.append({"event": EVENTS[event], "a": int(a), "b": int(b)})

    def finish(self, state: Any, row: Mapping[str, int], /) -> None:
        self.events.append({"event": "end", "turns": row["turns"]})


def narrate(events: Sequence[Mapping[str, Any]]) -> list[str]:
    """A line for each event."""
    return [f"{event['event']}." for event in events]


POLICIES = (
    Policy("any", "Any", "Takes any option.", choose_any),
    Policy(
        "careful", "Careful", "Changes a low card.", choose_careful, {"courage": 2, "card": 2}, temperature=5
    ),
)

GAME = Game(
    id="toy",
    title="Toy",
    rules_version=1,
    players=range(2, 7),
    Params=ToyParams,
    state_dtype=toy_state,
    bounds=Bounds(actions=3, rounds=ROUNDS, turns=ROUNDS * SEATS, steps=2, plies=2 * ROUNDS * SEATS),
    setup=setup,
    legal_actions=legal_actions,
    apply_action=apply_action,
    score=score,
    tiebreak=tiebreak,
    measure=measure,
    determinize=determinize,
    measures=(
        GameMeasure("changes", "Changes", "cards", "Cards changed.", "more unrest"),
        CounterMeasure("moves", "Moves", "turns", "What players did.", "more use", items=MOVES),
        SeatMeasure("best_card", "Best card", "points", "A seat's best card.", "better cards"),
        GameMeasure("calm", "Calm games", "games", "Games with few changes.", "less unrest", share=True),
        CurveMeasure("standing", "Standing", "points", "Points after each round.", "a lead", rounds=ROUNDS),
    ),
    policies=POLICIES,
    round_name="round",
    turn_name="turn",
    summary="Highest card wins.",
    tables=tables,
    tracer=ToyTracer,
    narrate=narrate,
)
