"""Rules and links that nobody wrote are found in evidence, shown on evidence held out, and accepted by nobody."""

import json
import re

import pytest

from conftest import LAW, RULES, Study, hiple
from growing import added, copy_of, write

ROUTE = "route:\n  home: [{engines: [alpha]}]\n  broaden: [needed]\n"


def truth(study):
    """(record, a, b, x, y, z) of every case."""
    for line in (study.root / "cases.csv").read_text().splitlines()[1:]:
        record, a, b, _, x, y, z = line.split(",")
        yield record, a, b, x == "true", y, z == "true"


def make(root, law, rows=480):
    """A study with evidence about all cases whose law lacks something."""
    study = Study(root)
    study.write_table(rows)
    study.write_run(epochs=30)
    (root / "law.yaml").write_text(law)
    study.replace("run.yaml", "law: law.yaml\n", "law: law.yaml\nevidence: evidence.h5\n")
    said = []
    for record, _, _, x, y, z in truth(study):
        said += [f"{record},x,{'high' if x else 'none'},,lee,2026-01-01,1", f"{record},z,{'both' if z else 'none'},,lee,2026-01-01,1",
                 f"{record},y,{'none' if y == 'middle' else y},,lee,2026-01-01,1"]
    added(study, write(study, "labs.csv", *said))
    done = hiple("run", study.file)
    assert done.returncode == 0, done.stdout + done.stderr
    return study


def proposed(study, *options, status=0):
    done = hiple("propose", study.file, "--json", *options)
    assert done.returncode == status, f"{done.returncode}\n{done.stdout}{done.stderr}"
    return json.loads(done.stdout) if status == 0 else done.stderr


@pytest.fixture(scope="module")
def lacking(tmp_path_factory):
    """Nobody says when y is low, and a rule that says that b below -2 is high is wrong."""
    rules = RULES[:3] + RULES[4:] + ["  - {id: Y-8, title: wrong, when: 'b < -2 [mm]', then: y.high}\n"]
    return make(tmp_path_factory.mktemp("lacking"), LAW + "".join(rules))


def test_a_rule_that_is_missing_is_found_and_shown_on_evidence_held_out(lacking):
    told = proposed(lacking, "--question", "y")
    low = [p for p in told["proposals"] if p["finding"] == "y.low"]
    assert low and {p["kind"] for p in told["proposals"]} == {"rule"}
    best = low[0]
    limit = re.search(r"b <= (-\d+\.\d+|-1) \[mm\]", best["when"])
    assert limit and -1.3 <= float(limit.group(1)) <= -0.7 or "beta" in best["when"], best
    assert best["verdict"] == "SUPPORTED" and best["held_out"]["lower"] > 0.85 and best["required"] == 0.9
    assert best["overrides"] == ["Y-8"]
    assert told["made_from"] + told["held_out"] == 480 and 180 < told["held_out"] < 300
    cases = {int(record): (float(b), y) for record, _, b, _, y, _ in truth(lacking)}
    assert best["witnesses"] and all(cases[case][1] == "low" for case in best["witnesses"])
    assert best["witnesses"] == sorted(best["witnesses"]) and all(cases[case][1] != "low" for case in best["against"])
    assert len(best["against"]) == sum(best[part]["cases"] - best[part]["right"] for part in ("made", "held_out"))
    assert best["changes"] >= len(best["witnesses"])


def test_what_it_prints_is_a_law_that_decides_nothing_new(lacking, tmp_path):
    out = tmp_path / "proposed.yaml"
    told = proposed(lacking, "--out", out)
    check = hiple("law", "check", out, "--run", lacking.file)
    assert check.returncode == 0, check.stdout + check.stderr
    assert hiple("law", "fmt", out).returncode == 0 and "status: proposed" in out.read_text()
    diff = json.loads(hiple("law", "diff", lacking.root / "law.yaml", out, "--run", lacking.directory, "--json").stdout)
    assert diff["different"] == 0 and set(diff["added"]) == {p["id"] for p in told["proposals"]}
    # Accepted by a person, each changes what it said that it would.
    for proposal in told["proposals"]:
        text = out.read_text()
        at = text.index(f"id: {proposal['id']}\n")
        end = text.find("status: proposed", at)
        accepted = tmp_path / f"{proposal['id']}.yaml"
        accepted.write_text(text[:end] + "status: accepted" + text[end + len("status: proposed"):])
        done = hiple("law", "diff", lacking.root / "law.yaml", accepted, "--run", lacking.directory, "--json")
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["different"] == proposal["changes"]
    again = hiple("propose", lacking.file, "--out", out)
    assert again.returncode == 2 and "is there already" in again.stderr


