from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from balance.errors import BalanceError
from balance.experiment.config import (
    Cell,
    Experiment,
    Lineup,
    Run,
    Variant,
    cells,
    from_game,
    read_experiment,
    with_overrides,
)

from .fake_games import MARKET, SOLO

Write = Callable[..., str]
HEAD = 'schema_version = 1\ngame = "market"\n'
RUN_KEYS = "The keys known there: games, precision, time, seed, confidence and seconds_per_decision."
TOP_KEYS = (
    "The keys known there: schema_version, title, game, players, modes, deck, run, rules, variants, lineup "
    "and gates."
)
WHOLE = """\
schema_version = 1
title = "Do swaps matter? </script> [bold]犬[/bold]"
game = "market"
players = [4, 2]

[run]
games = 1_000_000
seed = 18446744073709551615
confidence = 0.9

[rules]
hand_size = 6

[[variants]]
name = "no swaps"
rules = { swaps = 0 }

[[variants]]
name = "oldest card"
[variants.rules]
tie_break = "oldest_card"
hand_size = 5

[lineup]
policies = ["greedy", "random"]
"""


def test_a_complete_file_is_read_as_written(write: Write) -> None:
    experiment = read_experiment(write(WHOLE))
    assert experiment == Experiment(
        schema_version=1,
        title="Do swaps matter? </script> [bold]犬[/bold]",
        game="market",
        players=(2, 4),
        run=Run(games=1_000_000, seed=2**64 - 1, confidence=0.9),
        rules={"hand_size": 6},
        variants=(
            Variant(name="no swaps", rules={"swaps": 0}),
            Variant(name="oldest card", rules={"tie_break": "oldest_card", "hand_size": 5}),
        ),
        lineup=Lineup(policies=("greedy", "random")),
    )


def test_what_is_left_out_comes_from_the_game(write: Write) -> None:
    experiment = read_experiment(write(HEAD))
    assert experiment == from_game("market")
    assert (experiment.title, experiment.players) == ("Market Day", (2, 3, 4, 5))
    assert (experiment.run.games, experiment.run.seed, experiment.run.confidence) == (100_000, 1, 0.95)
    assert (experiment.rules, experiment.variants) == ({}, ())
    assert experiment.lineup.policies == ("greedy",)


def test_a_game_without_greedy_plays_its_first_policy() -> None:
    experiment = from_game("my.games:SOLO")
    assert (experiment.game, experiment.players) == ("my.games:SOLO", (1,))
    assert experiment.lineup.policies == ("random",)


def test_an_unknown_game_has_no_experiment() -> None:
    with pytest.raises(BalanceError, match='There is no game "markt"'):
        from_game("markt")


def test_an_experiment_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="frozen"):
        from_game("market").title = "Other"


