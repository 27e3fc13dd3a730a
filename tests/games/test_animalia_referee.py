"""The kernels against the referee, decision by decision: 2,000 games under rules at all their extremes."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest
from naive import animalia as referee

from balance.experiment.replay import Replayer
from balance.game import Policy
from balance.games.animalia import GAME
from balance.games.animalia.layout import COLLECTION_STEP, DECK_MASK
from balance.games.animalia.medals import medals_of
from balance.games.animalia.params import FAMILIES, AnimaliaParams
from balance.games.animalia.trace import NAMES, POWERS, Tracer

from .plays import Moment, Watched
from .rule_sets import extremes, rule_sets

GAMES = 2000
CHUNKS = 20
SEED = 11
RANDOM, GREEDY = GAME.policy("random"), GAME.policy("greedy")
LINE_UPS = ((RANDOM,), (GREEDY,), (RANDOM, GREEDY), (GREEDY, RANDOM, RANDOM))


@dataclass(frozen=True)
class Job:
    """Some games under one set of rules, each with the next of the line-ups."""

    params: AnimaliaParams
    games: int
    seed: int

    def line_up(self, number: int) -> list[Policy]:
        """The policies by slot of a game."""
        repeated = LINE_UPS[number % len(LINE_UPS)] * 6
        return list(repeated[: self.params.players])


def jobs() -> list[Job]:
    """Ten games under each odd set of rules, the others under the official ones."""
    odd = [Job(params, 10, SEED + at) for at, params in enumerate(rule_sets())]
    official = [
        Job(AnimaliaParams.resolve(2 + at % 5), 10, SEED + at) for at in range(GAMES // 10 - len(odd))
    ]
    return odd + official


def test_the_games_cover_every_bound_and_word() -> None:
    played = [job.params for job in jobs()]
    assert sum(job.games for job in jobs()) == GAMES
    assert {params.players for params in played} == {2, 3, 4, 5, 6}
    assert [
        extreme for extreme in extremes() if not any(getattr(p, extreme[0]) == extreme[1] for p in played)
    ] == []
    assert (
        len({name for name, _ in extremes()})
        == len(AnimaliaParams.model_fields) - 1
        == len(referee.resolve(2)) - 1
    )


@pytest.fixture(scope="module")
def watched() -> Watched:
    return Watched(GAME, GAME.policies)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_no_difference_to_the_referee(watched: Watched, chunk: int) -> None:
    texts: list[str] = []
    for job in jobs()[chunk::CHUNKS]:
        for number in range(job.games):
            texts += [json.dumps(event) for event in play_both(watched, job, number)]
    assert referee.check_trace(texts) == []


def play_both(watched: Watched, job: Job, number: int) -> list[dict[str, Any]]:
    """Play one game with the kernels and, with the same decks and choices, with the referee."""
    line_up = job.line_up(number)
    pair = Pair(watched, job, number)
    watched.watch, watched.tracer = pair.at_decision, pair.tracer
    state, _ = watched.play(job.params, line_up, job.seed, number)
    pair.at_end(state)
    events = Replayer(GAME, job.params, line_up, 1).play(job.seed, number).events
    assert events[:-1] == pair.tracer.events
    assert events[-1] == pair.game.events[-1]
    return events


class Pair:
    """The referee's game beside the kernels'."""

    def __init__(self, watched: Watched, job: Job, number: int) -> None:
        self.watched, self.params = watched, job.params
        self.tracer = Tracer(job.params, number, job.seed, [policy.id for policy in job.line_up(number)])
        self._game: referee.Game | None = None

    @property
    def game(self) -> referee.Game:
        """The referee's game; it begins when the kernels have shuffled for the first time."""
        if self._game is None:
            self._game = referee.Game(referee.resolve(**self.params.model_dump()), self.deal)
        return self._game

    def deal(self, season: int, _cards: list[str]) -> list[str]:
        """The deck that the kernels shuffled."""
        shuffles = [event for event in self.tracer.events if event["event"] == "shuffle"]
        return list(shuffles[season - 1]["deck"])

    def catch_up(self) -> None:
        """Let the referee do what was chosen last."""
        if self._game is not None:
            self.game.apply(self.watched.action)

    def at_decision(self, moment: Moment) -> None:
        self.catch_up()
        said = snapshot(moment.state, moment.params, self.params, moment.options)
        due = self.game.snapshot()
        assert said == {name: due[name] for name in said}

    def at_end(self, state: Any) -> None:
        self.catch_up()
        assert self.game.over
        assert state.over == 1
        assert self.tracer.events[1:] == self.game.events[:-1]


