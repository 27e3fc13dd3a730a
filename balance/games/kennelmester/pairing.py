"""How a simulated player weighs matings and births: by the merit of the pups, which inherit and have a card."""

import numpy as np

from balance.engine import draw, kernel
from balance.games.kennelmester.bargain import would_lend
from balance.games.kennelmester.breeding import ASK, may_mate, stud_fee
from balance.games.kennelmester.expectations import CHANCE_UNIT
from balance.games.kennelmester.kennel import is_due, seat_of
from balance.games.kennelmester.layout import BIRTH, FREE, MATE, NONE
from balance.games.kennelmester.seats import are_partners
from balance.games.kennelmester.steps import code_of
from balance.games.kennelmester.traits import inheritance
from balance.games.kennelmester.worth import (
    COIN_WORTH,
    IDLE,
    IDLE_STEP,
    LATER_SCALE,
    LOWEST,
    N_IDLE,
    SCALE_BITS,
    crowding,
    gain,
    merit_of_pup,
    weighed,
)

WORD, BIRTH_WORD = 34, 35


@kernel
def best_birth(state, params, weights, rng):
    """Of the litters that can be born the one whose pups can be expected to be best."""
    best, found, number = LOWEST, np.int64(NONE), 0
    bits = draw(rng, BIRTH_WORD)
    dog = state.first_dog[state.acting]
    while dog != NONE:
        if is_due(state, params, dog):
            pup = merit_of_pup(state, params, state.carried[dog], params.pile_of[dog])
            value = weighed(weights, pup, number, bits, rng)
            number += 1
            if value > best:
                best, found = value, dog
        dog = np.int64(state.after[dog])
    return code_of(BIRTH, found, 0)


@kernel
def propose_mating(state, params, weights, rng, actions):
    """The code of the mating whose pups can be expected to be best, and its worth; NONE if there is none.

    Males of others are thought of only where no own pair is idle.
    """
    fee = np.int64(0)
    mother, father, pup = own_pair(state, params, weights, rng, actions)
    if mother == NONE:
        mother, father, pup = hired_pair(state, params, weights, rng, actions)
        if mother == NONE:
            return np.int64(NONE), np.int64(0)
        owner = seat_of(state, father)
        if not are_partners(params, state.acting, owner):
            fee = stud_fee(params, state.acting, owner, inheritance(state, params, mother, father))
            fee = fee * actions.code[COIN_WORTH] + weights.stud
    worth = gain(weights, pup, actions) * actions.code[LATER_SCALE] >> SCALE_BITS
    worth = worth * params.any_pup // CHANCE_UNIT + weights.pup * params.mean_litter // CHANCE_UNIT
    return code_of(MATE, mother, father), worth - fee - crowding(state, params, weights, np.int64(1))


@kernel
def own_pair(state, params, weights, rng, actions):
    """The best pair of own idle dogs, and the merit of its pups; NONE if there is none, or no card left for a pup."""
    best, mother, father, found, number = LOWEST, np.int64(NONE), np.int64(NONE), np.int64(0), 0
    bits = draw(rng, WORD)
    for i in range(actions.code[N_IDLE + 1]):
        she = actions.code[IDLE + IDLE_STEP + i]
        for j in range(actions.code[N_IDLE]):
            he = actions.code[IDLE + j]
            if params.pile_of[he] == params.pile_of[she] and state.pile[params.pile_of[she]] > 0:
                pup = merit_of_pup(state, params, inheritance(state, params, she, he), params.pile_of[she])
                value = weighed(weights, pup, number, bits, rng)
                number += 1
                if value > best:
                    best, mother, father, found = value, she, he, pup
    return mother, father, found


@kernel
def hired_pair(state, params, weights, rng, actions):
    """The same with another player's male, if he will lend it by B-3."""
    best, mother, father, found, number = LOWEST, np.int64(NONE), np.int64(NONE), np.int64(0), 0
    bits = draw(rng, WORD)
    for i in range(actions.code[N_IDLE + 1]):
        she = actions.code[IDLE + IDLE_STEP + i]
        breed = params.pile_of[she]
        for at in range(params.male_start[breed], params.male_start[breed + 1]):
            he = params.male_dogs[at]
            if state.place[he] >= FREE and is_to_be_had(state, params, she, he):
                pup = merit_of_pup(state, params, inheritance(state, params, she, he), breed)
                value = weighed(weights, pup, number, bits, rng)
                number += 1
                if value > best:
                    best, mother, father, found = value, she, he, pup
    return mother, father, found


@kernel
def is_to_be_had(state, params, mother, father):
    """Whether another player's male can be used, as far as one can tell."""
    if not may_mate(state, params, mother, father):
        return False
    seat, owner = state.acting, seat_of(state, father)
    if params.stud_deal != ASK or are_partners(params, seat, owner):
        return True
    fee = stud_fee(params, seat, owner, inheritance(state, params, mother, father))
    return would_lend(state, params, owner, father, fee)
