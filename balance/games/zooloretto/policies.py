"""How simulated players of Zooloretto choose: at random, or by weighing what a person at the table would look at."""

from types import MappingProxyType

import numpy as np

from balance.engine import OPTIONS_PER_DRAW, below, code_of, draw, kernel, prefers, ranked
from balance.game import Policy
from balance.games.zooloretto.bits import FIRST, lowest, member, members
from balance.games.zooloretto.layout import (
    BARN,
    D1_TURN,
    D2_LOAD,
    DRAW,
    LOAD,
    N_ANIMALS,
    NEXT_SEAT,
    NOTHING,
    SEAT_STEP,
    TAKE,
)
from balance.games.zooloretto.options import place_option, turn_option
from balance.games.zooloretto.spending import best_spending, weighed
from balance.games.zooloretto.trucks import place_code
from balance.games.zooloretto.worth import (
    LOWEST,
    home_of,
    place_of_stall,
    tile_worth,
    value_trucks,
)

LAST = -(1 << 62)
"""Less than any ranked option."""

# ================================================================ random


@kernel(inline=True)
def choose_random(state, params, weights, rng, actions):
    """5.4: each distinct option with the same probability."""
    k = below(rng, 0, state.options)
    if state.decision == D1_TURN:
        return turn_option(state, params, k)
    if state.decision == D2_LOAD:
        return LOAD + member(state.middle & state.open, k)
    tile, place = place_option(state, k)
    return place_code(state, tile, place)


# ================================================================ weighing


@kernel(inline=True)
def choose_greedy(state, params, weights, rng, actions):
    """The option worth most by the weights, with noise."""
    if state.decision == D1_TURN:
        return best_turn(state, params, weights, rng, actions)
    if state.decision == D2_LOAD:
        return best_truck(state, params, weights, rng, actions)
    return best_place(state, params, weights, rng)


@kernel(inline=True)
def next_seat(state):
    """Who is next in the round; the seat itself if it is alone."""
    return NEXT_SEAT[state.in_round * SEAT_STEP + state.seat]


@kernel
def best_turn(state, params, weights, rng, actions):
    """D-1: use money if that is worth a turn, after each change in the own zoo; or take a truck, or draw."""
    if state.looks_anew:
        action = best_spending(state, params, weights, rng)
        if action != NOTHING:
            return action
    if state.n_takes == 0:
        return DRAW if state.n_draws else turn_option(state, params, 0)
    truck, worth = favorite_truck(state, params, weights, rng, actions)
    if state.n_draws:
        rival = next_seat(state)
        worth -= weights.wait + weights.room * members(state.middle & state.open)
        if rival == state.seat:
            worth -= weights.alone
        elif weights.deny and worth <= 0:
            temptation = value_trucks(state, params, weights, rival, np.int64(1) << truck, actions)
            worth += weights.deny * temptation >> 4
        if not prefers(worth, weights.temperature, rng):
            return DRAW
    return TAKE + truck


@kernel(inline=True)
def favorite_truck(state, params, weights, rng, actions):
    """The truck that is worth most to the player on turn, and how much."""
    best, trucks, bits = LAST, state.middle & state.loaded, draw(rng, 1)
    value_trucks(state, params, weights, state.seat, trucks, actions)
    while trucks != 0:
        truck = FIRST[trucks]
        trucks &= trucks - 1
        best = max(best, truck_rank(weights, bits, actions.code[truck], truck, rng))
    truck = code_of(best)
    return truck, actions.code[truck]


@kernel(inline=True)
def truck_rank(weights, bits, worth, truck, rng):
    """A truck ranked by its worth with noise; the first four share `bits`."""
    if truck >= OPTIONS_PER_DRAW:
        bits = draw(rng, 2)
    return ranked(worth, weights.temperature, bits, truck, truck)


