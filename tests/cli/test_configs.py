"""The experiments that come along: each runs, and shows all that its game counts."""

from __future__ import annotations

import csv
import html
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from report.parsed import parse

from balance import registry
from balance.experiment.config import cells, read_experiment
from balance.report import answers

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
        row.get("metric")
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


def sizes_shown(here: Path, text: str) -> list[set[str]]:
    """The loads of trucks that the terminal, the table and the page show."""
    rows = csv.DictReader((here / "r" / "tables" / "counters.csv").read_text("utf-8").splitlines())
    tabled = {row["item"] for row in rows if row["metric"] == "trucks"}
    page = parse((here / "r" / "report.html").read_text("utf-8"))
    on_page = {row[0] for row in page.tables["Trucks by load: baseline, 4 players"][1:]}
    return [set(re.findall(r"^    ([1-5] tiles?) ", text, re.MULTILINE)), tabled, on_page]


def test_what_the_rules_leave_out_is_not_shown(balance: Command, here: Path) -> None:
    """By the rulebook a truck takes three tiles: there are no rows of zeros for four and five."""
    for capacity, most in ((3, 3), (2, 2), (5, 5)):
        change = ("--set", f"truck_capacity={capacity}", "--players", "4", "--games", "60")
        ended = balance("run", "zooloretto", *change, "--no-rows", "--out", "r")
        assert ended.code == 0, ended.err
        expected = {"1 tile", *(f"{size} tiles" for size in range(2, most + 1))}
        assert sizes_shown(here, ended.out) == [expected] * 3
        shutil.rmtree(here / "r")


def test_a_counter_of_which_all_is_left_out_has_no_table(balance: Command, here: Path) -> None:
    powers = [f"power_{name}=false" for name in ("thief", "spy", "trickster")]
    change = [word for power in powers for word in ("--set", power)]
    run = ("run", "animalia", "--players", "3", "--games", "60", "--no-rows", "--out", "r")
    usual = balance(*run).out
    shutil.rmtree(here / "r")
    without = balance(*run, *change).out
    assert "Powers, per game:" in usual
    assert "Powers, per game:" not in without
    captions = " ".join(parse((here / "r" / "report.html").read_text("utf-8")).tables)
    assert "Cards by kind: baseline, 3 players" in captions
    assert "Powers: baseline, 3 players" not in captions


SERIES = {
    "zooloretto.toml": ("species_removed", "rounds", [0, 1, 2, 3, 4], {2: 3, 3: 2, 4: 1, 5: 0}),
    "animalia.toml": (
        "remove_neutral",
        "turns",
        [False, True],
        {2: True, 3: True, 4: True, 5: False, 6: False},
    ),
}
"""What an experiment asks: the rule, what says how long its games last, the values, the rulebook's by players."""


@pytest.mark.parametrize("name", SERIES)
def test_the_experiment_answers_what_it_asks(balance: Command, here: Path, name: str) -> None:
    """At the end of the terminal's text and at the top of the page, at each number of players; nothing is idle."""
    rule, length, values, official = SERIES[name]
    ended = balance("run", CONFIGS[0].parent / name, "--games", 40, "--no-rows", "--out", "r")
    results = json.loads((here / "r" / "results.json").read_text("utf-8"))
    headline = results["series"][0]
    assert (headline["rule"], headline["official"]) == (rule, True)
    assert [table["players"] for table in headline["tables"]] == list(official)
    for table in headline["tables"]:
        assert [row["value"] for row in table["rows"]] == values
        assert [row["value"] for row in table["rows"] if row["baseline"]] == [official[table["players"]]]
        assert table["metrics"] == [length, "score", "score_margin"]
    page = html.unescape((here / "r" / "report.html").read_text("utf-8"))
    end = " ".join(ended.out.split(f'What does "{rule}" change?')[1].split())
    told = [answers.sentence(headline, table, results) for table in headline["tables"]]
    for sentence in told:
        assert sentence in end
        assert sentence.replace(" %", "\xa0%") in page
    assert page.index(told[-1]) < page.index("Does it matter where you sit?</h2>")
    assert all(one["changed"] or one["same_rules"] for one in results["comparisons"])


OWN = """\
schema_version = 1
game = "zooloretto"
players = [2]
rules = { enclosure_high = [9, 9, 9] }
[run]
games = 20
[[variants]]
name = "rising"
rules = { enclosure_high = [7, 9, 11] }
[[variants]]
name = "falling"
rules = { enclosure_high = [11, 9, 7] }
"""


def test_lists_are_values_too_and_a_baseline_of_one_s_own_is_not_called_the_rulebook_s(
    balance: Command, here: Path
) -> None:
    (here / "own.toml").write_text(OWN)
    ended = balance("run", "own.toml", "--no-rows", "--out", "r")
    told = " ".join(ended.out.split())
    assert "With 2 players the baseline sets enclosure_high to [9,9,9]. Set to [7,9,11], " in told
    assert ". Set to [11,9,7], " in told
    assert "[9,9,9] *" in told
    assert max(map(len, ended.out.splitlines()[:-1])) <= 80
    series = list(csv.DictReader((here / "r" / "tables" / "series.csv").read_text("utf-8").splitlines()))
    assert [row["setting"] for row in series if row["metric"] == "score" and row["statistic"] == "mean"] == [
        "[9, 9, 9]",
        "[7, 9, 11]",
        "[11, 9, 7]",
    ]


def in_play(rules: dict[str, Any]) -> tuple[int, int]:
    """Species, and tiles drawn before the end stack; tiles that all games have are left out."""
    species = rules["species_in_box"] - rules["species_removed"]
    return species, species * rules["animals_per_species"] - rules["end_stack"]
