from __future__ import annotations

import csv
import io

import pytest

from balance.analysis import tables

from .played import FAR, Played, played


@pytest.fixture(params=[("any",), ("any", "steady")])
def run(request: pytest.FixtureRequest) -> Played:
    return played((2, 3), FAR, request.param)


def rows(run: Played, name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(tables(run.results)[name])))


def test_the_tables_and_their_columns(run: Played):
    heads = {name: text.split("\n", 1)[0] for name, text in tables(run.results).items()}
    estimate = "value,low,high,n,method"
    assert heads == {
        "seats": f"variant,players,mode,level,seat,metric,statistic,{estimate}",
        "policies": f"variant,players,mode,level,policy,seat,metric,statistic,{estimate}",
        "measures": f"variant,players,mode,level,metric,seat,statistic,{estimate}",
        "comparisons": f"variant,players,mode,level,baseline,metric,seat,policy,of_baseline,of_variant,{estimate},"
        "effect,correlation,worth,family,p_value,adjusted,found,worse",
        "seat_pairs": f"variant,players,mode,level,metric,one,other,{estimate}",
        "counters": f"variant,players,mode,level,metric,item,statistic,total,{estimate}",
        "curves": f"variant,players,mode,level,metric,seat,round,{estimate}",
        "extremes": "variant,players,mode,level,metric,end,rank,game,seat,value",
        "leads": f"variant,players,mode,level,round,statistic,{estimate}",
    }


def test_no_row_comes_twice(run: Played):
    for name, keys in {
        "seats": 7,
        "policies": 8,
        "measures": 7,
        "comparisons": 8,
        "seat_pairs": 7,
        "counters": 7,
        "curves": 7,
        "extremes": 7,
        "leads": 6,
    }.items():
        found = [tuple(row.values())[:keys] for row in rows(run, name)]
        assert len(set(found)) == len(found) > 0, name


def test_the_numbers_are_those_of_the_results(run: Played):
    cell = run.cell("far", 3)
    (share,) = [row for row in rows(run, "seats") if key_of(row) == ("far", "3", "1", "win_share", "mean")]
    assert float(share["value"]) == cell["seats"][1]["win_share"]["value"]
    (low,) = [row for row in rows(run, "measures") if key_of(row) == ("far", "3", "turns", "", "p10")]
    assert (int(low["value"]), low["low"]) == (cell["measures"]["turns"]["quantiles"]["p10"], "")
    (rate,) = [
        row for row in rows(run, "counters") if key_of(row) == ("far", "3", "choices", "bold", "take_rate")
    ]
    assert float(rate["low"]) == cell["measures"]["choices"]["items"][0]["take_rate"]["low"]
    (point,) = [row for row in rows(run, "curves") if key_of(row) == ("far", "3", "progress", "2", "1")]
    assert float(point["high"]) == cell["measures"]["progress"]["seats"][2][0]["mean"]["high"]
    leads = run.cell("baseline", 3)["leads"]["rounds"]
    (led,) = [row for row in rows(run, "leads") if key_of(row)[:4] == ("baseline", "3", "1", "leader_wins")]
    assert float(led["high"]) == leads[0]["wins"]["high"]
    ties = [row for row in rows(run, "comparisons") if row["metric"] == "tie_rate" and row["players"] == "3"]
    assert float(ties[0]["of_variant"]) == pytest.approx(cell["measures"]["tie_rate"]["mean"]["value"])


def key_of(row: dict[str, str]) -> tuple[str, ...]:
    assert row["mode"] == row["level"] == ""
    return tuple(value for name, value in row.items() if name not in ("mode", "level"))[:5]


def test_the_series_has_a_row_for_each_number_of_each_value():
    run = played((2, 3), (("near", (("goal", 8),)), *FAR))
    head = "rule,setting,variant,players,mode,level,metric,seat,statistic,value,low,high,n,method\n"
    assert tables(run.results)["series"].startswith(head)
    found = rows(run, "series")
    assert {(row["rule"], row["setting"], row["variant"]) for row in found} == {
        ("goal", "8", "near"),
        ("goal", "12", "baseline"),
        ("goal", "20", "far"),
    }
    far = {
        (row["metric"], row["seat"], row["statistic"]): row
        for row in found
        if (row["variant"], row["players"]) == ("far", "3")
    }
    assert set(far) == {
        *(("rounds", "", one) for one in ("mean", "difference")),
        *(("score", "", one) for one in ("mean", "difference")),
        *(("score_margin", "", one) for one in ("mean", "difference")),
        next(key for key in far if key[0] == "win_share"),
    }
    cell = run.cell("far", 3)
    assert float(far["rounds", "", "mean"]["low"]) == cell["measures"]["rounds"]["mean"]["low"]
    edge = cell["tests"]["largest_seat_deviation"]
    row = far["win_share", str(edge["seat"]), "from_even"]
    assert float(row["value"]) == edge["estimate"]["value"]


def test_cells_without_games_have_no_rows():
    run = played((2, 3), (("near", (("goal", 8),)), *FAR), games=600, stop=True)
    for name in tables(run.results):
        assert {row["players"] for row in rows(run, name)} == {"2"}, name
