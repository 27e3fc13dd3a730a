"""Zooloretto's state: actions, decisions, places and classes of tiles, the fields, and tables to look things up."""

import numpy as np

from balance.engine import state_dtype
from balance.games.zooloretto.params import (
    ENCLOSURES,
    MOST_COINS,
    MOST_COPIES,
    MOST_KINDS,
    MOST_SLOTS,
    MOST_SPECIES,
    MOST_STALLS,
    MOST_TRUCKS,
    SPECIES,
    STALL_KINDS,
)

# ---------------------------------------------------------------- actions (5.3)
DRAW, TAKE, EXPAND, LEAVE, LOAD, PLACE = 0, 1, 8, 9, 16, 32
DISCARD, MOVE, EXCHANGE, BUY = 128, 1024, 4096, 8192
MAX_ACTIONS = 1824
"""Room for the longest list (1817 codes, 5.2)."""
NOTHING = -1
"""No action: somebody has to decide first, or the game is over."""

# ---------------------------------------------------------------- decisions (5.2)
D1_TURN, D2_LOAD, D3_PLACE = 1, 2, 3
TURN_IS_OVER = 0

# ---------------------------------------------------------------- money actions, in the order of 2.6
MOVES, EXCHANGES, BUYS, DISCARDS, EXPANDS = range(5)
DRAWS, TAKES, MONEY, N_ACTIONS = 0, 1, 2, 7
"""What a turn can be used for; money action k is number MONEY + k of them."""
UNPAYABLE = 1 << 20

