"""A law that reads evidence is worked on like any other: checked, tested, formatted, explained."""

import json

import pytest

from conftest import hiple
from evident import added, evident, write

RULE = """  - id: Y-1
    when: 'evidence.b > 1 [mm] and known(evidence.kind)'
    then: y.high
    precision: 0.95
    because: "b is {evidence.b} by evidence"
    tests:
      fires: [{evidence.b: 2, evidence.kind: red}, {b: 0, evidence.b: 1.5, evidence.kind: green}]
      silent: [{b: 2, evidence.b: 1, evidence.kind: red}, {evidence.b: 2, evidence.kind: contradictory}, {evidence.b: 2}]
      unknown: [{b: 2, evidence.kind: red}, {evidence.b: contradictory, evidence.kind: red}]
"""


@pytest.fixture
def study(study):
    evident(study)
    added(study, write(study, "empty.csv"))
    study.write_law([RULE])
    return study


def test_its_examples_are_run(study):
    done = hiple("law", "test", study.root / "law.yaml", "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads(done.stdout)["failures"] == []
    study.replace("law.yaml", "silent: [{b: 2,", "silent: [{b: 2, evidence.b: 7, evidence.kind: red}, {b: 2,")
    assert hiple("law", "test", study.root / "law.yaml").returncode == 1


def test_it_is_checked(study):
    done = hiple("law", "check", study.root / "law.yaml", "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    study.replace("law.yaml", "evidence.b > 1 [mm]", "evidence.b > 1 [mm] and evidence.b < 0 [mm]")
    found = hiple("law", "check", study.root / "law.yaml")
    assert found.returncode == 1 and "Y-1" in found.stdout


def test_it_is_formatted(study):
    done = hiple("law", "fmt", study.root / "law.yaml")
    assert done.returncode == 0 and "evidence.b > 1 [mm] and known(evidence.kind)" in done.stdout and "precision: 0.95" in done.stdout
    (study.root / "law.yaml").write_text(done.stdout)
    assert hiple("law", "fmt", study.root / "law.yaml", "--check").returncode == 0
    assert hiple("law", "test", study.root / "law.yaml").returncode == 0


def test_a_case_in_a_file_is_explained(study):
    case = study.root / "case.yaml"
    case.write_text("{a: 0, evidence.b: 2, evidence.kind: red, evidence.y: low}")
    page = hiple("explain", study.root / "law.yaml", "--case-file", case).stdout
    assert "QUESTION y: ABSTAIN (contradicted_by_evidence)" in page and "evidence about this case: it is low" in page
    assert "b is 2 mm by evidence" in page
    case.write_text("{a: 0, evidence.b: contradictory, evidence.kind: red}")
    record = json.loads(hiple("explain", study.root / "law.yaml", "--case-file", case, "--json").stdout)
    assert record["inputs"]["evidence.b"]["value"] == "contradictory"
    y = next(question for question in record["questions"] if question["question"] == "y")
    assert y["reason"] == "blocked" and y["causes"] == ["contradictory:evidence.b"]
    assert y["settled_by"]["sets"][0]["what"] == ["evidence.b"]


@pytest.mark.parametrize("old, new, said", [
    ("evidence.b > 1", "evidence.bb > 1", 'law.yaml:12:12: there is no evidence about "bb"'),
    ("known(evidence.kind)", "evidence.x == \"hihg\"", 'evidence.x is never "hihg" (did you mean "high"?)'),
    ("evidence.b > 1 [mm]", "evidence.b > 1 [kg]", "kg"),
    ("precision: 0.95", "precision: 1", "a precision of 1"),
    ("fires: [{evidence.b: 2,", "fires: [{evidence.c: 2,", '"evidence.c" is no evidence that the law reads'),
])
def test_mistakes_are_told_at_their_place(study, old, new, said):
    study.replace("law.yaml", old, new)
    done = hiple("check", study.file)
    assert done.returncode == 2 and said in done.stderr, done.stderr
