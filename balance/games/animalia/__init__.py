"""Animalia (Braff, Cathala, Pauchon): collections of animals over three seasons, for 2 to 6 players."""

from balance.game import Bounds, Game
from balance.games.animalia import hidden, layout, medals, rules
from balance.games.animalia.bans import BANS
from balance.games.animalia.measures import MEASURES
from balance.games.animalia.narrate import narrate
from balance.games.animalia.params import AnimaliaParams
from balance.games.animalia.policies import POLICIES
from balance.games.animalia.trace import Tracer

GAME = Game(
    id="animalia",
    title="Animalia",
    rules_version=1,
    players=range(2, 7),
    Params=AnimaliaParams,
    state_dtype=layout.animalia_state,
    bounds=Bounds(actions=layout.MAX_ACTIONS, rounds=6, turns=6600, steps=200, plies=600_000),
    setup=rules.setup,
    legal_actions=rules.legal_actions,
    apply_action=rules.apply_action,
    score=medals.score,
    tiebreak=medals.tiebreak,
    measure=rules.measure,
    determinize=hidden.determinize,
    measures=MEASURES,
    policies=POLICIES,
    round_name="season",
    turn_name="turn",
    summary="Collections of five animals over three seasons: sets of cards go round the table, and pairs of "
    "thieves, spies and tricksters act.",
    tables=layout.tables,
    tracer=Tracer,
    narrate=narrate,
    games_digest="8bcd93af510941680540b097b4783099bd77c0aaf64fec6507714db0cad4a565",
    bans=BANS,
)
