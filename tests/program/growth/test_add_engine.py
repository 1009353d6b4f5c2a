"""A new engine joins a finished run: it alone is trained, and what changes is what it accounts for."""

import json

import h5py
import pytest

from conftest import LAW, RULES, hiple, status
from growing import LINK, added, answers, copy_of, files_of, root_of, trained, works, write


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    return trained(tmp_path_factory.mktemp("study"))


@pytest.fixture
def study(finished, tmp_path):
    return copy_of(finished, tmp_path).grow()


def changes(told):
    return {(change["case"], change["question"]) for change in told["diff"]["changes"]}


def difference(before, after):
    return {key for key in before if before[key] != after[key]}


def test_only_the_new_engine_is_trained_and_the_diff_says_what_changes(study):
    before, files, old_root = answers(study.directory), files_of(study.directory, "alpha", "beta"), root_of(study.directory)
    attempts = {e: (study.directory / f"engines/{e}/attempts.jsonl").read_text() for e in ("alpha", "beta")}
    told = json.loads(study.add("--json").stdout)
    assert told["added"] == ["gamma"] and (told["parent"], told["version"]) == (1, 2)
    assert files_of(study.directory, "alpha", "beta") == files
    assert [(e["checkpoint_sha256"], e["judgments_sha256"]) for e in told["unchanged"]] == [
        (files[f"engines/{e}/checkpoint.h5"], files[f"judgments/{e}.h5"]) for e in ("alpha", "beta")]
    for engine, text in attempts.items():
        assert (study.directory / f"engines/{engine}/attempts.jsonl").read_text() == text
    after = answers(study.directory)
    assert changes(told) == difference(before, after) and changes(told)
    assert all(question == "z" and change_by == ["K-1"] or "Z-1" in change_by
               for question, change_by in ((c["question"], c["by"]) for c in told["diff"]["changes"]))
    assert sorted(told["diff"]["added"]) == ["K-1", "Z-1"] and told["diff"]["other"] == []
    assert told["root_before"] == old_root and told["root"] == root_of(study.directory) != old_root
    works(study.directory)
    assert hiple("explain", study.directory, "--case", 7, "--why-not", "Z-1").returncode == 0
    assert status(study.directory)["engines"] == 3 and status(study.directory)["state"] == "complete"


def test_it_comes_to_the_decisions_of_a_run_that_had_it_from_the_start(study, tmp_path):
    study.add()
    whole = hiple("run", study.wanted, "--output", tmp_path / "whole")
    assert whole.returncode == 0, whole.stderr
    assert root_of(tmp_path / "whole") == root_of(study.directory)
    assert (tmp_path / "whole/judgments/gamma.h5").read_bytes()[512:] != b""
    with h5py.File(tmp_path / "whole/judgments/gamma.h5") as a, h5py.File(study.directory / "judgments/gamma.h5") as b:
        assert (a["label"][...] == b["label"][...]).all() and (a["confidence"][...] == b["confidence"][...])[a["status"][...] == 0].all()


def test_the_old_version_is_a_run_of_its_own(study):
    old_root, before = root_of(study.directory), answers(study.directory)
    summary = (study.directory / "summary.txt").read_text()
    (study.root / "law.yaml").write_text((study.root / "grown_law.yaml").read_text())  # a person works on the one law
    study.replace("grown.yaml", "grown_law.yaml", "law.yaml")
    study.add()
    old = study.directory / "versions/1"
    assert root_of(old) == old_root and answers(old) == before and (old / "summary.txt").read_text() == summary
    works(old)
    with h5py.File(old / "decisions.h5") as file:
        assert "Z-1" not in file["law/text"].asstr()[0]
    assert not (old / "engines/gamma").exists() and not (old / "judgments/gamma.h5").exists()
    new = study.directory / "versions/2"
    assert root_of(new) == root_of(study.directory)
    with h5py.File(new / "judgments.h5") as file:
        assert {e: file[f"engines/{e}/judgments/label"].shape for e in ("alpha", "beta", "gamma")} == dict.fromkeys(
            ("alpha", "beta", "gamma"), (240,))
    record = json.loads((new / "growth.json").read_text())
    assert record["added"] == ["gamma"] and record["root"] == root_of(new)


