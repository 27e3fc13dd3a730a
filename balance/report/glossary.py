"""The words of the page for a reader who does not know them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from balance.report import words
from balance.report.blocks import Terms

TERMS = (
    (
        "Share of wins",
        "Games won divided by games played. A win shared by two counts as half a win for each, so the"
        " seats of a table add up to 100 %.",
    ),
    (
        "Even share",
        "What every seat would get if it did not matter where you sit: 25.0 % with four players, 33.3"
        " % with three.",
    ),
    (
        "pp",
        "Percentage points, the differences of percentages: from 25.0 % to 26.5 % is 1.5 pp more. Points alone are "
        "those that players score.",
    ),
    (
        "Interval",
        "A simulation sees only some of all possible games, so every number is a little off. In "
        "{confidence} of cases an interval made this way holds the number that endless play would "
        "give. More games make it narrower.",
    ),
    (
        "Not told apart",
        "What was seen may be luck, allowing for all the differences that were looked at: so even where its interval "
        "by itself leaves out zero. That does not show that there is no difference, only that one, if there is any, is "
        "likely to lie inside the interval.",
    ),
    (
        "Tolerance band",
        "How far apart any two seats may be in their share of the wins. The seats lie inside when the intervals of all"
        " differences do, outside when one of them lies wholly outside; else that cannot be told yet.",
    ),
    (
        "p",
        "The chance of such a difference if there were none, allowing for the number of questions. A change counts as "
        "found where it is small; intervals stand each for itself, so some leave out zero by luck.",
    ),
    (
        "Correlation and worth",
        "How alike both sets of rules come out on the same deals, from 0 (not at all) or less to 1, and how many games "
        "on different deals a game on the same deals is therefore worth.",
    ),
    (
        "Seat",
        "A place in the order of play, counted from 1. Seat 1 begins, unless a rule says otherwise.",
    ),
    (
        "Type of player",
        "A fixed rule by which a simulated player chooses. All numbers hold for the types named and "
        "for no others.",
    ),
    (
        "Baseline and variant",
        "The rules that all others are compared with, and rules that differ from them in the places shown.",
    ),
    (
        "Block",
        "Games that share one deal. Where several types of player meet, a block holds one game for "
        "each way of seating them, so that no type gains by its seat. Variants are compared on the "
        "same blocks.",
    ),
    (
        "Spread (SD)",
        "The standard deviation: how far single games typically lie from the mean.",
    ),
    (
        "1 in 10 below, middle, 1 in 10 above",
        "A tenth of the games lie at or below the first number, half at or below the second, nine "
        "tenths at or below the third.",
    ),
    (
        "Offered, taken, held by the winner",
        "How often an item could be chosen, how often it was, and how often the winner had it at the "
        "end. Holding is not causing: strong players may simply take it more often.",
    ),
    (
        "Length",
        "Counted in {turn}s and {round}s as this game calls them, and in plies: decisions with more "
        "than one option.",
    ),
    (
        "Cap",
        "A limit that stops a game which would not end. Games stopped there are counted beside the "
        "number of games.",
    ),
)


_WHERE_PLAYED = {
    "teams": (
        "Team",
        "Seats that play together: they have one score, and each of them has an equal part of their win.",
    ),
    "goal": (
        "Goal",
        "What winning means where nobody else can be beaten. The curve says how often other goals are reached by the "
        "same players, who play as they do for theirs.",
    ),
}
"""Terms of modes that not every game has, by what their cells hold."""


def terms(results: Mapping[str, Any]) -> Terms:
    """The glossary in the words of this game."""
    own = {
        "{confidence}": words.confidence(results),
        "{turn}": words.table_word(results, "turn"),
        "{round}": words.table_word(results, "round"),
    }
    of_modes = [term for key, term in _WHERE_PLAYED.items() if any(key in cell for cell in results["cells"])]
    return Terms([(term, _filled(meaning, own)) for term, meaning in (*TERMS, *of_modes)])


def _filled(meaning: str, own: Mapping[str, str]) -> str:
    for place, word in own.items():
        meaning = meaning.replace(place, word)
    return meaning
