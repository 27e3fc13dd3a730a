"""balance compare: one tweak against the baseline on the same deals."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .commands import Ended, files_in, in_process, played

Command = Callable[..., Ended]
PIG = ("compare", "pig", "--players", "2,3", "--games", "3000", "--set", "sides=8")
FILE = """\
schema_version = 1
title = "Pigs"
game = "pig"
players = [2]
[run]
games = 600
[rules]
target = 50
[[variants]]
name = "other"
rules = { sides = 8 }
"""


@pytest.fixture(scope="module")
def pigs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Ended, Path]:
    """A comparison, and the folder that it left."""
    folder = tmp_path_factory.mktemp("pigs")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        return in_process(patch, *PIG, "--out", "r"), folder / "r"


def results(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "results.json").read_text("utf-8"))
    return found


def test_it_says_what_got_worse_first_and_fits_the_screen(pigs: tuple[Ended, Path]) -> None:
    ended, _ = pigs
    assert ended.code == 0
    assert ended.out.startswith('Pig: sides=8\n\nWorse: "sides=8": ')
    assert max(map(len, ended.out.splitlines())) <= 80
    text = " ".join(ended.out.split())
    for words in (
        "Worse means: seats further apart",
        "A game on the same deals is worth so many games on different deals: ",
        "2 players, 3,000 games by each set of rules: sides 8 instead of 6",
        "Before: ",
        "After: ",
        "tolerance band of 3 pp",
        "p: the chance of such a change if there were none",
    ):
        assert words in text, words
    head = "against the baseline before change interval p worth"
    assert text.count(head) == 4, "headline numbers and all others, for both numbers of players"
    assert re.search(r"\n  Turns +19\.\d+ +-[56]\.\d+ +-\S+ to -\S+ +<0\.001 +1\.\dx\n", ended.out)
    assert ended.out.endswith("\nReport: r/report.html\n")


def test_it_leaves_the_folder_of_a_run_with_every_difference_in_it(pigs: tuple[Ended, Path]) -> None:
    _, folder = pigs
    found = results(folder)
    assert [(one["variant"], one["players"]) for one in found["comparisons"]] == [
        ("sides=8", 2),
        ("sides=8", 3),
    ]
    metrics = {entry["metric"] for entry in found["comparisons"][0]["metrics"]}
    assert {"win_share", "seat_spread", "score", "turns", "busts", "best_turn", "out_of_rounds"} <= metrics
    page = (folder / "report.html").read_text("utf-8")
    assert "All differences: 2 players; marked where a change was found, what got worse first" in page
    assert "Are the seats even? baseline, 2 players" in page
    table = (folder / "tables" / "comparisons.csv").read_text("utf-8").splitlines()
    assert len(table) == 1 + sum(len(one["metrics"]) for one in found["comparisons"])


def test_what_is_counted_is_what_the_tables_have_and_leave_out(pigs: tuple[Ended, Path]) -> None:
    ended, folder = pigs
    parts = ended.out.split(" games by each set of rules")[1:]
    for one, told in zip(results(folder)["comparisons"], parts, strict=True):
        rows = [line for line in told.splitlines() if re.search(r"  \S+ +\S+ to \S+ +[<0-9.]+ +\S+$", line)]
        hidden = sum(map(int, re.findall(r"Not shown: (\d+) other difference", told)))
        assert len(rows) + hidden == len(one["metrics"])


def test_the_same_command_again_says_the_same_and_plays_nothing(
    balance: Command, here: Path, pigs: tuple[Ended, Path]
) -> None:
    first, folder = pigs
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder.parent)
        assert in_process(patch, *PIG, "--out", "r") == Ended(0, first.out, "already complete: r\n")
    assert balance(*PIG, "--threads", 1, "--out", "again").code == 0
    assert played(here / "again") == played(folder), "threads make no difference"


def test_json_is_all_there_is_on_standard_output(balance: Command, pigs: tuple[Ended, Path]) -> None:
    ended = balance(*PIG, "--format", "json")
    found = json.loads(ended.out)
    assert found["comparisons"] == results(pigs[1])["comparisons"]
    assert found["provenance"]["command"].startswith("balance compare pig --players 2,3")


def test_markdown_is_a_table(balance: Command) -> None:
    lines = balance(*PIG, "--format", "markdown").out.splitlines()
    assert lines[0] == "**Pig: sides=8**"
    assert lines.count("|  | before | after | change | interval | p | worth |") == 2
    rows = [line for line in lines if line.startswith("| ")]
    assert all(line.count(" | ") == 6 for line in rows)
    assert any(line.startswith("| **Share of wins, seat 1** |") for line in rows), "what got worse is bold"


def test_a_tweak_of_a_file_leaves_its_variants_aside(balance: Command, here: Path) -> None:
    (here / "pigs.toml").write_text(FILE)
    ended = balance("compare", "pigs.toml", "--set", "head_start=5", "--out", "r")
    assert ended.code == 0
    assert ended.err.startswith("The variant in the file is left aside; its baseline is compared.\n")
    found = results(here / "r")
    assert [cell["variant"] for cell in found["cells"]] == ["baseline", "head_start=5"]
    assert {cell["rules"]["target"] for cell in found["cells"]} == {50}
    assert found["title"] == "Pigs: head_start=5"
    assert (
        "variants in the file are"
        in balance("compare", several(here), "--set", "head_start=5", "--out", "s").err
    )


def several(here: Path) -> str:
    (here / "several.toml").write_text(FILE + '[[variants]]\nname = "more"\nrules = { sides = 9 }\n')
    return "several.toml"


def test_a_value_that_the_file_has_already_is_the_baseline_s(balance: Command, here: Path) -> None:
    (here / "pigs.toml").write_text(FILE)
    ended = balance("compare", "pigs.toml", "--set", "target=50", "--out", "r")
    told = '"target=50" with 2 players is what the baseline says already: not one of 600 games came out otherwise'
    assert told in " ".join(ended.out.split())


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (
            (),
            "Say what to change, with --set RULE=VALUE, or what a seat may not do, with --ban NAME --seat S.",
        ),
        (("--set", "side=8"), 'Did you mean "sides"?'),
        (("--set", "sides=99"), '"sides" must be'),
        (("--set", "players=3"), "The number of players is no rule; use --players."),
        (("--set", "sides=8", "--games", "0"), "--games must be from 1"),
        (("--set", "sides=8", "--format", "xml"), "--format"),
    ],
)
def test_what_cannot_be_compared_is_one_sentence(
    balance: Command, here: Path, arguments: tuple[str, ...], says: str
) -> None:
    ended = balance("compare", "pig", *arguments)
    assert (ended.code, ended.out, len(ended.faults)) == (2, "", 1)
    assert says in ended.err
    assert files_in(here) == {}


def test_a_target_is_needed(balance: Command) -> None:
    ended = balance("compare", "--set", "sides=8")
    assert (ended.code, len(ended.faults)) == (2, 1)


# ---------------------------------------------------------------- Animalia


def test_a_default_repeated_is_zero_throughout(balance: Command, here: Path) -> None:
    ended = balance(
        "compare", "animalia", "--players", 4, "--games", 200, "--set", "stars_owl=0", "--out", "r"
    )
    assert ended.code == 0
    assert (
        '"stars_owl=0" with 4 players is what the rulebook says already: not one of 200 games came out otherwise, so '
        "every difference is exactly 0."
    ) in " ".join(ended.out.split())
    rows = re.findall(r"^  \S.*  (\S+)  +0\.0 to 0\.0  1\.00 +-$", ended.out, re.MULTILINE)
    assert [float(row) for row in rows] == [0.0] * 10
    (one,) = results(here / "r")["comparisons"]
    ends = {entry["difference"][end] for entry in one["metrics"] for end in ("value", "low", "high")}
    assert ends == {0}


def test_a_tweak_reports_the_correlation_and_what_the_same_deals_gained(balance: Command, here: Path) -> None:
    ended = balance(
        "compare", "animalia", "--players", 4, "--games", 2000, "--set", "bonus_first=1", "--out", "r"
    )
    assert ended.code == 0
    gain = re.search(
        r"A game on the same deals is worth so many games on different deals: .* to (\d+\.\d) for .* "
        r"\(correlation (0\.\d+)\)\.",
        " ".join(ended.out.split()),
    )
    assert gain is not None
    assert float(gain[1]) > 1.5
    assert float(gain[2]) > 0
    (one,) = results(here / "r")["comparisons"]
    turns = next(entry for entry in one["metrics"] if entry["metric"] == "turns")
    assert turns["correlation"] > 0.3
    assert turns["worth"] > 1.5
