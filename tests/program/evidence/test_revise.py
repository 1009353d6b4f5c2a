"""A rule that evidence contradicts is revised: what is proposed, what is refused, what is accepted, and what stays as it was."""

import html
import json

import h5py
import pytest

from conftest import Study, hiple
from evident import added, decided, evident, write
from revised import (LIMIT, OTHER, RULE, accepted, contradicted, copy_of, engine_files, inspections, of_kind, proposals, replayed, revise,
                     root_of, trained)


@pytest.fixture(scope="module")
def origin(tmp_path_factory):
    study = trained(tmp_path_factory.mktemp("study"))
    revise(study, "--list", status=0)
    return study


@pytest.fixture
def study(origin, tmp_path):
    return copy_of(origin, tmp_path / "copy")


def test_a_contradicted_rule_gets_proposals_with_what_they_show(study):
    assert "evidence contradicts no rule" in revise(study, "--list", status=0)
    law, before = (study.root / "law.yaml").read_text(), decided(study)
    rule, = contradicted(study, "--evidence", inspections(study))
    assert rule["id"] == "X-1" and not rule["law"] and rule["evidence"][0]["verdict"] == "CONTRADICTED"
    found = rule["proposals"]
    assert {"threshold", "exception", "suspend", "retire"} == {each["kind"] for each in found}
    best = found[0]
    assert best["kind"] == "threshold" and best["refused"] == [] and best["after"]["wrong"] == best["after"]["undecided"] == 0
    assert best["before"]["wrong"] > 10
    shown, = best["shown"]
    assert shown["rule"] == "X-1" and shown["held"] == shown["cases"] > 30 and shown["lower"] >= shown["required"] == 0.8
    # Half of the cases are held out: neither none nor all.
    assert 0.3 < shown["cases"] / sum(1 for group in rule["evidence"] for _ in range(group["held"])) < 0.7
    assert best["dropped_examples"] == ["X-1, fires: {a: 0.2}"] and best["cornerstones"]["broken"] == []
    assert best["decisions"]["different"] > 0 and best["decisions"]["changed"] == ["X-1"]
    # Nothing accepts itself.
    assert (study.root / "law.yaml").read_text() == law and decided(study) == before
    assert not (study.directory / "revisions").exists()
    text = revise(study, "--list", status=1)
    assert best["id"] in text and "CRITICAL" not in text and f"hiple revise DIR --accept {best['id']}" in text


def test_an_accepted_threshold_is_version_two_and_moves_what_it_should(study):
    base, files, old_root, old = (study.root / "law.yaml").read_bytes(), engine_files(study), root_of(study), decided(study)
    best = proposals(study, "--evidence", inspections(study))[0]
    record = accepted(study, best)
    assert record["revision"] == 1 and record["parent"] == 0 and record["changed"] == ["X-1"]
    assert record["parent_root"] == old_root != record["root"] == root_of(study) == replayed(study)
    with h5py.File(study.root / "evidence.h5") as store:
        assert record["evidence"] == store["texts"].asstr()[...][store["entries/hash"][-1]]
    assert engine_files(study) == files
    assert {name: hashes["checkpoint"] for name, hashes in record["engines"].items()} == {
        name: files[f"engines/{name}/checkpoint.h5"] for name in ("alpha", "beta", "gamma")}
    assert (study.root / "law.yaml").read_bytes() == base
    text = (study.directory / "revisions/1/law.yaml").read_text()
    assert "version: 2" in text and "a > 0." in text and "# as the first maker said" in text and "{a: 0.2}" not in text
    now = decided(study)
    moved = {case for case in now if now[case]["x"] != old[case]["x"]}
    assert moved and all(old[case]["x"][2] == "high" and now[case]["x"][2] == "none" for case in moved)
    assert hiple("explain", study.directory, "--case", min(moved)).returncode == 0
    assert revise(study, "--history", status=0).split()[0] == "1"
    # A full run by the same law and evidence comes to the same root.
    assert hiple("integrate", study.file).returncode == 0
    assert root_of(study) == record["root"] and (study.directory / "decisions.h5").is_symlink()
    assert "evidence contradicts no rule" in revise(study, status=0)


