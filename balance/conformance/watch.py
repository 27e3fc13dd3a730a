"""Games in plain Python, watched: every decision, every random number, every measure that is written."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from balance.conformance.bans import Bans
from balance.conformance.draws import Draws
from balance.conformance.extremes import openings, size_of
from balance.conformance.facts import KERNELS
from balance.conformance.violation import Violation
from balance.engine import playout, rng, trace
from balance.engine.faults import failing, said
from balance.engine.plain import Cells, blank, copied, plain, plain_kernel, plain_params
from balance.engine.playing import Table, bindings, columns, new_marks
from balance.engine.records import CAPPED_OVER, HEADER, LOST_OVER, VOID_OVER, actions_dtype, row_dtype
from balance.errors import listed, so_many_players
from balance.game import COUNTER_FACES, MAX_SEATS, Game, GameParams, Policy

SEED = 1
UNFILLED = -(2**40)
"""What stands in a list of actions that nobody has filled."""
_PLAYED_ON_BEFORE = 40
"""One of the first so many decisions of a game is also played on from what the seat can see."""
_CLOSELY_BEFORE, _CLOSELY_EACH = 160, 8
"""So many decisions of a game are watched closely, with copies of everything; after them only each eighth."""


def line_up(game: Game, players: int, number: int) -> list[Policy]:
    """The policies of game `number`: all of the game's, taking turns."""
    return [game.policies[(number + slot) % len(game.policies)] for slot in range(players)]


def in_words(params: GameParams) -> str:
    """The size of table: '4 players', or '4 players (team)'."""
    players, mode = size_of(params)
    return f"{so_many_players([players])}{f' ({mode})' if mode else ''}"


class Row:
    """A row of measures that remembers which of its cells were written."""

    written: set[tuple[Any, ...]]

    def __init__(self, dtype: np.dtype[Any]) -> None:
        fields, zeroed = self.__dict__, blank(dtype)
        fields["written"] = set()
        for name in dtype.names or ():
            value = getattr(zeroed, name)
            fields[name] = _Cells(name, value, self.written) if isinstance(value, dict) else value

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


class _Cells(Cells):
    def __init__(self, name: str, cells: Mapping[Any, int], written: set[tuple[Any, ...]]) -> None:
        super().__init__(cells)
        self._name, self._written = name, written

    def __setitem__(self, key: Any, value: int) -> None:
        super().__setitem__(key, value)
        self._written.add((self._name, key))


class _Unfilled(Cells):
    """A list of actions with room for so many, which nobody has filled; quicker than writing UNFILLED everywhere."""

    def __init__(self, room: int) -> None:
        super().__init__()
        self._room = room

    def __missing__(self, index: int) -> int:
        if not 0 <= index < self._room:
            raise KeyError(index)
        return UNFILLED

    def __setitem__(self, index: int, value: int) -> None:
        if not 0 <= index < self._room:
            raise KeyError(index)
        dict.__setitem__(self, index, value)


class _StoppedError(Exception):
    """A game in which a policy did what it may not is not played on."""


