"""How far a run has come and what is known so far: one file, rewritten whole after each step.

Its first line is the digest of the rest, so that a damaged file is noticed. The second line says which run it
belongs to and how many steps are finished, and each further line is the tally of one cell.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from balance.experiment.files import write_whole
from balance.experiment.plan import Plan
from balance.experiment.tally import Tally


class DamagedError(Exception):
    """The file of a run's progress cannot be used."""


@dataclass(frozen=True)
class Saved:
    """How many steps are finished, the tally of each cell, and what tells this build's games from another's."""

    steps: int
    tallies: tuple[Tally, ...]
    games_digest: str = ""
    """That of the run's fixed games (see `proof`); '' before they are played."""
    lopsided: Mapping[str, Any] | None = None
    """The most lopsided deals, played again (see there); None before all steps are finished."""
    leads: Mapping[str, Any] | None = None
    """Who led when (see there); None before all steps are finished."""
    logs: Mapping[str, Any] | None = None
    """Games to be read (see there); None before all steps are finished."""


class ProgressFile:
    """The file with the progress of one run."""

    def __init__(self, path: Path, plan: Plan) -> None:
        """The file at `path` for this plan."""
        self._path, self._plan = path, plan
        self._lines: dict[int, tuple[Tally, str]] = {}

    def load(self) -> Saved:
        """What was saved, or nothing if there is no file; DamagedError when it cannot be used."""
        try:
            content = self._path.read_bytes()
        except FileNotFoundError:
            return Saved(0, (Tally(),) * len(self._plan.cells))
        except OSError as error:
            raise DamagedError(str(error)) from error
        digest, _, body = content.partition(b"\n")
        if digest != _digest(body):
            raise DamagedError("The digest is wrong.")
        head, *lines = [json.loads(line) for line in body.splitlines()]
        if head["run"] != self._plan.digest:
            raise DamagedError("It belongs to another run.")
        tallies = tuple(Tally.from_dict(line) for line in lines)
        again = (head.get(name) for name in ("lopsided", "leads", "logs"))
        return Saved(head["steps"], tallies, head.get("games_digest", ""), *again)

    def save(self, saved: Saved) -> None:
        """Put this progress in the place of the one before."""
        facts = {"run": self._plan.digest, "steps": saved.steps, "games_digest": saved.games_digest}
        again = {"lopsided": saved.lopsided, "leads": saved.leads, "logs": saved.logs}
        head = json.dumps({**facts, **again})
        lines = [self._line(index, tally) for index, tally in enumerate(saved.tallies)]
        body = "\n".join([head, *lines]).encode()
        write_whole(self._path, _digest(body) + b"\n" + body)

    def _line(self, index: int, tally: Tally) -> str:
        """The tally as text; most cells have not changed since the last time."""
        if index not in self._lines or self._lines[index][0] is not tally:
            self._lines[index] = (tally, json.dumps(tally.as_dict(), separators=(",", ":")))
        return self._lines[index][1]


def _digest(body: bytes) -> bytes:
    return hashlib.sha256(body).hexdigest().encode()
