"""The kit for any game: what must be true of it before its numbers mean anything, checked by playing it.

`check(game)` returns what is wrong, a sentence each. First come the facts that a game declares about itself; if
one of them is wrong, nothing is played. Then games are played in plain Python, every decision watched, under the
official rules and with each parameter at its extremes. Last, compiled games must equal them to the last bit.
"""

from __future__ import annotations

import ast
import inspect
import random
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from balance.engine import playout, rng, trace
from balance.engine.kernels import fingerprint, global_names, is_kernel
from balance.engine.plain import blank, copied, plain, plain_kernel, plain_params
from balance.engine.playing import Buffers, Loop, Table, bindings, columns, policy_kernels
from balance.engine.records import HEADER, actions_dtype, params_dtype, row_dtype
from balance.errors import BalanceError
from balance.game import MAX_SEATS, SHARE_UNIT, Game, GameParams, Policy

_KERNELS = {
    "setup": ("state", "params", "rng"),
    "legal_actions": ("state", "params", "actions"),
    "apply_action": ("state", "params", "action", "rng"),
    "score": ("state", "params", "seat"),
    "tiebreak": ("state", "params", "seat"),
    "measure": ("state", "params", "shares", "row"),
    "determinize": ("state", "params", "seat", "rng"),
}
_CHOOSE = ("state", "params", "weights", "rng", "actions")
_TAKEN = (
    *(
        "game",
        "block",
        "rotation",
        "ended",
        "turns",
        "rounds",
        "plies",
        "score",
        "rank",
        "win_share",
        "policy",
    ),
    *("score_margin", "tie_rate", "seat_spread", "capped_rate", "goal_rate"),
)
"""Names that tables and metrics use already."""
_WIDTHS = {"rounds": rng.ROUND_BITS, "turns": rng.TURN_BITS, "steps": rng.STEP_BITS}
_TOGETHER = 8
"""Parameters taken to an extreme at the same time."""
_MOST_OF_A_RULE = 5


@dataclass(frozen=True)
class Violation:
    """One thing wrong with a game: which rule of the kit it breaks, and a sentence that says how."""

    rule: str
    sentence: str


def check(game: Game, games: int = 200) -> list[Violation]:
    """What is wrong with a game; nothing, where the list is empty.

    `games` are played compiled for each number of players, beside those that are watched.
    """
    found = list(dict.fromkeys(_facts(game)))
    if not found:
        found = list(dict.fromkeys(_played(game, games)))
    return [violation for at, violation in enumerate(found) if _rank(found, at) < _MOST_OF_A_RULE]


def _rank(found: Sequence[Violation], at: int) -> int:
    """How many violations of the same rule come before this one."""
    return sum(other.rule == found[at].rule for other in found[:at])


def _played(game: Game, games: int) -> Iterator[Violation]:
    chance = random.Random(1)
    rule_sets = [game.Params.resolve(players) for players in game.players]
    for extreme, params in _extreme_rules(game, chance):
        if params is None:
            yield Violation(
                "parameters", f'"{extreme[0]}" can never be {extreme[1]}: no number of players allows it.'
            )
        else:
            rule_sets.append(params)
    unstable = list(_tables(game, rule_sets))
    yield from unstable
    if not unstable:
        watch = _Watch(game, chance)
        rows = [watch.play(params, number) for number, params in enumerate(rule_sets)]
        yield from watch.found
        yield from _unwritten(game, watch.written)
        if not any(violation.rule == "runs" for violation in watch.found):
            yield from _compiled(game, rule_sets, rows, games)


# ---------------------------------------------------------------- what a game says about itself


def _facts(game: Game) -> Iterator[Violation]:
    yield from _metadata(game)
    yield from _measures(game)
    yield from _policies(game)
    yield from _parameters(game)
    yield from _state(game)
    yield from _kernels(game)


def _is_name(text: str) -> bool:
    return text.isidentifier() and text == text.lower()


def _is_free(name: str) -> bool:
    """Whether a record can have a field of that name: numpy's records have attributes of their own."""
    return not hasattr(np.record, name)


