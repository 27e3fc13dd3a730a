"""A page that is open in a browser, offline, with all that it asked for and all that went wrong on it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from playwright.sync_api import Page

QUIET = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
]
DRAWN = "places => places.filter(place => place.querySelector('.main-svg')).length"


@dataclass
class Opened:
    """An open page, what it asked of the network, and what went wrong on it."""

    page: Page
    requests: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def unfold(self) -> None:
        """Open everything that is folded."""
        self.page.evaluate("document.querySelectorAll('details').forEach(fold => fold.open = true)")

    def draw_all(self) -> None:
        """Open everything and scroll every chart into view, as a patient reader would."""
        self.unfold()
        places = self.page.locator(".plot")
        for at in range(places.count()):
            places.nth(at).scroll_into_view_if_needed()
        self.until(f"({DRAWN})([...document.querySelectorAll('.plot')]) === {places.count()}")

    def until(self, condition: str) -> None:
        """Wait until a condition holds; playwright's own way needs what the page's policy forbids."""
        for _ in range(100):
            if self.page.evaluate(condition):
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(f"never true: {condition}")


OpenPage = Callable[..., Opened]
