"""Pig, a dice game for 2 to 6 players: the smallest complete game, to learn from and to test with."""

from balance.game import Bounds, Game
from balance.games.pig import rules
from balance.games.pig.bans import BANS
from balance.games.pig.measures import MEASURES
from balance.games.pig.narrate import Tracer, narrate
from balance.games.pig.params import MOST_POINTS, MOST_ROUNDS, PigParams
from balance.games.pig.policies import POLICIES

GAME = Game(
    id="pig",
    title="Pig",
    rules_version=1,
    players=range(2, 7),
    Params=PigParams,
    state_dtype=rules.pig_state,
    bounds=Bounds(
        actions=2,
        rounds=MOST_ROUNDS,
        turns=6 * MOST_ROUNDS,
        steps=MOST_POINTS,
        plies=6 * MOST_ROUNDS * MOST_POINTS,
    ),
    setup=rules.setup,
    legal_actions=rules.legal_actions,
    apply_action=rules.apply_action,
    score=rules.score,
    tiebreak=rules.tiebreak,
    measure=rules.measure,
    determinize=rules.determinize,
    measures=MEASURES,
    policies=POLICIES,
    round_name="round",
    turn_name="turn",
    summary="Roll a die as often as you dare: the points of a turn are kept by whoever stops in time, and lost "
    "with the losing face.",
    tracer=Tracer,
    narrate=narrate,
    games_digest="bda607b81639e7a496ca0c6909d7e4227899b7af91d5eaa3e62914a0eee0ddbf",
    bans=BANS,
)
