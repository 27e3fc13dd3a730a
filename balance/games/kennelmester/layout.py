"""Kennelmester's state: actions, decisions, where cards are, the fields, and what a tracer is told."""

import numpy as np

from balance.engine import state_dtype
from balance.games.kennelmester.deck import (
    EVENT_TYPES,
    MOST_BREEDS,
    MOST_CHARACTERS,
    MOST_CUSTOMERS,
    MOST_DOGS,
    MOST_EVENTS,
    TRAITS,
)
from balance.games.kennelmester.params import MOST_PUPS, MOST_ROUNDS, SEATS

N_TRAITS, N_TYPES = len(TRAITS), len(EVENT_TYPES)
NONE = -1
"""No card, no seat, no breed."""
NOTHING = -1
"""No action: somebody has to decide first, or the game is over."""

# ---------------------------------------------------------------- actions (6.3)
KIND_AT, A_AT, LOW_12 = 24, 12, (1 << 12) - 1
PASS, COIN, DRAW_DOG, TAKE_DOG, DRAW_CUSTOMER, TAKE_CUSTOMER, BUY, SELL_CUSTOMER, SELL_PLAYER = range(9)
MATE, BIRTH, ENTER, ENTER_MORE, DISCARD_DOG, DISCARD_CUSTOMER, GIFT, RELEASE, CONSENT, START_BREED = range(
    9, 19
)
NOBODY = 15
"""The preparer of a dog that nobody prepares."""
MAX_ACTIONS = 4096
"""Room for the list of options (6.3)."""

# ---------------------------------------------------------------- kinds of actions (K-16)
N_KINDS = 7
A_COIN, A_DRAW_DOG, A_DRAW_CUSTOMER, A_TRADE, A_MATE, A_BIRTH, A_ENTER = range(N_KINDS)
BREED_BITS = 7
"""The signature of an action is kind << BREED_BITS, plus breed + 1 where the breed makes the kind (K-17)."""

# ---------------------------------------------------------------- decisions (6.2) and the parts of a turn (K-13)
GO_ON, D1_START, D2_ACTION, D3_ENTER_MORE, D4_BONUS, D5_DISCARD, D6_CONSENT, D7_DISPOSE, D8_FREE_MATE = range(
    9
)
"""GO_ON: nothing is to be decided, the turn goes on by itself."""
ACTIONS, BONUS, BIRTHS, HAND_CHECK, UPKEEP = range(5)
ALL, OF_HAND = 1, 2
"""What has to be counted anew: all that a player can choose besides draws, or what the hand has a part in."""

# ---------------------------------------------------------------- deals
DEALS = ("sale", "stud", "hire")
SALE, STUD, HIRE = range(len(DEALS))
MOST_REFUSED = 1024
"""Refused sales and matings that are remembered in a turn; after so many nobody is asked again in it."""

# ---------------------------------------------------------------- the end (K-94)
REASONS = ("", "target", "solo_rounds", "events_exhausted", "round_cap")
R_NONE, R_TARGET, R_SOLO_ROUNDS, R_EVENTS, R_CAP = range(len(REASONS))

# ---------------------------------------------------------------- cards and where they are (1.4)
FIRST_CUSTOMER = MOST_DOGS
N_CARDS = MOST_DOGS + MOST_CUSTOMERS
"""Dogs are cards 0, 1, ...; customers are cards FIRST_CUSTOMER, ..."""
CUSTOMERS = MOST_BREEDS
N_PILES = MOST_BREEDS + 1
"""Each breed has a pile (deck, spent cards and discards), and the customers have one; piles are numbered like that."""
FIRST_DECK = N_CARDS
N_ITEMS = N_CARDS + N_PILES
"""What can be drawn: a discarded card, or the top of the deck of a pile: item FIRST_DECK + pile."""
OF_CUSTOMERS = 6
"""A pile shifted by so many bits: 0 for dogs, 1 for customers."""

IN_DECK, DISCARDED, SPENT, GONE = range(4)
HAND, FREE, PREGNANT, NURSING, PUP = 8, 16, 24, 32, 40
"""`place` of a card; to those of the second line the seat is added. A dog of a kennel is free (adult, neither pregnant
nor nursing), pregnant, nursing or a pup."""
SEAT_OF, STAGE_OF = 7, ~7
"""Masks of a place from HAND on: whose it is, and what."""

