"""The arithmetic of the study over time, on a table of a few records."""

import subprocess
import sys
import xml.etree.ElementTree

import over_time
import over_time_figure
import pytest
from over_time_cases import Records, day_of, months_of, paired, surest

ROWS = """\
case,year,TSH,state,state_also,illness,illness_also
850105001,1985,1,none,,none,
860203001,1986,9,primary,,none,
860203002,1986,9,hyper,toxic,ill,
860301001,1986,1,none,,none,
"""
SCHEMA = """\
schema: 1
header: true
columns:
  - {name: case, type: integer, role: id}
  - {name: year, type: integer}
  - {name: TSH, type: real}
"""
GATES = "gates: 1\ntruth: {state: {column: state, also: state_also}, illness: {column: illness, also: illness_also}}\n"
CRITICAL = """\
critical: 1
findings:
  - {finding: state.hyper, covered_by: [state.toxic], to: a person}
  - {finding: state.primary, to: a person}
"""


@pytest.fixture
def records(tmp_path):
    labels = "".join(f"  - {{name: {name}, type: category, values: [none], role: label}}\n"
                     for name in ("state", "state_also", "illness", "illness_also"))
    for name, text in (("schema.yaml", SCHEMA + labels), ("gates.yaml", GATES), ("critical.yaml", CRITICAL), ("cases.csv", ROWS)):
        (tmp_path / name).write_text(text)
    return Records(tmp_path / "run.yaml", tmp_path / "cases.csv", ["1985"])


def test_a_records_number_says_its_day():
    assert day_of(860203001) == "1986-02-03" and day_of(870131042) == "1987-01-31"


def test_months_with_few_records_are_looked_at_with_the_next():
    ids = [860101001, 860102001, *range(860203001, 860203006), *range(860301001, 860301004), 860505001, *range(860601001, 860601004), 860702001]
    portions = months_of(ids, 3)
    assert [(month, len(cases)) for month, cases in portions] == [("1986-02", 7), ("1986-03", 3), ("1986-07", 5)]
    assert sorted(case for _, cases in portions for case in cases) == ids
    assert months_of(ids, 1)[0] == ("1986-01", ids[:2]) and len(months_of(ids, 1)) == 6
    assert months_of(ids[:2], 50) == [("1986-01", ids[:2])] and months_of([], 50) == []


def test_the_first_years_are_apart_from_the_later_ones(records):
    assert records.first == [850105001] and records.later == [860203001, 860203002, 860301001]
    assert records.questions == ["state", "illness"]


def test_evidence_is_what_was_found_on_that_day(records):
    head, *lines = records.evidence([860203001]).splitlines()
    assert head == "case,about,value,unit,source,date,reliability"
    assert lines == ["860203001,state,primary,,physicians' comments,1986-02-03,1", "860203001,illness,none,,physicians' comments,1986-02-03,1"]


@pytest.mark.parametrize("case, answers, outcome", [
    (860203001, ("primary", "none"), (True, True, False)),
    (860203001, ("none", "none"), (True, False, True)),      # the critical finding is missed in silence
    (860203001, (None, "none"), (False, False, False)),      # left open: nobody was told that all is well
    (860203001, ("none", None), (False, False, True)),       # open elsewhere, and silent here
    (860203002, ("toxic", "ill"), (True, True, False)),      # what else is right
    (860203002, ("hyper", "none"), (True, False, False)),
    (860203002, ("primary", "ill"), (True, False, True)),
    (860301001, ("none", "none"), (True, True, None)),
])
def test_an_answer_is_counted_as_gates_count_it(records, case, answers, outcome):
    assert records.outcome(case, answers) == outcome


def test_counts_add_up(records):
    answers = {860203001: ("none", "none"), 860203002: (None, "ill"), 860301001: ("none", "none")}
    assert records.measured(records.later, answers) == {"cases": 3, "decided": 2, "right": 1, "wrong": 1, "open": 1, "critical": 2, "missed": 1}
    theirs = {860203001: ("primary", "none"), 860203002: (None, "ill"), 860301001: (None, None)}
    assert paired(records, records.later, answers, theirs) == (1, 1) and paired(records, records.later, answers, answers) == (0, 0)


def test_the_surest_are_taken_and_of_equals_the_first():
    assert surest([1, 2, 3, 4], {1: 0.5, 2: 0.9, 3: 0.9, 4: 0.7}, 3) == [2, 3, 4]
    assert surest([1, 2], {1: 0.5, 2: 0.5}, 1) == [1] and surest([1], {1: 1}, 0) == []


