"""Kennelmester's types of players: each plays as it says, by any rules, and none is nonsense."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

from balance.engine.playing import Buffers, Loop, Table, sums_layout
from balance.game import COUNTER_FACES, SHARE_UNIT, Policy
from balance.games.kennelmester import GAME, layout
from balance.games.kennelmester.measures import ACTIONS
from balance.games.kennelmester.policies import MEANINGS, WEIGHTS
from balance.stats.histogram import Histogram
from balance.stats.intervals import part_interval, share_interval, wilson

from . import kennels
from .kennel_rule_sets import CORNERS, ROUNDS, rule_sets
from .kennels import RANDOM, SIZES
from .plays import Moment, Watched

GREEDY = GAME.policy("greedy")
CHARACTERS = [policy for policy in GAME.policies if policy not in (RANDOM, GREEDY)]
FOUR = (4, "competitive")
SURELY = 0.999
TABLES = [(2, "competitive"), (3, "competitive"), FOUR, (4, "team"), (6, "team")]
Size = tuple[int, str]


def test_the_types_are_these() -> None:
    names = ["random", "greedy", "beginner", "worker", "breeder", "trader", "competitor"]
    assert [policy.id for policy in GAME.policies] == names
    assert all(set(policy.weights) == set(WEIGHTS) == set(MEANINGS) for policy in [GREEDY, *CHARACTERS])


# ---------------------------------------------------------------- strength


def share(policy: Policy, others: Policy, games: int = 600) -> float:
    """The part of the wins of one player at a table of four, in every seat equally often."""
    won = 0
    for seat in range(4):
        line_up = [others] * 4
        line_up[seat] = policy
        won += kennels.play(FOUR, games, line_up=line_up, seed=2)[f"win_share_{seat}"].sum()
    return won / (4 * games * SHARE_UNIT)


def sides_that_it_wins(policy: Policy, size: Size, games: int = 300) -> list[bool]:
    """For each side whether players of the type surely win more than an even share there, among random ones."""
    found, sides = [], GAME.sides(size)
    for side in sides:
        line_up = [policy if seat in side else RANDOM for seat in range(size[0])]
        rows = kennels.play(size, games, line_up=line_up, seed=3)
        won = Histogram.from_values(sum(rows[f"win_share_{seat}"].astype(np.int64) for seat in side))
        found.append(share_interval(won, SURELY, SHARE_UNIT).low > 1 / len(sides))
    return found


@pytest.mark.parametrize("size", TABLES, ids=str)
def test_greedy_beats_random_in_every_seat_and_pair(size: Size) -> None:
    assert sides_that_it_wins(GREEDY, size) == [True] * len(GAME.sides(size))


@pytest.mark.parametrize("size", TABLES, ids=str)
def test_who_plays_at_random_beats_random_nowhere(size: Size) -> None:
    """What the test above would say of a player who is no better than the others."""
    assert sides_that_it_wins(RANDOM, size) == [False] * len(GAME.sides(size))


def test_greedy_reaches_the_goal_alone_where_random_never_does() -> None:
    games = 4_000
    alone = {policy.id: kennels.play((1, "solo"), games, line_up=[policy]) for policy in (RANDOM, GREEDY)}
    reached = {name: int((rows["win_share_0"] > 0).sum()) for name, rows in alone.items()}
    assert wilson(reached["greedy"], games, SURELY).low > wilson(reached["random"], games, SURELY).high
    assert 0.15 < reached["greedy"] / games < 0.45
    assert 40 < alone["greedy"]["score_0"].mean() < 46
    assert reached["random"] == 0


@pytest.mark.parametrize("policy", CHARACTERS, ids=lambda policy: policy.id)
def test_all_beat_random_and_none_is_better_than_greedy(policy: Policy) -> None:
    assert share(policy, RANDOM, 150) > 0.9
    assert share(policy, GREEDY) < 0.25


@pytest.mark.parametrize("weight", WEIGHTS)
def test_every_weight_matters(weight: str) -> None:
    weights = MappingProxyType({**WEIGHTS, weight: 0 if WEIGHTS[weight] else 40})
    other, usual = (
        kennels.play(FOUR, 200, line_up=[policy] * 4) for policy in (replace(GREEDY, weights=weights), GREEDY)
    )
    assert any(not np.array_equal(other[column], usual[column]) for column in usual)


# ---------------------------------------------------------------- how games go


@pytest.mark.parametrize(
    ("size", "low", "high"),
    [((2, "competitive"), 16, 19), ((3, "competitive"), 17, 20), (FOUR, 18, 22), ((4, "team"), 22, 28)],
    ids=str,
)
def test_games_of_greedy_players_end_by_the_target(size: Size, low: int, high: int) -> None:
    rows = kennels.play(size, 1_000, line_up=[GREEDY] * size[0])
    assert rows["by_target"].mean() > 0.99
    assert low < rows["rounds"].mean() < high


def mix(policy: Policy, games: int) -> tuple[list[int], list[int]]:
    """The totals and squares of what four players of a type did, by kind of action."""
    sums = kennels.loop().new_sums()
    kennels.play(FOUR, games, line_up=[policy] * 4, sums=sums)
    start, faces = sums_layout(GAME)["actions"][0], len(COUNTER_FACES)
    at = [start + kind * faces + COUNTER_FACES.index("taken") for kind in range(len(ACTIONS))]
    totals, squares = ([int(sums[row, place]) for place in at] for row in (0, 1))
    return totals, squares


def test_the_characters_have_mixes_of_their_own() -> None:
    """Each does most of what it is called after, beyond doubt."""
    games = 2_000
    done = {policy.id: mix(policy, games) for policy in [GREEDY, *CHARACTERS]}

    def part(name: str, action: str) -> Any:
        found = part_interval(games, *done[name], ACTIONS.index(action), SURELY)
        assert found is not None
        return found

    for name, actions in {
        "worker": ["coin"],
        "breeder": ["mate", "birth"],
        "trader": ["draw a customer", "trade"],
        "competitor": ["enter"],
    }.items():
        for action in actions:
            others = [part(other, action).high for other in done if other != name]
            assert part(name, action).low > max(others), (name, action)


def test_they_play_as_they_say() -> None:
    rows = {policy.id: kennels.play(FOUR, 400, line_up=[policy] * 4) for policy in [GREEDY, *CHARACTERS]}
    of = {
        name: {measure: kennels.everywhere(found, measure).mean() for measure in ("coins", "bred", "sold")}
        for name, found in rows.items()
    }
    assert of["worker"]["coins"] > 2 * of["greedy"]["coins"]
    assert of["breeder"]["bred"] > of["greedy"]["bred"] + 0.5
    assert of["trader"]["sold"] > of["greedy"]["sold"] + 1
    assert rows["beginner"]["rounds"].mean() > rows["greedy"]["rounds"].mean() + 1


def test_nobody_breeds_where_no_litter_has_pups() -> None:
    barren, usual = (
        kennels.play((1, "solo"), 200, {"litter_table": table}, [GREEDY])
        for table in ([0] * 6, [0, 1, 1, 2, 2, 3])
    )
    assert usual["bred_0"].mean() > 4
    assert barren["bred_0"].max() == 0
    assert barren["score_0"].mean() > 15  # where every action is spent on breeding it would be less


def test_who_begins_without_dogs_gets_some() -> None:
    rows = kennels.play((2, "competitive"), 200, {"start_dogs": 0}, [GREEDY] * 2)
    assert kennels.everywhere(rows, "bought").min() >= 1
    assert rows["by_target"].mean() > 0.95


# ---------------------------------------------------------------- any rules


@pytest.mark.parametrize("part", range(4))
def test_what_they_choose_is_legal_by_any_rules(part: int) -> None:
    watched, seen = Watched(GAME, GAME.policies), Counter[int]()

    def check(moment: Moment) -> None:
        """What was chosen before is checked as soon as it is known."""
        seen[moment.state.decision] += 1
        pending.append(moment.options)

    pending: list[list[int]] = []
    ask = watched.choose

    def choose(*arguments: Any) -> int:
        action = int(ask(*arguments))
        assert action in pending.pop(), action
        return action

    watched.watch, watched.choose = check, choose
    sets = [*[(size, {}) for size in SIZES], *CORNERS, *rule_sets()[part::8]]
    for number, (size, overrides) in enumerate(sets[part::4]):
        limit = {"round_cap": min(overrides.get("round_cap", ROUNDS), ROUNDS)}
        params = GAME.resolve(size, {**overrides, **limit})
        players = [GAME.policies[(number + seat) % len(GAME.policies)] for seat in range(size[0])]
        watched.play(params, players, part, number)
    rare = (layout.D5_DISCARD, layout.D6_CONSENT, layout.D7_DISPOSE)
    assert min(seen[decision] for decision in rare) > 0


@pytest.mark.parametrize("size", [(3, "competitive"), (4, "team")], ids=str)
def test_compiled_and_interpreted_players_choose_alike(size: Size) -> None:
    params = GAME.resolve(size, {"start_dogs": 2, "round_cap": 8, "sale_price_rule": "split"})
    slow = Loop(GAME, GAME.policies, params)
    slow.interpret()
    table = Table(GAME, params, tuple(GAME.policies[1 : 1 + size[0]]), size[0])
    rows, sums = [], []
    for loop in (slow, kennels.loop()):
        sums.append(loop.new_sums())
        rows.append(loop.play(table, 9, 0, size[0], Buffers(GAME), sums[-1]).tolist())
    assert rows[0] == rows[1]
    assert np.array_equal(*sums)
