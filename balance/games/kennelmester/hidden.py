"""6.1 What a seat cannot see, dealt anew: decks, others' hands, the cards of others' pups, events to come."""

import numpy as np

from balance.engine import below, kernel
from balance.games.kennelmester.kennel import list_males
from balance.games.kennelmester.layout import (
    CUSTOMERS,
    EVENT_MASK,
    FREE,
    HAND,
    IN_DECK,
    NONE,
    PUP,
    SEAT_OF,
    STAGE_OF,
    WORD_EVENT,
)
from balance.games.kennelmester.seats import are_partners


@kernel
def determinize(state, params, seat, rng):
    """Deal the cards of each pile that `seat` cannot see among their places, and the events that nobody knows."""
    for pile in range(CUSTOMERS + 1):
        if pile < params.n_breeds or pile == CUSTOMERS:
            deal_pile(state, params, seat, pile, rng)
    deal_events(state, params, rng)
    state.stale = 1


@kernel
def is_hidden(state, params, card, seat):
    """Whether `seat` does not know where a card is: in a deck, unseen in another side's hand, or its pup."""
    place = np.int64(state.place[card])
    stage, owner = place & STAGE_OF, place & SEAT_OF
    if place == IN_DECK:
        return True
    if stage == PUP:
        return not are_partners(params, seat, owner)
    return stage == HAND and state.seen[card] == 0 and not are_partners(params, seat, owner)


@kernel
def deal_pile(state, params, seat, pile, rng):
    """Each hidden card changes places with one of those before it, or itself; which cards are hidden stays the same."""
    n = 0
    for at in range(params.pile_start[pile], params.pile_start[pile + 1]):
        card = params.pile_cards[at]
        if is_hidden(state, params, card, seat):
            n += 1
            other = hidden_number(state, params, seat, pile, below(rng, card, n))
            if other != card:
                swap(state, params, card, other)


@kernel
def hidden_number(state, params, seat, pile, k):
    """The hidden card number k of a pile, in the order of the cards."""
    at = params.pile_start[pile]
    while True:
        k -= is_hidden(state, params, params.pile_cards[at], seat)
        if k < 0:
            return params.pile_cards[at]
        at += 1


@kernel
def swap(state, params, card, other):
    """Two cards of a pile change places, and records if one of them is a pup."""
    pile = params.pile_of[card]
    swap_in_lists(state, params, card, other, pile)
    place, slot = np.int64(state.place[card]), np.int64(state.slot[card])
    state.place[card] = state.place[other]
    state.slot[card] = state.slot[other]
    state.place[other] = place
    state.slot[other] = slot
    if pile != CUSTOMERS:
        swap_records(state, card, other)
        relink(state, card)
        relink(state, other)
        list_males(state, params, pile)


@kernel
def swap_in_lists(state, params, card, other, pile):
    """Two cards change places in the decks and hands that hold them."""
    first = params.pile_start[pile]
    for at in range(first, first + state.deck_size[pile]):
        if state.deck[at] == card:
            state.deck[at] = other
        elif state.deck[at] == other:
            state.deck[at] = card
    for_card, for_other = np.int64(state.place[card]), np.int64(state.place[other])
    if for_card & STAGE_OF == HAND:
        state.hand[for_card & SEAT_OF, state.slot[card]] = other
    if for_other & STAGE_OF == HAND:
        state.hand[for_other & SEAT_OF, state.slot[other]] = card


@kernel
def swap_records(state, card, other):
    """The records of two cards, of which only those of pups mean anything."""
    since, generation = np.int64(state.since[card]), np.int64(state.generation[card])
    inherited = state.inherited[card]
    after, before = np.int64(state.after[card]), np.int64(state.before[card])
    state.since[card], state.generation[card] = state.since[other], state.generation[other]
    state.inherited[card] = state.inherited[other]
    state.after[card] = state.after[other] if state.after[other] != card else other
    state.before[card] = state.before[other] if state.before[other] != card else other
    state.since[other], state.generation[other] = since, generation
    state.inherited[other] = inherited
    state.after[other] = after if after != other else card
    state.before[other] = before if before != other else card


@kernel
def relink(state, dog):
    """The neighbors of a dog in its kennel, if it is in one, know it."""
    place = np.int64(state.place[dog])
    if place < FREE:
        return
    if state.before[dog] == NONE:
        state.first_dog[place & SEAT_OF] = dog
    else:
        state.after[state.before[dog]] = dog
    if state.after[dog] == NONE:
        state.last_dog[place & SEAT_OF] = dog
    else:
        state.before[state.after[dog]] = dog


@kernel
def deal_events(state, params, rng):
    """Events that nobody knows: the deck without those that came back, and those that are not in play."""
    unknown = state.events_left - state.events_back
    n = unknown + params.n_events - params.event_deck_size
    for i in range(n - 1, 0, -1):
        j = below(rng, WORD_EVENT + i, i + 1)
        one, other = event_at(state, params, unknown, i), event_at(state, params, unknown, j)
        put_event(state, params, unknown, i, other)
        put_event(state, params, unknown, j, one)


@kernel
def event_at(state, params, unknown, i):
    """Event number i of those that nobody knows."""
    if i < unknown:
        return np.int64(state.event_deck[(state.event_at + i) & EVENT_MASK])
    return np.int64(state.event_box[params.event_deck_size + i - unknown])


@kernel
def put_event(state, params, unknown, i, event):
    """Put an event at number i of those that nobody knows."""
    if i < unknown:
        state.event_deck[(state.event_at + i) & EVENT_MASK] = event
    else:
        state.event_box[params.event_deck_size + i - unknown] = event
