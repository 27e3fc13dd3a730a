"""2.2 to 2.4, the trucks: drawing and loading, taking, and what is left at the end of a round."""

from balance.engine import TRACE, kernel, note
from balance.games.zooloretto.bits import FIRST, members
from balance.games.zooloretto.layout import (
    COIN,
    D2_LOAD,
    D3_PLACE,
    DRAWN,
    DRAWS,
    GROUP_OF,
    PLACE,
    PLACED,
    REMOVED,
    SEAT_STEP,
    TAKEN,
    TAKES,
    TURN_IS_OVER,
)
from balance.games.zooloretto.zoo import put_tile

# ================================================================ 2.3 draw and load


@kernel(inline=True)
def draw_tile(state, params):
    """Z-14, Z-17, Z-18, Z-56: show the top tile; D-2: the player chooses a truck with load room."""
    state.drawn = state.stock[state.stock_at]
    state.stock_at += 1
    state.is_last_round |= state.stock_at > state.main_size
    state.used_actions[state.seat, DRAWS] += 1
    state.drawn_tiles[GROUP_OF[state.drawn]] += 1
    state.decision = D2_LOAD
    state.options = members(state.middle & state.open)


@kernel(inline=True)
def load(state, params, truck):
    """Z-14: put the tile on a truck; the turn is over."""
    state.truck_slots[truck, state.truck_size[truck]] = state.drawn
    state.truck_size[truck] += 1
    state.loaded |= 1 << truck
    if state.truck_size[truck] == params.truck_room[truck]:
        state.open &= ~(1 << truck)
    state.decision = TURN_IS_OVER
    if TRACE:
        note(state, params, DRAWN, truck, state.drawn, state.stock_at > state.main_size)


# ================================================================ 2.4 take a truck


@kernel(inline=True)
def take_truck(state, params, truck):
    """Z-19, Z-21, Z-67: take a truck and all its tiles; coins first (Z-27), the others one after another (D-3)."""
    seat = state.seat
    count_trucks(state, truck)
    state.middle &= ~(1 << truck)
    state.in_round &= ~(1 << seat)
    state.last_taker = seat
    state.stale |= 1 << seat
    state.slots_left = 0
    state.used_actions[seat, TAKES] += 1
    if TRACE:
        note(state, params, TAKEN, truck, 0, 0)
    for slot in range(state.truck_size[truck]):
        tile = state.truck_slots[truck, slot]
        state.tiles_of[seat, GROUP_OF[tile]] += 1
        if tile == COIN:
            state.coins[seat] += 1
        else:
            state.hand[slot] = tile
            state.slots_left |= 1 << slot
    empty_truck(state, truck)
    offer_places(state, params)


@kernel(inline=True)
def count_trucks(state, truck):
    """For the counter of trucks: which stood in the middle, and which was taken."""
    offered = state.middle & state.loaded
    while offered != 0:
        state.truck_counts[state.truck_size[FIRST[offered]], 0] += 1
        offered &= offered - 1
    state.truck_counts[state.truck_size[truck], 1] += 1
    state.trucks_of[state.seat, state.truck_size[truck]] += 1


@kernel(inline=True)
def empty_truck(state, truck):
    """The truck carries no tiles any more; every truck has load room when empty."""
    state.truck_size[truck] = 0
    state.loaded &= ~(1 << truck)
    state.open |= 1 << truck


@kernel(inline=True)
def offer_places(state, params):
    """D-3, Z-30, A-2: which tiles may be placed next, and in how many ways; with none left the turn is over."""
    if state.slots_left == 0:
        state.decision = TURN_IS_OVER
        return
    rest = 0
    slots = state.slots_left
    while slots != 0:
        rest |= 1 << state.hand[FIRST[slots]]
        slots = 0 if params.placement_order else slots & (slots - 1)
    state.rest = rest
    first = state.seat * SEAT_STEP
    options = 0
    for place in range(SEAT_STEP):
        options += members(rest & state.accept[first + place])
    state.options = options
    state.decision = D3_PLACE


@kernel(inline=True)
def slot_of(state, tile):
    """The lowest slot of the truck taken that carries a tile of this class (5.3)."""
    slots = state.slots_left
    while state.hand[FIRST[slots]] != tile:
        slots &= slots - 1
    return FIRST[slots]


@kernel(inline=True)
def place_code(state, tile, place):
    """The action that places a tile of this class."""
    return PLACE + 8 * slot_of(state, tile) + place


@kernel(inline=True)
def place_tile(state, params, action):
    """D-3: place the tile of a slot; the others follow."""
    slot, place = (action - PLACE) >> 3, action & 7
    tile = state.hand[slot]
    state.slots_left &= ~(1 << slot)
    if TRACE:
        note(state, params, PLACED, tile, place, 0)
    put_tile(state, params, state.seat, place, tile)
    offer_places(state, params)


# ================================================================ the end of a round


@kernel
def clear_trucks(state, params):
    """Z-12, Z-68, A-35: the trucks go back to the middle; the tiles of one left over leave the game or stay."""
    left_over = state.middle & state.loaded
    state.middle = (1 << params.truck_count) - 1
    while left_over != 0 and params.leftover_truck == 0:
        truck = FIRST[left_over]
        left_over &= left_over - 1
        state.tiles_lost += state.truck_size[truck]
        if TRACE:
            note(state, params, REMOVED, truck, 0, 0)
        empty_truck(state, truck)
