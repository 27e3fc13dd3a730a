"""How early a game is decided: how often whoever leads after a round wins, and what was caught up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from balance.analysis.summaries import Cell, Record
from balance.game import SHARE_UNIT
from balance.stats.histogram import Histogram
from balance.stats.intervals import mean_interval, ratio_interval


def leads(cell: Cell, found: Record) -> Record:
    """What `experiment.leads` counted, as shares with intervals; the games are the first ones of the cell.

    Of each round after which play went on in some "games": in what part somebody led alone ("alone"), what part of
    the wins that leader took ("wins"), and in what part the later winner led from there to the end ("decided").
    "half" is the same half the rounds of each game, "last" the wins of whoever was then behind all others, of the games
    in which somebody was, "changes" how often the lead passed to another and in what part of the games never ("none"),
    "behind" by how much the winner was behind at worst and in what part of the games never, and "comebacks" are the
    games in which that was most, after which round and by which "seat", and whether it "shared" the win.
    """
    rounds = [
        {"round": number, **_leader(cell, found, wins, decided)}
        for number, (wins, decided) in enumerate(zip(found["wins"], found["decided"], strict=True), 1)
        if decided[0]
    ]
    return {
        "games": found["games"],
        "half": _share(cell, found, found["half"][0]),
        "last": _share(cell, found, found["last"][0]),
        "rounds": rounds,
        "changes": _changes(cell, found),
        "behind": {"none": _share(cell, found, found["never_behind"][0]), **_distribution(found["behind"])},
        "comebacks": [_comeback(cell, *one) for one in found["comebacks"]],
    }


def _leader(cell: Cell, found: Record, wins: Sequence[int], decided: Sequence[int]) -> Record:
    return {
        "games": decided[0],
        "alone": wins[0] / SHARE_UNIT / decided[0],
        "wins": _share(cell, found, wins),
        "decided": _share(cell, found, decided),
    }


def _share(cell: Cell, found: Record, sums: Sequence[int]) -> Record | None:
    """What part of x is y, from their sums over blocks; None where there is no x."""
    x, y, xx, yy, xy = sums
    share = ratio_interval(found["blocks"], x, y, xx, yy, xy, cell.confidence, share=True)
    return share.as_dict() if share else None


def _changes(cell: Cell, found: Record) -> Record:
    of_blocks = Histogram.from_dict(found["block_changes"])
    mean = mean_interval(of_blocks, cell.confidence, cell.rotations)
    none = _share(cell, found, found["unmoved"][0])
    return {"mean": mean.as_dict(), "none": none, **_distribution(found["changes"])}


def _distribution(saved: Any) -> Record:
    games = Histogram.from_dict(saved)
    quantiles = {f"p{part}": games.quantile(part / 100) for part in (10, 50, 90)}
    return {"quantiles": quantiles, "max": games.maximum, "histogram": saved}


def _comeback(cell: Cell, behind: int, game: int, side: int, ended: int, shared: int) -> Record:
    team = cell.planned.teams[side]
    seats = {"seats": list(team)} if len(team) > 1 else {}
    return {"game": game, "behind": behind, "seat": team[0], **seats, "round": ended, "shared": bool(shared)}
