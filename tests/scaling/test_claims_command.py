"""`hiple-scaling claims` as a user runs it, on results that were judged, changed since, or mixed."""

import json
import shutil
import subprocess

import pytest
import sample
import studies
from conftest import ROOT, scaling


def judge(folder):
    return subprocess.run([ROOT / "jobs/scaling.sh", "--judge", folder], capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    folder = studies.everything(sample.sample(tmp_path_factory.mktemp("results")))
    done = judge(folder)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def copy(judged, tmp_path):
    return shutil.copytree(judged, tmp_path / "copy")


def test_the_table_has_all_twenty(judged):
    done = scaling("claims", judged)
    assert done.returncode == 0, done.stderr
    starts = [line.split()[0] for line in done.stdout.splitlines() if line.startswith("C")]
    assert starts == [f"C{number}" for number in range(1, 21)]
    for word in ("figure", "interval", "expected", "command", "jobs/planted.sh"):
        assert word in done.stdout
    assert "revision abc123: 18 HOLDS, 2 NOT SHOWN" in done.stdout
    assert "No strategy of the study trains in mixed precision" in done.stdout, "why nothing is shown is part of it"


def test_json_is_what_was_judged(judged):
    done = scaling("claims", judged, "--json")
    record, source = json.loads(done.stdout), json.loads((judged / "verdicts.json").read_text())
    assert record["revision"] == "abc123" and record["claims"] and record["claims"] == source["claims"]


def test_the_report_says_the_same(copy):
    assert subprocess.run([ROOT / "jobs/scaling.sh", "--draw", copy], capture_output=True, check=False).returncode == 0
    page = (copy / "report.md").read_text()
    for claim in json.loads(scaling("claims", copy, "--json").stdout)["claims"]:
        assert f"| {claim['id']} | {claim['claim']} | **{claim['verdict']}** | {claim['figure'] or '-'} | {claim['interval'] or '-'} |" in page


def refused(*words):
    done = scaling("claims", *words)
    assert done.returncode == 2 and done.stdout == ""
    return done.stderr


def test_data_that_changed_since_are_refused(copy):
    with open(copy / "records.jsonl", "a", encoding="utf-8") as file:
        file.write("\n")
    (copy / "suite.json").unlink()
    (copy / "records-b.jsonl").write_text((copy / "records.jsonl").read_text())
    said = refused(copy)
    for word in ("records.jsonl: has changed since it was judged", "suite.json: is gone", "records-b.jsonl: was never judged", "--judge"):
        assert word in said


def test_a_folder_that_was_not_judged_is_refused(copy):
    (copy / "verdicts.json").unlink()
    assert "was not judged" in refused(copy)
    assert "no such folder" in refused(copy / "missing")


@pytest.mark.parametrize("change,word", [
    (lambda record: record.update(version=2), "no verdicts of version 1"),
    (lambda record: record["claims"].pop(4), "wrong from C5 on"),
    (lambda record: record["claims"].append(record["claims"][0]), "wrong from C21 on"),
    (lambda record: record["claims"][2].update(verdict="PERHAPS"), "no verdict"),
    (lambda record: record["claims"][2].pop("figure"), "is damaged"),
])
def test_damaged_verdicts_are_refused(copy, change, word):
    record = json.loads((copy / "verdicts.json").read_text())
    change(record)
    (copy / "verdicts.json").write_text(json.dumps(record))
    assert word in refused(copy)
    (copy / "verdicts.json").write_text("{")
    assert "is damaged" in refused(copy)


def test_folders_of_one_revision_are_joined(judged, tmp_path):
    record = studies.planted(studies.world(decided=3))
    (tmp_path / "planted.json").write_text(json.dumps(record))
    assert judge(tmp_path).returncode == 0
    joined = {claim["id"]: claim for claim in json.loads(scaling("claims", tmp_path, judged, "--json").stdout)["claims"]}
    assert joined["C13"]["verdict"] == "FAILS" and joined["C13"]["figure"] == "3 of 200 decided"
    assert joined["C3"]["verdict"] == "HOLDS" and joined["C1"]["verdict"] == "NOT SHOWN"


def test_folders_of_two_revisions_are_refused(judged, tmp_path):
    (tmp_path / "planted.json").write_text(json.dumps({**studies.planted(), "revision": "def456"}))
    assert judge(tmp_path).returncode == 0
    said = refused(judged, tmp_path)
    assert "abc123" in said and "def456" in said and "two revisions are not mixed" in said


def test_mixed_results_are_not_judged(copy):
    (copy / "planted/planted.json").write_text(json.dumps({**studies.planted(), "revision": "def456"}))
    done = judge(copy)
    assert done.returncode == 2 and "abc123" in done.stderr and "def456" in done.stderr
