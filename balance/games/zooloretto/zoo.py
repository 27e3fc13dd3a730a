"""2.5 and 2.7, the zoos: placing tiles, filling enclosures, offspring."""

import numpy as np

from balance.engine import TRACE, kernel, note
from balance.games.zooloretto.bits import lowest
from balance.games.zooloretto.layout import (
    ANIMALS,
    BARN,
    BRED,
    FERTILE,
    FILLED,
    FIRST_EXPANSION,
    KIN,
    N_ANIMALS,
    PUMPED,
    SEAT_STEP,
    SPECIES_OF,
    STALLS,
    STEPS,
)


@kernel(inline=True)
def places_of(state, seat):
    """How many places a zoo has: the barn, its enclosures, and the boards turned up."""
    return FIRST_EXPANSION + state.expanded[seat]


@kernel(inline=True)
def animals_of(state, at, plain):
    """How many animals of a species, given by its plain class, a place holds."""
    return state.count[at, plain] + state.count[at, plain + 1] + state.count[at, plain + 2]


@kernel(inline=True)
def kinds_of(state, seat):
    """The kinds of stalls on the stall spaces of a zoo."""
    at = seat * SEAT_STEP
    kinds = state.classes[at + 1] | state.classes[at + 2] | state.classes[at + 3]
    return (kinds | state.classes[at + 4] | state.classes[at + 5] | state.classes[at + 6]) & STALLS


# ================================================================ what may be placed where


@kernel(inline=True)
def refresh_enclosure(state, params, at, place):
    """Z-22, Z-23, Z-26: what may be placed in an enclosure after its tiles have changed."""
    animals = state.animals[at]
    accept = state.kin[at]
    seat = at // SEAT_STEP
    if animals == 0:
        accept = ANIMALS
        state.kin[at] = 0
        state.empty[seat] |= 1 << place
    else:
        state.empty[seat] &= ~(1 << place)
    if animals == params.spaces[place]:
        accept = 0
    has_stall = np.int64(state.classes[at] & STALLS != 0)
    state.step_at[at] = (4 * place + 2 * has_stall) * STEPS + animals
    state.accept[at] = accept | STALLS if state.stalls_left[at] > 0 else accept


@kernel(inline=True)
def refresh_room(state, seat, place, species):
    """Whether a species lives in an enclosure that has room for more of it, after the enclosure has changed."""
    at = seat * SEAT_STEP + place
    if state.kin[at] & state.accept[at] & 1 << (3 * species):
        state.rooms[seat, species] |= 1 << place
    else:
        state.rooms[seat, species] &= ~(1 << place)


@kernel(inline=True)
def refresh_barn(state, params, seat):
    """Z-25, Z-26, A-13: the barn takes any animal, and a stall if no stall space is free."""
    stalls = STALLS if state.stall_spaces_left[seat] == 0 else params.by_choice
    state.accept[seat * SEAT_STEP + BARN] = ANIMALS | stalls


@kernel
def open_enclosure(state, params, seat, place):
    """An enclosure and its stall spaces can be used from now on."""
    at = seat * SEAT_STEP + place
    state.stalls_left[at] = params.stall_spaces[place]
    state.stall_spaces_left[seat] += params.stall_spaces[place]
    refresh_enclosure(state, params, at, place)
    refresh_barn(state, params, seat)
    state.stale |= 1 << seat


# ================================================================ tiles come and go


@kernel(inline=True)
def add_tile(state, at, tile):
    """One more tile of this class in a place."""
    state.count[at, tile] += 1
    state.classes[at] |= 1 << tile


@kernel(inline=True)
def drop_tile(state, at, tile):
    """One tile of this class less in a place."""
    state.count[at, tile] -= 1
    if state.count[at, tile] == 0:
        state.classes[at] ^= 1 << tile


@kernel
def remove_tile(state, params, seat, place, tile):
    """Take one tile away, to be put elsewhere or out of the game."""
    at = seat * SEAT_STEP + place
    drop_tile(state, at, tile)
    state.stale |= 1 << seat
    is_stall = tile >= N_ANIMALS
    state.animals[at] -= 1 - is_stall
    if place == BARN:
        state.barn_stalls[seat] -= is_stall
        return
    if is_stall:
        state.stalls_left[at] += 1
        state.stall_spaces_left[seat] += 1
        refresh_barn(state, params, seat)
    refresh_enclosure(state, params, at, place)
    if not is_stall:
        refresh_room(state, seat, place, SPECIES_OF[tile])


@kernel
def put_tile(state, params, seat, place, tile):
    """Z-54: put a tile down, with all that follows: coins for filling, offspring, coins for the offspring."""
    at = seat * SEAT_STEP + place
    add_tile(state, at, tile)
    state.stale |= 1 << seat
    is_stall = tile >= N_ANIMALS
    state.animals[at] += 1 - is_stall
    if place == BARN:
        state.barn_stalls[seat] += is_stall
    elif not is_stall:
        state.kin[at] = KIN[tile]
        if state.animals[at] == params.spaces[place]:
            pay_filling(state, params, seat, place)
        if has_pair(state, at):
            breed(state, params, seat, place, params.offspring_pays_fill)
        refresh_enclosure(state, params, at, place)
        refresh_room(state, seat, place, SPECIES_OF[tile])
    else:
        state.stalls_left[at] -= 1
        state.stall_spaces_left[seat] -= 1
        refresh_barn(state, params, seat)
        refresh_enclosure(state, params, at, place)


# ================================================================ 2.7 filling and breeding


@kernel
def pay_filling(state, params, seat, place):
    """Z-47, Z-48, A-49: the bank pays for an enclosure that is full."""
    due = params.fill_coins[place]
    if due == 0 or (not params.refill_pays and state.has_paid[seat] >> place & 1):
        return
    at = seat * SEAT_STEP + place
    state.has_paid[seat] |= 1 << place
    state.fills[at] += state.fills[at] <= PUMPED
    paid = due
    if state.bank < due:
        paid = state.bank if params.bank_short == 0 else 0
    state.bank -= paid
    state.coins[seat] += paid
    if TRACE:
        note(state, params, FILLED, place, due, paid)


@kernel(inline=True)
def has_pair(state, at):
    """Whether an enclosure holds a male and a female that have not bred yet."""
    pair = state.kin[at] & FERTILE
    return pair != 0 and state.classes[at] & pair == pair


@kernel
def breed(state, params, seat, place, pays):
    """Z-49 to Z-53, A-11: every pair of an enclosure has an offspring, as long as there are offspring tiles."""
    at = seat * SEAT_STEP + place
    species = SPECIES_OF[lowest(state.kin[at])]
    plain = 3 * species
    while has_pair(state, at) and state.born[species] < params.litter:
        drop_tile(state, at, plain + 1)
        drop_tile(state, at, plain + 2)
        state.count[at, plain] += 1
        add_tile(state, at, plain)
        state.born[species] += 1
        state.births[seat] += 1
        fits = state.animals[at] < params.spaces[place]
        if TRACE:
            note(state, params, BRED, species, place, place if fits else BARN)
        if fits:
            add_tile(state, at, plain)
            state.animals[at] += 1
            if pays and state.animals[at] == params.spaces[place]:
                pay_filling(state, params, seat, place)
        else:
            add_tile(state, seat * SEAT_STEP + BARN, plain)
            state.animals[seat * SEAT_STEP + BARN] += 1
