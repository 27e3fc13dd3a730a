"""The kernels against the referee, decision by decision: 2,000 games under rules at all their extremes."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from naive import zooloretto_game as referee

from balance.errors import RulesError
from balance.games.zooloretto.params import SPECIES, ZoolorettoParams

from .zoo import PLAYERS
from .zoo_pair import Job, Match
from .zoo_rule_sets import extremes, listed, reached, rule_sets

GAMES = 2000
EACH = 13
CHUNKS = 12
SEED = 31


def jobs() -> list[Job]:
    """So many games under each odd set of rules, the others under the official ones."""
    odd = [Job(*job, EACH, SEED + at) for at, job in enumerate(rule_sets())]
    left = GAMES - EACH * len(odd)
    return odd + [Job(players, {}, (left + at) // 4, SEED) for at, players in enumerate(PLAYERS)]


# ---------------------------------------------------------------- parameters


def test_the_games_cover_every_bound_and_word() -> None:
    assert sum(job.games for job in jobs()) == GAMES
    played = [job.params for job in jobs()]
    assert {params.players for params in played} == set(PLAYERS)
    assert set(extremes()) - set().union(*map(reached, played)) == set()


def told_by_balance() -> dict[str, Any]:
    """For each parameter what it may be."""
    kind, told = ZoolorettoParams, {}
    for name, field in kind.model_fields.items():
        if field.annotation is bool or name == "removed_species":
            told[name] = None
        else:
            told[name] = kind.choices(name) or kind.bounds(name)
    del told["players"]
    return told


@pytest.mark.parametrize("players", PLAYERS)
def test_both_know_the_same_parameters(players: int) -> None:
    """Names in the same order, bounds and words; defaults for each number of players."""
    told_by_referee = {name: bounds for name, _, bounds in referee.parameters(players)}
    assert list(told_by_balance().items()) == list(told_by_referee.items())
    assert {name for name, _ in extremes()} == set(told_by_referee)


def test_both_resolve_to_the_same_rules() -> None:
    for job in jobs():
        own = {name: list(value) if isinstance(value, tuple) else value for name, value in job.params}
        own["removed_species"].sort(key=SPECIES.index)
        assert own == referee.resolve(job.players, job.overrides)


def accepted(resolve: Any, *job: Any) -> bool:
    try:
        resolve(*job)
    except (RulesError, referee.RulesError):
        return False
    return True


def test_both_refuse_the_same_rules() -> None:
    """Values at and just beyond every bound, several at a time, whether they clash or not."""
    chance, answers = random.Random(1), Counter[bool]()
    for _ in range(3000):
        players = chance.randint(1, 6)
        job = (
            players,
            {
                name: listed(name, beyond(value, chance), chance.randint(2, 6))
                for name, value in chance.sample(extremes(), chance.randint(1, 4))
            },
        )
        answer = accepted(ZoolorettoParams.resolve, *job)
        assert answer == accepted(referee.resolve, *job), job
        answers[answer] += 1
    assert min(answers.values()) > 500


def beyond(value: Any, chance: random.Random) -> Any:
    """The same value, one more or one less, another word, or something of another kind."""
    if chance.random() < 0.5:
        return value
    if type(value) is int:
        return chance.choice([value - 1, value + 1, float(value), str(value), value > 0])
    return chance.choice(["coins", 1, None, ["zebra", "zebra"], ["zebra", "camel"]])


# ---------------------------------------------------------------- games


@pytest.fixture(scope="module")
def match() -> Match:
    return Match()


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_no_difference_to_the_referee(match: Match, chunk: int) -> None:
    for job in jobs()[chunk::CHUNKS]:
        for number in range(job.games):
            match.play(job, number)
