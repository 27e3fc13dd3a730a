"""One seat may not choose some of its actions: the others play on as they are, and the deals stay the same."""
# ruff: noqa: ARG001  kernels have the arguments of their kind, used or not

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from balance.engine import banned, kernel
from balance.engine.banned import NOBODY, Ban
from balance.engine.faults import PlayError
from balance.engine.playing import Buffers, Loop, Table, columns
from balance.experiment.replay import Replayer
from balance.game import Bans, Game, Policy
from engine import toy
from engine.toy import DECK, MOVES, NEIGHBOUR, STAND

FEW, PLAYERS, SEAT = 40, 3, 1


@kernel
def about_itself(state, params, action):  # type: ignore[no-untyped-def]
    """Each move has its own name."""
    return 1 << action


@kernel
def about_another(state, params, action):  # type: ignore[no-untyped-def]
    """Planted: takes the deck for the neighbour."""
    return 1 << (3 - action) % 3


@kernel
def choose_deck(state, params, weights, rng, actions):  # type: ignore[no-untyped-def]
    """Wants the deck, whatever there is."""
    return DECK


@kernel
def choose_by_looks(state, params, weights, rng, actions):  # type: ignore[no-untyped-def]
    """Wants the deck, and the neighbour as soon as it has looked at a card."""
    return NEIGHBOUR if state.looked else DECK


@kernel
def choose_wrongly(state, params, weights, rng, actions):  # type: ignore[no-untyped-def]
    """In the second round seat 1 does what nobody can."""
    return 7 if state.round_number == 1 and state.seat == SEAT else STAND


@kernel
def withhold_the_deck(state, params, names):  # type: ignore[no-untyped-def]
    """Makes it seem as if a card had been looked at."""
    state.looked = 1


NAMES = {move: f"to use the {move}" for move in MOVES}
GAME = replace(toy.GAME, bans=Bans(NAMES, about_itself))
STUBBORN = Policy("stubborn", "Stubborn", "Wants the deck.", choose_deck)
ANY, CAREFUL = toy.POLICIES
MIXED = (CAREFUL, ANY, CAREFUL)
LATER = {"second_look": False}
"""Then each player has one decision in a round, at which all three moves are possible."""


def ban(*moves: int, seat: int = SEAT) -> Ban:
    return Ban(seat, sum(1 << move for move in moves))


def replayed(
    game: Game, policies: Sequence[Policy], who: Ban | None, rotations: int = 1
) -> list[list[dict[str, Any]]]:
    """The traces of some games in plain Python."""
    replayer = Replayer(game, toy.ToyParams.resolve(PLAYERS, LATER), policies, rotations, who)
    return [replayer.play(1, number).events for number in range(FEW)]


def moves_of(games: Sequence[Sequence[dict[str, Any]]], seat: int) -> set[int]:
    """What a seat chose in some games."""
    return {
        event["b"] for game in games for event in game if event["event"] == "chosen" and event["a"] == seat
    }


def rows(
    game: Game, policies: tuple[Policy, ...], who: Ban | None, *, compiled: bool = False
) -> np.ndarray[Any, Any]:
    params = toy.ToyParams.resolve(PLAYERS, LATER)
    loop = Loop(game, policies, params, bans=who is not None)
    if compiled:
        loop.compile()
    else:
        loop.interpret()
    return loop.play(
        Table(game, params, policies, PLAYERS, who), 1, 0, 10 * PLAYERS, Buffers(game), loop.new_sums()
    )


# ---------------------------------------------------------------- who is banned from what


@pytest.mark.parametrize("move", [STAND, DECK, NEIGHBOUR])
@pytest.mark.parametrize("seat", range(PLAYERS))
def test_the_banned_seat_does_without_and_no_other_does(move: int, seat: int) -> None:
    games = replayed(GAME, MIXED, ban(move, seat=seat))
    for each in range(PLAYERS):
        assert moves_of(games, each) == {STAND, DECK, NEIGHBOUR} - ({move} if each == seat else set())


def test_a_wrong_filter_is_seen_by_that() -> None:
    wrong = replace(GAME, bans=Bans(NAMES, about_another))
    assert DECK in moves_of(replayed(wrong, MIXED, ban(DECK)), SEAT)
    assert DECK in moves_of(replayed(GAME, MIXED, ban(DECK, seat=2)), SEAT), "the wrong seat"


def test_it_is_the_seat_that_is_banned_whoever_sits_there() -> None:
    games = replayed(GAME, (ANY, STUBBORN, STUBBORN), ban(DECK), rotations=PLAYERS)
    assert DECK not in moves_of(games, SEAT)
    assert moves_of(games[::PLAYERS], 2) == {DECK}


def test_with_nobody_banned_the_games_are_the_ordinary_ones() -> None:
    ordinary = rows(GAME, MIXED, None)
    assert rows(GAME, MIXED, NOBODY).tolist() == ordinary.tolist()
    assert rows(GAME, MIXED, ban(DECK)).tolist() != ordinary.tolist()


