"""What a simulated player sees when it is his turn, and what coins, dogs and room are worth to him.

The merit of a dog: its dice, each counted for every event to come that asks for the trait, in sixteenths. Merits become
worths by the rounds that are left. What several kinds of options need is noted down in `actions.code`, which is free
while a player thinks. Only what section 6.1 allows is read.
"""

import numpy as np

from balance.engine import OPTIONS_PER_DRAW, draw, kernel, noisy
from balance.games.kennelmester.expectations import CARD_UNIT
from balance.games.kennelmester.kennel import now, stage_of
from balance.games.kennelmester.layout import FREE, N_TRAITS, NONE, PREGNANT, TRAIT_BITS, TRAIT_MASK
from balance.games.kennelmester.params import SOLO
from balance.games.kennelmester.seats import coins_of
from balance.games.kennelmester.traits import total

PASSING, COINS, ENTERING, BREEDING, BUYING, SELLING, OFFERING, DRAWING, SERVING = range(9)
"""Kinds of options, and where in `actions.code` the best of each stands."""
LEFT, COIN_WORTH, NOW_SCALE, LATER_SCALE, BEST, SECOND, THIRD, SAVING = range(16, 24)
"""Rounds left, a coin's worth, how merits become worths, the three best merits, whether a dog is wanted that is too
dear."""
BREEDS, N_IDLE = 24, 28
"""The breeds of males and of females in the kennel, as bit masks, each followed by those of two or more; how many males
and females are idle."""
IDLE, IDLE_STEP, MERIT = 1024, 1024, 3072
"""The lists of idle males and females; the merit of each dog. All of it fits in MAX_ACTIONS."""
LOWEST = -(1 << 62)
FAR, NEAR = 8, 4
"""From so many rounds on the end of the game is too far away to be thought of; and so for coins."""
HIGHEST_WORTH = 1 << 30
SCALE_BITS = 20
FURTHER_WORDS, N_FURTHER = 1024, 1024
"""Where noise is drawn for all but the first four options of a kind."""


