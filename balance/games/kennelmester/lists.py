"""6.2, 6.3 The options as a list of codes, ascending."""

import numpy as np

from balance.engine import kernel
from balance.games.kennelmester.bargain import accepts
from balance.games.kennelmester.breeding import may_mate
from balance.games.kennelmester.choosing import fits
from balance.games.kennelmester.entering import preparers
from balance.games.kennelmester.kennel import is_due, is_idle, may_leave
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
    DISCARDED,
    DRAW_CUSTOMER,
    DRAW_DOG,
    ENTER,
    ENTER_MORE,
    FIRST_CUSTOMER,
    FREE,
    GIFT,
    HAND,
    MATE,
    MAX_ACTIONS,
    NOBODY,
    PASS,
    RELEASE,
    SELL_CUSTOMER,
    SELL_PLAYER,
    START_BREED,
    TAKE_CUSTOMER,
    TAKE_DOG,
)
from balance.games.kennelmester.params import SOLO
from balance.games.kennelmester.piles import is_listed
from balance.games.kennelmester.seats import coins_of
from balance.games.kennelmester.steps import code_of
from balance.games.kennelmester.trading import is_sellable, may_offer


@kernel
def legal_actions(state, params, actions):
    """The codes of the list of options, ascending; returns how many.

    More than MAX_ACTIONS are counted and not written, so that whoever asks sees that the list is too long.
    """
    decision = state.decision
    if decision == D2_ACTION:
        return list_actions(state, params, np.int64(0), actions)
    if decision == D4_BONUS:
        return list_actions(state, params, put(np.int64(PASS), np.int64(0), actions), actions)
    if decision == D5_DISCARD:
        return list_discards(state, params, actions)
    if decision == D6_CONSENT:
        return put(code_of(CONSENT, 1, 0), put(code_of(CONSENT, 0, 0), np.int64(0), actions), actions)
    if decision == D1_START:
        return list_breeds(state, params, actions)
    if decision == D7_DISPOSE:
        return list_disposals(state, params, actions)
    n = put(np.int64(PASS), np.int64(0), actions)
    if decision == D3_ENTER_MORE:
        return list_entries(state, params, np.int64(ENTER_MORE), n, actions)
    return list_mates_of(state, params, state.mother, n, actions) if state.n_mates > 0 else n


@kernel(inline=True)
def put(code, n, actions):
    """One more option after the `n` so far."""
    if n < MAX_ACTIONS:
        actions.code[n] = code
    return n + 1


@kernel(inline=True)
def is_own(state, dog):
    """Whether a dog is in the kennel of the acting player."""
    return state.place[dog] >= FREE and state.place[dog] & 7 == state.acting


@kernel
def list_breeds(state, params, actions):
    """D-1: the breeds whose deck is not empty."""
    n = np.int64(0)
    for breed in range(params.n_breeds):
        if state.deck_size[breed] > 0:
            n = put(code_of(START_BREED, breed, 0), n, actions)
    return n


@kernel
def list_discards(state, params, actions):
    """D-5: the cards of the hand."""
    n = np.int64(0)
    for dog in range(params.n_dogs):
        if state.place[dog] == HAND + state.acting:
            n = put(code_of(DISCARD_DOG, dog, 0), n, actions)
    for customer in range(params.n_customers):
        if state.place[FIRST_CUSTOMER + customer] == HAND + state.acting:
            n = put(code_of(DISCARD_CUSTOMER, customer, 0), n, actions)
    return n


# ================================================================ D-2 and D-4


@kernel
def list_actions(state, params, n, actions):
    """D-2, D-4: actions by kind, as far as their counts admit them."""
    if state.n_coins > 0:
        n = put(code_of(COIN, 0, 0), n, actions)
    if state.n_dogs > 0:
        n = list_dog_draws(state, params, n, actions)
    if state.n_customers > 0:
        n = list_customer_draws(state, params, n, actions)
    if state.n_buys > 0:
        n = list_buys(state, params, n, actions)
    if state.n_sales > 0:
        n = list_sales(state, params, n, actions)
    if state.n_offers > 0:
        n = list_offers(state, params, n, actions)
    if state.n_mates > 0:
        n = list_mates(state, params, n, actions)
    if state.n_births > 0:
        n = list_births(state, params, n, actions)
    if state.n_entries > 0:
        n = list_entries(state, params, np.int64(ENTER), n, actions)
    return n


