"""How many games a question takes, from pilots: against the published numbers of games, and against doing it."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from experiment.dice_race import GAME

from balance.analysis.metrics import difference
from balance.analysis.plans import ASSUMED, Question, _seen, _Varies, plan, refuse_impossible
from balance.errors import BalanceError
from balance.experiment.events import Outcome
from balance.stats.histogram import Histogram
from balance.stats.paired import paired_difference
from balance.stats.power import blocks_for_difference, multiplicity_price, nothing
from balance.stats.unseen import room

from . import summits
from .played import FAR, IDLE, cells, played
from .test_void import all_void

HEAD_START = (("ahead", (("head_start", 1),)),)


def planned(
    variants: tuple[Any, ...] = (), metric: str = "win_share", detect: float = 0.01, **more: Any
) -> Any:
    return plan(Question(metric, detect, 0.8, 0.95), [timed(played((3,), variants, **more).outcome)])


def timed(outcome: Outcome) -> Outcome:
    return replace(outcome, timing={"games_per_second": 1000, "threads": 2})


def shown(games: int, variants: tuple[Any, ...] = (), metric: str = "win_share") -> Any:
    """What so many games show."""
    (table,) = plan(Question(metric, None, 0.8, 0.95, games), [timed(played((3,), variants).outcome)])[
        "tables"
    ]
    return table


def test_a_share_of_one_third_takes_the_games_of_the_formula() -> None:
    (table,) = planned(games=6000)["tables"]
    exact = blocks_for_difference(0.01, (2 / 9) ** 0.5, 0.95, 0.8)
    assert table["alone"]["fixed"]["games"] == pytest.approx(exact, rel=0.05)
    assert table["alone"]["fixed"]["seconds"] == pytest.approx(table["alone"]["fixed"]["games"] / 1000)
    assert table["alone"]["stopping"]["games"] == pytest.approx(1.9 * exact, rel=0.07)
    assert table["pilot"] == {"games": 6000, "games_per_second": 1000, "threads": 2}


def test_a_change_that_nobody_named_is_assumed_to_correlate() -> None:
    (table,) = planned(games=6000)["tables"]
    (found,) = table["comparisons"]
    assert (found["variant"], found["correlation"], found["worth"]) == (None, ASSUMED, 2)
    same, other = (found[deals]["fixed"] for deals in ("same_deals", "other_deals"))
    assert other["games"] == pytest.approx(2 * table["alone"]["fixed"]["games"], abs=2)
    assert same["games"] == pytest.approx(table["alone"]["fixed"]["games"], rel=0.001)
    assert same["games"] > table["alone"]["fixed"]["games"], (
        "its interval allows for changes that were not seen"
    )
    assert same["seconds"] == pytest.approx(2 * same["games"] / 1000), "both sets of rules are played"


def test_a_change_that_was_named_is_measured() -> None:
    (table,) = planned(HEAD_START, games=6000)["tables"]
    (found,) = table["comparisons"]
    assert (found["variant"], found["changed"]) == ("ahead", True)
    assert 0 < found["correlation"] < 1
    gain = found["other_deals"]["fixed"]["games"] / found["same_deals"]["fixed"]["games"]
    assert gain == pytest.approx(
        found["worth"], rel=0.15
    )  # the worth of one seat, games of the most demanding


def test_what_the_plan_says_can_be_seen_is_seen() -> None:
    """So many games make an interval as wide as the plan needs it to be."""
    run = played((3,), HEAD_START, games=6000)
    baseline, ahead = cells(run)
    moved = difference(GAME, ahead, baseline, "score", None, 0.95)
    (table,) = planned(HEAD_START, "score", 2 * moved.half_width, games=6000)["tables"]
    needed = table["comparisons"][0]["same_deals"]["fixed"]["games"]
    # at 6,000 games the interval is h wide on each side; 2h off it takes (1.96 + 0.84)² / (2 * 1.96)² of them
    assert needed == pytest.approx(6000 * (2.8 / 3.92) ** 2, rel=0.05)


def test_of_seats_the_one_that_varies_most_decides() -> None:
    (table,) = planned(games=1200)["tables"]
    cell = cells(played((3,), ()))[0]
    spreads = [cell.tally.of_blocks(f"win_share_{seat}").sd or 0 for seat in range(3)]
    assert table["seat"] == spreads.index(max(spreads))
    assert table["sd"] == pytest.approx(max(spreads) / 60)
    assert planned(metric="turns", detect=0.5)["tables"][0]["seat"] is None


def test_with_rotation_games_are_whole_blocks() -> None:
    (table,) = planned(policies=("any", "steady"))["tables"]
    assert all(table["alone"][name]["games"] % 3 == 0 for name in ("fixed", "stopping"))


def test_a_run_that_may_stop_looks_first_after_a_thousand_blocks() -> None:
    (table,) = planned(metric="turns", detect=50)["tables"]
    assert table["alone"]["stopping"]["games"] == 1000
    assert table["alone"]["fixed"]["games"] == 30, "means of fewer are not normal"


def test_where_nothing_varies_there_is_nothing_to_plan() -> None:
    (table,) = planned(IDLE[:1])["tables"]
    (found,) = table["comparisons"]
    assert (found["changed"], found["same_deals"], found["correlation"]) == (False, None, 1)
    assert found["worth"] is None, "infinite"


def test_of_what_moved_nothing_the_seat_that_varies_most_is_told() -> None:
    (table,) = planned(IDLE[:1])["tables"]
    (found,) = table["comparisons"]
    assert found["seat"] == table["seat"] != 0
    alone, other = table["alone"]["fixed"]["games"], found["other_deals"]["fixed"]["games"]
    assert other == pytest.approx(2 * alone, abs=2)


def test_many_questions_take_more() -> None:
    one, two = (planned(variants) for variants in ((), FAR + IDLE))
    assert two["questions"] == 3 * one["questions"] == 3 * 9
    assert 1 < one["price"] < two["price"] < 3


@pytest.mark.parametrize("variants", [FAR, (*FAR, *IDLE, ("same", (("idle", 0),)))])
def test_as_many_are_asked_as_the_comparisons_allow_for(variants: tuple[Any, ...]) -> None:
    """At all tables, also those that had no pilot, and of no variant that changes nothing."""
    whole = played((2, 3, 6), variants)
    family = [
        entry
        for one in whole.results["comparisons"]
        if one["same_rules"] is None
        for entry in one["metrics"]
        if entry["family"] == "headline"
    ]
    pilot = timed(played((3,), variants).outcome)
    found = plan(Question("win_share", 0.01, 0.8, 0.95), [pilot], whole.outcome.plan)
    assert found["questions"] == len(family) >= 3 * 9
    assert found["price"] == multiplicity_price(len(family), 0.95, 0.8)
    assert found["left_out"] == []


def test_where_no_variant_differs_nothing_is_asked() -> None:
    found = planned((("same", (("idle", 0),)),))
    assert (found["questions"], found["price"]) == (0, 1)


def test_a_table_without_the_metric_is_named_with_what_to_ask_there() -> None:
    whole = summits.outcome((1, 4), ("alone", "pairs"), games=60).plan
    pilot = timed(summits.outcome((4,), ("pairs",)))
    found = plan(Question("win_share", 0.02, 0.8, 0.95), [pilot], whole)
    assert found["left_out"] == [{"players": 1, "mode": "alone", "usual": "goal_rate"}]
    assert [table["mode"] for table in found["tables"]] == ["pairs"]


def test_what_so_many_games_show_is_what_takes_so_many() -> None:
    """The two questions are each other's reverse, with rotation too."""
    for policies in (("any",), ("any", "steady")):
        (table,) = planned(HEAD_START, policies=policies)["tables"]
        needed = table["comparisons"][0]["same_deals"]
        for how, games in ((how, needed[how]["games"]) for how in ("fixed", "stopping")):
            outcome = timed(played((3,), HEAD_START, policies).outcome)
            (again,) = plan(Question("win_share", None, 0.8, 0.95, games), [outcome])["tables"]
            found = again["comparisons"][0]["same_deals"][how]
            assert found["games"] == games
            assert found["detect"] == pytest.approx(0.01, rel=0.01)
            assert found["detect"] <= 0.01


