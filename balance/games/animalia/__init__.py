"""Animalia (Braff, Cathala, Pauchon): collections of animals over three seasons, for 2 to 6 players."""

from balance.game import Bounds, CounterMeasure, CurveMeasure, Game, GameMeasure, SeatMeasure
from balance.games.animalia import rules
from balance.games.animalia.narrate import narrate
from balance.games.animalia.params import KINDS, AnimaliaParams
from balance.games.animalia.policies import POLICIES
from balance.games.animalia.trace import Tracer

_MEASURES = (
    GameMeasure("guard_hits", "Powers voided by the guard", "powers", "Powers void because too many cards had gone under the deck (R-28).", "cards going round and round"),
    GameMeasure("deck_returns", "Cards put under the deck", "cards", "Stolen or given cards that went under the deck because nobody had room.", "more play around full collections"),
    GameMeasure("lone_turns", "Turns dealt alone", "turns", "Turns in which only one player was still open and had to keep every card (A-15).", "a last player who cannot choose"),
    GameMeasure("bonus_not_drawn", "Bonus cards not drawn", "cards", "Bonus cards due but not drawn because the deck was empty (R-31).", "a deck too small for its prizes"),
    GameMeasure("most_of_a_kind", "Medals of the most wanted family", "medals", "Medals of one family that all players together needed, the family with most.", "a larger supply of medals needed"),
    GameMeasure("medals_over_supply", "More than 15 medals of one family", "games", "Games that needed more than the 15 medals of a family in the box (R-1).", "a box that runs out of medals", share=True, check=True),
    GameMeasure("fives_over_supply", 'More than 15 "5" medals', "games", 'Games that needed more than the 15 "5" medals in the box (R-1).', 'a box that runs out of "5" medals', share=True, check=True),
    SeatMeasure("medals", "Medals", "medals", "Animal medals earned over all seasons.", "better collections"),
    SeatMeasure("prizes", '"5" medals', "medals", 'Excellence prizes: "5" medals for complete groups of one family.', "collecting the same family again"),
    SeatMeasure("bonus_cards", "Bonus cards drawn", "cards", "Bonus cards won by elegance.", "more elegance"),
    SeatMeasure("covers", "Bonus cards used", "cards", "Bonus cards laid over cards of a collection.", "bonus cards worth playing"),
    SeatMeasure("robbed", "Cards lost to thieves", "cards", "Cards that other players' thieves took.", "being a target"),
    SeatMeasure("elegance", "Elegance", "stars", "Stars less spots of all collections, over all seasons.", "more stars collected"),
    CurveMeasure("standing", "Score at the end of each season", "points", "Points that a seat would have if the game ended there.", "a better standing", rounds=rules.SEASONS),
    CounterMeasure("cards", "Cards by kind", "cards", "Offered: a player was asked about a set with the card. Taken: laid into a collection from a set. Held by the winner: in his collection at the end of a season.", "cards that matter more", items=KINDS),
    CounterMeasure("powers", "Powers", "powers", "Offered: activated by a take. Taken: used. Held by the winner: used by the winner.", "powers that matter more", items=("thief", "spy", "trickster")),
)

GAME = Game(
    id="animalia",
    title="Animalia",
    rules_version=1,
    players=range(2, 7),
    Params=AnimaliaParams,
    state_dtype=rules.animalia_state,
    bounds=Bounds(actions=rules.MAX_ACTIONS, rounds=6, turns=1100, steps=200, plies=600_000),
    setup=rules.setup,
    legal_actions=rules.legal_actions,
    apply_action=rules.apply_action,
    score=rules.score,
    tiebreak=rules.tiebreak,
    measure=rules.measure,
    determinize=rules.determinize,
    measures=_MEASURES,
    policies=POLICIES,
    round_name="season",
    turn_name="turn",
    summary="Collections of five animals over three seasons; sets go round the table, pairs of thieves, spies and tricksters act.",
    tables=rules.tables,
    tracer=Tracer,
    narrate=narrate,
)
