"""Engines that read series, as a user runs them: what stands in schema.yaml and run.yaml, and wrong input."""

import csv
import json
import random

import h5py
import pytest
from conftest import hiple

LENGTH = 24
SCHEMA = """\
schema: 1
columns:
  - {name: cycle, type: integer, role: id}
  - {name: pressure, type: real, unit: bar, length: 24}
  - {name: flow, type: real, unit: L/min, missing: ["?"], length: 24}
  - {name: oil, type: category, values: [thin, thick]}
  - {name: load, type: real, length: 10}
  - {name: state, type: category, values: [sound, worn], role: label}
"""
RUN = """\
hiple: 1
name: series
seed: 3
as_of: 2026-11-30
data:
  table: cases.csv
  schema: schema.yaml
  split: {test: 0.3}
engines:
  - name: wave
    target: state
    features: [pressure, flow, oil]
    model:
      type: conv1d
      convolutions:
        - {channels: 8, kernel: 3}
        - {channels: 8, kernel: 3, stride: 2}
      pool: max
      hidden: [16]
    train: {epochs: 25, batch: 32, lr: 1e-2, early_stop: 0}
  - name: flat
    target: state
    features: [pressure, load_3]
    model: {hidden: [8]}
    train: {epochs: 3, batch: 32}
law: law.yaml
output: %s
"""
LAW = """\
law: 1
name: series
schema: schema.yaml
questions:
  - {name: state, findings: [sound, worn], default: sound}
panels:
  - {name: root, members: [wave, flat]}
rules:
  - {id: WORN, title: the wave says so, when: 'wave.label == "worn" and pressure_03 > -100 [bar]', then: state.worn}
"""


def write_table(path, rows, seed=1):
    """A pulse somewhere in one of the two series: first up or first down."""
    numbers = random.Random(seed)
    names = [f"{name}_{i:02}" for name in ("pressure", "flow") for i in range(LENGTH)]
    with path.open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["cycle", *names, "oil", *(f"load_{i}" for i in range(10)), "state"])
        for cycle in range(1, rows + 1):
            values = [numbers.gauss(0, 0.5) for _ in names]
            worn = numbers.random() < 0.5
            where = numbers.choice((0, LENGTH)) + numbers.randrange(LENGTH - 1)
            values[where] += -3 if worn else 3
            values[where + 1] -= -3 if worn else 3
            texts = [f"{value:.4f}" for value in values]
            if where < LENGTH:  # not in the series with the pulse
                texts[LENGTH + numbers.randrange(LENGTH)] = "?"
            table.writerow([cycle, *texts, numbers.choice(["thin", "thick"]), *range(10), "worn" if worn else "sound"])


@pytest.fixture
def study(tmp_path):
    write_table(tmp_path / "cases.csv", 500)
    (tmp_path / "schema.yaml").write_text(SCHEMA)
    (tmp_path / "law.yaml").write_text(LAW)
    (tmp_path / "run.yaml").write_text(RUN % (tmp_path / "out"))
    return tmp_path


def replace(study, old, new, file="run.yaml"):
    text = (study / file).read_text()
    assert old in text
    (study / file).write_text(text.replace(old, new))


def run(study, *words):
    result = hiple("run", study / "run.yaml", *words)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def test_a_pulse_is_found_wherever_it_is(study):
    run(study)
    result = json.loads((study / "out" / "engines" / "wave" / "result.json").read_text())
    assert result["held_out"]["accuracy"] > 0.9
    with h5py.File(study / "out" / "judgments" / "wave.h5") as file:
        assert (file["status"][...] == 2).sum() == 0, "a missing point is no invalid input"


def test_check_counts_what_convolutions_cost(study):
    plan = hiple("check", study / "run.yaml").stdout
    wave = next(line for line in plan.splitlines() if line.startswith("wave")).split()
    # 3 points of 4 numbers to 8, 3 points of 8 to 8, 8 and an embedding of 1 to 16, 16 to 2; the embedding of oil
    assert wave[4:6] == ["25", str((12 * 8 + 8) + (24 * 8 + 8) + (9 * 16 + 16) + (16 * 2 + 2) + 3)]


WRONG = [
    ("kernel: 3, stride: 2}", "kernel: 23, stride: 2}", ["run.yaml:17:11", "convolution 2 of engine wave reads 23 points at a time of 22 points",
                                                        "the 24 points of pressure"]),
    ("{channels: 8, kernel: 3}", "{channels: 8, kernel: 25}", ["run.yaml:16:11", "series pressure has no more"]),
    ("[pressure, flow, oil]", "[pressure, load, oil]", ["run.yaml:12:26", "series load has 10 points", "pressure has 24"]),
    ("[pressure, flow, oil]", "[pressure, presure_07, oil]", ["run.yaml:12:26", 'did you mean "pressure_07"?']),
    ("[pressure, flow, oil]", "[presure, flow, oil]", ["run.yaml:12:16", 'did you mean "pressure"?']),
    ("[pressure, flow, oil]", "[pressure, pressure_07]", ["run.yaml:12:26", "it is a point of pressure"]),
    ("[pressure, flow, oil]", "[pressure_07, oil]", ["run.yaml:10:5", "is a conv1d and reads no series"]),
    ("pool: max", "pool: maximum", ["run.yaml:18:13", "mean_max"]),
    ("      convolutions:\n        - {channels: 8, kernel: 3}\n        - {channels: 8, kernel: 3, stride: 2}\n", "",
     ["run.yaml:14:7", 'lacks the key "convolutions"']),
    ("type: conv1d", "type: mlp", ["run.yaml:16:9", "its type is mlp"]),
]


@pytest.mark.parametrize("right, wrong, expected", WRONG, ids=[w[1][:30].strip() or "nothing" for w in WRONG])
def test_what_cannot_work_is_refused_before_it_starts(study, right, wrong, expected):
    replace(study, right, wrong)
    for command in ("check", "run"):
        result = hiple(command, study / "run.yaml")
        assert result.returncode == 2, result.stdout + result.stderr
        for words in expected:
            assert words in result.stderr
        assert not (study / "out").exists()


def test_a_series_of_another_length_is_missing_a_column(study):
    replace(study, "length: 24}", "length: 25}", "schema.yaml")
    result = hiple("check", study / "run.yaml")
    assert result.returncode == 2 and "pressure_24" in result.stderr and "schema.yaml:4:12" in result.stderr
