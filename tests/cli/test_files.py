"""Experiment files as people save them: what is wrong is said with file, line and column."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from .commands import Ended, files_in

SMALL = 'schema_version = 1\ngame = "animalia"\nplayers = [4]\n[run]\ngames = 60\n'
EVERYTHING_WRONG = """\
schema_version = 2
title = 5
game = "animalia"
players = [4, 7, "3"]
sed = 3
[run]
game = 60
games = 0
seed = -1
confidence = 95
[rules]
owl = 1
stars_scrufy = 2
max_set_size = 99
[lineup]
policies = ["gredy"]
[[variants]]
name = ""
rules = {owl = "no"}
[[variants]]
name = "baseline"
"""
ITS_FAULTS = """\
error: e.toml:1:1: "schema_version" must be 1, not 2.
error: e.toml:2:1: "title" must be text of 1 to 200 characters on one line, not 5. Write it in quotes: "5".
error: e.toml:4:15: Animalia is for 2 to 6 players, not 7.
error: e.toml:4:18: Item 3 of "players" must be a whole number, not "3". Write 3 without quotes.
error: e.toml:5:1: Unknown key "sed" at the top of the file. The keys known there: schema_version, title, \
game, players, modes, deck, run, rules, variants, lineup and gates.
error: e.toml:7:1: "game" does not belong in [run]; it belongs at the top of the file.
error: e.toml:8:1: "games" must be a whole number from 1 to 1_000_000_000_000, not 0.
error: e.toml:9:1: "seed" must be a whole number from 0 to 18_446_744_073_709_551_615, not -1.
error: e.toml:10:1: "confidence" must be a number from 0.5 to 0.9999, not 95. Write 0.95.
error: e.toml:12:1: "owl" must be true or false, not 1. Write true.
error: e.toml:13:1: Unknown rule "stars_scrufy". Did you mean "stars_scruffy"?
error: e.toml:14:1: "max_set_size" must be a whole number from 1 to 5, not 99.
error: e.toml:16:13: Animalia has no policy "gredy". Did you mean "greedy"? Its policies: random, greedy, \
beginner, hoarder, thief-happy and star-chaser.
error: e.toml:18:1: "name" must be text of 1 to 80 characters on one line, not "".
error: e.toml:19:10: "owl" must be true or false, not "no". Write false without quotes.
error: e.toml:21:1: A variant cannot be called "baseline": that is the game with [rules] alone.
"""

FAULTY = {
    b"": (
        'error: e.toml:1:1: "schema_version" is missing: write schema_version = 1.\n'
        'error: e.toml:1:1: "game" is missing: name the game to be played; `balance games` lists them.\n'
    ),
    b"\xff\xfes\x00": "error: e.toml:1:1: The file is saved as UTF-16; save it as UTF-8.\n",
    b"title = 1\n\x89PNG": ("error: e.toml:2:1: The file is not UTF-8 text (byte 0x89); save it as UTF-8.\n"),
    b"game = animalia": (
        "error: e.toml:1:8: animalia is not a value of TOML; "
        "text goes in straight quotes, a number begins with a digit.\n"
    ),
    b'game = "animalia"\ngame = "animalia"': (
        'error: e.toml:2:1: "game" is written twice; the first time on line 1.\n'
    ),
    SMALL.encode() + b'[[variants]]\nname = "idle"\nrules = { owl = true }\n': (
        'error: e.toml:8:1: The variant "idle" changes nothing: its rules are the baseline\'s.\n'
    ),
    SMALL.replace("4", "6").encode() + b"[rules]\ncollection_size = 7\n": (
        "error: e.toml:7:1: 6 players have 42 places to fill, but these rules leave 36 cards; "
        '"collection_size" is to be looked at first.\n'
    ),
    EVERYTHING_WRONG.encode(): ITS_FAULTS,
}


@pytest.mark.parametrize("content", FAULTY, ids=range(len(FAULTY)))
def test_the_sentences_about_a_faulty_file(balance: Callable[..., Ended], here: Path, content: bytes) -> None:
    (here / "e.toml").write_bytes(content)
    assert balance("run", "e.toml") == Ended(2, "", FAULTY[content])
    assert balance("replay", "e.toml", "--game", 0) == Ended(2, "", FAULTY[content])
    assert set(files_in(here)) == {"e.toml"}


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("smal.toml", 'error: There is no file "smal.toml". Did you mean "small.toml"?\n  LISTED\n'),
        ("small.tml", 'error: There is no file "small.tml". Did you mean "small.toml"?\n  LISTED\n'),
        ("./nothing", 'error: There is no file "nothing".\n  LISTED\n'),
        ("no/where.toml", 'error: There is no file "no/where.toml": its folder does not exist either.\n'),
        ("deep/folder.toml", 'error: "deep/folder.toml" is a folder, not an experiment file.\n'),
        (".", 'error: "." is a folder, not an experiment file.\n  LISTED\n'),
        (
            "small.toml/x.toml",
            'error: "small.toml/x.toml" cannot be read: Not a directory.\n',
        ),
    ],
)
def test_what_is_no_file(balance: Callable[..., Ended], here: Path, target: str, message: str) -> None:
    (here / "small.toml").write_text(SMALL)
    (here / "deep" / "folder.toml").mkdir(parents=True)
    listed = "Experiment files in that folder: small.toml."
    assert balance("run", target) == Ended(2, "", message.replace("LISTED", listed))


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbf" + SMALL.encode(),
        SMALL.replace("\n", "\r\n").encode(),
        b"\xef\xbb\xbf" + SMALL.replace("\n", "\r\n").encode(),
    ],
    ids=["byte order mark", "line ends of Windows", "both"],
)
def test_how_an_editor_saves_does_not_matter(
    balance: Callable[..., Ended], here: Path, content: bytes
) -> None:
    (here / "plain.toml").write_text(SMALL)
    (here / "odd.toml").write_bytes(content)
    plain = balance("replay", "plain.toml", "--game", 5)
    assert plain.code == 0
    assert balance("replay", "odd.toml", "--game", 5) == plain


def test_the_command_line_is_stronger_than_the_file(balance: Callable[..., Ended], here: Path) -> None:
    (here / "e.toml").write_text(SMALL + "[rules]\nowl = false\n")
    by_hand = balance("replay", "animalia", "--players", 3, "--seed", 9, "--set", "owl=true", "--game", 2)
    assert by_hand.code == 0
    assert (
        balance("replay", "e.toml", "--players", 3, "--seed", 9, "--set", "owl=true", "--game", 2) == by_hand
    )
    assert balance("replay", "e.toml", "--players", 3, "--seed", 9, "--game", 2) != by_hand
