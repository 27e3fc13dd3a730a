"""Small packages of kernels, written to disk as an author would write them, and edited."""

from __future__ import annotations

import importlib
import sys
from itertools import count
from pathlib import Path
from types import ModuleType

NAME = "edited_game"
SOURCES = {
    "__init__": "",
    "numbers": """
        import numpy as np

        BONUS = 3
        UNRELATED = 1
        TABLE = np.array([1, 2, 4], dtype=np.int64)
        """,
    "far": """
        from balance.engine import kernel
        from edited_game.numbers import BONUS, TABLE

        @kernel
        def worth(value):
            return TABLE[value % 3] + BONUS

        @kernel
        def not_reached(value):
            return value
        """,
    "near": """
        from balance.engine import kernel
        from edited_game.far import worth

        @kernel
        def twice(value):
            return 2 * worth(value)
        """,
    "top": """
        from balance.engine import kernel
        from edited_game.near import twice

        @kernel
        def placeholder(value):
            return 0

        @kernel
        def other(value):
            return 7

        @kernel
        def total(n):
            \"\"\"The sum of some values.\"\"\"
            found = 0
            for i in range(n):  # each value
                found += twice(i) + placeholder(i)
            return found
        """,
}
"""`total` in top calls `twice` in near, which calls `worth` in far, which reads numbers."""


def write(folder: Path, edits: dict[tuple[str, str], str] | None = None) -> Path:
    """Write the package into `folder`, with pieces of its text replaced; {(module, old text): new text}."""
    place = folder / NAME
    place.mkdir(parents=True)
    for module, source in SOURCES.items():
        lines = source.splitlines()
        text = "\n".join(line.removeprefix("        ") for line in lines)
        for (edited, old), new in (edits or {}).items():
            if edited == module:
                assert old in text
                text = text.replace(old, new)
        (place / f"{module}.py").write_text(text, "utf-8")
    return folder


class Packages:
    """Imports one version of the package after another, each from a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._numbers = folder, count()

    def load(self, edits: dict[tuple[str, str], str] | None = None) -> ModuleType:
        """The module `top` of the package with these edits."""
        folder = write(self._folder / str(next(self._numbers)), edits)
        self.forget()
        importlib.invalidate_caches()
        sys.path.insert(0, str(folder))
        try:
            return importlib.import_module(f"{NAME}.top")
        finally:
            sys.path.remove(str(folder))

    @staticmethod
    def forget() -> None:
        """Import the package anew next time."""
        for module in [name for name in sys.modules if name.split(".")[0] == NAME]:
            del sys.modules[module]
