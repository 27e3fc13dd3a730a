"""balance games, rules, init and schema: what there is, and a file to start from."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from balance import cli, registry
from balance.experiment.config import read_experiment
from balance.experiment.schema import experiment_schema

from .commands import Ended

Command = Callable[..., Ended]


def test_the_list_of_games(balance: Command) -> None:
    ended = balance("games")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith("animalia: Animalia, 2 to 6 players\n")
    for policy in registry.load("animalia").policies:
        assert f"  - {policy.id}: " in ended.out


def test_the_list_of_games_as_json(balance: Command) -> None:
    games = {game["id"]: game for game in json.loads(balance("games", "--format", "json").out)}
    game = games["animalia"]
    assert game["players"] == [2, 3, 4, 5, 6]
    assert [policy["id"] for policy in game["policies"]] == [
        *("random", "greedy", "beginner", "hoarder", "thief-happy", "star-chaser")
    ]


def test_the_list_of_rules_has_every_rule_with_its_official_value(balance: Command) -> None:
    ended = balance("rules", "animalia")
    assert (ended.code, ended.err) == (0, "")
    entries = [line for line in ended.out.splitlines() if " = " in line and not line.startswith(" ")]
    names = [line.split(" = ")[0] for line in entries]
    assert names == [name for name in registry.load("animalia").Params.model_fields if name != "players"]
    assert "remove_neutral = true with 2, 3 and 4 players, false with 5 and 6 players" in entries
    assert "owl = true" in entries
    assert "tiebreak = largest_family" in entries


def test_the_list_of_rules_as_json(balance: Command) -> None:
    rules = {
        entry["rule"]: entry for entry in json.loads(balance("rules", "animalia", "--format", "json").out)
    }
    assert rules["max_set_size"]["official"] == 3
    assert rules["max_set_size"]["allowed"] == "a whole number from 1 to 5"
    assert rules["remove_neutral"]["official"]["5"] is False
    assert all(entry["meaning"].endswith(".") for entry in rules.values())


@pytest.mark.parametrize(
    "command",
    [
        ("games",),
        ("rules", "animalia"),
        ("rules", "zooloretto"),
        ("rules", "kennelmester"),
        ("deck", "check", "--help"),
        ("--help",),
        ("run", "--help"),
    ],
)
@pytest.mark.parametrize("columns", ["80", "200"])
def test_no_line_is_wider_than_80(
    balance: Command, monkeypatch: pytest.MonkeyPatch, columns: str, command: tuple[str, ...]
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    ended = balance(*command)
    assert ended.code == 0
    assert [line for line in ended.out.splitlines() if len(line) > 80] == []


def test_the_help_of_every_command_is_whole(balance: Command) -> None:
    lines = balance("--help").out.split("Commands:\n")[1].splitlines()
    assert [line.split()[0] for line in lines] == [*cli._COMMANDS, "deck"]
    assert all(line.endswith(".") and "..." not in line for line in lines)


def test_a_file_to_start_from(balance: Command, here: Path) -> None:
    assert balance("init", "animalia") == Ended(
        0, "configs/my-animalia.toml\n", "Change it, then: balance run configs/my-animalia.toml\n"
    )
    assert read_experiment(here / "configs" / "my-animalia.toml").game == "animalia"
    assert balance("replay", "configs/my-animalia.toml", "--cell", "baseline-p4", "--game", 0).code == 0


def test_a_file_is_never_overwritten(balance: Command, here: Path) -> None:
    balance("init", "animalia", "my folder")
    path = here / "my folder" / "my-animalia.toml"
    path.write_text("mine")
    assert balance("init", "animalia", "my folder") == Ended(
        2,
        "",
        "error: my folder/my-animalia.toml is already there; nothing was changed.\n"
        "  Give another folder: balance init GAME DIR.\n",
    )
    assert path.read_text() == "mine"


def test_the_command_that_init_names_can_be_pasted(balance: Command) -> None:
    said = balance("init", "animalia", "my folder").err
    assert said == "Change it, then: balance run 'my folder/my-animalia.toml'\n"


def test_the_schema_is_json_on_standard_output(balance: Command) -> None:
    ended = balance("schema")
    assert (ended.code, ended.err) == (0, "")
    assert json.loads(ended.out) == experiment_schema()


@pytest.mark.parametrize("name", ["animalia", "quickstart", "zooloretto"])
def test_the_schema_knows_every_key_of_the_experiments_that_come_along(balance: Command, name: str) -> None:
    schema = json.loads(balance("schema").out)
    file = Path(__file__).parents[2] / "configs" / f"{name}.toml"
    assert list(unknown(tomllib.loads(file.read_text("utf-8")), schema, schema["$defs"])) == []
    assert list(unknown({"run": {"game": 1}}, schema, schema["$defs"])) == ["game"]


def unknown(data: Any, schema: dict[str, Any], tables: dict[str, Any]) -> Iterator[str]:
    """The keys that a schema does not know."""
    schema = tables[schema["$ref"].rsplit("/", 1)[1]] if "$ref" in schema else schema
    if isinstance(data, list):
        for item in data:
            yield from unknown(item, schema["items"], tables)
    elif isinstance(data, dict) and "properties" in schema:
        for key, value in data.items():
            known = schema["properties"].get(key)
            yield from unknown(value, known, tables) if known else [key]


def test_the_version(balance: Command) -> None:
    from balance import __version__

    assert balance("--version") == Ended(0, f"balance {__version__}\n", "")
    assert balance("-V") == balance("--version")
