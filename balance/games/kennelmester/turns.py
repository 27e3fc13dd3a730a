"""2.2, 2.7, 2.10: rounds and turns, what follows an action by itself, upkeep, and the end of a round."""

import numpy as np

from balance.engine import TRACE, kernel, note
from balance.games.kennelmester.breeding import give_birth
from balance.games.kennelmester.contest import compete
from balance.games.kennelmester.kennel import grow_up, is_due
from balance.games.kennelmester.layout import (
    ACTIONS,
    BIRTHS,
    BONUS,
    BONUS_EARNED,
    EVENT_MASK,
    GO_ON,
    HAND_CHECK,
    NONE,
    PAID_UPKEEP,
    R_CAP,
    R_EVENTS,
    R_NONE,
    R_SOLO_ROUNDS,
    R_TARGET,
    ROUND_END,
    ROUND_START,
    TURN_START,
    UPKEEP,
)
from balance.games.kennelmester.options import (
    count_actions,
    count_bonus,
    count_discards,
    count_disposals,
    count_offers,
)
from balance.games.kennelmester.params import SOLO
from balance.games.kennelmester.seats import coins_of, earn, end_game, record_round, score
from balance.games.kennelmester.traits import ONES

AT_ONCE, AT_TURN_END = range(2)
"""The settings of `hand_limit_check`."""

# ================================================================ rounds


@kernel
def begin_round(state, params):
    """K-11, K-12: the starting player turns up the round's event, and has the first turn."""
    starter = state.starter
    state.event = np.int64(state.event_deck[state.event_at])
    state.event_at = (state.event_at + 1) & EVENT_MASK
    state.events_left -= 1
    state.ahead -= params.event_traits[state.event] & ONES
    state.events_back = min(state.events_back, state.events_left)
    state.skilled = state.skilled_for[params.event_type[state.event]]
    state.prepared = state.helped = 0
    state.turn = 0
    if TRACE:
        note(state, params, ROUND_START, starter, 0, 0)
    begin_turn(state, params, starter)


@kernel
def end_round(state, params, rng):
    """K-76, K-77, K-90 to K-98: the contest, then the next round or the end of the game."""
    compete(state, params, rng)
    reason = reason_to_end(state, params)
    if TRACE:
        note(state, params, ROUND_END, reason, 0, 0)
    record_round(state, params)
    if reason == R_NONE:
        state.starter = state.starter + 1 if state.starter + 1 < params.players else 0
        begin_round(state, params)
    else:
        end_game(state, params, reason)


@kernel
def reason_to_end(state, params):
    """K-90, K-93, K-94, K-96, K-98: why the game ends with this round, if it does."""
    if params.mode != SOLO:
        for seat in range(params.n_sides):
            if score(state, params, seat) >= params.target:
                return R_TARGET
    elif state.round_number + 1 == params.solo_rounds:
        return R_SOLO_ROUNDS
    if state.events_left == 0:
        return R_EVENTS
    return R_CAP if state.round_number + 1 == params.round_cap else R_NONE


# ================================================================ turns


@kernel
def begin_turn(state, params, seat):
    """K-13: a turn begins; pups grow up, and births may happen by themselves."""
    state.seat = state.acting = seat
    state.turn += 1
    state.turns += 1
    state.draw_step = state.done = state.refusers = state.n_refused = 0
    state.same = state.stale = state.n_coins = 1
    state.tied = NONE
    state.decision = GO_ON
    state.part = ACTIONS
    if TRACE:
        note(state, params, TURN_START, 0, 0, 0)
    if state.pups[seat] + state.mothers[seat] > 0:
        grow_up(state, params, seat)
    if not params.birth_costs_action and state.pregnant[seat] > 0:
        state.part = BIRTHS
        state.next_mother = state.first_dog[seat]


@kernel
def end_turn(state, params, rng):
    """K-11: the next player's turn, or after the last one the end of the round."""
    if state.turn == params.players:
        end_round(state, params, rng)
    else:
        begin_turn(state, params, state.acting + 1 if state.acting + 1 < params.players else 0)


@kernel(inline=True)
def go_on(state, params, rng):
    """K-13: nothing is being decided; the turn goes on, by itself, to its next decision."""
    if state.part > BONUS:
        go_on_rarely(state, params, rng)
    elif params.hand_limit_check == AT_ONCE and is_over_limit(state, params):
        count_discards(state)
    elif state.part == ACTIONS and state.done < params.actions_per_turn:
        count_actions(state, params)
        count_offers(state)
    else:
        go_on_to_bonus(state, params, rng)


@kernel
def go_on_to_bonus(state, params, rng):
    """K-15: a bonus action, if one is earned and left; otherwise the turn is closed."""
    if state.part == ACTIONS:
        earn_bonus(state, params)
    if state.bonus_left > 0:
        count_bonus(state, params)
    else:
        state.part = HAND_CHECK
        close_turn(state, params, rng)


@kernel
def go_on_rarely(state, params, rng):
    """Automatic births before the actions, and what closes a turn."""
    if state.part == BIRTHS:
        next_birth(state, params, rng)
    else:
        close_turn(state, params, rng)


@kernel(inline=True)
def earn_bonus(state, params):
    """K-15: regular actions that were all of one kind earn bonus actions."""
    state.part = BONUS
    state.bonus_left = params.most_bonus * state.same
    if TRACE and state.bonus_left > 0:
        note(state, params, BONUS_EARNED, 0, 0, 0)


@kernel(inline=True)
def is_over_limit(state, params):
    """K-18: whether the acting player holds too many cards."""
    return state.hand_size[state.acting] > params.hand_limit


@kernel
def next_birth(state, params, rng):
    """K-35, A-76: the next female that is due gives birth by itself; after the last one the actions begin."""
    mother = state.next_mother
    while mother != NONE and not is_due(state, params, mother):
        mother = np.int64(state.after[mother])
    if mother == NONE:
        state.part = ACTIONS
    else:
        state.next_mother = np.int64(state.after[mother])
        give_birth(state, params, mother, rng)


# ================================================================ the end of a turn


@kernel(inline=True)
def close_turn(state, params, rng):
    """K-13: the hand limit, if it is checked only now, and the upkeep."""
    if state.part == HAND_CHECK:
        if is_over_limit(state, params):
            count_discards(state)
            return
        state.part = UPKEEP
    seat = state.acting
    dogs = state.adults[seat]
    if params.upkeep_counts_pups:
        dogs += state.pups[seat]
    due = params.due[dogs]
    coins = coins_of(state, params, seat)
    if due > coins:
        count_disposals(state, params)
        if state.options > 0:
            return
    pay_upkeep(state, params, dogs, due, min(due, coins))
    end_turn(state, params, rng)


@kernel(inline=True)
def pay_upkeep(state, params, dogs, due, paid):
    """K-61, K-63: what is due is paid, or what there is, and the rest is waived."""
    seat = state.acting
    earn(state, params, seat, -paid)
    state.upkeep_paid[seat] += paid
    state.upkeep_waived[seat] += due - paid
    if TRACE:
        note(state, params, PAID_UPKEEP, dogs, due, paid)
