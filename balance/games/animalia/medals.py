"""2.4, 2.5 and 2.7: the elegance prize, bonus cards and covers, medals, points."""

import numpy as np

from balance.engine import TRACE, kernel, note
from balance.games.animalia.cards import size_of, top_card
from balance.games.animalia.layout import (
    COLLECTION_STEP,
    COVER,
    COVERED,
    COVERS,
    D8_COVER,
    D9_OWL,
    DRAWN,
    EACH_LANE,
    FAMILIES_MASK,
    FAMILY_BITS,
    FAMILY_MASK,
    FAMILY_PAIRS,
    HIGH_MASK,
    LANE_BITS,
    LANE_MASK,
    LOW_BITS,
    LOW_MASK,
    MEDAL,
    MEDALS,
    NEXT_SEAT,
    OWL_AT,
    POINTS,
    SEATS,
    STARS_AT,
    WAIT,
)
from balance.games.animalia.params import N_FAMILIES


@kernel
def elegance_of(state, params, seat, which):
    """A-25, R-47: the stars of a collection, or of a player by `elegance_unit`."""
    first = state.word[2 * seat] >> STARS_AT
    if params.collections_per_player == 1:
        return first
    second = state.word[2 * seat + 1] >> STARS_AT
    if params.elegance_unit == 0:
        return second if which else first
    return first + second if params.elegance_unit == 1 else max(first, second)


@kernel
def units_of(params):
    """R-47: how many of a player's units compete."""
    return params.collections_per_player if params.elegance_unit == 0 else 1


NO_POINTS = -1000


@kernel
def award_bonus_cards(state, params):
    """A-26 to A-28, R-30, R-31: the best draw two, the second best one; of several best each draws one."""
    first = second = NO_POINTS
    units = units_of(params)
    for seat in range(params.players):
        for which in range(units):
            points = elegance_of(state, params, seat, which)
            state.points[2 * seat + which] = points
            first = max(first, points)
        for which in range(params.collections_per_player):
            state.elegance[seat] += state.word[2 * seat + which] >> STARS_AT
    firsts = 0
    for seat in range(params.players):
        for which in range(units):
            points = state.points[2 * seat + which]
            firsts += points == first
            second = max(second, points if points < first else NO_POINTS)
    if TRACE:
        note(state, params, POINTS, 0, 0, 0)
    draw_bonus_cards(state, params, 1, first, params.bonus_first if firsts == 1 else params.bonus_first_tied)
    draw_bonus_cards(
        state, params, 2, second, params.bonus_second if firsts == 1 else params.bonus_second_after_first_tie
    )
    start_phase_3(state, params)


@kernel
def draw_bonus_cards(state, params, place, points, entitled):
    """R-31: all units with these points draw, from the left neighbour of the last dealer on."""
    if entitled == 0:
        return
    units, seats = units_of(params), 0
    for seat in range(params.players):
        for which in range(units):
            seats |= (state.points[2 * seat + which] == points) << seat
    seat = state.dealer
    while seats:
        seat = NEXT_SEAT[seats * SEATS + seat]
        seats &= ~(1 << seat)
        for which in range(units):
            if state.points[2 * seat + which] != points:
                continue
            if TRACE:
                note(state, params, DRAWN, seat * 2 + which, place, entitled)
            drawn = min(entitled, state.deck_left)
            for _ in range(drawn):
                add_to_hand(state, params, seat, top_card(state))
            state.undrawn += entitled - drawn


@kernel(inline=True)
def family_bits(params, card):
    """All bits of a card's family in a word; none for the owl."""
    return (params.card_word[card] & FAMILIES_MASK) * FAMILY_MASK


@kernel
def add_to_hand(state, params, seat, card):
    """A bonus card, kept in canonical order."""
    at = state.hand_count[seat]
    while at > 0 and state.hand[seat, at - 1] > card:
        state.hand[seat, at] = state.hand[seat, at - 1]
        at -= 1
    state.hand[seat, at] = card
    state.hand_count[seat] += 1
    state.hand_families[seat] |= family_bits(params, card)
    state.bonus_drawn[seat] += 1
    state.known[card] |= 1 << seat


# ================================================================ 2.5 Phase 3: medals


@kernel
def start_phase_3(state, params):
    """A-29: collections count as they are until bonus cards cover them."""
    for collection in range(2 * params.players):
        state.counting[collection] = state.word[collection]
        state.covered_mask[collection] = 0
        state.owl_family[collection] = 0
    state.turn += 1
    state.cover_seat = 0
    state.hand_at = 0
    state.owl_at = 0
    state.phase = COVERS


