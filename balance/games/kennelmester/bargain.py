"""3.2 The bargaining model: what a dog is worth to a player, the price between players; in millionths of a coin."""

import numpy as np

from balance.engine import kernel
from balance.game import MILLION
from balance.games.kennelmester.kennel import is_idle, seat_of, stage_of, value
from balance.games.kennelmester.layout import FIRST_CUSTOMER, NONE, PUP
from balance.games.kennelmester.seats import are_partners, coins_of
from balance.games.kennelmester.traits import all_dice, dice_of, total

LIST, SPLIT = range(2)
"""The settings of `sale_price_rule`."""


@kernel(inline=True)
def accepts(params, customer, dog):
    """K-25: whether a customer takes a dog of this breed and sex; of the hand, a card that is a dog takes none."""
    return params.accepted[params.dog_female[dog], FIRST_CUSTOMER + customer] >> params.pile_of[dog] & 1


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
    return resale(state, params, seat, dog) + usefulness(state, params, seat, dog)


@kernel
def usefulness(state, params, seat, dog):
    """B-1: what a dog is worth to a player besides its resale: nothing of it depends on his hand."""
    adults = state.adults[seat]
    others = adults - (seat_of(state, dog) == seat and stage_of(state, dog) != PUP)
    worth = params.val_die * all_dice(total(state, params, dog))
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
    return halfway(state, params, both, buyer)


@kernel(inline=True)
def halfway(state, params, both, buyer):
    """B-2: the price with `split`: half of what a dog is worth to both, as far as the buyer's side can pay it."""
    return min(max(both // (2 * MILLION), 0), coins_of(state, params, buyer))


# ================================================================ what simulated players agree to (B-2 to B-4)


@kernel
def would_sell(state, params, seller, dog, price):
    """B-2: whether a dog at this price gains its owner more than deal_margin."""
    return price * MILLION - valuation(state, params, seller, dog) > params.deal_margin


@kernel
def would_buy(state, params, buyer, dog, price):
    """B-2: whether a dog at this price gains the buyer more than deal_margin, and his side can pay it."""
    gain = valuation(state, params, buyer, dog) - price * MILLION
    return gain > params.deal_margin and coins_of(state, params, buyer) >= price


@kernel
def is_to_act(state, params, seat):
    """Whether a player has not yet had his turn in this round."""
    before = (state.acting - state.starter) % params.players
    return (seat - state.starter) % params.players > before


@kernel
def has_idle(state, params, seat, breed):
    """Whether a player owns an idle dog, or (with a breed) an idle female of that breed."""
    dog = state.first_dog[seat]
    while dog != NONE:
        fits = breed == NONE or (params.pile_of[dog] == breed and params.dog_female[dog] == 1)
        if fits and is_idle(state, dog):
            return True
        dog = np.int64(state.after[dog])
    return False


@kernel
def would_lend(state, params, owner, father, fee):
    """B-3: whether the owner of a male agrees to a mating."""
    keeps = is_to_act(state, params, owner) and has_idle(state, params, owner, params.pile_of[father])
    return fee * MILLION > params.val_stud + params.val_mate_bonus * keeps


@kernel
def would_help(state, params, helper):
    """B-4: whether a helper agrees to prepare a dog."""
    keeps = is_to_act(state, params, helper) and has_idle(state, params, helper, NONE)
    return params.prep_fee * MILLION > (params.val_own_prep if keeps else params.val_rival)
