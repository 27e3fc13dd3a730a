"""Pig's rules. The ids (P-1) are those of RULES.md; the first roll of a turn is no choice, so it is made at once."""

import numpy as np

from balance.engine import TRACE, aim, below, kernel, note, state_dtype

HOLD, ROLL = 0, 1
CHOICES = ("hold", "roll")
N_CHOICES = len(CHOICES)
ROLLED, BUST, BANKED = 0, 1, 2
"""What the tracer is told."""
SEATS = 6
SHOWN_ROUNDS = 10
"""The rounds that the curve of points shows."""

pig_state = state_dtype(
    ("points", np.int64, SEATS),
    ("turn_points", np.int64),
    ("rolls", np.int64),
    ("busts", np.int64),
    ("best_turn", np.int64, SEATS),
    ("chosen", np.int64, (N_CHOICES, SEATS)),
    ("standing", np.int64, (SHOWN_ROUNDS, SEATS)),
)
"""Points banked by seat; points and rolls of the turn; then what is only counted."""


@kernel
def setup(state, params, rng):
    """P-1, P-2: the first seat begins; later seats may have a head start. The state arrives zeroed."""
    for seat in range(params.players):
        state.points[seat] = seat * params.head_start
    begin_turns(state, params, rng)


@kernel
def begin_turns(state, params, rng):
    """P-3: roll for whoever has not rolled in the turn yet, until somebody has a choice or the game is over."""
    while state.over == 0 and state.rolls == 0:
        roll(state, params, rng)


@kernel
def roll(state, params, rng):
    """P-4, P-6: the losing face ends the turn; so do enough points for the target, which are banked."""
    aim(rng, 0, state.round_number, state.turn, state.rolls)
    face = below(rng, 0, params.sides) + 1
    state.rolls += 1
    if face == params.losing_face:
        lose_turn(state, params, face)
        return
    state.turn_points += face
    if TRACE:
        note(state, params, ROLLED, face, 0, 0)
    if state.points[state.seat] + state.turn_points >= params.target:
        bank(state, params)


@kernel
def lose_turn(state, params, face):
    """P-4: the points of the turn are lost; by the stricter rule all points are."""
    state.busts += 1
    state.turn_points = 0
    if params.bust_costs_all:
        state.points[state.seat] = 0
    if TRACE:
        note(state, params, BUST, face, 0, 0)
    end_turn(state, params)


@kernel
def bank(state, params):
    """P-5: the points of the turn are kept."""
    seat = state.seat
    state.points[seat] += state.turn_points
    state.best_turn[seat] = max(state.best_turn[seat], state.turn_points)
    if TRACE:
        note(state, params, BANKED, state.turn_points, 0, 0)
    end_turn(state, params)


@kernel
def end_turn(state, params):
    """P-1, P-6: the next seat, unless the target is reached."""
    state.over = state.points[state.seat] >= params.target
    state.turns += 1
    state.turn += 1
    state.seat += 1
    state.turn_points = state.rolls = 0
    if state.over or state.seat == params.players:
        end_round(state, params)


@kernel
def end_round(state, params):
    """P-7: after the last round the game is over, whoever has reached what."""
    if state.round_number < SHOWN_ROUNDS:
        for seat in range(params.players):
            state.standing[state.round_number, seat] = state.points[seat]
    state.round_number += 1
    state.turn = state.seat = 0
    state.over |= state.round_number == params.most_rounds


@kernel
def legal_actions(state, params, actions):
    """P-5: hold or roll again."""
    actions.code[0], actions.code[1] = HOLD, ROLL
    return 2


@kernel
def apply_action(state, params, action, rng):
    """Do it, and all that follows without a choice."""
    state.chosen[action, state.seat] += 1
    if action == HOLD:
        bank(state, params)
    else:
        roll(state, params, rng)
    begin_turns(state, params, rng)


@kernel
def score(state, params, seat):
    """P-6, P-7: the points banked; the target is reached by the winner alone."""
    return state.points[seat]


@kernel
def tiebreak(state, params, seat):
    """P-7: players with equal points share the win."""
    return 0


@kernel
def determinize(state, params, seat, rng):
    """Nothing is hidden."""


@kernel
def measure(state, params, shares, row):
    """What the game counted. `shares`: each seat's part of the win, in sixtieths."""
    row.busts = state.busts
    row.out_of_rounds = 1
    for seat in range(params.players):
        if state.points[seat] >= params.target:
            row.out_of_rounds = 0
        row.best_turn[seat] = state.best_turn[seat]
        for number in range(min(state.round_number, SHOWN_ROUNDS)):
            row.standing[number, seat] = state.standing[number, seat]
        for choice in range(N_CHOICES):
            row.choices[choice, 0] += state.chosen[HOLD, seat] + state.chosen[ROLL, seat]
            row.choices[choice, 1] += state.chosen[choice, seat]
            row.choices[choice, 2] += state.chosen[choice, seat] * shares[seat]
