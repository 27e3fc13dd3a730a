"""Fresh Python processes that use kernels, and tell what they compiled."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path

import balance

ROOT = Path(balance.__file__).parents[1]
_TELL = """
from numba.core import event

class _Compiled(event.Listener):
    names = []
    def on_start(self, event):
        self.names.append(event.data["dispatcher"].py_func.__name__)
    def on_end(self, event):
        pass

event.register("numba:compile", _Compiled())
"""


@dataclass
class Finished:
    """What a process printed, the kernels that it had to compile, and its complaints."""

    lines: list[str]
    compiled: list[str]
    complaints: str


class Fresh:
    """A fresh Python process, already running; packages in `places` are found before all others."""

    def __init__(self, script: str, *places: Path, **environment: str) -> None:
        path = os.pathsep.join(str(place) for place in (*places, ROOT))
        settings = {"PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1", **environment}
        whole = f"{_TELL}\n{textwrap.dedent(script)}\nprint(*_Compiled.names)"
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", whole],
            env={**os.environ, **settings},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def finish(self) -> Finished:
        """Wait for it."""
        out, complaints = self._process.communicate(timeout=300)
        assert self._process.returncode == 0, complaints
        *lines, names = out.splitlines()
        return Finished(lines, names.split(), complaints)