WRONG: list[tuple[str, str]] = [
    # keys
    ('game = "market"', '1:1: "schema_version" is missing: write schema_version = 1.'),
    ("schema_version = 1", '1:1: "game" is missing: name the game to be played; `balance games` lists them.'),
    (
        HEAD + 'titel = "x"',
        f'3:1: Unknown key "titel" at the top of the file. Did you mean "title"? {TOP_KEYS}',
    ),
    (
        HEAD + "[[gates]]\nmax = 3",
        '3:3: "metric" is missing: say what is judged, such as metric = "seat_spread".',
    ),
    (HEAD + "[leagues]", f'3:2: Unknown key "leagues" at the top of the file. {TOP_KEYS}'),
    (HEAD + "components = {}", f'3:1: Unknown key "components" at the top of the file. {TOP_KEYS}'),
    (
        HEAD + '[run]\nprecision = "5%"',
        '4:1: "precision" must be percentage points from "0.01pp" to "20pp", not "5%".',
    ),
    (
        HEAD + '[run]\nprecision = "0.001pp"',
        '4:1: "precision" must be percentage points from "0.01pp" to "20pp", not "0.001pp".',
    ),
    (
        HEAD + "[run]\nprecision = 0.5",
        '4:1: "precision" must be percentage points from "0.01pp" to "20pp", not 0.5. Write "0.5pp".',
    ),
    (
        HEAD + '[run]\ntime = "60 years"',
        '4:1: "time" must be a time from "1s" to "24h", such as "60s" or "5m", not "60 years".',
    ),
    (
        HEAD + '[run]\ngames = 1000\ntime = "60s"',
        "5:1: How long to play is said in one way, not in 2: games and time.",
    ),
    (
        'schema_version = 1\ngame = "solo"\n[run]\nprecision = "1pp"',
        "4:1: With 1 player there is no share to know so well; say how many games.",
    ),
    (
        HEAD + "[lineup]\nleagues = []",
        '4:1: Unknown key "leagues" in [lineup]. Did you mean "levels"? The keys known there: policies and levels.',
    ),
    (
        HEAD + "[run]\nsede = 3",
        '4:1: Unknown key "sede" in [run]. Did you mean "seed"? ' + RUN_KEYS,
    ),
    (
        HEAD + "[run]\nseed = 1\nsede = 3",
        '5:1: Unknown key "sede" in [run]. ' + RUN_KEYS,
    ),
    (HEAD + "games = 1000", '3:1: "games" does not belong at the top of the file; it belongs in [run].'),
    (
        HEAD + "[run]\nseed = 1\nplayers = [3]",
        '5:1: "players" does not belong in [run]; it belongs at the top of the file.',
    ),
    (
        HEAD + '[lineup]\nname = "x"',
        '4:1: "name" does not belong in [lineup]; it belongs in [[variants]].',
    ),
    (
        HEAD + "hand_size = 6",
        '3:1: "hand_size" is a rule of the game; it does not belong at the top of the file, but in [rules].',
    ),
    (
        HEAD + '[[variants]]\nname = "x"\nhand_size = 6\nrules = { swaps = 0 }',
        '5:1: "hand_size" is a rule of the game; it does not belong in [[variants]], but in its rules = { }.',
    ),
    (HEAD + '"a\\nb" = 1', f'3:1: Unknown key "a\\u000ab" at the top of the file. {TOP_KEYS}'),
    # schema_version, title, game
    ('schema_version = 2\ngame = "market"', '1:1: "schema_version" must be 1, not 2.'),
    ('schema_version = true\ngame = "market"', '1:1: "schema_version" must be 1, not true.'),
    (
        'schema_version = "1"\ngame = "market"',
        '1:1: "schema_version" must be 1, not "1". Write 1 without quotes.',
    ),
    ('schema_version = 1.0\ngame = "market"', '1:1: "schema_version" must be 1, not 1.0. Write 1.'),
    (HEAD + 'title = ""', '3:1: "title" must be text of 1 to 200 characters on one line, not "".'),
    (
        HEAD + 'title = " \\t "',
        '3:1: "title" must be text of 1 to 200 characters on one line, not " \\u0009 ".',
    ),
    (
        HEAD + 'title = "a\\nb"',
        '3:1: "title" must be text of 1 to 200 characters on one line, not "a\\u000ab".',
    ),
    (
        HEAD + f'title = "{"x" * 201}"',
        f'3:1: "title" must be text of 1 to 200 characters on one line, not "{"x" * 99}…".',
    ),
    (
        HEAD + "title = 2",
        '3:1: "title" must be text of 1 to 200 characters on one line, not 2. Write it in quotes: "2".',
    ),
    (
        'schema_version = 1\ngame = "markte"',
        '2:1: There is no game "markte". Did you mean "market"? Installed games: market, solo.',
    ),
    ('schema_version = 1\ngame = ""', '2:1: "game" must be the name of a game in quotes, not "".'),
    (
        "schema_version = 1\ngame = 3",
        '2:1: "game" must be the name of a game in quotes, not 3. Write it in quotes: "3".',
    ),
    ("schema_version = 1\ngame = []", '2:1: "game" must be the name of a game in quotes, not [].'),
    # players
    (
        HEAD + "players = 4",
        '3:1: "players" must be a list of numbers of players, such as [3, 4], not 4. Write [4].',
    ),
    (
        HEAD + "players = true",
        '3:1: "players" must be a list of numbers of players, such as [3, 4], not true.',
    ),
    (HEAD + 'players = "3"', '3:1: "players" must be a list of numbers of players, such as [3, 4], not "3".'),
    (HEAD + "players = []", '3:1: "players" must be a list of numbers of players, such as [3, 4], not [].'),
    (
        HEAD + "players = { a = 1, b = true }",
        '3:1: "players" must be a list of numbers of players, such as [3, 4], not { a = 1, b = true }.',
    ),
    (HEAD + "players = [\n  6,\n 3]", "4:3: Market Day is for 2 to 5 players, not 6."),
    (HEAD + "players = [-1]", "3:12: Market Day is for 2 to 5 players, not -1."),
    (HEAD + "players = [3, 4, 3]", '3:18: "players" lists 3 twice.'),
    (HEAD + "players = [3, true]", '3:15: Item 2 of "players" must be a whole number, not true.'),
    (HEAD + "players = [3.0]", '3:12: Item 1 of "players" must be a whole number, not 3.0. Write 3.'),
    (
        HEAD + 'players = [3, "4"]',
        '3:15: Item 2 of "players" must be a whole number, not "4". Write 4 without quotes.',
    ),
    ('schema_version = 1\ngame = "solo"\nplayers = [2]', '3:12: Só\\lo "犬" is for 1 player, not 2.'),
    # run
    (HEAD + "run = 3", '3:1: "run" must be a table that begins with [run], not 3.'),
    (HEAD + "[[run]]", '3:3: "run" must be a table that begins with [run], not [{}].'),
    (HEAD + "[run]\ngames = 0", '4:1: "games" must be a whole number from 1 to 1_000_000_000_000, not 0.'),
    (
        HEAD + "[run]\ngames = 1000000000001",
        '4:1: "games" must be a whole number from 1 to 1_000_000_000_000, not 1000000000001.',
    ),
    (
        HEAD + "[run]\ngames = true",
        '4:1: "games" must be a whole number from 1 to 1_000_000_000_000, not true.',
    ),
    (
        HEAD + "[run]\ngames = 1e6",
        '4:1: "games" must be a whole number from 1 to 1_000_000_000_000, not 1000000.0. Write 1_000_000.',
    ),
    (
        HEAD + "[run]\ngames = 1.5",
        '4:1: "games" must be a whole number from 1 to 1_000_000_000_000, not 1.5.',
    ),
    (
        HEAD + '[run]\ngames = "1000"',
        '4:1: "games" must be a whole number from 1 to 1_000_000_000_000, not "1000". '
        "Write 1000 without quotes.",
    ),
    (
        HEAD + '[run]\ngames = "200k"',
        '4:1: "games" must be a whole number from 1 to 1_000_000_000_000, not "200k". '
        "Write 200_000 without quotes.",
    ),
    (
        HEAD + '[run]\ngames = "1\u202f000,000"',
        '4:1: "games" must be a whole number from 1 to 1_000_000_000_000, not "1\u202f000,000". '
        "Write 1_000_000 without quotes.",
    ),
    (
        HEAD + '[run]\ngames = "1,5"',
        '4:1: "games" must be a whole number from 1 to 1_000_000_000_000, not "1,5".',
    ),
    (
        HEAD + "[run]\ngames = 2021-01-01",
        '4:1: "games" must be a whole number from 1 to 1_000_000_000_000, not 2021-01-01.',
    ),
    (
        HEAD + "[run]\nseed = -1",
        '4:1: "seed" must be a whole number from 0 to 18_446_744_073_709_551_615, not -1.',
    ),
    (
        HEAD + "[run]\nseed = 18446744073709551616",
        '4:1: "seed" must be a whole number from 0 to 18_446_744_073_709_551_615, not 18446744073709551616.',
    ),
    (
        HEAD + "[run]\nconfidence = 95",
        '4:1: "confidence" must be a number from 0.5 to 0.9999, not 95. Write 0.95.',
    ),
    (
        HEAD + '[run]\nconfidence = "99.5 %"',
        '4:1: "confidence" must be a number from 0.5 to 0.9999, not "99.5 %". Write 0.995.',
    ),
    (HEAD + "[run]\nconfidence = 1", '4:1: "confidence" must be a number from 0.5 to 0.9999, not 1.'),
    (HEAD + "[run]\nconfidence = 0.05", '4:1: "confidence" must be a number from 0.5 to 0.9999, not 0.05.'),
    (HEAD + "[run]\nconfidence = nan", '4:1: "confidence" must be a number from 0.5 to 0.9999, not nan.'),
    (
        HEAD + "[run]\nseconds_per_decision = 0",
        '4:1: "seconds_per_decision" must be a number of seconds from 0.1 to 3600, not 0.',
    ),
    (
        HEAD + '[run]\nseconds_per_decision = "7,5"',
        '4:1: "seconds_per_decision" must be a number of seconds from 0.1 to 3600, not "7,5". Write 7.5 without '
        "quotes.",
    ),
    (
        HEAD + "[run]\nseconds_per_decisions = 7",
        f'4:1: Unknown key "seconds_per_decisions" in [run]. Did you mean "seconds_per_decision"? {RUN_KEYS}',
    ),
    (HEAD + "[run]\nconfidence = true", '4:1: "confidence" must be a number from 0.5 to 0.9999, not true.'),
    # rules
    (HEAD + "rules = 3", '3:1: "rules" must be a table that begins with [rules], not 3.'),
    (HEAD + "[rules]\nhand_sise = 3", '4:1: Unknown rule "hand_sise". Did you mean "hand_size"?'),
    (HEAD + "[rules]\nhand_size = 11", '4:1: "hand_size" must be a whole number from 1 to 10, not 11.'),
    (HEAD + "[rules]\nhand_size = true", '4:1: "hand_size" must be a whole number from 1 to 10, not true.'),
    (
        HEAD + "[rules]\nhand_size = 4.0",
        '4:1: "hand_size" must be a whole number from 1 to 10, not 4.0. Write 4.',
    ),
    (
        HEAD + '[rules]\nhand_size = "4"',
        '4:1: "hand_size" must be a whole number from 1 to 10, not "4". Write 4 without quotes.',
    ),
    (HEAD + "[rules]\nopen_market = 0", '4:1: "open_market" must be true or false, not 0. Write false.'),
    (
        HEAD + '[rules]\nopen_market = "Yes"',
        '4:1: "open_market" must be true or false, not "Yes". Write true without quotes.',
    ),
    (HEAD + "[rules]\nopen_market = [3]", '4:1: "open_market" must be true or false, not [3].'),
    (
        HEAD + '[rules]\ntie_break = "oldest"',
        '4:1: "tie_break" must be "none" or "oldest_card", not "oldest". Did you mean "oldest_card"?',
    ),
    (HEAD + "[rules]\ntie_break = true", '4:1: "tie_break" must be "none" or "oldest_card", not true.'),
    (
        HEAD + "[rules]\nplayers = 3",
        '4:1: "players" is not a rule; the number of players is set with --players or the key "players".',
    ),
    (HEAD + "[rules]\nseed = 3", '4:1: Unknown rule "seed". The key "seed" belongs in [run].'),
    (HEAD + "[rules]\nhand_size = 7", "4:1: 5 players draw 35 cards, but the deck holds 30."),
    (HEAD + "players = [5]\n[rules]\ndeck_size = 20", "4:2: 5 players draw 25 cards, but the deck holds 20."),
    (
        HEAD + '[rules]\nswaps = 0\ntie_break = "oldest_card"',
        "5:1: With 4 and 5 players: Without swaps nobody knows the oldest card.",
    ),
    (
        HEAD + 'players = [5, 2]\n[rules]\nswaps = 0\ntie_break = "oldest_card"',
        "6:1: With 5 players: Without swaps nobody knows the oldest card.",
    ),
    # variants
    (
        HEAD + '[variants]\nname = "x"',
        '3:2: "variants" must be a list of tables that each begin with [[variants]], not { name = "x" }.',
    ),
    (HEAD + "variants = [3]", '3:13: Item 1 of "variants" must be a table with a name and rules, not 3.'),
    (
        HEAD + "[[variants]]\nrules = { swaps = 0 }",
        '3:3: "name" is missing: give the variant a name, such as name = "another hand size".',
    ),
    (
        HEAD + '[[variants]]\nname = ""\nrules = { swaps = 0 }',
        '4:1: "name" must be text of 1 to 80 characters on one line, not "".',
    ),
    (
        HEAD + '[[variants]]\nname = "\\u001b[2J"\nrules = { swaps = 0 }',
        '4:1: "name" must be text of 1 to 80 characters on one line, not "\\u001b[2J".',
    ),
    (
        HEAD + f'[[variants]]\nname = "{"x" * 81}"\nrules = {{ swaps = 0 }}',
        f'4:1: "name" must be text of 1 to 80 characters on one line, not "{"x" * 81}".',
    ),
    (
        HEAD + '[[variants]]\nname = "Baseline"\nrules = { swaps = 0 }',
        '4:1: A variant cannot be called "Baseline": that is the game with [rules] alone.',
    ),
    (
        HEAD
        + '[[variants]]\nname = "a"\nrules = { swaps = 0 }\n[[variants]]\nname = "a"\nrules = { swaps = 3 }',
        '7:1: Two variants are called "a"; each needs its own name.',
    ),
    (
        HEAD
        + '[[variants]]\nname = "a"\nrules = { swaps = 0 }\n[[variants]]\nname = "A "\nrules = { swaps = 3 }',
        '7:1: Two variants are called "A " (the other is "a"); each needs its own name.',
    ),
    (
        HEAD + '[[variants]]\nname = "a"\nrules = [1]',
        '5:1: "rules" must be a table such as { rule = value }, not [1].',
    ),
    (
        HEAD + '[[variants]]\nname = "a"',
        '3:3: The variant "a" changes nothing: its rules are the baseline\'s.',
    ),
    (
        HEAD + 'players = [2]\n[[variants]]\nname = "<b>a</b>"\nrules = { swaps = 2, hand_size = 5 }',
        '6:1: The variant "<b>a</b>" changes nothing: its rules are the baseline\'s.',
    ),
    (
        HEAD + '[rules]\nhand_size = 6\n[[variants]]\nname = "a"\nrules = { hand_size = 6 }',
        '7:1: The variant "a" changes nothing: its rules are the baseline\'s.',
    ),
    (
        HEAD + '[[variants]]\nname = "a"\nrules = { swaps = 0, hand_sise = 3 }',
        '5:22: Unknown rule "hand_sise". Did you mean "hand_size"?',
    ),
    (
        HEAD + '[[variants]]\nname = "a"\n[variants.rules]\nswaps = 4',
        '6:1: "swaps" must be a whole number from 0 to 3, not 4.',
    ),
    (
        HEAD + '[rules]\ndeck_size = 20\nhand_size = 4\n[[variants]]\nname = "a"\nrules = { hand_size = 5 }',
        "8:11: 5 players draw 25 cards, but the deck holds 20.",
    ),
    (
        HEAD + '[rules]\nhand_size = 6\n[[variants]]\nname = "a"\nrules = { deck_size = 25 }',
        "7:1: 5 players draw 30 cards, but the deck holds 25.",
    ),
    # lineup
    (
        HEAD + '[lineup]\npolicies = "greedy"',
        '4:1: "policies" must be a list of policies in quotes, separated by commas in [ ], not "greedy". '
        'Write ["greedy"].',
    ),
    (
        HEAD + "[lineup]\npolicies = []",
        '4:1: "policies" must be a list of policies in quotes, separated by commas in [ ], not [].',
    ),
    (
        HEAD + "[lineup]\npolicies = [1]",
        '4:13: Item 1 of "policies" must be the name of a policy, or of a policy file, in quotes, not 1. '
        'Write it in quotes: "1".',
    ),
    (
        HEAD + '[lineup]\npolicies = ["random", "gredy"]',
        '4:23: Market Day has no policy "gredy". Did you mean "greedy"? '
        "Its policies: random, greedy and miser.",
    ),
    (
        HEAD + 'players = [4, 2]\n[lineup]\npolicies = ["random", "greedy", "miser"]',
        "5:1: 3 policies need at least 3 players, but this experiment has games of 2.",
    ),
]


