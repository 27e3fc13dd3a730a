"""How a simulated player weighs an entry: by the chance to qualify, the prize, who else is there, and what it costs."""

import numpy as np

from balance.engine import draw, kernel, prefers
from balance.games.kennelmester.bargain import would_help
from balance.games.kennelmester.bits import COUNT, member
from balance.games.kennelmester.bits import LOWEST as FIRST_SEAT
from balance.games.kennelmester.entering import ASK, preparers
from balance.games.kennelmester.expectations import CHANCE_UNIT, MOST_ROLLED
from balance.games.kennelmester.kennel import seat_of
from balance.games.kennelmester.layout import ENTER_MORE, NOBODY, NONE, PASS
from balance.games.kennelmester.seats import are_partners
from balance.games.kennelmester.steps import code_of
from balance.games.kennelmester.traits import all_dice, total
from balance.games.kennelmester.worth import COIN_WORTH, LOWEST, note_money, weighed

WORD, HELPER_WORD = 32, 33


@kernel(inline=True)
def dice_of(state, params, dog):
    """How many dice an unprepared dog rolls in this event."""
    return params.base_dice + all_dice(total(state, params, dog) & params.event_traits[state.event])


@kernel(inline=True)
def chance(state, params, dice):
    """The chance to qualify with so many dice, in parts of CHANCE_UNIT."""
    return np.int64(params.qualify[state.event, min(dice, MOST_ROLLED)])


@kernel
def prize(state, params, weights):
    """What the event's reputation is worth to a dog that qualifies, as far as the others leave it to him.

    An own dog takes it whenever it qualifies, another player's every second time; players to come may enter dogs.
    """
    open_to = CHANCE_UNIT - weights.rivals * (params.players - state.turn)
    for at in range(state.n_entered):
        dog = np.int64(state.entered[at])
        dice = dice_of(state, params, dog) + params.prep_dice * state.prepared_dog[dog]
        taken = open_to * chance(state, params, dice) // CHANCE_UNIT
        open_to -= taken if are_partners(params, seat_of(state, dog), state.acting) else taken >> 1
    return weights.prize * params.event_reputation[state.event] * max(open_to, 0) // CHANCE_UNIT


@kernel
def propose_entry(state, params, weights, kind, rng, actions):
    """The code of the best entry, an ENTER or ENTER_MORE by `kind`, and its worth; NONE if all dogs are busy."""
    whole = prize(state, params, weights)
    dog, dice = best_entrant(state, params, weights, whole, rng)
    seat, fee = helper(state, params, rng), np.int64(0)
    alone = whole * chance(state, params, dice) // CHANCE_UNIT
    worth = alone
    if seat != NOBODY:
        worth = whole * chance(state, params, dice + params.prep_dice) // CHANCE_UNIT
        if not are_partners(params, seat, state.acting):
            fee = params.prep_fee * actions.code[COIN_WORTH] + weights.hire
        if worth - alone <= fee:
            seat, fee, worth = np.int64(NOBODY), np.int64(0), alone
    worth -= fee + params.event_cost[state.event] * actions.code[COIN_WORTH]
    return code_of(kind, dog, seat), worth


@kernel
def best_entrant(state, params, weights, whole, rng):
    """The idle dog with the best chance to qualify, and its dice."""
    best, found, most = LOWEST, np.int64(NONE), np.int64(0)
    bits = draw(rng, WORD)
    for number in range(state.n_idle):
        dog = np.int64(state.idle[number])
        dice = dice_of(state, params, dog)
        worth = whole * chance(state, params, dice) // CHANCE_UNIT
        value = weighed(weights, worth, number, bits, rng)
        if value > best:
            best, found, most = value, dog, dice
    return found, most


@kernel
def further_entry(state, params, weights, rng, actions):
    """D-3: one more dog, if that is worth its cost; PASS otherwise."""
    note_money(state, params, weights, actions)
    code, worth = propose_entry(state, params, weights, np.int64(ENTER_MORE), rng, actions)
    return code if prefers(worth, weights.temperature, rng) else np.int64(PASS)


# ================================================================ help


@kernel(inline=True)
def helper(state, params, rng):
    """Who is to prepare a dog: the player himself where he can, a partner, another who agrees; or NOBODY."""
    able = preparers(state, params)
    if able >> state.acting & 1:
        return state.acting
    return other_helper(state, params, able, rng) if able != 0 else np.int64(NOBODY)


@kernel
def other_helper(state, params, able, rng):
    """A partner, or one of those who will agree by B-4."""
    willing = able & params.partners[state.acting]
    if willing == 0 and params.hire_deal == ASK:
        while able != 0:
            seat = FIRST_SEAT[able]
            able &= able - 1
            willing |= np.int64(would_help(state, params, seat)) << seat
    elif willing == 0:
        willing = able
    if willing == 0:
        return np.int64(NOBODY)
    return member(willing, np.int64(draw(rng, HELPER_WORD) >> np.uint64(33)) % COUNT[willing])
