"""The lines of a trace that actions and deals write (8.4, 8.5)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from balance.games.kennelmester import layout
from balance.games.kennelmester.layout import (
    A_AT,
    BIRTHS,
    BONUS,
    CUSTOMERS,
    DEALS,
    FIRST_CUSTOMER,
    LOW_12,
    MATE,
    NOBODY,
    SEAT_OF,
    UPKEEP,
)
from balance.games.kennelmester.params import KennelmesterParams
from balance.games.kennelmester.trace_state import Position, vector

Event = dict[str, Any]
Handler = Callable[[Any, int, int, int], None]


class ActionLines:
    """Writes the lines of actions; the rules tell of them by code."""

    def __init__(self, params: KennelmesterParams) -> None:
        self.events: list[Event] = []
        self._params = params
        self._sides = params.sides()
        self._position = Position(params)
        self._names = self._position.names
        self._record: Any = None
        """The rules as kernels see them, known from the first event on."""
        self._rolls: list[int] = []
        self._pups: list[str] = []
        self._entries: list[Event] = []

    def action_handlers(self) -> dict[int, Handler]:
        """What to call for each code."""
        return {
            layout.COINED: self._coined,
            layout.DREW: self._drew,
            layout.REFILLED: self._refilled,
            layout.DISCARDED_CARD: self._discarded,
            layout.BOUGHT: self._bought,
            layout.SOLD_TO_CUSTOMER: self._sold_to_customer,
            layout.REWARDED: self._rewarded,
            layout.SOLD_TO_PLAYER: self._sold_to_player,
            layout.GIVEN: self._given,
            layout.RELEASED: self._released,
            layout.MATED: self._mated,
            layout.ROLLED: self._rolled,
            layout.BORN: self._born,
            layout.DELIVERED: self._delivered,
            layout.ENTERED: self._entered,
            layout.ENTRY_CLOSED: self._entry_closed,
            layout.REFUSED: self._refused,
        }

    def _add(self, event: str, **fields: Any) -> None:
        self.events.append({"event": event, **fields})

    def _act(self, event: str, state: Any, **fields: Any) -> None:
        """A line of 8.4: who acts, the number of the action in the turn, and whether it is a bonus."""
        bonus = int(state.part) == BONUS
        self._add(event, player=int(state.acting), n=self._number(state), bonus=bonus, **fields)

    def _number(self, state: Any) -> int:
        return 0 if int(state.part) in (BIRTHS, UPKEEP) else int(state.done) + 1

    def _coins(self, state: Any) -> int:
        return int(state.coins[self._sides[int(state.acting)]])

    # ---------------------------------------------------------------- coins and cards

    def _coined(self, state: Any, _a: int, _b: int, _c: int) -> None:
        self._act("coin", state, amount=self._params.coin_amount, coins=self._coins(state))

    def _deck_of(self, card: int) -> str:
        return "dogs" if card < FIRST_CUSTOMER else "customers"

    def _drew(self, state: Any, card: int, from_discards: int, _c: int) -> None:
        self._act(
            "draw",
            state,
            deck=self._deck_of(card),
            breed=self._names.breed_of(card) if card < FIRST_CUSTOMER else None,
            source="discard" if from_discards else "deck",
            card=self._names.card(card),
        )

    def _refilled(self, state: Any, pile: int, added: int, _c: int) -> None:
        """The new cards lie under those that the deck still had."""
        is_dogs = pile != CUSTOMERS
        self._add(
            "refill",
            deck="dogs" if is_dogs else "customers",
            breed=self._names.breeds[pile] if is_dogs else None,
            order=self._position.deck(state, self._record, pile)[-added:],
        )

    def _discarded(self, state: Any, card: int, _b: int, _c: int) -> None:
        name, deck = self._names.card(card), self._deck_of(card)
        self._add("discard", player=int(state.acting), deck=deck, card=name)

    # ---------------------------------------------------------------- trades

    def _bought(self, state: Any, dog: int, price: int, _c: int) -> None:
        self._act("buy", state, dog=self._names.card(dog), price=price, coins=self._coins(state))

    def _sold(self, state: Any, dog: int, price: int) -> Event:
        """A sale without rewards; opens the line."""
        forced = int(state.part) == UPKEEP
        fields = {"dog": self._names.card(dog), "pup": False, "to": "player", "customer": None, "buyer": None}
        rewards = {"bonus_coins": 0, "reputation": 0}
        self._act("sell", state, **fields, price=price, **rewards, forced=forced, coins=self._coins(state))
        return self.events[-1]

    def _sold_to_customer(self, state: Any, dog: int, customer: int, price: int) -> None:
        """What he pays more is told next."""
        self._sold(state, dog, price).update(to="customer", customer=self._names.card(customer))

    def _rewarded(self, _state: Any, coins: int, reputation: int, was_pup: int) -> None:
        self.events[-1].update(bonus_coins=coins, reputation=reputation, pup=bool(was_pup))

    def _sold_to_player(self, state: Any, dog: int, buyer: int, price: int) -> None:
        self._sold(state, dog, price).update(buyer=buyer)

    def _given(self, state: Any, dog: int, recipient: int, _c: int) -> None:
        self._add("gift", player=int(state.acting), dog=self._names.card(dog), recipient=recipient)

    def _released(self, state: Any, dog: int, _b: int, _c: int) -> None:
        self._add("release", player=int(state.acting), dog=self._names.card(dog))

    # ---------------------------------------------------------------- breeding

    def _mated(self, state: Any, mother: int, fee: int, is_free: int) -> None:
        father = int(state.father[mother])
        self._act(
            "mate",
            state,
            free=bool(is_free),
            mother=self._names.card(mother),
            father=self._names.card(father),
            father_owner=int(state.place[father]) & SEAT_OF,
            fee=fee,
            inherited=vector(state.carried[mother]),
            coins=self._coins(state),
        )

    def _rolled(self, _state: Any, _mother: int, face: int, _c: int) -> None:
        self._rolls.append(face)

    def _born(self, _state: Any, pup: int, _mother: int, _c: int) -> None:
        self._pups.append(self._names.card(pup))

    def _delivered(self, state: Any, mother: int, litter: int, _born: int) -> None:
        """Faces and pups have been told already."""
        self._act(
            "birth",
            state,
            mother=self._names.card(mother),
            father=self._names.card(state.father[mother]),
            rolls=self._rolls,
            litter=litter,
            pups=self._pups,
            inherited=vector(state.carried[mother]),
        )
        self._rolls, self._pups = [], []

    # ---------------------------------------------------------------- entering and refusing

    def _entered(self, _state: Any, dog: int, preparer: int, fee: int) -> None:
        self._entries.append(
            {
                "dog": self._names.card(dog),
                "preparer": None if preparer == NOBODY else preparer,
                "entry_cost": int(self._record.event_cost[_state.event]),
                "prep_fee": fee,
            }
        )

    def _entry_closed(self, state: Any, _a: int, _b: int, _c: int) -> None:
        card = self._names.event(state.event)
        self._act("enter", state, card=card, entries=self._entries, coins=self._coins(state))
        self._entries = []

    def _refused(self, state: Any, action: int, other: int, deal: int) -> None:
        a, b = action >> A_AT & LOW_12, action & LOW_12
        is_mating = action >> layout.KIND_AT == MATE
        self._add(
            "refuse",
            player=int(state.acting),
            n=self._number(state),
            deal=DEALS[deal],
            other=other,
            dog=self._names.card(b if is_mating else a),
            mother=self._names.card(a) if is_mating else None,
            price=int(state.price),
            after=int(state.opened),
        )
