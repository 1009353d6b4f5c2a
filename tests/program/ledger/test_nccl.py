"""NCCL's calls in the ledger, and what a planted one does to a certificate. A library with NCCL's name stands in for it."""

import json
import os
import subprocess

import h5py
import pytest
from conftest import BIN, PATIENCE, environment
from test_preload import LIBRARY, rows, run

NCCL = os.environ["HIPLE_FAKE_NCCL"]


@pytest.mark.parametrize("ranks", [2, 4])
def test_a_program_that_speaks_by_nccl_leaves_its_calls(tmp_path, ranks):
    result = run(ranks, tmp_path, program=BIN / "little_nccl")
    assert result.returncode == 0, result.stderr
    for rank in range(ranks):
        found = rows(tmp_path / f"{rank}.h5")
        figures = lambda name: tuple(found[name, "nccl 1"][key] for key in ("calls", "bytes_sent", "bytes_received", "communicator_size"))
        assert figures("ncclAllReduce") == (3, 3 * 40, 3 * 40, ranks)
        assert figures("ncclReduceScatter") == (1, 10 * ranks, 10, ranks)
        assert figures("ncclAllGather") == (1, 48, 48 * ranks, ranks)
        assert figures("ncclBroadcast")[:3] == ((1, 28, 0) if rank == 1 else (1, 0, 28))
        assert figures("ncclReduce")[:3] == ((1, 32, 32) if rank == 0 else (1, 32, 0))
        assert figures("ncclSend")[:3] == (1, 36, 0) and figures("ncclRecv")[:3] == (1, 0, 36)
        for name in ("ncclCommInitRank", "ncclGroupStart", "ncclGroupEnd", "ncclGetUniqueId"):
            assert found[name, ""]["calls"] == 1
        assert found["ncclCommInitRank", ""]["wait_seconds"] > 0 and found["ncclAllReduce", "nccl 1"]["wait_seconds"] == 0
        assert found["ncclAllReduce", "nccl 1"]["phase"] == "program"
        with h5py.File(tmp_path / f"{rank}.h5") as file:
            assert b"NCCL" in file["libraries/kind"][:].tolist()


def planted(study, *words):
    ledger = study.root / "ledger.h5"
    result = subprocess.run([BIN / "ledger_planted", study.file, ledger, *words], capture_output=True, text=True, timeout=PATIENCE, env=environment())
    assert result.returncode == 0, result.stderr
    return json.loads((study.directory / "certificate.json").read_text())


def test_a_planted_call_of_nccl_turns_the_certificate_red(study):
    red = planted(study, "--nccl", NCCL)
    steps = red["steps"]
    assert red["verdict"] == "synchronised" and steps > 4
    assert [(f["phase"], f["function"], f["communicator"], f["calls"], f["bytes"]) for f in red["found"]] == [
        ("train", "ncclAllReduce", "nccl 1", steps, 40 * steps)]
    assert "NCCL calls and" in red["reason"] and 'ncclAllReduce on "nccl 1" by rank 0' in red["reason"]
    # The same library, mapped and never asked: nobody stood between it and the program, as far as can be told.
    silent = planted(study, "--silent-nccl", NCCL)
    assert silent["verdict"] == "incomplete" and "NCCL is mapped" in silent["reason"]


@pytest.mark.parametrize("program", ["hiple-run", "hiple-scaling"])
def test_a_library_that_a_program_opens_finds_the_wrappers_first(program):
    listing = subprocess.run(["nm", "-D", "--defined-only", BIN / program], capture_output=True, text=True, check=True).stdout
    names = {line.split()[-1] for line in listing.splitlines()}
    for name in ("AllReduce", "ReduceScatter", "AllGather", "Broadcast", "Reduce", "Send", "Recv", "GroupStart", "GroupEnd", "CommInitRank",
                 "CommInitRankConfig", "CommInitAll", "CommSplit"):
        assert "nccl" + name in names


def test_the_library_to_preload_has_them_too():
    listing = subprocess.run(["nm", "-D", "--defined-only", LIBRARY], capture_output=True, text=True, check=True).stdout
    assert "ncclAllReduce" in listing
