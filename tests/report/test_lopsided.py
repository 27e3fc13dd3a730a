"""The most lopsided deals in words: the deal, the play, or not to be told."""

from __future__ import annotations

from typing import Any

from balance import report
from balance.cli.tables import summary
from balance.report import lopsided
from tests.report.parsed import parse
from tests.report.sample import build, estimate


def deal(game: int, margin: int, share: float, half: float = 0.05, again: float = 0.5) -> dict[str, Any]:
    return {
        "game": game,
        "margin": margin,
        "seat": 2,
        "margin_again": {**estimate(6.0, again), "n": 200},
        "share_again": {**estimate(share, half), "n": 200},
    }


def results(*deals: dict[str, Any]) -> dict[str, Any]:
    found = build()
    found["cells"][0]["lopsided"] = {"usual": estimate(3.0, 0.02), "deals": list(deals)}
    return found


DEALS = (deal(7, 21, 0.6), deal(3, 20, 0.28), deal(9, 19, 0.1), deal(4, 19, 1.0, again=0.0), deal(5, 19, 0.9))


def test_a_deal_is_to_blame_where_its_winner_wins_it_again() -> None:
    cell = results(*DEALS)["cells"][0]
    verdicts = [lopsided.verdict(one, cell) for one in DEALS]
    assert verdicts == ["the deal", "cannot tell", "the play", "always the same", "the deal"]
    assert lopsided.sentence(cell) == (
        "The 5 most lopsided deals were won by 19 to 21 (usual: 3.00). Played again 200 times each, with other choices "
        "of the players, 2 favour whoever won them: there the deal decides; 1 favours the others: there the play "
        "decided; 1 does not tell; 1 is played the same way each time, as these players roll no dice of their own."
    )


def test_one_deal_alone() -> None:
    cell = results(DEALS[0])["cells"][0]
    assert lopsided.sentence(cell) == (
        "The most lopsided deal was won by 21 (usual: 3.00). Played again 200 times, with other choices of the "
        "players, 1 favours whoever won it: there the deal decides."
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
