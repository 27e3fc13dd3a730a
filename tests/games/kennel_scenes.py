"""Kennelmester put up by hand: decks made up for a purpose, dogs in kennels, cards in hands, dice that were agreed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from balance.engine import playout, rng, trace
from balance.engine.plain import blank, plain_kernel, plain_params
from balance.engine.playing import bindings
from balance.engine.records import actions_dtype, row_dtype
from balance.games.kennelmester import GAME, kennel, layout, piles, rules, turns
from balance.games.kennelmester.deck import (
    EVENT_TYPES,
    TRAITS,
    Breed,
    Character,
    Customer,
    Deck,
    Dog,
    Event,
    Reward,
)
from balance.games.kennelmester.layout import FIRST_CUSTOMER, FREE, NURSING, PREGNANT, PUP
from balance.games.kennelmester.trace import Tracer
from balance.games.kennelmester.traits import packed

Vector = Mapping[str, int]


def five(vector: Vector) -> tuple[int, int, int, int, int]:
    """A trait vector as five numbers."""
    a, b, c, d, e = (vector.get(trait, 0) for trait in TRAITS)
    return a, b, c, d, e


def word(vector: Vector) -> int:
    """A trait vector as kernels hold it."""
    return packed(five(vector))


# ---------------------------------------------------------------- decks


def dog(name: str, sex: str = "male", price: int = 4, breed: str = "puli", **traits: int) -> Dog:
    return Dog(name, breed, sex, price, five(traits))


def customer(
    name: str, *rewards: Mapping[str, Any], breed: str | None = None, sex: str | None = None
) -> Customer:
    listed = tuple(
        Reward(TRAITS.index(one["trait"]), one["min"], one["coins"], one["reputation"]) for one in rewards
    )
    return Customer(name, breed, sex, listed)


def event(name: str, kind: str = "show", traits: Iterable[str] = ("speed",), **numbers: int) -> Event:
    values = {"cost": 1, "required": 1, "target": 4, "reputation": 2, **numbers}
    return Event(name, EVENT_TYPES.index(kind), traits=tuple(map(TRAITS.index, traits)), **values)


SHOWMEN = {f"ch_{at}": (2,) for at in range(6)}
"""Characters who prepare dogs for shows."""


def deck_of(
    dogs: Sequence[Dog] = (),
    customers: Sequence[Customer] = (),
    events: Sequence[Event] = (),
    preps: Mapping[str, Sequence[int]] = SHOWMEN,
) -> Deck:
    """A deck of these cards; what is left out is filled up with a few of no importance."""
    dogs = dogs or [dog(f"any_{at}") for at in range(12)]
    breeds = tuple(Breed(name) for name in dict.fromkeys(one.breed for one in dogs))
    return Deck(
        tuple(Character(name, tuple(prep)) for name, prep in preps.items()),
        tuple(dogs),
        tuple(customers) or (customer("cu_any"),),
        tuple(events) or tuple(event(f"ev_{at}") for at in range(4)),
        breeds,
    )


def deck_from_log(header: Mapping[str, Any]) -> Deck:
    """The deck of a trace's header."""
    decks = header["decks"]
    return deck_of(
        [dog(one["id"], one["sex"], one["price"], one["breed"], **one["traits"]) for one in decks["dogs"]],
        [
            customer(one["id"], *one["bonuses"], breed=one["breed"], sex=one["sex"])
            for one in decks["customers"]
        ],
        [
            Event(
                one["id"],
                EVENT_TYPES.index(one["type"]),
                one["cost"],
                tuple(map(TRAITS.index, one["traits"])),
                one["required"],
                one["target"],
                one["reputation"],
            )
            for one in decks["events"]
        ],
        {one["id"]: [EVENT_TYPES.index(kind) for kind in one["prep"]] for one in decks["characters"]},
    )


# ---------------------------------------------------------------- kernels


class _Stage:
    """Stands in the place of `note` and of the dice; the scene that is played is on it."""

    scene: Any = None

    def note(self, *told: Any) -> None:
        self.scene.told(*told)

    def below(self, _rng: Any, _word: int, n: int) -> int:
        """An agreed die; where none is left, and for shuffles, the number that leaves a card where it is."""
        faces = self.scene.faces
        return int(faces.pop(0)) - 1 if n == 6 and faces else n - 1


_STAGE = _Stage()


@cache
def kernel_of(fn: Any) -> Any:
    """A kernel in plain Python, traced, with agreed dice."""
    bind = [*bindings(GAME, GAME.policies), (trace.note, _STAGE.note), (trace.TRACE, np.int64(1))]
    return plain_kernel(fn, [*bind, (rng.below, _STAGE.below)])


