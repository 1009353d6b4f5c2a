"""A study of configs/ as its user runs it, in a folder of the test's own: nothing is written into the source tree."""

import csv
import os
import pathlib
import re
import shutil
import subprocess

import h5py
import pytest
from conftest import hiple as program_hiple, mpirun

SOURCE = pathlib.Path(os.environ["HIPLE_SOURCE_DIR"])
HIPLE = pathlib.Path(os.environ["HIPLE_BIN_DIR"]) / "hiple"


def published(*parts):
    """A file of the real data sets. Skips, with the reason, where they are not there."""
    folder = pathlib.Path(os.environ.get("HIPLE_DATA_DIR") or SOURCE.parent / "shared" / "data")
    path = folder.joinpath(*parts)
    if not path.is_file():
        pytest.skip(f"NOT TESTED: the study on real data: no {path}; set HIPLE_DATA_DIR")
    return path


def hiple(*words, folder=None, status=0):
    """What the program says. Fails with all of it where the exit status is another."""
    result = subprocess.run([str(HIPLE), *map(str, words)], capture_output=True, text=True, cwd=folder, timeout=560)
    assert result.returncode == status, f"hiple {' '.join(map(str, words))}: {result.returncode}\n{result.stdout}\n{result.stderr}"
    return result.stdout


class Study:
    """configs/NAME copied to ROOT/configs/NAME, so that its paths, relative to itself, stay inside ROOT."""

    def __init__(self, root, name):
        self.root, self.name = pathlib.Path(root), name
        self.run_file = self.root / "configs" / name / "run.yaml"
        shutil.copytree(SOURCE / "configs" / name, self.run_file.parent)
        self.table = self.root / "runs" / "data" / f"{name}.csv"
        self.table.parent.mkdir(parents=True)
        self.directory = self.root / "runs" / name
        self.summary = ""

    def run(self):
        self.summary = hiple("run", self.run_file, folder=self.root)
        return self

    def run_into(self, output):
        """The whole run again, into a directory of its own."""
        return hiple("run", self.run_file, "--output", output, folder=self.root)

    def integrate(self, output, status=0):
        return hiple("integrate", self.run_file, "--output", output, folder=self.root, status=status)

    def check_on_demand(self, ranks):
        """The same engines, judging only what the law asks them about, on so many ranks: the same decisions, at the cost of the
        engines that are consulted. Returns the share of the judgments that were made."""
        directory = self.directory.with_name(f"{self.name}-{ranks}")
        kept = shutil.ignore_patterns("judgments*", "decisions.h5", "STATUS", "ledger*")
        shutil.copytree(self.directory, directory, ignore=kept)  # the engines are trained
        run_file = self.run_file.with_name(f"run-{ranks}.yaml")
        text = self.run_file.read_text()
        assert "integrate:" not in text
        run_file.write_text(text + "integrate: {judging: on_demand}\n")
        words = ("run", run_file, "--output", directory)
        result = mpirun(ranks, *words, timeout=500) if ranks else program_hiple(*words, timeout=500)
        assert result.returncode == 0, result.stdout + result.stderr
        with h5py.File(directory / "decisions.h5") as demanded, h5py.File(self.directory / "decisions.h5") as dense:
            assert demanded.attrs["root"] == dense.attrs["root"]
            consulted = demanded["consulted"][:, 0]
            made = 0
            for number, engine in enumerate(demanded["engines/name"].asstr()[...]):
                with h5py.File(directory / "judgments" / f"{engine}.h5") as file:
                    asked = file["status"][...] != 3
                assert (asked == ((consulted >> number) & 1 == 1)).all(), engine
                made += int(asked.sum())
            return made / (len(consulted) * (number + 1))

    def decisions(self, directory=None):
        return Decisions((directory or self.directory) / "decisions.h5")

    def share(self, line):
        """(count, of) from the line of the summary's figures on the test cases that begins with `line`."""
        found = re.search(rf"^\s*{re.escape(line)}\s{{2,}}([\d ]*\d)\s{{2,}}([\d ]*\d)\s{{2,}}", self.summary, re.MULTILINE)
        assert found, f"no line {line!r} in:\n{self.summary}"
        return tuple(int(text.replace(" ", "")) for text in found.groups())

    def rows(self):
        with self.table.open(newline="") as file:
            return list(csv.DictReader(file))

    def write_rows(self, rows):
        with self.table.open("w", newline="") as file:
            writer = csv.DictWriter(file, rows[0].keys())
            writer.writeheader()
            writer.writerows(rows)


class Decisions:
    """decisions.h5 by names: answers[case][question] = ("decide", "abstain" or "escalate"; finding or ""; reason)."""

    def __init__(self, path):
        with h5py.File(path, "r") as file:
            texts = lambda name: list(file[name].asstr()[...])
            self.root = file.attrs["root"]
            self.questions, self.engines = texts("questions"), texts("engines/name")
            statuses, reasons = texts("names/status"), texts("names/reason")
            findings = [texts("findings/" + question) for question in self.questions]
            status, reason, finding = (file[name][...] for name in ("status", "reason", "finding"))
            self.consulted = {int(case): int(bits[0]).bit_count() for case, bits in zip(file["case_id"][...], file["consulted"][...])}
            self.answers = {
                int(case): {
                    question: (statuses[status[row, q]], findings[q][finding[row, q]] if finding[row, q] != 65535 else "", reasons[reason[row, q]])
                    for q, question in enumerate(self.questions)
                }
                for row, case in enumerate(file["case_id"][...])
            }


def permute_labels(study, labels, moves):
    """Tears the labels of all rows for which moves(row) is true from their cases. Returns how many rows have others now."""
    rows = study.rows()
    moved = [i for i, row in enumerate(rows) if moves(row)]
    torn = [{name: rows[i][name] for name in labels} for i in moved]
    half = len(torn) // 2 + 1
    for i, values in zip(moved, torn[half:] + torn[:half]):
        rows[i].update(values)
    study.write_rows(rows)
    return sum(1 for i, values in zip(moved, torn) if any(rows[i][name] != values[name] for name in labels))
