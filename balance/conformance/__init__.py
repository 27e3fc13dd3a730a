"""The kit for any game: what must be true of it before its numbers mean anything, checked by playing it.

First come the facts that a game declares about itself. Then games are played in plain Python, every decision
watched, by the official rules and with each parameter at its extremes. Last, compiled games must equal them to
the last bit. What is wrong at one of these stages is reported before the next one begins.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from balance.conformance.extremes import extreme_rules
from balance.conformance.facts import facts
from balance.conformance.fast import compiled
from balance.conformance.reads import unread, unstable, worked_out
from balance.conformance.violation import Violation
from balance.conformance.watch import Watch
from balance.engine.faults import PlayError, failing, said
from balance.game import Game

__all__ = ["Examined", "Violation", "check", "examine"]
_MOST_OF_A_RULE = 5


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
    found = list(dict.fromkeys(_guarded(facts(game))))
    found = found or list(dict.fromkeys(_guarded(_played(game, games, done))))
    done.violations = [one for at, one in enumerate(found) if _before(found, at) < _MOST_OF_A_RULE]
    return done


def _guarded(stage: Iterator[Violation]) -> Iterator[Violation]:
    """A stage of the check, in which Python code of the game's own may fail."""
    try:
        yield from stage
    except PlayError as error:
        yield Violation("policies" if error.game is not None else "runs", error.message)
    except Exception as error:
        yield Violation("runs", f"{failing(error)} failed with {said(error)}.")


def _before(found: list[Violation], at: int) -> int:
    """How many violations of the same rule come before this one."""
    return sum(other.rule == found[at].rule for other in found[:at])


def _played(game: Game, games: int, done: Examined) -> Iterator[Violation]:
    chance = random.Random(1)
    rule_sets, found = [game.Params.resolve(players) for players in game.players], []
    for (name, value), params in extreme_rules(game, chance):
        if params is None and game.Params.is_list(name):
            continue  # its items may have to differ, or to fit other parameters
        if params is None:
            sentence = f'"{name}" can never be {value}: no number of players allows it.'
            found.append(Violation("parameters", sentence))
        else:
            rule_sets.append(params)
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
