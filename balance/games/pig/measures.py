"""What Pig counts: one example of each kind of measure."""

from balance.game import CounterMeasure, CurveMeasure, GameMeasure, Measure, SeatMeasure
from balance.games.pig.rules import CHOICES, SHOWN_ROUNDS

MEASURES: tuple[Measure, ...] = (
    GameMeasure("busts", "Turns lost", "turns", "Turns ended by the losing face.", "a die that decides more"),
    GameMeasure(
        "out_of_rounds",
        "Out of rounds",
        "games",
        "Games that ended before anybody reached the target, because the rounds were used up.",
        "a target too far away",
        share=True,
    ),
    SeatMeasure("best_turn", "Best turn", "points", "The most points kept from one turn.", "bolder turns"),
    CurveMeasure(
        "standing",
        "Points",
        "points",
        f"Points kept by the end of each of the first {SHOWN_ROUNDS} rounds.",
        "a player who is ahead",
        rounds=SHOWN_ROUNDS,
    ),
    CounterMeasure(
        "choices",
        "Choices",
        "choices",
        "Offered: a player could hold or roll again. Taken: chosen. Held by the winner: chosen by the winner.",
        "a choice made more often",
        items=CHOICES,
    ),
)