TRAIT_BITS = 12
TRAIT_MASK = (1 << TRAIT_BITS) - 1
MOST_DICE = 4000
"""A trait vector is a word of 12 bits for each trait. More dice than this are not passed on: it takes more than 600
generations of the best cards to come so far."""
EVENT_SLOTS = 256
EVENT_MASK = EVENT_SLOTS - 1
"""The event deck is a ring."""
REMOVED, WON = 1, 8
"""`event_place` of an event that is out of the game; to WON the winner's seat is added."""
HAND_SLOTS = 32
"""A hand of 20 cards, and the 9 that a turn may add before it is checked."""

# ---------------------------------------------------------------- addresses of random numbers
WORD_CUSTOMER, WORD_EVENT, WORD_CHARACTER, WORD_LITTER = 1000, 1500, 1700, 1800
"""Words of a moment: a dog is drawn at its number; two for each mother from WORD_LITTER on."""
CONTEST_TURN, REROLL_TURN = 16, 64
"""The moments of a round's contest, after its turns: step and word are the dog and the die."""
WORDS = 4096

# ---------------------------------------------------------------- measures
HALF = 32
"""Two counters share a word, so many bits apart: trades and matings, births and entries."""
CURVE_ROUNDS = 60
GENERATIONS = 8
"""Generations that are told apart; the last one stands for all later ones."""

# ---------------------------------------------------------------- what a tracer is told
(
    SHUFFLED,
    STARTED,
    ROUND_START,
    TURN_START,
    GROWN,
    BONUS_EARNED,
    COINED,
    DREW,
    BOUGHT,
    SOLD_TO_CUSTOMER,
    REWARDED,
    SOLD_TO_PLAYER,
    MATED,
    ROLLED,
    BORN,
    DELIVERED,
    ENTERED,
    ENTRY_CLOSED,
    REFILLED,
    DISCARDED_CARD,
    REFUSED,
    GIVEN,
    RELEASED,
    PAID_UPKEEP,
    COMPETING,
    STANDS_UP,
    DIE_ROLLED,
    COMPETED,
    REROLLED,
    CONTEST_OVER,
    ROUND_END,
) = range(31)

