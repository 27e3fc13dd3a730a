"""Variants against the baseline, block by block on the same deals."""

from __future__ import annotations

from balance.analysis.definitions import SHARES
from balance.analysis.summaries import Cell, Record
from balance.experiment.columns import compared
from balance.game import SHARE_UNIT, Game
from balance.stats.estimate import Estimate
from balance.stats.histogram import Histogram
from balance.stats.intervals import mean_interval, wilson


def comparison(game: Game, cell: Cell, baseline: Cell) -> Record:
    """All differences of a variant from the baseline at its number of players, in its mode."""
    return {
        "variant": cell.planned.cell.variant,
        "players": cell.players,
        "mode": cell.planned.cell.mode,
        "level": None,
        "baseline": baseline.planned.cell.variant,
        "metrics": [_metric(game, cell, baseline, name) for name in compared(game, cell.planned)],
    }


def _metric(game: Game, cell: Cell, baseline: Cell, name: str) -> Record:
    metric, seat = _of_seat(name)
    team = next((team for team in cell.planned.teams if len(team) > 1 and team[0] == seat), ())
    scale = cell.rotations * (SHARE_UNIT // max(1, len(team)) if metric == "win_share" else 1)
    scale *= cell.players if name == "score" else 1
    return {
        "metric": metric,
        "seat": seat,
        **({"seats": list(team)} if team else {}),
        "baseline": _mean(baseline.tally.of_blocks(name), scale),
        "value": _mean(cell.tally.of_blocks(name), scale),
        "difference": _difference(cell, name, scale, _is_share(game, metric)).as_dict(),
    }


def _difference(cell: Cell, name: str, scale: int, is_share: bool) -> Estimate:
    """The mean difference of a block.

    Shares that differed equally in all blocks still may differ in the next one: their interval is that of an
    event that was never seen. Where the variant changed no game at all, the difference is nothing.
    """
    differences = cell.tally.differences.get(name, Histogram.from_dict({"values": [], "counts": []}))
    found = mean_interval(differences, cell.confidence, scale)
    if found.method == "all equal" and is_share and cell.tally.changed:
        unseen = wilson(0, found.n, cell.confidence).high
        low, high = max(-1.0, found.value - unseen), min(1.0, found.value + unseen)
        return Estimate(found.value, low, high, found.n, "wilson")
    return found


def _of_seat(name: str) -> tuple[str, int | None]:
    """The metric behind a column, and its seat if it is one seat's."""
    for metric in ("win_share", "score"):
        seat = name.removeprefix(f"{metric}_")
        if seat != name and seat.isdigit():
            return metric, int(seat)
    return name, None


def _is_share(game: Game, metric: str) -> bool:
    shares = {measure.id for measure in game.measures_of("game") if measure.share}
    return metric in SHARES or metric in shares


def _mean(blocks: Histogram, scale: int) -> float | None:
    return blocks.total / (blocks.n * scale) if blocks.n else None
