"""Runs that are made from a study's own: on folds of its training part, with rivals beside its engines, on a random cut. Each has a
folder with its table, schema and run.yaml, and is run by `hiple` like any other."""

import json
import os
import pathlib
import subprocess

import numpy as np
import plain_yaml
from plain_yaml import Plain

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = pathlib.Path(os.environ.get("HIPLE_BIN_DIR", ROOT / "build/release/bin"))
CASES = "test_cases.h5"
DONE, PARTIAL, GATE_NOT_PASSED = 0, 3, 4


class BadInput(Exception):
    """The comparison cannot be made of this input; exit status 2."""


def hiple(*words, accepted=(DONE,)):
    """What the program prints. Ends the comparison where it ends otherwise than accepted."""
    result = subprocess.run([str(BIN / "hiple"), *map(str, words)], capture_output=True, text=True, check=False)
    if result.returncode not in accepted:
        said = (result.stderr or result.stdout).strip()
        problem = f"hiple {' '.join(map(str, words))} ended with {result.returncode}:\n{said}"
        raise BadInput(problem) if result.returncode == 2 else RuntimeError(problem)
    return result.stdout


def revision():
    """Of the program that makes the runs, for whoever puts results together."""
    lines = [line.split() for line in hiple("--version").splitlines()]
    return next(words[1] for words in lines if words[:1] == ["revision"])


class Study:
    """A finished run: its directory, and run.yaml as it was resolved there."""

    def __init__(self, directory):
        self.directory = directory
        self.run = plain_yaml.read(directory / "run.yaml")
        data = self.run["data"]
        self.table, self.schema = pathlib.Path(data["table"]), pathlib.Path(data["schema"])
        gates = self.run.get("gates")
        if gates is None:
            raise BadInput(f"{directory}: the run has no gates, so that nothing says where the truth is: write gates: gates.yaml")
        self.gates = pathlib.Path(gates["file"] if isinstance(gates, dict) else gates)
        self.law = pathlib.Path(self.run["law"])
        self.group = str(data["split"].get("group", ""))
        self.cluster = str(plain_yaml.read(self.gates).get("cluster", ""))
        self.seed = int(self.run["seed"])

    @property
    def engines(self):
        return self.run["engines"]

    def derive(self, folder, table, split, engines=None):
        """Writes the derived run's files; returns its run.yaml. `split` names columns of the table."""
        table.write(folder)
        law = {key: value for key, value in plain_yaml.read(self.law).items() if key != "schema"}  # the schema has more columns now
        if "critical" in law:
            law["critical"] = str((self.law.parent / law["critical"]).resolve())
        plain_yaml.write(folder / "law.yaml", law)
        parts = {key: self.run["data"]["split"][key] for key in ("early_stop", "calibration")}
        if self.group:
            parts["group"] = self.group
        run = {**self.run, "data": {"table": "cases.csv", "schema": "schema.yaml", "split": {**split, **parts}},
               "engines": engines or self.engines, "law": "law.yaml", "gates": str(self.gates), "output": str(folder / "run"),
               "integrate": {**self.run.get("integrate", {}), "judging": "dense"}}  # rivals hear every engine on every case
        plain_yaml.write(folder / "run.yaml", run)
        return folder / "run.yaml"


def run_and_judge(run_file):
    """Runs it, or goes on with it, and writes its test cases. Returns the run's directory."""
    directory = run_file.parent / "run"
    hiple("run", run_file, accepted=(DONE, PARTIAL))
    write_cases(directory, directory / CASES)
    return directory


def write_cases(directory, path):
    """`hiple gates`: writes the file of test cases; returns the report."""
    return json.loads(hiple("gates", directory, "--json", "--cases", path, accepted=(DONE, GATE_NOT_PASSED)))


def fold_numbers(table, group, folds, seed):
    """[n] the fold of each row; rows of one group are in one fold."""
    units = np.array(table.column(group)) if group else table.case_id.astype(str)
    names = np.unique(units)
    order = np.random.default_rng(seed).permutation(len(names))
    place = np.empty(len(names), int)
    place[order] = np.arange(len(names)) % folds
    return place[np.searchsorted(names, units)]
