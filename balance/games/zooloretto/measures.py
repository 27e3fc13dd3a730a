"""What Zooloretto counts, as data; the kernel that writes the numbers is `counts.measure`."""

from __future__ import annotations

from typing import Any

from balance.game import CounterMeasure, CurveMeasure, GameMeasure, SeatMeasure
from balance.games.zooloretto.layout import CURVE_ROUNDS, TILE_GROUPS
from balance.games.zooloretto.params import MONEY_KINDS, MOST_SLOTS

TRUCK_SIZES = tuple(f"{size} tile" + ("s" if size > 1 else "") for size in range(1, MOST_SLOTS + 1))

ACTIONS = ("draw", "take a truck", *MONEY_KINDS)


def absent_actions(params: Any) -> tuple[str, ...]:
    """The money actions that these rules leave out."""
    without = {"expand"} if params.expansion_boards == 0 else set()
    return tuple(kind for kind in MONEY_KINDS if kind in without or not getattr(params, f"allow_{kind}"))


def absent_tiles(params: Any) -> tuple[str, ...]:
    """The groups of tiles that these rules leave out."""
    plain = params.animals_per_species - params.fertile_males - params.fertile_females
    stalls = params.stall_kinds * params.stalls_per_kind
    numbers = (plain, params.fertile_males, params.fertile_females, stalls, params.coin_tiles)
    return tuple(group for group, number in zip(TILE_GROUPS, numbers, strict=True) if number == 0)


def absent_trucks(params: Any) -> tuple[str, ...]:
    """The loads that no truck has room for."""
    most = params.truck_capacity - min(params.truck_blocked)
    return TRUCK_SIZES[most:]


MEASURES = (
    GameMeasure(
        "most_money_actions",
        "Most money actions in a round",
        "actions",
        "The largest number of money actions that one player took in one round of the game; void games count too.",
        "money actions repeated again and again",
        of_void_games=True,
    ),
    GameMeasure(
        "pumped",
        "Pumped games",
        "games",
        "Games in which coins were due for one and the same enclosure more than 3 times (A-47); void games count too.",
        "players who move animals to and fro for the coins",
        share=True,
        of_void_games=True,
    ),
    GameMeasure(
        "tiles_lost",
        "Tiles left on trucks",
        "tiles",
        "Tiles that left the game on a truck that nobody took (Z-68).",
        "tiles that nobody got",
    ),
    SeatMeasure(
        "enclosures", "Points of enclosures", "points", "What the enclosures scored.", "fuller enclosures"
    ),
    SeatMeasure(
        "stalls", "Points of stalls", "points", "What the kinds of stalls scored.", "a wider choice of stalls"
    ),
    SeatMeasure(
        "barn",
        "Points of the barn",
        "points",
        "What stalls and species in the barn cost: 0 or less.",
        "a clean barn",
    ),
    SeatMeasure("expansions", "Expansions", "boards", "Expansion boards turned up.", "larger zoos"),
    SeatMeasure("moves", "Moves", "actions", "Tiles moved within the own zoo for money.", "more moving"),
    SeatMeasure(
        "exchanges", "Exchanges", "actions", "Groups of animals exchanged for money.", "more exchanging"
    ),
    SeatMeasure(
        "purchases",
        "Purchases",
        "actions",
        "Tiles bought from another player's barn.",
        "more buying from others",
    ),
    SeatMeasure(
        "discards", "Discards", "actions", "Tiles of the own barn taken out of the game.", "barns cleaned up"
    ),
    SeatMeasure("spent", "Coins spent", "coins", "Coins paid for money actions.", "more money actions"),
    SeatMeasure(
        "coins", "Coins left", "coins", "Coins in hand at the end of the game.", "coins nobody needed"
    ),
    SeatMeasure("births", "Offspring", "animals", "Offspring born in the zoo.", "more breeding"),
    SeatMeasure("tiles_taken", "Tiles taken", "tiles", "Tiles that came with trucks.", "fuller trucks"),
    CurveMeasure(
        "standing",
        "Score after each round",
        "points",
        f"Points that a zoo would score if the game ended there; the first {CURVE_ROUNDS} rounds are kept.",
        "a better standing",
        rounds=CURVE_ROUNDS,
    ),
    CounterMeasure(
        "actions",
        "Actions",
        "actions",
        "Offered: turns in which a player could do it. Taken: done. Held by the winner: done by the winner.",
        "actions that matter more",
        items=ACTIONS,
        absent=absent_actions,
    ),
    CounterMeasure(
        "tiles",
        "Tiles by group",
        "tiles",
        "Offered: drawn and loaded on a truck. Taken: came into a zoo (or a purse) with a truck. "
        "Held by the winner: taken by the winner.",
        "tiles that matter more",
        items=TILE_GROUPS,
        absent=absent_tiles,
    ),
    CounterMeasure(
        "trucks",
        "Trucks by load",
        "trucks",
        "Offered: stood in the middle when a truck was taken. Taken: the truck that was taken. "
        "Held by the winner: taken by the winner.",
        "loads that players prefer",
        items=TRUCK_SIZES,
        absent=absent_trucks,
    ),
)
