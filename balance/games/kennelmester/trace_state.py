"""Names of cards, trait vectors, and the whole position after a round, as section 8 of the contract writes them."""

from __future__ import annotations

from typing import Any

from balance.games.kennelmester.deck import TRAITS, Deck
from balance.games.kennelmester.layout import (
    CUSTOMERS,
    DISCARDED,
    EVENT_MASK,
    FIRST_CUSTOMER,
    GONE,
    HAND,
    NONE,
    NURSING,
    PREGNANT,
    PUP,
    REMOVED,
    SPENT,
    STAGE_OF,
    WON,
)
from balance.games.kennelmester.params import KennelmesterParams
from balance.games.kennelmester.traits import dice_of, total

Record = dict[str, Any]


def vector(word: int) -> dict[str, int]:
    """A trait vector with its non-zero entries only (1.1)."""
    dice = {name: int(dice_of(int(word), trait)) for trait, name in enumerate(TRAITS)}
    return {name: number for name, number in dice.items() if number}


class Names:
    """The ids of the cards behind the kernels' numbers."""

    def __init__(self, deck: Deck) -> None:
        self.breeds = [breed.id for breed in deck.breeds]
        self.dogs = range(len(deck.dogs))
        self.customers = range(FIRST_CUSTOMER, FIRST_CUSTOMER + len(deck.customers))
        self.events = range(len(deck.events))
        self._deck = deck

    def card(self, card: int) -> str:
        """A dog or a customer."""
        if card < FIRST_CUSTOMER:
            return self._deck.dogs[int(card)].id
        return self._deck.customers[int(card) - FIRST_CUSTOMER].id

    def event(self, event: int) -> str:
        """An event."""
        return self._deck.events[int(event)].id

    def breed_of(self, dog: int) -> str:
        """The breed of a dog."""
        return self._deck.dogs[int(dog)].breed


class Position:
    """Reads the kernels' state in the words of the contract."""

    def __init__(self, params: KennelmesterParams) -> None:
        self.names = Names(params.deck)
        self._sides = params.sides()

    def decks(self, state: Any, record: Any) -> dict[int, list[str]]:
        """The cards of each deck by pile, top first."""
        piles = [*range(len(self.names.breeds)), CUSTOMERS]
        return {pile: self.deck(state, record, pile) for pile in piles}

    def deck(self, state: Any, record: Any, pile: int) -> list[str]:
        """The cards of a deck, top first."""
        first = int(record.pile_start[pile])
        top = first + int(state.deck_size[pile]) - 1
        return [self.names.card(state.deck[at]) for at in range(top, first - 1, -1)]

    def after_round(self, state: Any, record: Any) -> Record:
        """8.3 The whole position after the housekeeping of a round."""
        events = self.names.events
        in_deck = range(int(state.events_left))
        return {
            "players": [self._player(state, record, seat) for seat in range(len(self._sides))],
            **self._piles(state, record),
            "gone": self._placed(state, self.names.dogs, GONE)
            + self._placed(state, self.names.customers, GONE),
            "event_deck": [
                self.names.event(state.event_deck[(int(state.event_at) + at) & EVENT_MASK]) for at in in_deck
            ],
            "events_removed": [
                self.names.event(event) for event in events if state.event_place[event] == REMOVED
            ],
        }

    def _placed(self, state: Any, cards: range, place: int) -> list[str]:
        return [self.names.card(card) for card in cards if state.place[card] == place]

    def _piles(self, state: Any, record: Any) -> Record:
        """Decks by size, discards in order, spent cards by index."""
        breeds = self.names.breeds
        discards: dict[int, list[int]] = {pile: [] for pile in [*range(len(breeds)), CUSTOMERS]}
        spent: dict[int, list[str]] = {pile: [] for pile in discards}
        for card in [*self.names.dogs, *self.names.customers]:
            pile = int(record.pile_of[card])
            if state.place[card] == DISCARDED:
                discards[pile].append(card)
            elif state.place[card] == SPENT:
                spent[pile].append(self.names.card(card))
        ordered = {
            pile: [self.names.card(card) for card in sorted(cards, key=lambda card: int(state.seen[card]))]
            for pile, cards in discards.items()
        }
        return {
            "dog_decks": {breed: int(state.deck_size[pile]) for pile, breed in enumerate(breeds)},
            "customer_deck": int(state.deck_size[CUSTOMERS]),
            "dog_discards": {breed: ordered[pile] for pile, breed in enumerate(breeds)},
            "customer_discards": ordered[CUSTOMERS],
            "dog_spent": {breed: spent[pile] for pile, breed in enumerate(breeds)},
            "customer_spent": spent[CUSTOMERS],
        }

    def _player(self, state: Any, record: Any, seat: int) -> Record:
        names = self.names
        return {
            "player": seat,
            "coins": int(state.coins[self._sides[seat]]),
            "reputation": int(state.reputation[seat]),
            "hand_dogs": self._placed(state, names.dogs, HAND + seat),
            "hand_customers": self._placed(state, names.customers, HAND + seat),
            "kennel": [self.dog(state, record, dog) for dog in kennel(state, seat)],
            "events_won": [
                names.event(event) for event in names.events if state.event_place[event] == WON + seat
            ],
        }

    def dog(self, state: Any, record: Any, dog: int) -> Record:
        """The record of a dog in a kennel (1.5)."""
        stage, since = int(state.place[dog]) & STAGE_OF, int(state.since[dog])
        pregnancy = {
            "father": self.names.card(state.father[dog]),
            "inherited": vector(state.carried[dog]),
            "round": since,
        }
        return {
            "dog": self.names.card(dog),
            "stage": "pup" if stage == PUP else "adult",
            "total": vector(total(state, record, dog)),
            "inherited": vector(state.inherited[dog]),
            "wins": int(state.wins[dog]),
            "used_round": int(state.used_round[dog]),
            "entered_round": int(state.entered_round[dog]),
            "pregnancy": pregnancy if stage == PREGNANT else None,
            "nursing_round": since if stage == NURSING else None,
            "born_round": since if stage == PUP else None,
        }


def kennel(state: Any, seat: int) -> list[int]:
    """The dogs of a kennel, in kennel order."""
    found, dog = [], int(state.first_dog[seat])
    while dog != NONE:
        found.append(dog)
        dog = int(state.after[dog])
    return found
