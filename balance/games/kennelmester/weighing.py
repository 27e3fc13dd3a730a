"""D-2, D-4: which kind of option a simulated player chooses, once he knows the best of each."""

import numpy as np

from balance.engine import code_of as kind_of
from balance.engine import draw, kernel, ranked
from balance.games.kennelmester.contending import propose_entry
from balance.games.kennelmester.dealing import propose_offer, propose_purchase, propose_sale
from balance.games.kennelmester.kennel import seat_of
from balance.games.kennelmester.layout import (
    A_COIN,
    BREED_BITS,
    COIN,
    D4_BONUS,
    DRAW_CUSTOMER,
    DRAW_DOG,
    ENTER,
    FIRST_DECK,
    NONE,
    PASS,
    TAKE_DOG,
)
from balance.games.kennelmester.pairing import best_birth, propose_mating
from balance.games.kennelmester.steps import code_of
from balance.games.kennelmester.worth import (
    BREEDING,
    BUYING,
    COIN_WORTH,
    COINS,
    DRAWING,
    ENTERING,
    FAR,
    LEFT,
    LOWEST,
    MERIT,
    OFFERING,
    PASSING,
    SAVING,
    SELLING,
    SERVING,
    look_at_kennel,
    merit,
    note_money,
    pairs,
    weighed,
    within,
)

CARD_WORD, DOG_WORD = 42, 43


@kernel(inline=True)
def placing(weights, worth, kind, rng):
    """A kind of option, ranked by its worth with noise."""
    return ranked(within(worth), weights.temperature, draw(rng, kind), np.int64(0), kind)


@kernel
def best_action(state, params, weights, rng, actions):
    """The first kind of option that is worth enough, or else the best of all; births come right after entering."""
    note_money(state, params, weights, actions)
    best, worth = LOWEST, np.int64(0)
    if state.n_entries > 0 and not has_entered(state):
        actions.code[ENTERING], worth = propose_entry(state, params, weights, np.int64(ENTER), rng, actions)
        best = placing(weights, worth, np.int64(ENTERING), rng)
        if worth >= weights.enough:
            return actions.code[ENTERING]
    if state.n_births > 0:
        return best_birth(state, params, weights, rng)
    look_at_kennel(state, params, actions)
    if state.n_mates > 0:
        actions.code[BREEDING], worth = propose_mating(state, params, weights, rng, actions)
        if actions.code[BREEDING] != NONE:
            best = max(best, placing(weights, worth, np.int64(BREEDING), rng))
            if worth >= weights.enough:
                return actions.code[BREEDING]
    best = max(best, best_trade(state, params, weights, rng, actions))
    best = max(best, best_draw(state, params, weights, rng, actions))
    return actions.code[kind_of(best)]


@kernel(inline=True)
def has_entered(state):
    """Whether the player has entered dogs in this turn; then he has entered all that are worth it."""
    last = state.n_entered - 1
    return last >= 0 and seat_of(state, np.int64(state.entered[last])) == state.acting


@kernel(inline=True)
def best_trade(state, params, weights, rng, actions):
    """Buying and selling; dogs are offered to others where no customers are at hand."""
    best = LOWEST
    if state.n_sales > 0:
        actions.code[SELLING], worth = propose_sale(state, params, weights, rng, actions)
        best = placing(weights, worth, np.int64(SELLING), rng)
    elif state.n_offers > 0 and state.hand_customers[state.acting] == 0:
        actions.code[OFFERING], worth = propose_offer(state, params, weights, rng, actions)
        if actions.code[OFFERING] != NONE:
            best = placing(weights, worth, np.int64(OFFERING), rng)
    if state.hand_size[state.acting] > state.hand_customers[state.acting]:
        actions.code[BUYING], worth = propose_purchase(state, params, weights, rng, actions)
        if actions.code[BUYING] != NONE and state.n_buys > 0:
            best = max(best, placing(weights, worth, np.int64(BUYING), rng))
    return best


# ================================================================ coins and cards


