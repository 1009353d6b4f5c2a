"""`hiple law test` and `hiple law fmt` as their users run them."""

import json
import os
import pathlib
import re
import shutil

import pytest

from conftest import hiple

SOURCE = pathlib.Path(os.environ["HIPLE_SOURCE_DIR"])
RULE = """  - {id: X-1, when: 'a > 1', then: x.high, tests: {fires: [{a: 1.0000000000000002}], silent: [{a: 1}]}}\n"""


def test_examples_pass_without_the_table(study):
    (study.root / "cases.csv").unlink()
    study.write_law([RULE])
    done = hiple("law", "test", study.root / "law.yaml", "--min-score", "1")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "3 of 3 were noticed: score 1.000" in done.stdout


def test_a_failing_example_ends_with_1_at_its_place(study):
    study.write_law([RULE.replace("{a: 1}", "{a: 2}")])
    done = hiple("law", "test", study.file)  # the run.yaml, whose law is meant
    assert done.returncode == 1
    line = study.root.joinpath("law.yaml").read_text().splitlines().index(RULE.replace("{a: 1}", "{a: 2}").rstrip()) + 1
    assert re.search(rf"law\.yaml:{line}:\d+: X-1, `silent`: its condition is TRUE", done.stdout), done.stdout
    record = json.loads(hiple("law", "test", study.file, "--json").stdout)
    assert [f["id"] for f in record["failures"]] == ["X-1"] and record["score"] is None


def test_a_low_score_ends_with_1_only_where_it_is_asked_for(study):
    study.write_law([RULE.replace("1.0000000000000002", "2")])
    assert hiple("law", "test", study.file).returncode == 0
    done = hiple("law", "test", study.file, "--min-score", "0.9")
    assert done.returncode == 1 and "lives: X-1: a > 1: 1 one step up" in done.stdout
    record = json.loads(hiple("law", "test", study.file, "--json").stdout)
    assert record["mutants"] == 3 and record["killed"] == 2 and len(record["living"]) == 1


def test_a_law_without_a_run(study, tmp_path):
    study.write_law([RULE])
    alone = tmp_path / "alone"
    alone.mkdir()
    for name in ("law.yaml", "schema.yaml"):
        shutil.copy(study.root / name, alone)
    done = hiple("law", "test", alone / "law.yaml")
    assert done.returncode == 2 and "name one with --run, or give --schema and --engine" in done.stderr
    engines = [word for name in ("alpha=false,true", "beta=low,middle,high", "gamma=false,true") for word in ("--engine", name)]
    assert hiple("law", "test", alone / "law.yaml", "--schema", alone / "schema.yaml", *engines).returncode == 0
    assert hiple("law", "test", alone / "law.yaml", "--run", study.file).returncode == 0
    both = hiple("law", "test", alone / "law.yaml", "--run", study.file, "--schema", alone / "schema.yaml")
    assert both.returncode == 2 and "leave one out" in both.stderr


def test_wrong_examples_are_wrong_input(study):
    study.write_law([RULE.replace("{a: 1}", "{aa: 1}")])
    done = hiple("law", "test", study.file)
    assert done.returncode == 2 and '"aa" is neither an input column nor an engine (did you mean "a"?)' in done.stderr


def test_fmt(study):
    law = study.root / "law.yaml"
    before = hiple("law", "test", law, "--json").stdout
    assert hiple("law", "fmt", law, "--check").returncode == 1
    printed = hiple("law", "fmt", law)
    assert printed.returncode == 0 and law.read_text() != printed.stdout
    assert hiple("law", "fmt", law, "--in-place").returncode == 0
    assert law.read_text() == printed.stdout
    assert hiple("law", "fmt", law, "--check").returncode == 0
    assert hiple("law", "test", law, "--json").stdout == before
    law.write_text("rules: [{id: A, when: 'x >'}]\n")
    wrong = hiple("law", "fmt", law)
    assert wrong.returncode == 2 and "law.yaml:1:" in wrong.stderr


@pytest.mark.parametrize("study_name", ["milling", "thyroid"])
def test_fmt_keeps_every_comment_of_the_shipped_laws(tmp_path, study_name):
    shutil.copytree(SOURCE / "configs" / study_name, tmp_path / study_name)
    law = tmp_path / study_name / "law.yaml"
    comments = sorted(line.strip() for line in law.read_text().splitlines() if line.strip().startswith("#"))
    score = json.loads(hiple("law", "test", law, "--json").stdout)["score"]
    done = hiple("law", "fmt", law, "--in-place")
    assert done.returncode == 0 and "lost" not in done.stderr
    kept = sorted(line.strip() for line in law.read_text().splitlines() if line.strip().startswith("#"))
    assert [c for c in comments if c not in kept] == []
    assert hiple("law", "fmt", law, "--check").returncode == 0
    assert json.loads(hiple("law", "test", law, "--json").stdout)["score"] == score
