"""jobs/compare.sh as its user runs it, on a small milling study."""

import csv
import json
import os
import re
import shutil
import subprocess

import h5py
import numpy as np
import pytest
from launching import BIN, PATIENCE, ROOT, environment
from matched_table import FLAT, LAW, matched_rows, ways_of
from truth import read_gate_cases

LABELS = ["heat_failure", "power_failure", "overstrain_failure", "tool_wear_failure", "random_failure"]
LINES = ["the law", "law, all engines", "majority", "log-odds vote", "stacking", "learned gate", "Dempster-Shafer", "Yager", "conformal by class",
         "guaranteed risk", "monolith", "a network a question", "law on a random cut"]


def compare(*words, folder, status=0):
    result = subprocess.run([str(ROOT / "jobs" / "compare.sh"), *map(str, words)], capture_output=True, text=True, cwd=folder, timeout=10 * PATIENCE,
                            env=environment(HIPLE_BIN_DIR=str(BIN)), check=False)
    assert result.returncode == status, f"{result.returncode}\n{result.stdout}{result.stderr}"
    return result.stderr


def make_study(root):
    """configs/milling with 1500 cycles and short training, in a folder of its own."""
    config = root / "configs" / "milling"
    shutil.copytree(ROOT / "configs" / "milling", config)
    run = (config / "run.yaml").read_text()
    (config / "run.yaml").write_text(re.sub("epochs: 300", "epochs: 25", run))
    table = root / "runs" / "data" / "milling.csv"
    table.parent.mkdir(parents=True)
    words = ("data", "generate", "milling", "--rows", "1500", "--seed", "3", "--output", table)
    subprocess.run([str(BIN / "hiple"), *map(str, words)], check=True, capture_output=True, timeout=PATIENCE, env=environment())
    return config / "run.yaml", table


@pytest.fixture(scope="module")
def compared(tmp_path_factory):
    root = tmp_path_factory.mktemp("compared")
    run, table = make_study(root)
    compare(run, "--folds", 2, folder=root)
    return root, run, table


def answers(folder):
    with h5py.File(folder / "answers.h5") as file:
        found = {}
        file.visititems(lambda name, item: found.update({name: item[...]}) if isinstance(item, h5py.Dataset) else None)
        return found


def test_one_table_with_every_way_to_decide(compared):
    folder = compared[0] / "runs" / "milling" / "comparison"
    record = json.loads((folder / "table.json").read_text())
    text = (folder / "table.txt").read_text()
    for at in ("own", 1.0, 0.95, 0.9, 0.8):
        level = [row for row in record["rows"] if row["at"] == at]
        assert [row["way"] for row in level] == LINES
        assert len({row["exact"]["n"] for row in level}) == 1, "what is left open stays in the denominator"
        for row in level[1:]:
            assert 0 < row["against"]["p"] <= 1
            right = next(each for each in level if each["way"] == "the law")["exact"]["count"]
            assert row["exact"]["count"] - right == row["against"]["better"] - row["against"]["worse"]
    for row in record["rows"]:
        if row["at"] != "own":
            assert row["coverage"]["count"] <= round(row["at"] * row["coverage"]["n"])
        assert row["way"] in text
    flat = [row for row in record["rows"] if row["at"] == "own"][1]
    assert flat["exact"]["count"] >= 0.99 * [row for row in record["rows"] if row["at"] == "own"][0]["exact"]["count"]
    assert len(record["words"]) == 5 and all(line in text for line in record["words"])
    with open(folder / "table.csv", newline="") as file:
        assert len(list(csv.DictReader(file))) == len(record["rows"]) == 5 * len(LINES)


