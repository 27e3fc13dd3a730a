"""Zooloretto (Schacht): tiles on trucks, trucks into zoos, coins to put things right, for 2 to 5 players."""

from balance.game import Bounds, Game
from balance.games.zooloretto import counts, hidden, layout, lists, rules, scoring
from balance.games.zooloretto.bans import BANS
from balance.games.zooloretto.measures import MEASURES
from balance.games.zooloretto.narrate import narrate
from balance.games.zooloretto.params import ZoolorettoParams
from balance.games.zooloretto.policies import POLICIES
from balance.games.zooloretto.trace import Tracer

GAME = Game(
    id="zooloretto",
    title="Zooloretto",
    rules_version=1,
    players=range(2, 6),
    Params=ZoolorettoParams,
    state_dtype=layout.zooloretto_state,
    bounds=Bounds(actions=layout.MAX_ACTIONS, rounds=320, turns=100_001, steps=8, plies=layout.MOST_PLIES),
    setup=rules.setup,
    legal_actions=lists.legal_actions,
    apply_action=rules.apply_action,
    score=scoring.score,
    tiebreak=scoring.tiebreak,
    measure=counts.measure,
    determinize=hidden.determinize,
    measures=MEASURES,
    policies=POLICIES,
    round_name="round",
    turn_name="turn",
    summary="Tiles are drawn on trucks and the trucks taken: every species wants an enclosure of its own, and "
    "what does not fit ends in the barn.",
    tables=layout.tables,
    tracer=Tracer,
    narrate=narrate,
    games_digest="255649822e00f3288843f3498a00738a4f2f7e71d85046badabb956a6b24537c",
    bans=BANS,
)
