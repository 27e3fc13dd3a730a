"""2.3 Hands, decks and discards: shuffling, drawing, discarding, refilling; what can be drawn at all.

Each breed has a pile, and the customers have one: a face-down deck, spent cards and face-up discards. Whatever can be
drawn is listed as an item, in no order: the top of each deck that is not used up, and each discard that may be taken.
"""

import numpy as np

from balance.engine import TRACE, aim, below, kernel, note
from balance.games.kennelmester.layout import (
    CUSTOMERS,
    DISCARDED,
    DISCARDED_CARD,
    FIRST_CUSTOMER,
    FIRST_DECK,
    GONE,
    HAND,
    IN_DECK,
    NONE,
    OF_CUSTOMERS,
    OF_HAND,
    REFILLED,
    SPENT,
)

ANY, TOP, OFF = range(3)
"""The settings of `discard_access`."""
RECYCLE, TO_DISCARDS, REMOVE = range(3)
"""The settings of `spent_cards`."""

# ================================================================ items


@kernel(inline=True)
def add_item(state, which, item):
    """Something can be drawn from now on; `which`: 0 for dogs, 1 for customers."""
    at = state.n_items[which]
    state.items[which, at] = item
    state.slot[item] = at
    state.n_items[which] = at + 1


@kernel(inline=True)
def drop_item(state, which, item):
    """Something can no longer be drawn: the last item takes its place in the list."""
    last = state.n_items[which] - 1
    moved, at = state.items[which, last], state.slot[item]
    state.items[which, at] = moved
    state.slot[moved] = at
    state.n_items[which] = last


@kernel(inline=True)
def leave_pile(state, pile):
    """A card has left a pile; with the last one nothing is left to draw."""
    state.pile[pile] -= 1
    if state.pile[pile] == 0:
        drop_item(state, pile >> OF_CUSTOMERS, FIRST_DECK + pile)


@kernel(inline=True)
def join_pile(state, pile):
    """A card has come to a pile, and may be drawn sooner or later."""
    state.pile[pile] += 1
    if state.pile[pile] == 1:
        add_item(state, pile >> OF_CUSTOMERS, FIRST_DECK + pile)


# ================================================================ discards


@kernel
def last_discard(state, params, pile):
    """K-19: the discard of a pile that came last; NONE if there is none."""
    found, latest = np.int64(NONE), 0
    for at in range(params.pile_start[pile], params.pile_start[pile + 1]):
        card = params.pile_cards[at]
        if state.place[card] == DISCARDED and state.seen[card] > latest:
            found, latest = card, state.seen[card]
    return found


@kernel
def hide_last(state, params, pile):
    """K-19: where only the last discard may be taken, a new one covers it."""
    last = last_discard(state, params, pile)
    if last != NONE:
        drop_item(state, pile >> OF_CUSTOMERS, last)


@kernel(inline=True)
def discard(state, params, card):
    """K-19: a card goes face up beside its deck."""
    pile = params.pile_of[card]
    if params.discard_access == TOP:
        hide_last(state, params, pile)
    state.n_discarded += 1
    state.seen[card] = state.n_discarded
    state.place[card] = DISCARDED
    if params.discard_access != OFF:
        add_item(state, pile >> OF_CUSTOMERS, card)
    join_pile(state, pile)


@kernel(inline=True)
def put_aside(state, params, card):
    """A-12: where a sold dog, a used customer or a released dog goes."""
    if params.spent_cards == TO_DISCARDS:
        discard(state, params, card)
    elif params.spent_cards == REMOVE:
        state.place[card] = GONE
    else:
        state.place[card] = SPENT
        join_pile(state, params.pile_of[card])


# ================================================================ decks


@kernel
def refill(state, params, pile, rng):
    """K-23: a deck that holds too few cards is refilled, if there is something to do it with."""
    n = shuffle_under(state, params, pile, rng)
    if TRACE and n > 0:
        note(state, params, REFILLED, pile, n, 0)


