"""The same bytes in every language: no decimal comma, Turkish dot, order of letters or encoding shows."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from .commands import QUICK, own_process, played

LANGUAGES = ("de_DE", "hu_HU", "tr_TR")
SURROUNDINGS = {
    "C": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "ascii"},
    "German": {"LC_ALL": "de_DE.UTF-8"},
    "Hungarian": {"LC_ALL": "hu_HU.UTF-8", "LANGUAGE": "hu", "PYTHONIOENCODING": "cp1252:strict"},
    "Turkish": {"LC_ALL": "tr_TR.UTF-8", "LANGUAGE": "tr", "PYTHONIOENCODING": "cp1254:strict"},
}
"""What the machine says of its language. Where a locale is not installed and cannot be made, its name alone is set."""
OBEDIENT = """
import locale
try:
    locale.setlocale(locale.LC_ALL, "")
except locale.Error:
    pass
"""
"""A sitecustomize that makes Python itself follow the language, as some programs and packages do."""
TOLD = 'import locale; print(format(1234.5, "n"), *sorted("zaB", key=locale.strxfrm))'
"""What depends on the language."""
EACH = """
import shlex, sys
from balance.__main__ import main
for line in sys.stdin.read().splitlines():
    sys.argv = ["balance", *shlex.split(line)]
    try:
        main()
    except SystemExit as left:
        print(line, left.code, file=sys.stderr)
