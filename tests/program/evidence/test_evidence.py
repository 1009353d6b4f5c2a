"""Evidence as a user adds it, looks at it and checks it; and what is refused."""

import json

import h5py
import pytest

from conftest import hiple
from evident import CASES, RULES, added, evidence, evident, listed, write


@pytest.fixture
def study(study):
    return evident(study)


def test_evidence_is_added_listed_and_checked(study):
    labs = write(study, "labs.csv", "7,b,1.5,mm,north,2026-01-31,0.9", "7,x,high,,lee,2026-02-01,1", "9,b,0.15,cm,north,2026-01-31,0.9")
    rules = write(study, "registry.csv", 'X-1,120,113,"registry, 2025",2026-01-15,1', header=RULES)
    text = evidence("add", study, labs, rules)
    assert f"{study.root}/evidence.h5: 4 records added, 4 in all\n" in text
    records = listed(study)
    assert [(r["case"], r["about"], r["value"], r["unit"], r["source"], r["from"], r["fate"]) for r in records["cases"]] == [
        (7, "b", "1.5", "mm", "north", "labs.csv:2", "counts"), (7, "x", "high", "", "lee", "labs.csv:3", "counts"),
        (9, "b", "0.15", "cm", "north", "labs.csv:4", "counts")]
    assert [(r["rule"], r["held"], r["cases"], r["source"], r["fate"]) for r in records["rules"]] == [
        ("X-1", 113, 120, "registry, 2025", "counts")]
    assert records["entries"] == 2
    table = evidence("list", study, "--case", 9)
    assert table.splitlines()[1].split() == ["9", "b", "0.15", "cm", "north", "2026-01-31", "0.9", "labs.csv:4", "counts"]
    check = json.loads(evidence("check", study, "--json"))
    assert check["sound"] and check["standing"] == {"b": 2, "x": 1} and check["head"] == records["head"]
    assert f"head      {records['head']}: every record is what was recorded" in evidence("check", study)


def test_what_is_there_already_is_not_added_again(study):
    labs = write(study, "labs.csv", "7,b,1.5,mm,north,2026-01-31,0.9", "7,b,1.5,mm,north,2026-01-31,0.9")
    first = added(study, labs)
    assert first["added"] == {"cases": 1, "rules": 0} and first["duplicates"] == [{"at": "labs.csv:3", "first": "labs.csv:2"}]
    before = (study.root / "evidence.h5").read_bytes()
    again = added(study, labs)
    assert again["added"] == {"cases": 0, "rules": 0} and len(again["duplicates"]) == 2 and again["head"] == first["head"]
    assert (study.root / "evidence.h5").read_bytes() == before
    assert "2 records were there already, and not added again:\n  labs.csv:2 says what labs.csv:2 says\n" in evidence("add", study, labs)


def test_contradictions_are_told_and_nothing_is_averaged(study):
    north = write(study, "north.csv", "7,b,1,mm,north,2026-01-31,0.9", "9,b,1,mm,north,2026-01-31,0.9")
    south = write(study, "south.csv", "7,b,3,mm,south,2026-02-28,0.9", "9,b,0.1,cm,south,2026-02-28,0.9")
    assert added(study, north)["contradictions"] == []
    told = added(study, south)["contradictions"]
    assert told == [{"case": 7, "about": "b", "says": [{"source": "north", "value": "1", "unit": "mm", "from": "north.csv:2"},
                                                       {"source": "south", "value": "3", "unit": "mm", "from": "south.csv:2"}]}]
    assert [r["case"] for r in listed(study, "--contradictory")["cases"]] == [7, 7]
    assert "case 7, b: north says 1 mm (north.csv:2); south says 3 mm (south.csv:2)" in evidence("check", study)
    back = write(study, "back.csv", "7,b,,,south,2026-03-01,1")
    assert added(study, back)["contradictions"] == []
    assert [(r["value"], r["fate"]) for r in listed(study, "--case", 7)["cases"]] == [
        ("1", "counts"), ("3", "taken back"), ("", "takes back")]


def test_the_runs_day_and_reliability_decide_what_is_seen(study):
    labs = write(study, "labs.csv", "7,x,high,,lee,2026-02-01,0.5", "7,x,none,,may,2026-06-01,0.9")
    added(study, labs)
    fates = lambda: [r["fate"] for r in listed(study)["cases"]]
    assert fates() == ["contradictory", "contradictory"]
    study.replace("run.yaml", "as_of: 2026-11-30", "as_of: 2026-05-31")
    assert fates() == ["counts", "after the run's day"]
    study.replace("run.yaml", "evidence: evidence.h5", "evidence: {file: evidence.h5, least_reliability: 0.6}")
    assert fates() == ["unreliable", "after the run's day"]


