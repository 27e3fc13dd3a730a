"""What a simulated player thinks tiles, places and trucks are worth, by his weights.

A zoo's worth is a sum over its parts: the points it would score as it stands, something for every animal that has a
place to live, less for animals in the barn. What tiles would add to that sum is put together as a word (see
`layout.POINTS`) and then weighed. What pays off later (coins, too) fades as the stock runs out. Only public
information is read (5.1).
"""

import numpy as np

from balance.engine import kernel
from balance.games.zooloretto.bits import FIRST
from balance.games.zooloretto.layout import (
    BARN,
    COIN,
    CROWDED,
    EARNED,
    HOUSED,
    KIN,
    MATE,
    MATED,
    N_ANIMALS,
    POINTS,
    SEAT_STEP,
    SHELTERED,
    SPECIES_OF,
    STALLS,
    STEPS,
)
from balance.games.zooloretto.zoo import kinds_of

LOWEST = -(1 << 50)
FULL_HORIZON = 6
"""From 2 ** 6 tiles in the stock on, the end of the game is too far away to be thought of."""


@kernel(inline=True)
def fading(state, value):
    """A value that fades away with the last tiles of the stock."""
    return value * min(state.stock_size - state.stock_at, 1 << FULL_HORIZON) >> FULL_HORIZON


@kernel(inline=True)
def weigh(state, weights, word):
    """What a word is worth."""
    hopes = weights.animal * (word >> HOUSED & 255) + weights.shelter * (word >> SHELTERED & 255)
    hopes += weights.coin * (word >> EARNED & 255)
    return weights.point * (word >> POINTS) + fading(state, hopes) - weights.barn * (word >> CROWDED & 255)


# ================================================================ animals


@kernel(inline=True)
def animal_word(state, params, seat, place, tile, added):
    """What an animal does in a place to which so many of its species are added before it, with its offspring."""
    at = seat * SEAT_STEP + place
    is_new = np.int64(state.classes[at] & KIN[tile] == 0)
    is_mated = np.int64(state.classes[at] & MATE[tile] != 0)
    return params.steps[state.step_at[at] + added + STEPS * is_new + MATED * is_mated]


@kernel(inline=True)
def home_of(state, params, weights, seat, tile):
    """The best place for an animal, with its species or in an empty enclosure, and what it is worth there."""
    best, value = BARN, weigh(state, weights, animal_word(state, params, seat, np.int64(BARN), tile, 0))
    rooms = state.rooms[seat, SPECIES_OF[tile]]
    places = rooms & -rooms if rooms != 0 else state.empty[seat]
    while places != 0:
        place = FIRST[places]
        places &= places - 1
        worth = weigh(state, weights, animal_word(state, params, seat, place, tile, 0))
        if worth > value:
            best, value = place, worth
    return best, value


# ================================================================ stalls and coins


@kernel(inline=True)
def stall_helps(state, params, seat, place):
    """What an enclosure gains by a stall that belongs to it, if it has none."""
    at = seat * SEAT_STEP + place
    if state.classes[at] & STALLS:
        return 0
    animals = state.animals[at]
    points = params.points[place, 1, animals] - params.points[place, 0, animals]
    shelters = np.int64(params.spaces[place] - animals > 1)
    return (points << POINTS) + (shelters << SHELTERED)


@kernel(inline=True)
def stall_kind(state, params, seat, tile):
    """What the kind of a stall does."""
    return 0 if kinds_of(state, seat) >> tile & 1 else params.stall_points << POINTS


@kernel(inline=True)
def other_word(state, params, seat, tile):
    """What a coin does, or about what a stall does, wherever it will stand."""
    if tile == COIN:
        return 1 << EARNED
    if state.stall_spaces_left[seat] == 0:
        return -params.barn_stall_penalty << POINTS
    return (1 << SHELTERED) + stall_kind(state, params, seat, tile)


@kernel
def place_of_stall(state, params, weights, seat, tile):
    """The best place for a stall of a truck, and what it is worth there."""
    if state.stall_spaces_left[seat] == 0:
        return BARN, -weights.point * params.barn_stall_penalty
    best, value, first = BARN, LOWEST, seat * SEAT_STEP
    kind = stall_kind(state, params, seat, tile)
    for place in range(1, SEAT_STEP - 1):
        if state.stalls_left[first + place] > 0:
            worth = weigh(state, weights, kind + stall_helps(state, params, seat, place))
            if worth > value:
                best, value = place, worth
    return best, value


# ================================================================ trucks


@kernel
def tile_worth(state, params, weights, seat, tile):
    """What a tile is worth to a seat if it comes alone."""
    if tile >= N_ANIMALS:
        return weigh(state, weights, other_word(state, params, seat, tile))
    place = home(state.rooms[seat, SPECIES_OF[tile]], np.int64(BARN), state.empty[seat])
    return weigh(state, weights, animal_word(state, params, seat, place, tile, 0))


@kernel
def value_trucks(state, params, weights, seat, trucks, actions):
    """What some trucks are worth to a seat, into actions.code[truck]; returns the most, 0 at least."""
    most = 0
    while trucks != 0:
        truck = FIRST[trucks]
        trucks &= trucks - 1
        worth = weigh(state, weights, truck_word(state, params, seat, truck))
        actions.code[truck] = worth
        most = max(most, worth)
    return most


@kernel(inline=True)
def truck_word(state, params, seat, truck):
    """What the tiles of a truck do, placed one after the other.

    Of the animals so far: `homes` are the places to which they brought each species, `added` how many, 4 bits each.
    """
    word, homes, added, empty = 0, 0, 0, state.empty[seat]
    for slot in range(state.truck_size[truck]):
        tile = state.truck_slots[truck, slot]
        if tile >= N_ANIMALS:
            word += other_word(state, params, seat, tile)
        else:
            species = SPECIES_OF[tile]
            place = home(state.rooms[seat, species], homes >> (4 * species) & 15, empty)
            word += animal_word(state, params, seat, place, tile, added >> (4 * species) & 15)
            empty &= ~(1 << place)
            homes |= place << (4 * species)
            added += 1 << (4 * species)
    return word


@kernel(inline=True)
def home(rooms, place, empty):
    """Where an animal is expected to go: to its species, to others of its truck, to an empty enclosure, to the barn."""
    places = rooms if rooms != 0 else 1 << place & ~1
    return FIRST[places if places != 0 else empty]
