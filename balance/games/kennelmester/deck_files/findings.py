"""What comes to light while the files of a deck are read: faults, warnings, and notes on how they were understood."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from balance.errors import Remark, listed


@dataclass(frozen=True)
class Findings:
    """All remarks on one deck, each kind in the order in which they came up."""

    faults: list[Remark] = field(default_factory=list)
    warnings: list[Remark] = field(default_factory=list)
    notes: list[Remark] = field(default_factory=list)

    def fault(self, file: str, text: str, line: int = 0, column: str = "", value: str = "") -> None:
        """Something for which the deck is refused."""
        self.faults.append(Remark(file, text, line, column, value))

    def warning(self, file: str, text: str, line: int = 0, column: str = "", value: str = "") -> None:
        """Something that can be played with, but may not be meant."""
        self.warnings.append(Remark(file, text, line, column, value))

    def note(self, file: str, text: str, line: int = 0, column: str = "", value: str = "") -> None:
        """How the files were understood."""
        self.notes.append(Remark(file, text, line, column, value))


def lines_in_words(lines: Sequence[int]) -> str:
    """`line 5`, `lines 5 and 9`, `lines 5, 9 and 98 to 104`; the lines ascend."""
    breaks = [at for at, (one, other) in enumerate(pairwise(lines), 1) if other != one + 1]
    words: list[str] = []
    for start, end in pairwise([0, *breaks, len(lines)]):
        run = [str(line) for line in lines[start:end]]
        words += [f"{run[0]} to {run[-1]}"] if len(run) > 2 else run
    return f"line{'s' if len(lines) > 1 else ''} {listed(words)}"


def plural(number: int, noun: str) -> str:
    """`1 row`, `2 rows`."""
    return f"{number} {noun}" + ("" if number == 1 else "s")
