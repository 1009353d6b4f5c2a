"""A rank that is not seen to end, only heard no more: the integrator does not wait for it until the deadline."""

import os
import signal
import time

import pytest
from conftest import PATIENCE, mpirun, start, status, wait_for
from support import engine_processes, missing, prepare, processes

SLOW = ("--inject", "engine=beta,step=3,kind=slow:20000")


@pytest.fixture
def silent(study):
    """A run of four ranks that waits for beta, with a long deadline and a short limit of silence; and the rank that trains beta."""
    prepare(study, epochs=200)
    study.replace("run.yaml", "deadline: 1h", "deadline: 1d, lost_after: 3s")
    run = start(4, "run", study.file, *SLOW, options=("--enable-recovery",))
    trainer = wait_for(lambda: [p for p, engine in engine_processes(study.directory).items() if engine == "beta"])[0]
    wait_for(lambda: len(list(study.directory.glob("judgments/*.h5"))) == 2)
    parents = {process: parent for process, parent, _ in processes()}
    yield run, parents[parents[trainer]]
    if run.poll() is None:
        run.terminate()
    run.communicate(timeout=PATIENCE)


def test_a_rank_that_falls_silent_is_lost_long_before_the_deadline(study, silent):
    run, rank = silent
    os.kill(rank, signal.SIGSTOP)
    wait_for((study.directory / "STATUS").exists)
    os.kill(rank, signal.SIGCONT)
    run.communicate(timeout=PATIENCE)
    record = status(study.directory)
    assert record["state"] == "partial" and missing(study.directory) == ["beta"]
    reason = record["missing"][0]["reason"]
    assert reason.startswith("lost: rank ") and f"on host {os.uname().nodename} gave no sign of life for 3 s (integrate.lost_after)" in reason


def test_ranks_that_go_on_are_not_lost(study, silent):
    run, _ = silent
    time.sleep(8)
    assert run.poll() is None and not (study.directory / "STATUS").exists()
    names = sorted(path.name for path in (study.directory / "heartbeats").iterdir())
    assert names == ["0", "1", "2", "3"]


def test_a_job_that_is_told_to_save_does_not_lose_those_that_have_nothing_to_save(study, silent):
    run, _ = silent
    ranks = [process for process, _, words in processes() if words[0].endswith("/hiple-run") and str(study.file) in words]
    assert len(ranks) == 4
    for rank in ranks:
        os.kill(rank, signal.SIGUSR1)
    wait_for((study.directory / "engines" / "beta" / "checkpoint.h5").exists)
    assert run.poll() is None and len([p for p, _, words in processes() if p in ranks]) == 4


def test_nothing_is_left_of_a_run_that_ends_well(study):
    assert mpirun(3, "run", study.file).returncode == 0
    assert not list((study.directory / "heartbeats").iterdir())


def test_a_limit_that_is_none(study):
    study.replace("run.yaml", "deadline: 1h", "deadline: 1h, lost_after: 0s")
    result = mpirun(3, "run", study.file)
    assert result.returncode == 2 and "lost_after" in result.stderr