_card = np.int16
_round = np.int16
_code = np.int32
kennelmester_state = state_dtype(
    ("decision", np.int64),  # which of D-1 to D-8 is due, or GO_ON
    ("options", np.int64),  # how many options it has
    ("part", np.int64),  # of the turn
    ("acting", np.int64),  # whose turn it is
    ("starter", np.int64),  # of this round
    ("reason", np.int64),  # why the game is over
    # --- the options of an action by kind, counted
    ("tied", np.int64),  # the breed that a bonus action must be of, or NONE
    ("n_coins", np.int64),
    ("n_drawn", np.int64),  # draws of any breed
    ("n_dogs", np.int64),  # dogs to be drawn, from decks or discards
    ("n_customers", np.int64),
    ("n_buys", np.int64),
    ("n_sales", np.int64),  # to customers
    ("n_offers", np.int64),  # to other players
    ("n_mates", np.int64),
    ("n_births", np.int64),
    ("n_entries", np.int64),
    ("n_idle", np.int64),
    ("n_leaving", np.int64),
    ("n_rest", np.int64),  # all that is no draw, together
    ("stale", np.int64),  # which of them are to be counted anew: ALL, or by OF_HAND sales and purchases
    ("has_money", np.int64),  # whether a dog in hand might be paid
    # --- the turn
    ("done", np.int64),  # actions of the turn that are complete
    ("signature", np.int64),  # of its first action
    ("same", np.int64),  # whether all so far had it
    ("bonus_left", np.int64),
    ("next_mother", np.int64),  # the dog that automatic births look at next
    ("draw_step", np.int64),  # the step at which the table draws
    ("opened", np.int64),  # dogs entered in the entry action that is under way
    ("pending", np.int64),  # the action that waits for consent (D-6)
    ("price", np.int64),  # of it
    ("asked_at", np.int64),  # the decision at which it was chosen
    ("mother", np.int64),  # who may be mated for nothing (D-8)
    ("refusers", np.int64),  # helpers who refused in this turn, as a bit mask
    ("n_refused", np.int64),
    # --- the round
    ("event", np.int64),  # that of the round
    ("skilled", np.int64),  # seats that can prepare dogs for it, as a bit mask
    ("prepared", np.int64),  # seats that prepared dogs of their own
    ("helped", np.int64),  # seats that helped others
    ("n_entered", np.int64),
    # --- the table
    ("event_at", np.int64),  # where the event deck begins in its ring
    ("events_left", np.int64),
    ("ahead", np.int64),  # how many events to come ask for each trait, as a trait vector
    ("events_back", np.int64),  # of them, how many at the bottom have come back
    ("n_discarded", np.int64),  # cards that were discarded so far
    ("coins", np.int64, SEATS),  # by side; NONE for a side that there is not
    ("reputation", np.int64, SEATS),
    ("character", np.int64, SEATS),
    ("hand_size", np.int64, SEATS),
    ("hand_customers", np.int64, SEATS),
    ("adults", np.int64, SEATS),
    ("pups", np.int64, SEATS),
    ("mothers", np.int64, SEATS),  # nursing
    ("pregnant", np.int64, SEATS),
    ("first_dog", np.int64, SEATS),  # of the kennel
    ("last_dog", np.int64, SEATS),
    ("started", np.int64, (SEATS, 4)),  # the dogs that a player began with
    ("skilled_for", np.int64, 4),  # seats that can prepare dogs for each type of event
    ("hand", _card, (SEATS, HAND_SLOTS)),
    ("n_items", np.int64, 2),  # of dogs, of customers
    ("items", _card, (2, MOST_DOGS + N_PILES + 3)),  # what can be drawn, in no order
    ("deck_size", _card, N_PILES + 3),
    ("pile", _card, N_PILES + 3),  # cards that a draw may bring: deck, spent cards and discards
    ("deck", _card, N_CARDS),  # each pile's from its first place on, top last
    ("males", _card, MOST_BREEDS),  # in kennels
    ("studs", _card, MOST_DOGS),  # which those are, by breed in the order of the deck
    ("character_order", _card, MOST_CHARACTERS),
    ("event_deck", _card, EVENT_SLOTS),
    ("event_box", _card, MOST_EVENTS),  # those that are not in play
    ("entered", _card, MOST_DOGS),  # the dogs of the contest, in order
    ("idle", _card, MOST_DOGS),  # the acting player's idle dogs, in kennel order
    ("refused", _code, MOST_REFUSED),  # the offers refused in this turn, as actions
    # --- cards
    ("place", np.int8, N_CARDS + 4),
    ("slot", _card, N_ITEMS + 3),  # where it stands in a hand or among the items
    ("seen", np.int32, N_CARDS),  # number of its discard, while it lies there or a hand holds it since
    ("since", _round, MOST_DOGS),  # round of birth of a pup, of mating or of birth of a mother
    ("used_round", _round, MOST_DOGS),
    ("entered_round", _round, MOST_DOGS),
    ("prepared_dog", np.int8, MOST_DOGS),  # in this round's contest
    ("wins", _round, MOST_DOGS),
    ("father", _card, MOST_DOGS),  # of the litter that she carries
    ("generation", _round, MOST_DOGS),
    ("litter_generation", _round, MOST_DOGS),  # of the litter that she carries
    ("after", _card, MOST_DOGS),  # in the kennel
    ("before", _card, MOST_DOGS),
    ("inherited", np.int64, MOST_DOGS),
    ("carried", np.int64, MOST_DOGS),  # what the litter that she carries inherits
    ("event_place", np.int8, MOST_EVENTS),
    # --- what measures count
    ("points", np.int64),  # regular actions that were chosen
    ("no_draws", np.int64, 2),  # of them, those at which no dog or no customer could be drawn
    ("offering", np.int64, 2),  # kinds that can be chosen now, a bit for each half of a word
    ("offered", np.int64, 2),  # the sums of `offering` over all regular actions
    ("used_kinds", np.int64, (SEATS, N_KINDS)),
    ("deals", np.int64, (len(DEALS), 2)),  # proposed, made
    ("deals_of", np.int64, (SEATS, len(DEALS))),
    ("litters", np.int64, (SEATS, MOST_PUPS + 1)),
    ("raised", np.int64, (SEATS, GENERATIONS)),  # pups by generation
    ("raised_dice", np.int64, (GENERATIONS, 2)),  # pups and their dice
    ("entries_of", np.int64, (SEATS, N_TYPES)),
    ("wins_of", np.int64, (SEATS, N_TYPES)),
    ("unwon", np.int64),
    ("bought", np.int64, SEATS),
    ("sold", np.int64, SEATS),
    ("customer_reputation", np.int64, SEATS),
    ("upkeep_paid", np.int64, SEATS),
    ("upkeep_waived", np.int64, SEATS),
    ("standing", np.int32, (CURVE_ROUNDS, 8)),
    ("purse", np.int32, (CURVE_ROUNDS, 8)),
)
MOST_STEPS, MOST_TURNS = 60_000, MOST_ROUNDS * SEATS + 1
MOST_PLIES = 4_000_000
