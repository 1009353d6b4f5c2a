"""What a run holds for true, what that rests on, and what becomes of it when a rule is revised."""

import json

import pytest

from conftest import hiple
from evident import decided
from revised import accepted, copy_of, inspections, of_kind, proposals, trained


@pytest.fixture(scope="module")
def origin(tmp_path_factory):
    return trained(tmp_path_factory.mktemp("study"))


@pytest.fixture
def study(origin, tmp_path):
    return copy_of(origin, tmp_path / "copy")


def knowledge(verb, study, *options, status=0):
    done = hiple("knowledge", verb, study.directory, *options)
    assert done.returncode == status, f"{done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout if status == 0 else done.stderr


def listed(study, *options):
    return json.loads(knowledge("list", study, *options, "--json"))


def test_decided_answers_are_listed_with_what_they_rest_on(study):
    answers = decided(study)
    known = sum(answer[0] == "decide" for case in answers.values() for answer in case.values())
    high = [case for case, answer in answers.items() if answer["x"][2] == "high"]
    whole = listed(study, "--most", 3)
    assert whole["known"] == whole["matching"] == known and len(whole["knowledge"]) == 3 and whole["revision"] == 0
    assert whole["findings"]["x.high"] == whole["rules"]["X-1@1"] == len(high)
    of_rule = listed(study, "--rule", "X-1", "--most", 100000)
    assert [each["case"] for each in of_rule["knowledge"]] == high
    assert all(each["rules"] == ["X-1@1"] and each["engines"] == [] for each in of_rule["knowledge"])  # it reads a column alone
    by_beta = listed(study, "--engine", "beta", "--finding", "y.high", "--most", 100000)
    assert [each["case"] for each in by_beta["knowledge"]] == [case for case, answer in answers.items() if answer["y"][2] == "high"]
    assert all("beta" in each["engines"] and each["rules"] == ["Y-1@1"] for each in by_beta["knowledge"])
    assert f"known       {known} of" in knowledge("list", study)


def test_a_case_tells_rules_engines_evidence_and_since_when(study):
    best = of_kind(proposals(study, "--evidence", inspections(study)), "threshold")
    case = next(change["case"] for change in best["decisions"]["changes"])
    accepted(study, best)
    record = json.loads(knowledge("why", study, "--case", case, "--json"))
    x, = [each for each in record["knowledge"] if each["question"] == "x"]
    assert x["finding"] == "x.none" and x["rules"] == ["x.default@1"] and x["since"] == 1
    assert len(x["evidence"]) == 1 and "inspection says none of x on 2026-03-01 (inspections.csv:" in x["evidence"][0]
    others = [each for each in record["knowledge"] if each["question"] != "x"]
    assert all(each["since"] == 0 for each in others)
    assert "since     revision 1" in knowledge("why", study, "--case", case)


def test_since_tells_what_was_withdrawn_and_derived_again(study):
    before = decided(study)
    accepted(study, of_kind(proposals(study, "--evidence", inspections(study)), "threshold"))
    after = decided(study)
    since = json.loads(knowledge("since", study, "--json"))
    assert since["from"] == 0 and since["to"] == 1 and len(since["revisions"]) == 1
    of = lambda kind: {(each["case"], each["question"]) for each in since["changes"] if each["change"] == kind}
    decide = lambda answer: answer[0] == "decide"
    every = [(case, question) for case in before for question in before[case]]
    assert of("replaced") == {(c, q) for c, q in every if decide(before[c][q]) and decide(after[c][q]) and before[c][q] != after[c][q]} != set()
    assert of("withdrawn") == {(c, q) for c, q in every if decide(before[c][q]) and not decide(after[c][q])}
    assert of("gained") == {(c, q) for c, q in every if not decide(before[c][q]) and decide(after[c][q])}
    # What still rests on the rule rests on its second version.
    assert of("derived again") == {(c, "x") for c in after if after[c]["x"][2] == "high" and before[c]["x"] == after[c]["x"]} != set()
    assert all("X-1@1" in each["before"] and "X-1@2" in each["after"] for each in since["changes"] if each["change"] == "derived again")
    assert json.loads(knowledge("since", study, "--revision", 1, "--json"))["changes"] == []
    assert "revision 7 does not lead to the one in force" in knowledge("since", study, "--revision", 7, status=2)


def test_names_that_are_not_there_are_told_with_the_nearest(study):
    said = knowledge("list", study, "--rule", "X-11", "--finding", "x.hihg", "--engine", "bta", status=2)
    assert 'did you mean "x.high"?' in said and 'did you mean "beta"?' in said and "--rule" in said
    assert "there is no case 99999" in knowledge("why", study, "--case", 99999, status=2)
