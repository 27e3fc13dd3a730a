"""Kennelmester's invariants, looked at whenever somebody decides and when a game is over."""

from __future__ import annotations

from collections import Counter
from typing import Any

from balance.games.kennelmester import layout
from balance.games.kennelmester.layout import (
    CUSTOMERS,
    DISCARDED,
    EVENT_MASK,
    FIRST_CUSTOMER,
    FREE,
    GONE,
    HAND,
    IN_DECK,
    NURSING,
    PREGNANT,
    PUP,
    REMOVED,
    SEAT_OF,
    SPENT,
    STAGE_OF,
    WON,
)
from balance.games.kennelmester.params import KennelmesterParams
from balance.games.kennelmester.trace_state import kennel

from .plays import Moment


class Census:
    """Watches one game: `at_decision` when somebody decides, `at_end` when it is over."""

    def __init__(self, params: KennelmesterParams, record: Any) -> None:
        self.params, self.record = params, record
        deck = params.deck
        self.dogs = range(len(deck.dogs))
        self.customers = range(FIRST_CUSTOMER, FIRST_CUSTOMER + len(deck.customers))
        self.breeds = [*range(len(deck.breeds)), CUSTOMERS]
        self.seats = range(params.players)
        self.bank = 0
        """Coins that came from the bank, less those that went there; known from what is told."""

    def at_decision(self, moment: Moment) -> None:
        """All that must hold when somebody decides."""
        state = moment.state
        self.look(state)
        assert moment.listed == state.options >= 2
        assert moment.options == sorted(set(moment.options))
        assert state.seat == state.acting or state.decision == layout.D6_CONSENT

    def look(self, state: Any) -> None:
        """All that must hold whenever nothing is going on."""
        self.cards(state)
        self.items(state)
        self.kennels(state)
        self.events(state)
        assert min(state.coins[side] for side in self.params.sides()) >= 0
        assert min(state.reputation[seat] for seat in self.seats) >= 0
        assert max(state.hand_size[seat] for seat in self.seats) <= self.hand_room

    @property
    def hand_room(self) -> int:
        """How many cards a hand may hold for a moment."""
        drawn = 1
        if self.params.hand_limit_check == "turn_end":
            drawn = self.params.actions_per_turn + self.params.bonus_actions
        return self.params.hand_limit + drawn

    def cards(self, state: Any) -> None:
        """Every card is in one place, and the lists agree with it."""
        in_decks: Counter[int] = Counter()
        for pile in self.breeds:
            first = self.record.pile_start[pile]
            cards = [state.deck[at] for at in range(first, first + state.deck_size[pile])]
            assert all(self.record.pile_of[card] == pile for card in cards)
            in_decks.update(cards)
        in_hands = Counter(state.hand[seat, at] for seat in self.seats for at in range(state.hand_size[seat]))
        in_kennels = Counter(dog for seat in self.seats for dog in kennel(state, seat))
        for card in [*self.dogs, *self.customers]:
            place = state.place[card]
            assert (in_decks[card], in_hands[card], in_kennels[card]) == (
                place == IN_DECK,
                place & STAGE_OF == HAND,
                place >= FREE,
            )
            assert place in (IN_DECK, DISCARDED, SPENT, GONE) or place & SEAT_OF < self.params.players
        for seat in self.seats:
            held = [card for card in in_hands if state.place[card] == HAND + seat]
            assert len(held) == state.hand_size[seat]
            assert state.hand_customers[seat] == sum(card >= FIRST_CUSTOMER for card in held)

    def items(self, state: Any) -> None:
        """What can be drawn: decks that can be drawn from, and the discards that may be taken."""
        listed = Counter(state.items[which, at] for which in (0, 1) for at in range(state.n_items[which]))
        due: Counter[int] = Counter()
        for pile in self.breeds:
            first, after = self.record.pile_start[pile], self.record.pile_start[pile + 1]
            cards = [self.record.pile_cards[at] for at in range(first, after)]
            there = [card for card in cards if state.place[card] in (IN_DECK, DISCARDED, SPENT)]
            assert state.pile[pile] == len(there)
            if there:
                due[layout.FIRST_DECK + pile] += 1
            discards = sorted(
                (card for card in cards if state.place[card] == DISCARDED), key=lambda card: state.seen[card]
            )
            access = {"any": discards, "top": discards[-1:], "off": []}[self.params.discard_access]
            due.update(access)
        assert listed == due

    def kennels(self, state: Any) -> None:
        """Counts and conditions of dogs."""
        males: Counter[int] = Counter()
        for seat in self.seats:
            dogs = kennel(state, seat)
            stages = Counter(state.place[dog] & STAGE_OF for dog in dogs)
            assert state.adults[seat] == len(dogs) - stages[PUP]
            assert (state.pups[seat], state.mothers[seat]) == (stages[PUP], stages[NURSING])
            assert state.pregnant[seat] == stages[PREGNANT]
            males.update(self.record.pile_of[dog] for dog in dogs if not self.record.dog_female[dog])
            for dog in dogs:
                stage, since = state.place[dog] & STAGE_OF, state.since[dog]
                assert (since > 0) == (stage != FREE)
                assert state.used_round[dog] >= state.entered_round[dog]
                if stage in (PREGNANT, NURSING):
                    assert self.record.dog_female[dog]
        assert all(state.males[breed] == males[breed] for breed in self.breeds[:-1])

    def events(self, state: Any) -> None:
        """Every event in play is in the deck, turned up, won or removed."""
        deck = [state.event_deck[(state.event_at + at) & EVENT_MASK] for at in range(int(state.events_left))]
        assert len(set(deck)) == len(deck)
        assert state.events_back <= state.events_left
        all_events = range(len(self.params.deck.events))
        placed = [
            event for event in all_events if state.event_place[event] in (REMOVED, *range(WON, WON + 6))
        ]
        assert not set(deck) & set(placed)
        if state.decision != layout.D1_START and not state.over:
            assert state.event not in (*deck, *placed)
            assert len(deck) + len(placed) + 1 == self.params.event_deck_size

    def at_end(self, state: Any) -> None:
        """All that must hold when a game is over."""
        assert state.over in (1, 3, 4)
        self.look(state)
        assert 1 <= state.round_number <= self.params.round_cap
        won = Counter(state.event_place[event] - WON for event in range(len(self.params.deck.events)))
        for seat in self.seats:
            prizes = sum(
                self.record.event_reputation[event]
                for event in range(len(self.params.deck.events))
                if state.event_place[event] == WON + seat
            )
            assert state.reputation[seat] == prizes + state.customer_reputation[seat]
            assert won[seat] == sum(state.wins_of[seat, kind] for kind in range(3))
