"""A partition that an earlier report does not trust: every engine is asked, abstentions go to people, and the decisions say so."""

import json

import pytest
from conftest import hiple, mpirun, status
from gated import LOOSE, Decided, gated, gates, report, run


@pytest.fixture
def closed(study):
    """A run, its report, and the run.yaml of a second one that names the report."""
    run(gated(study))
    study.open = study.root / "first"
    study.directory.rename(study.open)
    gates(study, "--out", study.root / "previous.json", directory=study.open)
    study.replace("run.yaml", "gates: gates.yaml", "gates: {file: gates.yaml, report: previous.json}")
    return study


def test_every_engine_is_asked_and_nothing_is_abstained_from(closed):
    summary = run(closed)
    assert "NOT TRUSTED: every engine was asked" in summary and "cmr_silent: " in summary
    now, before = Decided(closed.directory), Decided(closed.open)
    assert all(consulted == {"alpha", "beta", "gamma"} for consulted in now.consulted)
    assert not all(consulted == {"alpha", "beta", "gamma"} for consulted in before.consulted)
    assert all("gate_closed" in flags for row in now.flags for flags in row)
    assert not any("gate_closed" in flags for row in before.flags for flags in row)
    assert not any("abstain" in row for row in now.status)
    assert status(closed.directory)["abstained"] == 0
    by_gate = [flags for row, states in zip(now.flags, now.status) for flags, state in zip(row, states)
               if state == "escalate" and "escalated" not in flags]
    assert by_gate, "the study must hold what the law abstains from"
    assert now.closed_by == json.loads((closed.root / "previous.json").read_text())["sha256"] and before.closed_by == ""


def test_root_and_replay_know_it(closed):
    run(closed)
    assert Decided(closed.directory).root != Decided(closed.open).root
    replay = hiple("replay", closed.directory, "--json")
    assert replay.returncode == 0 and json.loads(replay.stdout)["same"], replay.stdout + replay.stderr
    assert hiple("replay", closed.open).returncode == 0


def test_ranks_change_nothing(closed):
    run(closed)
    root = Decided(closed.directory).root
    result = mpirun(3, "run", closed.file, "--output", closed.root / "ranks")
    assert result.returncode == 0, result.stdout + result.stderr
    assert Decided(closed.root / "ranks").root == root


def test_explain_says_who_closed_it(closed):
    run(closed)
    now = Decided(closed.directory)
    row = next(row for row, states in enumerate(now.status)
               if any(s == "escalate" and "escalated" not in f for s, f in zip(states, now.flags[row])))
    told = hiple("explain", closed.directory, "--case", now.cases[row])
    assert told.returncode == 0, told.stderr
    assert "by the gate report " + now.closed_by in " ".join(told.stdout.split()), told.stdout


def test_check_says_it_before_anything_runs(closed):
    text = hiple("check", closed.file).stdout
    assert "gates    CLOSED" in text and "cmr_silent: " in text


def test_gates_of_a_closed_run_count_no_gate_as_found(closed):
    run(closed)
    record = report(closed)
    assert record["of"]["closed_by"] and record["figures"]["cost"]["mean"] == 1
    assert not record["trusted"]


def test_a_trusted_partition_runs_open(study):
    run(gated(study, LOOSE))
    root = Decided(study.directory).root
    study.directory.rename(study.root / "first")
    gates(study, "--out", study.root / "previous.json", directory=study.root / "first", status=0)
    study.replace("run.yaml", "gates: gates.yaml", "gates: {file: gates.yaml, report: previous.json}")
    assert "NOT TRUSTED: every engine" not in run(study)
    assert Decided(study.directory).root == root and Decided(study.directory).closed_by == ""
    assert "gates    open by the report" in hiple("check", study.file).stdout
    # The report speaks for this law alone.
    study.replace("law.yaml", "a > 1.5", "a > 1.4")
    assert "the report is of another law" in run(study, "--output", study.root / "other law")


def test_the_outcome_of_a_run_is_no_key_to_its_own_gate(study):
    run(gated(study))
    gates(study, "--out", study.root / "own.json")
    study.replace("run.yaml", "gates: gates.yaml", "gates: {file: gates.yaml, report: own.json}")
    for again in (hiple("integrate", study.file), hiple("run", study.file)):
        assert again.returncode == 2 and "the report is of this very run" in again.stderr, again.stderr
    run(study, "--fresh")


def test_a_report_that_was_touched_is_refused(closed):
    path = closed.root / "previous.json"
    path.write_text(path.read_text().replace('"verdict": "NOT_EVALUABLE"', '"verdict": "PASS"'))
    result = hiple("run", closed.file)
    assert result.returncode == 2 and "was changed after it was written" in result.stderr
    path.write_text("{}")
    result = hiple("run", closed.file)
    assert result.returncode == 2 and "is no report of gates" in result.stderr
    path.unlink()
    result = hiple("check", closed.file)
    assert result.returncode == 2 and "the gate report" in result.stderr and "run.yaml:" in result.stderr
