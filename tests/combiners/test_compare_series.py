"""jobs/compare.sh on a study whose engines read series, each of three parts held out in turn. The columns that divide its rows are such
as an engine might read, as the thyroid study's year is: no rival may."""

import csv
import json
import random

import h5py
import numpy as np
import pytest
from test_compare import LINES, compare

LENGTH = 12
SCHEMA = """\
schema: 1
columns:
  - {name: cycle, type: integer, role: id}
  - {name: stretch, type: integer}
  - {name: part, type: integer}
  - {name: pressure, type: real, unit: bar, length: 12}
  - {name: flow, type: real, unit: L/min, length: 12}
  - {name: load, type: real, length: 4}
  - {name: state, type: category, values: [sound, worn], role: label}
  - {name: leak, type: category, values: [tight, leaking], role: label}
"""
CONVOLVED = "model: {type: conv1d, convolutions: [{channels: 4, kernel: 3}, {channels: 4, kernel: 3, stride: 2}], pool: none, hidden: [8]}"
RUN = f"""\
hiple: 1
name: series
seed: 3
as_of: 2026-11-30
data: {{table: cases.csv, schema: schema.yaml, split: {{column: part, train: [1, 2], test: [3], group: stretch, early_stop: 0.1, calibration: 0.2}}}}
engines:
  - name: wave
    target: state
    features: [pressure]
    {CONVOLVED}
    train: {{epochs: 20, batch: 32, lr: 1e-2, early_stop: 0}}
    abstain_below: 0
  - name: stream
    target: leak
    features: [flow]
    {CONVOLVED}
    train: {{epochs: 20, batch: 32, lr: 1e-2, early_stop: 0}}
    abstain_below: 0
  - name: light
    target: leak
    features: [load_0, load_1]
    model: {{hidden: [8]}}
    train: {{epochs: 10, batch: 32}}
    abstain_below: 0
law: law.yaml
gates: gates.yaml
output: runs/series
"""
LAW = """\
law: 1
name: series
schema: schema.yaml
critical: critical.yaml
questions:
  - {name: state, findings: [sound, worn], default: sound}
  - {name: leak, findings: [tight, leaking], default: tight}
rules:
  - {id: WORN, title: wave says so, when: 'wave.label == "worn"', then: state.worn}
  - {id: LEAK, title: stream says so, when: 'stream.label == "leaking"', then: leak.leaking}
laws:
  - {id: LOOK, title: nobody is sure, when: 'stream.confidence < 0.6', escalate: leak, to: maintenance}
route: {home: [{engines: [wave, stream]}]}
"""
CRITICAL = "critical: 1\nfindings:\n  - {finding: state.worn, to: maintenance}\n"
GATES = "gates: 1\ntruth: {state: {column: state}, leak: {column: leak}}\nneeded: {state: wave, leak: stream}\ncluster: stretch\n"


def write_table(path, stretches=60, cycles=6):
    """All cycles of a stretch have one state. A worn machine's pressure falls; flow and load are lower where it leaks."""
    numbers = random.Random(4)
    series = lambda name, length: [f"{name}_{point:0{len(str(length - 1))}}" for point in range(length)]
    with path.open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["cycle", "stretch", "part", *series("pressure", LENGTH), *series("flow", LENGTH), *series("load", 4), "state", "leak"])
        for stretch in range(stretches):
            worn, leaking = numbers.random() < 0.5, numbers.random() < 0.5
            for cycle in range(cycles):
                pressure = [numbers.gauss(0, 1) - 0.3 * worn * point for point in range(LENGTH)]
                flow = [numbers.gauss(0, 1) - 0.8 * leaking for _ in range(LENGTH)]
                load = [numbers.gauss(0, 1) - 0.8 * leaking for _ in range(4)]
                cells = [f"{value:.4f}" for value in (*pressure, *flow, *load)]
                table.writerow([1 + cycles * stretch + cycle, stretch, 1 + stretch % 3, *cells, "worn" if worn else "sound", "leaking" if leaking else "tight"])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    root = tmp_path_factory.mktemp("series")
    for name, text in {"schema": SCHEMA, "run": RUN, "law": LAW, "critical": CRITICAL, "gates": GATES}.items():
        (root / f"{name}.yaml").write_text(text)
    write_table(root / "cases.csv")
    compare(root / "run.yaml", "--folds", 2, "--every-part", folder=root)
    return root / "runs" / "series" / "comparison"


def read(folder):
    return json.loads((folder / "table.json").read_text())


def test_no_rival_is_left_out(folder):
    for part in (folder, *(folder / f"part_{value}" / "run" / "comparison" for value in (1, 2, 3))):
        for at in ("own", 1.0, 0.95, 0.9, 0.8):
            assert [row["way"] for row in read(part)["rows"] if row["at"] == at] == LINES


def test_every_case_is_in_one_test_part(folder):
    law = read(folder)["rows"][0]
    assert law["exact"]["n"] == 360
    parts = [read(folder / f"part_{value}" / "run" / "comparison")["rows"] for value in (1, 2, 3)]
    for row, *of_parts in zip(read(folder)["rows"], *parts):
        if row["at"] == "own":
            for figure in ("exact", "coverage", "silent", "found"):
                assert row[figure]["count"] == sum(each[figure]["count"] for each in of_parts), (row["way"], figure)
    right = {row["way"]: row["exact"]["count"] / 360 for row in read(folder)["rows"] if row["at"] == 1.0}
    assert right["the law"] > 0.5 and right["a network a question"] > 0.7 and right["the law"] - right["law on a random cut"] > 0.1


def test_bounds_are_of_stretches_of_all_parts(folder):
    """60 stretches; `hiple gates` has 20 of each part."""
    text = (folder / "table.txt").read_text()
    assert "360 cases of all test parts, 60 of them independent" in text
    for value in (1, 2, 3):
        assert f"\n{value}: The random cut is not trusted" in text


def test_networks_on_all_columns_convolve_what_engines_convolve(folder):
    comparison = folder / "part_1" / "run" / "comparison"
    for name, network in read(comparison)["networks"].items():
        assert network["features"] == ["pressure", "flow", "load_0", "load_1", "load_2", "load_3"]
        assert 0.8 < network["spent"] / network["budget"] < 1.25
        with h5py.File(comparison / "rivals" / "run" / "engines" / name / "checkpoint.h5") as file:
            assert np.unique(file["features/series"].asstr()[...]).tolist() == ["", "flow", "pressure"]


def test_a_split_without_a_column_has_no_parts(folder, tmp_path):
    for name, text in {"schema": SCHEMA, "law": LAW, "critical": CRITICAL, "gates": GATES}.items():
        (tmp_path / f"{name}.yaml").write_text(text)
    (tmp_path / "cases.csv").write_bytes((folder.parents[2] / "cases.csv").read_bytes())
    (tmp_path / "run.yaml").write_text(RUN.replace("column: part, train: [1, 2], test: [3], ", "test: 0.3, "))
    assert "--every-part" in compare(tmp_path / "run.yaml", "--folds", 2, "--every-part", folder=tmp_path, status=2)