def test_the_deals_stay_the_same() -> None:
    free, without = (replayed(GAME, (STUBBORN,) * PLAYERS, who) for who in (NOBODY, ban(DECK)))
    for one, other in zip(free, without, strict=True):
        before = [event for event in one if event.get("a") == 0 and event["event"] == "chosen"]
        assert [event for event in other if event in before] == before, "seat 1 knows of no ban"
    assert free != without


# ---------------------------------------------------------------- what is chosen instead


def test_where_nothing_else_is_left_the_seat_is_free() -> None:
    free = replayed(GAME, MIXED, NOBODY)
    assert replayed(GAME, MIXED, ban(STAND, DECK, NEIGHBOUR)) == free
    assert moves_of(replayed(GAME, MIXED, ban(STAND, DECK)), SEAT) == {NEIGHBOUR}


def test_what_is_allowed_stays_as_it_is() -> None:
    """A seat that never wants what is banned plays the same games."""
    never = replace(CAREFUL, id="never", weights={"courage": 0, "card": 100}, temperature=0)
    assert replayed(GAME, (never,) * PLAYERS, ban(DECK)) == replayed(GAME, (never,) * PLAYERS, NOBODY)


def test_a_policy_without_another_choice_gets_any_that_is_left() -> None:
    games = replayed(GAME, (STUBBORN,) * PLAYERS, ban(DECK))
    chosen = [
        event["b"] for game in games for event in game if event["event"] == "chosen" and event["a"] == SEAT
    ]
    assert set(chosen) == {STAND, NEIGHBOUR}
    assert 0.35 < chosen.count(STAND) / len(chosen) < 0.65


def test_withholding_lets_it_choose_for_itself() -> None:
    looks = Policy("looks", "Looks", "Wants the deck.", choose_by_looks)
    for withhold, expected in ((None, {STAND, NEIGHBOUR}), (withhold_the_deck, {NEIGHBOUR})):
        game = replace(GAME, bans=Bans(NAMES, about_itself, withhold))
        games = replayed(game, (looks,) * PLAYERS, ban(DECK))
        assert moves_of(games, SEAT) == expected
        assert moves_of(games, 0) == {DECK}, "only a copy of the state was changed"


def test_a_random_player_chooses_among_the_rest_evenly() -> None:
    games = replayed(GAME, (ANY,) * PLAYERS, ban(STAND))
    chosen = [
        event["b"] for game in games for event in game if event["event"] == "chosen" and event["a"] == SEAT
    ]
    assert 0.35 < chosen.count(DECK) / len(chosen) < 0.65


# ---------------------------------------------------------------- compiled, and games of others


@pytest.mark.compiler
def test_compiled_games_equal_those_in_plain_python() -> None:
    """The toy's actions are checked; the players are such that each way to another choice is taken."""
    policies = (ANY, STUBBORN, CAREFUL)
    names = columns(GAME, PLAYERS)
    for who in (ban(DECK), ban(DECK, NEIGHBOUR), NOBODY):
        found = rows(GAME, policies, who, compiled=True)
        replayer = Replayer(GAME, toy.ToyParams.resolve(PLAYERS, LATER), policies, PLAYERS, who)
        expected = [replayer.play(1, number).row for number in range(found.shape[1])]
        assert [dict(zip(names, row, strict=True)) for row in found.T.tolist()] == expected


def test_an_illegal_action_is_still_told() -> None:
    wrong = Policy("wrong", "Wrong", "Does what nobody can.", choose_wrongly)
    policies = (wrong,) * PLAYERS
    game = replace(GAME, policies=policies)
    with pytest.raises(PlayError, match="In game 0 of Toy a policy chose an action that is not legal"):
        rows(game, policies, ban(DECK))
    replayer = Replayer(game, toy.ToyParams.resolve(PLAYERS, LATER), policies, 1, ban(DECK))
    with pytest.raises(PlayError, match='the policy "wrong" in seat 2 chose action 7, but'):
        replayer.play(1, 0)


def test_a_list_that_is_too_long_is_left_to_the_checks() -> None:
    """Nothing is read or written beyond what the game says there is room for."""
    short = replace(GAME, bounds=replace(GAME.bounds, actions=2))
    with pytest.raises(PlayError, match="had 3 actions to choose from, more than the bound of 2"):
        replayed(short, MIXED, ban(DECK))


def test_the_loop_with_bans_has_an_identity_of_its_own() -> None:
    params = toy.ToyParams.resolve(2)
    one, other = (Loop(GAME, MIXED, params, bans=bans).fingerprint for bans in (False, True))
    wrong = replace(GAME, bans=Bans(NAMES, about_another))
    assert len({one, other, Loop(wrong, MIXED, params, bans=True).fingerprint}) == 3
    assert Loop(wrong, MIXED, params).fingerprint == one, "an ordinary run knows nothing of bans"
    assert banned.kernels_of(toy.GAME) == []
