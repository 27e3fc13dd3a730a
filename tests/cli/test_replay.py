"""balance replay and balance report: games and pages of what was played before."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import polars
import pytest

from .commands import QUICK, Ended, files_in, in_process

Command = Callable[..., Ended]
RACE = Path(__file__).parents[1] / "experiment" / "dice_race.py"
LIST = "The cells are: baseline-p2, without-owl-p2, baseline-p3, without-owl-p3."
TWO_BY_TWO = """\
schema_version = 1
game = "animalia"
players = [2, 3]
[run]
games = 60
seed = 3
[[variants]]
name = "without owl"
rules = { owl = false }
"""


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of two variants at two numbers of players, and the file it is made from."""
    folder = tmp_path_factory.mktemp("once")
    (folder / "e.toml").write_text(TWO_BY_TWO)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert in_process(patch, "run", "e.toml", "--out", "r").code == 0
    return folder


@pytest.fixture
def run(here: Path, once: Path) -> Path:
    """The folder of a run, as it was when it was finished."""
    shutil.copytree(once, here, dirs_exist_ok=True)
    return here / "r"


@pytest.mark.usefixtures("run")
def test_a_game_is_the_same_from_its_run_its_file_and_its_rules(balance: Command) -> None:
    cell = ("--cell", "without-owl-p3")
    told = balance("replay", "r", *cell, "--game", 7)
    assert told.code == 0
    assert told.out.startswith("Animalia, game 7 of seed 3\n")
    assert balance("replay", "e.toml", *cell, "--game", 7) == told
    by_hand = ("animalia", "--players", 3, "--seed", 3, "--set", "owl=false", "--game", 7)
    assert balance("replay", *by_hand) == told


@pytest.mark.usefixtures("run")
def test_a_range_of_games_tells_each(balance: Command) -> None:
    cell = ("--cell", "baseline-p2")
    one_by_one = [balance("replay", "r", *cell, "--game", number).out for number in range(57, 60)]
    assert balance("replay", "r", *cell, "--games", "57:60").out == "".join(one_by_one)


@pytest.mark.usefixtures("run")
def test_a_trace_is_json_lines_and_nothing_else(balance: Command) -> None:
    told = balance("replay", "r", "--cell", "baseline-p3", "--games", "0:2", "--format", "jsonl")
    events = [json.loads(line) for line in told.out.splitlines()]
    assert told == Ended(0, told.out, "")
    assert len({json.dumps(event, sort_keys=True) for event in events}) > 100


def test_a_game_without_a_trace_tells_its_numbers(balance: Command, here: Path) -> None:
    shutil.copy(RACE, here / "dice_race.py")
    race = ("replay", "dice_race:GAME", "--players", 2, "--game", 0)
    numbers = balance(*race)
    assert (numbers.code, numbers.err) == (0, "")
    assert numbers.out.startswith("ended = ")
    assert balance(*race, "--format", "jsonl") == Ended(
        2, "", "error: Dice race tells no trace; without --format there are the game's numbers.\n"
    )


@pytest.mark.usefixtures("run")
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ("--cell", "baseline-p2", "--game", "60"),
            "The run has 60 games in the cell baseline-p2, numbered from 0; there is no game 60.\n",
        ),
        (
            ("--cell", "baseline-p2", "--games", "58:62"),
            "The run has 60 games in the cell baseline-p2, numbered from 0; there is no game 61.\n",
        ),
        (
            ("--cell", "without-owl-p4", "--game", "1"),
            f'There is no cell "without-owl-p4". Did you mean "without-owl-p3"?\n  {LIST}\n',
        ),
        (("--game", "1"), f"Say which cell the game is in, with --cell NAME.\n  {LIST}\n"),
        (
            ("--cell", "baseline-p2", "--game", "1", "--seed", "4"),
            "A run has its rules, players, policies and seed; choose among its cells with --cell.\n",
        ),
    ],
)
def test_what_a_run_cannot_tell(balance: Command, options: tuple[str, ...], message: str) -> None:
    assert balance("replay", "r", *options) == Ended(2, "", f"error: {message}")


def test_a_run_without_rows_can_be_told(balance: Command, run: Path) -> None:
    told = balance("replay", "r", "--cell", "baseline-p2", "--game", 1)
    shutil.rmtree(run / "games")
    assert balance("replay", "r", "--cell", "baseline-p2", "--game", 1) == told


def test_a_damaged_file_of_rows_is_named(balance: Command, run: Path) -> None:
    rows = run / "games" / "baseline-p2" / "part-0000.parquet"
    rows.write_bytes(rows.read_bytes()[:200])
    assert balance("replay", "r", "--cell", "baseline-p2", "--game", 1) == Ended(
        2,
        "",
        "error: r/games/baseline-p2/part-0000.parquet is damaged.\n"
        "  Remove it and give the run's command again: balance run e.toml --out r\n",
    )


