"""Every measure, worked out again from traces."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from balance.engine.playing import Loop, columns, sums_layout
from balance.experiment.replay import Replayer
from balance.game import COUNTER_FACES, MAX_SEATS, SHARE_UNIT, CounterMeasure, Policy
from balance.games.animalia import GAME
from balance.games.animalia.params import FAMILIES, KINDS, AnimaliaParams
from balance.games.animalia.rules import SUPPLY
from balance.games.animalia.trace import POWERS

from .conftest import Play
from .rule_sets import rule_sets

Events = list[dict[str, Any]]
RANDOM, GREEDY = GAME.policy("random"), GAME.policy("greedy")
TABLES = [AnimaliaParams.resolve(players) for players in range(2, 7)] + rule_sets()[::4]


def kind(card: str) -> str:
    """The member, or the owl."""
    return card.split("_")[-1].split("#")[0]


class Told:
    """What a trace says about one game."""

    def __init__(self, events: Events) -> None:
        self.events = events
        self.rules, self.result = events[0]["rules"], events[-1]
        self.seats = range(events[0]["players"])

    def lines(self, event: str) -> Events:
        """All lines of one event."""
        return [line for line in self.events if line["event"] == event]

    def per_seat(self, amounts: list[tuple[int, int]]) -> list[int]:
        """Sums by seat of (seat, amount)."""
        return [sum(amount for seat, amount in amounts if seat == own) for own in self.seats]

    # ---------------------------------------------------------------- numbers of the game

    def game_measures(self) -> dict[str, int]:
        """One number for each measure of the game."""
        families = [
            sum(own[family] for own in self.result["medals"]) for family in range(self.rules["families"])
        ]
        draws = [draw for line in self.lines("elegance") for draw in line["draws"]]
        return {
            "guard_hits": len([line for line in self.lines("power") if line["reason"] == "cap"]),
            "deck_returns": len(
                [line for line in self.lines("power") if line.get("destination") == "deck_bottom"]
            ),
            "lone_turns": len([line for line in self.lines("take") if line["reason"] == "alone"]),
            "bonus_not_drawn": sum(draw["entitled"] - len(draw["cards"]) for draw in draws),
            "most_of_a_kind": max(families),
            "medals_over_supply": int(max(families) > SUPPLY),
            "fives_over_supply": int(sum(self.result["excellence"]) > SUPPLY),
        }

    def seat_measures(self) -> dict[str, list[int]]:
        """A number by seat for each measure of a seat."""
        elegance = self.lines("elegance")
        draws = [draw for line in elegance for draw in line["draws"]]
        thefts = [line for line in self.lines("power") if line["used"] and line["kind"] == "thief"]
        return {
            "medals": [sum(own) for own in self.result["medals"]],
            "prizes": self.result["excellence"],
            "bonus_cards": self.per_seat([(draw["player"], len(draw["cards"])) for draw in draws]),
            "covers": self.per_seat([(line["player"], 1) for line in self.lines("cover")]),
            "robbed": self.per_seat([(line["victim"], 1) for line in thefts]),
            "elegance": [sum(sum(line["points"][seat]) for line in elegance) for seat in self.seats],
        }

    # ---------------------------------------------------------------- curves and counters

    def standing(self) -> list[list[int]]:
        """Points by season and seat."""
        return [[self.points(own) for own in line["medals"]] for line in self.lines("season_end")]

    def points(self, medals: list[int]) -> int:
        """A-39, A-40."""
        prizes = sum(number // self.rules["excellence_group_size"] for number in medals)
        return int(sum(medals) * self.rules["medal_points"] + prizes * self.rules["excellence_points"])

    def shares(self) -> list[int]:
        """Each seat's part of the win, in sixtieths."""
        return [round(share * SHARE_UNIT) for share in self.result["win_shares"]]

    def cards(self) -> dict[str, Counter[str]]:
        """By kind: offered to a player, taken, and held by the winner at a season's end (in sixtieths)."""
        offered: Counter[str] = Counter()
        taken: Counter[str] = Counter()
        asked, offer = 0, []
        for line in self.events:
            if line["event"] == "reveal":
                offered.update(asked * [kind(card) for card in offer])
                asked, offer = 0, line["set"]
            elif line["event"] == "pass" and not line["forced"]:
                asked += 1
            elif line["event"] == "take":
                asked += line["reason"] in ("choice", "alone")
                offered.update(asked * [kind(card) for card in offer])
                taken.update(kind(card) for card in line["cards"])
                asked, offer = 0, []
        held: Counter[str] = Counter()
        for line in self.lines("medals"):
            held.update(self.shares()[line["player"]] * [kind(card) for card in line["cards"]])
        return {"offered": offered, "taken": taken, "held_by_winner": held}

    def powers(self) -> dict[str, Counter[str]]:
        """By kind: activated, used, and used by the winner (in sixtieths)."""
        lines = self.lines("power")
        used = [line for line in lines if line["used"]]
        winners: Counter[str] = Counter()
        for line in used:
            winners[line["kind"]] += self.shares()[line["player"]]
        return {
            "offered": Counter(line["kind"] for line in lines),
            "taken": Counter(line["kind"] for line in used),
            "held_by_winner": winners,
        }


