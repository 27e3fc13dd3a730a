"""On a terminal, and in 80 columns: whole numbers, names as they were given, progress that goes away, no colors."""

from __future__ import annotations

import csv
import html
import json
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from report.sample import Shape, build
from rich.cells import cell_len

from balance.cli import tables
from balance.cli.tables import summary, table

from .commands import Ended, own_process, shell
from .screens import WATCHED, on_terminal, screen_of

Command = Callable[..., Ended]
ISOLATES = "\u2068", "\u2069"
NAMES = (
    "[brackets] [bold]x[/bold] %s %d {0} {x!r} $HOME `id`",
    "back\\slash \\n \\x1b \\u202e ' \" `",
    "犬と猫のゲーム" * 11 + "犬猫鳥",
    "שלום עולם: " * 7 + "אב",
    "😀 e\u0301 Kölyök Šampión ıİ 한국어 ｆｕｌｌ عربي ٣",
    '=1+1;"q",<b>&amp;\'',
    "w" * 80,
)
CHANGES = (
    "owl = false",
    "max_set_size = 2",
    "medal_points = 2",
    "bonus_first = 1",
    "max_set_size = 1",
    "medal_points = 3",
    "bonus_first = 3",
)
TYPE = '[policy]\nname = "מאלף-猫"\nbased_on = "greedy"\ntemperature = 3\n'
SIX = ("greedy", "random", "beginner", "hoarder", "thief-happy", "type.toml")
"""Six types of players."""
SHORT = ("run", "pig", "--players", "2", "--games", "60", "--out", "r")
ENDLESS = ("run", "pig", "--players", "2", "--games", "900M", "--no-rows", "--out", "r")


# ---------------------------------------------------------------------- 80 columns


def quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def experiment(here: Path) -> str:
    """Six types of players at six seats, and names of all kinds."""
    variants = [
        f"[[variants]]\nname = {quoted(name)}\nrules = {{ {change} }}\n"
        for name, change in zip(NAMES, CHANGES, strict=True)
    ]
    head = f"schema_version = 1\ntitle = {quoted(' '.join(NAMES[:2]))}\n"
    head += 'game = "animalia"\nplayers = [6]\n[run]\ngames = 60\n'
    lineup = f"[lineup]\npolicies = {json.dumps(SIX)}\n"
    (here / "type.toml").write_text(TYPE, encoding="utf-8")
    (here / "odd.toml").write_text(head + lineup + "".join(variants), encoding="utf-8")
    return "odd.toml"


def plain(text: str) -> str:
    """The text without what lines add to it: ends, indents, and marks around names from right to left."""
    return "".join(letter for letter in text if not letter.isspace() and letter not in ISOLATES)


def test_every_name_is_shown_as_it_was_given(here: Path) -> None:
    ended = own_process(here, "run", experiment(here), "--out", "r", env={"COLUMNS": "40"})
    assert ended.code == 0
    assert max(map(cell_len, ended.out.splitlines())) <= 80
    assert all(line.count(ISOLATES[0]) == line.count(ISOLATES[1]) for line in ended.out.splitlines())
    results = json.loads((here / "r" / "results.json").read_bytes())
    rows = csv.reader((here / "r" / "tables" / "policies.csv").read_text("utf-8").splitlines())
    listed = {word for row in rows for word in row}
    page = plain(html.unescape(re.sub("<[^>]*>", "", (here / "r" / "report.html").read_text("utf-8"))))
    for name in (*NAMES, "מאלף-猫"):
        assert name in listed
        assert plain(name) in page, name
    for name in NAMES:
        assert plain(f"6 players, {name}: 60 games") in plain(ended.out), name
    assert plain("מאלף-猫 16.7 %") in plain(ended.out)
    assert [cell["variant"] for cell in results["cells"]] == ["baseline", *NAMES]


COMMANDS = (
    ("games",),
    ("rules", "animalia"),
    ("find", "r", "turns > 1", "-n", "3"),
    ("run", "animalia", "--players", "4", "--games", "60", "--out", "r"),
    ("players", "pig", "--games", "60"),
    ("doctor",),
)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
@pytest.mark.usefixtures("finished")
def test_the_width_of_the_terminal_changes_no_table(
    balance: Command, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    found = set()
    for width in ("40", "60", "80", "300"):
        monkeypatch.setenv("COLUMNS", width)
        ended = balance(*command)
        assert ended.code == 0
        found.add(re.sub("[0-9.]+ (GB|MB|files?)", "", ended.out))  # others may be at work meanwhile
    (out,) = found
    assert not re.search(r"\.\.\.|…", out)
    assert command == ("doctor",) or max(map(len, out.splitlines())) <= 80  # paths are never broken


def test_the_yardstick_has_80_columns(balance: Command) -> None:
    out = balance("bench", "pig", "--seconds", "0.1").out
    assert max(map(len, out.splitlines())) <= 80
    assert re.search(r"\n  hold-at-20 +[0-9,]+ +[0-9.]+ ns +[0-9,]+ +[0-9.]+ x\n", out)


def recorded(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Sequence[str], list[str]]]:
    """The rows of every table that is made from now on, each with its lines."""
    found: list[tuple[Sequence[str], list[str]]] = []

    def spy(rows: Sequence[Sequence[str]]) -> Iterator[str]:
        lines = list(table(rows))
        found.extend((row, lines) for row in rows)
        yield from lines

    monkeypatch.setattr(tables, "table", spy)
    return found


