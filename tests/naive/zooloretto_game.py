"""A slow, plain referee for the tile game Zooloretto, to be read beside the rules.

The names in brackets are rules (Z-12), rulings (A-28) and decisions (D-2) of the rules contract. Tiles and
places are strings, a stock is a list with its top tile first, a place of a zoo is a list of the tiles that
stand there. Nothing here is fast and nothing is clever; where the rules say a thing in one sentence, there
should be one small function that says it again.

Contents: parameters, tiles, places, zoos, scores and ranks, `Game`, which plays by the rules and writes its
events, and `report`, which counts coin pumps. What judges others is in `zooloretto`.
"""

from __future__ import annotations

import json
import random
from collections.abc import Generator, Iterable, Mapping, Sequence
from typing import Any

from .lines import is_int

SPECIES = ["flamingo", "camel", "leopard", "elephant", "panda", "chimpanzee", "zebra", "kangaroo"]
SPECIES += ["extra_1", "extra_2", "extra_3", "extra_4"]
STALLS = ["kiosk", "barrow", "snacks", "popcorn", "stall_5", "stall_6"]
COIN = "coin"

BARN = "barn"
BASE = ["e4", "e5", "e6"]
BOARDS = ["x1", "x2", "x3"]
PLACES = [BARN, *BASE, *BOARDS]  # a place's number in action codes is its position here
PURSE = "purse"

CLASSES = [species + mark for species in SPECIES for mark in ("", "_m", "_f")] + STALLS  # 5.3
CLASS_CODES = {tile: code for code, tile in enumerate(CLASSES)}

# Action codes (5.3): the first code of each range.
DRAW = 0
TAKE = 1
EXPAND = 8
LOAD = 16
PLACE = 32
DISCARD = 128
MOVE = 1024
EXCHANGE = 4096
BUY = 8192

Rules = dict[str, Any]  # values are int, bool, str or a list of int or str, see `parameters`
Event = dict[str, Any]
Script = Generator[None, int, Any]  # stops at every decision and is sent the code chosen


class RulesError(ValueError):
    """A rule set that the rules do not allow; `names` are the parameters of the bound that is broken."""

    def __init__(self, names: list[str], text: str) -> None:
        super().__init__(f"{', '.join(names)}: {text}")
        self.names = names


# ------------------------------------------------------------------------------------- parameters


def parameters(players: int) -> list[tuple[str, Any, Any]]:
    """Every parameter of section 4 in its order: name, default for this number of players, bounds.

    The default gives the type. Bounds are (lowest, highest) for an int and for each int of a list, the
    allowed words for a string, None for a bool. The defaults that look at other parameters are None here.
    """
    return [
        # 4.1 box and setup
        ("species_in_box", 8, (1, 12)),
        ("species_removed", None, (0, 11)),
        ("removed_species", [], None),
        ("animals_per_species", 11, (1, 20)),
        ("fertile_males", 2, (0, 10)),
        ("fertile_females", 2, (0, 10)),
        ("offspring", True, None),
        ("offspring_per_species", 2, (0, 10)),
        ("stall_kinds", 4, (0, 6)),
        ("stalls_per_kind", 3, (0, 6)),
        ("coin_tiles", 12, (0, 40)),
        ("end_stack", 15, (1, 60)),
        ("truck_count", {2: 3, 3: 3, 4: 4, 5: 5}[players], (2, 6)),
        ("truck_capacity", 3, (1, 5)),
        ("truck_blocked", None, (0, 4)),
        ("start_coins", 2, (0, 10)),
        ("coin_supply", 30, (0, 300)),
        # 4.2 boards
        ("enclosure_spaces", [4, 5, 6], (1, 10)),
        ("enclosure_high", [5, 8, 10], (0, 30)),
        ("enclosure_low", [4, 5, 6], (0, 30)),
        ("enclosure_fill_coins", [1, 2, 0], (0, 10)),
        ("enclosure_stall_spaces", [2, 1, 1], (0, 4)),
        ("expansion_boards", 2 if players == 2 else 1, (0, 3)),
        ("expansion_spaces", 5, (1, 10)),
        ("expansion_high", 9, (0, 30)),
        ("expansion_low", 5, (0, 30)),
        ("expansion_fill_coins", 1, (0, 10)),
        ("expansion_stall_spaces", 1, (0, 4)),
        # 4.3 money
        ("price_move", 1, (0, 10)),
        ("price_exchange", 1, (0, 10)),
        ("price_buy", 2, (0, 10)),
        ("buy_seller_share", None, (0, 10)),
        ("price_discard", 2, (0, 10)),
        ("price_expand", 3, (0, 10)),
        ("allow_move", True, None),
        ("allow_exchange", True, None),
        ("allow_buy", True, None),
        ("allow_discard", True, None),
        ("allow_expand", True, None),
        ("bank_short", "pay_rest", ("pay_rest", "pay_none")),
        # 4.4 scoring
        ("partial_points", 1, (0, 5)),
        ("stall_points", 2, (0, 10)),
        ("barn_stall_penalty", 2, (0, 10)),
        ("barn_stall_unit", "tile", ("tile", "kind")),
        ("barn_species_penalty", 2, (0, 10)),
        ("tie_break", "coins", ("coins", "none")),
        # 4.5 ruling switches
        ("placement_order", "free", ("free", "truck")),
        ("move_scope", "any", ("any", "barn_or_stall")),
        ("stall_to_barn_by_choice", False, None),
        ("exchange_with_empty", False, None),
        ("exchange_same_species", False, None),
        ("exchange_pays_fill", False, None),
        ("offspring_pays_fill", True, None),
        ("refill_pays", True, None),
        ("trade_kinds", "animals", ("animals", "animals_and_stalls")),
        ("leftover_truck", "remove", ("remove", "keep")),
        ("next_start", "last_taker", ("last_taker", "rotate")),
        ("turn_limit", 1000, (1, 100000)),
    ]


