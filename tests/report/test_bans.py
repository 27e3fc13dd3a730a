"""What an option is worth, in sentences."""

from __future__ import annotations

from typing import Any

import pytest

from balance.report import bans, differences, summary

Record = dict[str, Any]


def entry(
    metric: str, seat: int | None, value: float, low: float | None, high: float | None, **more: Any
) -> Record:
    return {
        "metric": metric,
        "seat": seat,
        "difference": {"value": value, "low": low, "high": high, "n": 9, "method": "made up"},
        "found": low is not None and high is not None and not low <= 0 <= high,
        **more,
    }


def results(*metrics: Record, seat: int = 1, players: int = 4, changed: bool = True) -> Record:
    table = {"players": players, "mode": None, "level": None}
    tests = {"band": {"most": 0.03, "set": False}} if players > 1 else {}
    ban = {"seat": seat, "name": "owl", "what": "to keep the owl"}
    return {
        "definitions": {},
        "cells": [
            {**table, "variant": "baseline", "games": 2000},
            {**table, "variant": "without", "games": 2000, "ban": ban, "tests": tests},
        ],
        "comparisons": [
            {**table, "variant": "without", "games": 2000, "changed": changed, "metrics": metrics}
        ],
    }


WINS, SCORE = entry("win_share", 1, -0.0412, -0.05, -0.0324), entry("score", 1, -2.31, -2.5, -2.12)


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (
            results(WINS, SCORE),
            'Without "owl" seat 2 wins 4.1 pp less (3.2 to 5.0) and scores 2.3 less (2.1 to 2.5), with 4 players.',
        ),
        (
            results(entry("win_share", 1, 0.03, 0.02, 0.04), entry("score", 1, 0.1, -0.2, 0.4)),
            'Without "owl" seat 2 wins 3.0 pp more (2.0 to 4.0), with 4 players; whether it scores more (-0.2 to '
            "+0.4) cannot be told yet.",
        ),
        (
            results(entry("win_share", 0, 0.3, 0.2, 0.4), WINS, entry("win_share", 2, 0.3, 0.2, 0.4)),
            'Without "owl" seat 2 wins 4.1 pp less (3.2 to 5.0), with 4 players.',
        ),
        (
            results(entry("win_share", None, 0.3, 0.2, 0.4, policy="greedy"), WINS),
            'Without "owl" seat 2 wins 4.1 pp less (3.2 to 5.0), with 4 players.',
        ),
        (
            results(entry("win_share", 0, 0.3, 0.2, 0.4, seats=[0, 2]), {**WINS, "seats": [1, 3]}, seat=3),
            'Without "owl" seat 4 wins 4.1 pp less (3.2 to 5.0), with 4 players.',
        ),
        (
            results(
                entry("goal_rate", None, -0.2, -0.3, -0.1),
                entry("score", None, -5, -6, -4),
                seat=0,
                players=1,
            ),
            'Without "owl" seat 1 reaches the goal 20 pp less often (10 to 30) and scores 5.0 less (4.0 to '
            "6.0), with 1 player.",
        ),
        (
            results(entry("win_share", 1, 0.1, None, None)),
            'Whether seat 2 wins more (too few games) without "owl" cannot be told yet, with 4 players.',
        ),
        (
            results(entry("win_share", 1, -0.034, -0.09, 0.021), entry("score", 1, -0.5, -1.2, 0.2)),
            'Whether seat 2 wins less (-9 to +2 pp) and scores less (-1.2 to +0.2) without "owl" cannot be '
            "told yet, with 4 players.",
        ),
        (
            results(entry("win_share", 1, -0.033, -0.06, -0.006, found=False)),
            'Without "owl" seat 2 probably wins 0.6 to 6.0 pp less, with 4 players, but with 1 difference looked at '
            "that may still be luck.",
        ),
        (
            results(
                entry("win_share", 1, -0.0185, -0.032, -0.0051, found=False),
                entry("score", 1, 0.1, -0.2, 0.4),
            ),
            'Without "owl" seat 2 probably wins 0.5 to 3.2 pp less, with 4 players, but with 2 differences looked at '
            "that may still be luck; whether it scores more (-0.2 to +0.4) cannot be told yet.",
        ),
        (
            results(SCORE, entry("win_share", 1, -0.0185, -0.032, -0.0051, found=False)),
            'Without "owl" seat 2 scores 2.3 less (2.1 to 2.5), with 4 players; it probably wins 0.5 to 3.2 pp less, '
            "but with 2 differences looked at that may still be luck.",
        ),
        (
            results({**entry("win_share", 1, -0.2449, -0.3, -0.19), "baseline": 0.2551, "value": 0.0102}),
            'Without "owl" seat 2 wins 24.5 pp less (19 to 30), with 4 players.',
        ),
        (
            results(entry("win_share", 1, 0.002, -0.004, 0.008), entry("score", 1, 0, 0, 0)),
            'Without "owl" seat 2 wins as much as with it to within 0.8 pp and scores as much as with it in '
            "every game, with 4 players.",
        ),
        (
            results(entry("win_share", 1, 0.0, -1.0, 1.0)),
            'Whether seat 2 wins less (-100 to +100 pp) without "owl" cannot be told yet, with 4 players.',
        ),
        (
            results(WINS, changed=False),
            'Seat 2 never chose "owl" where it had a choice, with 4 players: not one of 2,000 games came out '
            "otherwise: in them the difference is exactly 0.",
        ),
    ],
    ids=[
        "less",
        "more, and none",
        "its own seat",
        "no policy's",
        "its team",
        "alone",
        "too few",
        "open",
        "not with all that was looked at",
        "likely, and open",
        "found, and likely",
        "as elsewhere",
        "small",
        "three games",
        "never wanted",
    ],
)
def test_the_answer_is_one_plain_sentence(found: Record, said: str) -> None:
    assert list(bans.sentences(found)) == [
        said,
        f"{said[said.lower().index('seat') :][:6].capitalize()} was forbidden to keep the owl, wherever it could do "
        "something else. With and without, the deals are the same.",
    ]


