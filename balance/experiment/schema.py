"""The JSON Schema of the experiment file, from which editors complete keys and mark mistakes."""

from __future__ import annotations

from typing import Any

from balance.experiment.models import ExperimentFile

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def experiment_schema() -> dict[str, Any]:
    """The schema of an experiment file, made from the models that read it."""
    schema = ExperimentFile.model_json_schema()
    tables = [schema, *schema["$defs"].values()]
    for table in tables:
        for entry in table["properties"].values():
            _tidy(entry)
    return {"$schema": DIALECT, **schema, "title": "Experiment file of balance"}


def _tidy(entry: dict[str, Any]) -> None:
    """Leave out what misleads an editor: titles made from names, empty defaults that stand for the game's."""
    entry.pop("title", None)
    if entry.get("default", 0) in ("", [], {}, None) or isinstance(entry.get("default"), dict):
        entry.pop("default")
