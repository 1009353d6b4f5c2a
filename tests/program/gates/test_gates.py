"""hiple gates: what it says is what the files say, and its exit status is its verdict."""

import json
import subprocess
import sys

import h5py
from conftest import hiple
from gated import LOOSE, Decided, gated, gates, report, rows, run, verdicts
from launching import PATIENCE, ROOT

TRUE = {"x": {"true": "high", "false": "none"}, "y": {"middle": "none", "low": "low", "high": "high"},
        "z": {"true": "both", "false": "none"}}
HOME = {"x": "alpha", "y": "beta", "z": "gamma"}


def test_figures_are_those_of_the_files(study):
    """Counted again from decisions.h5 and the table alone."""
    run(gated(study))
    record, table, decided = report(study), rows(study), Decided(study.directory)
    exact = covered = critical = silent = strict = cross = found = 0
    asked = test = 0
    for case, statuses, findings, consulted in zip(decided.cases, decided.status, decided.finding, decided.consulted):
        if table[case]["part"] != "new":
            continue
        test += 1
        gold = [TRUE[q][table[case][q]] for q in decided.questions]
        exact += findings == gold
        covered += set(statuses) == {"decide"}
        asked += len(consulted)
        if gold[2] == "both":
            critical += 1
            silent += statuses[2] == "decide" and findings[2] != "both"
            strict += statuses[2] == "abstain" or (statuses[2] == "decide" and findings[2] != "both")
        if sum(g != "none" for g in gold) > 1:
            cross += 1
            found += all(g == "none" or f == g or s == "escalate" for g, f, s in zip(gold, findings, statuses))
    figures = record["figures"]
    count = lambda share: (share["count"], share["n"])
    assert count(figures["exact"]) == (exact, test) and count(figures["coverage"]) == (covered, test)
    assert count(figures["silent"]) == (silent, critical) and count(figures["strict"]) == (strict, critical)
    assert count(figures["found"]) == (found, cross)
    assert abs(figures["cost"]["mean"] - asked / test / 3) < 1e-12
    assert 0 < critical < test and 0 < cross < test, "the tables must hold what is counted"
    assert figures["cross_boundary"]["basis"] == "stated" and figures["cross_boundary"]["recall"]["n"] == cross
    for question in figures["questions"]:
        assert sum(map(sum, question["confusion"])) == test


def test_activating_everything_recalls_all_at_cost_one(study):
    run(gated(study))
    curve = {point["name"]: point for point in report(study)["cost_curve"] if point["name"] != "chance"}
    assert curve["all"]["cost"] == 1 and curve["all"]["recall"] == 1
    assert curve["home"]["recall"] == 0 and abs(curve["home"]["cost"] - 1 / 3) < 1e-12
    assert curve["home"]["cost"] < curve["links"]["cost"] <= curve["as decided"]["cost"] <= 1
    assert curve["home"]["recall"] <= curve["links"]["recall"] <= curve["as decided"]["recall"]


def test_the_exit_status_is_the_verdict(study):
    run(gated(study, LOOSE))
    text = gates(study, status=0)
    assert text.splitlines()[-1] == "TRUSTED: every gate is passed"
    record = report(study, status=0)
    assert record["trusted"] and set(verdicts(record).values()) == {"PASS"}
    assert set(verdicts(record)) == {"cbr", "boundaries", "cmr_silent", "cmr_strict", "over_triage"}


def test_what_cannot_be_proved_is_not_trusted(study):
    summary = run(gated(study, "{over_triage: 0.001}"))
    text = gates(study)
    assert "needs n >= 2995" in text and text.splitlines()[-1].startswith("NOT TRUSTED: ")
    table = lambda shown: shown[shown.index("\nof cases "):shown.index("\n\n", shown.index("\ngate "))]
    assert table(summary) == table(text), "the summary and the command say the same"


def test_a_report_is_canonical_and_hashed(study):
    run(gated(study))
    gates(study, "--out", study.root / "one.json")
    gates(study, "--out", study.root / "two.json")
    one, two = (json.loads((study.root / name).read_text()) for name in ("one.json", "two.json"))
    for record in (one, two):
        assert record["of"].pop("written")
        assert len(record.pop("sha256")) == 64
    assert one == two


def test_without_stated_engines_the_flat_decision_is_the_measure(study):
    gated(study)
    study.replace("gates.yaml", "needed: {x: alpha, y: beta, z: gamma}\n", "")
    run(study)
    cross = report(study)["figures"]["cross_boundary"]
    assert cross["basis"] == "counterfactual" and "home engines alone" in cross["meaning"]
    assert cross["recall"]["n"] > 0
    assert "cross-boundary: the flat decision given" in gates(study)