@pytest.mark.parametrize(("text", "message"), WRONG, ids=[message[:60] for _, message in WRONG])
def test_a_fault_is_a_sentence_at_its_place(write: Write, text: str, message: str) -> None:
    with pytest.raises(BalanceError) as refused:
        read_experiment(write(text))
    assert refused.value.message == f"e.toml:{message}"
    assert refused.value.exit_code == 2


def test_an_empty_file_lacks_two_keys(write: Write) -> None:
    with pytest.raises(BalanceError) as refused:
        read_experiment(write(""))
    assert refused.value.message.split("\n") == [
        'e.toml:1:1: "schema_version" is missing: write schema_version = 1.',
        'e.toml:1:1: "game" is missing: name the game to be played; `balance games` lists them.',
    ]


def test_all_faults_are_told_at_once_in_the_order_of_the_file(write: Write) -> None:
    text = """\
titel = "x"
game = "market"
players = [3, 9]
[lineup]
policies = ["greedy", "nobody"]
[[variants]]
name = "a"
rules = { swaps = 9, hand_size = "3" }
[[variants]]
name = "a"
rules = { swaps = 9 }
[rules]
deck_size = 5
tie_break = "none"
[run]
seed = -1
"""
    with pytest.raises(BalanceError) as refused:
        read_experiment(write(text, "bad name.toml"))
    assert refused.value.message.split("\n") == [
        'bad name.toml:1:1: "schema_version" is missing: write schema_version = 1.',
        'bad name.toml:1:1: Unknown key "titel" at the top of the file. Did you mean "title"? ' + TOP_KEYS,
        "bad name.toml:3:15: Market Day is for 2 to 5 players, not 9.",
        'bad name.toml:5:23: Market Day has no policy "nobody". Its policies: random, greedy and miser.',
        'bad name.toml:8:11: "swaps" must be a whole number from 0 to 3, not 9.',
        'bad name.toml:8:22: "hand_size" must be a whole number from 1 to 10, not "3". '
        "Write 3 without quotes.",
        'bad name.toml:10:1: Two variants are called "a"; each needs its own name.',
        'bad name.toml:11:11: "swaps" must be a whole number from 0 to 3, not 9.',
        'bad name.toml:13:1: "deck_size" must be a whole number from 10 to 60, not 5.',
        'bad name.toml:16:1: "seed" must be a whole number from 0 to 18_446_744_073_709_551_615, not -1.',
    ]


