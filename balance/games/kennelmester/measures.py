"""What Kennelmester counts, as data; the kernel that writes the numbers is `counts.measure`."""

from __future__ import annotations

from typing import Any

from balance.game import CounterMeasure, CurveMeasure, GameMeasure, SeatMeasure
from balance.games.kennelmester.deck import EVENT_TYPES
from balance.games.kennelmester.layout import CURVE_ROUNDS, GENERATIONS
from balance.games.kennelmester.params import MOST_PUPS

ACTIONS = ("coin", "draw a dog", "draw a customer", "trade", "mate", "birth", "enter")
"""The kinds of actions (K-16), in their order."""
DEALS = ("sale of a dog", "stud male", "help with a dog")
LITTERS = ("no pup", "1 pup", *(f"{pups} pups" for pups in range(2, MOST_PUPS + 1)))
GENERATION_NAMES = (
    *(f"generation {number}" for number in range(1, GENERATIONS)),
    f"generation {GENERATIONS} and later",
)


def absent_actions(params: Any) -> tuple[str, ...]:
    """What these rules leave no use for."""
    return () if params.birth_costs_action else ("birth",)


def absent_deals(params: Any) -> tuple[str, ...]:
    """The deals that these rules switch off, or for which nobody is there."""
    if params.mode == "solo":
        return DEALS
    switches = (params.sale_deal, params.stud_deal, params.hire_deal)
    return tuple(deal for deal, switch in zip(DEALS, switches, strict=True) if switch == "off")


def absent_litters(params: Any) -> tuple[str, ...]:
    """The sizes of litters that cannot come."""
    odds = params.litter_probs
    sizes = {size for size, chance in enumerate(odds) if chance > 0} if odds else set(params.litter_table)
    return tuple(name for size, name in enumerate(LITTERS) if size not in sizes)


def absent_events(params: Any) -> tuple[str, ...]:
    """The types of events that the deck does not have."""
    types = {event.type for event in params.deck.events}
    return tuple(name for kind, name in enumerate(EVENT_TYPES) if kind not in types)


def absent_generations(params: Any) -> tuple[str, ...]:
    """Later generations need luck and time, so that nobody is warned of their absence."""
    return GENERATION_NAMES[1:]


MEASURES = (
    GameMeasure(
        "by_target",
        "Ended by the target",
        "games",
        "Games that ended because a side reached the target (K-90, K-96). A game alone never does: it goes on to its "
        "last round, and whether its goal was reached is counted then (K-98).",
        "games that somebody brings to an end",
        share=True,
    ),
    GameMeasure(
        "by_events",
        "Ended by the event deck",
        "games",
        "Games that ended because the event deck was empty (K-90, K-98).",
        "games that run out of events",
        share=True,
    ),
    GameMeasure(
        "by_cap",
        "Ended at the round cap",
        "games",
        "Games that were stopped after the last round that round_cap allows, and ranked (K-93).",
        "games that do not come to an end",
        share=True,
    ),
    GameMeasure(
        "unwon_events",
        "Unwon events",
        "events",
        "Rounds in which nobody won the event (K-76).",
        "events that are too hard, or that nobody enters",
    ),
    SeatMeasure(
        "reputation_events",
        "Reputation from events",
        "points",
        "Reputation that won events brought (K-75).",
        "more success in events",
    ),
    SeatMeasure(
        "reputation_customers",
        "Reputation from customers",
        "points",
        "Reputation that sales to customers brought (K-25).",
        "more success with customers",
    ),
    SeatMeasure(
        "coins",
        "Coins left",
        "coins",
        "Coins of the player's side at the end of the game.",
        "coins nobody needed",
    ),
    SeatMeasure("bought", "Dogs bought", "dogs", "Dogs bought from the hand or from players.", "more buying"),
    SeatMeasure("sold", "Dogs sold", "dogs", "Dogs sold to customers or to players.", "more selling"),
    SeatMeasure("bred", "Dogs bred", "dogs", "Pups born in the player's kennel.", "more breeding"),
    SeatMeasure("entered", "Dogs entered", "dogs", "Dogs entered in events (K-50).", "more competing"),
    SeatMeasure("won", "Events won", "events", "Events that the player's dogs won (K-75).", "better dogs"),
    SeatMeasure("upkeep_paid", "Upkeep paid", "coins", "Coins paid as upkeep (K-61).", "larger kennels"),
    SeatMeasure(
        "upkeep_waived",
        "Upkeep waived",
        "coins",
        "Upkeep that could not be paid, though nothing was left to part with (K-63).",
        "kennels too large for their owners",
    ),
    CurveMeasure(
        "standing",
        "Reputation after each round",
        "points",
        f"Reputation of the player's side; the first {CURVE_ROUNDS} rounds are kept.",
        "a better standing",
        rounds=CURVE_ROUNDS,
    ),
    CurveMeasure(
        "purse",
        "Coins after each round",
        "coins",
        f"Coins of the player's side; the first {CURVE_ROUNDS} rounds are kept.",
        "more money at hand",
        rounds=CURVE_ROUNDS,
    ),
    CounterMeasure(
        "actions",
        "Actions",
        "actions",
        "Offered: regular actions for which a player could choose it. Taken: done, as a bonus too. "
        "Held by the winner: done by the winner.",
        "actions that matter more",
        items=ACTIONS,
        absent=absent_actions,
    ),
    CounterMeasure(
        "deals",
        "Deals between players",
        "deals",
        "Offered: proposed to another side. Taken: made. Held by the winner: deals that the winner had a part in.",
        "deals that matter more",
        items=DEALS,
        absent=absent_deals,
    ),
    CounterMeasure(
        "litters",
        "Litters by size",
        "litters",
        "Litters: all that were rolled or drawn. This size: those with so many pups; the rate is to be held against "
        "the odds. By the winner: litters of the winner.",
        "litters of this size",
        items=LITTERS,
        faces=("litters", "this size"),
        absent=absent_litters,
    ),
    CounterMeasure(
        "generations",
        "Trait dice by generation",
        "dice",
        "Pups: born in this generation. Trait dice: those of all of them, so that the rate is dice for each pup. "
        "By the winner: pups born in the winner's kennel.",
        "better dogs in this generation",
        items=GENERATION_NAMES,
        faces=("pups", "trait dice"),
        absent=absent_generations,
    ),
    CounterMeasure(
        "events",
        "Entries by type of event",
        "dogs",
        "Entered: dogs that took part. Won: those that came first, so that the rate is the chance to win. "
        "By the winner: events won by the winner.",
        "events that are easier to win",
        items=EVENT_TYPES,
        faces=("entered", "won"),
        absent=absent_events,
    ),
)
