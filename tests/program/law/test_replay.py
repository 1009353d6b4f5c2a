"""`hiple replay` and `hiple law diff` on a run that has decided."""

import json
import os
import pathlib
import shutil
import sys

import h5py
import pytest

from conftest import Study, hiple, seal

SOURCE = pathlib.Path(os.environ["HIPLE_SOURCE_DIR"])
sys.path.insert(0, str(SOURCE / "tests" / "program" / "decisions_file"))
from root import root, rows_of  # noqa: E402


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    study = Study(tmp_path_factory.mktemp("study"))
    done = hiple("run", study.file)
    assert done.returncode == 0, done.stderr
    return study


@pytest.fixture
def run(trained, tmp_path):
    """The run in a folder of its own: run.yaml there names its files by absolute paths."""
    directory = tmp_path / "out"
    shutil.copytree(trained.directory, directory)
    return directory


def test_the_same_again(run):
    done = hiple("replay", run)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "identical" in done.stdout
    record = json.loads(hiple("replay", run, "--json").stdout)
    assert record["same"] and record["root"] == record["stored_root"] == json.loads((run / "STATUS").read_text())["root"]


def test_a_decision_that_was_changed_is_found(run):
    with h5py.File(run / "decisions.h5", "r+") as file:
        case = int(file["case_id"][7])
        file["rounds"][7] = file["rounds"][7] + 1
        file.attrs["root"] = root(list(rows_of(file)))
    seal(run / "decisions.h5")
    done = hiple("replay", run)
    assert done.returncode == 1, done.stdout + done.stderr
    assert f"case {case}, x: stored" in done.stdout and "DIFFERENT  3 answers" in done.stdout


def test_other_files_are_wrong_input(run, trained):
    alpha = run / "judgments" / "alpha.h5"
    with h5py.File(alpha, "r+") as file:
        file["typicality"][0] = 0.125
    seal(alpha)
    done = hiple("replay", run)
    assert done.returncode == 2 and "is not what the decisions were made from" in done.stderr


def test_a_law_that_was_changed_since_is_told(trained, run):
    law = trained.root / "law.yaml"
    kept = law.read_text()
    try:
        law.write_text(kept.replace("a > 1.5", "a > 1.7"))
        done = hiple("replay", run)
        assert done.returncode == 0 and "the law file is another by now" in done.stdout, done.stdout + done.stderr
        assert hiple("explain", run, "--case", "1").returncode == 2
    finally:
        law.write_text(kept)


def test_diff(trained, run, tmp_path):
    before, after = trained.root / "law.yaml", trained.root / "law-new.yaml"
    after.write_text(before.read_text().replace("a > 1.5", "a > 0.5"))
    done = hiple("law", "diff", before, after, "--run", run, "--json")
    assert done.returncode == 0, done.stderr
    record = json.loads(done.stdout)
    assert record["changed"] == ["X-2"] and record["cases"] == 240
    assert 0 < record["different"] <= record["evaluated"] < 240
    assert {change["question"] for change in record["changes"]} == {"x"}
    same = json.loads(hiple("law", "diff", before, before, "--run", run, "--json").stdout)
    assert same["evaluated"] == 0 and same["changes"] == []
    text = hiple("law", "diff", before, after, "--run", run, "--most", "1").stdout
    assert "changed    X-2" in text and f"and {record['different'] - 1} more" in text

