"""How a simulated player buys and sells, agrees to deals (3.2), and parts with dogs that he cannot pay for."""

import numpy as np

from balance.engine import draw, kernel
from balance.game import MILLION
from balance.games.kennelmester.bargain import (
    LIST,
    accepts,
    halfway,
    reward,
    usefulness,
    valuation,
    would_buy,
    would_help,
    would_lend,
    would_sell,
)
from balance.games.kennelmester.choosing import fits
from balance.games.kennelmester.expectations import CARD_UNIT
from balance.games.kennelmester.kennel import may_leave, value
from balance.games.kennelmester.layout import (
    A_AT,
    BUY,
    CONSENT,
    FIRST_CUSTOMER,
    GIFT,
    KIND_AT,
    LOW_12,
    MATE,
    NONE,
    RELEASE,
    SELL_CUSTOMER,
    SELL_PLAYER,
)
from balance.games.kennelmester.params import SOLO
from balance.games.kennelmester.seats import are_partners, coins_of
from balance.games.kennelmester.steps import code_of
from balance.games.kennelmester.trading import is_sellable, may_offer
from balance.games.kennelmester.worth import (
    BREEDS,
    COIN_WORTH,
    HIGHEST_WORTH,
    LOWEST,
    NOW_SCALE,
    SAVING,
    SCALE_BITS,
    cost_of_parting,
    crowding,
    gain,
    merit,
    pair_worth,
    pairs,
    weighed,
)

BUY_WORD, SALE_WORD, OFFER_WORD, BUYER_WORD, PART_WORD, TAKER_WORD = range(36, 42)

# ================================================================ buying


@kernel
def propose_purchase(state, params, weights, rng, actions):
    """The code of the best purchase, and its worth; NONE if none can be paid, and SAVING if one is wanted."""
    best, code, found, seat = LOWEST, np.int64(NONE), np.int64(0), state.acting
    coins, bits = coins_of(state, params, seat), draw(rng, BUY_WORD)
    for at in range(state.hand_size[seat]):
        card = np.int64(state.hand[seat, at])
        if card < FIRST_CUSTOMER and fits(state, params, card):
            price = params.card_price[card]
            worth = worth_of_card(state, params, weights, card, actions) - price * actions.code[COIN_WORTH]
            worth -= crowding(state, params, weights, np.int64(1))
            if price > coins:
                actions.code[SAVING] |= worth > 0
            else:
                value = weighed(weights, worth, at, bits, rng)
                if value > best:
                    best, code, found = value, code_of(BUY, card, 0), worth
    return code, found


@kernel
def worth_of_card(state, params, weights, dog, actions):
    """What a dog of the hand would do for the kennel: by its merit, and if it makes a first pair."""
    own = CARD_UNIT * merit(params.dog_dice[dog], state.ahead)
    worth = gain(weights, own, actions) * actions.code[NOW_SCALE] >> SCALE_BITS
    mates = actions.code[BREEDS + 2 - 2 * params.dog_female[dog]]
    if pairs(actions) == 0 and mates >> params.pile_of[dog] & 1:
        worth += pair_worth(weights, actions)
    return worth


# ================================================================ selling


@kernel
def worth_of_customer(params, weights, customer, actions):
    """What a customer of the hand is worth: half of what he pays at best, beside the dog."""
    worth = np.int64(0)
    for which in range(2):
        worth += params.reward_coins[customer, which] * actions.code[COIN_WORTH]
        worth += params.reward_reputation[customer, which] * weights.prize
    return worth >> 1


@kernel
def propose_sale(state, params, weights, rng, actions):
    """The code of the best sale to a customer, and its worth; NONE if there is none."""
    best, code, found, number = LOWEST, np.int64(NONE), np.int64(0), 0
    seat, bits = state.acting, draw(rng, SALE_WORD)
    dog = state.first_dog[seat]
    while dog != NONE:
        if is_sellable(state, params, dog) and fits(state, params, dog):
            cost = cost_of_parting(state, params, weights, dog, actions)
            for at in range(state.hand_size[seat]):
                customer = np.int64(state.hand[seat, at]) - FIRST_CUSTOMER
                if accepts(params, customer, dog):
                    coins, reputation = reward(state, params, dog, customer)
                    worth = actions.code[COIN_WORTH] * (value(state, params, dog) + coins)
                    worth += weights.prize * reputation - cost
                    noised = weighed(weights, worth, number, bits, rng)
                    number += 1
                    if noised > best:
                        best, code, found = noised, code_of(SELL_CUSTOMER, dog, customer), worth
        dog = np.int64(state.after[dog])
    return code, found


