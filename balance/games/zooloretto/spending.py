"""The five money actions as a simulated player weighs them: what each would add to the zoo, less its coins.

Only what gains something is considered. As a gain is the difference between two worths of the zoo, no round of money
actions can come back to where it began, and games end.
"""

import numpy as np

from balance.engine import OPTIONS_PER_DRAW, draw, kernel, noisy
from balance.games.zooloretto.bits import FIRST, lowest
from balance.games.zooloretto.layout import (
    BARN,
    BUY,
    BUYS,
    DISCARD,
    DISCARDS,
    EXCHANGE,
    EXCHANGES,
    EXPAND,
    EXPANDS,
    KIN,
    MOVE,
    MOVES,
    N_PLACES,
    NOTHING,
    SEAT_STEP,
    SPECIES_OF,
    STALLS,
)
from balance.games.zooloretto.options import barn_exchangeable, discardable, exchangeable, movable
from balance.games.zooloretto.scoring import species_in
from balance.games.zooloretto.worth import (
    LOWEST,
    animal_word,
    fading,
    stall_helps,
    stall_kind,
    weigh,
)
from balance.games.zooloretto.zoo import animals_of, places_of


@kernel(inline=True)
def weighed(weights, bits, value, option, rng):
    """A value with its noise; options of one decision have different numbers, and the first four share `bits`."""
    if option >= OPTIONS_PER_DRAW:
        bits = draw(rng, 1 + option // OPTIONS_PER_DRAW)
    return noisy(value, weights.temperature, bits, option)


@kernel
def best_spending(state, params, weights, rng):
    """The money action that gains most, if it is worth a turn; NOTHING otherwise."""
    best, value = NOTHING, LOWEST
    if state.n_moves:
        best, value = best_move(state, params, weights, rng)
    if state.n_exchanges:
        code, worth = best_exchange(state, params, weights, rng)
        if worth > value:
            best, value = code, worth
    if state.n_buys:
        code, worth = best_purchase(state, params, weights, rng)
        if worth > value:
            best, value = code, worth
    if state.n_discards:
        code, worth = best_discard(state, params, weights, rng)
        if worth > value:
            best, value = code, worth
    if state.n_expands:
        gain = fading(state, weights.expand) - fading(state, weights.coin * params.prices[EXPANDS])
        if gain > weights.tempo and weighed(weights, np.uint64(0), gain, 8, rng) > value:
            best = EXPAND
    return best


# ================================================================ out of the barn


@kernel(inline=True)
def relief(state, params, weights, seat, tile):
    """What a barn gains when a tile leaves it."""
    at = seat * SEAT_STEP + BARN
    if STALLS >> tile & 1:
        return weights.point * params.barn_stall_penalty
    gain = weights.barn
    if animals_of(state, at, 3 * SPECIES_OF[tile]) == 1:
        gain += weights.point * params.barn_species_penalty
    return gain


@kernel(inline=True)
def best_discard(state, params, weights, rng):
    """Z-44: the tile of the barn that is best got rid of."""
    best, value = NOTHING, LOWEST
    tiles = discardable(state, params, state.seat)
    while tiles != 0:
        tile = lowest(tiles)
        tiles &= tiles - 1
        gain = relief(state, params, weights, state.seat, tile) - fading(
            state, weights.coin * params.prices[DISCARDS]
        )
        if gain > weights.tempo:
            worth = weighed(weights, np.uint64(0), gain, 64 + tile, rng)
            if worth > value:
                best, value = DISCARD + tile, worth
    return best, value


@kernel
def best_purchase(state, params, weights, rng):
    """Z-42: the animal of another barn that is best bought, straight into an enclosure."""
    best, value, wanted, first = NOTHING, LOWEST, 0, state.seat * SEAT_STEP
    for place in range(1, N_PLACES):
        wanted |= state.kin[first + place] & state.accept[first + place]
    for seller in range(params.players):
        goods = state.classes[seller * SEAT_STEP + BARN] & params.traded & wanted
        while goods != 0 and seller != state.seat:
            tile = lowest(goods)
            goods &= goods - 1
            place = FIRST[state.rooms[state.seat, SPECIES_OF[tile]]]
            gain = weigh(state, weights, animal_word(state, params, state.seat, place, tile, 0))
            gain -= fading(state, weights.coin * params.prices[BUYS])
            gain -= weights.deny * relief(state, params, weights, seller, tile) >> 4
            if gain > weights.tempo:
                worth = weighed(weights, np.uint64(0), gain, 128 + 64 * seller + tile, rng)
                if worth > value:
                    best, value = BUY + 512 * seller + 8 * tile + place, worth
    return best, value


# ================================================================ moves


@kernel
def best_move(state, params, weights, rng):
    """Z-35: the tile that is best moved: out of the barn, or an animal to others of its species."""
    best, value, first = NOTHING, LOWEST, state.seat * SEAT_STEP
    places, price = places_of(state, state.seat), fading(state, weights.coin * params.prices[MOVES])
    for source in range(places):
        targets = targets_of(state, first, source, places)
        while targets != 0:
            place = FIRST[targets]
            targets &= targets - 1
            tiles = movable(state, params, first, source, place)
            while tiles != 0:
                tile = lowest(tiles)
                tiles &= tiles - 1
                gain = move_gain(state, params, weights, tile, source, place) - price
                if gain > weights.tempo:
                    worth = weighed(weights, np.uint64(0), gain, 1024 + 64 * tile + 8 * source + place, rng)
                    if worth > value:
                        best, value = MOVE + 64 * tile + 8 * source + place, worth
    return best, value


@kernel(inline=True)
def targets_of(state, first, source, places):
    """The enclosures to which tiles of a place are worth moving, as a mask."""
    if source == BARN:
        return (1 << places) - 2 if state.classes[first] != 0 else 0
    kin = state.kin[first + source]
    return state.rooms[state.seat, SPECIES_OF[lowest(kin)]] & ~(1 << source) if kin != 0 else 0


@kernel(inline=True)
def move_gain(state, params, weights, tile, source, place):
    """What a zoo gains when a tile moves to an enclosure."""
    seat = state.seat
    if STALLS >> tile & 1:
        word = stall_helps(state, params, seat, place) + stall_kind(state, params, seat, tile)
        gain = weigh(state, weights, word)
        return gain + relief(state, params, weights, seat, tile) if source == BARN else 0
    gain = weigh(state, weights, animal_word(state, params, seat, place, tile, 0))
    if source == BARN:
        return gain + relief(state, params, weights, seat, tile)
    if state.animals[seat * SEAT_STEP + place] + 1 == params.spaces[place]:
        # nobody moves animals to and fro for the coins
        gain -= fading(state, weights.coin * params.fill_coins[place])
    return gain - animal_lost(state, params, weights, source)


@kernel(inline=True)
def animal_lost(state, params, weights, place):
    """What an enclosure loses when an animal leaves it."""
    at = state.seat * SEAT_STEP + place
    return weigh(state, weights, params.steps[state.step_at[at] - 1])


# ================================================================ exchanges


@kernel
def best_exchange(state, params, weights, rng):
    """Z-37: the two groups that are best exchanged."""
    best, value, first = NOTHING, LOWEST, state.seat * SEAT_STEP
    price = fading(state, weights.coin * params.prices[EXCHANGES])
    for b in range(2, places_of(state, state.seat)):
        for a in range(1, b):
            gain = regrouped(state, params, weights, a, state.animals[first + b])
            gain += regrouped(state, params, weights, b, state.animals[first + a]) - price
            if gain > weights.tempo and exchangeable(state, params, first, a, b):
                worth = weighed(weights, np.uint64(0), gain, 8 * a + b, rng)
                if worth > value:
                    best, value = EXCHANGE + 8 * a + b, worth
    species = species_in(state.classes[first + BARN])
    while species != 0:
        plain = lowest(species)
        species &= species - 1
        code, worth = best_barn_exchange(state, params, weights, plain, price, rng)
        if worth > value:
            best, value = code, worth
    return best, value


@kernel
def best_barn_exchange(state, params, weights, plain, price, rng):
    """The best exchange of the barn's animals of a species, given by its plain class, with those of an enclosure."""
    best, value, first = NOTHING, LOWEST, state.seat * SEAT_STEP
    coming = animals_of(state, first + BARN, plain)
    for b in range(1, places_of(state, state.seat)):
        if coming >= state.animals[first + b] and barn_exchangeable(state, params, first, plain, b):
            gain = barn_exchange_gain(state, params, weights, plain, b) - price
            if gain > weights.tempo:
                worth = weighed(weights, np.uint64(0), gain, 2048 + 8 * plain + b, rng)
                if worth > value:
                    best, value = EXCHANGE + 64 * SPECIES_OF[plain] + b, worth
    return best, value


@kernel(inline=True)
def regrouped(state, params, weights, place, animals):
    """What an enclosure gains in points when it holds so many animals instead of its own."""
    at = state.seat * SEAT_STEP + place
    stall = np.int64(state.classes[at] & STALLS != 0)
    return weights.point * (
        params.points[place, stall, animals] - params.points[place, stall, state.animals[at]]
    )


@kernel
def barn_exchange_gain(state, params, weights, plain, b):
    """What a zoo gains when the barn's animals of a species and those of an enclosure change places."""
    first = state.seat * SEAT_STEP
    coming, leaving = animals_of(state, first + BARN, plain), state.animals[first + b]
    gain = regrouped(state, params, weights, b, coming)
    gain += (coming - leaving) * (weights.barn + fading(state, weights.animal))
    gain += weights.point * params.barn_species_penalty
    if leaving != 0 and state.classes[first + BARN] & state.kin[first + b] & ~KIN[plain] == 0:
        gain -= weights.point * params.barn_species_penalty
    return gain
