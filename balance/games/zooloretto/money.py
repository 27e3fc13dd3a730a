"""2.6 Action C, the five money actions."""

import numpy as np

from balance.engine import TRACE, kernel, note
from balance.games.zooloretto.bits import lowest
from balance.games.zooloretto.layout import (
    BARN,
    BUY,
    BUYS,
    DISCARD,
    DISCARDS,
    EXCHANGE,
    EXCHANGES,
    EXPANDS,
    FIRST_EXPANSION,
    KIN,
    MOVE,
    MOVES,
    PAID,
    SEAT_STEP,
    SPECIES_OF,
    TURN_IS_OVER,
)
from balance.games.zooloretto.zoo import (
    breed,
    has_pair,
    open_enclosure,
    pay_filling,
    put_tile,
    refresh_enclosure,
    refresh_room,
    remove_tile,
)


@kernel
def use_money(state, params, action):
    """Z-31 to Z-34: pay the price, then do what it buys; the turn is over."""
    kind = kind_of(action)
    price = params.prices[kind]
    state.coins[state.seat] -= price
    state.bank += price
    state.spent[state.seat] += price
    state.money_taken[state.seat, kind] += 1
    state.money_in_round[state.seat] += 1
    state.most_money_in_round = max(state.most_money_in_round, state.money_in_round[state.seat])
    if TRACE:
        note(state, params, PAID, action, kind, price)
    if kind == MOVES:
        move(state, params, action - MOVE)
    elif kind == EXCHANGES:
        exchange(state, params, action - EXCHANGE)
    elif kind == BUYS:
        buy(state, params, action - BUY)
    elif kind == DISCARDS:
        remove_tile(state, params, state.seat, BARN, action - DISCARD)
    else:
        state.expanded[state.seat] += 1
        open_enclosure(state, params, state.seat, FIRST_EXPANSION + state.expanded[state.seat] - 1)
    state.decision = TURN_IS_OVER


@kernel(inline=True)
def kind_of(action):
    """Which of the five kinds an action is."""
    if action >= BUY:
        return BUYS
    if action >= EXCHANGE:
        return EXCHANGES
    if action >= MOVE:
        return MOVES
    return DISCARDS if action >= DISCARD else EXPANDS


@kernel(inline=True)
def move(state, params, code):
    """Z-35, Z-36: one tile from one place of the own zoo to another."""
    tile, source, place = code >> 6, code >> 3 & 7, code & 7
    remove_tile(state, params, state.seat, source, tile)
    put_tile(state, params, state.seat, place, tile)


@kernel(inline=True)
def buy(state, params, code):
    """Z-42, Z-43: an animal from another barn; its owner gets his share of the price first."""
    seller, tile, place = code >> 9, code >> 3 & 63, code & 7
    state.bank -= params.buy_seller_share
    state.coins[seller] += params.buy_seller_share
    remove_tile(state, params, seller, BARN, tile)
    put_tile(state, params, state.seat, place, tile)


# ================================================================ exchanging


@kernel(inline=True)
def exchange(state, params, code):
    """Z-37 to Z-41, Z-55, A-50: two groups change places, then enclosures pay if they may, then they breed."""
    species, a, b = code >> 6, code >> 3 & 7, code & 7
    first = state.seat * SEAT_STEP
    full_a = a != BARN and state.animals[first + a] == params.spaces[a]
    full_b = state.animals[first + b] == params.spaces[b]
    swap_groups(state, first, a, b, species)
    pays_a = params.exchange_pays_fill and a != BARN and not full_a
    pays_b = params.exchange_pays_fill and not full_b
    if pays_a and state.animals[first + a] == params.spaces[a]:
        pay_filling(state, params, state.seat, a)
    if pays_b and state.animals[first + b] == params.spaces[b]:
        pay_filling(state, params, state.seat, b)
    if a != BARN:
        settle(state, params, a, pays_a)
    settle(state, params, b, pays_b)
    state.stale |= 1 << state.seat


@kernel
def settle(state, params, place, pays):
    """Z-55: after a swap an enclosure breeds."""
    at = state.seat * SEAT_STEP + place
    if has_pair(state, at):
        breed(state, params, state.seat, place, pays and params.offspring_pays_fill)
    kin = state.kin[at]
    refresh_enclosure(state, params, at, place)
    if kin != 0:
        refresh_room(state, state.seat, place, SPECIES_OF[lowest(kin)])


@kernel(inline=True)
def swap_groups(state, first, a, b, species):
    """Swap the animals of place `a` (of the barn: those of one species) with those of enclosure `b`."""
    kin_a = KIN[3 * species] if a == BARN else state.kin[first + a]
    kin_b = state.kin[first + b]
    forget_room(state, kin_a, a)
    forget_room(state, kin_b, b)
    leaving = take_group(state, first + a, kin_a)
    coming = take_group(state, first + b, kin_b)
    put_group(state, first + b, kin_a, leaving)
    put_group(state, first + a, kin_b, coming)
    state.kin[first + b] = kin_a
    if a != BARN:
        state.kin[first + a] = kin_b


@kernel(inline=True)
def forget_room(state, kin, place):
    """A species leaves an enclosure."""
    if kin != 0:
        state.rooms[state.seat, SPECIES_OF[lowest(kin)]] &= ~(1 << place)


@kernel
def take_group(state, at, kin):
    """Take all animals of a species (none if there is no species) away; their numbers by class, 8 bits each."""
    group = np.int64(0)
    if kin != 0:
        tile = lowest(kin)
        for sex in range(3):
            group |= np.int64(state.count[at, tile + sex]) << (8 * sex)
            state.count[at, tile + sex] = 0
        state.classes[at] &= ~kin
        state.animals[at] -= size_of(group)
    return group


@kernel
def put_group(state, at, kin, group):
    """Put animals of a species down, given as their numbers by class."""
    if kin != 0:
        tile = lowest(kin)
        for sex in range(3):
            number = group >> (8 * sex) & 255
            state.count[at, tile + sex] += number
            if state.count[at, tile + sex] > 0:
                state.classes[at] |= 1 << (tile + sex)
        state.animals[at] += size_of(group)


@kernel(inline=True)
def size_of(group):
    """How many animals a group has."""
    return (group & 255) + (group >> 8 & 255) + (group >> 16 & 255)
