"""How the files of a deck were understood, for the designer to compare with the spreadsheet."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from balance.errors import listed
from balance.games.kennelmester.deck_files.cells import SEPARATORS, Cell, is_blank
from balance.games.kennelmester.deck_files.columns import COUNT, Columns
from balance.games.kennelmester.deck_files.encodings import Text
from balance.games.kennelmester.deck_files.findings import Findings, lines_in_words, plural
from balance.games.kennelmester.deck_files.rows import Row


def form(
    file: str, text: Text, separator: str, rows: Sequence[list[Cell]], columns: Columns, findings: Findings
) -> None:
    """Encoding and separator, the letters by which the former can be judged, and the columns that are not read."""
    between = SEPARATORS.get(separator, f'"{separator}"')
    findings.note(file, f"read as {text.encoding} with {between} between the columns.")
    telling = (cell for row in rows for cell in row if text.guessed and not cell.text.isascii())
    for cell in islice(telling, 1):
        sentence = 'shows how letters were read; if it looks wrong, save the file as "CSV UTF-8".'
        findings.note(file, sentence, cell.line, value=cell.text)
    if columns.ignored:
        noun = "columns" if len(columns.ignored) > 1 else "column"
        findings.note(file, f"{noun} not read: {listed(columns.ignored)}.", rows[0][0].line)


def skipped(file: str, rows: Sequence[list[Cell]], totals: Sequence[list[Cell]], findings: Findings) -> None:
    """Rows that hold no card."""
    for lines, what in (
        ([row[0].line for row in rows if is_blank(row)], ("is blank", "are blank")),
        ([row[0].line for row in totals], ("holds totals and no card", "hold totals and no cards")),
    ):
        if lines:
            findings.note(file, f"{lines_in_words(lines)} {what[len(lines) > 1]}; skipped.")


def filled_down(rows: Sequence[Row], column: str, findings: Findings) -> None:
    """Rows below each other that have a value from the row above."""
    cell = rows[0].cells[column]
    lines = lines_in_words([row.line for row in rows])
    sentence = f"is filled down from the row above into {lines}."
    findings.note(rows[0].file, sentence, cell.line, rows[0].columns.written[column], cell.text)


def counted(rows: Sequence[Row], findings: Findings) -> None:
    """Rows that are switched off, of which the count is blank, or that stand for several cards."""
    known = [row for row in rows if row.text(COUNT) is not None]
    if not known:
        return
    file, name = known[0].file, known[0].columns.written[COUNT]
    blank = [row.line for row in known if not row.text(COUNT)]
    off = [row.line for row in known if row.copies == 0]
    several = [row for row in known if row.copies > 1]
    if blank:
        findings.note(file, f"blank in {lines_in_words(blank)}, which counts as 1.", column=name)
    if off:
        findings.note(
            file, f"0 in {lines_in_words(off)}, which switches off {plural(len(off), 'card')}.", column=name
        )
    if several:
        first, cards = several[0].text("id"), sum(row.copies for row in several)
        lines = lines_in_words([row.line for row in several])
        sentence = f"{lines} make {cards} cards, with ids such as {first} and {first}_2."
        findings.note(file, sentence.replace("make", "makes", len(several) == 1), column=name)
