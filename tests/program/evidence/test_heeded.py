"""What evidence does to the decisions of a run: contradicted ones are not made, and everything is found again later."""

import json
import shutil

import h5py
import pytest

from conftest import hiple
from evident import added, copy_of, decided, integrate, of_x, trained_study, write

HIGH = """  - {id: X-1, title: a is high, when: 'a > 0', then: x.high}\n"""
EVIDENT = """  - {id: Y-1, when: 'evidence.b > 1 [mm]', then: y.high}\n"""


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    return trained_study(tmp_path_factory.mktemp("study"), HIGH)


@pytest.fixture
def study(trained, tmp_path):
    return copy_of(trained, tmp_path)


def test_what_evidence_contradicts_is_not_decided(study):
    before = integrate(study)
    high, none = of_x(before, "high"), of_x(before, "none")
    rows = [f"{high[0]},x,high,,lee,2026-01-01,1", f"{high[1]},x,none,,lee,2026-01-01,1", f"{none[0]},x,high,,lee,2026-01-01,1",
            f"{high[2]},x,high,,lee,2026-01-01,1", f"{high[2]},x,very_high,,may,2026-01-01,1"]
    added(study, write(study, "visits.csv", *rows))
    after = integrate(study)
    contradicted = ("abstain", "contradicted_by_evidence", None)
    assert [case for case in after if after[case] != before[case]] == sorted([high[1], none[0], high[2]])
    assert all(after[case]["x"] == contradicted for case in (high[1], none[0], high[2]))
    assert "contradicted_by_evidence" in (study.directory / "summary.txt").read_text()
    page = hiple("explain", study.file, "--case", high[1]).stdout
    assert "QUESTION x: ABSTAIN (contradicted_by_evidence)" in page and "evidence about this case: it is none" in page
    assert "its sources contradict one another" in hiple("explain", study.file, "--case", high[2]).stdout


def test_a_critical_finding_that_evidence_says_goes_to_a_person(study):
    (study.root / "critical.yaml").write_text("critical: 1\nfindings: [{finding: x.very_high, to: foreman, suspect: 'a > 100'}]\n")
    study.replace("law.yaml", "schema: schema.yaml\n", "schema: schema.yaml\ncritical: critical.yaml\n")
    case = of_x(integrate(study), "high")[0]
    added(study, write(study, "visits.csv", f"{case},x,very_high,,lee,2026-01-01,1"))
    assert integrate(study)[case]["x"] == ("escalate", "contradicted_by_evidence", None)
    assert "ESCALATE to foreman" in hiple("explain", study.file, "--case", case).stdout


def test_replay_sees_the_evidence_as_it_was(study):
    before = integrate(study)
    root = json.loads((study.directory / "STATUS").read_text())["root"]
    high = of_x(before, "high")
    added(study, write(study, "visits.csv", f"{high[0]},x,none,,lee,2026-01-01,1"))
    replay = json.loads(hiple("replay", study.file, "--json").stdout)
    assert replay["same"] and replay["root"] == root
    integrate(study)
    with h5py.File(study.directory / "decisions.h5") as file:
        head = file.attrs["evidence"]
    assert head == json.loads(hiple("evidence", "list", study.file, "--json").stdout)["head"]
    added(study, write(study, "more.csv", f"{high[1]},x,none,,lee,2026-01-01,1"))
    assert json.loads(hiple("replay", study.file, "--json").stdout)["same"]
    assert hiple("explain", study.file, "--case", high[0]).returncode == 0


def test_another_evidence_is_refused(study):
    integrate(study)
    case = of_x(decided(study), "high")[0]
    added(study, write(study, "visits.csv", f"{case},x,none,,lee,2026-01-01,1"))
    integrate(study)
    (study.root / "evidence.h5").unlink()
    added(study, write(study, "others.csv", f"{case},x,none,,lee,2026-01-02,1"))
    done = hiple("replay", study.file)
    assert done.returncode == 2 and "does not hold the evidence that the decisions were made with" in done.stderr


def test_conditions_read_evidence_and_another_day_sees_less(study):
    study.write_law([HIGH, EVIDENT])
    before = integrate(study)
    assert all(answer["y"] == ("abstain", "blocked", None) for answer in before.values())
    added(study, write(study, "labs.csv", "3,b,2,mm,north,2026-01-01,1", "4,b,0.05,cm,north,2026-01-01,1", "5,b,2,mm,north,2026-08-01,1",
                       "6,b,2,mm,north,2026-01-01,1", "6,b,3,mm,south,2026-01-01,1"))
    after = integrate(study)
    assert {case: after[case]["y"] for case in (3, 4, 5, 6)} == {
        3: ("decide", "none", "high"), 4: ("decide", "none", "none"), 5: ("decide", "none", "high"), 6: ("abstain", "blocked", None)}
    assert "the sources of evidence.b contradict one another" in hiple("explain", study.file, "--case", 6).stdout


def test_portions_and_threads_change_nothing(study):
    study.write_law([HIGH, EVIDENT])
    added(study, write(study, "labs.csv", *(f"{case},b,{case % 5},mm,north,2026-01-01,1" for case in range(1, 241, 3)),
                       *(f"{case},x,{('high', 'none')[case % 2]},,lee,2026-01-01,1" for case in range(1, 241, 7))))
    integrate(study)
    root = json.loads((study.directory / "STATUS").read_text())["root"]
    done = hiple("integrate", study.file, "--portion", 4096, "--threads", 2)
    assert done.returncode == 0 and json.loads((study.directory / "STATUS").read_text())["root"] == root


def test_a_law_diff_sees_the_evidence_of_the_decisions(study):
    case = of_x(integrate(study), "high")[0]
    added(study, write(study, "visits.csv", f"{case},x,none,,lee,2026-01-01,1"))
    integrate(study)
    (study.root / "new.yaml").write_text((study.root / "law.yaml").read_text() + EVIDENT)
    diff = json.loads(hiple("law", "diff", study.root / "law.yaml", study.root / "new.yaml", "--run", study.file, "--json").stdout)
    assert diff
    changed = json.dumps(diff)
    assert '"y"' in changed and '"x"' not in changed.split("changes")[-1]


def test_check_tells_what_stands(study):
    added(study, write(study, "labs.csv", "3,b,2,mm,north,2026-01-01,1", "6,b,2,mm,north,2026-01-01,1", "6,b,3,mm,south,2026-01-01,1"))
    done = hiple("check", study.file)
    assert done.returncode == 0 and "evidence.h5: 2 values stand, 1 of them contradictory" in done.stdout


def test_training_does_not_look_at_evidence(study):
    (study.root / "evidence.h5").write_text("damaged")
    assert hiple("run", study.file).returncode == 2
    shutil.rmtree(study.directory)
    assert hiple("train", study.file, "--engine", "alpha").returncode == 0
