"""The machine we run on: how many cores may be used, and what to write down about it."""

from __future__ import annotations

import math
import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from balance import __version__

_CGROUPS = Path("/sys/fs/cgroup")
_OWN_CGROUP = Path("/proc/self/cgroup")


def default_threads() -> int:
    """The cores that this process may use: its affinity, and the quota of the container it runs in."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    quota = cpu_quota(_CGROUPS, _OWN_CGROUP)
    return max(1, min(cores, math.ceil(quota))) if quota else cores


def cpu_quota(root: Path, own: Path) -> float | None:
    """How many cores' time the control groups grant (the least of all levels); None without a limit."""
    limits = [_read_v1(root / "cpu")]
    folder = root / _relative(own)
    while True:
        limits.append(_read_v2(folder / "cpu.max"))
        if folder == root:
            return min((limit for limit in limits if limit is not None), default=None)
        folder = folder.parent


def describe() -> str:
    """The machine in a few words."""
    cores = os.cpu_count() or 1
    return f"{cores} core{'s' if cores > 1 else ''}, {platform.machine()}, {platform.system()}"


def versions() -> dict[str, str]:
    """The versions of what results were made with."""
    found = {"balance": __version__, "python": platform.python_version()}
    for package in ("numba", "numpy", "polars"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "unknown"
    return found


def _relative(own: Path) -> Path:
    """Where this process lies in the tree of control groups (version 2)."""
    lines = _text(own).splitlines()
    paths = [line.removeprefix("0::").strip("/") for line in lines if line.startswith("0::")]
    return Path(paths[0]) if paths and ".." not in paths[0] else Path()


def _read_v2(file: Path) -> float | None:
    quota, _, period = _text(file).strip().partition(" ")
    return int(quota) / int(period) if quota.isdigit() and period.isdigit() and int(period) else None


def _read_v1(folder: Path) -> float | None:
    quota, period = (_text(folder / f"cpu.cfs_{name}_us").strip() for name in ("quota", "period"))
    return int(quota) / int(period) if quota.isdigit() and period.isdigit() and int(period) else None


def _text(file: Path) -> str:
    try:
        return os.fsdecode(file.read_bytes())
    except OSError:
        return ""
