"""A run that was ended goes on, bit by bit, whoever ended it and wherever it goes on."""

import json
import signal
import time

import h5py
import pytest
from conftest import PATIENCE, hiple, mpirun, start, status, wait_for
from support import (alone, assert_same_results, attempts, begin, engine_processes, failure, missing, prepare, ranks, undisturbed)

SLOW = ("--inject", "engine=beta,step=6,kind=slow:3000")


def step_of(path):
    with h5py.File(path) as file:
        return int(file.attrs["step"])


def begun(study, step=4):
    """Whether the checkpoint of a step is there."""
    path = study.directory / "engines" / "beta" / "checkpoint.h5"
    return path.exists() and step_of(path) >= step


@pytest.mark.parametrize("isolation", ["process", "rank"])
def test_sigterm_makes_a_checkpoint_and_ends(study, isolation):
    prepare(study, f"isolation: {isolation}", epochs=6)
    reference = undisturbed(study)
    words = ("train", study.file, "--engine", "beta")
    process = begin(*words, *SLOW)
    wait_for(lambda: begun(study))
    time.sleep(0.3)
    process.terminate()
    text, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == -signal.SIGTERM, text
    assert not (study.directory / "engines" / "beta" / "FAILED").exists()
    assert step_of(study.directory / "engines" / "beta" / "checkpoint.h5") >= 6
    assert not engine_processes(study.directory)
    assert hiple(*words).returncode == 0
    assert_same_results(study.directory, reference, ("beta",))


def test_sigusr1_makes_a_checkpoint_and_goes_on(study):
    prepare(study, epochs=6)
    study.replace("run.yaml", "checkpoint_every: 1}", "checkpoint_every: 100}")
    reference = undisturbed(study)
    process = begin("train", study.file, "--engine", "beta", *SLOW)
    wait_for(lambda: engine_processes(study.directory))
    wait_for(lambda: (study.directory / "engines" / "beta" / "identity").exists())
    time.sleep(0.5)
    process.send_signal(signal.SIGUSR1)
    wait_for(lambda: begun(study, step=1))
    first = step_of(study.directory / "engines" / "beta" / "checkpoint.h5")
    assert first < 24
    text, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, text
    assert_same_results(study.directory, reference, ("beta",))


@pytest.mark.parametrize("again", [alone, ranks(2), ranks(4)], ids=["alone", "2 ranks", "4 ranks"])
def test_a_job_that_is_ended_goes_on_with_another_number_of_ranks(study, again):
    prepare(study, epochs=6)
    reference = undisturbed(study)
    run = start(3, "run", study.file, *SLOW)
    wait_for(lambda: begun(study))
    run.terminate()
    run.communicate(timeout=PATIENCE)
    wait_for(lambda: not engine_processes(study.directory))
    assert not (study.directory / "STATUS").exists()
    result = again("run", study.file)
    assert result.returncode == 0, result.stderr
    assert status(study.directory)["root"] == status(reference)["root"]
    assert_same_results(study.directory, reference)
    assert max(attempts(study.directory, "beta")) >= 2


@pytest.mark.parametrize("by", ["time_limit", "SLURM_JOB_END_TIME"])
def test_engines_stop_before_the_time_is_over(study, by):
    prepare(study, *(["time_limit: 3s"] if by == "time_limit" else []), epochs=6)
    more = {by: str(int(time.time()) + 4)} if by.startswith("SLURM") else {}
    result = hiple("run", study.file, "--inject", "engine=beta,step=6,kind=slow:30000", **more)
    assert result.returncode == 3, result.stderr
    assert "beta" in missing(study.directory)  # and what would have come after it
    assert failure(study.directory, "beta")["reason"].startswith("stopped, to go on from its checkpoint: the time limit is near")
    # The longest engine comes first. What would have come after beta was not begun, only to be stopped.
    assert failure(study.directory, "alpha")["reason"] == "not begun: the time limit is near"
    assert not (study.directory / "engines" / "alpha" / "attempts.jsonl").exists()
    assert step_of(study.directory / "engines" / "beta" / "checkpoint.h5") >= 6
    if not more:
        study.replace("run.yaml", "time_limit: 3s", "time_limit: 1d")
    reference = undisturbed(study)
    assert hiple("run", study.file).returncode == 0
    assert status(study.directory)["root"] == status(reference)["root"]
    assert_same_results(study.directory, reference)