def _not_sentences(texts: Mapping[str, str]) -> Iterator[Violation]:
    for what, text in texts.items():
        if not text.strip().endswith(".") or text[:1] != text[:1].upper():
            yield Violation(
                "texts", f'{what} must be a sentence with a capital letter and a full stop, not "{text}".'
            )


def _empty(texts: Mapping[str, str]) -> Iterator[Violation]:
    for what, text in texts.items():
        if not text.strip():
            yield Violation("texts", f"{what} is empty.")


def _metadata(game: Game) -> Iterator[Violation]:
    if not _is_name(game.id):
        yield Violation(
            "names", f'The id "{game.id}" must be a name of small letters, digits and underscores.'
        )
    if game.rules_version < 1:
        yield Violation("metadata", "The version of the rules counts from 1.")
    yield from _empty(
        {
            "The title": game.title,
            "The word for a round": game.round_name,
            "The word for a turn": game.turn_name,
        }
    )
    yield from _not_sentences({"The summary": game.summary})
    players = game.players
    if not players or players.step != 1 or not 1 <= players[0] <= players[-1] <= MAX_SEATS:
        yield Violation(
            "metadata", f"The numbers of players must be a range within 1 to {MAX_SEATS}, not {players}."
        )
    for name, value in vars(game.bounds).items():
        most = 2 ** _WIDTHS.get(name, 31) - 1
        if not 1 <= value <= most:
            yield Violation("bounds", f'The bound "{name}" must be from 1 to {most}, not {value}.')


def _measures(game: Game) -> Iterator[Violation]:
    for measure in game.measures:
        if not _is_name(measure.id) or not _is_free(measure.id) or measure.id in _TAKEN:
            yield Violation(
                "names", f'A measure cannot be called "{measure.id}": no name, or one that is taken.'
            )
        yield from _not_sentences({f"The help of {measure.id}": measure.help})
        parts = {"title": measure.title, "unit": measure.unit, "words for more": measure.more}
        yield from _empty({f"The {part} of {measure.id}": text for part, text in parts.items()})
    for curve in game.measures_of("curve"):
        if not 1 <= curve.rounds <= game.bounds.rounds:
            yield Violation(
                "measures",
                f"The curve {curve.id} must have 1 to {game.bounds.rounds} rounds, not {curve.rounds}.",
            )
    for counter in game.measures_of("counter"):
        if not counter.items or len(set(counter.items)) < len(counter.items):
            yield Violation("measures", f"The counter {counter.id} must have items, each once.")
    names = [measure.id for measure in game.measures] + columns(game, MAX_SEATS)
    for name in sorted({name for name in names if names.count(name) > 1 + (name in _own_columns(game))}):
        yield Violation("names", f'Two measures or columns are called "{name}".')


def _own_columns(game: Game) -> set[str]:
    return {measure.id for measure in game.measures_of("game")}


def _policies(game: Game) -> Iterator[Violation]:
    ids = [policy.id for policy in game.policies]
    if not ids or len(set(ids)) < len(ids):
        yield Violation("names", "A game needs policies, each with an id of its own.")
    for policy in game.policies:
        if not _is_name(policy.id):
            yield Violation("names", f'A policy cannot be called "{policy.id}".')
        yield from _empty({f"The title of {policy.id}": policy.title})
        yield from _not_sentences({f"The help of {policy.id}": policy.help})
        if not 0 <= policy.temperature <= 1000:
            yield Violation("metadata", f"The temperature of {policy.id} must be from 0 to 1000.")
        for name in policy.weights:
            if not _is_name(name) or not _is_free(name) or name == "temperature":
                yield Violation("names", f'A weight of {policy.id} cannot be called "{name}".')
    bound = {id(value) for _, value in bindings(game, ())}
    if any(id(fn) not in bound for fn in policy_kernels(game, ())):
        yield Violation("metadata", "There are more kernels of policies than the loop has places for.")


