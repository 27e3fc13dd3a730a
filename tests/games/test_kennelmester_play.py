"""Play as a whole: known means, bounds, invariants, and lists of options that agree."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from balance.engine import CAPPED_OVER, LOST_OVER
from balance.engine.plain import plain_kernel, plain_params
from balance.engine.playing import Buffers, Loop, Table
from balance.game import SHARE_UNIT
from balance.games.kennelmester import GAME, choosing, layout

from . import kennels
from .kennel_census import Census
from .kennel_rule_sets import CORNERS, rule_sets
from .kennels import RANDOM, RICH, SIZES, VARIED
from .plays import Moment, Watched

KNOWN_MEANS = {
    (1, "solo"): 2.37,
    (2, "competitive"): 3.46,
    (3, "competitive"): 3.23,
    (4, "competitive"): 3.37,
    (4, "team"): 3.86,
}
"""Mean reputation of a player when all play at random."""
SOLO_ROUNDS, ROUND_CAP = 24, 60


# ---------------------------------------------------------------- means of many games


@pytest.mark.parametrize("size", KNOWN_MEANS)
def test_means_of_random_play(size: tuple[int, str]) -> None:
    rows = kennels.play(size, 50_000, seed=2)
    parts = kennels.everywhere(rows, "reputation_events") + kennels.everywhere(rows, "reputation_customers")
    assert parts.mean() == pytest.approx(KNOWN_MEANS[size], abs=0.12)
    rounds = rows["rounds"]
    if size[1] == "solo":
        assert (rounds == SOLO_ROUNDS).all()
        assert not rows["ended"].any()
    else:
        assert (rounds == ROUND_CAP).mean() > 0.999
        assert (rows["by_cap"] == rows["ended"]).all()
        assert (rows["by_cap"] + rows["by_target"] + rows["by_events"] == 1).all()


@pytest.mark.parametrize("size", SIZES)
def test_win_shares_are_of_sides(size: tuple[int, str]) -> None:
    """Pairs share their score; a solo game without its goal is won by nobody."""
    rows = kennels.play(size, 2_000, {**RICH, "solo_target": 3})
    shares = kennels.everywhere(rows, "win_share").sum(axis=0)
    scores = kennels.everywhere(rows, "score")
    if size[1] == "solo":
        assert set(shares.tolist()) == {0, SHARE_UNIT}
        assert ((scores[0] >= 3) == (shares > 0)).all()
    else:
        assert (shares == SHARE_UNIT).all()
    if size[1] == "team":
        half = size[0] // 2
        assert (scores[:half] == scores[half:]).all()


def test_a_player_who_never_enters_is_counted_at_the_cap() -> None:
    """Nobody wins an event where no dog can be paid for: every game reaches the cap and is ranked."""
    overrides = {"start_coins": 0, "coin_amount": 0, "sale_deal": "off", "start_dogs": 0}
    rows = kennels.play((3, "competitive"), 500, overrides)
    assert (rows["ended"] == 1).all()
    assert (rows["by_cap"] == 1).all()
    assert (rows["unwon_events"] == ROUND_CAP).all()
    assert (kennels.everywhere(rows, "win_share") == SHARE_UNIT // 3).all()


# ---------------------------------------------------------------- every decision


@pytest.mark.parametrize("part", range(6))
def test_every_option_has_its_number_and_nothing_is_lost(part: int) -> None:
    """6.2, 6.5: what `random` can choose are the options listed, each once; and all invariants hold."""
    watched, seen = Watched(GAME, [*GAME.policies, VARIED]), Counter[int]()
    option = plain_kernel(choosing.option, watched.bind)
    sets = [(SIZES[part], {}), (SIZES[part], RICH), *CORNERS[part::6], *rule_sets()[part::12]]
    for number, (size, overrides) in enumerate(sets):
        params = GAME.resolve(size, {**overrides, "round_cap": min(overrides.get("round_cap", 9), 9)})
        record = plain_params(GAME, params)
        census = Census(params, record)

        def watch(moment: Moment, census: Census = census) -> None:
            state = moment.state
            seen[state.decision] += 1
            codes = [int(option(state, moment.params, k)) for k in range(state.options)]
            assert sorted(codes) == moment.options
            census.at_decision(moment)

        watched.watch = watch
        players = [RANDOM if (number + seat) % 3 == 0 else VARIED for seat in range(size[0])]
        state, _ = watched.play(params, players, part, number)
        census.at_end(state)
        expected = CAPPED_OVER if state.reason == layout.R_CAP else 1
        if size[1] == "solo" and state.reputation[0] < params.solo_target:
            expected = LOST_OVER
        assert state.over == expected
    assert min(seen[decision] for decision in (layout.D2_ACTION, layout.D3_ENTER_MORE, layout.D4_BONUS)) > 20
    assert seen[layout.D5_DISCARD] > 20


@pytest.mark.parametrize("part", range(4))
def test_compiled_and_interpreted_games_are_equal(part: int) -> None:
    """On numpy records, whose small integers overflow where compiled code would not tell."""
    size, overrides = random.Random(part).choice(CORNERS)
    params = GAME.resolve(size, {**overrides, "round_cap": 12})
    slow = Loop(GAME, GAME.policies, params)
    slow.interpret()
    table = Table(GAME, params, (RANDOM,) * size[0], 1)
    rows, sums = [], []
    for loop in (slow, kennels.loop()):
        sums.append(loop.new_sums())
        rows.append(loop.play(table, 9, 0, 2, Buffers(GAME), sums[-1]).tolist())
    assert rows[0] == rows[1]
    assert np.array_equal(*sums)
