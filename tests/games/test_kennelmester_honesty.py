"""6.1: what a seat cannot see is dealt anew, all of it and nothing else."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from balance.engine.plain import blank, copied, plain_kernel, plain_params
from balance.engine.records import actions_dtype
from balance.engine.rng import rng_dtype
from balance.games.kennelmester import GAME, hidden, layout, lists
from balance.games.kennelmester.layout import FREE, GONE, HAND, IN_DECK, PUP, STAGE_OF
from balance.games.kennelmester.params import KennelmesterParams
from balance.games.kennelmester.trace_state import kennel

from .kennel_census import Census
from .kennel_scenes import Scene, customer, deck_of, dog, event
from .kennels import RICH, VARIED
from .plays import Moment, Watched

SIZES = [(2, "competitive"), (4, "team"), (3, "competitive")]
RULES = {**RICH, "round_cap": 8, "stud_deal": "ask", "sale_price_rule": "split"}


def generator(number: int) -> Any:
    """Random numbers of their own."""
    made = blank(rng_dtype)
    made.key_1, made.key_2 = np.uint64(2 * number + 1), np.uint64(977 * number + 5)
    return made


def cards_of(params: KennelmesterParams) -> list[int]:
    first = layout.FIRST_CUSTOMER
    return [*range(len(params.deck.dogs)), *range(first, first + len(params.deck.customers))]


def public(state: Any, record: Any, params: KennelmesterParams) -> dict[str, Any]:
    """What everybody knows; hidden cards only by their pile."""
    seats, dogs = range(params.players), range(len(params.deck.dogs))
    adults = [one for one in dogs if FREE <= state.place[one] < PUP]
    fields = ("place", "used_round", "entered_round", "wins", "inherited", "since", "generation")
    hands = {
        seat: Counter(record.pile_of[state.hand[seat, at]] for at in range(state.hand_size[seat]))
        for seat in seats
    }
    return {
        "money": [state.coins[side] for side in range(6)],
        "reputation": [state.reputation[seat] for seat in seats],
        "adults": [[one, *(getattr(state, field)[one] for field in fields)] for one in adults],
        "open": [
            card for card in cards_of(params) if state.place[card] <= GONE and state.place[card] != IN_DECK
        ],
        "hands": hands,
        "shown": [
            card for card in cards_of(params) if state.place[card] & STAGE_OF == HAND and state.seen[card]
        ],
        "kennels": [
            [
                one
                if state.place[one] < PUP
                else (record.pile_of[one], state.inherited[one], state.since[one], state.generation[one])
                for one in kennel(state, seat)
            ]
            for seat in seats
        ],
        "decks": [state.deck_size[pile] for pile in range(layout.N_PILES)],
        "back": [
            state.event_deck[(state.event_at + at) & layout.EVENT_MASK]
            for at in range(state.events_left - state.events_back, state.events_left)
        ],
        "entered": [state.entered[at] for at in range(state.n_entered)],
    }


def private(state: Any, params: KennelmesterParams, seat: int) -> dict[int, int]:
    """The cards that a seat and its partner hold, and those of their pups."""
    sides = params.sides()
    own = [other for other in range(params.players) if sides[other] == sides[seat]]
    places = [stage + other for stage in (HAND, PUP) for other in own]
    return {card: state.place[card] for card in cards_of(params) if state.place[card] in places}


@pytest.mark.parametrize("size", SIZES)
def test_only_what_is_hidden_is_dealt_anew(size: tuple[int, str]) -> None:
    params = GAME.resolve(size, RULES)
    record, watched = plain_params(GAME, params), Watched(GAME, [VARIED])
    determinize = plain_kernel(hidden.determinize, watched.bind)
    legal_actions, census = plain_kernel(lists.legal_actions, watched.bind), Census(params, record)
    moved: Counter[str] = Counter()
    told = 0

    def watch(moment: Moment) -> None:
        nonlocal told
        told += 1
        if told % 2:
            return
        state, other = moment.state, copied(moment.state)
        determinize(other, record, state.seat, generator(told))
        assert public(other, record, params) == public(state, record, params)
        assert private(other, params, state.seat) == private(state, params, state.seat)
        census.look(other)
        actions = blank(actions_dtype(GAME))
        listed = legal_actions(other, record, actions)
        assert [actions.code[at] for at in range(listed)] == moment.options
        for card in cards_of(params):
            before, after = state.place[card], other.place[card]
            if before != after:
                moved["hand" if before & STAGE_OF == HAND else "pup" if before >= PUP else "deck"] += 1
        moved["events"] += any(
            state.event_deck[at] != other.event_deck[at] for at in range(layout.EVENT_SLOTS)
        )

    watched.watch = watch
    for number in range(6):
        watched.play(params, [VARIED] * size[0], 5, number)
    assert all(moved[kind] for kind in ("hand", "pup", "deck", "events")), moved


def table_of_four() -> Scene:
    """Four dogs of one breed: one in the deck, one in each hand, one a pup of player 1; all unknown to player 0 but
    his own."""
    names = [f"dog_{at}" for at in range(4)]
    deck = deck_of([dog(name, "female" if at % 2 else "male") for at, name in enumerate(names)])
    scene = Scene((2, "competitive"), {}, deck).deal()
    scene.hold(0, "dog_0")
    scene.hold(1, "dog_1")
    scene.keep(1, "dog_2", PUP, since=1, inherited={"speed": 2})
    return scene.begin()


def test_every_hidden_card_is_equally_likely_everywhere() -> None:
    scene, games = table_of_four(), 1_200
    determinize = plain_kernel(hidden.determinize)
    found: Counter[tuple[int, int]] = Counter()
    for number in range(games):
        state = copied(scene.state)
        determinize(state, scene.params, 0, generator(number))
        places = [state.place[card] for card in range(4)]
        assert places[0] == HAND
        assert sorted(places[1:]) == [IN_DECK, HAND + 1, PUP + 1]
        [pup] = kennel(state, 1)
        assert (state.place[pup], state.since[pup], state.inherited[pup]) == (
            PUP + 1,
            1,
            scene.state.inherited[2],
        )
        assert state.males[0] == (pup % 2 == 0)
        found.update(enumerate(places[1:]))
    assert len(found) == 9
    for number in found.values():
        assert number == pytest.approx(games / 3, abs=90)


def test_a_card_that_all_have_seen_stays() -> None:
    """What a hand took from the discards is known; so is a pup to its owner and his partner."""
    scene = table_of_four()
    scene.state.seen[1] = 1
    determinize = plain_kernel(hidden.determinize)
    for number in range(40):
        state = copied(scene.state)
        determinize(state, scene.params, 0, generator(number))
        assert state.place[1] == HAND + 1
        state = copied(scene.state)
        determinize(state, scene.params, 1, generator(number))
        assert (state.place[1], state.place[2]) == (HAND + 1, PUP + 1)


def test_events_that_came_back_keep_their_order() -> None:
    deck = deck_of([dog("dog")], [customer("cu")], [event(f"ev_{at}") for at in range(6)])
    scene = Scene((2, "competitive"), {"event_deck_size": 4}, deck).deal()
    state = scene.state
    state.events_back = 2
    orders = set()
    for number in range(60):
        other = copied(state)
        plain_kernel(hidden.determinize)(other, scene.params, 0, generator(number))
        left = [
            other.event_deck[(other.event_at + at) & layout.EVENT_MASK] for at in range(other.events_left)
        ]
        known = [
            state.event_deck[(state.event_at + at) & layout.EVENT_MASK] for at in range(state.events_left)
        ]
        assert left[-2:] == known[-2:]
        box = [other.event_box[at] for at in range(4, 6)]
        assert sorted([*left, *box, other.event]) == list(range(6))
        orders.add(left[0])
    assert len(orders) == 3
