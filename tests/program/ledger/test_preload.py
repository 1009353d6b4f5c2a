"""libhiple-ledger.so under a C program that knows nothing of it: 2 and 4 ranks."""

import shutil
import subprocess

import h5py
import pytest
from conftest import BIN, PATIENCE, environment

LIBRARY = BIN.parent / "lib" / "libhiple-ledger.so"


def run(ranks, folder, *options, program=BIN / "little_mpi"):
    command = ["mpirun", "-n", str(ranks), "-x", f"LD_PRELOAD={LIBRARY}", *options, str(program)]
    more = {"HIPLE_LEDGER_DIR": str(folder)} if folder else {}
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, env=environment(**more))


def rows(path):
    """{(function, communicator): row} of one rank; the phases of a preloaded program say little."""
    with h5py.File(path) as file:
        calls = {name: [v.decode() if isinstance(v, bytes) else v for v in file["calls"][name][:].tolist()] for name in file["calls"]}
    found = {}
    for i, function in enumerate(calls["function"]):
        found[function, calls["communicator"][i]] = {name: column[i] for name, column in calls.items()}
    return found


@pytest.mark.parametrize("ranks", [2, 4])
def test_every_rank_leaves_its_ledger(tmp_path, ranks):
    folder = tmp_path / "new" / "ledgers"
    result = run(ranks, folder)
    assert result.returncode == 0, result.stderr
    assert sorted(path.name for path in folder.iterdir()) == [f"{rank}.h5" for rank in range(ranks)]
    for rank in range(ranks):
        found = rows(folder / f"{rank}.h5")
        figures = lambda function, communicator: tuple(
            found[function, communicator][name] for name in ("calls", "bytes_sent", "bytes_received", "communicator_size", "phase"))
        assert figures("MPI_Allreduce", "pair") == (1, 32, 32, 2, "program")
        # Nothing moves when a persistent request is made; each of three starts moves what was settled then.
        assert figures("MPI_Recv_init", "pair")[:3] == figures("MPI_Send_init", "pair")[:3] == (1, 0, 0)
        assert figures("MPI_Start", "pair")[:3] == (3, 0, 32 * 3)
        assert figures("MPI_Startall", "pair")[:3] == (3, 16 * 3, 0)
        assert figures("MPI_Waitall", "pair")[0] == 3 and figures("MPI_Waitall", "")[0] == 1
        assert figures("MPI_Isend", "world") == (2, 16, 0, ranks, "program")
        assert figures("MPI_Wait", "world")[0] == figures("MPI_Recv", "world")[0] == 1
        assert figures("MPI_Put", "world")[:3] == (1, 8, 0)
        assert figures("MPI_Win_fence", "world")[0] == 2 and figures("MPI_Win_free", "world")[0] == 1
        assert figures("MPI_Barrier", "communicator 1") == (1, 0, 0, ranks, "program")
        assert found["MPI_Init", ""]["phase"] == "init"
        assert found["MPI_Finalize", ""]["phase"] == "finalize" and found["MPI_Finalize", ""]["wait_seconds"] > 0
        # All the time in a call that waits is wait time, and none in one that does not.
        for (function, _), row in found.items():
            waits = function in ("MPI_Allreduce", "MPI_Waitall", "MPI_Wait", "MPI_Recv", "MPI_Barrier", "MPI_Win_fence")
            assert row["wait_seconds"] <= row["seconds"]
            if waits:
                assert row["wait_seconds"] == row["seconds"] > 0, function
            if function in ("MPI_Isend", "MPI_Start", "MPI_Comm_rank", "MPI_Put"):
                assert row["wait_seconds"] == 0, function


def test_the_time_line_of_a_preloaded_program(tmp_path):
    assert run(2, tmp_path).returncode == 0
    with h5py.File(tmp_path / "1.h5") as file:
        assert file.attrs["format"] == "hiple ledger" and file.attrs["version"] == 2
        names = [name.decode() for name in file["timeline/names"][:]]
        line = file["timeline"]
        events = [(names[n], names[d]) for n, d in zip(line["name"][:], line["detail"][:])]
        assert ("MPI_Allreduce", "pair") in events and ("program", "") in events
        assert (line["end"][:] >= line["start"][:]).all()
        assert file["ranks/clock_realtime"][0] > 1_700_000_000 * 10**9
        assert b"MPI" in file["libraries/kind"][:].tolist()
        assert file["ranks/events_dropped"][0] == 0


