"""One game played step by step in plain Python: what the loop does, written a second time as it is described."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from balance.engine.records import actions_dtype, new_record, params_record, row_dtype, weights_records
from balance.engine.rng import aim, rng_dtype, seed_policies, seed_table
from balance.game import Game, GameParams, Policy


class Played:
    """Game `number` of a run: its row by column, and its measures."""

    def __init__(
        self,
        game: Game,
        params: GameParams,
        slots: Sequence[Policy],
        rotations: int,
        seed: int,
        number: int,
        most: int | None = None,
    ) -> None:
        self.game, self.players = game, params.players
        self.params = params_record(game, params)
        self.state, self.measured = new_record(game.state_dtype), new_record(row_dtype(game))
        block, rotation = divmod(number, rotations)
        with np.errstate(over="ignore"):
            plies = self._play(slots, rotation, seed, block, most or game.bounds.plies)
        self._finish(plies)

    def _play(self, slots: Sequence[Policy], rotation: int, seed: int, block: int, most: int) -> int:
        table, noise, actions = (
            new_record(rng_dtype),
            new_record(rng_dtype),
            new_record(actions_dtype(self.game)),
        )
        seed_table(table, np.uint64(seed), block)
        seed_policies(noise, table)
        weights = weights_records(slots, self.game.policies)
        state, plies, step, moment = self.state, 0, 0, (-1, -1)
        self.game.setup(state, self.params, table)
        while not state.over and plies < most:
            here = (int(state.round_number), int(state.turn))
            step = step + 1 if here == moment else 0
            moment = here
            slot = (int(state.seat) + rotation) % self.players
            aim(noise, 1 + slot, *here, step)
            action = slots[slot].choose(state, self.params, weights[slot], noise, actions)
            self.game.apply_action(state, self.params, action, table)
            plies += 1
        return plies

    def _finish(self, plies: int) -> None:
        seats = range(self.players)
        scores = [int(self.game.score(self.state, self.params, seat)) for seat in seats]
        breaks = [int(self.game.tiebreak(self.state, self.params, seat)) for seat in seats]
        standings = list(zip(scores, breaks, strict=True))
        ranks = [1 + sum(other > own for other in standings) for own in standings]
        shares = [60 // ranks.count(1) if rank == 1 else 0 for rank in ranks]
        self.game.measure(self.state, self.params, np.array(shares), self.measured)
        self.row = {
            "ended": 0 if self.state.over else 1,
            "turns": int(self.state.turns),
            "rounds": int(self.state.round_number),
            "plies": plies,
        }
        for name, values in (("score", scores), ("rank", ranks), ("win_share", shares)):
            self.row |= {f"{name}_{seat}": values[seat] for seat in seats}
        for measure in self.game.measures:
            if measure.kind == "game":
                self.row[measure.id] = int(self.measured[measure.id])
            elif measure.kind == "seat":
                self.row |= {f"{measure.id}_{seat}": int(self.measured[measure.id][seat]) for seat in seats}

    def sums(self) -> dict[str, np.ndarray[Any, Any]]:
        """Its curves and counters."""
        kinds = ("curve", "counter")
        names = [measure.id for measure in self.game.measures if measure.kind in kinds]
        return {name: np.array(self.measured[name]) for name in names}
