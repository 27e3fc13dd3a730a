"""The trace of one game: the events of section 7 of the contract, built from what the rules tell.

The trace is omniscient. Seats, seasons and turns are counted as the contract counts them, cards go by name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from balance.game import SHARE_UNIT
from balance.games.animalia import layout
from balance.games.animalia.medals import medals_of
from balance.games.animalia.params import (
    FAMILIES,
    KINDS,
    N_CARDS,
    OWL_CARD,
    THIEF,
    TRICKSTER,
    AnimaliaParams,
    card_name,
    names,
)

FORMAT = 1
NAMES = names(range(N_CARDS))
OWL_NAME = card_name(OWL_CARD)
POWERS = KINDS[THIEF : TRICKSTER + 1]
REASONS = {
    layout.BY_CHOICE: "choice",
    layout.ALONE: "alone",
    layout.COMPLETES: "completes",
    layout.MAX_SET: "max_set",
}
UNUSED = {layout.DECLINED: "declined", layout.NO_TARGET: "no_target", layout.CAP: "cap"}

Event = dict[str, Any]


class Tracer:
    """Bound to the rules' `note` while one game is played; `events` is the trace, complete after `finish`."""

    def __init__(self, params: AnimaliaParams, number: int, seed: int, policies: Sequence[str]) -> None:
        """Begin with the header."""
        self.events: list[Event] = []
        self._params = params
        self._seats = range(params.players)
        self._collections = range(params.collections_per_player)
        self._medals = [[0] * params.families for _ in self._seats]
        self._handlers = {
            layout.SHUFFLE: self._shuffle,
            layout.REVEAL: self._reveal,
            layout.PASSED: self._pass,
            layout.TAKE: self._take,
            layout.STOLEN: self._stolen,
            layout.GIVEN: self._given,
            layout.SPIED: self._spied,
            layout.LAPSED: self._lapsed,
            layout.POINTS: self._points,
            layout.DRAWN: self._drawn,
            layout.COVERED: self._covered,
            layout.MEDAL: self._medal,
            layout.SEASON_END: self._season_end,
        }
        self._add(
            "game",
            format=FORMAT,
            game_index=number,
            seed=str(seed),
            players=params.players,
            policies=list(policies),
            rules=params.model_dump(),
            cards=names(params.cards_in_play()),
        )

    def __call__(self, state: Any, _params: Any, event: int, a: int, b: int, c: int) -> None:
        """What the rules have just done: one of their codes and up to three numbers."""
        self._handlers[event](state, a, b, c)

    def finish(self, _state: Any, row: Mapping[str, int]) -> None:
        """The game is over: `row` holds its columns."""
        self._add(
            "result",
            medals=[list(own) for own in self._medals],
            excellence=[row[f"prizes_{seat}"] for seat in self._seats],
            scores=[row[f"score_{seat}"] for seat in self._seats],
            largest_family=[max(own) for own in self._medals],
            ranks=[row[f"rank_{seat}"] for seat in self._seats],
            win_shares=[row[f"win_share_{seat}"] / SHARE_UNIT for seat in self._seats],
            guard_hits=row["guard_hits"],
        )

    def _add(self, event: str, **fields: Any) -> None:
        self.events.append({"event": event, **fields})

    # ---------------------------------------------------------------- reading the state

    def _deck(self, state: Any) -> list[str]:
        return [NAMES[state.deck[(state.deck_top + i) & layout.DECK_MASK]] for i in range(state.deck_left)]

    def _hands(self, state: Any) -> list[list[str]]:
        return [[NAMES[state.hand[seat, i]] for i in range(state.hand_count[seat])] for seat in self._seats]

    def _set(self, state: Any) -> list[str]:
        return [NAMES[state.set_cards[i]] for i in range(state.set_size)]

    def _cards(self, state: Any, collection: int) -> list[str]:
        """A collection at the end of Phase 1, without what covers it."""
        return [NAMES[state.cards[collection, place]] for place in range(self._params.collection_size)]

    def _covers(self, state: Any, collection: int) -> dict[int, int]:
        """The bonus cards on a collection, by place."""
        mask = state.covered_mask[collection]
        places = [place for place in range(self._params.collection_size) if mask >> place & 1]
        return {place: int(state.covering[collection, place]) for place in places}

    def _own(self, seat: int) -> list[int]:
        """The collections of a seat, as the kernels number them."""
        return [2 * seat + which for which in self._collections]

    # ---------------------------------------------------------------- Phase 1

    def _shuffle(self, state: Any, _a: int, _b: int, _c: int) -> None:
        season = int(state.round_number) + 1
        self._add(
            "shuffle",
            season=season,
            dealer=int(state.dealer),
            deck=self._deck(state),
            held=self._hands(state),
        )

    def _reveal(self, state: Any, card: int, _b: int, _c: int) -> None:
        self._add(
            "reveal",
            turn=int(state.turn),
            dealer=int(state.dealer),
            card=NAMES[card],
            set=self._set(state),
            deck_left=int(state.deck_left),
        )

    def _pass(self, _state: Any, seat: int, forced: int, _c: int) -> None:
        self._add("pass", player=int(seat), forced=bool(forced))

    def _take(self, state: Any, reason: int, _b: int, _c: int) -> None:
        collection = int(state.taker_collection)
        self._add(
            "take",
            player=int(state.taker),
            collection=collection & 1,
            cards=self._set(state),
            forced=reason != layout.BY_CHOICE,
            reason=REASONS[int(reason)],
            size_after=int(state.word[collection]) >> layout.SIZE_AT & layout.COUNT_MASK,
        )

    def _power(self, state: Any, kind: str, reason: str, **details: Any) -> None:
        self._add(
            "power",
            player=int(state.taker),
            collection=int(state.taker_collection) & 1,
            kind=kind,
            used=reason == "used",
            reason=reason,
            **details,
        )

    def _stolen(self, state: Any, victim: int, card: int, under_deck: int) -> None:
        self._power(
            state,
            "thief",
            "used",
            victim=int(victim) >> 1,
            victim_collection=int(victim) & 1,
            card=NAMES[card],
            destination="deck_bottom" if under_deck else "collection",
        )

    def _given(self, state: Any, recipient: int, card: int, _c: int) -> None:
        nobody = recipient == layout.NOWHERE
        self._power(
            state,
            "trickster",
            "used",
            card=NAMES[card],
            recipient=None if nobody else int(recipient) >> 1,
            recipient_collection=None if nobody else int(recipient) & 1,
            destination="deck_bottom" if nobody else "collection",
        )

    def _spied(self, state: Any, _a: int, _b: int, _c: int) -> None:
        """Told before the cards go back on the deck."""
        order = [NAMES[state.spied[i]] for i in range(state.seen)]
        self._power(state, "spy", "used", seen=self._deck(state)[: state.seen], order=order)

    def _lapsed(self, state: Any, power: int, reason: int, _c: int) -> None:
        self._power(state, POWERS[power], UNUSED[int(reason)])

    # ---------------------------------------------------------------- Phases 2 and 3

    def _points(self, state: Any, _a: int, _b: int, _c: int) -> None:
        """Opens the line `elegance`, which each draw then adds to."""
        points = [
            [int(state.word[collection]) >> layout.STARS_AT for collection in self._own(seat)]
            for seat in self._seats
        ]
        season = int(state.round_number) + 1
        self._add("elegance", season=season, points=points, draws=[], deck_left=int(state.deck_left))

    def _drawn(self, state: Any, unit: int, place: int, entitled: int) -> None:
        """Told before the cards leave the deck."""
        cards = self._deck(state)[:entitled]
        by_collection = self._params.elegance_unit == "collection"
        draw = {
            "player": int(unit) >> 1,
            "collection": int(unit) & 1 if by_collection else None,
            "place": int(place),
            "entitled": int(entitled),
            "cards": cards,
        }
        self.events[-1]["draws"].append(draw)
        self.events[-1]["deck_left"] -= len(cards)

    def _covered(self, state: Any, collection: int, covered: int, bonus: int) -> None:
        self._add(
            "cover",
            season=int(state.round_number) + 1,
            player=int(collection) >> 1,
            collection=int(collection) & 1,
            covered=NAMES[covered],
            bonus=NAMES[bonus],
        )

    def _medal(self, state: Any, collection: int, _b: int, _c: int) -> None:
        """What the collection gained is what its owner has more than before."""
        seat = int(collection) >> 1
        covers = {place: NAMES[card] for place, card in self._covers(state, collection).items()}
        cards = [covers.get(place, card) for place, card in enumerate(self._cards(state, collection))]
        had, medals = self._medals[seat], int(state.medals[seat])
        self._medals[seat] = [medals_of(medals, family) for family in range(self._params.families)]
        self._add(
            "medals",
            season=int(state.round_number) + 1,
            player=seat,
            collection=int(collection) & 1,
            cards=cards,
            owl_as=FAMILIES[state.owl_family[collection]] if OWL_NAME in cards else None,
            gained=[now - before for now, before in zip(self._medals[seat], had, strict=True)],
        )

    def _season_end(self, state: Any, _a: int, _b: int, _c: int) -> None:
        laid = [
            [card for own in self._own(seat) for card in self._covers(state, own).values()]
            for seat in self._seats
        ]
        self._add(
            "season_end",
            season=int(state.round_number) + 1,
            first_dealer=int(state.first_dealer),
            last_dealer=int(state.dealer),
            returns=int(state.returns),
            deck=self._deck(state),
            collections=[[self._cards(state, own) for own in self._own(seat)] for seat in self._seats],
            covering=[[NAMES[card] for card in sorted(cards)] for cards in laid],
            held=self._hands(state),
            medals=[list(own) for own in self._medals],
        )
