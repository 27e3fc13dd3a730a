"""A position of Kennelmester in one form, read off the kernels' state or off the referee's game."""

from __future__ import annotations

from functools import cache
from typing import Any

from naive import kennelmester_game as referee

from balance.games.kennelmester import layout
from balance.games.kennelmester.layout import (
    A_AT,
    BIRTHS,
    BONUS,
    CUSTOMERS,
    DEALS,
    DISCARDED,
    EVENT_MASK,
    FIRST_CUSTOMER,
    FREE,
    GONE,
    HAND,
    HIRE,
    KIND_AT,
    LOW_12,
    MATE,
    NONE,
    NURSING,
    PREGNANT,
    PUP,
    REMOVED,
    SALE,
    SEAT_OF,
    SELL_PLAYER,
    SPENT,
    STAGE_OF,
    STUD,
    TRAIT_BITS,
    TRAIT_MASK,
    UPKEEP,
    WON,
)
from balance.games.kennelmester.params import KennelmesterParams

View = dict[str, Any]
OF_A_TURN = ("D-2", "D-3", "D-4", "D-6", "D-7", "D-8")
"""Decisions that belong to an action under way, or to the upkeep."""


@cache
def dice(word: int) -> list[int]:
    """A trait vector."""
    return [word >> TRAIT_BITS * trait & TRAIT_MASK for trait in range(5)]


class Cards:
    """The ids of the cards behind the kernels' numbers, and what is read off the decks."""

    def __init__(self, params: KennelmesterParams) -> None:
        deck = params.deck
        self.params = params
        self.breeds = [breed.id for breed in deck.breeds]
        self.dogs, self.customers, self.events, self.characters = (
            [card.id for card in cards] for cards in (deck.dogs, deck.customers, deck.events, deck.characters)
        )
        self.piles = [*range(len(self.breeds)), CUSTOMERS]
        self.names = {**dict(enumerate(self.dogs)), **dict(enumerate(self.customers, FIRST_CUSTOMER))}
        self.cards = list(self.names)

    def deck(self, state: Any, params: Any, pile: int) -> list[str]:
        """The face-down cards of a pile, top first."""
        first = params.pile_start[pile]
        return [self.names[state.deck[at]] for at in range(first + state.deck_size[pile] - 1, first - 1, -1)]

    def event_deck(self, state: Any) -> list[str]:
        """The events to come."""
        ring = [(state.event_at + at) & EVENT_MASK for at in range(state.events_left)]
        return [self.events[state.event_deck[at]] for at in ring]

    def orders(self, state: Any, params: Any) -> View:
        """K-3: the shuffled decks, as in a `setup` line."""
        characters = [self.characters[state.character_order[at]] for at in range(len(self.characters))]
        decks = [self.deck(state, params, pile) for pile in self.piles]
        return {
            "character_order": characters,
            "customer_order": decks[-1],
            "dog_order": dict(zip(self.breeds, decks[:-1], strict=True)),
            "event_order": self.event_deck(state),
        }


# ---------------------------------------------------------------- the kernels


def of_kernels(cards: Cards, state: Any, params: Any) -> View:
    """The kernels' state."""
    seats, sides = range(params.players), range(params.n_sides)
    lying = placed(cards, state)
    piles = {pile: sorted(held, key=state.seen.__getitem__) for pile, held in by_pile(lying, params).items()}
    view = {
        "over": state.over != 0,
        "round": state.round_number + (not state.over),
        "coins": [state.coins[side] for side in sides],
        "reputation": [state.reputation[seat] for seat in seats],
        "hands": [[cards.names[card] for card in lying.get(HAND + seat, ())] for seat in seats],
        "kennels": [kennel_of(cards, state, seat) for seat in seats],
        "decks": [cards.deck(state, params, pile) for pile in cards.piles],
        "discards": [[cards.names[card] for card in piles.get(pile, ())] for pile in cards.piles],
        "spent": [cards.names[card] for card in lying.get(SPENT, ())],
        "gone": [cards.names[card] for card in lying.get(GONE, ())],
        "characters": [cards.characters[state.character[seat]] for seat in seats],
        "event_deck": cards.event_deck(state),
        "events": [events_at(cards, state, place) for place in (REMOVED, *(WON + seat for seat in seats))],
    }
    return view | ({} if state.over else now_of_kernels(cards, state, params))


def placed(cards: Cards, state: Any) -> dict[int, list[int]]:
    """The cards by place, those of the decks and kennels apart, in card order."""
    found: dict[int, list[int]] = {}
    place = state.place
    for card in [card for card in cards.cards if 0 < place[card] < FREE]:
        found.setdefault(place[card], []).append(card)
    return found


def by_pile(lying: dict[int, list[int]], params: Any) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for card in lying.get(DISCARDED, ()):
        found.setdefault(params.pile_of[card], []).append(card)
    return found


def events_at(cards: Cards, state: Any, place: int) -> list[str]:
    return [name for event, name in enumerate(cards.events) if state.event_place[event] == place]


def kennel_of(cards: Cards, state: Any, seat: int) -> list[View]:
    """The dogs of a kennel in their order; that the chain is the same in both directions."""
    found, dog, before = [], state.first_dog[seat], NONE
    while dog != NONE:
        assert (state.before[dog], state.place[dog] & SEAT_OF) == (before, seat)
        found.append(dog_of(cards, state, dog))
        dog, before = state.after[dog], dog
    assert state.last_dog[seat] == before
    return found