def _parameters(game: Game) -> Iterator[Violation]:
    for name, field in game.Params.model_fields.items():
        yield from _not_sentences({f'The description of "{name}"': field.description or ""})
        if not _is_name(name) or not _is_free(name):
            yield Violation(
                "names", f'A parameter cannot be called "{name}": no name, or one that records use.'
            )
        choices = game.Params.choices(name)
        if field.annotation is int:
            try:
                game.Params.bounds(name)
            except TypeError as error:
                yield Violation("parameters", f"{error}.")
        elif field.annotation is not bool and not (
            choices and all(isinstance(word, str) for word in choices)
        ):
            yield Violation(
                "parameters", f'"{name}" must be an int with a range, a bool, or a Literal of words.'
            )
    seats = game.Params.bounds("players")
    if game.players and seats != (game.players[0], game.players[-1]):
        yield Violation(
            "parameters",
            f'"players" goes from {seats[0]} to {seats[1]}, the game\'s own range is {game.players}.',
        )
    for players in game.players:
        try:
            game.Params.resolve(players)
        except BalanceError as error:
            yield Violation(
                "parameters", f"The official rules for {players} players are refused: {error.message}"
            )


def _state(game: Game) -> Iterator[Violation]:
    names = game.state_dtype.names or ()
    if names[: len(HEADER)] != HEADER:
        yield Violation("state", f"A state begins with {', '.join(HEADER)}; make it with state_dtype().")
    if game.state_dtype.itemsize % 8:
        yield Violation("state", "The size of a state must be a multiple of 8 bytes; make a field longer.")
    for name in names:
        if not _is_free(name):
            yield Violation(
                "names", f'A field of the state cannot be called "{name}": records use that name.'
            )
        if game.state_dtype[name].base.kind not in "iu":
            yield Violation("state", f'The field "{name}" of the state is not of integers.')


def _kernels(game: Game) -> Iterator[Violation]:
    wanted = [(name, getattr(game, name), arguments) for name, arguments in _KERNELS.items()]
    wanted += [(f"choose of {policy.id}", policy.choose, _CHOOSE) for policy in game.policies]
    for name, fn, arguments in wanted:
        if not is_kernel(fn):
            yield Violation("kernels", f"{name} is not marked @kernel.")
            continue
        taken = fn.__code__.co_varnames[: fn.__code__.co_argcount]
        if taken != arguments:
            yield Violation(
                "kernels", f"{name} takes ({', '.join(taken)}) instead of ({', '.join(arguments)})."
            )
        try:
            fingerprint(fn)
        except (TypeError, OSError) as error:
            yield Violation("kernels", f"{name} cannot be compiled: {error}")


# ---------------------------------------------------------------- rules at their extremes


def _extreme_rules(game: Game, chance: random.Random) -> Iterator[tuple[tuple[str, Any], GameParams | None]]:
    """Rules that together take each parameter to each of its extremes; None for an extreme that is impossible."""
    waiting = _extremes(game.Params)
    while waiting:
        first = waiting[0]
        params = next(
            filter(
                None, (_with(game.Params, players, {}, first) for players in _shuffled(game.players, chance))
            ),
            None,
        )
        reached = [first]
        for extreme in waiting[1:] if params else ():
            changed = {name: getattr(params, name) for name, _ in reached}
            more = _with(game.Params, params.players, changed, extreme) if extreme[0] not in changed else None
            if more is not None and len(reached) < _TOGETHER:
                params, reached = more, [*reached, extreme]
        waiting = [extreme for extreme in waiting if extreme not in reached]
        chance.shuffle(waiting)
        yield first, params


def _extremes(kind: type[GameParams]) -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    for name, field in kind.model_fields.items():
        if name != "players":
            values = (False, True) if field.annotation is bool else kind.choices(name) or kind.bounds(name)
            found += [(name, value) for value in values]
    return found


def _shuffled(players: range, chance: random.Random) -> list[int]:
    return chance.sample(list(players), len(players))


def _with(
    kind: type[GameParams], players: int, changed: Mapping[str, Any], extreme: tuple[str, Any]
) -> GameParams | None:
    try:
        return kind.resolve(players, {**changed, extreme[0]: extreme[1]})
    except BalanceError:
        return None


# ---------------------------------------------------------------- what kernels read


