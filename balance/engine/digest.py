"""The digest of fixed games: what tells at a glance whether two machines, or two versions, play the same games."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable

import numpy as np

from balance.engine.playing import Buffers, Loop, Table

_CHUNK_SECONDS = 0.05


def games_digest(
    loop: Loop, table: Table, seed: int, count: int, go_on: Callable[[], bool] = lambda: True
) -> str:
    """The sha256 over the rows and sums of games 0 to `count` - 1 (whole blocks), as 64 hex digits.

    The loop must be compiled or interpreted. '' as soon as `go_on`, asked several times a second, says no.
    """
    buffers, sums = Buffers(table.game), loop.new_sums()
    rows: list[np.ndarray] = []
    done, size = 0, table.rotations
    while done < count:
        if not go_on():
            return ""
        started = time.perf_counter()
        rows.append(loop.play(table, seed, done, min(size, count - done), buffers, sums))
        done += rows[-1].shape[1]
        if time.perf_counter() - started < _CHUNK_SECONDS:
            size *= 2
    digest = hashlib.sha256(np.concatenate(rows, axis=1).astype("<i4").tobytes())
    digest.update(sums.astype("<i8").tobytes())
    return digest.hexdigest()