@kernel(inline=True)
def best_draw(state, params, weights, rng, actions):
    """Coins, dogs and customers; or nothing, where that is an option."""
    best = LOWEST
    if state.n_coins > 0:
        actions.code[COINS] = code_of(COIN, 0, 0)
        best = placing(weights, worth_of_coin(state, params, weights, actions), np.int64(COINS), rng)
    if state.n_dogs > 0 and pairs(actions) == 0 and actions.code[SAVING] == 0:
        actions.code[DRAWING], worth = propose_dog(state, params, weights, rng, actions)
        if actions.code[DRAWING] != NONE:
            best = max(best, placing(weights, worth, np.int64(DRAWING), rng))
    if wants_customer(state, params, weights):
        actions.code[SERVING] = code_of(DRAW_CUSTOMER, 0, 0)
        worth = weights.market * actions.code[COIN_WORTH] >> 4
        best = max(best, placing(weights, worth, np.int64(SERVING), rng))
    if state.decision == D4_BONUS:
        actions.code[PASSING] = PASS
        best = max(best, placing(weights, np.int64(0), np.int64(PASSING), rng))
    return best


@kernel(inline=True)
def worth_of_coin(state, params, weights, actions):
    """What it is worth to take coins: the more where that earns a bonus, or a dog is wanted that is too dear."""
    worth = params.coin_amount * actions.code[COIN_WORTH]
    earns_bonus = params.most_bonus > 0 and 0 < state.done == params.actions_per_turn - 1
    if earns_bonus and state.same and state.signature >> BREED_BITS == A_COIN:
        worth *= 2
    return worth + weights.save * actions.code[SAVING]


@kernel
def propose_dog(state, params, weights, rng, actions):
    """A draw for a mate of the best dog, face up if there is one, and its worth; NONE if there is nothing to draw."""
    wanted, breed = best_of_kennel(state, params, weights, rng, actions)
    if breed == NONE:
        return np.int64(NONE), np.int64(0)
    code, best, bits = code_of(DRAW_DOG, breed, 0), LOWEST, draw(rng, CARD_WORD)
    for at in range(state.n_items[0] * (wanted != NONE)):
        item = np.int64(state.items[0, at])
        if item < FIRST_DECK and params.pile_of[item] == breed:
            own = weighed(weights, merit(params.dog_dice[item], state.ahead), at, bits, rng)
            if own > best and params.dog_female[item] != params.dog_female[wanted]:
                best, code = own, code_of(TAKE_DOG, item, 0)
    return code, weights.search * min(actions.code[LEFT], FAR) // FAR


@kernel
def best_of_kennel(state, params, weights, rng, actions):
    """The best dog of whose breed there are cards, and the breed; in an empty kennel only the best breed; or NONE."""
    best, found, wanted, number, bits = LOWEST, np.int64(NONE), np.int64(NONE), 0, draw(rng, DOG_WORD)
    dog = state.first_dog[state.acting]
    while dog != NONE:
        breed = params.pile_of[dog]
        own = weighed(weights, actions.code[MERIT + dog], number, bits, rng)
        number += 1
        if own > best and state.pile[breed] > 0 and is_tied_to(state, breed):
            best, found, wanted = own, breed, dog
        dog = np.int64(state.after[dog])
    for breed in range(params.n_breeds * (number == 0)):
        own = weighed(weights, merit(params.breed_dice[breed], state.ahead), breed, bits, rng)
        if own > best and state.pile[breed] > 0 and is_tied_to(state, np.int64(breed)):
            best, found = own, np.int64(breed)
    return wanted, found


@kernel(inline=True)
def is_tied_to(state, breed):
    """K-17: whether a draw of this breed keeps the breed that a bonus is tied to."""
    return state.tied == NONE or state.tied == breed


@kernel(inline=True)
def wants_customer(state, params, weights):
    """Whether a customer can be drawn and kept, and there are more dogs than are wanted and there are customers for."""
    seat = state.acting
    spare = state.adults[seat] + state.pups[seat] - weights.kennel
    has_room = state.n_customers > 0 and state.hand_customers[seat] < params.hand_limit
    return has_room and spare > state.hand_customers[seat]
