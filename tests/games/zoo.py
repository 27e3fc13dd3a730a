"""What the tests of Zooloretto share: the loop compiled once, games watched in plain Python, tiles counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np

from balance.engine import playout
from balance.engine.plain import blank, plain_kernel
from balance.engine.playing import Buffers, Loop, Table, columns
from balance.engine.records import row_dtype
from balance.game import Policy
from balance.games.zooloretto import GAME
from balance.games.zooloretto.layout import CLASSES, COIN, N_ANIMALS, N_CLASSES, SEAT_STEP
from balance.games.zooloretto.params import ZoolorettoParams

RANDOM, GREEDY = GAME.policy("random"), GAME.policy("greedy")
PLAYERS = list(GAME.players)


@cache
def loop() -> Loop:
    """The compiled loop; one binary serves every number of players, all rules and all policies."""
    found = Loop(GAME, GAME.policies, ZoolorettoParams.resolve(4))
    found.compile()
    return found


def play(
    params: ZoolorettoParams,
    line_up: Sequence[Policy],
    games: int,
    seed: int = 1,
    rotations: int = 1,
    sums: np.ndarray | None = None,
) -> dict[str, np.ndarray]:
    """The rows of compiled games by column."""
    table = Table(GAME, params, tuple(line_up), rotations)
    sums = loop().new_sums() if sums is None else sums
    rows = loop().play(table, seed, 0, games, Buffers(GAME), sums)
    return dict(zip(columns(GAME, params.players), rows, strict=True))


def ending(bind: Any) -> tuple[Any, Any]:
    """The kernels that rank and measure, in plain Python."""
    return plain_kernel(playout.rank_seats, bind), plain_kernel(GAME.measure, bind)


def last_row(state: Any, record: Any, players: int, kernels: tuple[Any, Any]) -> dict[str, int]:
    """What a tracer reads off the row of a game that is over; `kernels` are those of `ending`."""
    rank_seats, measure = kernels
    ranking: dict[tuple[int, int], int] = {}
    rank_seats(state, record, ranking)
    measured, seats = blank(row_dtype(GAME)), range(players)
    measure(state, record, {seat: ranking[2, seat] for seat in seats}, measured)
    faces = ("score", "rank", "win_share")
    row = {f"{face}_{seat}": ranking[at, seat] for at, face in enumerate(faces) for seat in seats}
    return row | {f"stalls_{seat}": measured.stalls[seat] for seat in seats}


def everywhere(rows: dict[str, np.ndarray], name: str) -> np.ndarray:
    """A seat's column for all seats, as [seat, game]."""
    players = sum(column.startswith("rank_") for column in rows)
    return np.array([rows[f"{name}_{seat}"] for seat in range(players)])


def places(state: Any, seat: int) -> Iterator[tuple[int, int]]:
    """Each place of a zoo that there is, with where its numbers are kept."""
    for place in range(4 + state.expanded[seat]):
        yield place, seat * SEAT_STEP + place


def tiles_in(state: Any, at: int) -> Counter[int]:
    """The tiles of a place by class."""
    return Counter({tile: state.count[at, tile] for tile in range(N_CLASSES) if state.count[at, tile]})


def in_zoos(state: Any, players: int) -> Counter[int]:
    """The tiles of all zoos by class."""
    found: Counter[int] = Counter()
    for seat in range(players):
        for _, at in places(state, seat):
            found += tiles_in(state, at)
    return found


def on_trucks(state: Any) -> Counter[int]:
    """The tiles on all trucks."""
    return Counter(
        state.truck_slots[truck, slot] for truck in range(6) for slot in range(state.truck_size[truck])
    )


def in_stock(state: Any) -> Counter[int]:
    """The tiles not yet drawn."""
    return Counter(state.stock[at] for at in range(state.stock_at, state.stock_size))


def animals(tiles: Counter[int]) -> int:
    """How many of some tiles are animals."""
    return sum(number for tile, number in tiles.items() if tile < N_ANIMALS)


def stalls(tiles: Counter[int]) -> int:
    """How many of some tiles are stalls."""
    return sum(number for tile, number in tiles.items() if N_ANIMALS <= tile < COIN)


def named(tiles: Counter[int]) -> dict[str, int]:
    """Tiles by name."""
    return {CLASSES[tile]: number for tile, number in tiles.items()}
