"""balance find: the games that fulfil a condition, or are the most extreme, each with the command to paste."""

from __future__ import annotations

import json
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars
import pytest

from balance.engine.playing import columns
from balance.experiment import find as finding
from balance.experiment.columns import tallied
from balance.experiment.rundir import RunDir

from .commands import Ended, files_in, in_process

Command = Callable[..., Ended]
LIKE = "Conditions are written like score_margin > 15, or score_0 - score_1 > 20 and turns < 50."
FILE = """\
schema_version = 1
game = "animalia"
players = [2, 3]
[run]
games = 300
seed = 3
[[variants]]
name = "without owl"
rules = { owl = false }
[lineup]
policies = ["greedy", "random"]
"""
NAMES = ("baseline-p2", "without-owl-p2", "baseline-p3", "without-owl-p3")
GAMES = 300 * len(NAMES)


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with rows, `r`, and the same run without, `bare`."""
    folder = tmp_path_factory.mktemp("once")
    (folder / "e.toml").write_text(FILE)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert in_process(patch, "run", "e.toml", "--out", "r").code == 0
        assert in_process(patch, "run", "e.toml", "--out", "bare", "--no-rows").code == 0
    return folder


@pytest.fixture
def run(here: Path, once: Path) -> Path:
    """The folder of the run with rows; the current folder is the one around it."""
    shutil.copytree(once, here, dirs_exist_ok=True)
    return here / "r"


def rows(run: Path, cell: str) -> list[dict[str, Any]]:
    return polars.read_parquet(run / "games" / cell / "part-0000.parquet").to_dicts()


def margin(row: dict[str, Any]) -> int:
    first, second, *_ = sorted(
        (row[f"score_{seat}"] for seat in range(3) if f"score_{seat}" in row), reverse=True
    )
    return int(first - second)


def found(balance: Command, *arguments: object) -> dict[str, Any]:
    ended = balance("find", *arguments, "--format", "json")
    assert ended.code == 0, ended.err
    return dict(json.loads(ended.out))


def where(facts: dict[str, Any]) -> list[tuple[str, int]]:
    return [(hit["cell"], hit["game"]) for hit in facts["games"]]


# ------------------------------------------------------------------------------------------ conditions


@pytest.mark.parametrize(
    ("condition", "fulfils"),
    [
        ("score_margin > 9", lambda row: margin(row) > 9),
        (
            "score_0 - score_1 > 5 and turns < 60",
            lambda row: row["score_0"] - row["score_1"] > 5 and row["turns"] < 60,
        ),
        (
            "policy_0 = 'random' AND rank_0 = 1",
            lambda row: row["policy_0"] == "random" and row["rank_0"] == 1,
        ),
        ("not (turns > 40 or ended <> 'rules')", lambda row: row["turns"] <= 40),
        ("abs(score_0 - score_1) in (3, 4)", lambda row: abs(row["score_0"] - row["score_1"]) in (3, 4)),
        (
            "greatest(score_0, score_1) between 10 and 12",
            lambda row: 10 <= max(row["score_0"], row["score_1"]) <= 12,
        ),
        ("score_0 * 100000000000 >= 2000000000000", lambda row: row["score_0"] >= 20),
        ('"turns" % 7 = 0', lambda row: row["turns"] % 7 == 0),
        (
            "turns / (rank_0 - 1) > 20",
            lambda row: row["rank_0"] > 1 and row["turns"] / (row["rank_0"] - 1) > 20,
        ),
        ("game = 17", lambda row: row["game"] == 17),
    ],
    ids=lambda value: value if isinstance(value, str) else "rows",
)
def test_all_games_that_fulfil_a_condition_are_found_in_order(
    balance: Command, run: Path, condition: str, fulfils: Callable[[dict[str, Any]], bool]
) -> None:
    expected = [(name, row["game"]) for name in NAMES for row in rows(run, name) if fulfils(row)]
    facts = found(balance, "r", condition, "-n", GAMES)
    assert where(facts) == expected
    assert (facts["matching"], facts["searched"]) == (len(expected), GAMES)
    assert 0 < len(expected) < GAMES
    few = found(balance, "r", condition, "-n", 3)
    assert where(few) == expected[:3]
    assert few["matching"] == len(expected)
    only = found(balance, "r", condition, "--cell", NAMES[2], "-n", GAMES)
    assert where(only) == [(cell, game) for cell, game in expected if cell == NAMES[2]]


def test_the_values_are_those_of_the_condition(balance: Command, run: Path) -> None:
    row = rows(run, "baseline-p3")[5]
    facts = found(
        balance, "r", "game = 5 and policy_1 like '%' and score_margin >= 0", "--cell", "baseline-p3"
    )
    values = {"game": 5, "policy_1": row["policy_1"], "score_margin": margin(row)}
    assert facts["games"][0]["values"] == values


@pytest.mark.usefixtures("run")
def test_what_is_printed(balance: Command) -> None:
    facts = found(balance, "r", "turns > 0", "-n", 2, "--cell", "baseline-p2")
    first, second = (hit["values"]["turns"] for hit in facts["games"])
    assert balance("find", "r", "turns > 0", "-n", 2, "--cell", "baseline-p2") == Ended(
        0,
        f"baseline-p2, game 0: turns = {first}\n  balance replay r --game 0 --cell baseline-p2\n"
        f"baseline-p2, game 1: turns = {second}\n  balance replay r --game 1 --cell baseline-p2\n"
        "300 of 300 games fulfil turns > 0. The first 2 are shown; -n shows more.\n",
        "",
    )


@pytest.mark.usefixtures("run")
def test_no_game_is_no_error(balance: Command) -> None:
    assert balance("find", "r", "turns > 10000") == Ended(
        0, "No game of 1,200 games fulfils turns > 10000.\n", ""
    )


@pytest.mark.parametrize("folder", ["r", "my run; $(date)", "animalia", "./-r", "e.toml:GAME"])
def test_the_command_that_is_printed_plays_the_game(balance: Command, run: Path, folder: str) -> None:
    run.rename(run.parent / folder)
    (hit,) = found(balance, folder, "game = 7", "--cell", "without-owl-p3")["games"]
    name, *command = shlex.split(hit["replay"])
    told = balance(*command)
    assert (name, told.code) == ("balance", 0)
    assert told.out.startswith("Animalia, game 7 of seed 3\n")
    assert "owl = false" in told.out


# ------------------------------------------------------------------------------------------ extremes


@pytest.mark.parametrize(("option", "sign"), [("--top", -1), ("--bottom", 1)])
@pytest.mark.parametrize("column", ["score_margin", "turns", "score_1", "game"])
def test_the_most_extreme_come_by_value_then_cell_then_game(
    balance: Command, run: Path, option: str, sign: int, column: str
) -> None:
    value = margin if column == "score_margin" else lambda row: row[column]
    ranked = sorted(
        (sign * value(row), at, row["game"]) for at, name in enumerate(NAMES) for row in rows(run, name)
    )
    facts = found(balance, "r", option, column, "-n", 25)
    assert where(facts) == [(NAMES[at], game) for _, at, game in ranked[:25]]
    assert [hit["values"][column] for hit in facts["games"]] == [sign * value for value, _, _ in ranked[:25]]


def test_a_column_that_some_cells_lack(balance: Command, run: Path) -> None:
    expected = [(name, row["game"]) for name in NAMES[2:] for row in rows(run, name) if row["score_2"] > 15]
    facts = found(balance, "r", "score_2 > 15", "-n", GAMES)
    assert where(facts) == expected != []
    assert facts["searched"] == 600
    assert facts["notes"] == ["Left out, as they do not have these columns: baseline-p2 and without-owl-p2."]


def test_parts_are_searched_one_by_one(balance: Command, run: Path) -> None:
    """The same games in three files, as in a run of many parts, are found in the same order."""
    whole = [found(balance, "r", *asked) for asked in (("score_margin > 5",), ("--top", "turns"))]
    folder = run / "games" / "baseline-p2"
    table = polars.read_parquet(folder / "part-0000.parquet")
    for part, first in enumerate(range(0, 300, 120)):
        table.slice(first, 120).write_parquet(folder / f"part-{part:04}.parquet")
    assert [found(balance, "r", *asked) for asked in (("score_margin > 5",), ("--top", "turns"))] == whole


def test_the_margin_is_the_one_of_the_tables(run: Path) -> None:
    folder = RunDir.open(run)
    plan = folder.plan()
    cell = plan.cells[2]
    kept = polars.read_parquet(folder.part(cell, 0)).with_columns(polars.col("ended").to_physical())
    order = columns(plan.game, cell.players)
    expected = tallied(plan.game, cell, kept.select(order).to_numpy().T)["score_margin"].tolist()
    complete = finding._complete(polars.scan_parquet(folder.part(cell, 0))).collect()
    assert complete["score_margin"].to_list() == expected


# ------------------------------------------------------------------------------------------ what is not there


@pytest.mark.usefixtures("run")
@pytest.mark.parametrize("option", ["--top", "--bottom"])
def test_a_run_without_rows_knows_its_most_extreme_games(balance: Command, option: str) -> None:
    cell = ("--cell", "baseline-p3")
    with_rows, bare = (found(balance, folder, option, "score_margin", *cell) for folder in ("r", "bare"))
    assert where(bare) == where(with_rows)
    assert [hit["values"] for hit in bare["games"]] == [hit["values"] for hit in with_rows["games"]]
    assert bare["notes"] == [
        "The run has no rows of baseline-p3: only the 10 most extreme games that it kept were searched."
    ]


@pytest.mark.usefixtures("run")
def test_a_condition_searches_the_games_that_a_run_without_rows_kept(balance: Command) -> None:
    everything = {cell: set() for cell in NAMES}
    bare = found(balance, "bare", "score_margin > 5", "-n", GAMES)
    for cell, game in where(found(balance, "r", "score_margin > 5", "-n", GAMES)):
        everything[cell].add(game)
    assert bare["games"]
    assert all(game in everything[cell] for cell, game in where(bare))
    (note,) = bare["notes"]
    assert (
        note
        == f"The run has no rows: only the {bare['searched']} most extreme games that it kept were searched."
    )
    assert balance("find", "bare", "turns > 0", "-n", 1).err == f"{note}\n"


def test_a_run_that_is_not_whole_says_so(balance: Command, run: Path) -> None:
    table = polars.read_parquet(run / "games" / "baseline-p2" / "part-0000.parquet")
    table.head(120).write_parquet(run / "games" / "baseline-p2" / "part-0000.parquet")
    facts = found(balance, "r", "turns > 0", "--cell", "baseline-p2")
    assert (facts["matching"], facts["searched"]) == (120, 120)
    assert facts["notes"] == ["The run is not whole: only the 120 of 300 games that have rows were searched."]


@pytest.mark.parametrize("harm", ["cut", "empty", "text"])
def test_damaged_rows_are_one_sentence_and_are_played_again(balance: Command, run: Path, harm: str) -> None:
    part = run / "games" / "baseline-p3" / "part-0000.parquet"
    whole = part.read_bytes()
    part.write_bytes({"cut": whole[:-300], "empty": b"", "text": b"PAR1 no rows at all PAR1"}[harm])
    assert balance("find", "r", "turns > 0") == Ended(
        2,
        "",
        "error: r/games/baseline-p3/part-0000.parquet is damaged.\n"
        "  Remove it and give the run's command again: balance run e.toml --out r\n",
    )
    if harm == "text":
        part.unlink()
    assert balance("run", "e.toml", "--out", "r").code == 0
    assert part.read_bytes() == whole


# ------------------------------------------------------------------------------------------ what cannot be asked

WRONG: dict[tuple[str, ...], tuple[str, str]] = {
    (): ("Say what to find: a CONDITION, or --top COLUMN, or --bottom COLUMN; one of them.", ""),
    ("turns > 1", "--top", "turns"): (
        "Say what to find: a CONDITION, or --top COLUMN, or --bottom COLUMN; one of them.",
        "",
    ),
    ("",): ("The condition is empty.", LIKE),
    (" ",): ("The condition is empty.", LIKE),
    ("turns > " + "1" * 2000,): ("The condition is longer than 2000 characters.", ""),
    ("turns",): ('The condition "turns" is not true or false, but a value.', LIKE),
    ("turns + 1",): ('The condition "turns + 1" is not true or false, but a value.', LIKE),
    ("1 = 1",): ('The condition "1 = 1" names no column, so it says nothing about a game.', LIKE),
    ("turns >",): ('The condition "turns >" cannot be read.', LIKE),
    ("turns > 1 turns",): ('The condition "turns > 1 turns" cannot be read.', LIKE),
    ("turns > 1; select 1",): ('The condition cannot be read from "; select 1" on.', LIKE),
    ("turns > 1 -- all",): ('The condition cannot be read from "-- all" on.', LIKE),
    ("turns > 1 /* all */",): ('The condition cannot be read from "/* all */" on.', LIKE),
    ("turns::text = '4'",): ("The condition cannot be read from \"::text = '4'\" on.", LIKE),
    ("turns > '4",): ('The condition cannot be read from "\'4" on.', LIKE),
    ("turns > 'x'",): ("The condition \"turns > 'x'\" compares a text with a number.", LIKE),
    ("policy_0 = 3",): ('The condition "policy_0 = 3" compares a text with a number.', LIKE),
    ("turns > 1 and score_0",): (
        'The condition "turns > 1 and score_0" joins by and, or or not what is not true or false.',
        LIKE,
    ),
    ("turns / 0 > 1",): ("The condition divides by zero.", ""),
    ("turns % 0.0 = 1",): ("The condition divides by zero.", ""),
    ("5 < turns < 9",): (
        'The condition "5 < turns < 9" compares twice without a word between.',
        "Write turns > 5 and turns < 9, or turns between 6 and 8.",
    ),
    ("((turns > 1)",): ('The condition "((turns > 1)" has brackets that do not match.', ""),
    ("turns > 1) or (turns < 1",): (
        'The condition "turns > 1) or (turns < 1" has brackets that do not match.',
        "",
    ),
    ("policy_0 = 'gredy'",): (
        'None of the columns of the condition can be "gredy". Did you mean "greedy"?',
        "They can be: greedy, random.",
    ),
    **{
        (f"{name}('e.toml') > 1",): (
            f'Conditions have no function "{name}"; there are abs, greatest and least.',
            "",
        )
        for name in ("read_csv", "read_parquet", "avg", "max")
    },
    ("--top", "policy_0"): ('The column "policy_0" holds no numbers.', ""),
    ("turns > 1", "--cell", "baseline-p4"): (
        'There is no cell "baseline-p4". Did you mean "baseline-p3"?',
        f"The cells are: {', '.join(NAMES)}.",
    ),
    ("turns > 1", "-n", "0"): ('-n takes a whole number from 1 to 100000, not "0".', ""),
    ("turns > 1", "--format", "csv"): ('--format takes text or json, not "csv".', ""),
}


@pytest.mark.usefixtures("run")
@pytest.mark.parametrize("arguments", WRONG, ids=lambda arguments: " ".join(arguments)[:40])
def test_what_cannot_be_asked_is_one_sentence(balance: Command, arguments: tuple[str, ...]) -> None:
    sentence, hint = WRONG[arguments]
    assert balance("find", "r", *arguments) == Ended(
        2, "", f"error: {sentence}\n" + (f"  {hint}\n" if hint else "")
    )


@pytest.mark.usefixtures("run")
def test_a_number_of_each_seat_is_asked_for_by_seat(balance: Command) -> None:
    ended = balance("find", "r", "score > 3")
    assert ended.code == 2
    assert ended.faults == [
        'error: The rows have no column "score". There is one for each seat, such as "score_0".'
    ]


@pytest.mark.usefixtures("run")
@pytest.mark.parametrize(
    ("arguments", "name", "near"),
    [
        (("scor_margin > 3",), "scor_margin", "score_margin"),
        (("Turns > 3",), "Turns", "turns"),
        (("score_7 > 3",), "score_7", "score_2"),
        (("--top", "turn"), "turn", "turns"),
        (("turns in (select game from r)",), "select", None),
    ],
    ids=str,
)
def test_an_unknown_column_has_a_nearest_and_a_list(
    balance: Command, arguments: tuple[str, ...], name: str, near: str | None
) -> None:
    ended = balance("find", "r", *arguments)
    asked = f' Did you mean "{near}"?' if near else ""
    assert (ended.code, ended.out) == (2, "")
    assert ended.faults == [f'error: The rows have no column "{name}".{asked}']
    assert (
        "game, block, rotation, ended, turns, rounds, plies, score_0 to score_2, rank_0 to rank_2"
        in ended.err
    )
    assert "score_margin" in ended.err


def test_what_is_no_run(balance: Command, run: Path) -> None:
    assert balance("find", "gone", "turns > 1") == Ended(2, "", "error: There is no folder gone.\n")
    assert balance("find", "e.toml", "turns > 1").faults == [
        "error: e.toml is a file, not the folder of a run."
    ]
    for command in (("find", "r/results.json", "turns > 1"), ("report", "r/results.json")):
        assert balance(*command).faults == [
            'error: r/results.json is a file, not the folder of a run. Did you mean "r"?'
        ]
    shutil.move(run, run.parent / "reports" / "animalia-1234")
    assert balance("report", "reports/animalia-1243").faults == [
        'error: There is no folder reports/animalia-1243. Did you mean "reports/animalia-1234"?'
    ]


def test_a_run_without_games_has_none_to_find(balance: Command, run: Path) -> None:
    shutil.rmtree(run / "games")
    (run / "progress").unlink()
    assert balance("find", "r", "turns > 1").faults == ["error: The run in r has no games to search yet."]


def test_finding_changes_nothing(balance: Command, run: Path) -> None:
    before = files_in(run.parent)
    balance("find", "r", "turns > 1")
    balance("find", "bare", "--top", "turns")
    assert files_in(run.parent) == before