@kernel
def propose_offer(state, params, weights, rng, actions):
    """The code of an offer to another player, of the dog that is best sold, and its worth; NONE if nobody wants it."""
    best, found, own, number = LOWEST, np.int64(NONE), np.int64(0), 0
    bits = draw(rng, OFFER_WORD)
    dog = state.first_dog[state.acting]
    while dog != NONE:
        if may_leave(state, dog) and fits(state, params, dog):
            worth = actions.code[COIN_WORTH] * value(state, params, dog)
            worth -= cost_of_parting(state, params, weights, dog, actions)
            noised = weighed(weights, worth, number, bits, rng)
            number += 1
            if noised > best:
                best, found, own = noised, dog, worth
        dog = np.int64(state.after[dog])
    buyer = buyer_of(state, params, weights, found, rng) if own > 0 else np.int64(NONE)
    return code_of(SELL_PLAYER, found, buyer) if buyer != NONE else np.int64(NONE), own


@kernel
def buyer_of(state, params, weights, dog, rng):
    """B-2: a player who will accept, as far as one can tell without his hand, at a price that gains; or NONE."""
    best, found, bits, own = LOWEST, np.int64(NONE), draw(rng, BUYER_WORD), state.acting
    for seat in range(params.players):
        if not are_partners(params, seat, own) and may_offer(state, params, dog, seat):
            other = params.val_resale_factor * value(state, params, dog)
            other += usefulness(state, params, np.int64(seat), dog)
            price = value(state, params, dog)
            if params.sale_price_rule != LIST:
                price = halfway(state, params, valuation(state, params, own, dog) + other, np.int64(seat))
            accepts_it = other - price * MILLION > params.deal_margin
            if accepts_it and would_sell(state, params, own, dog, price):
                noised = weighed(weights, np.int64(0), np.int64(seat), bits, rng)
                if noised > best:
                    best, found = noised, np.int64(seat)
    return found


# ================================================================ consent (D-6)


@kernel
def consent(state, params):
    """What the bargaining model says: B-2 for a dog, B-3 for a male, B-4 for help."""
    action, seat = state.pending, state.seat
    kind, dog = action >> KIND_AT, action >> A_AT & LOW_12
    if kind == SELL_PLAYER:
        agreed = would_buy(state, params, seat, dog, state.price)
    elif kind == MATE:
        agreed = would_lend(state, params, seat, action & LOW_12, state.price)
    else:
        agreed = would_help(state, params, seat)
    return code_of(CONSENT, np.int64(agreed), 0)


# ================================================================ parting with dogs (D-7)


@kernel
def best_disposal(state, params, weights, rng, actions):
    """A sale where one is possible, or an offer that will be accepted; the dog that is missed least otherwise."""
    code = np.int64(NONE)
    if state.n_sales > 0:
        code, _ = propose_sale(state, params, weights, rng, actions)
    elif state.n_offers > 0:
        code, _ = propose_offer(state, params, weights, rng, actions)
    return code if code != NONE else best_parting(state, params, weights, rng, actions)


@kernel
def best_parting(state, params, weights, rng, actions):
    """The dog that is missed least as a present, or alone as a release."""
    best, found, number = LOWEST, np.int64(NONE), 0
    bits = draw(rng, PART_WORD)
    dog = state.first_dog[state.acting]
    while dog != NONE:
        if may_leave(state, dog):
            cost = cost_of_parting(state, params, weights, dog, actions)
            noised = weighed(weights, -cost, number, bits, rng)
            number += 1
            if noised > best:
                best, found = noised, dog
        dog = np.int64(state.after[dog])
    if params.mode == SOLO:
        return code_of(RELEASE, found, 0)
    return code_of(GIFT, found, taker(state, params, weights, rng))


@kernel
def taker(state, params, weights, rng):
    """Who gets a present: a partner, or the player with least reputation."""
    best, found, bits = LOWEST, np.int64(NONE), draw(rng, TAKER_WORD)
    for seat in range(params.players):
        if seat != state.acting:
            worth = -state.reputation[seat]
            if are_partners(params, seat, state.acting):
                worth = np.int64(HIGHEST_WORTH)
            noised = weighed(weights, worth, np.int64(seat), bits, rng)
            if noised > best:
                best, found = noised, np.int64(seat)
    return found
