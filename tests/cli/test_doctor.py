"""balance doctor: what it looks at, and each thing that it can find wrong."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from balance import registry
from balance.engine import cache
from balance.errors import BalanceError
from balance.experiment import doctor, machine
from balance.experiment.doctor import Finding, examined

from .commands import Ended, own_process

Command = Callable[..., Ended]


@pytest.fixture(autouse=True)
def _healthy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """A machine with nothing wrong, whatever this one is like."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LANG", "C.UTF-8")
    for name in ("LC_ALL", "NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK", "NUMBA_OPT", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(machine, "default_threads", lambda: os.cpu_count() or 1)
    monkeypatch.setattr(doctor, "SCARCE", 1)
    monkeypatch.setenv("BALANCE_CACHE_DIR", str(tmp_path / "cache"))
    cache.cache_folder.cache_clear()
    yield
    cache.cache_folder.cache_clear()


def only() -> Finding:
    """The one thing that is found."""
    findings, _ = examined()
    assert len(findings) == 1, findings
    [finding] = findings
    assert finding.sentence.endswith(".")
    assert finding.advice
    return finding


# ---------------------------------------------------------------- nothing wrong


def test_nothing_is_wrong(balance: Command) -> None:
    ended = balance("doctor")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith("Nothing is wrong.\n\nbalance       0.1.0, Python ")
    for name in (
        "numba",
        "llvmlite",
        "numpy",
        "polars",
        "plotly",
        "processor",
        "threads",
        "cache",
        "locale",
        "terminal",
    ):
        assert f"\n{name:14}" in ended.out
    assert "unknown" not in ended.out
    assert "missing" not in ended.out


def test_the_same_as_json(balance: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_OPT", "1")
    ended = balance("doctor", "--format", "json")
    assert (ended.code, ended.err) == (0, "")
    report = json.loads(ended.out)
    assert report["facts"]["games"] == ", ".join(registry.names())
    assert [finding["level"] for finding in report["findings"]] == ["note"]


def test_problems_come_first_and_each_has_something_to_do(
    balance: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANG", "C")
    monkeypatch.setattr(doctor, "SCARCE", 10**18)
    ended = balance("doctor")
    assert ended.code == 0
    lines = ended.out.split("\n\n")[0].splitlines()
    assert [line.split(":")[0] for line in lines if not line.startswith(" ")] == [
        "problem",
        "problem",
        "note",
    ]
    assert max(map(len, lines)) <= 80 or all(" " not in line.strip() for line in lines if len(line) > 80)
    assert "  Choose one that does: export LANG=C.UTF-8" in lines


# ---------------------------------------------------------------- the installation


def test_a_package_that_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    known = doctor.version

    def version(name: str) -> str:
        if name == "plotly":
            raise doctor.PackageNotFoundError
        return known(name)

    monkeypatch.setattr(doctor, "version", version)
    assert only().sentence == "The package plotly is not installed."


def broken(folder: Path, package: str) -> dict[str, str]:
    """An environment in which a package cannot be imported."""
    (folder / package).mkdir()
    (folder / package / "__init__.py").write_text("raise ImportError('libsomething.so: no such file')\n")
    return {"PYTHONPATH": str(folder)}


@pytest.mark.parametrize("package", ["numba", "numpy", "polars"])
def test_a_package_that_cannot_be_loaded(tmp_path: Path, package: str) -> None:
    ended = own_process(tmp_path, "doctor", "--format", "json", env=broken(tmp_path, package))
    assert (ended.code, ended.err) == (0, "")
    report = json.loads(ended.out)
    sentences = [finding["sentence"] for finding in report["findings"] if finding["level"] == "problem"]
    assert (
        sentences[0] == f"The package {package} cannot be loaded: ImportError: libsomething.so: no such file."
    )
    assert report["facts"]["processor"]


def test_somebody_elses_package_of_the_same_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known = tmp_path / "site" / "balance-0.17.0.dist-info"
    known.mkdir(parents=True)
    (known / "METADATA").write_text("Metadata-Version: 2.1\nName: balance\nVersion: 0.17.0\n")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    finding = only()
    assert finding.level == "problem"
    assert finding.sentence.startswith('Another package called "balance" (version 0.17.0) is installed;')
    assert "pip uninstall balance boardgame-balance" in finding.advice


def test_no_games_and_a_game_that_cannot_be_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    def load(name: str) -> None:
        raise BalanceError(f'The game "{name}" cannot be loaded.')

    monkeypatch.setattr(registry, "names", lambda: ["chess"])
    monkeypatch.setattr(registry, "load", load)
    assert only().sentence == 'The game "chess" cannot be loaded.'
    monkeypatch.setattr(registry, "names", list)
    assert only().sentence.startswith("No game is installed")


# ---------------------------------------------------------------- the machine


def test_fewer_cores_than_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 8)
    monkeypatch.setattr(machine, "default_threads", lambda: 2)
    assert only().sentence.startswith("Only 2 of 8 cores may be used")
    assert examined()[1]["threads"] == "2, of 8 cores"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (
            "model name\t: Fast 9000\nflags\t\t: fpu avx2 bmi2 sse4_2\nmodel name\t: Fast 9000\n",
            "Fast 9000, sse4_2, avx2, bmi2",
        ),
        ("processor: 0\nFeatures : fp asimd\n", f"{machine.describe().split(', ')[1]}, asimd"),
        ("", machine.describe().split(", ")[1]),
    ],
)
def test_the_processor(text: str, shown: str) -> None:
    assert doctor._processor(text) == shown


