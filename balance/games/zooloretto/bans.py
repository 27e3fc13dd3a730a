"""What a player of Zooloretto can be forbidden to choose: actions, and tiles that come with trucks and purchases."""

from types import MappingProxyType
from typing import Any

import numpy as np

from balance.engine import kernel
from balance.game import Bans
from balance.games.zooloretto import measures
from balance.games.zooloretto.bits import lowest, members
from balance.games.zooloretto.layout import (
    BARN,
    BUY,
    BUYS,
    D1_TURN,
    DISCARD,
    DISCARDS,
    DRAW,
    DRAWS,
    EXCHANGE,
    EXCHANGES,
    EXPAND,
    EXPANDS,
    MONEY,
    MOVE,
    MOVES,
    N_ANIMALS,
    N_CLASSES,
    SEAT_STEP,
    TAKE,
    TAKES,
)
from balance.games.zooloretto.options import count_buys
from balance.games.zooloretto.params import MOST_SPECIES, SPECIES

STALL_BIT, COIN_BIT, ACTION = MOST_SPECIES, MOST_SPECIES + 1, MOST_SPECIES + 2
"""A species has its bit in the order of the box; the bit of an action is ACTION + its number."""
ITEM_OF = np.array(
    [tile // 3 if tile < N_ANIMALS else STALL_BIT for tile in range(N_CLASSES)] + [COIN_BIT], dtype=np.int64
)
"""The bit of each class of tiles."""


@kernel
def concerns(state, params, action):
    """Taking a truck is about all its tiles, a purchase about the tile."""
    if action == DRAW:
        return 1 << (ACTION + DRAWS)
    if action < EXPAND:
        return 1 << (ACTION + TAKES) | on_truck(state, action - TAKE)
    if action == EXPAND:
        return 1 << (ACTION + MONEY + EXPANDS)
    if action < DISCARD:
        return 0
    if action < MOVE:
        return 1 << (ACTION + MONEY + DISCARDS)
    if action < EXCHANGE:
        return 1 << (ACTION + MONEY + MOVES)
    if action < BUY:
        return 1 << (ACTION + MONEY + EXCHANGES)
    return 1 << (ACTION + MONEY + BUYS) | 1 << ITEM_OF[(action - BUY) // 8 % 64]


@kernel
def on_truck(state, truck):
    """What a truck carries, as a bit mask."""
    found = np.int64(0)
    for slot in range(state.truck_size[truck]):
        found |= 1 << ITEM_OF[state.truck_slots[truck, slot]]
    return found


@kernel
def withhold(state, params, names):
    """D-1: there are no such options, trucks with such tiles are not loaded, and no barn holds such tiles for sale."""
    if state.decision != D1_TURN:
        return
    actions = names >> ACTION
    hide_tiles(state, params, names)
    state.n_draws *= 1 - (actions >> DRAWS & 1)
    state.n_takes = members(state.middle & state.loaded) * (1 - (actions >> TAKES & 1))
    state.n_moves *= 1 - (actions >> (MONEY + MOVES) & 1)
    state.n_exchanges *= 1 - (actions >> (MONEY + EXCHANGES) & 1)
    state.n_buys *= 1 - (actions >> (MONEY + BUYS) & 1)
    state.n_discards *= 1 - (actions >> (MONEY + DISCARDS) & 1)
    state.n_expands *= 1 - (actions >> (MONEY + EXPANDS) & 1)
    money = state.n_moves + state.n_exchanges + state.n_buys + state.n_discards + state.n_expands
    state.options = state.n_draws + state.n_takes + money


@kernel
def hide_tiles(state, params, names):
    """Trucks that carry such tiles count as empty, and such tiles leave the barns of others."""
    trucks = state.middle & state.loaded
    while trucks != 0:
        truck = lowest(trucks)
        trucks &= trucks - 1
        if on_truck(state, truck) & names:
            state.loaded &= ~(1 << truck)
    for seat in range(params.players):
        if seat != state.seat:
            for tile in range(N_CLASSES):
                if names >> ITEM_OF[tile] & 1:
                    state.classes[seat * SEAT_STEP + BARN] &= ~(1 << tile)
    if state.n_buys:
        state.n_buys = count_buys(state, params, state.seat)


def _names() -> dict[str, str]:
    found = {species: f"to take a truck with {_article(species)} on it, or to buy one" for species in SPECIES}
    found |= {"stall": "to take a truck with a stall on it, or to buy one"}
    found |= {"coin": "to take a truck with a coin on it"}
    return found | {action: f"to {action}" for action in measures.ACTIONS} | _MONEY


def _article(species: str) -> str:
    return f"{'an' if species[0] in 'aeiou' else 'a'} {species}"


_MONEY = {
    "draw": "to draw a tile",
    "move": "to move a tile",
    "exchange": "to exchange animals",
    "buy": "to buy a tile from another barn",
    "discard": "to discard a tile",
    "expand": "to expand the zoo",
}


def absent(params: Any) -> tuple[str, ...]:
    """Actions and tiles that these rules leave out."""
    named = set(params.removed_species) | set(SPECIES[params.species_in_box :])
    tiles = (group for group in measures.absent_tiles(params) if group in ("stall", "coin"))
    return *measures.absent_actions(params), *tiles, *(species for species in SPECIES if species in named)


BANS = Bans(MappingProxyType(_names()), concerns, withhold, absent)
