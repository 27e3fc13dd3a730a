"""Kennelmester: dogs are bought, bred, sold and entered in events, alone, against one another or in pairs."""

from balance.game import Bounds, Game, Mode
from balance.games.kennelmester import counts, hidden, layout, lists, rules, seats
from balance.games.kennelmester.bans import BANS
from balance.games.kennelmester.deck_files import check_deck, deck_note, read_deck
from balance.games.kennelmester.measures import MEASURES
from balance.games.kennelmester.narrate import narrate
from balance.games.kennelmester.params import MOST_ROUNDS, KennelmesterParams, sides_of
from balance.games.kennelmester.policies import POLICIES
from balance.games.kennelmester.tables import tables
from balance.games.kennelmester.trace import Tracer

MODES = (
    Mode(
        "solo",
        "Solo",
        (1,),
        goal="A game lasts solo_rounds rounds, whatever is reached, and is won with a reputation of solo_target or "
        "more at its end.",
    ),
    Mode("competitive", "Competitive", (2, 3, 4, 5, 6)),
    Mode("team", "Teams", (4, 6), sides=lambda players: sides_of("team", players)),
)

GAME = Game(
    id="kennelmester",
    title="Kennelmester",
    rules_version=1,
    players=range(1, 7),
    Params=KennelmesterParams,
    state_dtype=layout.kennelmester_state,
    bounds=Bounds(
        actions=layout.MAX_ACTIONS,
        rounds=MOST_ROUNDS + 1,
        turns=layout.MOST_TURNS,
        steps=layout.MOST_STEPS,
        plies=layout.MOST_PLIES,
    ),
    setup=rules.setup,
    legal_actions=lists.legal_actions,
    apply_action=rules.apply_action,
    score=seats.score,
    tiebreak=seats.tiebreak,
    measure=counts.measure,
    determinize=hidden.determinize,
    measures=MEASURES,
    policies=POLICIES,
    round_name="round",
    turn_name="turn",
    summary="Dogs are bought, bred, sold and entered in events: reputation comes from won events and from customers "
    "who get the dog they want.",
    tables=tables,
    tracer=Tracer,
    narrate=narrate,
    modes=MODES,
    capped_by_rules=True,
    read_deck=read_deck,
    deck_note=deck_note,
    check_deck=check_deck,
    games_digest="71ee8590c1b7e9143669890fd94b11b5d41b2684c51f1e41530847937b81dc8a",
    bans=BANS,
)