PARAMETERS = [name for name, _, _ in parameters(4)]


def derived_default(name: str, players: int, rules: Rules) -> Any:
    """The three defaults that look at parameters before them in the table (4.1, 4.3)."""
    if name == "species_removed":
        named = rules["removed_species"]
        return len(named) if named else min({2: 3, 3: 2, 4: 1, 5: 0}[players], rules["species_in_box"] - 1)
    if name == "truck_blocked":
        blocked = [0, 1, 2] if players == 2 else []  # Z-66
        blocked = [min(spaces, rules["truck_capacity"] - 1) for spaces in blocked]
        return (blocked + [0] * 6)[: rules["truck_count"]]
    assert name == "buy_seller_share"
    return min(1, rules["price_buy"])


def check_int(name: str, value: Any, bounds: tuple[int, int]) -> None:
    if not is_int(value):
        raise RulesError([name], f"{value!r} is not a whole number")
    if not bounds[0] <= value <= bounds[1]:
        raise RulesError([name], f"{value} is not from {bounds[0]} to {bounds[1]}")


def check_list(name: str, value: Any, length: int | None) -> None:
    if not isinstance(value, list | tuple):
        raise RulesError([name], f"{value!r} is not a list")
    if length is not None and len(value) != length:
        raise RulesError([name], f"needs {length} entries, not {len(value)}")


def check_value(name: str, value: Any, default: Any, bounds: Any) -> None:
    """Raise RulesError unless the value has its type and keeps within the bounds of the table."""
    if name == "removed_species":
        check_list(name, value, None)
        if not all(isinstance(entry, str) for entry in value):
            raise RulesError([name], f"{value!r} is not a list of species")
    elif name == "truck_blocked" or isinstance(default, list):
        check_list(name, value, None if name == "truck_blocked" else len(default))
        for entry in value:
            check_int(name, entry, bounds)
    elif isinstance(default, bool):
        if not isinstance(value, bool):
            raise RulesError([name], f"{value!r} is not true or false")
    elif isinstance(default, str):
        if value not in bounds:
            raise RulesError([name], f"{value!r} is not one of {', '.join(bounds)}")
    else:
        check_int(name, value, bounds)


def resolve(players: int, overrides: Mapping[str, Any] | None = None) -> Rules:
    """The defaults for this number of players, then the overrides: `players`, then every parameter in order.

    `removed_species` may still be empty here, that is, left to chance; see `with_removed`.
    """
    check_int("players", players, (2, 5))
    given = dict(overrides or {})
    for name in given:
        if name not in PARAMETERS:
            raise RulesError([name], "there is no such parameter")
    table = parameters(players)
    values: Rules = {}
    for name, default, bounds in table:
        if name in given:
            check_value(name, given[name], default, bounds)
        value = given.get(name, default)
        values[name] = list(value) if isinstance(value, list | tuple) else value
    for name in ("species_removed", "truck_blocked", "buy_seller_share"):
        if name not in given:
            values[name] = derived_default(name, players, values)
    values["removed_species"] = in_canonical_order(values, values["removed_species"])
    rules = {"players": players} | values
    check_combinations(rules)
    return rules


def in_canonical_order(rules: Rules, named: list[str]) -> list[str]:
    """Species named by the user in the order of the box; each must be in the box, once."""
    box = species_in_box(rules)
    for species in named:
        if species not in box:
            raise RulesError(["removed_species"], f"{species} is not one of the species in the box")
    if len(set(named)) != len(named):
        raise RulesError(["removed_species"], "a species is named twice")
    return [species for species in box if species in named]


def check_combinations(rules: Rules) -> None:
    """The bounds of section 4 that hold between parameters."""

    def need(holds: bool, names: str, text: str) -> None:
        if not holds:
            raise RulesError(names.split(), text)

    need(
        rules["species_removed"] <= rules["species_in_box"] - 1,
        "species_removed species_in_box",
        "at least one species must stay",
    )
    need(
        len(rules["removed_species"]) in (0, rules["species_removed"]),
        "removed_species species_removed",
        "as many species must be named as are removed, or none",
    )
    need(
        rules["fertile_males"] + rules["fertile_females"] <= rules["animals_per_species"],
        "fertile_males fertile_females animals_per_species",
        "a species has no more fertile animals than animals",
    )
    need(rules["end_stack"] < tiles_in_play(rules), "end_stack", "must be less than the tiles in play")
    need(rules["truck_count"] >= rules["players"], "truck_count players", "each player needs a truck")
    need(
        len(rules["truck_blocked"]) == rules["truck_count"],
        "truck_blocked truck_count",
        "needs one entry for each truck",
    )
    need(
        max(rules["truck_blocked"]) <= rules["truck_capacity"] - 1,
        "truck_blocked truck_capacity",
        "a truck needs a free space",
    )
    need(
        rules["coin_supply"] >= rules["players"] * rules["start_coins"],
        "coin_supply players start_coins",
        "the coins must do for the players' start",
    )
    need(
        rules["buy_seller_share"] <= rules["price_buy"],
        "buy_seller_share price_buy",
        "the seller gets no more than the price",
    )