"""
"""Several commands in one process, which saves the time of starting each; and how each ended."""
COMMANDS = """\
games
rules animalia
run e.toml --out r --threads 1
find r 'score_margin > 1.5 AND turns IN (44, 45, 46) OR rounds IS NULL'
find r --top SCORE_MARGIN
replay r --cell baseline-p4 --game 3
replay r --cell baseline-p4 --game 3 --format jsonl
run animalia --set TIEBREAK=none
run animalia --policies GREEDY,Iltis
run animalia --games 1,5
rules ANIMALIA
"""
ENDS = [0, 0, 0, 0, 2, 0, 0, 2, 2, 2, 2]
EXPERIMENT = """\
schema_version = 1
title = "İzmir ile ILGAZ: ıslık, Größe, Šampión"
game = "animalia"
players = [4]
[run]
games = 60
confidence = 0.9
[lineup]
policies = ["greedy", "TYPE.TOML"]
[[variants]]
name = "Iıİi ßẞ öő zsír 犬"
rules = { max_set_size = 2 }
[[variants]]
name = "ÄRGER äRGER"
rules = { bonus_first = 1 }
"""
TYPE = '[policy]\nname = "Iltis-İı"\nbased_on = "greedy"\ntemperature = 3\n'
TIMING = re.compile(r'<section id="timing".*?</section>', re.DOTALL)


@pytest.fixture(scope="module")
def locales(pytestconfig: pytest.Config) -> Path:
    """The folder of locales, made once; without those that `localedef` cannot make here. In CI it must."""
    folder = pytestconfig.rootpath / ".pytest_cache" / "locales"
    folder.mkdir(parents=True, exist_ok=True)
    maker = shutil.which("localedef")
    for language in LANGUAGES if maker else ():
        new, made = folder / f"{language}-{os.getpid()}", folder / f"{language}.UTF-8"
        if not made.exists():
            command = [str(maker), "--no-archive", "-i", language, "-f", "UTF-8", str(new)]
            if subprocess.run(command, capture_output=True, check=False).returncode == 0:
                new.rename(made)
    missing = [language for language in LANGUAGES if not (folder / f"{language}.UTF-8").exists()]
    assert not missing or os.environ.get("CI", "").lower() != "true", f"no locales {missing}, and CI=true"
    return folder


def under_way(
    folder: Path, locales: Path, surroundings: dict[str, str], program: str
) -> subprocess.Popen[bytes]:
    """A program of Python's in a folder of its own, in a language."""
    (folder / "site").mkdir(parents=True)
    (folder / "site" / "sitecustomize.py").write_text(OBEDIENT)
    (folder / "e.toml").write_text(EXPERIMENT, encoding="utf-8")
    (folder / "TYPE.TOML").write_text(TYPE, encoding="utf-8")
    removed = ("LANG", "LC_ALL", "LANGUAGE", "PYTHONUTF8", "PYTHONIOENCODING")
    kept = {name: value for name, value in os.environ.items() if name not in removed}
    path = os.pathsep.join([str(folder / "site"), *filter(None, [os.environ.get("PYTHONPATH")])])
    return subprocess.Popen(
        [sys.executable, "-c", program],
        cwd=folder,
        env={**kept, **surroundings, "LOCPATH": str(locales), "PYTHONPATH": path},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def left(folder: Path) -> dict[str, Any]:
    """What a run leaves, less what tells of time and machine."""
    page = (folder / "r" / "report.html").read_bytes().decode("utf-8")
    assert TIMING.search(page)
    return played(folder / "r") | {"report.html": TIMING.sub("", page)}


def codes(told: bytes, commands: Iterable[str]) -> list[int]:
    """How the commands ended, from what was said on standard error."""
    ends = dict(line.rsplit(" ", 1) for line in told.decode("utf-8").splitlines() if " " in line)
    return [int(ends[command]) for command in commands]


def complaints(told: bytes) -> list[str]:
    return [line for line in told.decode("utf-8").splitlines() if line.startswith(("error:", "warning:"))]


def test_everything_is_the_same_in_every_language(tmp_path: Path, locales: Path) -> None:
    going = {
        name: under_way(tmp_path / name, locales, surroundings, EACH)
        for name, surroundings in SURROUNDINGS.items()
    }
    ended = {name: one.communicate(COMMANDS.encode(), timeout=60) for name, one in going.items()}
    out, told = ended["C"]
    assert codes(told, COMMANDS.splitlines()) == ENDS
    for name, (other_out, other_told) in ended.items():
        assert other_out.decode("utf-8") == out.decode("utf-8"), name
        assert complaints(other_told) == complaints(told), name
        assert left(tmp_path / name) == left(tmp_path / "C"), name
    for name in ("İzmir ile ILGAZ", "Iıİi ßẞ öő zsír 犬", "ÄRGER äRGER", "Iltis-İı"):
        assert name in out.decode("utf-8")
        assert name in json.dumps(left(tmp_path / "C")["results.json"], ensure_ascii=False)


def test_what_depends_on_the_language_would_show(tmp_path: Path, locales: Path) -> None:
    told = {
        name: under_way(tmp_path / name, locales, surroundings, TOLD).communicate(timeout=60)
        for name, surroundings in SURROUNDINGS.items()
        if name in ("C", "German")
    }
    assert told["C"][0].split() == [b"1234.5", b"B", b"a", b"z"]
    made = (locales / "de_DE.UTF-8").exists()
    assert (told["German"][0].split() == [b"1.234,5", b"a", b"B", b"z"]) == made


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-16", "ascii:strict"])
def test_output_is_utf_8_whatever_the_machine_prefers(here: Path, encoding: str) -> None:
    (here / "e.toml").write_text(EXPERIMENT.replace("animalia", "犬 Kölyök"), encoding="utf-8")
    environment = {**os.environ, "LC_ALL": "C", "PYTHONIOENCODING": encoding}
    command = [sys.executable, "-m", "balance", "replay", "e.toml", "--game", "0"]
    done = subprocess.run(command, env=environment, capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (2, b"")
    assert 'There is no game "犬 Kölyök".' in done.stderr.decode("utf-8")


def test_a_folder_whose_name_is_not_utf_8(here: Path) -> None:
    odd = os.fsdecode(b"r\xff")
    assert own_process(here, *QUICK, "--out", odd).code == 0
    for file in (here / odd).rglob("*.[jhc][st]*"):
        file.read_bytes().decode("utf-8")
    for command in (("replay", odd, "--game", "1"), ("find", odd, "turns > 1")):
        ended = own_process(here, *command)
        assert (ended.code, ended.faults) == (
            2,
            ["error: r\\udcff/games/baseline-p4/part-0000.parquet cannot be read: its name is not UTF-8."],
        )
