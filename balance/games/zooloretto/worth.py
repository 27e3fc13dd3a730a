"""What a simulated player thinks tiles, places and trucks are worth, by his weights.

A zoo's worth is a sum over its parts: the points it would score as it stands, something for every animal that has a
place to live, less for animals in the barn. Every value here is what one tile would add to that sum. Values of tiles
yet to come fade as the stock runs out. Only public information is read (5.1).
"""

import numpy as np

from balance.engine import kernel
from balance.games.zooloretto.bits import FIRST
from balance.games.zooloretto.layout import (
    BARN,
    COIN,
    FERTILE,
    KIN,
    N_ANIMALS,
    SEAT_STEP,
    SPECIES_OF,
    STALLS,
)
from balance.games.zooloretto.zoo import places_of

LOWEST = -(1 << 50)
FULL_HORIZON = 6
"""From 2 ** 6 tiles in the stock on, the end of the game is too far away to be thought of."""


@kernel(inline=True)
def fading(state, weight):
    """A value that fades away with the last tiles of the stock."""
    return weight * min(state.stock_size - state.stock_at, 1 << FULL_HORIZON) >> FULL_HORIZON


# ================================================================ animals


@kernel(inline=True)
def has_stall(state, at):
    """Whether a stall belongs to an enclosure, as 0 or 1."""
    return np.int64(state.classes[at] & STALLS != 0)


@kernel(inline=True)
def one_more(state, params, weights, at, place, animals, progress):
    """What an enclosure with so many animals gains by one more."""
    stall = has_stall(state, at)
    gain = weights.point * (params.points[place, stall, animals + 1] - params.points[place, stall, animals])
    if animals == 0:
        gain -= weights.open
    if animals + 1 == params.spaces[place]:
        gain += weights.coin * params.fill_coins[place]
    return gain + progress


@kernel(inline=True)
def animal_in(state, params, weights, seat, place, tile, added, progress):
    """What an animal is worth in an enclosure to which so many of its species are added before it."""
    at = seat * SEAT_STEP + place
    animals = state.animals[at] + added
    gain = one_more(state, params, weights, at, place, animals, progress)
    if FERTILE >> tile & 1:
        partner = KIN[tile] & FERTILE & ~(1 << tile)
        if state.classes[at] & partner == 0:
            gain += weights.fertile
        elif animals + 2 <= params.spaces[place]:
            gain += one_more(state, params, weights, at, place, animals + 1, progress)
        else:
            gain += in_barn(state, params, weights, seat, tile)
    return gain


@kernel(inline=True)
def in_barn(state, params, weights, seat, tile):
    """What an animal costs in the barn."""
    cost = weights.barn
    if state.classes[seat * SEAT_STEP + BARN] & KIN[tile] == 0:
        cost += weights.point * params.barn_species_penalty
    return -cost


# ================================================================ stalls


@kernel(inline=True)
def kinds_of(state, seat):
    """The kinds of stalls on the stall spaces of a zoo."""
    first, kinds = seat * SEAT_STEP, 0
    for at in range(first + 1, first + places_of(state, seat)):
        kinds |= state.classes[at]
    return kinds & STALLS


@kernel(inline=True)
def stall_helps(state, params, weights, seat, place):
    """What an enclosure gains by a stall that belongs to it, if it has none."""
    at = seat * SEAT_STEP + place
    if has_stall(state, at):
        return 0
    animals = state.animals[at]
    gain = weights.point * (params.points[place, 1, animals] - params.points[place, 0, animals])
    return gain + fading(state, weights.shelter) * (params.spaces[place] - animals > 1)


@kernel(inline=True)
def stall_kind(state, params, weights, seat, tile):
    """What the kind of a stall is worth."""
    return 0 if kinds_of(state, seat) >> tile & 1 else weights.point * params.stall_points


@kernel(inline=True)
def stall_worth(state, params, weights, seat, tile):
    """About what a stall of a truck is worth, wherever it will stand."""
    if state.stall_spaces_left[seat] == 0:
        return -weights.point * params.barn_stall_penalty
    return fading(state, weights.shelter) + stall_kind(state, params, weights, seat, tile)


