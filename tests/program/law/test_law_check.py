"""`hiple law check`, and its witnesses as `hiple explain --case-file` reads them."""

import json
import os
import pathlib

import pytest

from conftest import hiple

SOURCE = pathlib.Path(os.environ["HIPLE_SOURCE_DIR"])
OVERLAP = ["  - {id: X-1, when: 'a > 1', then: x.high}\n", "  - {id: X-2, when: 'kind == \"red\"', then: x.very_high}\n"]


def test_an_overlap_has_a_witness_that_explain_shows(study):
    study.write_law(OVERLAP)
    found = hiple("law", "check", study.root / "law.yaml")
    assert found.returncode == 0, found.stderr
    assert "warning: overlap: X-1 and X-2 can stand together" in found.stdout
    record = json.loads(hiple("law", "check", study.file, "--json").stdout)
    overlap = next(f for f in record["findings"] if f["check"] == "overlap")
    witness = study.root / "witness.yaml"
    witness.write_text(overlap["witness"] + "\n")
    shown = hiple("explain", study.root / "law.yaml", "--case-file", witness)
    assert shown.returncode == 0, shown.stderr
    assert "x: ABSTAIN (conflict)" in shown.stdout
    answer = json.loads(hiple("explain", study.root / "law.yaml", "--case-file", witness, "--json").stdout)["questions"][0]
    assert {rule["id"]: rule["fate"] for rule in answer["rules"] if rule["fate"] == "stands"} == {"X-1": "stands", "X-2": "stands"}


def test_an_error_ends_with_1(study):
    study.write_law(["  - {id: X-1, when: 'a > 1 and a < 0', then: x.high}\n"])
    found = hiple("law", "check", study.file)
    assert found.returncode == 1 and "error: unsatisfiable: the rule X-1 can never be TRUE" in found.stdout


def test_a_threshold_outside_of_the_data(study):
    study.write_law(["  - {id: X-1, when: 'a > 9', then: x.high}\n"])
    assert ": threshold:" not in hiple("law", "check", study.file).stdout
    found = hiple("law", "check", study.file, "--data", study.root / "cases.csv")
    assert found.returncode == 0 and "X-1: a > 9 is FALSE wherever it is known; the data has a in [" in found.stdout


def test_what_is_no_case_is_wrong_input(study):
    case = study.root / "case.yaml"
    case.write_text("{aa: 1}\n")
    wrong = hiple("explain", study.root / "law.yaml", "--case-file", case)
    assert wrong.returncode == 2 and 'case.yaml:1:2: "aa" is neither an input column nor an engine' in wrong.stderr
    assert hiple("explain", study.root / "law.yaml").returncode == 2
    case.write_text("{a: 1}\n")
    unknown = hiple("explain", study.root / "law.yaml", "--case-file", case, "--why-not", "X-9")
    assert unknown.returncode == 2 and "did you mean" in unknown.stderr


def test_the_derivation_is_drawn(study):
    case = study.root / "case.yaml"
    case.write_text("{a: 2, kind: red, alpha: {'true': 0.9, 'false': 0.1}}\n")
    dot = study.root / "case.dot"
    assert hiple("explain", study.root / "law.yaml", "--case-file", case, "--graph", dot).returncode == 0
    text = dot.read_text()
    assert text.startswith("digraph") and '"rule X-2" -> "rule X-1"' in text and '"column a" -> "atom a > 1.5"' in text
    svg = study.root / "case.svg"
    drawn = hiple("explain", study.root / "law.yaml", "--case-file", case, "--graph", svg)
    assert drawn.returncode == 0, drawn.stderr
    assert "<svg" in svg.read_text() and sorted(p.name for p in study.root.glob("*.tmp*")) == []
    assert hiple("explain", study.root / "law.yaml", "--case-file", case, "--graph", study.root / "case.txt").returncode == 2
    without = hiple("explain", study.root / "law.yaml", "--case-file", case, "--graph", svg, PATH="/nowhere")
    assert without.returncode == 2 and "install graphviz, or name a file that ends in .dot" in without.stderr


def test_what_would_settle_is_told_in_every_form(study):
    study.write_law(["  - {id: X-1, when: 'a > 1 and b > 2 [mm]', then: x.high}\n"])
    case = study.root / "case.yaml"
    case.write_text("{a: 2}\n")
    law, dot = study.root / "law.yaml", study.root / "case.dot"
    told = json.loads(hiple("explain", law, "--case-file", case, "--json", "--graph", dot).stdout)["questions"][0]
    assert told["status"] == "abstain" and told["causes"] == ["missing:b"]
    assert told["rules"][0]["fate"] == "blocked" and told["rules"][0]["needs"] == "b > 2 [mm]"
    assert {s["decides"] for s in told["settled_by"]["sets"]} <= {"none", "high"} and told["settled_by"]["sets"][0]["what"] == ["b"]
    assert told["settled_by"]["sets"][0]["always"] and not told["settled_by"]["not_all_were_tried"]
    assert "would decide" in dot.read_text() and '-> "question x" [style=dashed, label="would settle"]' in dot.read_text()
    assert "WHAT COULD SETTLE x\n  b, whatever it says: {b: " in hiple("explain", law, "--case-file", case).stdout


def test_a_case_needs_no_run(study, tmp_path):
    """A law alone, its schema and its engines by name."""
    alone = tmp_path / "alone"
    alone.mkdir()
    for name in ("law.yaml", "schema.yaml"):
        (alone / name).write_text((study.root / name).read_text())
    case = alone / "case.yaml"
    case.write_text("{a: 2, kind: red, alpha: {'true': 0.9, 'false': 0.1}}\n")
    words = ("explain", alone / "law.yaml", "--case-file", case)
    assert hiple(*words).returncode == 2
    engines = [word for name in ("alpha=false,true", "beta=low,middle,high", "gamma=false,true") for word in ("--engine", name)]
    shown = hiple(*words, "--schema", alone / "schema.yaml", *engines)
    assert shown.returncode == 0, shown.stderr
    assert "x: DECIDE very_high" in shown.stdout
    assert hiple(*words, "--run", study.file).stdout == shown.stdout
    assert hiple("explain", study.file, "--case", 1, "--schema", alone / "schema.yaml").returncode == 2
    wrong = hiple(*words, "--schema", alone / "schema.yaml", "--engine", "alpha=false,true")
    assert wrong.returncode == 2 and 'there is no engine "beta"' in wrong.stderr


@pytest.mark.parametrize("name", ["milling", "thyroid"])
def test_the_shipped_laws_have_no_errors(name):
    found = hiple("law", "check", SOURCE / "configs" / name / "law.yaml", "--json")
    assert found.returncode == 0, found.stdout
    record = json.loads(found.stdout)
    assert record["given_up"] == {}
    score = hiple("law", "test", SOURCE / "configs" / name / "law.yaml", "--min-score", "0.9")
    assert score.returncode == 0, score.stdout
