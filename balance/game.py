"""The interface: what a game *is* to the rest of the tool.

A game is data (parameters, measures, policies) and kernels (functions marked `@kernel`, plain Python until
the engine compiles them). Nothing above the engine knows a game by any other door.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, Protocol, Self, get_args, get_origin

import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError

from balance.errors import FAULTS, GameCodeError, RulesError, answer, are_faults, nearest, place
from balance.errors import Fault as Fault  # games take it from here

Kernel = Callable[..., Any]
MAX_SEATS = 6
SHARE_UNIT = 60
"""A win is shared in sixtieths: 60 divides by 1, 2, 3, 4, 5 and 6 winners."""
HIGHEST_WEIGHT = HIGHEST_TEMPERATURE = 1000
"""The numbers of a policy: weights from -1000 to 1000, a temperature from 0 to 1000. A weight is multiplied by what
lies on the table, and an option's value must stay within 2^31 (see `engine.choice`)."""
_DEFAULTS = 'defaults as {"rule": value}'
_TABLES = 'tables as {"name": array of whole numbers}'


class GameParams(BaseModel):
    """The rules of one game as numbers and switches; subclasses declare one field per parameter.

    Each field has a type, the official default, its allowed range and a one-sentence description. This is
    the only place where a parameter is declared; the kernels, `balance rules`, the experiment file and
    the page all read it from here. Types: int, bool, a `Literal` of strings, or a tuple of ints or of such
    words: `tuple[Spaces, Spaces]` where Spaces is `Annotated[int, Field(ge=1, le=10)]`, or `tuple[Word, ...]` with
    a `max_length`.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    players: int

    @classmethod
    def for_players(cls, players: int) -> dict[str, object]:
        """Official defaults that go by the number of players (by none, unless a game says otherwise)."""
        del players
        return {}

    @classmethod
    def resolve(cls, players: int, overrides: Mapping[str, object] | None = None) -> Self:
        """The complete rules for `players`: defaults for that number of players, then `overrides`.

        Raises RulesError with one fault for each wrong key.
        """
        overrides = dict(overrides or {})
        faults = [Fault((key,), cls._unknown(key)) for key in overrides if not cls._is_rule(key)]
        known = {key: _immutable(value) for key, value in overrides.items() if cls._is_rule(key)}
        official = cls._defaults(cls.for_players, f"{_DEFAULTS}, and be a @classmethod", players)
        own = official.keys() - known.keys()
        try:
            rules = cls(**{"players": players, **official, **known})
        except ValidationError as error:
            items = error.errors()
            cls._refuse_defaults(
                cls.for_players, [item for item in items if own.intersection(item["loc"][:1])]
            )
            within = {item["loc"][0] for item in items if len(item["loc"]) > 1}
            faults += [  # a list of faulty items is called short, too
                cls._explain(item, known)
                for item in items
                if len(item["loc"]) > 1 or not within.intersection(item["loc"])
            ]
        if faults:
            raise RulesError(faults)
        rules = rules._followed(known)
        found = [
            Fault((fault.key,) if isinstance(fault.key, str) else tuple(fault.key), fault.sentence)
            for fault in answer(rules.impossible, are_faults, FAULTS)
        ]
        if found:
            raise RulesError(found)
        return rules

    def _followed(self, known: Mapping[str, object]) -> Self:
        """These rules with the defaults of `following` where nothing else was asked for."""
        found = type(self)._defaults(self.following, _DEFAULTS)
        followed = {key: value for key, value in found.items() if key not in known}
        try:
            return type(self)(**{**dict(self), **followed}) if followed else self
        except ValidationError as error:
            self._refuse_defaults(self.following, error.errors())
            raise

    @classmethod
    def _is_rule(cls, key: str) -> bool:
        return key in cls.model_fields and key != "players"

    @classmethod
    def _defaults(cls, method: Callable[..., Any], expected: str, *arguments: Any) -> dict[str, Any]:
        """What `for_players` or `following` returns; GameCodeError for anything but values of known rules."""
        found = answer(method, lambda it: isinstance(it, Mapping), expected, *arguments)
        for key in found:
            if not cls._is_rule(key):
                near = nearest(str(key), cls.model_fields)
                raise GameCodeError(f'{place(method)} returns a value for "{key}", which is no rule.{near}')
        return {key: _immutable(value) for key, value in found.items()}

    @classmethod
    def _refuse_defaults(cls, method: Callable[..., Any], items: Sequence[Any]) -> None:
        """GameCodeError for the first default of this method that is not allowed."""
        if items:
            raise GameCodeError(
                f"{place(method)} returns a wrong value: {cls._explain(items[0], {}).sentence}"
            )

    def following(self) -> dict[str, object]:
        """Defaults that go by the values of other parameters, used where nothing else is asked for."""
        return {}

    def impossible(self) -> list[Fault]:
        """What cannot be played although each value is in its range (too few cards, say)."""
        return []

    @classmethod
    def _unknown(cls, key: str) -> str:
        if key == "players":
            return (
                '"players" is not a rule; the number of players is set with --players or the key "players".'
            )
        return f'Unknown rule "{key}".{nearest(key, cls.model_fields)}'

    @classmethod
    def _explain(cls, item: Any, given: Mapping[str, object]) -> Fault:
        key, *inside = item["loc"] or ("players",)
        if inside and item["type"] != "missing":
            allowed, value = cls._one_allowed(key), _shown(item["input"])
            return Fault((key, *inside), f'Item {inside[0] + 1} of "{key}" must be {allowed}, not {value}.')
        value = _shown(given.get(key, item["input"]))
        return Fault((key,), f'"{key}" must be {cls.allowed(key)}, not {value}.')

    @classmethod
    def allowed(cls, key: str) -> str:
        """The allowed values of a parameter in words: 'a whole number from 0 to 3', 'true or false', 'x or y'."""
        if not cls.is_list(key):
            return cls._one_allowed(key)
        fewest, most = cls.lengths(key)
        size = f"{most}" if fewest == most else f"{fewest} to {most}"
        if cls.choices(key):
            return f"a list of {size} of the words {', '.join(cls.choices(key))}"
        low, high = cls.bounds(key)
        return f"a list of {size} whole numbers from {low} to {high}"

    @classmethod
    def _one_allowed(cls, key: str) -> str:
        """The allowed values of a parameter, or of each item of a list."""
        if cls.model_fields[key].annotation is bool:
            return "true or false"
        choices = cls.choices(key)
        if choices:
            return " or ".join(f'"{value}"' for value in choices)
        low, high = cls.bounds(key)
        return f"a whole number from {low} to {high}"

    @classmethod
    def is_list(cls, key: str) -> bool:
        """Whether a parameter is a list of numbers or of words."""
        return get_origin(cls.model_fields[key].annotation) is tuple

    @classmethod
    def lengths(cls, key: str) -> tuple[int, int]:
        """The fewest and the most items of a parameter that is a list."""
        items = get_args(cls.model_fields[key].annotation)
        if items[-1] is not Ellipsis:
            return len(items), len(items)
        fewest, most = 0, None
        for bound in cls.model_fields[key].metadata:
            fewest, most = getattr(bound, "min_length", fewest), getattr(bound, "max_length", most)
        if most is None:
            raise TypeError(f"{cls.__name__}.{key} declares no greatest length (max_length=)")
        return fewest, most

    @classmethod
    def bounds(cls, key: str) -> tuple[int, int]:
        """Lowest and highest allowed value of an integer parameter, or of each item of a list of integers."""
        low = high = None
        metadata = cls.model_fields[key].metadata
        if cls.is_list(key):
            metadata = [bound for part in cls._item(key).__metadata__ for bound in part.metadata]
        for bound in metadata:
            low = getattr(bound, "ge", low)
            high = getattr(bound, "le", high)
        if low is None or high is None:
            raise TypeError(f"{cls.__name__}.{key} declares no range (ge=, le=)")
        return int(low), int(high)

    @classmethod
    def choices(cls, key: str) -> tuple[str, ...]:
        """The words that a choice, or each item of a list of words, may be; their positions are codes in kernels."""
        kind = cls._item(key) if cls.is_list(key) else cls.model_fields[key].annotation
        return get_args(kind) if get_origin(kind) is Literal else ()

    @classmethod
    def _item(cls, key: str) -> Any:
        return get_args(cls.model_fields[key].annotation)[0]

    def codes(self) -> dict[str, Any]:
        """Every parameter as kernels see it: switches as 0 and 1, words by position, lists filled up with -1."""
        found: dict[str, Any] = {}
        for key, value in self:
            if isinstance(value, tuple):
                items = [self._code(key, item) for item in value]
                found[key] = np.array(items + [-1] * (self.lengths(key)[1] - len(items)), np.int64)
            else:
                found[key] = self._code(key, value)
        return found

    def _code(self, key: str, value: Any) -> int:
        return self.choices(key).index(value) if isinstance(value, str) else int(value)


def _immutable(value: object) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _are_tables(found: Any) -> bool:
    """Whether `tables` returned names with arrays of numbers."""
    if not isinstance(found, Mapping) or not all(isinstance(name, str) for name in found):
        return False
    try:
        return all(np.asarray(table).dtype.kind in "iubf" for table in found.values())
    except ValueError:  # lists of different lengths
        return False


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple | list):
        return f"[{', '.join(_shown(item) for item in value)}]"
    if isinstance(value, dict):
        pairs = ", ".join(f"{key} = {_shown(item)}" for key, item in value.items())
        return f"{{ {pairs} }}" if pairs else "{}"
    return f'"{value}"' if isinstance(value, str) else str(value)


@dataclass(frozen=True)
class Measure:
    """Something a game counts. `more` completes the sentence 'more of it means ...' for the reader of a page."""

    id: str
    title: str
    unit: str
    help: str
    more: str
    kind: ClassVar[str] = ""


@dataclass(frozen=True)
class GameMeasure(Measure):
    """One integer per game. `share`: 0 or 1, shown as a share of games. `check`: a check on the box's components.
    `of_void_games`: it says something of void games as well, so they count in it."""

    share: bool = False
    check: bool = False
    of_void_games: bool = False
    kind: ClassVar[str] = "game"


@dataclass(frozen=True)
class SeatMeasure(Measure):
    """One integer per seat and game."""

    kind: ClassVar[str] = "seat"


@dataclass(frozen=True)
class CurveMeasure(Measure):
    """One integer per seat at the end of each round; `rounds` is the most that any rules allow."""

    rounds: int = 1
    kind: ClassVar[str] = "curve"


@dataclass(frozen=True)
class CounterMeasure(Measure):
    """For each item how often it was offered, taken, and held (or used) by the winner, as sums over games."""

    items: tuple[str, ...] = ()
    absent: Callable[[Any], tuple[str, ...]] | None = None
    """Which items the resolved rules leave out of the game, so that nobody is warned about them."""
    kind: ClassVar[str] = "counter"


COUNTER_FACES = ("offered", "taken", "held_by_winner")


@dataclass(frozen=True)
class Policy:
    """A way to choose actions: a kernel `(state, params, weights, rng, actions) -> action` and its numbers.

    `weights` are named integers (-1000 to 1000), `temperature` (0 to 1000) scales the noise added to the options;
    `meanings` says in a sentence what each weight rewards, for those who write other numbers.
    """

    id: str
    title: str
    help: str
    choose: Kernel
    weights: Mapping[str, int] = field(default_factory=dict)
    temperature: int = 0
    meanings: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Bounds:
    """The most that any legal rules allow; random numbers are addressed within these."""

    actions: int
    rounds: int
    turns: int
    steps: int
    plies: int


class Tracer(Protocol):
    """Writes the trace of one game in the words of its contract; a replay binds it to the rules' `note`."""

    events: list[dict[str, Any]]

    def __call__(self, state: Any, params: Any, event: int, a: int, b: int, c: int, /) -> None:
        """Hear what the rules have just done: one of the game's own codes and up to three numbers."""

    def finish(self, state: Any, row: Mapping[str, int], /) -> None:
        """Complete `events`: the game is over, and `row` holds its columns."""


