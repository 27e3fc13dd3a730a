"""Tallies against counting by hand, over rows that no game need be able to produce."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from balance.engine.playing import columns
from balance.experiment.columns import compared, per_game, searched, tallied
from balance.experiment.plan import Plan, PlannedCell
from balance.experiment.tally import Played, Tally, counted, merged, tally
from balance.game import SHARE_UNIT
from balance.stats.histogram import Histogram
from balance.stats.joint import Joint

from .dice_race import GAME, install, race


@pytest.fixture(autouse=True)
def fake_games(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch)


def cell_of(players: int, policies: tuple[str, ...] = ("any",)) -> PlannedCell:
    return Plan(race(players=(players,), policies=policies)).cells[0]


def made_up(cell: PlannedCell, games: int, seed: int = 0, first: int = 0) -> Played:
    """Rows with random numbers, but scores, ranks and win shares that belong together."""
    luck = np.random.default_rng(seed)
    names = columns(GAME, cell.players)
    rows = luck.integers(-5, 40, (len(names), games), dtype=np.int32)
    at = {name: number for number, name in enumerate(names)}
    rows[at["ended"]] = luck.integers(0, 2, games)
    scores = luck.integers(0, 6, (cell.players, games))
    best = scores.max(axis=0)
    for seat in range(cell.players):
        rows[at[f"score_{seat}"]] = scores[seat]
        rows[at[f"rank_{seat}"]] = 1 + (scores > scores[seat]).sum(axis=0)
        rows[at[f"win_share_{seat}"]] = (scores[seat] == best) * (SHARE_UNIT // (scores == best).sum(axis=0))
    return Played(first, rows, luck.integers(0, 1000, (3, 45)))


def by_hand(cell: PlannedCell, played: Played) -> list[dict[str, int]]:
    """The rows as dictionaries, with the derived columns."""
    found = []
    for number, values in enumerate(played.rows.T.tolist()):
        row = dict(zip(columns(GAME, cell.players), values, strict=True))
        scores = sorted((row[f"score_{seat}"] for seat in range(cell.players)), reverse=True)
        row["score"] = sum(scores)
        row["own_sixes"] = sum(row[f"own_sixes_{seat}"] for seat in range(cell.players))
        for name, policy in product(("score", "win_share"), cell.sides):
            held = [seat for seat in range(cell.players) if who_sits(cell, number, seat) == policy]
            row[f"{name}@{policy}"] = sum(row[f"{name}_{seat}"] for seat in held)
        if cell.players > 1:
            row["score_margin"] = scores[0] - scores[1]
            row["tie_rate"] = int(scores[0] == scores[1])
        found.append(row)
    return found


def who_sits(cell: PlannedCell, number: int, seat: int) -> str:
    return cell.slots[(seat + number % cell.rotations) % cell.players]


def as_counter(histogram: Histogram) -> Counter[int]:
    return Counter(dict(zip(histogram.values.tolist(), histogram.counts.tolist(), strict=True)))


def blocks_of(cell: PlannedCell, rows: list[dict[str, int]], name: str) -> list[int]:
    size = cell.rotations
    return [sum(row[name] for row in rows[at : at + size]) for at in range(0, len(rows), size)]


SHAPES = [(players, policies) for players, policies in product((2, 3, 4, 6), (("any",), ("any", "steady")))]


@pytest.mark.parametrize(("players", "policies"), [*SHAPES, (1, ("any",))])
def test_histograms_are_those_counted_by_hand(players: int, policies: tuple[str, ...]):
    cell = cell_of(players, policies)
    played = made_up(cell, 60)
    found, rows = tally(GAME, cell, played), by_hand(cell, played)
    for name in per_game(GAME, cell):
        assert as_counter(found.of_games(name)) == Counter(row[name] for row in rows), name
        assert as_counter(found.of_blocks(name)) == Counter(blocks_of(cell, rows, name)), name
    for name in compared(GAME, cell):
        assert as_counter(found.of_blocks(name)) == Counter(blocks_of(cell, rows, name)), name
    assert found.played == 60


@pytest.mark.parametrize(("players", "policies"), SHAPES)
def test_shares_of_a_win_add_up(players: int, policies: tuple[str, ...]):
    cell = cell_of(players, policies)
    found = tally(GAME, cell, made_up(cell, 60))
    assert sum(found.of_blocks(f"win_share_{seat}").total for seat in range(players)) == 60 * SHARE_UNIT
    if cell.rotations > 1:
        assert sum(found.of_blocks(f"win_share@{policy}").total for policy in cell.sides) == 60 * SHARE_UNIT


@pytest.mark.parametrize("players", [2, 3, 5])
def test_policies_get_what_their_seats_get(players: int):
    cell = cell_of(players, ("any", "steady"))
    played = made_up(cell, 60)
    found, rows = tally(GAME, cell, played), by_hand(cell, played)
    for policy in cell.sides:
        wins, scores, pooled = [0] * (60 // players), [0] * (60 // players), []
        for number, row in enumerate(rows):
            for seat in range(players):
                if who_sits(cell, number, seat) == policy:
                    wins[number // players] += row[f"win_share_{seat}"]
                    scores[number // players] += row[f"score_{seat}"]
                    pooled.append(row[f"score_{seat}"])
        assert as_counter(found.of_blocks(f"win_share@{policy}")) == Counter(wins)
        assert as_counter(found.of_blocks(f"score@{policy}")) == Counter(scores)
        assert as_counter(found.of_games(f"score@{policy}")) == Counter(pooled)


@pytest.mark.parametrize(("players", "policies"), SHAPES)
def test_differences_are_those_of_the_same_blocks(players: int, policies: tuple[str, ...]):
    cell = cell_of(players, policies)
    one, base = made_up(cell, 60, seed=1), made_up(cell, 60, seed=2)
    found = tally(GAME, cell, one, base)
    for name in compared(GAME, cell):
        pairs = [blocks_of(cell, by_hand(cell, played), name) for played in (one, base)]
        assert as_counter(found.differences[name]) == Counter(a - b for a, b in zip(*pairs, strict=True)), (
            name
        )
    assert found.changed
    assert not tally(GAME, cell, one, one).changed
    assert all(not h.values.any() for h in tally(GAME, cell, one, one).differences.values())


def test_a_change_of_curves_and_counters_alone_is_a_change():
    cell = cell_of(3)
    one = made_up(cell, 60)
    assert tally(GAME, cell, one, Played(0, one.rows, one.sums + 1)).changed


@pytest.mark.parametrize(("end", "sign"), [("highest", -1), ("lowest", 1)])
@pytest.mark.parametrize("games", [6, 60, 600])
def test_extremes_are_the_first_of_the_sorted_games(end: str, sign: int, games: int):
    cell = cell_of(3)
    played = made_up(cell, games, first=6000)
    found, rows = tally(GAME, cell, played), by_hand(cell, played)
    for name in searched(GAME, cell):
        ranked = sorted((sign * row[name], 6000 + number) for number, row in enumerate(rows))
        assert getattr(found, end)[name] == tuple((sign * value, number) for value, number in ranked[:10]), (
            name
        )


@pytest.mark.parametrize("policies", [("any",), ("any", "steady")])
def test_merging_parts_in_any_grouping_gives_the_tally_of_the_whole(policies: tuple[str, ...]):
    cell = cell_of(3, policies)
    whole, base = made_up(cell, 90, seed=3), made_up(cell, 90, seed=4)
    cuts = [(0, 12), (12, 60), (60, 90)]
    parts = [
        tally(GAME, cell, *(Played(a, p.rows[:, a:b].copy(), p.sums * (a == 0)) for p in (whole, base)))
        for a, b in cuts
    ]
    expected = tally(GAME, cell, whole, base).as_dict()
    one, two, three = parts
    for found in (one.merge(two).merge(three), one.merge(two.merge(three)), three.merge(one).merge(two)):
        assert found.as_dict() == expected
    assert Tally().merge(one).as_dict() == one.merge(Tally()).as_dict() == one.as_dict()


def test_a_tally_survives_json():
    cell = cell_of(4, ("any", "steady"))
    found = tally(GAME, cell, made_up(cell, 60), made_up(cell, 60, seed=1))
    again = Tally.from_dict(json.loads(json.dumps(found.as_dict())))
    assert again == found
    assert again.merge(found).as_dict() == found.merge(found).as_dict()


def test_sums_may_grow_beyond_64_bits():
    large = ((2**62, 1), (5, 2**63), (0, 0))
    assert Tally(sums=large).merge(Tally(sums=large)).sums == ((2**63, 2), (10, 2**64), (0, 0))


@pytest.mark.parametrize("values", [[5], [7, 7, 7], [0, 10**9, 3], [-4, 2, -4], list(range(70_000))])
def test_counting(values: list[int]):
    data = np.array(values, np.int32)
    assert counted(data) == Histogram.from_values(data)
    assert merged(counted(data), counted(data)) == counted(data).merge(counted(data))
    assert merged(counted(data), counted(data + 1)) == counted(data).merge(counted(data + 1))
    for exponent in (31, 32):
        part = Histogram(np.array([0, 3]), np.array([1, 2 ** (exponent - 1)]))
        assert merged(part, part).counts.tolist() == [2, 2**exponent]


def test_nobody_is_first_alone_where_the_share_is_split():
    cell = cell_of(2)
    rows = np.zeros((len(columns(GAME, 2)), 2), np.int32)
    for name, values in {
        "score_0": [3, 5],
        "score_1": [3, 4],
        "win_share_0": [30, 60],
        "win_share_1": [30, 0],
    }.items():
        rows[columns(GAME, 2).index(name)] = values
    named = tallied(GAME, cell, rows)
    assert named["tie_rate"].tolist() == [1, 0]
    assert named["score_margin"].tolist() == [0, 1]
    assert Fraction(int(named["score"].sum()), 4) == Fraction(15, 4)


@pytest.mark.parametrize(("players", "policies"), SHAPES)
def test_the_wins_of_all_seats_together_are_those_counted_by_hand(players: int, policies: tuple[str, ...]):
    cell = cell_of(players, policies)
    one, base = made_up(cell, 60, seed=5), made_up(cell, 60, seed=6)
    found = tally(GAME, cell, one, base)
    wins = [
        np.array([blocks_of(cell, by_hand(cell, played), f"win_share_{seat}") for seat in range(players)])
        for played in (one, base)
    ]
    for joint, blocks in ((found.wins, wins[0]), (found.wins_moved, wins[0] - wins[1])):
        assert joint is not None
        assert joint.n == 60 // cell.rotations
        assert joint.totals == tuple(blocks.sum(axis=1).tolist())
        assert joint.products == tuple(map(tuple, (blocks @ blocks.T).tolist()))
        for seat in range(players):  # the same whole numbers as in the histograms
            histogram = (found.of_blocks if joint is found.wins else found.differences.__getitem__)(
                f"win_share_{seat}"
            )
            assert (histogram.total, histogram.squares) == (joint.totals[seat], joint.products[seat][seat])


def test_a_tally_without_a_baseline_has_no_moved_wins():
    cell = cell_of(3)
    found = tally(GAME, cell, made_up(cell, 60))
    assert found.wins_moved is None
    assert Tally().merge(Tally()).wins is None
    assert Tally.from_dict(json.loads(json.dumps(Tally().as_dict()))) == Tally()


@pytest.mark.parametrize("exponent", [31, 32, 62])
def test_wins_may_grow_beyond_64_bits(exponent: int):
    large = Joint(2**exponent, (2**exponent, 0), ((3600 * 2**exponent, -(2**exponent)), (-(2**exponent), 1)))
    part = Tally(wins=large, wins_moved=large)
    twice = part.merge(part)
    assert twice.wins == Joint(
        2 ** (exponent + 1),
        (2 ** (exponent + 1), 0),
        ((7200 * 2**exponent, -(2 ** (exponent + 1))), (-(2 ** (exponent + 1)), 2)),
    )
    again = Tally.from_dict(json.loads(json.dumps(twice.as_dict())))
    assert (again.wins, again.wins_moved) == (twice.wins, twice.wins)
