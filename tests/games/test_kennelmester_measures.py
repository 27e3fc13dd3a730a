"""What Kennelmester counts, against the trace of the same games."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from balance.engine import playout
from balance.engine.plain import blank, plain_kernel, plain_params
from balance.engine.records import row_dtype
from balance.game import SHARE_UNIT
from balance.games.kennelmester import GAME, layout, measures
from balance.games.kennelmester.deck import EVENT_TYPES
from balance.games.kennelmester.layout import CURVE_ROUNDS, GENERATIONS
from balance.games.kennelmester.params import MOST_PUPS
from balance.games.kennelmester.trace import Tracer

from .kennels import RICH, SIZES, VARIED
from .plays import Moment, Watched

KINDS = {"coin": 0, "buy": 3, "sell": 3, "mate": 4, "birth": 5, "enter": 6}
DEALS = ("sale", "stud", "hire")
RULES = {**RICH, "round_cap": 14, "stud_deal": "ask", "upkeep_divisor": 2}


class Played:
    """One game: its trace, its row of measures and the win shares."""

    def __init__(self, size: tuple[int, str], overrides: dict[str, Any], number: int) -> None:
        self.params = GAME.resolve(size, overrides)
        self.seats = range(size[0])
        watched = Watched(GAME, [VARIED])
        tracer = Tracer(self.params, number, 3, ["varied"] * size[0])
        watched.tracer, watched.watch = tracer, self.watch
        self.offered: Counter[int] = Counter()
        self.last = (-1, -1)
        state, _ = watched.play(self.params, [VARIED] * size[0], 3, number)
        record = plain_params(GAME, self.params)
        ranking: dict[tuple[int, int], int] = {}
        plain_kernel(playout.rank_seats, watched.bind)(state, record, ranking)
        self.shares = {seat: ranking[2, seat] for seat in self.seats}
        self.row = blank(row_dtype(GAME))
        plain_kernel(GAME.measure)(state, record, self.shares, self.row)
        faces = ("score", "rank", "win_share")
        tracer.finish(
            state,
            {f"{face}_{seat}": ranking[at, seat] for at, face in enumerate(faces) for seat in self.seats},
        )
        self.events = tracer.events

    def watch(self, moment: Moment) -> None:
        """Count what is offered whenever a regular action is chosen."""
        if moment.state.decision == layout.D2_ACTION:
            kinds = [0, 0, 1, 1, 2, 2, 3, 3, 3, 4, 5, 6]
            self.offered.update({kinds[code >> layout.KIND_AT] for code in moment.options})

    def lines(self, name: str, **fields: Any) -> list[dict[str, Any]]:
        """The lines of a kind with these fields."""
        return [
            line
            for line in self.events
            if line["event"] == name and all(line[field] == value for field, value in fields.items())
        ]

    def weighted(self, counts: dict[int, int]) -> int:
        """What the winner held: a seat's number times its part of the win."""
        return sum(self.shares[seat] * number for seat, number in counts.items())


@pytest.fixture(scope="module", params=range(len(SIZES)), ids=[f"{n}-{mode}" for n, mode in SIZES])
def game(request: pytest.FixtureRequest) -> Played:
    return Played(SIZES[request.param], RULES, request.param)


def test_actions(game: Played) -> None:
    used = {seat: Counter[int]() for seat in game.seats}
    for line in game.events:
        if "n" in line and line["event"] not in ("refuse",):
            kind = KINDS.get(line["event"], 2 if line.get("deck") == "customers" else 1)
            if line["n"] > 0 and not line.get("free", False):
                used[line["player"]][kind] += 1
    for kind in range(7):
        assert game.row.actions[kind, 0] == game.offered[kind]
        assert game.row.actions[kind, 1] == sum(used[seat][kind] for seat in game.seats)
        assert game.row.actions[kind, 2] == game.weighted({seat: used[seat][kind] for seat in game.seats})


def test_deals(game: Played) -> None:
    sides = game.params.sides()
    made: Counter[str] = Counter()
    parts = {seat: Counter[str]() for seat in game.seats}

    def deal(kind: str, *between: int) -> None:
        if sides[between[0]] != sides[between[1]]:
            made[kind] += 1
            for seat in between:
                parts[seat][kind] += 1

    for line in game.lines("sell", to="player"):
        deal("sale", line["player"], line["buyer"])
    for line in game.lines("mate"):
        deal("stud", line["player"], line["father_owner"])
    for line in game.lines("enter"):
        for entry in line["entries"]:
            deal("hire", line["player"], line["player"] if entry["preparer"] is None else entry["preparer"])
    for at, kind in enumerate(DEALS):
        assert game.row.deals[at, 0] == made[kind] + len(game.lines("refuse", deal=kind))
        assert game.row.deals[at, 1] == made[kind]
        assert game.row.deals[at, 2] == game.weighted({seat: parts[seat][kind] for seat in game.seats})


