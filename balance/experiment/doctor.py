"""What there is on a machine and in an installation, and what is wrong with it; works where little else does.

So nothing but Python's own library is imported before it is needed, and what fails then is a finding.
"""

from __future__ import annotations

import os
import shutil
import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from balance import __version__
from balance.experiment import machine

PACKAGES = ("numba", "llvmlite", "numpy", "polars", "plotly")
DISTRIBUTION, NAMESAKE = "boardgame-balance", "balance"
"""Ours on the package index, and somebody else's that installs a package of the same name."""
SCARCE = 1_000_000_000
"""Bytes on a disk below which a large run may not find room for its rows."""
NARROW = 80
_FEATURES = ("sse4_2", "avx2", "bmi2", "avx512f", "asimd", "sve")
"""What the compiler makes use of, as the system spells it."""
_SWITCHES = {
    "NUMBA_DISABLE_JIT": "nothing is compiled, so games are played hundreds of times slower",
    "NUMBA_BOUNDSCHECK": "every access is checked, so games are played slower",
    "NUMBA_OPT": "the compiler optimizes otherwise than usual",
}
_CPU = Path("/proc/cpuinfo")
_INSTALL = (
    "Install it anew, best into an environment of its own: pip install --force-reinstall boardgame-balance"
)
Facts = dict[str, str]


@dataclass(frozen=True)
class Finding:
    """Something out of the ordinary: a `problem` or a `note`, in a sentence, and what to do about it."""

    level: str
    sentence: str
    advice: str


def problem(sentence: str, advice: str) -> Finding:
    """Something that keeps a part of the tool from working, or makes it much slower."""
    return Finding("problem", sentence, advice)


def note(sentence: str, advice: str) -> Finding:
    """Something worth knowing."""
    return Finding("note", sentence, advice)


def examined() -> tuple[list[Finding], Facts]:
    """All findings, problems first, and the facts by name."""
    facts: Facts = {"balance": f"{__version__}, Python {sys.version.split()[0]}"}
    found = [
        finding
        for look in (versions, namesake, games, cores, switches, cache, disks, language, terminal)
        for finding in look(facts)
    ]
    return sorted(found, key=lambda finding: finding.level != "problem"), facts


# ---------------------------------------------------------------- the installation


def versions(facts: Facts) -> Iterator[Finding]:
    """The packages that the tool is made with; the compiler and the tables are loaded to see that they work."""
    for package in PACKAGES:
        try:
            facts[package] = version(package)
        except PackageNotFoundError:
            facts[package] = "missing"
            yield problem(f"The package {package} is not installed.", _INSTALL)
    for package in ("numpy", "numba", "polars"):
        reason = "" if facts[package] == "missing" else _failure(package)
        if reason:
            yield problem(f"The package {package} cannot be loaded: {reason}.", _INSTALL)


def _failure(package: str) -> str:
    """Why a package cannot be loaded; '' where it can."""
    try:
        __import__(package)
    except Exception as error:
        return f"{type(error).__name__}: {' '.join(str(error).split()).rstrip('.')}"
    return ""


def namesake(facts: Facts) -> Iterator[Finding]:
    """The package index has another `balance`; whichever is installed last overwrites files of the other."""
    facts["installed in"] = str(Path(__file__).parents[1])
    try:
        other = version(NAMESAKE)
    except PackageNotFoundError:
        return
    yield problem(
        f'Another package called "{NAMESAKE}" (version {other}) is installed; both have their files in one folder.',
        f"Use an environment of its own, or: pip uninstall {NAMESAKE} {DISTRIBUTION}; pip install {DISTRIBUTION}",
    )


def games(facts: Facts) -> Iterator[Finding]:
    """Every installed game can be loaded."""
    try:
        from balance import registry
        from balance.errors import BalanceError

        names = registry.names()
    except Exception as error:
        facts["games"] = "unknown"
        yield problem(f"Games cannot be loaded: {type(error).__name__}: {error}.", _INSTALL)
        return
    facts["games"] = ", ".join(names) or "none"
    if not names:
        yield problem(
            "No game is installed: Python does not know this package as an installed one.", _INSTALL
        )
    for name in names:
        try:
            registry.load(name)
        except BalanceError as error:
            yield problem(error.message, error.hint or "Update or remove the package that it comes with.")


# ---------------------------------------------------------------- the machine