def long_run(games: int) -> dict[str, Any]:
    """So many games of six types of players at six seats that numbers have many decimals."""
    names = [f"{name}-{'犬' * 16}" for name in "abcde"] + ["מאלף" * 10]
    results = build(Shape(players=(6,), variants=("baseline", *NAMES), policies=names))
    for cell in results["cells"]:
        cell |= {"games": games, "blocks": games // 6}
        for estimate in estimates(cell):
            value, half = estimate["value"], 2 * max(1.0, abs(estimate["value"])) / games**0.5
            estimate |= {"low": value - half, "high": value + half, "n": games}
    return results


def estimates(part: Any) -> Iterator[dict[str, Any]]:
    """All estimates within a part of the results."""
    if isinstance(part, dict):
        if "method" in part and part["value"] is not None:
            yield part
        part = list(part.values())
    if isinstance(part, list):
        for one in part:
            yield from estimates(one)


@pytest.mark.parametrize("games", [10**7, 10**10])
def test_many_games_lose_no_number(monkeypatch: pytest.MonkeyPatch, games: int) -> None:
    rows = recorded(monkeypatch)
    text = summary(long_run(games))
    assert len(rows) > 100
    assert max(map(cell_len, text.splitlines())) <= 80
    assert f"{games:,} games" in text
    for row, lines in rows:
        numbers = "  +".join(re.escape(cell) for cell in row[1:] if cell)
        assert not numbers or any(re.search(f"(^|  ){numbers}$", line) for line in lines), row
    assert not re.search(r"…|\.\.\.|^ *%", text, re.MULTILINE)


# ---------------------------------------------------------------------- what could steer the terminal

STEERING = ("\x1b[31m", "\r", "\x07", "\x7f", "\x9b2J", "\u202e", "\u2028", "\t", "\n")


@pytest.mark.parametrize("key", ["title", "name", "help"])
def test_control_characters_are_refused_in_names(balance: Command, here: Path, key: str) -> None:
    for letter in STEERING:
        text = quoted(f"a{letter}b") if letter.isascii() else json.dumps(f"a{letter}b")
        text = text.replace("\x7f", "\\u007f")
        variant = (
            f"[[variants]]\nname = {text if key == 'name' else quoted('b')}\nrules = {{ owl = false }}\n"
        )
        title = f"title = {text}\n" if key == "title" else ""
        head = f'schema_version = 1\n{title}game = "animalia"\nplayers = [4]\n'
        lineup = '[lineup]\npolicies = ["type.toml"]\n'
        own = TYPE.replace("temperature", f"help = {text if key == 'help' else quoted('c')}\ntemperature")
        (here / "type.toml").write_text(own, encoding="utf-8")
        (here / "e.toml").write_text(head + lineup + variant, encoding="utf-8")
        ended = balance("run", "e.toml", "--out", "r")
        assert ended.code == 2, letter
        assert f'"{key}" must be text of 1 to ' in ended.err
        assert letter not in ended.err.rstrip("\n")
    assert not (here / "r").exists()


@pytest.mark.parametrize(
    "words",
    [
        ("run", "a\x1b[31m:GAME"),
        ("rules", "a\x1b[31m"),
        ("report", "a\x1b[31m"),
        ("find", "a\x1b[31m", "turns > 1"),
        ("replay", "a\x1b[31m/b", "--game", "0"),
        ("games", "--format", "a\x1b[31m"),
        ("a\x1b[31m",),
        ("games", "--a\x1b[31m"),
        ("conform", "a\x1b[31m:GAME"),
    ],
    ids=" ".join,
)
def test_errors_show_what_was_typed_and_do_not_obey_it(balance: Command, words: tuple[str, ...]) -> None:
    ended = balance(*words)
    assert (ended.code, ended.out) == (2, "")
    assert re.search(r"\\(x|u00)1b\[31m", ended.err)
    assert "\x1b" not in ended.err


def test_the_folder_of_a_run_does_not_steer_the_terminal_either(balance: Command, here: Path) -> None:
    ended = balance(*SHORT[:-1], "r\x1b[31m")
    assert ended.out.endswith("\nReport: r\\u001b[31m/report.html\n")
    assert "threads, into r\\u001b[31m\n" in ended.err
    assert "\x1b" not in ended.out + ended.err
    assert (here / "r\x1b[31m" / "report.html").exists()


# ---------------------------------------------------------------------- pipes


@pytest.mark.usefixtures("finished")
def test_the_first_line_is_enough(here: Path) -> None:
    lines = (
        f"balance {' '.join(SHORT)}2 | head -n 1",
        "balance find r 'turns > 1' | true",
        "balance rules animalia | true",
        "balance doctor >&-",
        "balance find r 'turns > 1' <&- >&- 2>&-",
    )
    script = "; ".join(f'({line}); echo "code $?"' for line in lines)
    ended = shell(here, f"set -o pipefail; {script}")
    assert ended.out == "Pig\n" + len(lines) * "code 0\n"
    assert ended.faults[0].startswith("60 games in 1 cell, ")
    assert len(ended.faults) == 2


# ---------------------------------------------------------------------- a terminal


def test_progress_stays_in_its_line_and_ctrl_c_leaves_no_half_of_it(here: Path) -> None:
    shown = on_terminal(here, 80, *ENDLESS, interrupt_at="games/s")
    assert shown.code == 130
    live = [part.rstrip() for part in re.split("[\r\n]+", shown.text) if "games/s" in part]
    assert live
    form = r"[0-9,]+ of 900,000,000 games \([0-9]+ %\), [0-9,]+ games/s, [0-9 hmins]+ left"
    assert [part for part in live if not re.fullmatch(form, part)] == []
    assert [line for line in shown.screen if "games/s" in line or "preparing" in line] == []
    assert shown.screen[0].startswith("900,000,000 games in 1 cell, ")
    assert any(line.startswith("Stopped") for line in shown.screen)
    assert "\x1b" not in shown.text


def test_progress_goes_away_when_all_is_played(here: Path) -> None:
    shown = on_terminal(here, 80, *SHORT)
    assert (shown.code, shown.wraps) == (0, 0)
    assert "\r60 of 60 games (100 %), " in shown.text
    assert shown.screen[0].startswith("60 games in 1 cell, ")
    assert shown.screen[1:3] == ["Pig", ""]
    assert [line for line in shown.screen if "games/s" in line or "preparing" in line] == []


def test_a_narrow_terminal_is_told_less_and_its_lines_do_not_wrap(here: Path) -> None:
    shown = on_terminal(here, 40, *ENDLESS, output=here / "out.txt", interrupt_at=" %)")
    assert shown.code == 130
    live = [part.rstrip() for part in re.split("[\r\n]+", shown.text) if " %" in part]
    assert live
    assert [
        part for part in live if not re.fullmatch(r"[0-9,]+ of 900,000,000 games \([0-9]+ %\)", part)
    ] == []
    assert screen_of("\r".join(live), 40)[1] == 0


@pytest.mark.parametrize(
    "env", [WATCHED | {"CI": "true", "FORCE_COLOR": "1"}, {"TERM": "dumb", "NO_COLOR": "1"}]
)
def test_a_log_and_a_dumb_terminal_get_plain_lines(here: Path, env: dict[str, str]) -> None:
    shown = on_terminal(here, 80, *SHORT, env=env)
    assert shown.code == 0
    assert set(re.findall(r"\r.|[\x00-\x09\x0b\x0c\x0e-\x1f\x7f]", shown.text, re.DOTALL)) == {"\r\n"}
    (line,) = [line for line in shown.screen if "games/s" in line]
    assert line.startswith("60 of 60 games (100 %), ")


@pytest.mark.parametrize("arguments", [("--help",), ("run", "--help"), ("games",), ("rn",)], ids=" ".join)
def test_there_are_no_colors_even_where_they_are_asked_for(here: Path, arguments: tuple[str, ...]) -> None:
    shown = on_terminal(here, 80, *arguments, env=WATCHED | {"FORCE_COLOR": "1", "CLICOLOR_FORCE": "1"})
    assert (shown.code, shown.wraps) == (2 if arguments == ("rn",) else 0, 0)
    assert "\x1b" not in shown.text


def test_a_terminal_wraps_overwrites_and_ends_lines() -> None:
    assert screen_of("abcde\rxy\r\nf", 4) == (["abcd", "xy", "f"], 1)
    assert screen_of("12 games\r   \rok", 20) == (["okgames"[:2] + " games"], 0)
