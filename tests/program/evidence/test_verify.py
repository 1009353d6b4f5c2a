"""Rules held against evidence: what is shown, what is not, and what cannot be."""

import json

import pytest

from conftest import hiple
from evident import RULES, added, copy_of, integrate, of_x, trained_study, write

LAW = """  - {id: X-1, when: 'a > 0', then: x.high, precision: 0.8}
  - {id: X-2, when: 'a > 1.5', then: x.very_high, overrides: [X-1]}
  - {id: Y-1, when: 'b > 0 [mm]', then: y.high}
  - {id: Y-9, status: proposed, when: 'b > 2 [mm]', then: y.high}
  - {id: Z-1, when: 'evidence.z == "both"', then: z.both}
laws:
  - {id: L-1, when: 'a < -5', forbid: x.high}
"""


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    return trained_study(tmp_path_factory.mktemp("study"), LAW)


@pytest.fixture
def study(trained, tmp_path):
    return copy_of(trained, tmp_path)


def verify(study, *options, status):
    done = hiple("evidence", "verify", study.file, "--json", *options)
    assert done.returncode == status, f"{done.returncode}\n{done.stdout}{done.stderr}"
    return {rule["id"]: rule for rule in json.loads(done.stdout)["rules"]}


def say(study, cases, about, value, source="lee", date="2026-01-01"):
    added(study, write(study, f"{source}{date}{about}{value}.csv", *(f"{case},{about},{value},,{source},{date},1" for case in cases)))


def test_a_right_rule_is_supported_and_a_wrong_one_contradicted(study):
    decided = integrate(study)
    high = of_x(decided, "high")
    say(study, high[:60], "x", "high")
    y_high = [case for case, answer in decided.items() if answer["y"] == ("decide", "none", "high")]
    say(study, y_high[:40], "y", "low")
    rules = verify(study, status=1)
    assert rules["X-1"]["verdict"] == "SUPPORTED" and rules["X-1"]["evidence"][0]["cases"] == 60
    assert rules["Y-1"]["verdict"] == "CONTRADICTED" and rules["Y-1"]["against"] == sorted(y_high[:40])
    assert rules["Y-1"]["required"] == 0.9 and rules["X-1"]["required"] == 0.8
    assert rules["Y-9"]["status"] == "proposed" and rules["Y-9"]["evidence"][0]["cases"] > 0
    assert rules["X-2"]["verdict"] == "UNPROVEN" and rules["X-2"]["evidence"][0]["cases"] == 0
    assert rules["L-1"]["verdict"] == "UNPROVEN"
    text = hiple("evidence", "verify", study.file).stdout
    line = next(line for line in text.splitlines() if line.startswith("X-1"))
    assert line.split()[:8] == ["X-1", "x.high", "accepted", "0.8", "cases", "60", "of", "60"] and line.endswith("SUPPORTED")
    assert f"Y-1 CONTRADICTED: evidence says otherwise in case {y_high[0]}, " in text


def test_few_cases_prove_nothing(study):
    high = of_x(integrate(study), "high")
    say(study, high[:5], "x", "high")
    rules = verify(study, status=0)
    assert rules["X-1"]["verdict"] == "UNPROVEN"
    assert 0 < rules["X-1"]["evidence"][0]["lower"] < 0.8 and rules["X-1"]["evidence"][0]["upper"] == 1


def test_contradictory_evidence_counts_for_nobody(study):
    high = of_x(integrate(study), "high")
    say(study, high[:30], "x", "high")
    say(study, high[:30], "x", "none", source="may")
    done = json.loads(hiple("evidence", "verify", study.file, "--json").stdout)
    assert done["cases"] == 0 and done["contradictory"] == 30
    assert {rule["id"]: rule["evidence"][0]["cases"] for rule in done["rules"]}["X-1"] == 0


def test_a_rule_that_reads_its_own_evidence_is_not_verified_by_it(study):
    say(study, range(1, 101), "z", "both")
    rules = verify(study, status=0)
    assert rules["Z-1"]["verdict"] == "UNPROVEN" and rules["Z-1"]["evidence"][0]["cases"] == 0
    assert "reads evidence about its own question" in rules["Z-1"]["why"]


def test_studies_are_not_pooled(study):
    added(study, write(study, "a.csv", "X-1,500,490,registry,2026-01-01,1", "Y-1,500,490,registry,2026-01-01,1", header=RULES))
    rules = verify(study, status=0)
    assert rules["X-1"]["verdict"] == rules["Y-1"]["verdict"] == "SUPPORTED"
    added(study, write(study, "b.csv", "Y-1,500,300,clinic,2026-01-01,1", "L-1,500,10,clinic,2026-01-01,1", header=RULES))
    rules = verify(study, status=1)
    assert rules["Y-1"]["verdict"] == "UNPROVEN" and rules["Y-1"]["why"] == "what one source shows another refutes"
    assert [(e["source"], e["verdict"]) for e in rules["Y-1"]["evidence"]] == [("clinic", "CONTRADICTED"), ("registry", "SUPPORTED")]
    assert rules["L-1"]["verdict"] == "CONTRADICTED" and "never revised by evidence" in rules["L-1"]["why"]


def test_only_what_came_since_counts(study):
    high = of_x(integrate(study), "high")
    say(study, high[:40], "x", "high", date="2026-01-01")
    say(study, high[40:50], "x", "none", date="2026-06-01")
    assert verify(study, "--since", "2026-02-01", status=1)["X-1"]["evidence"][0] | {"lower": 0, "upper": 0} == {
        "source": None, "cases": 10, "held": 0, "lower": 0, "upper": 0, "verdict": "CONTRADICTED"}
    for day, said in (("2027-01-01", "no evidence of 2027-01-01 and later can be known"), ("soon", '"soon" is no date')):
        done = hiple("evidence", "verify", study.file, "--since", day)
        assert done.returncode == 2 and said in done.stderr
