"""What Animalia counts, as data; the kernel that writes the numbers is `rules.measure`."""

from __future__ import annotations

from typing import Any

from balance.game import CounterMeasure, CurveMeasure, GameMeasure, SeatMeasure
from balance.games.animalia import layout
from balance.games.animalia.params import KINDS, MEMBERS

POWERS = ("thief", "spy", "trickster")


def absent_cards(params: Any) -> tuple[str, ...]:
    """The kinds of cards that these rules leave out."""
    absent = [member for member in MEMBERS if getattr(params, f"copies_{member}") == 0]
    absent += ["cute"] * params.remove_neutral + ["owl"] * (not params.owl)
    return tuple(absent)


def absent_powers(params: Any) -> tuple[str, ...]:
    """The powers that these rules leave out, or that have no cards."""
    return tuple(
        power
        for power in POWERS
        if not getattr(params, f"power_{power}") or getattr(params, f"copies_{power}") == 0
    )


MEASURES = (
    GameMeasure(
        "guard_hits",
        "Powers voided by the guard",
        "powers",
        "Powers that were void because too many cards had gone under the deck (R-28).",
        "cards going round and round",
    ),
    GameMeasure(
        "deck_returns",
        "Cards put under the deck",
        "cards",
        "Stolen or given cards that went under the deck because nobody had room.",
        "more play around full collections",
    ),
    GameMeasure(
        "lone_turns",
        "Turns dealt alone",
        "turns",
        "Turns in which only one player was still open and had to keep every card (A-15).",
        "a last player who cannot choose",
    ),
    GameMeasure(
        "bonus_not_drawn",
        "Bonus cards not drawn",
        "cards",
        "Bonus cards due but not drawn because the deck was empty (R-31).",
        "a deck too small for its prizes",
    ),
    GameMeasure(
        "most_of_a_kind",
        "Medals of the most wanted family",
        "medals",
        "Medals of one family that all players together needed, for the family with most.",
        "a larger supply of medals needed",
    ),
    GameMeasure(
        "medals_over_supply",
        "More than 15 medals of one family",
        "games",
        "Games that needed more than the 15 medals of a family in the box (R-1).",
        "a box that runs out of medals",
        share=True,
        check=True,
    ),
    GameMeasure(
        "fives_over_supply",
        "More than 15 excellence prizes",
        "games",
        'Games that needed more than the 15 "5" medals in the box (R-1).',
        'a box that runs out of "5" medals',
        share=True,
        check=True,
    ),
    SeatMeasure("medals", "Medals", "medals", "Animal medals earned over all seasons.", "better collections"),
    SeatMeasure(
        "prizes",
        "Excellence prizes",
        "medals",
        'Excellence prizes: "5" medals for complete groups of one family.',
        "collecting the same family again",
    ),
    SeatMeasure("bonus_cards", "Bonus cards drawn", "cards", "Bonus cards won by elegance.", "more elegance"),
    SeatMeasure(
        "covers",
        "Bonus cards used",
        "cards",
        "Bonus cards laid over cards of a collection.",
        "bonus cards worth playing",
    ),
    SeatMeasure(
        "robbed",
        "Cards lost to thieves",
        "cards",
        "Cards that other players' thieves took.",
        "being a target",
    ),
    SeatMeasure(
        "elegance",
        "Elegance",
        "stars",
        "Stars less spots of all collections, over all seasons.",
        "more stars collected",
    ),
    CurveMeasure(
        "standing",
        "Score after each season",
        "points",
        "Points that a seat would have if the game ended there.",
        "a better standing",
        rounds=layout.SEASONS,
    ),
    CounterMeasure(
        "cards",
        "Cards by kind",
        "cards",
        "Offered: a player was asked about a set with the card. Taken: laid into a collection from a set. "
        "Held by the winner: in the winner's collections at the end of a season.",
        "cards that matter more",
        items=KINDS,
        absent=absent_cards,
    ),
    CounterMeasure(
        "powers",
        "Powers",
        "powers",
        "Offered: activated by a take. Taken: used. Held by the winner: used by the winner.",
        "powers that matter more",
        items=POWERS,
        absent=absent_powers,
    ),
)
