"""A sweep's points and main effects against its rows, and its best point played again."""

from __future__ import annotations

import copy
import math
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

import numpy as np
import polars
import pytest
from experiment.dice_race import race
from scipy import stats

from balance.analysis import best_point, results, sweeps
from balance.errors import BalanceError
from balance.experiment.batches import BATCHES
from balance.experiment.events import Finished
from balance.experiment.models import Experiment
from balance.experiment.plan import Plan
from balance.experiment.runner import Options, run
from balance.experiment.sweep import swept

GAMES = 1200
GRID: dict[str, tuple[Any, ...]] = {"goal": (5, 12, 20), "head_start": (0, 2)}


def play(experiment: Experiment, folder: Path) -> tuple[dict[str, Any], dict[str, polars.DataFrame]]:
    for event in run(experiment, folder, 2, Options(part_games=600)):
        if isinstance(event, Finished):
            outcome = event.outcome
    rows = {
        cell.cell.variant: polars.read_parquet(folder / "games" / cell.folder / "*.parquet")
        for cell in outcome.plan.cells
        if cell.players == 3
    }
    return results(outcome, "balance sweep race"), rows


@cache
def swept_once() -> tuple[Experiment, dict[str, Any], dict[str, polars.DataFrame]]:
    experiment = swept(race((2, 3), {}, ("any",), GAMES), GRID)
    with TemporaryDirectory() as folder:
        return experiment, *play(experiment, Path(folder))


@pytest.fixture
def grid(the_race: None) -> Any:  # noqa: ARG001
    """The experiment, its results, and the rows of three players."""
    return swept_once()


def of_three(found: dict[str, Any]) -> dict[str, Any]:
    return next(table for table in found["sweep"]["tables"] if table["players"] == 3)


def test_every_point_is_there_and_the_baseline_stands_for_its_own(grid: Any) -> None:
    _, found, rows = grid
    table = of_three(found)
    assert [point["values"] for point in table["points"]] == [
        {"goal": goal, "head_start": ahead} for goal in GRID["goal"] for ahead in GRID["head_start"]
    ]
    assert [point["is_baseline"] for point in table["points"]] == [False, False, True, False, False, False]
    for point in table["points"]:
        played = rows["baseline" if point["is_baseline"] else point["variant"]]
        assert point["means"]["turns"]["value"] == pytest.approx(played["turns"].mean())
        moved = point["differences"].get("turns", {"value": 0.0})["value"]
        assert moved == pytest.approx(played["turns"].mean() - rows["baseline"]["turns"].mean())
    assert table["metrics"] == ["seat_spread", "rounds", "turns", "score", "score_margin", "tie_rate"]
    assert table["shown"] == ["seat_spread", "rounds", "score", "score_margin", "tie_rate"]


def test_main_effects_are_those_of_the_rows(grid: Any) -> None:
    _, found, rows = grid
    effects = {one["rule"]: one for one in of_three(found)["effects"]}
    assert (effects["goal"]["combinations"], effects["goal"]["left_out"]) == (2, [])
    batch = np.arange(GAMES) % BATCHES
    values = {
        (goal, ahead): rows["baseline" if (goal, ahead) == (12, 0) else f"goal {goal}, head_start {ahead}"][
            "turns"
        ]
        for goal in GRID["goal"]
        for ahead in GRID["head_start"]
    }
    for at, goal in enumerate(GRID["goal"]):
        level = effects["goal"]["levels"][at]
        mean = np.mean([values[goal, ahead].mean() for ahead in GRID["head_start"]])
        everything = np.mean([one.mean() for one in values.values()])
        by_batch = [
            np.mean([values[goal, ahead].to_numpy()[batch == b].mean() for ahead in GRID["head_start"]])
            - np.mean([one.to_numpy()[batch == b].mean() for one in values.values()])
            for b in range(BATCHES)
        ]
        half = stats.t.ppf(0.975, BATCHES - 1) * stats.sem(by_batch)
        effect = level["effects"]["turns"]
        assert level["means"]["turns"] == pytest.approx(mean)
        assert effect["value"] == pytest.approx(mean - everything)
        assert (effect["low"], effect["high"]) == pytest.approx(
            (effect["value"] - half, effect["value"] + half)
        )
        assert effect["method"] == "batches"


def test_combinations_that_are_impossible_with_one_value_are_left_aside_for_all(tmp_path: Path) -> None:
    experiment = swept(race((3,), {}, ("any",), 120), GRID)
    found, _ = play(experiment, tmp_path)
    assert all(
        one["levels"][0]["effects"]["turns"]["method"] == "batches" for one in of_three(found)["effects"]
    )
    few, _ = play(swept(race((3,), {}, ("any",), 60), GRID), tmp_path / "few")
    for effect in of_three(few)["effects"]:  # not every batch has a block
        for level in effect["levels"]:
            assert (level["effects"]["turns"]["low"], level["effects"]["turns"]["method"]) == (
                None,
                "too few",
            )


def test_combinations_that_are_left_out_are_told(the_race: None) -> None:  # noqa: ARG001
    plan = Plan(swept(race((3,), {}, ("any",), 120), GRID))
    cells = {"baseline": cast("Any", None)}
    impossible = {
        one.name: "no" for one in plan.experiment.variants if one.rules == {"goal": 20, "head_start": 2}
    }
    table = sweeps._Table(
        plan, cells | {one.name: cast("Any", 1) for one in plan.experiment.variants}, {}, impossible
    )
    table.__dict__["metrics"] = []
    goal, head_start = table._effects()
    assert (goal["combinations"], goal["left_out"]) == (1, [{"head_start": 2}])
    assert (head_start["combinations"], head_start["left_out"]) == (2, [{"goal": 20}])