@kernel
def next_cover(state, params):
    """D-8, then D-9, player by player (5.2): wait for the next decision, or go on to the medals."""
    while state.cover_seat < params.players:
        seat = state.cover_seat
        if state.hand_at < state.hand_count[seat]:
            if has_uncovered(state, params, seat):
                wait_in_phase_3(state, seat, D8_COVER)
                return
            state.hand_at = state.hand_count[seat]
        while state.owl_at < params.collections_per_player:
            if counts_owl(state.counting[2 * seat + state.owl_at]):
                wait_in_phase_3(state, seat, D9_OWL)
                return
            state.owl_at += 1
        state.cover_seat += 1
        state.hand_at = 0
        state.owl_at = 0
    state.phase = MEDALS


@kernel
def wait_in_phase_3(state, seat, decision):
    """Ask `seat`."""
    state.seat = seat
    state.decision = decision
    state.phase = WAIT


@kernel(inline=True)
def counts_owl(word):
    """Whether a collection counts the owl."""
    return (word >> OWL_AT) & FAMILY_MASK > 0


@kernel
def has_uncovered(state, params, seat):
    """R-34: whether one of the seat's cards is still uncovered."""
    all_places = (1 << params.collection_size) - 1
    for which in range(params.collections_per_player):
        if state.covered_mask[2 * seat + which] != all_places:
            return True
    return False


@kernel
def cover(state, params, action):
    """A-29, R-34: the bonus card covers one card and counts in its stead."""
    seat = state.seat
    collection = 2 * seat + (action - COVER) // COLLECTION_STEP
    place = action % COLLECTION_STEP
    bonus = np.int64(state.hand[seat, state.hand_at])
    covered = state.cards[collection, place]
    state.covering[collection, place] = bonus
    state.covered_mask[collection] |= 1 << place
    state.counting[collection] += params.card_word[bonus] - params.card_word[covered]
    state.hand_count[seat] -= 1
    state.hand_families[seat] = 0
    for i in range(state.hand_count[seat]):
        if i >= state.hand_at:
            state.hand[seat, i] = state.hand[seat, i + 1]
        state.hand_families[seat] |= family_bits(params, state.hand[seat, i])
    state.covers[seat] += 1
    if TRACE:
        note(state, params, COVERED, collection, covered, bonus)


@kernel(inline=True)
def family_count(word, family):
    """Animals of a family in a packed word."""
    return (word >> (FAMILY_BITS * family)) & FAMILY_MASK


@kernel(inline=True)
def all_different(params, word):
    """A-33, R-39: a full collection whose animals are all of different families (the owl read as one)."""
    return params.five_different and size_of(word) == params.collection_size and word & FAMILY_PAIRS == 0


@kernel(inline=True)
def owl_as(word, family):
    """A-34, R-40: the collection with its owl read as an animal of `family`."""
    return word + (1 << (FAMILY_BITS * family)) if counts_owl(word) else word


@kernel(inline=True)
def medals_of(lanes, family):
    """Medals of one family, out of a seat's lanes."""
    return lanes >> (LANE_BITS * family) & LANE_MASK


@kernel
def award_medals(state, params):
    """A-31 to A-36, A-47: every collection earns its medals."""
    for seat in range(params.players):
        for which in range(params.collections_per_player):
            collection = 2 * seat + which
            word = owl_as(state.counting[collection], state.owl_family[collection])
            different = 1 if all_different(params, word) else 0
            state.medals[seat] += params.medals_low[different, word & LOW_MASK]
            state.medals[seat] += params.medals_high[different, word >> LOW_BITS & HIGH_MASK]
            state.counted[state.round_number, collection] = state.counting[collection]
            if TRACE:
                note(state, params, MEDAL, collection, word, 0)


# ================================================================ 2.7 end of the game


@kernel
def excellence(state, params, seat):
    """A-40, A-48, R-43: "5" medals, one for each complete group of one family."""
    prizes = 0
    medals = state.medals[seat]
    for family in range(N_FAMILIES):
        prizes += params.prizes_for[medals_of(medals, family)]
    return prizes


@kernel
def medal_count(state, seat):
    """All animal medals of a seat."""
    return (state.medals[seat] * EACH_LANE) >> (LANE_BITS * (N_FAMILIES - 1)) & LANE_MASK


@kernel
def score(state, params, seat):
    """A-39, A-40: a point for each medal, five for each "5" medal."""
    return (
        medal_count(state, seat) * params.medal_points
        + excellence(state, params, seat) * params.excellence_points
    )


@kernel
def largest_family(state, seat):
    """R-44: the most medals of a single family."""
    most = 0
    for family in range(N_FAMILIES):
        most = max(most, medals_of(state.medals[seat], family))
    return most


@kernel
def tiebreak(state, params, seat):
    """A-41, R-44: among equal scores the most medals of a single family decide, or nothing does."""
    return largest_family(state, seat) if params.tiebreak == 0 else 0
