"""Results against the rows they came from, and against what every reader of them relies on."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import polars
import pytest
from experiment.dice_race import GAME, install, race
from scipy import stats

from balance.analysis import results
from balance.analysis.measures import counter
from balance.analysis.results import _own_rules
from balance.analysis.summaries import Cell
from balance.engine.playing import sums_layout
from balance.experiment.files import as_json
from balance.experiment.plan import Plan
from balance.stats.histogram import Histogram
from balance.stats.intervals import mean_from_sums
from balance.stats.unseen import UNSEEN_BLOCKS, unseen_squares

from .played import FAR, IDLE, Played, played

RUNS = {
    "one cell": played,
    "many cells": lambda: played((2, 3, 6), FAR + IDLE),
    "policies": lambda: played((2, 3, 4), FAR, ("any", "steady")),
    "three policies": lambda: played((4,), IDLE, ("any", "steady", "any")),
    "solo": lambda: played((1,), FAR),
    "one game": lambda: played(games=1),
    "one block": lambda: played((3,), FAR, ("any", "steady"), games=1),
    "interrupted": lambda: played((2, 3), FAR, games=600, stop=True),
}


@pytest.fixture(params=RUNS)
def run(request: pytest.FixtureRequest) -> Played:
    return RUNS[request.param]()


def estimates(found: Any) -> Iterator[dict[str, Any]]:
    """All estimates in results, however deep."""
    if isinstance(found, dict) and "method" in found:
        yield found
    elif isinstance(found, dict | list):
        for inner in found.values() if isinstance(found, dict) else found:
            yield from estimates(inner)


def test_every_estimate_lies_in_its_interval(run: Played):
    known = list(estimates(run.results))
    assert len(known) > 30
    for one in known:
        assert set(one) == {"value", "low", "high", "n", "method"}
        if one["value"] is not None and one["low"] is not None:
            assert one["low"] <= one["value"] <= one["high"]
        assert one["n"] >= 0


def test_results_are_json_without_nan_and_always_the_same(run: Played):
    content = as_json(run.results)
    assert json.loads(content) == json.loads(as_json(results(run.outcome, "balance run race")))
    assert b"NaN" not in content


def test_the_page_has_all_it_needs(run: Played):
    found = run.results
    assert set(found) == {
        *("schema", "status", "game", "game_title", "title", "seed", "confidence", "words", "definitions"),
        *("parameters", "policies", "cells", "comparisons", "series", "warnings", "gates", "provenance"),
        "own_rules",
    }
    assert (found["schema"], found["game"], found["game_title"]) == ("balance.results/1", "race", "Dice race")
    assert (found["title"], found["seed"], found["confidence"]) == ("A race", 5, 0.95)
    assert found["words"] == {"round": "lap", "turn": "roll"}
    assert set(found["parameters"]) == {"goal", "head_start", "idle"}
    for name, definition in found["definitions"].items():
        assert {"kind", "title", "unit", "help", "more", "share", "check"} <= set(definition), name
    assert found["definitions"]["choices"]["items"] == ["bold", "nothing", "ghost"]
    assert set(found["provenance"]) == {
        "command",
        "tool",
        "rules_version",
        "seed",
        "experiment",
        "fingerprints",
    }


def test_every_cell_has_all_it_needs(run: Played):
    for cell in run.results["cells"]:
        assert set(cell) == {
            *(
                "name",
                "variant",
                "players",
                "mode",
                "level",
                "policies",
                "rules",
                "changes",
                "games",
                "blocks",
            ),
            *("rotations", "capped", "void", "seats", "sides", "measures", "tests", "extremes", "components"),
            *(("lopsided", "leads") if _is_looked_at_again(run, cell) else ()),
        }
        assert len(cell["policies"]) == len(cell["seats"]) == cell["players"]
        assert cell["games"] == cell["blocks"] * cell["rotations"]
        assert set(cell["rules"]) == {"goal", "head_start", "idle"}
        assert {seat["seat"] for seat in cell["seats"]} == set(range(cell["players"]))
        kinds = {name: run.results["definitions"][name]["kind"] for name in cell["measures"]}
        for name, kind in kinds.items():
            assert_shape(cell, cell["measures"][name], kind)
        built_in = {"turns", "rounds", "plies"} | (
            {"score_margin", "tie_rate"} if cell["players"] > 1 else set()
        )
        assert set(kinds) == built_in | {"all_sixes", "no_six", "own_sixes", "progress", "choices"}


def _is_looked_at_again(run: Played, cell: dict[str, Any]) -> bool:
    return run.outcome.complete and cell["variant"] == "baseline" and cell["players"] > 1


def assert_shape(cell: dict[str, Any], measure: dict[str, Any], kind: str) -> None:
    if kind == "game":
        assert set(measure) in ({"mean", "count"}, SUMMARY)
    elif kind == "seat":
        assert [set(seat) for seat in measure["seats"]] == [SUMMARY] * cell["players"]
    elif kind == "curve":
        assert [len(line) for line in measure["seats"]] == [len(measure["rounds"])] * cell["players"]
    else:
        for item in measure["items"]:
            assert set(item) == {"item", "offered", "taken", "held_by_winner", "take_rate"}
            assert set(item["taken"]) == {"total", "mean"}


SUMMARY = {"mean", "sd", "quantiles", "min", "max", "histogram"}


def test_shares_of_wins_add_up_to_one(run: Played):
    for cell in run.results["cells"]:
        if cell["games"]:
            assert math.isclose(sum(seat["win_share"]["value"] for seat in cell["seats"]), 1)
            held = [side["seat_share"] * cell["players"] for side in cell["sides"]]
            wins = [side["win_share"]["value"] for side in cell["sides"]]
            assert math.isclose(sum(h * w for h, w in zip(held, wins, strict=True)), 1)
            assert math.isclose(sum(side["seat_share"] for side in cell["sides"]), 1)


def test_summaries_are_those_of_the_rows(run: Played):
    for planned, cell in zip(run.outcome.plan.cells, run.results["cells"], strict=True):
        if not cell["games"]:
            continue
        rows = run.rows[planned.folder]
        measures = cell["measures"]
        columns = {name: measures[name] for name in ("turns", "rounds", "plies", "all_sixes")}
        columns |= {f"score_{seat['seat']}": seat["score"] for seat in cell["seats"]}
        columns |= {f"own_sixes_{at}": seat for at, seat in enumerate(measures["own_sixes"]["seats"])}
        for name, summary in columns.items():
            assert_summary(summary, rows[name].to_numpy(), cell)
        assert measures["no_six"]["count"] == rows["no_six"].sum()
        assert measures["no_six"]["mean"]["value"] == pytest.approx(rows["no_six"].mean())


def assert_summary(summary: dict[str, Any], values: np.ndarray[Any, Any], cell: dict[str, Any]) -> None:
    assert summary["mean"]["value"] == pytest.approx(values.mean())
    assert summary["mean"]["n"] == cell["blocks"]
    assert (summary["min"], summary["max"]) == (values.min(), values.max())
    assert sum(summary["histogram"]["counts"]) == cell["games"]
    if cell["games"] > 1:
        assert summary["sd"] == pytest.approx(values.std(ddof=1))
    blocks = values.reshape(-1, cell["rotations"]).mean(axis=1)
    if summary["mean"]["method"] == "t":
        half = stats.t.ppf(0.975, blocks.size - 1) * blocks.std(ddof=1) / math.sqrt(blocks.size)
        assert summary["mean"]["high"] - summary["mean"]["value"] == pytest.approx(half)
    assert summary["quantiles"]["p50"] == np.quantile(values, 0.5, method="inverted_cdf")


def test_differences_are_those_of_the_same_blocks(run: Played):
    plan, checked = run.outcome.plan, 0
    for one in run.results["comparisons"]:
        pair = [
            run.rows[cell.folder]
            for name in (one["variant"], one["baseline"])
            for cell in plan.cells
            if (cell.cell.variant, cell.players) == (name, one["players"])
        ]
        rotations = run.cell(one["variant"], one["players"])["rotations"]
        for metric in one["metrics"]:
            if metric["metric"] == "seat_spread":  # no mean of blocks; test_spread looks at it
                continue
            means = [per_block(rows, metric, one["players"], rotations) for rows in pair]
            difference = means[0] - means[1]
            assert metric["difference"]["value"] == pytest.approx(difference.mean(), abs=1e-12)
            assert metric["difference"]["n"] == difference.size
            assert metric["value"] == pytest.approx(means[0].mean())
            assert metric["baseline"] == pytest.approx(means[1].mean())
            if metric["difference"]["method"] == "t":
                share = metric["metric"] in ("win_share", "tie_rate", "no_six")
                unseen = UNSEEN_BLOCKS / (difference.size - 1) if share else 0  # two more, of 1 and of -1
                half = stats.t.ppf(0.975, difference.size - 1) * np.sqrt(
                    (difference.var(ddof=1) + unseen) / difference.size
                )
                found = metric["difference"]["high"] - difference.mean()
                if not share and unseen_squares(millionths(difference), 1, 0.95):
                    assert found > half, "there may be more of what is so rare"
                else:
                    assert found == pytest.approx(half)
            checked += 1
    several = len({cell["variant"] for cell in run.results["cells"]}) > 1
    assert (checked > 0) == several


def millionths(numbers: np.ndarray[Any, Any]) -> Histogram:
    return Histogram.from_values((numbers * 10**6).astype(np.int64))


def per_block(
    rows: polars.DataFrame, metric: dict[str, Any], players: int, rotations: int
) -> np.ndarray[Any, Any]:
    scores = rows.select(f"score_{seat}" for seat in range(players)).to_numpy()
    ranks = rows.select(f"rank_{seat}" for seat in range(players)).to_numpy()
    ordered = np.sort(scores, axis=1)
    name, seat = metric["metric"], metric["seat"]
    if name == "score_margin":
        values = ordered[:, -1] - ordered[:, -2]
    elif name == "tie_rate":
        values = (ranks == 1).sum(axis=1) > 1
    elif "policy" in metric:
        found = [
            rows[f"{name}_{one}"].to_numpy() / (60 if name == "win_share" else 1) for one in range(players)
        ]
        held = np.array([(rows[f"policy_{one}"] == metric["policy"]).to_numpy() for one in range(players)])
        values = np.where(held, found, 0).sum(axis=0) / held.sum(axis=0).mean()
    elif seat is None and f"{name}_0" in rows.columns:
        values = rows.select(f"{name}_{one}" for one in range(players)).to_numpy().mean(axis=1)
    else:
        values = rows[name if seat is None else f"{name}_{seat}"].to_numpy() / (
            60 if name == "win_share" else 1
        )
    return values.reshape(-1, rotations).mean(axis=1)


def test_policies_are_judged_by_the_seats_they_held():
    run = played((2, 3, 4), FAR, ("any", "steady"))
    for planned, cell in zip(run.outcome.plan.cells, run.results["cells"], strict=True):
        rows = run.rows[planned.folder]
        for side in cell["sides"]:
            held = [rows.filter(polars.col(f"policy_{s}") == side["policy"]) for s in range(cell["players"])]
            wins = sum(part[f"win_share_{seat}"].sum() for seat, part in enumerate(held)) / 60
            scores = np.concatenate([part[f"score_{seat}"].to_numpy() for seat, part in enumerate(held)])
            assert side["seat_share"] * cell["players"] * cell["games"] == pytest.approx(scores.size)
            assert side["win_share"]["value"] == pytest.approx(wins / scores.size)
            assert side["score"]["mean"]["value"] == pytest.approx(scores.mean())
            assert side["score"]["sd"] == pytest.approx(scores.std(ddof=1))


def test_a_policy_alone_wins_its_even_share_for_sure():
    (side,) = played().cell()["sides"]
    assert side["win_share"] == {
        "value": 1 / 3,
        "low": 1 / 3,
        "high": 1 / 3,
        "n": 1200,
        "method": "all equal",
    }
    assert side["seat_share"] == 1


def test_the_most_uneven_seat_has_a_wider_interval():
    cell = played((6,), FAR + IDLE).cell("ahead", 6)
    found = cell["tests"]["largest_seat_deviation"]
    deviations = [abs(seat["win_share"]["value"] - 1 / 6) for seat in cell["seats"]]
    assert found["seat"] == int(np.argmax(deviations)) == 5
    plain = cell["seats"][5]["win_share"]
    assert found["estimate"]["value"] == pytest.approx(plain["value"] - 1 / 6)
    assert found["estimate"]["high"] - found["estimate"]["low"] > plain["high"] - plain["low"]


def test_someone_alone_has_no_rivals():
    cell = played((1,), FAR).cell()
    assert cell["tests"] == {}
    assert not {"tie_rate", "score_margin"} & set(cell["measures"])
    assert cell["seats"][0]["win_share"]["value"] == 1


def test_curves_are_means_over_the_games_that_came_so_far():
    run = played()
    curve, rows = run.cell()["measures"]["progress"], run.rows["baseline-p3"]
    assert curve["rounds"] == list(range(1, rows["rounds"].max() + 1))
    for seat, line in enumerate(curve["seats"]):
        assert [point["mean"]["n"] for point in line] == [
            (rows["rounds"] >= number).sum() for number in curve["rounds"]
        ]
        over = rows.filter(polars.col("rounds") == rows["rounds"].max())
        assert line[-1]["mean"]["value"] == pytest.approx(over[f"score_{seat}"].mean())
        assert line[-1]["sd"] == pytest.approx(over[f"score_{seat}"].std())


def test_curves_with_rotation_have_intervals_where_all_games_came_so_far():
    curve = played((3,), (), ("any", "steady")).cell()["measures"]["progress"]
    first, last = curve["seats"][0][0], curve["seats"][0][-1]
    assert first["mean"]["n"] == 400
    assert first["mean"]["low"] < first["mean"]["value"] < first["mean"]["high"]
    assert (last["mean"]["low"], last["mean"]["high"], last["mean"]["method"]) == (None, None, "too few")
    assert last["mean"]["value"] > first["mean"]["value"]


@pytest.mark.parametrize("policies", [("any",), ("any", "steady")])
def test_counters_count(policies: tuple[str, ...]):
    run = played((3,), (), policies)
    cell = run.cell()
    bold, nothing, ghost = cell["measures"]["choices"]["items"]
    assert nothing["offered"] == {
        "total": 3 * cell["games"],
        "mean": mean_from_sums(cell["blocks"], 3 * cell["blocks"], 9 * cell["blocks"], 0.95).as_dict(),
    }
    assert (nothing["taken"]["total"], nothing["take_rate"]["value"]) == (0, 0)
    assert 0 == nothing["take_rate"]["low"] < nothing["take_rate"]["high"] < 0.01
    assert ghost["take_rate"] is None
    assert bold["take_rate"]["value"] == bold["taken"]["total"] / bold["offered"]["total"]
    assert bold["take_rate"]["value"] == pytest.approx(0.5 if policies == ("any",) else 1 / 3, abs=0.03)
    assert bold["taken"]["mean"]["value"] == pytest.approx(bold["taken"]["total"] / cell["games"])
    held = bold["held_by_winner"]
    assert held["mean"]["value"] == pytest.approx(held["total"] / cell["games"], abs=0.5 / cell["games"])
    assert 0 < held["total"] < bold["taken"]["total"]


def test_no_interval_of_a_count_reaches_below_zero():
    """Offered once, in one of 100 games, and taken five times there."""
    sums = ([1, 5, 60], [1, 25, 3600], [0, 5, 0])
    cell: Any = SimpleNamespace(tally=SimpleNamespace(sums=sums), blocks=100, confidence=0.95, rotations=1)
    measure: Any = SimpleNamespace(items=("one",), absent=None)
    (one,) = counter(cell, measure, 0)["items"]
    ends = [one[face]["mean"] for face in ("offered", "taken", "held_by_winner")]
    assert [(end["value"], end["low"]) for end in ends] == [(0.01, 0.0), (0.05, 0.0), (0.01, 0.0)]
    assert all(end["high"] > end["value"] for end in ends)


@pytest.mark.parametrize(
    ("absent", "shown"),
    [
        ((), ["bold", "nothing", "ghost"]),
        (("ghost",), ["bold", "nothing"]),
        (("bold", "ghost"), ["bold", "nothing"]),  # what was counted is shown, whatever the game says
    ],
)
def test_items_that_the_rules_leave_out_are_left_out(absent: tuple[str, ...], shown: list[str]):
    outcome = played().outcome
    (choices,) = GAME.measures_of("counter")
    asked = []

    def left_out(rules: Any) -> tuple[str, ...]:
        asked.append(rules.goal)
        return absent

    cell = Cell(outcome.plan.cells[0], outcome.tallies[0], 0.95)
    start = sums_layout(GAME)["choices"][0]
    found = counter(cell, replace(choices, absent=left_out), start)
    assert [item["item"] for item in found["items"]] == shown
    assert asked == [12]
    assert found["items"] == [
        item for item in counter(cell, choices, start)["items"] if item["item"] in shown
    ]


def test_extremes_are_games_of_the_rows():
    run = played((2, 3), FAR, games=1200)
    for planned, cell in zip(run.outcome.plan.cells, run.results["cells"], strict=True):
        rows = run.rows[planned.folder]
        for one in cell["extremes"]:
            assert 1 <= len(one["games"]) <= 10
            values = [entry["value"] for entry in one["games"]]
            assert values == sorted(values, reverse=one["end"] == "high")
            for entry in one["games"]:
                column = f"score_{entry['seat']}" if one["metric"] == "score" else one["metric"]
                if column != "score_margin":
                    assert rows[column][entry["game"]] == entry["value"]
        found = {(one["metric"], one["end"]) for one in cell["extremes"]}
        assert {("turns", "high"), ("turns", "low"), ("score", "high"), ("score", "low")} <= found
        assert ("no_six", "high") in found
        assert ("no_six", "low") not in found
        best = next(one for one in cell["extremes"] if (one["metric"], one["end"]) == ("score", "high"))
        assert best["games"][0]["value"] == max(seat["score"]["max"] for seat in cell["seats"])


def test_an_interrupted_run_says_what_it_has():
    run = played((2, 3), FAR, games=600, stop=True)
    assert run.results["status"] == "interrupted"
    assert [cell["games"] for cell in run.results["cells"]] == [600, 600, 0, 0]
    assert [one["players"] for one in run.results["comparisons"]] == [2]
    empty = run.cell("baseline", 3)
    assert empty["seats"][0]["win_share"]["value"] is None
    assert empty["measures"]["turns"]["histogram"] == {"values": [], "counts": []}


def test_a_variant_that_changes_nothing_differs_by_nothing():
    run = played((2, 3, 6), FAR + IDLE)
    one = next(one for one in run.results["comparisons"] if one["variant"] == "idle")
    for metric in one["metrics"]:
        moved = metric["difference"]
        assert (moved["value"], metric["effect"]) == (0, 0)
        assert moved["low"] < 0 < moved["high"]


def test_a_share_that_never_differed_may_still_differ():
    """The head start changes games, but nobody has it rolled a six more or less."""
    run = played((2, 3, 6), FAR + IDLE)
    one = next(one for one in run.results["comparisons"] if (one["variant"], one["players"]) == ("ahead", 2))
    same = [metric for metric in one["metrics"] if metric["difference"]["value"] == 0]
    for metric in same:
        if metric["metric"] in ("no_six", "tie_rate", "win_share"):
            assert metric["difference"]["low"] < 0 < metric["difference"]["high"]


def test_rules_of_the_baseline_that_are_not_the_rulebook_s_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch)
    asked = race().model_copy(update={"rules": {"goal": 20, "head_start": 0}})
    assert _own_rules(Plan(asked)) == {"goal": 20}, "no head start is official"
    assert _own_rules(Plan(race())) == {}
