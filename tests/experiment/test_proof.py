"""The digest of a run's fixed games: from the experiment alone, kept in the run, and never in the way."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from balance.analysis import results
from balance.experiment import proof, runner
from balance.experiment.events import Finished, Interrupted, Warned
from balance.experiment.plan import Plan
from balance.experiment.proof import games_of_run
from balance.experiment.runner import Options

from . import dice_race
from .dice_race import race


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch) -> None:
    dice_race.install(monkeypatch)


def events(folder: Path, threads: int = 1, stop_after: int | None = None, **wanted: Any) -> list[Any]:
    """A run's events; stopped after so many."""
    run = runner.run(race(**wanted), folder, threads, Options(part_games=60))
    found = []
    for event in run:
        found.append(event)
        if len(found) == stop_after:
            run.stop()
    return found


def digest(happened: list[Any]) -> str:
    return str(results(happened[-1].outcome)["provenance"]["fingerprints"]["games"])


def lose_a_part(folder: Path) -> None:
    """Remove a file of rows, so that there is something left to play."""
    next(folder.rglob("*.parquet")).unlink()


@pytest.mark.parametrize(
    ("wanted", "games"),
    [
        ({"games": 600}, 60),
        ({"games": 600, "players": (2, 3)}, 120),
        ({"games": 5}, 1),
        ({"games": 600, "players": (3,), "policies": ("any", "steady")}, 60),
        ({"games": 100, "players": (3,), "policies": ("any", "steady")}, 9),
        ({"games": 2, "players": (3,), "policies": ("any", "steady")}, 3),
        ({"games": 10**6}, 10_000),
        ({"games": 10**6, "players": (3,), "policies": ("any", "steady")}, 9999),
    ],
)
def test_how_many_games_it_is_made_of(wanted: dict[str, Any], games: int) -> None:
    assert games_of_run(Plan(race(**wanted))) == games


def test_it_is_the_same_for_any_threads_and_after_an_interruption(tmp_path: Path) -> None:
    whole = events(tmp_path / "whole")
    assert isinstance(whole[-1], Finished)
    assert len(digest(whole)) == 64
    threads = events(tmp_path / "threads", threads=3)
    stopped = events(tmp_path / "stopped", stop_after=1)
    assert isinstance(stopped[-1], Interrupted)
    resumed = events(tmp_path / "stopped")
    again = events(tmp_path / "whole")
    assert len(again) == 1
    lose_a_part(tmp_path / "whole")
    repaired = events(tmp_path / "whole")
    assert len(repaired) > 1
    assert {digest(one) for one in (threads, resumed, again, repaired)} == {digest(whole)}
    assert not [event for event in resumed + repaired if isinstance(event, Warned)]


def test_variants_and_other_rules_leave_it_as_it_is(tmp_path: Path) -> None:
    """It tells builds apart, not experiments: official rules, its own seed."""
    plain = digest(events(tmp_path / "1"))
    assert digest(events(tmp_path / "2", seed=9)) == plain
    assert digest(events(tmp_path / "3", policies=("steady",))) != plain


def test_a_run_that_another_build_began_is_told_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as other:
        other.setattr(runner, "digest_of_run", lambda *_: "0" * 64)
        events(tmp_path)
    lose_a_part(tmp_path)
    happened = events(tmp_path)
    warned = [event.sentence for event in happened if isinstance(event, Warned)]
    assert warned == ["The run began on another machine or version, which plays the same games otherwise."]
    assert digest(happened) == "0" * 64


def test_games_that_cannot_be_played_for_it_end_no_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: Any) -> str:
        raise MemoryError

    monkeypatch.setattr(proof, "games_digest", fails)
    happened = events(tmp_path)
    assert isinstance(happened[-1], Finished)
    assert digest(happened) == ""
