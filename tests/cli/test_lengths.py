"""How long to play: until shares are known so well, or for so long."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from balance.cli import timed

from .commands import Ended, played

Command = Callable[..., Ended]
PIG = ("run", "pig", "--players", "2,3", "--no-rows")


def results(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "results.json").read_text("utf-8"))
    return found


def test_play_ends_when_the_shares_are_known_so_well(balance: Command, here: Path) -> None:
    ended = balance(*PIG, "--precision", "2pp", "--out", "r")
    assert ended.code == 0, ended.err
    text = " ".join(ended.out.split())
    assert "known to within 2 pp, so the intervals that allow for having looked again and again are" in text
    assert "allowing for looks" in text
    found = results(here / "r")
    for cell in found["precision"]["cells"]:
        widths = [share["adjusted"]["high"] - share["adjusted"]["low"] for share in cell["shares"]]
        assert 0 < max(widths) <= 0.04
    assert 'id="precision"' in (here / "r" / "report.html").read_text("utf-8")
    two, three = (cell["games"] for cell in found["cells"])
    assert 1000 <= three <= two < 10_000


def test_threads_change_nothing_and_the_same_command_finds_it_complete(balance: Command, here: Path) -> None:
    for threads, folder in ((1, "one"), (4, "four")):
        balance(*PIG, "--precision", "2pp", "--threads", threads, "--out", folder)
    assert played(here / "one") == played(here / "four")
    again = balance(*PIG, "--precision", "2pp", "--out", "one")
    assert again.err.startswith("already complete")


def test_a_file_may_say_it(balance: Command, here: Path) -> None:
    text = 'schema_version = 1\ngame = "pig"\nplayers = [2]\n[run]\nprecision = "3pp"\n'
    (here / "e.toml").write_text(text)
    assert balance("run", "e.toml", "--out", "r").code == 0
    assert results(here / "r")["precision"]["half_width"] == 0.03
    assert balance("run", "e.toml", "--games", "300", "--out", "fixed").code == 0
    assert "precision" not in results(here / "fixed")
    assert results(here / "fixed")["cells"][0]["games"] == 300


def test_a_time_becomes_a_number_of_games(
    balance: Command, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timed, "_games_per_second", lambda *_: 1234.5)
    ended = balance(*PIG, "--for", "2s", "--out", "r")
    assert ended.code == 0, ended.err
    assert ended.err.startswith(
        "2,400 games in each cell take about 2s here; --games 2400 plays the same again\n"
    )
    assert [cell["games"] for cell in results(here / "r")["cells"]] == [2400, 2400]
    command = results(here / "r")["provenance"]["command"]
    assert command == "balance run pig --players 2,3 --no-rows --games 2400"
    assert balance(*command.split()[1:], "--out", "again").code == 0
    assert played(here / "r") == played(here / "again")


def test_the_speed_is_measured_by_playing(balance: Command) -> None:
    ended = balance(*PIG, "--for", "1s", "--out", "r")
    assert ended.code == 0
    assert re.match(r"[\d,]+ games in each cell take about 1s here", ended.err)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--precision", "half"), '--precision takes percentage points from 0.01pp to 20pp, not "half".'),
        (("--for", "long"), '--for takes a time from 1s to 24h, such as 60s or 5m, not "long".'),
        (
            ("--for", "5s", "--games", "9"),
            "Say how long to play in one way: --games, --precision, --for or --sprt.",
        ),
    ],
)
def test_what_cannot_be_meant_is_a_sentence(balance: Command, words: tuple[str, ...], says: str) -> None:
    ended = balance(*PIG, *words)
    assert (ended.code, ended.faults) == (2, [f"error: {says}"])
