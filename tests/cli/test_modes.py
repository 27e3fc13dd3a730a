"""Modes and decks on the command line: run, replay, find, players, rules, games, bench and init."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from .commands import Ended

Command = Callable[..., Ended]
TESTS = Path(__file__).parents[1]
SUMMIT = "experiment.summit:GAME"
NOTE = "PLACEHOLDER DECK: these cards are not those of the mountain."


@pytest.fixture(autouse=True)
def _importable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path, str(TESTS)])


@pytest.fixture
def decks(here: Path) -> Path:
    """The folder `d` with a deck of two cards."""
    (here / "d").mkdir()
    (here / "d/cards.csv").write_text("id,steps\nmud,1\nlift,3\n")
    return here / "d"


def test_a_run_in_several_modes(balance: Command, here: Path) -> None:
    done = balance("run", SUMMIT, "--mode", "alone,pairs", "--games", 2000, "--out", "r")
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[:4] == ["Summit", "", NOTE, ""]
    assert lines[4].startswith("With 1 player (alone), the goal is reached in ")
    assert "there are no seats to compare" not in done.out
    assert "          goal reached" in done.out
    assert "  The goal: Reach the top in time." in lines
    assert "  a goal of  reached in " in done.out
    assert "  seats 1 and 3     " in done.out
    assert "teams lie within the tolerance band of 3 pp" in done.out.replace("\n  ", " ")
    assert "of the games (baseline, 4 players (pairs))" in done.out.replace("\n  ", " ")
    assert "  Ended at the cap: " in done.out
    assert "Stopped at the limit" not in done.out
    names = {path.name for path in (here / "r/games").iterdir()}
    assert names == {"baseline-p1-alone", "baseline-p4-pairs", "baseline-p6-pairs"}
    assert {path.name for path in (here / "r/tables").iterdir()} >= {"teams.csv", "goals.csv"}
    page = (here / "r/report.html").read_text()
    assert page.count(NOTE) >= 2, "at the top and where the numbers come from"


def test_json_alone_on_standard_output(balance: Command) -> None:
    done = balance(
        "run", SUMMIT, "--mode", "pairs", "--players", 4, "--games", 60, "--format", "json", "--out", "r"
    )
    found = json.loads(done.out)
    assert [(cell["name"], cell["mode"]) for cell in found["cells"]] == [("baseline-p4-pairs", "pairs")]
    assert found["deck"]["note"] == NOTE


def test_a_run_with_another_deck_is_replayed_with_it(balance: Command, decks: Path) -> None:
    assert balance("run", SUMMIT, "--players", 1, "--deck", "d", "--games", 60, "--out", "r").code == 0
    before = balance("replay", "r", "--game", 3)
    (decks / "cards.csv").write_text("id,steps\nmud,9\nlift,9\n")
    assert balance("replay", "r", "--game", 3) == before
    assert "score_0 = 18" in balance("replay", SUMMIT, "--players", 1, "--deck", "d", "--game", 3).out
    refused = balance("run", SUMMIT, "--players", 1, "--deck", "d", "--games", 60, "--out", "r")
    assert refused.faults == [
        'error: The folder r holds a different experiment ("Summit"). Nothing was changed.'
    ]


def test_a_game_is_replayed_in_a_mode(balance: Command) -> None:
    done = balance("replay", SUMMIT, "--players", 4, "--mode", "pairs", "--game", 0)
    numbers = dict(line.split(" = ") for line in done.out.splitlines())
    assert numbers["score_0"] == numbers["score_2"]
    usual = balance("replay", SUMMIT, "--players", 4, "--game", 0)
    assert usual.out != done.out


def test_margins_are_found_between_teams(balance: Command) -> None:
    balance("run", SUMMIT, "--players", 4, "--mode", "pairs", "--games", 600, "--out", "r")
    done = balance("find", "r", "score_margin >= 2", "-n", "100000", "--format", "json")
    games = json.loads(done.out)["games"]
    assert games
    results = json.loads(Path("r/results.json").read_text())["cells"][0]["measures"]["score_margin"]
    counts = dict(zip(results["histogram"]["values"], results["histogram"]["counts"], strict=True))
    assert len(games) == sum(count for value, count in counts.items() if value >= 2)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["run", "animalia", "--mode", "solo"], "Animalia has no modes."),
        (["run", "animalia", "--deck", "d"], "Animalia has no deck to be chosen."),
        (
            ["run", SUMMIT, "--mode", "pair"],
            'Summit has no mode "pair". Did you mean "pairs"? Its modes: alone, free and pairs.',
        ),
        (
            ["run", SUMMIT, "--mode", "pairs", "--players", "3"],
            'The mode "pairs" is for 4 or 6 players, but this experiment has games of 3.',
        ),
        (["run", SUMMIT, "--mode", "free,free"], "--mode lists free twice."),
        (
            ["run", SUMMIT, "--mode", ","],
            '--mode takes names with commas between them, such as solo,team, not ",".',
        ),
        (["run", SUMMIT, "--deck", ""], '--deck takes a folder, not "".'),
        (["run", SUMMIT, "--deck", "nowhere"], "The folder of the deck, nowhere, is not there."),
        (["run", SUMMIT, "--set", "mode=free"], "The mode is no rule; use --mode."),
        (["run", SUMMIT, "--set", "deck=d"], "The deck is no rule; use --deck."),
        (["run", SUMMIT, "--set", "players=2"], "The number of players is no rule; use --players."),
        (["run", SUMMIT, "--set", "luck=2"], '"luck" must be a number from 0 to 1, not 2.'),
        (["run", SUMMIT, "--players", "5"], '5 players need "crowd".'),
        (
            ["replay", SUMMIT, "--game", "0", "--mode", "none"],
            'Summit has no mode "none". Did you mean "alone"?',
        ),
        (["replay", SUMMIT, "--game", "0", "--deck", "d"], "The folder of the deck, d, is not there."),
        (["bench", SUMMIT, "--mode", "pair"], 'Summit has no mode "pair". Did you mean "pairs"?'),
        (["players", SUMMIT, "--mode", "pair"], 'Summit has no mode "pair". Did you mean "pairs"?'),
        (["players", "animalia", "--mode", "pair"], "Animalia has no modes."),
        (["players", "animalia", "--deck", "d"], "Animalia has no deck to be chosen."),
        (
            ["players", "kennelmester", "--by-seat", "--mode", "solo"],
            'Kennelmester in the mode "solo" is for one player; --by-seat needs a table of two or more.',
        ),
        (
            ["players", SUMMIT, "--mode", "alone,pairs"],
            "Types of players are compared in one mode, not in alone and pairs.",
        ),
        (
            ["players", SUMMIT, "--mode", "pairs", "--players", "3"],
            'Types of players of Summit in the mode "pairs" meet at tables of 4 and 6, not 3.',
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_cannot_be_is_one_sentence(balance: Command, arguments: list[str], sentence: str) -> None:
    done = balance(*arguments)
    assert done.code == 2
    (fault,) = done.faults
    assert fault.startswith(f"error: {sentence}")
    assert not done.out


def test_a_finished_run_has_its_modes_and_deck(balance: Command) -> None:
    balance("run", SUMMIT, "--players", 1, "--games", 60, "--out", "r")
    for option in (["--mode", "alone"], ["--deck", "d"]):
        (fault,) = balance("replay", "r", "--game", 0, *option).faults
        assert fault.startswith("error: A run has its rules, players, policies and seed")


def test_types_of_players_meet_in_a_mode_and_with_a_deck(balance: Command, decks: Path) -> None:
    assert decks.is_dir()
    done = balance("players", SUMMIT, "--mode", "free", "--games", 400)
    assert done.out.startswith(f"{NOTE}\n\nSummit, 4 players (free): one player of each type among 3 players")
    facts = json.loads(balance("players", SUMMIT, "--mode", "free", "--games", 40, "--format", "json").out)
    assert (facts["players"], facts["mode"], facts["deck_note"]) == (4, "free", NOTE)
    assert (facts["even"], "teams" in facts) == (0.25, False)
    assert "PLACEHOLDER" not in balance("players", SUMMIT, "--deck", "d", "--games", 40).out


def test_teams_of_a_type_meet_teams_of_another(balance: Command) -> None:
    pairs = ("players", SUMMIT, "--mode", "pairs", "--games", 400)
    done = balance(*pairs)
    assert "(pairs): one team of each type among 1 team of another" in done.out.replace("\n  ", " ")
    facts = json.loads(balance(*pairs, "--format", "json").out)
    assert (facts["players"], facts["teams"], facts["even"]) == (4, 2, 0.5)
    (found,) = [one["win_share"]["climber"] for one in facts["types"] if one["policy"] == "any"]
    lineup = ("--policies", "any,climber,any,climber", "--players", 4, "--games", 400)
    run = json.loads(balance("run", SUMMIT, "--mode", "pairs", *lineup, "--format", "json").out)
    side = run["cells"][0]["sides"][0]
    assert side["policy"] == "any"
    assert found == side["share_of_wins"]
    assert found["high"] < 0.5


def test_teams_sit_in_every_seat_in_several_modes(balance: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("balance.experiment.contests.FLOOR", "any")
    everywhere = ("players", SUMMIT, "--by-seat", "--mode", "free,pairs", "--games", 60)
    facts = json.loads(balance(*everywhere, "--format", "json").out)
    tables = [table for one in facts["types"] if one["policy"] == "climber" for table in one["tables"]]
    assert [(table["mode"], table["players"], len(table["seats"])) for table in tables] == [
        ("free", 2, 2),
        ("free", 3, 3),
        ("free", 4, 4),
        ("pairs", 4, 2),
        ("pairs", 6, 3),
    ]
    for table in tables:
        mean = sum(share["value"] for share in table["seats"]) / len(table["seats"])
        assert table["win_share"]["value"] == pytest.approx(mean)
        assert all(share["high"] <= 1 for share in table["seats"])
    assert "  6 players (pairs), team 3  " in balance(*everywhere).out
    lines = balance(*everywhere, "--format", "markdown").out.splitlines()
    assert "one player of a type, or one team, in each seat among any players" in lines[2]
    assert lines[4].endswith("| seat 1 or team 1 | seat 2 or team 2 | seat 3 or team 3 | seat 4 or team 4 |")
    assert {line.count("|") for line in lines[4:]} == {8}


def test_a_type_of_player_alone_is_measured_by_the_goal(balance: Command) -> None:
    alone = ("players", SUMMIT, "--mode", "alone", "--games", 400)
    facts = json.loads(balance(*alone, "--format", "json").out)
    assert (facts["schema"], facts["players"], facts["goal"]) == (
        "balance.players-alone/1",
        1,
        "Reach the top in time.",
    )
    run = ("run", SUMMIT, "--mode", "alone", "--games", 400, "--format", "json")
    for one in facts["types"]:
        cell = json.loads(balance(*run, "--policies", one["policy"], "--out", one["policy"]).out)["cells"][0]
        assert one["goal_rate"] == cell["measures"]["goal_rate"]["mean"]
        assert one["score"] == cell["seats"][0]["score"]["mean"]
        assert (
            one["goal_rate"]["low"] < one["goal_rate"]["value"] < one["goal_rate"]["high"]
            or one["policy"] == "climber"
        )
    lines = balance(*alone).out.splitlines()
    assert max(map(len, lines)) <= 80
    assert "each type alone, in 400 games. How often the goal is reached" in " ".join(" ".join(lines).split())
    assert [" ".join(line.split()) for line in lines if line.endswith("interval")] == [
        "goal reached interval mean score interval"
    ]
    table = balance(*alone, "--format", "markdown").out.splitlines()
    assert table[4] == "| type of player | goal reached | mean score |"
    assert {line.count("|") for line in table[4:]} == {4}


def test_rules_and_games_tell_the_modes(balance: Command) -> None:
    lines = balance("rules", SUMMIT).out.splitlines()
    assert lines[:6] == [
        "Rules of Summit (change one with --set RULE=VALUE)",
        "--mode alone: Alone, 1 player. Reach the top in time.",
        "--mode free: Each for himself, 2, 3, 4 and 5 players.",
        "--mode pairs: In pairs, 4 and 6 players.",
        "Another deck is played with by --deck FOLDER.",
        NOTE,
    ]
    rules = json.loads(balance("rules", SUMMIT, "--format", "json").out)
    assert [rule["rule"] for rule in rules] == ["rounds", "target", "luck", "crowd"]
    assert rules[2] == {
        "rule": "luck",
        "official": 0.5,
        "allowed": "a number from 0 to 1",
        "meaning": "The chance of the better card.",
    }
    plain = balance("rules", "animalia").out
    assert plain.startswith("Rules of Animalia (change one with --set RULE=VALUE)\n\n")
    assert "modes" not in json.loads(balance("games", "--format", "json").out)[0]


def test_a_file_to_start_from_is_played(balance: Command) -> None:
    assert balance("init", SUMMIT, ".").code == 0
    done = balance("run", "my-summit.toml", "--games", 60, "--format", "json", "--out", "r")
    assert [cell["name"] for cell in json.loads(done.out)["cells"]] == [
        f"baseline-{name}" for name in ("p1-alone", "p2-free", "p3-free", "p4-free", "p6-pairs")
    ]
    schema = json.loads(balance("schema").out)["properties"]
    assert schema["modes"]["items"] == {"type": "string"}
    assert schema["deck"]["type"] == "string"
