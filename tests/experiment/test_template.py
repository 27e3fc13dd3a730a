from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable

import pytest

from balance.experiment.config import cells, from_game, read_experiment
from balance.experiment.models import ExperimentFile, Gate, Lineup, Run
from balance.experiment.template import experiment_text
from balance.game import Game

from .fake_games import MARKET, SOLO, policy

Write = Callable[..., str]

MARKET_TEXT = """\
# An experiment with Market Day. Run it with: balance run THIS_FILE
# Lines that begin with # explain; take the # away from a setting to use it.

# The version of this file's layout; always 1.
schema_version = 1
# The heading of the results; the game's title if left out.
title = "Market Day"
# The name of an installed game, or module:GAME for one of your own.
game = "market"
# The numbers of players to look at, each on its own; all of the game's if left out.
players = [2, 3, 4, 5]

[run]
# Games for each variant and number of players; four times as many halve the doubt.
games = 100_000
#   precision: Instead of games: how well the share of wins of every seat shall be known, such as
#   "0.5pp".
#   time: Instead of games: how long this machine shall play, such as "60s" or "5m".
# Fixes every shuffle: the same seed gives the same games again, another seed fresh ones.
seed = 1
# How sure the intervals are: 0.95 means that 95 of 100 of them hold the true value.
confidence = 0.95
# How long people take for a decision, such as 15; then the report tells the length in minutes too.
# seconds_per_decision = 15

[lineup]
# The policies of this game, who can be told to play it:
#   random: Plays like random.
#   greedy: Plays like greedy.
#   miser: Plays like miser.
# A type of player of your own is a policy file beside this one, and is named by it, such as
# "my-market-player.toml". To get one to start from: balance init market --player
# One policy sits in every seat; of several, each takes its turn in every seat.
policies = ["greedy"]
# Levels of play, instead: everything is played once by each of these policies in every seat.
levels = []

[rules]
# The baseline: rules that differ from the rulebook's. All rules, with the rulebook's values:
#
#   Cards in a hand.
#   Allowed: a whole number from 1 to 10.
# hand_size = 5
#
#   Cards in the deck.
#   Allowed: a whole number from 10 to 60.
# deck_size = 30
#
#   Swaps in a turn.
#   Allowed: a whole number from 0 to 3. The rulebook's value goes by the number of players: 2 with
#   2 players, 1 with 3, 4 and 5.
# swaps = 2
#
#   What breaks a tie.
#   Allowed: "none" or "oldest_card".
# tie_break = "none"
#
#   Whether the market is open to all.
#   Allowed: true or false.
# open_market = true

# Each variant is a change that is compared with the baseline, on the same shuffles. A variant has a
# name of its own and the rules that it changes; add as many as you like.
#
# [[variants]]
# name = "open_market = false"
# rules = { open_market = false }

# A gate is a limit that the results must keep. Judge the gates with: balance check THIS_FILE
#   metric: What is judged: seat_spread, win_share, score, turns, a measure of the game, or
#   turns.p90.
#   min: The least that is fine: a number, or "3pp" or "25%" of a share.
#   max: The most that is fine: a number, or "3pp" or "25%" of a share.
#   target: What it should be; band says how far from it is fine.
#   band: How far below and above the target is fine.
#   players: The numbers of players that it covers; all of this experiment's if left out.
#   variants: The variants that it covers, "baseline" among them; all if left out.
#   mode: The mode that it covers; all of this experiment's if left out.
#   seat: Whose number, counted from 1.
#   policy: Which type of player's number, where several play.
#   against: "baseline": the limits are those of the difference from it, on the same deals; "file":
#   of that from an earlier run, which `balance baseline` has written down.
#   level: "warn": it is shown, and never fails a check.
#   why: Why the limit is there, for whoever reads.
#
# [[gates]]
# metric = "seat_spread"
# max = "3pp"
# why = "Nobody should lose by where they sit."
"""


def test_the_file_explains_every_key_and_rule() -> None:
    assert experiment_text(MARKET) == MARKET_TEXT


@pytest.mark.parametrize(("game", "name"), [(MARKET, "market"), (SOLO, "solo"), (SOLO, "my.games:SOLO")])
def test_the_file_says_what_the_game_does_by_itself(write: Write, game: Game, name: str) -> None:
    read = read_experiment(write(experiment_text(game, name)))
    assert read.model_dump() == from_game(name).model_dump()


@pytest.mark.parametrize("game", [MARKET, SOLO])
def test_every_key_of_the_models_is_in_the_file(game: Game) -> None:
    text = experiment_text(game)
    tables = {"run", "rules", "lineup"}
    for key in [*ExperimentFile.model_fields, *Run.model_fields, *Lineup.model_fields]:
        if key not in ("variants", "modes", "deck", "gates", "precision", "time", "seconds_per_decision"):
            assert (f"\n[{key}]\n" if key in tables else f"\n{key} = ") in text
    assert "\n# seconds_per_decision = 15\n" in text
    assert ("[[variants]]" in text) == (game is MARKET)
    for key in Gate.model_fields:
        assert f"\n#   {key}: " in text


def test_every_setting_in_a_comment_can_be_used(write: Write) -> None:
    text = re.sub(r"(?m)^# (?=\[\[|\w+ = )", "", experiment_text(MARKET))
    experiment = read_experiment(write(text))
    assert experiment.rules == {key: value for key, value in MARKET.Params.resolve(2) if key != "players"}
    assert [variant.name for variant in experiment.variants] == ["open_market = false"]
    assert cells(experiment, MARKET)[1].changes == {"open_market": False}
    assert experiment.gates == (
        Gate(metric="seat_spread", max="3pp", why="Nobody should lose by where they sit."),
    )


def test_lines_stay_short_and_on_their_line() -> None:
    wordy = dataclasses.replace(
        MARKET, policies=(policy("random"), dataclasses.replace(policy("x"), help="so\nlong " * 60))
    )
    lines = experiment_text(wordy).splitlines()
    assert max(map(len, lines)) <= 100
    assert any(line.startswith("#   x: so long so long") for line in lines)