@pytest.mark.parametrize("damage", ["cut", "flip"])
def test_a_damaged_checkpoint_falls_back_and_says_so(study, damage):
    prepare(study, epochs=6)
    reference = undisturbed(study)
    assert hiple("run", study.file, "--inject", "engine=beta,step=14,kind=nan").returncode == 3
    path = study.directory / "engines" / "beta" / "checkpoint.h5"
    assert step_of(path) == 12 and step_of(path.with_name("checkpoint.previous.h5")) == 8
    bytes_of = bytearray(path.read_bytes())
    if damage == "cut":
        del bytes_of[len(bytes_of) // 2:]
    else:
        bytes_of[len(bytes_of) // 2] ^= 1
    path.write_bytes(bytes_of)
    result = hiple("run", study.file)
    assert result.returncode == 0, result.stderr
    assert "going on from the checkpoint before, of epoch 2, step 8" in result.stderr
    assert_same_results(study.directory, reference)


@pytest.mark.parametrize("run", [alone, lambda *words: mpirun(2, *words)], ids=["alone", "2 ranks"])
def test_other_data_are_refused_by_name(study, run):
    assert hiple("run", study.file).returncode == 0
    kept = status(study.directory)
    table = study.root / "cases.csv"
    lines = table.read_text().splitlines()
    cells = lines[1].split(",")
    cells[2] = "0.1234"  # column b, which alpha does not read
    table.write_text("\n".join([lines[0], ",".join(cells), *lines[2:]]) + "\n")
    result = run("run", study.file)
    assert result.returncode == 2, result.stderr
    assert "engine beta was begun with other data" in result.stderr and "changed: column b (" in result.stderr
    assert "engine alpha" not in result.stderr
    assert status(study.directory) == kept
    single = hiple("train", study.file, "--engine", "gamma")
    assert single.returncode == 2 and "changed: column b" in single.stderr
    assert run("run", study.file, "--fresh").returncode == 0


def test_the_quorum_decides_and_the_late_engine_joins(study):
    prepare(study, epochs=6)
    study.replace("run.yaml", "quorum: all", "quorum: 2")
    reference = undisturbed(study)
    result = mpirun(4, "run", study.file, "--inject", "engine=beta,step=6,kind=slow:100000")
    assert result.returncode == 3, result.stderr
    assert "the quorum of 2 was there" in status(study.directory)["missing"][0]["reason"]
    assert "the run was decided without it" in failure(study.directory, "beta")["reason"]
    assert hiple("train", study.file, "--engine", "beta").returncode == 0
    assert hiple("integrate", study.file).returncode == 0
    assert status(study.directory)["state"] == "complete"
    assert status(study.directory)["root"] == status(reference)["root"]
    assert_same_results(study.directory, reference)


def test_what_is_gone_on_with_stands_in_the_log(study):
    prepare(study)
    assert hiple("run", study.file, "--inject", "engine=beta,step=10,kind=kill,attempt=1").returncode == 0
    lines = (study.directory / "engines" / "beta" / "log.txt").read_text().splitlines()
    assert sum("attempt 1 (process" in line and "): begins: host" in line for line in lines) == 1
    assert sum("attempt 2 (process" in line and "): begins: host" in line for line in lines) == 1
    assert sum("starting it again" in line for line in lines) == 1
    assert json.loads((study.directory / "engines" / "beta" / "attempts.jsonl").read_text().splitlines()[0])["process"] > 0
