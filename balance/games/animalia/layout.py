"""Animalia's state: actions, decisions, bounds, what a packed word holds, the fields, and tables to look things up."""

import numpy as np

from balance.engine import state_dtype
from balance.games.animalia.params import (
    CUTE,
    KINDS,
    MAX_COPIES,
    N_CARDS,
    N_FAMILIES,
    N_MEMBERS,
    OWL,
    OWL_CARD,
)

# ---------------------------------------------------------------- actions (5.3)
PASS, KEEP, STOP, USE, HOLD_BACK = 0, 1, 3, 4, 7
UNDER_DECK, PUT_NEXT, COVER, COUNT_OWL, STEAL, GIVE = 8, 16, 32, 48, 64, 160
MAX_ACTIONS = 72
"""Room for the longest list (70 codes, 5.2): lists write a code before they know whether it counts."""
COLLECTION_STEP = 8
"""An action that names a card is its base code + 8 x (2 x seat + collection) + place."""

# ---------------------------------------------------------------- decisions (5.2) and what happens by itself
D1_DEALER, D2_OTHER, D3_FORCED = 1, 2, 3
D4_POWERS, D5_THIEF, D6_TRICKSTER, D7_SPY = 4, 5, 6, 7
D8_COVER, D9_OWL = 8, 9
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
OWL_AT, POWER_AT, POWER_BITS, SIZE_AT, STARS_AT = 15, 18, 4, 30, 50
COUNT_MASK, ONE_OF_EACH, ENOUGH_BIT = 15, 0x111, 3
AT_LEAST = 1 << ENOUGH_BIT
ONE_OR_MORE = (AT_LEAST - 1) * ONE_OF_EACH
"""A count of 0 to 7, plus 8 - n, has its fourth bit set if it is at least n: three comparisons in one addition."""

# ---------------------------------------------------------------- the medals of a seat, a lane of bits for each family
LANE_BITS, LANE_MASK = 12, 0xFFF
EACH_LANE = sum(1 << (LANE_BITS * family) for family in range(N_FAMILIES))
LOW_FAMILIES = 3
LOW_BITS, LOW_MASK, HIGH_MASK = 9, 0x1FF, 0x3F
"""What a collection earns is looked up in two parts: by the bits of the first three families, and of the rest."""

N_KINDS = len(KINDS)
KIND_AT = np.array([34, 38, 42, 46, 18, 22, 26, 15], dtype=np.int64)
"""Where each of KINDS is counted in a word."""
EVERY_OTHER = 0x0F0F0F0F
"""Every other of eight counts of 4 bits: with 8 bits for each of them, the words of a whole game can be added up."""
KIND_PART, KIND_LANE = (KIND_AT - POWER_AT) // POWER_BITS % 2, (KIND_AT - POWER_AT) // POWER_BITS // 2 * 8
"""Where a kind (but the owl) is found then: among the even or the odd counts, and from which bit on."""
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
    ("usable", np.int64),  # the kinds of them that have a target, as a bit mask
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
    ("medals", np.int64, SEATS),  # a lane for each family
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
        "group": np.array([group, [0, params.five_different_medals] + [0] * (PLACES - 1)], dtype=np.int64),
        "medals_low": _lanes(params, group, range(LOW_FAMILIES)),
        "medals_high": _lanes(params, group, range(LOW_FAMILIES, N_FAMILIES)),
        "worth": _worth_table(params, group),
        **derived,
    }


def _lanes(params, group, families):
    """Medals by the bits of some families in a word, each family's in its lane: [whether all differ, bits]."""
    bits = np.arange(1 << (FAMILY_BITS * len(families)))
    lanes = np.zeros((2, len(bits)), dtype=np.int64)
    different = [0, params.five_different_medals] + [0] * (PLACES - 1)
    for at, family in enumerate(families):
        number = bits >> (FAMILY_BITS * at) & FAMILY_MASK
        lanes += np.array([group, different], dtype=np.int64)[:, number] << (LANE_BITS * family)
    return lanes


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