def _tables(game: Game, rule_sets: Sequence[GameParams]) -> Iterator[Violation]:
    """Tables keep their shapes whatever the rules, and every parameter and table is read by something."""
    layouts = [params_dtype(game, params) for params in rule_sets]
    if any(layout != layouts[0] for layout in layouts):
        yield Violation(
            "tables",
            "Tables change their names, types or shapes with the rules; one binary serves all rules.",
        )
    for name in (layouts[0].names or ())[len(game.Params.model_fields) :]:
        if not _is_free(name) or layouts[0][name].base.kind not in "iu":
            yield Violation("tables", f'The table "{name}" needs another name, or integers.')
    read = {"players"} | _read_by_kernels(game)
    read |= _read_by_tables(game, rule_sets)
    for name in layouts[0].names or ():
        if name not in read:
            yield Violation(
                "parameters",
                f'"{name}" is read by no kernel and no table, so changing it can have no effect.',
            )


def _read_by_kernels(game: Game) -> set[str]:
    """The fields of `params` that some kernel names."""
    waiting = [getattr(game, name) for name in _KERNELS] + [policy.choose for policy in game.policies]
    seen: set[int] = set()
    read: set[str] = set()
    while waiting:
        fn = waiting.pop()
        if id(fn) in seen:
            continue
        seen.add(id(fn))
        waiting += [
            value for name in global_names(fn.__code__) if is_kernel(value := fn.__globals__.get(name))
        ]
        for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(fn)))):
            if (
                isinstance(node, ast.Attribute)
                and isinstance(node.value, ast.Name)
                and node.value.id == "params"
            ):
                read.add(node.attr)
    return read


def _read_by_tables(game: Game, rule_sets: Sequence[GameParams]) -> set[str]:
    """The parameters that the game's tables are worked out from."""
    read: set[str] = set()

    def noting(self: Any, name: str) -> Any:
        if name in game.Params.model_fields:
            read.add(name)
        return object.__getattribute__(self, name)

    watched: Any = type("Watched", (game.Params,), {"__getattribute__": noting})
    for params in rule_sets if game.tables else ():
        game.tables(watched.model_construct(**dict(params)))  # type: ignore[misc]
    return read


# ---------------------------------------------------------------- games in plain Python, watched


class _Row:
    """A row of measures that remembers which of its cells were written."""

    def __init__(self, dtype: np.dtype[Any]) -> None:
        self.__dict__["written"] = set()
        for name, value in ((name, getattr(blank(dtype), name)) for name in dtype.names or ()):
            self.__dict__[name] = _Cells(name, value, self.written) if isinstance(value, dict) else value

    def __setattr__(self, name: str, value: int) -> None:
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


