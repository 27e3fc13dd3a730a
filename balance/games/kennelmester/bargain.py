"""3.2 The bargaining model: what a dog is worth to a player, the price between players; in millionths of a coin."""

import numpy as np

from balance.engine import kernel
from balance.game import MILLION
from balance.games.kennelmester.kennel import seat_of, stage_of, value
from balance.games.kennelmester.layout import FIRST_CUSTOMER, NONE, PUP
from balance.games.kennelmester.seats import are_partners, coins_of
from balance.games.kennelmester.traits import all_dice, dice_of, total

LIST, SPLIT = range(2)
"""The settings of `sale_price_rule`."""


@kernel(inline=True)
def accepts(params, customer, dog):
    """K-25: whether a customer takes a dog of this breed and sex."""
    return params.accepts[params.dog_female[dog], customer] >> params.pile_of[dog] & 1


@kernel(inline=True)
def reward(state, params, dog, customer):
    """K-25, A-16: coins and reputation of the trait rewards that a dog earns."""
    word = total(state, params, dog)
    coins = reputation = 0
    for which in range(2):
        dice = dice_of(word, params.reward_trait[customer, which])
        if dice >= params.reward_min[customer, which]:
            coins += params.reward_coins[customer, which]
            reputation += params.reward_reputation[customer, which]
    return coins, reputation


@kernel
def resale(state, params, seat, dog):
    """B-1: what a player may get for a dog: part of its value, or what a customer in his hand pays."""
    worth = value(state, params, dog)
    best = params.val_resale_factor * worth
    for at in range(state.hand_size[seat]):
        customer = np.int64(state.hand[seat, at]) - FIRST_CUSTOMER
        if customer >= 0 and accepts(params, customer, dog):
            coins, _ = reward(state, params, dog, customer)
            best = max(best, (worth + coins) * MILLION)
    return best


@kernel
def completes_pair(state, params, seat, dog):
    """B-1: whether a kennel has, beside this dog, an adult of its breed and the other sex, and none of its own sex."""
    same = other = 0
    mate = state.first_dog[seat]
    while mate != NONE:
        if mate != dog and stage_of(state, mate) != PUP and params.pile_of[mate] == params.pile_of[dog]:
            alike = params.dog_female[mate] == params.dog_female[dog]
            same += alike
            other += not alike
        mate = np.int64(state.after[mate])
    return other > 0 and same == 0


@kernel
def valuation(state, params, seat, dog):
    """B-1: what a dog is worth to a player."""
    adults = state.adults[seat]
    others = adults - (seat_of(state, dog) == seat and stage_of(state, dog) != PUP)
    worth = resale(state, params, seat, dog)
    worth += params.val_die * all_dice(total(state, params, dog))
    if completes_pair(state, params, seat, dog):
        worth += params.val_mate_bonus
    return worth - params.val_upkeep_rounds * (params.due[others + 1] - params.due[others])


@kernel
def sale_price(state, params, seller, buyer, dog):
    """B-2, A-64: the price of a dog between two players, in coins."""
    if are_partners(params, seller, buyer):
        return np.int64(0)
    if params.sale_price_rule == LIST:
        return value(state, params, dog)
    both = valuation(state, params, seller, dog) + valuation(state, params, buyer, dog)
    return min(max(both // (2 * MILLION), 0), coins_of(state, params, buyer))
