"""balance check: what it prints, what it leaves, and the code that it ends with; played with Pig."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from junitparser import Error, Failure, JUnitXml

from balance.experiment.config import read_experiment
from balance.experiment.plan import Plan
from balance.experiment.rundir import RunDir

from .commands import Ended, files_in, played, shell

Command = Callable[..., Ended]
HEAD = 'schema_version = 1\ngame = "pig"\nplayers = [2]\n'
LONG = '[[gates]]\nmetric = "turns"\nmax = 100\nwhy = "Nobody plays longer."\n'
FAIR = f"{HEAD}[run]\ngames = 3000\n{LONG}"
UNFAIR = f'{HEAD}[run]\ngames = 100_000\n{LONG}[[gates]]\nmetric = "seat_spread"\nmax = "1pp"\n'
SHORT = f'{HEAD}[run]\ngames = 200\n[[gates]]\nmetric = "seat_spread"\nmax = "5pp"\n'
EMPTY = f"{HEAD}[run]\ngames = 200\n"


@pytest.fixture(autouse=True)
def no_github(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY"):
        monkeypatch.delenv(name, raising=False)


def file(here: Path, text: str) -> str:
    (here / "e.toml").write_text(text, "utf-8")
    return "e.toml"


def verdict(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "verdict.json").read_text("utf-8"))
    return found


@pytest.mark.parametrize(
    ("text", "code", "word", "kinds"),
    [
        (FAIR, 0, "pass", [None]),
        (UNFAIR, 1, "fail", [None, Failure]),
        (SHORT, 3, "inconclusive", [Error]),
    ],
    ids=["fair", "unfair", "too short"],
)
def test_the_code_says_what_came_out(
    balance: Command, here: Path, text: str, code: int, word: str, kinds: list[Any]
) -> None:
    ended = balance("check", file(here, text), "--out", "r", "--junit", "j.xml", "--summary", "s.md")
    assert ended.code == code, ended.err
    first = ended.out.splitlines()[0]
    assert first.startswith(word.upper())
    assert f"\n{word.upper()}. " in ended.out
    found = verdict(here / "r")
    assert (found["verdict"], found["exit_code"]) == (word, code)
    results = json.loads((here / "r" / "results.json").read_text("utf-8"))
    assert results["gates"] == found["gates"]
    assert 'id="gates"' in (here / "r" / "report.html").read_text("utf-8")
    read = JUnitXml.fromfile(str(here / "j.xml"))
    cases = [case for suite in read for case in suite]
    assert sorted(str(type(case.result[0])) if case.result else "" for case in cases) == sorted(
        str(kind) if kind else "" for kind in kinds
    )
    assert (here / "s.md").read_text("utf-8").startswith(f"## Pig: {word}\n")


def test_without_gates_there_is_nothing_to_judge(balance: Command, here: Path) -> None:
    for target in (file(here, EMPTY), "pig"):
        ended = balance("check", target, "--out", "r")
        assert ended.code == 4
        assert ended.faults == [f"error: There are no gates to judge in {target}."]
        assert ended.out == f"NO DATA. There are no gates to judge in {target}.\n"
        assert set(files_in(here / "r")) == {"verdict.json"}


def test_without_gates_every_file_is_written_and_none_is_a_pass(balance: Command, here: Path) -> None:
    """A CI job that collects them finds them, and a server that counts failures finds one."""
    reason = "There are no gates to judge in e.toml."
    command = ("check", file(here, EMPTY), "--out", "r", "--junit", "j.xml", "--summary", "s.md")
    ended = balance(*command, "--format", "json")
    assert (ended.code, ended.faults) == (4, [f"error: {reason}"])
    found = verdict(here / "r")
    assert json.loads(ended.out) == found
    assert (found["verdict"], found["exit_code"], found["reason"]) == ("no data", 4, reason)
    (suite,) = JUnitXml.fromfile(str(here / "j.xml"))
    assert (suite.tests, suite.errors) == (1, 1)
    ((error,),) = [case.result for case in suite]
    assert isinstance(error, Error)
    assert error.message == reason
    assert (here / "s.md").read_text("utf-8") == (
        "## e.toml: no data\n\nThere are no gates to judge in e.toml.\n\n"
    )
    file(here, FAIR)
    assert balance(*command).code == 0, "the folder can be the run's all the same"
    assert verdict(here / "r")["verdict"] == "pass"


def test_a_place_of_something_else_is_left_alone_without_gates(balance: Command, here: Path) -> None:
    (here / "r").mkdir()
    (here / "r" / "mine.txt").write_text("mine")
    (here / "f").write_text("mine")
    before = files_in(here)
    for place in ("r", "f"):
        assert balance("check", file(here, EMPTY), "--out", place).code == 4
    assert files_in(here) == {**before, "e.toml": EMPTY.encode()}


@pytest.mark.parametrize(
    ("gate", "says"),
    [
        (
            'metric = "seat_spred"\nmax = 1',
            '5:1: Pig has no metric "seat_spred". Did you mean "seat_spread"?',
        ),
        ('metric = "score"\nseat = 3\nmax = 1', "6:1: There is no seat 3 with 2 players."),
    ],
)
def test_a_gate_on_what_is_not_there_is_told_before_the_first_game(
    balance: Command, here: Path, gate: str, says: str
) -> None:
    ended = balance("check", file(here, f"{HEAD}[[gates]]\n{gate}\n"), "--out", "r")
    assert ended.code == 2
    assert ended.err.startswith(f"error: e.toml:{says}")
    assert not (here / "r").exists()


def test_play_ends_as_soon_as_all_is_decided(balance: Command, here: Path) -> None:
    ended = balance("check", file(here, FAIR.replace("3000", "1_000_000")), "--out", "r")
    assert ended.code == 0
    (cell,) = verdict(here / "r")["cells"]
    assert cell["games"] == 1000
    assert ended.err.startswith("up to 1,000,000 games in 1 cell, ")
    results = json.loads((here / "r" / "results.json").read_text("utf-8"))
    assert results["status"] == "complete"
    assert any("was not fixed beforehand" in warning for warning in results["warnings"])
    assert "of 1,000 games fulfil" in balance("find", "r", "turns > 20").out


def test_what_is_open_says_how_many_games_it_would_take(balance: Command, here: Path) -> None:
    ended = balance("check", file(here, SHORT), "--out", "r")
    (cell,) = verdict(here / "r")["gates"][0]["cells"]
    assert cell["more_games"] > 200
    assert "more games would probably decide it." in " ".join(ended.out.split())
    assert "--games " in ended.out


def test_tables_that_lack_a_seat_are_named_where_the_verdict_is(balance: Command, here: Path) -> None:
    text = FAIR.replace("[2]", "[2, 3]") + '[[gates]]\nmetric = "score"\nseat = 3\nmax = 500\n'
    ended = balance("check", file(here, text), "--out", "r", "--summary", "s.md")
    assert ended.code == 0
    told = "Gate 2 (score of seat 3) says nothing of 2 players, which has no such number."
    assert told in ended.out.splitlines()
    assert told in (here / "s.md").read_text("utf-8").replace("\\", "")


def test_a_warning_never_fails_the_check_and_is_shown(balance: Command, here: Path) -> None:
    text = UNFAIR + 'level = "warn"\n'
    ended = balance("check", file(here, text), "--out", "r", "--junit", "j.xml")
    assert ended.code == 0
    assert ended.out.startswith("WARNING: FAIL seat_spread"), "before what passes"
    assert JUnitXml.fromfile(str(here / "j.xml")).skipped == 1


def test_threads_change_nothing_and_options_do(balance: Command, here: Path) -> None:
    text = file(here, UNFAIR.replace("[2]", "[2, 3]"))
    for threads, folder in ((1, "one"), (5, "five")):
        assert balance("check", text, "--threads", threads, "--out", folder).code == 1
    assert played(here / "one") == played(here / "five")
    assert balance("check", text, "--seed", 2, "--games", "50k", "--out", "other").code == 1
    other = verdict(here / "other")
    assert (other["seed"], other["experiment"] == verdict(here / "one")["experiment"]) == (2, False)


# ---------------------------------------------------------------------- a run that was saved


def test_a_saved_run_is_judged_from_its_folder(balance: Command, here: Path) -> None:
    assert balance("check", file(here, UNFAIR), "--out", "r").code == 1
    before = (here / "r" / "verdict.json").read_bytes()
    (here / "r" / "verdict.json").unlink()
    (here / "e.toml").unlink()
    ended = balance("check", "r", "--junit", "j.xml")
    assert ended.code == 1, ended.err
    assert (here / "r" / "verdict.json").read_bytes() == before
    assert JUnitXml.fromfile(str(here / "j.xml")).failures == 1


def test_a_run_of_a_fixed_number_of_games_is_judged_as_such(balance: Command, here: Path) -> None:
    assert balance("run", file(here, FAIR), "--out", "r").code == 0
    assert balance("check", "r").code == 0
    assert verdict(here / "r")["gates"][0]["cells"][0]["estimate"]["method"] == "t"


def test_a_run_without_games_is_no_pass(balance: Command, here: Path) -> None:
    folder = RunDir(here / "r")
    folder.claim(Plan(read_experiment(file(here, FAIR))))
    folder.release()
    ended = balance("check", "r")
    assert ended.code == 4
    first, second, *_ = ended.out.splitlines()
    assert first == "This run was stopped after 0 games. To go on: balance run --out r"
    assert second.startswith("NO DATA      turns, baseline, 2 players: nothing was measured")
    assert verdict(here / "r")["verdict"] == "no data"


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (("nowhere",), 2, 'There is no game "nowhere".'),
        ((".",), 2, "The folder . holds no run: manifest.json is missing."),
        (
            ("r", "--games", "5"),
            2,
            "A run has its games and its seed; to play others, check its experiment file.",
        ),
        (("r",), 4, "The experiment of the run in r has no gates to judge."),
        (("e.toml", "--games", "0"), 2, "--games must be from 1 to"),
    ],
)
def test_what_cannot_be_judged_is_a_sentence(
    balance: Command, here: Path, words: tuple[str, ...], code: int, says: str
) -> None:
    folder = RunDir(here / "r")
    folder.claim(Plan(read_experiment(file(here, EMPTY))))
    folder.release()
    ended = balance("check", *words)
    assert ended.code == code
    assert says in ended.faults[0]


def test_damaged_progress_is_no_verdict(balance: Command, here: Path) -> None:
    assert balance("check", file(here, FAIR), "--out", "r").code == 0
    progress = here / "r" / "progress"
    progress.write_bytes(progress.read_bytes().replace(b"1000", b"1001"))
    ended = balance("check", "r", "--junit", "j.xml")
    assert ended.code == 4
    assert ended.faults == ["error: r/progress is damaged."]
    assert verdict(here / "r")["verdict"] == "no data", "the pass that stood there is none any more"
    assert JUnitXml.fromfile(str(here / "j.xml")).errors == 1


# ---------------------------------------------------------------------- for machines


def test_json_alone_on_standard_output(balance: Command, here: Path) -> None:
    ended = balance("check", file(here, FAIR), "--out", "r", "--format", "json")
    assert ended.code == 0
    assert json.loads(ended.out) == verdict(here / "r")


def test_in_github_actions_the_lines_of_the_file_are_marked(
    balance: Command, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(here / "s.md"))
    (here / "s.md").write_text("# Before\n")
    ended = balance("check", file(here, UNFAIR), "--out", "r", "--summary", here / "s.md")
    (line,) = [line for line in ended.out.splitlines() if line.startswith("::")]
    assert line.startswith("::error file=e.toml,line=10,title=fail%3A seat_spread%2C baseline%2C 2 players::")
    assert (here / "s.md").read_text().startswith("# Before\n## Pig: fail\n")
    again = balance("check", "r")
    assert "::error title=fail" in again.out
    none = balance("check", file(here, EMPTY), "--out", "e").out.splitlines()
    assert none[-1] == "::error title=no data::There are no gates to judge in e.toml."
    monkeypatch.setenv("GITHUB_ACTIONS", "false")
    assert "::error" not in balance("check", "r").out


def test_a_summary_elsewhere_is_written_anew(balance: Command, here: Path) -> None:
    for _ in range(2):
        balance("check", file(here, FAIR), "--out", "r", "--summary", "s.md")
    assert (here / "s.md").read_text().count("## Pig") == 1


def test_a_file_that_cannot_be_written_is_told(balance: Command, here: Path) -> None:
    ended = balance("check", file(here, FAIR), "--out", "r", "--junit", "/dev/full")
    assert ended.code == 4
    assert ended.faults[-1] == "error: The disk is full: /dev/full could not be written."
    assert Path("/dev/full").is_char_device()  # it was written into, not put aside


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--junit", "nowhere/j.xml"), "--junit nowhere/j.xml: there is no folder nowhere."),
        (("--summary", "old"), "--summary takes a file, and old is a folder."),
        (
            ("--junit", "old/results.json"),
            "--junit old/results.json: that is the folder of a run, whose files are its own.",
        ),
        (("--summary", "e.toml"), "--summary e.toml: an experiment file would be lost."),
        (("--junit", "x", "--summary", "x"), "--junit x: another option writes there, too."),
    ],
)
def test_no_file_is_written_where_it_would_do_harm(
    balance: Command, here: Path, options: tuple[str, ...], says: str
) -> None:
    name = file(here, FAIR)
    (here / "old").mkdir()
    (here / "old" / "manifest.json").write_text("{}")
    before = files_in(here)
    ended = balance("check", name, "--out", "r", *options)
    assert (ended.code, ended.faults[0]) == (2, f"error: {says}")
    assert files_in(here) == before


def test_a_link_is_written_through(balance: Command, here: Path) -> None:
    (here / "real.xml").write_text("old")
    (here / "link.xml").symlink_to("real.xml")
    assert balance("check", file(here, FAIR), "--out", "r", "--junit", "link.xml").code == 0
    assert (here / "link.xml").is_symlink()
    assert "<testsuite" in (here / "real.xml").read_text()


def test_through_a_pipe_the_code_is_kept_with_pipefail(here: Path) -> None:
    line = f"set -o pipefail; balance check {shlex.quote(file(here, SHORT))} --out r | tee log.txt"
    ended = shell(here, line)
    assert ended.code == 3
    assert (here / "log.txt").read_text("utf-8") == ended.out
    assert shell(here, "set -o pipefail; balance check r | true").code == 3


def test_a_verdict_that_a_level_contradicts_is_said_first(balance: Command, here: Path) -> None:
    text = FAIR.replace("[run]", '[lineup]\nlevels = ["random", "hold-at-20"]\n[run]', 1)
    text = re.sub(r"(?ms)^\[\[gates\]\].*", '[[gates]]\nmetric = "turns"\nmin = 30\n', text)
    ended = balance("check", file(here, text), "--out", "r", "--summary", "s.md")
    assert ended.code == 1
    first = " ".join(line.strip() for line in ended.out.splitlines()[:3])
    assert first.startswith("Gate 1 (turns), baseline with 2 players, depends on who plays: pass between")
    assert "depends on who plays" in (here / "s.md").read_text().splitlines()[2]


# ---------------------------------------------------------------------- against a file

DRIFT = (
    f'{HEAD}[run]\ngames = 20_000\n[[gates]]\nmetric = "turns"\nagainst = "file"\ntarget = 0\nband = 0.5\n'
)


def test_drift_from_a_baseline_is_judged(balance: Command, here: Path) -> None:
    assert balance("run", file(here, DRIFT), "--out", "first").code == 0
    assert balance("baseline", "first", "b.json").out == "b.json\n"
    before = (here / "b.json").read_bytes()
    assert balance("baseline", "first", "b.json").code == 0
    assert (here / "b.json").read_bytes() == before
    ended = balance("check", "e.toml", "--baseline", "b.json", "--seed", 2, "--out", "r")
    assert ended.code == 0, ended.err
    assert ended.out.startswith("PASS         turns against the baseline file, baseline, 2 players: ")
    assert balance("check", "r").code == 0, "the run keeps what it was played against"
    moved = json.loads(before)
    for one in moved["cells"][0]["metrics"]:
        one["total"] += 2 * one["n"] if one["metric"] == "turns" else 0
        one["squares"] += 90 * one["n"] if one["metric"] == "turns" else 0
    (here / "moved.json").write_text(json.dumps(moved))
    assert balance("check", "e.toml", "--baseline", "moved.json", "--out", "m").code == 1


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ((), 'A gate is held against = "file": say which one with --baseline FILE.'),
        (("--baseline", "none.json"), 'There is no file "none.json".'),
        (("--baseline", "e.toml"), "e.toml is no baseline; `balance baseline RUN FILE` writes one."),
    ],
)
def test_without_a_baseline_nothing_is_played(
    balance: Command, here: Path, words: tuple[str, ...], says: str
) -> None:
    ended = balance("check", file(here, DRIFT), "--out", "r", *words)
    assert (ended.code, ended.faults) == (2, [f"error: {says}"])
    assert not (here / "r").exists()


def test_a_baseline_that_no_gate_asks_for_is_a_mistake(balance: Command, here: Path) -> None:
    ended = balance("check", file(here, FAIR), "--baseline", "b.json")
    assert (ended.code, ended.faults) == (
        2,
        ['error: No gate is held against b.json; that takes against = "file" in it.'],
    )


def test_no_baseline_of_a_run_without_games(balance: Command, here: Path) -> None:
    folder = RunDir(here / "r")
    folder.claim(Plan(read_experiment(file(here, FAIR))))
    folder.release()
    ended = balance("baseline", "r", "b.json")
    assert (ended.code, ended.faults) == (4, ["error: The run in r is not complete."])
    assert not (here / "b.json").exists()
