"""6.2, 6.4: the options of each decision, counted by kind without listing any."""

import numpy as np

from balance.engine import kernel
from balance.games.kennelmester.breeding import mates_for
from balance.games.kennelmester.entering import ways_to_enter
from balance.games.kennelmester.kennel import is_due, may_leave, now
from balance.games.kennelmester.layout import (
    A_BIRTH,
    A_COIN,
    A_DRAW_CUSTOMER,
    A_DRAW_DOG,
    A_ENTER,
    A_MATE,
    A_TRADE,
    ALL,
    BREED_BITS,
    D2_ACTION,
    D3_ENTER_MORE,
    D4_BONUS,
    D5_DISCARD,
    D7_DISPOSE,
    FIRST_CUSTOMER,
    FREE,
    HALF,
    NONE,
)
from balance.games.kennelmester.params import SOLO
from balance.games.kennelmester.seats import coins_of
from balance.games.kennelmester.trading import buyers_for, customers_for, is_sellable

SAME_KIND, ANY_KIND, NO_BONUS = range(3)
"""The settings of `bonus_mode`."""

# ================================================================ all but draws


@kernel
def recount(state, params):
    """What the acting player's coins, dogs and hand allow besides draws, by kind; less if only the hand has changed."""
    if state.stale & ALL:
        state.has_money = coins_of(state, params, state.acting) >= params.cheapest
        count_kennel(state, params)
        state.n_entries = state.n_idle * ways_to_enter(state, params)
    state.stale = 0
    state.n_buys = count_buys(state, params, np.int64(NONE)) if state.has_money else 0
    state.n_sales = count_sales(state, params) if state.hand_customers[state.acting] > 0 else 0
    trades = state.n_buys + state.n_sales + state.n_offers
    state.n_rest = state.n_coins + trades + state.n_mates + state.n_births + state.n_entries
    state.offering[0] = np.int64(trades > 0) | np.int64(state.n_mates > 0) << HALF
    state.offering[1] = np.int64(state.n_births > 0) | np.int64(state.n_entries > 0) << HALF


@kernel(inline=True)
def count_kennel(state, params):
    """What the dogs of the acting player allow, whatever is in the hand: offers, matings, births, entries."""
    idle = leaving = offers = mates = births = np.int64(0)
    own, today = FREE + state.acting, now(state)
    dog = state.first_dog[state.acting]
    while dog != NONE:
        if state.place[dog] == own:
            if state.used_round[dog] != today:
                state.idle[idle] = dog
                idle += 1
                if params.dog_female[dog] * state.males[params.pile_of[dog]] > 0:
                    mates += mates_for(state, params, dog)
            if state.entered_round[dog] != today:
                leaving += 1
                if params.has_buyers:
                    offers += buyers_for(state, params, dog)
        else:
            births += is_due(state, params, dog)
        dog = np.int64(state.after[dog])
    state.n_idle, state.n_leaving, state.n_offers = idle, leaving, offers
    state.n_mates, state.n_births = mates, births * params.birth_costs_action


@kernel
def count_sales(state, params):
    """K-25: pairs of a dog and a customer in hand."""
    sales = np.int64(0)
    dog = state.first_dog[state.acting]
    while dog != NONE:
        if is_sellable(state, params, dog):
            sales += customers_for(state, params, dog)
        dog = np.int64(state.after[dog])
    return sales


@kernel
def count_buys(state, params, breed):
    """K-24: dogs in hand that can be paid, of one breed or (NONE) of any."""
    seat, n, at = state.acting, np.int64(0), 0
    coins = coins_of(state, params, seat)
    left = state.hand_size[seat] - state.hand_customers[seat]
    while left > 0:
        card = state.hand[seat, at]
        left -= card < FIRST_CUSTOMER
        n += (params.card_price[card] <= coins) & ((breed == NONE) | (params.pile_of[card] == breed))
        at += 1
    return n


# ================================================================ actions (D-2, D-4)


@kernel(inline=True)
def count_actions(state, params):
    """D-2: how many options the acting player has."""
    if state.stale:
        recount(state, params)
    state.decision = D2_ACTION
    state.n_dogs = state.n_items[0]
    state.n_customers = state.n_items[1]
    state.n_drawn = state.n_dogs + state.n_customers
    state.options = state.n_drawn + state.n_rest


