"""Commands as users give them: in this process where that is enough, in one of their own where it is not."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from balance import cli

QUICK = ("run", "animalia", "--players", "4", "--games", "60")
"""The smallest run worth its name; its results lie in `--out DIR`."""
TIMED = ("results.json", "manifest.json")
"""Files with a part `timing`, which may differ between equal runs."""


@dataclass(frozen=True)
class Ended:
    """What became of a command."""

    code: int
    out: str
    err: str

    @property
    def faults(self) -> list[str]:
        """The sentences about what is wrong, without the hints below them."""
        return [line for line in self.err.splitlines() if not line.startswith("  ")]


def in_process(patch: pytest.MonkeyPatch, *arguments: str) -> Ended:
    """The command in this process."""
    out, err = io.StringIO(), io.StringIO()
    patch.setattr(sys, "argv", ["balance", *arguments])
    patch.setattr(sys, "path", list(sys.path))
    patch.setattr(sys, "stdout", out)
    patch.setattr(sys, "stderr", err)
    with pytest.raises(SystemExit) as left:
        cli.main()
    return Ended(int(left.value.code or 0), out.getvalue(), err.getvalue())


def start(folder: Path, *arguments: str, env: Mapping[str, str] | None = None) -> subprocess.Popen[str]:
    """The command in a process of its own, under way."""
    return subprocess.Popen(
        [sys.executable, "-m", "balance", *arguments],
        cwd=folder,
        env={**os.environ, **(env or {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )


def end(process: subprocess.Popen[str], read: str = "") -> Ended:
    """Wait for the command; `read` is what has been taken from its standard error."""
    out, err = process.communicate(timeout=60)
    return Ended(process.returncode, out, read + err)


def read_until(process: subprocess.Popen[str], words: str) -> str:
    """Its standard error up to the line with these words."""
    assert process.stderr is not None
    seen = ""
    while words not in seen:
        line = process.stderr.readline()
        assert line, f"it ended without saying {words!r}:\n{seen}"
        seen += line
    return seen


def own_process(folder: Path, *arguments: str, env: Mapping[str, str] | None = None) -> Ended:
    """The command in a process of its own, to its end."""
    return end(start(folder, *arguments, env=env))


def shell(folder: Path, line: str, env: Mapping[str, str] | None = None) -> Ended:
    """A line of the shell, in which `balance` is this one's."""
    command = f'balance() {{ "{sys.executable}" -m balance "$@"; }}\n{line}'
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env={**os.environ, **(env or {})},
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    return Ended(done.returncode, done.stdout, done.stderr)


def files_in(folder: Path) -> dict[str, bytes]:
    """The files below a folder and what is in them."""
    found = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def played(folder: Path) -> dict[str, Any]:
    """All that equal runs have in common: every file but logs, locks and the page, less the part `timing`."""
    found: dict[str, Any] = dict(files_in(folder))
    for name in ("run.log", ".lock", "report.html"):
        found.pop(name, None)
    for name in TIMED:
        data = json.loads(found[name])
        del data["timing"]
        found[name] = data
    return found
