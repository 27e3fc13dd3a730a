"""The metrics that there are, by name, before a game is played; `analysis.metrics` says what was found of each."""

from __future__ import annotations

from balance.game import Game, Size

SPREAD = "seat_spread"
SHARES = ("win_share", "tie_rate", "goal_rate", "capped_rate")
"""The built-in metrics that are parts of a whole."""
LENGTHS = ("turns", "rounds", "plies")
QUANTILES = {"p10": 0.1, "p50": 0.5, "p90": 0.9}
STATISTICS = ("sd", *QUANTILES)
"""What may stand behind the name of a metric that is no share."""


def names(game: Game, size: Size) -> tuple[str, ...]:
    """The metrics at a table of this size."""
    mode = game.mode(size[1])
    several, goal = len(game.sides(size)) > 1, bool(mode and mode.goal)
    measures = [measure.id for measure in (*game.measures_of("game"), *game.measures_of("seat"))]
    return (
        *(("win_share", SPREAD) if several else ()),
        "score",
        *LENGTHS,
        *outcomes(game, several, goal),
        *measures,
    )


def outcomes(game: Game, several: bool, goal: bool) -> tuple[str, ...]:
    """What says how a game came out for the whole table: of `several` sides, or with a `goal`."""
    return (
        *(("goal_rate",) if goal else ()),
        *(("tie_rate", "score_margin") if several else ()),
        *(("capped_rate",) if game.capped_by_rules else ()),
    )


def by_seat(game: Game) -> tuple[str, ...]:
    """The metrics that each seat has; without a seat they are the mean over all of them, but for `win_share`."""
    return ("win_share", "score", *(measure.id for measure in game.measures_of("seat")))


def is_share(game: Game, metric: str) -> bool:
    """Whether a metric is a part of a whole, from 0 to 1."""
    return metric in (*SHARES, SPREAD) or any(
        measure.id == metric and measure.share for measure in game.measures_of("game")
    )