def snapshot(state: Any, record: Any, params: AnimaliaParams, options: list[int]) -> dict[str, Any]:
    """The kernels' state in the referee's words: what is always there, then what belongs to the decision."""
    seats, collections = range(params.players), range(params.collections_per_player)
    decision = int(state.decision)
    sizes = [[size_of(state, 2 * seat + which) for which in collections] for seat in seats]
    said = {
        "season": state.round_number + 1,
        "turn": state.turn - (decision >= 8),
        "over": bool(state.over),
        "decision": f"D-{decision}",
        "player": state.seat,
        "options": options,
        "first_dealer": state.first_dealer,
        "dealer": state.dealer,
        "alone": bool(state.alone),
        "deck": [NAMES[state.deck[(state.deck_top + i) & DECK_MASK]] for i in range(state.deck_left)],
        "collections": [
            [
                [NAMES[state.cards[2 * seat + which, i]] for i in range(sizes[seat][which])]
                for which in collections
            ]
            for seat in seats
        ],
        "open_places": [[params.collection_size - size for size in own] for own in sizes],
        "held": [[NAMES[state.hand[seat, i]] for i in range(state.hand_count[seat])] for seat in seats],
        "medals": [
            [medals_of(state.medals[seat], family) for family in range(params.families)] for seat in seats
        ],
        "returns": state.returns,
        "guard_hits": state.guard_hits,
    }
    if decision <= 3:
        said["set"] = [NAMES[state.set_cards[i]] for i in range(state.set_size)]
    elif decision <= 7:
        said |= powers_snapshot(state, decision)
    else:
        said |= phase_3_snapshot(state, params, decision)
    words = [
        sum(record.card_word[state.cards[at, i]] for i in range(size_of(state, at)))
        for at in range(2 * params.players)
    ]
    assert words == [state.word[at] for at in range(2 * params.players)]
    return said


def size_of(state: Any, collection: int) -> int:
    return int(state.word[collection] >> 30 & 15)


def powers_snapshot(state: Any, decision: int) -> dict[str, Any]:
    said = {
        "taker": state.taker,
        "taker_collection": state.taker_collection & 1,
        "pending": [POWERS[state.pending[i]] for i in range(state.pending_count)],
        "resolving": {4: None, 5: "thief", 6: "trickster", 7: "spy"}[decision],
    }
    if decision == 7:
        said["seen"] = [NAMES[state.deck[(state.deck_top + i) & DECK_MASK]] for i in range(state.seen)]
        said["placed"] = [NAMES[state.spied[i]] for i in range(state.placed)]
    return said


def phase_3_snapshot(state: Any, params: AnimaliaParams, decision: int) -> dict[str, Any]:
    seats, collections = range(params.players), range(params.collections_per_player)
    covers = [
        [
            [which, place, NAMES[state.covering[2 * seat + which, place]]]
            for which in collections
            for place in range(COLLECTION_STEP)
            if state.covered_mask[2 * seat + which] >> place & 1
        ]
        for seat in seats
    ]
    decided = [
        [
            seat < state.seat or (seat == state.seat and decision == 9 and which < state.owl_at)
            for which in collections
        ]
        for seat in seats
    ]
    has_owl = [[state.counting[2 * seat + which] >> 15 & 7 for which in collections] for seat in seats]
    return {
        "last_dealer": state.dealer,
        "covers": covers,
        "owl_as": [
            [
                FAMILIES[state.owl_family[2 * seat + which]]
                if decided[seat][which] and has_owl[seat][which]
                else None
                for which in collections
            ]
            for seat in seats
        ],
        "bonus_card": NAMES[state.hand[state.seat, state.hand_at]] if decision == 8 else None,
        "owl_collection": state.owl_at if decision == 9 else None,
    }
