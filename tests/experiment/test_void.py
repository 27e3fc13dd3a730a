"""Void games enter no mean: tallies over rows with void games equal tallies over the rows that are left."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import polars
import pytest

from balance.engine import VOID_OVER, kernel
from balance.engine.playing import Buffers, Loop, Table, columns
from balance.engine.playout import VOID
from balance.experiment import find
from balance.experiment.plan import PlannedCell
from balance.experiment.replay import Replayer
from balance.experiment.rows import frame
from balance.experiment.tally import Played, Tally, tally
from balance.game import Game

from . import dice_race
from .dice_race import GAME, install
from .test_tally import SHAPES, as_counter, cell_of, made_up

LATE = replace(GAME, measures=(replace(GAME.measures[0], of_void_games=True), *GAME.measures[1:]))
"""The race with a first measure that says something of void games too."""
apply_action = dice_race.apply_action


@pytest.fixture(autouse=True)
def fake_games(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch)


def with_void(cell: PlannedCell, played: Played, void: list[int]) -> Played:
    rows = played.rows.copy()
    names = columns(GAME, cell.players)
    rows[names.index("ended"), void] = VOID
    return Played(played.first, rows, played.sums)


def without_blocks(cell: PlannedCell, played: Played, void: list[int]) -> Played:
    """The same games less all blocks in which one of these stands."""
    gone = {at // cell.rotations for at in void}
    left = [at for at in range(played.rows.shape[1]) if at // cell.rotations not in gone]
    return Played(played.first, played.rows[:, left], played.sums)


def ended(found: Tally) -> dict[int, int]:
    return dict(as_counter(found.of_games("ended")))


@pytest.mark.parametrize(("players", "policies"), SHAPES)
def test_a_block_with_a_void_game_is_set_aside(players: int, policies: tuple[str, ...]) -> None:
    cell, void = cell_of(players, policies), [0, 7, 8, 31]
    played = with_void(cell, made_up(cell, 60), void)
    found, left = tally(LATE, cell, played), tally(LATE, cell, without_blocks(cell, played, void))
    assert found.played == 60
    assert ended(found)[VOID] == 4
    for name in left.blocks:
        if name not in ("ended", "all_sixes"):
            assert found.of_blocks(name) == left.of_blocks(name), name
            assert found.of_games(name) == left.of_games(name), name
    whole = tally(LATE, cell, made_up(cell, 60))
    assert found.of_games("all_sixes") == whole.of_games("all_sixes")
    assert found.of_blocks("all_sixes") == whole.of_blocks("all_sixes")


def test_extremes_keep_the_numbers_of_their_games() -> None:
    cell, void = cell_of(3), [2, 3, 50]
    played = with_void(cell, made_up(cell, 60, first=6000), void)
    found = tally(LATE, cell, played)
    at = columns(GAME, 3).index("score_1")
    ranked = sorted((-int(played.rows[at, i]), 6000 + i) for i in range(60) if i not in void)
    assert found.highest["score_1"] == tuple((-value, number) for value, number in ranked[:10])
    sixes = columns(GAME, 3).index("all_sixes")
    ranked = sorted((int(played.rows[sixes, i]), 6000 + i) for i in range(60))
    assert found.lowest["all_sixes"] == tuple(ranked[:10])


@pytest.mark.parametrize("policies", [("any",), ("any", "steady")])
def test_differences_need_both_games(policies: tuple[str, ...]) -> None:
    cell = cell_of(3, policies)
    one, base = (with_void(cell, made_up(cell, 60, seed=seed), [seed, 40 + seed]) for seed in (1, 5))
    found = tally(GAME, cell, one, base)
    void = [1, 41, 5, 45]
    left = tally(GAME, cell, *(without_blocks(cell, played, void) for played in (one, base)))
    assert found.differences == left.differences
    assert found.differences["turns"].n < found.of_blocks("turns").n


def test_when_all_games_are_void_nothing_is_left() -> None:
    cell = cell_of(3, ("any", "steady"))
    void = with_void(cell, made_up(cell, 60), list(range(60)))
    found = tally(GAME, cell, void, void)
    assert (found.played, found.of_blocks("turns").n, found.differences["score"].n) == (60, 0, 0)
    assert found.highest["turns"] == ()
    assert Tally.from_dict(found.as_dict()) == found
    whole = tally(GAME, cell, made_up(cell, 60), made_up(cell, 60))
    assert whole.merge(found).of_blocks("score") == whole.of_blocks("score")


def test_rows_of_void_games_have_no_scores() -> None:
    cell = cell_of(2)
    table = frame(GAME, cell, 0, with_void(cell, made_up(cell, 6), [1, 4]).rows)
    assert table["ended"].cast(polars.String).to_list().count("void") == 2
    for name in ("score_0", "rank_1", "win_share_0"):
        assert [value is None for value in table[name].to_list()] == [False, True, False, False, True, False]
        assert table[name].dtype == polars.Int32
    assert table["turns"].null_count() == 0


# ---------------------------------------------------------------- the loop


@kernel
def void_with_a_six(state, params, action, rng):  # type: ignore[no-untyped-def]
    """A race that is void when the last seat has rolled a six."""
    apply_action(state, params, action, rng)
    if state.over and state.sixes[params.players - 1] > 0:
        state.over = VOID_OVER


FRAGILE: Game = replace(GAME, apply_action=void_with_a_six)


def play(game: Game, rotations: int) -> tuple[dict[str, Any], np.ndarray]:
    params = game.Params.resolve(3)
    loop = Loop(game, game.policies, params)
    loop.interpret()
    sums = loop.new_sums()
    table = Table(game, params, (game.policies[0], game.policies[1], game.policies[1]), rotations)
    rows = loop.play(table, 1, 0, 60, Buffers(game), sums)
    return dict(zip(columns(game, 3), rows, strict=True)), sums


@pytest.mark.parametrize("rotations", [1, 3])
def test_the_loop_ranks_no_void_game_and_sums_no_block_with_one(rotations: int) -> None:
    rows, sums = play(FRAGILE, rotations)
    void = rows["ended"] == VOID
    assert 5 < void.sum() < 55
    assert (void == (rows["own_sixes_2"] > 0)).all()
    for seat in range(3):
        for face in ("score", "rank", "win_share"):
            assert not rows[f"{face}_{seat}"][void].any()
    whole, _ = play(GAME, rotations)
    left = ~np.repeat(void.reshape(-1, rotations).any(axis=1), rotations)
    assert (rows["score_1"][left] == whole["score_1"][left]).all()
    first_round = sums[0, :3].sum()  # the race's curve comes first: the places after the first lap
    assert 0 < first_round < play(GAME, rotations)[1][0, :3].sum()
    nothing = sums[0, 6 * 6 + 3]  # the counter's second item is offered once for each seat and game
    assert nothing == 3 * left.sum()


def test_a_replay_of_a_void_game_has_its_row() -> None:
    rows, _ = play(FRAGILE, 1)
    params = FRAGILE.Params.resolve(3)
    policies = (FRAGILE.policies[0], FRAGILE.policies[1], FRAGILE.policies[1])
    replayer = Replayer(FRAGILE, params, policies, 1)
    for number in range(12):
        assert replayer.play(1, number).row == {name: int(values[number]) for name, values in rows.items()}


def test_searching_for_the_most_extreme_passes_over_games_without_a_score() -> None:
    cell = cell_of(2)
    table = frame(GAME, cell, 0, with_void(cell, made_up(cell, 6), [1, 4]).rows).lazy()
    for lowest in (True, False):
        found = find._outermost(find.Extreme("score_0", lowest), 6, table).collect()
        assert sorted(found["game"].to_list()) == [0, 2, 3, 5]