def test_the_text_says_what_for_and_what_against(lacking):
    text = hiple("propose", lacking.file, "--question", "y", "--most", 2).stdout
    assert re.search(r"\n\nP-1  y\.low\n  when      .*\n  overrides Y-8\n  made      right in \d+ of \d+ cases\n"
                     r"  held out  right in \d+ of \d+ cases, 0\.\d+ to [01]\.\d+ at every look, 0\.9 required: SUPPORTED\n"
                     r"  changes   \d+ answers, 0 of them critical\n  for       case \d+, \d+ and \d+ more\n", text), text
    assert "links     none are looked for: every engine is asked about every case\n" in text
    assert text.endswith(" proposed; nothing is accepted by itself\n")


def test_a_rule_for_a_critical_finding_is_never_overridden(lacking, tmp_path):
    study = copy_of(lacking, tmp_path)
    added(study, study.root / "labs.csv")
    study.replace("law.yaml", "schema: schema.yaml\n", "schema: schema.yaml\ncritical: {critical: 1, findings: [{finding: y.high, to: surgeon}]}\n")
    assert hiple("integrate", study.file).returncode == 0
    for proposal in proposed(study, "--question", "y")["proposals"]:
        assert proposal["overrides"] == []


def test_a_link_is_found_where_an_engine_was_needed_and_not_asked(tmp_path):
    study = make(tmp_path, LAW + "".join(RULES) + ROUTE)
    out = tmp_path / "proposed.yaml"
    told = proposed(study, "--out", out)
    links = [p for p in told["proposals"] if p["kind"] == "link"]
    assert ("alpha", "gamma", 'alpha.label == "true"') in {(p["from"], p["to"], p["when"]) for p in links}
    link = next(p for p in links if p["to"] == "gamma")
    assert link["verdict"] == "SUPPORTED" and link["held_out"]["lower"] > link["required"] > 0.05 and link["changes"] > 0
    cases = {int(record): z for record, _, _, _, _, z in truth(study)}
    assert sum(cases[case] for case in link["witnesses"]) == len(link["witnesses"]) > 20
    assert told["links"] is None
    # A person accepts it by making the comment a part of the law.
    text = out.read_text()
    assert "# Links that are proposed" in text and hiple("law", "check", out, "--run", study.file).returncode == 0
    comment = [line for line in text.splitlines() if line.startswith("#   - ")]
    (tmp_path / "linked.yaml").write_text(text + "links:\n" + "".join(line[1:] + "\n" for line in comment))
    check = hiple("law", "check", tmp_path / "linked.yaml", "--run", study.file)
    assert check.returncode == 0, check.stdout + check.stderr


def test_it_finds_nothing_where_the_law_says_what_evidence_says(tmp_path):
    study = make(tmp_path, LAW + "  - {id: Y-1, when: 'b > 1 [mm]', then: y.high}\n  - {id: Y-2, when: 'b < -1 [mm]', then: y.low}\n")
    told = proposed(study, "--question", "y")
    assert told["proposals"] == [] and told["missed"] == 0


def test_what_it_refuses(lacking, tmp_path):
    assert 'the law has no question yy (did you mean "y"?)' in proposed(lacking, "--question", "yy", status=2)
    study = copy_of(lacking, tmp_path)
    study.replace("run.yaml", "evidence: evidence.h5\n", "")
    assert "names no evidence" in proposed(study, status=2)
    study.file.write_text((lacking.root / "run.yaml").read_text().replace(str(lacking.root), str(tmp_path)))
    added(study, study.root / "labs.csv")
    (study.directory / "decisions.h5").unlink()
    assert "holds no decisions" in proposed(study, status=2)
