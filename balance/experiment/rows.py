"""The rows of games as parquet files: one row for each game, so that any one of them can be found again.

Columns: game, block and rotation; how it `ended` ("rules", "void" where the rules make it so, or "limit" at a cap, that
of the rules or where it had to be stopped); turns, rounds and plies; by seat the score, the rank (1 is best) and the
share of the win in sixtieths (all three null in a void game); the policy that held each seat; then the game's
measures. Numbers are signed, so that differences may be taken.
"""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Any

import numpy as np

from balance.engine.playing import columns
from balance.engine.playout import VOID
from balance.experiment.plan import PlannedCell
from balance.game import Game

_ENDS = b"PAR1"
"""The first and the last bytes of every parquet file."""
ENDED = ("rules", "limit", "void")
"""How a game ended, by the code that the engine gives it."""


def as_parquet(game: Game, cell: PlannedCell, first: int, rows: np.ndarray[Any, Any]) -> bytes:
    """The file that holds these games, the first of which has the number `first`; equal rows, equal bytes."""
    content = io.BytesIO()
    table = frame(game, cell, first, rows)
    table.write_parquet(
        content, compression="zstd", compression_level=1, statistics=False, row_group_size=table.height
    )
    return content.getvalue()


def is_whole(path: Path) -> bool:
    """Whether a file of rows is there and has both its ends; one that was cut short has not."""
    try:
        with open(path, "rb") as file:
            begin, _ = file.read(len(_ENDS)), file.seek(-len(_ENDS), os.SEEK_END)
            return begin == file.read() == _ENDS
    except OSError:
        return False


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
    ended = named.pop("ended")
    found["ended"] = endings.gather(ended)
    found |= {name: named.pop(name) for name in list(named)[:3]}
    void = polars.Series(ended == VOID)
    for name in list(named)[: 3 * cell.players]:
        values = polars.Series(named.pop(name))
        found[name] = values.set(void, None) if void.any() else values
    for seat in range(cell.players):
        found[f"policy_{seat}"] = sides.gather(codes[(seat + rotations) % cell.players])
    return polars.DataFrame(found | named)
