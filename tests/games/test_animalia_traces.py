"""Replays are the games of the compiled loop; logs stay as they are unless the rules' version changes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from naive.animalia import check_trace

from balance.engine.playing import columns
from balance.experiment.replay import Replayer, replay
from balance.game import Policy
from balance.games.animalia import GAME
from balance.games.animalia.params import AnimaliaParams
from balance.narration import WIDTH

from .conftest import Play
from .rule_sets import corners, rule_sets

TRANSCRIPTS = Path(__file__).parent / "transcripts"
RANDOM, GREEDY = GAME.policy("random"), GAME.policy("greedy")


def line_up(players: int, *policies: Policy) -> list[Policy]:
    return list((policies * players)[:players])


# ---------------------------------------------------------------- the same games as the compiled loop's

CASES = [
    (AnimaliaParams.resolve(players), who)
    for players in range(2, 7)
    for who in ((RANDOM,), (GREEDY,), (RANDOM, GREEDY))
]
CASES += [(params, (RANDOM, GREEDY, GREEDY)[at % 3 :]) for at, params in enumerate(rule_sets())]


@pytest.mark.parametrize("case", range(len(CASES)))
def test_replays_have_the_rows_of_the_loop(play: Play, case: int) -> None:
    """Hundreds of games: all numbers of players, line-ups that rotate, every parameter at its bounds."""
    params, policies = CASES[case]
    who = line_up(params.players, *policies)
    rotations = params.players if len(policies) > 1 else 1
    games, seed = 2 * max(rotations, 2), 2**63 + case
    rows = play(params, who, games, seed=seed, rotations=rotations)
    replayer = Replayer(GAME, params, who, rotations)
    names = columns(GAME, params.players)
    for number in range(games):
        replayed = replayer.play(seed, number)
        assert replayed.row == dict(zip(names, rows[:, number].tolist(), strict=True))


def test_a_game_far_into_the_run(play: Play) -> None:
    params, who = AnimaliaParams.resolve(4), line_up(4, RANDOM, GREEDY)
    first = 4 * 25_000_000
    rows = play(params, who, 4, seed=7, first=first, rotations=4)
    for at in range(4):
        row = replay(GAME, params, who, 4, 7, first + at).row
        assert list(row.values()) == rows[:, at].tolist()


def test_the_header_names_policies_by_seat_and_keeps_the_seed_of_the_run() -> None:
    params = AnimaliaParams.resolve(3, {"owl": False})
    for rotation in range(3):
        header = replay(GAME, params, [GREEDY, RANDOM, RANDOM], 3, 2**64 - 1, 30 + rotation).events[0]
        assert header["policies"] == [
            ("greedy", "random", "random")[(seat + rotation) % 3] for seat in range(3)
        ]
        assert (header["game_index"], header["seed"]) == (30 + rotation, str(2**64 - 1))
        assert header["rules"] == params.model_dump()
        assert next(iter(header["rules"])) == "players"


def test_a_game_without_a_tracer_has_a_row_and_no_events() -> None:
    from dataclasses import replace

    bare = replace(GAME, tracer=None)
    params, who = AnimaliaParams.resolve(3), line_up(3, RANDOM)
    told, silent = replay(GAME, params, who, 1, 5, 0), replay(bare, params, who, 1, 5, 0)
    assert (silent.events, silent.row) == ([], told.row)


def test_replaying_needs_no_compiler() -> None:
    code = (
        "import sys; from balance.experiment.replay import replay; from balance.games.animalia import GAME; "
        "params = GAME.Params.resolve(3); replay(GAME, params, [GAME.policies[0]] * 3, 1, 1, 0); "
        "sys.exit('numba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# ---------------------------------------------------------------- golden transcripts

GOLDEN: dict[str, tuple[int, dict[str, Any], tuple[Policy, ...], int]] = {
    "two-players": (2, {}, (RANDOM,), 1),
    "three-players": (3, {}, (RANDOM,), 2),
    "four-players": (4, {}, (RANDOM,), 3),
    "five-players": (5, {}, (RANDOM,), 4),
    "six-players": (6, {}, (RANDOM,), 5),
    "neutral-cards-in": (4, {"remove_neutral": False}, (RANDOM,), 3),
    "powers-all-the-time": (
        3,
        {
            "power_pair_requirement": 1,
            "power_activations": "once_per_card",
            "deck_bottom_return_cap": 3,
            "seasons": 2,
        },
        (RANDOM,),
        6,
    ),
    "no-carrying-over": (
        3,
        {
            "bonus_carry": False,
            "elegance_unit": "player_sum",
            "collections_per_player": 2,
            "tiebreak": "none",
            "season_dealer": "rotate",
            "collection_size": 4,
            "copies_thief": 2,
        },
        (RANDOM,),
        7,
    ),
}


def transcript(name: str) -> list[str]:
    """The rules' version, then the log of one game."""
    players, overrides, policies, number = GOLDEN[name]
    params = AnimaliaParams.resolve(players, overrides)
    rotations = players if len(policies) > 1 else 1
    replayed = replay(GAME, params, line_up(players, *policies), rotations, 1, number)
    assert GAME.narrate is not None
    return [f"rules_version {GAME.rules_version}", *GAME.narrate(replayed.events)]


