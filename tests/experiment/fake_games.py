"""Two small games that exist only as data: what the experiment layer knows of a game needs no rules."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from pydantic import Field

from balance.errors import Fault
from balance.game import Bounds, Game, GameParams, Policy


class MarketParams(GameParams):
    players: int = Field(ge=2, le=5, description="Number of players.")
    hand_size: int = Field(5, ge=1, le=10, description="Cards in a hand.")
    deck_size: int = Field(30, ge=10, le=60, description="Cards in the deck.")
    swaps: int = Field(1, ge=0, le=3, description="Swaps\nin a turn.")
    tie_break: Literal["none", "oldest_card"] = Field("none", description="What breaks a tie.")
    open_market: bool = Field(True, description="Whether the market is open to all.")

    @classmethod
    def for_players(cls, players: int) -> dict[str, object]:
        return {"swaps": 2 if players == 2 else 1}

    def impossible(self) -> list[Fault]:
        faults = []
        cards = self.players * self.hand_size
        if cards > self.deck_size:
            sentence = f"{self.players} players draw {cards} cards, but the deck holds {self.deck_size}."
            faults.append(Fault(("hand_size",), sentence))
        if self.players > 3 and self.tie_break == "oldest_card" and self.swaps == 0:
            faults.append(Fault(("tie_break",), "Without swaps nobody knows the oldest card."))
        return faults


class SoloParams(GameParams):
    players: int = Field(ge=1, le=1, description="Number of players.")
    goal: Literal["ten"] = Field("ten", description="The goal.")


def _nothing(*_: Any) -> int:
    return 0


def policy(name: str) -> Policy:
    return Policy(name, name.title(), f"Plays like {name}.", _nothing)


def game(**facts: Any) -> Game:
    names = ("setup", "legal_actions", "apply_action", "score", "tiebreak", "measure", "determinize")
    kernels: dict[str, Any] = dict.fromkeys(names, _nothing)
    return Game(
        rules_version=1,
        state_dtype=np.dtype([("over", np.int64)]),
        bounds=Bounds(actions=1, rounds=1, turns=1, steps=1, plies=1),
        measures=(),
        round_name="round",
        turn_name="turn",
        summary="A game.",
        **kernels,
        **facts,
    )


MARKET = game(
    id="market",
    title="Market Day",
    players=range(2, 6),
    Params=MarketParams,
    policies=(policy("random"), policy("greedy"), policy("miser")),
)
SOLO = game(
    id="solo", title='Só\\lo "犬"', players=range(1, 2), Params=SoloParams, policies=(policy("random"),)
)
