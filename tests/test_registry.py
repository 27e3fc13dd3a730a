"""Where games are found, and what is said of those that cannot be loaded."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace

import pytest

from balance import registry
from balance.errors import BalanceError
from balance.games.animalia import GAME


class Entry:
    """An entry point of an installed package; what it loads may fail."""

    def __init__(self, name: str, value: str, package: str, found: object = GAME) -> None:
        self.name, self.value, self._found = name, value, found
        self.dist = SimpleNamespace(name=package, version="1.2")

    def load(self) -> object:
        if isinstance(self._found, BaseException):
            raise self._found
        return self._found


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    """Entry points are looked for anew."""
    registry._entries.cache_clear()
    yield
    registry._entries.cache_clear()


def installed(monkeypatch: pytest.MonkeyPatch, *entries: Entry) -> list[str]:
    """Makes these the only entry points; the list grows with each scan of what is installed."""
    scans: list[str] = []
    monkeypatch.setattr(registry, "entry_points", lambda group: (scans.append(group), list(entries))[1])
    return scans


def refusal(name: str) -> tuple[str, str]:
    with pytest.raises(BalanceError) as found:
        registry.load(name)
    return found.value.message, found.value.hint


def test_the_games_that_come_along_are_installed() -> None:
    assert registry.load("animalia") is GAME
    assert registry.load("balance.games.animalia:GAME") is GAME
    assert "animalia" in registry.names()
    assert "animalia" in {entry.name for entry in metadata.entry_points(group=registry.GROUP)}


def test_what_is_installed_is_looked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    scans = installed(monkeypatch, Entry("pig", "pig:GAME", "pigs"), Entry("owl", "owl:GAME", "owls"))
    assert registry.names() == ["owl", "pig"]
    assert registry.load("pig") is registry.load("owl") is GAME
    assert scans == [registry.GROUP]


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (ImportError("No module\nnamed 'pig'"), "ImportError: No module named 'pig'"),
        (ValueError("two lines,\n  and a full stop."), "ValueError: two lines, and a full stop"),
        (KeyError(), "KeyError"),
        (SystemExit(3), "it ends the program while it is imported"),
    ],
)
def test_a_package_that_cannot_be_loaded_is_named(
    monkeypatch: pytest.MonkeyPatch, error: BaseException, says: str
) -> None:
    installed(monkeypatch, Entry("pig", "pig:GAME", "pigs", error))
    message, hint = refusal("pig")
    assert message.startswith(f'The game "pig" of the package pigs 1.2 cannot be loaded: {says}')
    assert "\n" not in message
    assert hint == "Update that package, or remove it."


def test_what_is_no_game_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch, Entry("pig", "pig:GAME", "pigs", found=3))
    assert refusal("pig") == ('"pig" is a int, not a balance.game.Game.', "")


def test_two_packages_with_one_name_are_both_named(monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch, Entry("pig", "pig:GAME", "pigs"), Entry("pig", "other:GAME", "boars"))
    assert registry.names() == ["pig"]
    assert refusal("pig") == (
        'The installed packages boars 1.2 and pigs 1.2 both have a game "pig".',
        "Remove one of them.",
    )


def test_two_packages_that_mean_the_same_are_one(monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch, Entry("pig", "pig:GAME", "pigs"), Entry("pig", "pig:GAME", "old-pigs"))
    assert registry.load("pig") is GAME


def test_no_such_game(monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch, Entry("pig", "pig:GAME", "pigs"))
    assert refusal("pik")[0] == 'There is no game "pik". Did you mean "pig"?'
    installed(monkeypatch)
    registry._entries.cache_clear()
    assert refusal("pig")[1].startswith("Installed games: none.")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("import sys\nsys.exit(3)", "it ends the program while it is imported (faulty.py, line 2)"),
        ("\nraise ValueError('a\\nb')", "ValueError: a b (faulty.py, line 2)"),
        ("x = (1\n", "SyntaxError: '(' was never closed (faulty.py, line 1)"),
        (
            "import missing_module",
            "ModuleNotFoundError: No module named 'missing_module' (faulty.py, line 1)",
        ),
        ("", "AttributeError: module 'faulty' has no attribute 'GAME'"),
    ],
)
def test_a_module_of_ones_own_that_fails(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, text: str, says: str
) -> None:
    (tmp_path / "faulty.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    try:
        assert refusal("faulty:GAME") == (f'The game "faulty:GAME" cannot be loaded: {says}.', "")
    finally:
        sys.modules.pop("faulty", None)


def test_a_module_that_is_not_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "caravan.py").write_text("")
    monkeypatch.chdir(tmp_path)
    sentence, hint = refusal("carvan:GAME")
    where = f"neither in the folder {tmp_path} nor installed"
    assert sentence == f'There is no module "carvan", {where}. Did you mean "caravan"?'
    assert hint == "Run the command in the folder in which the module lies."
    sentence, _ = refusal("caravan.py:GAME")
    assert (
        sentence == 'A module is named without ".py", so the game "caravan.py:GAME" is written caravan:GAME.'
    )


@pytest.mark.parametrize("name", [":GAME", "json:", ":", "a..b:GAME", ".json:GAME", "json:dumps"])
def test_names_that_lead_nowhere_are_one_sentence(name: str) -> None:
    message, _ = refusal(name)
    assert message.endswith(".")
    assert "\n" not in message
