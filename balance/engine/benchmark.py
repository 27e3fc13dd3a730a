"""How fast a game is played, beside a yardstick: one draw that waits for the draw before it, in the same process."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from balance.engine.kernels import compiled, kernel
from balance.engine.playing import Buffers, Loop, Table
from balance.engine.rng import draw_at
from balance.game import Game, GameParams, Policy

DRAWS = 2_000_000
_WARM_UP = 200


@dataclass(frozen=True)
class Speed:
    """Games per second of one thread, the yardstick measured right before and after it, and how much threads gain."""

    policies: tuple[str, ...]
    games_per_second: float
    draw_nanoseconds: float
    two_threads: float


@kernel
def dependent_draws(n):
    """A chain of draws, each at an address that depends on the one before."""
    last = np.uint64(1)
    for _ in range(n):
        last = draw_at(last, np.uint64(2), last)
    return last


def calibration() -> Callable[[], float]:
    """A function that measures the nanoseconds of one dependent draw."""
    from numba import int64

    chain = compiled(dependent_draws, "calibration", (int64,))

    def nanoseconds() -> float:
        started = time.process_time()
        chain(DRAWS)
        return (time.process_time() - started) / DRAWS * 1e9

    nanoseconds()
    return nanoseconds


def speed_of(
    game: Game, params: GameParams, lineups: Sequence[tuple[Policy, ...]], seconds: float
) -> list[Speed]:
    """The speed of each line-up (one policy for each seat): the best of several rounds, of CPU time."""
    loop = Loop(game, game.policies, params)
    loop.compile()
    yardstick = calibration()
    return [_speed(loop, Table(game, params, lineup, 1), yardstick, seconds) for lineup in lineups]


def _speed(loop: Loop, table: Table, yardstick: Callable[[], float], seconds: float) -> Speed:
    count = _games_for(loop, table, seconds / 10)
    rates, draws, gains = [], [], []
    for _ in range(5):
        draws.append(yardstick())
        alone = _in_parallel(loop, table, count, 1)
        rates.append(count / alone.cpu)
        gains.append(2 * alone.wall / _in_parallel(loop, table, count, 2).wall)
    names = tuple(policy.id for policy in table.policies)
    return Speed(names, max(rates), min(draws), max(gains))


def _games_for(loop: Loop, table: Table, seconds: float) -> int:
    """How many games take about so long."""
    _in_parallel(loop, table, _WARM_UP, 1)
    taken = _in_parallel(loop, table, _WARM_UP, 1).wall
    return max(_WARM_UP, int(_WARM_UP * seconds / taken))


@dataclass(frozen=True)
class _Taken:
    wall: float
    cpu: float


def _in_parallel(loop: Loop, table: Table, count: int, threads: int) -> _Taken:
    """The time in which each of some threads plays `count` games."""
    workers = [
        threading.Thread(target=loop.play, args=(table, 1, 0, count, Buffers(table.game), loop.new_sums()))
        for _ in range(threads)
    ]
    wall, cpu = time.perf_counter(), time.process_time()
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return _Taken(time.perf_counter() - wall, time.process_time() - cpu)