@kernel(inline=True)
def weighed(weights, worth, number, bits, rng):
    """A worth with its noise, for option number `number` of a kind; the first four of them share `bits`."""
    if number >= OPTIONS_PER_DRAW:
        bits = draw(rng, FURTHER_WORDS + number // OPTIONS_PER_DRAW % N_FURTHER)
    return noisy(within(worth), weights.temperature, bits, number)


@kernel(inline=True)
def within(worth):
    """A worth that can be compared with others whatever the rules and the weights are."""
    return min(max(worth, -HIGHEST_WORTH), HIGHEST_WORTH)


# ================================================================ time and money


@kernel
def note_money(state, params, weights, actions):
    """Note how many rounds will follow, and what a coin is worth: the less, the more there are."""
    left = rounds_left(state, params)
    worth = max(weights.coin - weights.plenty * coins_of(state, params, state.acting), weights.coin >> 3)
    actions.code[LEFT] = left
    actions.code[COIN_WORTH] = worth * min(left, NEAR) // NEAR


@kernel
def rounds_left(state, params):
    """How many rounds will follow this one, about: the leader is expected to gain a point in each, a pair two."""
    left = min(state.events_left, params.round_cap - now(state))
    if params.mode == SOLO:
        return min(left, params.solo_rounds - now(state))
    most, pair = np.int64(0), params.players - params.n_sides
    for seat in range(params.n_sides):
        most = max(most, state.reputation[seat] + (state.reputation[seat + pair] if pair > 0 else 0))
    return max(0, min(left, (params.target - most) >> (pair > 0)))


# ================================================================ merits


@kernel(inline=True)
def merit(word, ahead):
    """The dice that these traits bring to all events that `ahead` counts by trait."""
    found = (word & TRAIT_MASK) * (ahead & TRAIT_MASK)
    for trait in range(1, N_TRAITS):
        found += (word >> (TRAIT_BITS * trait) & TRAIT_MASK) * (ahead >> (TRAIT_BITS * trait) & TRAIT_MASK)
    return found


@kernel(inline=True)
def merit_of_pup(state, params, inherited, breed):
    """The merit that a pup of a breed can be expected to have if it inherits so much."""
    return CARD_UNIT * merit(inherited, state.ahead) + merit(params.breed_dice[breed], state.ahead)


@kernel(inline=True)
def gain(weights, found, actions):
    """What a kennel gains by a dog of this merit, in merits: a better best dog, and a better second one."""
    best, second = actions.code[BEST], actions.code[SECOND]
    by_best, by_second = max(best, found) - best, max(second, min(best, found)) - second
    return weights.champion * by_best + weights.second * by_second


@kernel(inline=True)
def loss(weights, found, actions):
    """What a kennel loses with a dog of this merit."""
    best, second, third = actions.code[BEST], actions.code[SECOND], actions.code[THIRD]
    if found < second:
        return np.int64(0)
    by_best = best - second if found >= best else np.int64(0)
    return weights.champion * by_best + weights.second * (second - third)


# ================================================================ the kennel


@kernel
def look_at_kennel(state, params, actions):
    """Walk through the kennel: merits, those of expected pups included, breeds and sexes, and who is idle."""
    note_scales(state, params, actions)
    best = second = third = np.int64(0)
    dog = state.first_dog[state.acting]
    while dog != NONE:
        own = CARD_UNIT * merit(total(state, params, dog), state.ahead)
        actions.code[MERIT + dog] = own
        best, second, third = placed(best, second, third, own)
        female, bit = params.dog_female[dog], np.int64(1) << params.pile_of[dog]
        at = BREEDS + 2 * female
        actions.code[at + 1] |= actions.code[at] & bit
        actions.code[at] |= bit
        if stage_of(state, dog) == PREGNANT:
            pup = merit_of_pup(state, params, state.carried[dog], params.pile_of[dog])
            best, second, third = placed(best, second, third, pup)
        elif stage_of(state, dog) == FREE and state.used_round[dog] != now(state):
            at = actions.code[N_IDLE + female]
            actions.code[IDLE + IDLE_STEP * female + at] = dog
            actions.code[N_IDLE + female] = at + 1
        dog = np.int64(state.after[dog])
    actions.code[BEST], actions.code[SECOND], actions.code[THIRD] = best, second, third


@kernel(inline=True)
def note_scales(state, params, actions):
    """What a merit is worth from now on, and from when a litter of today has grown up; nothing else is noted yet."""
    events = CARD_UNIT * max(state.events_left + params.n_events - params.event_deck_size, 1)
    left, wait = actions.code[LEFT], params.gestation_rounds + params.grow_rounds
    actions.code[NOW_SCALE] = (left << SCALE_BITS) // events
    actions.code[LATER_SCALE] = (max(left - wait, 0) << SCALE_BITS) // events
    for at in range(SAVING, N_IDLE + 2):
        actions.code[at] = 0


@kernel(inline=True)
def placed(best, second, third, found):
    """The best three merits once there is one more."""
    return max(best, found), max(second, min(best, found)), max(third, min(second, found))


@kernel(inline=True)
def pairs(actions):
    """The breeds of which the kennel holds both sexes, as a bit mask."""
    return actions.code[BREEDS] & actions.code[BREEDS + 2]


@kernel(inline=True)
def pair_worth(weights, actions):
    """What it is worth to hold both sexes of a breed."""
    return weights.pair * min(actions.code[LEFT], FAR) // FAR


@kernel(inline=True)
def crowding(state, params, weights, more):
    """What it costs that a kennel comes to hold so many more dogs."""
    seat = state.acting
    dogs = state.adults[seat] + state.pups[seat] + state.pregnant[seat]
    return weights.upkeep * (params.due[dogs + more] - params.due[dogs])


@kernel
def cost_of_parting(state, params, weights, dog, actions):
    """What the kennel loses when a dog goes; less than nothing where it is crowded."""
    cost = loss(weights, actions.code[MERIT + dog], actions) * actions.code[NOW_SCALE] >> SCALE_BITS
    others = actions.code[BREEDS + 2 * params.dog_female[dog] + 1]
    if (pairs(actions) & ~others) >> params.pile_of[dog] & 1:
        cost += pair_worth(weights, actions)
    return cost + crowding(state, params, weights, np.int64(-1))
