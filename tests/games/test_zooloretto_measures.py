"""Every measure, worked out again from traces; what could have been done is asked of the referee."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache, cached_property
from typing import Any

import numpy as np
import pytest
from naive import zooloretto as referee
from naive.zooloretto_game import TAKE, kind_of_code, score_of
from naive.zooloretto_game import report as pumps

from balance.engine.plain import plain_kernel
from balance.engine.playing import Buffers, Table, columns, sums_layout
from balance.experiment.replay import Replayer
from balance.game import COUNTER_FACES, MAX_SEATS, SHARE_UNIT, CounterMeasure, Policy
from balance.games.zooloretto import GAME
from balance.games.zooloretto.counts import was_pumped
from balance.games.zooloretto.layout import CURVE_ROUNDS, PUMPED, TILE_GROUPS
from balance.games.zooloretto.measures import ACTIONS, TRUCK_SIZES
from balance.games.zooloretto.params import STALL_KINDS, ZoolorettoParams
from balance.games.zooloretto.zoo import pay_filling

from . import zoo
from .zoo import GREEDY, PLAYERS, RANDOM
from .zoo_scenes import Scene

SEED = 11
Event = dict[str, Any]
Events = list[Event]
PUMP: dict[str, Any] = {"start_coins": 10, "coin_supply": 300, "enclosure_spaces": [1, 1, 1]}
CASES: list[tuple[int, int, dict[str, Any]]] = [
    *((players, 50, {}) for players in PLAYERS),
    (2, 4, {"leftover_truck": "keep", "truck_count": 6, "truck_capacity": 5, "truck_blocked": [0] * 6}),
    (3, 6, {"trade_kinds": "animals_and_stalls", "barn_stall_unit": "kind", "stall_to_barn_by_choice": True}),
    (4, 4, {"exchange_with_empty": True, "exchange_pays_fill": True, "offspring_per_species": 1}),
    (5, 4, {"price_buy": 3, "price_discard": 0, "expansion_boards": 3, "partial_points": 3}),
    (3, 6, PUMP),
    (3, 6, {**PUMP, "turn_limit": 100}),
]
"""Players, games and changed rules; random and greedy players sit side by side."""
KINDS = {"moves": "move", "exchanges": "exchange", "purchases": "buy", "discards": "discard"}


class Told:
    """What a trace says about one game."""

    def __init__(self, events: Events) -> None:
        self.events, self.result = events, events[-1]
        self.seats = range(events[0]["players"])

    def lines(self, event: str, seat: int | None = None) -> Events:
        """All lines of one event, or those of one player."""
        return [line for line in self.events if line["event"] == event and seat in (None, line.get("player"))]

    def game_measures(self) -> dict[str, int]:
        """One number for each measure of the game."""
        return {
            **{name: int(pumps(self.events)[name]) for name in ("most_money_actions", "pumped")},
            "tiles_lost": sum(len(line["removed"]) for line in self.lines("round_end")),
        }

    def seat_measures(self, seat: int) -> dict[str, int]:
        """A number for each measure of a seat; the score and its parts are left out of a void game."""
        money = self.lines("money", seat)
        used = Counter(line["kind"] for line in money)
        return {
            **{name: used[kind] for name, kind in KINDS.items()},
            "expansions": used["expand"],
            "spent": sum(line["paid"] for line in money),
            "coins": self.result["coins"][seat],
            "births": len(self.lines("breed", seat)),
            "tiles_taken": sum(len(line["placements"]) for line in self.lines("take_truck", seat)),
            **({} if self.result["void"] else self.parts(seat)),
        }

    def parts(self, seat: int) -> dict[str, int]:
        """What the score of a seat is made of, in three sums."""
        score = self.result["scores"][seat]
        return {
            "score": score["total"],
            "enclosures": sum(score["enclosures"].values()),
            "stalls": score["stalls"],
            "barn": score["barn_stalls"] + score["barn_species"],
        }

    def shares(self) -> list[int]:
        """Each seat's part of the win, in sixtieths."""
        return [round(share * SHARE_UNIT) for share in self.result["win_shares"]]

    def done(self) -> dict[str, list[tuple[int, str]]]:
        """By counter: who took what, in order."""
        takes, money = self.lines("take_truck"), self.lines("money")
        return {
            "actions": [(line["player"], "draw") for line in self.lines("draw")]
            + [(line["player"], "take a truck") for line in takes]
            + [(line["player"], line["kind"]) for line in money],
            "tiles": [
                (line["player"], group_of(one["tile"])) for line in takes for one in line["placements"]
            ],
            "trucks": [(line["player"], TRUCK_SIZES[len(line["placements"]) - 1]) for line in takes],
        }

    @cached_property
    def followed(self) -> tuple[dict[str, Counter[str]], list[list[int]]]:
        """What the referee sees who plays along."""
        return follow(self.events)

    def counters(self) -> dict[str, dict[str, Counter[str]]]:
        """Every counter with its three faces."""
        drawn = Counter(group_of(line["tile"]) for line in self.lines("draw"))
        offered = {**self.followed[0], "tiles": drawn}
        found = {}
        for name, done in self.done().items():
            held: Counter[str] = Counter()
            for seat, item in done:
                held[item] += self.shares()[seat]
            taken = Counter(item for _, item in done)
            found[name] = dict(zip(COUNTER_FACES, (offered[name], taken, held), strict=True))
        return found