def cores(facts: Facts) -> Iterator[Finding]:
    """The processor, and how much of it may be used."""
    facts["processor"] = _processor(_read(_CPU))
    there, used = os.cpu_count() or 1, machine.default_threads()
    facts["threads"] = f"{used}, of {there} core{'s' if there > 1 else ''}"
    if used < there:
        sentence = (
            f"Only {used} of {there} cores may be used: this process, or its container, is held to them."
        )
        yield note(sentence, "Allow it more cores where games should be played faster.")


def _processor(text: str) -> str:
    """Its name and the features that matter, from the system's description."""
    lines = [line.partition(":") for line in text.splitlines()]
    known = {key.strip().lower(): value.strip() for key, _, value in reversed(lines)}
    name = known.get("model name") or machine.describe().split(", ")[1]
    flags = (known.get("flags") or known.get("features") or "").split()
    return ", ".join([name, *(feature for feature in _FEATURES if feature in flags)])


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def switches(facts: Facts) -> Iterator[Finding]:
    """Settings of the compiler in the environment."""
    on = {name: os.environ[name] for name in _SWITCHES if os.environ.get(name, "") not in ("", "0")}
    facts["switches"] = ", ".join(f"{name}={value}" for name, value in on.items()) or "none"
    for name in on:
        kind = problem if name == "NUMBA_DISABLE_JIT" else note
        yield kind(f"{name} is set: {_SWITCHES[name]}.", f"Unless this is meant: unset {name}")


# ---------------------------------------------------------------- disks


def cache(facts: Facts) -> Iterator[Finding]:
    """The folder of compiled code: its place, its size, and whether what lies there is whole."""
    facts["cache"] = "unknown"
    try:
        from balance.engine.cache import CacheWarning, cache_folder, damaged
    except Exception:  # without the compiler, which is a finding of its own
        return
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always", CacheWarning)
        folder = cache_folder()
    for one in heard:
        advice = "Name a folder that can be written to: export BALANCE_CACHE_DIR=FOLDER"
        yield problem(str(one.message), advice)
    if folder is None:
        facts["cache"] = "none"
        return
    files = sorted(folder.glob("*.bin"))
    size = sum(path.stat().st_size for path in files)
    facts["cache"] = f"{folder}, {len(files)} file{'s' if len(files) != 1 else ''}, {size / 1e6:.1f} MB"
    for path in files:
        if damaged(path):
            sentence = f"The file {path} is damaged."
            yield note(sentence, f"Nothing need be done, it is compiled anew; or remove it: rm '{path}'")
    yield from _room(folder, "compiled code", facts, "room, cache")


def disks(facts: Facts) -> Iterator[Finding]:
    """The current folder, where reports/ goes."""
    try:
        here = Path.cwd()
    except OSError:
        yield problem(
            "The current folder is gone.", "Go to another one, or give runs a folder with --out DIR."
        )
        return
    place = here / "reports" if (here / "reports").is_dir() else here
    if not os.access(place, os.W_OK):
        sentence = f"Nothing can be written to {place}, where reports go."
        yield problem(sentence, "Go to another folder, or give runs one with --out DIR.")
    yield from _room(place, "reports", facts, "room, reports")


def _room(folder: Path, what: str, facts: Facts, fact: str) -> Iterator[Finding]:
    try:
        free = shutil.disk_usage(folder).free
    except OSError:
        return
    facts[fact] = f"{free / 1e9:.1f} GB free"
    if free < SCARCE:
        sentence = f"Only {free / 1e6:.0f} MB are free in {folder}, where {what} lie."
        yield problem(sentence, "Make room, or use a folder on another disk.")


# ---------------------------------------------------------------- the terminal


def language(facts: Facts) -> Iterator[Finding]:
    """Whether the locale says that text is UTF-8, which is what we write."""
    said = next((f"{name}={os.environ[name]}" for name in ("LC_ALL", "LANG") if os.environ.get(name)), "")
    facts["locale"] = said or "not set"
    if os.name == "posix" and "utf8" not in said.lower().replace("-", ""):
        sentence = (
            f"The locale ({facts['locale']}) does not say UTF-8, so accents and signs may be shown wrongly."
        )
        yield note(sentence, "Choose one that does: export LANG=C.UTF-8")


def terminal(facts: Facts) -> Iterator[Finding]:
    """What tables and progress are shown on."""
    if not sys.stdout.isatty():
        facts["terminal"] = "none (output goes to a file or a pipe)"
        return
    width = shutil.get_terminal_size((NARROW, 24)).columns
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    facts["terminal"] = f"{width} columns, {'no colors' if plain else 'colors'}, {sys.stdout.encoding}"
    if width < NARROW:
        yield note(f"The terminal has {width} columns; tables have {NARROW}.", "Make its window wider.")
