from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from balance.analysis import results
from balance.analysis.warnings import _ended_early
from balance.experiment.config import from_game
from balance.experiment.events import Outcome
from balance.experiment.models import Gate
from balance.experiment.plan import Plan
from balance.stats.histogram import Histogram

from .played import FAR, Played, played


def warnings(run: Played) -> list[str]:
    return run.results["warnings"]


def with_stopped(run: Played, stopped: int) -> Outcome:
    """The same outcome, but with so many games that had to be stopped."""
    (tally,) = run.outcome.tallies
    ended = Histogram(np.array([0, 1]), np.array([tally.played - stopped, stopped]))
    return replace(run.outcome, tallies=(replace(tally, blocks={**tally.blocks, "ended": ended}),))


def test_enough_games_need_no_warning():
    assert warnings(played()) == []


@pytest.mark.parametrize(
    ("games", "beginning"), [(1, "Only 1 game was played"), (999, "Only 999 games were played")]
)
def test_few_games_are_too_few(games: int, beginning: str):
    run = played(games=games)
    widest = max(seat["win_share"]["high"] - seat["win_share"]["low"] for seat in run.cell()["seats"]) / 2
    (sentence,) = warnings(run)
    known = f"the shares of wins are known to within {100 * widest:.1f} pp only"
    assert sentence == f"{beginning}, too few to say much: {known}."


def test_few_games_in_some_cells_are_named():
    few = [
        sentence
        for sentence in warnings(played((2, 5), (), ("any", "steady"), games=996))
        if "Only" in sentence
    ]
    assert len(few) == 1
    assert few[0].startswith("Only 996 games were played (baseline, 2 players), too few to say much")


def test_an_interrupted_run_warns_of_what_was_played_alone():
    assert warnings(played((2, 3), FAR, games=1200, stop=True)) == []


def test_rounding_up_is_told():
    run = played((3, 4), (), ("any", "steady"), games=1201)
    assert warnings(run) == [
        "With 3 players 1,203 games are played instead of 1,201, "
        "so that each type of player sits in each seat equally often.",
        "With 4 players 1,204 games are played instead of 1,201, "
        "so that each type of player sits in each seat equally often.",
    ]


def test_games_that_had_to_be_stopped_are_told():
    found = results(with_stopped(played(), 7))
    assert found["cells"][0]["capped"] == 7
    assert found["warnings"] == [
        "7 of 1,200 games (baseline, 3 players) had to be stopped before they were over; "
        "they count as they stood."
    ]


def test_games_that_had_to_be_stopped_are_counted_with_rotation_too():
    run = played((3,), (), ("any", "steady"))
    assert run.cell()["capped"] == 0
    assert run.outcome.tallies[0].of_games("ended").n == 1200


def test_items_that_are_never_used_are_told_after_enough_games():
    assert warnings(played((2, 3), (), games=10_000)) == [
        '"nothing" of "Choices" was offered 20,000 times and never taken (baseline, 2 players).',
        '"nothing" of "Choices" was offered 30,000 times and never taken (baseline, 3 players).',
        '"ghost" of "Choices" never came up in any game.',
    ]


def test_who_ended_play_is_told_where_it_was_the_gates():
    plan = stopped_by({"rule": "gates"})
    assert "play ends as soon as the gates are decided" in "".join(_ended_early(plan))
    assert list(_ended_early(stopped_by({"rule": "sprt"}))) == []
    assert list(_ended_early(stopped_by(None))) == []


def stopped_by(rule: dict[str, str] | None) -> Plan:
    pig = from_game("pig")
    return Plan(pig.model_copy(update={"gates": (Gate(metric="turns", max=30),)}), stopping=rule)
