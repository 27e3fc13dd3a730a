"""6.5 Option number k of the decision that is due, found without listing the options; k counts from 0."""

import numpy as np

from balance.engine import kernel
from balance.games.kennelmester.bargain import accepts
from balance.games.kennelmester.bits import COUNT, member
from balance.games.kennelmester.breeding import mates_for, may_mate
from balance.games.kennelmester.entering import preparers
from balance.games.kennelmester.kennel import is_due, may_leave
from balance.games.kennelmester.layout import (
    BIRTH,
    BUY,
    COIN,
    CONSENT,
    CUSTOMERS,
    D1_START,
    D2_ACTION,
    D3_ENTER_MORE,
    D4_BONUS,
    D5_DISCARD,
    D6_CONSENT,
    D7_DISPOSE,
    DISCARD_CUSTOMER,
    DISCARD_DOG,
    DRAW_CUSTOMER,
    DRAW_DOG,
    ENTER,
    ENTER_MORE,
    FIRST_CUSTOMER,
    GIFT,
    MATE,
    N_CARDS,
    NOBODY,
    NONE,
    PASS,
    RELEASE,
    SELL_CUSTOMER,
    SELL_PLAYER,
    START_BREED,
    TAKE_CUSTOMER,
    TAKE_DOG,
)
from balance.games.kennelmester.params import SOLO
from balance.games.kennelmester.seats import coins_of
from balance.games.kennelmester.steps import code_of
from balance.games.kennelmester.trading import buyers_for, customers_for, is_sellable, may_offer

_TAKEN = [(TAKE_DOG, card) for card in range(FIRST_CUSTOMER)]
_TAKEN += [(TAKE_CUSTOMER, card - FIRST_CUSTOMER) for card in range(FIRST_CUSTOMER, N_CARDS)]
_DRAWN = [(DRAW_DOG, breed) for breed in range(CUSTOMERS)] + [(DRAW_CUSTOMER, 0)]
DRAW_CODE = np.array([code_of(kind, a, 0) for kind, a in [*_TAKEN, *_DRAWN]], dtype=np.int64)
"""The action that draws an item."""
_PARTED = [(DISCARD_DOG, card) for card in range(FIRST_CUSTOMER)]
_PARTED += [(DISCARD_CUSTOMER, card - FIRST_CUSTOMER) for card in range(FIRST_CUSTOMER, N_CARDS)]
DISCARD_CODE = np.array([code_of(kind, a, 0) for kind, a in _PARTED], dtype=np.int64)
"""The action that discards a card."""


@kernel(inline=True)
def option(state, params, k):
    """The code of option number k; every option has its number, from 0 to `state.options` - 1. PASS comes last."""
    if state.decision == D5_DISCARD:
        return DISCARD_CODE[state.hand[state.acting, k]]
    if k < state.n_drawn:
        which = np.int64(k >= state.n_dogs)
        return DRAW_CODE[state.items[which, k - state.n_dogs * which]]
    return other_option(state, params, k)


@kernel
def other_option(state, params, k):
    """Option number k that is neither a draw nor a discard."""
    decision = state.decision
    if decision == D2_ACTION:
        return other_action(state, params, k)
    if decision == D4_BONUS:
        return other_action(state, params, k)
    if decision == D6_CONSENT:
        return code_of(CONSENT, k, 0)
    if decision == D1_START:
        return code_of(START_BREED, start_breed(state, params, k), 0)
    if decision == D7_DISPOSE:
        return disposal_option(state, params, k)
    if k == state.options - 1:
        return np.int64(PASS)
    if decision == D3_ENTER_MORE:
        return entry_option(state, params, k, np.int64(ENTER_MORE))
    return code_of(MATE, state.mother, mate_number(state, params, state.mother, k))


@kernel
def start_breed(state, params, k):
    """K-5: the breed number k of those whose deck is not empty."""
    for breed in range(params.n_breeds):
        if state.deck_size[breed] > 0:
            if k == 0:
                return np.int64(breed)
            k -= 1
    return np.int64(NONE)


# ================================================================ actions


@kernel
def other_action(state, params, k):
    """An action that is no draw, or a draw of the breed that a bonus is tied to; PASS in the end."""
    if k < state.n_dogs:
        return DRAW_CODE[item_number(state, params, k)]
    k -= state.n_dogs + state.n_customers
    if k < state.n_coins:
        return code_of(COIN, 0, 0)
    k -= state.n_coins
    if k < state.n_buys:
        return code_of(BUY, bought_number(state, params, k), 0)
    k -= state.n_buys
    if k < state.n_sales:
        return sale_option(state, params, k)
    k -= state.n_sales
    if k < state.n_offers:
        return offer_option(state, params, k)
    k -= state.n_offers
    if k < state.n_mates:
        return mate_option(state, params, k)
    k -= state.n_mates
    if k < state.n_births:
        return code_of(BIRTH, due_number(state, params, k), 0)
    k -= state.n_births
    return entry_option(state, params, k, np.int64(ENTER)) if k < state.n_entries else np.int64(PASS)