@pytest.mark.parametrize(
    ("name", "level"),
    [("NUMBA_DISABLE_JIT", "problem"), ("NUMBA_BOUNDSCHECK", "note"), ("NUMBA_OPT", "note")],
)
def test_a_switch_of_the_compiler(monkeypatch: pytest.MonkeyPatch, name: str, level: str) -> None:
    monkeypatch.setenv(name, "1")
    finding = only()
    assert finding.level == level
    assert finding.sentence.startswith(f"{name} is set: ")
    monkeypatch.setenv(name, "0")
    assert examined()[0] == []


# ---------------------------------------------------------------- disks


def test_a_damaged_file_in_the_cache(tmp_path: Path) -> None:
    folder = cache.cache_folder()
    assert folder is not None
    cache._write_whole(folder / "whole.bin", cache.hashlib.sha256(b"code").digest() + b"code")
    assert examined()[0] == []
    (folder / "game.bin").write_bytes(b"half of it")
    finding = only()
    assert finding.level == "note"
    assert finding.sentence == f"The file {folder / 'game.bin'} is damaged."
    assert examined()[1]["cache"] == f"{tmp_path}/cache/compiled, 2 files, 0.0 MB"


def test_a_cache_that_cannot_be_written_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("BALANCE_CACHE_DIR", str(tmp_path / "file"))
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "second"))
    cache.cache_folder.cache_clear()
    finding = only()
    assert finding.level == "problem"
    assert finding.sentence.startswith(f"Compiled code cannot be kept in {tmp_path}/file")
    cache.cache_folder.cache_clear()
    monkeypatch.setattr(cache, "_candidates", lambda: iter([tmp_path / "file"]))
    findings, facts = examined()
    assert "it is compiled anew each time" in findings[0].sentence
    assert facts["cache"] == "none"


def test_a_disk_that_is_nearly_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "SCARCE", 10**9)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=5 * 10**6))
    findings, facts = examined()
    assert [finding.sentence.split(" in ")[0] for finding in findings] == ["Only 5 MB are free"] * 2
    assert facts["room, reports"] == "0.0 GB free"


def test_a_folder_that_cannot_be_written_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "reports").mkdir()
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert only().sentence == f"Nothing can be written to {tmp_path}/reports, where reports go."


def test_a_folder_that_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert only().sentence == "The current folder is gone."
    monkeypatch.chdir(tmp_path)


def test_without_a_home(tmp_path: Path) -> None:
    bare = {"HOME": "", "XDG_CACHE_HOME": "", "BALANCE_CACHE_DIR": "", "NUMBA_CACHE_DIR": "", "LANG": "C"}
    ended = own_process(tmp_path, "doctor", env={**bare, "TMPDIR": tempfile.gettempdir()})
    assert (ended.code, ended.err) == (0, "")
    assert "note: The locale (LANG=C) does not say UTF-8" in ended.out


# ---------------------------------------------------------------- the terminal


@pytest.mark.parametrize(
    ("name", "value"), [("LANG", "C"), ("LANG", ""), ("LC_ALL", "POSIX"), ("LANG", "de_DE.ISO-8859-1")]
)
def test_a_locale_that_is_not_utf_8(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(name, value)
    finding = only()
    assert finding.level == "note"
    assert (f"({name}={value})" if value else "(not set)") in finding.sentence


def test_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", SimpleNamespace(isatty=lambda: True, encoding="utf-8"))
    monkeypatch.setenv("COLUMNS", "60")
    assert only().sentence == "The terminal has 60 columns; tables have 80."
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("TERM", "dumb")
    findings, facts = examined()
    assert findings == []
    assert facts["terminal"] == "120 columns, no colors, utf-8"


def test_it_does_not_need_what_it_looks_for(tmp_path: Path) -> None:
    """Nothing heavy is loaded before the looking begins, so nothing that is broken can stop it."""
    script = "import sys, balance.experiment.doctor; print('numpy' in sys.modules, 'pydantic' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["False", "False"]
