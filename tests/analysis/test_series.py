"""Series: variants that change one rule alone, by its values, with the numbers of their cells and comparisons."""

from __future__ import annotations

from typing import Any

from .played import Played, played

GOALS = (
    ("longer", (("goal", 20),)),
    ("both", (("goal", 8), ("head_start", 1))),
    ("shorter", (("goal", 8),)),
    ("official", (("goal", 12),)),
    ("longer again", (("goal", 20),)),
    ("ahead", (("head_start", 3),)),
)
"""The rule "goal", 12 by the rulebook, has three other variants of its own; "head_start" has one."""


def run(**more: Any) -> Played:
    return played((1, 2, 3), GOALS, **more)


def tables(found: Played) -> list[dict[str, Any]]:
    (one,) = found.results["series"]
    return list(one["tables"])


def test_variants_of_one_rule_alone_are_a_series_by_value() -> None:
    (one,) = run().results["series"]
    assert (one["rule"], one["official"]) == ("goal", True)
    assert [table["players"] for table in one["tables"]] == [1, 2, 3]
    for table in one["tables"]:
        rows = [(row["value"], row["variant"], row["baseline"]) for row in table["rows"]]
        assert rows == [(8, "shorter", False), (12, "baseline", True), (20, "longer", False)]


def test_the_numbers_are_those_of_cells_and_comparisons() -> None:
    found = run()
    assert tables(found)[0]["metrics"] == ["rounds", "score"]
    for table in tables(found)[1:]:
        assert table["metrics"] == ["rounds", "score", "score_margin"]
        for row in table["rows"]:
            cell = found.cell(row["variant"], table["players"])
            assert row["seat"] == cell["tests"]["largest_seat_deviation"]
            for metric in ("rounds", "score_margin"):
                assert row["means"][metric] == cell["measures"][metric]["mean"]
            scores = [seat["score"]["mean"]["value"] for seat in cell["seats"]]
            assert abs(row["means"]["score"]["value"] - sum(scores) / len(scores)) < 1e-9
            assert (
                row["means"]["score"]["low"] < row["means"]["score"]["value"] < row["means"]["score"]["high"]
            )
            assert row["differences"] == differences(found, row["variant"], table["players"])
    assert tables(found)[0]["rows"][0]["seat"] is None


def differences(found: Played, variant: str, players: int) -> dict[str, Any]:
    return {
        metric["metric"]: metric["difference"] | {"found": metric["found"]}
        for one in found.results["comparisons"]
        if (one["variant"], one["players"]) == (variant, players)
        for metric in one["metrics"]
        if metric["metric"] in ("rounds", "score", "score_margin") and metric["seat"] is None
    }


def test_a_longer_way_is_a_longer_game() -> None:
    """What the series is for, and what it would say if rows were mixed up."""
    for table in tables(run()):
        short, usual, long = table["rows"]
        assert short["differences"]["rounds"]["high"] < 0 < long["differences"]["rounds"]["low"]
        assert usual["differences"] == {}
        assert (
            short["means"]["rounds"]["value"]
            < usual["means"]["rounds"]["value"]
            < long["means"]["rounds"]["value"]
        )


def test_rules_with_one_variant_are_no_series() -> None:
    assert played((2,), GOALS[:2]).results["series"] == []
    assert played((2,), GOALS[-1:]).results["series"] == []


def test_the_order_is_that_of_the_file() -> None:
    starts = (("one", (("head_start", 1),)), ("two", (("head_start", 2),)))
    rules = [
        [one["rule"] for one in played((2,), variants).results["series"]]
        for variants in (starts + GOALS, GOALS + starts)
    ]
    assert rules == [["head_start", "goal"], ["goal", "head_start"]]


def test_an_interrupted_run_has_the_tables_that_were_played() -> None:
    found = run(games=600, stop=True)
    assert [table["players"] for table in tables(found)] == [1]


def test_several_types_of_players_are_counted_by_blocks() -> None:
    found = run(policies=("any", "steady"))
    for table in tables(found)[1:]:
        for row in table["rows"]:
            assert row["means"]["score"]["n"] == 1200 // table["players"]


def test_of_several_types_of_players_it_is_the_whole_table_that_is_told() -> None:
    found = played((2, 3), GOALS[:3], ("any", "steady"))
    for table in tables(found):
        for row in table["rows"]:
            if not row["baseline"]:
                moved = row["differences"]["score"]["value"]
                before = next(one for one in table["rows"] if one["baseline"])
                assert (
                    abs(moved - (row["means"]["score"]["value"] - before["means"]["score"]["value"])) < 1e-9
                )
