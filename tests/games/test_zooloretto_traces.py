"""Replays are the games of the compiled loop; traces keep the format of section 7; logs stay as they are."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from balance.engine import trace
from balance.engine.plain import blank, plain_kernel, plain_params
from balance.engine.playing import bindings
from balance.engine.rng import rng_dtype
from balance.experiment.replay import Replayer, replay
from balance.games.zooloretto import GAME, layout, rules
from balance.games.zooloretto.layout import CLASSES, PLACES
from balance.games.zooloretto.params import SPECIES, ZoolorettoParams
from balance.games.zooloretto.trace import Tracer
from balance.games.zooloretto.trucks import place_code
from balance.narration import WIDTH

from . import zoo
from .zoo import GREEDY, PLAYERS, RANDOM

TRANSCRIPTS = Path(__file__).parent / "transcripts"
EXAMPLE = Path(__file__).parents[1] / "vectors" / "zooloretto_example.jsonl"
Event = dict[str, Any]

VARIED: list[dict[str, Any]] = [
    {},
    {"turn_limit": 60},
    {"leftover_truck": "keep", "next_start": "rotate", "tie_break": "none"},
    {"trade_kinds": "animals_and_stalls", "stall_to_barn_by_choice": True, "barn_stall_unit": "kind"},
    {"exchange_with_empty": True, "exchange_same_species": True, "exchange_pays_fill": True},
    {"placement_order": "truck", "offspring_pays_fill": False, "refill_pays": False},
    {"removed_species": ["zebra", "panda"], "truck_capacity": 5, "price_buy": 0},
    {"end_stack": 60, "truck_capacity": 5, "start_coins": 0, "truck_count": 6},
]


# ---------------------------------------------------------------- the same games as the compiled loop's


@pytest.mark.parametrize("at", range(len(VARIED)))
@pytest.mark.parametrize("players", PLAYERS)
def test_replays_have_the_rows_of_the_loop(players: int, at: int) -> None:
    params = ZoolorettoParams.resolve(players, VARIED[at])
    slots = [GREEDY, *[RANDOM, GREEDY] * players][:players]
    games, seed = 2 * players, 2**63 + at
    rows = zoo.play(params, slots, games, seed=seed, rotations=players)
    replayer = Replayer(GAME, params, slots, players)
    for number in range(games):
        row = replayer.play(seed, number).row
        assert row == {name: int(values[number]) for name, values in rows.items()}


# ---------------------------------------------------------------- the contract's hand-made example

ACTIONS = {"draw": layout.DRAW, "take_truck": layout.TAKE}


class Hand:
    """Lays the stock of a trace, then plays its actions; what leaves no choice happens by itself."""

    def __init__(self, events: list[Event]) -> None:
        header, deal = events[:2]
        self.deal = deal
        self.params = ZoolorettoParams.resolve(header["players"], header["rules"])
        self.turns = {event["turn"]: event for event in events if "placements" in event or "kind" in event}
        self.turns |= {event["turn"]: event for event in events if event["event"] == "draw"}
        self.tracer = Tracer(self.params, header["index"], header["seed"], header["agents"])

    def remove(self, state: Any, *_rest: Any) -> None:
        state.removed = sum(1 << SPECIES.index(name) for name in self.deal["removed_species"])

    def lay(self, state: Any, *_rest: Any) -> None:
        for at, tile in enumerate(self.deal["stock"]):
            state.stock[at] = CLASSES.index(tile)
        state.stock_size = len(self.deal["stock"])
        state.main_size = state.stock_size - self.deal["end_stack"]

    def play(self) -> list[Event]:
        bind = [
            *bindings(GAME, GAME.policies),
            (trace.note, self.tracer),
            (trace.TRACE, 1),
            (rules.remove_species, self.remove),
            (rules.shuffle, self.lay),
        ]
        setup, apply_action = plain_kernel(GAME.setup, bind), plain_kernel(GAME.apply_action, bind)
        state, record, rng = blank(GAME.state_dtype), plain_params(GAME, self.params), blank(rng_dtype)
        setup(state, record, rng)
        while not state.over:
            apply_action(state, record, self.code(state), rng)
        self.tracer.finish(state, zoo.last_row(state, record, self.params.players, zoo.ending(bind)))
        return self.tracer.events

    def code(self, state: Any) -> int:
        event = self.turns[state.turns]
        if state.decision == layout.D2_LOAD:
            return layout.LOAD + event["truck"]
        if state.decision == layout.D3_PLACE:
            due = [entry for entry in event["placements"] if entry["to"] != "purse"]
            entry = due[len(due) - bin(state.slots_left).count("1")]
            tile, place = CLASSES.index(entry["tile"]), PLACES.index(entry["to"])
            return int(plain_kernel(place_code)(state, tile, place))
        if event["event"] == "money":
            tile = CLASSES.index(event["tile"])
            return layout.MOVE + 64 * tile + 8 * PLACES.index(event["from"]) + PLACES.index(event["to"])
        return ACTIONS[event["event"]] + event.get("truck", 0) * (event["event"] == "take_truck")


@cache
def example() -> list[list[Event]]:
    """The two games of the example, line by line."""
    games: list[list[Event]] = []
    for line in EXAMPLE.read_text("utf-8").splitlines():
        event = json.loads(line)
        games += [[]] if event["event"] == "game" else []
        games[-1].append(event)
    return games


@pytest.mark.parametrize("at", [0, 1])
def test_the_hand_made_example_comes_out_to_the_letter(at: int) -> None:
    events = example()[at]
    assert Hand(events).play() == events


# ---------------------------------------------------------------- the format

FIELDS = {
    "game": "format index seed players rules agents",
    "setup": "species removed_species stock end_stack blocked coins bank start",
    "draw": "turn round player tile truck from",
    "take_truck": "turn round player truck placements",
    "breed": "turn player step species enclosure offspring_to",
    "fill_coins": "turn player step enclosure due paid",
    "pass": "turn round player",
    "round_end": "round next_start final removed coins bank zoos",
    "result": "rounds turns void scores coins bank ranks win_shares zoos",
}
MONEY = {
    "move": "tile from to",
    "exchange": "a a_species b b_species",
    "buy": "seller tile to",
    "discard": "tile",
    "expand": "board",
}


def games(policy: Any, numbers: range) -> list[list[Event]]:
    found = []
    for at, changes in enumerate(VARIED):
        params = ZoolorettoParams.resolve(PLAYERS[at % 4], changes)
        for number in numbers:
            found.append(replay(GAME, params, [policy] * params.players, 1, at, number).events)
    return found


@pytest.mark.parametrize("policy", [RANDOM, GREEDY], ids=lambda policy: policy.id)
def test_every_line_has_its_fields_and_no_other(policy: Any) -> None:
    seen: Counter[str] = Counter()
    for events in games(policy, range(3)):
        for event in events:
            kind = event["event"]
            assert next(iter(event)) == "event"
            fields = FIELDS.get(kind, "turn round player kind paid " + MONEY.get(event.get("kind", ""), ""))
            assert set(event) == {"event", *fields.split()}
            seen[event.get("kind", kind)] += 1
        assert set(events[0]["rules"]) == set(ZoolorettoParams.model_fields) - {"players"}
        assert [event["event"] for event in events].count("result") == 1
        assert json.loads(json.dumps(events)) == events
    assert set(seen) >= {*FIELDS, *MONEY} - {"pass"}


def test_replayed_zoos_are_the_snapshots() -> None:
    """The lines alone lead from one snapshot to the next."""
    for events in games(RANDOM, range(2)):
        seats = events[0]["players"]
        zoos = [Counter() for _ in range(seats)]
        for event in events:
            follow(zoos, event)
            if "zoos" in event:
                snapshot = [
                    Counter(
                        {
                            (place, tile): n
                            for place, tiles in one["places"].items()
                            for tile, n in tiles.items()
                        }
                    )
                    for one in event["zoos"]
                ]
                assert [+zoo for zoo in zoos] == snapshot
                assert [one["coins"] for one in event["zoos"]] == event["coins"]


def follow(zoos: list[Counter[tuple[str, str]]], event: Event) -> None:
    """Do to the zoos what a line says."""
    own = zoos[event["player"]] if "player" in event else Counter()
    if event["event"] == "take_truck":
        own.update((entry["to"], entry["tile"]) for entry in event["placements"] if entry["to"] != "purse")
    if event["event"] == "breed":
        species, place = event["species"], event["enclosure"]
        own.subtract({(place, f"{species}_m"): 1, (place, f"{species}_f"): 1})
        own.update({(place, species): 2})
        own.update({(event["offspring_to"], species): 1})
    if event["event"] == "money":
        follow_money(zoos, own, event)


def follow_money(zoos: list[Counter[tuple[str, str]]], own: Counter[tuple[str, str]], event: Event) -> None:
    if event["kind"] == "move":
        own[event["from"], event["tile"]] -= 1
        own[event["to"], event["tile"]] += 1
    if event["kind"] == "buy":
        zoos[event["seller"]]["barn", event["tile"]] -= 1
        own[event["to"], event["tile"]] += 1
    if event["kind"] == "discard":
        own["barn", event["tile"]] -= 1
    if event["kind"] == "exchange":
        sides = ((event["a"], event["a_species"]), (event["b"], event["b_species"]))
        groups = [
            {
                tile: own.pop((place, tile), 0)
                for tile in (f"{species}", f"{species}_m", f"{species}_f")
                if species
            }
            for place, species in sides
        ]
        for (place, _), group in zip(sides, reversed(groups), strict=True):
            own.update({(place, tile): number for tile, number in group.items()})


def test_a_void_game_has_neither_scores_nor_ranks() -> None:
    params = ZoolorettoParams.resolve(4, {"turn_limit": 30})
    last = replay(GAME, params, [RANDOM] * 4, 1, 1, 0).events[-1]
    assert (last["void"], last["turns"]) == (True, 30)
    assert last["scores"] is last["ranks"] is last["win_shares"] is None


# ---------------------------------------------------------------- golden transcripts

GOLDEN: dict[str, tuple[int, dict[str, Any], Any, int]] = {
    "two-players": (2, {}, GREEDY, 1),
    "three-players": (3, {}, GREEDY, 2),
    "four-players": (4, {}, GREEDY, 3),
    "five-players": (5, {}, RANDOM, 4),
    "later-rules": (
        4,
        {
            "move_scope": "barn_or_stall",
            "trade_kinds": "animals_and_stalls",
            "barn_stall_unit": "kind",
            "stall_to_barn_by_choice": True,
        },
        RANDOM,
        5,
    ),
    "void": (3, {"turn_limit": 40, "removed_species": ["zebra", "camel"]}, RANDOM, 6),
}


def told(case: str) -> str:
    players, changes, policy, seed = GOLDEN[case]
    params = ZoolorettoParams.resolve(players, changes)
    return "\n".join(GAME.narrate(replay(GAME, params, [policy] * players, 1, seed, 7).events)) + "\n"


@pytest.mark.parametrize("case", GOLDEN)
def test_golden_transcripts(case: str, request: pytest.FixtureRequest) -> None:
    path, text = TRANSCRIPTS / f"zooloretto-{case}.txt", told(case)
    if request.config.getoption("--update-transcripts"):
        path.write_text(text, "utf-8")
    assert path.read_text("utf-8") == text


@pytest.mark.parametrize("case", GOLDEN)
def test_logs_fit_and_quote_rules(case: str) -> None:
    text = told(case)
    assert max(map(len, text.splitlines())) <= WIDTH
    ids = set(re.findall(r"\b[ZA]-\d+", text))
    assert "Z-14" in ids
    assert ids <= {*(f"Z-{n}" for n in range(1, 76)), *(f"A-{n}" for n in range(1, 53))}