def dog_of(cards: Cards, state: Any, dog: int) -> View:
    """1.5."""
    stage, since, carried = state.place[dog] & STAGE_OF, state.since[dog], None
    if stage == PREGNANT:
        carried = [cards.dogs[state.father[dog]], dice(state.carried[dog]), since]
    return {
        "dog": cards.dogs[dog],
        "adult": stage != PUP,
        "inherited": dice(state.inherited[dog]),
        "rounds": [state.wins[dog], state.used_round[dog], state.entered_round[dog]],
        "pregnancy": carried,
        "nursing": since if stage == NURSING else None,
        "born": since if stage == PUP else None,
    }


def now_of_kernels(cards: Cards, state: Any, params: Any) -> View:
    """Round, turn and decision; before round 1 there is nothing to say."""
    if state.decision == layout.D1_START:
        return {}
    entered = [state.entered[at] for at in range(state.n_entered)]
    view = {
        "current": cards.events[state.event],
        "acting": state.acting,
        "entered": [(cards.dogs[dog], state.prepared_dog[dog] == 1) for dog in entered],
        "prepared": [bool(state.prepared >> seat & 1) for seat in range(params.players)],
        "helped": [bool(state.helped >> seat & 1) for seat in range(params.players)],
        "refused": refused_of(cards, state, params),
    }
    if f"D-{state.decision}" in OF_A_TURN:
        number = 0 if state.part in (BIRTHS, UPKEEP) else state.done + 1
        view |= {"n": number, "bonus": state.part == BONUS, "opened": state.opened}
    if state.decision == layout.D6_CONSENT:
        view["proposal"] = (*parties(cards, state.pending), state.seat, state.price)
    if state.decision == layout.D8_FREE_MATE:
        view["mother"] = cards.dogs[state.mother]
    return view


def parties(cards: Cards, action: int) -> tuple[str, str, str | None]:
    """What a proposal is about: the deal, the dog, and the mother if it is a mating."""
    kind, a, b = action >> KIND_AT, action >> A_AT & LOW_12, action & LOW_12
    if kind == MATE:
        return DEALS[STUD], cards.dogs[b], cards.dogs[a]
    return DEALS[SALE if kind == SELL_PLAYER else HIRE], cards.dogs[a], None


def refused_of(cards: Cards, state: Any, params: Any) -> set[Any]:
    """A-73: what has been refused in this turn."""
    found: set[Any] = {
        (DEALS[HIRE], None, None, seat) for seat in range(params.players) if state.refusers >> seat & 1
    }
    for at in range(state.n_refused):
        deal, dog, mother = parties(cards, state.refused[at])
        other = state.refused[at] & LOW_12
        found.add((deal, dog, mother, state.place[other] & SEAT_OF if mother else other))
    return found


# ---------------------------------------------------------------- the referee


def of_referee(game: referee.Game) -> View:
    """The same of the referee's game."""
    piles = [*game.breeds, None]
    in_order = game.in_card_order
    lying = [game._pile(breed) for breed in piles]
    spent = [card for breed in game.breeds for card in game.dog_spent[breed]]
    gone = [[card for card in game.gone if (card in game.printed) == is_dog] for is_dog in (True, False)]
    view = {
        "over": game.over,
        "round": max(game.round, 1),
        "coins": list(game.coins),
        "reputation": list(game.reputation),
        "hands": [
            in_order(dogs) + in_order(customers)
            for dogs, customers in zip(game.hand_dogs, game.hand_customers, strict=True)
        ],
        "kennels": [[dog_of_referee(dog) for dog in kennel] for kennel in game.kennels],
        "decks": [deck for deck, _, _ in lying],
        "discards": [discards for _, _, discards in lying],
        "spent": in_order(spent) + in_order(game.customer_spent),
        "gone": in_order(gone[0]) + in_order(gone[1]),
        "characters": game.characters,
        "event_deck": game.event_deck,
        "events": [in_order(game.events_removed), *map(in_order, game.events_won)],
    }
    return view | ({} if game.over else now_of_referee(game))


def dog_of_referee(dog: referee.Dog) -> View:
    carried = dog.pregnancy
    return {
        "dog": dog.card,
        "adult": dog.adult,
        "inherited": dog.inherited,
        "rounds": [dog.wins, dog.used_round, dog.entered_round],
        "pregnancy": carried and [carried["father"], carried["inherited"], carried["round"]],
        "nursing": dog.nursing_round,
        "born": dog.born_round,
    }


def now_of_referee(game: referee.Game) -> View:
    if game.decision == "D-1":
        return {}
    view: View = {
        "current": game.current,
        "acting": game.active,
        "entered": [(entry["dog"], entry["preparer"] is not None) for entry in game.entered],
        "prepared": [last == game.round for last in game.prepared_own],
        "helped": [last == game.round for last in game.helped],
        "refused": {refused_by_referee(*offer) for offer in game.refused},
    }
    if game.decision in OF_A_TURN:
        view |= {"n": game.n, "bonus": game.bonus, "opened": len(game.entries)}
    if game.proposal is not None:
        deal = game.proposal
        view["proposal"] = tuple(deal[name] for name in ("deal", "dog", "mother", "other", "price"))
    if game.mother is not None:
        view["mother"] = game.mother
    return view


def refused_by_referee(deal: str, what: Any, other: int) -> tuple[Any, ...]:
    """The dog and the mother, where the offer is about such."""
    mother, dog = what if deal == "stud" else (None, what)
    return deal, dog, mother, other
