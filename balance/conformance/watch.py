"""Games in plain Python, watched: every decision, every random number, every measure that is written."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from balance.conformance.facts import KERNELS
from balance.conformance.violation import Violation
from balance.engine import playout, rng, trace
from balance.engine.faults import failing, said
from balance.engine.plain import blank, copied, plain, plain_kernel, plain_params
from balance.engine.playing import Table, bindings, columns
from balance.engine.records import HEADER, actions_dtype, row_dtype
from balance.game import COUNTER_FACES, MAX_SEATS, Game, GameParams, Policy

SEED = 1
FIELDS = (
    ("stream", rng.STREAM_BITS),
    ("round", rng.ROUND_BITS),
    ("turn", rng.TURN_BITS),
    ("step", rng.STEP_BITS),
)
UNFILLED = -(2**40)
"""What stands in a list of actions that nobody has filled."""
_PLAYED_ON_BEFORE = 40
"""One of the first so many decisions of a game is also played on from what the seat can see."""


def line_up(game: Game, players: int, number: int) -> list[Policy]:
    """The policies of game `number`: all of the game's, taking turns."""
    return [game.policies[(number + slot) % len(game.policies)] for slot in range(players)]


class Row:
    """A row of measures that remembers which of its cells were written."""

    written: set[tuple[Any, ...]]

    def __init__(self, dtype: np.dtype[Any]) -> None:
        fields, zeroed = self.__dict__, blank(dtype)
        fields["written"] = set()
        for name in dtype.names or ():
            value = getattr(zeroed, name)
            fields[name] = _Cells(name, value, self.written) if type(value) is dict else value

    def __setattr__(self, name: str, value: int) -> None:
        """Write a measure of one number."""
        if name not in self.__dict__:
            raise AttributeError(f"there is no measure {name}")
        self.written.add((name,))
        self.__dict__[name] = value

    def words(self) -> list[int]:
        """All values in a row, as in memory."""
        values = [value for name, value in self.__dict__.items() if name != "written"]
        return [word for value in values for word in (value.values() if isinstance(value, dict) else [value])]


class _Cells(dict[Any, int]):
    def __init__(self, name: str, cells: Mapping[Any, int], written: set[tuple[Any, ...]]) -> None:
        super().__init__(cells)
        self._name, self._written = name, written

    def __setitem__(self, key: Any, value: int) -> None:
        if key not in self:
            raise KeyError(key)
        self._written.add((self._name, key))
        super().__setitem__(key, value)