@dataclass(frozen=True)
class Game:
    """Everything the tool knows about a game; the object behind an entry point of the group balance.games.v1.

    Kernels, in house order (state, params, subject, rng, buffers):
      setup(state, params, rng)                    deal and place, go on to the first decision
      legal_actions(state, params, actions) -> n   the codes, ascending; at least two while not over
      apply_action(state, params, action, rng)     do it with all consequences, up to the next decision
      score(state, params, seat) -> int            points now; final when state.over
      tiebreak(state, params, seat) -> int         a key that ranks equal scores; 0 where rules share them
      measure(state, params, shares, row)                  write the game's measures into its row
      determinize(state, params, seat, rng)        redeal what `seat` cannot see
    """

    id: str
    title: str
    rules_version: int
    players: range
    Params: type[GameParams]
    state_dtype: np.dtype[Any]
    bounds: Bounds
    setup: Kernel
    legal_actions: Kernel
    apply_action: Kernel
    score: Kernel
    tiebreak: Kernel
    measure: Kernel
    determinize: Kernel
    measures: tuple[Measure, ...]
    policies: tuple[Policy, ...]
    round_name: str
    turn_name: str
    summary: str
    tables: Callable[[Any], dict[str, Any]] | None = None
    """Lookup tables derived from resolved parameters, added to the params record (name -> integer array)."""
    tracer: Callable[[Any, int, int, Sequence[str]], Tracer] | None = None
    """`tracer(params, number, seed, policies)` listens to game `number` of a run; `policies` are named by seat."""
    narrate: Callable[[Sequence[dict[str, Any]]], list[str]] | None = None
    """Turns the events of one trace into the lines of a readable log that quotes rule ids."""
    games_digest: str = ""
    """The digest of fixed games by the official rules, which `balance selftest` plays and compares. It changes with
    whatever the rules and the default policy do; `balance selftest` says which one it found."""

    def tables_of(self, params: GameParams) -> dict[str, Any]:
        """The lookup tables of these rules; GameCodeError where `tables` does not return such."""
        if self.tables is None:
            return {}
        if not callable(self.tables):
            wanted = f"a function (params) that returns {_TABLES}, not a {type(self.tables).__name__}"
            raise GameCodeError(f"tables= of {self.title} must be {wanted}.")
        return dict(answer(self.tables, _are_tables, _TABLES, params))

    def policy(self, name: str) -> Policy:
        """The policy of that name; KeyError otherwise."""
        for policy in self.policies:
            if policy.id == name:
                return policy
        raise KeyError(name)

    def measures_of(self, kind: Literal["game", "seat", "curve", "counter"]) -> list[Any]:
        """The measures of one kind, in the order declared."""
        return [measure for measure in self.measures if measure.kind == kind]
