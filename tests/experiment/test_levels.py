"""Levels of play: everything is played once by each of them, all seats alike."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from balance import registry
from balance.errors import BalanceError
from balance.experiment.config import from_game, read_experiment, with_overrides
from balance.experiment.pilots import usual_metric
from balance.experiment.plan import Plan

LOAD = registry.load
HEAD = 'schema_version = 1\ngame = "pig"\nplayers = [2, 3]\n'
VARIANT = '[[variants]]\nname = "short"\nrules = { target = 30 }\n'


@pytest.fixture(autouse=True)
def installed_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "load", LOAD)


def plan(write: Any, text: str) -> Plan:
    return Plan(read_experiment(Path(write(HEAD + text))))


def refused(write: Any, text: str) -> list[str]:
    with pytest.raises(BalanceError) as error:
        plan(write, text)
    return error.value.message.splitlines()


def test_each_level_is_a_table_of_its_own(write: Any) -> None:
    found = plan(write, VARIANT + '[lineup]\nlevels = ["random", "hold-at-20"]\n')
    assert [(cell.folder, cell.slots) for cell in found.cells[:4]] == [
        ("baseline-p2-random", ("random", "random")),
        ("short-p2-random", ("random", "random")),
        ("baseline-p2-hold-at-20", ("hold-at-20", "hold-at-20")),
        ("short-p2-hold-at-20", ("hold-at-20", "hold-at-20")),
    ]
    assert [[cell.cell.level for cell in group] for group in found.groups] == [
        ["random"] * 2,
        ["hold-at-20"] * 2,
    ] * 2
    assert {cell.rotations for cell in found.cells} == {1}
    assert found.cells[0].where == "baseline, 2 players, level random"
    assert [policy.id for policy in found.policies] == ["random", "hold-at-20"]


def test_the_command_line_takes_the_place_of_the_line_up(write: Any) -> None:
    experiment = read_experiment(Path(write(HEAD + '[lineup]\npolicies = ["random"]\n')))
    changed = with_overrides(experiment, levels=("hold-at-20", "random"))
    assert (changed.lineup.policies, changed.lineup.levels) == ((), ("hold-at-20", "random"))
    back = with_overrides(changed, policies=("random",))
    assert (back.lineup.policies, back.lineup.levels) == (("random",), ())
    with pytest.raises(BalanceError, match="Either"):
        with_overrides(experiment, policies=("random",), levels=("random",))


def test_a_policy_file_is_a_level(write: Any) -> None:
    write('[policy]\nname = "mine"\nbased_on = "hold-at-20"\n', "mine.toml")
    found = plan(write, '[lineup]\nlevels = ["random", "mine.toml"]\n')
    assert [cell.cell.level for cell in found.cells[:2]] == ["random", "mine"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            '[lineup]\nlevels = ["randm"]\n',
            'e.toml:5:11: Pig has no policy "randm". Did you mean "random"? Its policies: hold-at-20 and random.',
        ),
        ('[lineup]\nlevels = ["random", "random"]\n', 'e.toml:5:21: "levels" lists "random" twice.'),
        (
            '[lineup]\npolicies = ["random"]\nlevels = ["random"]\n',
            'e.toml:6:1: Either "policies" meet in one game, or each of "levels" plays games of its own; not both.',
        ),
        (
            '[lineup]\nlevels = "random"\n',
            'e.toml:5:1: "levels" must be a list of policies in quotes, separated by commas in [ ], not "random". '
            'Write ["random"].',
        ),
        (
            '[lineup]\nlevels = ["random", "hold-at-20"]\n'
            '[[gates]]\nmetric = "win_share"\npolicy = "random"\nmax = "60%"\n',
            "e.toml:8:1: A single policy sits in every seat; a policy is judged where several play.",
        ),
    ],
)
def test_what_is_wrong_is_told_with_its_place(write: Any, text: str, sentence: str) -> None:
    assert refused(write, text) == [sentence]


def test_a_plan_asks_who_wins_or_how_often_the_goal_is_reached() -> None:
    assert usual_metric(with_overrides(from_game("pig"), players=(2,))) == "win_share"
    kennel = from_game("kennelmester")
    assert usual_metric(with_overrides(kennel, modes=("solo",))) == "goal_rate"
    assert usual_metric(with_overrides(kennel, players=(1, 4))) == "win_share"


def test_other_levels_are_another_run(write: Any) -> None:
    one = plan(write, '[lineup]\nlevels = ["random", "hold-at-20"]\n')
    other = plan(write, '[lineup]\nlevels = ["hold-at-20", "random"]\n')
    assert one.digest != other.digest
