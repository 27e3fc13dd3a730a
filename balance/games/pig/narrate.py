"""The trace of one game of Pig, and a readable log made from it; in brackets the ids of the rules that act."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from balance.game import SHARE_UNIT
from balance.games.pig.params import PigParams
from balance.games.pig.rules import BANKED, BUST, ROLLED

EVENTS = {ROLLED: "roll", BUST: "bust", BANKED: "bank"}


class Tracer:
    """Bound to the rules' `note` while one game is played; `events` is the trace, complete after `finish`."""

    def __init__(self, params: PigParams, number: int, seed: int, policies: Sequence[str]) -> None:
        """Begin with the header."""
        header = {"event": "game", "game_index": number, "seed": str(seed), "policies": list(policies)}
        self.events: list[dict[str, Any]] = [header | {"rules": params.model_dump()}]

    def __call__(self, state: Any, _params: Any, event: int, a: int, _b: int, _c: int) -> None:
        """What has just happened: `value` is the face of the die, or the points that were banked."""
        told = {"event": EVENTS[event], "round": int(state.round_number), "player": int(state.seat)}
        self.events.append(told | {"value": int(a), "points": int(state.points[state.seat])})

    def finish(self, _state: Any, row: Mapping[str, int]) -> None:
        """The game is over: `row` holds its columns."""
        seats = range(len(self.events[0]["policies"]))
        scores = [row[f"score_{seat}"] for seat in seats]
        shares = [row[f"win_share_{seat}"] / SHARE_UNIT for seat in seats]
        self.events.append({"event": "result", "scores": scores, "win_shares": shares})


def _standing(points: Sequence[int]) -> str:
    """Who has how many points, and who leads."""
    first = [f"player {seat + 1}" for seat, own in enumerate(points) if own == max(points)]
    leads = f"{first[0]} leads" if len(first) == 1 else f"{' and '.join(first)} share the lead"
    return f"{', '.join(f'player {seat} {own}' for seat, own in enumerate(points, 1))}; {leads}"


def narrate(events: Sequence[dict[str, Any]]) -> list[str]:
    """The lines of the log, one for each turn; rounds and seats count from 1."""
    header, *told, result = events
    rounds, points = told[-1]["round"] + 1, dict.fromkeys(range(len(result["scores"])), 0)
    lines, rolls = [f"Pig, game {header['game_index']} of seed {header['seed']}"], []
    for event in told:
        if event["event"] == "roll":
            rolls.append(str(event["value"]))
            continue
        if event["event"] == "bust":
            rolls.append(str(event["value"]))
            how = f"loses the turn [P-4] and has {event['points']}"
        else:
            how = f"banks {event['value']} [P-5] and has {event['points']}"
        who = f"round {event['round'] + 1}, player {event['player'] + 1}"
        lines.append(f"{who} rolls {' '.join(rolls)}, {how}")
        rolls, points[event["player"]] = [], event["points"]
        if (event["round"] + 1, event["player"] + 1) == (rounds // 2, len(points)):
            standing = _standing(list(points.values()))
            lines.append(f"Half-way, after round {rounds // 2} of {rounds}: {standing}")
    scores = ", ".join(f"player {seat + 1} {score}" for seat, score in enumerate(result["scores"]))
    winners = [f"player {seat + 1}" for seat, share in enumerate(result["win_shares"]) if share]
    return [*lines, f"Points: {scores}", f"The win goes to {' and '.join(winners)} [P-6, P-7]"]
