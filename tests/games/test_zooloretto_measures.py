"""What is counted, against counting in the traces of the same games."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import numpy as np
import pytest

from balance.engine.playing import sums_layout
from balance.experiment.replay import Replayer
from balance.game import SHARE_UNIT
from balance.games.zooloretto import GAME
from balance.games.zooloretto.layout import ACTIONS, TILE_GROUPS
from balance.games.zooloretto.measures import TRUCK_SIZES
from balance.games.zooloretto.params import STALL_KINDS, ZoolorettoParams

from . import zoo
from .zoo import GREEDY, RANDOM

GAMES, SEED = 12, 11
Event = dict[str, Any]
CASES = [(2, GREEDY), (3, RANDOM), (4, GREEDY), (5, RANDOM)]
PUMP: dict[str, Any] = {"start_coins": 10, "coin_supply": 300, "enclosure_spaces": [1, 1, 1]}


@cache
def traces(players: int, policy: str, changes: tuple[tuple[str, Any], ...] = ()) -> list[list[Event]]:
    """The traces of the games that are compared."""
    params = ZoolorettoParams.resolve(players, dict(changes))
    replayer = Replayer(GAME, params, [GAME.policy(policy)] * players, 1)
    return [replayer.play(SEED, number).events for number in range(GAMES)]


def group_of(tile: str) -> str:
    if tile == "coin" or tile in STALL_KINDS:
        return "coin" if tile == "coin" else "stall"
    return {"_m": "fertile_male", "_f": "fertile_female"}.get(tile[-2:], "animal")


@pytest.mark.parametrize(("players", "policy"), CASES)
def test_seat_measures(players: int, policy: Any) -> None:
    rows = zoo.play(ZoolorettoParams.resolve(players), [policy] * players, GAMES, seed=SEED)
    kinds = {
        "moves": "move",
        "exchanges": "exchange",
        "purchases": "buy",
        "discards": "discard",
        "expansions": "expand",
    }
    for number, events in enumerate(traces(players, policy.id)):
        result = events[-1]
        for seat in range(players):
            own = [event for event in events if event.get("player") == seat]
            money = Counter(event["kind"] for event in own if event["event"] == "money")
            score = result["scores"][seat]
            expected = {name: money[kind] for name, kind in kinds.items()} | {
                "births": sum(event["event"] == "breed" for event in own),
                "spent": sum(event["paid"] for event in own if event["event"] == "money"),
                "coins": result["coins"][seat],
                "tiles_taken": sum(len(event.get("placements", ())) for event in own),
                "enclosures": sum(score["enclosures"].values()),
                "stalls": score["stalls"],
                "barn": score["barn_stalls"] + score["barn_species"],
            }
            assert {name: int(rows[f"{name}_{seat}"][number]) for name in expected} == expected


@pytest.mark.parametrize(
    ("players", "policy", "changes"),
    [(2, GREEDY, {}), (4, RANDOM, {}), (3, RANDOM, PUMP), (3, RANDOM, {**PUMP, "turn_limit": 100})],
)
def test_game_measures(players: int, policy: Any, changes: dict[str, Any]) -> None:
    """Void games count in the first two (3.1)."""
    rows = zoo.play(ZoolorettoParams.resolve(players, changes), [policy] * players, GAMES, seed=SEED)
    frozen = tuple(
        (name, tuple(value) if isinstance(value, list) else value) for name, value in changes.items()
    )
    for number, events in enumerate(traces(players, policy.id, frozen)):
        money = Counter((event["player"], event["round"]) for event in events if event["event"] == "money")
        fills = Counter(
            (event["player"], event["enclosure"]) for event in events if event["event"] == "fill_coins"
        )
        removed = sum(len(event["removed"]) for event in events if event["event"] == "round_end")
        assert rows["most_money_actions"][number] == max(money.values(), default=0)
        assert rows["pumped"][number] == (max(fills.values(), default=0) > 3)
        assert rows["tiles_lost"][number] == removed
    if changes:
        assert rows["pumped"].any()
    assert bool((rows["ended"] == 2).any()) == ("turn_limit" in changes)


@pytest.mark.parametrize(("players", "policy"), CASES)
def test_counters(players: int, policy: Any) -> None:
    sums = zoo.loop().new_sums()
    zoo.play(ZoolorettoParams.resolve(players), [policy] * players, GAMES, seed=SEED, sums=sums)
    taken: dict[str, Counter[str]] = {"actions": Counter(), "tiles": Counter(), "trucks": Counter()}
    held: dict[str, Counter[str]] = {name: Counter() for name in taken}
    drawn: Counter[str] = Counter()
    for events in traces(players, policy.id):
        shares = [round(SHARE_UNIT * share) for share in events[-1]["win_shares"]]
        for event in events:
            for counter, item in done(event):
                taken[counter][item] += 1
                held[counter][item] += shares[event["player"]]
            if event["event"] == "draw":
                drawn[group_of(event["tile"])] += 1
    for name, items in (("actions", ACTIONS), ("tiles", TILE_GROUPS), ("trucks", TRUCK_SIZES)):
        at, shape = sums_layout(GAME)[name]
        counts = sums[0, at : at + int(np.prod(shape))].reshape(shape)
        for item, (offered, was_taken, was_held) in zip(items, counts.tolist(), strict=True):
            assert (was_taken, was_held) == (taken[name][item], held[name][item]), (name, item)
            assert offered >= was_taken
            if name == "tiles":
                assert offered == drawn[item]


def done(event: Event) -> list[tuple[str, str]]:
    """What a line counts for: the action, the tiles, the load of a truck."""
    if event["event"] == "draw":
        return [("actions", "draw")]
    if event["event"] == "money":
        return [("actions", event["kind"])]
    if event["event"] != "take_truck":
        return []
    tiles = [("tiles", group_of(entry["tile"])) for entry in event["placements"]]
    return [("actions", "take_truck"), *tiles, ("trucks", TRUCK_SIZES[len(tiles) - 1])]


@pytest.mark.parametrize(("players", "policy"), CASES)
def test_the_curve_ends_with_the_scores(players: int, policy: Any) -> None:
    sums = zoo.loop().new_sums()
    rows = zoo.play(ZoolorettoParams.resolve(players), [policy] * players, 1, seed=SEED, sums=sums)
    at, shape = sums_layout(GAME)["standing"]
    curve = sums[0, at : at + int(np.prod(shape))].reshape(shape)
    last = int(rows["rounds"][0]) - 1
    assert curve[last, :players].tolist() == [int(rows[f"score_{seat}"][0]) for seat in range(players)]
    assert not curve[last + 1 :].any()


def test_what_is_absent_is_named() -> None:
    params = ZoolorettoParams.resolve(
        4,
        {"allow_buy": False, "expansion_boards": 0, "coin_tiles": 0, "fertile_males": 0, "truck_capacity": 2},
    )
    absent = {measure.id: measure.absent(params) for measure in GAME.measures_of("counter")}
    assert absent == {
        "actions": ("buy", "expand"),
        "tiles": ("fertile_male", "coin"),
        "trucks": ("3 tiles", "4 tiles", "5 tiles"),
    }
