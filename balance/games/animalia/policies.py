"""How simulated players of Animalia choose: at random, or by weighing what a person at the table would look at.

They see what section 5.1 allows: all collections, the set, their own bonus cards, and what their spy shows them.
"""

from types import MappingProxyType

import numpy as np

from balance.engine import below, kernel, noisy
from balance.game import Policy
from balance.games.animalia.rules import (
    COLLECTION_STEP,
    COUNT_OWL,
    COVER,
    D2_OTHER,
    D4_POWERS,
    D5_THIEF,
    D6_TRICKSTER,
    D7_SPY,
    D8_COVER,
    FAMILY_BITS,
    FAMILY_MASK,
    FAMILY_PAIRS,
    GIVE,
    HOLD_BACK,
    KEEP,
    NEXT_SEAT,
    NOWHERE,
    OWL_AT,
    PASS,
    POWER_AT,
    POWER_BITS,
    PUT_NEXT,
    SEATS,
    STARS_AT,
    STEAL,
    STOP,
    USE,
    all_different,
    counts_owl,
    family_count,
    legal_actions,
    list_covers,
    list_gifts,
    list_powers,
    list_spied,
    list_thefts,
    medals_for,
    open_places,
    owl_as,
    seen_card,
    size_of,
)

# ---------------------------------------------------------------- random (5.2)


@kernel(inline=True)
def choose_random(state, params, weights, rng, actions):
    """Each entry of the list of options with the same probability."""
    if state.decision <= D2_OTHER and params.collections_per_player == 1:
        return PASS if below(rng, 0, 2) == 0 else KEEP
    return choose_from_list(state, params, rng, actions)


@kernel
def choose_from_list(state, params, rng, actions):
    """Any entry of the list of options."""
    n = legal_actions(state, params, actions)
    return actions.code[below(rng, 0, n)]


# ---------------------------------------------------------------- greedy
WEIGHTS = MappingProxyType(
    {
        "keep": -10,  # for keeping a set rather than passing it
        "card": -14,  # for each card of the set: it fills a place
        "medal": 20,  # for each medal that the collection gains
        "star": 3,  # for each star of elegance that the collection gains
        "pair_to_be": 6,  # for each card of the set whose family is among the own bonus cards
        "thief": 25,  # for activating the power
        "spy": 2,
        "trickster": 8,
        "hurt": 8,  # for each medal that another player loses (or gains, with the opposite sign)
        "spare": 10,  # for holding a bonus card back for a later season
        "prize": 40,  # for each "5" medal that the owl's family completes
    }
)


@kernel(inline=True)
def power_weight(weights, power):
    """What using a power is worth."""
    if power == 0:
        return weights.thief
    return weights.spy if power == 1 else weights.trickster


@kernel(inline=True)
def worth(word, params):
    """Medals that a collection would earn as it is, its owl put to the best use."""
    three, two = word & 511, (word >> 9) & 63
    medals = params.value_of_three[three] + params.value_of_two[two]
    if not counts_owl(word):
        return params.five_different_medals * size_of(word) if all_different(word, params) else medals
    medals += max(params.best_more_of_three[three], params.best_more_of_two[two])
    if all_different(word, params):
        medals = max(medals, params.five_different_medals * size_of(word))
    return medals


@kernel(inline=True)
def choose_greedy(state, params, weights, rng, actions):
    """The option worth most by the weights, with noise."""
    decision = state.decision
    if decision <= D2_OTHER + 1:
        return choose_keep(state, params, weights, rng)
    return choose_rare(state, params, weights, rng, actions)


@kernel
def choose_rare(state, params, weights, rng, actions):
    """D-4 to D-9."""
    decision = state.decision
    if decision == D4_POWERS:
        return best_power(state, params, weights, rng, actions)
    if decision == D5_THIEF:
        return best_theft(state, params, weights, rng, actions)
    if decision == D6_TRICKSTER:
        return best_gift(state, params, weights, rng, actions)
    if decision == D7_SPY:
        return best_order(state, params, weights, rng, actions)
    if decision == D8_COVER:
        return best_cover(state, params, weights, rng, actions)
    return best_owl(state, params, weights, rng)


@kernel(inline=True)
def keep_value(state, params, weights, collection):
    """What the set is worth in a collection."""
    word = state.word[collection]
    after = word + state.set_word
    value = weights.keep + weights.card * state.set_size
    value += weights.medal * (worth(after, params) - worth(word, params))
    value += weights.star * (state.set_word >> STARS_AT)
    if state.hand_count[state.seat] > 0:
        value += weights.pair_to_be * bonus_matches(state)
    if state.set_word >> POWER_AT & 4095:
        for power in range(3):
            shift = POWER_AT + POWER_BITS * power
            if state.set_word >> shift & 15 and after >> shift & 15 >= params.power_pair_requirement:
                value += power_weight(weights, power)
    return value