def test_an_exception_overrides_its_parent(study):
    found = proposals(study, "--evidence", inspections(study))
    record = accepted(study, of_kind(found, "exception"))
    assert record["changed"] == ["X-1-EXCEPT-1"] and root_of(study) == replayed(study)
    text = (study.directory / "revisions/1/law.yaml").read_text()
    assert "overrides: [X-1]" in text and "then: x.none" in text
    assert hiple("law", "test", study.directory / "revisions/1/law.yaml", "--run", study.file).returncode == 0
    assert all(answer["x"][2] != "high" for case, answer in decided(study).items() if case in wrong_cases(study))


def wrong_cases(study):
    rows = (study.root / "inspections.csv").read_text().splitlines()[1:]
    return {int(row.split(",")[0]) for row in rows if ",none," in row}


def test_a_suspended_rule_leaves_its_cases_to_a_person(study):
    found = [each for each in proposals(study, "--evidence", inspections(study)) if each["kind"] == "suspend"]
    assert all(each["shown"] == [] for each in found)
    there = next(each for each in found if "anywhere" not in each["summary"])
    accepted(study, there)
    now = decided(study)
    assert all(now[case]["x"][0] == "abstain" for case in wrong_cases(study))
    assert any(answer["x"][2] == "high" for answer in now.values())


def test_undo_makes_the_parent_stand_again(study):
    old_root, old = root_of(study), decided(study)
    first = accepted(study, proposals(study, "--evidence", inspections(study))[0])
    again = inspections(study, "again.csv", limit=1.2, date="2026-04-01")
    second = accepted(study, proposals(study, "--evidence", again)[0])
    assert second["parent"] == 1 and second["revision"] == 2 and second["parent_law_sha256"] == first["law_sha256"]
    assert "version: 3" in (study.directory / "revisions/2/law.yaml").read_text()
    assert len(revise(study, "--history", status=0).splitlines()) == 2
    revise(study, "--undo", status=0)
    assert root_of(study) == replayed(study) == first["root"]
    revise(study, "--undo", status=0)
    assert root_of(study) == replayed(study) == old_root and decided(study) == old
    assert not (study.directory / "decisions.h5").is_symlink()
    assert "no revision is in force" in revise(study, "--undo", status=2)
    assert "no revision is in force" in revise(study, "--history", status=0)


def test_what_is_not_shown_is_refused_with_the_reason(study):
    found = proposals(study, "--evidence", inspections(study, never_every=5))
    moved = of_kind(found, "threshold")
    assert moved["refused"] and "is not shown by evidence held out" in moved["refused"][0]
    said = revise(study, "--accept", moved["id"], status=2)
    assert f"--accept: {moved['id']} cannot be accepted: the precision 0.8 that X-1 needs is not shown" in said
    assert not (study.directory / "revisions").exists()
    assert "there is no proposal X-1.threshold.000000" in revise(study, "--accept", "X-1.threshold.000000", status=2)


def test_what_breaks_a_cornerstone_is_refused(study):
    """Retired, the rule leaves the default, which is wrong where the rule was right."""
    gone = of_kind(proposals(study, "--evidence", inspections(study)), "retire")
    assert gone["cornerstones"]["broken"] and any("cornerstone cases would be decided wrongly" in reason for reason in gone["refused"])
    assert "cornerstone" in revise(study, "--accept", gone["id"], status=2)


GATES = """\
gates: 1
truth:
  x: {column: x, findings: {"true": high, "false": none}}
  y: {column: y, findings: {middle: none}}
  z: {column: z, findings: {"true": both, "false": none}}
needed: {x: alpha, y: beta, z: gamma}
thresholds: {coverage: 0.6, cbr: 0.01, cmr_silent: 0.99, cmr_strict: 0.99, over_triage: 0.99}
"""