class Scene:
    """A table laid by hand; cards are named by their ids."""

    def __init__(
        self, size: tuple[int, str], overrides: Mapping[str, Any] | None = None, deck: Deck | None = None
    ) -> None:
        deck = deck or deck_of()
        rest = {"event_deck_size": min(24, len(deck.events)), "start_dogs": 0}
        self.rules = GAME.resolve(size, {**rest, **(overrides or {})}, deck)
        self.params = plain_params(GAME, self.rules)
        self.state, self.rng = blank(GAME.state_dtype), blank(rng.rng_dtype)
        self.actions = blank(actions_dtype(GAME))
        self.faces: list[int] = []
        self.on_told: Any = None
        self.cards = {one.id: at for at, one in enumerate(deck.dogs)}
        self.cards |= {one.id: FIRST_CUSTOMER + at for at, one in enumerate(deck.customers)}
        self.names = {number: name for name, number in self.cards.items()}
        self.tracer = Tracer(self.rules, 0, 0, ["script"] * size[0])

    def told(self, *event: Any) -> None:
        """The rules tell of something."""
        if self.on_told is not None:
            self.on_told(*event)
        self.tracer(*event)

    def call(self, fn: Any, *arguments: Any) -> Any:
        """A kernel of the rules that takes state and params first."""
        _STAGE.scene = self
        return kernel_of(fn)(self.state, self.params, *arguments)

    # ---------------------------------------------------------------- laying the table

    def deal(self) -> Scene:
        """Setup: decks in the order of the cards, coins and characters; without starting dogs round 1 begins."""
        self.call(rules.setup, self.rng)
        return self

    def take(self, name: str) -> int:
        """Take a card out of its deck."""
        card, state = self.cards[name], self.state
        pile = self.params.pile_of[card]
        first, size = self.params.pile_start[pile], state.deck_size[pile]
        kept = [state.deck[first + at] for at in range(size) if state.deck[first + at] != card]
        assert len(kept) == size - 1
        for at, other in enumerate(kept):
            state.deck[first + at] = other
        state.deck_size[pile] = size - 1
        kernel_of(piles.leave_pile)(state, pile)
        return card

    def keep(self, seat: int, name: str, stage: int = FREE, **record: Any) -> int:
        """A dog in a kennel, with what else its record says."""
        card, state = self.take(name), self.state
        self.call(kennel.arrive, seat, card, PUP if stage == PUP else FREE)
        state.place[card] = stage + seat
        state.pregnant[seat] += stage == PREGNANT
        state.mothers[seat] += stage == NURSING
        for field, value in record.items():
            getattr(state, field)[card] = word(value) if field in ("inherited", "carried") else value
        state.stale = 1
        return card

    def hold(self, seat: int, name: str) -> int:
        """A card in a hand."""
        card = self.take(name)
        kernel_of(piles.to_hand)(self.state, seat, card)
        self.state.stale = 1
        return card

    def begin(self, seat: int = 0, round_number: int = 1, event: int | None = None) -> Scene:
        """A turn of this seat begins in this round, with this event."""
        self.state.round_number, self.state.starter = round_number - 1, seat
        if event is not None:
            self.state.event = event
            self.state.skilled = self.state.skilled_for[self.params.event_type[event]]
        self.state.turn = 0
        self.call(turns.begin_turn, seat)
        self.call(rules.settle, self.rng)
        return self

    # ---------------------------------------------------------------- playing

    def options(self) -> list[int]:
        """The list of options."""
        return [self.actions.code[at] for at in range(self.call(GAME.legal_actions, self.actions))]

    def code(self, kind: int, a: str | int = 0, b: str | int = 0) -> int:
        """6.3: an action; cards by name."""
        return kind << layout.KIND_AT | self._number(a) << layout.A_AT | self._number(b)

    def _number(self, what: str | int) -> int:
        if isinstance(what, int):
            return what
        card = self.cards[what]
        return card - FIRST_CUSTOMER if card >= FIRST_CUSTOMER else card

    def may(self, kind: int, a: str | int = 0, b: str | int = 0) -> bool:
        """Whether an action is among the options."""
        return self.code(kind, a, b) in self.options()

    def act(self, kind: int, a: str | int = 0, b: str | int = 0, faces: Sequence[int] = ()) -> Scene:
        """Choose one of the options; dice show these faces."""
        self.faces += faces
        assert self.may(kind, a, b)
        self.call(rules.apply_action, self.code(kind, a, b), self.rng)
        self.state.step += 1
        return self

    @property
    def events(self) -> list[dict[str, Any]]:
        """What has been traced."""
        return self.tracer.events

    def last(self, name: str) -> dict[str, Any]:
        """The last line of a kind."""
        return [line for line in self.events if line["event"] == name][-1]

    def finished(self) -> list[dict[str, Any]]:
        """The whole trace of a game that is over."""
        ranking: dict[tuple[int, int], int] = {}
        self.call(playout.rank_seats, ranking)
        seats = range(self.rules.players)
        measured = blank(row_dtype(GAME))
        self.call(GAME.measure, {seat: ranking[2, seat] for seat in seats}, measured)
        faces = ("score", "rank", "win_share")
        row = {f"{face}_{seat}": ranking[at, seat] for at, face in enumerate(faces) for seat in seats}
        self.tracer.finish(self.state, row)
        return self.events