@kernel
def best_truck(state, params, weights, rng, actions):
    """D-2: a tile worth three points goes where it does most for the own best truck; any tile where it tempts the next
    player least. Without anybody to tempt, the own trucks decide about every tile."""
    rival, temptation = next_seat(state), 0
    gain = tile_worth(state, params, weights, state.seat, state.drawn)
    if weights.deny and rival != state.seat:
        temptation = weights.deny * tile_worth(state, params, weights, rival, state.drawn)
    best, trucks, bits = LAST, state.middle & state.open, draw(rng, 1)
    valued = trucks & state.loaded if gain > 3 * weights.point or temptation == 0 else 0
    most = value_trucks(state, params, weights, state.seat, valued, actions)
    while trucks != 0:
        truck = FIRST[trucks]
        trucks &= trucks - 1
        worth = actions.code[truck] * (valued >> truck & 1) + gain
        worth += 16 * max(most, worth) - temptation * (state.truck_size[truck] + 1)
        best = max(best, truck_rank(weights, bits, worth, truck, rng))
    return LOAD + code_of(best)


@kernel
def best_place(state, params, weights, rng):
    """D-3: the tile that gains most in its best place."""
    best_tile, best, value, tiles, option = NOTHING, BARN, LOWEST, state.rest, 0
    bits = draw(rng, 1)
    while tiles != 0:
        tile = lowest(tiles)
        tiles &= tiles - 1
        if tile >= N_ANIMALS:
            place, worth = place_of_stall(state, params, weights, state.seat, tile)
        else:
            place, worth = home_of(state, params, weights, state.seat, tile)
        worth = weighed(weights, bits, worth, option, rng)
        option += 1
        if worth > value:
            best_tile, best, value = tile, place, worth
    return place_code(state, best_tile, best)


WEIGHTS = MappingProxyType(
    {
        "point": 16,
        "animal": 12,
        "barn": 5,
        "shelter": 7,
        "coin": 20,
        "expand": 144,
        "tempo": 6,
        "wait": 20,
        "room": 12,
        "alone": 56,
        "deny": 12,
    }
)
MEANINGS = MappingProxyType(
    {
        "point": "For each point that the zoo scores as it stands.",
        "animal": "For each animal in an enclosure, while the game is long.",
        "barn": "What each animal in the barn costs, beside the points.",
        "shelter": "For a stall beside an enclosure that may not become full, while the game is long.",
        "coin": "For each coin, while the game is long.",
        "expand": "For another enclosure, while the game is long.",
        "tempo": "What a turn is worth that is spent on a money action.",
        "wait": "For drawing a tile instead of taking a truck.",
        "room": "For each truck with load room, when drawing.",
        "alone": "For drawing when nobody else is in the round.",
        "deny": "For what a truck is worth to the next player, in sixteenths.",
    }
)


def character(name: str, title: str, what: str, temperature: int = 0, **weights: int) -> Policy:
    """A player like greedy but for some of the weights."""
    own = MappingProxyType({**WEIGHTS, **weights})
    return Policy(name, title, what, choose_greedy, own, temperature, MEANINGS)


POLICIES = (
    Policy(
        "random",
        "Random",
        "Takes each legal option with the same probability; a floor, not a player.",
        choose_random,
    ),
    character(
        "greedy",
        "Greedy",
        "Weighs points, animals, coins and risks of each option as a careful player would, one decision at a time.",
    ),
    character(
        "beginner",
        "Beginner",
        "Wants what greedy wants, but often overlooks the better option and thinks of nobody else.",
        temperature=20,
        shelter=0,
        deny=0,
    ),
    character(
        "gambler", "Gambler", "Waits for full trucks, whoever may take them first.", wait=48, room=18, deny=0
    ),
    character(
        "spender",
        "Spender",
        "Uses money as soon as it gains anything, and expands at the first chance.",
        coin=4,
        tempo=0,
        expand=250,
    ),
    character(
        "miser",
        "Miser",
        "Keeps coins for the end, and likes trucks and enclosures that bring some.",
        coin=40,
        tempo=30,
    ),
    character(
        "denier",
        "Denier",
        "Takes trucks that the next player wants, and spoils those that tempt him.",
        deny=48,
    ),
)
