"""Play as a whole: known means, cards that never get lost, bounds, and random numbers that are used once."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from balance.engine import choice, rng
from balance.engine.plain import plain_kernel
from balance.engine.playing import columns
from balance.game import SHARE_UNIT, Policy
from balance.games.animalia import GAME, layout
from balance.games.animalia.layout import DECK_MASK
from balance.games.animalia.params import N_CARDS, AnimaliaParams

from .conftest import Play
from .plays import Moment, Watched
from .rule_sets import MANY, rule_sets

RANDOM, GREEDY = GAME.policy("random"), GAME.policy("greedy")
KNOWN_MEANS = {2: (20.96, 54.6), 3: (10.78, 40.6), 4: (10.89, 56.4), 5: (10.93, 72.1), 6: (10.99, 87.8)}
"""Mean score of a player and mean turns of a game when all play at random."""
MOST_OPTIONS = {1: 3, 2: 3, 3: 2, 4: 4, 5: 70, 6: 70, 7: 10, 8: 15, 9: 5}
"""The longest list of options of each decision under any parameters (5.2)."""
EXTREME: list[dict[str, Any]] = [
    {
        "players": 2,
        "collections_per_player": 1,
        "collection_size": 3,
        "remove_neutral": False,
        "bonus_first": 4,
    },
    {
        "players": 6,
        "collections_per_player": 2,
        "collection_size": 7,
        "max_set_size": 5,
        "remove_neutral": False,
    },
    {"players": 6, "collections_per_player": 1, "collection_size": 7, "max_set_size": 5, "spy_depth": 10},
    {"players": 3, "collections_per_player": 2, "collection_size": 3, "bonus_first_tied": 4, "seasons": 6},
]


def tables() -> list[AnimaliaParams]:
    """All parameters at their bounds, the largest boxes, and powers without end."""
    endless = {
        "power_pair_requirement": 1,
        "power_activations": "once_per_card",
        "deck_bottom_return_cap": 1000,
    }
    largest = [
        AnimaliaParams.resolve(table["players"], {**MANY, **endless, **without(table, "players")})
        for table in EXTREME
    ]
    return [*rule_sets(), *largest, *(AnimaliaParams.resolve(players) for players in range(2, 7))]


def without(table: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in table.items() if name != key}


# ---------------------------------------------------------------- means


@pytest.mark.parametrize("players", KNOWN_MEANS)
def test_means_of_random_play(play: Play, players: int) -> None:
    rows = play(AnimaliaParams.resolve(players), [RANDOM] * players, 200_000, seed=2)
    names = columns(GAME, players)
    score, turns = KNOWN_MEANS[players]
    scores = rows[names.index("score_0") : names.index(f"score_{players - 1}") + 1]
    assert scores.mean() == pytest.approx(score, abs=0.15)
    assert rows[names.index("turns")].mean() == pytest.approx(turns, abs=0.2)
    assert not rows[names.index("ended")].any()


def test_greedy_beats_random(play: Play) -> None:
    """One greedy player among three random ones, each seat in turn."""
    games = 80_000
    rows = play(AnimaliaParams.resolve(4), [GREEDY, RANDOM, RANDOM, RANDOM], games, seed=2, rotations=4)
    first = columns(GAME, 4).index("win_share_0")
    seats = -np.arange(games) % 4
    assert rows[first + seats, np.arange(games)].mean() / SHARE_UNIT >= 0.75


# ---------------------------------------------------------------- cards and bounds


def cards_on_the_table(state: Any, params: AnimaliaParams) -> list[int]:
    """F-2: the deck, the set that goes round, collections, bonus cards held and laid."""
    cards = [state.deck[(state.deck_top + i) & DECK_MASK] for i in range(state.deck_left)]
    if state.decision <= layout.D3_FORCED:
        cards += [state.set_cards[i] for i in range(state.set_size)]
    for seat in range(params.players):
        cards += [state.hand[seat, i] for i in range(state.hand_count[seat])]
        for own in range(2 * seat, 2 * seat + params.collections_per_player):
            size = state.word[own] >> layout.SIZE_AT & layout.COUNT_MASK
            assert size <= params.collection_size
            cards += [state.cards[own, i] for i in range(size)]
            if state.decision >= layout.D8_COVER:
                cards += [state.covering[own, i] for i in range(size) if state.covered_mask[own] >> i & 1]
    return sorted(cards)


class Census:
    """Looks at every decision of a game; an index out of bounds is a KeyError in plain Python anyway."""

    def __init__(self, params: AnimaliaParams) -> None:
        self.params, self.in_play = params, params.cards_in_play()
        places = params.players * params.collections_per_player * params.collection_size
        self.spare = len(self.in_play) - places
        self.turns = places + params.deck_bottom_return_cap
        m = params.max_set_size
        self.steps = m * params.players + 1 + m * (1 + max(1, params.spy_depth - 1))
        assert len(self.in_play) <= N_CARDS == 106
        assert places <= 84

    def at_decision(self, moment: Moment) -> None:
        state, in_phase_3 = moment.state, moment.state.decision >= layout.D8_COVER
        assert cards_on_the_table(state, self.params) == self.in_play
        assert sum(state.hand_count[seat] for seat in range(layout.SEATS)) <= self.spare
        assert state.turn - in_phase_3 <= self.turns
        assert state.step < (self.spare + 1 if in_phase_3 else self.steps)
        assert state.pending_count <= self.params.max_set_size
        assert 2 <= moment.listed <= MOST_OPTIONS[state.decision]
        assert moment.options == sorted(set(moment.options))
        assert 0 <= moment.options[0] <= moment.options[-1] <= 254


@pytest.mark.parametrize("part", range(8))
def test_no_card_is_lost_and_no_bound_is_passed(part: int) -> None:
    watched = Watched(GAME, GAME.policies)
    for at, params in list(enumerate(tables()))[part::8]:
        census = Census(params)
        watched.watch = census.at_decision
        for number, policy in enumerate((RANDOM, GREEDY)):
            state, plies = watched.play(params, [policy] * params.players, 20 + at, number)
            assert state.over == 1
            assert state.turns <= params.seasons * census.turns
            assert plies <= params.seasons * (census.turns * census.steps + census.spare + 1)
            assert cards_at_the_end(state, params) == census.in_play


def cards_at_the_end(state: Any, params: AnimaliaParams) -> list[int]:
    """The last decision may lie before Phase 3, whose covers lie on the table all the same."""
    state.decision = layout.D9_OWL
    return cards_on_the_table(state, params)


def test_bounds_of_the_game_hold_for_all_parameters() -> None:
    """5.4 with every parameter at its largest; `Bounds` may be wider."""
    high = {
        name: AnimaliaParams.bounds(name)[1]
        for name in ("seasons", "max_set_size", "spy_depth", "deck_bottom_return_cap")
    }
    turns = 84 + high["deck_bottom_return_cap"]
    steps = high["max_set_size"] * 6 + 1 + high["max_set_size"] * (1 + high["spy_depth"] - 1)
    phase_3 = N_CARDS - 2 * 3 + 1
    assert GAME.bounds.rounds == high["seasons"]
    assert GAME.bounds.turns >= turns + 1
    assert GAME.bounds.steps >= max(steps, phase_3)
    assert GAME.bounds.plies >= high["seasons"] * (turns * steps + phase_3)
    assert GAME.bounds.actions >= max(MOST_OPTIONS.values())
    assert 1 << rng.ROUND_BITS > GAME.bounds.rounds
    assert 1 << rng.TURN_BITS > GAME.bounds.turns
    assert 1 << rng.STEP_BITS > GAME.bounds.steps
    assert 1 << rng.WORD_BITS > max(N_CARDS, GAME.bounds.actions)


# ---------------------------------------------------------------- addresses of random numbers


class Recorder:
    """Stands in the place of what draws random numbers, and notes which address is used for what.

    A number is used whole (a shuffle, an even choice) or in eighths (the noise of eight options).
    """

    def __init__(self) -> None:
        whole = [(rng.draw, self.draw_whole)]
        self.draw_itself, self.noisy_itself = plain_kernel(rng.draw), plain_kernel(choice.noisy)
        self.whole: Counter[tuple[int, int]] = Counter()
        self.drawn: Counter[tuple[int, int]] = Counter()
        self.numbers: dict[tuple[int, int], int] = {}
        self.eighths: Counter[tuple[int, int]] = Counter()
        self.bindings = [
            (rng.draw, self.draw),
            (rng.below, plain_kernel(rng.below, whole)),
            (choice.prefers, plain_kernel(choice.prefers, whole)),
            (choice.noisy, self.noisy),
        ]

    def clear(self) -> None:
        """Another game."""
        for noted in (self.whole, self.drawn, self.numbers, self.eighths):
            noted.clear()

    def address(self, numbers: Any, word: int) -> tuple[int, int]:
        """The key and the address of a draw."""
        assert 0 <= word < 1 << rng.WORD_BITS
        return int(numbers.key_1), int(numbers.moment) + word

    def draw_whole(self, numbers: Any, word: int) -> Any:
        """A number used whole."""
        self.whole[self.address(numbers, word)] += 1
        return self.draw_itself(numbers, word)

    def draw(self, numbers: Any, word: int) -> Any:
        """A number that a policy draws for itself."""
        address = self.address(numbers, word)
        self.drawn[address] += 1
        bits = self.draw_itself(numbers, word)
        self.numbers[address] = int(bits)
        return bits

    def noisy(self, value: int, temperature: int, bits: Any, option: int) -> int:
        """An eighth of a number."""
        self.eighths[int(bits), option % 8] += 1
        return int(self.noisy_itself(value, temperature, bits, option))

    def used_twice(self) -> list[tuple[int, int]]:
        """Addresses with two meanings: used whole twice, whole and otherwise, or the same eighth twice.

        A policy may draw a number again to use another eighth of it.
        """
        found = [address for address, times in self.whole.items() if times > 1 or address in self.drawn]
        for address, times in self.drawn.items():
            eighths = [self.eighths[self.numbers[address], part] for part in range(8)]
            if max(eighths) > 1 or 1 < times > sum(eighths):
                found.append(address)
        return found


def expected_moment(moment: Moment, slot: int) -> int:
    """Where a policy's numbers have to be: its slot, then the moment, each in a field of its own."""
    state, address = moment.state, slot + 1
    fields = ((rng.ROUND_BITS, state.round_number), (rng.TURN_BITS, state.turn), (rng.STEP_BITS, state.step))
    assert address < 1 << rng.STREAM_BITS
    for bits, value in (*fields, (rng.WORD_BITS, 0)):
        assert 0 <= value < 1 << bits
        address = address << bits | value
    return address


