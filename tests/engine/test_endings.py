"""How games end: at a cap that the rules set, lost by all, won by a side; in columns, ranks and shares."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from experiment.summit import GAME

from balance.engine import CAPPED_OVER, LOST_OVER, VOID_OVER, playout
from balance.engine.kernels import interpreted
from balance.engine.playing import Buffers, Loop, Table, columns
from balance.engine.playout import TERMINATED, TRUNCATED, VOID
from balance.game import MAX_SEATS, SHARE_UNIT, Size

CLIMBER = GAME.policy("climber")


def ranked(scores: Sequence[int], over: int) -> np.ndarray[Any, Any]:
    """Scores, ranks and shares of seats with these scores."""
    bind = [(playout.score, lambda _s, _p, seat: scores[seat]), (playout.tiebreak, lambda _s, _p, _seat: 0)]
    ranking = np.zeros((4, MAX_SEATS), np.int64)
    params = SimpleNamespace(players=len(scores))
    interpreted(playout.rank_seats, bind, free=True)(SimpleNamespace(over=over), params, ranking)
    return ranking[:3, : len(scores)]


@pytest.mark.parametrize(
    ("scores", "shares"),
    [
        ([5, 3, 5, 3], [30, 0, 30, 0]),
        ([4, 4, 4, 4], [15, 15, 15, 15]),
        ([2, 7, 1, 2, 7, 1], [0, 30, 0, 0, 30, 0]),
        ([7, 7, 1, 7, 7, 1], [15, 15, 0, 15, 15, 0]),
        ([1, 1, 1, 1, 1, 1], [10, 10, 10, 10, 10, 10]),
    ],
)
def test_partners_share_the_part_of_their_side(scores: list[int], shares: list[int]) -> None:
    found = ranked(scores, 1)
    assert found[2].tolist() == shares
    assert sum(shares) == SHARE_UNIT


@pytest.mark.parametrize("scores", [[3], [3, 5], [5, 3, 5, 3]])
def test_nobody_wins_a_lost_game_which_has_scores_and_ranks(scores: list[int]) -> None:
    lost, over = ranked(scores, LOST_OVER), ranked(scores, 1)
    assert lost[:2].tolist() == over[:2].tolist()
    assert not lost[2].any()
    assert over[2].sum() == SHARE_UNIT


def test_a_capped_game_is_ranked_and_a_void_one_is_not() -> None:
    assert ranked([3, 5], CAPPED_OVER).tolist() == ranked([3, 5], 1).tolist()
    assert not ranked([3, 5], VOID_OVER).any()


@pytest.mark.parametrize(
    ("over", "ended"),
    [(0, TRUNCATED), (1, TERMINATED), (VOID_OVER, VOID), (CAPPED_OVER, TRUNCATED), (LOST_OVER, TERMINATED)],
)
def test_what_the_column_ended_says(over: int, ended: int) -> None:
    assert playout.ending_of(over) == ended


# ---------------------------------------------------------------- whole games


def played(size: Size, rules: dict[str, object], *, compiled: bool) -> dict[str, np.ndarray[Any, Any]]:
    params = GAME.resolve(size, rules)
    loop = Loop(GAME, GAME.policies, params)
    if compiled:
        loop.compile()
    else:
        loop.interpret()
    table = Table(GAME, params, (CLIMBER,) * size[0], 1)
    rows = loop.play(table, 3, 0, 200, Buffers(GAME), loop.new_sums())
    return dict(zip(columns(GAME, size[0]), rows, strict=True))


@pytest.mark.parametrize("size", GAME.official_sizes)
def test_compiled_and_plain_games_of_every_mode_are_the_same(size: Size) -> None:
    fast, slow = (played(size, {}, compiled=how) for how in (True, False))
    assert {name: values.tolist() for name, values in fast.items()} == {
        name: values.tolist() for name, values in slow.items()
    }


def test_alone_the_goal_decides() -> None:
    rows = played((1, "alone"), {}, compiled=False)
    assert set(rows["ended"].tolist()) == {TERMINATED}
    reached = rows["score_0"] >= 2
    assert 20 < reached.sum() < 80
    assert (rows["win_share_0"] == np.where(reached, SHARE_UNIT, 0)).all()
    assert (rows["rank_0"] == 1).all()


def test_at_the_cap_games_are_ranked() -> None:
    rows = played((2, "free"), {}, compiled=False)
    capped = np.maximum(rows["score_0"], rows["score_1"]) < 2
    assert 60 < capped.sum() < 160
    assert (rows["ended"] == np.where(capped, TRUNCATED, TERMINATED)).all()
    assert (rows["win_share_0"] + rows["win_share_1"] == SHARE_UNIT).all()
    assert (rows["plies"] < GAME.bounds.plies).all()


def test_pairs_win_together() -> None:
    rows = played((6, "pairs"), {}, compiled=False)
    for seat in range(3):
        for name in ("score", "rank", "win_share"):
            assert (rows[f"{name}_{seat}"] == rows[f"{name}_{seat + 3}"]).all()
    assert {10, 15, 30} == set(np.max([rows[f"win_share_{seat}"] for seat in range(6)], axis=0).tolist())
