"""balance sweep from the command line: a curve, main effects, the best point again, and nothing lost when killed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from .commands import Ended, own_process, played, start

GRID = (
    *("sweep", "pig", "--players", "2", "--games", "2000"),
    *("--vary", "target=10,12", "--vary", "bust_costs_all=false,true"),
)
Command = Any


def results(folder: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((Path(folder) / "results.json").read_text())
    return found


def test_one_rule_is_a_curve_and_its_best_value_is_played_again(balance: Command) -> None:
    ended = balance(
        "sweep", "pig", "--players", "2", "--games", "2000", "--vary", "target=20..60/20", "--out", "r"
    )
    assert ended.code == 0, ended.err
    assert 'What does "target" change?' in ended.out
    assert "Report: r/report.html" in ended.out
    found = results("r")
    assert [point["values"]["target"] for point in found["sweep"]["tables"][0]["points"]] == [20, 40, 60]
    best = found["sweep"]["best"]["tables"][0]
    assert best["variant"] in ("baseline", "target 20", "target 40", "target 60")
    page = (Path("r") / "report.html").read_text()
    assert "sweep-0-rounds" in page


def test_what_is_best_can_be_said(balance: Command) -> None:
    ended = balance(*GRID, "--best", "rounds:low", "--out", "r")
    assert ended.code == 0, ended.err
    told = 'it cannot be told at which point "Rounds" is lowest: seen at "target 10, bust_costs_all false", '
    assert told in " ".join(ended.out.split())
    again = results("r/best")
    assert [cell["variant"] for cell in again["cells"]] == ["baseline", "target 10, bust_costs_all false"]
    assert again["seed"] != results("r")["seed"]
    assert results("r")["sweep"]["best"]["seed"] == again["seed"]


def test_impossible_points_are_named(balance: Command) -> None:
    ended = balance(
        "sweep",
        "pig",
        "--players",
        "2",
        "--games",
        "200",
        "--vary",
        "sides=2,6",
        "--vary",
        "losing_face=1,3",
        "--out",
        "r",
    )
    told = " ".join(ended.out.split())
    assert (
        '"sides 2, losing_face 3" with 2 players is impossible: '
        '"losing_face" must be from 1 to 2, the sides of the die.'
    ) in told
    assert [one["impossible"] != "" for one in results("r")["sweep"]["tables"][0]["points"]] == [
        False,
        True,
        False,
        False,
    ]


def test_json_alone_on_standard_output(balance: Command) -> None:
    ended = balance(*GRID, "--out", "r", "--format", "json")
    printed = json.loads(ended.out)
    assert printed == results("r")
    assert {one["rule"] for one in printed["sweep"]["tables"][0]["effects"]} == {"target", "bust_costs_all"}


def test_around_tells_what_got_worse_first(balance: Command) -> None:
    ended = balance("sweep", "pig", "--players", "2", "--games", "2000", "--around", "--out", "r")
    assert ended.code == 0, ended.err
    assert results("r")["series"] == []
    assert 'Worse: "sides 12": "Seat spread" rises' in " ".join(ended.out.split())


def test_a_game_of_a_sweep_is_replayed_and_its_folder_is_a_run_like_others(balance: Command) -> None:
    assert balance(*GRID, "--out", "r").code == 0
    for cell in ("baseline-p2", "target-10-bust-costs-all-true-p2"):
        ended = balance("replay", "r", "--cell", cell, "--game", "1")
        assert (ended.code, ended.err) == (0, "")
    assert balance("baseline", "r", "b.json").code == 0


def test_a_time_is_no_length_of_a_sweep(balance: Command, here: Path) -> None:
    text = 'schema_version = 1\ngame = "pig"\nplayers = [2]\n[run]\ntime = "1s"\n'
    (here / "e.toml").write_text(text)
    command = ("sweep", "e.toml", "--vary", "target=10", "--out", "r")
    assert balance(*command).faults == [
        "error: A sweep plays a number of games at each point, and this file has a time; say --games N instead."
    ]
    assert balance(*command, "--games", "200").code == 0


WRONG: dict[tuple[str, ...], str] = {
    ("pig",): "Say what to vary: --vary RULE=VALUES, or --around for each rule by itself; one of them.",
    ("pig", "--around", "--vary", "target=20"): (
        "Say what to vary: --vary RULE=VALUES, or --around for each rule by itself; one of them."
    ),
    ("pig", "--vary", "taget=1,2"): 'Unknown rule "taget". Did you mean "target"?',
    ("pig", "--vary", "target=1,2"): '"target" must be a whole number from 10 to 200, not 1.',
    ("pig", "--vary", "target=20,30", "--best", "turn:low"): (
        '--best takes a metric of the sweep and its best end, not "turn:low". Did you mean "turns"?'
    ),
    ("pog", "--vary", "target=20,30"): 'There is no game "pog". Did you mean "pig"?',
}


@pytest.mark.parametrize("arguments", WRONG, ids=" ".join)
def test_what_is_wrong_is_one_sentence_before_the_first_game(
    balance: Command, arguments: tuple[str, ...]
) -> None:
    ended: Ended = balance("sweep", *arguments, "--out", "r")
    assert (ended.code, ended.out) == (2, "")
    assert ended.faults[0] == f"error: {WRONG[arguments]}"
    assert not Path("r").exists()


def itself(folder: Path) -> dict[str, Any]:
    """What was played of the sweep, without its best points again."""
    return {name: content for name, content in played(folder).items() if not name.startswith("best/")}


def test_killed_half_way_it_goes_on_to_the_same_bytes(here: Path) -> None:
    command = ["70k" if word == "2000" else word for word in (*GRID, "--best", "rounds:low")]
    assert own_process(here, *command, "--out", "whole", "--threads", "1").code == 0
    process = start(here, *command, "--out", "r", "--threads", "1")
    progress = here / "r" / "progress"
    while not progress.exists():
        assert process.poll() is None
    process.kill()
    process.communicate()
    assert not (here / "r" / "best").exists()
    assert own_process(here, *command, "--out", "r", "--threads", "2").code == 0
    assert itself(here / "r") == itself(here / "whole")
    assert played(here / "r" / "best") == played(here / "whole" / "best")
