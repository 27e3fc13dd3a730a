"""By which interval a gate judges: for a check one that holds at all its looks, at the level of all gates together."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from balance.analysis.gates import judged
from balance.experiment.models import Gate
from balance.experiment.tally import Tally
from balance.stats.estimate import Estimate
from balance.stats.histogram import Histogram
from balance.stats.independent import independent_difference
from balance.stats.intervals import mean_interval, quantile_interval, share_interval, wilson
from balance.stats.sequential import anytime_mean, anytime_quantile, anytime_share
from balance.stats.spread import sd_interval

from .test_baseline import all_of, saved
from .test_gates import experiment, outcome, verdicts, won

GAMES = 30_000
SEATS = (GAMES * 3 // 10, GAMES * 3 // 10, GAMES * 4 // 10)
TURNS = Histogram(np.array([7, 8, 12]), np.array([9_000, 15_000, 6_000]))
TALLY = replace(all_of(SEATS, 1), blocks={**all_of(SEATS, 1).blocks, "turns": TURNS})
FIRST = TALLY.blocks["win_share_0"]
LEVEL = 1 - 0.05 / 3
"""Three gates that ask one question each share the chance of an error."""
OTHERS = (Gate(metric="score", seat=1, max=5.0), Gate(metric="score", seat=2, max=5.0))

KINDS = {
    "win_share": (
        Gate(metric="win_share", seat=1, max="40%"),
        share_interval(FIRST, LEVEL, 60),
        anytime_share(FIRST, LEVEL, 60, best_at=GAMES),
    ),
    "turns": (
        Gate(metric="turns", max=9.0),
        mean_interval(TURNS, LEVEL),
        anytime_mean(TURNS, LEVEL, best_at=GAMES),
    ),
    "turns.p90": (
        Gate(metric="turns.p90", max=12.0),
        quantile_interval(TURNS, 0.9, LEVEL),
        anytime_quantile(TURNS, 0.9, LEVEL, best_at=GAMES),
    ),
    "turns.sd": (
        Gate(metric="turns.sd", max=3.0),
        sd_interval(TURNS, LEVEL),
        sd_interval(TURNS, LEVEL, best_at=GAMES),
    ),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_check_judges_by_an_interval_for_all_looks(kind: str) -> None:
    gate, fixed, looked = KINDS[kind]
    asked = experiment(gate, *OTHERS, games=GAMES)

    def shown(check: bool) -> object:
        return judged(outcome(asked, TALLY, check=check))[0]["cells"][0]["estimate"]

    assert shown(check=False) == pytest.approx(fixed.as_dict())
    assert shown(check=True) == pytest.approx(looked.as_dict())
    assert looked.low <= fixed.low <= fixed.value <= fixed.high <= looked.high
    assert fixed.method != looked.method or looked.half_width > fixed.half_width


def test_drift_allows_for_the_looks_of_the_run_and_for_all_gates_on_both_sides() -> None:
    gate = Gate(metric="win_share", seat=1, against="file", target=0, band="3pp")
    asked, before = experiment(gate, *OTHERS, games=GAMES), (3_500, 3_400, 3_100)
    then = share_interval(all_of(before, 1).blocks["win_share_0"], LEVEL, 60)

    def found(now: Estimate, check: bool) -> bool:
        gates = judged(outcome(asked, TALLY, check=check), saved(before, scale=1))
        return bool(
            gates[0]["cells"][0]["estimate"] == replace(independent_difference(now, then), n=now.n).as_dict()
        )

    _, fixed, looked = KINDS["win_share"]
    assert found(fixed, check=False)
    assert found(looked, check=True)
    assert not found(fixed, check=True)


def test_two_games_of_one_winner_fail_no_gate() -> None:
    """Half of all even pairs of games have but one winner."""
    assert verdicts(experiment(Gate(metric="seat_spread", max="20pp"), games=2), won(2, 0, 0)) == [
        "inconclusive"
    ]


@pytest.mark.parametrize("check", [True, False])
def test_a_mean_of_games_that_were_all_alike_is_not_certain(check: bool) -> None:
    """What came up in none of so many games may come up in the next; a number that nothing changed is another thing."""
    tally = replace(TALLY, blocks={**TALLY.blocks, "turns": Histogram(np.array([0]), np.array([GAMES]))})
    for limit, expected in ((0, "inconclusive"), (0.01, "pass")):
        asked = experiment(Gate(metric="turns", max=limit), games=GAMES)
        assert verdicts(asked, tally, check=check) == [expected]


class TestAFileOfFewGames:
    BEFORE = (150, 150, 200)

    def asked(self, now: int, reach: str) -> dict[str, Any]:
        gate = Gate(metric="win_share", seat=1, against="file", target=0, band=reach)
        shares = (now * 3 // 10, now * 3 // 10, now * 4 // 10)
        (found,) = judged(
            outcome(experiment(gate, games=now), all_of(shares, 1), check=True), saved(self.BEFORE, scale=1)
        )
        return dict(found["cells"][0])

    def test_no_number_of_games_makes_up_for_it(self) -> None:
        found = self.asked(5_000, "3pp")
        assert (found["verdict"], found["more_games"], found["file_too_small"]) == (
            "inconclusive",
            None,
            True,
        )
        assert (found["file_blocks"], found["estimate"]["n"]) == (500, 5_000)

    def test_how_many_more_games_it_would_take_comes_true(self) -> None:
        found = self.asked(500, "5pp")
        assert (found["verdict"], found["file_too_small"]) == ("inconclusive", False)
        total = 500 + found["more_games"]
        assert self.asked(round(total * 1.1), "5pp")["verdict"] == "pass"
        assert self.asked(round(total * 0.25), "5pp")["verdict"] == "inconclusive"


class TestChangesThatWereNotSeen:
    """A rule that changes one game in three thousand changes none of the first thousand in seven of ten runs."""

    GATE = Gate(metric="no_six", against="baseline", max="0.01pp")

    def judged(self, check: bool, games: int = 1_000) -> dict[str, Any]:
        none = Histogram(np.array([0]), np.array([games]))
        tally = Tally(games, {"turns": none, "no_six": none}, differences={"turns": none, "no_six": none})
        asked = experiment(self.GATE, games=GAMES if check else games, variants={"far": {"goal": 20}})
        return dict(judged(outcome(asked, tally, tally, check=check))[0]["cells"][0])

    @pytest.mark.parametrize("check", [True, False])
    def test_it_does_not_pass(self, check: bool) -> None:
        found = self.judged(check)
        assert found["verdict"] == "inconclusive"
        assert found["estimate"]["high"] > 0.003

    def test_at_all_looks_it_is_wider(self) -> None:
        assert (
            self.judged(check=True)["estimate"]["high"] > 1.5 * self.judged(check=False)["estimate"]["high"]
        )


@pytest.mark.parametrize(("then", "now"), [(100, 1_000), (1_000, 100), (5_000, 5_000)])
def test_what_was_alike_in_the_file_and_now_is_not_certain_on_either_side(then: int, now: int) -> None:
    gate = Gate(metric="rounds", against="file", target=0, band=0.06)
    before, after = ((games // 4, games // 4, games // 2) for games in (then, now))
    (found,) = judged(outcome(experiment(gate, games=now), all_of(after, 1)), saved(before, scale=1))
    estimate = found["cells"][0]["estimate"]
    assert (
        estimate["high"] >= (wilson(0, then, 0.95).high ** 2 + wilson(0, now, 0.95).high ** 2) ** 0.5 * 0.999
    )
    assert found["verdict"] == "pass"


@pytest.mark.parametrize("first", [900, 3_000])
def test_what_never_came_up_needs_as_many_more_games_as_it_says(first: int) -> None:
    """An interval of what was never seen is as short as there are games, not as their root."""

    def asked(games: int) -> dict[str, Any]:
        none = Histogram(np.array([0]), np.array([games]))
        tally = Tally(games, {"turns": none, "no_six": none})
        gate = Gate(metric="no_six", max="0.05pp")
        return dict(judged(outcome(experiment(gate, games=games), tally, check=True))[0]["cells"][0])

    found = asked(first)
    assert found["verdict"] == "inconclusive"
    total = first + found["more_games"]
    assert asked(round(1.05 * total))["verdict"] == "pass"
    assert asked(round(0.9 * total))["verdict"] == "inconclusive"


class TestSoManyMoreGames:
    GATE = Gate(metric="win_share", seat=1, max="41%")

    def decided(self) -> float:
        """How often the games that were told decide the gate, if what was found is the truth."""
        (found,) = judged(outcome(experiment(self.GATE, games=200), won(70, 65, 65)))
        total = 200 + found["cells"][0]["more_games"]
        assert total < 1_000
        wins = np.random.default_rng(5).binomial(total, 0.35, size=1_000).tolist()
        asked = experiment(self.GATE, games=total)
        ended = [verdicts(asked, won(one, 0, total - one)) for one in wins]
        return np.mean([one != ["inconclusive"] for one in ended])

    def test_they_probably_decide_it(self) -> None:
        assert 0.75 < self.decided() < 0.88

    def test_games_that_would_just_do_decide_it_but_half_the_time(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("balance.analysis.forecast.PROBABLY", 0.5)
        assert 0.4 < self.decided() < 0.6


class TestInTheMiddleOfItsLimits(TestSoManyMoreGames):
    """Luck may go against it on either side."""

    GATE = Gate(metric="win_share", seat=1, target="35%", band="6pp")


def test_what_is_rare_is_not_told_to_take_what_its_first_intervals_would() -> None:
    """The room for what was hardly seen is gone when there is more of it."""
    moved = Histogram(np.array([-12, 0]), np.array([4, 996]))
    tally = Tally(1_000, {"turns": TURNS}, differences={"turns": moved}, changed=True)
    gate = Gate(metric="turns", against="baseline", target=0, band=0.1)
    asked = experiment(gate, games=1_000, variants={"far": {"goal": 20}})
    (cell,) = judged(outcome(asked, tally, tally))[0]["cells"]
    assert cell["verdict"] == "inconclusive"
    assert cell["estimate"]["high"] > 0
    assert 500 < cell["more_games"] < 12_000


@pytest.mark.parametrize("now", [200, 1_000])
def test_a_file_is_not_blamed_for_the_luck_of_now(now: int) -> None:
    """What lies a little off by luck may turn out to lie where the file's own interval fits into the limits."""
    gate = Gate(metric="win_share", seat=1, against="file", target=0, band="5.5pp")
    shares = (round(now * 0.33), now // 3, now - now // 3 - round(now * 0.33))
    (found,) = judged(
        outcome(experiment(gate, games=now), all_of(shares, 1), check=True), saved((150, 150, 200), scale=1)
    )
    (cell,) = found["cells"]
    assert cell["verdict"] == "inconclusive"
    assert not cell["file_too_small"]


@pytest.mark.parametrize(("below", "limit"), [(0.55, 8.5), (0.45, 8.5)])
def test_a_quantile_gate_is_probably_decided_too(below: float, limit: float) -> None:
    """A quantile of whole numbers often lies at an end of its interval: that is no certainty."""
    gate = Gate(metric="turns.p50", max=limit)

    def asked(low: int, games: int) -> dict[str, Any]:
        turns = Histogram(np.array([8, 9]), np.array([low, games - low]))
        tally = replace(TALLY, played=games, blocks={**TALLY.blocks, "turns": turns})
        return dict(judged(outcome(experiment(gate, games=games), tally))[0]["cells"][0])

    found = asked(round(200 * below), 200)
    assert found["verdict"] == "inconclusive"
    total = 200 + found["more_games"]
    low = np.random.default_rng(6).binomial(total, below, size=400).tolist()
    assert np.mean([asked(one, total)["verdict"] != "inconclusive" for one in low]) > 0.72


def test_an_interrupted_check_is_not_told_to_play_one_more_game() -> None:
    gate = Gate(metric="win_share", seat=1, max="38.9%")
    (found,) = judged(outcome(experiment(gate, games=10_000), won(345, 325, 330), check=True, complete=False))
    (cell,) = found["cells"]
    assert cell["verdict"] == "inconclusive"
    assert cell["more_games"] >= 100


def test_a_number_of_games_below_the_second_look_is_not_passed_over() -> None:
    """From 1,000 blocks on a check looks again and again, and needs more of them."""
    gate = Gate(metric="win_share", seat=1, max="54.52%")
    (found,) = judged(outcome(experiment(gate, games=400), won(200, 100, 100), check=True))
    assert found["cells"][0]["more_games"] <= 600
