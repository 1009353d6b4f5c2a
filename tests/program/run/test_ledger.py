"""The ledger sees what it is there to see."""

import json
import re
import subprocess

import h5py
import pytest
from conftest import BIN, PATIENCE, environment, hiple, mpirun


def rows(path):
    """{(phase, function): (calls, bytes sent, bytes received)} of a ledger of one rank."""
    with h5py.File(path) as file:
        calls = file["calls"]
        names = zip((p.decode() for p in calls["phase"][:]), (f.decode() for f in calls["function"][:]))
        figures = zip(calls["calls"][:].tolist(), calls["bytes_sent"][:].tolist(), calls["bytes_received"][:].tolist())
        return dict(zip(names, figures))


def test_a_planted_all_reduce_is_reported(study):
    ledger = study.root / "ledger.h5"
    result = subprocess.run([BIN / "ledger_planted", study.file, ledger], capture_output=True, text=True, timeout=PATIENCE,
                            env=environment())
    assert result.returncode == 0, result.stderr
    found = rows(ledger)
    with h5py.File(study.directory / "judgments" / "alpha.h5") as file:
        steps = int(file.attrs["steps"])
    assert steps > 4
    assert found["train", "MPI_Allreduce"] == (steps, 20 * steps, 20 * steps)
    # Bytes of calls that are known: three doubles each way, three gathered in place, and two sent by their root.
    assert found["notify", "MPI_Sendrecv"] == (1, 24, 24)
    assert found["notify", "MPI_Allgatherv"] == (1, 24, 24)
    assert found["notify", "MPI_Bcast"] == (1, 16, 0)


def test_every_function_of_mpi_has_a_wrapper():
    symbols = subprocess.run(["nm", "-C", "--defined-only", BIN / "hiple-run"], capture_output=True, text=True, check=True).stdout
    wrapped = set(re.findall(r" T (MPI_\w+)", symbols))
    for name in ("Send", "Isend", "Recv", "Iprobe", "Allreduce", "Iallreduce", "Barrier", "Alltoallw", "Neighbor_alltoall",
                 "Ineighbor_allgather", "Put", "Win_fence", "File_write_at_all", "Waitall", "Testsome", "Init", "Init_thread",
                 "Finalize", "Comm_split", "Startall", "Comm_spawn"):
        assert "MPI_" + name in wrapped
    assert len(wrapped) > 300


def test_the_program_without_mpi_has_none():
    libraries = subprocess.run(["ldd", BIN / "hiple"], capture_output=True, text=True, check=True).stdout
    assert "libmpi" not in libraries


def certificate(directory):
    return json.loads((directory / "certificate.json").read_text())


def test_a_planted_all_reduce_turns_the_certificate_red(study):
    ledger = study.root / "ledger.h5"
    result = subprocess.run([BIN / "ledger_planted", study.file, ledger], capture_output=True, text=True, timeout=PATIENCE,
                            env=environment())
    assert result.returncode == 0, result.stderr
    red = certificate(study.directory)
    steps = red["steps"]
    assert red["verdict"] == "synchronised" and steps > 4
    assert [(f["rank"], f["phase"], f["function"], f["communicator"], f["calls"], f["bytes"]) for f in red["found"]] == [
        (0, "train", "MPI_Allreduce", "self", steps, 40 * steps)]
    assert 'MPI_Allreduce on "self" by rank 0: ' in red["reason"]
    # The same program without what was planted.
    green = subprocess.run([BIN / "ledger_planted", study.file, ledger, "--peaceful"], capture_output=True, text=True, timeout=PATIENCE,
                           env=environment())
    assert green.returncode == 0, green.stderr
    assert certificate(study.directory)["verdict"] == "synchronisation-free"


@pytest.mark.parametrize("ranks", [1, 2, 4, 9])
def test_the_certificate_of_a_run(study, ranks):
    result = mpirun(ranks, "run", study.file)
    assert result.returncode == 0, result.stderr
    green = certificate(study.directory)
    assert green["verdict"] == "synchronisation-free", green["reason"]
    assert green["ranks"] == ranks and green["missing"] == [] and green["found"] == []
    assert [share["rank"] for share in green["per_rank"]] == list(range(ranks))
    assert green["training"]["calls"] == green["training"]["bytes"] == green["training"]["wait_seconds"] == 0
    steps = 0
    for name in ("alpha", "beta", "gamma"):
        with h5py.File(study.directory / "judgments" / f"{name}.h5") as file:
            steps += int(file.attrs["steps"])
    assert green["steps"] == steps > 0
    assert green["init_seconds"] > 0 and "MPI_Init and MPI_Finalize do synchronise" in result.stdout
    assert any(library["kind"] == "MPI" for library in green["libraries"]) and green["build"]["mpi"]
    assert all(share["outside"]["calls"] > 0 for share in green["per_rank"])
    for text in (result.stdout, (study.directory / "summary.txt").read_text()):
        assert "certificate: synchronisation-free\n" in text and "certificate.json" in text


def test_a_run_without_mpi_has_a_certificate_too(study):
    result = hiple("run", study.file)
    assert result.returncode == 0, result.stderr
    green = certificate(study.directory)
    assert green["verdict"] == "synchronisation-free" and green["libraries"] == [] and green["build"]["mpi"] == []
    assert "certificate: synchronisation-free\n" in result.stdout
    assert json.loads((study.directory / "trace.json").read_text())["traceEvents"]
    assert green["init_seconds"] == 0 and "MPI_Init" not in result.stdout
    with h5py.File(study.directory / "ledger.h5") as file:
        assert len(file["calls/rank"]) == 0 and len(file["libraries/rank"]) == 0
        assert b"train" in file["phases/phase"][:].tolist() and file["ranks/steps"][0] > 0


