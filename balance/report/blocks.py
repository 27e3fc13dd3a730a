"""What a page is made of: sections of blocks, plain data that the template lays out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar


@dataclass(frozen=True)
class Column:
    """The head of a column; numbers stand to the right."""

    title: str
    number: bool = False


@dataclass(frozen=True)
class Entry:
    """One entry of a table: its text, a note in small print, and whether it is marked or written as code."""

    text: str
    note: str = ""
    marked: bool = False
    code: bool = False


@dataclass(frozen=True)
class Table:
    """A table whose first column names its rows."""

    kind: ClassVar[str] = "table"
    caption: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Entry]]


def table(caption: str, columns: Sequence[str], rows: Sequence[Sequence[str | Entry]]) -> Table:
    """A table; a column title that starts with '#' announces numbers."""
    heads = [Column(title.lstrip("#"), title.startswith("#")) for title in columns]
    return Table(
        caption, heads, [[cell if isinstance(cell, Entry) else Entry(cell) for cell in row] for row in rows]
    )


@dataclass(frozen=True)
class Chart:
    """A chart: its id, its title, the sentence under it, the figure, and its numbers as a table."""

    kind: ClassVar[str] = "chart"
    id: str
    title: str
    sentence: str
    figure: dict[str, Any]
    table: Table

    @property
    def height(self) -> int:
        """The height that the page keeps free, in pixels."""
        return int(self.figure["layout"]["height"])


@dataclass(frozen=True)
class Charts:
    """Charts side by side where the screen is wide enough."""

    kind: ClassVar[str] = "charts"
    charts: Sequence[Chart]


@dataclass(frozen=True)
class Text:
    """Paragraphs, or a list where `style` is 'list'; 'caution' and 'note' stand out."""

    kind: ClassVar[str] = "text"
    sentences: Sequence[str]
    style: str = "plain"


@dataclass(frozen=True)
class Command:
    """A command to copy."""

    kind: ClassVar[str] = "command"
    lede: str
    line: str
    anchor: str = ""
    """Where the page itself has what the command shows, and what the link there says."""
    link: str = ""


@dataclass(frozen=True)
class Log:
    """A game move by move, folded: its title, its lines, and what is said below them."""

    kind: ClassVar[str] = "log"
    title: str
    text: str
    note: str = ""
    anchor: str = ""


@dataclass(frozen=True)
class Terms:
    """Words and what they mean."""

    kind: ClassVar[str] = "terms"
    pairs: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Dot:
    """One seat, or team, in the small drawing of a card: its share and its interval in percent of the width."""

    name: str
    seat: int
    at: float
    low: float
    high: float


@dataclass(frozen=True)
class Card:
    """The verdict for one number of players: a headline, a sentence and a small drawing of the seats."""

    label: str
    headline: str
    sentence: str
    found: bool
    facts: str
    dots: Sequence[Dot]
    scale: str = ""
    """How far from the middle of the drawing its marked ends are, in percentage points."""


@dataclass(frozen=True)
class Cards:
    """Cards side by side."""

    kind: ClassVar[str] = "cards"
    cards: Sequence[Card]


@dataclass(frozen=True)
class Box:
    """A short list in a corner of the first screen: heads and what is said of each, and a sentence below."""

    title: str
    pairs: Sequence[tuple[str, str]]
    note: str = ""


@dataclass(frozen=True)
class Short:
    """The run in short: each statement has a question, a word for how sure its answer is, and the answer.

    Above them stands the answer to what was asked, if that is a table, and a word on what it leaves out.
    """

    kind: ClassVar[str] = "short"
    statements: Sequence[Any]
    boxes: Sequence[Box]
    asked: Table | None = None
    more: str = ""


@dataclass(frozen=True)
class Answer:
    """What was found at one number of players: a sentence and the numbers behind it."""

    label: str
    sentence: str
    table: Table


@dataclass(frozen=True)
class Answers:
    """Answers side by side."""

    kind: ClassVar[str] = "answers"
    answers: Sequence[Answer]


@dataclass(frozen=True)
class Part:
    """A titled group of blocks inside a section; `folded` ones open at a click."""

    kind: ClassVar[str] = "part"
    title: str
    blocks: Sequence[Any]
    folded: bool = False


@dataclass(frozen=True)
class Section:
    """A section of the page."""

    anchor: str
    title: str
    lede: str = ""
    blocks: Sequence[Any] = field(default_factory=tuple)
    tone: str = ""
    """How the title looks: 'bad', 'good' or 'open' where it is a verdict."""
