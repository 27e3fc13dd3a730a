"""Zooloretto put up by hand: zoos, trucks and a stock, and the kernels to go on from there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from balance.engine import trace
from balance.engine.plain import blank, plain_kernel, plain_params
from balance.engine.playing import bindings
from balance.engine.records import actions_dtype
from balance.engine.rng import rng_dtype
from balance.games.zooloretto import GAME, layout, lists, rules, trucks, zoo
from balance.games.zooloretto.layout import CLASSES, N_ANIMALS, PLACES, SEAT_STEP
from balance.games.zooloretto.params import SPECIES, ZoolorettoParams
from balance.games.zooloretto.trace import Tracer

from .zoo import ending, last_row, places, tiles_in

Zoo = Mapping[str, Any]
"""Places as test vectors write them: `{ animals, stalls }` for enclosures, a plain list for the barn."""
FULL_STOCK = 200, 15
"""Tiles in main stock and end stack, more than any scene draws; all are zebras."""
MADE_UP = 7
"""A decision that is none: a scene that halts at the end of a turn waits here."""
STARTS = {
    "draw": layout.DRAW,
    "take": layout.TAKE,
    "expand": layout.EXPAND,
    "discard": layout.DISCARD,
    "move": layout.MOVE,
    "exchange": layout.EXCHANGE,
    "buy": layout.BUY,
}
"""The first code of each kind of option at the start of a turn."""


def counted(codes: Iterable[int]) -> dict[str, int]:
    """How many options there are of each kind."""
    kinds = [[name for name, first in STARTS.items() if code >= first][-1] for code in codes]
    return {name: kinds.count(name) for name in STARTS}


class _Listener:
    """Stands in the place of `note`; the scene that is played puts its tracer here."""

    tracer: Any = None

    def note(self, *told: Any) -> None:
        self.tracer(*told)


_LISTENER = _Listener()


def _nothing(*_told: Any) -> int:
    """Stands in the place of what a scene does by hand."""
    return layout.NOTHING


def _halt(state: Any, *_rest: Any) -> None:
    """Stands in the place of the end of a turn: nothing goes on by itself."""
    state.decision, state.options = MADE_UP, 2


@cache
def kernel_of(kernel: Any, goes_on: bool = False) -> Any:
    """A kernel in plain Python, traced; unless it goes on, it halts at the end of a turn."""
    bind: list[tuple[Any, Any]] = [(trace.note, _LISTENER.note), (trace.TRACE, np.int64(1))]
    if not goes_on:
        bind.append((rules.end_turn, _halt))
    return plain_kernel(kernel, bind)


@cache
def _empty_table() -> Any:
    """`setup` without dealing and without a first turn."""
    by_hand = [(each, _nothing) for each in (rules.shuffle, rules.begin_turn, rules.forced, rules.carry_on)]
    return plain_kernel(GAME.setup, [*by_hand, (trace.note, _LISTENER.note), (trace.TRACE, np.int64(1))])


class Scene:
    """A table laid by hand; names of tiles and places as in traces."""

    def __init__(self, params: ZoolorettoParams, goes_on: bool = False) -> None:
        self.rules, self.params, self.goes_on = params, plain_params(GAME, params), goes_on
        self.state, self.rng = blank(GAME.state_dtype), blank(rng_dtype)
        self.actions = blank(actions_dtype(GAME))
        self.tracer = Tracer(params, 0, 0, ["script"] * params.players)
        _LISTENER.tracer = self.tracer
        _empty_table()(self.state, self.params, self.rng)
        self.tracer.events.clear()
        self.stack(*FULL_STOCK)

    def call(self, kernel: Any, *arguments: Any) -> Any:
        """A kernel of the rules."""
        _LISTENER.tracer = self.tracer
        return kernel_of(kernel, self.goes_on)(self.state, self.params, *arguments)

    # ---------------------------------------------------------------- laying the table

    def stack(self, main: int, end: int) -> None:
        """So many zebras to draw."""
        for at in range(main + end):
            self.state.stock[at] = CLASSES.index("zebra")
        self.state.stock_size, self.state.main_size = main + end, main

    def build(self, seat: int, zoo_: Zoo, coins: int) -> None:
        """A zoo as it stands, without what placing its tiles would bring about, and a purse."""
        self.state.coins[seat] = coins
        for board in PLACES[layout.FIRST_EXPANSION :]:
            if board in zoo_:
                self.call(zoo.open_enclosure, seat, layout.FIRST_EXPANSION + self.state.expanded[seat])
                self.state.expanded[seat] += 1
        for place, held in zoo_.items():
            tiles = held if place == "barn" else [*held.get("animals", []), *held.get("stalls", [])]
            for tile in tiles:
                self._lay(seat, PLACES.index(place), CLASSES.index(tile))
        for place, at in list(places(self.state, seat))[1:]:
            self.call(zoo.refresh_enclosure, at, place)
            for species in range(len(SPECIES)):
                kernel_of(zoo.refresh_room)(self.state, seat, place, species)
        self.call(zoo.refresh_barn, seat)

    def _lay(self, seat: int, place: int, tile: int) -> None:
        state, at = self.state, seat * SEAT_STEP + place
        kernel_of(zoo.add_tile)(state, at, tile)
        if tile < N_ANIMALS:
            state.animals[at] += 1
            state.kin[at] = int(layout.KIN[tile]) if place else 0
        elif place:
            state.stalls_left[at] -= 1
            state.stall_spaces_left[seat] -= 1
        else:
            state.barn_stalls[seat] += 1

    def load(self, loads: Sequence[Iterable[str]], taken: Iterable[int] = ()) -> None:
        """The trucks that there are, each with its tiles; those taken are not in the middle."""
        state = self.state
        state.middle = sum(1 << truck for truck in range(len(loads)) if truck not in taken)
        for truck, load in enumerate(loads):
            for slot, tile in enumerate(load):
                state.truck_slots[truck, slot] = CLASSES.index(tile)
                state.truck_size[truck] += 1
                state.loaded |= 1 << truck
            if state.truck_size[truck] == self.params.truck_room[truck]:
                state.open &= ~(1 << truck)

    # ---------------------------------------------------------------- playing

    def begin(self, seat: int = 0) -> None:
        """A turn of this seat begins; with a single option it goes on."""
        self.state.seat = seat
        self.call(rules.begin_turn)
        if self.goes_on:
            self.call(rules.carry_on, self.call(rules.forced))

    def options(self) -> list[int]:
        """The list of options."""
        return [self.actions.code[i] for i in range(self.call(lists.legal_actions, self.actions))]

    def act(self, action: int) -> None:
        """Choose one of the options."""
        assert action in self.options()
        self.call(rules.carry_on, action)

    def place_code(self, tile: str, place: str) -> int:
        """The code that places a tile of the truck taken; -1 if none is left."""
        state, known = self.state, CLASSES.index(tile)
        if not any(state.slots_left >> slot & 1 and state.hand[slot] == known for slot in range(5)):
            return -1
        return int(kernel_of(trucks.place_code)(state, known, PLACES.index(place)))

    # ---------------------------------------------------------------- looking

    @property
    def events(self) -> list[dict[str, Any]]:
        """What has been traced since the scene was put up."""
        return self.tracer.events

    def coins(self) -> list[int]:
        """All purses."""
        return [self.state.coins[seat] for seat in range(self.rules.players)]

    def zoo(self, seat: int) -> dict[str, Any]:
        """A zoo as test vectors write it."""
        told: dict[str, Any] = {}
        for place, at in places(self.state, seat):
            tiles = sorted(tiles_in(self.state, at).elements())
            animals = [CLASSES[tile] for tile in tiles if tile < N_ANIMALS]
            stalls = [CLASSES[tile] for tile in tiles if tile >= N_ANIMALS]
            told[PLACES[place]] = {"animals": animals, "stalls": stalls} if place else animals + stalls
        return told

    def trucks(self) -> list[list[str]]:
        """The tiles on each truck."""
        sizes = [self.state.truck_size[truck] for truck in range(self.rules.truck_count)]
        return [
            [CLASSES[self.state.truck_slots[truck, slot]] for slot in range(size)]
            for truck, size in enumerate(sizes)
        ]

    def in_middle(self, mask: int) -> list[int]:
        """The trucks of a mask that stand in the middle."""
        return [truck for truck in range(self.rules.truck_count) if (self.state.middle & mask) >> truck & 1]

    def result(self) -> dict[str, Any]:
        """The last line of a trace, as if the game were over now."""
        kernels = ending(bindings(GAME, GAME.policies))
        row = last_row(self.state, self.params, self.rules.players, kernels)
        self.tracer.finish(self.state, row)
        return self.tracer.events[-1]
