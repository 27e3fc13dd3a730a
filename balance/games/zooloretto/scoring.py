"""2.8 the score of a zoo, as it would be if the game ended now."""

import numpy as np

from balance.engine import kernel
from balance.games.zooloretto.bits import members
from balance.games.zooloretto.layout import ANIMALS, BARN, FERTILE, N_PLACES, SEAT_STEP, STALLS
from balance.games.zooloretto.zoo import kinds_of


@kernel
def score(state, params, seat):
    """Z-58 to Z-63: enclosures, kinds of stalls, and what stands in the barn."""
    return (
        enclosure_points(state, params, seat)
        + stall_points(state, params, seat)
        - penalty(state, params, seat)
    )


@kernel(inline=True)
def enclosure_points(state, params, seat):
    """Z-58, Z-59, A-44, A-48: all enclosures of a zoo."""
    first = seat * SEAT_STEP
    total = 0
    for place in range(1, N_PLACES):
        has_stall = np.int64(state.classes[first + place] & STALLS != 0)
        total += params.points[place, has_stall, state.animals[first + place]]
    return total


@kernel(inline=True)
def stall_points(state, params, seat):
    """Z-60: each kind of stall on the stall spaces."""
    return params.stall_points * members(kinds_of(state, seat))


@kernel(inline=True)
def penalty(state, params, seat):
    """Z-61, Z-62, A-40, A-41: what the barn costs."""
    return barn_stall_penalty(state, params, seat) + barn_species_penalty(state, params, seat)


@kernel(inline=True)
def barn_stall_penalty(state, params, seat):
    """Z-61, A-41: the stalls in the barn, by tile or by kind."""
    stalls = state.barn_stalls[seat]
    if params.barn_stall_unit:
        stalls = members(state.classes[seat * SEAT_STEP + BARN] & STALLS)
    return params.barn_stall_penalty * stalls


@kernel(inline=True)
def barn_species_penalty(state, params, seat):
    """Z-62: the species in the barn."""
    return params.barn_species_penalty * members(species_in(state.classes[seat * SEAT_STEP + BARN]))


@kernel(inline=True)
def species_in(classes):
    """The species among some classes, each as the bit of its plain animal."""
    return (classes | classes >> 1 | classes >> 2) & (ANIMALS ^ FERTILE)


@kernel
def tiebreak(state, params, seat):
    """Z-64: the most coins, unless nothing breaks a tie."""
    return state.coins[seat] if params.tie_break == 0 else 0