def with_removed(rules: Rules, chance: random.Random) -> Rules:
    """The same rules with the species to be removed drawn, if they are not named (A-37)."""
    if len(rules["removed_species"]) == rules["species_removed"]:
        return rules
    drawn = chance.sample(species_in_box(rules), rules["species_removed"])
    return rules | {"removed_species": in_canonical_order(rules, drawn)}


# ------------------------------------------------------------------------------------------ tiles


def species_in_box(rules: Rules) -> list[str]:
    return SPECIES[: rules["species_in_box"]]


def species_in_play(rules: Rules) -> list[str]:
    """Z-1; the species removed must be known."""
    return [species for species in species_in_box(rules) if species not in rules["removed_species"]]


def tiles_in_play(rules: Rules) -> int:
    """How many square tiles are shuffled (1.5)."""
    animals = (rules["species_in_box"] - rules["species_removed"]) * rules["animals_per_species"]
    return int(animals + rules["stall_kinds"] * rules["stalls_per_kind"] + rules["coin_tiles"])


def square_tiles(rules: Rules) -> list[str]:
    """All square tiles that are shuffled (1.1, Z-1, Z-2)."""
    males, females = rules["fertile_males"], rules["fertile_females"]
    plain = rules["animals_per_species"] - males - females
    tiles = []
    for species in species_in_play(rules):
        tiles += [species] * plain + [species + "_m"] * males + [species + "_f"] * females
    for kind in STALLS[: rules["stall_kinds"]]:
        tiles += [kind] * rules["stalls_per_kind"]
    return tiles + [COIN] * rules["coin_tiles"]


def is_stall(tile: str) -> bool:
    return tile in STALLS


def is_animal(tile: str) -> bool:
    return tile in CLASS_CODES and tile not in STALLS


def species_of(tile: str) -> str:
    """The species of an animal tile of any class (1.4)."""
    return tile.removesuffix("_m").removesuffix("_f")


def in_code_order(tiles: Iterable[str]) -> list[str]:
    """Each class once, in the order of 5.3."""
    return sorted(set(tiles), key=CLASS_CODES.__getitem__)


# ----------------------------------------------------------------------------------- places and zoos


def printed(rules: Rules, enclosure: str, what: str) -> int:
    """A number of an enclosure's board: spaces, high, low, fill_coins or stall_spaces (1.3, 4.2)."""
    if enclosure in BASE:
        return int(rules[f"enclosure_{what}"][BASE.index(enclosure)])
    return int(rules[f"expansion_{what}"])


class Zoo:
    """One player's zoo and purse: the tiles in each place that is there, barn and enclosures."""

    def __init__(self, rules: Rules, coins: int) -> None:
        self.rules = rules
        self.coins = coins
        self.places: dict[str, list[str]] = {place: [] for place in (BARN, *BASE)}
        self.has_paid: set[str] = set()  # enclosures in which coins have been due

    def enclosures(self) -> list[str]:
        """The enclosures that can be used, in the order e4, e5, e6, x1, x2, x3."""
        return [place for place in PLACES[1:] if place in self.places]

    def animals(self, place: str) -> list[str]:
        return [tile for tile in self.places[place] if is_animal(tile)]

    def stalls(self, place: str) -> list[str]:
        return [tile for tile in self.places[place] if is_stall(tile)]

    def spaces(self, enclosure: str) -> int:
        return printed(self.rules, enclosure, "spaces")

    def is_full(self, enclosure: str) -> bool:
        return len(self.animals(enclosure)) == self.spaces(enclosure)

    def species_in(self, enclosure: str) -> str | None:
        """The one species of an enclosure (Z-23); None if it has no animals."""
        animals = self.animals(enclosure)
        return species_of(animals[0]) if animals else None

    def of_species(self, place: str, species: str) -> list[str]:
        return [tile for tile in self.animals(place) if species_of(tile) == species]

    def animal_fits(self, tile: str, enclosure: str) -> bool:
        """Z-22, Z-23: an empty space, and no other species."""
        return not self.is_full(enclosure) and self.species_in(enclosure) in (None, species_of(tile))

    def stall_fits(self, enclosure: str) -> bool:
        """Z-26: a free stall space that belongs to this enclosure."""
        return len(self.stalls(enclosure)) < printed(self.rules, enclosure, "stall_spaces")

    def destinations(self, tile: str) -> list[str]:
        """Where a tile that comes into the zoo may be put (D-3, Z-22 to Z-28, Z-33)."""
        if is_animal(tile):
            return [BARN] + [e for e in self.enclosures() if self.animal_fits(tile, e)]  # Z-25
        free = [e for e in self.enclosures() if self.stall_fits(e)]
        if not free or self.rules["stall_to_barn_by_choice"]:
            return [BARN, *free]
        return free

    def move_destinations(self, tile: str, source: str) -> list[str]:
        """Where a tile of this zoo may be moved from its place (Z-35, Z-36, A-12, A-13)."""
        others = [e for e in self.enclosures() if e != source]
        if is_stall(tile):
            free = [e for e in others if self.stall_fits(e)]
            into_barn = self.rules["stall_to_barn_by_choice"] and source != BARN
            return [BARN, *free] if into_barn else free
        fitting = [e for e in others if self.animal_fits(tile, e)]
        if source == BARN:
            return fitting
        return [BARN, *fitting] if self.rules["move_scope"] == "any" else []

    def next_board(self) -> str | None:
        """The expansion board to be turned next (Z-46); None if none is left."""
        for board in BOARDS[: self.rules["expansion_boards"]]:
            if board not in self.places:
                return board
        return None

    def snapshot(self) -> dict[str, Any]:
        """Coins, and for each place the number of tiles by class and kind (section 7)."""
        return {"coins": self.coins, "places": {p: counted(tiles) for p, tiles in self.places.items()}}


