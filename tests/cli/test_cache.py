"""Compiled code that cannot be kept, or was damaged, costs one warning and changes no result."""

from __future__ import annotations

import shutil
from pathlib import Path

from .commands import Ended, own_process, played

RACE = Path(__file__).parents[1] / "experiment" / "dice_race.py"
COMMAND = ("run", "dice_race:GAME", "--players", "2", "--games", "60")


def warnings(ended: Ended) -> list[str]:
    return [line for line in ended.err.splitlines() if line.startswith("warning: ")]


def test_a_cache_that_is_no_folder_and_a_damaged_cache(here: Path) -> None:
    shutil.copy(RACE, here / "dice_race.py")
    (here / "file").write_text("mine")
    home = {
        "HOME": str(here / "home"),
        "XDG_CACHE_HOME": str(here / "home" / "cache"),
        "NUMBA_CACHE_DIR": "",
    }

    first = own_process(here, *COMMAND, "--out", "1", env={**home, "BALANCE_CACHE_DIR": str(here / "file")})
    assert first.code == 0
    assert warnings(first) == [
        f"warning: Compiled code cannot be kept in {here}/file (Not a directory); "
        f"using {here}/home/cache/balance."
    ]
    assert "compiling Dice race" in first.err
    assert (here / "file").read_text() == "mine"

    second = own_process(here, *COMMAND, "--out", "2", env={**home, "BALANCE_CACHE_DIR": ""})
    assert warnings(second) == []
    assert "compiling" not in second.err

    (kept,) = (here / "home" / "cache" / "balance" / "compiled").iterdir()
    kept.write_bytes(kept.read_bytes()[:1000])
    third = own_process(here, *COMMAND, "--out", "3", env={**home, "BALANCE_CACHE_DIR": ""})
    assert third.code == 0
    assert warnings(third) == [f"warning: The file {kept} was damaged; it is compiled anew."]
    assert played(here / "1") == played(here / "2") == played(here / "3")