def test_a_wrong_baseline_is_told_once_and_not_for_every_variant(write: Write) -> None:
    variants = "".join(f'[[variants]]\nname = "{n}"\nrules = {{ swaps = {n} }}\n' for n in range(3))
    with pytest.raises(BalanceError) as refused:
        read_experiment(write(HEAD + "[rules]\nhand_size = 0\n" + variants))
    assert refused.value.message == 'e.toml:4:1: "hand_size" must be a whole number from 1 to 10, not 0.'


def test_each_player_count_that_cannot_be_played_is_named(write: Write) -> None:
    with pytest.raises(BalanceError) as refused:
        read_experiment(write(HEAD + "players = [3, 4, 5]\n[rules]\nhand_size = 8"))
    assert refused.value.message.split("\n") == [
        "e.toml:5:1: 4 players draw 32 cards, but the deck holds 30.",
        "e.toml:5:1: 5 players draw 40 cards, but the deck holds 30.",
    ]


def test_what_other_player_counts_cannot_play_does_not_matter(write: Write) -> None:
    experiment = read_experiment(write(HEAD + "players = [3]\n[rules]\nhand_size = 8"))
    assert experiment.rules == {"hand_size": 8}


def test_a_variant_may_change_nothing_at_some_player_counts(write: Write) -> None:
    experiment = read_experiment(write(HEAD + '[[variants]]\nname = "a"\nrules = { swaps = 1 }'))
    assert [cell.changes for cell in cells(experiment, MARKET) if cell.variant == "a"] == [
        {"swaps": 1},
        {},
        {},
        {},
    ]