def counted(tiles: list[str]) -> dict[str, int]:
    return {tile: tiles.count(tile) for tile in in_code_order(tiles)}


class Truck:
    """A delivery truck: its face-up tiles in order of loading, its blocked spaces, who has taken it."""

    def __init__(self, blocked: int, tiles: Iterable[str] = ()) -> None:
        self.blocked = blocked
        self.tiles = list(tiles)
        self.taken_by: int | None = None


# --------------------------------------------------------------------------------- scores and ranks


def enclosure_points(rules: Rules, animals: int, stalls: int, enclosure: str) -> int:
    """Z-58: the first line that fits."""
    empty = printed(rules, enclosure, "spaces") - animals
    if animals == 0:
        return 0
    if empty == 0:
        return printed(rules, enclosure, "high")
    if empty == 1:
        return printed(rules, enclosure, "low")
    return int(rules["partial_points"] * animals) if stalls > 0 else 0


def score_of(zoo: Zoo) -> dict[str, Any]:
    """The score of a zoo as the trace gives it (Z-58 to Z-63)."""
    rules = zoo.rules
    enclosures = {
        e: enclosure_points(rules, len(zoo.animals(e)), len(zoo.stalls(e)), e) for e in zoo.enclosures()
    }
    kinds = {kind for e in zoo.enclosures() for kind in zoo.stalls(e)}  # Z-60
    left = zoo.stalls(BARN)
    if rules["barn_stall_unit"] == "kind":  # Z-61, A-41
        left = sorted(set(left))
    species = {species_of(tile) for tile in zoo.animals(BARN)}  # Z-62, A-40
    score: dict[str, Any] = {
        "enclosures": enclosures,
        "stalls": rules["stall_points"] * len(kinds),
        "barn_stalls": -rules["barn_stall_penalty"] * len(left),
        "barn_species": -rules["barn_species_penalty"] * len(species),
    }
    parts = [score["stalls"], score["barn_stalls"], score["barn_species"]]
    return score | {"total": sum(enclosures.values()) + sum(parts)}


def rank(rules: Rules, points: list[int], coins: list[int]) -> dict[str, Any]:
    """Ranks and shares of the victory (Z-64, A-42, A-43)."""
    counts = coins if rules["tie_break"] == "coins" else [0] * len(coins)
    standing = list(zip(points, counts, strict=True))
    ranks = [1 + len([other for other in standing if other > own]) for own in standing]
    winners = ranks.count(1)
    return {"ranks": ranks, "win_shares": [1 / winners if own == 1 else 0.0 for own in ranks]}


# ------------------------------------------------------------------------------------------- the game