def test_a_game_that_differs_from_its_row_is_not_told(balance: Command, run: Path) -> None:
    path = run / "games" / "baseline-p2" / "part-0000.parquet"
    rows = polars.read_parquet(path)
    rows.with_columns(polars.col("score_0") + (polars.col("game") == 1)).write_parquet(path)
    assert balance("replay", "r", "--cell", "baseline-p2", "--game", 0).code == 0
    assert balance("replay", "r", "--cell", "baseline-p2", "--game", 1) == Ended(
        4, "", "error: Game 1 was not played again as it was in the run: score_0 came out otherwise.\n"
    )


def test_a_mistyped_run_has_a_nearest_name(balance: Command, here: Path) -> None:
    (here / "reports" / "animalia-1234").mkdir(parents=True)
    assert balance("replay", "reports/animala-1234", "--game", 1) == Ended(
        2, "", 'error: There is no run "reports/animala-1234". Did you mean "reports/animalia-1234"?\n'
    )


# ------------------------------------------------------------------------------------------------ pages


def test_the_page_is_made_again_to_the_last_byte(balance: Command, run: Path) -> None:
    before = files_in(run)
    (run / "report.html").unlink()
    assert balance("report", "r") == Ended(0, "r/report.html\n", "")
    assert files_in(run) == before


def test_several_runs_stand_side_by_side_on_one_page(balance: Command, here: Path) -> None:
    for seed in (1, 2):
        balance(*QUICK, "--seed", seed, "--out", f"r{seed}")
    before = files_in(here)
    assert balance("report", "r1", "r2") == Ended(0, "reports/side-by-side.html\n", "")
    assert balance("report", "r2", "r1", "--out", "both.html") == Ended(0, "both.html\n", "")
    made = {name: files_in(here)[name] for name in files_in(here).keys() - before.keys()}
    assert set(made) == {"reports/side-by-side.html", "both.html"}
    assert len(set(made.values())) == 1  # whatever their order, the oldest stands first
    assert balance("report", "r1", "r1").faults == ["error: r1 is named twice."]
    assert balance("report", "r1", "--out", "one.html").faults == [
        "error: --out is for the page of several runs; that of one lies in its folder."
    ]
    (here / "r2" / "results.json").write_text('{"schema": "balance.results/1"}')
    assert balance("report", "r1", "r2", "--out", "none.html").faults == [
        "error: The results in r2 are damaged: no page can be made of them."
    ]
    assert not (here / "none.html").exists()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            "{",
            "r/results.json is damaged.\n  Remove the folder, or run into another with --out.\n",
        ),
        (
            "[]",
            "r/results.json is damaged.\n  Remove the folder, or run into another with --out.\n",
        ),
        (
            '{"schema": "balance.results/1"}',
            "The results in r are damaged: no page can be made of them.\n"
            "  Give the run's command again: balance run e.toml --out r\n",
        ),
        (
            '{"schema": "balance.results/99"}',
            "r/results.json was written by another version of balance: "
            'its layout is "balance.results/99", not "balance.results/1".\n',
        ),
        (
            None,
            "The run in r has no results yet: it was not finished.\n"
            "  To finish it, give its command again: balance run e.toml --out r\n",
        ),
    ],
)
def test_results_that_make_no_page(balance: Command, run: Path, content: str | None, message: str) -> None:
    page = (run / "report.html").read_bytes()
    if content is None:
        (run / "results.json").unlink()
    else:
        (run / "results.json").write_text(content)
    assert balance("report", "r") == Ended(2, "", f"error: {message}")
    assert (run / "report.html").read_bytes() == page


def test_a_damaged_manifest_stops_everything(balance: Command, run: Path) -> None:
    (run / "manifest.json").write_text("{")
    message = "error: r/manifest.json is damaged.\n  Remove the folder, or run into another with --out.\n"
    before = files_in(run)
    for command in (("run", "e.toml", "--out", "r"), ("report", "r"), ("replay", "r", "--game", 1)):
        assert balance(*command) == Ended(2, "", message)
    assert files_in(run) == before


def test_a_folder_without_its_manifest_is_no_run(balance: Command, run: Path) -> None:
    (run / "manifest.json").unlink()
    before = files_in(run)
    no_run = Ended(2, "", "error: The folder r holds no run: manifest.json is missing.\n")
    assert balance("report", "r") == no_run
    assert balance("replay", "r", "--game", 1) == no_run
    assert balance("run", "e.toml", "--out", "r") == Ended(
        2,
        "",
        "error: The folder r holds something that is not a run. Nothing was changed.\n"
        "  Choose another folder with --out.\n",
    )
    assert files_in(run) == before