def test_mistakes_are_told_all_at_once_and_nothing_is_added(study):
    good = write(study, "good.csv", "7,b,1.5,mm,north,2026-01-31,0.9")
    bad = write(study, "bad.csv", "700,b,1.5,mm,north,2026-01-31,0.9", "7,bb,1.5,mm,north,2026-01-31,0.9", "7,b,1.5,kg,north,2026-01-31,0.9",
                "7,x,hihg,,lee,2026-12-01,0.9")
    rules = write(study, "rules.csv", "X-9,5,5,registry,2026-01-15,1", header=RULES)
    said = [line for line in evidence("add", study, good, bad, rules, status=2).splitlines() if line.startswith(str(study.root))]
    where = lambda line: line.rpartition("/")[2].split(": ")[0]
    assert [where(line) for line in said] == ["bad.csv:2:1", "bad.csv:3:3", "bad.csv:4:9", "bad.csv:5:5", "bad.csv:5:15", "rules.csv:2:1"]
    for part, line in zip(["there is no case 700", 'evidence about "bb"', "the unit kg cannot be converted to mm", 'x cannot be "hihg"',
                           "2026-12-01 is in the future", 'the law has no rule or law "X-9"'], said, strict=True):
        assert part in line
    assert not (study.root / "evidence.h5").exists()


def test_a_run_without_evidence_says_so(study):
    study.replace("run.yaml", "evidence: evidence.h5\n", "")
    assert "run.yaml: names no evidence" in evidence("add", study, write(study, "labs.csv"), status=2)
    study.replace("run.yaml", "law: law.yaml\n", "law: law.yaml\nevidence: evidence.h5\n")
    assert "evidence.h5: no such file" in evidence("list", study, status=2)
    done = hiple("check", study.file)
    assert done.returncode == 2 and "hiple evidence add" in done.stderr


def test_names_that_are_not_recorded_are_told_with_the_nearest(study):
    added(study, write(study, "labs.csv", "7,b,1.5,mm,north,2026-01-31,0.9"))
    assert 'no evidence of "nroth" is recorded (did you mean "north"?)' in evidence("list", study, "--source", "nroth", status=2)


def test_a_law_that_forgets_a_question_leaves_its_evidence_unseen(study):
    added(study, write(study, "labs.csv", "7,z,both,,lee,2026-02-01,1", "8,z,none,,lee,2026-02-01,1"),
          write(study, "rules.csv", "Z-1,5,5,registry,2026-01-15,1", header=RULES))
    study.replace("law.yaml", "  - {name: z, findings: [none, both], default: none}\n", "  - {name: w, findings: [none, both], default: none}\n")
    study.replace("law.yaml", "  - {id: Z-1, title: both, when: 'gamma.label == \"true\"', then: z.both}\n", "")
    check = json.loads(evidence("check", study, "--json", status=1))
    assert not check["sound"] and check["unknown"] == 2 and check["unknown_rules"] == 1
    assert [r["fate"] for r in listed(study)["cases"]] == ["unknown", "unknown"]


def test_a_record_that_was_changed_is_refused(study):
    added(study, write(study, "labs.csv", "7,b,1.5,mm,north,2026-01-31,0.9"))
    path = study.root / "evidence.h5"
    from conftest import seal
    with h5py.File(path, "r+") as file:
        assert file.attrs["format"] == "hiple evidence" and file.attrs["version"] == 1 and file.attrs["complete"] == 1
        file["cases/case_id"][0] = 9
    seal(path)
    said = evidence("list", study, status=2)
    assert "evidence.h5: entry 1 is not what was recorded" in said


def test_the_file_says_everything_to_other_programs(study):
    added(study, write(study, "labs.csv", "7,b,1.5,mm,north,2026-01-31,0.9"), write(study, "rules.csv", "X-1,9,8,study,2026-01-15,1", header=RULES))
    with h5py.File(study.root / "evidence.h5") as file:
        texts = file["texts"].asstr()[...]
        word = lambda name: list(texts[file[name][...]])
        assert file["cases/case_id"][...].tolist() == [7] and word("cases/about") == ["b"] and word("cases/value") == ["1.5"]
        assert word("cases/unit") == ["mm"] and word("cases/source") == ["north"] and file["cases/reliability"][...].tolist() == [0.9]
        assert word("rules/rule") == ["X-1"] and file["rules/held"][...].tolist() == [8] and file["rules/line"][...].tolist() == [2]
        assert word("entries/file") == ["labs.csv", "rules.csv"] and file["entries/cases"][...].tolist() == [1, 0]


def test_an_empty_file_adds_nothing(study):
    assert added(study, write(study, "labs.csv"))["added"] == {"cases": 0, "rules": 0}
    assert (study.root / "evidence.h5").exists()
    assert CASES.count(",") == 6
