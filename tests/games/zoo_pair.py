"""Zooloretto's kernels and its referee side by side: the same stock, the same choices, and no difference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from naive import zooloretto_game as referee

from balance.engine import VOID_OVER
from balance.engine.plain import plain_params
from balance.game import Policy
from balance.games.zooloretto import GAME, layout
from balance.games.zooloretto.layout import CLASSES, PLACES, SEAT_STEP
from balance.games.zooloretto.params import SPECIES, ZoolorettoParams
from balance.games.zooloretto.trace import Tracer

from .plays import Moment, Watched
from .zoo import GREEDY, RANDOM, ending, last_row
from .zoo_rule_sets import Overrides

LINE_UPS = ((RANDOM,), (RANDOM,), (GREEDY, RANDOM), (RANDOM,), (GREEDY,))


@dataclass(frozen=True)
class Job:
    """Some games under one set of rules, each with the next of the line-ups."""

    players: int
    overrides: Overrides
    games: int
    seed: int

    @property
    def params(self) -> ZoolorettoParams:
        return ZoolorettoParams.resolve(self.players, self.overrides)

    def line_up(self, number: int) -> list[Policy]:
        """The policies by slot of a game."""
        return list((LINE_UPS[number % len(LINE_UPS)] * 5)[: self.players])


class Match:
    """The kernels in plain Python, some of them replaced, ready to be held against the referee."""

    def __init__(self, replaced: Sequence[tuple[Any, Any]] = ()) -> None:
        self.watched = Watched(GAME, GAME.policies, replaced)
        self.ending = ending(self.watched.bind)

    def play(self, job: Job, number: int) -> None:
        """One game, with the kernels and with the referee; AssertionError or ValueError where they differ."""
        pair = Pair(self, job, number)
        self.watched.watch, self.watched.tracer = pair.at_decision, pair.tracer
        state, _ = self.watched.play(job.params, job.line_up(number), job.seed, number)
        pair.at_end(state)


class Pair:
    """The referee's game beside the kernels'."""

    def __init__(self, match: Match, job: Job, number: int) -> None:
        self.match, self.job, self.params = match, job, job.params
        self.index, self.agents = number, [policy.id for policy in job.line_up(number)]
        self.tracer = Tracer(self.params, number, job.seed, self.agents)
        self._game: referee.Game | None = None

    @property
    def game(self) -> referee.Game:
        """The referee's game; it begins when the kernels have dealt."""
        if self._game is None:
            deal = self.tracer.events[1]
            removed = {"removed_species": deal["removed_species"]}
            rules = referee.resolve(self.job.players, {**self.job.overrides, **removed})
            self._game = referee.Game(rules, deal["stock"])
        return self._game

    def catch_up(self) -> None:
        """Let the referee do what was chosen last."""
        if self._game is not None:
            self.game.apply(self.match.watched.action)

    def at_decision(self, moment: Moment) -> None:
        self.catch_up()
        assert self.game.legal_actions() == moment.options
        assert moment.listed == moment.state.options
        assert snapshot(moment.state, self.params) == expected(self.game)

    def at_end(self, state: Any) -> None:
        self.catch_up()
        assert snapshot(state, self.params) == expected(self.game)
        record = plain_params(GAME, self.params)
        self.tracer.finish(state, last_row(state, record, self.job.players, self.match.ending))
        header = referee.header(self.game.rules, self.index, self.job.seed, self.agents)
        assert [header, *self.game.events] == self.tracer.events


def expected(game: referee.Game) -> dict[str, Any]:
    """The referee's state, without what the kernels do not keep: who took a truck, and the order of play at the end.

    Who takes a truck leaves the round when the truck is taken, or when its last tile is placed: nobody can tell.
    """
    due = game.snapshot()
    for name in ("options", "taken"):
        del due[name]
    for truck in due["trucks"]:
        truck["taken_by"] = truck["taken_by"] is not None
    if game.decision == "D-3":
        due["last_taker"] = due["out"][game.seat] = None
    if game.over:
        for name in ("round", "seat", "start", "out", "last_taker"):
            del due[name]
    return due


def snapshot(state: Any, params: ZoolorettoParams) -> dict[str, Any]:
    """The kernels' state in the referee's words."""
    seats, main = range(params.players), max(state.stock_at, state.main_size)
    stock = [CLASSES[state.stock[at]] for at in range(state.stock_at, state.stock_size)]
    said = {
        "turn": state.turns,
        "over": bool(state.over),
        "void": state.over == VOID_OVER,
        "last_round": bool(state.is_last_round),
        "main": stock[: main - state.stock_at],
        "end": stock[main - state.stock_at :],
        "supply": {
            name: params.offspring_per_species - state.born[at]
            for at, name in enumerate(SPECIES[: params.species_in_box])
            if not state.removed >> at & 1
        },
        "trucks": [truck_of(state, params, truck) for truck in range(params.truck_count)],
        "bank": state.bank,
        "zoos": [zoo_of(state, seat) for seat in seats],
        "has_paid": [
            [name for at, name in enumerate(PLACES) if state.has_paid[seat] >> at & 1] for seat in seats
        ],
    }
    return said | decision_of(state, params)


def decision_of(state: Any, params: ZoolorettoParams) -> dict[str, Any]:
    """Whose turn it is and what has to be decided; when the game is over nothing has."""
    due = 0 if state.over else int(state.decision)
    slots = [
        slot for slot in range(layout.SEAT_STEP) if due == layout.D3_PLACE and state.slots_left >> slot & 1
    ]
    said = {
        "decision": f"D-{due}" if due else None,
        "player": state.seat if due else None,
        "drawn": CLASSES[state.drawn] if due == layout.D2_LOAD else None,
        "left": [[slot, CLASSES[state.hand[slot]]] for slot in slots],
    }
    if state.over:
        return said
    is_known = due != layout.D3_PLACE and state.middle != (1 << params.truck_count) - 1
    out = [not state.in_round >> seat & 1 for seat in range(params.players)]
    if due == layout.D3_PLACE:
        assert (out[state.seat], state.last_taker) == (True, state.seat)
        out[state.seat] = None
    return said | {
        "round": state.round_number + 1,
        "seat": state.seat,
        "start": state.start_seat,
        "out": out,
        "last_taker": state.last_taker if is_known else None,
    }


def truck_of(state: Any, params: ZoolorettoParams, truck: int) -> dict[str, Any]:
    """A truck; that what the masks say of it is what its slots say."""
    size = state.truck_size[truck]
    room = params.truck_capacity - params.truck_blocked[truck] - size
    assert (state.loaded >> truck & 1, state.open >> truck & 1) == (size > 0, room > 0)
    return {
        "tiles": [CLASSES[state.truck_slots[truck, slot]] for slot in range(size)],
        "blocked": params.truck_blocked[truck],
        "taken_by": not state.middle >> truck & 1,
        "room": room,
    }


def zoo_of(state: Any, seat: int) -> dict[str, Any]:
    """A purse and the places that there are, each with its tiles by class."""
    places = {}
    for place in range(layout.FIRST_EXPANSION + state.expanded[seat]):
        at = seat * SEAT_STEP + place
        classes, tiles = state.classes[at], {}
        while classes:
            tile = (classes & -classes).bit_length() - 1
            tiles[CLASSES[tile]] = state.count[at, tile]
            classes &= classes - 1
        places[PLACES[place]] = tiles
    return {"coins": state.coins[seat], "places": places}
