"""The parameters of Zooloretto: the rulebook's numbers and switches, each with its official default and its range."""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

from pydantic import Field

from balance.game import Fault, GameParams

Species = Literal[
    "flamingo",
    "camel",
    "leopard",
    "elephant",
    "panda",
    "chimpanzee",
    "zebra",
    "kangaroo",
    "extra_1",
    "extra_2",
    "extra_3",
    "extra_4",
]
SPECIES: tuple[str, ...] = get_args(Species)
"""In canonical order (1.1); a box with fewer species holds the first ones."""
STALL_KINDS = ("kiosk", "barrow", "snacks", "popcorn", "stall_5", "stall_6")
MOST_SPECIES, MOST_KINDS = len(SPECIES), len(STALL_KINDS)
MOST_COPIES, MOST_STALLS, MOST_COINS = 20, 6, 40
"""Of one species, of one kind of stall, of coin tiles."""
MOST_TRUCKS, MOST_SLOTS = 6, 5
ENCLOSURES = ("e4", "e5", "e6")
MONEY_KINDS = ("move", "exchange", "buy", "discard", "expand")
"""The money actions, in the order of 2.6."""

Blocked = Annotated[int, Field(ge=0, le=MOST_SLOTS - 1)]
Spaces = Annotated[int, Field(ge=1, le=10)]
Points = Annotated[int, Field(ge=0, le=30)]
Fill = Annotated[int, Field(ge=0, le=10)]
Stalls = Annotated[int, Field(ge=0, le=4)]


def number(official: int, low: int, high: int, text: str) -> Any:
    """A parameter: a whole number with its official value and its range."""
    return Field(default=official, ge=low, le=high, description=text)


def switch(official: Any, text: str) -> Any:
    """A parameter: a switch, a word or a list with its official value."""
    return Field(default=official, description=text)


