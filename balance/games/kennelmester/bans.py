"""What a player of Kennelmester can be forbidden to choose: kinds of actions, deals with others, types of events."""

from types import MappingProxyType
from typing import Any

import numpy as np

from balance.engine import kernel
from balance.game import Bans
from balance.games.kennelmester import measures
from balance.games.kennelmester.breeding import mates_for
from balance.games.kennelmester.deck import EVENT_TYPES
from balance.games.kennelmester.entering import ways_to_enter
from balance.games.kennelmester.kennel import is_idle, now, seat_of
from balance.games.kennelmester.layout import (
    A_BIRTH,
    A_COIN,
    A_DRAW_CUSTOMER,
    A_DRAW_DOG,
    A_ENTER,
    A_MATE,
    A_TRADE,
    BIRTH,
    BUY,
    COIN,
    D2_ACTION,
    D3_ENTER_MORE,
    D4_BONUS,
    D7_DISPOSE,
    D8_FREE_MATE,
    DRAW_CUSTOMER,
    DRAW_DOG,
    ENTER,
    ENTER_MORE,
    FREE,
    HIRE,
    KIND_AT,
    LOW_12,
    MATE,
    N_KINDS,
    NOBODY,
    NONE,
    SALE,
    SELL_CUSTOMER,
    SELL_PLAYER,
    START_BREED,
    STUD,
    TAKE_CUSTOMER,
    TAKE_DOG,
)
from balance.games.kennelmester.seats import are_partners

DEAL, EVENT = N_KINDS, N_KINDS + len(measures.DEALS)
"""The bits of actions are those of their kinds (K-16); those of deals and types of events come after them."""
CODES = (
    (COIN,),
    (DRAW_DOG, TAKE_DOG),
    (DRAW_CUSTOMER, TAKE_CUSTOMER),
    (BUY, SELL_CUSTOMER, SELL_PLAYER),
    (MATE,),
    (BIRTH,),
    (ENTER, ENTER_MORE),
)
"""The codes of each kind of action."""
BITS = np.array(
    [sum(1 << at for at, codes in enumerate(CODES) if code in codes) for code in range(START_BREED + 1)],
    dtype=np.int64,
)
"""By the kind of a code, the bit of its kind of action; 0 for codes that are no actions of a turn."""


@kernel
def concerns(state, params, action):
    """An action is about its kind, about the deal that it proposes to another side, an entry about the event's type.

    What is sold because the upkeep cannot be paid (D-7) is no action.
    """
    kind, b = action >> KIND_AT, action & LOW_12
    found = BITS[kind] * (state.decision != D7_DISPOSE)
    if kind == SELL_PLAYER:
        found |= 1 << (DEAL + SALE)
    elif kind == MATE:
        found |= is_foreign(state, params, seat_of(state, b)) << (DEAL + STUD)
    elif ENTER <= kind <= ENTER_MORE:
        found |= 1 << (EVENT + params.event_type[state.event])
        if b != NOBODY:
            found |= is_foreign(state, params, b) << (DEAL + HIRE)
    return found


@kernel(inline=True)
def is_foreign(state, params, seat):
    """1 for a seat of another side than the acting player's."""
    return np.int64(not are_partners(params, state.acting, seat))


@kernel
def withhold(state, params, names):
    """Such options are not counted; others lend no males and prepare no dogs, where that is what is forbidden."""
    if names >> (DEAL + STUD) & 1:
        hide_males(state, params)
    if names >> (DEAL + HIRE) & 1:
        for seat in range(params.players):
            state.refusers |= is_foreign(state, params, seat) << seat
    if names >> (DEAL + SALE) & 1:
        state.options -= state.n_offers
        state.n_offers = 0
    if state.decision == D2_ACTION or state.decision == D4_BONUS:
        hide_actions(state, params, names)
    elif state.decision == D3_ENTER_MORE:
        state.n_entries = state.n_idle * ways_to_enter(state, params)
        state.options = 1 + state.n_entries
    elif state.decision == D8_FREE_MATE:
        state.n_mates = mates_for(state, params, state.mother)
        state.options = 1 + state.n_mates


@kernel
def hide_males(state, params):
    """The males of other sides count as busy."""
    for at in range(params.male_start[params.n_breeds]):
        father = params.male_dogs[at]
        if state.place[father] >= FREE and is_foreign(state, params, seat_of(state, father)):
            state.used_round[father] = now(state)


@kernel
def hide_actions(state, params, names):
    """D-2, D-4: the kinds of actions that are left, counted."""
    if names >> (DEAL + STUD) & 1:
        state.n_mates = count_matings(state, params) * (state.n_mates > 0)
    if names >> (DEAL + HIRE) & 1:
        state.n_entries = state.n_idle * ways_to_enter(state, params) * (state.n_entries > 0)
    if names >> (EVENT + params.event_type[state.event]) & 1:
        state.n_entries = 0
    state.n_coins *= 1 - (names >> A_COIN & 1)
    state.n_dogs *= 1 - (names >> A_DRAW_DOG & 1)
    state.n_customers *= 1 - (names >> A_DRAW_CUSTOMER & 1)
    trades = 1 - (names >> A_TRADE & 1)
    state.n_buys *= trades
    state.n_sales *= trades
    state.n_offers *= trades
    state.n_mates *= 1 - (names >> A_MATE & 1)
    state.n_births *= 1 - (names >> A_BIRTH & 1)
    state.n_entries *= 1 - (names >> A_ENTER & 1)
    if state.n_drawn:
        state.n_drawn = state.n_dogs + state.n_customers
    sold = state.n_buys + state.n_sales + state.n_offers
    others = state.n_coins + sold + state.n_mates + state.n_births + state.n_entries
    state.options = state.n_dogs + state.n_customers + others + (state.decision == D4_BONUS)


@kernel
def count_matings(state, params):
    """The matings of all idle females of the acting player."""
    n, dog = np.int64(0), state.first_dog[state.acting]
    while dog != NONE:
        if params.dog_female[dog] and is_idle(state, dog):
            n += mates_for(state, params, dog)
        dog = np.int64(state.after[dog])
    return n


def _names() -> dict[str, str]:
    found = {action: f"to {action}" for action in measures.ACTIONS}
    found |= {"coin": "to take a coin", "trade": "to buy or sell a dog", "mate": "to mate dogs"}
    found |= {"birth": "to use an action for a birth", "enter": "to enter dogs in events"}
    found |= {measures.DEALS[SALE]: "to offer a dog to another player"}
    found |= {measures.DEALS[STUD]: "to use the male of another player"}
    found |= {measures.DEALS[HIRE]: "to have a dog prepared by another player"}
    return found | {kind: f"to enter dogs in events of the type {kind}" for kind in EVENT_TYPES}


def absent(params: Any) -> tuple[str, ...]:
    """Actions, deals and events that these rules leave out."""
    return *measures.absent_actions(params), *measures.absent_deals(params), *measures.absent_events(params)


BANS = Bans(MappingProxyType(_names()), concerns, withhold, absent)
