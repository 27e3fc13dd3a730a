"""balance compare --ban NAME --seat S: what an option is worth to a seat."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from balance.analysis.questions import questions
from balance.analysis.side_by_side import side_by_side
from balance.experiment.bans import restricted
from balance.experiment.config import from_game, with_overrides
from balance.experiment.events import Interrupted, Progress
from balance.experiment.models import Gate
from balance.experiment.plan import Plan
from balance.experiment.runner import Options, run
from balance.game import Game
from balance.games.pig import GAME as PIG
from balance.report.side_by_side import told_of_bans

from .commands import Ended, in_process

Command = Callable[..., Ended]
PIGS = ("compare", "pig", "--players", "2,3", "--games", "1200", "--ban", "hold", "--seat", "2")


@pytest.fixture(scope="module")
def pigs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Ended, Path]:
    """A comparison, and the folder that it left."""
    folder = tmp_path_factory.mktemp("pigs")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        return in_process(patch, *PIGS, "--out", "r"), folder / "r"


def results(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "results.json").read_text("utf-8"))
    return found


def difference(found: dict[str, Any], metric: str, seat: int) -> dict[str, float]:
    (entry,) = (
        one for one in found["comparisons"][0]["metrics"] if (one["metric"], one["seat"]) == (metric, seat)
    )
    return dict(entry["difference"])


def test_the_answer_comes_first_and_says_for_whom_it_holds(pigs: tuple[Ended, Path]) -> None:
    ended, folder = pigs
    assert ended.code == 0
    lines = " ".join(ended.out.split())
    found = difference(results(folder), "win_share", 1)
    less, low, high = (f"{-100 * found[end]:.1f}" for end in ("value", "high", "low"))
    assert lines.startswith(
        f'Pig: seat 2 without hold Without "hold" seat 2 wins {less} pp less ({low} to {high}) and scores '
    )
    for words in (
        ", with 2 players. Without",
        ", with 3 players. The 2 tables are as many questions: ",
        " Seat 2 was forbidden to hold, wherever it could do something else. With and without, the deals are the same.",
        'All of this holds for players of type "hold-at-20" only',
        "2 players, 1,200 games by each set of rules: seat 2 without hold",
    ):
        assert words in lines
    assert "Worse" not in lines, "nobody wants to play so"
    assert max(map(len, ended.out.splitlines())) <= 80
    assert "was forbidden to hold" in (folder / "report.html").read_text("utf-8")


def test_the_free_side_is_the_ordinary_game(balance: Command, here: Path, pigs: tuple[Ended, Path]) -> None:
    assert balance("run", "pig", "--players", "2,3", "--games", 1200, "--out", "r").code == 0
    ordinary, found = results(here / "r")["cells"], results(pigs[1])["cells"]
    assert [one for one in found if one["variant"] == "baseline"] == ordinary
    assert [one.get("ban") for one in found[:2]] == [None, {"seat": 1, "name": "hold", "what": "to hold"}]


def test_json_is_all_there_is_on_standard_output(balance: Command, pigs: tuple[Ended, Path]) -> None:
    ended = balance(*PIGS, "--format", "json")
    assert json.loads(ended.out)["comparisons"] == results(pigs[1])["comparisons"]


def test_its_games_are_played_again_with_the_ban_on_the_same_dice(
    balance: Command, pigs: tuple[Ended, Path]
) -> None:
    """Seat 2 banks only what ends the game; the run has rows, which a replay is held against."""
    first: list[list[Any]] = []
    for cell, holds in (("baseline-p2", True), ("seat-2-without-hold-p2", False)):
        told = balance("replay", str(pigs[1]), "--cell", cell, "--games", "0:20", "--format", "jsonl")
        assert told.code == 0, told.err
        events = [json.loads(line) for line in told.out.splitlines()]
        banked = [one for one in events if one["event"] == "bank" and one["player"] == 1]
        assert banked
        assert any(one["points"] < 100 for one in banked) is holds
        first.append([one for one in events if one.get("player") == 0 and one["round"] == 0])
    assert first[0] == first[1] != []
    assert balance("find", str(pigs[1]), "--top", "score_margin", "-n", 3).code == 0


def test_a_replay_says_what_was_forbidden(balance: Command, pigs: tuple[Ended, Path]) -> None:
    forbidden = "Seat 2 was forbidden to hold, wherever it could do something else."
    for cell, form, said in (
        ("seat-2-without-hold-p2", "text", True),
        ("seat-2-without-hold-p2", "jsonl", False),
        ("baseline-p2", "text", False),
    ):
        told = balance("replay", str(pigs[1]), "--cell", cell, "--game", 0, "--format", form)
        assert told.code == 0
        assert (forbidden in told.err) is said
        assert forbidden not in told.out


def test_side_by_side_a_ban_is_told(pigs: tuple[Ended, Path]) -> None:
    banned = results(pigs[1])
    free = {**banned, "cells": [one for one in banned["cells"] if "ban" not in one]}
    ban = (
        'In "with" seat 2 was forbidden to hold in the games of "seat 2 without hold", which are not held together '
        "here."
    )
    assert told_of_bans(side_by_side({"with": banned, "without": free})) == [ban]
    assert told_of_bans(side_by_side({"a": free, "b": free})) == []


def test_threads_and_stops_change_nothing(here: Path) -> None:
    """Stopped in the middle, and gone on with other threads: the end is the same to the last byte."""
    pig = with_overrides(from_game("pig"), players=(2,), games=3_000, policies=("hold-at-20", "random"))
    experiment, options = restricted(pig, "hold", 2), Options(part_games=300, chunk_games=20)
    for _ in run(experiment, here / "whole", 1, options):
        pass
    going = run(experiment, here / "stopped", 2, options)
    while not isinstance(next(going), Progress):
        pass
    going.stop()
    (*_, last) = going
    assert isinstance(last, Interrupted)
    assert last.outcome.games < 6_000, "none, if the machine is slow"
    for _ in run(experiment, here / "stopped", 2, options):
        pass
    for name in (
        "progress",
        *(f"games/{cell}/part-0007.parquet" for cell in ("baseline-p2", "seat-2-without-hold-p2")),
    ):
        assert (here / "stopped" / name).read_bytes() == (here / "whole" / name).read_bytes()


def test_what_is_banned_is_part_of_a_run(pigs: tuple[Ended, Path]) -> None:
    manifest = json.loads((pigs[1] / "manifest.json").read_text("utf-8"))
    assert [cell.get("ban") for cell in manifest["cells"][:2]] == [None, {"name": "hold", "seat": 2}]
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(pigs[1].parent)
        again = in_process(patch, *PIGS, "--out", "r")
        other = in_process(patch, *PIGS[:-1], "1", "--out", "r")
    assert again == Ended(0, pigs[0].out, "already complete: r\n")
    assert other.faults == [
        'error: The folder r holds a different experiment ("Pig: seat 2 without hold"). Nothing was changed.'
    ]
    digests = {
        Plan(restricted(from_game("pig"), name, seat)).digest for name in ("hold", "roll") for seat in (1, 2)
    }
    assert len({*digests, Plan(from_game("pig")).digest}) == 5


PLAYER = '[policy]\nname = "greedy-pig"\nbased_on = "hold-at-20"\n[weights]\nhold_at = 1000\n'


def test_what_nobody_wants_is_worth_nothing(balance: Command, here: Path) -> None:
    (here / "pig.toml").write_text(PLAYER)
    ended = balance(
        "compare",
        "pig",
        "--players",
        2,
        "--games",
        500,
        "--policies",
        "pig.toml",
        "--ban",
        "hold",
        "--seat",
        1,
    )
    assert ended.code == 0
    assert " ".join(ended.out.split()).startswith(
        'Pig: seat 1 without hold Seat 1 never chose "hold" where it had a choice, with 2 players: not one of 500 '
        "games came out otherwise: in them the difference is exactly 0."
    )


FILE = """\
schema_version = 1
game = "pig"
players = [2]
run = { games = 600 }
variants = [{ name = "other", rules = { sides = 8 } }]
"""


def test_the_baseline_of_a_file_is_compared(balance: Command, here: Path) -> None:
    (here / "pigs.toml").write_text(FILE)
    ended = balance("compare", "pigs.toml", "--ban", "roll", "--seat", 1, "--out", "r")
    assert ended.code == 0
    assert ended.err.startswith("The variant in the file is left aside; its baseline is compared.\n")
    assert [cell["variant"] for cell in results(here / "r")["cells"]] == ["baseline", "seat 1 without roll"]


def test_gates_judge_the_free_game_alone() -> None:
    gates = (Gate(metric="seat_spread", max=0.1), Gate(metric="turns", max=0.1, against="baseline"))
    pig = with_overrides(from_game("pig"), players=(2, 3)).model_copy(update={"gates": gates})
    asked = questions(Plan(restricted(pig, "hold", 2)))
    assert [(one.cell.players, one.cell.cell.variant) for one in asked] == [(2, "baseline"), (3, "baseline")]


def test_it_may_be_tested_until_it_is_decided(balance: Command) -> None:
    ended = balance(*PIGS, "--players", 2, "--sprt", "-1pp,0pp", "--metric", "win_share:2")
    assert ended.code == 0
    assert "seat 2's share of wins" in " ".join(ended.out.split())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("pig", "--ban", "hold"), '--ban and --seat go together: --ban "take a truck" --seat 2, say.'),
        (("pig", "--seat", "2"), '--ban and --seat go together: --ban "take a truck" --seat 2, say.'),
        (
            ("pig", "--ban", "hold", "--seat", "2", "--set", "sides=8"),
            "--ban and --set ask two questions; compare them one by one.",
        ),
        (
            ("pig", "--ban", "hold", "--ban", "roll", "--seat", "2"),
            "--ban may be given once, not 2 times: one seat goes without one thing; compare them one by one.",
        ),
        (
            ("pig", "--ban", "hold", "--seat", "1", "--seat", "2"),
            "--seat may be given once, not 2 times: one seat goes without one thing; compare them one by one.",
        ),
        (
            ("pig", "--ban", "hodl", "--seat", "2"),
            'Pig has nothing called "hodl" to ban. Did you mean "hold"?',
        ),
        (("pig", "--ban", "\x1b[31m", "--seat", "2"), 'Pig has nothing called "\\u001b[31m" to ban.'),
        (("pig", "--ban", "hold", "--seat", "0"), '--seat takes a whole number from 1, not "0".'),
        (
            ("pig", "--ban", "hold", "--seat", "3", "--players", "3,2"),
            "With 2 players there is no seat 3, only seats 1 and 2.",
        ),
        (
            ("animalia", "--ban", "cute", "--seat", "2", "--players", "4"),
            'With 4 players the rules leave "cute" out of the game, so there is nothing to ban.',
        ),
        (
            ("kennelmester", "--ban", "birth", "--seat", "2", "--mode", "solo"),
            "With 1 player (solo) there is no seat 2, only seat 1.",
        ),
        (
            ("kennelmester", "--ban", "stud male", "--seat", "1", "--mode", "solo"),
            'With 1 player (solo) the rules leave "stud male" out of the game, so there is nothing to ban.',
        ),
    ],
)
def test_what_cannot_be_banned_is_said_before_the_first_game(
    balance: Command, here: Path, arguments: tuple[str, ...], said: str
) -> None:
    ended = balance("compare", *arguments)
    assert (ended.code, ended.out, ended.faults) == (2, "", [f"error: {said}"])
    assert list(here.iterdir()) == []


def test_an_unknown_name_lists_all(balance: Command) -> None:
    assert balance("compare", "pig", "--ban", "x", "--seat", 1).err.endswith("\n  There are: hold, roll.\n")


def test_a_game_without_names_says_so(balance: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def without(self: Game, name: str) -> Any:
        return None if name == "bans" else object.__getattribute__(self, name)

    monkeypatch.setattr(type(PIG), "__getattribute__", without)
    ended = balance("compare", "pig", "--ban", "hold", "--seat", 1)
    assert ended.faults == ["error: Pig does not say what can be banned, so --ban cannot be used with it."]
