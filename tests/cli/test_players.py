"""balance players: a table of how strong each type of player is."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from balance import registry

from .commands import Ended, end, files_in, in_process, read_until, start

Command = Callable[..., Ended]
QUICK = ("players", "animalia", "--games", "400")
MINE = '[policy]\nname = "mine"\nbased_on = "greedy"\n[weights]\nmedal = -15\n'
TYPES = ["random", "greedy", "beginner", "hoarder", "thief-happy", "star-chaser"]


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What `QUICK` says as JSON."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("players"))
        ended = in_process(patch, *QUICK, "--format", "json")
    assert ended.code == 0, ended.err
    found: dict[str, Any] = json.loads(ended.out)
    return found


def test_every_type_meets_every_yardstick(quick: dict[str, Any]) -> None:
    assert (quick["schema"], quick["players"], quick["games"]) == ("balance.players/1", 4, 400)
    assert (quick["even"], quick["against"]) == (0.25, ["random", "greedy"])
    assert [one["policy"] for one in quick["types"]] == TYPES
    for one in quick["types"]:
        assert one["help"] == registry.load("animalia").policy(one["policy"]).help
        for other, share in one["win_share"].items():
            assert (share is None) == (other == one["policy"])
            if share:
                assert share["low"] < share["value"] < share["high"]
                assert share["n"] == 100


def test_the_types_are_as_strong_as_they_say(quick: dict[str, Any]) -> None:
    shares = {one["policy"]: one["win_share"] for one in quick["types"]}
    for name in TYPES[1:]:
        assert shares[name]["random"]["low"] > 0.25
    for name in ("random", "beginner"):
        assert shares[name]["greedy"]["high"] < 0.25


def test_the_share_is_that_of_a_run_with_the_same_line_up(balance: Command, quick: dict[str, Any]) -> None:
    lineup = ("--policies", "beginner,greedy,greedy,greedy", "--players", "4", "--games", "400")
    side = json.loads(balance("run", "animalia", *lineup, "--format", "json").out)["cells"][0]["sides"][0]
    (beginner,) = [one for one in quick["types"] if one["policy"] == "beginner"]
    assert side["win_share"] == beginner["win_share"]["greedy"]


def test_threads_change_nothing_and_no_folder_is_left(
    balance: Command, here: Path, quick: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / "elsewhere").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(here / "elsewhere"))
    ended = balance(*QUICK, "--format", "json", "--threads", "3")
    assert json.loads(ended.out) == quick
    assert "4,000 of 4,000 games (100 %)" in ended.err
    assert files_in(here) == {}
    assert list(here.rglob("*")) == [here / "elsewhere"]


def test_the_seed_changes_the_games(balance: Command, quick: dict[str, Any]) -> None:
    other = json.loads(balance(*QUICK, "--format", "json", "--seed", "2").out)
    assert other["seed"] == 2
    assert other["types"] != quick["types"]


def test_a_policy_file_is_measured_along_with_the_others(
    balance: Command, here: Path, quick: dict[str, Any]
) -> None:
    (here / "mine.toml").write_text(MINE)
    *others, mine = json.loads(balance(*QUICK, "mine.toml", "--format", "json").out)["types"]
    assert others == quick["types"]
    assert (mine["policy"], mine["help"]) == ("mine", "As greedy, but medal = -15 (not 15).")
    assert mine["win_share"]["greedy"]["high"] < 0.25


@pytest.mark.parametrize("players", [2, 5, 6])
def test_games_are_whole_blocks_at_any_table(balance: Command, players: int) -> None:
    found = json.loads(
        balance("players", "animalia", "--players", players, "--games", "31", "--format", "json").out
    )
    assert (found["games"], found["even"]) == ({2: 32, 5: 35, 6: 36}[players], 1 / players)


def test_the_text_fits_80_columns_and_says_what_each_type_does(balance: Command, here: Path) -> None:
    name = "a-name-as-long-as-names-of-types-may-be-"
    (here / "mine.toml").write_text(MINE.replace("mine", name))
    ended = balance(*QUICK, "mine.toml")
    assert max(map(len, ended.out.splitlines())) <= 80
    assert f"{name}: As greedy, but medal = -15 (not 15)." in " ".join(ended.out.split())
    for policy in registry.load("animalia").policies:
        assert f"{policy.id}: {policy.help}" in " ".join(ended.out.split())
    (line,) = [line for line in ended.out.splitlines() if line.startswith("  greedy  ")]
    assert line.split()[-2:] == ["-", "-"]


def test_markdown_is_a_table_with_as_many_cells_in_each_row(balance: Command, here: Path) -> None:
    (here / "mine.toml").write_text(MINE.replace("[weights]", 'help = "Either | or."\n[weights]'))
    lines = balance(*QUICK, "mine.toml", "--format", "markdown").out.splitlines()
    table = [line.replace(r"\|", "") for line in lines if line.startswith("|")]
    assert {line.count("|") for line in table} == {5}
    assert len(table) == 2 + len(TYPES) + 1
    assert r"Either \| or." in lines[-1]


SENTENCES: dict[tuple[str, ...], str] = {
    ("players",): "`balance players` needs more: GAME is missing.",
    ("players", "anmalia"): 'There is no game "anmalia". Did you mean "animalia"?',
    ("players", "animalia", "--players", "1"): (
        "Types of players of Animalia meet at tables of 2, 3, 4, 5 and 6, not 1."
    ),
    ("players", "animalia", "--players", "x"): '--players takes a whole number from 1, not "x".',
    ("players", "animalia", "--games", "0"): '--games must be from 1 to 1_000_000_000_000, not "0".',
    ("players", "animalia", "--seed", "x"): (
        '--seed must be a whole number from 0 to 18_446_744_073_709_551_615, not "x".'
    ),
    ("players", "animalia", "--threads", "0"): '--threads takes a whole number from 1 to 1000, not "0".',
    ("players", "animalia", "--format", "html"): '--format takes text or json or markdown, not "html".',
    ("players", "animalia", "hoarder"): 'There is no file "hoarder".',
    ("players", "animalia", "."): '"." is a folder, not a policy file.',
}


@pytest.mark.parametrize("arguments", SENTENCES, ids=" ".join)
def test_the_sentence_about_a_wrong_command_line(
    balance: Command, here: Path, arguments: tuple[str, ...]
) -> None:
    ended = balance(*arguments)
    assert (ended.code, ended.out, ended.faults) == (2, "", [f"error: {SENTENCES[arguments]}"])
    assert list(here.iterdir()) == []


def test_an_interruption_ends_it_without_a_trace(here: Path) -> None:
    (here / "elsewhere").mkdir()
    going = start(here, "players", "animalia", "--games", "1M", env={"TMPDIR": str(here / "elsewhere")})
    seen = read_until(going, "games/s")
    going.terminate()
    ended = end(going, seen)
    assert (ended.code, ended.out) == (143, "")
    assert "Traceback" not in ended.err
    assert list((here / "elsewhere").iterdir()) == []
