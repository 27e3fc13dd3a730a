"""balance conform: what is wrong with a game, sentence by sentence, and what to do about it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from balance.conformance.advice import ADVICE

from .commands import Ended

Command = Callable[..., Ended]
TESTS = Path(__file__).parents[1]
TALK = "checking {}; this takes some seconds ...\n"
FIRST = "Checked what the game declares: names, texts, bounds, parameters, kernels.\n"


@pytest.fixture(autouse=True)
def modules(monkeypatch: pytest.MonkeyPatch) -> None:
    """The games of the tests lie on the path."""
    monkeypatch.syspath_prepend(TESTS)


@pytest.fixture
def bad(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], str]:
    """Names a bad example as a user would name a game of his own."""
    from bad_examples import games

    def named(kind: str, name: str) -> str:
        monkeypatch.setattr(games, "EXAMPLE", getattr(games, kind)[name].game, raising=False)
        return "bad_examples.games:EXAMPLE"

    return named


@pytest.mark.compiler
def test_a_game_that_is_right(balance: Command) -> None:
    ended = balance("conform", "engine.toy:GAME", "--games", 12)
    assert (ended.code, ended.err) == (0, TALK.format("engine.toy:GAME"))
    first, second, third, last = ended.out.replace("\n", " ").split(". ")[0:4]
    assert first == FIRST.strip().rstrip(".")
    assert second.startswith("Watched 7 games in plain Python, decision by decision")
    assert third.startswith("Played at least 12 compiled games for each of 5 numbers of players")
    assert last.startswith("Toy: Nothing is wrong with it")


@pytest.mark.compiler
def test_an_installed_game_is_named_by_its_name(balance: Command) -> None:
    ended = balance("conform", "animalia", "--games", 12)
    assert ended.code == 0
    assert ended.out.endswith("Animalia: Nothing is wrong with it.\n")


def test_what_is_declared_wrongly_comes_first(balance: Command, bad: Callable[[str, str], str]) -> None:
    game = bad("STATIC", "two policies of one name")
    assert balance("conform", game) == Ended(
        1,
        f"{FIRST}Did not go further: what is wrong here comes first.\n"
        '- types of players: Two policies are called "careful".\n'
        "  Give each policy an id of its own; people name it on the command line.\n"
        "Toy: 1 thing is wrong with it.\n",
        TALK.format(game),
    )


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("STATIC", "half a character"),
        ("PLAYED", "unread"),
        ("PLAYED", "no such action"),
        ("PLAYED", "unfilled list"),
        ("PLAYED", "peeping at a hand"),
        ("PLAYED", "no standing"),
        ("PLAYED", "descending"),
        ("PLAYED", "no end"),
        ("PLAYED", "failing tables"),
    ],
)
def test_what_is_found_is_told_with_what_to_do(
    balance: Command, bad: Callable[[str, str], str], kind: str, name: str
) -> None:
    from bad_examples import games

    example = getattr(games, kind)[name]
    game = bad(kind, name)
    ended = balance("conform", game, "--games", 12)
    told = json.loads(balance("conform", game, "--games", 12, "--format", "json").out)
    assert ended.code == 1
    assert "Traceback" not in ended.out + ended.err
    assert all(len(line) <= 80 for line in ended.out.splitlines())
    plain = " ".join(ended.out.split())
    assert not told["conforms"]
    assert any(one["rule"] == example.rule and example.says in one["sentence"] for one in told["violations"])
    for one in told["violations"]:
        assert one["advice"] == ADVICE[one["rule"]]
        assert " ".join(f"- {one['rule']}: {one['sentence']}".split()) in plain
    assert plain.count(ADVICE[example.rule]) == 1
    assert plain.endswith(("wrong with it.",))


@pytest.mark.compiler
def test_json_says_what_was_checked(balance: Command) -> None:
    ended = balance("conform", "engine.toy:GAME", "--games", 12, "--format", "json")
    told = json.loads(ended.out)
    assert (told["conforms"], told["violations"], told["game"]) == (True, [], "toy")
    assert (told["watched_games"], told["compiled_games"]) == (7, 60)
    assert len(told["checked"]) == 3


def test_what_is_no_game(balance: Command) -> None:
    assert balance("conform", "animala").faults == [
        'error: There is no game "animala". Did you mean "animalia"?'
    ]
    assert balance("conform", "json:dumps") == Ended(
        2, "", 'error: "json:dumps" is a function, not a balance.game.Game.\n'
    )
    assert balance("conform", "animalia", "--games", "0").code == 2
