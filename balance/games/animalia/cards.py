"""The deck and the collections: taking, laying, counting open places."""

import numpy as np

from balance.engine import kernel
from balance.games.animalia.layout import (
    COUNT_MASK,
    DECK_MASK,
    PLACES,
    ROOM_LANES,
    SEATS,
    SEATS_MASK,
    SIZE_AT,
)


@kernel(inline=True)
def top_card(state):
    """Take the top card off the deck."""
    card = state.deck[state.deck_top]
    state.deck_top = (state.deck_top + 1) & DECK_MASK
    state.deck_left -= 1
    return np.int64(card)


@kernel(inline=True)
def put_under_deck(state, card):
    """R-26: a card put under the deck is seen by all."""
    state.deck[(state.deck_top + state.deck_left) & DECK_MASK] = card
    state.deck_left += 1
    state.known[card] = (1 << SEATS) - 1


@kernel(inline=True)
def size_of(word):
    """Cards in a collection or set."""
    return (word >> SIZE_AT) & COUNT_MASK


@kernel(inline=True)
def open_places(state, params, collection):
    """Open places of a collection (section 0)."""
    return params.collection_size - size_of(state.word[collection])


@kernel(inline=True)
def largest_room(state, params, seat):
    """The most open places that one of a seat's collections has."""
    most = open_places(state, params, 2 * seat)
    if params.collections_per_player == 2:
        most = max(most, open_places(state, params, 2 * seat + 1))
    return most


@kernel(inline=True)
def refresh_room(state, params, seat):
    """Keep `room` true after a seat's collections have changed."""
    lanes = ROOM_LANES[largest_room(state, params, seat)] << seat
    state.room = state.room & ~(ROOM_LANES[PLACES] << seat) | lanes


@kernel(inline=True)
def seats_with_room(state, places):
    """The seats that have a collection with this many open places, as a bit mask."""
    return state.room >> (8 * places) & SEATS_MASK


@kernel(inline=True)
def lay(state, params, collection, card):
    """Lay one card at the end of a collection."""
    state.cards[collection, size_of(state.word[collection])] = card
    state.word[collection] += params.card_word[card]


@kernel
def remove(state, params, collection, place):
    """Take the card at `place` out of a collection; the others close the gap."""
    card = np.int64(state.cards[collection, place])
    for i in range(place, size_of(state.word[collection]) - 1):
        state.cards[collection, i] = state.cards[collection, i + 1]
    state.word[collection] -= params.card_word[card]
    return card
