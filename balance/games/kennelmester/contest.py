"""2.8 The contest of a round."""

import numpy as np

from balance.engine import TRACE, aim, below, kernel, note
from balance.games.kennelmester.kennel import seat_of
from balance.games.kennelmester.layout import (
    COMPETED,
    COMPETING,
    CONTEST_OVER,
    CONTEST_TURN,
    DIE_ROLLED,
    EVENT_MASK,
    REMOVED,
    REROLL_TURN,
    REROLLED,
    STANDS_UP,
    WON,
    WORDS,
)
from balance.games.kennelmester.traits import ONES, all_dice, total


@kernel
def compete(state, params, rng):
    """K-70 to K-76: every entered dog rolls; the best of those that qualify wins the event for its owner."""
    if TRACE:
        note(state, params, COMPETING, 0, 0, 0)
    leaders = find_leaders(state, params, rng)
    number = np.int64(0)
    while leaders > 1:
        leaders = roll_again(state, params, leaders, number, rng)
        number += 1
    if leaders == 1:
        win(state, params, np.int64(state.entered[0]))
    else:
        put_back(state, params)
    state.n_entered = 0


@kernel
def find_leaders(state, params, rng):
    """K-73: the qualified dogs with the highest result, now at the front of the list; returns how many."""
    leaders = best = 0
    for at in range(state.n_entered):
        dog = np.int64(state.entered[at])
        result = roll(state, params, dog, rng)
        if result > best:
            best, leaders = result, 0
        if result == best and result > 0:
            state.entered[leaders] = dog
            leaders += 1
    return leaders


@kernel
def roll(state, params, dog, rng):
    """K-71 to K-73: a dog's result, the sum of its successful dice; 0 if these are too few."""
    listed = all_dice(total(state, params, dog) & params.event_traits[state.event])
    dice = params.base_dice + listed + params.prep_dice * state.prepared_dog[dog]
    if TRACE:
        note(state, params, STANDS_UP, dog, 0, 0)
    target, successes, result = params.event_target[state.event], 0, 0
    for die in range(dice):
        if die & (WORDS - 1) == 0:
            aim(rng, 0, state.round_number, CONTEST_TURN + die // WORDS, dog)
        face = below(rng, die & (WORDS - 1), 6) + 1
        successes += face >= target
        result += face * (face >= target)
        if TRACE:
            note(state, params, DIE_ROLLED, dog, face, 0)
    if successes < params.event_required[state.event]:
        result = 0
    if TRACE:
        note(state, params, COMPETED, listed, successes, result)
    return result


@kernel
def roll_again(state, params, leaders, number, rng):
    """K-74: each tied dog rolls one die; those with the highest stay, at the front of the list."""
    best = left = 0
    for at in range(leaders):
        dog = np.int64(state.entered[at])
        aim(rng, 0, state.round_number, REROLL_TURN + number, dog)
        face = below(rng, 0, 6) + 1
        if TRACE:
            note(state, params, REROLLED, dog, face, number)
        if face > best:
            best, left = face, 0
        if face == best:
            state.entered[left] = dog
            left += 1
    return left


@kernel
def win(state, params, dog):
    """K-75: the owner gains the reputation and keeps the card."""
    seat, event = seat_of(state, dog), state.event
    state.reputation[seat] += params.event_reputation[event]
    state.wins[dog] += 1
    state.wins_of[seat, params.event_type[event]] += 1
    state.event_place[event] = WON + seat
    if TRACE:
        note(state, params, CONTEST_OVER, dog, 0, 0)


@kernel
def put_back(state, params):
    """K-76, A-57: nobody won; the card goes under the event deck, or out of the game."""
    state.unwon += 1
    if params.removes_unwon:
        state.event_place[state.event] = REMOVED
    else:
        state.event_deck[(state.event_at + state.events_left) & EVENT_MASK] = state.event
        state.events_left += 1
        state.ahead += params.event_traits[state.event] & ONES
        state.events_back += 1
    if TRACE:
        note(state, params, CONTEST_OVER, -1, 0, 0)
