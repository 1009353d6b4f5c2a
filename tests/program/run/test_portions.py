"""The law over portions of a table that is not in memory: what is decided, and what is printed, is what deciding all at once gives."""

import csv
import json
import shutil

import h5py
import numpy
import pytest

from conftest import Study, hiple, seal, status

ROWS = 10000  # two portions of 4096 cases and a rest
GATES = """\
gates: 1
truth:
  x: {column: x, findings: {"false": none, "true": high}}
  z: {column: z, findings: {"false": none, "true": both}}
thresholds: {coverage: 0.1}
"""


def write_h5(path, rows, order=None):
    """The table that a CSV file's rows make, as another program would write it."""
    order = numpy.arange(len(rows)) if order is None else order
    column = lambda name: [rows[i][name] for i in order]
    with h5py.File(path, "w") as file:
        file.attrs["format"], file.attrs["version"], file.attrs["software"], file.attrs["created"] = "hiple table", numpy.uint32(1), "h5py", "now"
        file["case_id"] = numpy.array(column("record"), "u8")

        def write(name, kind, values, unit="", texts=None):
            file["columns/" + name], file["cells/" + name] = values, numpy.array([text in ("", "?") for text in column(name)], "u1")
            file["columns/" + name].attrs["type"], file["columns/" + name].attrs["unit"] = kind, unit
            if texts:
                file["values/" + name] = texts

        for name, unit in (("a", ""), ("b", "mm")):
            write(name, "real", numpy.array([0 if text in ("", "?") else float(text) for text in column(name)]), unit)
        for name, texts in (("kind", ["green", "red"]), ("y", ["high", "low", "middle"])):
            write(name, "category", numpy.array([texts.index(text) for text in column(name)], "i4"), texts=texts)
        for name in ("x", "z"):
            write(name, "boolean", numpy.array([text == "true" for text in column(name)], "u1"))
        file.attrs["complete"] = numpy.uint8(1)


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    study = Study(tmp_path_factory.mktemp("portions"))
    study.write_table(ROWS)
    study.rows = list(csv.DictReader(open(study.root / "cases.csv", newline="")))
    write_h5(study.root / "cases.h5", study.rows)
    (study.root / "gates.yaml").write_text(GATES)
    study.write_run(epochs=1)
    study.replace("run.yaml", "table: cases.csv", "table: cases.h5")
    study.replace("run.yaml", "law: law.yaml", "law: law.yaml\ngates: gates.yaml")
    done = hiple("run", study.file)
    assert done.returncode == 0, done.stderr
    return study


def decisions(directory):
    with h5py.File(directory / "decisions.h5") as file:
        arrays = {name: file[name][...].tolist() for name in ("case_id", "status", "reason", "finding", "rule", "flags", "rounds", "consulted")}
        return arrays, file.attrs["root"], file.attrs["inputs_sha256"], file.attrs["cases"]


def figures(directory):
    """The summary without times and names of files."""
    return [line for line in (directory / "summary.txt").read_text().splitlines() if " s" not in line and "/" not in line]


@pytest.fixture
def run(study, tmp_path):
    directory = tmp_path / "out"
    shutil.copytree(study.directory, directory)
    return directory


@pytest.mark.parametrize("words", [("--portion", "4096"), ("--portion", "8192", "--threads", "1"), ("--portion", "4096", "--threads", "3")])
def test_the_same_decisions_and_figures(study, run, words):
    before = decisions(run)
    assert hiple("integrate", run).returncode == 0
    assert decisions(run) == before
    counts, text = status(run), figures(run)
    done = hiple("integrate", run, *words)
    assert done.returncode == 0, done.stderr
    assert decisions(run) == before and before[3] == ROWS
    assert figures(run) == text and len(text) > 10
    after = status(run)
    for name in ("cases", "decided", "abstained", "escalated", "root"):
        assert after[name] == counts[name]
    assert "identical" in hiple("replay", run).stdout


def replace(path, arrays):
    with h5py.File(path, "r+") as file:
        for name, values in arrays.items():
            del file[name]
            file[name] = values
    seal(path)


def kept(path, rows):
    """A judgments file's arrays at some rows."""
    with h5py.File(path) as file:
        return {name: file[name][...][rows] for name in ("case_id", "label", "confidence", "probability", "typicality", "status")}


def test_an_engine_that_has_not_seen_every_case(run):
    alpha = run / "judgments" / "alpha.h5"
    replace(alpha, kept(alpha, [i for i in range(ROWS) if i % 5 != 0 and not 4000 < i < 9000]))
    assert hiple("integrate", run).returncode == 0
    before = decisions(run)
    assert hiple("integrate", run, "--portion", "4096").returncode == 0
    assert decisions(run) == before


def test_a_table_out_of_order_is_sorted(study, run, tmp_path):
    before = decisions(run)
    order = numpy.random.default_rng(1).permutation(ROWS)
    kept_table = (study.root / "cases.h5").read_bytes()
    try:
        write_h5(study.root / "cases.h5", study.rows, order)
        done = hiple("integrate", run, "--portion", "4096")
        assert done.returncode == 0, done.stderr
        assert decisions(run) == before
    finally:
        (study.root / "cases.h5").write_bytes(kept_table)


def test_judgments_that_are_not_sound(run):
    """By another program, which seals nothing: found before anything is decided, and the law goes on without the engine."""
    beta = run / "judgments" / "beta.h5"
    with h5py.File(beta, "r+") as file:
        file.attrs["software"] = "h5py"
        file["label"][9990] = 77
    beta.write_bytes(b"\0" * 512 + beta.read_bytes()[512:])
    for words in ((), ("--portion", "4096")):
        done = hiple("integrate", run, *words)
        assert done.returncode == 3, done.stderr
        (missing,) = status(run)["missing"]
        assert missing["engine"] == "beta" and "label 77 is no class" in json.dumps(missing)


@pytest.mark.parametrize("words", [("--portion", "1000"), ("--portion", "0"), ("--threads", "0"), ("--threads", "many")])
def test_what_makes_no_sense_is_refused(run, words):
    done = hiple("integrate", run, *words)
    assert done.returncode == 2 and words[0] in done.stderr + done.stdout