class _Watch:
    """Plays games in plain Python with all policies, and looks at every decision and every random number."""

    def __init__(self, game: Game, chance: random.Random) -> None:
        self.game, self._chance = game, chance
        self.found: list[Violation] = []
        self.written: set[tuple[Any, ...]] = set()
        self._listener: Callable[..., None] | None = None
        self._muted = True
        traced = np.int64(game.tracer is not None)
        numbers = [(rng.draw, self._draw), (rng.moment_of, self._moment_of)]
        bind = [*bindings(game, ()), *numbers, (trace.note, self._note), (trace.TRACE, traced)]
        self._draw_at, self._moment = plain_kernel(rng.draw_at), plain_kernel(rng.moment_of)
        self._kernels = {name: plain_kernel(getattr(game, name), bind) for name in _KERNELS}
        self._choose = [plain_kernel(policy.choose, bind) for policy in game.policies]
        self._play_one: Any = plain_kernel(playout.play_one, [*bind, (playout.choose, self._decide)])
        self._rank_seats: Any = plain_kernel(playout.rank_seats, bind)
        self._write_row: Any = plain_kernel(playout.write_row, bind)

    def _say(self, rule: str, sentence: str) -> None:
        self.found.append(Violation(rule, f"{sentence} ({self._where})"))

    def play(self, params: GameParams, number: int) -> dict[str, int]:
        """Game `number` with these rules; returns its row, which is empty when a kernel failed."""
        game, players = self.game, params.players
        changes = {
            name: value for name, value in params if value != getattr(game.Params.resolve(players), name)
        }
        self._where = f"{players} players{''.join(f', {name} {value}' for name, value in changes.items())}"
        slots = line_up(game, players, number)
        tracer = game.tracer(params, number, 1, [policy.id for policy in slots]) if game.tracer else None
        self._listener, self._muted, self._ply, self._last = tracer, False, 0, (0, 0)
        self._params, self._weights = (
            plain_params(game, params),
            [plain(weights) for weights in _weights(game)],
        )
        self._table, self._drawn = blank(rng.rng_dtype), dict[int, int]()
        try:
            row = self._row(*self._whole_game(slots, number), params)
            if tracer is not None:
                tracer.finish(self._state, row)
                self._told(tracer.events)
        except Exception as error:
            what = "an index out of bounds" if isinstance(error, KeyError) else f"{type(error).__name__}:"
            self._say("runs", f"A kernel failed with {what} {error}.")
            return {}
        return row

    def _whole_game(self, slots: Sequence[Policy], number: int) -> tuple[Any, int]:
        self._state, noise, actions = (
            blank(self.game.state_dtype),
            blank(rng.rng_dtype),
            blank(actions_dtype(self.game)),
        )
        kinds = [self.game.policies.index(policy) for policy in slots]
        weights = [self._weights[kind] for kind in kinds]
        plies = self._play_one(
            self._state, self._params, np.uint64(1), number, 0, kinds, weights, self._table, noise, actions
        )
        if not self._state.over:
            self._say("ends", f"The game is not over after {plies} plies, the most by its bounds.")
        return self._state, plies

    def _row(self, state: Any, plies: int, params: GameParams) -> dict[str, int]:
        """The row as the loop writes it."""
        ranking: dict[tuple[int, int], int] = {}
        self._rank_seats(state, self._params, ranking)
        measured = _Row(row_dtype(self.game))
        shares = {seat: ranking[2, seat] for seat in range(params.players)}
        self._kernels["measure"](state, self._params, shares, measured)
        self.written |= measured.written
        rows: dict[tuple[int, int], int] = {}
        self._write_row(rows, 0, state, self._params, plies, ranking, measured.words())
        return {name: int(rows[at, 0]) for at, name in enumerate(columns(self.game, params.players))}

    # -------- random numbers and traces

    def _moment_of(self, stream: int, round_number: int, turn: int, step: int) -> Any:
        values = {"stream": stream, "round": round_number, "turn": turn, "step": step}
        widths = (rng.STREAM_BITS, rng.ROUND_BITS, rng.TURN_BITS, rng.STEP_BITS)
        for (name, value), bits in zip(values.items(), widths, strict=True):
            if not 0 <= value < 2**bits:
                self._say(
                    "random numbers",
                    f"The {name} of an address is {value}; it must be from 0 to {2**bits - 1}.",
                )
        return self._moment(stream, round_number, turn, step)

    def _draw(self, numbers: Any, word: int) -> Any:
        if not 0 <= word < 2**rng.WORD_BITS:
            self._say(
                "random numbers",
                f"The word of an address is {word}; it must be from 0 to {2**rng.WORD_BITS - 1}.",
            )
        if numbers is self._table and not self._muted:
            address = int(numbers.moment) + int(word)
            if self._drawn.setdefault(address, self._ply) != self._ply:
                self._say(
                    "random numbers",
                    "The table draws the same number for two actions; aim at the moment first.",
                )
        with np.errstate(over="ignore"):
            return self._draw_at(numbers.key_1, numbers.key_2, numbers.moment + np.uint64(word))

    def _note(self, *told: Any) -> None:
        if self._listener is not None and not self._muted:
            self._listener(*told)

    def _told(self, events: Sequence[dict[str, Any]]) -> None:
        """The events of a trace can be told."""
        lines = self.game.narrate(events) if self.game.narrate else ["-"]
        if not events or not lines or not all(isinstance(line, str) for line in lines):
            self._say("traces", "A trace has no events, or the log tells no lines of text.")

    # -------- decisions

    def _decide(self, kind: int, state: Any, params: Any, weights: Any, noise: Any, actions: Any) -> int:
        """Called in the place of the policy: looks at everything that is due, then chooses."""
        self._muted = True
        before = copied(state)
        self._look_at_the_moment(state, params)
        options = self._options(state, params, actions)
        for seat in range(params.players):
            self._kernels["score"](state, params, seat)
            self._kernels["tiebreak"](state, params, seat)
        self._unchanged(before, state, "legal_actions, score or tiebreak")
        chosen = [self._ask(which, state, params, noise, actions) for which in range(len(self._choose))]
        for policy, action in zip(self.game.policies, chosen, strict=True):
            if action not in options:
                self._say(
                    "policies", f"{policy.id} chose {action}, which is not among the options {options}."
                )
        self._unchanged(before, state, "A policy")
        self._look_behind(state, params, noise, actions, options, chosen)
        self._apply_to_copies(state, params, chosen[kind])
        self._unchanged(before, state, "Something done to a copy")
        self._muted, self._ply = False, self._ply + 1
        return chosen[kind]

    def _ask(self, which: int, state: Any, params: Any, noise: Any, actions: Any) -> int:
        """What a policy chooses, with the noise of this moment."""
        return int(self._choose[which](state, params, self._weights[which], copied(noise), copied(actions)))

    def _unchanged(self, before: Any, state: Any, culprit: str) -> None:
        for name in before.__slots__:
            if getattr(before, name) != getattr(state, name):
                self._say("state", f'{culprit} changed the field "{name}" of the state.')

    def _look_at_the_moment(self, state: Any, params: Any) -> None:
        if not 0 <= state.seat < params.players:
            self._say("seat", f"Seat {state.seat} is to act.")
        now, bounds = (state.round_number, state.turn), self.game.bounds
        if now < self._last:
            self._say(
                "moments", f"Round and turn go back from {self._last} to {now}, so noise would be used twice."
            )
        self._last = now
        reached = {
            "rounds": state.round_number + 1,
            "turns": max(state.turns, state.turn),
            "steps": state.step + 1,
        }
        for name, value in reached.items():
            if value > getattr(bounds, name):
                self._say("bounds", f'There are {value} {name}, more than the bound "{name}".')
        sizes = blank(self.game.state_dtype)
        for name in sizes.__slots__:
            cells = getattr(state, name)
            if isinstance(cells, dict) and len(cells) != len(getattr(sizes, name)):
                self._say("runs", f'Something was written outside of the field "{name}" of the state.')

    def _options(self, state: Any, params: Any, actions: Any) -> list[int]:
        """The legal actions, checked."""
        room = len(actions.code)
        n = int(self._kernels["legal_actions"](state, params, actions))
        options = [int(actions.code[at]) for at in range(min(n, room))]
        if not 2 <= n <= room or len(actions.code) != room:
            self._say(
                "legal actions", f"There are {n} options; there must be 2 to {room}, the bound for actions."
            )
        if options != sorted(set(options)) or min(options, default=0) < 0:
            self._say("legal actions", f"The options {options} are not ascending, unique and from 0.")
        return options

    def _apply_to_copies(self, state: Any, params: Any, action: int) -> None:
        """The same action twice, on two copies, must give the same."""
        copies = [copied(state), copied(state)]
        for one in copies:
            self._kernels["apply_action"](one, params, action, copied(self._table))
        for name in state.__slots__:
            if getattr(copies[0], name) != getattr(copies[1], name):
                self._say("repeatable", f'The same action, done twice, gave different values of "{name}".')

    def _look_behind(
        self, state: Any, params: Any, noise: Any, actions: Any, options: list[int], chosen: list[int]
    ) -> None:
        """With what the seat cannot see redealt, options and choices must stay the same."""
        other, numbers = copied(state), blank(rng.rng_dtype)
        numbers.key_1, numbers.key_2 = (np.uint64(self._chance.getrandbits(64)) for _ in range(2))
        self._kernels["determinize"](other, params, state.seat, numbers)
        for name in HEADER:
            if getattr(other, name) != getattr(state, name):
                self._say("determinize", f'It changed "{name}", which everybody knows.')
        redealt = copied(actions)
        if self._options(other, params, redealt) != options:
            self._say("determinize", "The options of the seat changed with what it cannot see.")
        for which, policy in enumerate(self.game.policies):
            if self._ask(which, other, params, noise, redealt) != chosen[which]:
                self._say(
                    "honesty", f"{policy.id} chose otherwise when only what it cannot see was different."
                )


