"""2.2 How an action ends, and what was refused: the steps that all kinds of actions share."""

from balance.engine import TRACE, kernel, note
from balance.games.kennelmester.layout import (
    A_AT,
    ACTIONS,
    BIRTHS,
    BREED_BITS,
    D6_CONSENT,
    GO_ON,
    HIRE,
    KIND_AT,
    MATE,
    MOST_REFUSED,
    REFUSED,
    SALE,
    SELL_PLAYER,
    STUD,
    UPKEEP,
)


@kernel(inline=True)
def code_of(kind, a, b):
    """6.3: the code of an action."""
    return (kind << KIND_AT) | (a << A_AT) | b


@kernel(inline=True)
def finish(state, params, kind, breed):
    """K-14, K-15, K-17: an action of some kind is complete, with a dog of this breed where a dog is drawn or traded."""
    state.decision = GO_ON
    state.done += 1
    state.used_kinds[state.acting, kind] += 1
    signature = (kind << BREED_BITS) + params.ties[kind] * (breed + 1)
    if state.part == ACTIONS:
        if state.done == 1:
            state.signature = signature
        state.same &= signature == state.signature
    else:
        state.bonus_left -= 1


@kernel(inline=True)
def number_of(state):
    """8.4: the number of the action that is under way; 0 for automatic births and in K-62."""
    return 0 if state.part == BIRTHS or state.part == UPKEEP else state.done + 1


# ================================================================ consent (3.2, D-6)


@kernel(inline=True)
def deal_of(action):
    """What is asked for: a sale, a stud male, or help."""
    kind = action >> KIND_AT
    if kind == SELL_PLAYER:
        return SALE
    return STUD if kind == MATE else HIRE


@kernel
def ask(state, params, action, other, price):
    """D-6: the acting player proposes a deal to another side."""
    state.pending = action
    state.price = price
    state.asked_at = state.decision
    state.seat = other
    state.decision = D6_CONSENT
    state.n_drawn = 0
    state.options = 2


@kernel
def count_deal(state, params, deal, other):
    """A deal with another side is made."""
    state.deals[deal, 1] += 1
    state.deals_of[state.acting, deal] += 1
    state.deals_of[other, deal] += 1


@kernel
def remember_refusal(state, params):
    """A-73: the same offer may not be repeated in this turn."""
    deal = deal_of(state.pending)
    if TRACE:
        note(state, params, REFUSED, state.pending, state.seat, deal)
    if deal == HIRE:
        state.refusers |= 1 << state.seat
    elif state.n_refused < MOST_REFUSED:
        state.refused[state.n_refused] = state.pending
        state.n_refused += 1
    state.stale = 1


@kernel
def was_refused(state, action):
    """A-73: whether this offer was refused in this turn; when too many were, no more are made."""
    for at in range(state.n_refused):
        if state.refused[at] == action:
            return True
    return state.n_refused == MOST_REFUSED
