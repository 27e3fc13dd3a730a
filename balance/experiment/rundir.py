"""The folder of a run: where it lies, whose it is while in use, and what is in it.

- manifest.json: what is played: the experiment, every rule of every cell, policies, seed, versions
- progress: how far the run is, and all tallies (see `progress_file`)
- games/: one row for each game (see `rows`)
- results.json: the results; tables/*.csv the same as tables, report.html the same as a page
- verdict.json: what the gates of a check came to
- run.log: what happened when
"""

from __future__ import annotations

import errno
import json
import os
import shlex
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from balance import registry
from balance.errors import BalanceError, EnvironmentFault, nearest
from balance.experiment.files import TEMPORARY, as_json, write_whole
from balance.experiment.machine import versions
from balance.experiment.models import Experiment
from balance.experiment.plan import RUN_SCHEMA, Plan, PlannedCell
from balance.experiment.wording import name_of_run

RESULTS_SCHEMA = "balance.results/1"
REPORTS = Path("reports")
_MANIFEST_KEYS = {"digest", "title", "command", "experiment", "fingerprints", "part_games", "timing"}
MANIFEST, RESULTS, PROGRESS, LOG, LOCK = "manifest.json", "results.json", "progress", "run.log", ".lock"
_OTHER_STATE = "another state of the game (its rules or policies have changed since)"
_ELSEWHERE = "Choose another folder with --out."


def default_folder(plan: Plan) -> Path:
    """Where a run goes if nobody says: reports/<title>-<hash>, below the current folder."""
    return REPORTS / name_of_run(plan.experiment.title, plan.game.id, plan.digest)