class ZoolorettoParams(GameParams):
    """Section 4 of the contract, in its order."""

    players: int = Field(ge=2, le=5, description="Number of players.")
    # ---------------------------------------------------------------- 4.1 box and setup
    species_in_box: int = number(
        8,
        1,
        MOST_SPECIES,
        "Species of animals in the box, the first ones of the list that removed_species shows.",
    )
    species_removed: int = number(
        1,
        0,
        MOST_SPECIES - 1,
        "Species taken out before the game; fewer than species_in_box. If only removed_species is given: its length.",
    )
    removed_species: tuple[Species, ...] = Field(
        (),
        max_length=MOST_SPECIES - 1,
        description="Which species are taken out, each once; left empty, they are drawn at random for every game.",
    )
    animals_per_species: int = number(
        11, 1, MOST_COPIES, "Animal tiles of each species, fertile ones included."
    )
    fertile_males: int = number(2, 0, 10, "Fertile males of each species.")
    fertile_females: int = number(
        2, 0, 10, "Fertile females of each species; with the males at most animals_per_species."
    )
    offspring: bool = switch(
        True, "Whether a fertile male and a fertile female in one enclosure have offspring."
    )
    offspring_per_species: int = number(2, 0, 10, "Offspring tiles of each species.")
    stall_kinds: int = number(4, 0, MOST_KINDS, "Kinds of vending stalls.")
    stalls_per_kind: int = number(3, 0, MOST_STALLS, "Stalls of each kind.")
    coin_tiles: int = number(12, 0, MOST_COINS, "Tiles that show a coin.")
    end_stack: int = number(
        15,
        1,
        60,
        "Tiles set aside; drawing the first of them makes the round the last. Fewer than the tiles in play.",
    )
    truck_count: int = number(4, 2, MOST_TRUCKS, "Delivery trucks; at least one for each player.")
    truck_capacity: int = number(3, 1, MOST_SLOTS, "Spaces of a truck.")
    truck_blocked: tuple[Blocked, ...] = Field(
        (),
        max_length=MOST_TRUCKS,
        description="Blocked spaces, one number for each truck; each truck keeps at least one space.",
    )
    start_coins: int = number(2, 0, 10, "Coins that each player starts with.")
    coin_supply: int = number(30, 0, 300, "Coins in the box; enough for what the players start with.")
    # ---------------------------------------------------------------- 4.2 boards
    enclosure_spaces: tuple[Spaces, Spaces, Spaces] = switch(
        (4, 5, 6), "Spaces for animals in the three enclosures of the zoo board."
    )
    enclosure_high: tuple[Points, Points, Points] = switch(
        (5, 8, 10), "Points for each of the three enclosures when it is full."
    )
    enclosure_low: tuple[Points, Points, Points] = switch(
        (4, 5, 6), "Points for each of the three enclosures when it lacks one animal."
    )
    enclosure_fill_coins: tuple[Fill, Fill, Fill] = switch(
        (1, 2, 0), "Coins for filling each of the three enclosures."
    )
    enclosure_stall_spaces: tuple[Stalls, Stalls, Stalls] = switch(
        (2, 1, 1), "Spaces for stalls that belong to each of the three enclosures."
    )
    expansion_boards: int = number(1, 0, 3, "Expansion boards of each player.")
    expansion_spaces: int = number(5, 1, 10, "Spaces for animals on an expansion board.")
    expansion_high: int = number(9, 0, 30, "Points for an expansion board when it is full.")
    expansion_low: int = number(5, 0, 30, "Points for an expansion board when it lacks one animal.")
    expansion_fill_coins: int = number(1, 0, 10, "Coins for filling an expansion board.")
    expansion_stall_spaces: int = number(1, 0, 4, "Spaces for stalls on an expansion board.")
    # ---------------------------------------------------------------- 4.3 money
    price_move: int = number(1, 0, 10, "Coins for moving one tile within the own zoo.")
    price_exchange: int = number(1, 0, 10, "Coins for exchanging two groups of animals.")
    price_buy: int = number(2, 0, 10, "Coins for buying an animal from another player's barn.")
    buy_seller_share: int = number(
        1, 0, 10, "How many coins of price_buy go to the other player; at most price_buy."
    )
    price_discard: int = number(2, 0, 10, "Coins for taking a tile of the own barn out of the game.")
    price_expand: int = number(3, 0, 10, "Coins for turning up an expansion board.")
    allow_move: bool = switch(True, "Whether tiles can be moved.")
    allow_exchange: bool = switch(True, "Whether animals can be exchanged.")
    allow_buy: bool = switch(True, "Whether animals can be bought.")
    allow_discard: bool = switch(True, "Whether animals can be discarded.")
    allow_expand: bool = switch(True, "Whether zoos can be expanded.")
    bank_short: Literal["pay_rest", "pay_none"] = switch(
        "pay_rest",
        "What a bank pays that has too few coins for a filled enclosure: the rest it has, or nothing.",
    )
    # ---------------------------------------------------------------- 4.4 scoring
    partial_points: int = number(
        1, 0, 5, "Points for each animal of an enclosure that lacks two or more but has a stall."
    )
    stall_points: int = number(2, 0, 10, "Points for each kind of stall on the stall spaces of a zoo.")
    barn_stall_penalty: int = number(
        2, 0, 10, "Points lost for stalls in the barn, for each of barn_stall_unit."
    )
    barn_stall_unit: Literal["tile", "kind"] = switch(
        "tile", "What costs points in the barn: each stall, or each kind of stall."
    )
    barn_species_penalty: int = number(2, 0, 10, "Points lost for each species in the barn.")
    tie_break: Literal["coins", "none"] = switch(
        "coins", "What breaks a tie on points: the most coins, or nothing."
    )
    # ---------------------------------------------------------------- 4.5 ruling switches
    placement_order: Literal["free", "truck"] = switch(
        "free", "In which order the tiles of a truck are placed: as the player likes, or as they were loaded."
    )
    move_scope: Literal["any", "barn_or_stall"] = switch(
        "any", "Which animals can be moved: any, or only those in the barn (stalls can always be moved)."
    )
    stall_to_barn_by_choice: bool = switch(
        False, "Whether a stall may go to the barn although a stall space is free."
    )
    exchange_with_empty: bool = switch(False, "Whether animals can be exchanged with an empty enclosure.")
    exchange_same_species: bool = switch(False, "Whether two groups of the same species can be exchanged.")
    exchange_pays_fill: bool = switch(False, "Whether an exchange pays coins for an enclosure that it fills.")
    offspring_pays_fill: bool = switch(
        True, "Whether an offspring that takes the last space pays the coins for filling."
    )
    refill_pays: bool = switch(
        True, "Whether an enclosure pays every time it is filled, or (false) once in the game."
    )
    trade_kinds: Literal["animals", "animals_and_stalls"] = switch(
        "animals", "What can be bought and discarded from barns: animals only, or stalls as well."
    )
    leftover_truck: Literal["remove", "keep"] = switch(
        "remove",
        "What becomes of the tiles on a truck that nobody took: removed, or kept for the next round.",
    )
    next_start: Literal["last_taker", "rotate"] = switch(
        "last_taker",
        "Who starts the next round: who took the last truck, or the player after the one who started this round.",
    )
    turn_limit: int = number(
        1000, 1, 100_000, "Turns after which a game that is not over is stopped and void."
    )

    @classmethod
    def for_players(cls, players: int) -> dict[str, object]:
        """Z-5, Z-65, Z-66, Z-46: what goes by the number of players."""
        return {"truck_count": max(3, players), "expansion_boards": 2 if players == 2 else 1}

    def following(self) -> dict[str, object]:
        """Section 4: the three defaults that look at other parameters."""
        named, at_most = len(self.removed_species), self.species_in_box - 1
        blocked = (0, 1, 2) if self.players == 2 else ()
        most = self.truck_capacity - 1
        return {
            "species_removed": named or min(max(0, 5 - self.players), at_most),
            "truck_blocked": tuple(
                min(blocked[truck], most) if truck < len(blocked) else 0 for truck in range(self.truck_count)
            ),
            "buy_seller_share": min(1, self.price_buy),
        }

    def impossible(self) -> list[Fault]:
        """Section 4: values that clash with one another; each sentence names all parameters of the broken bound."""
        found = [Fault(keys, sentence) for wrong, keys, sentence in self._clashes() if wrong]
        if not found and self.end_stack >= self.tiles_in_play():
            sentence = (
                f'"end_stack" ({self.end_stack}) must be less than the {self.tiles_in_play()} tiles in play.'
            )
            found.append(Fault(("end_stack",), sentence))
        return found

    def _clashes(self) -> list[tuple[bool, tuple[str], str]]:
        named, removed = self.removed_species, self.species_removed
        boxed = SPECIES[: self.species_in_box]
        fertile = self.fertile_males + self.fertile_females
        purses = self.players * self.start_coins
        most = self.truck_capacity - 1
        return [
            (
                removed > self.species_in_box - 1,
                ("species_removed",),
                f'"species_removed" ({removed}) must be less than "species_in_box" ({self.species_in_box}).',
            ),
            (
                len(set(named)) < len(named),
                ("removed_species",),
                '"removed_species" must name each species once.',
            ),
            (
                not set(named) <= set(boxed),
                ("removed_species",),
                f'"removed_species" may name only the first {self.species_in_box} species ("species_in_box").',
            ),
            (
                bool(named) and len(named) != removed,
                ("removed_species",),
                f'"removed_species" names {len(named)}, but "species_removed" is {removed}.',
            ),
            (
                fertile > self.animals_per_species,
                ("animals_per_species",),
                f'"fertile_males" and "fertile_females" ({fertile} together) may not exceed '
                f'"animals_per_species" ({self.animals_per_species}).',
            ),
            (
                self.truck_count < self.players,
                ("truck_count",),
                f'"truck_count" must be from {self.players} to {MOST_TRUCKS} with {self.players} players.',
            ),
            (
                len(self.truck_blocked) != self.truck_count,
                ("truck_blocked",),
                f'"truck_blocked" has {len(self.truck_blocked)} numbers, but "truck_count" is {self.truck_count}.',
            ),
            (
                max(self.truck_blocked, default=0) > most,
                ("truck_blocked",),
                f'"truck_blocked" may block at most {most} spaces of a truck ("truck_capacity" less 1).',
            ),
            (
                self.coin_supply < purses,
                ("coin_supply",),
                f'"coin_supply" must be at least {purses}: {self.players} players have {self.start_coins} each '
                '("start_coins").',
            ),
            (
                self.buy_seller_share > self.price_buy,
                ("buy_seller_share",),
                f'"buy_seller_share" ({self.buy_seller_share}) may not exceed "price_buy" ({self.price_buy}).',
            ),
        ]

    def prices(self) -> tuple[int | None, ...]:
        """What each of MONEY_KINDS costs; None if it is not allowed."""
        return tuple(
            getattr(self, f"price_{kind}") if getattr(self, f"allow_{kind}") else None for kind in MONEY_KINDS
        )

    def tiles_in_play(self) -> int:
        """Square tiles that are shuffled: what the species in play, the stalls and the coin tiles make (1.5)."""
        animals = (self.species_in_box - self.species_removed) * self.animals_per_species
        return animals + self.stall_kinds * self.stalls_per_kind + self.coin_tiles

    def components(self) -> dict[str, int]:
        """Tiles, coins and trucks in play (1.1, 1.2, 1.5)."""
        species = self.species_in_box - self.species_removed
        return {
            "species": species,
            "animal tiles": species * self.animals_per_species,
            "stalls": self.stall_kinds * self.stalls_per_kind,
            "coin tiles": self.coin_tiles,
            "tiles on the end stack": self.end_stack,
            "offspring": species * self.offspring_per_species * self.offspring,
            "coins": self.coin_supply,
            "trucks": self.truck_count,
        }
