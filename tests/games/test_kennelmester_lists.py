"""The lists that the state keeps for speed: the males of each breed, and the idle dogs of the acting player."""

from __future__ import annotations

import inspect
import sys
from typing import Any

import pytest

from balance.engine.plain import blank, copied, plain_kernel, plain_params
from balance.engine.rng import rng_dtype
from balance.games.kennelmester import GAME, breeding, entering, hidden, kennel, layout, trace_state
from balance.games.kennelmester.layout import FREE, STAGE_OF

from .kennels import RANDOM, RICH, VARIED
from .plays import Moment, Watched

RULES = {**RICH, "round_cap": 8, "stud_deal": "ask", "hire_deal": "ask"}
SIZES = [(3, "competitive"), (4, "team")]


def males_of(state: Any, record: Any, breed: int) -> list[int]:
    """The males of a breed as the list has them."""
    first = record.male_start[breed]
    return [state.studs[at] for at in range(first, first + state.males[breed])]


def males_by_place(state: Any, record: Any, breed: int) -> list[int]:
    """The males of a breed by where each dog is."""
    dogs = (record.male_dogs[at] for at in range(record.male_start[breed], record.male_start[breed + 1]))
    return [dog for dog in dogs if state.place[dog] >= FREE]


def look(state: Any, record: Any) -> None:
    """Both lists say what the places and the records of the dogs say."""
    for breed in range(record.n_breeds):
        assert males_of(state, record, breed) == males_by_place(state, record, breed)
    if state.decision in (layout.D2_ACTION, layout.D3_ENTER_MORE):
        idle = [
            dog
            for dog in trace_state.kennel(state, state.acting)
            if state.place[dog] & STAGE_OF == FREE and state.used_round[dog] != state.round_number + 1
        ]
        assert [state.idle[at] for at in range(state.n_idle)] == idle


def play(size: tuple[int, str], extra: list[tuple[Any, Any]]) -> int:
    """Two games that are looked at whenever somebody decides; how often an idle dog was seen at D-3."""
    params, watched = GAME.resolve(size, RULES), Watched(GAME, [*GAME.policies, VARIED], extra)
    record, more = plain_params(GAME, params), 0

    def watch(moment: Moment) -> None:
        nonlocal more
        look(moment.state, record)
        more += moment.state.decision == layout.D3_ENTER_MORE and moment.state.n_idle > 0

    watched.watch = watch
    for number in range(2):
        watched.play(params, [RANDOM if seat == 0 else VARIED for seat in range(size[0])], 3, number)
    return more


@pytest.mark.parametrize("size", SIZES)
def test_the_lists_agree_with_the_dogs(size: tuple[int, str]) -> None:
    assert play(size, []) > 3


def altered(kernel_: Any, right: str, wrong: str) -> Any:
    """The kernel with a part of its text replaced."""
    source = inspect.getsource(kernel_)
    assert source.count(right) == 1
    space = dict(vars(sys.modules[kernel_.__module__]))
    exec(source.replace(right, wrong), space)
    return space[kernel_.__name__]


@pytest.mark.parametrize(
    ("kernel_", "right", "wrong"),
    [
        (kennel.arrive, "if params.dog_female[dog] == 0", "if dog < 0"),
        (kennel.leave, "if params.dog_female[dog] == 0", "if dog < 0"),
        (kennel.list_males, ">= FREE", "> 0"),
        (entering.enter, "keep_busy(state, dog)", "state.n_idle -= 1"),
        (kennel.keep_busy, "other != dog", "other == dog"),
        (breeding.mate, "state.stale = 1", "state.stale = 0"),
    ],
)
def test_a_stale_list_is_found(kernel_: Any, right: str, wrong: str) -> None:
    with pytest.raises((AssertionError, IndexError)):
        play(SIZES[0], [(kernel_, altered(kernel_, right, wrong))])


@pytest.mark.parametrize("is_kept", [True, False])
def test_hidden_pups_are_listed_as_what_they_are_dealt(is_kept: bool) -> None:
    """A pup that becomes another card in `determinize` is a male or not as that card is."""
    params = GAME.resolve((3, "competitive"), RULES)
    swap = altered(hidden.swap, "list_males(state, params, pile)", "state.stale = 1")
    extra = [] if is_kept else [(hidden.swap, swap)]
    record, watched = plain_params(GAME, params), Watched(GAME, [VARIED])
    breeds = range(record.n_breeds)
    determinize, agree = plain_kernel(hidden.determinize, [*watched.bind, *extra]), set()

    def watch(moment: Moment) -> None:
        other, rng = copied(moment.state), blank(rng_dtype)
        rng.key_1 = rng.key_2 = moment.rng.key_1
        determinize(other, record, other.seat, rng)
        agree.add(
            all(males_of(other, record, breed) == males_by_place(other, record, breed) for breed in breeds)
        )

    watched.watch = watch
    for number in range(4):
        watched.play(params, [VARIED] * 3, 5, number)
    assert (agree == {True}) == is_kept
