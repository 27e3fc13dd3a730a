"""balance run: what it prints, what it leaves, and what the same command does again."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import polars
import pytest

from .commands import QUICK, Ended, files_in, played

Command = Callable[..., Ended]
RACE = Path(__file__).parents[1] / "experiment" / "dice_race.py"
ODD_NAMES = (
    "<script>alert(1)</script> & </title>",
    "[bold] {0} %s \\ ' \"",
    "😀 Kölyök Šampión 犬 עברית",
    "x" * 80,
)
CHANGES = ("owl = false", "max_set_size = 2", "medal_points = 2", "bonus_first = 1")


@pytest.fixture
def race(here: Path) -> str:
    """A game in a module in the current folder, which has measures of every kind and a solo game."""
    shutil.copy(RACE, here / "dice_race.py")
    return "dice_race:GAME"


def oddly_named(here: Path) -> str:
    variants = [
        f"[[variants]]\nname = {json.dumps(name, ensure_ascii=False)}\nrules = {{ {change} }}\n"
        for name, change in zip(ODD_NAMES, CHANGES, strict=True)
    ]
    title = json.dumps(f"{ODD_NAMES[0]} {ODD_NAMES[2]} {'long ' * 25}".strip(), ensure_ascii=False)
    head = f'schema_version = 1\ntitle = {title}\ngame = "animalia"\nplayers = [2]\n[run]\ngames = 60\n'
    (here / "odd.toml").write_text(head + "".join(variants), encoding="utf-8")
    return "odd.toml"


def test_a_run_prints_results_and_leaves_a_folder(balance: Command, here: Path) -> None:
    ended = balance(*QUICK, "--out", "r", "--threads", 2)
    assert ended.code == 0
    assert ended.out.startswith("Animalia\n\nWith 4 players, ")
    assert ended.out.endswith("\n\nReport: r/report.html\n")
    assert ended.err.startswith("60 games in 1 cell, 2 threads, into r\n")
    assert re.search(r"\n60 of 60 games \(100 %\), [0-9,]+ games/s\n$", ended.err)
    assert set(files_in(here / "r")) - {".lock"} == {
        "manifest.json",
        "progress",
        "results.json",
        "report.html",
        "run.log",
        "games/baseline-p4/part-0000.parquet",
        *(
            f"tables/{name}.csv"
            for name in (
                *(
                    "comparisons",
                    "counters",
                    "curves",
                    "extremes",
                    "leads",
                    "measures",
                    "policies",
                    "seat_pairs",
                    "seats",
                ),
            )
        ),
    }


def test_the_folder_is_named_by_title_and_experiment(balance: Command, here: Path) -> None:
    assert balance(*QUICK).code == 0
    assert balance(*QUICK, "--threads", 1, "--format", "json").code == 0
    assert balance(*QUICK, "--seed", 2).code == 0
    names = [path.name for path in (here / "reports").iterdir()]
    assert len(names) == 2
    assert all(name.startswith("animalia-") for name in names)


def test_json_is_all_there_is_on_standard_output(balance: Command, here: Path) -> None:
    ended = balance(*QUICK, "--out", "r", "--format", "json")
    assert json.loads(ended.out)["status"] == "complete"
    assert ended.out == (here / "r" / "results.json").read_text("utf-8")
    assert ended.err.startswith("60 games in 1 cell")


def test_the_same_command_again_says_the_same_and_plays_nothing(balance: Command, finished: Path) -> None:
    before = files_in(finished)
    first = balance(*QUICK, "--out", "r")
    assert first == Ended(0, first.out, "already complete: r\n")
    assert balance(*QUICK, "--out", "r") == first
    after = files_in(finished)
    assert {name for name in before if before[name] != after[name]} == set()


@pytest.mark.parametrize(
    "damage",
    [
        lambda results: results.unlink(),
        lambda results: results.write_text("{"),
        lambda results: results.write_text(results.read_text().replace('"complete"', '"interrupted"')),
    ],
    ids=["gone", "damaged", "of an interruption"],
)
def test_results_are_made_again_from_the_games(
    balance: Command, finished: Path, damage: Callable[[Path], object]
) -> None:
    before = played(finished)
    damage(finished / "results.json")
    assert balance(*QUICK, "--out", "r").err == "already complete: r\n"
    assert played(finished) == before


def test_a_new_title_reaches_the_results_of_a_complete_run(balance: Command, here: Path) -> None:
    text = 'schema_version = 1\ntitle = "NAME"\ngame = "animalia"\nplayers = [2]\n[run]\ngames = 60\n'
    for name in ("First", "Second"):
        (here / "e.toml").write_text(text.replace("NAME", name))
        ended = balance("run", "e.toml", "--out", "r")
        assert ended.out.startswith(f"{name}\n")
        assert json.loads((here / "r" / "results.json").read_text())["title"] == name
    assert ended.err == "already complete: r\n"


def test_a_damaged_progress_file_is_a_warning(balance: Command, finished: Path) -> None:
    before = played(finished)
    with (finished / "progress").open("ab") as file:
        file.write(b"x")
    warned = "warning: What an earlier run left behind is damaged; everything is played again.\n"
    assert balance(*QUICK, "--out", "r").err.startswith(warned)
    assert played(finished) == before


def test_rows_that_are_missing_are_played_again(balance: Command, finished: Path) -> None:
    before = played(finished)
    (finished / "games" / "baseline-p4" / "part-0000.parquet").unlink()
    assert balance(*QUICK, "--out", "r").code == 0
    assert played(finished) == before


def test_rows_are_left_out_on_request(balance: Command, here: Path) -> None:
    balance(*QUICK, "--out", "r", "--no-rows")
    assert not (here / "r" / "games").exists()


@pytest.mark.usefixtures("finished")
def test_another_experiment_leaves_the_folder_alone(balance: Command, here: Path) -> None:
    before = files_in(here)
    assert balance(*QUICK, "--out", "r", "--seed", 2) == Ended(
        2,
        "",
        'error: The folder r holds a different experiment ("Animalia"). Nothing was changed.\n'
        "  Choose another folder with --out.\n",
    )
    assert files_in(here) == before


def test_options_may_stand_anywhere_and_be_joined(balance: Command) -> None:
    plain = balance("run", "animalia", "--players", "3", "--games", "60", "--set", "owl=false", "--out", "r")
    odd = balance("run", "--set=owl=false", "--out=r", "animalia", "--games=60", "--seed=1", "--players=3")
    assert (odd.code, odd.out) == (0, plain.out)
    assert odd.err == "already complete: r\n"


@pytest.mark.parametrize("seed", ["0", "18446744073709551615"])
def test_the_lowest_and_the_highest_seed(balance: Command, here: Path, seed: str) -> None:
    assert balance(*QUICK, "--seed", seed, "--out", "r").code == 0
    assert json.loads((here / "r" / "results.json").read_text())["seed"] == int(seed)


def test_one_game_is_a_run(balance: Command) -> None:
    ended = balance("run", "animalia", "--players", "4", "--games", "1", "--out", "r")
    assert ended.code == 0
    assert "nan" not in ended.out.lower()


def test_every_kind_of_value_can_be_set(balance: Command, here: Path) -> None:
    values = (
        "stars_scruffy=-2",
        "max_set_size = 2",
        "owl=false",
        "season_dealer=rotate",
        "tiebreak='\"none\"'",
    )
    sets = [word for value in values for word in ("--set", value.replace("'", ""))]
    assert balance("run", "animalia", "--players", "2", "--games", "60", "--out", "r", *sets).code == 0
    rules = json.loads((here / "r" / "results.json").read_text())["cells"][0]["rules"]
    wanted = {
        "stars_scruffy": -2,
        "max_set_size": 2,
        "owl": False,
        "season_dealer": "rotate",
        "tiebreak": "none",
    }
    assert rules | wanted == rules


def test_the_only_file_in_configs_needs_no_name(balance: Command, here: Path) -> None:
    (here / "configs").mkdir()
    text = 'schema_version = 1\ngame = "animalia"\nplayers = [2]\n[run]\ngames = 60\n'
    (here / "configs" / "only.toml").write_text(text)
    assert balance("run", "--out", "r").code == 0


def test_a_folder_may_have_the_name_of_a_game(balance: Command) -> None:
    first = balance(*QUICK, "--out", "animalia")
    assert first.code == 0
    assert balance(*QUICK, "--out", "animalia").out == first.out


def test_odd_names_go_everywhere(balance: Command, here: Path) -> None:
    ended = balance("run", oddly_named(here), "--out", "r")
    assert ended.code == 0
    said = re.sub("[\\s\u2068\u2069]", "", ended.out)
    page = (here / "r" / "report.html").read_text("utf-8")
    assert "<script>alert(1)" not in page
    results = json.loads((here / "r" / "results.json").read_text("utf-8"))
    assert [cell["variant"] for cell in results["cells"]] == ["baseline", *ODD_NAMES]
    table = polars.read_csv(here / "r" / "tables" / "seats.csv")
    assert set(table["variant"]) == {"baseline", *ODD_NAMES}
    for name in ODD_NAMES:
        assert re.sub("\\s", "", f"2 players, {name}: 60 games") in said
    assert balance("run", "odd.toml", "--out", "r").out == ended.out


@pytest.mark.parametrize("columns", ["40", "200"])
def test_no_line_of_a_run_is_wider_than_80(
    balance: Command, here: Path, monkeypatch: pytest.MonkeyPatch, columns: str
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    odd = balance("run", oddly_named(here), "--out", "odd").out
    six = balance(
        "run", "animalia", "--players", "2,6", "--games", 60, "--policies", "random,greedy", "--out", "six"
    )
    assert six.code == 0
    wide = [line for line in (odd + six.out).splitlines() if len(line) > 80]
    assert wide == []


def test_numbers_in_the_text_are_whole(balance: Command, here: Path) -> None:
    text = balance("run", "animalia", "--players", 6, "--games", 60, "--out", "r").out
    results = json.loads((here / "r" / "results.json").read_text())
    cell = results["cells"][0]
    for seat in cell["seats"]:
        line = next(line for line in text.splitlines() if line.startswith(f"  seat {seat['seat'] + 1}  "))
        share, score = seat["win_share"], seat["score"]["mean"]
        assert f"{100 * share['value']:.0f} %" in line, "of so few games a decimal would say nothing"
        assert f"{100 * share['low']:.0f} to {100 * share['high']:.0f} %" in line
        assert f"{score['low']:.1f} to {score['high']:.1f}" in line
        assert line.endswith(f"{seat['score']['sd']:.2f}")


def test_measures_of_every_kind_reach_terminal_tables_and_page(
    balance: Command, here: Path, race: str
) -> None:
    ended = balance("run", race, "--players", "1,3", "--games", 600, "--policies", "any", "--out", "r")
    assert ended.code == 0
    page = (here / "r" / "report.html").read_text("utf-8")
    for title in ("Sixes", "No six", "Own sixes", "Progress", "Choices"):
        assert title in ended.out
        assert title in page
    for item in ("bold", "nothing", "ghost"):
        assert f"    {item} " in ended.out
    assert "lap 1" in ended.out
    kept = {
        "measures": {"all_sixes", "no_six", "own_sixes"},
        "curves": {"progress"},
        "counters": {"choices"},
    }
    for name, wanted in kept.items():
        assert wanted <= set(polars.read_csv(here / "r" / "tables" / f"{name}.csv")["metric"])


def test_a_game_for_one_has_no_margin_and_no_ties(balance: Command, race: str) -> None:
    ended = balance("run", race, "--players", 1, "--games", 60, "--policies", "any", "--out", "r")
    assert ended.code == 0
    assert "1 player, baseline: 60 games" in ended.out
    assert "Winning margin" not in ended.out
    assert "Shared wins" not in ended.out
