"""Several runs on one page: what differs first, then what moved, and how sure that is."""

from __future__ import annotations

import copy
import math
from decimal import Decimal
from typing import Any

import pytest

from balance.analysis.side_by_side import side_by_side
from balance.errors import BalanceError
from balance.report import page
from balance.report.side_by_side import APART, told
from tests.report.parsed import parse
from tests.report.sample import HOSTILE, Shape, build, estimate


def run(day: int, rules: dict[str, Any] | None = None, **shape: Any) -> dict[str, Any]:
    """The results of a run of that day of May."""
    results = copy.deepcopy(build(Shape(**{"variants": ("baseline", "other"), **shape})))
    results["timing"]["started"] = f"2031-05-{day:02}T10:00:00Z"
    for cell in results["cells"]:
        cell["rules"] |= rules or {}
    return results


def of(found: dict[str, Any], metric: str, seat: int | None = None) -> dict[str, Any]:
    return next(
        one for one in found["tables"][0]["metrics"] if (one["metric"], one["seat"]) == (metric, seat)
    )


def quiet(*runs: dict[str, Any], **turns: tuple[float, float]) -> dict[str, Any]:
    """The runs held together, in which nothing but the turns may move."""
    for number, results in enumerate(runs):
        for cell in results["cells"]:
            cell["measures"] = {"turns": {"mean": estimate(*turns[f"run{number}"])}}
            for entry in cell["seats"]:
                entry["win_share"], entry["score"]["mean"] = estimate(0.25, 0.01), estimate(20, 0.1)
    return side_by_side({f"run {number}": results for number, results in enumerate(runs)})


def test_runs_stand_in_the_order_of_their_dates() -> None:
    found = side_by_side({"new": run(9), "old": run(2), "middle": run(5)})
    assert [one["name"] for one in found["runs"]] == ["old", "middle", "new"]


def test_the_rules_that_differ_are_named_table_by_table() -> None:
    found = side_by_side({"a": run(1, players=(3, 4)), "b": run(2, {"seasons": 5}, players=(4,))})
    assert found["rules"] == [
        {"players": 4, "mode": None, "level": None, "rule": "seasons", "values": [3, 5]},
    ]
    assert side_by_side({"a": run(1), "b": run(2)})["rules"] == []


def test_a_step_has_the_interval_of_two_samples() -> None:
    found = quiet(run(1), run(2), run0=(28.0, 0.3), run1=(30.0, 0.4))
    entry = of(found, "turns")
    assert entry["moved"][0] is None
    moved = entry["moved"][1]
    assert moved["value"] == pytest.approx(2.0)
    assert (moved["low"], moved["high"]) == pytest.approx(
        (2 - math.hypot(0.3, 0.4), 2 + math.hypot(0.3, 0.4))
    )


def test_a_run_without_the_table_is_stepped_over() -> None:
    found = side_by_side(
        {"a": run(1, players=(4,)), "b": run(2, players=(3,)), "c": run(3, players=(4,), seed=8)}
    )
    four = next(table for table in found["tables"] if table["players"] == 4)
    shares = next(one for one in four["metrics"] if one["metric"] == "win_share")
    assert [value is None for value in shares["values"]] == [False, True, False]
    assert [moved is None for moved in shares["moved"]] == [True, True, False]


def test_what_moved_is_told_and_what_could_not_be_told_is_counted() -> None:
    found = quiet(run(1), run(2), run(3), run0=(28.0, 0.3), run1=(30.0, 0.3), run2=(30.1, 0.3))
    first, rest, luck = told(found)
    assert first == '"Turns" rises with 4 players from 28.0 to 30.0 in "run 1", by 2.0 (interval 1.6 to 2.4).'
    assert rest == "17 of 18 steps from run to run could not be told apart from no change."
    assert (
        luck == "Of so many steps about 5 in 100 would seem to be more than luck even if nothing had changed."
    )
    nothing = told(quiet(run(1), run(2), run0=(28.0, 0.3), run1=(28.1, 0.3)))
    assert nothing == ["9 of 9 steps from run to run could not be told apart from no change."]


