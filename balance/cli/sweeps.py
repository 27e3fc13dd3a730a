"""A sweep as text for a terminal of 80 columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from balance.cli.tables import answer, filled, table
from balance.report import differences, sweeps, verdicts, voids, words

Record = Mapping[str, Any]


def as_text(results: Record) -> str:
    """What a sweep says: main effects or differences, what could not be played, the best point."""
    lines = [*filled(words.isolated(results["title"])), ""]
    for sentence in _first(results):
        lines += filled(sentence)
    if results["sweep"]["grid"]:
        lines += _effects(results)
    elif len(results["sweep"]["factors"]) > 1:
        lines += _changes(results)
    lines += answer(results)
    for sentences in (sweeps.impossible(results, sweeps.MOST_NAMED), sweeps.best(results)):
        lines += ["", *(line for one in sentences for line in filled(one))] if sentences else []
    if "best" not in results["sweep"] and results["status"] == "complete":
        lines += [
            "",
            *filled(
                "No point is called the best: there are no seats to compare, and no --best says what is."
            ),
        ]
    return "\n".join(lines) + "\n"


def _first(results: Record) -> Iterator[str]:
    if words.deck_note(results):
        yield words.deck_note(results)
    if results["status"] != "complete":
        yield verdicts.interrupted()
    yield verdicts.lineup(results)
    yield from (f"Warning: {warning}" for warning in (*results["warnings"], *voids.few(results)))
    if len(results["sweep"]["factors"]) > 1 and not results["sweep"]["grid"]:
        yield from differences.sentences(results)


def _changes(results: Record) -> Iterator[str]:
    """For each table how far each change of a rule by itself moves the means."""
    yield from ("", *filled(sweeps.change_terms(results)))
    for each in results["sweep"]["tables"]:
        yield from ("", *filled(words.capital(words.setting(each))))
        metrics = [name for name in each["shown"] if name != sweeps.SPREAD]  # whose intervals are too long
        yield from table(sweeps.change_rows(each, metrics, results))


def _effects(results: Record) -> Iterator[str]:
    """For each rule at each table how far its values move the means."""
    yield from filled(sweeps.effect_terms(results))
    for each in results["sweep"]["tables"]:
        metrics = sweeps.effect_metrics(each)
        for effect in each["effects"]:
            yield ""
            if missing := sweeps.without_effect(effect):
                yield from filled(missing)
                continue
            yield from filled(sweeps.effect_title(effect, each))
            rows = [["", *sweeps.heads(metrics, results)]]
            for level in effect["levels"]:
                found = [
                    sweeps.effect(level["effects"][metric], words.is_share(results, metric))
                    for metric in metrics
                ]
                rows.append([sweeps.value(level["value"]), *found])
            yield from table(rows)
            if left_out := sweeps.effect_left_out(effect):
                yield from filled(left_out, "  ")
