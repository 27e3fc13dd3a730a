"""The interface: what a game *is* to the rest of the tool.

A game is data (parameters, measures, policies) and kernels (functions marked `@kernel`, plain Python until
the engine compiles them). Nothing above the engine knows a game by any other door.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Literal, Protocol

import numpy as np
from pydantic import TypeAdapter, ValidationError

from balance.errors import BalanceError, GameCodeError, Remark, RulesError, answer
from balance.errors import Fault as Fault  # games take these from here
from balance.parameters import MILLION as MILLION
from balance.parameters import GameParams as GameParams

Kernel = Callable[..., Any]
MAX_SEATS = 6
SHARE_UNIT = 60
"""A win is shared in sixtieths: 60 divides by 1, 2, 3, 4, 5 and 6 winners."""
HIGHEST_WEIGHT = HIGHEST_TEMPERATURE = 1000
"""The numbers of a policy: weights from -1000 to 1000, a temperature from 0 to 1000. A weight is multiplied by what
lies on the table, and an option's value must stay within 2^31 (see `engine.choice`)."""
_TABLES = 'tables as {"name": array of whole numbers}'


def _are_tables(found: Any) -> bool:
    """Whether `tables` returned names with arrays of numbers."""
    if not isinstance(found, Mapping) or not all(isinstance(name, str) for name in found):
        return False
    try:
        return all(np.asarray(table).dtype.kind in "iubf" for table in found.values())
    except ValueError:  # lists of different lengths
        return False


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


CHOICE = ("offered", "taken")
COUNTER_FACES = (*CHOICE, "held_by_winner")


@dataclass(frozen=True)
class CounterMeasure(Measure):
    """For each item how often it was offered, taken, and held (or used) by the winner, as sums over games."""

    items: tuple[str, ...] = ()
    absent: Callable[[Any], tuple[str, ...]] | None = None
    """Which items the resolved rules leave out of the game: they are not shown, and nobody is warned about them."""
    faces: tuple[str, str] = CHOICE
    """What the first two numbers of an item are called where they are no choice, such as ("entered", "won")."""
    kind: ClassVar[str] = "counter"


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


Size = tuple[int, str | None]
"""A size of table: how many sit there, and the mode that they play (None in a game without modes)."""
Sides = tuple[tuple[int, ...], ...]
"""The seats of each side; every seat is a side of its own where there are no teams."""


@dataclass(frozen=True)
class Mode:
    """A way to play a game, such as alone or in teams, for some numbers of players.

    `sides(players)` gives the side of each seat, numbered from 0, where some play together: they have the same score
    and share their side's win. `goal` says, in a sentence, what has to be reached where that is what winning means.
    """

    id: str
    title: str
    players: tuple[int, ...]
    goal: str = ""
    sides: Callable[[int], Sequence[int]] | None = None

    def seats(self, players: int) -> Sides:
        """The seats of each side."""
        of_seats = list(self.sides(players)) if self.sides else list(range(players))
        return tuple(
            tuple(seat for seat, side in enumerate(of_seats) if side == number)
            for number in sorted(set(of_seats))
        )


class Tracer(Protocol):
    """Writes the trace of one game in the words of its contract; a replay binds it to the rules' `note`."""

    events: list[dict[str, Any]]

    def __call__(self, state: Any, params: Any, event: int, a: int, b: int, c: int, /) -> None:
        """Hear what the rules have just done: one of the game's own codes and up to three numbers."""

    def finish(self, state: Any, row: Mapping[str, int], /) -> None:
        """Complete `events`: the game is over, and `row` holds its columns."""


@dataclass(frozen=True)
class Bans:
    """What a seat can be forbidden to choose, so that one sees what it is worth to it (`balance compare --ban`).

    `names` are kinds of actions and items in the game's own words, each with what is forbidden: 'to use the thief'.
    Kernels:
      concerns(state, params, action) -> names     which of them an action on the list is about, a bit for each
      withhold(state, params, names)               change a copy of the state, so that policies look past these names;
                                                   not needed where they choose from the list, which is shortened
    `absent` are those that the resolved rules leave out of the game.
    """

    names: Mapping[str, str]
    concerns: Kernel
    withhold: Kernel | None = None
    absent: Callable[[Any], tuple[str, ...]] | None = None

    def mask(self, name: str) -> int:
        """The bit of a name; ValueError for a name that is none."""
        return 1 << list(self.names).index(name)


