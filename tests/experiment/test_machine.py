from __future__ import annotations

import os
from pathlib import Path

import pytest

from balance.experiment import machine


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_without_control_groups_there_is_no_quota(tmp_path: Path):
    assert machine.cpu_quota(tmp_path / "none", tmp_path / "none") is None


def test_the_least_quota_of_all_levels_counts(tmp_path: Path):
    own = tmp_path / "own"
    own.write_text("0::/slice/job\n")
    _write(tmp_path / "cpu.max", "max 100000\n")
    _write(tmp_path / "slice" / "cpu.max", "150000 100000\n")
    _write(tmp_path / "slice" / "job" / "cpu.max", "max 100000\n")
    assert machine.cpu_quota(tmp_path, own) == 1.5


def test_a_group_may_have_any_name(tmp_path: Path):
    odd = os.fsdecode(b"\xff")
    (tmp_path / "own").write_bytes(b"0::/\xff\n")
    _write(tmp_path / odd / "cpu.max", "150000 100000\n")
    assert machine.cpu_quota(tmp_path, tmp_path / "own") == 1.5


def test_version_1_of_control_groups(tmp_path: Path):
    _write(tmp_path / "cpu" / "cpu.cfs_quota_us", "300000\n")
    _write(tmp_path / "cpu" / "cpu.cfs_period_us", "100000\n")
    assert machine.cpu_quota(tmp_path, tmp_path / "none") == 3
    _write(tmp_path / "cpu" / "cpu.cfs_quota_us", "-1\n")
    assert machine.cpu_quota(tmp_path, tmp_path / "none") is None


@pytest.mark.parametrize(("quota", "threads"), [(None, 4), (1.5, 2), (0.5, 1), (16.0, 4)])
def test_threads_are_the_cores_that_may_be_used(
    monkeypatch: pytest.MonkeyPatch, quota: float | None, threads: int
):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _pid: {0, 1, 2, 3}, raising=False)
    monkeypatch.setattr(machine, "cpu_quota", lambda _root, _own: quota)
    assert machine.default_threads() == threads


def test_the_machine_in_words():
    assert "core" in machine.describe()
    assert set(machine.versions()) == {"balance", "python", "numba", "numpy", "polars"}
