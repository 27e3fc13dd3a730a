"""What is wrong with a command line is said in one plain sentence, and nothing is written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from balance import registry

from .commands import Ended, files_in

GAMES = "`balance games` lists the games, `balance init GAME` writes an experiment file."
INSTALLED = (
    f"Installed games: {', '.join(registry.names())}. A game in your own module is written module:GAME."
)
SEEDS = "a whole number from 0 to 18_446_744_073_709_551_615"
COUNTS = "whole numbers from 1 to 6 with commas between them, such as 3,4"
DEALERS = '"left_of_last_dealer" or "rotate"'
CELLS = "The cells are: baseline-p2, baseline-p3, baseline-p4, baseline-p5, baseline-p6."
POLICIES = "Its policies: random, greedy, beginner, hoarder, thief-happy and star-chaser."
MOST = "1_000_000_000_000"
TOO_LONG = "9" * 40

SENTENCES: dict[tuple[str, ...], tuple[str, str]] = {
    # commands and options
    ("rn",): ('There is no command "rn". Did you mean "run"?', "`balance --help` shows what there is."),
    ("RUN",): ('There is no command "RUN".', "`balance --help` shows what there is."),
    ("--games", "5", "run", "animalia"): (
        "`balance` has no option --games.",
        "`balance --help` shows what there is.",
    ),
    ("run", "animalia", "--plyers", "3"): (
        '`balance run` has no option --plyers. Did you mean "--players"?',
        "`balance run --help` shows what there is.",
    ),
    ("run", "animalia", "--no-rowz"): (
        '`balance run` has no option --no-rowz. Did you mean "--no-rows"?',
        "`balance run --help` shows what there is.",
    ),
    ("run", "animalia", "-x"): (
        "`balance run` has no option -x.",
        "`balance run --help` shows what there is.",
    ),
    ("run", "animalia", "chess"): (
        '`balance run` has no use for "chess".',
        "`balance run --help` shows what there is.",
    ),
    ("run", "animalia", "--players"): ("--players needs a value.", ""),
    ("run", "animalia", "--rows=2"): ("--rows takes no value.", ""),
    ("games", "animalia"): (
        '`balance games` has no use for "animalia".',
        "`balance games --help` shows what there is.",
    ),
    ("rules",): (
        "`balance rules` needs more: GAME is missing.",
        "`balance rules --help` shows what there is.",
    ),
    ("init",): ("`balance init` needs more: GAME is missing.", "`balance init --help` shows what there is."),
    ("report",): (
        "`balance report` needs more: RUN... is missing.",
        "`balance report --help` shows what there is.",
    ),
    # what to run
    ("run",): ("Say what to run: an experiment file or a game.", GAMES),
    ("run", ""): ("Say what to run: an experiment file or a game.", GAMES),
    ("run", " "): ("Say what to run: an experiment file or a game.", GAMES),
    ("run", "animali"): ('There is no game "animali". Did you mean "animalia"?', INSTALLED),
    ("run", "chess"): ('There is no game "chess".', INSTALLED),
    ("rules", "anmalia"): ('There is no game "anmalia". Did you mean "animalia"?', INSTALLED),
    ("init", "chess"): ('There is no game "chess".', INSTALLED),
    ("bench", "chess"): ('There is no game "chess".', INSTALLED),
    ("run", "no_module:GAME"): (
        'There is no module "no_module", neither in the folder HERE nor installed.',
        "Run the command in the folder in which the module lies.",
    ),
    ("run", "json:dumps"): ('"json:dumps" is a function, not a balance.game.Game.', ""),
    # numbers of players
    ("run", "animalia", "--players", "1"): ("Animalia is for 2 to 6 players, not 1.", ""),
    ("run", "animalia", "--players", "7"): (f'--players takes {COUNTS}, not "7".', ""),
    ("run", "animalia", "--players", "-3"): (f'--players takes {COUNTS}, not "-3".', ""),
    ("run", "animalia", "--players", "3.5"): (f'--players takes {COUNTS}, not "3.5".', ""),
    ("run", "animalia", "--players", "three"): (f'--players takes {COUNTS}, not "three".', ""),
    ("run", "animalia", "--players", ""): (f'--players takes {COUNTS}, not "".', ""),
    ("run", "animalia", "--players", "3,3"): ("--players lists 3 twice.", ""),
    ("bench", "--players", "9"): ('"players" must be a whole number from 2 to 6, not 9.', ""),
    ("bench", "--players", "x"): ('--players takes a whole number from 1, not "x".', ""),
    # games, seeds, threads, formats
    ("run", "animalia", "--games", "0"): (f'--games must be from 1 to {MOST}, not "0".', ""),
    ("run", "animalia", "--games", TOO_LONG): (f'--games must be from 1 to {MOST}, not "{TOO_LONG}".', ""),
    ("run", "animalia", "--games", "2000000M"): (f'--games must be from 1 to {MOST}, not "2000000M".', ""),
    **{
        ("run", "animalia", "--games", text): (
            f'--games takes a whole number such as 5000, 1_000_000, 200k or 5M, not "{text}".',
            "",
        )
        for text in ("-3", "1e6", "1.5M", "", "many", "5 000")
    },
    **{
        ("run", "animalia", "--seed", text): (f'--seed must be {SEEDS}, not "{text}".', "")
        for text in ("-1", "1.5", "18446744073709551616", "seven", "")
    },
    **{
        ("run", "animalia", "--threads", text): (
            f'--threads takes a whole number from 1 to 1000, not "{text}".',
            "",
        )
        for text in ("0", "-1", "1001", "x", "2.0", "")
    },
    ("run", "animalia", "--format", "xml"): ('--format takes text or json, not "xml".', ""),
    ("rules", "animalia", "--format", "jsn"): (
        '--format takes text or json, not "jsn". Did you mean "json"?',
        "",
    ),
    ("replay", "animalia", "--format", "json"): (
        '--format takes text or jsonl, not "json". Did you mean "jsonl"?',
        "",
    ),
    ("bench", "--seconds", "nan"): ('--seconds takes a number from 0.1 to 60, not "nan".', ""),
    ("bench", "--seconds", "0"): ('--seconds takes a number from 0.1 to 60, not "0".', ""),
    # policies
    ("run", "animalia", "--policies", "grdy"): (
        'Animalia has no policy "grdy". Did you mean "greedy"? ' + POLICIES,
        "",
    ),
    ("run", "animalia", "--policies", "greedy,,random"): (
        '--policies takes names with commas between them, such as greedy,random, not "greedy,,random".',
        "",
    ),
    ("run", "animalia", "--policies", "greedy,random,greedy", "--players", "2"): (
        "3 policies need at least 3 players, but this experiment has games of 2.",
        "",
    ),
    # rules
    ("run", "animalia", "--set", "max_set_size=-2"): (
        '"max_set_size" must be a whole number from 1 to 5, not -2.',
        "",
    ),
    ("run", "animalia", "--set", "max_set_size=2.0"): (
        '"max_set_size" must be a whole number from 1 to 5, not 2.0. Write 2.',
        "",
    ),
    ("run", "animalia", "--set", "max_set_size='3'"): (
        '"max_set_size" must be a whole number from 1 to 5, not "3". Write 3 without quotes.',
        "",
    ),
    ("run", "animalia", "--set", "mx_set_size=3"): (
        'Unknown rule "mx_set_size". Did you mean "max_set_size"?',
        "",
    ),
    ("run", "animalia", "--set", "owl=1"): ('"owl" must be true or false, not 1. Write true.', ""),
    ("run", "animalia", "--set", "owl=True"): (
        "--set owl=True: write owl=true (or 'owl=\"True\"' for the word).",
        "",
    ),
    ("run", "animalia", "--set", "season_dealer=rotat"): (
        f'"season_dealer" must be {DEALERS}, not "rotat". Did you mean "rotate"?',
        "",
    ),
    ("run", "animalia", "--set", 'owl={a = 1, b = "x", c = {}}'): (
        '"owl" must be true or false, not { a = 1, b = "x", c = {} }.',
        "",
    ),
    ("run", "animalia", "--set", "owl"): (
        '--set needs a rule and a value, such as seasons=2, not "owl".',
        "",
    ),
    ("run", "animalia", "--set", "owl="): (
        "--set owl= has no value; an empty text is written owl='\"\"'.",
        "",
    ),
    ("run", "animalia", "--set", "owl=,"): (
        "--set owl=,: this is no value. "
        "Write a number such as 3 or 0.5, true, false, a word, text in quotes, or a list such as [1, 2].",
        "",
    ),
    ("run", "animalia", "--set", "owl=true", "--set", "owl=false"): (
        "--set owl is given twice: true and false.",
        "",
    ),
    ("run", "animalia", "--set", "players=3"): ("The number of players is no rule; use --players.", ""),
    # rules that make no game
    ("run", "animalia", "--set", "collection_size=7", "--players", "6"): (
        '6 players have 42 places to fill, but these rules leave 36 cards; "collection_size" is to be looked at first.',
        "",
    ),
    ("run", "animalia", "--set", "first_dealer=5", "--players", "2,6"): (
        '"first_dealer" must be from 0 to 1 with 2 players.',
        "",
    ),
    # replays
    ("replay", "animalia", "--players", "4"): (
        "Say which game: --game N, or --games A:B for several.",
        "",
    ),
    ("replay", "animalia", "--players", "4", "--game", "1", "--games", "1:2"): (
        "Say which game: --game N, or --games A:B for several.",
        "",
    ),
    ("replay", "animalia", "--game", "1"): (
        "Say which cell the game is in, with --cell NAME.",
        CELLS,
    ),
    ("replay", "animalia", "--game", "1", "--cell", "baseline-p7"): (
        'There is no cell "baseline-p7". Did you mean "baseline-p6"?',
        CELLS,
    ),
    **{
        ("replay", "animalia", "--players", "4", "--game", text): (
            f'--game takes the number of a game, from 0, not "{text}".',
            "",
        )
        for text in ("-1", "1.5", "x", "", TOO_LONG)
    },
    ("replay", "animalia", "--players", "4", "--games", "3"): (
        'A range of games is written 0:300 (from game 0 to game 299), not "3".',
        "",
    ),
    ("replay", "animalia", "--players", "4", "--games", "4:4"): (
        f'The range "4:4" holds no games; the second number, at most {MOST}, is one above the last game.',
        "",
    ),
    ("replay", "reports/gone", "--game", "1"): ('There is no run "reports/gone".', ""),
    ("replay", "chess-run", "--game", "1"): ('There is no run "chess-run", and no game of that name.', ""),
    # folders of runs
    ("report", "gone"): ("There is no folder gone.", ""),
    ("report", "."): ("The folder . holds no run: manifest.json is missing.", ""),
    ("replay", ".", "--game", "1"): ("The folder . holds no run: manifest.json is missing.", ""),
}


@pytest.mark.parametrize("arguments", SENTENCES, ids=" ".join)
def test_the_sentence_about_a_wrong_command_line(
    balance: Callable[..., Ended], here: Path, arguments: tuple[str, ...]
) -> None:
    sentence, hint = SENTENCES[arguments]
    below = f"  {hint}\n" if hint else ""
    assert balance(*arguments) == Ended(2, "", f"error: {sentence.replace('HERE', str(here))}\n{below}")
    assert list(here.iterdir()) == []


def test_every_fault_of_a_command_line_has_a_sentence_of_its_own(balance: Callable[..., Ended]) -> None:
    wrong = ("--players", "1", "--policies", "gredy", "--set", "owl=1", "--set", "sesons=3")
    assert balance("run", "animalia", *wrong).faults == [
        "error: Animalia is for 2 to 6 players, not 1.",
        'error: Animalia has no policy "gredy". Did you mean "greedy"? ' + POLICIES,
        'error: Unknown rule "sesons". Did you mean "seasons"?',
        'error: "owl" must be true or false, not 1. Write true.',
    ]


def test_without_a_command_there_is_help(balance: Callable[..., Ended]) -> None:
    ended = balance()
    assert (ended.code, ended.out) == (2, "")
    assert ended.err == balance("--help").out


@pytest.mark.parametrize(
    ("place", "sentence"),
    [
        ("file", "file is a file, not a folder."),
        ("file/below", "The folder file/below cannot be used: Not a directory."),
        ("full", "The folder full holds something that is not a run. Nothing was changed."),
        ("/dev/null", "/dev/null is a file, not a folder."),
        ("/proc/balance", "The folder /proc/balance cannot be used: No such file or directory."),
        ("", "The folder . holds something that is not a run. Nothing was changed."),
    ],
)
def test_a_place_that_cannot_hold_a_run(
    balance: Callable[..., Ended], here: Path, place: str, sentence: str
) -> None:
    (here / "file").write_text("mine")
    (here / "full").mkdir()
    (here / "full" / "note").write_text("mine too")
    before = files_in(here)
    ended = balance("run", "animalia", "--players", "4", "--games", "60", "--out", place)
    assert ended == Ended(2, "", f"error: {sentence}\n  Choose another folder with --out.\n")
    assert files_in(here) == before


@pytest.mark.parametrize(
    ("place", "sentence"),
    [
        ("file", "The folder file cannot be used: File exists."),
        ("file/below", "The folder file/below cannot be used: Not a directory."),
        ("/proc", "/proc/my-animalia.toml could not be written: No such file or directory."),
        ("taken", "taken/my-animalia.toml is already there; nothing was changed."),
    ],
)
def test_a_place_that_cannot_hold_an_experiment_file(
    balance: Callable[..., Ended], here: Path, place: str, sentence: str
) -> None:
    (here / "file").write_text("mine")
    (here / "taken" / "my-animalia.toml").mkdir(parents=True)
    before = files_in(here)
    ended = balance("init", "animalia", place)
    assert ended == Ended(2, "", f"error: {sentence}\n  Give another folder: balance init GAME DIR.\n")
    assert files_in(here) == before


def test_several_experiment_files_are_listed(balance: Callable[..., Ended], here: Path) -> None:
    (here / "configs").mkdir()
    for name in ("second", "first"):
        (here / "configs" / f"{name}.toml").write_text("")
    assert balance("run") == Ended(
        2,
        "",
        "error: Say which experiment to run; there are several.\n"
        "  They are: configs/first.toml, configs/second.toml.\n",
    )


def test_what_should_not_have_happened_ends_with_4(
    balance: Callable[..., Ended], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails() -> list[str]:
        raise RuntimeError("two\nlines")

    monkeypatch.setattr("balance.registry.names", fails)
    assert balance("games") == Ended(
        4,
        "",
        "error: This should not have happened (RuntimeError: two lines).\n"
        "  Set BALANCE_DEBUG=1 and run it again to see where.\n",
    )


def test_who_asks_for_it_sees_where_it_happened(
    balance: Callable[..., Ended], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails() -> list[str]:
        raise RuntimeError("here")

    monkeypatch.setattr("balance.registry.names", fails)
    monkeypatch.setenv("BALANCE_DEBUG", "1")
    with pytest.raises(RuntimeError, match="here"):
        balance("games")