def test_a_short_time_line_says_what_it_left_out(tmp_path):
    assert run(2, tmp_path, "-x", "HIPLE_LEDGER_EVENTS=3").returncode == 0
    with h5py.File(tmp_path / "0.h5") as file:
        kept, calls = int((file["timeline/kind"][:] == 1).sum()), int(file["calls/calls"][:].sum())
        assert kept == 3
        assert file["ranks/events_dropped"][0] == calls - 3


def test_a_number_of_events_that_is_none_is_said(tmp_path):
    result = run(2, tmp_path, "-x", "HIPLE_LEDGER_EVENTS=many")
    assert result.returncode == 0 and "HIPLE_LEDGER_EVENTS=many is no whole number" in result.stderr
    with h5py.File(tmp_path / "0.h5") as file:
        assert file["ranks/events_dropped"][0] == 0


def test_without_a_folder_it_says_so_once_and_the_program_runs(tmp_path):
    result = run(2, None)
    assert result.returncode == 0
    assert result.stderr.count("HIPLE_LEDGER_DIR is not set") == 1


def test_a_folder_that_cannot_be_written_does_not_fail_the_program(tmp_path):
    (tmp_path / "file").write_text("")
    result = run(2, tmp_path / "file")
    assert result.returncode == 0
    assert "hiple ledger: rank 1: " in result.stderr


def test_the_program_sees_only_the_names_of_mpi():
    listing = subprocess.run(["nm", "-D", "--defined-only", LIBRARY], capture_output=True, text=True, check=True).stdout
    names = {line.split()[-1] for line in listing.splitlines()}
    assert len(names) > 300
    assert {name for name in names if not name.startswith(("MPI_", "nccl"))} == set()


FORTRAN = """\
program little
  include 'mpif.h'
  integer :: ierror
  real :: value
  call mpi_init(ierror)
  value = 1
  call mpi_allreduce(mpi_in_place, value, 1, mpi_real, mpi_sum, mpi_comm_world, ierror)
  call mpi_finalize(ierror)
end program
"""


C_WITH_FORTRAN = """\
#include <mpi.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Barrier(MPI_COMM_WORLD);
  return MPI_Finalize();
}
"""


def compiled(folder, wrapper, name, text):
    (folder / name).write_text(text)
    program = folder / name.replace(".", "_")
    subprocess.run([wrapper, "-o", program, folder / name, "-Wl,--no-as-needed", "-lmpi_mpifh"], check=True, capture_output=True,
                   env=environment())
    return program


def test_fortran_is_said_to_be_unseen(tmp_path):
    """Its calls reach MPI's core without passing the ledger: that is said aloud, and no certificate is green."""
    if not shutil.which("mpif90"):
        pytest.skip("NO FORTRAN: no mpif90 (Debian: gfortran, libopenmpi-dev)")
    result = run(2, tmp_path / "ledgers", program=compiled(tmp_path, "mpif90", "little.f90", FORTRAN))
    assert result.returncode == 0, result.stderr
    assert result.stderr.count("calls MPI from Fortran, past the ledger: there is none") == 1
    assert not (tmp_path / "ledgers").exists()


def test_fortran_beside_c_is_said_to_be_unseen(tmp_path):
    if not shutil.which("mpif90"):
        pytest.skip("NO FORTRAN: no mpif90 (Debian: gfortran, libopenmpi-dev)")
    result = run(2, tmp_path / "ledgers", program=compiled(tmp_path, "mpicc", "little.c", C_WITH_FORTRAN))
    assert result.returncode == 0, result.stderr
    assert result.stderr.count("calls from Fortran are not in these ledgers") == 1
    with h5py.File(tmp_path / "ledgers" / "0.h5") as file:
        assert b"MPI for Fortran" in file["libraries/kind"][:].tolist()
        assert b"MPI_Barrier" in file["calls/function"][:].tolist()