@pytest.mark.parametrize("ranks", [3, None], ids=["3 ranks", "alone"])
def test_the_certificate_holds_the_engines_own_records_beside_the_ledger(study, ranks):
    result = mpirun(ranks, "run", study.file) if ranks else hiple("run", study.file)
    assert result.returncode == 0, result.stderr
    green = certificate(study.directory)
    assert green["verdict"] == "synchronisation-free" and len(green["per_rank"]) == (ranks or 1)
    assert [engine["engine"] for engine in green["engines"]] == ["alpha", "beta", "gamma"] and green["engines_missing"] == []
    for engine in green["engines"]:
        with h5py.File(study.directory / "judgments" / f"{engine['engine']}.h5") as file:
            assert engine["steps"] == int(file.attrs["steps"])
        assert engine["isolation"] == "process" and engine["mapped"] == [] and engine["internet"].startswith("refused")
    assert "3 engines in processes of their own, without MPI and without a socket" in green["reason"]


def test_engines_that_were_trained_one_by_one_have_a_certificate(study):
    for name in ("alpha", "beta"):
        assert hiple("train", study.file, "--engine", name).returncode == 0
    partial = hiple("integrate", study.file)
    assert partial.returncode == 3
    assert certificate(study.directory)["verdict"] == "incomplete"
    assert certificate(study.directory)["reason"] == "no record of the process that trained gamma"

    assert hiple("train", study.file, "--engine", "gamma").returncode == 0
    whole = hiple("integrate", study.file)
    assert whole.returncode == 0, whole.stderr
    green = certificate(study.directory)
    assert green["verdict"] == "synchronisation-free" and green["ranks"] == 0 and green["per_rank"] == [] and "apart" not in green
    assert green["steps"] == sum(engine["steps"] for engine in green["engines"]) > 0
    assert "nothing could be exchanged" in green["reason"]
    for text in (whole.stdout, (study.directory / "summary.txt").read_text()):
        assert "certificate: synchronisation-free\n" in text and "certificate.json" in text


def test_engines_that_could_have_spoken_are_not_certified(study):
    study.file.write_text(study.file.read_text() + "isolation: rank\n")
    assert mpirun(3, "run", study.file).returncode == 0
    assert certificate(study.directory)["verdict"] == "synchronisation-free", "the ranks' ledgers say so"
    assert hiple("integrate", study.file).returncode == 0
    red = certificate(study.directory)
    assert red["verdict"] == "incomplete" and "had libmpi" in red["reason"]
    # One by one, but not walled in: no MPI, and yet a socket could have been opened.
    study.file.write_text(study.file.read_text().replace(f"output: {study.directory}", f"output: {study.root / 'other'}"))
    for name in ("alpha", "beta", "gamma"):
        assert hiple("train", study.file, "--engine", name).returncode == 0
    assert hiple("integrate", study.file).returncode == 0
    open_ = certificate(study.root / "other")
    assert open_["verdict"] == "incomplete" and "could open a socket to the network" in open_["reason"]


def test_what_was_not_trained_now_is_not_certified(study):
    assert mpirun(3, "run", study.file).returncode == 0
    again = mpirun(3, "run", study.file)
    assert again.returncode == 0
    assert certificate(study.directory)["verdict"] == "incomplete"
    assert "certificate: incomplete\n  no training step was taken\n" in again.stdout


def test_the_trace_of_a_run(study):
    assert mpirun(3, "run", study.file).returncode == 0
    trace = json.loads((study.directory / "trace.json").read_text())
    slices = [event for event in trace["traceEvents"] if event["ph"] == "X"]
    processes = {event["pid"]: event["args"]["name"] for event in trace["traceEvents"] if event["name"] == "process_name"}
    assert sorted(processes) == [0, 1, 2] and processes[2].startswith("rank 2 on ")
    assert all(event["dur"] >= 0 and event["ts"] >= 0 for event in slices)
    training = {(event["name"], event["pid"]) for event in slices if event["cat"] == "phase" and event["name"].startswith("train ")}
    assert {name for name, _ in training} == {"train alpha", "train beta", "train gamma"}
    assert {rank for _, rank in training} == {0, 1}
    # No MPI call of a rank overlaps its training, on its own clock.
    for rank in (0, 1):
        spans = [(e["ts"], e["ts"] + e["dur"]) for e in slices if e["pid"] == rank and e["name"].startswith("train ")]
        calls = [(e["ts"], e["ts"] + e["dur"]) for e in slices if e["pid"] == rank and e["cat"] == "mpi"]
        assert calls and not [c for c in calls for s in spans if c[0] < s[1] and s[0] < c[1]]
    with h5py.File(study.directory / "ledger.h5") as file:
        assert len(file["timeline/start"]) == len(slices)


@pytest.mark.parametrize("ranks", [1, 2])
def test_a_run_without_a_trainer_of_its_own_has_a_ledger_too(study, ranks):
    assert mpirun(ranks, "run", study.file).returncode == 0
    with h5py.File(study.directory / "ledger.h5") as file:
        assert file["ranks/rank"][:].tolist() == list(range(ranks))
        assert all(seconds >= 0 for seconds in file["phases/seconds"][:])