class Game:
    """One game. `stock` is the shuffled stack of `square_tiles`, top first: main stock, then end stack.

    The game runs by itself up to the next list of at least two options. Then `decision` and `player` say who
    decides what, `legal_actions()` is the list, and `apply(code)` goes on from there. With `every` it stops
    at lists with a single option too.
    """

    def __init__(self, rules: Rules, stock: Sequence[str], every: bool = False) -> None:
        rules = resolve(rules["players"], {name: value for name, value in rules.items() if name != "players"})
        if len(rules["removed_species"]) != rules["species_removed"]:
            raise ValueError("the species removed must be named before the game begins")
        if sorted(stock) != sorted(square_tiles(rules)):
            raise ValueError("the stock is not made of the square tiles in play, each once")
        self._lay_out(rules, every)
        split = len(stock) - rules["end_stack"]  # Z-2, Z-3
        self.main, self.end = list(stock[:split]), list(stock[split:])
        self._note(
            "setup",
            species=species_in_play(rules),
            removed_species=rules["removed_species"],
            stock=list(stock),
            end_stack=len(self.end),
            blocked=rules["truck_blocked"],
            coins=self.coins(),
            bank=self.bank,
            start=self.start,
        )
        self._start(self._play())

    def _lay_out(self, rules: Rules, every: bool) -> None:
        """The table before the first turn (2.1), without a stock."""
        players = rules["players"]
        self.rules = rules
        self.every = every
        self.events: list[Event] = []
        self.main, self.end = [], []
        per_species: int = rules["offspring_per_species"]
        self.supply = dict.fromkeys(species_in_play(rules), per_species)  # Z-4
        self.trucks = [Truck(blocked) for blocked in rules["truck_blocked"]]  # Z-5, Z-66, A-51
        self.zoos = [Zoo(rules, rules["start_coins"]) for _ in range(players)]  # Z-6, Z-7
        self.bank = rules["coin_supply"] - players * rules["start_coins"]
        self.round = 1
        self.turn = 0
        self.start = 0  # Z-8
        self.seat = 0
        self.out = [False] * players
        self.last_taker: int | None = None
        self.last_round = False
        self.over = False
        self.void = False
        # within a turn
        self.drawn: str | None = None
        self.taken: int | None = None
        self.left: dict[int, str] = {}  # slots of the truck taken, of the animals and stalls not yet placed
        self.placements: list[dict[str, str]] = []
        self._consequences: list[Event] = []
        # what is asked now
        self.decision: str | None = None
        self.player: int | None = None
        self._options: list[int] = []

    @classmethod
    def at(cls, rules: Rules, **state: Any) -> Game:
        """A game in the midst of things, for test vectors: the attributes named, all else at rest."""
        game = cls.__new__(cls)
        game._lay_out(rules, every=True)
        for name, value in state.items():
            setattr(game, name, value)
        return game

    # ---- asking

    def _start(self, script: Script) -> None:
        """Run the script up to its first decision or its end."""
        self._script = script
        self._resume(None)

    def _resume(self, code: int | None) -> None:
        while True:
            self.decision, self.player, self._options = None, None, []
            try:
                self._script.send(code)  # type: ignore[arg-type]
            except StopIteration:
                return
            if self.every or len(self._options) > 1:
                return
            code = self._options[0]

    def _ask(self, decision: str, options: list[int]) -> Script:
        """Ask the player on turn, who alone ever decides (5.2), for one of the options."""
        assert options
        assert len(set(options)) == len(options), "5.4: no option twice"
        self.decision, self.player, self._options = decision, self.seat, sorted(options)
        return (yield)

    def legal_actions(self) -> list[int]:
        """The action codes among which `player` chooses, ascending; empty when the game is over."""
        return list(self._options)

    def apply(self, code: int) -> None:
        """Carry out one of the options and go on to the next decision."""
        if code not in self._options:
            raise ValueError(f"{code!r} is not an option now: {self.decision}, {self._options}")
        self._resume(code)

    # ---- looking

    def coins(self) -> list[int]:
        return [zoo.coins for zoo in self.zoos]

    def room(self, truck: Truck) -> int:
        """Free spaces of a truck (Z-15, Z-66)."""
        return int(self.rules["truck_capacity"] - truck.blocked - len(truck.tiles))

    def loadable(self) -> list[int]:
        """Trucks in the middle with load room (Z-14, D-2)."""
        return [t for t, truck in enumerate(self.trucks) if truck.taken_by is None and self.room(truck) > 0]

    def takeable(self) -> list[int]:
        """Trucks in the middle with a face-up tile (Z-19, A-34)."""
        return [t for t, truck in enumerate(self.trucks) if truck.taken_by is None and truck.tiles]

    def can_draw(self) -> bool:
        """Z-16, A-28, A-30."""
        return self.loadable() != [] and (self.main != [] or self.end != [])

    def snapshot(self) -> dict[str, Any]:
        """The whole state as plain data."""
        return {
            "round": self.round,
            "turn": self.turn,
            "over": self.over,
            "void": self.void,
            "decision": self.decision,
            "player": self.player,
            "options": self.legal_actions(),
            "seat": self.seat,
            "start": self.start,
            "out": list(self.out),
            "last_taker": self.last_taker,
            "last_round": self.last_round,
            "main": list(self.main),
            "end": list(self.end),
            "supply": dict(self.supply),
            "trucks": [
                {"tiles": list(t.tiles), "blocked": t.blocked, "taken_by": t.taken_by, "room": self.room(t)}
                for t in self.trucks
            ],
            "bank": self.bank,
            "zoos": [zoo.snapshot() for zoo in self.zoos],
            "has_paid": [[e for e in zoo.enclosures() if e in zoo.has_paid] for zoo in self.zoos],
            "drawn": self.drawn,
            "taken": self.taken,
            "left": [[slot, self.left[slot]] for slot in sorted(self.left)],
        }

    def trace(self, index: int = 0, seed: int = 0, agents: list[str] | None = None) -> list[str]:
        """The lines of the trace so far (section 7)."""
        lines = [header(self.rules, index, seed, agents), *self.events]
        return [json.dumps(line, separators=(",", ":")) for line in lines]

    def _note(self, event: str, **fields: Any) -> None:
        """Write an event; lists are copied, as those on the table go on changing."""
        self.events.append({"event": event} | {name: copy_lists(value) for name, value in fields.items()})

    # ---- rounds and turns (2.2)

    def _play(self) -> Script:
        while not self.over:
            self.turn += 1
            yield from self._play_turn()
            self._finish_turn()

    def turn_options(self) -> list[int]:
        """D-1: draw, each takeable truck, each money action that is legal and can be paid."""
        codes = [DRAW] if self.can_draw() else []
        codes += [TAKE + t for t in self.takeable()]
        return sorted(codes + self.money_options())

    def _play_turn(self) -> Script:
        """Z-9."""
        options = self.turn_options()
        if not options:
            self._note("pass", turn=self.turn, round=self.round, player=self.seat)
            self.out[self.seat] = True
            return
        code = yield from self._ask("D-1", options)
        if code == DRAW:
            yield from self._draw()
        elif TAKE <= code < EXPAND:
            yield from self._take(code - TAKE)
        else:
            self._act_for_money(code)

    def _finish_turn(self) -> None:
        """Z-11, Z-12, 3.2: the next seat in the round, or the end of the round, or of the game."""
        if all(self.out):
            next_start = self._end_round()
            if self.last_round:  # Z-57
                self._finish(void=False)
            elif self.turn == self.rules["turn_limit"]:
                self._finish(void=True)
            else:
                self._begin_round(next_start)
        elif self.turn == self.rules["turn_limit"]:
            self._finish(void=True)
        else:
            self.seat = self._seat_after(self.seat)

    def _seat_after(self, seat: int) -> int:
        """The next player clockwise who is still in the round (Z-10)."""
        players = self.rules["players"]
        following: list[int] = [(seat + step) % players for step in range(1, players + 1)]
        return next(other for other in following if not self.out[other])

    def _end_round(self) -> int:
        """The trucks go back to the middle (Z-12, Z-68, A-35); who starts next (Z-13)?"""
        removed = []
        for truck in self.trucks:
            if truck.taken_by is None and self.rules["leftover_truck"] == "remove":
                removed += truck.tiles
                truck.tiles = []
            truck.taken_by = None
        if self.rules["next_start"] == "rotate":
            next_start = (self.start + 1) % int(self.rules["players"])
        else:
            assert self.last_taker is not None, "A-29: somebody has taken a truck"
            next_start = self.last_taker
        self._note(
            "round_end",
            round=self.round,
            next_start=next_start,
            final=self.last_round,
            removed=removed,
            coins=self.coins(),
            bank=self.bank,
            zoos=[zoo.snapshot() for zoo in self.zoos],
        )
        return next_start

    def _begin_round(self, start: int) -> None:
        self.round += 1
        self.start, self.seat = start, start
        self.out = [False] * self.rules["players"]
        self.last_taker = None

    def _finish(self, void: bool) -> None:
        """Z-57, Z-64; a void game has no scores, ranks and shares (3.2)."""
        self.over, self.void = True, void
        scores = [score_of(zoo) for zoo in self.zoos]
        ranking = rank(self.rules, [score["total"] for score in scores], self.coins())
        self._note(
            "result",
            rounds=self.round,
            turns=self.turn,
            void=void,
            scores=None if void else scores,
            coins=self.coins(),
            bank=self.bank,
            ranks=None if void else ranking["ranks"],
            win_shares=None if void else ranking["win_shares"],
            zoos=[zoo.snapshot() for zoo in self.zoos],
        )

    # ---- action A (2.3)

    def _draw(self) -> Script:
        """Z-14, Z-17, Z-18, Z-56."""
        stack, name = (self.main, "main") if self.main else (self.end, "end")
        self.drawn = stack.pop(0)
        if name == "end":
            self.last_round = True
        code = yield from self._ask("D-2", [LOAD + t for t in self.loadable()])
        tile, self.drawn = self.drawn, None
        truck = code - LOAD
        self.trucks[truck].tiles.append(tile)
        self._note(
            "draw",
            turn=self.turn,
            round=self.round,
            player=self.seat,
            tile=tile,
            truck=truck,
            **{"from": name},
        )

    # ---- action B (2.4, 2.5)

    def _take(self, t: int) -> Script:
        """Z-19 to Z-21, Z-27, Z-30: the coins first, then one tile after the other."""
        truck, zoo = self.trucks[t], self.zoos[self.seat]
        truck.taken_by = self.seat
        self.taken = t
        self.left = {slot: tile for slot, tile in enumerate(truck.tiles) if tile != COIN}
        self.placements = [{"tile": COIN, "to": PURSE} for tile in truck.tiles if tile == COIN]
        zoo.coins += len(self.placements)
        truck.tiles = []
        while self.left:
            code = yield from self._ask("D-3", self.place_options())
            slot, place = divmod(code - PLACE, 8)
            tile, to = self.left.pop(slot), PLACES[place]
            step = len(self.placements)
            self.placements.append({"tile": tile, "to": to})
            self._put(tile, to, step)
        self._note(
            "take_truck",
            turn=self.turn,
            round=self.round,
            player=self.seat,
            truck=t,
            placements=self.placements,
        )
        self._note_consequences()
        self.taken, self.placements = None, []
        self.out[self.seat] = True
        self.last_taker = self.seat

    def place_options(self) -> list[int]:
        """D-3: each class that may be next, in its lowest slot, with each place open to it (5.3, 5.4)."""
        codes: list[int] = []
        offered: list[str] = []
        for slot in sorted(self.left):
            tile = self.left[slot]
            if tile in offered:
                continue
            if offered and self.rules["placement_order"] == "truck":
                break
            offered.append(tile)
            for place in self.zoos[self.seat].destinations(tile):
                codes.append(PLACE + 8 * slot + PLACES.index(place))
        return codes

    # ---- what a tile brings about (2.7)

    def _put(self, tile: str, place: str, step: int) -> None:
        """`put_animal` of 2.7; a stall is just put down (A-22)."""
        zoo = self.zoos[self.seat]
        zoo.places[place].append(tile)
        if place == BARN or is_stall(tile):
            return
        if zoo.is_full(place):
            self._pay_filling(place, step)
        self._breed(place, step, self.rules["offspring_pays_fill"])

    def _breed(self, enclosure: str, step: int, pays: bool) -> None:
        """Z-49 to Z-53, A-11: as often as there is an unbred pair and an offspring tile."""
        zoo = self.zoos[self.seat]
        species = zoo.species_in(enclosure)
        if species is None or not self.rules["offspring"]:
            return
        tiles = zoo.places[enclosure]
        male, female = species + "_m", species + "_f"
        while male in tiles and female in tiles and self.supply[species] > 0:
            tiles[tiles.index(male)] = species
            tiles[tiles.index(female)] = species
            self.supply[species] -= 1
            home = BARN if zoo.is_full(enclosure) else enclosure
            zoo.places[home].append(species)
            self._consequence("breed", step=step, species=species, enclosure=enclosure, offspring_to=home)
            if home == enclosure and zoo.is_full(enclosure) and pays:
                self._pay_filling(enclosure, step)

    def _pay_filling(self, enclosure: str, step: int) -> None:
        """Z-47, Z-48, A-8, A-49."""
        zoo = self.zoos[self.seat]
        due = printed(self.rules, enclosure, "fill_coins")
        if due == 0:
            return
        if enclosure in zoo.has_paid and not self.rules["refill_pays"]:
            return
        zoo.has_paid.add(enclosure)
        rest = self.bank if self.rules["bank_short"] == "pay_rest" else 0
        paid = due if self.bank >= due else rest
        self.bank -= paid
        zoo.coins += paid
        self._consequence("fill_coins", step=step, enclosure=enclosure, due=due, paid=paid)

    def _consequence(self, event: str, **fields: Any) -> None:
        """A line that comes after the line of the action itself."""
        self._consequences.append({"event": event, "turn": self.turn, "player": self.seat} | fields)

    def _note_consequences(self) -> None:
        self.events += self._consequences
        self._consequences = []

    # ---- action C (2.6)

    def money_options(self) -> list[int]:
        """All money actions that are legal and can be paid from the purse (Z-32)."""
        codes = []
        for kind, listed in [
            ("move", self._moves),
            ("exchange", self._exchanges),
            ("buy", self._purchases),
            ("discard", self._discards),
            ("expand", self._expansions),
        ]:
            if self.rules[f"allow_{kind}"] and self.zoos[self.seat].coins >= self.rules[f"price_{kind}"]:
                codes += listed()
        return codes

    def _moves(self) -> list[int]:
        """Z-35, Z-36: class, from, to."""
        zoo = self.zoos[self.seat]
        return [
            MOVE + 64 * CLASS_CODES[tile] + 8 * PLACES.index(source) + PLACES.index(to)
            for source in zoo.places
            for tile in in_code_order(zoo.places[source])
            for to in zoo.move_destinations(tile, source)
        ]

    def _exchanges(self) -> list[int]:
        """Z-37 to Z-40: barn species and enclosure, or two enclosures a < b."""
        zoo = self.zoos[self.seat]
        codes = []
        for b in zoo.enclosures():
            for species in SPECIES:
                if zoo.of_species(BARN, species) and self._may_exchange(BARN, species, b):
                    codes.append(EXCHANGE + 64 * SPECIES.index(species) + PLACES.index(b))
            for a in zoo.enclosures():
                if PLACES.index(a) < PLACES.index(b) and self._may_exchange(a, zoo.species_in(a), b):
                    codes.append(EXCHANGE + 8 * PLACES.index(a) + PLACES.index(b))
        return codes

    def _may_exchange(self, a: str, a_species: str | None, b: str) -> bool:
        """May all animals of a species in the area a change places with those of the enclosure b?"""
        zoo = self.zoos[self.seat]
        b_species = zoo.species_in(b)
        if a_species is None and b_species is None:
            return False
        if a_species is None or b_species is None:  # A-14; a barn side always has a species here
            if not self.rules["exchange_with_empty"]:
                return False
        elif a_species == b_species and not self.rules["exchange_same_species"]:
            return False
        coming_to_b = zoo.of_species(a, a_species) if a_species else []
        fits_b = len(coming_to_b) <= zoo.spaces(b)  # Z-39
        fits_a = a == BARN or len(zoo.animals(b)) <= zoo.spaces(a)
        return fits_a and fits_b

    def _purchases(self) -> list[int]:
        """Z-42, A-24, A-25: seller, class, destination."""
        codes = []
        for seller, other in enumerate(self.zoos):
            if seller == self.seat:
                continue
            for tile in self._tradable(other):
                for to in self.zoos[self.seat].destinations(tile):
                    codes.append(BUY + 512 * seller + 8 * CLASS_CODES[tile] + PLACES.index(to))
        return codes

    def _discards(self) -> list[int]:
        """Z-44."""
        return [DISCARD + CLASS_CODES[tile] for tile in self._tradable(self.zoos[self.seat])]

    def _tradable(self, zoo: Zoo) -> list[str]:
        """The classes in a barn that can be bought or discarded (A-25)."""
        both = self.rules["trade_kinds"] == "animals_and_stalls"
        return in_code_order(tile for tile in zoo.places[BARN] if both or is_animal(tile))

    def _expansions(self) -> list[int]:
        """Z-45, Z-46."""
        return [] if self.zoos[self.seat].next_board() is None else [EXPAND]

    def _act_for_money(self, code: int) -> None:
        """Z-31: the price first (Z-32), then the action and what it brings about."""
        if code == EXPAND:
            self._expand()
        elif code < MOVE:
            self._discard(CLASSES[code - DISCARD])
        elif code < EXCHANGE:
            tile, rest = divmod(code - MOVE, 64)
            source, to = divmod(rest, 8)
            self._move(CLASSES[tile], PLACES[source], PLACES[to])
        elif code < BUY:
            species, rest = divmod(code - EXCHANGE, 64)
            a, b = divmod(rest, 8)
            self._exchange(PLACES[a], SPECIES[species], PLACES[b])
        else:
            seller, rest = divmod(code - BUY, 512)
            tile, to = divmod(rest, 8)
            self._buy(seller, CLASSES[tile], PLACES[to])
        self._note_consequences()

    def _pay(self, kind: str, details: Event, to_seller: int = 0) -> None:
        """The price leaves the purse; what the seller does not get goes to the bank (A-9)."""
        price = self.rules[f"price_{kind}"]
        self.zoos[self.seat].coins -= price
        self.bank += price - to_seller
        self._note(
            "money",
            turn=self.turn,
            round=self.round,
            player=self.seat,
            kind=kind,
            paid=price,
            **details,
        )

    def _move(self, tile: str, source: str, to: str) -> None:
        self._pay("move", {"tile": tile, "from": source, "to": to})
        self.zoos[self.seat].places[source].remove(tile)
        self._put(tile, to, 0)

    def _exchange(self, a: str, barn_species: str, b: str) -> None:
        """`exchange` of 2.7: swap completely, then pay, then breed (Z-55, A-7, A-50)."""
        zoo = self.zoos[self.seat]
        a_species = barn_species if a == BARN else zoo.species_in(a)
        b_species = zoo.species_in(b)
        self._pay("exchange", {"a": a, "a_species": a_species, "b": b, "b_species": b_species})
        enclosures = [place for place in (a, b) if place != BARN]
        pays = {e: self.rules["exchange_pays_fill"] and not zoo.is_full(e) for e in enclosures}
        from_a = zoo.of_species(a, a_species) if a_species else []
        from_b = zoo.animals(b)
        for tile in from_a:
            zoo.places[a].remove(tile)
        for tile in from_b:
            zoo.places[b].remove(tile)
        zoo.places[a] += from_b
        zoo.places[b] += from_a
        for e in enclosures:
            if pays[e] and zoo.is_full(e):
                self._pay_filling(e, 0)
        for e in enclosures:
            self._breed(e, 0, pays[e] and self.rules["offspring_pays_fill"])

    def _buy(self, seller: int, tile: str, to: str) -> None:
        """Z-43."""
        share = self.rules["buy_seller_share"]
        self._pay("buy", {"seller": seller, "tile": tile, "to": to}, share)
        self.zoos[seller].coins += share
        self.zoos[seller].places[BARN].remove(tile)
        self._put(tile, to, 0)

    def _discard(self, tile: str) -> None:
        """A-26: out of the game."""
        self._pay("discard", {"tile": tile})
        self.zoos[self.seat].places[BARN].remove(tile)

    def _expand(self) -> None:
        board = self.zoos[self.seat].next_board()
        assert board is not None
        self._pay("expand", {"board": board})
        self.zoos[self.seat].places[board] = []


