"""The most lopsided deals in words: the deal, the play, or not to be told."""

from __future__ import annotations

from typing import Any

import pytest

from balance import report
from balance.cli.tables import summary
from balance.report import lopsided
from tests.report.parsed import parse
from tests.report.sample import Shape, build, estimate


def deal(game: int, margin: int, share: float, half: float = 0.05, same: bool = False) -> dict[str, Any]:
    return {
        "game": game,
        "margin": margin,
        "seat": 2,
        "margin_again": {**estimate(6.0, 0.5), "n": 200},
        "share_again": {**estimate(share, half), "n": 200},
        "same": same,
    }


def results(*deals: dict[str, Any]) -> dict[str, Any]:
    found = build()
    found["cells"][0]["lopsided"] = {"usual": estimate(3.0, 0.02), "deals": list(deals)}
    return found


DEALS = (
    *(deal(7, 21, 0.6), deal(3, 20, 0.28), deal(9, 19, 0.1), deal(4, 19, 1.0, 0.0, same=True)),
    *(deal(5, 19, 0.9), deal(2, 19, 0.32)),
)
START = "The most lopsided deal was won by 21 (usual: 3.00). Played again 200 times, with other choices of the players:"


def test_a_deal_is_to_blame_where_its_winner_wins_it_again() -> None:
    cell = results(*DEALS)["cells"][0]
    verdicts = [lopsided.verdict(one, cell) for one in DEALS]
    assert verdicts == [
        *("the deal", "cannot tell", "the play", "always the same", "the deal", "the deal in part"),
    ]
    assert lopsided.sentence(cell) == (
        "The 6 most lopsided deals were won by 19 to 21 (usual: 3.00). Played again 200 times each, with other choices "
        "of the players, and allowing for having looked at all 6: 2 favour whoever won them, who win again in 60 to "
        "90 %: there the deal decides; 1 helps whoever won it, who wins again in 32.0 % (27.0 to 37.0 %), where an "
        "even share would be 25.0 %; 1 goes against whoever won it, who wins again in 10 % (5 to 15 %), where an even "
        "share would be 25.0 %: there the play decided; of 1 nothing shows whether the deal or the play "
        "decided; 1 is played the same way each time, as these "
        "players roll no dice of their own."
    )


@pytest.mark.parametrize(
    ("players", "share", "half", "word"),
    [
        (4, 0.56, 0.05, "the deal"),
        (4, 0.54, 0.05, "the deal in part"),
        (4, 0.32, 0.065, "the deal in part"),
        (4, 0.32, 0.08, "cannot tell"),
        (4, 0.18, 0.065, "the play"),
        (2, 0.81, 0.05, "the deal"),
        (2, 0.79, 0.05, "the deal in part"),  # of two, one wins half of all replays anyway
        (2, 0.54, 0.05, "cannot tell"),
    ],
)
def test_the_deal_decides_only_where_most_replays_are_won_again(
    players: int, share: float, half: float, word: str
) -> None:
    cell = build(Shape(players=(players,)))["cells"][0]
    assert lopsided.verdict(deal(7, 21, share, half), cell) == word


@pytest.mark.parametrize(
    ("one", "said"),
    [
        (DEALS[0], "1 favours whoever won it, who wins again in 60 % (55 to 65 %): there the deal decides."),
        (
            deal(2, 21, 0.32, 0.04),
            "1 helps whoever won it, who wins again in 32.0 % (28.0 to 36.0 %), where an even share would be 25.0 %.",
        ),
        (
            DEALS[1],
            "whoever won it does not win again more or less often than an even share of 25.0 % by more than luck, so "
            "nothing shows that the deal decided it.",
        ),
    ],
)
def test_one_deal_alone(one: dict[str, Any], said: str) -> None:
    cell = results({**one, "margin": 21})["cells"][0]
    assert lopsided.sentence(cell) == f"{START} {said}"


def test_several_of_which_none_tells() -> None:
    assert lopsided.sentence(results(DEALS[1], DEALS[1])["cells"][0]).endswith(
        ", and allowing for having looked at all 2: no winner wins again more or less often than an even share of "
        "25.0 % by more than luck, so nothing shows that the deal decided any of them."
    )


def test_the_page_and_the_terminal_say_it() -> None:
    found = results(*DEALS)
    sentence = lopsided.sentence(found["cells"][0])
    assert sentence in " ".join(line.strip() for line in summary(found).splitlines())
    page = parse(report.render(found))
    assert sentence.split(" (usual")[0] in "".join(page.texts)
    rows = page.tables["The most lopsided deals, played again: baseline, 4 players"]
    assert [(row[0], row[1], row[2], row[7]) for row in rows[1:3]] == [
        ("7", "seat 3", "21", "the deal"),
        ("3", "seat 3", "20", "cannot tell"),
    ]


def test_a_run_without_them_says_nothing() -> None:
    assert lopsided.sentence(build()["cells"][0]) == ""