def line_up(game: Game, players: int, number: int) -> list[Policy]:
    """The policies of game `number`: all of the game's, taking turns."""
    return [game.policies[(number + slot) % len(game.policies)] for slot in range(players)]


def _weights(game: Game) -> Any:
    return Table(game, game.Params.resolve(game.players[0]), game.policies, 1).weights


def _unwritten(game: Game, written: set[tuple[Any, ...]]) -> Iterator[Violation]:
    """What no game wrote: a measure, a seat of it, a round of a curve, an item of a counter."""
    keys: list[tuple[str, list[tuple[Any, ...]]]] = []
    for measure in game.measures:
        if measure.kind == "seat":
            keys += [
                (f"seat {seat} of {measure.id}", [(measure.id, seat)]) for seat in range(game.players[-1])
            ]
        elif measure.kind == "game":
            keys.append((measure.id, [(measure.id,)]))
    for curve in game.measures_of("curve"):
        keys += [
            (f"round {at} of {curve.id}", [(curve.id, (at, seat)) for seat in range(MAX_SEATS)])
            for at in range(curve.rounds)
        ]
    for counter in game.measures_of("counter"):
        for at, item in enumerate(counter.items):
            keys.append((f"{item} of {counter.id}", [(counter.id, (at, face)) for face in range(3)]))
    for what, cells in keys:
        if not written.intersection(cells):
            yield Violation("measures", f"No game ever wrote {what}.")