@kernel
def place_of_stall(state, params, weights, seat, tile):
    """The best place for a stall of a truck, and what it is worth there."""
    if state.stall_spaces_left[seat] == 0:
        return BARN, -weights.point * params.barn_stall_penalty
    best, worth, first = BARN, LOWEST, seat * SEAT_STEP
    for place in range(1, places_of(state, seat)):
        if state.stalls_left[first + place] > 0:
            gain = stall_helps(state, params, weights, seat, place)
            if gain > worth:
                best, worth = place, gain
    return best, worth + stall_kind(state, params, weights, seat, tile)


# ================================================================ trucks


@kernel
def best_empty(state, params, weights, seat, tile, empty, progress):
    """The best of some empty enclosures for an animal, and what it is worth there."""
    best, value = BARN, LOWEST
    while empty != 0:
        place = FIRST[empty]
        empty &= empty - 1
        gain = animal_in(state, params, weights, seat, place, tile, 0, progress)
        if gain > value:
            best, value = place, gain
    return best, value


@kernel(inline=True)
def home_of(state, params, weights, seat, tile, empty, progress):
    """The best place for an animal, with its species or in one of some empty enclosures, and what it is worth there."""
    best, worth = BARN, in_barn(state, params, weights, seat, tile)
    rooms, gain = state.rooms[seat, SPECIES_OF[tile]], worth
    if rooms != 0:
        place = FIRST[rooms]
        gain = animal_in(state, params, weights, seat, place, tile, 0, progress)
    elif empty != 0:
        place, gain = best_empty(state, params, weights, seat, tile, empty, progress)
    return (place, gain) if gain > worth else (best, worth)


@kernel(inline=True)
def tile_worth(state, params, weights, seat, tile):
    """What a tile is worth to a seat if it comes alone."""
    if tile == COIN:
        return weights.coin
    if tile >= N_ANIMALS:
        return stall_worth(state, params, weights, seat, tile)
    empty, progress = state.empty[seat], fading(state, weights.animal)
    _, worth = home_of(state, params, weights, seat, tile, empty & -empty, progress)
    return worth


@kernel
def truck_worth(state, params, weights, seat, truck):
    """What the tiles of a truck are worth to a seat, placed one after the other.

    Of the animals so far: `used` are the enclosures that they opened or filled, as a mask; `opened` those that they
    opened for each species (0: none) and `added` how many they brought to each place, 4 bits each.
    """
    progress, used, opened, added, total = fading(state, weights.animal), 0, 0, 0, 0
    last = state.truck_size[truck] - 1
    for slot in range(last + 1):
        tile = state.truck_slots[truck, slot]
        if tile == COIN:
            total += weights.coin
        elif tile >= N_ANIMALS:
            total += stall_worth(state, params, weights, seat, tile)
        else:
            place, worth = next_home(state, params, weights, seat, tile, used, opened, added, progress)
            total += worth
            if slot < last and place != BARN:
                used, opened, added = settled(state, params, seat, tile, place, used, opened, added)
    return total


@kernel(inline=True)
def next_home(state, params, weights, seat, tile, used, opened, added, progress):
    """As `home_of`, but after other animals of the same truck; of the empty enclosures it looks at one."""
    worth, species = in_barn(state, params, weights, seat, tile), SPECIES_OF[tile]
    rooms, empty = state.rooms[seat, species] & ~used, state.empty[seat] & ~used
    place = opened >> (4 * species) & 15
    if rooms != 0:
        place = FIRST[rooms]
    elif place == BARN and empty != 0:
        place = FIRST[empty]
    if place == BARN:
        return BARN, worth
    gain = animal_in(state, params, weights, seat, place, tile, added >> (4 * place) & 15, progress)
    return (place, gain) if gain > worth else (BARN, worth)


@kernel(inline=True)
def settled(state, params, seat, tile, place, used, opened, added):
    """What the animals of a truck have used, opened and added, with one more in an enclosure."""
    added += 1 << (4 * place)
    at = 4 * SPECIES_OF[tile]
    is_full = state.animals[seat * SEAT_STEP + place] + (added >> (4 * place) & 15) == params.spaces[place]
    if is_full or state.empty[seat] >> place & 1:
        used |= 1 << place
    if state.empty[seat] >> place & 1:
        opened = opened & ~(15 << at) if is_full else opened | place << at
    return used, opened, added
