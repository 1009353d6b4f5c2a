"""The tiny study of conftest.py with a route, critical findings and gates; its old rows train, its new ones are the test."""

import csv
import json

import h5py

from conftest import hiple

GATES = """\
gates: 1
truth:
  x: {column: x, findings: {"true": high, "false": none}}
  y: {column: y, findings: {middle: none}}
  z: {column: z, findings: {"true": both, "false": none}}
needed: {x: alpha, y: beta, z: gamma}
thresholds: %s
"""
STRICT = "{}"
LOOSE = "{cbr: 0.05, cmr_silent: 0.9, cmr_strict: 0.95, over_triage: 0.9}"
CRITICAL = """\
critical: 1
findings:
  - {finding: z.both, to: foreman, suspect: 'b > 1 [mm]'}
"""
ROUTE = """\
links:
  - {id: L-1, from: alpha, to: beta, when: 'alpha.label == "true"'}
route:
  home:
    - {engines: [alpha]}
  broaden: [needed]
"""


def gated(study, thresholds=STRICT):
    """Puts gates, critical findings and a route into the study."""
    study.write_run(epochs=40)
    (study.root / "gates.yaml").write_text(GATES % thresholds)
    (study.root / "critical.yaml").write_text(CRITICAL)
    study.replace("law.yaml", "schema: schema.yaml\n", "schema: schema.yaml\ncritical: critical.yaml\n")
    with open(study.root / "law.yaml", "a") as law:
        law.write(ROUTE)
    study.replace("run.yaml", "    model: {", "    abstain_below: 0\n    model: {")  # every engine that is asked judges
    study.replace("run.yaml", "law: law.yaml\n", "law: law.yaml\ngates: gates.yaml\n")
    study.replace("run.yaml", "split: {test: 0.3}", "split: {column: part, train: [old], test: [new]}")
    study.write_table(400)
    study.replace("schema.yaml", "  - {name: x,", "  - {name: part, type: category, values: [old, new]}\n  - {name: x,")
    lines = (study.root / "cases.csv").read_text().splitlines()
    parts = ["part", *(("old", "new")[record % 2] for record in range(1, len(lines)))]
    (study.root / "cases.csv").write_text("".join(f"{line},{part}\n" for line, part in zip(lines, parts)))
    return study


def run(study, *options):
    result = hiple("run", study.file, *options)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def gates(study, *options, directory=None, status=4):
    result = hiple("gates", directory or study.directory, *options)
    assert result.returncode == status, f"{result.returncode}\n{result.stdout}{result.stderr}"
    return result.stdout if status in (0, 4) else result.stderr


def report(study, *options, directory=None, status=4):
    return json.loads(gates(study, "--json", *options, directory=directory, status=status))


def verdicts(record):
    return {gate["gate"]: gate["verdict"] for gate in record["gates"]}


def rows(study):
    with open(study.root / "cases.csv", newline="") as file:
        return {int(row["record"]): row for row in csv.DictReader(file)}


class Decided:
    """decisions.h5 by names."""

    def __init__(self, directory):
        with h5py.File(directory / "decisions.h5") as file:
            texts = lambda name: list(file[name].asstr()[...])
            self.root, self.closed_by = file.attrs["root"], file.attrs.get("closed_by", "")
            self.cases = [int(case) for case in file["case_id"][...]]
            self.questions, self.engines = texts("questions"), texts("engines/name")
            self.status = [[texts("names/status")[s] for s in row] for row in file["status"][...]]
            names = texts("names/flags")
            self.flags = [[{n for bit, n in enumerate(names) if int(f) >> bit & 1} for f in row] for row in file["flags"][...]]
            findings = [texts("findings/" + question) for question in self.questions]
            self.finding = [[findings[q][f] if f != 65535 else None for q, f in enumerate(row)] for row in file["finding"][...]]
            self.consulted = [{e for i, e in enumerate(self.engines) if int(row[0]) >> i & 1} for row in file["consulted"][...]]