@kernel
def item_number(state, params, k):
    """The dog item number k of the breed that a bonus is tied to."""
    at = 0
    while True:
        item = np.int64(state.items[0, at])
        k -= params.pile_of[item] == state.tied
        if k < 0:
            return item
        at += 1


@kernel(inline=True)
def fits(state, params, dog):
    """K-17: whether a trade with this dog keeps the breed that a bonus is tied to."""
    return state.tied == NONE or params.pile_of[dog] == state.tied


@kernel
def bought_number(state, params, k):
    """The dog number k in hand that can be paid."""
    seat, at = state.acting, 0
    coins = coins_of(state, params, seat)
    while True:
        card = np.int64(state.hand[seat, at])
        k -= params.card_price[card] <= coins and fits(state, params, card)
        if k < 0:
            return card
        at += 1


@kernel
def sale_option(state, params, k):
    """The sale to a customer number k."""
    dog = state.first_dog[state.acting]
    while True:
        if is_sellable(state, params, dog) and fits(state, params, dog):
            n = customers_for(state, params, dog)
            if k < n:
                return code_of(SELL_CUSTOMER, dog, customer_number(state, params, dog, k))
            k -= n
        dog = np.int64(state.after[dog])


@kernel
def customer_number(state, params, dog, k):
    """The customer number k in hand that accepts a dog."""
    seat, at = state.acting, 0
    while True:
        customer = np.int64(state.hand[seat, at]) - FIRST_CUSTOMER
        k -= accepts(params, customer, dog)
        if k < 0:
            return customer
        at += 1


@kernel
def offer_option(state, params, k):
    """The offer to another player number k."""
    dog = state.first_dog[state.acting]
    while True:
        if may_leave(state, dog) and fits(state, params, dog):
            n = buyers_for(state, params, dog)
            if k < n:
                break
            k -= n
        dog = np.int64(state.after[dog])
    other = np.int64(0)
    while True:
        k -= may_offer(state, params, dog, other)
        if k < 0:
            return code_of(SELL_PLAYER, dog, other)
        other += 1


@kernel
def mate_option(state, params, k):
    """The mating number k."""
    at = 0
    while True:
        dog = np.int64(state.idle[at])
        if params.dog_female[dog]:
            n = mates_for(state, params, dog)
            if k < n:
                return code_of(MATE, dog, mate_number(state, params, dog, k))
            k -= n
        at += 1


@kernel
def mate_number(state, params, mother, k):
    """The male number k for a female."""
    at = params.male_start[params.pile_of[mother]]
    while True:
        father = np.int64(state.studs[at])
        k -= may_mate(state, params, mother, father)
        if k < 0:
            return father
        at += 1


@kernel
def due_number(state, params, k):
    """The female number k that may give birth."""
    dog = state.first_dog[state.acting]
    while True:
        k -= is_due(state, params, dog)
        if k < 0:
            return dog
        dog = np.int64(state.after[dog])


@kernel
def entry_option(state, params, k, kind):
    """The entry number k: the idle dogs with nobody's help, then with that of each preparer."""
    mask, seat = preparers(state, params), np.int64(NOBODY)
    if k >= state.n_idle:
        seat = member(mask, (k - state.n_idle) % COUNT[mask])
        k = (k - state.n_idle) // COUNT[mask]
    return code_of(kind, np.int64(state.idle[k]), seat)


# ================================================================ D-7


@kernel
def disposal_option(state, params, k):
    """D-7: sales, then offers, then presents or releases."""
    if k < state.n_sales:
        return sale_option(state, params, k)
    k -= state.n_sales
    if k < state.n_offers:
        return offer_option(state, params, k)
    k -= state.n_offers
    takers = 1 if params.mode == SOLO else params.players - 1
    dog, taker = leaver_number(state, k // takers), k % takers
    if params.mode == SOLO:
        return code_of(RELEASE, dog, 0)
    return code_of(GIFT, dog, taker + (taker >= state.acting))


@kernel
def leaver_number(state, k):
    """The dog number k of the acting player that may leave."""
    dog = state.first_dog[state.acting]
    while True:
        k -= may_leave(state, dog)
        if k < 0:
            return dog
        dog = np.int64(state.after[dog])