@kernel
def bonus_matches(state):
    """Cards of the set whose family is among the seat's bonus cards."""
    families = 0
    for i in range(state.hand_count[state.seat]):
        families |= 1 << (state.hand[state.seat, i] // 21)
    matches = 0
    for i in range(state.set_size):
        matches += families >> (state.set_cards[i] // 21) & 1
    return matches


@kernel(inline=True)
def choose_keep(state, params, weights, rng):
    """D-1 to D-3: the better collection with room, or pass when keeping is worth less than nothing."""
    temperature = weights.temperature
    best, value = NOWHERE, 0
    if state.decision <= D2_OTHER:
        best, value = PASS, noisy(0, temperature, rng, PASS)
    for which in range(params.collections_per_player):
        collection = 2 * state.seat + which
        if open_places(state, params, collection) >= state.set_size:
            option = noisy(keep_value(state, params, weights, collection), temperature, rng, KEEP + which)
            if best == NOWHERE or option > value:
                best, value = KEEP + which, option
    return best


@kernel
def best_power(state, params, weights, rng, actions):
    """D-4: stopping is worth nothing, a power what its weight says."""
    n = list_powers(state, params, actions)
    best, value = STOP, noisy(0, weights.temperature, rng, 0)
    for i in range(1, n):
        option = noisy(power_weight(weights, actions.code[i] - USE), weights.temperature, rng, i)
        if option > value:
            best, value = actions.code[i], option
    return best


@kernel
def best_theft(state, params, weights, rng, actions):
    """D-5: what the card adds to the own collection and takes from its owner."""
    n = list_thefts(state, params, actions)
    own = state.word[state.taker_collection]
    has_room = open_places(state, params, state.taker_collection) > 0
    best, value = NOWHERE, 0
    for i in range(n):
        victim = (actions.code[i] - STEAL) // COLLECTION_STEP
        card = params.card_word[state.cards[victim, actions.code[i] % COLLECTION_STEP]]
        theirs = state.word[victim]
        option = weights.hurt * (worth(theirs, params) - worth(theirs - card, params))
        if has_room:
            option += weights.medal * (worth(own + card, params) - worth(own, params)) + weights.star * (card >> STARS_AT)
        option = noisy(option, weights.temperature, rng, i)
        if best == NOWHERE or option > value:
            best, value = actions.code[i], option
    return best


@kernel
def best_gift(state, params, weights, rng, actions):
    """D-6: what the own collection loses and the recipient gains."""
    n = list_gifts(state, params, actions)
    own = state.word[state.taker_collection]
    best, value = NOWHERE, 0
    for i in range(n):
        card = params.card_word[state.cards[state.taker_collection, actions.code[i] % COLLECTION_STEP]]
        option = weights.medal * (worth(own - card, params) - worth(own, params)) - weights.star * (card >> STARS_AT)
        if actions.code[i] >= GIVE:
            theirs = state.word[(actions.code[i] - GIVE) // COLLECTION_STEP]
            option -= weights.hurt * (worth(theirs + card, params) - worth(theirs, params))
        option = noisy(option, weights.temperature, rng, i)
        if best == NOWHERE or option > value:
            best, value = actions.code[i], option
    return best


@kernel
def best_order(state, params, weights, rng, actions):
    """D-7: the card most useful to the own collection on top when the seat deals next, else the least useful."""
    n = list_spied(state, actions)
    own = state.word[state.taker_collection]
    mine = NEXT_SEAT[state.room[1] * SEATS + state.dealer] == state.seat
    best, value = NOWHERE, 0
    for i in range(n):
        card = params.card_word[seen_card(state, actions.code[i] - PUT_NEXT)]
        gain = weights.star * (card >> STARS_AT)
        if open_places(state, params, state.taker_collection) > 0:
            gain += weights.medal * (worth(own + card, params) - worth(own, params))
        option = noisy(gain if mine else -gain, weights.temperature, rng, i)
        if best == NOWHERE or option > value:
            best, value = actions.code[i], option
    return best


@kernel
def best_cover(state, params, weights, rng, actions):
    """D-8: the cover that gains most medals, or holding back; in the last season nothing is worth holding."""
    n = list_covers(state, params, actions)
    bonus = params.card_word[state.hand[state.seat, state.hand_at]]
    spare = weights.spare if state.round_number < params.seasons - 1 and params.bonus_carry else 0
    best, value = HOLD_BACK, noisy(spare, weights.temperature, rng, 0)
    for i in range(1, n):
        collection = 2 * state.seat + (actions.code[i] - COVER) // COLLECTION_STEP
        word = state.counting[collection]
        covered = params.card_word[state.cards[collection, actions.code[i] % COLLECTION_STEP]]
        gain = worth(word + bonus - covered, params) - worth(word, params)
        option = noisy(weights.medal * gain, weights.temperature, rng, i)
        if option > value:
            best, value = actions.code[i], option
    return best


@kernel
def best_owl(state, params, weights, rng):
    """D-9: the family that earns most medals, with an eye on the "5" medals."""
    word = state.counting[2 * state.seat + state.owl_at]
    best, value = NOWHERE, 0
    for family in range(params.families):
        read = owl_as(word, family)
        option = 0
        for earned in range(params.families):
            medals = medals_for(read, params, earned)
            had = state.medals[state.seat, earned]
            group = params.excellence_group_size
            option += weights.medal * medals + weights.prize * ((had + medals) // group - had // group)
        option = noisy(option, weights.temperature, rng, family)
        if best == NOWHERE or option > value:
            best, value = COUNT_OWL + family, option
    return best


POLICIES = (
    Policy("random", "Random", "Takes each legal option with the same probability; a floor, not a player.", choose_random),
    Policy(
        "greedy",
        "Greedy",
        "Weighs medals, stars and powers of each option as a careful player would, one decision at a time.",
        choose_greedy,
        WEIGHTS,
        temperature=2,
    ),
)