def test_all_engines_are_those_of_the_study(compared):
    """Networks on all columns, which stand in the run of the rivals, have no say in how sure the law with all engines is."""
    folder = compared[0] / "runs" / "milling" / "comparison"
    found = read_gate_cases(folder / "test_cases.h5")
    expected = matched_rows(ways_of(found.law, found.flat, {}, None), found.truth)
    written = [each for each in json.loads((folder / "table.json").read_text())["rows"] if each["way"] in (LAW, FLAT)]
    assert written == json.loads(json.dumps(expected))


def test_networks_on_all_columns_cost_what_the_engines_cost(compared):
    networks = json.loads((compared[0] / "runs" / "milling" / "comparison" / "table.json").read_text())["networks"]
    assert set(networks) == {"monolith", *(f"monolith_{question}" for question in LABELS)}
    for network in networks.values():
        assert 0.8 < network["spent"] / network["budget"] < 1.25


def test_a_random_cut_is_not_trusted(compared):
    folder = compared[0] / "runs" / "milling" / "comparison"
    result = subprocess.run([str(BIN / "hiple"), "gates", str(folder / "random_cut" / "run")], capture_output=True, timeout=PATIENCE, check=False)
    assert result.returncode == 4


def test_figures_are_drawn(compared):
    for kind in ("png", "svg"):
        assert (compared[0] / "runs" / "milling" / "comparison" / f"risk_coverage.{kind}").stat().st_size > 20000


def test_shifts(compared):
    record = json.loads((compared[0] / "runs" / "milling" / "comparison" / "shifts.json").read_text())
    scenarios = {row["scenario"] for row in record["rows"]}
    expected = {"as it was", "10% of cells missing", "50% of cells missing", "without thermal", "thermal added", "thermal twice"}
    assert expected <= scenarios
    found = {(row["scenario"], row["way"]): row for row in record["rows"]}
    before, after = (found[scenario, "the law"] for scenario in ("as it was", "50% of cells missing"))
    assert after["coverage"]["count"] < before["coverage"]["count"]
    assert found["without thermal", "the law"]["coverage"]["count"] < before["coverage"]["count"]
    assert found["thermal added", "the law"] == {**before, "scenario": "thermal added"}
    new = record["new_class"]
    for outcome in new["ways"].values():
        assert outcome["right"] + outcome["wrong"] + outcome["open"] == outcome["n"] > 0
    assert new["finding"].endswith(".failure")


def test_nothing_that_is_learned_sees_the_test_part(compared, tmp_path):
    """Other truth in the test part: other figures, and the same answers bit by bit."""
    root, run, table = compared
    shutil.copytree(root / "configs", tmp_path / "configs")
    before = answers(root / "runs" / "milling" / "comparison")
    with open(table, newline="") as file:
        rows = list(csv.DictReader(file))
    test = [row for row in rows if int(row["case"]) in set(before["case_id"].tolist())]
    torn = [{name: row[name] for name in LABELS} for row in test]
    order = np.random.default_rng(1).permutation(len(test))
    for row, other in zip(test, order):
        row.update(torn[other])
    other_table = tmp_path / "runs" / "data" / "milling.csv"
    other_table.parent.mkdir(parents=True)
    with open(other_table, "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)
    compare(tmp_path / "configs" / "milling" / "run.yaml", "--folds", 2, "--no-shifts", folder=tmp_path)
    after = answers(tmp_path / "runs" / "milling" / "comparison")
    assert set(after) == set(before)
    for name, values in before.items():
        assert np.array_equal(values, after[name]), name
    tables = [(folder / "runs" / "milling" / "comparison" / "table.json").read_text() for folder in (root, tmp_path)]
    critical = [[row["silent"]["count"] for row in json.loads(text)["rows"]] for text in tables]
    assert critical[0] != critical[1]


def test_input_that_cannot_be_compared(tmp_path):
    assert "no such file" in compare(tmp_path / "none.yaml", folder=tmp_path, status=2)
    assert "holds no decisions" in compare(tmp_path, folder=tmp_path, status=2)
    assert "--folds 1" in compare(tmp_path, "--folds", 1, folder=tmp_path, status=2)
