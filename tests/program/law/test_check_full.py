"""`hiple check --full`: what each rule for a critical finding would escalate, over all cases."""

import csv
import json

from conftest import hiple

CRITICAL = "critical: {critical: 1, findings: [{finding: x.high, to: surgeon, suspect: 'kind == \"red\"'}]}\n"
RULES = ["  - {id: X-1, when: 'a > 1', then: x.high}\n", "  - {id: X-2, when: 'a > 0.5 and alpha.label == \"true\"', then: x.high}\n"]


def rows(study):
    with open(study.root / "cases.csv", newline="") as file:
        return list(csv.DictReader(file))


def test_before_any_engine_has_judged(study):
    study.write_law(RULES)
    law = study.root / "law.yaml"
    law.write_text(law.read_text() + CRITICAL)
    found = hiple("check", study.file, "--full", "--json")
    assert found.returncode == 0, found.stderr
    data = json.loads(found.stdout)["data"]
    assert data["cases"] == 240 and data["judged"] == [] and data["engine_rows"]["alpha"] == 240
    table = rows(study)
    one, two = data["critical_rules"]
    # Counted from the table by hand: X-1 reads a alone; of X-2 the engine has said nothing yet.
    assert one["id"] == "X-1" and one["to"] == "surgeon"
    assert one["true"] == sum(r["a"] != "?" and float(r["a"]) > 1 for r in table)
    assert one["suspected"] == sum(r["a"] == "?" and r["kind"] == "red" for r in table)
    assert two["true"] == 0
    assert two["suspected"] == sum((r["a"] == "?" or float(r["a"]) > 0.5) and r["kind"] == "red" for r in table)
    assert two["suspected"] >= two["escalated"] > 0
    assert not study.directory.exists()
    text = hiple("check", study.file, "--full").stdout
    assert "no engine yet" in text and f"{one['true']} (" in text


def test_with_the_judgments_of_a_run(study):
    study.write_law(RULES)
    law = study.root / "law.yaml"
    law.write_text(law.read_text() + CRITICAL)
    assert hiple("run", study.file).returncode == 0
    data = json.loads(hiple("check", study.file, "--full", "--json").stdout)["data"]
    assert data["judged"] == ["alpha", "beta", "gamma"]
    assert data["critical_rules"][1]["true"] > 0
    assert "data" not in json.loads(hiple("check", study.file, "--json").stdout)


def test_a_cell_that_cannot_be_read_is_an_error(study):
    with open(study.root / "cases.csv", "a") as file:
        file.write("999,abc,1,red,true,low,true\n")
    assert hiple("check", study.file).returncode == 0
    wrong = hiple("check", study.file, "--full")
    assert wrong.returncode == 2 and "cases.csv:242:" in wrong.stderr