@pytest.mark.parametrize("name", GOLDEN)
def test_transcript_is_as_it_was(name: str, request: pytest.FixtureRequest) -> None:
    """Another game under the same rules' version is a failure, also when transcripts are written anew."""
    path, lines = TRANSCRIPTS / f"animalia-{name}.txt", transcript(name)
    before = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    if request.config.getoption("--update-transcripts") and before[:1] != lines[:1]:
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        before = lines
    assert before == lines, (
        "Another game. If the rules have changed, raise rules_version and run "
        "`pytest tests/games --update-transcripts`; "
        "if only a player or the wording of the log has changed, delete the file first."
    )


def test_there_is_no_other_transcript() -> None:
    assert {path.stem for path in TRANSCRIPTS.glob("animalia*")} == {f"animalia-{name}" for name in GOLDEN}


RULINGS = "4 13 18 19 22 24 28 31 37 42 44 46"


def test_logs_are_narrow_quote_rules_and_say_all_that_happens() -> None:
    """Every rule id that the log knows comes up under some rules."""
    quoted: set[str] = set()
    scarce = {"collection_size": 6, "power_pair_requirement": 1, "deck_bottom_return_cap": 1}
    more = [AnimaliaParams.resolve(players) for players in range(2, 7)]
    more += [
        AnimaliaParams.resolve(6, scarce),
        AnimaliaParams.resolve(3, {"five_different": False, "tiebreak": "none"}),
    ]
    for at, params in enumerate([*corners(), *more] * 15):
        events = replay(GAME, params, line_up(params.players, RANDOM), 1, 3, at).events
        assert GAME.narrate is not None
        lines = GAME.narrate(events)
        assert all(len(line) <= WIDTH for line in lines)
        assert len(lines) > len(events)
        text = "\n".join(lines)
        assert "\N{NO-BREAK SPACE}" not in text
        quoted |= {word for words in text.split("[")[1:] for word in words.split("]")[0].split(", ")}
    numbers = {"A": "4 9 10 11 12 14 15 21 22 23 24 25 26 27 28 29 30 31 32 33 34 37 40 41 48", "R": RULINGS}
    assert quoted == {f"{letter}-{number}" for letter, found in numbers.items() for number in found.split()}


def test_traces_of_odd_rules_pass_the_referee() -> None:
    for at, params in enumerate(rule_sets()[::10]):
        events = replay(GAME, params, line_up(params.players, GREEDY, RANDOM), params.players, 9, at).events
        assert check_trace(json.dumps(event) for event in events) == []


def test_a_second_place_behind_several_firsts_is_named_by_its_own_rule() -> None:
    """A-28: with several first places the rulebook has no second; rules that have one quote the same id."""
    params = AnimaliaParams.resolve(4, {"bonus_second_after_first_tie": 2})
    lines = [
        line
        for at in range(40)
        for line in GAME.narrate(replay(GAME, params, line_up(4, RANDOM), 1, 1, at).events)
    ]
    sentences = " ".join(" ".join(lines).split()).split("]")
    seconds = [sentence for sentence in sentences if "second and draws 2 bonus cards" in sentence]
    assert seconds
    assert all(sentence.endswith("[A-28") for sentence in seconds)