@dataclass(frozen=True)
class DeckTable:
    """A table of what a deck holds: each row has a name, and a value for each column."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[int | float | str, ...], ...]


@dataclass(frozen=True)
class DeckCheck:
    """What there is to say of the deck in a folder; with faults it cannot be played, and has no tables."""

    faults: tuple[Remark, ...]
    warnings: tuple[Remark, ...]
    notes: tuple[Remark, ...]
    tables: tuple[DeckTable, ...]


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

    modes: tuple[Mode, ...] = ()
    """Where a number of players has several, the first is the usual one. `Params` has a field `mode` then."""
    capped_by_rules: bool = False
    """Whether its rules end some games at a cap and rank them (`state.over` is CAPPED_OVER then): how many is told."""
    read_deck: Callable[[Path], Any] | None = None
    """Reads a deck from a folder, for the field `deck` of `Params`; BalanceError with a sentence for each fault."""
    deck_note: Callable[[Any], str] | None = None
    """What readers of results with this deck must know before anything else, as a sentence; '' where nothing."""
    check_deck: Callable[[Path], DeckCheck] | None = None
    """Says all that there is to say of the deck in a folder; BalanceError where there is no such folder."""
    bans: Bans | None = None
    """What a seat can be forbidden to choose; None where nothing."""

    def tables_of(self, params: GameParams) -> dict[str, Any]:
        """The lookup tables of these rules; GameCodeError where `tables` does not return such."""
        if self.tables is None:
            return {}
        if not callable(self.tables):
            wanted = f"a function (params) that returns {_TABLES}, not a {type(self.tables).__name__}"
            raise GameCodeError(f"tables= of {self.title} must be {wanted}.")
        return dict(answer(self.tables, _are_tables, _TABLES, params))

    def mode(self, name: str | None) -> Mode | None:
        """The mode of that name; None for None, KeyError for a name that is none."""
        return None if name is None else {mode.id: mode for mode in self.modes}[name]

    def sides(self, size: Size) -> Sides:
        """The seats of each side at a table of this size."""
        mode = self.mode(size[1])
        return mode.seats(size[0]) if mode else tuple((seat,) for seat in range(size[0]))

    @cached_property
    def all_sizes(self) -> tuple[Size, ...]:
        """All tables at which the game can be played by some rules."""
        if not self.modes:
            return tuple((count, None) for count in self.players)
        return tuple(
            (count, mode.id) for count in self.players for mode in self.modes if count in mode.players
        )

    @cached_property
    def official_sizes(self) -> tuple[Size, ...]:
        """All tables at which it can be played by the official rules."""
        return tuple(size for size in self.all_sizes if not self.modes or self._is_official(size))

    def _is_official(self, size: Size) -> bool:
        try:
            self.resolve(size)
        except RulesError:
            return False
        return True

    def sizes(self, players: Sequence[int] = (), modes: Sequence[str] = ()) -> list[Size]:
        """The tables of these numbers of players and modes, by number of players; where both are given those that go
        together. Without modes each number of players has its usual one, without players all official ones come."""
        possible = self.all_sizes if players else self.official_sizes
        return [
            (count, mode)
            for count, mode in possible
            if (not players or count in players)
            and (mode in modes if modes else mode == self.usual_mode(count))
        ]

    def usual_mode(self, players: int) -> str | None:
        """The mode of a number of players where none is named."""
        return next((mode.id for mode in self.modes if players in mode.players), None)

    def resolve(
        self, size: Size, overrides: Mapping[str, object] | None = None, deck: object = None
    ) -> GameParams:
        """The complete rules for a table of this size; RulesError as from `GameParams.resolve`."""
        return self.Params.resolve(size[0], overrides, size[1], deck)

    @property
    def has_deck(self) -> bool:
        """Whether the cards are a deck that can be another one."""
        return "deck" in self.Params.model_fields

    @property
    def own_deck(self) -> Any:
        """The deck that is played with where none is named; None in a game without decks."""
        field = self.Params.model_fields.get("deck")
        return field.get_default(call_default_factory=True) if field else None

    def deck_data(self, deck: object) -> Any:
        """A deck as plain data for a JSON file."""
        return self._deck_adapter.dump_python(deck, mode="json")

    def deck_of(self, data: Any) -> Any:
        """The deck that `deck_data` wrote; BalanceError for other data."""
        try:
            return self._deck_adapter.validate_python(data)
        except ValidationError as error:
            raise BalanceError(f"This is no deck of {self.title}.") from error

    @cached_property
    def _deck_adapter(self) -> TypeAdapter[Any]:
        kind: Any = self.Params.model_fields["deck"].annotation
        return TypeAdapter(kind)

    def note_on(self, deck: object) -> str:
        """What readers of results with this deck must know, as a sentence; '' where there is nothing."""
        return self.deck_note(deck) if self.deck_note else ""

    def policy(self, name: str) -> Policy:
        """The policy of that name; KeyError otherwise."""
        for policy in self.policies:
            if policy.id == name:
                return policy
        raise KeyError(name)

    def measures_of(self, kind: Literal["game", "seat", "curve", "counter"]) -> list[Any]:
        """The measures of one kind, in the order declared."""
        return [measure for measure in self.measures if measure.kind == kind]
