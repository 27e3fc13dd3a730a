"""The trace of one game: the events of section 7 of the contract, built from what the rules tell.

Seats and trucks count from 0, rounds and turns from 1, as the contract has it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from balance.engine import VOID_OVER
from balance.game import SHARE_UNIT
from balance.games.zooloretto import layout
from balance.games.zooloretto.layout import BARN, CLASSES, COIN, PLACES, SEAT_STEP, STALLS
from balance.games.zooloretto.params import MONEY_KINDS, SPECIES, ZoolorettoParams
from balance.games.zooloretto.scoring import species_in

FORMAT = 1
Event = dict[str, Any]


class Tracer:
    """Bound to the rules' `note` while one game is played; `events` is the trace, complete after `finish`."""

    def __init__(self, params: ZoolorettoParams, number: int, seed: int, policies: Sequence[str]) -> None:
        """Nothing is written before the species are drawn: they are part of the header."""
        self.events: list[Event] = []
        self._params = params
        self._seats = range(params.players)
        self._header = {"format": FORMAT, "index": number, "seed": seed, "players": params.players}
        self._agents = list(policies)
        self._record: Any = None
        """The rules as kernels see them, known from the first event on."""
        self._truck: Event = {}
        self._step = 0
        self._removed: list[str] = []
        self._handlers = {
            layout.DEALT: self._dealt,
            layout.DRAWN: self._drawn,
            layout.TAKEN: self._taken,
            layout.PLACED: self._placed,
            layout.BRED: self._bred,
            layout.FILLED: self._filled,
            layout.PAID: self._paid,
            layout.LEFT: self._left,
            layout.REMOVED: self._leftover,
            layout.ROUND_END: self._round_end,
        }

    def __call__(self, state: Any, params: Any, event: int, a: int, b: int, c: int) -> None:
        """What the rules have just done: one of their codes and up to three numbers."""
        self._record = params
        self._handlers[event](state, int(a), int(b), int(c))

    def finish(self, state: Any, row: Mapping[str, int]) -> None:
        """The game is over: `row` holds its columns."""
        void = int(state.over) == VOID_OVER
        self._add(
            "result",
            rounds=int(state.round_number),
            turns=int(state.turns),
            void=void,
            scores=None if void else [self._score(state, row, seat) for seat in self._seats],
            coins=self._coins(state),
            bank=int(state.bank),
            ranks=None if void else [int(row[f"rank_{seat}"]) for seat in self._seats],
            win_shares=None if void else [int(row[f"win_share_{seat}"]) / SHARE_UNIT for seat in self._seats],
            zoos=self._zoos(state),
        )

    def _add(self, event: str, **fields: Any) -> None:
        self.events.append({"event": event, **fields})

    # ---------------------------------------------------------------- reading the state

    def _now(self, state: Any) -> Event:
        return {"turn": int(state.turns), "round": int(state.round_number) + 1, "player": int(state.seat)}

    def _coins(self, state: Any) -> list[int]:
        return [int(state.coins[seat]) for seat in self._seats]

    def _places(self, state: Any, seat: int) -> range:
        return range(layout.FIRST_EXPANSION + int(state.expanded[seat]))

    def _zoos(self, state: Any) -> list[Event]:
        return [
            {
                "coins": int(state.coins[seat]),
                "places": {
                    PLACES[place]: self._tiles(state, seat * SEAT_STEP + place)
                    for place in self._places(state, seat)
                },
            }
            for seat in self._seats
        ]

    def _tiles(self, state: Any, at: int) -> dict[str, int]:
        numbers = [int(state.count[at, tile]) for tile in range(layout.N_CLASSES)]
        return {CLASSES[tile]: number for tile, number in enumerate(numbers) if number}

    def _load(self, state: Any, truck: int) -> list[int]:
        return [int(state.truck_slots[truck, slot]) for slot in range(int(state.truck_size[truck]))]

    def _species_of(self, state: Any, at: int) -> str | None:
        """Which species lives in an enclosure."""
        kin = int(state.kin[at])
        return SPECIES[(kin.bit_length() - 1) // 3] if kin else None

    # ---------------------------------------------------------------- setup

    def _dealt(self, state: Any, _a: int, _b: int, _c: int) -> None:
        boxed = range(self._params.species_in_box)
        removed = [SPECIES[species] for species in boxed if int(state.removed) >> species & 1]
        species = [SPECIES[species] for species in boxed if not int(state.removed) >> species & 1]
        rules = {**self._params.model_dump(), "removed_species": removed}
        del rules["players"]
        rules = {name: list(value) if isinstance(value, tuple) else value for name, value in rules.items()}
        self._add("game", **self._header, rules=rules, agents=self._agents)
        self._add(
            "setup",
            species=species,
            removed_species=removed,
            stock=[CLASSES[int(state.stock[at])] for at in range(int(state.stock_size))],
            end_stack=self._params.end_stack,
            blocked=list(self._params.truck_blocked),
            coins=self._coins(state),
            bank=int(state.bank),
            start=int(state.seat),
        )

    # ---------------------------------------------------------------- turns

    def _drawn(self, state: Any, truck: int, tile: int, from_end: int) -> None:
        source = "end" if from_end else "main"
        self._add("draw", **self._now(state), tile=CLASSES[tile], truck=truck, **{"from": source})

    def _taken(self, state: Any, truck: int, _b: int, _c: int) -> None:
        """Opens the line `take_truck`, which each placement then adds to; coins come first."""
        coins = [{"tile": CLASSES[COIN], "to": "purse"} for tile in self._load(state, truck) if tile == COIN]
        self._add("take_truck", **self._now(state), truck=truck, placements=coins)
        self._truck = self.events[-1]

    def _placed(self, _state: Any, tile: int, place: int, _c: int) -> None:
        self._step = len(self._truck["placements"])
        self._truck["placements"].append({"tile": CLASSES[tile], "to": PLACES[place]})

    def _bred(self, state: Any, species: int, place: int, offspring: int) -> None:
        self._add(
            "breed",
            turn=int(state.turns),
            player=int(state.seat),
            step=self._step,
            species=SPECIES[species],
            enclosure=PLACES[place],
            offspring_to=PLACES[offspring],
        )

    def _filled(self, state: Any, place: int, due: int, paid: int) -> None:
        self._add(
            "fill_coins",
            turn=int(state.turns),
            player=int(state.seat),
            step=self._step,
            enclosure=PLACES[place],
            due=due,
            paid=paid,
        )

    def _paid(self, state: Any, action: int, kind: int, price: int) -> None:
        """Told before the money action is carried out."""
        self._step = 0
        details = getattr(self, f"_{MONEY_KINDS[kind]}")(state, action)
        self._add("money", **self._now(state), kind=MONEY_KINDS[kind], paid=price, **details)

    def _move(self, _state: Any, action: int) -> Event:
        code = action - layout.MOVE
        return {"tile": CLASSES[code >> 6], "from": PLACES[code >> 3 & 7], "to": PLACES[code & 7]}

    def _exchange(self, state: Any, action: int) -> Event:
        code, first = action - layout.EXCHANGE, int(state.seat) * SEAT_STEP
        a, b = code >> 3 & 7, code & 7
        named = SPECIES[code >> 6] if a == BARN else self._species_of(state, first + a)
        return {
            "a": PLACES[a],
            "a_species": named,
            "b": PLACES[b],
            "b_species": self._species_of(state, first + b),
        }

    def _buy(self, _state: Any, action: int) -> Event:
        code = action - layout.BUY
        return {"seller": code >> 9, "tile": CLASSES[code >> 3 & 63], "to": PLACES[code & 7]}

    def _discard(self, _state: Any, action: int) -> Event:
        return {"tile": CLASSES[action - layout.DISCARD]}

    def _expand(self, state: Any, _action: int) -> Event:
        return {"board": PLACES[layout.FIRST_EXPANSION + int(state.expanded[state.seat])]}

    def _left(self, state: Any, _a: int, _b: int, _c: int) -> None:
        self._add("pass", **self._now(state))

    # ---------------------------------------------------------------- the end of a round and of the game

    def _leftover(self, state: Any, truck: int, _b: int, _c: int) -> None:
        self._removed += [CLASSES[tile] for tile in self._load(state, truck)]

    def _round_end(self, state: Any, next_start: int, _b: int, _c: int) -> None:
        self._add(
            "round_end",
            round=int(state.round_number) + 1,
            next_start=next_start,
            final=bool(state.is_last_round),
            removed=self._removed,
            coins=self._coins(state),
            bank=int(state.bank),
            zoos=self._zoos(state),
        )
        self._removed = []

    def _score(self, state: Any, row: Mapping[str, int], seat: int) -> Event:
        """The parts of a score; the total is the row's."""
        first, params = seat * SEAT_STEP, self._params
        enclosures = {}
        for place in self._places(state, seat)[1:]:
            has_stall = int(int(state.classes[first + place]) & STALLS != 0)
            enclosures[PLACES[place]] = int(
                self._record.points[place, has_stall, state.animals[first + place]]
            )
        barn = int(state.classes[first + BARN])
        stalls = (
            (barn & STALLS).bit_count() if params.barn_stall_unit == "kind" else int(state.barn_stalls[seat])
        )
        return {
            "enclosures": enclosures,
            "stalls": int(row[f"stalls_{seat}"]),
            "barn_stalls": -params.barn_stall_penalty * stalls,
            "barn_species": -params.barn_species_penalty * species_in(barn).bit_count(),
            "total": int(row[f"score_{seat}"]),
        }
