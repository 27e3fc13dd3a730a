"""How simulated players of Animalia choose: at random, or by weighing what a person at the table would look at.

They see what section 5.1 allows: all collections, the set, their own bonus cards, and what their spy shows them.
"""

from types import MappingProxyType

import numpy as np

from balance.engine import OPTIONS_PER_DRAW, below, code_of, draw, kernel, prefers, ranked
from balance.game import Policy
from balance.games.animalia.cards import open_places, seats_with_room, size_of
from balance.games.animalia.layout import (
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
    ENOUGH_BIT,
    FAMILIES_MASK,
    FAMILY_BITS,
    FAMILY_MASK,
    GIVE,
    HOLD_BACK,
    KEEP,
    NEXT_SEAT,
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
from balance.games.animalia.medals import family_count, medals_of
from balance.games.animalia.params import N_FAMILIES
from balance.games.animalia.powers import activates, may_be_robbed, may_receive, seen_card
from balance.games.animalia.rules import legal_actions

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
LOWEST = -(1 << 62)
"""Less than any ranked option."""
FORBIDDEN = -(1 << 30)
"""Makes an option that is not on the list worse than every one that is."""
WEIGHTS = MappingProxyType(
    {
        "keep": 1,
        "card": -14,
        "medal": 15,
        "star": 8,
        "pair_to_be": 6,
        "thief": 11,
        "spy": 3,
        "trickster": 7,
        "hurt": 7,
        "spare": 11,
        "prize": 40,
    }
)
MEANINGS = MappingProxyType(
    {
        "keep": "For keeping a set rather than passing it.",
        "card": "For each card of the set: it fills a place.",
        "medal": "For each medal that the collection gains.",
        "star": "For each star of elegance that the collection gains.",
        "pair_to_be": "For each card of the set whose family is among the own bonus cards.",
        "thief": "For activating the thief.",
        "spy": "For activating the spy.",
        "trickster": "For activating the trickster.",
        "hurt": "For each medal that another player loses (or gains, with the opposite sign).",
        "spare": "For holding a bonus card back for a later season.",
        "prize": 'For each "5" medal that the owl\'s family completes.',
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
    return choose_rare(state, params, weights, rng)


@kernel
def choose_rare(state, params, weights, rng):
    """D-4 to D-7 and D-9."""
    decision = state.decision
    if decision == D4_POWERS:
        return best_power(state, params, weights, rng)
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
        value += weights.thief * (activated >> ENOUGH_BIT & 1)
        value += weights.spy * (activated >> (ENOUGH_BIT + POWER_BITS) & 1)
        value += weights.trickster * (activated >> (ENOUGH_BIT + 2 * POWER_BITS) & 1)
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
def best_power(state, params, weights, rng):
    """D-4: stopping is worth nothing, a power what its weight says."""
    bits, temperature = draw(rng, 0), weights.temperature
    best = ranked(0, temperature, bits, 0, STOP)
    for power in range(3):
        value = power_weight(weights, power) + (1 - (state.usable >> power & 1)) * FORBIDDEN
        best = max(best, ranked(value, temperature, bits, 1 + power, USE + power))
    return code_of(best)


@kernel
def best_theft(state, params, weights, rng):
    """D-5: what the card adds to the own collection and takes from its owner."""
    own = state.word[state.taker_collection]
    gain = weights.medal if open_places(state, params, state.taker_collection) > 0 else 0
    star = weights.star if gain > 0 else 0
    best, option, bits = LOWEST, 0, draw(rng, 0)
    for victim in range(2 * params.players):
        if not may_be_robbed(state, params, victim):
            continue
        theirs = state.word[victim]
        for place in range(size_of(theirs)):
            card = params.card_word[state.cards[victim, place]]
            value = weights.hurt * (worth(params, theirs) - worth(params, theirs - card))
            value += gain * worth(params, own + card) + star * (card >> STARS_AT)
            if option % OPTIONS_PER_DRAW == 0:
                bits = draw(rng, option // OPTIONS_PER_DRAW)
            action = STEAL + COLLECTION_STEP * victim + place
            best = max(best, ranked(value, weights.temperature, bits, option, action))
            option += 1
    return code_of(best)


@kernel
def best_gift(state, params, weights, rng):
    """D-6: what the own collection loses and the recipient gains."""
    best, option = LOWEST, 0
    for recipient in range(2 * params.players):
        if may_receive(state, params, recipient):
            theirs, action = state.word[recipient], GIVE + COLLECTION_STEP * recipient
            best = max(best, best_card_for(state, params, weights, weights.hurt, theirs, action, option, rng))
            option += size_of(state.word[state.taker_collection])
    if option == 0:
        best = best_card_for(state, params, weights, 0, 0, UNDER_DECK, 0, rng)
    return code_of(best)


@kernel
def best_card_for(state, params, weights, hurt, theirs, action, option, rng):
    """The card that is best given to the collection `theirs` (or under the deck), ranked."""
    own, best = state.word[state.taker_collection], LOWEST
    for place in range(size_of(own)):
        card = params.card_word[state.cards[state.taker_collection, place]]
        value = weights.medal * worth(params, own - card) - weights.star * (card >> STARS_AT)
        value -= hurt * (worth(params, theirs + card) - worth(params, theirs))
        bits = draw(rng, (option + place) // OPTIONS_PER_DRAW)
        best = max(best, ranked(value, weights.temperature, bits, option + place, action + place))
    return best


@kernel
def best_order(state, params, weights, rng):
    """D-7: the card most useful to the own collection on top when the seat deals next, else the least useful."""
    own = state.word[state.taker_collection]
    medal = weights.medal if open_places(state, params, state.taker_collection) > 0 else 0
    mine = NEXT_SEAT[seats_with_room(state, 1) * SEATS + state.dealer] == state.seat
    sign = 1 if mine else -1
    best, bits = LOWEST, draw(rng, 0)
    for position in range(state.seen):
        if position % OPTIONS_PER_DRAW == 0:
            bits = draw(rng, position // OPTIONS_PER_DRAW)
        card = params.card_word[seen_card(state, position)]
        value = sign * (weights.star * (card >> STARS_AT) + medal * worth(params, own + card))
        value += (state.placed_mask >> position & 1) * FORBIDDEN
        best = max(best, ranked(value, weights.temperature, bits, position, PUT_NEXT + position))
    return code_of(best)


@kernel
def best_cover(state, params, weights, rng):
    """D-8: the cover that gains most medals, or holding back; in the last season nothing is worth holding."""
    bonus = params.card_word[state.hand[state.seat, state.hand_at]]
    spare = weights.spare if state.round_number < params.seasons - 1 and params.bonus_carry else 0
    bits, temperature, option = draw(rng, 0), weights.temperature, 1
    best = ranked(spare, temperature, bits, 0, HOLD_BACK)
    for which in range(params.collections_per_player):
        collection = 2 * state.seat + which
        after = state.counting[collection] + bonus
        now = worth(params, state.counting[collection])
        for place in range(params.collection_size):
            if option % OPTIONS_PER_DRAW == 0:
                bits = draw(rng, option // OPTIONS_PER_DRAW)
            gain = worth(params, after - params.card_word[state.cards[collection, place]]) - now
            value = weights.medal * gain + (state.covered_mask[collection] >> place & 1) * FORBIDDEN
            action = COVER + COLLECTION_STEP * which + place
            best = max(best, ranked(value, temperature, bits, option, action))
            option += 1
    return code_of(best)


@kernel
def best_owl(state, params, weights, rng):
    """D-9: the family that earns most medals, with an eye on the "5" medals."""
    without_owl = state.counting[2 * state.seat + state.owl_at] & FAMILIES_MASK
    best, bits = LOWEST, draw(rng, 0)
    for family in range(params.families):
        read = without_owl + (1 << (FAMILY_BITS * family))
        had = medals_of(state.medals[state.seat], family)
        has = had + params.group[0, family_count(read, family)]
        value = weights.medal * worth(params, read) + weights.prize * (
            params.prizes_for[has] - params.prizes_for[had]
        )
        if family % OPTIONS_PER_DRAW == 0:
            bits = draw(rng, family // OPTIONS_PER_DRAW)
        best = max(best, ranked(value, weights.temperature, bits, family, COUNT_OWL + family))
    return code_of(best)


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
        meanings=MEANINGS,
    ),
    Policy(
        "beginner",
        "Beginner",
        "Wants what greedy wants, but often overlooks the better option.",
        choose_greedy,
        WEIGHTS,
        temperature=12,
        meanings=MEANINGS,
    ),
    Policy(
        "hoarder",
        "Hoarder",
        "Keeps big sets, and holds bonus cards back as long as the seasons allow.",
        choose_greedy,
        MappingProxyType({**WEIGHTS, "card": -8, "spare": 45}),
        meanings=MEANINGS,
    ),
    Policy(
        "thief-happy",
        "Thief-happy",
        "Goes for thieves, and would rather hurt the others than gain itself.",
        choose_greedy,
        MappingProxyType({**WEIGHTS, "thief": 40, "hurt": 25}),
        meanings=MEANINGS,
    ),
    Policy(
        "star-chaser",
        "Star-chaser",
        "Chases the stars of elegance and the bonus cards that they bring.",
        choose_greedy,
        MappingProxyType({**WEIGHTS, "star": 25}),
        meanings=MEANINGS,
    ),
)
