"""The most lopsided deals are dealt the same and played otherwise, and what becomes of them is kept with the run."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from experiment.dice_race import GAME, race

from balance.analysis import results
from balance.analysis.lopsided import lopsided as told
from balance.engine.playing import Buffers
from balance.experiment.events import AlreadyComplete, Finished, Interrupted, Outcome
from balance.experiment.lopsided import REPLAYS, lopsided
from balance.experiment.plan import Plan
from balance.experiment.runner import Options, run
from balance.stats.histogram import Histogram
from balance.stats.intervals import wilson

GAMES = 1200


def outcome_of(folder: Path, *policies: str, players: tuple[int, ...] = (3,)) -> Outcome:
    for event in run(
        race(players, {"far": {"goal": 20}}, policies, GAMES), folder, 2, Options(part_games=600)
    ):
        if isinstance(event, Finished | AlreadyComplete):
            outcome = event.outcome
    return outcome


def play(plan: Plan, first: int, count: int, again: int) -> np.ndarray[Any, Any]:
    table, loop = plan.table(plan.cells[0]), plan.loop
    loop.compile()
    return loop.play(table, plan.experiment.run.seed, first, count, Buffers(GAME), loop.new_sums(), again)


def test_again_the_dice_are_the_same_and_the_choices_others() -> None:
    chancy, steady = Plan(race((3,), {}, ("any",), 300)), Plan(race((3,), {}, ("steady",), 300))
    assert (play(chancy, 0, 300, 0) == play(chancy, 0, 300, 0)).all()
    assert (play(chancy, 0, 300, 0) != play(chancy, 0, 300, 1)).any(axis=0).mean() > 0.9
    assert (play(chancy, 0, 300, 1) != play(chancy, 0, 300, 2)).any(axis=0).mean() > 0.9
    assert (
        play(steady, 0, 300, 0) == play(steady, 0, 300, 7)
    ).all()  # who asks no chance plays it the same way


@pytest.mark.parametrize("policies", [("any",), ("any", "steady")])
def test_the_deals_with_the_highest_margins_are_played_again(
    tmp_path: Path, policies: tuple[str, ...]
) -> None:
    outcome = outcome_of(tmp_path, *policies)
    (baseline, far) = results(outcome)["cells"]
    assert "lopsided" not in far  # a variant has the same deals
    plan, cell = outcome.plan, outcome.plan.cells[0]
    (margins,) = (
        one["games"]
        for one in baseline["extremes"]
        if (one["metric"], one["end"]) == ("score_margin", "high")
    )
    deals = baseline["lopsided"]["deals"]
    assert (deals[0]["game"], deals[0]["margin"]) == (margins[0]["game"], margins[0]["value"])
    assert len({deal["game"] // cell.rotations for deal in deals}) == len(deals) <= 10
    for deal in deals[:3]:
        first = deal["game"] // cell.rotations * cell.rotations
        again = np.concatenate([play(plan, first, cell.rotations, n) for n in range(1, REPLAYS + 1)], axis=1)
        scores = np.sort(again[4:7], axis=0)
        assert deal["margin_again"]["value"] == pytest.approx((scores[2] - scores[1]).mean())
        assert deal["share_again"]["value"] == pytest.approx(again[10 + deal["seat"]].mean() / 60)
        assert deal["share_again"]["n"] == REPLAYS
        assert not deal["same"]
        once = play(plan, first, cell.rotations, 0)[:, deal["game"] - first]
        assert once[10 + deal["seat"]] == once[10:13].max() > 0
    turns = baseline["measures"]["score_margin"]["mean"]
    assert baseline["lopsided"]["usual"]["value"] == pytest.approx(turns["value"])


def test_the_intervals_of_all_deals_hold_together() -> None:
    once = {"game": 7, "margin": 9, "side": 0}
    blocks = {
        "margins": {"values": [1, 4], "counts": [90, 110]},
        "shares": {"values": [0, 60], "counts": [90, 110]},
    }
    alike = {"margins": {"values": [9], "counts": [200]}, "shares": {"values": [60], "counts": [200]}}
    planned = SimpleNamespace(teams=((0,), (1,)))
    cell = SimpleNamespace(planned=planned, confidence=0.95, rotations=1, tally=SimpleNamespace())
    cell.tally.of_blocks = lambda _: Histogram.from_dict(blocks["margins"])
    (alone,) = told(cell, [once | blocks])["deals"]
    assert alone["share_again"] == wilson(110, 200, 0.95).as_dict()
    found = told(cell, [once | blocks] * 9 + [once | alike])["deals"]
    assert found[0]["share_again"] == wilson(110, 200, 0.995).as_dict()
    ends = alone["margin_again"], found[0]["margin_again"]
    assert ends[1]["low"] < ends[0]["low"] < ends[0]["value"] == ends[1]["value"]
    assert [deal["same"] for deal in found] == [False] * 9 + [True]
    won = {
        "margins": alike["margins"],
        "shares": blocks["shares"],
    }  # always by as much, but not always by the same
    assert [deal["same"] for deal in told(cell, [once | won])["deals"]] == [False]


def test_they_are_kept_and_not_played_once_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = outcome_of(tmp_path, "any")
    monkeypatch.setattr("balance.experiment.runner.lopsided", lambda *_: pytest.fail("played once more"))
    assert outcome_of(tmp_path, "any").lopsided == first.lopsided != {}


def test_who_is_stopped_before_goes_on_with_them(tmp_path: Path) -> None:
    going = run(race((3,), {}, ("any",), GAMES), tmp_path, 1, Options(part_games=600))
    for event in going:
        if type(event).__name__ == "CellDone":
            going.stop()
        last = event
    assert isinstance(last, Finished | Interrupted)
    assert outcome_of(tmp_path / "whole", "any").lopsided != {}
    for event in run(race((3,), {}, ("any",), GAMES), tmp_path, 1, Options(part_games=600)):
        last = event
    whole = run(race((3,), {}, ("any",), GAMES), tmp_path / "other", 2, Options(part_games=600))
    *_, end = whole
    assert last.outcome.lopsided == end.outcome.lopsided != {}


def test_nothing_is_lopsided_for_one_alone_or_without_games(tmp_path: Path) -> None:
    assert outcome_of(tmp_path, "any", players=(1,)).lopsided == {}
    plan = Plan(race((3,), {}, ("any",), GAMES))
    assert lopsided(plan, [outcome_of(tmp_path / "x", "any").tallies[0]], lambda: False) is None
