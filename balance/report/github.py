"""Gates for GitHub: a summary of the job in Markdown, and annotations at the lines of the experiment file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from balance.experiment.wording import printable
from balance.report import words
from balance.report.gates import Row, left_out, rows, summary
from balance.report.levels import of_gates

Record = Mapping[str, Any]
MOST_ANNOTATIONS = 10
"""So many of a kind GitHub shows; it drops the others without a word."""
MOST_BYTES = 900_000
"""A summary above 1 MiB is dropped whole."""
_MARKUP = re.compile(r"([\\`*_{}\[\]()#+!|~>@:-])")


def markdown(results: Record, verdict: str) -> str:
    """The summary of a job: the verdict, then a table of all gates, the worst first; cut where it would be too long."""
    found = rows(results)
    head = [
        f"## {escaped(results['title'])}: {escaped(verdict)}",
        "",
        *(line for told in of_gates(results) for line in (escaped(told), "")),
        *(line for told in (summary(results), *left_out(results)) for line in (escaped(told), "")),
        *(
            ["| verdict | gate | where | limits | found |", "| --- | --- | --- | --- | --- |"]
            if found
            else []
        ),
    ]
    lines, size = [], 0
    for row in found:
        line = _line(row)
        size += len(line.encode()) + 1
        if size > MOST_BYTES:
            break
        lines.append(line)
    left = len(found) - len(lines)
    more = ["", f"{words.plural(left, 'more row')} did not fit; verdict.json has all."] if left else []
    return "\n".join([*head, *lines, *more]) + "\n"


def _line(row: Row) -> str:
    verdict = f"{row.verdict} (only warns)" if row.warns and row.verdict != "pass" else row.verdict
    told = (
        verdict,
        row.subject,
        row.where,
        row.limits,
        " ".join(filter(None, (row.found, row.more, row.why))),
    )
    return f"| {' | '.join(map(escaped, told))} |"


def escaped(text: str) -> str:
    """Text that no Markdown takes for markup, in one line."""
    plain = printable(text).replace("&", "&amp;").replace("<", "&lt;")
    return _MARKUP.sub(r"\\\1", plain)


def notices(results: Record, file: str, lines: Sequence[int]) -> Iterator[str]:
    """An annotation, as a line of output, for each gate and table that does not pass, or one that says why none was
    judged.

    `lines` are those of the gates in the experiment file; none for a run that was saved.
    """
    if not results["gates"]:
        yield f"::error title={_property(results['verdict'])}::{_message(results['reason'])}"
    found = [row for row in rows(results) if row.verdict != "pass"]
    for kind in ("error", "warning"):
        members = [row for row in found if row.warns == (kind == "warning")]
        for at, row in enumerate(members[:MOST_ANNOTATIONS], start=1):
            left = len(members) - at if at == MOST_ANNOTATIONS else 0
            place = f"file={_property(file)},line={lines[row.gate]}," if row.gate < len(lines) else ""
            title = _property(f"{row.verdict}: {row.subject}, {row.where}")
            said = [f"{row.found}; the limit is {row.limits}.", row.more, row.why]
            said += [f"And {left} more."] if left else []
            yield f"::{kind} {place}title={title}::{_message(' '.join(filter(None, said)))}"


def _message(text: str) -> str:
    return printable(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _message(text).replace(":", "%3A").replace(",", "%2C")
