"""decisions.h5 as others read it: with h5py, by names alone, the root computed again."""

import os
import subprocess

import h5py
import numpy
import pytest

import root
import sample

WRITE_SAMPLE = os.path.join(os.environ["HIPLE_BIN_DIR"], "write_sample_decisions")


@pytest.fixture
def write(tmp_path):
    def run(cases):
        path = tmp_path / "decisions.h5"
        subprocess.run([WRITE_SAMPLE, path, str(cases)], check=True)
        return h5py.File(path, "r")

    return run


@pytest.mark.parametrize("cases", [0, 1, 7, 4096, 4097, 9000])
def test_root_is_computed_again_from_the_file(write, cases):
    with write(cases) as file:
        rows = list(root.rows_of(file))
        assert rows == list(sample.rows(cases))
        assert file.attrs["root"] == root.root(rows)
        assert file.attrs["cases"] == cases


def test_layout(write):
    with write(70) as file:
        assert file.attrs["format"] == "hiple decisions" and file.attrs["version"] == 3 and file.attrs["complete"] == 1
        shapes = {name: (str(file[name].dtype), file[name].shape) for name in ("case_id", "status", "reason", "flags", "finding", "rule", "rounds", "consulted")}
        assert shapes == {"case_id": ("uint64", (70,)), "status": ("uint8", (70, 2)), "reason": ("uint8", (70, 2)), "flags": ("uint8", (70, 2)),
                          "finding": ("uint16", (70, 2)), "rule": ("uint32", (70, 2)), "rounds": ("uint8", (70,)), "consulted": ("uint64", (70, 1))}
        assert numpy.all(numpy.diff(file["case_id"][...].astype("int64")) > 0)


def test_names_and_provenance(write):
    with write(3) as file:
        texts = lambda name: list(file[name].asstr()[...])
        assert texts("questions") == ["binding", "state"]
        assert texts("findings/state") == ["hyper", "hypo", "none"]
        assert texts("names/status") == sample.STATUSES and texts("names/reason") == sample.REASONS
        assert texts("names/flags") == ["firm", "critical", "escalated", "broadened", "gate_closed", "capped"]
        assert texts("law/text") == ["law: 1\nname: sample\n"]
        assert texts("law/rules/id") == ["A-1", "F-1", "state.default"] and list(file["law/rules/version"]) == [1, 3, 1]
        assert texts("law/rules/sha256") == [letter * 64 for letter in "abc"]
        assert texts("engines/name") == ["hypo", "nti"] and list(file["engines/available"]) == [1, 0]
        assert texts("engines/reason") == ["", "out of memory: \u00fc"] and texts("engines/sha256") == ["d" * 64, ""]
        assert file.attrs["inputs_sha256"] == "e" * 64