def test_nothing_is_said_where_nothing_is_banned() -> None:
    found = results(WINS)
    del found["cells"][1]["ban"]
    assert list(bans.sentences(found)) == []


def test_it_comes_before_all_other_differences() -> None:
    found = results(WINS, changed=False)
    found["comparisons"][0] |= {"same_rules": None, "metrics": []}
    found["cells"] = [{**cell, "void": 0} for cell in found["cells"]]
    assert differences.sentences(found)[0].startswith('Seat 2 never chose "owl" where it had a choice')


def test_where_no_deal_counts_on_both_sides_that_is_said() -> None:
    found = results(WINS)
    found["comparisons"] = []
    said, forbidden = bans.sentences(found)
    assert said == (
        'What "owl" is worth to seat 2 with 4 players cannot be told: no deal counts both with and without it.'
    )
    assert forbidden.startswith("Seat 2 was forbidden")
    answer = summary._changed(found)
    assert (answer.sure, answer.sentence) == ("could not be told", f"w{said[1:]}")


def test_the_first_screen_answers_with_the_ban() -> None:
    luck = entry("win_share", 1, -0.033, -0.06, -0.006, found=False)
    for moved, sure, start in (
        (WINS, "found", 'without "owl" seat 2 wins '),
        (luck, "could not be told", 'without "owl" seat 2 probably wins 0.6 to 6.0 pp less'),
        (entry("win_share", 1, 0.01, -0.1, 0.1), "could not be told", "whether seat 2 wins more "),
    ):
        answer = summary._changed(results(moved))
        assert answer.sure == sure
        assert answer.sentence.startswith(start)
        assert "forbidden" not in answer.sentence


def test_several_tables_are_several_questions() -> None:
    found, other = results(WINS), results(WINS, players=3)
    both = {**found, **{key: [*found[key], *other[key]] for key in ("cells", "comparisons")}}
    assert [len(list(bans.sentences(one))) for one in (found, both)] == [2, 4]
    assert list(bans.sentences(both))[2] == (
        "The 2 tables are as many questions: only what is more than luck with all of them counted is called less or "
        "more. Each interval is for itself."
    )