class Watch:
    """Plays games with all policies; what is wrong gathers in `found`."""

    def __init__(self, game: Game, chance: random.Random) -> None:
        self.game, self._chance = game, chance
        self.found: list[Violation] = []
        self._written: set[tuple[Any, ...]] = set()
        self._draws = Draws(self._say)
        bind = [*bindings(game, ()), *self._draws.bind]
        bind += [(trace.note, self._note), (trace.TRACE, np.int64(game.tracer is not None))]
        self._kernels: dict[str, Any] = {name: plain_kernel(getattr(game, name), bind) for name in KERNELS}
        self._choose = [plain_kernel(policy.choose, bind) for policy in game.policies]
        self._bans = Bans(game, bind)
        self._play_one: Any = plain_kernel(playout.play_one, [*bind, (playout.choose, self._decide)])
        self._rank_seats: Any = plain_kernel(playout.rank_seats, bind)
        self._write_row: Any = plain_kernel(playout.write_row, bind)
        smallest = Table(game, game.resolve(game.official_sizes[0]), game.policies, 1)
        self._weights = [plain(weights) for weights in smallest.weights]

    def _say(self, rule: str, sentence: str) -> None:
        self.found.append(Violation(rule, f"{sentence} [{self._where}]"))

    # ---------------------------------------------------------------- one game

    def play(self, params: GameParams, number: int) -> dict[str, int]:
        """Game `number` by these rules; returns its row, which is empty when a kernel failed."""
        size = size_of(params)
        self._rules, self._mode = params, self.game.mode(size[1])
        official = self.game.resolve(size, openings(self.game)[size])
        changed = [f"{name} {value}" for name, value in params if value != getattr(official, name)]
        self._where = ", ".join([in_words(params), *changed])
        slots = line_up(self.game, params.players, number)
        tracer = self._tracer(params, number, slots)
        self._listener: Callable[..., None] | None = tracer
        self._ply, self._last = 0, (0, 0)
        self._play_on_at = self._chance.randrange(_PLAYED_ON_BEFORE)
        self._params, self._table = plain_params(self.game, params), blank(rng.rng_dtype)
        self._draws.begin(self._table)
        try:
            row = self._row(*self._whole_game(slots, number))
            if tracer is not None:
                tracer.finish(self._state, row)
                self._tell(tracer.events)
        except _StoppedError:
            return {}
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
            *(self._state, self._params, seed, number, 0, 0, kinds, weights, self._table, noise, actions),
            *(new_marks(), 0),
        )
        self._look_at_the_end(self._state, plies)
        return self._state, plies

    def _look_at_the_end(self, state: Any, plies: int) -> None:
        if not state.over:
            self._say("ends", f"The game is not over after {plies} plies, the most by its bounds.")
        elif state.over not in (1, VOID_OVER, CAPPED_OVER, LOST_OVER):
            ends = f"1 at the end, {VOID_OVER} if void, {CAPPED_OVER} at a cap, {LOST_OVER} if lost"
            self._say("ends", f"state.over is {state.over}; it must be 0 in play, {ends}.")
        elif state.over == CAPPED_OVER and not self.game.capped_by_rules:
            self._say("ends", "A game ended at a cap, but the Game does not say capped_by_rules=True.")
        elif state.over == LOST_OVER and not (self._mode and self._mode.goal):
            self._say("ends", "A game was lost by all, but its mode has no goal that could be missed.")
        if plies and not state.turns:
            self._say("turns", "A game is over, and state.turns is still 0.")
        for team in self.game.sides(size_of(self._rules)):
            if len({self._standing(state, seat) for seat in team}) > 1:
                self._say(
                    "modes", f"Seats {listed(team)} are a side, but differ in score or tiebreak at the end."
                )

    def _standing(self, state: Any, seat: int) -> tuple[int, int]:
        score, tiebreak = (self._kernels[name](state, self._params, seat) for name in ("score", "tiebreak"))
        return int(score), int(tiebreak)

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

    # ---------------------------------------------------------------- traces

    def _note(self, *told: Any) -> None:
        if self._listener is not None and not self._draws.muted:
            self._listener(*told)

    def _tell(self, events: Sequence[dict[str, Any]]) -> None:
        lines = self.game.narrate(events) if self.game.narrate else ["-"]
        if not events or not lines or not all(isinstance(line, str) for line in lines):
            self._say("traces", "A trace has no events, or the log has no lines of text.")

    # ---------------------------------------------------------------- one decision

    def _decide(self, kind: int, state: Any, params: Any, _weights: Any, noise: Any, actions: Any) -> int:
        """Called in the place of the policy: looks at everything that is due, then chooses."""
        self._draws.muted = True
        self._look_at_the_moment(state, params)
        if self._ply < _CLOSELY_BEFORE or self._ply % _CLOSELY_EACH == 0:
            action = self._decide_closely(kind, state, noise, actions)
        else:
            options = self._options(state, params, actions)
            action = self._ask(kind, state, noise, actions)
            self._refuse_illegal({kind: action}, options)
            if action not in options:
                raise _StoppedError  # what follows from an illegal action says nothing more
        self._draws.muted, self._ply = False, self._ply + 1
        self._draws.next_action()
        return action

    def _decide_closely(self, kind: int, state: Any, noise: Any, actions: Any) -> int:
        """Asks all policies, plays the action on copies, and looks what has changed that should not have."""
        before, params = copied(state), self._params
        options = self._options(state, params, actions)
        for seat in range(params.players):
            self._kernels["score"](state, params, seat)
            self._kernels["tiebreak"](state, params, seat)
        self._same(before, state, "state", "legal_actions, score or tiebreak changed")
        for fault in self._bans.look(state, params, options):
            self._say("bans", fault)
        self._same(before, state, "bans", "concerns changed")
        chosen = [self._ask(which, state, noise, actions) for which in range(len(self._choose))]
        self._refuse_illegal(dict(enumerate(chosen)), options)
        self._same(before, state, "policies", "A policy changed")
        if self._ply % 2 == 0 or self._ply == self._play_on_at:
            self._look_behind(state, noise, actions, options, chosen)
        if chosen[kind] not in options:
            raise _StoppedError  # what follows from an illegal action says nothing more
        self._apply_twice(state, chosen[kind])
        self._same(before, state, "copies", "Something done to a copy changed")
        return chosen[kind]

    def _refuse_illegal(self, chosen: Mapping[int, int], options: list[int]) -> None:
        for which, action in chosen.items():
            if action not in options:
                self._say_illegal(which, action, options)

    def _ask(self, which: int, state: Any, noise: Any, actions: Any) -> int:
        """What a policy chooses, with the noise of this moment, from a list that it has to fill itself."""
        choose, weights, unfilled = self._choose[which], self._weights[which], type(actions)()
        unfilled.code = _Unfilled(len(actions.code))
        self._draws.choosing = self.game.policies[which].id
        action = int(choose(state, self._params, weights, copied(noise), unfilled))
        self._draws.choosing = ""
        return action

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

    def _options(self, state: Any, params: Any, actions: Any) -> list[int]:
        """The legal actions, checked."""
        room = self.game.bounds.actions
        n = int(self._kernels["legal_actions"](state, params, actions))
        options = [int(actions.code[at]) for at in range(min(n, room))]
        if not 2 <= n <= room:
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