def proposal(name, kind, refused=()):
    return {"id": name, "kind": kind, "refused": list(refused)}


def test_what_is_accepted_goes_on_deciding_where_it_may():
    rule = lambda name, *proposals, law=False: {"id": name, "law": law, "proposals": list(proposals)}
    listing = {"contradicted": [rule("L", proposal("l", "retire"), law=True), rule("A", proposal("a", "threshold", ["not shown"])),
                                rule("B", proposal("b1", "suspend"), proposal("b2", "exception", ["a gate"]), proposal("b3", "threshold")),
                                rule("C", proposal("c", "retire"))]}
    assert over_time.choice(listing, set())["id"] == "b3"
    assert over_time.choice(listing, {"B"})["id"] == "c"
    assert over_time.choice(listing, {"B", "C"}) is None and over_time.choice({"contradicted": []}, set()) is None


def counted(cases, right, wrong):
    return {"cases": cases, "decided": right + wrong, "right": right, "wrong": wrong, "open": cases - right - wrong, "critical": 3, "missed": 1}


@pytest.fixture
def result():
    seconds = lambda wall: {"wall": wall, "cpu": 2 * wall}
    who = dict.fromkeys(over_time.WHO, counted(100, 80, 10)) | {"surest": counted(90, 82, 8)}
    step = {"contradicted": ["A", "B"], "accepted": [{"kind": "threshold", "summary": "6, no longer 5"}], "still_contradicted": {"B": []},
            "verdicts": {"SUPPORTED": 3, "CONTRADICTED": 2, "UNPROVEN": 9}, "worn": [], "law_seconds": seconds(1.25), "monolith_seconds": seconds(20)}
    months = [{"month": "1986-02", "learned": 500, **who, **step}, {"month": "1986-03", "learned": 600, **who, **step},
              {"month": "1986-04", "learned": 700, **who}]
    return {"months": months, "together": dict.fromkeys(over_time.WHO, counted(300, 240, 30)),
            "tests": {"revised against written": {"better": 5, "worse": 1, "p": 0.21875}}, "engines_unchanged": True, "engine_files": 14}


def test_the_table_has_a_line_a_month_and_one_for_all(result):
    lines = over_time.table(result).splitlines()
    assert len({line.count("|") for line in lines[:6]}) == 1
    assert lines[2] == "| 1986-02 | 80 / 100 | 80 / 100 | 80 / 100 | 80 / 100 | 10 | A, B | 1 | 1.2 | 20.0 |"
    assert lines[4] == "| 1986-04 | 80 / 100 | 80 / 100 | 80 / 100 | 80 / 100 | 10 |  |  |  |  |"
    assert lines[5] == "| all | 240 / 300 | 240 / 300 | 240 / 300 | 240 / 300 | 30 |  | 2 | 2.5 | 40.0 |"
    assert "revised against written: 5 records better, 1 worse, p 0.22" in lines and "1986-02: threshold: 6, no longer 5" in lines


def test_the_csv_and_the_figures_are_written(result, tmp_path):
    over_time.write_csv(result, tmp_path / "t.csv")
    head, first, _, last = (line.split(",") for line in (tmp_path / "t.csv").read_text().splitlines())
    assert len(head) == len(first) == len(last) and dict(zip(head, first))["monolith_cpu_seconds"] == "40.000"
    assert dict(zip(head, first))["surest_right"] == "82" and dict(zip(head, last))["law_seconds"] == ""
    over_time_figure.draw(result, tmp_path / "t")
    assert (tmp_path / "t.png").stat().st_size > 10000
    assert xml.etree.ElementTree.parse(tmp_path / "t.svg").getroot().tag.endswith("svg")


def test_what_it_refuses(tmp_path):
    (tmp_path / "file").write_text("")
    for words, said in (([tmp_path, "--input", tmp_path / "file"], "is not empty"), ([tmp_path / "new"], "--input"),
                        ([tmp_path / "new", "--input", tmp_path / "none"], "no such file"),
                        ([tmp_path / "new", "--input", tmp_path / "file", "--months", "1"], "--months is at least 2"),
                        ([tmp_path / "new", "--input", tmp_path / "file", "--least", "0"], "--least is at least 1")):
        done = subprocess.run([sys.executable, over_time.__file__, *map(str, words)], capture_output=True, text=True)
        assert done.returncode == 2 and said in done.stderr, done.stderr
        assert not (tmp_path / "new").exists()