@pytest.mark.parametrize("moved", [0.04, 0.06, 0.16, 0.26])
def test_what_a_step_comes_to_is_the_difference_of_its_two_numbers_as_shown(moved: float) -> None:
    found = quiet(run(1), run(2), run0=(12.77, 0.004), run1=(12.77 + moved, 0.4))
    rows = parse(page.render_together(found)).tables[
        "All numbers in each run, 4 players; marked where the last step is more than luck"
    ]
    (turns,) = (row for row in rows if row[0] == "Turns")
    before, after, step = (Decimal(cell) for cell in turns[1:4])
    assert after - before == step


def test_a_sentence_of_a_step_says_numbers_that_subtract() -> None:
    found = quiet(run(1), run(2), run0=(12.77, 0.06), run1=(13.03, 0.06))
    assert told(found)[0].startswith('"Turns" rises with 4 players from 12.77 to 13.03 in "run 1", by 0.26 (')


def test_a_title_is_no_name_within_a_row() -> None:
    found = quiet(run(1), run(2), run0=(12.77, 0.03), run1=(13.03, 0.03))
    found["definitions"]["score"]["title"] = 'The "5" medals'
    rows = parse(page.render_together(found)).tables[
        "All numbers in each run, 4 players; marked where the last step is more than luck"
    ]
    assert 'The "5" medals, seat 2' in [row[0] for row in rows]


def test_the_last_steps_come_first_and_the_others_are_counted() -> None:
    runs = [run(day) for day in range(1, 13)]
    found = quiet(*runs, **{f"run{at}": (20.0 + at, 0.1) for at in range(12)})
    sentences = told(found)
    assert 'in "run 11"' in sentences[0]
    assert sentences[8] == "3 more steps are in the tables."


def test_runs_that_have_nothing_in_common_say_so() -> None:
    found = side_by_side({"a": run(1, players=(3,)), "b": run(2, players=(4,))})
    assert told(found) == ["No two of these runs have a table in common."]


def test_tables_of_levels_stand_apart_from_those_without_and_that_is_said() -> None:
    by_level = run(1, levels=("random", "greedy"))
    found = side_by_side({"a": by_level, "b": run(2)})
    assert told(found) == ["No two of these runs have a table in common.", APART]
    again = side_by_side({"a": by_level, "b": run(2), "c": run(3)})
    assert told(again)[-1] == APART
    assert APART not in told(side_by_side({"a": by_level, "c": run(2, levels=("random", "greedy"))}))
    assert APART not in told(side_by_side({"a": by_level, "b": run(2, players=(3,))}))


def test_where_no_rule_differs_it_is_the_baselines_of_which_that_is_said() -> None:
    """Beside a sweep: its variants have other rules, and do not stand on the page."""
    text = parse(page.render_together(side_by_side({"a": run(1, variants=("baseline",)), "b": run(2)}))).text
    assert "The baselines have the same rules; only they stand here." in text
    for other in (run(2, {"seasons": 5}), run(2, {"seasons": 5}, players=(3,))):
        assert "same rules" not in parse(page.render_together(side_by_side({"a": run(1), "b": other}))).text


@pytest.mark.parametrize(
    ("key", "value", "sentence"),
    [
        ("game", "pig", "of different games: a (animalia) and b (pig)."),
        ("confidence", 0.9, "of different levels of confidence: a (0.95) and b (0.9)."),
    ],
)
def test_what_cannot_be_compared_is_refused(key: str, value: object, sentence: str) -> None:
    with pytest.raises(BalanceError) as refused:
        side_by_side({"a": run(1), "b": {**run(2), key: value}})
    assert refused.value.message == f"These runs cannot stand side by side, for they are {sentence}"


def test_the_page_draws_each_number_over_the_runs_and_shows_any_name() -> None:
    found = side_by_side({HOSTILE[0]: run(1), HOSTILE[2]: run(2, {"seasons": 5}), "c": run(3)})
    parsed = parse(page.render_together(found))
    figure = parsed.figures["figure-run-win_share-0"]
    assert [line["name"] for line in figure["data"]] == ["Seat 1", "Seat 2", "Seat 3", "Seat 4"]
    assert all(line["x"] == [0, 1, 2] for line in figure["data"])
    assert figure["data"][0]["y"] == [
        pytest.approx(100 * value["value"], rel=1e-4) for value in of(found, "win_share", 0)["values"]
    ]
    text = "".join(parsed.texts)
    assert HOSTILE[0] in text
    assert parsed.tables["The rules in which the runs differ"][1] == ["seasons", "4 players", "3", "5", "3"]
    assert page.render_together(found) == page.render_together(copy.deepcopy(found))
