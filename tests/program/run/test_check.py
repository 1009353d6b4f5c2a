"""hiple check: what a run will take, before it starts."""

import json

from conftest import hiple


def snapshot(folder):
    return sorted(str(path) for path in folder.rglob("*"))


def test_it_says_what_the_run_takes_and_leaves_nothing_behind(study):
    before = snapshot(study.root)
    checked = hiple("check", study.file, "--json", "--estimate")
    assert checked.returncode == 0, checked.stderr
    assert snapshot(study.root) == before
    record = json.loads(checked.stdout)
    assert [each["engine"] for each in record["plan"]] == [each["engine"] for each in record["seconds"]] == ["alpha", "beta", "gamma"]
    assert all(each["step"] > 0 and each["steps"] > 0 and each["training_at_most"] > 0 for each in record["seconds"])
    assert all(each["process_memory"] > each["memory"] > 0 for each in record["plan"])
    assert record["free"] > record["about"]["disk"] > 0

    assert hiple("run", study.file).returncode == 0
    names = ["engines", "judgments", "decisions.h5"]
    written = sum(path.stat().st_size for name in names for path in [study.directory / name, *(study.directory / name).rglob("*")] if path.is_file())
    assert written / 2 < record["about"]["disk"] < 2 * written


def test_ranks_that_would_share_cores_are_said(study):
    text = hiple("check", study.file, "--ranks", "4000").stdout
    assert "4000 ranks would share them, up to " in text
    assert "would share" not in hiple("check", study.file, "--ranks", "1").stdout


def test_the_wall_time_is_that_of_the_slowest_rank(study):
    text = hiple("check", study.file, "--estimate", "--ranks", "2").stdout
    assert "wall time: at most" in text and "on rank 0, with a core for each rank" in text


def test_a_directory_that_is_a_file(study):
    study.directory.write_text("")
    refused = hiple("check", study.file)
    assert refused.returncode == 2 and str(study.directory) in refused.stderr