@kernel(inline=True)
def count_offers(state):
    """For the counter of actions: which kinds the player could choose."""
    state.points += 1
    state.offered[0] += state.offering[0]
    state.offered[1] += state.offering[1]
    if state.n_dogs == 0 or state.n_customers == 0:
        state.no_draws[0] += state.n_dogs == 0
        state.no_draws[1] += state.n_customers == 0


@kernel(inline=True)
def count_bonus(state, params):
    """D-4: the actions of the kind (and breed) that earned the bonus, or with `any` all; and PASS."""
    kind = state.signature >> BREED_BITS
    if params.bonus_mode == SAME_KIND and kind == A_DRAW_DOG and params.ties[A_DRAW_DOG] == 0:
        state.n_dogs = state.n_drawn = state.n_items[0]
        state.options = 1 + state.n_dogs
        state.n_customers = state.n_coins = state.n_buys = state.n_sales = state.n_offers = 0
        state.n_mates = state.n_births = state.n_entries = 0
        state.stale = ALL
    else:
        count_other_bonus(state, params, kind)
    state.decision = D4_BONUS


@kernel
def count_other_bonus(state, params, kind):
    """D-4: a bonus that is not simply a draw of a dog."""
    state.n_coins = 1
    count_actions(state, params)
    if params.bonus_mode == SAME_KIND:
        keep_kind(state, params, kind, (state.signature & ((1 << BREED_BITS) - 1)) - 1)
    state.options += 1


@kernel
def keep_kind(state, params, kind, breed):
    """K-15, K-17: only actions of this kind, and of this breed if it is not NONE."""
    state.tied = breed
    state.n_coins *= kind == A_COIN
    state.n_dogs *= kind == A_DRAW_DOG
    state.n_customers *= kind == A_DRAW_CUSTOMER
    state.n_buys *= kind == A_TRADE
    state.n_sales *= kind == A_TRADE
    state.n_offers *= kind == A_TRADE
    state.n_mates *= kind == A_MATE
    state.n_births *= kind == A_BIRTH
    state.n_entries *= kind == A_ENTER
    if breed != NONE:
        keep_breed(state, params, kind, breed)
    state.n_drawn = state.n_dogs + state.n_customers
    trades = state.n_buys + state.n_sales + state.n_offers
    rest = state.n_coins + trades + state.n_mates + state.n_births + state.n_entries
    state.options = state.n_drawn + rest
    if breed != NONE:
        state.n_drawn = 0
    state.stale = ALL


@kernel
def keep_breed(state, params, kind, breed):
    """K-17: draws or trades of one breed only."""
    if kind == A_DRAW_DOG:
        state.n_dogs = 0
        for at in range(state.n_items[0]):
            state.n_dogs += params.pile_of[state.items[0, at]] == breed
        return
    state.n_buys = count_buys(state, params, breed)
    state.n_sales = state.n_offers = 0
    dog = state.first_dog[state.acting]
    while dog != NONE:
        if params.pile_of[dog] == breed:
            if is_sellable(state, params, dog):
                state.n_sales += customers_for(state, params, dog)
            if may_leave(state, dog):
                state.n_offers += buyers_for(state, params, dog)
        dog = np.int64(state.after[dog])


# ================================================================ the other decisions


@kernel(inline=True)
def count_more_entries(state, params):
    """D-3: PASS, and each idle dog with each preparer."""
    state.n_entries = state.n_idle * ways_to_enter(state, params)
    state.decision = D3_ENTER_MORE
    state.n_drawn = 0
    state.options = 1 + state.n_entries


@kernel(inline=True)
def count_discards(state):
    """D-5: each card of the hand."""
    state.decision = D5_DISCARD
    state.options = state.hand_size[state.acting]


@kernel
def count_disposals(state, params):
    """D-7: sales, offers, presents, and alone releases; no PASS."""
    state.stale = ALL
    recount(state, params)
    state.decision = D7_DISPOSE
    state.tied = NONE
    state.n_drawn = 0
    takers = 1 if params.mode == SOLO else params.players - 1
    state.options = state.n_sales + state.n_offers + state.n_leaving * takers
