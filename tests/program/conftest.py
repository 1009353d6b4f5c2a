"""How the tests of the programs run them, and a study that takes a second: 240 cases, three engines, three questions."""

import csv
import hashlib
import json
import os
import pathlib
import random
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from launching import BIN, PATIENCE, environment, wait_for  # noqa: E402, F401


def hiple(*words, timeout=PATIENCE, preexec_fn=None, **more):
    return subprocess.run([str(BIN / "hiple"), *map(str, words)], capture_output=True, text=True, timeout=timeout,
                          env=environment(**more), preexec_fn=preexec_fn)


def mpirun(ranks, *words, options=(), timeout=PATIENCE, preexec_fn=None):
    """`mpirun -n RANKS hiple ...`."""
    command = ["mpirun", *options, "-n", str(ranks), str(BIN / "hiple"), *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=timeout, env=environment(), preexec_fn=preexec_fn)


def start(ranks, *words, options=()):
    """The same, going on in the background."""
    command = ["mpirun", *options, "-n", str(ranks), str(BIN / "hiple"), *map(str, words)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment())


def status(directory):
    return json.loads((directory / "STATUS").read_text())


def seal(path):
    """Makes the head of a file that was changed by hand fit its content again: what is wrong with it is not its checksum."""
    content = path.read_bytes()[512:]
    line = f"hiple sha256 {len(content)} {hashlib.sha256(content).hexdigest()}\n".encode()
    path.write_bytes(line.ljust(512, b"\0") + content)


def holder(lock):
    """The process that holds a lock file."""
    try:
        return json.loads(lock.read_text())["process"]
    except (FileNotFoundError, ValueError):
        return None


def busy_seconds(process):
    """Seconds that a process has used of a processor."""
    fields = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


SCHEMA = """\
schema: 1
columns:
  - {name: record, type: integer, role: id}
  - {name: a, type: real, range: [-10, 10], missing: ["?"]}
  - {name: b, type: real, unit: mm, missing: ["?"]}
  - {name: kind, type: category, values: [red, green]}
  - {name: x, type: boolean, role: label}
  - {name: y, type: category, values: [low, middle, high], role: label}
  - {name: z, type: boolean, role: label}
"""
ENGINES = {
    "alpha": "    target: x\n    features: [a, kind]\n",
    "beta": "    target: y\n    features: [b, a]\n",
    "gamma": "    target: z\n    features: [a, b, kind]\n    cases: 'b > -3 [mm]'\n",
}
MODEL = "    model: {type: mlp, hidden: [8]}\n    train: {epochs: %d, batch: 32, lr: 1e-2, early_stop: 0}\n"
RULES = [
    """  - {id: X-1, title: a is high, when: 'alpha.label == "true" and alpha.confidence >= 0.6', then: x.high}\n""",
    """  - {id: X-2, title: a is very high, when: 'a > 1.5 and kind == "red"', then: x.very_high, overrides: [X-1]}\n""",
    """  - {id: Y-1, title: b is high, when: 'beta.label == "high"', then: y.high}\n""",
    """  - {id: Y-2, title: b is low, when: 'beta.label == "low" and b < 0 [mm]', then: y.low}\n""",
    """  - {id: Z-1, title: both, when: 'gamma.label == "true"', then: z.both}\n""",
]
LAW = """\
law: 1
name: tiny
schema: schema.yaml
questions:
  - {name: x, findings: [none, high, very_high], default: none}
  - {name: y, findings: [none, low, high], default: none}
  - {name: z, findings: [none, both], default: none}
panels:
  - {name: root, members: [alpha, beta, gamma]}
rules:
"""
# Homes by a column, a circle of links, and a ring that waits for engines.
ROUTE = """\
links:
  - {id: K-1, from: alpha, to: gamma, when: 'alpha.label == "true" and b > 0 [mm]'}
  - {id: K-2, from: gamma, to: beta, when: 'gamma.label == "true"'}
  - {id: K-3, from: beta, to: alpha, when: 'beta.label == "low"', eager: true}
route:
  home: [{when: 'a > 0 and kind == "red"', engines: [alpha]}, {engines: [beta]}]
  broaden: [needed]
"""
RUN = """\
hiple: 1
name: tiny
seed: 11
as_of: 2026-11-30
data:
  table: cases.csv
  schema: schema.yaml
  split: {test: 0.3}
engines:
%slaw: law.yaml
integrate: {deadline: %s, quorum: all}
output: %s
"""


class Study:
    """The files of the tiny study in a folder of their own."""

    def __init__(self, root):
        self.root = root
        self.file = root / "run.yaml"
        self.directory = root / "out"
        self.write_table(240)
        (root / "schema.yaml").write_text(SCHEMA)
        self.write_law(RULES)
        self.write_run()

    def write_table(self, rows, path=None):
        numbers = random.Random(5)
        with open(path or self.root / "cases.csv", "w", newline="") as file:
            table = csv.writer(file)
            table.writerow(["record", "a", "b", "kind", "x", "y", "z"])
            for record in range(1, rows + 1):
                a, b = round(numbers.gauss(0, 1), 4), round(numbers.gauss(0, 2), 4)
                y = "low" if b < -1 else "high" if b > 1 else "middle"
                shown = "?" if numbers.random() < 0.05 else a
                table.writerow([record, shown, b, numbers.choice(["red", "green"]), str(a > 0.3).lower(), y,
                                str(a > 0 and b > 0).lower()])

    def write_law(self, rules):
        (self.root / "law.yaml").write_text(LAW + "".join(rules))

    def write_run(self, engines=("alpha", "beta", "gamma"), epochs=4, deadline="1h", slow=()):
        entries = ""
        for name in engines:
            entries += f"  - name: {name}\n    domain: {name}\n" + ENGINES[name]
            entries += MODEL % (1000000 if name in slow else epochs)
        self.file.write_text(RUN % (entries, deadline, self.directory))

    def route(self):
        """Not every engine is asked about every case."""
        with (self.root / "law.yaml").open("a") as law:
            law.write(ROUTE)

    def on_demand(self):
        self.replace("run.yaml", "quorum: all}", "quorum: all, judging: on_demand}")

    def replace(self, file, old, new):
        path = self.root / file
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))


@pytest.fixture
def study(tmp_path):
    return Study(tmp_path)
