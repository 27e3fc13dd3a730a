"""2.3 The powers: what a set activates, and what thief, spy and trickster do."""

import numpy as np

from balance.engine import TRACE, kernel, note
from balance.games.animalia.cards import lay, open_places, put_under_deck, refresh_room, remove, size_of
from balance.games.animalia.layout import (
    CAP,
    COLLECTION_STEP,
    COUNT_MASK,
    D4_POWERS,
    D5_THIEF,
    D6_TRICKSTER,
    D7_SPY,
    DECK_MASK,
    DECLINED,
    GIVE,
    GIVEN,
    KIND,
    LAPSED,
    NO_TARGET,
    NOWHERE,
    ONE_OR_MORE,
    POWER_AT,
    POWER_BITS,
    RESOLVE,
    SPIED,
    STEAL,
    STOLEN,
    TURN,
    UNDER_DECK,
    WAIT,
)
from balance.games.animalia.params import SPY, THIEF, TRICKSTER


@kernel
def power_on(params, power):
    """Whether this power exists under these rules."""
    if power == 0:
        return params.power_thief
    if power == SPY - THIEF:
        return params.power_spy
    return params.power_trickster


@kernel(inline=True)
def activates(params, in_set, in_all):
    """A-17, A-18: the powers that a set activates in a collection which holds it already, a bit for each (0: none)."""
    return (
        ((in_set >> POWER_AT) + ONE_OR_MORE)
        & ((in_all >> POWER_AT) + params.enough_partners)
        & params.powers_on
    )


@kernel
def activate(state, params):
    """A-17, A-18, R-14: list what the set activates in its taker's collection, in set order."""
    laid_down = state.word[state.taker_collection]
    before = laid_down - state.set_word
    listed, so_far = 0, 0
    for i in range(state.set_size):
        power = KIND[state.set_cards[i]] - THIEF
        if power < 0 or power > TRICKSTER - THIEF:
            continue
        shift = POWER_AT + POWER_BITS * power
        so_far += 1 << shift
        once = params.power_activations == 0
        if not power_on(params, power) or (once and listed >> power & 1):
            continue
        partners = ((laid_down if once else before + so_far) >> shift) & COUNT_MASK
        if partners >= params.power_pair_requirement:
            state.pending[state.pending_count] = power
            state.pending_count += 1
            state.power_counts[power, 0] += 1
            listed |= 1 << power
            state.phase = RESOLVE


@kernel
def may_be_robbed(state, params, collection):
    """A-21, R-20: a collection of another player that holds a card the thief may name."""
    if collection >> 1 == state.taker or size_of(state.word[collection]) == 0:
        return False
    return params.thief_targets_full or open_places(state, params, collection) > 0


@kernel
def has_target(state, params, power):
    """R-18, R-21, R-24: whether a power could be used at this moment."""
    if power == TRICKSTER - THIEF:
        return True
    if power == SPY - THIEF:
        return state.deck_left > 0
    for collection in range(2 * params.players):
        if may_be_robbed(state, params, collection):
            return True
    return False


@kernel
def usable_powers(state, params):
    """The kinds that are pending and have a target, as a bit mask (D-4)."""
    usable = 0
    for i in range(state.pending_count):
        if has_target(state, params, state.pending[i]):
            usable |= 1 << state.pending[i]
    return usable


@kernel
def offer_powers(state, params):
    """D-4, R-13, R-15: while something is pending the taker uses one of his powers or stops; R-28: the guard."""
    state.phase = TURN
    if state.pending_count > 0 and state.returns >= params.deck_bottom_return_cap:
        state.guard_hits += state.pending_count
        lapse(state, params, 1)
    if state.pending_count > 0:
        state.usable = usable_powers(state, params)
        if state.usable == 0:
            lapse(state, params, 0)
            return
        state.seat = state.taker
        state.decision = D4_POWERS
        state.phase = WAIT


@kernel
def lapse(state, params, capped):
    """A-19: what is still pending is lost."""
    if TRACE:
        for i in range(state.pending_count):
            why = DECLINED if has_target(state, params, state.pending[i]) else NO_TARGET
            note(state, params, LAPSED, state.pending[i], CAP if capped else why, 0)
    state.pending_count = 0


