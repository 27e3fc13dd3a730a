"""What the kit finds."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Violation:
    """One thing wrong with a game: which rule of the kit it breaks, and a sentence that says how."""

    rule: str
    sentence: str