def test_games_too_few_for_an_interval_show_nothing() -> None:
    table = shown(999, metric="turns")
    assert table["alone"]["fixed"]["detect"] > 0
    assert table["alone"]["stopping"]["detect"] is None, "the first look comes after 1,000 blocks"


def test_games_that_show_only_what_there_cannot_be_show_nothing() -> None:
    few, more = (shown(games)["alone"]["fixed"]["detect"] for games in (29, 30))
    assert few is None
    assert 0 < more < 2 / 3


@pytest.mark.parametrize("variants", [(), FAR])
def test_nor_is_a_change_shown_that_there_cannot_be(variants: tuple[Any, ...]) -> None:
    (cell, *_) = cells(played((3,), variants))
    for games in (2, 13, 30, 34, 55):
        (found,) = shown(games, variants)["comparisons"]
        share = (cell.tally.of_blocks(f"win_share_{found['seat']}").mean or 0) / 60
        for deals in ("same_deals", "other_deals"):
            seen = found[deals]["fixed"]["detect"]
            assert seen is None or 1 / games <= seen <= max(share, 1 - share)
            assert (seen is None) <= (games < 55)
    assert shown(30, variants, "turns")["comparisons"][0]["other_deals"]["fixed"]["detect"] > 0


def test_a_share_cannot_differ_by_less_than_a_game() -> None:
    """Where a change moves few games it varies little, and three of them would show less than one of them is."""
    few, more = (Question("win_share", None, 0.8, 0.95, games) for games in (30, 3000))
    assert _seen(few, _Varies(0.02, 1, 0.6), False) == (30, None)
    assert _seen(few, _Varies(0.02, 1, math.inf, True), False)[1] == pytest.approx(
        0.02 * 2.8 / 30**0.5, rel=0.01
    )
    assert _seen(more, _Varies(0.02, 1, 0.6), False)[1] == pytest.approx(0.02 * 2.8 / 3000**0.5, rel=0.01)
    allowing = _seen(more, _Varies(0.2, 1, 0.6, True, lambda _n: 1.0), False)[1]
    assert allowing == pytest.approx(2.8 * math.sqrt((0.2**2 + 2 / 3000) / 3000), rel=0.01)


