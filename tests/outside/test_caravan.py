"""A game that was written from the README alone goes all the way: checked, played, reported, found, replayed."""

from __future__ import annotations

import ast
import json
import shlex
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import polars
import pytest
from cli.commands import Ended, files_in, in_process, own_process

from balance import registry
from balance.conformance import check

HERE = Path(__file__).parent
SOURCE = (HERE / "caravan.py").read_text("utf-8")
GAMES = 60
Command = Callable[..., Ended]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder of the game, its experiment and its policy file, with a finished run in it."""
    folder = tmp_path_factory.mktemp("caravan")
    for name in ("caravan.py", "prices.toml", "cutter.toml"):
        shutil.copy(HERE / name, folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        ended = in_process(patch, "run", "prices.toml", "--games", str(GAMES), "--out", "r")
    assert ended.code == 0, ended.err
    assert ended.out.startswith("Caravan prices\n")
    yield folder
    sys.modules.pop("caravan", None)


@pytest.fixture
def balance(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    """A command in that folder, which succeeds."""
    monkeypatch.chdir(folder)

    def command(*arguments: str) -> Ended:
        with monkeypatch.context() as patch:
            ended = in_process(patch, *arguments)
        assert ended.code == 0, f"{arguments}\n{ended.out}\n{ended.err}"
        return ended

    return command


@pytest.fixture
def cells(folder: Path) -> dict[tuple[str, int], Any]:
    """The results of the run, by variant and number of players."""
    results = json.loads((folder / "r" / "results.json").read_text("utf-8"))
    return {(cell["variant"], cell["players"]): cell for cell in results["cells"]}


def traced(balance: Command, *which: str) -> list[dict[str, Any]]:
    """The trace of one game."""
    return [json.loads(line) for line in balance("replay", *which, "--format", "jsonl").out.splitlines()]


def scores_in(events: list[dict[str, Any]]) -> list[int]:
    """The scores as they add up from sale to sale, less the cards that are left."""
    scores = [0] * len(events[0]["policies"])
    for event in events[1:-1]:
        gain = {"sell": 1, "waste": -1}.get(event["event"], 0)
        scores[event["player"]] += gain * event["points"]
    return scores


# ---------------------------------------------------------------- the check


def test_it_stands_outside_of_the_package() -> None:
    nodes = list(ast.walk(ast.parse(SOURCE)))
    modules = {node.module for node in nodes if isinstance(node, ast.ImportFrom)}
    modules |= {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    assert modules == {"typing", "numpy", "pydantic", "balance.engine", "balance.game"}


@pytest.mark.compiler
def test_nothing_is_wrong_with_it(balance: Command) -> None:
    checked = balance("conform", "caravan:GAME", "--games", "100")
    assert checked.out.endswith("Caravan: Nothing is wrong with it.\n")


FAULTS = {
    "a look at hidden cards": ("* state.shown[other", "* state.hand[other", "what it cannot see"),
    "a switch without effect": ("* params.waste * state.over", "* state.over", '"waste" is read by no'),
    "too few options": ("actions=CODES", "actions=CODES - 7", "must be 2 to 6"),
    "too few turns": ("turns=SEATS * ROUNDS", "turns=ROUNDS", 'more than the bound "turns"'),
    "a measure nobody writes": ("row.sales[seat] = state.sales[seat]", "pass", "ever wrote seat 0 of sales"),
}
"""What stands in the game, what is put in its place, and words of what is found."""


@pytest.mark.parametrize(("right", "wrong", "says"), FAULTS.values(), ids=FAULTS)
def test_a_fault_in_it_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, right: str, wrong: str, says: str
) -> None:
    assert right in SOURCE
    (tmp_path / "faulty_caravan.py").write_text(SOURCE.replace(right, wrong, 1), "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    try:
        found = check(registry.load("faulty_caravan:GAME"), 1)
    finally:
        sys.modules.pop("faulty_caravan", None)
    assert any(says in violation.sentence for violation in found), found


# ---------------------------------------------------------------- its numbers


def test_every_cell_was_played(cells: dict[tuple[str, int], Any]) -> None:
    assert set(cells) == {(name, n) for name in ("baseline", "steady", "jade too") for n in (2, 3, 4)}
    for (_, players), cell in cells.items():
        assert cell["games"] == GAMES  # so many already are whole blocks of 2, 3 and 4
        assert {side["policy"] for side in cell["sides"]} == {"trader", "cutter"}
        shares = [seat["win_share"]["value"] for seat in cell["seats"]]
        assert len(shares) == players
        assert sum(shares) == pytest.approx(1)


def test_the_variants_do_what_they_say(cells: dict[tuple[str, int], Any]) -> None:
    for (variant, _), cell in cells.items():
        crashed = cell["measures"]["crashed"]["mean"]["value"]
        assert (crashed == 0) == (variant == "steady")  # prices never fall
        offered = {item["item"]: item["offered"]["total"] for item in cell["measures"]["goods"]["items"]}
        assert (offered["jade"] > 0) == (variant == "jade too")  # a sixth good
        assert min(offered[good] for good in ("silk", "salt", "tea", "spice", "amber")) > 0


def test_the_report_can_be_written_again(balance: Command, folder: Path) -> None:
    page = folder / "r" / "report.html"
    before = page.read_bytes()
    text = before.decode("utf-8")
    for words in ("Caravan prices", "Crashed prices", "Sales", "steady", "jade too", "cutter"):
        assert words in text
    page.unlink()
    assert balance("report", "r").out == f"{Path('r') / 'report.html'}\n"
    assert page.read_bytes() == before


def test_the_same_run_again_plays_nothing(balance: Command, folder: Path) -> None:
    rows = {name: data for name, data in files_in(folder / "r").items() if name.endswith(".parquet")}
    assert len(rows) == 9
    balance("run", "prices.toml", "--games", str(GAMES), "--out", "r")
    assert {name: data for name, data in files_in(folder / "r").items() if name in rows} == rows


# ---------------------------------------------------------------- its games


def test_the_most_extreme_game_is_found_and_replayed(balance: Command, folder: Path) -> None:
    found = json.loads(balance("find", "r", "--top", "sales_0", "-n", "1", "--format", "json").out)
    (hit,) = found["games"]
    rows = polars.concat(
        [polars.read_parquet(part)["sales_0"] for part in folder.glob("r/games/*/*.parquet")]
    )
    assert rows.len() == found["searched"] == 9 * GAMES
    assert hit["values"] == {"sales_0": rows.max()}
    events = traced(balance, *shlex.split(hit["replay"])[2:])
    sales = [event for event in events if event["event"] == "sell" and event["player"] == 0]
    assert len(sales) == rows.max()


def test_every_trace_adds_up_to_the_row(balance: Command, folder: Path) -> None:
    for cell in ("baseline-p3", "steady-p4", "jade-too-p2"):
        (part,) = (folder / "r" / "games" / cell).glob("*.parquet")
        row = polars.read_parquet(part).row(17, named=True)
        events = traced(balance, "r", "--cell", cell, "--game", "17")
        assert events[0]["number"] == row["game"] == 17
        scores = [value for name, value in row.items() if name.startswith("score_")]
        assert scores_in(events) == events[-1]["scores"] == scores
        assert events[0]["policies"] == [value for name, value in row.items() if name.startswith("policy_")]
        assert ("waste" in {event["event"] for event in events}) == (cell != "jade-too-p2")


def test_the_log_is_in_its_own_words(balance: Command) -> None:
    which = ("caravan:GAME", "--players", "3", "--policies", "hasty", "--game", "5")
    log = balance("replay", *which).out.splitlines()
    assert log[0] == "Caravan, game 5, played by hasty, hasty, hasty"
    assert log[1].startswith("Round 1, player 1 ")
    assert len(log) == len(traced(balance, *which))
    assert any("sells all" in line for line in log)
    assert log[-1] == f"Points: {traced(balance, *which)[-1]['scores']}"


# ---------------------------------------------------------------- its players, and its name


def test_a_policy_file_plays_beside_its_policies(balance: Command) -> None:
    told = balance("players", "caravan:GAME", "cutter.toml", "--games", "60", "--players", "3").out
    for name in ("trader", "hasty", "random", "cutter"):
        assert f"\n  {name} " in told
    changed = "cutter: As trader, but temperature = 2 (not 8), rush = 12 (not 5) and patience = 9 (not 12)."
    assert changed in " ".join(told.split())


def test_installed_it_is_a_name_like_any_other(tmp_path: Path) -> None:
    shutil.copy(HERE / "caravan.py", tmp_path)
    facts = tmp_path / "caravan_game-1.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Name: caravan-game\nVersion: 1.0\n")
    (facts / "entry_points.txt").write_text("[balance.games.v1]\ncaravan = caravan:GAME\n")
    listed = own_process(facts, "games", env={"PYTHONPATH": str(tmp_path)})
    assert listed.code == 0, listed.err
    assert "\ncaravan: Caravan, 2 to 4 players\n" in listed.out
