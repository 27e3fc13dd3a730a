"""Gates judged on tallies that are known, and in simulated experiments with fixed seeds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from experiment.dice_race import race
from stats.simulated import REPLICATIONS, at_most, three_errors, watched

from balance.analysis.gates import UntilDecided, judged, record, verdict
from balance.analysis.narrowest import best_at
from balance.analysis.questions import Question, questions
from balance.engine.playout import VOID
from balance.experiment.events import Outcome
from balance.experiment.gates import stopping
from balance.experiment.models import Experiment, Gate, Variant
from balance.experiment.plan import Plan
from balance.experiment.tally import Tally
from balance.stats.histogram import Histogram
from balance.stats.joint import Joint
from balance.stats.power import blocks_for_difference
from balance.stats.sequential import looks


def of_values(**counts: int) -> Histogram:
    """A histogram: `of_values(v3=10)` has ten threes, `of_values(m1=2)` two times -1."""
    pairs = sorted((int(name[1:]) * (-1 if name[0] == "m" else 1), n) for name, n in counts.items() if n)
    return Histogram(np.array([value for value, _ in pairs]), np.array([n for _, n in pairs]))


def experiment(
    *gates: Gate, games: int = 20_000, players: tuple[int, ...] = (3,), **facts: Any
) -> Experiment:
    return race(players=players, games=games, **facts).model_copy(update={"gates": gates})


def won(*counts: int) -> Tally:
    """So many games won by each seat, each by one alone."""
    n, seats = sum(counts), range(len(counts))
    products = tuple(tuple(3600 * counts[a] if a == b else 0 for b in seats) for a in seats)
    joint = Joint(n, tuple(60 * count for count in counts), products)
    shares = {f"win_share_{seat}": of_values(v0=n - counts[seat], v60=counts[seat]) for seat in seats}
    return Tally(n, {"turns": of_values(v9=n), **shares}, wins=joint)


def outcome(asked: Experiment, *tallies: Tally, complete: bool = True, check: bool = False) -> Outcome:
    plan = Plan(asked, stopping=stopping(asked) if check else None)
    return Outcome(plan, tallies, complete, {})


def verdicts(asked: Experiment, *tallies: Tally, **how: bool) -> list[str]:
    return [gate["verdict"] for gate in judged(outcome(asked, *tallies, **how))]


SPREAD = Gate(metric="seat_spread", max="3pp")

# ---------------------------------------------------------------------- three values, and none


@pytest.mark.parametrize(
    ("counts", "found"),
    [
        ((100_000, 100_000, 100_000), "pass"),
        ((110_000, 100_000, 90_000), "fail"),
        ((102_000, 100_000, 98_000), "pass"),
        ((350, 330, 320), "inconclusive"),
        ((50_900, 50_000, 49_100), "pass"),
        ((52_300, 50_000, 47_700), "inconclusive"),  # 3.07 points
    ],
)
def test_a_gate_passes_inside_fails_outside_and_else_is_open(counts: tuple[int, ...], found: str) -> None:
    assert verdicts(experiment(SPREAD, games=sum(counts)), won(*counts)) == [found]


def test_no_data_is_never_a_pass() -> None:
    loose = [
        Gate(metric="seat_spread", max=1),
        Gate(metric="turns", max=10**9),
        Gate(metric="win_share", seat=1, min=0, max=1),
        Gate(metric="score.p90", min=-1000),
    ]
    asked = experiment(*loose)
    assert verdicts(asked, Tally()) == ["no data"] * 4
    found = record(outcome(asked, Tally()))
    assert found["verdict"] == "no data"
    assert found["gates"][0]["cells"][0]["estimate"]["value"] is None


def test_a_seat_and_limits_of_both_sides() -> None:
    gates = [
        Gate(metric="win_share", seat=2, min="32%", max="35%"),
        Gate(metric="win_share", seat=2, target="1%", band="0.5pp"),
        Gate(metric="win_share", seat=1, min="40%"),
        Gate(metric="turns", target=9, band=0),
        Gate(metric="turns", target=8, band=0.5),
    ]
    counts = (100_000, 100_000, 100_000)
    assert verdicts(experiment(*gates, games=300_000), won(*counts)) == [
        "pass",
        "fail",
        "fail",
        "inconclusive",
        "fail",
    ]


def test_against_the_baseline_the_difference_is_judged() -> None:
    moved = {"turns": of_values(m1=900, v0=98_000, v1=1100)}  # on average +0.002
    gates = [
        Gate(metric="turns", against="baseline", target=0, band=0.01),
        Gate(metric="turns", against="baseline", max=0.001),
        Gate(metric="turns", against="baseline", min=0.1),
    ]
    asked = experiment(*gates, games=100_000, variants={"far": {"goal": 20}})
    changed = Tally(100_000, {"turns": of_values(v9=100_000)}, differences=moved, changed=True)
    assert verdicts(asked, Tally(), changed) == ["pass", "inconclusive", "fail"]
    same = replace(changed, differences={"turns": of_values(v0=100_000)}, changed=False)
    (found, *_) = judged(outcome(asked, Tally(), same))
    assert found["against"] == "baseline"
    told = found["cells"][0]["estimate"]
    assert (told["value"], told["n"], told["method"]) == (0.0, 100_000, "unseen"), "a change may be rare"
    assert 0 < told["high"] == -told["low"] < 1e-4
    alike = asked.model_copy(update={"variants": (Variant(name="far", rules={"goal": 12}),)})
    (found, *_) = judged(outcome(alike, Tally(), same))
    told = found["cells"][0]["estimate"]
    assert (told["low"], told["high"], told["method"]) == (0.0, 0.0, "all equal"), "the rules are the same"


def test_a_gate_is_as_good_as_its_worst_cell() -> None:
    fair, unfair, short = won(*[50_000] * 3), won(60_000, 50_000, 40_000), won(40, 30, 30)
    variants = {"far": {"goal": 20}, "near": {"goal": 6}}
    asked = experiment(SPREAD, games=150_000, variants=variants)
    for tallies, found in [
        ((fair, fair, fair), "pass"),
        ((fair, short, fair), "inconclusive"),
        ((fair, short, Tally()), "no data"),
        ((fair, short, unfair), "fail"),
    ]:
        assert verdicts(asked, *tallies) == [found]
    alone = experiment(SPREAD.model_copy(update={"variants": ("far",)}), games=150_000, variants=variants)
    assert verdicts(alone, unfair, fair, unfair) == ["pass"]


def test_the_widest_pair_is_shown_whichever_seat_is_ahead() -> None:
    (gate,) = judged(outcome(experiment(SPREAD, games=300_000), won(90_000, 100_000, 110_000)))
    (cell,) = gate["cells"]
    assert cell["pair"] == [0, 2]
    assert "teams" not in cell
    assert cell["estimate"]["value"] == pytest.approx(1 / 15)
    assert 0 < cell["estimate"]["low"] < cell["estimate"]["value"] < cell["estimate"]["high"]


@pytest.mark.parametrize("counts", [(350, 330, 320), (100_000, 100_000, 100_000), (110_000, 100_000, 90_000)])
@pytest.mark.parametrize("check", [False, True])
def test_the_interval_of_a_spread_begins_at_0_and_is_the_one_that_decides(
    counts: tuple[int, ...], check: bool
) -> None:
    (found,) = judged(outcome(experiment(SPREAD, games=sum(counts)), won(*counts), check=check))
    (cell,) = found["cells"]
    value, low, high = (cell["estimate"][end] for end in ("value", "low", "high"))
    assert 0 <= low <= value < high
    assert cell["verdict"] == ("pass" if high <= 0.03 else "fail" if low > 0.03 else "inconclusive")
    assert value == pytest.approx((max(counts) - min(counts)) / sum(counts))


def test_a_gate_whose_limits_leave_no_room_can_never_pass() -> None:
    tally = Tally(
        20_000,
        {
            "turns": of_values(v8=10_000, v9=10_000),
            "tie_rate": of_values(v0=20_000),
            "score": of_values(v1=9),
        },
    )
    gates = (
        Gate(metric="tie_rate", max=0),
        Gate(metric="tie_rate", max="1%"),
        Gate(metric="tie_rate", min=1),
        Gate(metric="turns", target=8.5, band=0),
        Gate(metric="turns", target=8.5, band=0.001),
    )
    found = judged(outcome(experiment(*gates), tally))
    told = [(gate["verdict"], gate["cells"][0]["never_passes"]) for gate in found]
    assert told == [
        ("inconclusive", True),
        ("pass", False),
        ("fail", False),
        ("inconclusive", True),
        ("inconclusive", False),
    ]
    assert [gate["cells"][0]["more_games"] is None for gate in found] == [True, False, False, True, False]
    even = won(100, 100, 100)
    (spread,) = judged(outcome(experiment(Gate(metric="seat_spread", max=0)), even))
    assert spread["cells"][0]["never_passes"]


def test_where_all_games_are_void_the_gate_knows_it() -> None:
    nothing = Tally(50, {"ended": Histogram(np.array([VOID]), np.array([50]))})
    (found,) = judged(outcome(experiment(SPREAD), nothing))
    (cell,) = found["cells"]
    assert (cell["verdict"], cell["games"], cell["void"]) == ("no data", 50, 50)
    assert "baseline_void" not in cell
    changes = Gate(metric="turns", against="baseline", max=1)
    asked = experiment(changes, variants={"far": {"goal": 20}})
    (found,) = judged(outcome(asked, nothing, won(20, 20, 10)))
    (cell,) = found["cells"]
    assert (cell["verdict"], cell["void"], cell["baseline_void"]) == ("no data", 0, 50)


def test_the_tables_that_a_gate_leaves_out_are_known() -> None:
    gates = (
        Gate(metric="score", seat=3, max=9),
        Gate(metric="score", seat=3, max=9, players=(3,)),
        Gate(metric="turns", max=9),
    )
    found = judged(outcome(experiment(*gates, players=(2, 3)), Tally(), Tally()))
    assert [gate["left_out"] for gate in found] == [[{"players": 2, "mode": None}], [], []]


# ---------------------------------------------------------------------- all together


def gate(found: str, level: str = "error") -> dict[str, str]:
    return {"verdict": found, "level": level}


@pytest.mark.parametrize(
    ("gates", "found"),
    [
        ([], "no data"),
        ([gate("pass"), gate("pass")], "pass"),
        ([gate("pass"), gate("inconclusive")], "inconclusive"),
        ([gate("no data"), gate("inconclusive"), gate("pass")], "no data"),
        ([gate("no data"), gate("fail"), gate("inconclusive")], "fail"),
        ([gate("pass"), gate("fail", "warn"), gate("inconclusive", "warn")], "pass"),
        ([gate("fail", "warn")], "pass"),
        ([gate("no data", "warn")], "no data"),
    ],
)
def test_the_verdict_is_that_of_the_worst_gate_that_can_fail(gates: list[Any], found: str) -> None:
    assert verdict(gates) == found


def test_all_intervals_hold_together() -> None:
    """Two gates at two numbers of players with a variant are eight questions, of which each has an eighth of 5 %."""
    gates = (SPREAD, Gate(metric="turns", max=3))
    asked = experiment(*gates, players=(2, 3), variants={"far": {"goal": 20}})
    found = questions(Plan(asked))
    assert len(found) == 8
    assert {round(1 - one.confidence, 12) for one in found} == {round(0.05 / 8, 12)}


def test_the_intervals_hold_at_all_looks_unless_the_number_of_games_was_fixed() -> None:
    asked, tally = experiment(SPREAD, games=300_000), won(100_000, 100_000, 100_000)

    def method(**how: bool) -> str:
        (found,) = judged(outcome(asked, tally, **how))
        return str(found["cells"][0]["estimate"]["method"])

    assert method() == "t"
    assert method(check=True) == "normal mixture"
    assert method(complete=False) == "normal mixture"  # nobody fixed beforehand when it would be interrupted
    single = experiment(SPREAD, games=1000)
    (found,) = judged(outcome(single, won(340, 330, 330), check=True))
    assert found["cells"][0]["estimate"]["method"] == "t"  # there is but one look


def test_how_many_more_games_it_would_take_comes_true() -> None:
    counts = (3_400, 3_333, 3_267)
    asked = experiment(SPREAD, games=10_000)
    (found,) = judged(outcome(asked, won(*counts), check=True))
    (cell,) = found["cells"]
    assert cell["verdict"] == "inconclusive"
    total = 10_000 + cell["more_games"]
    for factor, after in ((1.02, "pass"), (0.25, "inconclusive")):
        more = [round(count * factor * total / 10_000) for count in counts]
        assert verdicts(experiment(SPREAD, games=sum(more)), won(*more), check=True) == [after]


def test_on_the_edge_nobody_knows_how_many() -> None:
    gate_on_it = Gate(metric="win_share", seat=1, max=0.5)
    (found,) = judged(outcome(experiment(gate_on_it, players=(2,)), won(10_000, 10_000), check=True))
    assert found["cells"][0]["more_games"] is None


# ---------------------------------------------------------------------- when play ends


def ends(asked: Experiment, *tallies: Tally) -> bool:
    rule = UntilDecided(asked)
    plan = Plan(asked, stopping=rule.identity)
    return rule.decided(plan, plan.groups[0], tallies)


def test_play_ends_when_every_gate_is_decided() -> None:
    asked = experiment(SPREAD, Gate(metric="turns", max=10), games=1_000_000)
    assert ends(asked, won(*[100_000] * 3))
    assert not ends(asked, won(*[400] * 3))
    assert not ends(asked, Tally(300_000, {"turns": of_values(v9=300_000)}))  # one has no data
    assert ends(experiment(games=1_000_000), won(400, 400, 400)), (
        "what no gate asks about ends at the first look"
    )


def test_a_gate_that_fails_in_one_cell_waits_for_no_other() -> None:
    asked = experiment(SPREAD, games=1_000_000, variants={"far": {"goal": 20}})
    assert ends(asked, won(400, 400, 400), won(20_000, 10_000, 10_000))
    assert not ends(asked, won(400, 400, 400), won(*[100_000] * 3))


def test_the_rule_knows_all_that_it_decides_by() -> None:
    plain = UntilDecided(experiment(SPREAD)).identity
    for key, value in {"max": "4pp", "players": (3,), "variants": ("baseline",)}.items():
        assert UntilDecided(experiment(SPREAD.model_copy(update={key: value}))).identity != plain
    for key in ("why", "level"):  # these change no game
        assert UntilDecided(experiment(SPREAD.model_copy(update={key: "warn"}))).identity == plain


# ---------------------------------------------------------------------- simulated

DRIFT = Gate(metric="turns", against="baseline", target=0, band=0)
GATES, BUDGET = 40, 12_000
NO_EFFECT = np.array([0.1, 0.8, 0.1])
"""Chances of a block to differ by -1, 0 or 1: identical on average."""


def drift_question(check: bool) -> tuple[Plan, Question]:
    asked = experiment(*[DRIFT] * GATES, games=BUDGET, variants={"far": {"goal": 20}})
    plan = Plan(asked, stopping=stopping(asked) if check else None)
    found = questions(plan)
    assert len(found) == GATES
    return plan, found[0]


@pytest.fixture(scope="module")
def drifting() -> np.ndarray[Any, Any]:
    """How often a block differed by -1, 0 or 1, by [replication and gate, look]: of the gate that moved most."""
    counts = watched(NO_EFFECT, looks(BUDGET), seed=3, replications=REPLICATIONS * GATES)
    counts = counts.reshape(REPLICATIONS, GATES, -1, 3)
    moved = np.abs(counts[..., 2] - counts[..., 0]) / np.sqrt(counts[..., 2] + counts[..., 0])
    worst = np.argmax(moved, axis=1)[:, None, :, None]
    return np.take_along_axis(counts, worst, axis=1)[:, 0]


def failing(drifting: np.ndarray[Any, Any], check: bool) -> float:
    """In which part of the runs any of 40 gates fails at any look."""
    plan, question = drift_question(check)

    def fails(counts: np.ndarray[Any, Any]) -> bool:
        low, same, high = map(int, counts)
        if abs(high - low) < 2.5 * (high + low) ** 0.5:  # nowhere near
            return False
        blocks = Histogram(np.array([-1, 0, 1]), counts)
        tally = Tally(low + same + high, differences={"turns": blocks}, changed=True)
        (estimate,) = question.estimates(plan, {0: Tally(), 1: tally}, best_at(plan, question.cell))
        return question.band.judge(estimate) == "outside"

    return float(np.mean([any(map(fails, run)) for run in drifting]))


def test_forty_gates_without_width_on_identical_rules_hardly_ever_fail(
    drifting: np.ndarray[Any, Any],
) -> None:
    assert failing(drifting, check=True) <= at_most(0.05)


def test_intervals_for_one_look_would_fail_too_often(drifting: np.ndarray[Any, Any]) -> None:
    """The mistake that a check must not make: to look again and again with the intervals of a fixed number."""
    assert failing(drifting, check=False) > 2 * at_most(0.05)


EVEN, UNEVEN = (0.25, 0.25, 0.25, 0.25), (0.26, 0.25, 0.25, 0.24)
HALF_POINT = Gate(metric="seat_spread", max="1pp")


def seats_fail(chances: tuple[float, ...], games: int, seed: int) -> float:
    """In which part of the runs the gate fails, at the last look."""
    asked = experiment(HALF_POINT, games=games, players=(4,))
    plan = Plan(asked, stopping=stopping(asked))
    (question,) = questions(plan)
    looked = best_at(plan, question.cell)
    wins = np.random.default_rng(seed).multinomial(games, chances, size=REPLICATIONS)
    found = [
        question.band.judge_all(question.estimates(plan, {0: won(*counts)}, looked))
        for counts in wins.tolist()
    ]
    return found.count("outside") / REPLICATIONS


def test_a_planted_effect_of_two_points_fails_its_gate() -> None:
    """With the games that the plan of it asks for at least four of five times; even seats hardly ever."""
    games = blocks_for_difference(0.01, 0.5**0.5, 1 - 0.05 / 6, 0.8, anytime=True)
    assert seats_fail(UNEVEN, games, seed=5) >= 0.8 - three_errors(0.8)
    assert seats_fail(EVEN, games, seed=6) <= at_most(0.05)
