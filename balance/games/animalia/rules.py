"""Animalia's rules: constants, state, setup, legal actions, apply action, score, measures, in this order.

Rule ids (A-12, R-28, D-4) are those of the rules contract. A decision leaves the state waiting for `state.seat`;
everything that leaves no choice (forced passes, reveals, single options, shuffles) is carried out at once.
"""

import numpy as np

from balance.engine import TRACE, aim, below, kernel, note, state_dtype
from balance.games.animalia.params import (
    CUTE,
    KINDS,
    MAX_COPIES,
    N_CARDS,
    N_FAMILIES,
    N_MEMBERS,
    OWL,
    OWL_CARD,
    SPY,
    THIEF,
    TRICKSTER,
)

# ---------------------------------------------------------------- actions (5.3)
PASS, KEEP, STOP, USE, HOLD_BACK, UNDER_DECK, PUT_NEXT, COVER, COUNT_OWL, STEAL, GIVE = (
    0,
    1,
    3,
    4,
    7,
    8,
    16,
    32,
    48,
    64,
    160,
)
MAX_ACTIONS = 72
"""Room for the longest list (70 codes, 5.2): lists write a code before they know whether it counts."""
SEAT_STEP, COLLECTION_STEP = 16, 8
"""An action that names a collection's card is its base code + 16 x seat + 8 x collection + place."""

# ---------------------------------------------------------------- decisions (5.2) and what happens by itself
D1_DEALER, D2_OTHER, D3_FORCED, D4_POWERS, D5_THIEF, D6_TRICKSTER, D7_SPY, D8_COVER, D9_OWL = (
    1,
    2,
    3,
    4,
    5,
    6,
    7,
    8,
    9,
)
WAIT, RESOLVE, TURN, ELEGANCE, COVERS, MEDALS = 0, 1, 2, 3, 4, 5

# ---------------------------------------------------------------- bounds for all parameters (5.4)
SEATS, PLACES, SET_SIZE, DECK_SLOTS, SEASONS, SPY_DEPTH = 6, 7, 5, 128, 6, 10
HAND = 100
COLLECTIONS = 2 * SEATS
MOST_MEDALS = 2 * SEASONS * 10
"""Of one family, in one game: two collections a season, at most 10 medals each."""
DECK_MASK = DECK_SLOTS - 1
HELD = 1 << SEATS
"""Marks, beside the bits of the seats that know where a card is, a bonus card that is not shuffled."""

# ---------------------------------------------------------------- the packed word of a collection, a set or a card
# bits  0..14  animals of each of the five families, 3 bits each      15..17  owls
# bits 18..29  thieves, spies, tricksters, 4 bits each                30..33  cards
# bits 34..49  champions, beauties, cutes, scruffies, 4 bits each    50..    elegance (signed)
# A word is the sum of its cards' words, so laying down a card is an addition and taking it away a subtraction.
FAMILY_BITS, FAMILY_MASK, FAMILIES_MASK, EACH_FAMILY, FAMILY_PAIRS = 3, 7, 0x7FFF, 0x1249, 0x6DB6
OWL_AT, POWER_AT, POWER_BITS, SIZE_AT, SIGNS_AT, STARS_AT = 15, 18, 4, 30, 34, 50
COUNT_MASK, ONE_OF_EACH, AT_LEAST = 15, 0x111, 8
ONE_OR_MORE = (AT_LEAST - 1) * ONE_OF_EACH
"""A count of 0 to 7, plus 8 - n, has its fourth bit set if it is at least n: three comparisons in one addition."""

