"""One seat of an experiment's baseline that may not choose something: what is that worth to it?"""

from __future__ import annotations

from balance import registry
from balance.engine.banned import NOBODY, Ban
from balance.errors import BalanceError, listed, nearest
from balance.experiment.config import cells
from balance.experiment.models import BASELINE, LONGEST_NAME, LONGEST_TITLE, Experiment, Restriction, Variant
from balance.experiment.wording import printable, shown
from balance.game import Bans, Game


def restricted(experiment: Experiment, name: str, seat: int) -> Experiment:
    """The experiment in which its only variant is the baseline with seat number `seat`, from 1, restricted.

    Its own variants are left aside, and gates that are about variants; the others judge the free game alone, as nobody
    means a restricted seat to be even. BalanceError for a name that the game or its
    rules do not have, and for a seat that some table does not have.
    """
    game = registry.load(experiment.game)
    bans = _bans_of(game)
    if name not in bans.names:
        known = f"There are: {', '.join(bans.names)}."
        raise BalanceError(
            f"{game.title} has nothing called {shown(name)} to ban.{nearest(name, bans.names)}", known
        )
    gates = tuple(gate.model_copy(update={"variants": (BASELINE,)}) for gate in experiment.gates_of_baseline)
    alone = experiment.model_copy(update={"variants": (), "gates": gates})
    _look_at_tables(alone, game, name, seat)
    called = f"seat {seat} without {name}"[:LONGEST_NAME]
    title = f"{experiment.title}: {called}"[:LONGEST_TITLE]
    variants = (Variant(name=called),)
    return alone.model_copy(
        update={"variants": variants, "title": title, "ban": Restriction(name=name, seat=seat)}
    )


def _bans_of(game: Game) -> Bans:
    if game.bans is None:
        raise BalanceError(f"{game.title} does not say what can be banned, so --ban cannot be used with it.")
    return game.bans


def _look_at_tables(experiment: Experiment, game: Game, name: str, seat: int) -> None:
    """Whether the seat and what it may not choose are there at every table."""
    absent = _bans_of(game).absent
    for cell in cells(experiment, game):
        where = f"{cell.players} player{'s' if cell.players > 1 else ''}" + (
            f" ({cell.mode})" if cell.mode else ""
        )
        if seat > cell.players:
            seats = f"seats {listed(range(1, cell.players + 1))}" if cell.players > 1 else "seat 1"
            choose = "Name the numbers of players with --players."
            raise BalanceError(f"With {where} there is no seat {seat}, only {seats}.", choose)
        if absent and name in absent(cell.rules):
            raise BalanceError(
                printable(
                    f'With {where} the rules leave "{name}" out of the game, so there is nothing to ban.'
                )
            )


def ban_of(game: Game, restriction: Restriction | None) -> Ban:
    """The ban as the loop needs it; that of nobody where there is none."""
    if restriction is None:
        return NOBODY
    return Ban(restriction.seat - 1, _bans_of(game).mask(restriction.name))
