"""What a game says about bans is checked, too."""
# ruff: noqa: ARG001  kernels have the arguments of their kind, used or not

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from engine import toy

from balance.conformance.advice import ADVICE
from balance.conformance.facts import facts
from balance.conformance.watch import Watch
from balance.engine import kernel
from balance.game import Bans

NAMES = {move: f"to use the {move}" for move in toy.MOVES}


@kernel
def about_itself(state, params, action):  # type: ignore[no-untyped-def]
    """Each move has its own name."""
    return 1 << action


@kernel
def about_more_than_there_is(state, params, action):  # type: ignore[no-untyped-def]
    """The last move is about a fourth name, of three."""
    return 2 << action


@kernel
def counting(state, params, action):  # type: ignore[no-untyped-def]
    """Changes the state."""
    state.changes[0] += 1
    return 1 << action


@kernel
def withhold_nothing(state, params, names):  # type: ignore[no-untyped-def]
    """Changes a copy."""
    state.looked = 1


@kernel
def withhold_beyond(state, params, names):  # type: ignore[no-untyped-def]
    """Writes to a seat that is not there."""
    state.changes[params.players + 40] = 0


@kernel
def with_the_arguments_turned_round(state, action, params):  # type: ignore[no-untyped-def]
    """In another order."""
    return 1 << action


def plain(state, params, action):  # type: ignore[no-untyped-def]
    """Not marked."""
    return 1 << action


def found(bans: Bans) -> list[tuple[str, str]]:
    """All that is wrong, by rule, without compiling anything."""
    game = replace(toy.GAME, bans=bans)
    told = list(facts(game))
    if not told:
        watch = Watch(game, Random(1))
        watch.play(toy.ToyParams.resolve(3), 0)
        told = watch.found
    return [(one.rule, one.sentence) for one in told]


def test_bans_without_a_fault_are_none() -> None:
    assert found(Bans(NAMES, about_itself)) == found(Bans(NAMES, about_itself, withhold_nothing)) == []


@pytest.mark.parametrize(
    ("bans", "rule", "says"),
    [
        (Bans({}, about_itself), "bans", "There must be 1 to 62 names to ban, not 0."),
        (
            Bans({"": "to stand"}, about_itself),
            "bans",
            "A name to ban must be text that can be shown, not ''.",
        ),
        (
            Bans({"stand": "Standing."}, about_itself),
            "bans",
            'must begin with "to" and end without a full stop',
        ),
        (Bans(NAMES, plain), "kernels", "concerns is not marked @kernel."),
        (Bans(NAMES, about_itself, plain), "kernels", "withhold is not marked @kernel."),
        (Bans(NAMES, with_the_arguments_turned_round), "kernels", "instead of (state, params, action)."),
        (Bans(NAMES, about_itself, about_itself), "kernels", "instead of (state, params, names)."),
        (Bans(NAMES, about_more_than_there_is), "bans", "concerns says 8 of action 2; there are 3 names"),
        (Bans(NAMES, counting), "bans", 'concerns changed the field "changes" of the state.'),
        (
            Bans(NAMES, about_itself, withhold_beyond),
            "runs",
            "withhold_beyond (test_conformance_bans.py, line",
        ),
    ],
    ids=lambda value: None if isinstance(value, Bans) else str(value)[:20],
)
def test_what_is_wrong_is_found(bans: Bans, rule: str, says: str) -> None:
    told = found(bans)
    assert any(one == rule and says in sentence for one, sentence in told), told
    assert {one for one, _ in told} <= ADVICE.keys()