def test_a_gate_that_would_be_lost_forbids_it(study):
    (study.root / "gates.yaml").write_text(GATES)
    study.replace("run.yaml", "law: law.yaml\n", "law: law.yaml\ngates: gates.yaml\n")
    assert hiple("integrate", study.file).returncode == 0
    options = ("--evidence", inspections(study), "--json")
    found = json.loads(hiple("revise", study.file, *options).stdout)["contradicted"][0]["proposals"]
    whole = next(each for each in found if "anywhere" in each["summary"])
    assert [gate for gate in whole["broken_gates"] if gate.startswith("coverage: PASS now, would be FAIL")], whole["broken_gates"]
    said = hiple("revise", study.file, "--accept", whole["id"])
    assert said.returncode == 2 and "gate coverage: PASS now" in said.stderr
    assert found[0]["broken_gates"] == [] and found[0]["refused"] == []
    assert hiple("revise", study.file, "--accept", found[0]["id"]).returncode == 0


def gated(root):
    """The study with gates from its start on, and the ids of its test cases."""
    root.mkdir()
    study = Study(root)
    study.write_table(600)
    study.write_run(epochs=1)
    study.write_law((RULE, OTHER))
    (study.root / "gates.yaml").write_text(GATES)
    study.replace("run.yaml", "law: law.yaml\n", "law: law.yaml\ngates: gates.yaml\n")
    evident(study)
    added(study, write(study, "empty.csv"))
    assert hiple("run", study.file).returncode == 0
    before = judged(study, "--cases", study.root / "test.h5")
    assert before["settled"] and before["revisions"] == [] and before["seen"] == 0
    with h5py.File(study.root / "test.h5") as file:
        return study, {int(case) for case in file["case_id"][...]}


def judged(study, *options):
    done = hiple("gates", study.directory, "--json", *options)
    assert done.returncode in (0, 4), done.stderr
    return json.loads(done.stdout)


def test_gates_judge_the_revision_in_force_and_trust_no_test_case_that_it_was_made_from(tmp_path):
    study, test = gated(tmp_path / "study")
    file = inspections(study)
    told = {int(row.split(",")[0]) for row in file.read_text().splitlines()[1:]}
    record = accepted(study, proposals(study, "--evidence", file)[0])
    report = judged(study)
    assert report["settled"] and report["of"]["law"] == record["law_sha256"] and report["of"]["root"] == record["root"]
    assert report["revisions"] == [{"revision": 1, "law": record["law_sha256"], "summary": record["summary"]}]
    assert report["seen"] == len(told & test) > 0 and not report["trusted"]
    done = hiple("gates", study.directory)
    assert done.returncode == 4 and f"The law is revision 1, accepted since: {record['summary']}" in done.stdout
    assert "NOT TRUSTED by revision 1 of the law: " in done.stdout
    assert f"the law was revised by evidence about {len(told & test)} test cases" in done.stdout
    # Gates that moved are refused as ever.
    study.replace("gates.yaml", "coverage: 0.6", "coverage: 0.1")
    done = hiple("gates", study.directory)
    assert done.returncode == 2 and "gates.yaml: is not what was settled" in done.stderr and "law.yaml" not in done.stderr


def test_gates_of_a_revision_made_from_other_cases_are_trusted_where_they_pass(tmp_path):
    study, test = gated(tmp_path / "study")
    file = inspections(study)
    head, *rows = file.read_text().splitlines()
    file.write_text("\n".join([head, *(row for row in rows if int(row.split(",")[0]) not in test)]) + "\n")
    accepted(study, proposals(study, "--evidence", file)[0])
    report = judged(study)
    assert report["settled"] and report["seen"] == 0 and len(report["revisions"]) == 1
    assert report["trusted"] == all(gate["verdict"] == "PASS" for gate in report["gates"])
    revise(study, "--undo", status=0)
    assert judged(study)["revisions"] == []


def test_the_report_tells_what_evidence_says_and_what_it_changed(study):
    record = accepted(study, proposals(study, "--evidence", inspections(study))[0])
    done = hiple("report", study.directory)
    assert done.returncode == 0, done.stderr
    text = html.unescape((study.directory / "report.html").read_text())
    section = text[text.index('<h2 id="revisions">'):text.index('<h2 id="cases">')]
    assert "Not here: what evidence says." not in section
    assert record["summary"] in section and "the last one is in force" in section and "SUPPORTED" in section
    assert f"{record['answers_changed']} answers differ" in section
    assert (study.directory / "decisions.h5").is_symlink()