def test_one_rule_alone_has_no_main_effects_but_is_a_series(tmp_path: Path) -> None:
    found, _ = play(swept(race((3,), {}, ("any",), 120), {"goal": (5, 20)}), tmp_path)
    assert of_three(found)["effects"] == []
    assert found["series"][0]["rule"] == "goal"
    assert found["sweep"]["grid"] is False


# ------------------------------------------------------------------------------------------ the best point


def test_what_is_best_is_checked_before_the_first_game(grid: Any) -> None:
    experiment, _, _ = grid
    assert best_point.wanted(experiment, None) == ("seat_spread", "low")
    assert best_point.wanted(experiment, "turns:high") == ("turns", "high")
    for asked, sentence in {
        "turn:low": '--best takes a metric of the sweep and its best end, not "turn:low". Did you mean "turns"?',
        "turns": "--best turns needs to know which end is the best: turns:low or turns:high.",
        "turns:lowest": "--best turns needs to know which end is the best: turns:low or turns:high.",
    }.items():
        with pytest.raises(BalanceError) as refused:
            best_point.wanted(experiment, asked)
        assert refused.value.message == sentence
    alone = swept(race((1,), {}, ("any",), 60), GRID)
    assert best_point.wanted(alone, None) is None


@pytest.mark.parametrize(("end", "value"), [("low", min), ("high", max)])
def test_the_best_of_all_points_is_found(grid: Any, end: str, value: Any) -> None:
    _, found, _ = grid
    for table, one in zip(found["sweep"]["tables"], best_point.best_points(found, "turns", end), strict=True):
        means = [point["means"]["turns"]["value"] for point in (*table["points"], table["baseline"])]
        assert one["point"]["means"]["turns"]["value"] == value(means)
        assert one["players"] == table["players"]


def test_it_is_played_again_on_other_deals(grid: Any, tmp_path: Path) -> None:
    experiment, found, rows = grid
    points = best_point.best_points(found, "turns", "low")
    once_more = best_point.again(experiment, points)
    assert once_more is not None
    assert once_more.run.seed == best_point.other_seed(experiment.run.seed) != experiment.run.seed
    assert best_point.other_seed(once_more.run.seed) == experiment.run.seed
    assert {one.name for one in once_more.variants} == {one["point"]["variant"] for one in points}
    fresh, again = play(once_more, tmp_path)
    best = best_point.best(experiment, points, "turns", "low", fresh)
    one = next(table for table in best["tables"] if table["players"] == 3)
    assert one["found"]["value"] == rows[one["variant"]]["turns"].mean()
    assert one["again"]["value"] == again[one["variant"]]["turns"].mean() != one["found"]["value"]
    assert one["baseline_again"]["value"] == again["baseline"]["turns"].mean()
    assert one["difference"]["value"] == pytest.approx(one["again"]["value"] - one["baseline_again"]["value"])


def test_the_best_points_of_several_tables_are_several_questions(grid: Any) -> None:
    experiment, found, _ = grid
    points = best_point.best_points(found, "turns", "low")
    assert len(points) == 2

    def better(
        end: str, p_values: tuple[float, float], low: float | None = -2.0, high: float = -0.1
    ) -> list[bool]:
        fresh = copy.deepcopy(found)
        for point, p_value in zip(points, p_values, strict=True):
            for table in fresh["sweep"]["tables"]:
                for one in table["points"]:
                    if one["differences"]:
                        one["differences"]["turns"] |= {"low": low, "high": high}
            for one in fresh["comparisons"]:
                if one["players"] == point["players"]:
                    for entry in one["metrics"]:
                        entry["p_value"] = p_value if entry["metric"] == "turns" else 0.0
        return [one["better"] for one in best_point.best(experiment, points, "turns", end, fresh)["tables"]]

    assert better("low", (0.01, 0.04)) == [True, True]
    assert better("low", (0.03, 0.04)) == [False, False]  # each of them alone would be
    assert better("low", (0.01, 0.06)) == [True, False]
    assert better("high", (0.01, 0.01)) == [False, False]
    assert better("high", (0.01, 0.01), 0.1, 2.0) == [True, True]
    assert better("high", (0.01, 0.01), None) == [False, False]
    assert [one["better"] for one in best_point.best(experiment, points, "turns", "low", None)["tables"]] == [
        False
    ] * 2


def test_the_baseline_is_not_played_again(grid: Any) -> None:
    experiment, found, _ = grid
    altered = copy.deepcopy(found)
    for table in altered["sweep"]["tables"]:
        for point in (table["baseline"], *table["points"]):
            point["means"]["turns"]["value"] = 1.0 if point["is_baseline"] else 2.0
    points = best_point.best_points(altered, "turns", "low")
    assert best_point.again(experiment, points) is None
    (one, _) = best_point.best(experiment, points, "turns", "low", None)["tables"]
    assert (one["is_baseline"], one["again"], one["difference"]) == (True, None, None)


def test_numbers_that_are_not_known_are_none(grid: Any) -> None:
    _, found, _ = grid
    numbers = [
        estimate[end]
        for table in found["sweep"]["tables"]
        for point in table["points"]
        for estimate in point["means"].values()
        for end in ("value", "low", "high")
    ]
    assert all(isinstance(number, float) and math.isfinite(number) for number in numbers)