def test_the_text_names_versions_and_changes(study):
    said = study.add("--most", 3).stdout
    assert f"version    2 of {study.directory}; version 1 is kept in {study.directory}/versions/1\n" in said
    assert "joined     gamma\nunchanged  checkpoints and judgments of 2 other engines, byte for byte by SHA-256\nadded      K-1, Z-1\n" in said
    assert said.count(", by ") == 3 and " more\n" in said
    assert f"{study.directory}/decisions.h5" in said and "versions/next" not in said
    assert "law        " in said and "CHANGED since the run started" in said


def test_more_may_join_afterwards_and_the_law_may_change_between(study):
    study.grow(law=LAW + "".join(RULES[:4]) + LINK)
    first = json.loads(study.add("--json").stdout)
    assert first["diff"]["changes"] == [] and first["version"] == 2
    # What is integrated into the directory afterwards is a version of its own when something joins again.
    study.grow()
    done = hiple("integrate", study.wanted)
    assert done.returncode == 0, done.stderr
    integrated = root_of(study.directory)
    assert integrated != first["root"] and root_of(study.directory / "versions/2") == first["root"]
    text = study.wanted.read_text()
    entry = text[text.index("  - name: gamma"):text.index("law: ")]
    study.wanted.write_text(text.replace("law: ", entry.replace("gamma", "delta") + "law: "))
    study.replace("grown_law.yaml", ", gamma]", ", gamma, delta]")
    (study.root / "grown_law.yaml").write_text((study.root / "grown_law.yaml").read_text()
                                               + "  - {id: K-2, from: gamma, to: delta, when: 'gamma.label == \"true\"'}\n")
    second = json.loads(study.add("--json").stdout)
    assert (second["parent"], second["version"]) == (3, 4) and second["added"] == ["delta"]
    assert second["root_before"] == integrated == root_of(study.directory / "versions/3")
    for number in ("1", "2", "3", "4"):
        works(study.directory / "versions" / number)
    works(study.directory)
    assert sorted(path.name for path in (study.directory / "versions").iterdir()) == ["1", "2", "3", "4"]


def test_an_engine_is_retrained_and_the_others_stay(study):
    files, before, old = files_of(study.directory, "beta"), answers(study.directory), files_of(study.directory, "alpha")
    study.replace("run.yaml", "train: {epochs: 1, batch: 32, lr: 1e-2, early_stop: 0}\n  - name: beta",
                  "train: {epochs: 9, batch: 32, lr: 1e-2, early_stop: 0}\n  - name: beta")
    told = json.loads(study.retrain("alpha", "--run", study.file, "--json").stdout)
    assert told["retrained"] == "alpha" and told["added"] == [] and [e["engine"] for e in told["unchanged"]] == ["beta"]
    assert files_of(study.directory, "beta") == files
    now = files_of(study.directory, "alpha")
    assert all(now[name] != old[name] for name in old)
    assert files_of(study.directory / "versions/1", "alpha", "beta") == old | files
    after = answers(study.directory)
    assert changes(told) == difference(before, after) and changes(told)
    assert all(change["by"] == ["alpha"] for change in told["diff"]["changes"]) and told["diff"]["judged_anew"] == ["alpha"]
    assert told["diff"]["evaluated"] <= 240
    for directory in (study.directory, study.directory / "versions/1", study.directory / "versions/2"):
        works(directory)
    judged = hiple("judge", study.directory, "--engine", "alpha", "--cases", study.root / "cases.csv", "--out", study.root / "again.h5")
    assert judged.returncode == 0, judged.stderr
    study.grow()  # and alpha's entry stays as it is now
    study.replace("grown.yaml", "train: {epochs: 1, batch: 32, lr: 1e-2, early_stop: 0}\n  - name: beta",
                  "train: {epochs: 9, batch: 32, lr: 1e-2, early_stop: 0}\n  - name: beta")
    third = json.loads(study.add("--json").stdout)
    assert third["version"] == 3 and files_of(study.directory, "alpha", "beta") == now | files


