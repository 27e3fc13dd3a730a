"""The kernels against the referee, decision by decision: 2,000 games at every table, under rules at all extremes."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from naive import kennelmester_game as referee

from balance.errors import RulesError
from balance.games.kennelmester.params import BARGAIN, KennelmesterParams

from .kennel_altered import SHEETS, decks_of
from .kennel_happenings import WANTED, happenings
from .kennel_jobs import GAMES, TABLES, Job, extremes, jobs, reached
from .kennel_pair import Match

CHUNKS, AT_LEAST = 4, 2


def games() -> list[tuple[Job, int]]:
    """All games, shuffled so that every part is a sample of the whole."""
    found = [(job, number) for job in jobs() for number in range(job.games)]
    random.Random(5).shuffle(found)
    return found


# ---------------------------------------------------------------- parameters


def test_the_games_cover_every_bound_word_table_and_deck() -> None:
    assert len(games()) == GAMES
    assert {(job.mode, job.players) for job in jobs()} == set(TABLES)
    assert {job.deck for job in jobs()} > set(SHEETS)
    assert set(extremes()) - set().union(*(reached(job.params()) for job in jobs())) == set()


def test_odd_numbers_of_bargaining_are_played_with_split_prices() -> None:
    official = KennelmesterParams.resolve(2).bargain()
    moved = Counter[str]()
    for params in (job.params() for job in jobs() if job.params().sale_price_rule == "split"):
        moved.update(name for name, value in params.bargain().items() if value != official[name])
    assert set(moved) == set(BARGAIN)


def test_both_know_the_same_parameters() -> None:
    """Names, official values, bounds and words."""
    kind, official, told = KennelmesterParams, KennelmesterParams.resolve(2), {}
    for name in kind.rule_names():
        value = getattr(official, name)
        limits = kind.choices(name) or (None if isinstance(value, bool) else kind.bounds(name))
        told[name] = (list(value) if isinstance(value, tuple) else value, limits)
    for name in BARGAIN:
        assert told.pop(name) == (referee.BARGAIN[name], (-1000.0, 1000.0))
    assert told.pop("litter_probs") == ([], (0.0, 1.0))
    by_referee = {name: (value, limits) for name, value, limits in referee.PARAMETERS}
    assert by_referee.pop("litter_probs") == ([], None)
    assert told == by_referee
    assert {name for name, _ in extremes()} == {*told, *BARGAIN, "litter_probs"}


def test_both_resolve_to_the_same_rules() -> None:
    for job in jobs():
        own = {name: list(value) if isinstance(value, tuple) else value for name, value in job.params()}
        del own["deck"]
        numbers = {name: own.pop(name) for name in BARGAIN}
        given = {name: value for name, value in job.overrides.items() if name not in BARGAIN}
        assert own == referee.resolve(job.players, {**given, "mode": job.mode})
        assert numbers == referee.BARGAIN | {n: v for n, v in job.overrides.items() if n in BARGAIN}


def taken(players: int, overrides: dict[str, Any], mode: str) -> bool:
    """Whether the package takes these rules."""
    try:
        KennelmesterParams.resolve(players, overrides, mode)
    except RulesError:
        return False
    return True


def taken_by_referee(players: int, overrides: dict[str, Any], mode: str) -> bool:
    """Whether the referee takes them, with the placeholder deck."""
    try:
        rules = referee.resolve(players, {**overrides, "mode": mode})
    except referee.RulesError:
        return False
    return referee.deck_faults(rules, decks_of("placeholder")) == []


def test_both_refuse_the_same_rules() -> None:
    """Values at and just beyond every bound, several at a time, whether they clash or not, at any table."""
    chance, answers = random.Random(1), Counter[bool]()
    rules = [extreme for extreme in extremes() if extreme[0] not in BARGAIN]
    for _ in range(4000):
        overrides = {
            name: beyond(list(value) if isinstance(value, tuple) else value, chance)
            for name, value in chance.sample(rules, chance.randint(1, 3))
        }
        mode, players = (
            chance.choice(TABLES)
            if chance.random() < 0.8
            else (chance.choice(TABLES)[0], chance.randint(0, 7))
        )
        if players > 4 and mode == "competitive" and chance.random() < 0.7:
            overrides["off_book_players"] = True
        answer = taken(players, overrides, mode)
        assert answer == taken_by_referee(players, overrides, mode), (players, overrides, mode)
        answers[answer] += 1
    assert min(answers.values()) > 800


def beyond(value: Any, chance: random.Random) -> Any:
    """The same value, one more or one less, another word, or something of another kind."""
    if chance.random() < 0.6:
        return value
    if type(value) is int:
        return chance.choice([value - 1, value + 1, float(value), str(value), value > 0])
    if type(value) is list:
        return chance.choice(
            [value[1:], [*value, 0], [0.5, 0.5], [0.5, 0.4], [-1] * 6, [7] * 6, [2, -1], "12"]
        )
    return chance.choice(["coins", 1, None, [1]])


# ---------------------------------------------------------------- games


@pytest.fixture(scope="module")
def match() -> Match:
    return Match()


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_no_difference_to_the_referee(match: Match, chunk: int) -> None:
    """And in every part of the games all that can happen does."""
    met = Counter[str]()
    for job, number in games()[chunk::CHUNKS]:
        met += happenings(match.play(job, number).tracer.events)
    assert {name: met[name] for name in WANTED if met[name] < AT_LEAST} == {}