def test_curves_as_data(study):
    run(gated(study))
    gates(study, "--curves", study.root / "curves")
    with h5py.File(study.root / "curves" / "curves.h5") as file:
        assert file.attrs["format"] == "hiple curves"
        for name in ("cost", "risk", "reliability", "boundaries", "levels"):
            lines = (study.root / "curves" / f"{name}.csv").read_text().splitlines()
            assert set(lines[0].split(",")) == set(file[name]), name
            assert len(lines) - 1 == len(file[name][lines[0].split(",")[0]]) > 0
        accepted = file["risk/accepted"][...]
        assert (accepted[1:] > accepted[:-1]).all()
        judged = sum(file["confusion/engines/alpha/counts"][...][:, :2].ravel())
        engines = file["reliability/engine"].asstr()[...]
        assert file["reliability/count"][...][engines == "alpha"].sum() == judged > 0


def test_cases_one_by_one(study):
    """What others measure their own answers by: figures that are counted from it are those of the report."""
    run(gated(study))
    record = report(study, "--cases", study.root / "cases.h5")
    table = rows(study)
    with h5py.File(study.root / "cases.h5") as file:
        values = {name: file[name][...] for name in ("case_id", "gold", "crosses", "known", "training_case_id", "law/status", "law/finding", "law/score")}
        questions = file["questions"].asstr()[...]
        findings = [list(file[f"findings/{question}"].asstr()[...]) for question in questions]
        covers, default = file["covers/z"][...], [findings[q][d] for q, d in enumerate(file["default"][...])]
        assert file.attrs["basis"] == "stated" and (file["flat/status"].shape == values["law/status"].shape)
    assert list(questions) == ["x", "y", "z"] and default == ["none"] * 3
    assert all(table[case]["part"] == "new" for case in values["case_id"]) and all(table[case]["part"] == "old" for case in values["training_case_id"])
    assert len(values["case_id"]) + len(values["training_case_id"]) == len(table)
    gold = [[findings[q][f] for q, f in enumerate(row)] for row in values["gold"]]
    assert gold == [[TRUE[q][table[case][q]] for q in questions] for case in values["case_id"]]
    right = (values["law/status"] == 0) & (values["law/finding"] == values["gold"])
    assert values["known"].all() and right.all(axis=1).sum() == record["figures"]["exact"]["count"]
    assert values["crosses"].sum() == record["figures"]["found"]["n"] > 0
    both = findings[2].index("both")
    assert covers.sum() == 1 and covers[both, both] == 1
    assert ((values["law/score"] >= 0) & (values["law/score"] <= 1)).all()


def test_a_watched_figure(study):
    run(gated(study))
    gates(study, "--cases", study.root / "cases.h5")
    script = ROOT / "scaling" / "combiners" / "watched.py"
    watch = lambda *words: subprocess.run([sys.executable, script, *map(str, words)], capture_output=True, text=True, timeout=PATIENCE)
    watched = watch(study.root / "cases.h5", "--every", 50)
    assert watched.returncode == 0, watched.stderr
    lines = (study.root / "watched_silent.csv").read_text().splitlines()
    silent = report(study)["figures"]["silent"]
    assert len(lines) == 1 + 4 and lines[-1].startswith(f"200,{silent['count']},{silent['n']},")
    assert (study.root / "watched_silent.png").stat().st_size > 5000 and (study.root / "watched_silent.svg").is_file()
    assert watch(study.root / "cases.csv").returncode == 2 and watch(study.root / "cases.h5", "--every", 0).returncode == 2


def test_without_engines_that_are_needed_two_findings_cross(study):
    gated(study)
    study.replace("gates.yaml", "needed: {x: alpha, y: beta, z: gamma}\n", "")
    run(study)
    record = report(study, "--cases", study.root / "cases.h5")
    with h5py.File(study.root / "cases.h5") as file:
        assert file.attrs["basis"] == "counterfactual" and file["crosses"][...].sum() == record["figures"]["cross_boundary"]["recall"]["n"]


def test_curves_as_figures(study):
    run(gated(study))
    gates(study, "--curves", study.root / "curves")
    script = ROOT / "scaling" / "study" / "trust_figures.py"
    drawn = subprocess.run([sys.executable, script, study.root / "curves"], capture_output=True, text=True, timeout=PATIENCE)
    assert drawn.returncode == 0, drawn.stdout + drawn.stderr
    for name in ("cost", "risk", "reliability", "boundaries", "levels"):
        for kind in ("png", "svg"):
            assert (study.root / "curves" / f"{name}.{kind}").stat().st_size > 5000, name
    assert subprocess.run([sys.executable, script, study.root], capture_output=True, timeout=PATIENCE).returncode == 2


def test_clusters(study):
    """All test cases are one cluster: a bound of one cluster proves nothing."""
    gated(study, LOOSE)
    study.replace("gates.yaml", "thresholds:", "cluster: part\nthresholds:")
    run(study)
    record = report(study)
    assert record["figures"]["clusters"] == 1
    assert record["figures"]["exact"]["clusters"] == {"count": 0, "n": 1}


def test_an_engine_that_is_missing_recalls_nothing(study):
    run(gated(study))
    full = report(study)["figures"]["cross_boundary"]["recall"]
    (study.directory / "judgments" / "beta.h5").unlink()
    assert hiple("integrate", study.file).returncode == 3
    left = report(study)["figures"]["cross_boundary"]["recall"]
    assert left["n"] == full["n"] and left["count"] < full["count"]
