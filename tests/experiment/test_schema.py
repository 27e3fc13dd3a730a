from __future__ import annotations

import json
from typing import Any

import pytest

from balance.experiment.checks import faults_of
from balance.experiment.schema import experiment_schema

TABLES = {"Experiment": experiment_schema(), **experiment_schema()["$defs"]}


def test_the_schema_is_json_of_the_2020_dialect() -> None:
    schema = experiment_schema()
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert json.loads(json.dumps(schema)) == schema
    assert schema == experiment_schema()


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_every_table_knows_its_keys_and_explains_them(table: dict[str, Any]) -> None:
    assert table["additionalProperties"] is False
    assert table["description"].endswith(".")
    for entry in table["properties"].values():
        assert "title" not in entry
        assert "$ref" in entry or entry["description"].endswith(".")


def test_only_the_version_and_the_game_must_be_given() -> None:
    assert experiment_schema()["required"] == ["schema_version", "game"]
    assert TABLES["Variant"]["required"] == ["name"]
    assert TABLES["Gate"]["required"] == ["metric"]
    assert all("required" not in TABLES[name] for name in ("Run", "Lineup"))


def test_defaults_are_shown_where_they_do_not_depend_on_the_game() -> None:
    defaults = {
        (name, key): entry["default"]
        for name, table in TABLES.items()
        for key, entry in table["properties"].items()
        if "default" in entry
    }
    assert defaults == {
        ("Run", "games"): 100_000,
        ("Run", "seed"): 1,
        ("Run", "confidence"): 0.95,
        ("Gate", "level"): "error",
    }


def test_limits_of_gates_are_numbers_or_text() -> None:
    for name in ("min", "max", "target", "band"):
        assert TABLES["Gate"]["properties"][name]["type"] == ["number", "string"]


def test_rules_hold_numbers_switches_and_words() -> None:
    values = {"type": ["number", "boolean", "string", "array"]}
    assert experiment_schema()["properties"]["rules"]["additionalProperties"] == values
    assert TABLES["Variant"]["properties"]["rules"]["additionalProperties"] == values


@pytest.mark.parametrize("key", ["games", "seed", "confidence"])
def test_the_schema_has_the_limits_that_the_reader_has(key: str) -> None:
    entry = TABLES["Run"]["properties"][key]
    step = 1 if entry["type"] == "integer" else 1e-9

    def accepted(value: float) -> bool:
        return not faults_of({"schema_version": 1, "game": "market", "run": {key: value}})

    assert accepted(entry["minimum"])
    assert accepted(entry["maximum"])
    assert not accepted(entry["minimum"] - step)
    assert not accepted(entry["maximum"] + step)
