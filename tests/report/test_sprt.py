"""What a sequential test came to, in words."""

from __future__ import annotations

from typing import Any

from balance import report
from balance.cli.tables import summary
from balance.report import sprt
from tests.report.parsed import parse
from tests.report.sample import build, estimate


def found(accepted: int | None, policy: str | None = "greedy", seat: int | None = None) -> dict[str, Any]:
    results = build()
    name = results["cells"][0]["name"]
    tested = {"cell": name, "accepted": accepted, "llr": 1.234, "lower": -2.944, "upper": 2.944, "even": 0.25}
    tested |= {
        "plain": estimate(0.3, 0.01),
        "adjusted": estimate(0.3, 0.02),
        "corrected": estimate(0.29, 0.01),
    }
    claim = {
        "means": [0.0, 0.02],
        "policy": policy,
        "metric": "win_share" if policy else "tie_rate",
        "seat": seat,
    }
    results["sprt"] = {**claim, "error": 0.05, "cells": [tested]}
    return results


def test_what_was_accepted_and_how_large_it_is() -> None:
    games = f"{build()['cells'][0]['games']:,}"
    number = (
        "Its share of the wins, corrected for a test that ended play: 29.0 % (28.0 to 30.0 %); not corrected: 30.0 % "
        "(29.0 to 31.0 % as if the games had been fixed, 28.0 to 32.0 % whenever one stops); even would be 25.0 %."
    )
    assert sprt.sentences(found(1)) == [
        f'With 4 players, baseline: "greedy" wins at least 2 pp more than an even share: accepted after {games} '
        f"games. {number}",
        "Where one of the two claims is true, the other is accepted with a chance of 5 % at most. Where the truth lies "
        "between them, either may be.",
    ]
    assert '"greedy" wins at most 0 pp more than an even share: accepted' in sprt.sentences(found(0))[0]
    assert (
        'whether "greedy" wins at least 2 pp more than an even share or only wins at most 0 pp more than an '
        "even share (log-likelihood ratio 1.23, to be decided at -2.94 and 2.94)."
    ) in sprt.sentences(found(None))[0]


def test_the_change_of_a_share() -> None:
    results = found(1, policy=None)
    results["sprt"]["cells"][0]["corrected"] = None
    sentence = sprt.sentences(results)[0]
    assert '"Shared wins" changes by at least 2 pp: accepted after' in sentence
    assert sentence.endswith(
        " games. The change: +30.0 pp (+29.0 to +31.0 pp as if the games had been fixed, +28.0 to +32.0 pp "
        "whenever one stops)."
    )


def test_it_stands_on_the_page_and_in_the_terminal() -> None:
    results = found(1)
    first, last = sprt.sentences(results)
    text = " ".join(line.strip() for line in summary(results).splitlines())
    assert first in text
    assert last in text
    assert last in "".join(parse(report.render(results)).texts).replace("\N{NO-BREAK SPACE}", " ")
    assert sprt.sentences(build()) == []
