"""balance plan: the games and seconds that a question takes, measured in a pilot."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from balance.cli import planned
from balance.experiment import pilots

from .commands import Ended, files_in
from .test_compare import FILE

Command = Callable[..., Ended]


@pytest.fixture(autouse=True)
def short_pilots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pilots, "GAMES", 2_000)


def test_a_sentence_a_table_and_what_was_measured(balance: Command, here: Path) -> None:
    ended = balance("plan", "pig", "--players", 2, "--detect", "1pp", "--power", "0.8")
    assert ended.code == 0
    assert max(map(len, ended.out.splitlines())) <= 80
    text = " ".join(ended.out.split())
    assert text.startswith(
        "Pig With 2 players, to see with a chance of 80 % that a seat is 1 point off an even share of the wins, play "
        "19,600 games: "
    )
    assert "2 players games seconds stopping: at most seconds" in text
    for row, games in (("one set of rules", "19,600"), ("a change, each, other deals", "39,2|39,3")):
        assert re.search(rf"{row} ({games})", text), row
    assert "Measured in 2,000 games: share of wins of seat " in text
    assert "Not measured: that both rules correlate by 0.5" in text
    assert files_in(here) == {}, "pilots leave nothing"


def test_a_named_tweak_is_measured(balance: Command) -> None:
    asked = (
        "plan",
        "pig",
        "--players",
        "2,3",
        "--detect",
        "0.5",
        "--metric",
        "turns",
        "--set",
        "head_start=5",
    )
    ended = balance(*asked)
    text = " ".join(ended.out.split())
    assert (
        'With 3 players, to see with a chance of 80 % that "head_start=5" makes a difference of 0.5 in "Turns"'
        in text
    )
    assert re.search(
        r'"head_start=5": on the same deals both rules correlate by 0\.\d+; a game is worth \d+\.\d', text
    )
    found = json.loads(balance(*asked, "--format", "json").out)
    assert (found["schema"], found["metric"], found["detect"], found["share"]) == (
        "balance.plan/1",
        "turns",
        0.5,
        False,
    )
    for table in found["tables"]:
        (one,) = table["comparisons"]
        same, other = one["same_deals"]["fixed"]["games"], one["other_deals"]["fixed"]["games"]
        assert other / same == pytest.approx(one["worth"], rel=0.1)
        assert one["correlation"] > 0.9
        assert one["same_deals"]["fixed"]["seconds"] > 0


def test_the_variants_of_a_file_are_planned_each(balance: Command, here: Path) -> None:
    (here / "pigs.toml").write_text(FILE + '[[variants]]\nname = "idle"\nrules = { most_rounds = 199 }\n')
    text = " ".join(balance("plan", "pigs.toml", "--detect", "1pp").out.split())
    assert '"other" makes a difference of 1 point in share of wins' in text
    assert 'With 2 players, "idle" changed not one game of the pilot, so there is nothing to see.' in text


def test_what_so_many_games_show(balance: Command) -> None:
    asked = ("plan", "pig", "--players", 2, "--games", "100k")
    ended = balance(*asked)
    assert ended.code == 0
    assert max(map(len, ended.out.splitlines())) <= 80
    text = " ".join(ended.out.split())
    assert text.startswith(
        "Pig With 2 players, 100,000 games show with a chance of 80 % that a seat is 0.45 points off an even share of "
        "the wins"
    )
    assert "on different deals it would have to be 0.63 points." in text
    assert "one set of rules 100,000" in text
    found = json.loads(balance(*asked, "--format", "json").out)
    (table,) = found["tables"]
    assert (found["games"], found["detect"]) == (100_000, None)
    assert 0.0043 < table["alone"]["fixed"]["detect"] < 0.0045 < table["alone"]["stopping"]["detect"]


def test_what_they_show_of_a_named_tweak_and_what_too_few_show(balance: Command) -> None:
    tweak = ("plan", "pig", "--players", 2, "--metric", "turns", "--set", "head_start=5")
    text = " ".join(balance(*tweak, "--games", "2k").out.split())
    assert re.search(
        r'show with a chance of 80 % that "head_start=5" makes a difference of 0\.0\d+ in "Turns"', text
    )
    few = " ".join(balance(*tweak, "--games", 1).out.split())
    assert 'With 2 players, 1 game is too few to show anything of "head_start=5".' in few
    idle = ("plan", "pig", "--players", 2, "--set", "most_rounds=199", "--games", "2k")
    assert "changed not one game of the pilot, so there is nothing to see." in " ".join(
        balance(*idle).out.split()
    )


def test_what_is_the_same_in_every_game_needs_no_plan(balance: Command) -> None:
    ended = balance("plan", "pig", "--players", 2, "--detect", "1pp", "--metric", "tie_rate")
    assert ended.code == 0
    assert "was the same in every game of the pilot" in " ".join(ended.out.split())


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--detect", "1"), '"win_share" is a share: --detect takes points'),
        (("--detect", "1pp", "--metric", "turns"), '"turns" is no share: --detect takes a plain number'),
        (("--detect", "1pp", "--metric", "turn"), 'Pig has no metric "turn" here. Did you mean "turns"?'),
        (("--detect", "1pp", "--metric", "seat_spread"), '"seat_spread" is no mean'),
        (("--detect", "1pp", "--power", "80"), "--power takes a chance"),
        (("--detect", "1pp", "--set", "sides=99"), '"sides" must be'),
        ((), "Say what to plan: --detect D for the games that a difference takes, or --games N for"),
        (("--detect", "1pp", "--games", "5k"), "Say what to plan: --detect D for the games"),
        (("--games", "many"), "--games takes a whole number such as 5000, 1_000_000, 200k or 5M"),
    ],
)
def test_what_cannot_be_planned_is_one_sentence(
    balance: Command, here: Path, arguments: tuple[str, ...], says: str
) -> None:
    ended = balance("plan", "pig", "--players", "2", *arguments)
    assert (ended.code, ended.out, len(ended.faults)) == (2, "", 1)
    assert says in ended.err
    assert files_in(here) == {}


def test_a_deck_that_was_invented_is_said_first(balance: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pilots, "GAMES", 60)
    asked = ("plan", "kennelmester", "--players", 1, "--detect", "1", "--metric", "score")
    ended = balance(*asked)
    assert ended.out.startswith("Kennelmester\n\nPLACEHOLDER DECK: ")
    assert json.loads(balance(*asked, "--format", "json").out)["deck_note"].startswith("PLACEHOLDER DECK: ")


@pytest.mark.parametrize("void", [True, False])
def test_a_pilot_of_void_games_is_not_said_to_have_changed_nothing(void: bool) -> None:
    found = {"variant": "short", "void": void, "changed": True}
    one = {"players": 2, "mode": None, "level": None, "void": void, "comparisons": [found]}
    facts = {"metric": "win_share", "metric_title": "Share of wins"}
    assert ("void" in planned.alike(facts, one), "void" in planned.unchanged(facts, one, found)) == (
        void,
        void,
    )