def group_of(tile: str) -> str:
    if tile == "coin" or tile in STALL_KINDS:
        return "coin" if tile == "coin" else "stall"
    return {"_m": "fertile male", "_f": "fertile female"}.get(tile[-2:], "other animal")


def follow(events: Events) -> tuple[dict[str, Counter[str]], list[list[int]]]:
    """The referee plays along: what could be done in each turn and be taken, and the scores after each round."""
    lines = referee.coins_first(events[1:])
    game = referee.game_of_setup(referee.header_rules(events[0])[0] or {}, lines)
    offered: dict[str, Counter[str]] = {"actions": Counter(), "trucks": Counter()}
    scores: list[list[int]] = []
    while not game.over:
        at = len(game.events)
        code = referee.code_from_lines(game, lines[at:], at)
        if game.decision == "D-1":
            offered["actions"].update({kind_of_code(option) for option in game.legal_actions()})
            if kind_of_code(code) == "take":
                sizes = [len(game.trucks[truck].tiles) for truck in game.takeable()]
                assert game.trucks[code - TAKE].tiles
                offered["trucks"].update(TRUCK_SIZES[size - 1] for size in sizes)
        game.apply(code)
        if any(line["event"] == "round_end" for line in game.events[at:]):
            scores.append([score_of(own)["total"] for own in game.zoos])
    offered["actions"]["take a truck"] = offered["actions"].pop("take")
    return offered, scores


def line_up(players: int) -> list[Policy]:
    return [GREEDY, RANDOM, RANDOM, GREEDY, RANDOM][:players]


@cache
def told(case: int) -> list[Told]:
    """The games of a case, each line as it stands in a file."""
    players, games, changes = CASES[case]
    replayer = Replayer(GAME, ZoolorettoParams.resolve(players, changes), line_up(players), 1)
    written = [[json.dumps(event) for event in replayer.play(SEED, number).events] for number in range(games)]
    return [Told([json.loads(line) for line in lines]) for lines in written]


@cache
def played(case: int) -> tuple[list[dict[str, int]], np.ndarray]:
    """The same games compiled: the row and the sums of each."""
    players, games, changes = CASES[case]
    table = Table(GAME, ZoolorettoParams.resolve(players, changes), tuple(line_up(players)), 1)
    rows, sums, buffers = [], [], Buffers(GAME)
    for number in range(games):
        sums.append(zoo.loop().new_sums())
        row = zoo.loop().play(table, SEED, number, 1, buffers, sums[-1])[:, 0].tolist()
        rows.append(dict(zip(columns(GAME, players), row, strict=True)))
    return rows, np.array(sums)


