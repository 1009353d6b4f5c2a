"""Engines side by side in one rank (--at-once): each is as alone, in its bits and in its failures."""

import json
import signal
import time

import h5py
import pytest
from conftest import PATIENCE, hiple, mpirun, status, wait_for
from support import (ENGINES, assert_same_results, attempts, begin, engine_processes, failure, missing, prepare, undisturbed)

# From its first step on an engine takes as long as the test looks at it.
STANDING = tuple(word for engine in ENGINES for word in ("--inject", f"engine={engine},step=6,kind=slow:3000"))


def began_at_once(directory):
    return {record["at_once"] for engine in ENGINES for lines in attempts(directory, engine).values() for record in lines if "begun" in record}


@pytest.mark.parametrize("places", [2, 3, 8])
def test_the_same_bits_alone(study, places):
    prepare(study)
    reference = undisturbed(study)
    result = hiple("run", study.file, "--at-once", places)
    assert result.returncode == 0, result.stderr
    assert status(study.directory)["root"] == status(reference)["root"]
    assert_same_results(study.directory, reference)
    assert began_at_once(study.directory) == {min(places, 3)} and began_at_once(reference) == {1}
    assert json.loads((study.directory / "certificate.json").read_text())["verdict"] == "synchronisation-free"


def test_the_same_bits_under_mpi(study):
    prepare(study)
    reference = undisturbed(study)
    result = mpirun(2, "run", study.file, "--at-once", 3)
    assert result.returncode == 0, result.stderr
    assert status(study.directory)["root"] == status(reference)["root"]
    assert_same_results(study.directory, reference)
    assert json.loads((study.directory / "certificate.json").read_text())["verdict"] == "synchronisation-free"


def test_as_many_as_asked_for_are_at_work(study):
    prepare(study)
    run = begin("run", study.file, "--at-once", 2, *STANDING)
    try:
        wait_for(lambda: len(engine_processes(study.directory)) == 2)
        both = set(engine_processes(study.directory).values())
        assert len(both) == 2
    finally:
        run.kill()
        run.communicate(timeout=PATIENCE)
    wait_for(lambda: not engine_processes(study.directory))


def test_each_failure_is_one_engine_s_own(study):
    """beta's loss is not finite and alpha crashes once, both beside gamma, which notices nothing."""
    prepare(study)
    reference = undisturbed(study)
    result = hiple("run", study.file, "--at-once", 3, "--inject", "engine=beta,step=6,kind=nan", "--inject",
                   "engine=alpha,step=6,kind=segv,attempt=1")
    assert result.returncode == 3, result.stderr
    assert missing(study.directory) == ["beta"]
    assert "loss is nan" in failure(study.directory, "beta")["reason"]
    assert list(attempts(study.directory, "alpha")) == [1, 2] and list(attempts(study.directory, "gamma")) == [1]
    assert_same_results(study.directory, reference, ("alpha", "gamma"))


def test_a_signal_reaches_all_of_them(study):
    """Each makes its checkpoint before the process ends; none is called failed, and all go on from there."""
    prepare(study, epochs=6)
    study.replace("run.yaml", "checkpoint_every: 1}", "checkpoint_every: 100}")
    reference = undisturbed(study)
    checkpoints = [study.directory / "engines" / engine / "checkpoint.h5" for engine in ENGINES]
    run = begin("run", study.file, "--at-once", 3, *STANDING)
    wait_for(lambda: all((study.directory / "engines" / engine / "identity").exists() for engine in ENGINES))
    run.send_signal(signal.SIGUSR1)
    wait_for(lambda: all(path.exists() for path in checkpoints))
    assert len(engine_processes(study.directory)) == 3
    run.terminate()
    text, _ = run.communicate(timeout=PATIENCE)
    assert run.returncode == -signal.SIGTERM, text
    assert not engine_processes(study.directory)
    for engine, path in zip(ENGINES, checkpoints):
        assert not (study.directory / "engines" / engine / "FAILED").exists()
        with h5py.File(path) as file:
            assert 0 < file.attrs["step"] < 24
    result = hiple("run", study.file, "--at-once", 2)
    assert result.returncode == 0, result.stderr
    assert status(study.directory)["root"] == status(reference)["root"]
    assert_same_results(study.directory, reference)


def test_seconds_of_a_rank_are_counted_once(study):
    """Three engines of a rank that all take long are not three times its time."""
    prepare(study)
    begin_time = time.monotonic()
    result = hiple("run", study.file, "--at-once", 3, *[word.replace("slow:3000", "slow:30") for word in STANDING])
    assert result.returncode == 0, result.stderr
    seconds = status(study.directory)["rank_seconds"]
    assert seconds["useful"] + seconds["repeated"] + seconds["lost"] <= time.monotonic() - begin_time, seconds


@pytest.mark.parametrize("number, told", [("0", "0 engines at once"), ("1025", "1025 engines at once"), ("-1", "-1"), ("two", "two")])
def test_a_number_that_is_none(study, number, told):
    result = hiple("run", study.file, f"--at-once={number}")
    assert result.returncode == 2 and told in result.stderr, result.stderr
    assert not study.directory.exists()


def test_engines_without_processes_of_their_own(study):
    prepare(study, "isolation: rank")
    result = hiple("run", study.file, "--at-once", 2)
    assert result.returncode == 2 and "isolation is rank" in result.stderr, result.stderr
    assert not study.directory.exists()
