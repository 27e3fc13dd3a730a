"""Compiled games of the kit; one that stops is played again in plain Python, which tells the line and the index."""

from __future__ import annotations

from typing import Any

import numpy as np

from balance.engine import playout
from balance.engine.faults import PlayError, failed_kernel
from balance.engine.plain import blank, plain, plain_kernel, plain_params
from balance.engine.playing import Buffers, Loop, Table, bindings, new_marks
from balance.engine.records import actions_dtype
from balance.engine.rng import rng_dtype

Rows = np.ndarray[Any, Any]


def played(loop: Loop, table: Table, seed: int, first: int, count: int, sums: Any = None) -> Rows:
    """The rows of these games; PlayError where one of them cannot be played on."""
    try:
        sums = loop.new_sums() if sums is None else sums
        return loop.play(table, seed, first, count, Buffers(table.game), sums)
    except PlayError as error:
        if error.game is None:
            raise
        raise _again(table, seed, error.game) or error from error


def _again(table: Table, seed: int, number: int) -> PlayError | None:
    """What stops this game in plain Python; None where nothing does."""
    game, (block, rotation) = table.game, divmod(number, table.rotations)
    play_one: Any = plain_kernel(playout.play_one, bindings(game, ()))
    buffers = [*(blank(dtype) for dtype in (rng_dtype, rng_dtype, actions_dtype(game))), new_marks(), 0]
    weights = [plain(weights) for weights in table.weights]
    state, params, kinds = blank(game.state_dtype), plain_params(game, table.params), table.kinds.tolist()
    try:
        play_one(state, params, np.uint64(seed), block, rotation, 0, kinds, weights, *buffers)
    except Exception as error:
        return failed_kernel(game.title, number, error)
    return None