def test_a_revision_says_what_it_takes_on_the_disk(study):
    done = revise(study, "--evidence", inspections(study), "--accept", proposals(study, "--evidence", inspections(study))[0]["id"], status=0)
    folder = study.directory / "revisions/1"
    size = sum(path.stat().st_size for path in folder.iterdir())
    assert f"disk       {size / 1e6:.1f} MB more" in done


def test_evidence_can_be_held_out_by_its_date(study):
    old = inspections(study, "old.csv", every=2)
    new = inspections(study, "new.csv", date="2026-06-01")
    # The one file speaks of cases with even numbers, the other of those with odd ones.
    rows = (study.root / "new.csv").read_text().splitlines()
    (study.root / "new.csv").write_text("\n".join([rows[0], *(row for row in rows[1:] if int(row.split(",")[0]) % 2)]) + "\n")
    best = proposals(study, "--evidence", old, "--evidence", new, "--held-out-since", "2026-06-01")[0]
    right = sum(",high," in row for row in (study.root / "new.csv").read_text().splitlines())
    assert best["kind"] == "threshold" and best["shown"][0]["cases"] == best["shown"][0]["held"] == right
    assert "is no date" in revise(study, "--held-out-since", "June", status=2)


def test_a_law_is_never_revised(tmp_path):
    study = trained(tmp_path / "study", RULE, OTHER)
    # The law forbids what evidence says of most of its cases.
    with open(study.root / "law.yaml", "a") as law:
        law.write("laws:\n  - {id: L-1, title: never very high, when: 'a > 0', forbid: x.very_high, to: foreman}\n")
    assert hiple("integrate", study.file).returncode == 0
    file = inspections(study, value="very_high")
    found = {each["id"]: each for each in contradicted(study, "--evidence", file)}
    assert found["L-1"]["law"] and found["L-1"]["escalate"] == ["foreman"] and found["L-1"]["proposals"] == []
    text = revise(study, "--list", status=1)
    assert "ESCALATE to foreman: a law is never revised by evidence" in text
    said = revise(study, "--accept", "L-1.threshold.123456", status=2)
    assert "L-1 is a law, which is never revised by evidence: evidence contradicts it: it goes to foreman" in said
    assert not (study.directory / "revisions").exists()


def test_evidence_that_cannot_be_is_refused_at_its_place(study):
    rows = ["70000,x,high,,lab,2026-03-01,1", "7,xx,high,,lab,2026-03-01,1", "7,b,1,kg,lab,2026-03-01,1", "7,x,high,,lab,2027-03-01,1",
            "7,x,hihg,,lab,2026-03-01,1"]
    bad = write(study, "bad.csv", *rows)
    said = revise(study, "--evidence", bad, status=2)
    for place, part in {"2:1": "there is no case 70000", "3:3": 'evidence about "xx"', "4:7": "cannot be converted",
                        "5:15": "is in the future", "6:5": 'x cannot be "hihg"'}.items():
        assert any(f"bad.csv:{place}" in line and part in line for line in said.splitlines()), f"{place} {said}"
    assert "No such file" in revise(study, "--evidence", study.root / "nothing.csv", status=2)
    assert json.loads(hiple("evidence", "list", study.file, "--json").stdout)["case_records"] == 0


def test_a_law_that_was_changed_beside_its_revisions_is_told(study):
    accepted(study, proposals(study, "--evidence", inspections(study))[0])
    study.replace("law.yaml", "a > 0", "a > 0.1")
    done = hiple("integrate", study.file)
    assert done.returncode == 2 and "is not the law that revision 1 was made from" in done.stderr
    revise(study, "--undo", status=0)
    assert hiple("integrate", study.file).returncode == 0


def test_fresh_begins_without_revisions(study):
    accepted(study, proposals(study, "--evidence", inspections(study))[0])
    assert hiple("run", study.file, "--fresh").returncode == 0
    assert not (study.directory / "revisions").exists() and not (study.directory / "decisions.h5").is_symlink()


def test_a_run_without_evidence_or_decisions_says_so(study):
    assert LIMIT > 0
    study.replace("run.yaml", "evidence: evidence.h5\n", "")
    done = hiple("revise", study.file)
    assert done.returncode == 2 and "names no evidence" in done.stderr
