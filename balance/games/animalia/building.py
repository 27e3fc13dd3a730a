"""2.2 Phase 1, building the collections: a set goes round until somebody keeps it."""

from balance.engine import TRACE, kernel, note
from balance.games.animalia.cards import (
    largest_room,
    open_places,
    refresh_room,
    seats_with_room,
    size_of,
    top_card,
)
from balance.games.animalia.layout import (
    ALONE,
    COMPLETES,
    D1_DEALER,
    D2_OTHER,
    D3_FORCED,
    ELEGANCE,
    KIND,
    MAX_SET,
    NEXT_SEAT,
    PASSED,
    REVEAL,
    SEATS,
    TAKE,
    TURN,
    WAIT,
)
from balance.games.animalia.powers import activate, activates


@kernel(inline=True)
def start_turn(state, params):
    """A-13, A-14, R-11: the next open player deals; A-15, R-8: alone, he keeps all; A-16, R-12: or the phase ends."""
    open_seats = seats_with_room(state, 1)
    if open_seats == 0:
        state.phase = ELEGANCE
        return
    if state.turn > 0:
        state.dealer = NEXT_SEAT[open_seats * SEATS + state.dealer]
    state.turn += 1
    state.turns += 1
    state.set_size = 0
    state.set_word = 0
    state.asked = 0
    state.alone = open_seats & (open_seats - 1) == 0
    reveal(state, params)


@kernel(inline=True)
def reveal(state, params):
    """A-5, A-9: the dealer turns up a card; D-1: he may keep the set, unless alone, when he must (A-15)."""
    card = top_card(state)
    state.set_cards[state.set_size] = card
    state.asked_before[state.set_size] = state.asked
    state.set_size += 1
    state.set_word += params.card_word[card]
    state.asked += 1
    if TRACE:
        note(state, params, REVEAL, card, 0, 0)
    if state.alone:
        state.lone_turns += 1
        keep_by_force(state, params)
        return
    state.last_asked = state.dealer
    state.seat = state.dealer
    state.decision = D1_DEALER
    state.phase = WAIT


@kernel(inline=True)
def ask_next(state, params):
    """A-7, A-11, A-14: the set goes to the next player with room for it (D-2); nobody left, it is back (R-7)."""
    seat = NEXT_SEAT[seats_with_room(state, state.set_size) * SEATS + state.last_asked]
    if TRACE:
        note_forced_passes(state, params, seat)
    if seat == state.dealer:
        set_returns(state, params)
        return
    state.asked += 1
    state.last_asked = seat
    state.seat = seat
    state.decision = D2_OTHER
    state.phase = WAIT


@kernel
def note_forced_passes(state, params, until):
    """A-11: open players without room for the set pass it by force."""
    seat = state.last_asked
    while True:
        seat = NEXT_SEAT[seats_with_room(state, 1) * SEATS + seat]
        if seat == until or seat == state.dealer:
            return
        note(state, params, PASSED, seat, 1, 0)


@kernel
def set_returns(state, params):
    """A-9, A-10, A-12, R-6, R-46: back with the dealer, the set is kept by force or grows by a card."""
    if state.set_size == min(params.max_set_size, largest_room(state, params, state.dealer)):
        keep_by_force(state, params)
    else:
        reveal(state, params)


@kernel
def keep_by_force(state, params):
    """D-3: the dealer keeps the set; he chooses only between two collections with room."""
    first = 2 * state.dealer
    fits = open_places(state, params, first) >= state.set_size
    fits_second = (
        params.collections_per_player == 2 and open_places(state, params, first + 1) >= state.set_size
    )
    if fits and fits_second:
        state.seat = state.dealer
        state.decision = D3_FORCED
        state.phase = WAIT
    else:
        take(state, params, state.dealer, 0 if fits else 1, force_reason(state, params))


@kernel
def force_reason(state, params):
    """Why the dealer must keep the set, the first that fits (7.2, `take`)."""
    if state.alone:
        return ALONE
    return COMPLETES if state.set_size == largest_room(state, params, state.dealer) else MAX_SET


@kernel(inline=True)
def take(state, params, seat, which, reason):
    """A-8, A-43: lay the whole set into one collection; it may activate powers (A-17); the turn is over (A-13)."""
    collection = 2 * seat + which
    before = size_of(state.word[collection])
    for i in range(state.set_size):
        card = state.set_cards[i]
        state.cards[collection, before + i] = card
        state.card_counts[KIND[card], 0] += state.asked - state.asked_before[i]
        state.card_counts[KIND[card], 1] += 1
    state.word[collection] += state.set_word
    refresh_room(state, params, seat)
    state.taker = seat
    state.taker_collection = collection
    state.phase = TURN
    if TRACE:
        note(state, params, TAKE, reason, 0, 0)
    if activates(params, state.set_word, state.word[collection]):
        activate(state, params)
