"""Random numbers of a watched game: every aim and every draw is looked at before it is made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from balance.engine import rng
from balance.engine.kernels import Bindings
from balance.engine.plain import plain_kernel

FIELDS = (
    ("stream", rng.STREAM_BITS),
    ("round", rng.ROUND_BITS),
    ("turn", rng.TURN_BITS),
    ("step", rng.STEP_BITS),
)


class Draws:
    """Stands in the place of the engine's `aim`, `moment_of` and `draw`; what is wrong is told to `say`."""

    def __init__(self, say: Callable[[str, str], None]) -> None:
        self._say = say
        self._draw_at: Any = plain_kernel(rng.draw_at)
        self._moment: Any = plain_kernel(rng.moment_of)
        self.bind: Bindings = [(rng.draw, self._draw), (rng.moment_of, self._moment_of), (rng.aim, self._aim)]
        self.begin(None)

    def begin(self, table: Any) -> None:
        """A game begins, whose rolls and shuffles are drawn from `table`."""
        self._table, self._drawn, self._action = table, dict[int, int](), 0
        self._is_aimed = False
        self.muted, self.choosing = False, ""

    def next_action(self) -> None:
        """What follows belongs to another action."""
        self._action += 1
        self._is_aimed = False

    def _moment_of(self, stream: int, round_number: int, turn: int, step: int) -> Any:
        for (name, bits), value in zip(FIELDS, (stream, round_number, turn, step), strict=True):
            if not 0 <= value < 2**bits:
                self._tell(f"The {name} of an address is {value}; it must be from 0 to {2**bits - 1}.")
        return self._moment(stream, round_number, turn, step)

    def _aim(self, numbers: Any, stream: int, round_number: int, turn: int, step: int) -> None:
        if self.choosing:
            self._tell(f"{self.choosing} calls aim; the numbers of a policy are aimed already.")
        elif numbers is self._table:
            self._is_aimed = True
            if stream != 0:
                self._tell(
                    f"The rules aim at stream {stream}; the second argument of their aim is 0, the table."
                )
        numbers.moment = self._moment_of(stream, round_number, turn, step)

    def _draw(self, numbers: Any, word: int) -> Any:
        if not 0 <= word < 2**rng.WORD_BITS:
            self._tell(f"The word of an address is {word}; it must be from 0 to {2**rng.WORD_BITS - 1}.")
        if numbers is self._table and not self.muted:
            self._look_at(int(numbers.moment) + int(word))
        with np.errstate(over="ignore"):
            return self._draw_at(numbers.key_1, numbers.key_2, numbers.moment + np.uint64(word))

    def _look_at(self, address: int) -> None:
        """A number of the table must be aimed at in the setup or action that draws it, and be drawn once."""
        if not self._is_aimed:
            self._tell("The rules draw before they call aim, in setup or in one action.")
        earlier = self._drawn.get(address)
        if earlier == self._action:
            self._tell("One action draws the same number twice; give each draw a word or a step of its own.")
        elif earlier is not None:
            self._tell("The table draws one number for two actions; aim at each anew.")
        self._drawn[address] = self._action

    def _tell(self, sentence: str) -> None:
        self._say("random numbers", sentence)
