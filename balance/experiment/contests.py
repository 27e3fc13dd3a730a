"""Contests: one player of a type at a table of another, so that types of players can be compared.

Where the players of a side win together, one side of a type meets sides of another.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from balance import registry
from balance.errors import BalanceError, listed, nearest
from balance.experiment.decks import cards_of, read_deck
from balance.experiment.models import SCHEMA_VERSION, Experiment, Lineup, PlayerType, Run, default_policy
from balance.experiment.policy_files import types_of
from balance.game import CounterMeasure, Game, Size

FLOOR = "random"
USUAL_PLAYERS = 4


@dataclass(frozen=True)
class Contest:
    """One player, or one side, of a type among those of another type, in every seat equally often."""

    policy: str
    against: str
    experiment: Experiment


@dataclass(frozen=True)
class Table:
    """Where they meet: how many, in which mode, with which cards (None in games without modes, or without decks)."""

    players: int
    mode: str | None = None
    cards: Any = None

    @property
    def size(self) -> Size:
        """As the game knows it."""
        return self.players, self.mode


@dataclass(frozen=True)
class Contests:
    """Types of players of a game at one number of players, among players of each yardstick in `against`.

    `each` leaves out a type among its own kind: there everybody is even. Without yardsticks each type is alone, or
    among its own kind.
    """

    game: Game
    table: Table
    run: Run
    types: Mapping[str, str]
    """What each type does, by name."""
    against: tuple[str, ...]
    each: tuple[Contest, ...]


def contests(
    name: str,
    files: Iterable[Path],
    players: Sequence[int],
    games: int,
    seed: int,
    modes: Sequence[str] = (),
    deck: str | None = None,
) -> Contests:
    """The contests of all types of a game and those in files, each of `games` games.

    They meet at one number of players; at 4, or as near as the game comes, where `players` is empty. At a table for
    one player each type plays alone. `deck` is the folder of another deck than the game's own.
    """
    game, types, own = _known(name, files)
    table = _one_table(game, players, modes, deck)
    if table.players == 1:
        return among_their_own(name, files, [1], games, seed, modes, deck)
    against = tuple(dict.fromkeys([*([FLOOR] if FLOOR in types else []), default_policy(game)]))
    meetings = [(one, other) for one, other in product(types, against) if one != other]
    return _contests(game, name, table, Run(games=games, seed=seed), types, against, own, meetings)


def contests_by_seat(
    name: str,
    files: Iterable[Path],
    players: Sequence[int],
    games: int,
    seed: int,
    modes: Sequence[str] = (),
    deck: str | None = None,
) -> tuple[Contests, ...]:
    """The contests of the usual type and those in files among random players, at each number of players in each mode.

    At all that the game allows where `players` is empty; in the usual modes where `modes` is.
    """
    game, types, own = _known(name, files)
    wanted = {one: types[one] for one in (default_policy(game), *(one.name for one in own)) if one != FLOOR}
    if FLOOR not in types or not wanted:
        raise BalanceError(
            f'{game.title} has no type of player "{FLOOR}" beside another, which --by-seat asks for.'
        )
    run, meetings = Run(games=games, seed=seed), [(one, FLOOR) for one in wanted]
    tables = _tables(game, players, modes, deck, fewest=2)
    return tuple(_contests(game, name, table, run, wanted, (FLOOR,), own, meetings) for table in tables)


def among_their_own(
    name: str,
    files: Iterable[Path],
    players: Sequence[int],
    games: int,
    seed: int,
    modes: Sequence[str] = (),
    deck: str | None = None,
) -> Contests:
    """Each type of a game, and each in files, among its own kind, at one number of players as in `contests`."""
    game, types, own = _known(name, files)
    table = _one_table(game, players, modes, deck)
    return _contests(
        game, name, table, Run(games=games, seed=seed), types, (), own, zip(types, types, strict=True)
    )


def counter_of(game: Game, name: str) -> CounterMeasure:
    """The counter of that name; BalanceError where the game has none such."""
    known = {counter.id: counter for counter in game.measures_of("counter")}
    if not known:
        raise BalanceError(f"{game.title} counts nothing item by item, which --mix asks for.")
    if name not in known:
        raise BalanceError(
            f'{game.title} counts no "{name}" item by item.{nearest(name, known)} It counts: {listed(known)}.'
        )
    found: CounterMeasure = known[name]
    return found


def _known(name: str, files: Iterable[Path]) -> tuple[Game, dict[str, str], tuple[PlayerType, ...]]:
    """The game, what each of its types of players and of those in files does, and the latter."""
    game = registry.load(name)
    own = tuple(types_of(dict.fromkeys(files), game).values())
    return game, {one.id: one.help for one in game.policies} | {one.name: one.help for one in own}, own


def _contests(
    game: Game,
    name: str,
    table: Table,
    wanted: Run,
    types: Mapping[str, str],
    against: tuple[str, ...],
    own: tuple[PlayerType, ...],
    meetings: Iterable[tuple[str, str]],
) -> Contests:
    """In each meeting one side of a type among others, in as many games as bring it into each seat equally often."""
    count, side = table.players, game.sides(table.size)[0]
    run = wanted.model_copy(update={"games": -(-wanted.games // count) * count})
    each = tuple(
        Contest(
            policy,
            other,
            Experiment(
                schema_version=SCHEMA_VERSION,
                game=name,
                title=game.title,
                players=(count,),
                modes=(table.mode,) if table.mode else (),
                cards=table.cards,
                run=run,
                lineup=Lineup(policies=tuple(policy if seat in side else other for seat in range(count))),
                types=own,
            ),
        )
        for policy, other in meetings
    )
    return Contests(game, table, run, types, against, each)


def _one_table(game: Game, players: Sequence[int], modes: Sequence[str], deck: str | None) -> Table:
    """The table of that number of players; that of 4, or as near as the game comes, where none is given."""
    for what, asked in (("at one number of players, not at", players), ("in one mode, not in", modes)):
        if len(asked) > 1:
            raise BalanceError(
                f"Types of players are compared {what} {listed(asked)}.",
                "With --by-seat the usual type is measured at each of them.",
            )
    tables = _tables(game, players, modes, deck)
    return min(tables, key=lambda one: (abs(one.players - USUAL_PLAYERS), one.players))


def _tables(
    game: Game, players: Sequence[int], modes: Sequence[str], deck: str | None, fewest: int = 1
) -> list[Table]:
    """The tables meant, of at least `fewest` players."""
    known = [one.id for one in game.modes]
    for mode in modes:
        if not known:
            raise BalanceError(f"{game.title} has no modes.")
        if mode not in known:
            raise BalanceError(
                f'{game.title} has no mode "{mode}".{nearest(mode, known)} Its modes: {listed(known)}.'
            )
    names = [f'"{mode}"' for mode in modes]
    within = f" in the mode{'s' * (len(modes) > 1)} {listed(names)}" if modes else ""
    what = game.title + within
    possible = sorted({count for count, _ in game.sizes(list(game.players), modes) if count >= fewest})
    if not possible:
        raise BalanceError(f"{what} is for one player; --by-seat needs a table of two or more.")
    wrong = [count for count in players if count not in possible]
    if wrong:
        raise BalanceError(
            f"Types of players of {what} meet at tables of {listed(possible)}, not {listed(wrong)}."
        )
    cards = cards_of(game, read_deck(game, Path(deck))) if deck else None
    return [Table(*size, cards) for size in game.sizes(players, modes) if size[0] >= fewest]
