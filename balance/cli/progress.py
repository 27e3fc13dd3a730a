"""What a run says while it goes on, on stderr alone: a live line on a terminal, now and then a line in a log."""

from __future__ import annotations

import os
import sys
import time
from typing import Any

from balance.cli.streams import say

_LIVE_EVERY, _LOG_EVERY_SECONDS, _LOG_EVERY_SHARE = 0.2, 30.0, 0.1


class Talk:
    """Tells the events of a run."""

    def __init__(self) -> None:
        """Decide once whether somebody watches: not in CI, not through a pipe, not on a dumb terminal."""
        self._live = sys.stderr.isatty() and not os.environ.get("CI") and os.environ.get("TERM") != "dumb"
        self._width = 0
        self._last, self._share = time.monotonic(), 0.0

    def say(self, words: str) -> None:
        """A passing remark: shown only where it can be wiped away again."""
        if self._live:
            self._line(words)

    def tell(self, event: Any) -> None:
        """One event of the runner."""
        handler = getattr(self, f"_on_{type(event).__name__.lower()}", None)
        if handler:
            handler(event)

    def _on_started(self, event: Any) -> None:
        threads = f"{event.threads} thread{'s' if event.threads > 1 else ''}"
        games = f"{'up to ' if event.at_most else ''}{event.total:,} game{'s' if event.total > 1 else ''}"
        cells = f"{event.cells} cell{'s' if event.cells > 1 else ''}"
        self._print(f"{games} in {cells}, {threads}, into {event.folder}")
        if event.done:
            self._print(f"going on after {event.done:,} games that were finished earlier")
            self._share = event.done / event.total

    def _on_warned(self, event: Any) -> None:
        self._print(f"warning: {event.sentence}")

    def _on_compiling(self, event: Any) -> None:
        self._print(f"compiling {event.game}, once for all numbers of players ...")

    def _on_compiled(self, event: Any) -> None:
        self._print(f"compiled in {event.seconds:.1f} s; the next run starts at once")

    def _on_progress(self, event: Any) -> None:
        now, share = time.monotonic(), event.done / event.total
        wait = _LIVE_EVERY if self._live else _LOG_EVERY_SECONDS
        far = share == 1 > self._share or (not self._live and share >= self._share + _LOG_EVERY_SHARE)
        if now - self._last < wait and not far:
            return
        self._last, self._share = now, share
        over = event.seconds_left is None or event.done == event.total
        games = f"{event.done:,} of {event.total:,} games ({100 * share:.0f} %)"
        speed = f"{games}, {event.games_per_second:,.0f} games/s"
        left = speed if over else f"{speed}, {_duration(event.seconds_left)} left"
        if self._live:
            self._line(_fitting(left, speed, games, f"{100 * share:.0f} %"))
        else:
            self._print(left)

    def _on_finished(self, _event: Any) -> None:
        self.wipe()

    def _on_interrupted(self, _event: Any) -> None:
        self.wipe()

    def _on_alreadycomplete(self, event: Any) -> None:
        self._print(f"already complete: {event.folder.path}")

    def _line(self, text: str) -> None:
        say("\r" + text.ljust(self._width)[: _columns()])
        self._width = len(text)

    def wipe(self) -> None:
        """Take the live line away again."""
        if self._width:
            say("\r" + " " * min(self._width, _columns()) + "\r")
            self._width = 0

    def _print(self, text: str) -> None:
        self.wipe()
        say(f"{text}\n")


def _fitting(*texts: str) -> str:
    """The first text that there is room for; so a narrow terminal says less, but no number is cut."""
    return next((text for text in texts if len(text) <= _columns()), texts[-1])


def _columns() -> int:
    """The room on the terminal that shows standard error; its last column stays free, lest the line wraps."""
    try:
        there = os.get_terminal_size(sys.stderr.fileno()).columns
    except (OSError, ValueError):
        there = 0
    given = os.environ.get("COLUMNS", "")
    return (int(given) if given.isdecimal() and int(given) else there or 80) - 1


def _duration(seconds: float) -> str:
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    return f"{minutes} min {rest:02} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02} min"
