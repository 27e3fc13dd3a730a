from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from balance.errors import BalanceError
from balance.experiment.plan import Plan
from balance.experiment.rundir import RunDir, default_folder

from .dice_race import install, race


@pytest.fixture(autouse=True)
def fake_games(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch)


def claimed(path: Path, **facts: Any) -> RunDir:
    folder = RunDir(path)
    folder.claim(Plan(race(**facts)), "balance run race")
    return folder


def listing(path: Path) -> dict[str, bytes]:
    return {str(file.relative_to(path)): file.read_bytes() for file in path.rglob("*") if file.is_file()}


def test_the_default_folder_is_named_by_title_and_hash():
    plan = Plan(race(title="Is it fair? Sure!"))
    assert default_folder(plan) == Path("reports") / f"is-it-fair-sure-{plan.digest[:8]}"
    assert default_folder(Plan(race(title="犬"))).name.startswith("race-")


def test_the_manifest_says_all_that_was_settled(tmp_path: Path):
    claimed(
        tmp_path / "run", players=(2, 3), variants={"far": {"goal": 20}}, policies=("any", "steady")
    ).release()
    manifest = RunDir.open(tmp_path / "run").manifest
    assert manifest["schema"] == "balance.run/2"
    assert [(cell["variant"], cell["players"], cell["folder"]) for cell in manifest["cells"]] == [
        ("baseline", 2, "baseline-p2"),
        ("far", 2, "far-p2"),
        ("baseline", 3, "baseline-p3"),
        ("far", 3, "far-p3"),
    ]
    far = manifest["cells"][3]
    assert far["rules"] == {"players": 3, "goal": 20, "head_start": 0, "idle": 0}
    assert (far["changes"], far["policies"], far["rotations"]) == ({"goal": 20}, ["any", "steady", "any"], 3)
    assert manifest["policies"][0] == {
        "id": "any",
        "based_on": "any",
        "kernel": "experiment.dice_race.choose_any",
        "weights": {},
        "temperature": 0,
    }
    assert (manifest["seed"], manifest["rules_version"], manifest["command"]) == (5, 3, "balance run race")
    assert list(manifest["timing"]) == ["created"]
    assert set(manifest["versions"]) == {"balance", "python", "numba", "numpy", "polars"}


def test_the_plan_comes_back_from_the_folder(tmp_path: Path):
    experiment = race(players=(2, 3), variants={"far": {"goal": 20}}, policies=("any", "steady"))
    folder = RunDir(tmp_path)
    folder.claim(Plan(experiment, part_games=120))
    folder.release()
    plan = RunDir.open(tmp_path).plan()
    assert (plan.experiment, plan.part_games) == (experiment, 120)


def test_claiming_again_changes_nothing(tmp_path: Path):
    claimed(tmp_path).release()
    before = listing(tmp_path)
    claimed(tmp_path).release()
    assert listing(tmp_path) == before


def test_a_new_title_is_written_down(tmp_path: Path):
    claimed(tmp_path).release()
    created = RunDir.open(tmp_path).manifest["timing"]
    claimed(tmp_path, title="A better name").release()
    manifest = RunDir.open(tmp_path).manifest
    assert (manifest["title"], manifest["timing"]) == ("A better name", created)


def test_a_folder_in_use_is_refused_until_it_is_free(tmp_path: Path):
    first = claimed(tmp_path / "run")
    with pytest.raises(BalanceError, match=r"run is in use by another run\."):
        claimed(tmp_path / "run")
    first.release()
    claimed(tmp_path / "run").release()


def test_a_folder_of_a_different_experiment_is_left_alone(tmp_path: Path):
    claimed(tmp_path, title="The first").release()
    before = listing(tmp_path)
    with pytest.raises(
        BalanceError, match=r'holds a different experiment \("The first"\)\. Nothing was changed'
    ) as caught:
        claimed(tmp_path, games=601)
    assert "--out" in caught.value.hint
    assert listing(tmp_path) == before


def test_a_run_by_other_rules_is_told_from_another_experiment(tmp_path: Path):
    claimed(tmp_path).release()
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    manifest |= {"digest": "f" * 64, "fingerprints": {"loop": "other"}}
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(BalanceError, match="its rules or policies have changed"):
        claimed(tmp_path)
    with pytest.raises(BalanceError, match="its games cannot be played again"):
        RunDir.open(tmp_path).plan()


