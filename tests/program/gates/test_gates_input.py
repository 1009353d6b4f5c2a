"""What is wrong with gates, truth or critical findings is said at its place, and nothing is measured."""

import csv

import pytest
from conftest import hiple
from gated import gated, gates, report, rows, run


def test_gates_that_moved_after_the_run_are_refused(study):
    run(gated(study))
    study.replace("gates.yaml", "thresholds: {}", "thresholds: {cbr: 0.5}")
    assert "gates.yaml: is not what was settled when the run began" in gates(study, status=2)
    assert "law or gates were changed after the run began" in gates(study, "--changed", status=4)
    assert not report(study, "--changed")["settled"]
    study.replace("gates.yaml", "thresholds: {cbr: 0.5}", "thresholds:   {} # the same again")
    gates(study)


def test_a_critical_list_that_moved_after_the_run_is_refused(study):
    run(gated(study))
    study.replace("critical.yaml", "to: foreman", "to: nobody")
    assert "law.yaml: is not what was settled" in gates(study, status=2)


def test_a_run_without_gates(study):
    assert hiple("run", study.file).returncode == 0
    result = hiple("gates", study.directory)
    assert result.returncode == 2 and "names no gates" in result.stderr


def test_a_run_without_decisions(study):
    gated(study)
    result = hiple("gates", study.file)
    assert result.returncode == 2


@pytest.mark.parametrize("old, new, said", [
    ("{}", "{cbr: 1}", "no run can pass \"cbr\""),
    ("{}", "{cmr_silent: 0}", "no run can pass \"cmr_silent\""),
    ("{}", "{found: 1.0}", "no run can pass \"found\""),
    ("{}", "{cost: 1}", "every run passes \"cost\""),
    ("{}", "{cbr: 1.2}", "must be from 0 to 1"),
    ("{}", "{cbr: -0.1}", "must be from 0 to 1"),
    ("{}", "{cbr: .nan}", "must be a number"),
    ("{}", "{crb: 0.9}", "did you mean \"cbr\"?"),
    ("{x: alpha,", "{x: alhpa,", "did you mean \"alpha\"?"),
    ("needed:", "cluster: knid\nneeded:", "did you mean \"kind\"?"),
    ("needed:", "cluster: a\nneeded:", "it is a real number"),
    ("needed:", "waivers: [{boundary: alpha -> bata, by: me, date: 2026-11-30}]\nneeded:", "did you mean \"beta\"?"),
    ("needed:", "waivers: [{boundary: alpha -> beta, by: me, date: yesterday}]\nneeded:", "\"yesterday\" is no date"),
    ("needed:", "waivers: [{boundary: alpha -> beta, by: '', date: 2026-11-30}]\nneeded:", "a waiver has no name"),
    ("needed:", "home: {column: yy}\nneeded:", "did you mean \"y\"?"),
    ("needed:", "home: {column: y}\nneeded:", "\"low\" is no engine of the run"),
    ("needed:", "needed_columns: {alpha: x}\nneeded:", "\"needed\" and \"needed_columns\" are both given"),
])
def test_gates_that_are_wrong(study, old, new, said):
    gated(study)
    study.replace("gates.yaml", old, new)
    result = hiple("check", study.file)
    assert result.returncode == 2 and said in result.stderr, result.stderr
    assert "gates.yaml:" in result.stderr.splitlines()[0]


def test_a_critical_list_that_names_an_unknown_finding(study):
    gated(study)
    study.replace("critical.yaml", "z.both", "z.bosh")
    result = hiple("check", study.file)
    assert result.returncode == 2 and "critical.yaml:3:" in result.stderr and "did you mean \"both\"?" in result.stderr


@pytest.fixture
def truth(study):
    """A file with the truth alone, of all cases; the table's own is empty where it is a test case."""
    run(gated(study))
    path = study.root / "truth.csv"
    study.lines = [[case, row["x"], row["y"], row["z"]] for case, row in rows(study).items()]

    def write(lines, names=("record", "x", "y", "z")):
        with open(path, "w", newline="") as file:
            csv.writer(file).writerows([names, *lines])
        return path

    study.truth = write
    return study


def test_truth_from_a_file(truth):
    same = report(truth, "--truth", truth.truth(truth.lines))
    assert same["figures"] == report(truth)["figures"] and len(same["of"]["truth"]) == 64
    wrong = [[case, "false" if x == "true" else "true", y, z] for case, x, y, z in truth.lines]
    assert report(truth, "--truth", truth.truth(wrong))["figures"]["exact"] != same["figures"]["exact"]


def test_unknown_truth_is_counted_and_the_worst_case_told(truth):
    unknown = [[case, x, y, "" if case % 5 == 0 else z] for case, x, y, z in truth.lines]
    record = report(truth, "--truth", truth.truth(unknown))
    figures = record["figures"]
    assert figures["unknown"] > 0.05 * figures["rows"] and figures["exact"]["n"] == figures["rows"] - figures["unknown"]
    silent = next(gate for gate in record["gates"] if gate["gate"] == "cmr_silent")
    assert silent["worst_case"]["share"]["count"] == figures["silent"]["count"] + figures["unknown"]


@pytest.mark.parametrize("change, said", [
    (lambda lines: [*lines, [9999, "true", "low", "true"]], "the run has no case 9999"),
    (lambda lines: [*lines, lines[7]], "8"),
    (lambda lines: lines[:40], "there is no row for case"),
    (lambda lines: [[case, x, y, "perhaps"] if case == 7 else [case, x, y, z] for case, x, y, z in lines], "perhaps"),
])
def test_truth_of_other_cases_twice_or_missing(truth, change, said):
    error = gates(truth, "--truth", truth.truth(change(truth.lines)), status=2)
    assert "truth.csv" in error and said in error, error


def test_truth_without_a_column(truth):
    error = gates(truth, "--truth", truth.truth([line[:3] for line in truth.lines], ("record", "x", "y")), status=2)
    assert "truth.csv" in error and "z" in error
