"""The games most worth reading: which they are, and that they are told as a replay tells them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from experiment.dice_race import race

from balance.analysis import results
from balance.experiment import logs as telling_games
from balance.experiment.config import Experiment, Lineup, Run
from balance.experiment.events import Finished, Outcome
from balance.experiment.logs import BEGINNING, BETWEEN, END, cut, logs, telling
from balance.experiment.plan import Plan
from balance.experiment.replay import replay
from balance.experiment.runner import run
from balance.experiment.tally import Tally
from balance.stats.histogram import Histogram


@pytest.fixture(scope="module")
def pig(tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    asked = Experiment(
        schema_version=1,
        game="pig",
        title="Pig",
        players=(2, 3),
        run=Run(games=3_000, seed=4),
        lineup=Lineup(policies=("hold-at-20",)),
    )
    for event in run(asked, Path(tmp_path_factory.mktemp("pig")), 2):
        if isinstance(event, Finished):
            return event.outcome
    raise AssertionError("The run did not finish.")


def tally_of(**games: Sequence[int]) -> Tally:
    """The first game is 0 and so on; of each column the highest and lowest."""
    found = {name: np.array(values) for name, values in games.items()}
    ends = {
        sign: {name: ((int(sign * max(sign * one)), int(np.argmax(sign * one))),) for name, one in found.items()}
        for sign in (1, -1)
    }  # fmt: skip
    blocks = {name: Histogram.from_values(values) for name, values in found.items()}
    return Tally(blocks=blocks, highest=ends[1], lowest=ends[-1])


def test_a_comeback_comes_first_and_no_game_twice() -> None:
    cell = Plan(race((3,))).cells[0]
    tally = tally_of(score_margin=[3, 0, 8, 8, 1], turns=[9, 9, 20, 7, 9])
    leads = {"comebacks": [[6, 4, 1, 2]]}
    margin, shortest = ("score_margin", "high", 8, 2), ("turns", "low", 7, 3)
    assert telling(cell, tally, leads) == [("comeback", "high", 6, 4), margin, ("score_margin", "low", 0, 1)]
    assert telling(cell, tally, None) == [margin, ("score_margin", "low", 0, 1), shortest]
    assert telling(cell, tally_of(score_margin=[2, 2], turns=[9, 9]), {"comebacks": []}) == []


def test_alone_the_best_and_the_worst_game_are_told() -> None:
    cell = Plan(race((1,))).cells[0]
    tally = tally_of(score_0=[5, 9, 1], turns=[4, 4, 4])
    assert telling(cell, tally, None) == [("score", "high", 9, 1), ("score", "low", 1, 2)]


def test_they_are_told_as_a_replay_tells_them(pig: Outcome) -> None:
    for cell, found in zip(pig.plan.cells, results(pig)["cells"], strict=True):
        table = pig.plan.table(cell)
        assert 1 <= len(found["logs"]) <= 3
        for one in found["logs"]:
            played = replay(pig.plan.game, table.params, table.policies, table.rotations, 4, one["game"])
            assert one["whole"]
            assert one["text"].split("\n") == pig.plan.game.narrate(played.events)  # type: ignore[misc]
            if one["metric"] != "comeback":
                column = "score_0" if one["metric"] == "score" else one["metric"]
                assert one["value"] == played.row.get(column, one["value"])
    (comeback, *_) = found["logs"]
    assert comeback["metric"] == "comeback"
    assert comeback["game"] == found["leads"]["comebacks"][0]["game"]


def test_a_log_that_cannot_be_told_is_left_out(pig: Outcome, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_events: Any) -> list[str]:
        raise ZeroDivisionError

    assert logs(pig.plan, pig.tallies, pig.leads, lambda: True) == pig.logs
    assert logs(pig.plan, pig.tallies, pig.leads, lambda: False) is None
    monkeypatch.setattr(pig.plan, "game", replace(pig.plan.game, narrate=broken))
    assert logs(pig.plan, pig.tallies, pig.leads, lambda: True) == {}
    monkeypatch.setattr(pig.plan, "game", replace(pig.plan.game, narrate=None))
    monkeypatch.setattr(telling_games, "Replayer", lambda *_: pytest.fail("nothing to tell"))
    assert logs(pig.plan, pig.tallies, pig.leads, lambda: True) == {}


def test_of_a_long_log_whole_lines_of_its_beginning_and_end_are_kept() -> None:
    lines = [f"{number:099}" for number in range(1_000)]
    found = cut("\n".join(lines))
    assert not found["whole"]
    first, between, last = found["text"].split("\n\n")
    assert first.split("\n") == lines[: BEGINNING // 100]
    assert (between, last.split("\n")) == (BETWEEN, lines[-END // 100 :])
    assert cut("short\nlog") == {"text": "short\nlog", "whole": True}
    assert len(cut("y" * 3 * (BEGINNING + END))["text"]) == END + len(BETWEEN) + 4