@pytest.mark.parametrize("part", range(4))
def test_no_random_number_is_used_twice(part: int) -> None:
    recorder = Recorder()
    watched = Watched(GAME, GAME.policies, recorder.bindings)

    def watch(moment: Moment) -> None:
        assert int(moment.rng.moment) == expected_moment(
            moment, (moment.state.seat + rotation) % params.players
        )

    watched.watch = watch
    for at, params in list(enumerate(tables()))[part::4]:
        for rotation, policy in enumerate((RANDOM, GREEDY)):
            recorder.clear()
            watched.play(params, mixed(params.players, policy), 40 + at, 0, rotation)
            assert recorder.used_twice() == []
            assert len(recorder.whole) >= len(params.cards_in_play())
            assert recorder.eighths


def mixed(players: int, policy: Policy) -> list[Policy]:
    """The policy in every second seat."""
    return [(policy, GREEDY)[seat % 2] for seat in range(players)]


def test_a_number_used_twice_is_caught() -> None:
    numbers: Any = type(
        "Numbers", (), {"key_1": np.uint64(1), "key_2": np.uint64(2), "moment": np.uint64(0)}
    )()
    recorder = Recorder()
    recorder.draw_whole(numbers, 3)
    recorder.noisy(5, 2, recorder.draw(numbers, 4), 0)
    recorder.noisy(5, 2, recorder.draw(numbers, 4), 1)
    assert recorder.used_twice() == []
    recorder.noisy(5, 2, recorder.draw(numbers, 4), 9)
    assert recorder.used_twice() == [(1, 4)]
    recorder.draw(numbers, 3)
    assert recorder.used_twice() == [(1, 3), (1, 4)]
    recorder.clear()
    recorder.draw_whole(numbers, 5)
    recorder.draw_whole(numbers, 5)
    recorder.draw(numbers, 6)
    recorder.draw(numbers, 6)
    assert recorder.used_twice() == [(1, 5), (1, 6)]
