"""2.4 Trading dogs: buying, selling to customers and to players, presents and releases."""

import numpy as np

from balance.engine import TRACE, kernel, note
from balance.games.kennelmester.bargain import accepts, reward, sale_price
from balance.games.kennelmester.kennel import arrive, erase, leave, may_leave, move, stage_of, value
from balance.games.kennelmester.layout import (
    A_TRADE,
    BOUGHT,
    FIRST_CUSTOMER,
    FREE,
    GIVEN,
    GO_ON,
    PUP,
    RELEASED,
    REWARDED,
    SALE,
    SELL_PLAYER,
    SOLD_TO_CUSTOMER,
    SOLD_TO_PLAYER,
    UPKEEP,
)
from balance.games.kennelmester.params import SEATS
from balance.games.kennelmester.piles import from_hand, put_aside
from balance.games.kennelmester.seats import are_partners, coins_of, earn, end_at_once
from balance.games.kennelmester.steps import ask, code_of, count_deal, finish, was_refused

ASKED, NEVER = range(2)
"""The settings of `sale_deal`."""
AT_LIST_PRICE = 0
"""The setting of `sale_price_rule` that may ask for more than a side has."""

# ================================================================ who may be sold


@kernel(inline=True)
def is_sellable(state, params, dog):
    """K-27: who may go to a customer."""
    return may_leave(state, dog) or (params.pups_sellable and stage_of(state, dog) == PUP)


@kernel
def customers_for(state, params, dog):
    """K-25: how many customers in the acting player's hand accept a dog."""
    n, seat, at = np.int64(0), state.acting, 0
    left = state.hand_customers[seat]
    while left > 0:
        customer = np.int64(state.hand[seat, at]) - FIRST_CUSTOMER
        n += accepts(params, customer, dog)
        left -= customer >= 0
        at += 1
    return n


@kernel
def may_offer(state, params, dog, other):
    """6.4: whether the acting player may offer this dog, which may leave, to another player."""
    if other == state.acting or params.sale_deal == NEVER:
        return False
    too_dear = coins_of(state, params, other) < value(state, params, dog)
    if too_dear and params.sale_price_rule == AT_LIST_PRICE and not are_partners(params, state.acting, other):
        return False
    return state.n_refused == 0 or not was_refused(state, code_of(SELL_PLAYER, dog, other))


@kernel(inline=True)
def buyers_for(state, params, dog):
    """K-26: how many players this dog may be offered to."""
    if params.sells_by_list and state.n_refused == 0:
        price = value(state, params, dog)
        n = -np.int64(state.coins[state.acting] >= price)
        for side in range(SEATS):
            n += state.coins[side] >= price
        return n
    return other_buyers_for(state, params, dog)


@kernel
def other_buyers_for(state, params, dog):
    """K-26: the same in pairs, with other prices, or after a refusal."""
    n = np.int64(0)
    for other in range(params.players):
        n += may_offer(state, params, dog, other)
    return n


# ================================================================ doing it


@kernel
def buy(state, params, dog):
    """K-24: pay the printed price for a dog in hand, which comes to the kennel as an adult."""
    seat = state.acting
    earn(state, params, seat, -params.card_price[dog])
    from_hand(state, seat, dog)
    arrive(state, params, seat, dog, np.int64(FREE))
    state.bought[seat] += 1
    state.stale = 1
    if TRACE:
        note(state, params, BOUGHT, dog, params.card_price[dog], 0)
    finish(state, params, np.int64(A_TRADE), params.pile_of[dog])


@kernel
def sell_to_customer(state, params, dog, customer):
    """K-25: the bank pays the value and the rewards; dog and customer are spent."""
    seat, was_pup = state.acting, stage_of(state, dog) == PUP
    coins, reputation = reward(state, params, dog, customer)
    earn(state, params, seat, value(state, params, dog) + coins)
    state.reputation[seat] += reputation
    state.customer_reputation[seat] += reputation
    state.sold[seat] += 1
    if TRACE:
        note(state, params, SOLD_TO_CUSTOMER, dog, FIRST_CUSTOMER + customer, value(state, params, dog))
        note(state, params, REWARDED, coins, reputation, was_pup)
    leave(state, params, dog)
    erase(state, dog)
    put_aside(state, params, dog)
    from_hand(state, seat, FIRST_CUSTOMER + customer)
    put_aside(state, params, FIRST_CUSTOMER + customer)
    finish_trade(state, params, dog)
    if reputation > 0:
        end_at_once(state, params, seat)


@kernel(inline=True)
def finish_trade(state, params, dog):
    """A sale is an action, except in K-62."""
    if state.part == UPKEEP:
        state.decision = GO_ON
    else:
        finish(state, params, np.int64(A_TRADE), params.pile_of[dog])


@kernel
def offer(state, params, dog, buyer, action):
    """K-26: offer a dog to another player, at the price of B-2; a partner is not asked (A-64, A-81)."""
    price = sale_price(state, params, state.acting, buyer, dog)
    if are_partners(params, state.acting, buyer):
        sell_to_player(state, params, dog, buyer, price)
    else:
        state.deals[SALE, 0] += 1
        ask(state, params, action, buyer, price)


@kernel
def sell_to_player(state, params, dog, buyer, price):
    """K-26: the buyer pays the seller, and the dog moves with its record."""
    seller = state.acting
    if not are_partners(params, seller, buyer):
        count_deal(state, params, np.int64(SALE), buyer)
    earn(state, params, buyer, -price)
    earn(state, params, seller, price)
    state.sold[seller] += 1
    state.bought[buyer] += 1
    move(state, params, dog, buyer)
    if TRACE:
        note(state, params, SOLD_TO_PLAYER, dog, buyer, price)
    finish_trade(state, params, dog)


@kernel
def give(state, params, dog, other):
    """K-62: a present, which cannot be refused."""
    move(state, params, dog, other)
    state.decision = GO_ON
    if TRACE:
        note(state, params, GIVEN, dog, other, 0)


@kernel
def release(state, params, dog):
    """K-62: alone, a dog is released and goes where sold dogs go."""
    leave(state, params, dog)
    erase(state, dog)
    put_aside(state, params, dog)
    state.decision = GO_ON
    if TRACE:
        note(state, params, RELEASED, dog, 0, 0)
