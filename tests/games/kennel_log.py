"""The hand-made game of the contract (8.7), played by the kernels: its shuffles, its dice and its choices are given."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from balance.games.kennelmester import layout
from balance.games.kennelmester.layout import (
    BIRTH,
    BUY,
    COIN,
    D3_ENTER_MORE,
    D4_BONUS,
    DRAW_CUSTOMER,
    DRAW_DOG,
    ENTER,
    MATE,
    NOBODY,
    PASS,
    SELL_CUSTOMER,
)
from balance.games.kennelmester.params import BARGAIN

from .kennel_scenes import Scene, deck_from_log

PATH = Path(__file__).resolve().parents[1] / "vectors" / "kennelmester_example.jsonl"
LOG: list[dict[str, Any]] = [json.loads(line) for line in PATH.read_text("utf-8").splitlines()]
Line = dict[str, Any]


@cache
def replayed() -> tuple[list[Line], dict[int, tuple[int, list[int]]]]:
    """The trace of the kernels, and the decision and options that each line of the log (from 1) answered."""
    header, setup = LOG[0], LOG[1]
    rules = {name: value for name, value in header["rules"].items() if name not in BARGAIN}
    scene = Scene((1, "solo"), rules | header["bargain"], deck_from_log(header))
    scene.tracer.events[0].update(seed=header["seed"], policies=header["policies"])
    scene.on_told = lambda _state, _params, event, *_rest: event == layout.SHUFFLED and stack(scene, setup)
    scene.deal()
    answered = {}
    for number, line in enumerate(LOG, start=1):
        if "n" in line:
            if scene.state.decision == D4_BONUS and not line["bonus"]:
                scene.act(PASS)
            answered[number] = scene.state.decision, scene.options()
            choose(scene, line)
    return scene.finished(), answered


def options_at(line: int) -> tuple[int, list[int]]:
    """The decision and the option list that a line of the log answered."""
    return replayed()[1][line]


def stack(scene: Scene, setup: Line) -> None:
    """The decks as they were shuffled, and all dice to come."""
    state, names = scene.state, {event.id: at for at, event in enumerate(scene.rules.deck.events)}
    for pile, order in [*enumerate(setup["dog_order"].values()), (layout.CUSTOMERS, setup["customer_order"])]:
        for at, name in enumerate(reversed(order)):
            state.deck[scene.params.pile_start[pile] + at] = scene.cards[name]
    for at, name in enumerate(setup["event_order"]):
        state.event_deck[at] = names[name]
    for line in LOG:
        scene.faces += line.get("rolls", [])
        if line["event"] == "compete":
            scene.faces += [face for entry in line["entries"] for face in entry["dice"]]
            scene.faces += [roll["die"] for again in line["rerolls"] for roll in again]


def choose(scene: Scene, line: Line) -> None:
    """What a line says was done."""
    event = line["event"]
    if event == "coin":
        scene.act(COIN)
    elif event == "draw":
        scene.act(DRAW_DOG if line["deck"] == "dogs" else DRAW_CUSTOMER)
    elif event == "buy":
        scene.act(BUY, line["dog"])
    elif event == "sell":
        scene.act(SELL_CUSTOMER, line["dog"], line["customer"])
    elif event == "mate":
        scene.act(MATE, line["mother"], line["father"])
    elif event == "birth":
        scene.act(BIRTH, line["mother"])
    else:
        [entry] = line["entries"]
        preparer = NOBODY if entry["preparer"] is None else entry["preparer"]
        scene.act(ENTER, entry["dog"], preparer)
        if scene.state.decision == D3_ENTER_MORE:
            scene.act(PASS)
