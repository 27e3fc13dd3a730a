"""Kennelmester's rules from above: setup, applying an action, consent, what leaves no choice.

Rule ids (K-13, A-29, D-1) are those of the rules contract. A decision leaves the state waiting for `state.seat`; what
leaves no choice (a single option, growing up, the contest, the end of a round) is carried out at once.
"""

import numpy as np

from balance.engine import TRACE, aim, below, kernel, note
from balance.games.kennelmester.breeding import (
    close_birth,
    give_birth,
    mate,
    offer_free_mating,
    propose_mating,
)
from balance.games.kennelmester.choosing import option
from balance.games.kennelmester.entering import close_entry, enter, propose_entry
from balance.games.kennelmester.kennel import arrive
from balance.games.kennelmester.layout import (
    A_AT,
    A_COIN,
    A_DRAW_DOG,
    BIRTH,
    BUY,
    COIN,
    COINED,
    CUSTOMERS,
    D1_START,
    D3_ENTER_MORE,
    D4_BONUS,
    D8_FREE_MATE,
    DISCARD_CUSTOMER,
    DISCARD_DOG,
    DRAW_CUSTOMER,
    DRAW_DOG,
    DREW,
    ENTER,
    ENTER_MORE,
    FIRST_CUSTOMER,
    FIRST_DECK,
    FREE,
    GIFT,
    GO_ON,
    KIND_AT,
    LOW_12,
    MATE,
    N_TYPES,
    NONE,
    OF_HAND,
    PASS,
    RELEASE,
    SELL_CUSTOMER,
    SELL_PLAYER,
    SHUFFLED,
    START_BREED,
    STARTED,
    TAKE_CUSTOMER,
    WORD_CHARACTER,
    WORD_EVENT,
)
from balance.games.kennelmester.options import count_more_entries
from balance.games.kennelmester.params import SEATS
from balance.games.kennelmester.piles import discard_from_hand, draw, shuffle_piles, to_hand
from balance.games.kennelmester.seats import earn
from balance.games.kennelmester.steps import finish, remember_refusal
from balance.games.kennelmester.trading import buy, give, offer, release, sell_to_customer, sell_to_player
from balance.games.kennelmester.traits import ONES
from balance.games.kennelmester.turns import begin_round, go_on

FIRST_ITEM = np.zeros(TAKE_CUSTOMER + 1, np.int64)
FIRST_ITEM[[DRAW_DOG, DRAW_CUSTOMER, TAKE_CUSTOMER]] = FIRST_DECK, FIRST_DECK + CUSTOMERS, FIRST_CUSTOMER
"""The item behind the first action of each kind that draws (6.3)."""

# ================================================================ 2.1 setup


@kernel
def setup(state, params, rng):
    """K-3 to K-7: shuffled decks, a character and coins for each player, and no dogs yet. The state arrives zeroed."""
    aim(rng, 0, 0, 0, 0)
    shuffle_piles(state, params, rng)
    shuffle_events(state, params, rng)
    shuffle_characters(state, params, rng)
    for side in range(params.n_sides, SEATS):
        state.coins[side] = NONE
    for seat in range(params.players):
        state.character[seat] = state.character_order[seat]
        for kind in range(N_TYPES):
            covers = params.covers[state.character[seat]] >> kind & 1
            state.skilled_for[kind] |= covers << seat
        state.first_dog[seat] = state.last_dog[seat] = NONE
        earn(state, params, seat, params.start_coins)
    if TRACE:
        note(state, params, SHUFFLED, 0, 0, 0)
    ask_for_breed(state, params)
    settle(state, params, rng)
    while state.options == 1 and state.over == 0:
        act_without_choice(state, params, rng)


@kernel
def shuffle_events(state, params, rng):
    """K-3: all events are shuffled, as cards in `refill` are; the top ones are in play."""
    for event in range(params.n_events):
        other = below(rng, WORD_EVENT + event, event + 1)
        state.ahead += params.event_traits[event] & ONES
        state.event_box[event] = state.event_box[other]
        state.event_box[other] = event
    state.events_left = params.event_deck_size
    for at in range(params.event_deck_size):
        state.event_deck[at] = state.event_box[at]


@kernel
def shuffle_characters(state, params, rng):
    """K-3: the characters are shuffled, as the events are."""
    for character in range(params.n_characters):
        other = below(rng, WORD_CHARACTER + character, character + 1)
        state.character_order[character] = state.character_order[other]
        state.character_order[other] = character


@kernel
def ask_for_breed(state, params):
    """K-5, D-1: the next player names the breed of a starting dog; after the last one round 1 begins."""
    if state.done == params.players * params.start_dogs:
        begin_round(state, params)
        return
    state.seat = state.acting = state.done % params.players
    state.decision = D1_START
    state.options = 0
    for breed in range(params.n_breeds):
        state.options += state.deck_size[breed] > 0


@kernel
def start(state, params, breed, rng):
    """K-5: the top dog of a breed, free of charge and face up, is an adult of the kennel."""
    dog = draw(state, params, FIRST_DECK + breed, rng)
    arrive(state, params, state.acting, dog, np.int64(FREE))
    if TRACE:
        note(state, params, STARTED, dog, breed, 0)
    state.done += 1
    ask_for_breed(state, params)