# ---------------------------------------------------------------- compiled games


def _compiled(
    game: Game, rule_sets: Sequence[GameParams], rows: Sequence[Mapping[str, int]], games: int
) -> Iterator[Violation]:
    loop = Loop(game, game.policies, rule_sets[0])
    try:
        loop.compile()
    except Exception as error:
        yield Violation("compiles", f"The game cannot be compiled: {' '.join(str(error).split())[:400]}")
        return
    buffers = Buffers(game)
    for number, params in enumerate(rule_sets):
        table = Table(game, params, tuple(line_up(game, params.players, number)), 1)
        row = loop.play(table, 1, number, 1, buffers, loop.new_sums())[:, 0]
        same = dict(zip(columns(game, params.players), row.tolist(), strict=True))
        for name in [name for name, value in same.items() if value != rows[number][name]]:
            yield Violation(
                "compiled",
                f"Compiled, {name} is {same[name]} instead of {rows[number][name]} (game {number}).",
            )
    for players in game.players:
        yield from _many(game, loop, game.Params.resolve(players), games)


def _many(game: Game, loop: Loop, params: GameParams, games: int) -> Iterator[Violation]:
    """Many games of one number of players, by the official rules."""
    players, names = params.players, columns(game, params.players)
    table = Table(game, params, tuple(line_up(game, players, 0)), players)
    count = -(-games // players) * players
    played = [loop.play(table, 2, 0, count, Buffers(game), loop.new_sums()) for _ in range(2)]
    rows = dict(zip(names, played[0], strict=True))
    if (played[0] != played[1]).any():
        yield Violation("repeatable", f"The same seed gave different games ({players} players).")
    if (rows["ended"] != playout.TERMINATED).any():
        yield Violation("ends", f"A game did not end within {game.bounds.plies} plies ({players} players).")
    for name in ("rounds", "turns"):
        if rows[name].max() > getattr(game.bounds, name):
            yield Violation(
                "bounds",
                f'There were {rows[name].max()} {name}, more than the bound "{name}" ({players} players).',
            )
    if (sum(rows[f"win_share_{seat}"] for seat in range(players)) != SHARE_UNIT).any():
        yield Violation("scores", f"A game was won by more or less than one share ({players} players).")
    for measure in game.measures_of("game"):
        if measure.share and not set(rows[measure.id].tolist()) <= {0, 1}:
            yield Violation("measures", f"{measure.id} is a share, so it must be 0 or 1 in each game.")
    first = min(count, 2 * players)
    loop.interpret()
    if (loop.play(table, 2, 0, first, Buffers(game), loop.new_sums()) != played[0][:, :first]).any():
        yield Violation("compiled", f"Compiled and interpreted games differ ({players} players).")
    loop.compile()
