"""The kit for any game: what must be true of it before its numbers mean anything, checked by playing it.

First come the facts that a game declares about itself. Then games are played in plain Python, every decision
watched, by the official rules and with each parameter at its extremes. Last, compiled games must equal them to
the last bit. What is wrong at one of these stages is reported before the next one begins.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from balance.conformance.code import written
from balance.conformance.extremes import extreme_rules, openings
from balance.conformance.facts import facts
from balance.conformance.fast import compiled, rule_of
from balance.conformance.reads import unread, unstable, worked_out
from balance.conformance.violation import Violation
from balance.conformance.watch import Watch
from balance.engine.faults import failing, said
from balance.errors import BalanceError
from balance.game import Game

__all__ = ["Examined", "Violation", "check", "examine"]
_MOST_OF_A_RULE = 5
_NUMBERS = re.compile(r" \[[^\]]* players?\b.*\]$|-?\d+(, -?\d+)*")
"""What may differ between two violations of one kind: numbers, and which game by which rules."""


@dataclass
class Examined:
    """What a check has come to: how many sets of rules were played and watched, what was compiled, what is wrong."""

    watched: int = 0
    compiled: bool = False
    violations: list[Violation] = field(default_factory=list)


def check(game: Game, games: int = 200) -> list[Violation]:
    """What is wrong with a game; nothing, where the list is empty.

    `games` are played compiled for each number of players, beside those that are watched.
    """
    return examine(game, games).violations


def examine(game: Game, games: int = 200) -> Examined:
    """The check, and how far it came."""
    done = Examined()
    found = summed_up(_guarded(facts(game)))
    found = found or summed_up(_guarded(written(game)))
    found = found or summed_up(_guarded(_played(game, games, done)))
    done.violations = [one for at, one in enumerate(found) if _before(found, at) < _MOST_OF_A_RULE]
    return done


def summed_up(found: Iterable[Violation]) -> list[Violation]:
    """The first of those that differ only in their numbers and in the game that showed them, and how many follow."""
    kinds: dict[tuple[str, str], list[Violation]] = {}
    for one in dict.fromkeys(found):
        kinds.setdefault((one.rule, _NUMBERS.sub("", one.sentence)), []).append(one)
    more = {1: "", 2: " (and one more like it)"}
    return [
        replace(first, sentence=first.sentence + more.get(len(rest) + 1, f" (and {len(rest)} more like it)"))
        for first, *rest in kinds.values()
    ]


def _guarded(stage: Iterator[Violation]) -> Iterator[Violation]:
    """A stage of the check, in which Python code of the game's own may fail."""
    try:
        yield from stage
    except BalanceError as error:
        yield Violation(rule_of(error), error.message)
    except Exception as error:
        yield Violation("runs", f"{failing(error)} failed with {said(error)}.")


def _before(found: list[Violation], at: int) -> int:
    """How many violations of the same rule come before this one."""
    return sum(other.rule == found[at].rule for other in found[:at])


def _played(game: Game, games: int, done: Examined) -> Iterator[Violation]:
    chance = random.Random(1)
    extreme, impossible = extreme_rules(game, chance)
    rule_sets = [*(game.resolve(size, opened) for size, opened in openings(game).items()), *extreme]
    found = [
        Violation("parameters", f'"{name}" can never be {value}: no number of players allows it.')
        for name, value in impossible
        # the items of a list may have to differ, or to fit other parameters; and another deck may allow more
        if not (game.Params.is_list(name) or game.has_deck)
    ]
    tables, read = worked_out(game, rule_sets)
    found += list(unstable(game, tables)) or list(unread(game, tables[0], read))
    if found:
        yield from found
        return
    watch = Watch(game, chance)
    rows = [watch.play(params, number) for number, params in enumerate(rule_sets)]
    done.watched = len(rows)
    found = watch.found or list(watch.unwritten())
    done.compiled = not found
    yield from found or compiled(game, rule_sets, rows, games)