def header(rules: Rules, index: int, seed: int, agents: list[str] | None) -> Event:
    """The `game` line with which a game begins."""
    line: Event = {
        "event": "game",
        "format": 1,
        "index": index,
        "seed": seed,
        "players": rules["players"],
        "rules": {name: rules[name] for name in PARAMETERS},
    }
    return line if agents is None else line | {"agents": agents}


def copy_lists(value: Any) -> Any:
    """A copy of lists and dicts of any depth, so that what is handed out does not change later."""
    if isinstance(value, list):
        return [copy_lists(entry) for entry in value]
    if isinstance(value, dict):
        return {name: copy_lists(entry) for name, entry in value.items()}
    return value


def kind_of_code(code: int) -> str:
    """What a code of D-1 does: draw, take, or the kind of a money action."""
    if code == DRAW:
        return "draw"
    if code < EXPAND:
        return "take"
    starts = [(EXPAND, "expand"), (DISCARD, "discard"), (MOVE, "move"), (EXCHANGE, "exchange"), (BUY, "buy")]
    return [kind for first, kind in starts if code >= first][-1]


def shuffled_game(players: int, overrides: Mapping[str, Any], chance: random.Random) -> Game:
    """A new game with species and stock drawn by chance."""
    rules = with_removed(resolve(players, overrides), chance)
    tiles = square_tiles(rules)
    return Game(rules, chance.sample(tiles, len(tiles)))


# ------------------------------------------------------------------------- coin pumps and void games (3.1)


def report(events: list[Event]) -> dict[str, Any]:
    """What 3.1 wants to know about one game: was it pumped, its most money actions in a round, was it void."""
    fillings: dict[tuple[int, str], int] = {}
    actions: dict[tuple[int, int], int] = {}
    for event in events:
        if event["event"] == "fill_coins":
            enclosure = (event["player"], event["enclosure"])
            fillings[enclosure] = fillings.get(enclosure, 0) + 1
        elif event["event"] == "money":
            spell = (event["player"], event["round"])
            actions[spell] = actions.get(spell, 0) + 1
    return {
        "pumped": max(fillings.values(), default=0) > 3,
        "most_money_actions": max(actions.values(), default=0),
        "void": events[-1]["void"],
    }


def batch_report(games: list[list[Event]]) -> dict[str, Any]:
    """The three reports of 3.1 for a batch of games, void games included."""
    reports = [report(events) for events in games]
    most = [each["most_money_actions"] for each in reports]
    return {
        "pumped_games": len([each for each in reports if each["pumped"]]),
        "most_money_actions_mean": sum(most) / len(most),
        "most_money_actions_max": max(most),
        "void_games": len([each for each in reports if each["void"]]),
    }
