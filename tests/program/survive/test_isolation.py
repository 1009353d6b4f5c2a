"""Each engine in a process of its own: the same bits, and walls that hold."""

import os
import signal
import time

import pytest
from conftest import PATIENCE, busy_seconds, mpirun, start, status, wait_for
from support import (alone, assert_same_results, attempts, begin, engine_processes, prepare, processes, ranks, result_of, spawners_of,
                     undisturbed)

SLOW = ("--inject", "engine=beta,step=1,kind=slow:100000")


@pytest.mark.parametrize("isolation", ["process", "rank"])
@pytest.mark.parametrize("run", [alone, ranks(2), ranks(4)], ids=["alone", "2 ranks", "4 ranks"])
def test_the_same_bits(study, run, isolation):
    other = {"process": "rank", "rank": "process"}[isolation]
    prepare(study, f"isolation: {other}")
    reference = undisturbed(study)
    study.replace("run.yaml", f"isolation: {other}", f"isolation: {isolation}")
    result = run("run", study.file)
    assert result.returncode == 0, result.stderr
    assert status(study.directory)["root"] == status(reference)["root"]
    assert_same_results(study.directory, reference)
    assert result_of(study.directory, "beta")["isolation"]["kind"] == isolation


def test_the_process_of_an_engine_maps_no_mpi_and_opens_no_socket(study):
    assert mpirun(3, "run", study.file).returncode == 0
    for engine in ("alpha", "beta", "gamma"):
        record = result_of(study.directory, engine)["isolation"]
        assert record == {"kind": "process", "attempt": 1, "mapped": [], "internet": "refused (Permission denied)"}
    # The record would tell: a rank that trains by itself has MPI mapped, and may open a socket.
    study.file.write_text(study.file.read_text() + "isolation: rank\n")
    assert mpirun(3, "run", study.file, "--fresh").returncode == 0
    record = result_of(study.directory, "beta")["isolation"]
    assert record["kind"] == "rank" and record["internet"] == "opened"
    assert any(name.startswith("libmpi") for name in record["mapped"])


def test_a_process_that_trains_seen_from_outside(study):
    prepare(study)
    run = start(3, "run", study.file, *SLOW)
    try:
        process = wait_for(lambda: [p for p, engine in engine_processes(study.directory).items() if engine == "beta"])[0]
        maps = open(f"/proc/{process}/maps").read()
        assert "libhdf5" in maps and "libmpi" not in maps and "libnccl" not in maps
        variables = open(f"/proc/{process}/environ").read()
        assert not [name for name in variables.split("\0") if name.startswith(("OMPI_", "PMIX_", "PMI_"))]
        assert "Seccomp:\t2" in open(f"/proc/{process}/status").read()
    finally:
        run.terminate()
        run.communicate(timeout=PATIENCE)
    wait_for(lambda: not engine_processes(study.directory))


def test_an_engine_dies_with_its_rank(study):
    prepare(study)
    run = start(2, "run", study.file, *SLOW, options=("--enable-recovery",))
    trainer = wait_for(lambda: [p for p, engine in engine_processes(study.directory).items() if engine == "beta"])[0]
    parents = {process: parent for process, parent, _ in processes()}
    rank = parents[parents[trainer]]
    os.kill(rank, signal.SIGKILL)
    wait_for(lambda: trainer not in engine_processes(study.directory), seconds=5)
    wait_for(lambda: (study.directory / "STATUS").exists())
    run.communicate(timeout=PATIENCE)
    assert "is gone" in str(status(study.directory)["missing"])


@pytest.mark.parametrize("count", [None, 2], ids=["alone", "2 ranks"])
def test_a_lost_spawner_is_replaced(study, count):
    prepare(study)
    reference = undisturbed(study)
    words = ["run", str(study.file), "--inject", "engine=beta,step=6,kind=slow:100000,attempt=1"]
    if count:
        run = start(count, *words)
    else:
        run = begin(*words)
    wait_for(lambda: (study.directory / "engines" / "beta" / "checkpoint.h5").exists())
    spawner = wait_for(lambda: spawners_of(study.directory))
    for process in spawner:
        os.kill(process, signal.SIGKILL)
    text, _ = run.communicate(timeout=PATIENCE)
    assert run.returncode == 0, text
    assert "the spawner was lost" in text
    assert_same_results(study.directory, reference)
    assert len(attempts(study.directory, "beta")) == 2


def test_a_rank_that_watches_or_waits_is_idle(study):
    prepare(study)
    run = start(3, "run", study.file, *SLOW)
    try:
        wait_for(lambda: "beta" in engine_processes(study.directory).values())
        wait_for(lambda: (study.directory / "judgments" / "gamma.h5").exists())
        time.sleep(1)
        idle = [process for process, _, words in processes() if words[0].endswith("/hiple-run") and str(study.file) in words]
        assert len(idle) == 3  # one watches, one waits for the end, one for files
        idle += spawners_of(study.directory)
        before, begin = {process: busy_seconds(process) for process in idle}, time.monotonic()
        time.sleep(4)
        shares = {process: (busy_seconds(process) - before[process]) / (time.monotonic() - begin) for process in idle}
        assert max(shares.values()) < 0.05, shares
    finally:
        run.terminate()
        run.communicate(timeout=PATIENCE)
