"""The rows of games as parquet files: one row for each game, so that any one of them can be found again.

Columns: game, block and rotation; how it `ended` ("rules", or "limit" where it had to be stopped); turns,
rounds and plies; by seat the score, the rank (1 is best) and the share of the win in sixtieths; the policy
that held each seat; then the game's measures. Numbers are signed, so that differences may be taken.
"""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from balance.engine.playing import columns
from balance.experiment.plan import PlannedCell
from balance.game import Game

ENDED = ("rules", "limit")
"""How a game ended, by the code that the engine gives it."""


def as_parquet(game: Game, cell: PlannedCell, first: int, rows: np.ndarray[Any, Any]) -> bytes:
    """The file that holds these games, the first of which has the number `first`; equal rows, equal bytes."""
    content = io.BytesIO()
    table = frame(game, cell, first, rows)
    table.write_parquet(
        content, compression="zstd", compression_level=1, statistics=False, row_group_size=table.height
    )
    return content.getvalue()


def frame(game: Game, cell: PlannedCell, first: int, rows: np.ndarray[Any, Any]) -> Any:
    """The games as a polars data frame."""
    import polars

    numbers = np.arange(first, first + rows.shape[1])
    blocks, rotations = np.divmod(numbers, cell.rotations)
    named = dict(zip(columns(game, cell.players), rows, strict=True))
    endings = polars.Series(ENDED, dtype=polars.Enum(ENDED))
    sides = polars.Series(cell.sides, dtype=polars.Enum(cell.sides))
    codes = np.array([cell.sides.index(slot) for slot in cell.slots])
    found: dict[str, Any] = {"game": numbers, "block": blocks, "rotation": rotations.astype(np.int32)}
    found["ended"] = endings.gather(named.pop("ended"))
    found |= {name: named.pop(name) for name in list(named)[: 3 + 3 * cell.players]}
    for seat in range(cell.players):
        found[f"policy_{seat}"] = sides.gather(codes[(seat + rotations) % cell.players])
    return polars.DataFrame(found | named)
