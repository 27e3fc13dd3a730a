from __future__ import annotations

import pytest

from balance.experiment.plan import PART_GAMES, Plan, _with_numbers
from balance.experiment.wording import slug

from .dice_race import install, race


@pytest.fixture(autouse=True)
def fake_games(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch)


def test_a_goal_is_told_with_the_numbers_of_its_rules() -> None:
    told = _with_numbers(
        "Reach most_points within rounds of most_points_wanted.", {"most_points": 48, "rounds": 9}
    )
    assert told == "Reach 48 (most_points) within rounds of most_points_wanted."


def test_one_policy_sits_everywhere_and_blocks_are_games():
    (cell,) = Plan(race(players=(4,), games=7)).cells
    assert cell.slots == ("any",) * 4
    assert (cell.rotations, cell.games, cell.sides) == (1, 7, ("any",))


def test_the_same_policy_twice_is_one_policy():
    (cell,) = Plan(race(players=(4,), policies=("any", "any"), games=7)).cells
    assert (cell.rotations, cell.games) == (1, 7)


@pytest.mark.parametrize(("players", "games"), [(2, 8), (3, 9), (4, 8), (5, 10), (6, 12)])
def test_several_policies_rotate_and_games_round_up_to_blocks(players: int, games: int):
    (cell,) = Plan(race(players=(players,), policies=("any", "steady"), games=7)).cells
    assert cell.slots == tuple(("any", "steady")[slot % 2] for slot in range(players))
    assert (cell.rotations, cell.games) == (players, games)


def test_steps_take_all_cells_of_a_number_of_players_together_and_every_game_once():
    plan = Plan(race(players=(2, 3), variants={"far": {"goal": 20}}, games=150), part_games=60)
    steps = list(plan.steps())
    assert [step.number for step in steps] == list(range(plan.n_steps)) == list(range(6))
    assert [(step.first, step.count) for step in steps] == [(0, 60), (60, 60), (120, 30)] * 2
    assert [[cell.where for cell in step.cells] for step in steps[::3]] == [
        ["baseline, 2 players", "far, 2 players"],
        ["baseline, 3 players", "far, 3 players"],
    ]
    assert plan.games == 4 * 150


def test_parts_hold_whole_blocks():
    assert all(PART_GAMES % rotations == 0 for rotations in range(1, 7))
    with pytest.raises(ValueError, match="multiple of 60"):
        Plan(race(), part_games=100)


@pytest.mark.parametrize(
    "other",
    [
        race(games=601),
        race(seed=6),
        race(players=(4,)),
        race(variants={"far": {"goal": 20}}),
        race(policies=("steady",)),
        race().model_copy(update={"rules": {"goal": 13}}),
    ],
)
def test_the_hash_tells_experiments_apart(other: object):
    assert Plan(other).digest != Plan(race()).digest


def test_the_hash_does_not_hold_the_title():
    assert Plan(race(title="Another")).digest == Plan(race()).digest
    assert Plan(race(), part_games=60).digest != Plan(race()).digest


def test_folders_of_cells_are_plain_and_differ():
    names = {
        "Fünf Farben!": {"goal": 13},
        "funf-farben": {"goal": 14},
        "犬": {"goal": 15},
        "../..": {"goal": 16},
    }
    folders = [cell.folder for cell in Plan(race(players=(2, 3), variants=names)).cells]
    assert len(set(folders)) == len(folders) == 10
    assert folders[:2] == ["baseline-p2", "funf-farben-p2"]
    assert all(set(folder) <= set("abcdefghijklmnopqrstuvwxyz0123456789-") for folder in folders)


def test_folders_differ_where_a_name_looks_like_a_number_that_was_added():
    names = {"a 3": {"goal": 13}, "a": {"goal": 14}, "A!": {"goal": 15}}
    folders = [cell.folder for cell in Plan(race(players=(2,), variants=names)).cells]
    assert folders == ["baseline-p2", "a-3-p2", "a-p2", "a-3-3-p2"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Animalia: do the neutral cards matter?", "animalia-do-the-neutral-cards-matter"),
        ("Kölyök", "kolyok"),
        ("犬", ""),
    ],
)
def test_slug(text: str, expected: str):
    assert slug(text) == expected
    assert len(slug("long " * 50)) <= 60
