"""Every test vector of the contract against the kernels, on tables laid by hand."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from naive.zooloretto import differences

from balance.engine import VOID_OVER, playout
from balance.engine.plain import blank, plain_kernel, plain_params
from balance.engine.playing import bindings
from balance.errors import RulesError
from balance.game import SHARE_UNIT
from balance.games.zooloretto import GAME, layout, rules
from balance.games.zooloretto.layout import CLASSES, COIN, N_ANIMALS, PLACES
from balance.games.zooloretto.params import SPECIES, ZoolorettoParams

from .zoo_scenes import Scene, counted

PATH = Path(__file__).resolve().parents[1] / "vectors" / "zooloretto.toml"
VECTORS = tomllib.loads(PATH.read_text(encoding="utf-8"))["vector"]
Given = dict[str, Any]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: f"{vector['id']}-{vector['kind']}")
def test_vector(vector: Given) -> None:
    assert differences(vector, ANSWERS[vector["kind"]](vector)) == []


def test_all_vectors_are_there() -> None:
    assert len({vector["id"] for vector in VECTORS}) == 169
    assert {vector["kind"] for vector in VECTORS} == set(ANSWERS)


def rules_of(vector: Given) -> ZoolorettoParams:
    return ZoolorettoParams.resolve(vector.get("players", 4), vector.get("rules"))


def scene_of(vector: Given, goes_on: bool = False) -> Scene:
    """The zoos, the bank and the stock of a vector; trucks stand in the middle."""
    scene = Scene(rules_of(vector), goes_on)
    scene.stack(vector.get("main", 200), vector.get("end", 15))
    seats = vector.get("player", [{"zoo": vector.get("zoo", {}), "coins": vector.get("coins", 0)}])
    for seat, owner in enumerate(seats):
        scene.build(seat, owner["zoo"], owner["coins"])
    scene.state.bank = vector.get("bank", scene.state.bank)
    if "trucks" in vector:
        listed = vector["trucks"]
        assert [truck.get("blocked", 0) for truck in listed] == list(scene.rules.truck_blocked)[: len(listed)]
        taken = [at for at, truck in enumerate(listed) if truck.get("taken_by", -1) >= 0]
        scene.load([truck["tiles"] for truck in listed], taken)
    return scene


def told_events(scene: Scene) -> list[list[Any]]:
    """Births and fillings in the form of the vectors."""
    fields = {"fill_coins": ("enclosure", "paid"), "breed": ("species", "enclosure", "offspring_to")}
    words = {"fill_coins": "fill", "breed": "breed"}
    return [
        [words[event["event"]], *(event[name] for name in fields[event["event"]])]
        for event in scene.events
        if event["event"] in fields
    ]


# ---------------------------------------------------------------- setup and parameters


def answer_setup(vector: Given) -> Given:
    params = rules_of(vector)
    scene = Scene(params)
    scene.state = blank(GAME.state_dtype)
    plain_kernel(GAME.setup)(scene.state, scene.params, scene.rng)
    state = scene.state
    stock = [state.stock[at] for at in range(state.stock_size)]
    room = [scene.params.truck_room[truck] for truck in range(params.truck_count)]
    assert stock.count(COIN) == params.coin_tiles
    return {
        "animals": sum(tile < N_ANIMALS for tile in stock),
        "tiles": len(stock),
        "main": state.main_size,
        "end": state.stock_size - state.main_size,
        "trucks": len(scene.in_middle(state.open)),
        "load_room": room,
        "bank": state.bank,
        "expansion_boards": params.expansion_boards,
    }


def answer_input(vector: Given) -> Given:
    """The parameters that the sentences of a refusal name; a guess at what was meant is not one of them."""
    try:
        rules_of(vector)
    except RulesError as refused:
        sentences = [fault.sentence.partition(" Did you mean")[0] for fault in refused.faults]
        return {"error": re.findall(r'"(\w+)"', " ".join(sentences))}
    return {"error": []}


# ---------------------------------------------------------------- scores and ranks


def answer_score(vector: Given) -> Given:
    return dict(scene_of(vector).result()["scores"][0])


def answer_rank(vector: Given) -> Given:
    points, seats = vector["points"], range(len(vector["points"]))
    params = ZoolorettoParams.resolve(len(points), vector.get("rules"))
    state = blank(GAME.state_dtype)
    for seat, coins in enumerate(vector["coins"]):
        state.coins[seat] = coins
    bind = [*bindings(GAME, GAME.policies), (playout.score, lambda _state, _params, seat: points[seat])]
    ranking: dict[tuple[int, int], int] = {}
    plain_kernel(playout.rank_seats, bind)(state, plain_params(GAME, params), ranking)
    shares = [ranking[2, seat] / SHARE_UNIT for seat in seats]
    return {"ranks": [ranking[1, seat] for seat in seats], "win_shares": shares}


# ---------------------------------------------------------------- trucks and money


def answer_take(vector: Given) -> Given:
    """Seat 0 takes truck 0 and places its tiles as planned; what leaves no choice is placed by itself."""
    scene = scene_of(vector)
    scene.load([vector["truck"], *[[]] * (scene.rules.truck_count - 1)])
    scene.begin()
    scene.act(layout.TAKE)
    coins = [entry for entry in vector["placements"] if entry[0] == "coin"]
    plan = coins + [entry for entry in vector["placements"] if entry[0] != "coin"]
    while scene.state.decision == layout.D3_PLACE and len(placed(scene)) < len(plan):
        code = scene.place_code(*plan[len(placed(scene))])
        if code not in scene.options():
            return {"legal": False}
        scene.act(code)
    if scene.state.decision == layout.D3_PLACE or placed(scene) != plan:
        return {"legal": False}
    return {
        "legal": True,
        "coins": scene.state.coins[0],
        "bank": scene.state.bank,
        "events": told_events(scene),
        "zoo": scene.zoo(0),
    }


def placed(scene: Scene) -> list[list[str]]:
    [take] = [event for event in scene.events if event["event"] == "take_truck"]
    return [[entry["tile"], entry["to"]] for entry in take["placements"]]


def money_code(action: Given) -> int:
    kind = action["kind"]
    if kind == "expand":
        return layout.EXPAND
    if kind == "exchange":
        species = SPECIES.index(action["species"]) if action["a"] == "barn" else 0
        a, b = (PLACES.index(action[side]) for side in "ab")
        return layout.EXCHANGE + 64 * species + 8 * a + b
    tile = CLASSES.index(action["tile"])
    if kind == "discard":
        return layout.DISCARD + tile
    to = PLACES.index(action["to"])
    if kind == "move":
        return layout.MOVE + 64 * tile + 8 * PLACES.index(action["from"]) + to
    return layout.BUY + 512 * action["seller"] + 8 * tile + to


def answer_money(vector: Given) -> Given:
    """Seat 0 takes one money action after the other."""
    scene = scene_of(vector)
    for at, action in enumerate(vector.get("actions", [vector.get("action")])):
        scene.begin()
        code = money_code(action)
        if code not in scene.options():
            return {"legal": False, "at": at}
        scene.act(code)
    return {
        "legal": True,
        "coins": scene.coins()[: len(vector["player"])],
        "bank": scene.state.bank,
        "events": told_events(scene),
        "zoo": scene.zoo(0),
        "zoo1": scene.zoo(1),
    }


# ---------------------------------------------------------------- turns, rounds, the end


def answer_turn(vector: Given) -> Given:
    scene = scene_of(vector)
    scene.begin()
    options = scene.options()
    return {
        "can_draw": layout.DRAW in options,
        "loadable": scene.in_middle(scene.state.open),
        "takeable": [code - layout.TAKE for code in options if layout.TAKE <= code < layout.EXPAND],
        "leaves": scene.state.options == 0 == len(options),
    }


LETTERS = {"draw": "d", "money": "m", "take_truck": "t", "pass": "p"}


def letter_of(code: int) -> str:
    if code == layout.DRAW:
        return "d"
    return "t" if code < layout.EXPAND else "m"


def play_steps(vector: Given, purse: int) -> tuple[Scene, list[Given]]:
    """Turns by letter: d draw, m money, t take, p leave; what leaves no choice happens by itself."""
    scene, steps = scene_of(vector, goes_on=True), vector["actions"]
    for seat in range(scene.rules.players):
        scene.build(seat, {}, vector.get("coins", purse))
    scene.state.start_seat = vector.get("start", 0)
    scene.begin(scene.state.start_seat)
    while scene.state.turns <= len(steps) and not scene.state.over:
        options = scene.options()
        if scene.state.decision == layout.D1_TURN:
            options = [code for code in options if letter_of(code) == steps[scene.state.turns - 1]]
        elif scene.state.decision == layout.D2_LOAD:
            empty = [code for code in options if not scene.trucks()[code - layout.LOAD]]
            options = empty + options
        scene.act(options[0])
    past = [at for at, event in enumerate(scene.events) if event.get("turn", 0) > len(steps)]
    events = scene.events[: min(past, default=None)]
    assert [LETTERS[event["event"]] for event in events if event["event"] in LETTERS] == steps
    return scene, events


def answer_order(vector: Given) -> Given:
    _, events = play_steps(vector, purse=20)
    ends = [event for event in events if event["event"] == "round_end"]
    return {
        "actors": [event["player"] for event in events if event["event"] in LETTERS],
        "round_over": len(ends) == 1,
        "next_start": ends[0]["next_start"] if ends else None,
    }


def answer_limit(vector: Given) -> Given:
    scene, events = play_steps(vector, purse=0)
    last = [event for event in events if event["event"] in LETTERS][-1]
    said = {"rounds": last["round"], "turns": last["turn"]}
    if scene.state.over:
        assert said == {"rounds": scene.state.round_number, "turns": scene.state.turns}
    return said | {
        "over": scene.state.over != 0,
        "void": scene.state.over == VOID_OVER,
        "round_ends": sum(event["event"] == "round_end" for event in events),
    }


def answer_trigger(vector: Given) -> Given:
    scene, final = scene_of(vector), []
    for _ in range(vector["draws"]):
        scene.begin()
        scene.act(layout.DRAW)
        scene.act(scene.options()[0])
        final.append(bool(scene.state.is_last_round))
    sources = [event["from"] == "end" for event in scene.events]
    assert sources == final
    main = max(0, scene.state.main_size - scene.state.stock_at)
    return {"final": final, "main": main, "end": scene.state.stock_size - scene.state.stock_at - main}


def answer_leftover(vector: Given) -> Given:
    scene = scene_of(vector)
    scene.call(rules.end_round)
    [end] = scene.events
    sizes = [len(load) for load in scene.trucks()]
    return {
        "removed": end["removed"],
        "bank": end["bank"],
        "load_room": [scene.params.truck_room[truck] - size for truck, size in enumerate(sizes)],
        "tiles": scene.trucks(),
    }


# ---------------------------------------------------------------- lists of options


def answer_options(vector: Given) -> Given:
    scene = scene_of(vector)
    if "truck" not in vector:
        scene.begin()
        assert scene.state.options == len(scene.options())
        return {"total": len(scene.options()), **counted(scene.options())}
    scene.load([vector["truck"], *[[]] * (scene.rules.truck_count - 1)])
    scene.begin()
    scene.act(layout.TAKE)
    pairs = [divmod(code - layout.PLACE, 8) for code in scene.options()]
    return {"place": [[CLASSES[scene.state.hand[slot]], PLACES[place]] for slot, place in pairs]}


ANSWERS: dict[str, Callable[[Given], Given]] = {
    "setup": answer_setup,
    "input": answer_input,
    "score": answer_score,
    "take": answer_take,
    "money": answer_money,
    "sequence": answer_money,
    "turn": answer_turn,
    "order": answer_order,
    "trigger": answer_trigger,
    "leftover": answer_leftover,
    "limit": answer_limit,
    "options": answer_options,
    "rank": answer_rank,
}
