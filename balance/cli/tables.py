"""Results as text for a terminal of 80 columns; every number with its interval."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from balance.cli.lines import WIDTH, columns, to_the_left, to_the_right, wrapped
from balance.errors import listed
from balance.report import (
    answers,
    asking,
    differences,
    figures,
    gates,
    goals,
    leads,
    levels,
    lopsided,
    minutes,
    precision,
    sprt,
    usage,
    verdicts,
    voids,
    words,
)
from balance.report import summary as in_short

Record = Mapping[str, Any]
_NARROWEST = 10
_LENGTHS = ("turns", "rounds", "plies", "score_margin")
_OUTCOMES = ("tie_rate", "goal_rate", "capped_rate")
_TABLE = ("variant", "players", "mode", "level")
"""What tells the cells of a run apart."""


def summary(results: Record) -> str:
    """What a run says: the verdict, what the variants change, tables for each cell, the answer to its question."""
    lines = [*filled(words.isolated(results["title"])), ""]
    if words.deck_note(results):
        lines += [*filled(words.deck_note(results)), ""]
    if results["own_rules"]:
        lines += filled(asking.own_rules(results).strip())
    told = (*levels.flips(results), *verdicts.sentences(results), *differences.sentences(results))
    for sentence in told:
        lines += filled(sentence)
    for warning in (*results["warnings"], *voids.few(results)):
        lines += filled(f"Warning: {warning}")
    if results["gates"]:
        lines += filled(f"Gates, which `balance check` judges: {gates.summary(results)}")
    lines += _precision(results)
    for cell in results["cells"]:
        if cell["blocks"]:
            lines += ["", *_cell(cell, results)]
    lines += [*answer(results), *last_words(results)]
    return "\n".join(lines) + "\n"


def _precision(results: Record) -> Iterator[str]:
    """The shares that decided when play ended."""
    if precision.sentence(results):
        yield from ("", *filled(precision.sentence(results)))
    for told in sprt.sentences(results):
        yield from ("", *filled(told))
    for where, rows in precision.cells(results):
        yield from ("", *filled(f"{where}:"), *table([precision.HEADS, *rows]))


def filled(text: str, indent: str = "") -> list[str]:
    """A sentence in lines of 80 columns."""
    return wrapped(text, indent, indent + "  ")


def answer(results: Record) -> Iterator[str]:
    """What the experiment's first series says, close to the end, where it stays on the screen."""
    one = answers.headline(results)
    if one is None:
        return
    yield from ("", *filled(answers.question(one)), *filled(answers.terms(one, results)))
    for each in one["tables"]:
        first, *others = answers.heads(each, results)
        heads = [first, *(part for head in others for part in (head, "+/-"))]
        rows = [
            [answers.value(row), *(part for cell in answers.cells(row, each, results) for part in cell)]
            for row in each["rows"]
        ]
        yield from ("", *filled(answers.sentence(one, each, results)), *table([heads, *rows]))


def last_words(results: Record) -> list[str]:
    """The four answers of the page's first screen, at the very end, where they stay on the screen."""
    told = (f"In short. {in_short.lede(results)}", *in_short.lines(results))
    return ["", *(line for sentence in told for line in filled(sentence))]


def _cell(cell: Record, results: Record) -> Iterator[str]:
    games = words.plural(cell["games"], "game")
    name = words.isolated(cell["variant"])
    yield from filled(f"{words.setting(cell)}, {name}: {games}, {_lineup(cell)}")
    changes = ", ".join(f"{rule} = {_plain(value)}" for rule, value in cell["changes"].items())
    if changes:
        yield from filled(f"changed: {changes}", "  ")
        for rule, remark in cell.get("remarks", {}).items():
            yield from filled(remark, "  ") if rule in cell["changes"] else ()
    yield from _standings(cell)
    yield from _evenness(cell)
    yield from _against_baseline(cell, results)
    if "goal" in cell:
        yield from _goals(cell)
    if len(cell["sides"]) > 1:
        yield from _sides(cell)
    yield ""
    yield from _lengths(cell, results)
    yield from _checks(cell, results)
    if cell["variant"] == "baseline":
        yield from _measures(cell, results)
    if "leads" in cell:
        yield from ("", *filled(f"{leads.lede([cell], results)} {leads.sentence(cell, results)}", "  "))
    if lopsided.sentence(cell):
        yield from ("", *filled(lopsided.sentence(cell), "  "))


def _plain(value: object) -> str:
    if isinstance(value, list | tuple):
        return f"[{', '.join(_plain(item) for item in value)}]"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _lineup(cell: Record) -> str:
    names = [words.isolated(name) for name in dict.fromkeys(cell["policies"])]
    return f"{names[0]} in every seat" if len(names) == 1 else f"{listed(names)} rotating"