@kernel
def use_power(state, params, power):
    """R-15: the power is named and resolved wholly; a single option is carried out at once."""
    gone = 0
    for i in range(state.pending_count):
        if gone == 0 and state.pending[i] == power:
            gone = 1
        elif gone == 1:
            state.pending[i - 1] = state.pending[i]
    state.pending_count -= 1
    state.power_counts[power, 1] += 1
    state.used_powers[state.taker, power] += 1
    state.phase = WAIT
    if power == THIEF - THIEF:
        only = start_theft(state, params)
        if only != NOWHERE:
            steal(state, params, only)
    elif power == SPY - THIEF:
        start_spying(state, params)
    else:
        only = start_gift(state, params)
        if only != NOWHERE:
            give(state, params, only)


@kernel
def start_theft(state, params):
    """D-5 is due; returns the only action there is, or NOWHERE when there is a choice."""
    state.decision = D5_THIEF
    options, only = 0, NOWHERE
    for collection in range(2 * params.players):
        if may_be_robbed(state, params, collection):
            options += size_of(state.word[collection])
            only = STEAL + COLLECTION_STEP * collection
    return only if options == 1 else NOWHERE


@kernel
def steal(state, params, action):
    """A-21, A-22, R-19: the stolen card comes into the thief's collection, or under the deck when that is full."""
    victim = (action - STEAL) // COLLECTION_STEP
    card = remove(state, params, victim, action % COLLECTION_STEP)
    refresh_room(state, params, victim >> 1)
    state.robbed[victim >> 1] += 1
    own = state.taker_collection
    under_deck = open_places(state, params, own) == 0
    if under_deck:
        return_to_deck(state, card)
    else:
        lay(state, params, own, card)
        refresh_room(state, params, state.taker)
    state.phase = RESOLVE
    if TRACE:
        note(state, params, STOLEN, victim, card, under_deck)


@kernel(inline=True)
def return_to_deck(state, card):
    """A-21, A-24: a card goes under the deck; the guard of R-28 counts it."""
    put_under_deck(state, card)
    state.returns += 1
    state.all_returns += 1


@kernel(inline=True)
def may_receive(state, params, collection):
    """A-24, A-46, R-22: an open collection of another player."""
    played = collection & 1 < params.collections_per_player
    return played and collection >> 1 != state.taker and open_places(state, params, collection) > 0


@kernel
def start_gift(state, params):
    """D-6 is due; returns the only action there is, or NOWHERE when there is a choice."""
    state.decision = D6_TRICKSTER
    recipients, only = 0, UNDER_DECK
    for collection in range(2 * params.players):
        if may_receive(state, params, collection):
            recipients += 1
            only = GIVE + COLLECTION_STEP * collection
    options = size_of(state.word[state.taker_collection]) * max(recipients, 1)
    return only if options == 1 else NOWHERE


@kernel
def give(state, params, action):
    """A-24, R-22, R-23: a card of the activating collection goes to an open one, or under the deck if there is none."""
    card = remove(state, params, state.taker_collection, action % COLLECTION_STEP)
    refresh_room(state, params, state.taker)
    recipient = NOWHERE
    if action >= GIVE:
        recipient = (action - GIVE) // COLLECTION_STEP
        lay(state, params, recipient, card)
        refresh_room(state, params, recipient >> 1)
    else:
        return_to_deck(state, card)
    state.phase = RESOLVE
    if TRACE:
        note(state, params, GIVEN, recipient, card, 0)


@kernel(inline=True)
def seen_card(state, i):
    """The card at position i of those the spy looks at."""
    return np.int64(state.deck[(state.deck_top + i) & DECK_MASK])


@kernel
def start_spying(state, params):
    """A-23, R-24, R-25: look at the top cards; D-7 is due unless there is only one."""
    state.decision = D7_SPY
    state.seen = min(params.spy_depth, state.deck_left)
    state.placed = 0
    state.placed_mask = 0
    for i in range(state.seen):
        state.known[seen_card(state, i)] = 1 << state.taker
    if state.seen == 1:
        put_next(state, params, 0)


@kernel
def put_next(state, params, position):
    """D-7: this card comes next; the last one goes back by itself."""
    state.spied[state.placed] = seen_card(state, position)
    state.placed += 1
    state.placed_mask |= 1 << position
    if state.placed < state.seen - 1:
        return
    for i in range(state.seen):
        if not state.placed_mask >> i & 1:
            state.spied[state.placed] = seen_card(state, i)
    state.phase = RESOLVE
    if TRACE:
        note(state, params, SPIED, 0, 0, 0)
    for i in range(state.seen):
        state.deck[(state.deck_top + i) & DECK_MASK] = state.spied[i]
