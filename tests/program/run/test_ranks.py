"""The same decisions for every number of ranks, and not one call to MPI while they are learned."""

import json
import random
import subprocess

import h5py
import pytest
from conftest import RULES, hiple, mpirun, status


def text(values):
    return [value.decode() for value in values]


@pytest.fixture
def alone(study):
    """The root of a run without MPI, in a directory of its own."""
    result = hiple("run", study.file, "--output", study.root / "alone")
    assert result.returncode == 0, result.stderr
    assert "MPI was not in use" in result.stdout
    return status(study.root / "alone")["root"]


@pytest.mark.parametrize("ranks", [1, 2, 4, 9])
def test_every_number_of_ranks_decides_the_same(study, alone, ranks):
    result = mpirun(ranks, "run", study.file)
    assert result.returncode == 0, result.stderr
    assert status(study.directory)["state"] == "complete"
    assert status(study.directory)["root"] == alone
    with h5py.File(study.directory / "decisions.h5") as file:
        assert file.attrs["root"] == alone
        assert len(file["case_id"]) == 240


def test_the_order_of_engines_and_rules_does_not_matter(study, alone):
    study.write_run(engines=("gamma", "alpha", "beta"))
    rules = list(RULES)
    random.Random(1).shuffle(rules)
    study.write_law(rules)
    result = mpirun(3, "run", study.file)
    assert result.returncode == 0, result.stderr
    assert status(study.directory)["root"] == alone


def test_no_call_to_mpi_while_training(study):
    result = mpirun(3, "run", study.file)
    assert result.returncode == 0, result.stderr
    assert "MPI calls while training, all 3 ranks: 0" in result.stdout
    with h5py.File(study.directory / "ledger.h5") as file:
        calls, phases = file["calls"], file["phases"]
        seen = set(zip(calls["rank"][:].tolist(), text(calls["phase"][:]), text(calls["function"][:])))
        # The ledger does see what there is: each trainer's one message, and the integrator's look for it.
        assert {(0, "notify", "MPI_Isend"), (1, "notify", "MPI_Isend"), (2, "init", "MPI_Init")} <= seen
        assert (2, "wait", "MPI_Iprobe") in seen
        assert not [call for call in seen if call[1] in ("train", "judge", "write", "integrate")]
        trained = {rank for rank, phase in zip(phases["rank"][:].tolist(), text(phases["phase"][:])) if phase == "train"}
        assert trained == {0, 1}
        sent = [row[2] for row in zip(text(calls["phase"][:]), text(calls["function"][:]), calls["bytes_sent"][:].tolist())
                if row[:2] == ("notify", "MPI_Isend")]
        assert sent == [4, 4]


def test_every_file_opens_elsewhere(study):
    assert mpirun(3, "run", study.file).returncode == 0
    files = sorted(study.directory.rglob("*.h5"))
    names = {str(file.relative_to(study.directory)) for file in files}
    assert {"decisions.h5", "judgments.h5", "ledger.h5", "judgments/alpha.h5", "engines/beta/checkpoint.h5"} <= names
    for file in files:
        with h5py.File(file) as opened:
            assert opened.attrs["complete"] == 1
            assert opened.attrs["software"]
        dumped = subprocess.run(["h5dump", "-A", file], capture_output=True, text=True)
        assert dumped.returncode == 0 and dumped.stdout, dumped.stderr
    with h5py.File(study.directory / "judgments.h5") as index:
        assert set(index["engines"]) == {"alpha", "beta", "gamma"}
        assert len(index["engines/beta/judgments/case_id"]) == 240


def test_what_a_run_leaves(study):
    assert hiple("run", study.file).returncode == 0
    result = json.loads((study.directory / "engines" / "beta" / "result.json").read_text())
    assert result["rows"]["test"] == result["held_out"]["rows"] == 72
    assert result["training"]["epochs"] == 4
    build = json.loads((study.directory / "build.json").read_text())
    assert build["version"] and build["hdf5"] and build["host"]
    assert "done in" in (study.directory / "engines" / "beta" / "log.txt").read_text()
    assert len((study.directory / "engines" / "beta" / "progress.jsonl").read_text().splitlines()) <= 2
    assert not list(study.directory.rglob("LOCK")) and not list(study.directory.rglob("FAILED"))
    # The resolved run.yaml names everything, and may be used in place of the first one, from anywhere.
    again = hiple("run", study.directory)
    assert again.returncode == 0, again.stderr


def test_explain_judge_status_integrate_and_train(study):
    assert hiple("run", study.file).returncode == 0
    before = status(study.directory)["root"]
    explained = hiple("explain", study.directory, "--case", 7)
    assert explained.returncode == 0 and "7" in explained.stdout, explained.stderr
    assert hiple("explain", study.directory, "--case", 7, "--why-not", "X-2").returncode == 0
    wrong = hiple("explain", study.directory, "--case", 9999)
    assert wrong.returncode == 2 and "9999" in wrong.stderr

    # New cases have no labels.
    new = study.root / "new.csv"
    new.write_text("record,a,b,kind\n5,0.5,1,red\n3,?,2,green\n")
    judged = hiple("judge", study.directory, "--engine", "alpha", "--cases", new, "--out", study.root / "new.h5")
    assert judged.returncode == 0, judged.stderr
    with h5py.File(study.root / "new.h5") as file:
        assert file["case_id"][:].tolist() == [3, 5]
    study.replace("run.yaml", "features: [a, kind]", "features: [a]")
    changed = hiple("judge", study.file, "--engine", "alpha", "--cases", new, "--out", study.root / "no.h5")
    assert changed.returncode == 2 and "trained with other settings" in changed.stderr, changed.stderr
    assert not (study.root / "no.h5").exists()
    study.replace("run.yaml", "features: [a]", "features: [a, kind]")
    wrong = hiple("judge", study.directory, "--engine", "alfa", "--cases", new, "--out", study.root / "no.h5")
    assert wrong.returncode == 2 and "alpha" in wrong.stderr

    shown = hiple("status", study.directory)
    assert shown.returncode == 0 and "complete, 3 of 3 engines" in shown.stdout
    assert hiple("integrate", study.file).returncode == 0
    assert status(study.directory)["root"] == before

    # The array's way: every engine by itself, then the law.
    other = study.root / "array"
    for name in ("alpha", "beta", "gamma"):
        assert hiple("train", study.file, "--engine", name, "--output", other).returncode == 0
    assert "is not integrated" in hiple("status", other).stdout
    assert hiple("integrate", study.file, "--output", other).returncode == 0
    assert status(other)["root"] == before