@kernel
def list_dog_draws(state, params, n, actions):
    """The tops of the decks, then the discards."""
    for breed in range(params.n_breeds):
        if state.pile[breed] > 0 and (state.tied < 0 or state.tied == breed):
            n = put(code_of(DRAW_DOG, breed, 0), n, actions)
    for dog in range(params.n_dogs):
        if state.place[dog] == DISCARDED and is_listed(state, params, dog) and fits(state, params, dog):
            n = put(code_of(TAKE_DOG, dog, 0), n, actions)
    return n


@kernel
def list_customer_draws(state, params, n, actions):
    """The top of the deck, then the discards."""
    if state.pile[CUSTOMERS] > 0:
        n = put(code_of(DRAW_CUSTOMER, 0, 0), n, actions)
    for customer in range(params.n_customers):
        card = FIRST_CUSTOMER + customer
        if state.place[card] == DISCARDED and is_listed(state, params, card):
            n = put(code_of(TAKE_CUSTOMER, customer, 0), n, actions)
    return n


@kernel
def list_buys(state, params, n, actions):
    """Dogs in hand that can be paid."""
    coins = coins_of(state, params, state.acting)
    for dog in range(params.n_dogs):
        can_pay = params.card_price[dog] <= coins and fits(state, params, dog)
        if state.place[dog] == HAND + state.acting and can_pay:
            n = put(code_of(BUY, dog, 0), n, actions)
    return n


@kernel
def list_sales(state, params, n, actions):
    """Own dogs, each with the customers in hand that accept it."""
    for dog in range(params.n_dogs):
        if is_own(state, dog) and is_sellable(state, params, dog) and fits(state, params, dog):
            for customer in range(params.n_customers):
                held = state.place[FIRST_CUSTOMER + customer] == HAND + state.acting
                if held and accepts(params, customer, dog):
                    n = put(code_of(SELL_CUSTOMER, dog, customer), n, actions)
    return n


@kernel
def list_offers(state, params, n, actions):
    """Own dogs that may leave, each with the players that it may be offered to."""
    for dog in range(params.n_dogs):
        if is_own(state, dog) and may_leave(state, dog) and fits(state, params, dog):
            for other in range(params.players):
                if may_offer(state, params, dog, other):
                    n = put(code_of(SELL_PLAYER, dog, other), n, actions)
    return n


@kernel
def list_mates(state, params, n, actions):
    """Own idle females, each with the males that they may be mated with."""
    for dog in range(params.n_dogs):
        if is_own(state, dog) and params.dog_female[dog] and is_idle(state, dog):
            n = list_mates_of(state, params, dog, n, actions)
    return n


@kernel
def list_mates_of(state, params, mother, n, actions):
    """The males that a female may be mated with."""
    breed = params.pile_of[mother]
    for at in range(params.male_start[breed], params.male_start[breed + 1]):
        father = params.male_dogs[at]
        if may_mate(state, params, mother, father):
            n = put(code_of(MATE, mother, father), n, actions)
    return n


@kernel
def list_births(state, params, n, actions):
    """Own females that may give birth."""
    for dog in range(params.n_dogs):
        if is_own(state, dog) and is_due(state, params, dog):
            n = put(code_of(BIRTH, dog, 0), n, actions)
    return n


@kernel
def list_entries(state, params, kind, n, actions):
    """Own idle dogs, each with the preparers, and with nobody."""
    if state.n_entries == 0:
        return n
    mask = preparers(state, params)
    for dog in range(params.n_dogs):
        if is_own(state, dog) and is_idle(state, dog):
            for seat in range(params.players):
                if mask >> seat & 1:
                    n = put(code_of(kind, dog, seat), n, actions)
            n = put(code_of(kind, dog, NOBODY), n, actions)
    return n


# ================================================================ D-7


@kernel
def list_disposals(state, params, actions):
    """D-7: sales, offers, then presents or, alone, releases."""
    n = list_sales(state, params, np.int64(0), actions)
    n = list_offers(state, params, n, actions)
    for dog in range(params.n_dogs):
        if is_own(state, dog) and may_leave(state, dog):
            if params.mode == SOLO:
                n = put(code_of(RELEASE, dog, 0), n, actions)
            else:
                for other in range(params.players):
                    if other != state.acting:
                        n = put(code_of(GIFT, dog, other), n, actions)
    return n