def test_litters_and_generations(game: Played) -> None:
    births = game.lines("birth")
    sizes = Counter(line["litter"] for line in births)
    assert [game.row.litters[size, 1] for size in range(MOST_PUPS + 1)] == [
        sizes[size] for size in range(MOST_PUPS + 1)
    ]
    assert {game.row.litters[size, 0] for size in range(MOST_PUPS + 1)} == {len(births)}
    generation: Counter[str] = Counter()
    due: Counter[int] = Counter()
    parents: dict[str, str] = {}
    for line in game.events:
        if line["event"] == "mate":
            parents[line["mother"]] = line["father"]
            generation[f"of {line['mother']}"] = 1 + max(
                generation[line["mother"]], generation[line["father"]]
            )
        elif line["event"] == "birth":
            for pup in line["pups"]:
                generation[pup] = generation[f"of {line['mother']}"]
                due[min(generation[pup], GENERATIONS)] += 1
        elif line["event"] in ("sell", "release") and line.get("to") != "player":
            generation[line["dog"]] = 0
    assert [game.row.generations[at, 0] for at in range(GENERATIONS)] == [
        due[at + 1] for at in range(GENERATIONS)
    ]
    bred = [sum(len(line["pups"]) for line in game.lines("birth", player=seat)) for seat in game.seats]
    assert [game.row.bred[seat] for seat in game.seats] == bred


def test_dice_of_pups(game: Played) -> None:
    printed = {dog.id: dog.traits for dog in game.params.deck.dogs}
    dice = 0
    for line in game.lines("birth"):
        dice += sum(sum(printed[pup]) + sum(line["inherited"].values()) for pup in line["pups"])
    assert sum(game.row.generations[at, 1] for at in range(GENERATIONS)) == dice


def test_events(game: Played) -> None:
    types = {event.id: event.type for event in game.params.deck.events}
    entered, won = Counter[tuple[int, int]](), Counter[tuple[int, int]]()
    for line in game.lines("enter"):
        entered[line["player"], types[line["card"]]] += len(line["entries"])
    for line in game.lines("compete"):
        if line["winner"]:
            won[line["winner"]["player"], types[line["card"]]] += 1
    for kind in range(len(EVENT_TYPES)):
        assert game.row.events[kind, 0] == sum(entered[seat, kind] for seat in game.seats)
        assert game.row.events[kind, 1] == sum(won[seat, kind] for seat in game.seats)
    for seat in game.seats:
        assert game.row.entered[seat] == sum(entered[seat, kind] for kind in range(3))
        assert game.row.won[seat] == sum(won[seat, kind] for kind in range(3))
    assert game.row.unwon_events == len(game.lines("compete", winner=None))


def test_trades_and_upkeep(game: Played) -> None:
    for seat in game.seats:
        sold = game.lines("sell", player=seat)
        bought = [*game.lines("buy", player=seat), *game.lines("sell", to="player", buyer=seat)]
        assert (game.row.sold[seat], game.row.bought[seat]) == (len(sold), len(bought))
        assert game.row.reputation_customers[seat] == sum(line["reputation"] for line in sold)
        upkeep = game.lines("upkeep", player=seat)
        assert game.row.upkeep_paid[seat] == sum(line["paid"] for line in upkeep)
        assert game.row.upkeep_waived[seat] == sum(line["waived"] for line in upkeep)


def test_curves_and_the_end(game: Played) -> None:
    sides, ends = game.params.sides(), game.lines("round_end")
    for number, line in enumerate(ends):
        for seat in game.seats:
            partners = [other for other in game.seats if sides[other] == sides[seat]]
            assert game.row.standing[number, seat] == sum(line["reputation"][other] for other in partners)
            assert game.row.purse[number, seat] == line["coins"][sides[seat]]
    assert game.row.standing[len(ends), 0] == 0 or len(ends) == CURVE_ROUNDS
    result = game.events[-1]
    reasons = {"target": "by_target", "events_exhausted": "by_events", "round_cap": "by_cap"}
    assert {name: getattr(game.row, name) for name in reasons.values()} == {
        name: int(result["reason"] == reason) for reason, name in reasons.items()
    }
    assert sum(game.shares.values()) in (0, SHARE_UNIT)
    for seat in game.seats:
        total = game.row.reputation_customers[seat] + game.row.reputation_events[seat]
        assert total == result["reputation"][seat]


def test_items_that_the_rules_leave_out_are_not_missed() -> None:
    alone = GAME.resolve((1, "solo"), {"birth_costs_action": False})
    assert measures.absent_deals(alone) == measures.DEALS
    assert measures.absent_actions(alone) == ("birth",)
    several = GAME.resolve((3, "competitive"), {"stud_deal": "off", "litter_probs": [0.5, 0.0, 0.5]})
    assert measures.absent_deals(several) == ("stud male",)
    assert measures.absent_litters(several) == ("1 pup", "3 pups", "4 pups", "5 pups", "6 pups")
    assert measures.absent_litters(alone) == ("4 pups", "5 pups", "6 pups")
    assert measures.absent_events(alone) == ()
