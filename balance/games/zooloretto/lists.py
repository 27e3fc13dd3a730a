"""5.2 to 5.4, the options as a list of codes, ascending."""

import numpy as np

from balance.engine import kernel
from balance.games.zooloretto.bits import FIRST, lowest
from balance.games.zooloretto.layout import (
    BARN,
    BUY,
    D1_TURN,
    D2_LOAD,
    DISCARD,
    DRAW,
    EXCHANGE,
    EXPAND,
    LOAD,
    MOVE,
    SEAT_STEP,
    SPECIES_OF,
    TAKE,
)
from balance.games.zooloretto.options import barn_exchangeable, discardable, exchangeable, movable
from balance.games.zooloretto.scoring import species_in
from balance.games.zooloretto.trucks import place_code
from balance.games.zooloretto.zoo import places_of


@kernel
def legal_actions(state, params, actions):
    """The codes of the list of options, ascending; returns how many."""
    if state.decision == D1_TURN:
        return list_turn(state, params, actions)
    if state.decision == D2_LOAD:
        return list_members(state.middle & state.open, LOAD, np.int64(0), actions)
    return list_places(state, params, actions)


@kernel
def list_members(mask, code, n, actions):
    """The members of a set, each added to `code`, after the `n` codes so far."""
    while mask != 0:
        actions.code[n] = code + lowest(mask)
        mask &= mask - 1
        n += 1
    return n


@kernel
def list_places(state, params, actions):
    """D-3: the tiles that may be placed next, in the order of their slots, each in every place that takes it."""
    n, first = 0, state.seat * SEAT_STEP
    slots, listed = state.slots_left, 0
    while slots != 0:
        tile = state.hand[FIRST[slots]]
        slots &= slots - 1
        if state.rest & ~listed & 1 << tile:
            listed |= 1 << tile
            for place in range(places_of(state, state.seat)):
                if state.accept[first + place] >> tile & 1:
                    actions.code[n] = place_code(state, tile, place)
                    n += 1
    return n


# ================================================================ D-1


@kernel
def list_turn(state, params, actions):
    """D-1: draw, take a truck, expand; discards, moves, exchanges and purchases."""
    n = 0
    if state.n_draws:
        actions.code[0] = DRAW
        n = 1
    n = list_members(state.middle & state.loaded, TAKE, n, actions)
    if state.n_expands:
        actions.code[n] = EXPAND
        n += 1
    if state.n_discards:
        n = list_members(discardable(state, params, state.seat), DISCARD, n, actions)
    if state.n_moves:
        n = list_moves(state, params, n, actions)
    if state.n_exchanges:
        n = list_exchanges(state, params, n, actions)
    if state.n_buys:
        n = list_buys(state, params, n, actions)
    return n


@kernel
def list_moves(state, params, n, actions):
    """Each class of tiles in the own zoo, from each place that holds it, to each place that takes it."""
    first, places, held = state.seat * SEAT_STEP, places_of(state, state.seat), 0
    for source in range(places):
        held |= state.classes[first + source]
    while held != 0:
        tile = lowest(held)
        held &= held - 1
        for source in range(places):
            for place in range(places):
                if movable(state, params, first, source, place) >> tile & 1:
                    actions.code[n] = MOVE + 64 * tile + 8 * source + place
                    n += 1
    return n


@kernel
def list_exchanges(state, params, n, actions):
    """Flamingos of the barn (species 0) stand among the enclosures, whose codes have no species."""
    first, places = state.seat * SEAT_STEP, places_of(state, state.seat)
    species = species_in(state.classes[first + BARN])
    if species & 1:
        n = list_barn_exchanges(state, params, np.int64(0), n, actions)
        species ^= 1
    for a in range(1, places):
        for b in range(a + 1, places):
            if exchangeable(state, params, first, a, b):
                actions.code[n] = EXCHANGE + 8 * a + b
                n += 1
    while species != 0:
        n = list_barn_exchanges(state, params, lowest(species), n, actions)
        species &= species - 1
    return n


@kernel
def list_barn_exchanges(state, params, plain, n, actions):
    """The animals of the barn of one species, given by its plain class, with those of each enclosure."""
    first = state.seat * SEAT_STEP
    for b in range(1, places_of(state, state.seat)):
        if barn_exchangeable(state, params, first, plain, b):
            actions.code[n] = EXCHANGE + 64 * SPECIES_OF[plain] + b
            n += 1
    return n


@kernel
def list_buys(state, params, n, actions):
    """Each class of tiles in each other barn, to each place that takes it."""
    first, places = state.seat * SEAT_STEP, places_of(state, state.seat)
    for seller in range(params.players):
        goods = state.classes[seller * SEAT_STEP + BARN] & params.traded
        while goods != 0 and seller != state.seat:
            tile = lowest(goods)
            goods &= goods - 1
            for place in range(places):
                if state.accept[first + place] >> tile & 1:
                    actions.code[n] = BUY + 512 * seller + 8 * tile + place
                    n += 1
    return n
