"""A real game, compiled: what holds for the dice race holds for it."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from balance.analysis import results, tables
from balance.experiment import config
from balance.experiment.config import Experiment, Variant
from balance.experiment.events import Finished
from balance.experiment.files import as_json
from balance.experiment.runner import Options, run


@pytest.fixture
def experiment() -> Experiment:
    plain = config.with_overrides(config.from_game("animalia"), players=(3, 5), games=900, seed=7)
    return plain.model_copy(update={"variants": (Variant(name="no owl", rules={"owl": False}),)})


def finished(experiment: Experiment, folder: Path, threads: int) -> tuple[dict[str, bytes], dict[str, Any]]:
    for event in run(experiment, folder, threads, Options(part_games=300)):
        if isinstance(event, Finished):
            found = results(event.outcome)
            files = {str(part.relative_to(folder)): part.read_bytes() for part in folder.rglob("*.parquet")}
            return files, found
    raise AssertionError


def test_the_number_of_threads_changes_nothing(tmp_path: Path, experiment: Experiment):
    files, found = finished(experiment, tmp_path / "1", 1)
    more_files, more_found = finished(experiment, tmp_path / "3", 3)
    assert files == more_files
    assert as_json(found) == as_json(more_found)
    assert len(files) == 2 * 2 * 3


def test_results_of_policies_that_rotate(tmp_path: Path, experiment: Experiment):
    mixed = config.with_overrides(experiment, policies=("greedy", "random"))
    _, found = finished(mixed, tmp_path, 2)
    for cell in found["cells"]:
        greedy, random = cell["sides"]
        assert greedy["win_share"]["low"] > 1 / cell["players"] > random["win_share"]["high"]
        assert math.isclose(sum(seat["win_share"]["value"] for seat in cell["seats"]), 1)
        assert cell["measures"]["standing"]["rounds"] == [1, 2, 3]
        offered = {item["item"]: item["offered"]["total"] for item in cell["measures"]["cards"]["items"]}
        assert ("owl" in offered) == (cell["variant"] == "baseline")  # the variant leaves it out
        assert min(offered.values()) > 0
    assert all(text.count("\n") > 1 for text in tables(found).values())