def test_what_a_number_of_games_shows_moves_as_large_a_part_of_them() -> None:
    """From a handful of ties in a pilot nobody knows how much ties vary that moved by so much."""
    for of_one, unseen in ((lambda _n: 1.0, lambda _n: 2.0), (nothing, nothing)):
        _, size = _seen(Question("x", None, 0.8, 0.95, 20_000), _Varies(1e-3, 1, 0.6, True, of_one), False)
        assert size is not None
        assert size > 3 * 2.8 * 1e-3 / 20_000**0.5
        needed = blocks_for_difference(size, math.sqrt(size * (1 - size)), 0.95, 0.8, unseen=unseen)
        assert needed == pytest.approx(20_000, abs=2)


def test_no_change_moves_a_share_further_than_there_is_of_it() -> None:
    for variants in ((), HEAD_START):
        with pytest.raises(BalanceError) as refused:
            planned(variants, "tie_rate", detect=0.99)
        assert "With 3 players a change of the rules can move this share by" in refused.value.message
        assert "not 99pp" in refused.value.message


def test_a_difference_that_there_cannot_be_is_refused() -> None:
    where = played((3,), ()).outcome.plan
    with pytest.raises(BalanceError) as refused:
        refuse_impossible(Question("win_share", 0.9, 0.8, 0.95), where)
    assert refused.value.message == (
        "With 3 players a seat can be 66.7 pp off an even share of 33.3 % at most, so --detect takes up to 66.7pp, "
        "not 90pp."
    )
    refuse_impossible(Question("win_share", 0.6, 0.8, 0.95), where)
    refuse_impossible(Question("turns", 9.0, 0.8, 0.95), where)
    refuse_impossible(Question("win_share", 0.9, 0.8, 0.95), played((3,), HEAD_START).outcome.plan)


def test_void_games_plan_nothing() -> None:
    for at, void in ((0, True), (1, False)):
        pilot = timed(all_void(played((3,), FAR), at))
        (table,) = plan(Question("win_share", 0.01, 0.8, 0.95), [pilot])["tables"]
        (found,) = table["comparisons"]
        assert (table["void"], found["void"], found["same_deals"], found["other_deals"]) == (
            void,
            True,
            None,
            None,
        )
        assert (table["alone"] is None) == void


def rarely(changed: int) -> Outcome:
    """A pilot in which so few deals came out otherwise."""
    outcome = timed(played((3,), HEAD_START, games=6000).outcome)
    baseline, ahead = outcome.tallies
    rare = Histogram(np.array([0, 60]), np.array([6000 - changed, changed]))
    columns = ("turns", *(f"win_share_{seat}" for seat in range(3)))
    ahead = replace(ahead, differences={**ahead.differences, **dict.fromkeys(columns, rare)})
    return replace(outcome, tallies=(baseline, ahead))


def test_a_share_that_moves_by_so_much_changes_as_large_a_part_of_the_games() -> None:
    (table,) = plan(Question("win_share", 0.05, 0.8, 0.95), [rarely(2)])["tables"]
    least = blocks_for_difference(0.05, math.sqrt(0.05 * 0.95), 0.95, 0.8, unseen=lambda _n: 2.0)
    assert table["comparisons"][0]["same_deals"]["fixed"]["games"] == least > 100


def test_of_few_changes_nobody_knows_how_much_they_vary() -> None:
    for changed, few in ((29, 29), (30, None)):
        (table,) = plan(Question("turns", 0.5, 0.8, 0.95), [rarely(changed)])["tables"]
        (found,) = table["comparisons"]
        assert found["few"] == few
        assert (found["same_deals"] is None) == (few is not None)


class TestRareChanges:
    """A rule that seldom matters: 4 turns less in one game of 300."""

    CHANCES = (1 / 300, 299 / 300)

    def seen(self, blocks: int) -> float:
        """In which part of the runs so many blocks show the change."""
        changed = np.random.default_rng(4).binomial(blocks, self.CHANCES[0], size=1_000).tolist()
        found = [
            paired_difference(Histogram(np.array([-4, 0]), np.array([k, blocks - k])), 0.95, reach=30.0)
            for k in changed
            if k
        ]
        return sum(one.excludes(0) for one in found) / len(changed)

    def planned(self, unseen: Any) -> int:
        sd = 4 * math.sqrt(self.CHANCES[0] * self.CHANCES[1])
        return _seen(Question("turns", 4 / 300, 0.8, 0.95), _Varies(sd, 1, math.inf, True, unseen), False)[0]

    def test_the_games_that_are_planned_show_them(self) -> None:
        def unseen(blocks: float) -> float:
            return room(blocks, blocks / 300, 4, 30)

        assert 0.75 < self.seen(self.planned(unseen)) < 0.99

    def test_without_what_is_unseen_too_few_would_be_planned(self) -> None:
        assert self.seen(self.planned(nothing)) < 0.4
