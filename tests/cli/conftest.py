from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from .commands import QUICK, Ended, in_process


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, which is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def balance(here: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ended]:  # noqa: ARG001
    """`balance("run", "animalia")` in an empty folder: a command in this process, so without its start."""

    def command(*arguments: object) -> Ended:
        with monkeypatch.context() as patch:
            return in_process(patch, *map(str, arguments))

    return command


@pytest.fixture(scope="session")
def _quick(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("quick")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert in_process(patch, *QUICK, "--out", "r").code == 0
    return folder / "r"


@pytest.fixture
def finished(here: Path, _quick: Path) -> Path:
    """The folder `r` of a finished run of `QUICK` in the current folder."""
    shutil.copytree(_quick, here / "r")
    return here / "r"
