"""How simulated players of Animalia choose: at random, or by weighing what a person at the table would look at.

They see what section 5.1 allows: all collections, the set, their own bonus cards, and what their spy shows them.
"""

from types import MappingProxyType

import numpy as np

from balance.engine import OPTIONS_PER_DRAW, below, draw, kernel, noisy, prefers
from balance.game import Policy
from balance.games.animalia.cards import open_places, seats_with_room, size_of
from balance.games.animalia.layout import (
    AT_LEAST,
    COLLECTION_STEP,
    COUNT_OWL,
    COVER,
    D2_OTHER,
    D4_POWERS,
    D5_THIEF,
    D6_TRICKSTER,
    D7_SPY,
    D8_COVER,
    EACH_FAMILY,
    FAMILIES_MASK,
    FAMILY_BITS,
    FAMILY_MASK,
    GIVE,
    HOLD_BACK,
    KEEP,
    NEXT_SEAT,
    NOWHERE,
    PASS,
    POWER_BITS,
    PUT_NEXT,
    SEATS,
    STARS_AT,
    STEAL,
    STOP,
    UNDER_DECK,
    USE,
)
from balance.games.animalia.medals import family_count
from balance.games.animalia.params import N_FAMILIES
from balance.games.animalia.powers import activates, may_be_robbed, may_receive, seen_card
from balance.games.animalia.rules import legal_actions, list_powers

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
LOWEST = -(1 << 60)
"""Less than any value: an option that must not be chosen is made this much worse."""
WEIGHTS = MappingProxyType(
    {
        "keep": 1,  # for keeping a set rather than passing it
        "card": -14,  # for each card of the set: it fills a place
        "medal": 15,  # for each medal that the collection gains
        "star": 8,  # for each star of elegance that the collection gains
        "pair_to_be": 6,  # for each card of the set whose family is among the own bonus cards
        "thief": 11,  # for activating the power
        "spy": 3,
        "trickster": 7,
        "hurt": 7,  # for each medal that another player loses (or gains, with the opposite sign)
        "spare": 11,  # for holding a bonus card back for a later season
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
def worth(params, word):
    """Medals that a collection would earn as it is, its owl put to the best use."""
    return np.int64(params.worth[word & 0xFFFF])


@kernel(inline=True)
def choose_greedy(state, params, weights, rng, actions):
    """The option worth most by the weights, with noise."""
    decision = state.decision
    if decision <= D2_OTHER + 1:
        return choose_keep(state, params, weights, rng)
    if decision == D8_COVER:
        return best_cover(state, params, weights, rng)
    return choose_rare(state, params, weights, rng, actions)


@kernel
def choose_rare(state, params, weights, rng, actions):
    """D-4 to D-7 and D-9."""
    decision = state.decision
    if decision == D4_POWERS:
        return best_power(state, params, weights, rng, actions)
    if decision == D5_THIEF:
        return best_theft(state, params, weights, rng)
    if decision == D6_TRICKSTER:
        return best_gift(state, params, weights, rng)
    if decision == D7_SPY:
        return best_order(state, params, weights, rng)
    return best_owl(state, params, weights, rng)


@kernel(inline=True)
def keep_value(state, params, weights, collection):
    """What the set is worth in a collection."""
    word = state.word[collection]
    after = word + state.set_word
    value = weights.keep + weights.card * state.set_size
    value += weights.medal * (worth(params, after) - worth(params, word))
    value += weights.star * (state.set_word >> STARS_AT)
    value += weights.pair_to_be * in_families(state.set_word, state.hand_families[state.seat])
    activated = activates(params, state.set_word, after)
    if activated:
        for power in range(3):
            if activated >> (POWER_BITS * power) & AT_LEAST:
                value += power_weight(weights, power)
    return value


@kernel(inline=True)
def in_families(word, families):
    """How many of at most seven animals are of some families (given as their bits in a word, all set)."""
    return ((word & families) * EACH_FAMILY) >> (FAMILY_BITS * (N_FAMILIES - 1)) & FAMILY_MASK


@kernel(inline=True)
def choose_keep(state, params, weights, rng):
    """D-1 to D-3: keep the set in the collection where it is worth more, or pass when that is less than nothing."""
    first, which = 2 * state.seat, 0
    if params.collections_per_player == 1:
        value = keep_value(state, params, weights, first)
    else:
        which = better_collection(state, params, weights, first)
        value = keep_value(state, params, weights, first + which)
    if state.decision > D2_OTHER or prefers(value, weights.temperature, rng):
        return KEEP + which
    return PASS


@kernel
def better_collection(state, params, weights, first):
    """Which of two own collections the set is worth more in; the one with room if only one has."""
    if open_places(state, params, first) < state.set_size:
        return 1
    if open_places(state, params, first + 1) < state.set_size:
        return 0
    return keep_value(state, params, weights, first + 1) > keep_value(state, params, weights, first)


@kernel
def best_power(state, params, weights, rng, actions):
    """D-4: stopping is worth nothing, a power what its weight says."""
    bits = draw(rng, 0)
    best, value = STOP, noisy(0, weights.temperature, bits, 0)
    for i in range(1, list_powers(state, params, actions)):
        option = noisy(power_weight(weights, actions.code[i] - USE), weights.temperature, bits, i)
        if option > value:
            best, value = actions.code[i], option
    return best


@kernel
def best_theft(state, params, weights, rng):
    """D-5: what the card adds to the own collection and takes from its owner."""
    own = state.word[state.taker_collection]
    gain = weights.medal if open_places(state, params, state.taker_collection) > 0 else 0
    star = weights.star if gain > 0 else 0
    best, value, option, bits = NOWHERE, LOWEST, 0, draw(rng, 0)
    for victim in range(2 * params.players):
        if not may_be_robbed(state, params, victim):
            continue
        theirs = state.word[victim]
        for place in range(size_of(theirs)):
            card = params.card_word[state.cards[victim, place]]
            worth_it = weights.hurt * (worth(params, theirs) - worth(params, theirs - card))
            worth_it += gain * worth(params, own + card) + star * (card >> STARS_AT)
            if option % OPTIONS_PER_DRAW == 0:
                bits = draw(rng, option // OPTIONS_PER_DRAW)
            worth_it = noisy(worth_it, weights.temperature, bits, option)
            option += 1
            if worth_it > value:
                best, value = STEAL + COLLECTION_STEP * victim + place, worth_it
    return best


@kernel
def best_gift(state, params, weights, rng):
    """D-6: what the own collection loses and the recipient gains."""
    best, value, option = NOWHERE, LOWEST, 0
    for recipient in range(2 * params.players):
        if may_receive(state, params, recipient):
            place, worth_it = best_card_for(state, params, weights, recipient, option, rng)
            option += size_of(state.word[state.taker_collection])
            if worth_it > value:
                best, value = GIVE + COLLECTION_STEP * recipient + place, worth_it
    if best == NOWHERE:
        place, worth_it = best_card_for(state, params, weights, NOWHERE, option, rng)
        best = UNDER_DECK + place
    return best


@kernel
def best_card_for(state, params, weights, recipient, option, rng):
    """The card that is best given to one recipient (NOWHERE: under the deck), and what that is worth."""
    own = state.word[state.taker_collection]
    theirs, hurt = own, 0
    if recipient != NOWHERE:
        theirs, hurt = state.word[recipient], weights.hurt
    best, value = NOWHERE, LOWEST
    for place in range(size_of(own)):
        card = params.card_word[state.cards[state.taker_collection, place]]
        worth_it = weights.medal * worth(params, own - card) - weights.star * (card >> STARS_AT)
        worth_it -= hurt * (worth(params, theirs + card) - worth(params, theirs))
        worth_it = noisy(worth_it, weights.temperature, draw(rng, option // OPTIONS_PER_DRAW), option)
        option += 1
        if worth_it > value:
            best, value = place, worth_it
    return best, value


@kernel
def best_order(state, params, weights, rng):
    """D-7: the card most useful to the own collection on top when the seat deals next, else the least useful."""
    own = state.word[state.taker_collection]
    medal = weights.medal if open_places(state, params, state.taker_collection) > 0 else 0
    mine = NEXT_SEAT[seats_with_room(state, 1) * SEATS + state.dealer] == state.seat
    best, value, bits = NOWHERE, LOWEST, draw(rng, 0)
    for position in range(state.seen):
        if position % OPTIONS_PER_DRAW == 0:
            bits = draw(rng, position // OPTIONS_PER_DRAW)
        card = params.card_word[seen_card(state, position)]
        gain = weights.star * (card >> STARS_AT) + medal * worth(params, own + card)
        gain = noisy(gain if mine else -gain, weights.temperature, bits, position)
        gain += (state.placed_mask >> position & 1) * LOWEST
        if gain > value:
            best, value = PUT_NEXT + position, gain
    return best


@kernel
def best_cover(state, params, weights, rng):
    """D-8: the cover that gains most medals, or holding back; in the last season nothing is worth holding."""
    bonus = params.card_word[state.hand[state.seat, state.hand_at]]
    spare = weights.spare if state.round_number < params.seasons - 1 and params.bonus_carry else 0
    bits = draw(rng, 0)
    best, value = HOLD_BACK, noisy(spare, weights.temperature, bits, 0)
    for which in range(params.collections_per_player):
        collection = 2 * state.seat + which
        after = state.counting[collection] + bonus
        now = worth(params, state.counting[collection])
        for place in range(params.collection_size):
            if place % OPTIONS_PER_DRAW == 0:
                bits = draw(rng, 1 + 2 * which + place // OPTIONS_PER_DRAW)
            if state.covered_mask[collection] >> place & 1:
                continue
            gain = worth(params, after - params.card_word[state.cards[collection, place]]) - now
            gain = noisy(weights.medal * gain, weights.temperature, bits, place)
            if gain > value:
                best, value = COVER + COLLECTION_STEP * which + place, gain
    return best


@kernel
def best_owl(state, params, weights, rng):
    """D-9: the family that earns most medals, with an eye on the "5" medals."""
    without_owl = state.counting[2 * state.seat + state.owl_at] & FAMILIES_MASK
    best, value, bits = NOWHERE, LOWEST, draw(rng, 0)
    for family in range(params.families):
        read = without_owl + (1 << (FAMILY_BITS * family))
        had = state.medals[state.seat, family]
        has = had + params.group[family_count(read, family)]
        gain = weights.medal * worth(params, read) + weights.prize * (
            params.prizes_for[has] - params.prizes_for[had]
        )
        if family % OPTIONS_PER_DRAW == 0:
            bits = draw(rng, family // OPTIONS_PER_DRAW)
        gain = noisy(gain, weights.temperature, bits, family)
        if gain > value:
            best, value = COUNT_OWL + family, gain
    return best


POLICIES = (
    Policy(
        "random",
        "Random",
        "Takes each legal option with the same probability; a floor, not a player.",
        choose_random,
    ),
    Policy(
        "greedy",
        "Greedy",
        "Weighs medals, stars and powers of each option as a careful player would, one decision at a time.",
        choose_greedy,
        WEIGHTS,
        temperature=0,
    ),
)
