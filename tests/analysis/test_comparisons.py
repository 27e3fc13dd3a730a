"""What is said of each difference: how many questions were asked, what it is worth, and whether it is for the worse."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from experiment.dice_race import GAME
from statsmodels.stats.multitest import multipletests

from balance.analysis import comparisons as compared
from balance.analysis import results
from balance.analysis.comparisons import Asked, asked
from balance.analysis.summaries import Cell
from balance.analysis.worse import is_worse
from balance.experiment.config import from_game, with_overrides
from balance.experiment.plan import Plan
from balance.experiment.tally import Tally
from balance.game import GameMeasure

from .played import FAR, IDLE, Played, cells, played

RUN = (2, 3)
OFFICIAL = (("official", (("goal", 12),)),)


@pytest.fixture(params=[("any",), ("any", "steady")], ids=["one type", "two types"])
def run(request: pytest.FixtureRequest) -> Played:
    return played(RUN, FAR + IDLE, request.param)


def entries(run: Played, **wanted: Any) -> list[dict[str, Any]]:
    return [
        entry
        for one in run.results["comparisons"]
        if all(one[key] == value for key, value in wanted.items())
        for entry in one["metrics"]
    ]


def test_the_questions_are_all_that_has_a_number_per_game(run: Played) -> None:
    cell = cells(run)[1]
    found = list(asked(GAME, cell))
    assert len(set(found)) == len(found)
    assert {one.metric for one in found if one.is_headline} == {
        *("win_share", "seat_spread", "tie_rate", "score", "score_margin", "turns", "rounds"),
    }
    assert {one.metric for one in found} == {
        *("win_share", "seat_spread", "tie_rate", "score", "score_margin", "turns", "rounds", "plies"),
        *("all_sixes", "no_six", "own_sixes"),
    }
    whose = {(one.seat, one.policy) for one in found if one.metric == "win_share"}
    policies = {(None, "any"), (None, "steady")} if cell.rotations > 1 else set()
    assert whose == {(0, None), (1, None)} | policies
    assert Asked("score", 1) in found
    assert not Asked("score", 1).is_headline
    kinds = [one.is_headline for one in found]
    assert kinds == sorted(kinds, reverse=True)


@pytest.mark.parametrize(("family", "method"), [("headline", "holm"), ("explored", "fdr_bh")])
def test_each_family_is_adjusted_over_all_variants_and_tables(run: Played, family: str, method: str) -> None:
    found = [entry for entry in entries(run) if entry["family"] == family]
    assert len(found) > 30
    p_values = [entry["p_value"] for entry in found]
    assert [entry["adjusted"] for entry in found] == pytest.approx(multipletests(p_values, 0.05, method)[1])
    assert [entry["found"] for entry in found] == [entry["adjusted"] <= 0.05 for entry in found]
    assert {True, False} == {entry["found"] for entry in found}


def test_what_is_found_is_told_apart_from_zero_and_not_the_other_way_round(run: Played) -> None:
    for entry in entries(run):
        low, high = entry["difference"]["low"], entry["difference"]["high"]
        assert entry["found"] or not entry["worse"]
        if entry["found"]:
            assert not low <= 0 <= high
    alone = [one for one in entries(run) if not one["difference"]["low"] <= 0 <= one["difference"]["high"]]
    assert any(not one["found"] for one in alone), "some intervals leave out 0 by luck"


def test_correlation_and_worth_are_those_of_the_rows() -> None:
    run = played(RUN, FAR + IDLE)
    rows = [run.rows[f"{variant}-p3"] for variant in ("far", "baseline")]
    for name in ("turns", "all_sixes", "plies"):
        (entry,) = [one for one in entries(run, variant="far", players=3) if one["metric"] == name]
        one, other = (part[name].to_numpy().astype(float) for part in rows)
        assert entry["correlation"] == pytest.approx(np.corrcoef(one, other)[0, 1])
        gain = (one.var(ddof=1) + other.var(ddof=1)) / (one - other).var(ddof=1)
        assert entry["worth"] == pytest.approx(gain)
        assert entry["effect"] == pytest.approx(
            (one.mean() - other.mean()) / max(one.std(ddof=1), other.std(ddof=1))
        )


def test_a_share_s_effect_is_in_units_of_its_own_spread() -> None:
    for entry in entries(played(RUN, FAR + IDLE), variant="ahead"):
        if entry["metric"] == "win_share":
            shares = (entry["baseline"], entry["value"])
            spread = max(math.sqrt(share * (1 - share)) for share in shares)
            assert entry["effect"] == pytest.approx(entry["difference"]["value"] / spread)


def test_a_rule_that_came_to_nothing_moved_nothing_so_far(run: Played) -> None:
    """Its next game may be the first that it changes: the difference is exactly 0, and not certain to stay so."""
    for one in run.results["comparisons"]:
        assert one["changed"] == (one["variant"] != "idle")
        assert one["same_rules"] is None
    for entry in entries(run, variant="idle"):
        moved = entry["difference"]
        assert (moved["value"], entry["effect"]) == (0, 0)
        assert moved["low"] == pytest.approx(-moved["high"])
        assert 0 < moved["high"]
        assert (entry["p_value"], entry["found"], entry["worse"]) == (1, False, False)
        assert entry["value"] == entry["baseline"]


def test_rules_that_are_the_baseline_s_already_are_no_question() -> None:
    run = played((3,), (*FAR, *OFFICIAL))
    one = next(one for one in run.results["comparisons"] if one["variant"] == "official")
    assert (one["same_rules"], one["changed"]) == ("rulebook", False)
    ends = {(entry["difference"]["low"], entry["difference"]["high"]) for entry in one["metrics"]}
    assert ends == {(0, 0)}, "of what is the same nothing is uncertain"
    assert {entry["adjusted"] for entry in one["metrics"]} == {1.0}
    alone = played((3,), FAR).results["comparisons"][0]["metrics"]
    assert [entry["adjusted"] for entry in alone] == [
        entry["adjusted"] for entry in entries(run, variant="far")
    ]


def test_whether_it_is_the_rulebook_or_the_experiment_that_says_so() -> None:
    run = played((3,), (*FAR, *OFFICIAL))
    experiment = run.outcome.plan.experiment.model_copy(update={"rules": {"goal": 12}})
    plan = run.outcome.plan
    before, plan.experiment = plan.experiment, experiment
    found = results(run.outcome)["comparisons"]
    plan.experiment = before
    assert {one["variant"]: one["same_rules"] for one in found} == {"far": None, "official": "baseline"}


def test_a_head_start_for_the_last_seat_is_for_the_worse() -> None:
    run = played((3,), IDLE, games=6000)
    found = {(entry["metric"], entry["seat"]): entry for entry in entries(run, variant="ahead")}
    assert found["seat_spread", None]["worse"]
    assert found["seat_spread", None]["difference"]["low"] > 0
    assert found["win_share", 2]["worse"]
    assert found["win_share", 2]["difference"]["value"] > 0.1
    assert not found["score", None]["worse"], "of scores only the designer knows what is wanted"


@pytest.mark.parametrize(
    ("metric", "before", "after", "even", "worse"),
    [
        ("win_share", 0.30, 0.35, 0.25, True),
        ("win_share", 0.20, 0.15, 0.25, True),
        ("win_share", 0.35, 0.30, 0.25, False),
        ("win_share", 0.30, 0.20, 0.25, False),
        ("win_share", 0.30, 0.35, None, False),
        ("seat_spread", 0.05, 0.06, None, True),
        ("seat_spread", 0.06, 0.05, None, False),
        ("tie_rate", 0.01, 0.02, None, True),
        ("capped_rate", 0.01, 0.02, None, True),
        ("turns", 20.0, 40.0, None, False),
        ("goal_rate", 0.5, 0.1, None, False),
        ("box", 3.0, 4.0, None, True),
        ("box", 4.0, 3.0, None, False),
        ("tie_rate", None, 0.5, None, False),
    ],
)
def test_what_worse_means(
    metric: str, before: float | None, after: float | None, even: float | None, worse: bool
) -> None:
    box = GameMeasure("box", "Box", "tiles", "Tiles.", "a fuller box", check=True)
    game = replace(GAME, measures=(*GAME.measures, box))
    assert is_worse(game, metric, before, after, even) is worse


def test_if_it_were_told_without_regard_to_their_number_luck_would_be_found() -> None:
    """The red case: of p-values of nothing at all, some lie below 5 %, and none of them once Holm has adjusted."""
    luck = np.random.default_rng(8).random(200).tolist()
    assert sum(p <= 0.05 for p in luck) > 3
    assert not any(p <= 0.05 for p in compared.holm(luck))
    assert not any(p <= 0.05 for p in compared.benjamini_hochberg(luck))


def test_where_the_run_may_have_ended_early_what_is_found_holds_at_all_looks() -> None:
    """The level at which the interval leaves out 0 is the p-value, and no smaller than that of a fixed number."""
    run = played((3,), FAR, games=2400)
    plan = run.outcome.plan
    fixed, stopped = (
        compared.comparisons(plan, [replace(cell, best_at=best_at) for cell in cells(run)])[0]["metrics"]
        for best_at in (None, 2000)
    )
    for one, other in zip(fixed, stopped, strict=True):
        assert other["p_value"] >= one["p_value"] or other["p_value"] < 1e-9
        low, high = other["difference"]["low"], other["difference"]["high"]
        if other["metric"] != "seat_spread":
            assert (other["p_value"] <= 0.05) == (not low <= 0 <= high), other["metric"]
        assert low <= one["difference"]["low"] <= one["difference"]["high"] <= high


def test_alone_nothing_is_asked_twice() -> None:
    """The only seat's number is the mean over all seats; asked twice it would count twice among the questions."""
    plan = Plan(with_overrides(from_game("kennelmester"), players=(1,)))
    found = list(asked(plan.game, Cell(plan.cells[0], Tally(), 0.95)))
    assert {(one.seat, one.policy) for one in found} == {(None, None)}
    assert len({one.metric for one in found}) == len(found) > 10
