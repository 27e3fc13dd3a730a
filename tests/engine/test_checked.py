"""Games and policies of others are checked action by action; ours are left as they are."""
# ruff: noqa: ARG001  kernels have the arguments of their kind, used or not

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numba
import numpy as np
import pytest
from bad_examples import kernels
from bad_examples.kernels import usual_apply

from balance import registry
from balance.engine import checked, kernel, playout
from balance.engine.faults import PlayError
from balance.engine.kernels import key_of
from balance.engine.playing import Buffers, Loop, Table, bindings
from balance.experiment.replay import Replayer, explained
from balance.game import Game, Policy
from balance.games.animalia import GAME as ANIMALIA
from engine import toy
from engine.toy import STAND

FEW = 40


@kernel
def choose_wrongly_late(state, params, weights, rng, actions):  # type: ignore[no-untyped-def]
    """In the second round seat 1 does what nobody can."""
    return 7 if state.round_number == 1 and state.seat == 1 else STAND


@kernel
def apply_past_the_end(state, params, action, rng):  # type: ignore[no-untyped-def]
    """In the fourth turn writes to a seat that is not there."""
    usual_apply(state, params, action, rng)
    if state.turns > 3:
        state.points[params.players + 4] = 1


@kernel
def apply_before_the_start(state, params, action, rng):  # type: ignore[no-untyped-def]
    """In the fourth turn reads a card before the first."""
    usual_apply(state, params, action, rng)
    if state.turns > 3:
        state.points[0] = state.deck[3 - state.turns]


@kernel
def apply_to_no_field(state, params, action, rng):  # type: ignore[no-untyped-def]
    """Writes to a field that no state has."""
    usual_apply(state, params, action, rng)
    state.feathers = 3


@kernel
def words_for(number):  # type: ignore[no-untyped-def]
    """Adds what cannot be added."""
    return number + "abc"


@kernel
def apply_with_words(state, params, action, rng):  # type: ignore[no-untyped-def]
    """Calls a kernel that cannot be compiled."""
    usual_apply(state, params, action, rng)
    state.points[0] += words_for(action)


WRONG = Policy("wrong", "Wrong", "Does what nobody can.", choose_wrongly_late)
ILLEGAL = replace(toy.GAME, policies=(WRONG, toy.GAME.policy("careful")))


def play(game: Game, policies: tuple[Policy, ...], *, compiled: bool) -> np.ndarray[Any, Any]:
    """The rows of some games, each with a table of these policies."""
    params = game.Params.resolve(len(policies))
    loop = Loop(game, policies, params)
    if compiled:
        loop.compile()
    else:
        loop.interpret()
    return loop.play(Table(game, params, policies, 1), 1, 0, FEW, Buffers(game), loop.new_sums())


@pytest.mark.parametrize("name", registry.names())
def test_nothing_of_ours_is_checked(name: str) -> None:
    game = registry.load(name)
    ours = {id(checked.choose), id(checked.apply_action), id(checked.measure)}
    assert not ours & {id(value) for _, value in bindings(game, ())}
    assert not checked.is_foreign(game, [policy.choose for policy in game.policies])


@pytest.mark.parametrize(
    ("game", "policies"),
    [
        (toy.GAME, ()),
        (replace(ANIMALIA, legal_actions=kernels.only_one), ()),
        (ANIMALIA, (Policy("own", "Own", "A.", kernels.choose_first),)),
    ],
    ids=["a game", "one kernel", "a policy"],
)
def test_all_of_others_is(game: Game, policies: tuple[Policy, ...]) -> None:
    bound = {id(placeholder): value for placeholder, value in bindings(game, policies)}
    assert bound[id(playout.choose)] is checked.choose
    assert bound[id(playout.apply_action)] is checked.apply_action