def test_cells_go_by_player_count_then_baseline_then_variants(write: Write) -> None:
    found = cells(read_experiment(write(WHOLE)), MARKET)
    assert [(cell.players, cell.variant, cell.changes) for cell in found] == [
        (2, "baseline", {}),
        (2, "no swaps", {"swaps": 0}),
        (2, "oldest card", {"tie_break": "oldest_card", "hand_size": 5}),
        (4, "baseline", {}),
        (4, "no swaps", {"swaps": 0}),
        (4, "oldest card", {"tie_break": "oldest_card", "hand_size": 5}),
    ]
    assert [cell.rules for cell in found] == [
        MARKET.Params.resolve(2, {"hand_size": 6}),
        MARKET.Params.resolve(2, {"hand_size": 6, "swaps": 0}),
        MARKET.Params.resolve(2, {"tie_break": "oldest_card"}),
        MARKET.Params.resolve(4, {"hand_size": 6}),
        MARKET.Params.resolve(4, {"hand_size": 6, "swaps": 0}),
        MARKET.Params.resolve(4, {"tie_break": "oldest_card"}),
    ]


def test_cells_of_an_experiment_made_by_hand_are_in_order_too() -> None:
    by_hand = Experiment(schema_version=1, game="market", players=(4, 2))
    assert [cell.players for cell in cells(by_hand, MARKET)] == [2, 4]