def test_another_game_s_run_is_another_experiment_though_its_loop_is_another(tmp_path: Path):
    claimed(tmp_path, title="Pig, and only pig").release()
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    manifest |= {"digest": "f" * 64, "fingerprints": {"loop": "other"}}
    manifest["experiment"]["game"] = "zooloretto"
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(BalanceError, match=r'holds a different experiment \("Pig, and only pig"\)'):
        claimed(tmp_path)


def test_a_folder_with_something_else_is_left_alone(tmp_path: Path):
    (tmp_path / "holiday.jpg").write_bytes(b"beach")
    with pytest.raises(BalanceError, match="something that is not a run"):
        claimed(tmp_path)
    assert listing(tmp_path) == {"holiday.jpg": b"beach"}


def test_a_file_in_the_place_of_the_folder_is_left_alone(tmp_path: Path):
    (tmp_path / "run").write_text("a file")
    with pytest.raises(BalanceError, match="is a file, not a folder"):
        claimed(tmp_path / "run")
    with pytest.raises(BalanceError, match="cannot be used: Not a directory"):
        claimed(tmp_path / "run" / "below")
    assert (tmp_path / "run").read_text() == "a file"


def test_what_a_killed_run_left_half_written_is_removed(tmp_path: Path):
    (tmp_path / ".lock").touch()
    (tmp_path / ".new-manifest.json").write_text("{")
    folder = claimed(tmp_path)
    half = tmp_path / "games" / "baseline-p3" / ".new-part-0000.parquet"
    half.parent.mkdir(parents=True)
    half.write_bytes(b"half")
    folder.release()
    claimed(tmp_path).release()
    assert sorted(listing(tmp_path)) == [".lock", "manifest.json"]


def test_results_and_tables_are_written_sorted(tmp_path: Path):
    folder = claimed(tmp_path)
    results = {"schema": "balance.results/1", "b": 1, "a": "犬"}
    folder.save_results(results, {"seats": "seat\n0\n"})
    folder.release()
    assert (
        tmp_path / "results.json"
    ).read_text() == '{\n "a": "犬",\n "b": 1,\n "schema": "balance.results/1"\n}\n'
    assert (tmp_path / "tables" / "seats.csv").read_text() == "seat\n0\n"
    assert RunDir.open(tmp_path).results == results


def test_the_log_has_a_time_on_each_line(tmp_path: Path):
    folder = claimed(tmp_path)
    folder.log("First.")
    folder.log("Second \udc80.")
    lines = (tmp_path / "run.log").read_text().splitlines()
    assert [line.split(" ", 1)[1] for line in lines] == ["First.", "Second \\udc80."]
    assert all(line[10] == "T" and line[19] == "Z" for line in lines)
    folder.release()


def test_reading_what_is_no_run(tmp_path: Path):
    with pytest.raises(BalanceError, match="There is no folder"):
        RunDir.open(tmp_path / "nowhere")
    with pytest.raises(BalanceError, match="holds no run"):
        RunDir.open(tmp_path)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("{", "is damaged"),
        ("[]", "is damaged"),
        ('{"schema": "balance.run/9"}', 'another version of balance: its layout is "balance.run/9"'),
    ],
)
def test_reading_a_manifest_that_we_do_not_know(tmp_path: Path, content: str, sentence: str):
    (tmp_path / "manifest.json").write_text(content)
    with pytest.raises(BalanceError, match=sentence):
        RunDir.open(tmp_path)
    with pytest.raises(BalanceError, match=sentence):
        claimed(tmp_path)


def test_reading_a_run_without_results(tmp_path: Path):
    claimed(tmp_path).release()
    with pytest.raises(BalanceError, match="was not finished") as caught:
        _ = RunDir.open(tmp_path).results
    assert f"balance run race --out {tmp_path}" in caught.value.hint


def test_a_manifest_without_its_keys_is_damaged(tmp_path: Path):
    folder = claimed(tmp_path / "run")
    folder.release()
    kept = {key: value for key, value in folder.manifest.items() if key != "digest"}
    (folder.path / "manifest.json").write_text(json.dumps(kept))
    with pytest.raises(BalanceError, match=r"manifest\.json is damaged"):
        RunDir.open(folder.path)
    with pytest.raises(BalanceError, match=r"manifest\.json is damaged"):
        claimed(folder.path)


def test_a_name_that_no_folder_can_have_is_refused(tmp_path: Path):
    with pytest.raises(BalanceError, match="cannot be used"):
        claimed(tmp_path / ("x" * 300))