@pytest.mark.compiler
def test_checking_changes_no_game(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = play(toy.GAME, toy.POLICIES, compiled=True)
    monkeypatch.setattr(checked, "OURS", "")
    assert not checked.is_foreign(toy.GAME, ())
    assert np.array_equal(play(toy.GAME, toy.POLICIES, compiled=True), rows)


@pytest.mark.parametrize("compiled", [True, False])
def test_an_illegal_action_ends_play(compiled: bool) -> None:
    with pytest.raises(
        PlayError, match="In game 0 of Toy a policy chose an action that is not legal"
    ) as found:
        play(ILLEGAL, (WRONG, WRONG), compiled=compiled)
    assert found.value.game == 0
    assert found.value.exit_code == 2


@pytest.mark.parametrize("compiled", [True, False])
def test_the_first_of_several_games_is_named(compiled: bool) -> None:
    sometimes = (toy.GAME.policy("any"), replace(toy.GAME.policy("any"), id="odd", choose=choose_oddly))
    legal = play(replace(toy.GAME, policies=sometimes[:1]), sometimes[:1] * 2, compiled=False)
    assert legal.shape[1] == FEW
    with pytest.raises(PlayError) as found:
        play(replace(toy.GAME, policies=sometimes), sometimes, compiled=compiled)
    assert found.value.game == odd_game()


@kernel
def choose_oddly(state, params, weights, rng, actions):  # type: ignore[no-untyped-def]
    """Stands, unless the highest card is held."""
    return -1 if state.held[1] == params.deck_size - 1 else STAND


def odd_game() -> int:
    """The first game in which the second seat chooses oddly, found one by one."""
    game = replace(toy.GAME, policies=(toy.GAME.policy("any"), Policy("odd", "Odd", "Odd.", choose_oddly)))
    replayer = Replayer(game, game.Params.resolve(2), game.policies, 1)
    for number in range(FEW):
        try:
            replayer.play(1, number)
        except PlayError:
            return number
    raise AssertionError("no game was odd")


@pytest.mark.parametrize("compiled", [True, False])
def test_listing_more_than_there_is_room_for_ends_play(compiled: bool) -> None:
    many = replace(toy.GAME, legal_actions=kernels.more_than_the_bound, policies=toy.POLICIES[1:])
    careful = toy.GAME.policy("careful")
    with pytest.raises(PlayError, match="not legal"):
        play(many, (careful, careful), compiled=compiled)
    params = toy.ToyParams.resolve(2)
    found = explained(PlayError("", game=0), Table(many, params, (careful, careful), 1), 1)
    assert (
        "in seat 1 had 4 actions to choose from, more than the bound of 3 (round 1, turn 1)." in found.message
    )


def test_a_replay_tells_who_did_what_and_where() -> None:
    replayer = Replayer(ILLEGAL, toy.ToyParams.resolve(2), (WRONG, WRONG), 1)
    with pytest.raises(PlayError) as found:
        replayer.play(1, 3)
    assert found.value.message == (
        'Game 3 of Toy stops: the policy "wrong" in seat 2 chose action 7, but 0, 1 and 2 are legal '
        "(round 2, turn 2)."
    )
    assert found.value.hint.startswith("The state was: seat = 1, round_number = 1, turn = 1, step = 0, ")
    assert "standing = [" in found.value.hint
    assert ", …]" in found.value.hint
    assert [event["event"] for event in found.value.events][-2:] == ["dealt", "chosen"]


def test_a_game_that_only_the_compiled_loop_gives_up_is_said_to_differ() -> None:
    table = Table(toy.GAME, toy.ToyParams.resolve(2), toy.POLICIES, 1)
    found = explained(PlayError("In game 0 it is.", game=0), table, 1)
    assert found.message == "In game 0 it is. Played in plain Python it does not."


@pytest.mark.parametrize("compiled", [True, False])
def test_a_kernel_that_writes_out_of_bounds_is_named(compiled: bool) -> None:
    with pytest.raises(PlayError) as found:
        play(replace(toy.GAME, apply_action=apply_past_the_end), toy.POLICIES, compiled=compiled)
    line = f", line {apply_past_the_end.__code__.co_firstlineno + 5}"
    if compiled and not numba.config.DISABLE_JIT:
        line = ""  # the file may have been edited since
    where = f"apply_past_the_end (test_checked.py{line})"
    assert found.value.message == f"{where} failed in game 0 of Toy: an index out of bounds."
    assert found.value.game == 0


@pytest.mark.compiler
@pytest.mark.parametrize("apply", [apply_past_the_end, apply_before_the_start])
def test_playing_it_again_tells_the_line_and_the_index(apply: Any) -> None:
    game = replace(toy.GAME, apply_action=apply)
    with pytest.raises(PlayError) as found:
        play(game, toy.POLICIES, compiled=True)
    assert f"{apply.__name__} (test_checked.py) failed in game 0" in found.value.message
    table = Table(game, toy.ToyParams.resolve(2), toy.POLICIES, 1)
    line, index = apply.__code__.co_firstlineno + 5, 6 if apply is apply_past_the_end else -1
    assert explained(found.value, table, 1).message == (
        f"{apply.__name__} (test_checked.py, line {line}) failed in game 0 of Toy: an index out of bounds: {index}."
    )


@pytest.mark.compiler
def test_only_the_loops_of_others_look_at_every_index() -> None:
    """The key of a checked loop is another, so neither is taken for the other."""
    ours = registry.load("pig")
    keys = {}
    for name, game in {"ours": ours, "others": replace(ours, score=kernels.score_and_pay)}.items():
        loop = Loop(game, game.policies, game.Params.resolve(2))
        keys[name] = {
            key_of(playout.play_games, loop._types, loop._bind, checked=flag) for flag in (True, False)
        }
        assert loop._key == key_of(playout.play_games, loop._types, loop._bind, checked=name == "others")
    assert len(keys["ours"] | keys["others"]) == 4


@pytest.mark.compiler
@pytest.mark.parametrize(
    ("apply", "says"),
    [
        (
            apply_with_words,
            "The kernel words_for of Toy cannot be compiled (test_checked.py, line {}): No impl",
        ),
        (
            apply_to_no_field,
            "The kernel apply_to_no_field of Toy cannot be compiled (test_checked.py, line {}): it",
        ),
    ],
)
def test_a_kernel_that_cannot_be_compiled_is_named(apply: Any, says: str) -> None:
    culprit = words_for if apply is apply_with_words else apply
    line = culprit.__code__.co_firstlineno + (3 if apply is apply_with_words else 4)
    with pytest.raises(PlayError) as found:
        play(replace(toy.GAME, apply_action=apply), toy.POLICIES, compiled=True)
    assert found.value.message.startswith(says.format(line))
    assert "\n" not in found.value.message


def test_what_has_no_identity_is_one_sentence() -> None:
    game = replace(toy.GAME, score=kernels.score_by_list)
    with pytest.raises(
        PlayError, match=r"^Toy cannot be compiled: bad_examples\.kernels\.score_by_list uses"
    ):
        _ = Loop(game, game.policies, toy.ToyParams.resolve(2)).fingerprint
