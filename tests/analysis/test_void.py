"""Results of runs with void games: counted beside the means, never in them, on every surface."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from balance import report
from balance.analysis import results, tables
from balance.cli.comparison import as_markdown, as_text
from balance.cli.tables import summary
from balance.engine.playout import VOID
from balance.experiment.events import Outcome
from balance.experiment.tally import EMPTY, Tally, counted
from balance.report import differences
from balance.stats.histogram import Histogram
from balance.stats.joint import Joint

from .played import FAR, Played, played


def with_void(run: Played, at: int, void: int) -> Outcome:
    """The same outcome, but that many of a cell's games are said to be void."""
    tallies = list(run.outcome.tallies)
    ended = Histogram.from_dict({"values": [0, VOID], "counts": [tallies[at].played - void, void]})
    tallies[at] = replace(tallies[at], blocks={**tallies[at].blocks, "ended": ended})
    return replace(run.outcome, tallies=tuple(tallies))


def all_void(run: Played, at: int) -> Outcome:
    """The same outcome, but all games of a cell are void."""
    tallies = list(run.outcome.tallies)
    played = tallies[at].played
    ended = Histogram.from_dict({"values": [VOID], "counts": [played]})
    nothing = dict.fromkeys(tallies[at].blocks, EMPTY)
    sums = tuple((0,) * len(row) for row in tallies[at].sums)
    differences = dict.fromkeys(tallies[at].differences, EMPTY)
    kept = dict.fromkeys(tallies[at].highest, ())
    tallies[at] = Tally(
        played,
        {**nothing, "ended": ended},
        differences=differences,
        wins=none(tallies[at].wins),
        wins_moved=none(tallies[at].wins_moved),
        highest=kept,
        lowest=kept,
        sums=sums,
        changed=tallies[at].changed,
    )
    if at == 0:  # then no variant can be compared
        others = [replace(one, differences=dict.fromkeys(one.differences, EMPTY)) for one in tallies[1:]]
        tallies[1:] = others
    return replace(run.outcome, tallies=tuple(tallies))


def none(joint: Joint | None) -> Joint | None:
    """The same sides, and not one block."""
    sides = len(joint.totals) if joint else 0
    return joint and Joint(0, (0,) * sides, ((0,) * sides,) * sides)


def test_void_games_are_counted_and_told() -> None:
    found = results(with_void(played(), 0, 12))
    assert found["cells"][0]["void"] == 12
    assert found["cells"][0]["capped"] == 0
    (sentence,) = found["warnings"]
    assert sentence == "12 of 1,200 games (baseline, 3 players) were void; they enter no mean."
    assert "void: 12" in summary(found)
    assert "12 void games, left out of every mean" in report.render(found)


def test_a_single_void_game_is_told_of_as_one() -> None:
    (sentence,) = results(with_void(played(), 0, 1))["warnings"]
    assert sentence == "1 of 1,200 games (baseline, 3 players) was void; it enters no mean."


def test_games_without_void_ones_say_nothing_of_them() -> None:
    found = played().results
    assert found["cells"][0]["void"] == 0
    assert "void" not in summary(found)


def test_the_others_of_a_block_are_told() -> None:
    run = played(policies=("any", "steady"))
    (tally,) = run.outcome.tallies
    fewer = {name: cut(one, 10) for name, one in tally.blocks.items()}
    ended = Histogram.from_dict({"values": [0, VOID], "counts": [1185, 15]})
    games = {**tally.games, "ended": ended}
    sums = tuple((0,) * len(row) for row in tally.sums)
    left = replace(tally, blocks=fewer, games=games, sums=sums)
    outcome = replace(run.outcome, tallies=(left,))
    found = results(outcome)
    assert found["cells"][0]["blocks"] == 390
    assert found["warnings"] == [
        "15 of 1,200 games (baseline, 3 players) were void; they enter no mean, nor do the 15 others of their blocks."
    ]


def cut(histogram: Histogram, less: int) -> Histogram:
    """A histogram with so many observations less."""
    return counted(np.repeat(histogram.values, histogram.counts)[less:])


@pytest.mark.parametrize("at", [0, 1])
def test_a_cell_of_void_games_alone_has_no_numbers_and_breaks_nothing(at: int) -> None:
    run = played(variants=FAR)
    found = results(all_void(run, at))
    cell = found["cells"][at]
    assert (cell["games"], cell["void"], cell["blocks"]) == (1200, 1200, 0)
    assert cell["seats"][0]["win_share"]["value"] is None
    assert cell["measures"]["turns"]["mean"]["value"] is None
    assert found["comparisons"] == []
    text, page = summary(found), report.render(found)
    assert "were void; they enter no mean" in " ".join(text.split())
    assert "1,200 of 1,200 games" in page
    assert all(cell["variant"] not in line.split(",")[:1] for line in tables(found)["seats"].splitlines()[1:])


def with_other_void_games(run: Played, before: int, after: int) -> Outcome:
    """The same outcome of a baseline and a variant, but games of either are void, on deals of their own."""
    tallies = list(run.outcome.tallies)
    for at, void in enumerate((before, after)):
        fewer = {name: cut(one, void) for name, one in tallies[at].blocks.items()}
        fewer["ended"] = Histogram.from_dict(
            {"values": [0, VOID], "counts": [tallies[at].played - void, void]}
        )
        nothing = tuple((0,) * len(row) for row in tallies[at].sums)
        tallies[at] = replace(tallies[at], blocks=fewer, sums=nothing)
    pairs = {name: cut(one, before + after) for name, one in tallies[1].differences.items()}
    tallies[1] = replace(tallies[1], differences=pairs)
    return replace(run.outcome, tallies=tuple(tallies))


def test_what_is_told_of_a_comparison_holds_where_deals_are_left_out() -> None:
    run = played(variants=FAR)
    (whole,) = run.results["comparisons"]
    assert (whole["games"], whole["compared"], whole["left_out"]) == (1200, 1200, 0)
    found = results(with_other_void_games(run, 20, 10))
    (one,) = found["comparisons"]
    assert (one["games"], one["compared"], one["left_out"]) == (1200, 1170, 30)
    for old, new in zip(whole["metrics"], one["metrics"], strict=True):
        of_the_pairs = new["metric"] == "seat_spread"
        assert (old["same_games"], new["same_games"]) == (True, of_the_pairs)
        assert new["worth"] is None
        assert new["correlation"] is None
    for text in (as_text(found), as_markdown(found)):
        told = " ".join(text.split())
        assert "1,170 of 1,200 games by each set of rules" in told
        assert (
            "10 of 1,200 games are void, 20 by the baseline. Only deals that are void under neither" in told
        )
        assert "of all games that count by either set of rules, so they need not differ by the change" in told
        assert '"Rolls" rises with 3 players by ' in told, "no means that the change is not the difference of"
    again = " ".join(differences.sentences(run.results))
    assert '"Rolls" rises with 3 players from ' in again
    assert "void" not in again


def test_the_same_number_of_void_games_on_other_deals_is_told() -> None:
    found = results(with_other_void_games(played(variants=FAR), 20, 20))
    assert (
        '"far" with 3 players: 20 of 1,200 games are void, 20 by the baseline.'
        in differences.sentences(found)[0]
    )


def test_where_no_deal_is_left_nothing_is_said_to_be_compared() -> None:
    found = results(all_void(played(variants=FAR), 1))
    assert differences.sentences(found)[0].endswith("No deal is void under neither, so nothing is compared.")