@kernel
def shuffle_under(state, params, pile, rng):
    """K-3, K-23: spent cards and discards, shuffled, go under the deck; returns how many.

    Cards are dealt in one by one, each changing places with a random one (itself included); its draw is addressed by
    the card, so a deck with other cards leaves the rest alike.
    """
    first, n = params.pile_start[pile], 0
    if state.deck_size[pile] > 0:
        make_room(state, params, pile)
    for at in range(first, params.pile_start[pile + 1]):
        card = params.pile_cards[at]
        if state.place[card] == DISCARDED or state.place[card] == SPENT:
            if state.place[card] == DISCARDED and is_listed(state, params, card):
                drop_item(state, pile >> OF_CUSTOMERS, card)
            state.place[card] = IN_DECK
            state.seen[card] = 0
            other = first + below(rng, card, n + 1)
            state.deck[first + n] = state.deck[other]
            state.deck[other] = card
            n += 1
    state.deck_size[pile] += n
    return n


@kernel
def make_room(state, params, pile):
    """Lift a deck off the table by as many cards as will go under it."""
    first, n = params.pile_start[pile], state.pile[pile] - state.deck_size[pile]
    for at in range(state.deck_size[pile] - 1, -1, -1):
        state.deck[first + n + at] = state.deck[first + at]


@kernel(inline=True)
def is_listed(state, params, card):
    """Whether a discard is among the items."""
    which, at = params.pile_of[card] >> OF_CUSTOMERS, state.slot[card]
    return params.discard_access == ANY or (
        params.discard_access == TOP and at < state.n_items[which] and state.items[which, at] == card
    )


@kernel(inline=True)
def draw(state, params, item, rng):
    """K-19, K-21 to K-23: the card of an item, which leaves its pile: a discard, or the top of a deck.

    Both are done alike, without asking which it is: chance decides, so the processor could not foresee it.
    """
    pile, is_deck = params.pile_of[item], np.int64(item >= FIRST_DECK)
    size = np.int64(state.deck_size[pile])
    if size < is_deck:
        size = refilled(state, params, pile, rng)
    top = np.int64(state.deck[params.pile_start[pile] + max(size - 1, 0)])
    state.deck_size[pile] = size - is_deck
    card = top if is_deck else item
    which = pile >> OF_CUSTOMERS
    last, at = state.n_items[which] - 1, np.int64(state.slot[item])
    moved = state.items[which, at if is_deck else last]
    state.items[which, at] = moved
    state.slot[moved] = at
    state.n_items[which] = last + is_deck
    leave_pile(state, pile)
    if params.discard_access == TOP:
        show_next(state, params, card, pile, is_deck)
    return card


@kernel
def refilled(state, params, pile, rng):
    """K-23: the size of a deck that was used up, when it has been refilled."""
    aim(rng, 0, state.round_number, state.turn, state.draw_step)
    refill(state, params, pile, rng)
    return np.int64(state.deck_size[pile])


@kernel
def show_next(state, params, card, pile, is_deck):
    """K-19: where only the last discard may be taken, the one before it follows."""
    if not is_deck:
        state.place[card] = GONE
        next_one = last_discard(state, params, pile)
        if next_one != NONE:
            add_item(state, pile >> OF_CUSTOMERS, next_one)


# ================================================================ hands


@kernel(inline=True)
def to_hand(state, seat, card):
    """K-21: a card comes to a hand."""
    at = state.hand_size[seat]
    state.hand[seat, at] = card
    state.slot[card] = at
    state.hand_size[seat] = at + 1
    state.hand_customers[seat] += card >= FIRST_CUSTOMER
    state.place[card] = HAND + seat


@kernel(inline=True)
def from_hand(state, seat, card):
    """A card leaves a hand: the last one takes its place."""
    last = state.hand_size[seat] - 1
    moved, at = state.hand[seat, last], state.slot[card]
    state.hand[seat, at] = moved
    state.slot[moved] = at
    state.hand_size[seat] = last
    state.hand_customers[seat] -= card >= FIRST_CUSTOMER


@kernel(inline=True)
def discard_from_hand(state, params, card):
    """K-18: the acting player parts with a card of the hand."""
    from_hand(state, state.acting, card)
    discard(state, params, card)
    if TRACE:
        note(state, params, DISCARDED_CARD, card, 0, 0)
    state.stale |= OF_HAND * (np.int64(card >= FIRST_CUSTOMER) | state.has_money)


@kernel
def shuffle_piles(state, params, rng):
    """K-3: the dogs of each breed, and the customers, are shuffled; the state arrives zeroed."""
    for pile in range(CUSTOMERS + 1):
        if pile >= params.n_breeds and pile != CUSTOMERS:
            continue
        for at in range(params.pile_start[pile], params.pile_start[pile + 1]):
            state.place[params.pile_cards[at]] = SPENT
            join_pile(state, pile)
        shuffle_under(state, params, pile, rng)