@pytest.mark.parametrize("case", range(len(TABLES)))
def test_measures_are_what_traces_say(loop: Loop, play: Play, case: int) -> None:
    params = TABLES[case]
    who: list[Policy] = [(RANDOM, GREEDY)[(case + seat) % 2] for seat in range(params.players)]
    games, names = 6, columns(GAME, params.players)
    replayer = Replayer(GAME, params, who, 1)
    totals = np.zeros((games, loop.new_sums().shape[1]), np.int64)
    for number in range(games):
        told = Told(replayer.play(case, number).events)
        sums = loop.new_sums()
        row = dict(
            zip(names, play(params, who, 1, seed=case, first=number, sums=sums)[:, 0].tolist(), strict=True)
        )
        assert {measure.id: row[measure.id] for measure in GAME.measures_of("game")} == told.game_measures()
        seats = {
            measure.id: [row[f"{measure.id}_{seat}"] for seat in told.seats]
            for measure in GAME.measures_of("seat")
        }
        assert seats == told.seat_measures()
        assert row["turns"] == len(told.lines("take"))
        assert row["rounds"] == len(told.lines("season_end"))
        assert [row[f"win_share_{seat}"] for seat in told.seats] == told.shares()
        check_curves_and_counters(told, sums[0])
        totals[number] = sums[0]
    check_sums(loop, play, params, who, totals, case)


def check_curves_and_counters(told: Told, values: np.ndarray) -> None:
    """The values of one game, as they lie in the sums."""
    layout = sums_layout(GAME)
    start, shape = layout["standing"]
    standing = values[start : start + int(np.prod(shape))].reshape(shape)
    due = np.zeros(shape, np.int64)
    for season, points in enumerate(told.standing()):
        due[season, : len(points)] = points
    assert np.array_equal(standing, due)
    assert shape[1] == MAX_SEATS
    for name, counted, items in (("cards", told.cards(), KINDS), ("powers", told.powers(), POWERS)):
        start, shape = layout[name]
        counter = values[start : start + int(np.prod(shape))].reshape(shape)
        assert counter.tolist() == [[counted[face][item] for face in COUNTER_FACES] for item in items]


def check_sums(
    loop: Loop, play: Play, params: AnimaliaParams, who: list[Policy], totals: np.ndarray, case: int
) -> None:
    """Sums over several games: values, squares, and products with the value before."""
    sums = loop.new_sums()
    play(params, who, len(totals), seed=case, sums=sums)
    assert np.array_equal(sums[0], totals.sum(axis=0))
    assert np.array_equal(sums[1], (totals**2).sum(axis=0))
    assert np.array_equal(sums[2][1:], (totals[:, 1:] * totals[:, :-1]).sum(axis=0))


def test_every_measure_is_worked_out_above() -> None:
    told = Told(Replayer(GAME, TABLES[0], [RANDOM] * 2, 1).play(1, 1).events)
    worked_out = {*told.game_measures(), *told.seat_measures(), "standing", "cards", "powers"}
    assert worked_out == {measure.id for measure in GAME.measures}
    counters: dict[str, CounterMeasure] = {measure.id: measure for measure in GAME.measures_of("counter")}
    assert (counters["cards"].items, counters["powers"].items) == (KINDS, POWERS)
    assert len(FAMILIES) == 5
