"""From results to one HTML file that needs no network: the template lays out the sections, all inline."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from balance.report import asking, sections, side_by_side, theme, words
from balance.report.blocks import Section

HERE = Path(__file__).parent
MINUS = "\N{MINUS SIGN}"
NO_BREAK = "\N{NO-BREAK SPACE}"
_ESCAPES = {ord(letter): f"\\u{ord(letter):04x}" for letter in "<>&\u2028\u2029"}


def render(results: Mapping[str, Any]) -> str:
    """The whole page as text; equal results give equal pages."""
    asked = asking.sentence(results)
    return laid_out(results["title"], asked, words.deck_note(results), sections.sections(results))


def render_together(found: Mapping[str, Any]) -> str:
    """The page of several runs, from what `analysis.side_by_side` found."""
    games = words.plural(sum(one["games"] for one in found["runs"]), "game")
    asked = f"What differs between these runs of {words.isolated(found['game_title'])}? {games} in all."
    return laid_out("Runs side by side", asked, "", side_by_side.sections(found))


def laid_out(title: str, asked: str, note: str, shown: Sequence[Section]) -> str:
    """A page of these sections, below its title, what was asked and played, and what to know of the deck."""
    scripts = [_asset(name) for name in ("plotly-cartesian.min.js", "page.js", "exports.js")]
    page = (
        _environment()
        .get_template("page.html.jinja")
        .render(
            title=title,
            asked=asked,
            sections=shown,
            style=Markup(theme.variables() + _asset("page.css")),
            note=note,
            policy=security_policy(*scripts),
            scripts=[Markup(script) for script in scripts],
            partners=theme.dark_partners(),
        )
    )
    return page.encode("utf-8", "replace").decode("utf-8")


def security_policy(*scripts: str) -> str:
    """The page's content-security policy: these scripts and no others, inline styles, no network at all."""
    digests = (
        base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")
        for script in scripts
    )
    allowed = " ".join(f"'sha256-{digest}'" for digest in digests)
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data: blob:; "
        "base-uri 'none'; form-action 'none'"
    )


def embedded(data: object) -> Markup:
    """Data as JSON that no HTML parser can take for markup, with keys sorted."""
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return Markup(text.translate(_ESCAPES))


def _asset(name: str) -> str:
    return (HERE / name).read_text(encoding="utf-8")


def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(HERE),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"embedded": embedded, "minus": _minus, "tied": _tied, "capital": words.capital}
    return environment


def _minus(number: str) -> str:
    """A number with a real minus sign, not to be broken over two lines."""
    return number.replace("-", MINUS).replace(" ", NO_BREAK) if number != words.NOTHING else "–"


def _tied(sentence: str) -> str:
    """A sentence whose percent signs stay with their numbers."""
    return sentence.replace(" %", f"{NO_BREAK}%")
