"""What a game says about its modes and its deck."""

from __future__ import annotations

from collections.abc import Iterator

from balance.conformance.extremes import openings
from balance.conformance.violation import Violation
from balance.errors import BalanceError, GameCodeError, listed, so_many_players
from balance.game import Game, Mode


def modes(game: Game) -> Iterator[Violation]:
    """What is wrong with the modes, or with the official rules at some table."""
    known = game.Params.choices("mode") if "mode" in game.Params.model_fields else ()
    ids = tuple(mode.id for mode in game.modes)
    if known != ids:
        sentence = (
            f"The field mode of the parameters knows ({', '.join(known)}), the Game ({', '.join(ids)})."
        )
        yield Violation("modes", sentence)
        return
    for mode in game.modes:
        yield from _mode(game, mode)
    for count in game.players if game.modes else ():
        if game.usual_mode(count) is None:
            yield Violation("modes", f"No mode is for {so_many_players([count])}.")
    yield from _refused(game)


def _mode(game: Game, mode: Mode) -> Iterator[Violation]:
    if not mode.players or not set(mode.players) <= set(game.players):
        within = f"must be among those of the game, not {listed(mode.players)}"
        yield Violation("modes", f"The numbers of players of {mode.id} {within}.")
    for count in mode.players:
        sides = list(mode.sides(count)) if mode.sides else list(range(count))
        sizes = {sides.count(side) for side in sides}
        if len(sides) != count or sorted(set(sides)) != list(range(len(set(sides)))) or len(sizes) != 1:
            wanted = "one number for each seat, from 0 on, each as often"
            yield Violation(
                "modes",
                f"The sides of {mode.id} with {so_many_players([count])} must be {wanted}, not {sides}.",
            )


def _refused(game: Game) -> Iterator[Violation]:
    """Tables without rules; and a usual mode about which parameters and Game disagree."""
    for size in game.all_sizes:
        if game.modes and size in openings(game):
            continue
        where = f"{so_many_players([size[0]])}{f' ({size[1]})' if size[1] else ''}"
        try:
            game.resolve(size)
        except GameCodeError:
            raise
        except BalanceError as error:
            yield Violation("official rules", f"The official rules for {where} are refused: {error.message}")
    for count in sorted({count for count, _ in game.official_sizes} if game.modes else ()):
        usual = game.usual_mode(count)
        if (count, usual) in game.official_sizes:
            found = getattr(game.Params.resolve(count), "mode", None)
            if found != usual:
                where = f"With {so_many_players([count])}"
                sentence = f'{where} the parameters take the mode "{found}" as usual, the Game "{usual}".'
                yield Violation("modes", sentence)


def deck(game: Game) -> Iterator[Violation]:
    """What is wrong with a deck that can be another one."""
    if not game.has_deck:
        return
    if game.read_deck is None:
        yield Violation("decks", "There is a deck, but no read_deck= that reads another one.")
    own = game.own_deck
    if game.deck_of(game.deck_data(own)) != own:
        yield Violation("decks", "The deck is not the same after it was written as JSON and read again.")
    if not isinstance(game.note_on(own), str):
        yield Violation("decks", "deck_note must return a sentence, or nothing as ''.")
