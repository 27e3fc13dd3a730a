"""The parameters of Pig: the numbers and switches of the rules, each with its official value and its range."""

from __future__ import annotations

from pydantic import Field

from balance.game import Fault, GameParams

MOST_POINTS = 200
"""The highest target; a turn has at most so many rolls, as each adds a point or ends it."""
MOST_ROUNDS = 200


class PigParams(GameParams):
    """What can be changed about Pig."""

    players: int = Field(ge=2, le=6, description="Number of players.")
    target: int = Field(100, ge=10, le=MOST_POINTS, description="Points that win the game.")
    sides: int = Field(6, ge=2, le=20, description="Sides of the die, numbered from 1.")
    losing_face: int = Field(1, ge=1, le=6, description="The face that ends a turn without its points.")
    bust_costs_all: bool = Field(
        False, description="Whether the losing face also takes the points of all earlier turns."
    )
    head_start: int = Field(
        0, ge=0, le=20, description="Points at the start for each player who sits before one in turn order."
    )
    most_rounds: int = Field(
        MOST_ROUNDS, ge=1, le=MOST_ROUNDS, description="Rounds after which the most points win."
    )

    def components(self) -> dict[str, int]:
        """The one die."""
        return {f"die of {self.sides} sides": 1}

    def impossible(self) -> list[Fault]:
        """P-2, P-4: a losing face that the die does not have, or a player who has won before the first roll."""
        faults = []
        if self.losing_face > self.sides:
            sentence = f'"losing_face" must be from 1 to {self.sides}, the sides of the die.'
            faults.append(Fault(("losing_face",), sentence))
        start = (self.players - 1) * self.head_start
        if start >= self.target:
            sentence = f'"head_start" gives the last player {start} points, so the target of {self.target} is reached.'
            faults.append(Fault(("head_start",), sentence))
        return faults
