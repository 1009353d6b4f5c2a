"""The ledger sees what it is there to see."""

import re
import subprocess

import h5py
import pytest
from conftest import BIN, environment, mpirun


def rows(path):
    """{(phase, function): (calls, bytes sent, bytes received)} of a ledger of one rank."""
    with h5py.File(path) as file:
        calls = file["calls"]
        names = zip((p.decode() for p in calls["phase"][:]), (f.decode() for f in calls["function"][:]))
        figures = zip(calls["calls"][:].tolist(), calls["bytes_sent"][:].tolist(), calls["bytes_received"][:].tolist())
        return dict(zip(names, figures))


def test_a_planted_all_reduce_is_reported(study):
    ledger = study.root / "ledger.h5"
    result = subprocess.run([BIN / "ledger_planted", study.file, ledger], capture_output=True, text=True, timeout=120,
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


@pytest.mark.parametrize("ranks", [1, 2])
def test_a_run_without_a_trainer_of_its_own_has_a_ledger_too(study, ranks):
    assert mpirun(ranks, "run", study.file).returncode == 0
    with h5py.File(study.directory / "ledger.h5") as file:
        assert file["ranks/rank"][:].tolist() == list(range(ranks))
        assert all(seconds >= 0 for seconds in file["phases/seconds"][:])