class RunDir:
    """One run's folder."""

    def __init__(self, path: Path) -> None:
        """The folder at `path`, which need not exist yet."""
        self.path = path
        self._lock = FileLock(path / LOCK, timeout=0, thread_local=False)

    # ------------------------------------------------------------------------------------------ for the run

    def claim(self, plan: Plan, command: str = "", source: str = "") -> None:
        """Make the folder this run's own until `release`; BalanceError, and no change, if it is not free."""
        self._check(plan)
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            self._lock.acquire()
        except Timeout:
            raise BalanceError(
                f"The folder {self.path} is in use by another run.", "Wait for it, or stop it."
            ) from None
        except (OSError, NotImplementedError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            full = getattr(error, "errno", None) in (errno.ENOSPC, errno.EDQUOT)
            kind = EnvironmentFault if full else BalanceError
            raise kind(f"The folder {self.path} cannot be used: {reason}.", _ELSEWHERE) from error
        try:
            self._check(plan)
            self.clean()
            self._write_manifest(plan, command, source)
        except BaseException:
            self.release()
            raise

    def release(self) -> None:
        """Let others use the folder."""
        self._lock.release()

    @property
    def progress(self) -> Path:
        """The file that says how far the run is."""
        return self.path / PROGRESS

    def part(self, cell: PlannedCell, part: int) -> Path:
        """The file with the rows of one part of a cell."""
        return self.path / "games" / cell.folder / f"part-{part:04}.parquet"

    def clean(self) -> None:
        """Remove what was left half-written."""
        for left in self.path.rglob(f"{TEMPORARY}*"):
            with suppress(OSError):
                left.unlink(missing_ok=True)

    def log(self, sentence: str) -> None:
        """Add a line to run.log; a log that cannot be written stops nothing."""
        line = f"{utc_now()} {sentence}\n"
        with (
            suppress(OSError),
            open(self.path / LOG, "a", encoding="utf-8", errors="backslashreplace") as file,
        ):
            file.write(line)

    def save_results(self, results: Mapping[str, Any], tables: Mapping[str, str]) -> None:
        """Write results.json, and each table as tables/<name>.csv."""
        for name, text in tables.items():
            write_whole(self.path / "tables" / f"{name}.csv", text.encode("utf-8"))
        write_whole(self.path / RESULTS, as_json(results))

    # ------------------------------------------------------------------------------------------ reading back

    @classmethod
    def open(cls, path: Path | str) -> RunDir:
        """The run in a folder; BalanceError where there is none that this version can read."""
        found = cls(Path(path))
        if found.path.is_file():
            raise BalanceError(f"{found.path} is a file, not the folder of a run.{_near(found.path)}")
        if not found.path.is_dir():
            raise BalanceError(f"There is no folder {found.path}.{_near(found.path)}")
        if not (found.path / MANIFEST).exists():
            raise BalanceError(f"The folder {found.path} holds no run: {MANIFEST} is missing.")
        _ = found.manifest
        return found

    @property
    def manifest(self) -> dict[str, Any]:
        """What is played in this run."""
        found = self._read(MANIFEST, RUN_SCHEMA)
        if not _MANIFEST_KEYS <= found.keys():
            raise self._damaged(MANIFEST)
        return found

    @property
    def results(self) -> dict[str, Any]:
        """The results; BalanceError if the run has none yet."""
        if not (self.path / RESULTS).exists():
            raise BalanceError(
                f"The run in {self.path} has no results yet: it was not finished.",
                f"To finish it, give its command again: {self.command_again}",
            )
        return self._read(RESULTS, RESULTS_SCHEMA)

    def plan(self) -> Plan:
        """The plan of this run, to play its games again; BalanceError if they would not be the same games."""
        manifest = self.manifest
        experiment = Experiment.model_validate(manifest["experiment"])
        plan = Plan(experiment, manifest["part_games"], manifest.get("stopping"))
        try:
            same = plan.digest == manifest["digest"]
        except KeyError:  # a policy that the game has no more
            same = False
        if not same:
            raise BalanceError(
                f"The run in {self.path} was played by {_OTHER_STATE}: its games cannot be played again.",
                "Run the experiment again with the game as it is now.",
            )
        return plan

    def read_part(self, path: Path, asked: Callable[[Any], Any]) -> Any:
        """What is asked of a file of rows (a lazy frame from a lazy frame); BalanceError if it is damaged."""
        import polars

        if str(path) != str(path).encode("utf-8", "replace").decode("utf-8"):
            raise BalanceError(f"{path} cannot be read: its name is not UTF-8.", "Rename the folder.")
        try:
            return asked(polars.scan_parquet(path)).collect()
        except (polars.exceptions.PolarsError, polars.exceptions.PanicException, OSError) as error:
            hint = f"Remove it and give the run's command again: {self.command_again}"
            raise BalanceError(f"{path} is damaged.", hint) from error

    @property
    def command_again(self) -> str:
        """What to type to go on with this run."""
        command = self.manifest["command"] or "balance run"
        if self.path.parent == REPORTS:
            return command
        return f"{command} --out {shlex.quote(str(self.path))}"

    def replay_command(self, game: int, cell: str) -> str:
        """What to type to see one of its games again."""
        path = str(self.path)
        path = f"./{path}" if path in registry.names() or path.startswith("-") else path
        return shlex.join(["balance", "replay", path, "--game", str(game), "--cell", cell])

    # ------------------------------------------------------------------------------------------ inside

    def _check(self, plan: Plan) -> None:
        """Refuse a folder that is not empty and not this very run's."""
        try:
            self.path.exists()
        except OSError as error:  # a name that is too long, say
            raise BalanceError(
                f"The folder {self.path} cannot be used: {error.strerror}.", _ELSEWHERE
            ) from error
        if self.path.exists() and not self.path.is_dir():
            raise BalanceError(f"{self.path} is a file, not a folder.", _ELSEWHERE)
        if (self.path / MANIFEST).exists():
            manifest = self.manifest
            if manifest["digest"] != plan.digest:
                what = f'a different experiment ("{manifest["title"]}")'
                if manifest["experiment"] == plan.experiment.model_dump(mode="json"):
                    what = f"a run that was played by {_OTHER_STATE}"
                raise BalanceError(f"The folder {self.path} holds {what}. Nothing was changed.", _ELSEWHERE)
        elif self.path.exists() and any(not _ours(name) for name in _names(self.path)):
            sentence = f"The folder {self.path} holds something that is not a run. Nothing was changed."
            raise BalanceError(sentence, _ELSEWHERE)

    def _write_manifest(self, plan: Plan, command: str, source: str) -> None:
        manifest = _manifest(plan, command, source)
        known = self.manifest if (self.path / MANIFEST).exists() else None
        created = known.pop("timing") if known else {"created": utc_now()}
        if known != json.loads(as_json(manifest)):
            try:
                write_whole(self.path / MANIFEST, as_json(manifest | {"timing": created}))
            except EnvironmentFault as error:
                raise EnvironmentFault(error.message, _ELSEWHERE) from error

    def _read(self, name: str, schema: str) -> dict[str, Any]:
        path = self.path / name
        try:
            found = json.loads(path.read_bytes())
            written = found["schema"]
        except OSError as error:
            raise BalanceError(f"{path} cannot be read: {error.strerror}.") from error
        except (ValueError, TypeError, KeyError) as error:
            raise self._damaged(name) from error
        if written != schema:
            layout = f'its layout is "{written}", not "{schema}"'
            raise BalanceError(f"{path} was written by another version of balance: {layout}.")
        return dict(found)

    def _damaged(self, name: str) -> BalanceError:
        hint = "Remove the folder, or run into another with --out."
        return BalanceError(f"{self.path / name} is damaged.", hint)


def utc_now() -> str:
    """The time in ISO form, to the second, in UTC."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _manifest(plan: Plan, command: str, source: str) -> dict[str, Any]:
    experiment = plan.experiment
    cells = [
        {
            "variant": cell.cell.variant,
            "players": cell.players,
            "mode": cell.cell.mode,
            "level": cell.cell.level,
            "rules": cell.cell.rules.as_data(),
            "changes": cell.cell.changes,
            "policies": list(cell.slots),
            "rotations": cell.rotations,
            "games": cell.games,
            "folder": cell.folder,
            **({"ban": cell.cell.ban.model_dump()} if cell.cell.ban else {}),
            **({"teams": cell.teams} if cell.has_teams else {}),
        }
        for cell in plan.cells
    ]
    return {
        "schema": RUN_SCHEMA,
        "digest": plan.digest,
        "title": experiment.title,
        "command": command,
        "experiment": experiment.model_dump(mode="json"),
        "source": source,
        "cells": cells,
        "policies": plan.identity["policies"],
        "seed": experiment.run.seed,
        "confidence": experiment.run.confidence,
        "part_games": plan.part_games,
        **({"stopping": plan.stopping} if plan.stopping else {}),
        "rules_version": plan.game.rules_version,
        "fingerprints": {"loop": plan.loop.fingerprint},
        "versions": versions(),
    }


def _near(path: Path) -> str:
    """The end of a sentence about something that is no run: which run may have been meant, or ''."""
    if (path.parent / MANIFEST).is_file():
        return f' Did you mean "{path.parent}"?'
    runs = (manifest.parent for folder in (path.parent, REPORTS) for manifest in folder.glob(f"*/{MANIFEST}"))
    return nearest(str(path), map(str, runs))


def _names(folder: Path) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError as error:
        raise BalanceError(f"The folder {folder} cannot be read: {error.strerror}.", _ELSEWHERE) from error


def _ours(name: str) -> bool:
    """What a run leaves in its folder before the manifest is written."""
    return name == LOCK or name.startswith(TEMPORARY)