def table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Columns padded to their widest cell: the first to the left, in several lines if need be, numbers to the right."""
    numbers = [max(map(columns, column)) for column in zip(*(row[1:] for row in rows), strict=True)]
    room = max(_NARROWEST, WIDTH - sum(width + 2 for width in numbers) - 2)
    width = min(room, max(columns(row[0]) for row in rows))
    for row in rows:
        name = row[0].lstrip()
        indent = " " * (len(row[0]) - len(name))
        first, *more = wrapped(name, indent, f"{indent}  ", width)
        cells = [to_the_left(first, width), *map(to_the_right, row[1:], numbers)]
        yield f"  {'  '.join(cells)}".rstrip()
        yield from (f"  {line}" for line in more)


def _standings(cell: Record) -> Iterator[str]:
    """Who wins and how high: the seats, or the teams."""
    wins = "goal reached" if "goal" in cell else "win share"
    rows = [["", wins, "interval", "score", "interval", "spread"]]
    yield from table(rows + [_standing(name, entry) for name, entry in words.sides(cell)])


def _evenness(cell: Record) -> Iterator[str]:
    """Whether the seats are even: all tests of them."""
    for what, found in verdicts.evenness(cell):
        yield from filled(f"{what}: {found}", "  ")


def _against_baseline(cell: Record, results: Record) -> Iterator[str]:
    """What a variant changes of the headline numbers."""
    for one in results["comparisons"]:
        if [one[key] for key in _TABLE] == [cell[key] for key in _TABLE]:
            yield ""
            pairs = [(one, entry) for entry in one["metrics"] if entry["family"] == "headline"]
            yield from compared(results, differences.ordered(pairs))


def compared(results: Record, pairs: Sequence[differences.Pair]) -> list[str]:
    """Differences from the baseline as a table; shares in percent, their changes in percentage points."""
    rows = [["against the baseline", "before", "change", "interval", "p", "worth"]]
    for _, entry in pairs:
        share, estimate = words.is_share(results, entry["metric"]), entry["difference"]
        (before, _), moved = words.moved(estimate, share, (entry["baseline"], entry["value"]))
        rows.append(
            [
                differences.what(results, entry),
                words.measured(entry["metric"], before),
                moved.removesuffix(words.PP),
                words.difference_interval(estimate, share).removesuffix(words.PP),
                words.p_value(entry["adjusted"]),
                words.times(entry["worth"]),
            ]
        )
    return list(table(rows))


def _goals(cell: Record) -> Iterator[str]:
    """The goal, and how often others would be reached."""
    yield from filled(f"The goal: {cell['goal']['sentence']}", "  ")
    yield from table([["a goal of", "reached in", "interval"], *map(goals.row, goals.telling(cell))])


def _standing(name: str, entry: Record) -> list[str]:
    share, score = entry["win_share"], entry["score"]["mean"]
    spread = words.fixed(entry["score"]["sd"], 2)
    return [
        name,
        words.value(share, True),
        words.interval(share, True),
        words.value(score, False),
        words.interval(score, False),
        spread,
    ]


def _sides(cell: Record) -> Iterator[str]:
    even, names = (
        words.percent(1 / cell["players"]),
        [words.isolated(side["policy"]) for side in cell["sides"]],
    )
    yield f"  by policy, over all its seats (even: {even})"
    yield from table([_standing(name, side) for name, side in zip(names, cell["sides"], strict=True)])
    rows = [["by policy", "seats held", "of all wins", "interval"]]
    rows += [[name, *_of_all_wins(side)] for name, side in zip(names, cell["sides"], strict=True)]
    yield from table(rows)
    rows = [["win share by seat", *(str(seat["seat"] + 1) for seat in cell["seats"]), "+/-"]]
    rows += [[name, *_by_seat(side)] for name, side in zip(names, cell["sides"], strict=True)]
    yield from table(rows)


def _of_all_wins(side: Record) -> list[str]:
    """How many of the seats a policy holds, and its part of all wins, which adds up to 100 % over the policies."""
    share = side["share_of_wins"]
    return [words.percent(side["seat_share"]), words.value(share, True), words.interval(share, True)]


def _by_seat(side: Record) -> list[str]:
    shares = side["seats"]
    return [*(words.percent(share["value"]) for share in shares), _widest(shares, 100)]


def _lengths(cell: Record, results: Record) -> Iterator[str]:
    rows = [["", "mean", "interval", "p10", "median", "p90"]]
    for metric in _LENGTHS:
        if metric in cell["measures"]:
            rows.append(_spread(words.title(results, metric), cell["measures"][metric]))
    lasting = minutes.row(cell, results)
    yield from table([*rows, *([["Minutes (estimate)", *lasting]] if lasting else [])])
    if "tie_rate" in cell["measures"]:
        yield f"  {words.title(results, 'tie_rate')}: {_share(cell['measures']['tie_rate'])}"
    if cell["capped"] and "capped_rate" in cell["measures"]:
        yield f"  {words.title(results, 'capped_rate')}: {_share(cell['measures']['capped_rate'])}"
    stopped = 0 if "capped_rate" in cell["measures"] else cell["capped"]
    if stopped or cell["void"]:
        yield f"  Stopped at the limit: {words.count(stopped)}, void: {words.count(cell['void'])}"


def _spread(name: str, measure: Record) -> list[str]:
    quantiles = [words.quantity(measure["quantiles"][q]) for q in ("p10", "p50", "p90")]
    return [name, words.value(measure["mean"], False), words.interval(measure["mean"], False), *quantiles]


def _checks(cell: Record, results: Record) -> Iterator[str]:
    """Checks on the box's components."""
    for metric, definition in results["definitions"].items():
        if definition.get("check") and metric in cell["measures"]:
            measure, title = cell["measures"][metric], definition["title"]
            told = f"{_share(measure)} of games" if "count" in measure else _count(measure)
            yield from filled(f"Check: {title}: {told}", "  ")


