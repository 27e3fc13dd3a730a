"""The experiments that come along: each runs, and shows all that its game counts."""

from __future__ import annotations

import csv
import html
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from balance import registry
from balance.experiment.config import cells, read_experiment

from .commands import Ended

Command = Callable[..., Ended]
CONFIGS = sorted((Path(__file__).parents[2] / "configs").glob("*.toml"))


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.name)
def test_it_runs_and_shows_every_measure(balance: Command, here: Path, path: Path) -> None:
    """Each cell is played and none is void; what is counted stands in the terminal, the tables and the page."""
    experiment = read_experiment(path)
    game = registry.load(experiment.game)
    ended = balance("run", path, "--games", 20, "--no-rows", "--out", "r")
    assert ended.code == 0, ended.err
    results = json.loads((here / "r" / "results.json").read_text("utf-8"))
    played = [(cell["variant"], cell["players"]) for cell in results["cells"]]
    assert played == [(cell.variant, cell.players) for cell in cells(experiment, game)]
    assert {cell["void"] for cell in results["cells"]} == {0}
    assert "error" not in ended.err
    page = html.unescape((here / "r" / "report.html").read_text("utf-8"))
    tabled = {
        row["metric"]
        for table in (here / "r" / "tables").glob("*.csv")
        for row in csv.DictReader(table.read_text("utf-8").splitlines())
    }
    assert {measure.id for measure in game.measures} <= tabled
    shown = " ".join(ended.out.split())
    assert [each.title for each in game.measures if each.title not in shown or each.title not in page] == []


OFFICIAL = {2: "three removed", 3: "two removed", 4: "one removed", 5: "none removed"}
AS_LONG = {
    2: ("two removed, end stack of 26", 1),
    3: ("one removed, end stack of 26", 1),
    4: ("none removed, end stack of 26", 1),
    5: ("one removed, end stack of 4", -1),
}
"""By number of players: the variant that is as long as the official game, and how many species it has more."""


def test_the_species_of_zooloretto_are_compared_as_its_file_says() -> None:
    experiment = read_experiment(CONFIGS[0].parent / "zooloretto.toml")
    rules = {
        (cell.variant, cell.players): cell.rules.model_dump()
        for cell in cells(experiment, registry.load("zooloretto"))
    }
    for players, name in OFFICIAL.items():
        same = [count for count in OFFICIAL if rules[name, count] == rules["baseline", count]]
        assert same == [players]
    for players, (name, more) in AS_LONG.items():
        species, tiles = in_play(rules[name, players])
        official = in_play(rules["baseline", players])
        assert (species - more, tiles) == official


def in_play(rules: dict[str, Any]) -> tuple[int, int]:
    """Species, and tiles drawn before the end stack; tiles that all games have are left out."""
    species = rules["species_in_box"] - rules["species_removed"]
    return species, species * rules["animals_per_species"] - rules["end_stack"]
