"""Who wins by policy and seat, against the rows: every policy's own games are its denominators."""

from __future__ import annotations

import csv
import io
import math
from typing import Any

import numpy as np
import polars
import pytest
from scipy import stats

from balance.analysis import tables

from .played import FAR, Played, played

RUNS = {
    "two": lambda: played((2, 3, 4), FAR, ("any", "steady")),
    "one of them twice": lambda: played((4, 5), (), ("any", "steady", "any")),
    "one block": lambda: played((3,), (), ("any", "steady"), games=1),
}


@pytest.fixture(params=RUNS)
def run(request: pytest.FixtureRequest) -> Played:
    return RUNS[request.param]()


def in_seat(rows: polars.DataFrame, policy: str, seat: int, rotations: int) -> np.ndarray[Any, Any]:
    """The wins of a policy in a seat: a row for each block, its games there one after the other."""
    held = rows.filter(polars.col(f"policy_{seat}") == policy)
    assert held.height * rotations % rows.height == 0
    return held[f"win_share_{seat}"].to_numpy().reshape(rows.height // rotations, -1) / 60


def test_the_wins_of_each_policy_in_each_seat_are_those_of_its_own_games(run: Played) -> None:
    for planned, cell in zip(run.outcome.plan.cells, run.results["cells"], strict=True):
        for side in cell["sides"]:
            for seat, share in enumerate(side["seats"]):
                won = in_seat(run.rows[planned.folder], side["policy"], seat, cell["rotations"])
                assert share["value"] == pytest.approx(won.mean())
                assert share["n"] == cell["blocks"] == len(won)
                if share["method"] == "wilson, effective n":
                    assert (share["low"], share["high"]) == pytest.approx(by_blocks(won.mean(axis=1)))


def by_blocks(means: np.ndarray[Any, Any]) -> tuple[float, float]:
    """The score interval of the share with the variance of the blocks, written down anew."""
    n, p = means.size, means.mean()
    z = stats.t.ppf(0.975, n - 1)
    trials = p * (1 - p) / (means.var(ddof=1) / n)
    centre = (p + z * z / (2 * trials)) / (1 + z * z / trials)
    half = z * math.sqrt(p * (1 - p) / trials + z * z / (4 * trials * trials)) / (1 + z * z / trials)
    return centre - half, centre + half


def test_parts_of_all_wins_add_up_to_one(run: Played) -> None:
    for planned, cell in zip(run.outcome.plan.cells, run.results["cells"], strict=True):
        assert math.isclose(sum(side["share_of_wins"]["value"] for side in cell["sides"]), 1)
        for side in cell["sides"]:
            rows = run.rows[planned.folder]
            wins = [in_seat(rows, side["policy"], s, cell["rotations"]) for s in range(cell["players"])]
            assert side["share_of_wins"]["value"] == pytest.approx(sum(map(np.sum, wins)) / rows.height)
            held = side["seat_share"] * cell["players"]
            for bound in ("value", "low", "high"):
                assert side["share_of_wins"][bound] == pytest.approx(held * side["win_share"][bound])


def test_the_seats_of_a_policy_are_its_win_share_on_average(run: Played) -> None:
    for cell in run.results["cells"]:
        for side in cell["sides"]:
            seats = [share["value"] for share in side["seats"]]
            assert side["win_share"]["value"] == pytest.approx(np.mean(seats))


def test_a_seat_is_won_by_those_who_sit_there(run: Played) -> None:
    for cell in run.results["cells"]:
        for at, seat in enumerate(cell["seats"]):
            won = sum(side["seat_share"] * side["seats"][at]["value"] for side in cell["sides"])
            assert seat["win_share"]["value"] == pytest.approx(won)


def test_a_policy_alone_has_all_wins_and_every_seat() -> None:
    cell = played().cell()
    (side,) = cell["sides"]
    assert [side["share_of_wins"][bound] for bound in ("low", "value", "high")] == [1, 1, 1]
    assert side["seats"] == [seat["win_share"] for seat in cell["seats"]]


def test_the_table_has_all_of_it() -> None:
    run = played((3,), FAR, ("any", "steady"))
    rows = list(csv.DictReader(io.StringIO(tables(run.results)["policies"])))
    side = run.cell("far")["sides"][1]
    mine = [row for row in rows if (row["variant"], row["policy"]) == ("far", "steady")]
    found = {(row["metric"], row["seat"]): row for row in mine if row["statistic"] == "mean"}
    assert float(found["win_share", ""]["low"]) == side["win_share"]["low"]
    assert float(found["share_of_wins", ""]["high"]) == side["share_of_wins"]["high"]
    assert float(found["score", ""]["value"]) == side["score"]["mean"]["value"]
    assert [float(found["win_share", str(seat)]["value"]) for seat in range(3)] == [
        share["value"] for share in side["seats"]
    ]
    assert {row["statistic"] for row in mine if row["metric"] == "score"} >= {"mean", "sd", "p50", "max"}
