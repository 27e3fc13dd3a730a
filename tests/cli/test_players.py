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


# ---------------------------------------------------------------------- seat by seat

BY_SEAT = ("players", "pig", "--by-seat", "--games", "400")
HASTY = '[policy]\nname = "hasty"\nbased_on = "hold-at-20"\n[weights]\nhold_at = 4\n'


def test_by_seat_the_usual_type_sits_in_every_seat_at_every_number_of_players(balance: Command) -> None:
    found = json.loads(balance(*BY_SEAT, "--format", "json").out)
    assert (found["schema"], found["against"]) == ("balance.players-by-seat/1", "random")
    (usual,) = found["types"]
    assert usual["policy"] == "hold-at-20"
    assert [table["players"] for table in usual["tables"]] == list(registry.load("pig").players)
    for table in usual["tables"]:
        count = table["players"]
        assert table["games"] % count == 0 <= table["games"] - 400 < count
        assert (table["even"], len(table["seats"])) == (1 / count, count)
        for share in table["seats"]:
            assert share["low"] < share["value"] <= share["high"]
        mean = sum(share["value"] for share in table["seats"]) / count
        assert table["win_share"]["value"] == pytest.approx(mean)


def test_by_seat_the_numbers_are_those_of_a_run(balance: Command, here: Path) -> None:
    (here / "hasty.toml").write_text(HASTY)
    _, hasty = json.loads(balance(*BY_SEAT, "hasty.toml", "--players", "3", "--format", "json").out)["types"]
    lineup = ("--policies", "hasty.toml,random,random", "--players", "3", "--games", "402")
    side = json.loads(balance("run", "pig", *lineup, "--format", "json").out)["cells"][0]["sides"][0]
    assert hasty["policy"] == side["policy"] == "hasty"
    assert hasty["tables"][0]["seats"] == side["seats"]
    assert hasty["tables"][0]["win_share"] == side["win_share"]


def test_by_seat_the_text_has_a_line_for_each_seat_in_80_columns(balance: Command) -> None:
    lines = balance(*BY_SEAT, "--players", "2,4").out.splitlines()
    assert max(map(len, lines)) <= 80
    rows = [line for line in lines if ", seat " in line]
    assert [row.split("  ")[1] for row in rows] == [
        *(f"2 players, seat {seat}" for seat in (1, 2)),
        *(f"4 players, seat {seat}" for seat in (1, 2, 3, 4)),
    ]
    assert [" 50.0 %" in row for row in rows[:2]] == [True, True]
    assert all(" to " in row for row in rows)


def test_by_seat_markdown_has_a_row_for_each_number_of_players(balance: Command) -> None:
    caption, _, *table = balance(*BY_SEAT, "--players", "2,4", "--format", "markdown").out.splitlines()
    assert "in each seat among random players" in caption
    head, _, two, four = table
    assert head.split(" | ")[1:] == [
        "players",
        "even share",
        *(f"seat {seat}" for seat in (1, 2, 3)),
        "seat 4 |",
    ]
    assert {line.count("|") for line in table} == {head.count("|")}
    assert two.startswith("| `hold-at-20` | 2 | 50.0 % | ")
    assert (two.count(" to "), four.count(" to ")) == (2, 4)


def test_by_seat_needs_a_type_beside_random(balance: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(Path(__file__).parents[1])
    ended = balance("players", "engine.toy:GAME", "--by-seat")
    assert (ended.code, ended.out) == (2, "")
    assert ended.faults == [
        'error: Toy has no type of player "random" beside another, which --by-seat asks for.'
    ]


# ---------------------------------------------------------------------- what they take

MIX = ("players", "pig", "--mix", "choices", "--games", "200")


def test_a_mix_is_what_each_type_takes_among_its_own_kind(balance: Command) -> None:
    found = json.loads(balance(*MIX, "--format", "json").out)
    assert (found["schema"], found["counter"], found["games"]) == ("balance.players-mix/1", "choices", 200)
    assert [one["policy"] for one in found["types"]] == [one.id for one in registry.load("pig").policies]
    for one in found["types"]:
        shares = [item["share"] for item in one["taken"].values()]
        assert sum(share["value"] for share in shares) == pytest.approx(1)
        assert all(share["low"] < share["value"] < share["high"] for share in shares)
        run = ("run", "pig", "--players", found["players"], "--policies", one["policy"], "--games", "200")
        (cell,) = json.loads(balance(*run, "--format", "json", "--out", one["policy"]).out)["cells"]
        for item in cell["measures"]["choices"]["items"]:
            assert one["taken"][item["item"]]["mean"] == item["taken"]["mean"]


def test_a_mix_as_text_and_as_markdown(balance: Command) -> None:
    types = [one.id for one in registry.load("pig").policies]
    lines = balance(*MIX).out.splitlines()
    assert max(map(len, lines)) <= 80
    text = " ".join(" ".join(lines).split())
    assert "all of one type. Choices: each item's share of all that were taken in 200 games" in text
    assert [line.split()[0] for line in lines if line.endswith("interval")] == types
    caption, _, head, _, *rows = balance(*MIX, "--format", "markdown").out.splitlines()
    assert "with an interval of at least 95 %" in caption
    assert head.startswith("| type of player | ")
    assert {row.count("|") for row in rows} == {head.count("|")}
    assert [row.split("`")[1] for row in rows] == types


SENTENCES: dict[tuple[str, ...], str] = {
    ("players",): "`balance players` needs more: GAME is missing.",
    ("players", "anmalia"): 'There is no game "anmalia". Did you mean "animalia"?',
    ("players", "animalia", "--players", "1"): (
        "Types of players of Animalia meet at tables of 2, 3, 4, 5 and 6, not 1."
    ),
    ("players", "animalia", "--players", "x"): (
        '--players takes whole numbers from 1 to 6 with commas between them, such as 3,4, not "x".'
    ),
    ("players", "animalia", "--players", "3,4"): (
        "Types of players are compared at one number of players, not at 3 and 4."
    ),
    ("players", "zooloretto", "--by-seat", "--players", "5,6"): (
        "Types of players of Zooloretto meet at tables of 2, 3, 4 and 5, not 6."
    ),
    ("players", "pig", "--mix", "choice"): (
        'Pig counts no "choice" item by item. Did you mean "choices"? It counts: choices.'
    ),
    ("players", "animalia", "--mix", "powers", "--by-seat"): (
        "--by-seat and --mix ask for different tables; give one of them."
    ),
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


def test_a_mix_of_a_game_that_counts_nothing(balance: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(Path(__file__).parents[1])
    ended = balance("players", "experiment.summit:GAME", "--mix", "throws")
    assert (ended.code, ended.out) == (2, "")
    assert ended.faults == ["error: Summit counts nothing item by item, which --mix asks for."]


def test_an_interruption_ends_it_without_a_trace(here: Path) -> None:
    (here / "elsewhere").mkdir()
    going = start(here, "players", "animalia", "--games", "1M", env={"TMPDIR": str(here / "elsewhere")})
    seen = read_until(going, "games/s")
    going.terminate()
    ended = end(going, seen)
    assert (ended.code, ended.out) == (143, "")
    assert "Traceback" not in ended.err
    assert list((here / "elsewhere").iterdir()) == []
