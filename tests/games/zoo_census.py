"""Zooloretto's invariants (Z-70 to Z-74), looked at whenever somebody decides and when a game is over."""

from __future__ import annotations

from collections import Counter
from typing import Any

from balance.games.zooloretto import layout
from balance.games.zooloretto.layout import ANIMALS, COIN, KIN, N_ANIMALS, STALLS
from balance.games.zooloretto.params import MOST_SPECIES, ZoolorettoParams

from . import zoo
from .plays import Moment

PLAIN, MALE, FEMALE = range(3)


class Census:
    """Watches one game: `at_decision` when somebody decides, `note` when something happens, `at_end`.

    An index out of bounds is a KeyError in plain Python anyway.
    """

    def __init__(self, params: ZoolorettoParams) -> None:
        self.params = params
        self.gone: Counter[int] = Counter()
        """By class: tiles that became coins, were discarded, or left the game on a truck."""
        self.born: Counter[int] = Counter()
        """By class: what births have added, and (negative) the pairs that have bred."""
        self.drawn = [0]
        """Tiles drawn up to the end of each round."""
        self.official = params == ZoolorettoParams.resolve(params.players)

    def note(self, state: Any, _params: Any, event: int, a: int, b: int, _c: int) -> None:
        """The rules tell of something before they do it."""
        if event in (layout.TAKEN, layout.REMOVED):
            load = [state.truck_slots[a, slot] for slot in range(state.truck_size[a])]
            self.gone.update(tile for tile in load if tile == COIN or event == layout.REMOVED)
        if event == layout.PAID and b == layout.DISCARDS:
            self.gone[a - layout.DISCARD] += 1
        if event == layout.BRED:
            self.born.update({3 * a + PLAIN: 3, 3 * a + MALE: -1, 3 * a + FEMALE: -1})
        if event == layout.ROUND_END:
            self.drawn.append(state.stock_at)

    def at_decision(self, moment: Moment) -> None:
        """All that must hold when somebody decides."""
        state = moment.state
        self.look(state)
        assert moment.listed == state.options >= 2
        assert moment.options == sorted(set(moment.options))

    def at_end(self, state: Any) -> None:
        """All that must hold when a game is over."""
        assert state.over in (1, 2)
        self.look(state)
        self.rounds()

    def look(self, state: Any) -> None:
        """All that must hold whenever nothing is going on."""
        self.coins(state)
        self.tiles(state)
        self.turn(state)
        for seat in range(self.params.players):
            for place, at in zoo.places(state, seat):
                self.place(state, seat, place, at)

    def coins(self, state: Any) -> None:
        """Z-70: coins are in purses and in the bank, those of delivered tiles among them."""
        purses = [state.coins[seat] for seat in range(self.params.players)]
        delivered = sum(state.tiles_of[seat, 4] for seat in range(self.params.players))
        assert min(*purses, state.bank) >= 0
        assert sum(purses) + state.bank == self.params.coin_supply + delivered

    def tiles(self, state: Any) -> None:
        """1.5, Z-71: tile by tile, all that was in the box or was born is somewhere."""
        waiting = Counter(state.hand[slot] for slot in range(5) if state.slots_left >> slot & 1)
        drawn = Counter({state.drawn: 1}) if state.decision == layout.D2_LOAD else Counter()
        there = zoo.in_stock(state) + zoo.on_trucks(state) + zoo.in_zoos(state, self.params.players)
        due = box(self.params, state.removed)
        due.update(self.born)
        assert there + waiting + drawn + self.gone == due

    def turn(self, state: Any) -> None:
        """Z-74: by the official rules there is always a tile to be drawn or a truck to be taken."""
        if self.official and state.decision == layout.D1_TURN and not state.over:
            assert state.n_draws + state.n_takes > 0

    def rounds(self) -> None:
        """Z-73: by the official rules a round draws a tile for each player at least, and what fits at most."""
        if self.official:
            params = self.params
            most = params.truck_count * params.truck_capacity - sum(params.truck_blocked)
            steps = [after - before for before, after in zip(self.drawn, self.drawn[1:], strict=False)]
            assert params.players <= min(steps)
            assert max(steps) <= most

    def place(self, state: Any, seat: int, place: int, at: int) -> None:
        """What is kept about a place is what its tiles say; Z-23, Z-72."""
        tiles = zoo.tiles_in(state, at)
        assert state.classes[at] == sum(1 << tile for tile in tiles)
        assert state.animals[at] == zoo.animals(tiles)
        if place == layout.BARN:
            assert state.barn_stalls[seat] == zoo.stalls(tiles)
            return
        species = {tile // 3 for tile in tiles if tile < N_ANIMALS}
        self.kept(state, seat, place, at, species)
        assert state.stalls_left[at] == stall_spaces(self.params, place) - zoo.stalls(tiles) >= 0
        assert bool(state.accept[at] & STALLS) == (state.stalls_left[at] > 0)
        litter = self.params.offspring_per_species if self.params.offspring else 0
        for one in species:
            if state.born[one] < litter:
                assert not tiles[3 * one + MALE] or not tiles[3 * one + FEMALE]

    def kept(self, state: Any, seat: int, place: int, at: int, species: set[int]) -> None:
        """What is kept about an enclosure: how full it is, and what it takes."""
        assert len(species) <= 1
        room = state.animals[at] < spaces(self.params, place)
        assert state.animals[at] <= spaces(self.params, place)
        accepted = (sum(int(KIN[3 * one]) for one in species) or ANIMALS) if room else 0
        assert state.accept[at] & ANIMALS == accepted
        assert bool(state.empty[seat] >> place & 1) == (not species)
        for one in range(MOST_SPECIES):
            assert bool(state.rooms[seat, one] >> place & 1) == (one in species and room)


def box(params: ZoolorettoParams, removed: int) -> Counter[int]:
    """The tiles that are shuffled: 1.1 without the species taken out."""
    plain = params.animals_per_species - params.fertile_males - params.fertile_females
    found: Counter[int] = Counter({COIN: params.coin_tiles})
    for species in range(params.species_in_box):
        if not removed >> species & 1:
            numbers = {PLAIN: plain, MALE: params.fertile_males, FEMALE: params.fertile_females}
            found.update({3 * species + sex: number for sex, number in numbers.items()})
    found.update({N_ANIMALS + kind: params.stalls_per_kind for kind in range(params.stall_kinds)})
    return found


def spaces(params: ZoolorettoParams, place: int) -> int:
    """Spaces for animals."""
    return (0, *params.enclosure_spaces, *[params.expansion_spaces] * 3)[place]


def stall_spaces(params: ZoolorettoParams, place: int) -> int:
    """Spaces for stalls."""
    return (0, *params.enclosure_stall_spaces, *[params.expansion_stall_spaces] * 3)[place]
