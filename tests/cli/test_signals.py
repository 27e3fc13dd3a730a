"""Ctrl-C and SIGTERM, at any moment: what was finished is kept, nothing is half-written, the code says it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import typer

from balance.cli.playing import play

from .commands import QUICK, Ended, end, files_in, own_process, played, read_until, start

ENDLESS = ("run", "animalia", "--players", "4", "--games", "500M", "--no-rows", "--out", "r")
GO_ON = "To go on, give the same command again:\n  balance run animalia --players 4 --games 500M --no-rows --out r\n"
CODES = {signal.SIGINT: 130, signal.SIGTERM: 143}
STRIKE = """
import importlib.abc, os, sys

class Strike(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            sys.meta_path.remove(self)
            os.kill(os.getpid(), {number})

sys.meta_path.insert(0, Strike())
from balance.__main__ import main
main()
"""
"""The command, and a signal at the moment when it loads a certain module."""


def struck(folder: Path, module: str, number: signal.Signals, *arguments: str) -> Ended:
    code = STRIKE.format(module=module, number=int(number))
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    return Ended(done.returncode, done.stdout, done.stderr)


def half_written(folder: Path) -> list[str]:
    return [name for name in files_in(folder) if Path(name).name.startswith(".new-") or name.endswith(".tmp")]


def wait_for(file: Path, process: subprocess.Popen[str]) -> None:
    while not file.exists():
        assert process.poll() is None
        time.sleep(0.01)


CALLED_BACK = """
import ctypes, os, sys, types
import balance.cli
from balance.__main__ import main

def work():
    strike = compile("def strike(): os.kill(os.getpid(), {number}); return 1", "site/llvmlite/engine.py", "exec")
    names = {{"os": os}}
    exec(strike, names)
    ctypes.CFUNCTYPE(ctypes.c_int)(names["strike"])()
    while True:
        sum(range(1000))

balance.cli.main = work
main()
"""
"""The command line, and a signal while the compiler's library has called back: what is raised there is lost."""


@pytest.mark.parametrize("number", CODES)
def test_a_signal_in_the_middle_of_the_compiler_is_not_lost(number: signal.Signals) -> None:
    code = CALLED_BACK.format(number=int(number))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (CODES[number], b"", b"")


@pytest.mark.parametrize("number", CODES)
@pytest.mark.parametrize("command", [("games",), ("run", "animalia")])
def test_a_signal_while_the_command_line_is_loaded_ends_it_quietly(
    here: Path, number: signal.Signals, command: tuple[str, ...]
) -> None:
    assert struck(here, "typer", number, *command) == Ended(CODES[number], "", "")
    assert list(here.iterdir()) == []


@pytest.mark.parametrize(
    ("module", "number", "left"),
    [
        ("balance.experiment.runner", signal.SIGINT, set()),
        ("balance.analysis", signal.SIGTERM, {"progress"}),
        ("balance.report.page", signal.SIGINT, {"progress", "results.json"}),
    ],
)
def test_a_signal_before_play_or_while_results_are_written(
    here: Path, finished: Path, module: str, number: signal.Signals, left: set[str]
) -> None:
    undisturbed = finished.rename(here / "undisturbed")
    command = (*QUICK, "--out", "r")
    ended = struck(here, module, number, *command)
    assert ended.code == CODES[number]
    assert ended.err.endswith(
        " To go on, give the same command again:\n  balance run animalia --players 4 --games 60 --out r\n"
    )
    assert "Traceback" not in ended.err
    assert half_written(here) == []
    assert {"progress", "results.json", "report.html"} & set(files_in(here / "r")) == left
    assert own_process(here, *command).code == 0
    assert played(here / "r") == played(undisturbed)
    assert (here / "r" / "report.html").exists()


def test_a_signal_to_a_command_that_only_reads_ends_it_with_a_word(here: Path) -> None:
    ended = struck(here, "numpy", signal.SIGINT, "replay", "animalia", "--players", "4", "--game", "1")
    assert ended == Ended(130, "", "Stopped.\n")


@pytest.mark.parametrize(
    ("command", "module", "number", "said"),
    [
        (
            ("conform", "pig"),
            "balance.conformance.watch",
            signal.SIGINT,
            "Stopped before all was checked; that says nothing of the game.\n",
        ),
        (
            ("selftest",),
            "balance.experiment.selftest",
            signal.SIGTERM,
            "Stopped before all was checked.\n",
        ),
        (
            ("plan", "pig", "--detect", "1pp"),
            "balance.experiment.runner",
            signal.SIGINT,
            "Stopped; a pilot keeps nothing.\n",
        ),
    ],
)
def test_a_command_that_keeps_nothing_says_so(
    here: Path, command: tuple[str, ...], module: str, number: signal.Signals, said: str
) -> None:
    assert struck(here, module, number, *command) == Ended(CODES[number], "", said)
    assert list(here.iterdir()) == []


@pytest.mark.parametrize("number", CODES)
def test_a_signal_during_play_keeps_what_was_finished(here: Path, number: signal.Signals) -> None:
    process = start(here, *ENDLESS)
    wait_for(here / "r" / "progress", process)
    process.send_signal(number)
    ended = end(process)
    assert ended.code == CODES[number]
    assert ended.err.endswith(f"Stopped; what was finished is kept. {GO_ON}")
    assert "Traceback" not in ended.err
    assert half_written(here) == []
    results = here / "r" / "results.json"
    if results.exists():  # on a slow machine there was no time for them
        found = json.loads(results.read_text("utf-8"))
        assert found["status"] == "interrupted"
        assert found["cells"][0]["games"] % 60_000 == 0


def test_a_signal_before_the_first_games_are_finished(here: Path) -> None:
    process = start(here, *ENDLESS)
    seen = read_until(process, "into r")
    process.send_signal(signal.SIGINT)
    ended = end(process, seen)
    assert (ended.code, ended.out) == (130, "")
    assert ended.err.endswith(f" {GO_ON}")
    assert half_written(here) == []


def test_a_second_signal_ends_at_once(here: Path) -> None:
    process = start(here, *ENDLESS)
    wait_for(here / "r" / "progress", process)
    process.send_signal(signal.SIGINT)
    time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    ended = end(process)
    assert ended.code in (130, -signal.SIGINT)  # the latter, should Python be leaving already
    assert ended.err.endswith(f"Stopped; what was finished is kept. {GO_ON}")
    assert "Traceback" not in ended.err
    assert half_written(here) == []


def test_a_signal_while_the_game_is_compiled(here: Path) -> None:
    process = start(here, *ENDLESS, env={"BALANCE_CACHE_DIR": str(here / "cache")})
    seen = read_until(process, "compiling Animalia")
    process.send_signal(signal.SIGINT)
    ended = end(process, seen)
    assert (ended.code, ended.out) == (130, "")
    assert ended.err.endswith(f"Stopped before any games were kept. {GO_ON}")
    assert half_written(here) == []


def test_a_folder_in_use_is_refused(here: Path) -> None:
    process = start(here, *ENDLESS)
    read_until(process, "into r")
    refused = own_process(here, *ENDLESS)
    assert process.poll() is None
    process.kill()
    process.communicate()
    assert refused == Ended(
        2, "", "error: The folder r is in use by another run.\n  Wait for it, or stop it.\n"
    )
    process = start(here, *ENDLESS)  # whoever was killed holds no lock
    read_until(process, "into r")
    process.kill()
    process.communicate()


def test_handlers_are_put_back(balance: Callable[..., Ended]) -> None:
    before = [signal.getsignal(number) for number in CODES]
    assert balance(*QUICK, "--out", "r").code == 0
    assert [signal.getsignal(number) for number in CODES] == before


def test_an_error_of_a_compiler_that_was_cut_short_is_the_signal_s(monkeypatch: pytest.MonkeyPatch) -> None:
    def begin(_talk: object, *, signalled: bool) -> Any:
        if signalled:
            with suppress(KeyboardInterrupt):
                os.kill(os.getpid(), signal.SIGINT)
                time.sleep(1)
        raise AttributeError("'record' object has no attribute 'data'")

    monkeypatch.setattr(sys, "argv", ["balance", "run", "pig"])
    with pytest.raises(typer.Exit) as left:
        play(partial(begin, signalled=True), lambda *_: "")
    assert left.value.exit_code == 130
    with pytest.raises(AttributeError):
        play(partial(begin, signalled=False), lambda *_: "")
