"""A page as a browser's parser sees it: tags, attributes, texts, tables and figures."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

ISOLATES = str.maketrans("", "", "\u2068\u2069")


@dataclass
class Parsed(HTMLParser):
    """Every start tag with its attributes, texts outside scripts and styles, rows of tables, figures."""

    tags: list[tuple[str, dict[str, str | None]]] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    tables: dict[str, list[list[str]]] = field(default_factory=dict)
    figures: dict[str, dict[str, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._open: list[str] = []
        self._rows: list[list[str]] = []
        self._place = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.tags.append((tag, given))
        if tag not in ("meta", "line", "circle"):
            self._open.append(tag)
        if given.get("class") == "plot":
            self._place = str(given["id"])
        if tag == "caption":
            self._rows = self.tables.setdefault("", [])
        if tag == "tr":
            self._rows.append([])
        if tag in ("td", "th"):
            self._rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        inside = self._open[-1] if self._open else ""
        if inside == "script" and self._place:
            self.figures[self._place] = json.loads(data)
            self._place = ""
        if inside in ("script", "style"):
            return
        self.texts.append(data)
        if inside == "caption":
            self._rows = self.tables[data.translate(ISOLATES)] = self.tables.pop("")
        elif "td" in self._open or "th" in self._open:
            self._rows[-1][-1] += data

    @property
    def text(self) -> str:
        """All that a reader can see, without invisible characters and with plain blanks."""
        return re.sub(r"\s+", " ", " ".join(self.texts).translate(ISOLATES))


def parse(page: str) -> Parsed:
    """The page, parsed."""
    parsed = Parsed()
    parsed.feed(page)
    parsed.close()
    return parsed