def test_a_solo_game_has_one_cell() -> None:
    assert cells(from_game("solo"), SOLO) == [Cell("baseline", 1, SOLO.Params.resolve(1), {})]


def test_the_command_line_changes_an_experiment(write: Write) -> None:
    experiment = read_experiment(write(WHOLE))
    changed = with_overrides(
        experiment,
        rules={"deck_size": 40, "hand_size": 7},
        players=[5, 3],
        policies=["miser"],
        games=10,
        seed=0,
    )
    assert changed == experiment.model_copy(
        update={
            "rules": {"hand_size": 7, "deck_size": 40},
            "players": (3, 5),
            "lineup": Lineup(policies=("miser",)),
            "run": Run(games=10, seed=0, confidence=0.9),
        }
    )
    by_name = {(cell.variant, cell.players): cell.rules for cell in cells(changed, MARKET)}
    assert dict(by_name["baseline", 5])["hand_size"] == 7
    assert dict(by_name["oldest card", 5])["hand_size"] == 5, "a variant's own rules win"


def test_no_overrides_change_nothing(write: Write) -> None:
    for experiment in (from_game("market"), from_game("solo"), read_experiment(write(WHOLE))):
        assert with_overrides(experiment) == experiment


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        ({"rules": {"hand_sise": 3}}, 'Unknown rule "hand_sise". Did you mean "hand_size"?'),
        ({"rules": {"swaps": 9}}, '"swaps" must be a whole number from 0 to 3, not 9.'),
        ({"rules": {"swaps": "\x1b"}}, '"swaps" must be a whole number from 0 to 3, not "\\u001b".'),
        ({"rules": {"hand_size": 7}}, "5 players draw 35 cards, but the deck holds 30."),
        ({"players": [6]}, "Market Day is for 2 to 5 players, not 6."),
        ({"players": []}, '"players" must be a list of numbers of players, such as [3, 4], not [].'),
        (
            {"policies": ["greddy"]},
            'Market Day has no policy "greddy". Did you mean "greedy"? '
            "Its policies: random, greedy and miser.",
        ),
        (
            {"policies": ["greedy", "random", "miser"]},
            "3 policies need at least 3 players, but this experiment has games of 2.",
        ),
        ({"games": 0}, '"games" must be a whole number from 1 to 1_000_000_000_000, not 0.'),
        (
            {"seed": 2**64},
            f'"seed" must be a whole number from 0 to 18_446_744_073_709_551_615, not {2**64}.',
        ),
    ],
)
def test_wrong_overrides_are_sentences(overrides: dict[str, Any], message: str) -> None:
    with pytest.raises(BalanceError) as refused:
        with_overrides(from_game("market"), **overrides)
    assert message in refused.value.message.split("\n")


def test_an_override_may_make_a_variant_pointless(write: Write) -> None:
    experiment = read_experiment(write(HEAD + '[[variants]]\nname = "a"\nrules = { swaps = 0 }'))
    with pytest.raises(BalanceError) as refused:
        with_overrides(experiment, rules={"swaps": 0})
    assert refused.value.message == 'The variant "a" changes nothing: its rules are the baseline\'s.'


def test_reading_experiments_imports_nothing_heavy() -> None:
    modules = "config, settings, template, schema, toml_source"
    heavy = "'numba', 'polars', 'plotly', 'scipy', 'typer'"
    check = f"print([name for name in ({heavy}) if name in sys.modules])"
    code = f"import sys; from balance.experiment import {modules}; {check}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
