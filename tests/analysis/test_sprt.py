"""A sequential test ends a run as soon as one of two claims is accepted, and is seldom wrong."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from experiment.dice_race import GAME, race
from stats.simulated import at_most, watched

from balance.analysis import results
from balance.analysis.sprt import Claim, UntilAccepted, of_policy, of_variant
from balance.errors import BalanceError
from balance.experiment.events import Finished, Outcome
from balance.experiment.models import Experiment, Gate
from balance.experiment.runner import run
from balance.game import SHARE_UNIT
from balance.stats.histogram import Histogram
from balance.stats.sequential import looks
from balance.stats.sprt import share_test


def play(experiment: Experiment, folder: Path, claim: Claim, threads: int = 2) -> Outcome:
    for event in run(experiment, folder, threads, None, UntilAccepted(claim)):
        if isinstance(event, Finished):
            outcome = event.outcome
    return outcome


def test_a_player_who_is_better_is_accepted_early(tmp_path: Path) -> None:
    experiment = race((3,), {}, ("any", "steady"), 300_000)
    claim = of_policy(GAME, experiment, (0.0, 0.02))
    assert claim == Claim((0.0, 0.02), policy="any")
    outcome = play(experiment, tmp_path / "a", claim)
    found = results(outcome)
    (tested,) = found["sprt"]["cells"]
    share = next(side for side in found["cells"][0]["sides"] if side["policy"] == "any")
    assert tested["accepted"] in (0, 1)
    assert tested["even"] == pytest.approx(2 / 3)
    assert tested["accepted"] == (share["win_share"]["value"] * 2 > 2 / 3)
    assert outcome.games < 300_000
    assert tested["plain"]["value"] == pytest.approx(share["win_share"]["value"] * 2)
    assert tested["adjusted"]["low"] < tested["plain"]["low"]  # it allows for looking
    assert tested["adjusted"]["low"] < tested["corrected"]["low"] < tested["corrected"]["value"]
    off = tested["corrected"]["value"] - tested["plain"]["value"]
    assert (off < 0) == (tested["accepted"] == 1), (
        "the plain mean is off to the side at which the test stopped"
    )
    assert (found["sprt"]["policy"], found["sprt"]["error"]) == ("any", pytest.approx(0.05))
    again = results(play(experiment, tmp_path / "b", claim, threads=1))
    assert again["sprt"] == found["sprt"]


def test_what_a_variant_changes_is_tested_where_it_changes_something(tmp_path: Path) -> None:
    experiment = race((3,), {"ahead": {"head_start": 3}}, ("any",), 200_000)
    claim = of_variant(GAME, experiment, (0.0, 0.02), "win_share:3")
    found = results(play(experiment, tmp_path, claim))
    (tested,) = found["sprt"]["cells"]
    assert tested["cell"] == "ahead-p3"
    moved = next(
        one["difference"]
        for one in found["comparisons"][0]["metrics"]
        if (one["metric"], one["seat"]) == ("win_share", 2)
    )
    assert tested["accepted"] == 1
    assert tested["plain"]["value"] == pytest.approx(moved["value"])
    assert tested["adjusted"] == moved, "the table shows what the test says"


def test_where_several_cells_of_a_table_are_tested_none_of_them_ended_play(tmp_path: Path) -> None:
    experiment = race((3,), {"ahead": {"head_start": 3}, "more": {"head_start": 2}}, ("any",), 200_000)
    found = results(play(experiment, tmp_path, of_variant(GAME, experiment, (0.0, 0.02), "win_share:3")))
    assert [one["corrected"] for one in found["sprt"]["cells"]] == [None, None]


def test_where_few_blocks_differ_nothing_is_corrected(tmp_path: Path) -> None:
    """What corrects a test that ended play takes a mean to be normal, which that of rare changes is not."""
    experiment = race((3,), {"ahead": {"head_start": 3}}, ("any",), 200_000)
    claim = of_variant(GAME, experiment, (0.0, 0.02), "win_share:3")
    outcome = play(experiment, tmp_path, claim)
    (told,) = results(outcome)["sprt"]["cells"]
    assert told["corrected"] is not None
    rare = Histogram(np.array([0, SHARE_UNIT]), np.array([1_200, 40]))
    baseline, ahead = outcome.tallies
    ahead = replace(ahead, differences={**ahead.differences, "win_share_2": rare})
    (told,) = results(replace(outcome, tallies=(baseline, ahead)))["sprt"]["cells"]
    assert told["corrected"] is None
    assert told["plain"]["value"] == pytest.approx(40 / 1_240)


def test_how_many_games_may_be_played_at_most_changes_no_interval(tmp_path: Path) -> None:
    gates = (
        Gate(metric="seat_spread", max=0.1),
        Gate(metric="win_share", seat=3, max=0.4, against="baseline"),
    )
    experiments = [
        race((3,), {"ahead": {"head_start": 3}}, ("any",), games).model_copy(update={"gates": gates})
        for games in (2_000, 100_000)
    ]
    few, many = (
        results(play(one, tmp_path / str(one.run.games), of_variant(GAME, one, (0.0, 0.02), "win_share:3")))
        for one in experiments
    )
    assert few["cells"][0]["games"] == many["cells"][0]["games"] < 2_000
    assert few["sprt"] == many["sprt"]
    assert few["comparisons"] == many["comparisons"]
    assert few["gates"] == many["gates"] != []


def test_what_is_not_decided_is_played_to_its_last_game(tmp_path: Path) -> None:
    experiment = race((3,), {}, ("any", "steady"), 3000)
    near = results(play(experiment, tmp_path / "a", of_policy(GAME, experiment, (0.0, 0.0001))))
    assert near["cells"][0]["games"] == 3000
    assert near["sprt"]["cells"][0]["accepted"] is None


def test_nobody_wins_more_than_all_or_less_than_nothing() -> None:
    experiment = race((3,), {}, ("any", "steady"))
    for means in ((0.3, 0.6), (-0.7, 0.1)):
        with pytest.raises(BalanceError, match=r"so --sprt tests from -\d"):
            of_policy(GAME, experiment, means)


def refused(asked: Any, *arguments: Any) -> tuple[str, str]:
    with pytest.raises(BalanceError) as error:
        asked(*arguments)
    return error.value.message, error.value.hint


def test_what_cannot_be_tested_is_refused() -> None:
    one = race((3,), {"far": {"goal": 20}}, ("any",), 300)
    assert refused(of_policy, GAME, one, (0.0, 0.1))[0].startswith(
        "--sprt tests the first policy against the others"
    )
    means = (0.0, 0.1)
    assert refused(of_variant, GAME, one, means, "turns") == (
        '--sprt tests a share, and "turns" is none here.',
        "The shares are win_share, tie_rate and no_six; write --metric win_share, say.",
    )
    assert refused(of_variant, GAME, one, means, "win_share")[0] == (
        '"win_share" is a number of a seat; write --metric win_share:1.'
    )
    assert refused(of_variant, GAME, one, means, "tie_rate:1")[0] == (
        '"tie_rate" is a number of no seat; write --metric tie_rate.'
    )
    for seat in ("0", "4", "x", ""):
        assert "takes a seat from 1 to 3" in refused(of_variant, GAME, one, means, f"win_share:{seat}")[0]
    assert of_variant(GAME, one, means, "no_six") == Claim(means, "no_six")


MEANS, UNIT = (0.25, 0.27), 60
AT = looks(60_000)


def accepted(wins: int, games: int) -> int | None:
    blocks = Histogram(np.array([0, UNIT]), np.array([games - wins, wins]))
    return share_test(blocks, UNIT, 1, MEANS, (0.05, 0.05)).accepted


def wrongly_accepted(number: int) -> float:
    """In which part of the runs the other claim than `number`, which is true, is accepted at the first look at which
    either is."""
    wins = watched([1 - MEANS[number], MEANS[number]], AT, seed=3)[:, :, 1]
    is_open, wrong = np.ones(len(wins), bool), np.zeros(len(wins), bool)
    for look, n in enumerate(AT):  # the more games are won, the more speaks for the second claim
        most = bisect_left(range(1, n), True, key=lambda k, n=n: accepted(k, n) != 0)
        least = bisect_left(range(1, n), True, key=lambda k, n=n: accepted(k, n) == 1) + 1
        first, second = wins[:, look] <= most, wins[:, look] >= least
        wrong |= is_open & (first if number else second)
        is_open &= ~(first | second)
    return float(wrong.mean())


def test_claims_are_accepted_wrongly_no_more_often_than_promised() -> None:
    """At looks, of wins of one in four, or of somewhat more."""
    for number in (0, 1):
        assert 0.02 < wrongly_accepted(number) <= at_most(0.05)


def test_looking_again_and_again_at_a_fixed_n_interval_instead_is_caught() -> None:
    share = watched([1 - MEANS[0], MEANS[0]], AT, seed=3)[:, :, 1] / np.array(AT)
    off = np.abs(share - MEANS[0]) > 1.96 * np.sqrt(share * (1 - share) / np.array(AT))
    assert off.any(axis=1).mean() > 2 * at_most(0.05)
