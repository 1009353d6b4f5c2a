"""What cannot join a run, and where it says so."""

import json
import shutil

import pytest

from conftest import LAW, RULES, hiple
from growing import LINK, answers, copy_of, root_of, trained


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    return trained(tmp_path_factory.mktemp("study"))


@pytest.fixture
def study(finished, tmp_path):
    return copy_of(finished, tmp_path).grow()


def refused(study, *options, said):
    """Refused with all of `said`; the run stays as it was."""
    before = answers(study.directory) if (study.directory / "decisions.h5").exists() else None
    done = study.add(*options, status=2)
    for part in said:
        assert part in done.stderr, done.stderr
    assert not (study.directory / "versions").exists() and not (study.directory / "LOCK").exists()
    if before is not None:
        assert answers(study.directory) == before
    return done.stderr


def test_no_run(study, tmp_path):
    for directory, said in ((tmp_path / "nowhere", "no such folder"), (tmp_path, "holds no run")):
        done = hiple("add-engine", directory, "--run", study.wanted)
        assert done.returncode == 2 and f"{directory}: {said}" in done.stderr
    done = hiple("add-engine", study.directory)
    assert done.returncode == 2 and "neither --run nor --retrain is given" in done.stderr


def test_a_run_that_is_not_finished(study):
    (study.directory / "STATUS").unlink()
    refused(study, said=["holds a run that is not finished", "`hiple run`"])


def test_a_run_that_is_partial(study):
    shutil.rmtree(study.directory / "engines/beta")
    (study.directory / "judgments/beta.h5").unlink()
    assert hiple("integrate", study.file).returncode == 3
    refused(study, said=["holds a run that is partial: beta:"])


def line_of(study, text):
    lines = study.wanted.read_text().splitlines()
    return next(i for i, line in enumerate(lines, 1) if text in line)


def test_an_engines_name_that_is_taken(study):
    study.replace("grown.yaml", "    target: y\n", "    target: z\n")
    said = refused(study, said=["engines.beta.target is z; in the run it was y"])
    assert f"{study.wanted}:{line_of(study, 'target: z')}:13: " in said


def test_every_other_difference_at_its_place(study):
    study.replace("grown.yaml", "seed: 11", "seed: 12")
    study.replace("grown.yaml", "split: {test: 0.3}", "split: {test: 0.4}")
    said = refused(study, said=["seed is 12; in the run it was 11", "data.split.test is 0.4; in the run it was 0.3"])
    assert f"{study.wanted}:{line_of(study, 'seed')}:7: " in said and f"{study.wanted}:{line_of(study, 'split')}:" in said
    assert said.count("; in the run it was ") == 2


def test_an_engine_that_is_gone(study):
    text = study.wanted.read_text()
    study.wanted.write_text(text[:text.index("  - name: beta")] + text[text.index("  - name: gamma"):])
    refused(study, said=["engine beta is gone"])


def test_nothing_that_would_join(study):
    study.wanted.write_text(study.file.read_text())
    refused(study, said=["names no engine that the run does not have", "--retrain"])


def test_laws_with_mistakes(study):
    law = study.root / "grown_law.yaml"
    law.write_text(LAW + "".join(RULES) + LINK.replace("to: gamma", "to: gama"))
    refused(study, said=[f"{law}:", '"gama"', 'did you mean "gamma"'])
    law.write_text(LAW + "".join(RULES).replace('gamma.label == "true"', 'gamma.label == "ture"') + LINK)
    refused(study, said=[f"{law}:", '"ture"', 'did you mean "true"'])


def test_a_target_that_the_table_does_not_have(study):
    study.replace("grown.yaml", "    target: z\n", "    target: w\n")
    said = refused(study, said=["target w: no such column"])
    assert f"{study.wanted}:{line_of(study, 'target: w')}:13: " in said


def test_engines_to_retrain(study):
    done = study.retrain("alhpa", status=2)
    assert 'the run has no engine alhpa (did you mean "alpha"?)' in done.stderr or "alpha" in done.stderr
    done = hiple("add-engine", study.directory, "--run", study.wanted, "--retrain", "alpha")
    assert done.returncode == 2 and "engine gamma is new: only alpha is retrained" in done.stderr
    study.replace("run.yaml", "train: {epochs: 1, batch: 32, lr: 1e-2, early_stop: 0}\n  - name: beta",
                  "train: {epochs: 9, batch: 32, lr: 1e-2, early_stop: 0}\n  - name: beta")
    done = study.retrain("beta", "--run", study.file, status=2)
    assert "engines.alpha.train.epochs is 9; in the run it was 1" in done.stderr


def test_another_table(study):
    text = (study.root / "cases.csv").read_text().splitlines()
    fields = text[5].split(",")
    fields[2] = "0.5"
    (study.root / "cases.csv").write_text("\n".join(text[:5] + [",".join(fields)] + text[6:]) + "\n")
    refused(study, said=["is not the table that the decisions were made from"])


def test_a_table_with_more_columns_may_join(study):
    rows = (study.root / "cases.csv").read_text().splitlines()
    (study.root / "wide.csv").write_text("\n".join(row + (",w" if i == 0 else f",{i % 2}") for i, row in enumerate(rows)) + "\n")
    (study.root / "wide.yaml").write_text((study.root / "schema.yaml").read_text() + "  - {name: w, type: boolean, role: label}\n")
    study.replace("grown.yaml", "table: cases.csv\n  schema: schema.yaml", "table: wide.csv\n  schema: wide.yaml")
    study.replace("grown.yaml", "    target: z\n", "    target: w\n")
    study.replace("grown_law.yaml", "schema: schema.yaml", "schema: wide.yaml")
    assert json.loads(study.add("--json").stdout)["added"] == ["gamma"]


def test_evidence_that_came_since(study):
    study.replace("grown.yaml", "law: grown_law.yaml\n", "law: grown_law.yaml\nevidence: evidence.h5\n")
    (study.root / "labs.csv").write_text("case,about,value,unit,source,date,reliability\n7,x,high,,lee,2026-02-01,1\n")
    assert hiple("evidence", "add", study.wanted, study.root / "labs.csv").returncode == 0
    refused(study, said=["evidence.file is ", "in the run it was not there"])


def test_an_engine_that_fails_leaves_the_run(study):
    root = root_of(study.directory)
    done = study.add("--inject", "engine=gamma,step=1,kind=nan", status=1)
    assert "engine gamma failed: " in done.stderr and "the run stays as it was" in done.stderr
    assert root_of(study.directory) == root and hiple("replay", study.directory).returncode == 0
    assert json.loads(study.add("--json").stdout)["version"] == 2


def test_an_attempt_at_something_else_is_not_mixed_in(study):
    study.add("--inject", "engine=gamma,step=1,kind=nan", status=1)
    done = study.retrain("alpha", status=2)
    assert "holds an attempt at something else that was interrupted: it trains other engines (repeat that one, or give --fresh" in done.stderr
    study.replace("grown.yaml", "    features: [a, b, kind]\n", "    features: [a, b]\n")
    assert "engines.gamma.features.3" in study.add(status=2).stderr
    assert json.loads(study.add("--fresh", "--json").stdout)["version"] == 2