def _share(measure: Record) -> str:
    return f"{words.value(measure['mean'], True)} ({words.interval(measure['mean'], True)})"


def _count(measure: Record) -> str:
    return f"{words.value(measure['mean'], False)} ({words.interval(measure['mean'], False)}) a game"


def _measures(cell: Record, results: Record) -> Iterator[str]:
    """What the game counts, one block for each kind of measure."""
    for kind, block in (("game", _per_game), ("seat", _per_seat), ("curve", _curves), ("counter", _counters)):
        ids = [
            metric
            for metric, definition in results["definitions"].items()
            if definition["kind"] == kind and not definition.get("check") and metric in cell["measures"]
        ]
        if kind == "game":
            ids = [metric for metric in ids if metric not in (*_LENGTHS, *_OUTCOMES)]
        if ids:
            yield ""
            yield from block(cell, results, ids)


def _per_game(cell: Record, results: Record, ids: Sequence[str]) -> Iterator[str]:
    measures = cell["measures"]
    numbers = [metric for metric in ids if "quantiles" in measures[metric]]
    if numbers:
        rows = [["per game", "mean", "interval", "p10", "median", "p90"]]
        yield from table(
            rows + [_spread(words.title(results, metric), measures[metric]) for metric in numbers]
        )
    for metric in ids:
        if metric not in numbers:
            share = _share(measures[metric])
            yield from filled(f"{words.title(results, metric)}: {share} of games", "  ")


def _per_seat(cell: Record, results: Record, ids: Sequence[str]) -> Iterator[str]:
    rows = [["per seat", *(str(seat["seat"] + 1) for seat in cell["seats"]), "+/-"]]
    for metric in ids:
        means = [seat["mean"] for seat in cell["measures"][metric]["seats"]]
        rows.append(
            [words.title(results, metric), *(words.fixed(mean["value"], 2) for mean in means), _widest(means)]
        )
    yield from table(rows)


def _widest(means: Sequence[Record], scale: int = 1) -> str:
    """The largest half-width of several means; with `scale` 100, of shares in percentage points."""
    known = [
        (mean["high"] - mean["low"]) / 2
        for mean in means
        if mean["low"] is not None and mean["high"] is not None
    ]
    return words.fixed(scale * max(known), 3 if scale == 1 else 1) if known else words.NOTHING


def _curves(cell: Record, results: Record, ids: Sequence[str]) -> Iterator[str]:
    for metric in ids:
        curve = cell["measures"][metric]
        word = words.table_word(results, "round")
        rows = [[words.title(results, metric), *(words.seat(seat["seat"]) for seat in cell["seats"]), "+/-"]]
        for index, number in enumerate(curve["rounds"]):
            means = [seat[index]["mean"] for seat in curve["seats"]]
            rows.append(
                [f"{word} {number}", *(words.fixed(mean["value"], 2) for mean in means), _widest(means)]
            )
        yield from table(rows)


def _counters(cell: Record, results: Record, ids: Sequence[str]) -> Iterator[str]:
    for metric in ids:
        items, called = cell["measures"][metric]["items"], usage.faces(results, cell, metric)
        each, of = (
            figures.is_more_than_offered(items),
            "rate" if usage.is_no_choice(results, metric) else "take rate",
        )
        heads = [*called[:2], *(["by winner"] if len(called) > 2 else []), of, "interval"]
        if items:
            yield from filled(f"{words.title(results, metric)}, per game:", "  ")
            yield from table([["", *heads], *(_item(item, each, len(called)) for item in items)])


def _item(item: Record, each: bool, shown: int) -> list[str]:
    means = [words.fixed(item[face]["mean"]["value"], 2) for face, *_ in figures.FACES[:shown]]
    return [f"  {item['item']}", *means, *usage.rate(item, each)]
