"""2.6 Entering dogs in the event, and preparing them."""

import numpy as np

from balance.engine import TRACE, kernel, note
from balance.games.kennelmester.bits import COUNT
from balance.games.kennelmester.kennel import keep_busy, now
from balance.games.kennelmester.layout import (
    A_ENTER,
    D3_ENTER_MORE,
    ENTERED,
    ENTRY_CLOSED,
    HIRE,
    NOBODY,
    NONE,
)
from balance.games.kennelmester.seats import are_partners, coins_of, earn
from balance.games.kennelmester.steps import ask, count_deal, finish

ASK, AUTO, OFF = range(3)
"""The settings of `hire_deal`."""

# ================================================================ who can prepare


@kernel(inline=True)
def preparers(state, params):
    """K-51 to K-53: who can prepare the acting player's next dog and can be paid for it, as a bit mask of seats.

    The entry itself must be paid for, too (`may_pay_entry`).
    """
    seat = state.acting
    own, skilled = 1 << seat, state.skilled
    helpers = skilled & ~own & ~state.refusers
    if params.prep_exclusive:
        helpers &= ~state.prepared
        skilled &= ~state.helped
    if params.hire_deal == OFF:
        helpers = 0
    elif coins_of(state, params, seat) < params.event_cost[state.event] + params.prep_fee:
        helpers &= params.partners[seat]
    return helpers | (skilled & own)


@kernel(inline=True)
def may_pay_entry(state, params):
    """K-50: whether the acting player's side can pay for one more dog."""
    return coins_of(state, params, state.acting) >= params.event_cost[state.event]


@kernel(inline=True)
def ways_to_enter(state, params):
    """6.4: in how many ways one more dog can be entered: with nobody's help, or with that of each preparer."""
    return 1 + COUNT[preparers(state, params)] if may_pay_entry(state, params) else 0


# ================================================================ entering


@kernel
def propose_entry(state, params, dog, preparer, action):
    """K-50 to K-52: enter a dog; a helper of another side may have to be asked (3.2)."""
    seat = state.acting
    is_hired = preparer != NOBODY and not are_partners(params, seat, preparer)
    state.deals[HIRE, 0] += is_hired
    if is_hired and params.hire_deal == ASK:
        ask(state, params, action, preparer, params.prep_fee)
    else:
        enter(state, params, dog, preparer)


@kernel
def enter(state, params, dog, preparer):
    """K-50: pay for the dog, and for help; more dogs may follow in the same action (D-3)."""
    seat, fee = state.acting, np.int64(0)
    earn(state, params, seat, -params.event_cost[state.event])
    if preparer == seat:
        state.prepared |= 1 << seat
    elif preparer != NOBODY:
        state.helped |= 1 << preparer
        if not are_partners(params, seat, preparer):
            fee = params.prep_fee
            count_deal(state, params, np.int64(HIRE), preparer)
    earn(state, params, seat, -fee)
    earn(state, params, seat if preparer == NOBODY else preparer, fee)
    state.used_round[dog] = state.entered_round[dog] = now(state)
    state.prepared_dog[dog] = preparer != NOBODY
    state.entered[state.n_entered] = dog
    state.n_entered += 1
    state.opened += 1
    keep_busy(state, dog)
    state.entries_of[seat, params.event_type[state.event]] += 1
    state.stale = 1
    if TRACE:
        note(state, params, ENTERED, dog, preparer, fee)
    state.decision = D3_ENTER_MORE


@kernel
def close_entry(state, params):
    """D-3: no more dogs in this action."""
    if TRACE:
        note(state, params, ENTRY_CLOSED, 0, 0, 0)
    state.opened = 0
    finish(state, params, np.int64(A_ENTER), np.int64(NONE))