N_KINDS = len(KINDS)
KIND_AT = np.array([34, 38, 42, 46, 18, 22, 26, 15], dtype=np.int64)
"""Where each of KINDS is counted in a word."""
KIND = np.array(
    [OWL if card == OWL_CARD else card // MAX_COPIES % N_MEMBERS for card in range(N_CARDS)], dtype=np.int64
)
SEATS_MASK = (1 << SEATS) - 1
ROOM_LANES = np.array(
    [sum(1 << (8 * places) for places in range(1, most + 1)) for most in range(PLACES + 1)], dtype=np.int64
)
"""ROOM_LANES[most]: one seat's bits in `room` when its most open places are `most`, for seat 0."""
NEXT_SEAT = np.array(
    [
        next(
            (seat for step in range(1, SEATS + 1) for seat in [(last + step) % SEATS] if mask >> seat & 1), 0
        )
        for mask in range(1 << SEATS)
        for last in range(SEATS)
    ],
    dtype=np.int64,
)
"""NEXT_SEAT[mask * SEATS + last]: the first seat of `mask` clockwise after `last`, `last` itself coming last."""

# ---------------------------------------------------------------- what a tracer is told
SHUFFLE, REVEAL, PASSED, TAKE, STOLEN, GIVEN, SPIED, LAPSED, POINTS, DRAWN, COVERED, MEDAL, SEASON_END = (
    range(13)
)
BY_CHOICE, ALONE, COMPLETES, MAX_SET = 0, 1, 2, 3
DECLINED, NO_TARGET, CAP = 0, 1, 2
NOWHERE = -1

_card = np.int16
animalia_state = state_dtype(
    ("decision", np.int64),  # which of D-1 to D-9 is due
    ("phase", np.int64),  # WAIT for an action, or what happens next by itself
    ("dealer", np.int64),
    ("first_dealer", np.int64),  # of this season
    ("set_size", np.int64),
    ("set_word", np.int64),
    ("alone", np.int64),  # the dealer is the only open player
    ("asked", np.int64),  # players asked about the set this turn
    ("asked_before", np.int64, 8),  # the same when each card of the set was turned up
    ("last_asked", np.int64),
    ("taker", np.int64),
    ("taker_collection", np.int64),
    ("pending_count", np.int64),
    ("returns", np.int64),  # cards put under the deck this season
    ("seen", np.int64),  # cards that the spy looks at
    ("placed", np.int64),  # how many of them are put back
    ("placed_mask", np.int64),
    ("cover_seat", np.int64),  # Phase 3: whose decision is next,
    ("hand_at", np.int64),  # on which of his bonus cards,
    ("owl_at", np.int64),  # then on which collection's owl
    ("deck_top", np.int64),
    ("deck_left", np.int64),
    ("room", np.int64),  # 8 bits for each k from 1 to 7: the seats with a collection that has k open places
    ("word", np.int64, COLLECTIONS),  # packed word by collection (seat * 2 + collection)
    ("counting", np.int64, COLLECTIONS),  # the same as it counts in Phase 3, covers laid
    ("covered_mask", np.int64, COLLECTIONS),  # places covered this season
    ("owl_family", np.int64, COLLECTIONS),
    ("hand_count", np.int64, SEATS),
    ("hand_families", np.int64, SEATS),  # the families among a seat's bonus cards, as their bits in a word
    ("medals", np.int64, (SEATS, N_FAMILIES)),
    ("points", np.int64, COLLECTIONS),  # elegance of each unit that competes
    (
        "pending",
        np.int64,
        SET_SIZE,
    ),  # activated powers not yet used, in set order: 0 thief, 1 spy, 2 trickster
    ("spied", np.int64, SPY_DEPTH),  # cards put back so far, top first
    # --- what measures count
    ("guard_hits", np.int64),
    ("all_returns", np.int64),
    ("lone_turns", np.int64),
    ("undrawn", np.int64),
    ("bonus_drawn", np.int64, SEATS),
    ("covers", np.int64, SEATS),
    ("robbed", np.int64, SEATS),
    ("elegance", np.int64, SEATS),
    ("card_counts", np.int64, (len(KINDS), 2)),  # offered, taken
    ("counted", np.int64, (SEASONS, COLLECTIONS)),  # each season's collections as they counted
    ("power_counts", np.int64, (3, 2)),  # activated, used
    ("used_powers", np.int64, (SEATS, 3)),
    ("standing", np.int64, (SEASONS, SEATS)),
    # --- cards, as numbers of the universe 0..105
    ("deck", _card, DECK_SLOTS),  # a ring; deck[deck_top] is the top card
    ("set_cards", _card, 8),
    ("cards", _card, (COLLECTIONS, 8)),  # in order of arrival
    ("covering", _card, (COLLECTIONS, 8)),  # the bonus card on each covered place
    ("hand", _card, (SEATS, HAND)),  # bonus cards held, canonical order
    ("known", _card, N_CARDS + 2),  # seats that know where this hidden card is (bit mask)
)


def tables(params):
    """What kernels look up instead of working it out: card words, the order of dealing, the value of groups."""
    word = np.zeros(N_CARDS, dtype=np.int64)
    for card in range(N_CARDS):
        kind = int(KIND[card])
        word[card] = (
            (1 << SIZE_AT) + (1 << int(KIND_AT[kind])) + (getattr(params, f"stars_{KINDS[kind]}") << STARS_AT)
        )
        if kind != OWL:
            word[card] += 1 << (FAMILY_BITS * (card // MAX_COPIES // N_MEMBERS))
    in_play = params.cards_in_play()
    order = np.zeros(N_CARDS, dtype=np.int64)
    order[: len(in_play)] = sorted(in_play, key=_dealing_order)
    group = [0] + [getattr(params, f"medals_group_{size}") for size in range(1, PLACES + 1)]
    powers_on = [params.power_thief, params.power_spy, params.power_trickster]
    derived = {
        "n_cards": len(in_play),
        "enough_partners": (AT_LEAST - params.power_pair_requirement) * ONE_OF_EACH,
        "prizes_for": np.arange(MOST_MEDALS + 1) // params.excellence_group_size,
        "powers_on": sum(AT_LEAST << (POWER_BITS * power) for power in range(3) if powers_on[power]),
    }
    return {
        "card_word": word,
        "deal_order": order,
        "group": np.array(group, dtype=np.int64),
        "worth": _worth_table(params, group),
        **derived,
    }


def _dealing_order(card):
    """Cards that variants leave out or add come last, so that a variant keeps most of the baseline's deck."""
    return (0 if card == OWL_CARD else card % MAX_COPIES, KIND[card] == CUTE, card == OWL_CARD, card)


def _worth_table(params, group):
    """Medals a collection earns, its owl put to the best use, by the low 16 bits of its word (A-31 to A-34)."""
    words = np.arange(1 << (OWL_AT + 1))
    counts = np.stack([words >> (FAMILY_BITS * family) & FAMILY_MASK for family in range(N_FAMILIES)])
    best = _medals_table(params, group, counts)
    has_owl = words >> OWL_AT == 1
    reads = [_medals_table(params, group, _one_more(counts, family)) for family in range(params.families)]
    return np.where(has_owl, np.max(reads, axis=0), best).astype(np.int8)


def _one_more(counts, family):
    more = counts.copy()
    more[family] += 1
    return np.minimum(more, PLACES)


def _medals_table(params, group, counts):
    medals = np.array(group)[counts].sum(axis=0)
    different = (counts.sum(axis=0) == params.collection_size) & (counts.max(axis=0) <= 1)
    return np.where(
        different & params.five_different, params.collection_size * params.five_different_medals, medals
    )


# ================================================================ 2.1 setup, 2.6 new season


@kernel
def setup(state, params, rng):
    """A-1, A-4, R-4: the first season begins. The state arrives zeroed."""
    state.dealer = params.first_dealer
    start_season(state, params, rng)
    go_on(state, params, rng)


@kernel
def start_season(state, params, rng):
    """A-37: every collection is empty again and all cards but the bonus cards held are shuffled."""
    state.first_dealer = state.dealer
    state.turn = 0
    state.returns = 0
    for collection in range(COLLECTIONS):
        state.word[collection] = 0
    state.room = ((1 << params.players) - 1) * ROOM_LANES[params.collection_size]
    shuffle(state, params, rng)
    state.phase = TURN
    if TRACE:
        note(state, params, SHUFFLE, 0, 0, 0)


@kernel(inline=True)
def shuffle(state, params, rng):
    """Deal the cards into the deck one by one, each changing places with a random one (itself included).

    The draw of a card is addressed by the card, so a rule that adds or removes cards leaves the rest alike.
    """
    for seat in range(params.players):
        for i in range(state.hand_count[seat]):
            state.known[state.hand[seat, i]] |= HELD
    aim(rng, 0, state.round_number, 0, 0)
    n = 0
    for i in range(params.n_cards):
        card = params.deal_order[i]
        if state.known[card] & HELD:
            state.known[card] ^= HELD
            continue
        state.known[card] = 0
        place = below(rng, card, n + 1)
        state.deck[n] = state.deck[place]
        state.deck[place] = card
        n += 1
    state.deck_top = 0
    state.deck_left = n


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


# ================================================================ collections


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


# ================================================================ 2.2 Phase 1: building the collections


@kernel
def go_on(state, params, rng):
    """Carry out what leaves no choice, until somebody has to decide or the game is over."""
    while state.phase != WAIT:
        phase = state.phase
        if phase == TURN:
            start_turn(state, params)
        elif phase == RESOLVE:
            offer_powers(state, params)
        elif phase == ELEGANCE:
            award_bonus_cards(state, params)
        elif phase == COVERS:
            next_cover(state, params)
        else:
            end_season(state, params, rng)


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
    if activates(state.set_word, state.word[collection], params):
        activate(state, params)


# ================================================================ 2.3 the powers


@kernel
def power_on(params, power):
    """Whether this power exists under these rules."""
    if power == 0:
        return params.power_thief
    if power == SPY - THIEF:
        return params.power_spy
    return params.power_trickster


@kernel(inline=True)
def activates(in_set, in_all, params):
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
        if usable_powers(state, params) == 0:
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


# ================================================================ 2.4 Phase 2: elegance prize and bonus cards


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


@kernel
def award_bonus_cards(state, params):
    """A-26 to A-28, R-30, R-31: the best draw two, the second best one; of several best each draws one."""
    first, second, firsts = -1000, -1000, 0
    units = units_of(params)
    for seat in range(params.players):
        for which in range(units):
            points = elegance_of(state, params, seat, which)
            state.points[2 * seat + which] = points
            if points > first:
                first, second, firsts = points, first, 1
            elif points == first:
                firsts += 1
            elif points > second:
                second = points
        for which in range(params.collections_per_player):
            state.elegance[seat] += state.word[2 * seat + which] >> STARS_AT
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
    seat = state.dealer
    for _ in range(params.players):
        seat = seat + 1 if seat + 1 < params.players else 0
        for which in range(units_of(params)):
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
def all_different(word, params):
    """A-33, R-39: a full collection whose animals are all of different families (the owl read as one)."""
    return params.five_different and size_of(word) == params.collection_size and word & FAMILY_PAIRS == 0


@kernel(inline=True)
def owl_as(word, family):
    """A-34, R-40: the collection with its owl read as an animal of `family`."""
    return word + (1 << (FAMILY_BITS * family)) if counts_owl(word) else word


@kernel
def medals_for(word, params, family):
    """A-31 to A-33: medals of one family that a collection earns (no owl left to read)."""
    count = family_count(word, family)
    if count == 1 and all_different(word, params):
        return params.five_different_medals
    return params.group[count]


@kernel
def award_medals(state, params):
    """A-31 to A-36, A-47: every collection earns its medals."""
    for seat in range(params.players):
        for which in range(params.collections_per_player):
            collection = 2 * seat + which
            word = owl_as(state.counting[collection], state.owl_family[collection])
            for family in range(params.families):
                state.medals[seat, family] += medals_for(word, params, family)
            state.counted[state.round_number, collection] = state.counting[collection]
            if TRACE:
                note(state, params, MEDAL, collection, word, 0)


@kernel
def end_season(state, params, rng):
    """A-30, R-37: unused bonus cards are kept, or go under the deck; A-37: a new season; A-38: or the game is over."""
    award_medals(state, params)
    for seat in range(params.players):
        state.standing[state.round_number, seat] = score(state, params, seat)
        if not params.bonus_carry:
            for i in range(state.hand_count[seat]):
                put_under_deck(state, state.hand[seat, i])
            state.hand_count[seat] = 0
            state.hand_families[seat] = 0
    if TRACE:
        note(state, params, SEASON_END, 0, 0, 0)
    state.round_number += 1
    if state.round_number == params.seasons:
        state.over = 1
        state.phase = WAIT
        return
    last = state.dealer if params.season_dealer == 0 else state.first_dealer
    state.dealer = (last + 1) % params.players
    start_season(state, params, rng)


# ================================================================ legal actions (5.2, 5.3)


@kernel
def legal_actions(state, params, actions):
    """The codes of the list of options, ascending; returns how many."""
    decision = state.decision
    if decision <= D3_FORCED:
        return list_keeps(state, params, actions)
    if decision == D4_POWERS:
        return list_powers(state, params, actions)
    if decision == D5_THIEF:
        return list_thefts(state, params, actions)
    if decision == D6_TRICKSTER:
        return list_gifts(state, params, actions)
    if decision == D7_SPY:
        return list_spied(state, actions)
    if decision == D8_COVER:
        return list_covers(state, params, actions)
    for family in range(params.families):
        actions.code[family] = COUNT_OWL + family
    return params.families


@kernel
def list_keeps(state, params, actions):
    """D-1, D-2: pass, or keep the set in a collection with room; D-3: keep."""
    n = 0
    if state.decision != D3_FORCED:
        actions.code[0] = PASS
        n = 1
    for which in range(params.collections_per_player):
        if open_places(state, params, 2 * state.seat + which) >= state.set_size:
            actions.code[n] = KEEP + which
            n += 1
    return n


@kernel
def list_powers(state, params, actions):
    """D-4: stop, or use one of the kinds pending that has a target."""
    actions.code[0] = STOP
    n = 1
    usable = usable_powers(state, params)
    for power in range(3):
        if usable >> power & 1:
            actions.code[n] = USE + power
            n += 1
    return n


@kernel
def list_thefts(state, params, actions):
    """D-5, R-20: each card that may be stolen."""
    n = 0
    for collection in range(2 * params.players):
        if may_be_robbed(state, params, collection):
            for place in range(size_of(state.word[collection])):
                actions.code[n] = STEAL + COLLECTION_STEP * collection + place
                n += 1
    return n


@kernel
def list_gifts(state, params, actions):
    """D-6, R-21, R-22: each card of the activating collection, to each open collection of another player."""
    n = 0
    own = size_of(state.word[state.taker_collection])
    for collection in range(2 * params.players):
        if may_receive(state, params, collection):
            for place in range(own):
                actions.code[n] = GIVE + COLLECTION_STEP * collection + place
                n += 1
    if n == 0:
        for place in range(own):
            actions.code[place] = UNDER_DECK + place
        return own
    return n


@kernel
def list_spied(state, actions):
    """D-7: each card seen that is not yet put back."""
    n = 0
    for i in range(state.seen):
        actions.code[n] = PUT_NEXT + i
        n += 1 - (state.placed_mask >> i & 1)
    return n


@kernel
def list_covers(state, params, actions):
    """D-8: hold the bonus card back, or cover one of the own cards that is not yet covered."""
    actions.code[0] = HOLD_BACK
    n = 1
    for which in range(params.collections_per_player):
        covered = state.covered_mask[2 * state.seat + which]
        for place in range(params.collection_size):
            actions.code[n] = COVER + COLLECTION_STEP * which + place
            n += 1 - (covered >> place & 1)
    return n


# ================================================================ apply action


@kernel(inline=True)
def apply_action(state, params, action, rng):
    """Do what the action says, and all that follows from it."""
    decision = state.decision
    if decision <= D3_FORCED:
        if action == PASS:
            pass_on(state, params)
        else:
            reason = force_reason(state, params) if decision == D3_FORCED else BY_CHOICE
            take(state, params, state.seat, action - KEEP, reason)
            if state.phase == TURN:
                start_turn(state, params)
    elif decision >= D8_COVER:
        apply_in_phase_3(state, params, action)
    else:
        apply_power(state, params, action)
    if state.phase != WAIT:
        go_on(state, params, rng)


@kernel(inline=True)
def pass_on(state, params):
    """A-6, A-7: the set goes to the left."""
    if TRACE:
        note(state, params, PASSED, state.seat, 0, 0)
    ask_next(state, params)


@kernel
def apply_power(state, params, action):
    """D-4 to D-7; what is left to resolve comes next (R-15)."""
    decision = state.decision
    if decision == D4_POWERS:
        if action == STOP:
            lapse(state, params, 0)
            state.phase = TURN
        else:
            use_power(state, params, action - USE)
    elif decision == D7_SPY:
        put_next(state, params, action - PUT_NEXT)
    elif decision == D5_THIEF:
        steal(state, params, action)
    else:
        give(state, params, action)
    if state.phase == RESOLVE:
        offer_powers(state, params)


@kernel
def apply_in_phase_3(state, params, action):
    """D-8 and D-9; the next decision of Phase 3 follows."""
    if state.decision == D9_OWL:
        state.owl_family[2 * state.seat + state.owl_at] = action - COUNT_OWL
        state.owl_at += 1
    elif action == HOLD_BACK:
        state.hand_at += 1
    else:
        cover(state, params, action)
    next_cover(state, params)


# ================================================================ 2.7 end of the game


@kernel
def excellence(state, params, seat):
    """A-40, A-48, R-43: "5" medals, one for each complete group of one family."""
    prizes = 0
    for family in range(params.families):
        prizes += params.prizes_for[state.medals[seat, family]]
    return prizes


@kernel
def medal_count(state, seat):
    """All animal medals of a seat."""
    total = 0
    for family in range(N_FAMILIES):
        total += state.medals[seat, family]
    return total


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
        most = max(most, state.medals[seat, family])
    return most


@kernel
def tiebreak(state, params, seat):
    """A-41, R-44: among equal scores the most medals of a single family decide, or nothing does."""
    return largest_family(state, seat) if params.tiebreak == 0 else 0


# ================================================================ measures
SUPPLY = 15
"""Medals of each type in the box (1.2); the rules do not limit them (R-1), a check reports the demand."""


@kernel
def measure(state, params, shares, row):
    """What the game counted. `shares`: each seat's part of the win, in sixtieths."""
    row.guard_hits = state.guard_hits
    row.deck_returns = state.all_returns
    row.lone_turns = state.lone_turns
    row.bonus_not_drawn = state.undrawn
    most = 0
    for family in range(params.families):
        of_family = 0
        for seat in range(params.players):
            of_family += state.medals[seat, family]
        most = max(most, of_family)
    row.most_of_a_kind = most
    row.medals_over_supply = most > SUPPLY
    prizes = 0
    for seat in range(params.players):
        prizes += excellence(state, params, seat)
        measure_seat(state, params, seat, shares[seat], row)
    row.fives_over_supply = prizes > SUPPLY
    for kind in range(N_KINDS):
        row.cards[kind, 0] = state.card_counts[kind, 0]
        row.cards[kind, 1] = state.card_counts[kind, 1]
    for power in range(3):
        row.powers[power, 0] = state.power_counts[power, 0]
        row.powers[power, 1] = state.power_counts[power, 1]


@kernel
def measure_seat(state, params, seat, share, row):
    """What one seat did, and what it held if it won."""
    row.medals[seat] = medal_count(state, seat)
    row.prizes[seat] = excellence(state, params, seat)
    row.bonus_cards[seat] = state.bonus_drawn[seat]
    row.covers[seat] = state.covers[seat]
    row.robbed[seat] = state.robbed[seat]
    row.elegance[seat] = state.elegance[seat]
    for season in range(params.seasons):
        row.standing[season, seat] = state.standing[season, seat]
    if share > 0:
        for kind in range(N_KINDS):
            row.cards[kind, 2] += kept_of_kind(state, params, seat, kind) * share
        for power in range(3):
            row.powers[power, 2] += state.used_powers[seat, power] * share


@kernel
def kept_of_kind(state, params, seat, kind):
    """Cards of a kind that counted in the seat's collections, over all seasons."""
    kept = 0
    for season in range(params.seasons):
        for collection in range(2 * seat, 2 * seat + params.collections_per_player):
            kept += state.counted[season, collection] >> KIND_AT[kind] & (
                COUNT_MASK if kind != OWL else FAMILY_MASK
            )
    return kept


# ================================================================ what a seat cannot see (5.1)


@kernel
def is_hidden(state, card, seat):
    """Whether `seat` does not know where this card of the deck or of another hand is."""
    return not state.known[card] >> seat & 1


@kernel
def determinize(state, params, seat, rng):
    """Shuffle the cards that `seat` cannot see among their places: deck, others' hands, others' covers (R-36)."""
    n = hidden_places(state, params, seat)
    for i in range(n - 1, 0, -1):
        swap_hidden(state, params, seat, i, below(rng, i, i + 1))
    for other in range(params.players):
        if other != seat:
            sort_hand(state, params, other)


@kernel
def hidden_places(state, params, seat):
    """How many places hold a card that `seat` cannot see."""
    n = 0
    while hidden_place(state, params, seat, n) != NOWHERE:
        n += 1
    return n


@kernel
def hidden_place(state, params, seat, wanted):
    """Place number `wanted`: below DECK_SLOTS in the deck, then in hands, then on covers; NOWHERE past the last."""
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
        if state.phase == WAIT and state.decision >= D8_COVER:
            for i in range(2 * COLLECTION_STEP):
                collection, place = 2 * other + i // COLLECTION_STEP, i % COLLECTION_STEP
                if state.covered_mask[collection] >> place & 1 and is_hidden(
                    state, state.covering[collection, place], seat
                ):
                    if wanted == 0:
                        return DECK_SLOTS + SEATS * HAND + collection * COLLECTION_STEP + place
                    wanted -= 1
    return NOWHERE


@kernel
def card_at(state, place):
    """The card at a hidden place."""
    if place < DECK_SLOTS:
        return np.int64(state.deck[place])
    place -= DECK_SLOTS
    if place < SEATS * HAND:
        return np.int64(state.hand[place // HAND, place % HAND])
    place -= SEATS * HAND
    return np.int64(state.covering[place // COLLECTION_STEP, place % COLLECTION_STEP])


@kernel
def put_at(state, params, place, card):
    """Put a card at a hidden place; a cover counts in the stead of the card under it."""
    if place < DECK_SLOTS:
        state.deck[place] = card
        return
    place -= DECK_SLOTS
    if place < SEATS * HAND:
        state.hand[place // HAND, place % HAND] = card
        return
    place -= SEATS * HAND
    collection, at = place // COLLECTION_STEP, place % COLLECTION_STEP
    state.counting[collection] += params.card_word[card] - params.card_word[state.covering[collection, at]]
    state.covering[collection, at] = card


@kernel
def swap_hidden(state, params, seat, i, j):
    """Exchange the cards at two hidden places; what others know of a card stays with the place."""
    first, second = hidden_place(state, params, seat, i), hidden_place(state, params, seat, j)
    card, other = card_at(state, first), card_at(state, second)
    put_at(state, params, first, other)
    put_at(state, params, second, card)
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
