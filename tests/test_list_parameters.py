"""Parameters that are lists: declared once, checked item by item, known to the kernels, the files and the commands."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import numpy as np
import pytest
from pydantic import Field

from balance.engine.records import params_record
from balance.errors import BalanceError, RulesError
from balance.experiment.config import Experiment, read_experiment
from balance.experiment.settings import parse_set
from balance.experiment.template import experiment_text
from balance.game import GameParams
from balance.games.zooloretto import GAME
from balance.games.zooloretto.params import ZoolorettoParams

Steps = Annotated[int, Field(ge=1, le=6)]
Color = Literal["red", "green", "blue"]


class Rules(GameParams):
    """Lists of every kind."""

    players: int = Field(ge=2, le=3, description="Number of players.")
    steps: tuple[Steps, Steps] = Field((1, 2), description="Two numbers.")
    more: tuple[Steps, ...] = Field((), max_length=4, description="Some numbers.")
    colors: tuple[Color, ...] = Field(("blue",), min_length=1, max_length=3, description="Some words.")
    longest: int = Field(2, ge=1, le=6, description="Follows steps.")

    def following(self) -> dict[str, object]:
        """The longest step."""
        return {"longest": max(self.steps)}


class Endless(GameParams):
    """A list that may be of any length."""

    players: int = Field(ge=2, le=3, description="Number of players.")
    endless: tuple[Steps, ...] = Field((), description="Any number of numbers.")


def test_what_is_allowed_in_words() -> None:
    assert Rules.allowed("steps") == "a list of 2 whole numbers from 1 to 6"
    assert Rules.allowed("more") == "a list of 0 to 4 whole numbers from 1 to 6"
    assert Rules.allowed("colors") == "a list of 1 to 3 of the words red, green, blue"
    assert (Rules.bounds("steps"), Rules.bounds("more")) == ((1, 6), (1, 6))
    assert (Rules.lengths("steps"), Rules.lengths("more"), Rules.lengths("colors")) == (
        (2, 2),
        (0, 4),
        (1, 3),
    )
    assert Rules.choices("colors") == ("red", "green", "blue")
    assert [name for name in Rules.model_fields if Rules.is_list(name)] == ["steps", "more", "colors"]
    with pytest.raises(TypeError, match="declares no greatest length"):
        Endless.lengths("endless")


def test_lists_and_tuples_are_the_same_rules() -> None:
    assert Rules.resolve(2, {"steps": [3, 4]}) == Rules.resolve(2, {"steps": (3, 4)})
    assert Rules.resolve(2, {"steps": [3, 4]}).longest == 4
    assert Rules.resolve(2, {"steps": [3, 4], "longest": 1}).longest == 1


def test_codes_are_arrays_of_one_length() -> None:
    codes = Rules.resolve(2, {"more": [6, 5], "colors": ["blue", "red"]}).codes()
    assert {name: np.asarray(value).tolist() for name, value in codes.items()} == {
        "players": 2,
        "steps": [1, 2],
        "more": [6, 5, -1, -1],
        "colors": [2, 0, -1],
        "longest": 2,
    }
    record = params_record(GAME, ZoolorettoParams.resolve(2))
    assert record.enclosure_spaces.tolist() == [4, 5, 6]
    assert record.truck_blocked.tolist() == [0, 1, 2, -1, -1, -1]


@pytest.mark.parametrize(
    ("changes", "key", "sentence"),
    [
        ({"steps": [1]}, ("steps",), '"steps" must be a list of 2 whole numbers from 1 to 6, not [1].'),
        (
            {"steps": [1, 2, 3]},
            ("steps",),
            '"steps" must be a list of 2 whole numbers from 1 to 6, not [1, 2, 3].',
        ),
        ({"steps": 3}, ("steps",), '"steps" must be a list of 2 whole numbers from 1 to 6, not 3.'),
        ({"steps": [1, 7]}, ("steps", 1), 'Item 2 of "steps" must be a whole number from 1 to 6, not 7.'),
        (
            {"steps": [1, True]},
            ("steps", 1),
            'Item 2 of "steps" must be a whole number from 1 to 6, not true.',
        ),
        ({"steps": [1.0, 2]}, ("steps", 0), 'Item 1 of "steps" must be a whole number from 1 to 6, not 1.0.'),
        (
            {"more": [1, 2, 3, 4, 5]},
            ("more",),
            '"more" must be a list of 0 to 4 whole numbers from 1 to 6, not [1, 2, 3, 4, 5].',
        ),
        (
            {"colors": []},
            ("colors",),
            '"colors" must be a list of 1 to 3 of the words red, green, blue, not [].',
        ),
        (
            {"colors": ["pink"]},
            ("colors", 0),
            'Item 1 of "colors" must be "red" or "green" or "blue", not "pink".',
        ),
        ({"longest": [1]}, ("longest",), '"longest" must be a whole number from 1 to 6, not [1].'),
    ],
)
def test_what_is_refused(changes: dict[str, object], key: tuple[object, ...], sentence: str) -> None:
    with pytest.raises(RulesError) as refused:
        Rules.resolve(2, changes)
    (fault,) = refused.value.faults
    assert (fault.key, fault.sentence) == (key, sentence)


def test_a_list_on_the_command_line() -> None:
    assert parse_set("steps=[1, 2]") == ("steps", [1, 2])
    assert parse_set('colors=["red"]') == ("colors", ["red"])


def from_text(folder: Path, text: str) -> Experiment:
    (folder / "e.toml").write_text(text, "utf-8")
    return read_experiment(folder / "e.toml")


HEAD = 'schema_version = 1\ngame = "zooloretto"\nplayers = [4]\n[rules]\n'


def test_a_list_in_a_file(tmp_path: Path) -> None:
    experiment = from_text(tmp_path, HEAD + 'enclosure_spaces = [3, 4, 5]\nremoved_species = ["zebra"]\n')
    assert experiment.rules == {"enclosure_spaces": [3, 4, 5], "removed_species": ["zebra"]}


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (
            "enclosure_spaces = [4, 5, 11]",
            '5:27: Item 3 of "enclosure_spaces" must be a whole number from 1 to 10, not 11.',
        ),
        (
            'enclosure_spaces = [4, 5, "6"]',
            '5:27: Item 3 of "enclosure_spaces" must be a whole number from 1 to 10, not "6". Write 6 without quotes.',
        ),
        ('removed_species = ["zebrra"]', 'Did you mean "zebra"?'),
        ('removed_species = "zebra"', 'Write ["zebra"].'),
    ],
)
def test_what_is_wrong_in_a_file_is_told_with_its_place(tmp_path: Path, line: str, sentence: str) -> None:
    with pytest.raises(BalanceError) as refused:
        from_text(tmp_path, HEAD + line + "\n")
    assert sentence in refused.value.message


def test_the_file_to_start_from_shows_lists(tmp_path: Path) -> None:
    text = experiment_text(GAME)
    assert "# enclosure_spaces = [4, 5, 6]\n" in text
    assert "# removed_species = []\n" in text
    assert "# truck_blocked = [0, 1, 2]\n" in text
    assert from_text(tmp_path, text).rules == {}