# ---------------------------------------------------------------- places (1.3) and classes of tiles (5.3)
PLACES = ("barn", *ENCLOSURES, "x1", "x2", "x3")
BARN, FIRST_EXPANSION, N_PLACES = 0, 4, len(PLACES)
SEATS, SEAT_STEP = 5, 8
"""What is kept for each place of each seat is at seat * SEAT_STEP + place."""
N_ANIMALS = 3 * MOST_SPECIES
N_CLASSES = N_ANIMALS + MOST_KINDS
COIN = N_CLASSES
CLASSES = (
    *(name for species in SPECIES for name in (species, f"{species}_m", f"{species}_f")),
    *STALL_KINDS,
    "coin",
)
"""Class 3s is the plain animal of species s, 3s + 1 its unbred male, 3s + 2 its unbred female; then the stalls."""
ANIMALS = (1 << N_ANIMALS) - 1
STALLS = (1 << N_CLASSES) - 1 - ANIMALS
FERTILE = ANIMALS - sum(1 << (3 * species) for species in range(MOST_SPECIES))
"""Sets of classes are bit masks; here all animals, all stalls, and all animals that can still breed."""
SPECIES_OF = np.array([min(tile, N_ANIMALS) // 3 for tile in range(N_CLASSES + 1)], dtype=np.int64)
KIN = np.array(
    [7 << (tile - tile % 3) if tile < N_ANIMALS else 0 for tile in range(N_CLASSES + 1)], dtype=np.int64
)
"""The classes of a tile's own species."""
MATE = np.array(
    [
        1 << (tile + 3 - 2 * (tile % 3)) if tile < N_ANIMALS and tile % 3 else 0
        for tile in range(N_CLASSES + 1)
    ],
    dtype=np.int64,
)
"""The class with which an animal breeds; none if it cannot."""

# ---------------------------------------------------------------- tiles by group, for counting
TILE_GROUPS = ("other animal", "fertile male", "fertile female", "stall", "coin")
GROUP_OF = np.array([tile % 3 if tile < N_ANIMALS else 3 for tile in range(N_CLASSES)] + [4], dtype=np.int64)

# ---------------------------------------------------------------- bounds for all parameters (5.2)
MOST_TILES = MOST_SPECIES * MOST_COPIES + MOST_KINDS * MOST_STALLS + MOST_COINS
MOST_SPACES = 10
MOST_PLIES = 800_000
CURVE_ROUNDS = 40
"""Rounds that the curve of standings shows; at the defaults a game has at most 33 (Z-73)."""
PUMPED = 3
"""More than so many fillings of one enclosure make a game pumped (3.1)."""

NEXT_SEAT = np.array(
    [
        next(
            (seat for step in range(1, SEATS + 1) for seat in [(last + step) % SEATS] if mask >> seat & 1), 0
        )
        for mask in range(1 << SEATS)
        for last in range(SEAT_STEP)
    ],
    dtype=np.int64,
)
"""NEXT_SEAT[mask * SEAT_STEP + last]: the first seat of `mask` clockwise after `last`, `last` itself coming last."""

# ---------------------------------------------------------------- what a tracer is told
DEALT, DRAWN, TAKEN, PLACED, BRED, FILLED, PAID, LEFT, REMOVED, ROUND_END = range(10)

_tile = np.int8
_number = np.int16
zooloretto_state = state_dtype(
    ("decision", np.int64),  # which of D-1 to D-3 is due, or TURN_IS_OVER
    ("options", np.int64),  # how many options it has
    ("n_moves", np.int64),  # of them, at D-1: how many of each kind
    ("n_exchanges", np.int64),
    ("n_buys", np.int64),
    ("n_discards", np.int64),
    ("n_expands", np.int64),
    ("n_takes", np.int64),
    ("n_draws", np.int64),
    ("bank", np.int64),
    ("start_seat", np.int64),  # of this round
    ("last_taker", np.int64),  # of this round
    ("in_round", np.int64),  # seats that have not left the round, as a bit mask
    ("is_last_round", np.int64),
    ("middle", np.int64),  # trucks in the middle, as a bit mask,
    ("loaded", np.int64),  # trucks that carry a tile,
    ("open", np.int64),  # trucks with load room
    ("stock_at", np.int64),  # how many tiles were drawn
    ("stock_size", np.int64),
    ("main_size", np.int64),
    ("drawn", np.int64),  # the tile to be loaded (D-2)
    ("slots_left", np.int64),  # slots of the truck taken that still carry a tile (D-3), as a bit mask
    ("rest", np.int64),  # the classes of the tiles that may be placed next
    ("removed", np.int64),  # species taken out, as a bit mask
    ("stale", np.int64),  # seats whose zoo has changed since its moves and exchanges were counted
    (
        "looks_anew",
        np.int64,
    ),  # D-1: whether the player on turn has something to pay with and his zoo is stale
    ("coins", np.int64, SEATS),
    ("expanded", np.int64, SEATS),  # boards turned up
    ("own_moves", np.int64, SEATS),  # moves and exchanges that the zoo allows, whatever they cost
    ("own_exchanges", np.int64, SEATS),
    ("stall_spaces_left", np.int64, SEATS),
    ("barn_stalls", np.int64, SEATS),  # stall tiles in the barn
    ("has_paid", np.int64, SEATS),  # places that have paid, as a bit mask
    ("classes", np.int64, SEATS * SEAT_STEP),  # classes of tiles in a place
    ("accept", np.int64, SEATS * SEAT_STEP),  # classes of tiles that may be placed there (Z-22 to Z-28)
    ("kin", np.int64, SEATS * SEAT_STEP),  # the classes of the species that lives in an enclosure, 0 if empty
    ("animals", np.int64, SEATS * SEAT_STEP),  # animals in a place
    ("count", _tile, (SEATS * SEAT_STEP, N_CLASSES)),  # tiles of each class
    ("step_at", np.int64, SEATS * SEAT_STEP),  # where in `steps` an enclosure stands (0: the barn)
    ("stalls_left", np.int64, SEATS * SEAT_STEP),  # free stall spaces of an enclosure
    ("empty", np.int64, SEATS),  # enclosures without animals, as a mask of places
    (
        "rooms",
        np.int64,
        (SEATS, MOST_SPECIES),
    ),  # by species: enclosures where it lives that have room, as a mask of places
    ("born", np.int64, MOST_SPECIES),  # offspring by species
    ("truck_size", np.int64, 8),
    ("truck_slots", np.int64, (8, 8)),  # the tiles on a truck in order of loading
    ("hand", np.int64, 8),  # the tiles of the truck that was taken
    ("stock", _tile, 320),
    # --- what measures count
    ("money_taken", np.int64, (SEATS, N_ACTIONS - MONEY)),
    ("money_in_round", np.int64, SEATS),
    ("most_money_in_round", np.int64),
    ("offered_actions", np.int64, N_ACTIONS),
    ("used_actions", np.int64, (SEATS, 2)),  # tiles drawn and trucks taken
    ("drawn_tiles", np.int64, len(TILE_GROUPS)),
    ("tiles_of", np.int64, (SEATS, len(TILE_GROUPS))),  # taken by a seat
    ("truck_counts", np.int64, (MOST_SLOTS + 1, 2)),  # by tiles: in the middle when one was taken, taken
    ("trucks_of", np.int64, (SEATS, MOST_SLOTS + 1)),
    ("tiles_lost", np.int64),
    ("spent", np.int64, SEATS),
    ("births", np.int64, SEATS),
    ("fills", _number, SEATS * SEAT_STEP),  # how often coins were due for an enclosure, up to PUMPED + 1
    ("standing", _number, (CURVE_ROUNDS, SEAT_STEP)),
)


def tables(params):
    """What kernels look up instead of working it out: prices, boards, points, trucks, the order of dealing."""
    spaces = (*params.enclosure_spaces, *[params.expansion_spaces] * 3)
    fill = (*params.enclosure_fill_coins, *[params.expansion_fill_coins] * 3)
    stalls = (*params.enclosure_stall_spaces, *[params.expansion_stall_spaces] * 3)
    room = [params.truck_capacity - blocked for blocked in params.truck_blocked]
    prices = [UNPAYABLE if price is None else price for price in params.prices()]
    by_choice = STALLS if params.stall_to_barn_by_choice else 0
    return {
        "spaces": np.array([0, *spaces], np.int64),
        "fill_coins": np.array([0, *fill], np.int64),
        "stall_spaces": np.array([0, *stalls], np.int64),
        "truck_room": np.array(room + [0] * (MOST_TRUCKS + 2 - len(room)), np.int64),
        "prices": np.array(prices, np.int64),
        "cheapest": np.int64(min(prices)),
        "litter": np.int64(params.offspring_per_species if params.offspring else 0),
        "may_leave": np.int64(ANIMALS | STALLS if params.move_scope == "any" else STALLS),
        "into_barn": np.int64(ANIMALS | by_choice),
        "by_choice": np.int64(by_choice),
        "traded": np.int64(ANIMALS if params.trade_kinds == "animals" else ANIMALS | STALLS),
        "named": np.int64(sum(1 << SPECIES.index(name) for name in params.removed_species)),
        "points": _points(params),
        "steps": _steps(params),
        **_stock(params),
    }


def _points(params):
    """Points of an enclosure by place, whether a stall belongs to it, and animals in it (Z-58, A-44, A-48)."""
    spaces = (*params.enclosure_spaces, *[params.expansion_spaces] * 3)
    high = (*params.enclosure_high, *[params.expansion_high] * 3)
    low = (*params.enclosure_low, *[params.expansion_low] * 3)
    points = np.zeros((N_PLACES, 2, MOST_SPACES + 1), np.int64)
    for place in range(1, N_PLACES):
        most = spaces[place - 1]
        for animals in range(1, most + 1):
            partial = params.partial_points * animals
            points[place, :, animals] = (0, partial)
            if animals == most - 1:
                points[place, :, animals] = low[place - 1]
        points[place, :, most] = high[place - 1]
    return points


HOUSED, CROWDED, EARNED, SHELTERED, POINTS = 0, 8, 16, 24, 32
"""What tiles do to a zoo, as a sum of words: how many animals find a home, how many end in the barn, coins, stalls
with a space of their own (a byte each), and points, which may be negative (the rest)."""
STEPS = MOST_SPACES + MOST_SLOTS + 1
"""Room in `steps` for one place: from no animal to more than fit."""
MATED = 4 * N_PLACES * STEPS


def _steps(params):
    """What one more animal does to a place, at (4 * place + 2 * whether it has a stall + new) * STEPS + animals.

    New: whether its species is new in the place, which matters in the barn. From MATED on the same with an offspring.
    """
    points, spaces = _points(params), (*params.enclosure_spaces, *[params.expansion_spaces] * 3)
    fill = (*params.enclosure_fill_coins, *[params.expansion_fill_coins] * 3)
    steps = np.full((N_PLACES, 2, 2, STEPS + 1), 1 << CROWDED, np.int64)
    steps[BARN, :, 1, 0] -= params.barn_species_penalty << POINTS
    for place, (most, coins) in enumerate(zip(spaces, fill, strict=True), start=1):
        gains = np.diff(points[place])[:, np.newaxis, :most]
        steps[place, :, :, :most] = (gains << POINTS) + (1 << HOUSED)
        steps[place, :, :, most - 1] += coins << EARNED
    mated = steps + np.roll(steps, -1, 3)
    mated[BARN] = steps[BARN]
    return np.stack((steps, mated))[..., :STEPS].reshape(-1)


def _stock(params):
    """The tiles of the box in the order of dealing: class of each, species bit (0 for stalls and coins), address."""
    tiles = sorted(_tiles(params))
    table = np.zeros((3, MOST_TILES), np.int64)
    for at, (_, address, tile) in enumerate(tiles):
        table[:, at] = tile, 1 << SPECIES_OF[tile] if tile < N_ANIMALS else 0, address
    return {"box_size": np.int64(len(tiles)), "box": table}


def _tiles(params):
    """Each tile with its rank (tiles that variants add come last), its number in the universe, and its class."""
    plain = params.animals_per_species - params.fertile_males - params.fertile_females
    sexes = [1] * params.fertile_males + [2] * params.fertile_females + [0] * plain
    for species in range(params.species_in_box):
        for copy, sex in enumerate(sexes):
            yield copy, species * MOST_COPIES + copy, 3 * species + sex
    first = MOST_SPECIES * MOST_COPIES
    for kind in range(params.stall_kinds):
        for copy in range(params.stalls_per_kind):
            yield copy, first + kind * MOST_STALLS + copy, N_ANIMALS + kind
    first += MOST_KINDS * MOST_STALLS
    for copy in range(params.coin_tiles):
        yield copy, first + copy, COIN
