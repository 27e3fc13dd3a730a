"""What a run says on standard error while it goes on."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from balance.cli.progress import Talk
from balance.experiment.events import Compiled, Compiling, Event, Finished, Progress, Started, Warned


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Closed(io.StringIO):
    def write(self, text: str) -> int:
        raise BrokenPipeError(text)


def told(monkeypatch: pytest.MonkeyPatch, stream: io.StringIO, *events: Event) -> str:
    monkeypatch.setattr(sys, "stderr", stream)
    talk = Talk()
    talk.say("preparing")
    for event in events:
        talk.tell(event)
    return stream.getvalue()


def last(stream: str) -> str:
    """What a terminal of one line shows in the end."""
    shown = ""
    for part in stream.split("\n")[-1].split("\r"):
        shown = part + shown[len(part) :]
    return shown


@pytest.fixture(autouse=True)
def watched(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody sits before the terminal."""
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr("balance.cli.progress._LIVE_EVERY", 0.0)


STARTED = Started(Path("r"), 2, 0, 1000, 4)


def test_a_log_has_a_line_for_each_tenth(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = [Progress(done, 1000, 500.0, (1000 - done) / 500) for done in (*range(0, 1001, 20), 1000)]
    lines = told(monkeypatch, io.StringIO(), STARTED, *steps).splitlines()
    assert lines[0] == "1,000 games in 2 cells, 4 threads, into r"
    assert lines[1] == "100 of 1,000 games (10 %), 500 games/s, 2 s left"
    assert lines[-1] == "1,000 of 1,000 games (100 %), 500 games/s"
    assert len(lines) <= 11


def test_nothing_is_said_that_does_not_last(monkeypatch: pytest.MonkeyPatch) -> None:
    assert told(monkeypatch, io.StringIO()) == ""


def test_a_terminal_has_one_live_line_that_goes_away(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    text = told(monkeypatch, stream, STARTED, Progress(10, 1000, 5.0, 3725.0), Progress(30, 1000, 5.0, 70.0))
    assert last(text).rstrip() == "30 of 1,000 games (3 %), 5 games/s, 1 min 10 s left"
    assert "1 h 02 min left" in text
    done = told(monkeypatch, Terminal(), STARTED, Progress(30, 1000, 5.0, 70.0), Finished(None, None))
    assert last(done).strip() == ""


def test_a_live_line_is_never_wider_than_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    text = told(monkeypatch, Terminal(), STARTED, Progress(10, 10**9, 5.0, 3725.0))
    assert max(map(len, text.split("\n")[-1].split("\r"))) < 40


@pytest.mark.parametrize(("name", "value"), [("CI", "true"), ("TERM", "dumb")])
def test_nothing_is_live_where_nobody_watches(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(name, value)
    assert "\r" not in told(monkeypatch, Terminal(), STARTED, Progress(500, 1000, 5.0, 100.0))


def test_a_single_game_is_told_of_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    started = Started(Path("r"), 1, 0, 1, 1)
    assert told(monkeypatch, io.StringIO(), started) == "1 game in 1 cell, 1 thread, into r\n"


def test_the_remaining_events(monkeypatch: pytest.MonkeyPatch) -> None:
    events = (
        Started(Path("r"), 1, 60, 120, 1),
        Compiling("Animalia"),
        Compiled(12.34),
        Warned("The moon is full."),
    )
    assert told(monkeypatch, io.StringIO(), *events) == (
        "120 games in 1 cell, 1 thread, into r\n"
        "going on after 60 games that were finished earlier\n"
        "compiling Animalia, once for all numbers of players ...\n"
        "compiled in 12.3 s; the next run starts at once\n"
        "warning: The moon is full.\n"
    )


def test_who_cannot_be_heard_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    assert told(monkeypatch, Closed(), STARTED, Compiling("Animalia")) == ""
