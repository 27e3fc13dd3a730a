"""5.1 What a seat cannot see, dealt anew."""

import numpy as np

from balance.engine import below, kernel
from balance.games.animalia.layout import D8_COVER, DECK_MASK, DECK_SLOTS, HAND, NOWHERE, PLACES
from balance.games.animalia.medals import family_bits


@kernel
def determinize(state, params, seat, rng):
    """Undo what R-36 hides, then shuffle the cards that `seat` cannot see among their places: deck, others' hands."""
    for other in range(params.players):
        if other != seat and state.decision >= D8_COVER:
            take_back(state, params, other)
    n = hidden_places(state, params, seat)
    for i in range(n - 1, 0, -1):
        swap_hidden(state, params, seat, i, below(rng, i, i + 1))
    for other in range(params.players):
        if other != seat:
            sort_hand(state, params, other)


@kernel
def take_back(state, params, other):
    """R-36: covers and owls are chosen at the same time, so nobody may use those of another seat in this phase."""
    for which in range(params.collections_per_player):
        collection = 2 * other + which
        for place in range(PLACES):
            if state.covered_mask[collection] >> place & 1:
                state.hand[other, state.hand_count[other]] = state.covering[collection, place]
                state.hand_count[other] += 1
                state.covers[other] -= 1
        state.covered_mask[collection] = 0
        state.counting[collection] = state.word[collection]
        state.owl_family[collection] = 0


@kernel
def is_hidden(state, card, seat):
    """Whether `seat` does not know where this card of the deck or of another hand is."""
    return not state.known[card] >> seat & 1


@kernel
def hidden_places(state, params, seat):
    """How many places hold a card that `seat` cannot see."""
    n = 0
    while hidden_place(state, params, seat, n) != NOWHERE:
        n += 1
    return n


@kernel
def hidden_place(state, params, seat, wanted):
    """Place number `wanted`: below DECK_SLOTS in the deck, then in the hands; NOWHERE when past the last."""
    for i in range(state.deck_left):
        if is_hidden(state, state.deck[(state.deck_top + i) & DECK_MASK], seat):
            if wanted == 0:
                return (state.deck_top + i) & DECK_MASK
            wanted -= 1
    for other in range(params.players):
        if other == seat:
            continue
        for i in range(state.hand_count[other]):
            if is_hidden(state, state.hand[other, i], seat):
                if wanted == 0:
                    return DECK_SLOTS + other * HAND + i
                wanted -= 1
    return NOWHERE


@kernel
def card_at(state, place):
    """The card at a hidden place."""
    if place < DECK_SLOTS:
        return np.int64(state.deck[place])
    place -= DECK_SLOTS
    return np.int64(state.hand[place // HAND, place % HAND])


@kernel
def put_at(state, place, card):
    """Put a card at a hidden place."""
    if place < DECK_SLOTS:
        state.deck[place] = card
    else:
        place -= DECK_SLOTS
        state.hand[place // HAND, place % HAND] = card


@kernel
def swap_hidden(state, params, seat, i, j):
    """Exchange the cards at two hidden places; what others know of a card stays with the place."""
    first, second = hidden_place(state, params, seat, i), hidden_place(state, params, seat, j)
    card, other = card_at(state, first), card_at(state, second)
    put_at(state, first, other)
    put_at(state, second, card)
    known = state.known[card]
    state.known[card] = state.known[other]
    state.known[other] = known


@kernel
def sort_hand(state, params, seat):
    """Put a hand into canonical order."""
    state.hand_families[seat] = 0
    for i in range(state.hand_count[seat]):
        state.hand_families[seat] |= family_bits(params, state.hand[seat, i])
    for i in range(1, state.hand_count[seat]):
        card, at = np.int64(state.hand[seat, i]), i
        while at > 0 and state.hand[seat, at - 1] > card:
            state.hand[seat, at] = state.hand[seat, at - 1]
            at -= 1
        state.hand[seat, at] = card