def test_retrained_by_the_same_entry_it_comes_to_the_same(study):
    root, label = root_of(study.directory), lambda: h5py.File(study.directory / "judgments/alpha.h5")["label"][...].tolist()
    before = label()
    told = json.loads(study.retrain("alpha", "--json").stdout)
    assert told["root"] == told["root_before"] == root and label() == before and told["diff"]["changes"] == []
    works(study.directory)


def test_a_rule_that_counts_over_a_panel_with_a_new_member_is_told(finished, tmp_path):
    study = copy_of(finished, tmp_path)
    counting = """  - {id: C-1, when: 'max(root.confidence) >= 0.9', then: x.very_high}\n"""
    study.replace("law.yaml", "rules:\n", "rules:\n" + counting)
    assert hiple("integrate", study.file).returncode == 0
    study.grow(law=LAW + counting + "".join(RULES[:4]))
    before = answers(study.directory)
    told = json.loads(study.add("--json").stdout)
    assert told["diff"]["changed"] == ["C-1"] and told["diff"]["other"] == []
    assert changes(told) == difference(before, answers(study.directory))


def test_engines_that_judge_on_demand_keep_every_word(tmp_path):
    study = trained(tmp_path, change=lambda study: (study.on_demand(), (study.root / "law.yaml").write_text(
        study.law + "route:\n  home: [{when: 'a > 0 and kind == \"red\"', engines: [alpha]}, {engines: []}]\n  broaden: [needed]\n")))
    files = files_of(study.directory, "alpha", "beta")
    law = (LAW + "".join(RULES) + "links:\n  - {id: K-1, from: alpha, to: gamma, when: 'alpha.judged'}\n"
           "  - {id: K-2, from: gamma, to: beta, when: 'gamma.judged'}\n"
           "route:\n  home: [{when: 'a > 0 and kind == \"red\"', engines: [alpha]}, {when: 'b > 1 [mm]', engines: [gamma]}, {engines: []}]\n"
           "  broaden: [needed]\n")
    study.grow(law=law)
    study.replace("grown.yaml", "quorum: all}", "quorum: all, judging: on_demand}")
    told = json.loads(study.add("--json").stdout)
    assert files_of(study.directory / "versions/1", "alpha", "beta") == files
    now = files_of(study.directory, "alpha", "beta")
    assert all(now[name] == files[name] for name in files if "checkpoint" in name)
    grown = {e["engine"] for e in told["asked"]}
    assert {name[len("judgments/"):-3] for name in files if now[name] != files[name]} == grown
    works(study.directory)
    works(study.directory / "versions/1")


def test_a_version_is_revised_and_joined_again(tmp_path):
    name_evidence = lambda study, file: study.replace(file, "law.yaml\n", "law.yaml\nevidence: evidence.h5\n")
    study = trained(tmp_path, change=lambda study: (name_evidence(study, "run.yaml"), added(study, write(study, "none.csv"))))
    study.file.write_text(study.file.read_text().replace("evidence: evidence.h5\n", ""))
    study.grow()
    for file in ("run.yaml", "grown.yaml"):
        name_evidence(study, file)
    study.add()
    high = [case for (case, question), answer in answers(study.directory).items() if question == "y" and answer[2] == "high"]
    added(study, write(study, "labs.csv", *(f"{case},y,low,,lee,2026-01-01,1" for case in high[:60])))
    before = root_of(study.directory)
    found = hiple("revise", study.directory, "--json")
    assert found.returncode == 1, found.stdout + found.stderr
    proposal = json.loads(found.stdout)["contradicted"][0]["proposals"][0]
    done = hiple("revise", study.directory, "--json", "--accept", proposal["id"])
    assert done.returncode == 0, done.stdout + done.stderr
    revised = root_of(study.directory)
    assert revised != before
    works(study.directory)
    works(study.directory / "versions/2")
    assert root_of(study.directory / "versions/2") == before
    undone = hiple("revise", study.directory, "--undo")
    assert undone.returncode == 0, undone.stdout + undone.stderr
    works(study.directory)
    with h5py.File(study.directory / "decisions.h5") as now, h5py.File(study.directory / "versions/2/decisions.h5") as then:
        assert now.attrs["root"] == then.attrs["root"]