def part_of(sums: np.ndarray, name: str) -> np.ndarray:
    """The sums of a curve or counter over one game."""
    start, shape = sums_layout(GAME)[name]
    return sums[0, start : start + int(np.prod(shape))].reshape(shape)


@pytest.mark.parametrize("case", range(len(CASES)))
def test_rows_are_what_traces_say(case: int) -> None:
    """Void games count in the measures of the game (3.1)."""
    rows, _ = played(case)
    for row, game in zip(rows, told(case), strict=True):
        assert {name: row[name] for name in game.game_measures()} == game.game_measures()
        for seat in game.seats:
            due = game.seat_measures(seat)
            assert {name: row[f"{name}_{seat}"] for name in due} == due
        assert (row["turns"], row["rounds"]) == (game.result["turns"], game.result["rounds"])
        assert (row["ended"] == 2) == game.result["void"]


@pytest.mark.parametrize("case", range(len(CASES)))
def test_counters_and_curves_are_what_traces_say(case: int) -> None:
    rows, sums = played(case)
    items = {"actions": ACTIONS, "tiles": TILE_GROUPS, "trucks": TRUCK_SIZES}
    for row, values, game in zip(rows, sums, told(case), strict=True):
        if row["ended"] == 2:
            assert not values.any()
            continue
        for name, faces in game.counters().items():
            due = [[faces[face][item] for face in COUNTER_FACES] for item in items[name]]
            assert part_of(values, name).tolist() == due, name
        standing = np.zeros((CURVE_ROUNDS, MAX_SEATS), np.int64)
        for number, points in enumerate(game.followed[1][:CURVE_ROUNDS]):
            standing[number, : len(points)] = points
        assert np.array_equal(part_of(values, "standing"), standing)


def test_the_games_have_in_them_what_is_counted() -> None:
    """Otherwise nothing would be compared but zeros."""
    rows = [row for case in range(len(CASES)) for row in played(case)[0]]
    seats = [measure.id for measure in GAME.measures_of("seat")]
    for name in [measure.id for measure in GAME.measures_of("game")]:
        assert len({row[name] for row in rows}) > 1, name
    for name in seats:
        assert len({row[f"{name}_0"] for row in rows}) > 1, name
    assert {row["ended"] for row in rows} == {0, 2}
    sums = sum(values for case in range(len(CASES)) for values in played(case)[1])
    for measure in GAME.measures_of("counter"):
        assert part_of(sums, measure.id).all(), measure.id


def test_fillings_are_counted_up_to_where_a_game_is_pumped() -> None:
    """A pump can go on for 50,000 fillings within the largest `turn_limit`: more than a narrow number can count."""
    scene = Scene(ZoolorettoParams.resolve(3))
    for number in range(1, 12):
        scene.call(pay_filling, 0, 1)
        assert scene.state.fills[1] == min(number, PUMPED + 1)
        assert bool(plain_kernel(was_pumped)(scene.state, 0)) == (number > PUMPED)


def test_every_measure_is_worked_out_above() -> None:
    game = told(0)[0]
    worked_out = {*game.game_measures(), *game.seat_measures(0), *game.counters(), "standing"} - {"score"}
    assert worked_out == {measure.id for measure in GAME.measures}
    counters: dict[str, CounterMeasure] = {measure.id: measure for measure in GAME.measures_of("counter")}
    assert [counter.items for counter in counters.values()] == [ACTIONS, TILE_GROUPS, TRUCK_SIZES]


def test_what_is_absent_is_named() -> None:
    params = ZoolorettoParams.resolve(
        4,
        {"allow_buy": False, "expansion_boards": 0, "coin_tiles": 0, "fertile_males": 0, "truck_capacity": 2},
    )
    absent = {measure.id: measure.absent(params) for measure in GAME.measures_of("counter")}
    assert absent == {
        "actions": ("buy", "expand"),
        "tiles": ("fertile male", "coin"),
        "trucks": ("3 tiles", "4 tiles", "5 tiles"),
    }