# ================================================================ apply action


@kernel
def apply_action(state, params, action, rng):
    """Do what the action says, and all that follows from it."""
    state.draw_step = state.step + 1
    act(state, params, action, rng)
    settle(state, params, rng)
    while state.options == 1 and state.over == 0:
        act_without_choice(state, params, rng)


@kernel
def act_without_choice(state, params, rng):
    """Carry out the only option, and what follows from it."""
    act(state, params, option(state, params, np.int64(0)), rng)
    settle(state, params, rng)


@kernel(inline=True)
def settle(state, params, rng):
    """What follows by itself, up to the next decision."""
    while state.decision == GO_ON and state.over == 0:
        go_on(state, params, rng)


@kernel(inline=True)
def act(state, params, action, rng):
    """6.3: the action by its kind; draws and discards are by far the most."""
    kind, a = action >> KIND_AT, action >> A_AT & LOW_12
    if DRAW_DOG <= kind <= TAKE_CUSTOMER:
        draw_card(state, params, FIRST_ITEM[kind] + a, rng)
    elif DISCARD_DOG <= kind <= DISCARD_CUSTOMER:
        discard_from_hand(state, params, a + FIRST_CUSTOMER * (kind == DISCARD_CUSTOMER))
        state.decision = GO_ON
    elif kind == PASS:
        decline(state, params)
    else:
        act_rarely(state, params, action, rng)


@kernel(inline=True)
def draw_card(state, params, item, rng):
    """K-21, K-22: a dog or a customer from the deck or the discards comes to the hand."""
    card = draw(state, params, item, rng)
    to_hand(state, state.acting, card)
    is_customer = np.int64(card >= FIRST_CUSTOMER)
    state.stale |= OF_HAND * (is_customer | state.has_money)
    if TRACE:
        note(state, params, DREW, card, item < FIRST_DECK, 0)
    finish(state, params, A_DRAW_DOG + is_customer, params.pile_of[card])


@kernel
def decline(state, params):
    """PASS: no more dogs are entered (D-3), no bonus action is taken (D-4, K-15), or no free mating (D-8)."""
    if state.decision == D3_ENTER_MORE:
        close_entry(state, params)
    elif state.decision == D4_BONUS:
        state.bonus_left = 0
        state.decision = GO_ON
    else:
        close_birth(state, params)


@kernel
def act_rarely(state, params, action, rng):
    """All actions but draws, discards and PASS."""
    kind, a, b = action >> KIND_AT, action >> A_AT & LOW_12, action & LOW_12
    if kind == COIN:
        take_coin(state, params)
    elif kind == BUY:
        buy(state, params, a)
    elif kind == SELL_CUSTOMER:
        sell_to_customer(state, params, a, b)
    elif kind == SELL_PLAYER:
        offer(state, params, a, b, action)
    elif kind == MATE:
        propose_mating(state, params, a, b, action)
    elif kind == BIRTH:
        give_birth(state, params, a, rng)
    elif ENTER <= kind <= ENTER_MORE:
        propose_entry(state, params, a, b, action)
        more_entries(state, params)
    else:
        act_at_the_edge(state, params, action, rng)


@kernel
def act_at_the_edge(state, params, action, rng):
    """Starting dogs, answers, and what happens when the upkeep cannot be paid."""
    kind, a, b = action >> KIND_AT, action >> A_AT & LOW_12, action & LOW_12
    if kind == START_BREED:
        start(state, params, a, rng)
    elif kind == RELEASE:
        release(state, params, a)
    elif kind == GIFT:
        give(state, params, a, b)
    elif a:
        agree(state, params)
    else:
        refuse(state, params)


@kernel
def take_coin(state, params):
    """K-20: coins from the bank."""
    earn(state, params, state.acting, params.coin_amount)
    state.stale = 1
    if TRACE:
        note(state, params, COINED, 0, 0, 0)
    finish(state, params, np.int64(A_COIN), np.int64(NONE))


@kernel(inline=True)
def more_entries(state, params):
    """D-3: once a dog is entered more may follow."""
    if state.decision == D3_ENTER_MORE:
        count_more_entries(state, params)


# ================================================================ consent (D-6)


@kernel
def agree(state, params):
    """The deal that was proposed is made."""
    action = state.pending
    kind, a, b = action >> KIND_AT, action >> A_AT & LOW_12, action & LOW_12
    state.seat = state.acting
    state.decision = state.asked_at
    if kind == SELL_PLAYER:
        sell_to_player(state, params, a, b, state.price)
    elif kind == MATE:
        mate(state, params, a, b, state.asked_at == D8_FREE_MATE)
    else:
        enter(state, params, a, b)
        more_entries(state, params)


@kernel
def refuse(state, params):
    """A-73, A-79: nothing is paid or spent, and the same point is asked again with the options as they are then."""
    remember_refusal(state, params)
    state.seat = state.acting
    state.decision = GO_ON
    if state.asked_at == D3_ENTER_MORE:
        count_more_entries(state, params)
    elif state.asked_at == D8_FREE_MATE:
        offer_free_mating(state, params)