class Watch:
    """Plays games with all policies; what is wrong gathers in `found`."""

    def __init__(self, game: Game, chance: random.Random) -> None:
        self.game, self._chance = game, chance
        self.found: list[Violation] = []
        self._written: set[tuple[Any, ...]] = set()
        bind = [*bindings(game, ()), (rng.draw, self._draw), (rng.moment_of, self._moment_of)]
        bind += [(trace.note, self._note), (trace.TRACE, np.int64(game.tracer is not None))]
        self._draw_at: Any = plain_kernel(rng.draw_at)
        self._moment: Any = plain_kernel(rng.moment_of)
        self._kernels: dict[str, Any] = {name: plain_kernel(getattr(game, name), bind) for name in KERNELS}
        self._choose = [plain_kernel(policy.choose, bind) for policy in game.policies]
        self._play_one: Any = plain_kernel(playout.play_one, [*bind, (playout.choose, self._decide)])
        self._rank_seats: Any = plain_kernel(playout.rank_seats, bind)
        self._write_row: Any = plain_kernel(playout.write_row, bind)
        smallest = Table(game, game.Params.resolve(game.players[0]), game.policies, 1)
        self._weights = [plain(weights) for weights in smallest.weights]
        self._sizes = _sizes(blank(game.state_dtype))

    def _say(self, rule: str, sentence: str) -> None:
        self.found.append(Violation(rule, f"{sentence} [{self._where}]"))

    # ---------------------------------------------------------------- one game

    def play(self, params: GameParams, number: int) -> dict[str, int]:
        """Game `number` by these rules; returns its row, which is empty when a kernel failed."""
        official = type(params).resolve(params.players)
        changed = [f"{name} {value}" for name, value in params if value != getattr(official, name)]
        self._where = ", ".join([f"{params.players} players", *changed])
        slots = line_up(self.game, params.players, number)
        tracer = self._tracer(params, number, slots)
        self._listener: Callable[..., None] | None = tracer
        self._muted, self._ply, self._last = False, 0, (0, 0)
        self._play_on_at = self._chance.randrange(_PLAYED_ON_BEFORE)
        self._params, self._table = plain_params(self.game, params), blank(rng.rng_dtype)
        self._drawn: dict[int, int] = {}
        try:
            row = self._row(*self._whole_game(slots, number))
            if tracer is not None:
                tracer.finish(self._state, row)
                self._tell(tracer.events)
        except Exception as error:
            self._say("runs", f"{failing(error)} failed with {said(error)}.")
            return {}
        return row

    def _tracer(self, params: GameParams, number: int, slots: Sequence[Policy]) -> Any:
        if self.game.tracer is None:
            return None
        return self.game.tracer(params, number, SEED, [policy.id for policy in slots])

    def _whole_game(self, slots: Sequence[Policy], number: int) -> tuple[Any, int]:
        game = self.game
        self._state, noise, actions = (
            blank(dtype) for dtype in (game.state_dtype, rng.rng_dtype, actions_dtype(game))
        )
        kinds = [game.policies.index(policy) for policy in slots]
        weights = [self._weights[kind] for kind in kinds]
        seed = np.uint64(SEED)
        plies = self._play_one(
            self._state, self._params, seed, number, 0, kinds, weights, self._table, noise, actions
        )
        if not self._state.over:
            self._say("ends", f"The game is not over after {plies} plies, the most by its bounds.")
        return self._state, plies

    def _row(self, state: Any, plies: int) -> dict[str, int]:
        """The row as the loop writes it."""
        players = self._params.players
        ranking: dict[tuple[int, int], int] = {}
        self._rank_seats(state, self._params, ranking)
        measured = Row(row_dtype(self.game))
        shares = {seat: ranking[2, seat] for seat in range(players)}
        self._kernels["measure"](state, self._params, shares, measured)
        self._written |= measured.written
        rows: dict[tuple[int, int], int] = {}
        self._write_row(rows, 0, state, self._params, plies, ranking, measured.words())
        return {name: int(rows[at, 0]) for at, name in enumerate(columns(self.game, players))}

    # ---------------------------------------------------------------- random numbers and traces

    def _moment_of(self, stream: int, round_number: int, turn: int, step: int) -> Any:
        for (name, bits), value in zip(FIELDS, (stream, round_number, turn, step), strict=True):
            if not 0 <= value < 2**bits:
                sentence = f"The {name} of an address is {value}; it must be from 0 to {2**bits - 1}."
                self._say("random numbers", sentence)
        return self._moment(stream, round_number, turn, step)

    def _draw(self, numbers: Any, word: int) -> Any:
        if not 0 <= word < 2**rng.WORD_BITS:
            sentence = f"The word of an address is {word}; it must be from 0 to {2**rng.WORD_BITS - 1}."
            self._say("random numbers", sentence)
        if numbers is self._table and not self._muted:
            address = int(numbers.moment) + int(word)
            if self._drawn.setdefault(address, self._ply) != self._ply:
                self._say("random numbers", "The table draws one number for two actions; aim at each anew.")
        with np.errstate(over="ignore"):
            return self._draw_at(numbers.key_1, numbers.key_2, numbers.moment + np.uint64(word))

    def _note(self, *told: Any) -> None:
        if self._listener is not None and not self._muted:
            self._listener(*told)

    def _tell(self, events: Sequence[dict[str, Any]]) -> None:
        lines = self.game.narrate(events) if self.game.narrate else ["-"]
        if not events or not lines or not all(isinstance(line, str) for line in lines):
            self._say("traces", "A trace has no events, or the log has no lines of text.")

    # ---------------------------------------------------------------- one decision

    def _decide(self, kind: int, state: Any, params: Any, _weights: Any, noise: Any, actions: Any) -> int:
        """Called in the place of the policy: looks at everything that is due, then chooses."""
        self._muted = True
        before = copied(state)
        self._look_at_the_moment(state, params)
        options = self._options(state, params, actions)
        for seat in range(params.players):
            self._kernels["score"](state, params, seat)
            self._kernels["tiebreak"](state, params, seat)
        self._same(before, state, "state", "legal_actions, score or tiebreak changed")
        chosen = [self._ask(which, state, noise, actions) for which in range(len(self._choose))]
        for which, action in enumerate(chosen):
            if action not in options:
                self._say_illegal(which, action, options)
        self._same(before, state, "policies", "A policy changed")
        if self._ply % 2 == 0 or self._ply == self._play_on_at:
            self._look_behind(state, noise, actions, options, chosen)
        self._apply_twice(state, chosen[kind])
        self._same(before, state, "copies", "Something done to a copy changed")
        self._muted, self._ply = False, self._ply + 1
        return chosen[kind]

    def _ask(self, which: int, state: Any, noise: Any, actions: Any) -> int:
        """What a policy chooses, with the noise of this moment, from a list that it has to fill itself."""
        choose, weights, unfilled = self._choose[which], self._weights[which], copied(actions)
        unfilled.code = dict.fromkeys(actions.code, UNFILLED)
        return int(choose(state, self._params, weights, copied(noise), unfilled))

    def _say_illegal(self, which: int, action: int, options: list[int]) -> None:
        name = self.game.policies[which].id
        if action == UNFILLED:
            sentence = f"{name} takes from the list of actions what it has not put there by legal_actions."
            self._say("leftovers", sentence)
        else:
            self._say("policies", f"{name} chose {action}, which is not among the options {options}.")

    def _same(self, one: Any, other: Any, rule: str, what: str) -> None:
        for name in one.__slots__:
            if getattr(one, name) != getattr(other, name):
                self._say(rule, f'{what} the field "{name}" of the state.')

    def _look_at_the_moment(self, state: Any, params: Any) -> None:
        if not 0 <= state.seat < params.players:
            self._say("seat", f"Seat {state.seat} is to act.")
        now = (state.round_number, state.turn)
        if now < self._last:
            self._say("moments", f"Round and turn went back from {self._last} to {now}: noise repeats.")
        self._last = now
        turns = max(state.turns, state.turn)
        for name, value in (("rounds", state.round_number + 1), ("turns", turns), ("steps", state.step + 1)):
            if value > getattr(self.game.bounds, name):
                self._say("bounds", f'There are {value} {name}, more than the bound "{name}".')
        for name, size in _sizes(state).items():
            if size != self._sizes[name]:
                self._say("runs", f'Something was written outside of the field "{name}" of the state.')

    def _options(self, state: Any, params: Any, actions: Any) -> list[int]:
        """The legal actions, checked."""
        room = self.game.bounds.actions
        n = int(self._kernels["legal_actions"](state, params, actions))
        options = [int(actions.code[at]) for at in range(min(n, room))]
        if not 2 <= n <= room or len(actions.code) != room:
            self._say("legal actions", f"There are {n} options; there must be 2 to {room}, the bound.")
        if options != sorted(set(options)) or min(options, default=0) < 0:
            self._say("legal actions", f"The options {options} are not ascending, unique and from 0.")
        return options

    def _apply_twice(self, state: Any, action: int) -> None:
        """The same action on two copies must give the same."""
        first, second = copied(state), copied(state)
        for one in (first, second):
            self._kernels["apply_action"](one, self._params, action, copied(self._table))
        self._same(first, second, "repeatable", "The same action, done twice, gave other values in")

    def _look_behind(
        self, state: Any, noise: Any, actions: Any, options: list[int], chosen: list[int]
    ) -> None:
        """With what the seat cannot see redealt, options and choices must stay the same."""
        other, numbers = copied(state), blank(rng.rng_dtype)
        numbers.key_1, numbers.key_2 = (np.uint64(self._chance.getrandbits(64)) for _ in range(2))
        self._kernels["determinize"](other, self._params, state.seat, numbers)
        for name in HEADER:
            if getattr(other, name) != getattr(state, name):
                self._say("determinize", f'It changed "{name}", which everybody knows.')
        redealt = copied(actions)
        if self._options(other, self._params, redealt) != options:
            self._say("determinize", "The options of the seat changed with what it cannot see.")
        for which, policy in enumerate(self.game.policies):
            if self._ask(which, other, noise, redealt) != chosen[which]:
                self._say("honesty", f"{policy.id} chose otherwise when only what it cannot see differed.")
        if self._ply == self._play_on_at:
            self._play_on(other, redealt)

    def _play_on(self, state: Any, actions: Any) -> None:
        """What a seat imagines must be a game that can be played to its end."""
        table, left = copied(self._table), self.game.bounds.plies
        while not state.over and left:
            options = self._options(state, self._params, actions)
            self._kernels["apply_action"](state, self._params, self._chance.choice(options), table)
            left -= 1
        if not state.over:
            self._say("determinize", "A game played on from what a seat can see does not end.")

    # ---------------------------------------------------------------- measures

    def unwritten(self) -> Iterator[Violation]:
        """What no game wrote: a measure, a seat of it, a round of a curve, an item of a counter."""
        for what, cells in _to_be_written(self.game, self._written):
            if not self._written.intersection(cells):
                yield Violation("measures", f"No game ever wrote {what}.")


def _sizes(record: Any) -> dict[str, int]:
    """How many cells each array of a record has."""
    values = ((name, getattr(record, name)) for name in record.__slots__)
    return {name: len(value) for name, value in values if type(value) is dict}


def _to_be_written(
    game: Game, written: Collection[tuple[Any, ...]]
) -> Iterator[tuple[str, list[tuple[Any, ...]]]]:
    """Everything of a row in words, with the cells of which one must be written.

    Of a curve the rounds up to the last one that was written: games need not last as long as any rules allow.
    """
    for measure in game.measures_of("game"):
        yield measure.id, [(measure.id,)]
    for measure in game.measures_of("seat"):
        for seat in range(game.players[-1]):
            yield f"seat {seat} of {measure.id}", [(measure.id, seat)]
    for curve in game.measures_of("curve"):
        last = max((cell[1][0] for cell in written if cell[0] == curve.id), default=0)
        for at in range(last + 1):
            yield f"round {at} of {curve.id}", [(curve.id, (at, seat)) for seat in range(MAX_SEATS)]
    for counter in game.measures_of("counter"):
        for at, item in enumerate(counter.items):
            faces = range(len(COUNTER_FACES))
            yield f"{item} of {counter.id}", [(counter.id, (at, face)) for face in faces]
