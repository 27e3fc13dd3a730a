"""What the metrics and parameters of a run mean, in words."""

from __future__ import annotations

from balance.analysis.summaries import Record
from balance.experiment.metrics import is_share
from balance.game import CHOICE, CounterMeasure, Game, GameMeasure, Measure


def definitions(game: Game) -> dict[str, Record]:
    """The metrics of every game, then the game's own measures."""
    return {**_built_in(game), **{measure.id: _declared(measure) for measure in game.measures}}


def parameters(game: Game) -> dict[str, str]:
    """What each rule says, in a sentence."""
    fields = game.Params.model_fields
    return {name: fields[name].description or "" for name in game.Params.rule_names()}


def _built_in(game: Game) -> dict[str, Record]:
    turns, rounds = f"{game.turn_name}s", f"{game.round_name}s"
    longer = "a longer game"
    found = {
        "turns": (
            "game",
            turns.capitalize(),
            turns,
            f"{turns.capitalize()} of all players together.",
            longer,
        ),
        "rounds": ("game", rounds.capitalize(), rounds, f"{rounds.capitalize()} that were played.", longer),
        "plies": (
            "game",
            "Decisions",
            "decisions",
            "Choices between at least two options.",
            "more to decide",
        ),
        "score": ("seat", "Score", "points", "Points at the end of the game.", "richer play"),
        "win_share": (
            "seat",
            "Share of wins",
            "",
            "The part of all wins; who shares a win has a part of it.",
            "more wins",
        ),
    }
    if any(players > 1 for players in game.players):
        margin = "Points of the first less those of the second: 0 also where a tiebreak decides."
        tie = "Games with more than one winner."
        found["score_margin"] = ("game", "Winning margin", "points", margin, "clearer wins")
        found["tie_rate"] = ("game", "Shared wins", "games", tie, "more ties")
        apart = "The largest difference between any two seats, or teams, in their share of the wins."
        found["seat_spread"] = ("game", "Seat spread", "", apart, "a place at the table that matters more")
    if any(mode.goal for mode in game.modes):
        reached = "Games in which the goal is reached."
        found["goal_rate"] = ("game", "Goal reached", "games", reached, "an easier goal")
    if game.capped_by_rules:
        capped = "Games that the rules end at a cap; they are ranked, and count in every mean."
        found["capped_rate"] = ("game", "Ended at the cap", "games", capped, "games that lead nowhere")
    names = ("kind", "title", "unit", "help", "more")
    plain = {"share": False, "check": False}
    return {
        id: {**dict(zip(names, texts, strict=True)), **plain, "share": is_share(game, id)}
        for id, texts in found.items()
    }


def _declared(measure: Measure) -> Record:
    found: Record = {name: getattr(measure, name) for name in ("kind", "title", "unit", "help", "more")}
    found |= {"share": False, "check": False}
    if isinstance(measure, GameMeasure):
        found |= {"share": measure.share, "check": measure.check}
    if isinstance(measure, CounterMeasure):
        found["items"] = list(measure.items)
        found |= {"faces": list(measure.faces)} if measure.faces != CHOICE else {}
    return found
