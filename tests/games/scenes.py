"""Animalia put up by hand: a state in the midst of a season, and the kernels to go on from there."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from balance.engine import trace
from balance.engine.plain import blank, plain_kernel, plain_params
from balance.engine.records import actions_dtype
from balance.engine.rng import rng_dtype
from balance.games.animalia import GAME, building, cards, layout, medals, params, powers, rules
from balance.games.animalia.params import AnimaliaParams
from balance.games.animalia.trace import NAMES, Tracer

Cards = Sequence[str]
HALT = ("start_turn", "award_bonus_cards", "end_season")
"""Kernels in whose place a scene may halt."""


class _Listener:
    """Stands in the place of `note`; the scene that is played puts its tracer here."""

    tracer: Any = None

    def note(self, *told: Any) -> None:
        self.tracer(*told)


_LISTENER = _Listener()


def _halt(state: Any, *_rest: Any) -> None:
    """Stands in the place of a kernel at which a scene ends."""
    state.phase = layout.WAIT
    state.decision = 0


def _leave_the_deck(*_told: Any) -> None:
    """Stands in the place of the shuffle: the deck is laid by hand."""


def _kernel(name: str) -> Any:
    """The kernel of that name, wherever in the rules it stands."""
    return next(
        found
        for module in (rules, building, powers, medals, cards)
        if getattr(found := getattr(module, name, None), "__module__", None) == module.__name__
    )


@cache
def kernel_of(name: str, halt: str = "", shuffled: bool = False) -> Any:
    """A kernel of the rules in plain Python, traced, that halts where another would be called."""
    bind: list[tuple[Any, Any]] = [(trace.note, _LISTENER.note), (trace.TRACE, np.int64(1))]
    if not shuffled:
        bind.append((rules.shuffle, _leave_the_deck))
    if halt:
        bind.append((_kernel(halt), _halt))
    return plain_kernel(_kernel(name), bind)


class Scene:
    """A table with collections and a deck laid out; card names as in traces."""

    def __init__(
        self,
        params: AnimaliaParams,
        collections: Sequence[Sequence[Cards]] = (),
        deck: Cards = (),
        held: Sequence[Cards] = (),
        dealer: int = 0,
        halt: str = "",
        shuffled: bool = False,
    ) -> None:
        self.rules, self.params, self.halt, self.shuffled = params, plain_params(GAME, params), halt, shuffled
        self.state, self.rng, self.actions = (
            blank(GAME.state_dtype),
            blank(rng_dtype),
            blank(actions_dtype(GAME)),
        )
        self.tracer = Tracer(params, 0, 0, ["script"] * params.players)
        self.state.dealer = dealer
        self._begin_season()
        for seat, own in enumerate(collections):
            for which, laid in enumerate(own):
                self.lay(seat, which, laid)
        for at, card in enumerate(deck):
            self.state.deck[at] = NAMES.index(card)
        self.state.deck_left = len(deck)
        for seat, hand in enumerate(held):
            for card in hand:
                self.call("add_to_hand", seat, NAMES.index(card))
        self.tracer.events.clear()

    def _begin_season(self) -> None:
        _LISTENER.tracer = self.tracer
        kernel_of("start_season")(self.state, self.params, self.rng)

    def call(self, name: str, *arguments: Any, rng: bool = False) -> Any:
        """A kernel of the rules."""
        _LISTENER.tracer = self.tracer
        more = (self.rng,) if rng else ()
        return kernel_of(name, self.halt, self.shuffled)(self.state, self.params, *arguments, *more)

    def lay(self, seat: int, which: int, cards: Cards) -> None:
        """Lay cards into a collection."""
        for card in cards:
            self.call("lay", 2 * seat + which, NAMES.index(card))
        self.call("refresh_room", seat)

    def go_on(self, phase: int) -> None:
        """What happens by itself from this phase on."""
        self.state.phase = phase
        self.call("go_on", rng=True)

    def options(self) -> list[int]:
        """The list of options; empty when nothing is to be decided."""
        if self.state.decision == 0:
            return []
        return [self.actions.code[i] for i in range(self.call("legal_actions", self.actions))]

    def act(self, action: int) -> None:
        """Choose one of the options."""
        assert action in self.options()
        self.call("apply_action", action, rng=True)

    def activate(self, actor: Sequence[int], kinds: Sequence[str]) -> None:
        """These powers are pending after a take of `actor` (player, collection); go on from there."""
        self.state.taker, self.state.taker_collection = actor[0], 2 * actor[0] + actor[1]
        self.state.turn = 1
        for at, kind in enumerate(kinds):
            self.state.pending[at] = params.KINDS.index(kind) - params.THIEF
        self.state.pending_count = len(kinds)
        self.go_on(layout.RESOLVE)

    # ---------------------------------------------------------------- looking

    @property
    def events(self) -> list[dict[str, Any]]:
        """What has been traced since the scene was put up."""
        return self.tracer.events

    def collection(self, seat: int, which: int) -> list[str]:
        """A collection's cards."""
        size = self.call("open_places", 2 * seat + which)
        return [
            NAMES[self.state.cards[2 * seat + which, i]] for i in range(self.rules.collection_size - size)
        ]

    def collections(self) -> list[list[list[str]]]:
        """All collections by player."""
        each = range(self.rules.collections_per_player)
        return [[self.collection(seat, which) for which in each] for seat in range(self.rules.players)]

    def deck(self) -> list[str]:
        """The deck, top first."""
        at = [(self.state.deck_top + i) & layout.DECK_MASK for i in range(self.state.deck_left)]
        return [NAMES[self.state.deck[i]] for i in at]

    def hand(self, seat: int) -> list[str]:
        """A player's bonus cards."""
        return [NAMES[self.state.hand[seat, i]] for i in range(self.state.hand_count[seat])]

    def open_players(self) -> list[int]:
        """Players with an open place."""
        size, owns = self.rules.collection_size, self.collections()
        return [seat for seat, own in enumerate(owns) if any(len(cards) < size for cards in own)]


def place_of(cards: Cards, card: str) -> int:
    """The place of a card in a collection."""
    return list(cards).index(card)
