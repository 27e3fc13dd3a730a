"""What a build can prove about itself: known random numbers, exact known chances, and games that are known."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from balance import registry
from balance.engine.kernels import jit_is_off
from balance.engine.known_draws import KNOWN, drawn
from balance.engine.playing import Buffers, Loop, Table, columns, sums_layout
from balance.errors import BalanceError, one_line
from balance.experiment.proof import MOST_GAMES, SEED, digest_of_game
from balance.game import SHARE_UNIT, Game, Size

PIG_GAMES = 1_000_000
PIG_SHARES = {2: (0.53469833, 0.46530167), 4: (0.28951450, 0.26093033, 0.23582778, 0.21372739)}
"""The exact chances of each seat where all hold at 20, by the number of players (Neller and Presser for two)."""
PIG_TURN, PIG_TURN_SD = 8.141795, 10.539037
"""The exact mean and standard deviation of the points of a turn that holds at 20."""
_ALLOWED = 4.42
"""Standard errors: right rules go further astray once in 100,000 times."""
_IN_PLAIN_PYTHON = 3
"""Games with the fewest and the most players that are played in plain Python as well."""


@dataclass(frozen=True)
class Check:
    """One thing that was looked at: what, what was found, and where that is wrong a sentence."""

    what: str
    found: str
    fault: str = ""
    compared: bool = True
    """Whether it could be compared with anything."""


def checks() -> Iterator[Check]:
    """All checks, each as soon as it is done."""
    if jit_is_off():
        sentence = "NUMBA_DISABLE_JIT is set, so nothing is compiled and there is nothing to test."
        raise BalanceError(sentence, "Take it out of the environment.")
    for way, in_plain_python in (("compiled", False), ("in plain Python", True)):
        yield _random_numbers(way, drawn(in_plain_python=in_plain_python))
    for name in registry.names():
        try:
            yield from _of_game(name)
        except BalanceError as error:
            yield Check(name, "cannot be played", error.message)
        except Exception as error:
            yield Check(name, "cannot be played", f'The game "{name}" cannot be played: {one_line(error)}.')


def _random_numbers(way: str, found: tuple[int, ...]) -> Check:
    wrong = [at for at, (known, number) in enumerate(zip(KNOWN, found, strict=True)) if known != number]
    fault = ""
    if wrong:
        at = wrong[0]
        right = f"number {at + 1} is {KNOWN[at]:#x}, not {found[at]:#x}"
        fault = f"Random numbers are drawn wrongly ({way}): {right}."
    return Check(f"random numbers, {way}", f"{len(KNOWN) - len(wrong)} of {len(KNOWN)} as known", fault)


def _of_game(name: str) -> Iterator[Check]:
    game = registry.load(name)
    loop = Loop(game, game.policies, game.resolve(game.official_sizes[0]))
    loop.compile()
    if game.id == "pig":
        yield from _exact_chances(game, loop)
    yield _declared(game, loop)
    yield _in_plain_python(game, loop)


# ---------------------------------------------------------------- exact chances


def _exact_chances(game: Game, loop: Loop) -> Iterator[Check]:
    """Pig against what is known exactly."""
    for players, exact in PIG_SHARES.items():
        table = Table(game, game.Params.resolve(players), (game.policy("hold-at-20"),) * players, 1)
        sums = loop.new_sums()
        rows = loop.play(table, SEED, 0, PIG_GAMES, Buffers(game), sums)
        named = dict(zip(columns(game, players), rows, strict=True))
        shares = [float(named[f"win_share_{seat}"].mean()) / SHARE_UNIT for seat in range(players)]
        yield _shares(exact, shares)
        if players == 2:
            yield _first_turn(int(sums[0, sums_layout(game)["standing"][0]]) / PIG_GAMES)


def _shares(exact: tuple[float, ...], found: list[float]) -> Check:
    """The seat that is furthest from its exact chance, counted in standard errors."""
    errors = [math.sqrt(chance * (1 - chance) / PIG_GAMES) for chance in exact]
    far = [abs(share - chance) / error for share, chance, error in zip(found, exact, errors, strict=True)]
    seat = far.index(max(far))
    players, allowed = len(exact), f"{100 * _ALLOWED * errors[seat]:.2f}"
    told = f"seat {seat + 1} wins {100 * found[seat]:.2f} %, exact {100 * exact[seat]:.2f} ± {allowed}"
    fault = ""
    if far[seat] > _ALLOWED:
        fault = (
            f"Pig is not played as it should be: with {players} players {told.replace(', exact', '; right is')}"
            f" in {PIG_GAMES:,} games."
        )
    return Check(f"Pig, wins, {players} players", told, fault)


def _first_turn(found: float) -> Check:
    allowed = _ALLOWED * PIG_TURN_SD / math.sqrt(PIG_GAMES)
    told = f"{found:.3f} points, exact {PIG_TURN:.3f} ± {allowed:.3f}"
    fault = ""
    if abs(found - PIG_TURN) > allowed:
        fault = (
            f"Pig is not played as it should be: a first turn brings {told.replace(', exact', '; right is')}."
        )
    return Check("Pig, first turn", told, fault)


# ---------------------------------------------------------------- known games


def _declared(game: Game, loop: Loop) -> Check:
    """The digest of its games beside the one that the game declares."""
    what = f"{game.title}, {MOST_GAMES:,} games"
    if not game.games_digest:
        return Check(what, "the game declares no digest", compared=False)
    found = digest_of_game(game, loop)
    if found == game.games_digest:
        return Check(what, f"digest {found[:12]}, as declared")
    fault = f"{game.title} is not played as it was: expected the digest {game.games_digest}, got {found}."
    return Check(what, f"digest {found[:12]}, not as declared", fault)


def _in_plain_python(game: Game, loop: Loop) -> Check:
    """A few games of all policies, compiled and in plain Python."""
    slow = Loop(game, game.policies, game.resolve(game.official_sizes[0]))
    slow.interpret()
    sizes = list(dict.fromkeys((game.official_sizes[0], game.official_sizes[-1])))
    fault = next(filter(None, (_difference(game, size, loop, slow) for size in sizes)), "")
    found = f"{_IN_PLAIN_PYTHON * len(sizes)} games {'differ from' if fault else 'equal'} the compiled ones"
    return Check(f"{game.title}, in plain Python", found, fault)


def _difference(game: Game, size: Size, loop: Loop, slow: Loop) -> str:
    """The first column, or a sum, in which compiled games differ; '' where none does."""
    players = size[0]
    policies = tuple(game.policies[seat % len(game.policies)] for seat in range(players))
    table = Table(game, game.resolve(size), policies, 1)
    (fast_rows, fast_sums), (slow_rows, slow_sums) = (_played(one, table) for one in (loop, slow))
    wrong = [name for at, name in enumerate(columns(game, players)) if (fast_rows[at] != slow_rows[at]).any()]
    if not np.array_equal(fast_sums, slow_sums):
        wrong.append("a curve or counter")
    if not wrong:
        return ""
    return (
        f"{game.title} is compiled wrongly: with {players} players {wrong[0]} is not what plain Python says."
    )


def _played(loop: Loop, table: Table) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    sums = loop.new_sums()
    return loop.play(table, SEED, 0, _IN_PLAIN_PYTHON, Buffers(table.game), sums), sums
