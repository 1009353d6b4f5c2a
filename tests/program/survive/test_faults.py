"""Faults of every kind, in one engine: it is tried again from its checkpoint, or named, and never in anybody else's way."""

import os
import signal

import pytest
from conftest import PATIENCE, hiple, mpirun, status, wait_for
from support import (alone, assert_same_results, attempts, begin, engine_processes, failure, memory_group, missing, prepare, ranks,
                     result_of, undisturbed)

LIMITS = ("step_limit: 5s",)
# What each kind looks like from outside.
TOLD = {
    "kill": "signal 9",
    "segv": "signal 11",
    "exit": "exit status 7",
    "throw": "injected",
    "stop": "stood still",
    "hang": "stood still",
    "enospc": "No space left",
    "oom": "not enough memory",
    "corrupt": "signal 9",
}
WAYS = {"alone": alone, "3 ranks": ranks(3)}


@pytest.mark.parametrize("kind, way", [(kind, "alone") for kind in TOLD] + [("segv", "3 ranks"), ("hang", "3 ranks")])
def test_once_is_made_good(study, kind, way):
    prepare(study, *LIMITS)
    reference = undisturbed(study)
    result = WAYS[way]("run", study.file, "--inject", f"engine=beta,step=10,kind={kind},attempt=1")
    assert result.returncode == 0, result.stdout + result.stderr
    assert status(study.directory)["root"] == status(reference)["root"]
    assert_same_results(study.directory, reference)
    found = attempts(study.directory, "beta")
    assert list(found) == [1, 2] and TOLD[kind] in found[1][1]["reason"], found
    # It went on from the checkpoint of step 8, or, where that was corrupt, from the one of step 4.
    assert found[2][1]["first_step"] == (4 if kind == "corrupt" else 8)
    assert result_of(study.directory, "beta")["isolation"]["attempt"] == 2
    assert f"{TOLD[kind]}" in result.stderr and "starting it again, 1 of 2" in result.stderr
    if kind == "corrupt":
        assert "going on from the checkpoint before" in (study.directory / "engines" / "beta" / "log.txt").read_text()
    assert len(attempts(study.directory, "alpha")) == len(attempts(study.directory, "gamma")) == 1


@pytest.mark.parametrize("count", [None, 3], ids=["alone", "3 ranks"])
def test_out_of_memory_as_the_kernel_does_it(study, count):
    """A cgroup as a scheduler makes it, with the ranks in it: the kernel chooses the engine, and its rank knows why it is gone."""
    prepare(study)
    reference = undisturbed(study)
    words = ["run", study.file, "--inject", "engine=beta,step=10,kind=oom,attempt=1"]
    with memory_group(1 << 29) as enter:
        if enter is None:
            pytest.skip("NO CGROUP: the kernel's own kill is not seen here, only RLIMIT_AS, by test_once_is_made_good")
        result = mpirun(count, *words, preexec_fn=enter) if count else hiple(*words, preexec_fn=enter)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "oom: by the kernel" in result.stderr
    found = attempts(study.directory, "beta")
    assert list(found) == [1, 2]
    told = "signal 9 (Killed): out of memory: the kernel ended a process of its cgroup, whose limit is 512 MiB"
    assert told in found[1][1]["reason"], found
    assert status(study.directory)["root"] == status(reference)["root"]
    assert_same_results(study.directory, reference)
    assert len(attempts(study.directory, "alpha")) == len(attempts(study.directory, "gamma")) == 1


def test_standing_still_while_nothing_is_trained_yet(study):
    """Stopped as soon as it is there, long before its first step: the limit is that of a step."""
    prepare(study, *LIMITS)
    run = begin("run", study.file)
    process = wait_for(lambda: [p for p, engine in engine_processes(study.directory).items() if engine == "beta"])[0]
    os.kill(process, signal.SIGSTOP)
    text, _ = run.communicate(timeout=PATIENCE)
    assert run.returncode == 0, text
    first = attempts(study.directory, "beta")[1][1]
    assert "it stood still for 5 s and was ended, after step 0" in first["reason"], first


@pytest.mark.parametrize("kind, way", [("kill", "3 ranks"), ("throw", "alone")])
def test_again_and_again_is_a_failure_of_that_engine_alone(study, kind, way):
    prepare(study, *LIMITS, "restarts: 1")
    reference = undisturbed(study)
    result = WAYS[way]("run", study.file, "--inject", f"engine=beta,step=10,kind={kind}")
    record = status(study.directory)
    assert record["state"] == "partial" and missing(study.directory) == ["beta"]
    if way == "alone":
        assert result.returncode == 3
    assert TOLD[kind] in record["missing"][0]["reason"] and "2 attempts" in record["missing"][0]["reason"]
    assert len(attempts(study.directory, "beta")) == 2
    assert_same_results(study.directory, reference, ("alpha", "gamma"))
    told = failure(study.directory, "beta")
    assert any("a fault is injected" in line for line in told["last_lines"])
    # It goes on from its checkpoint when the run is started again.
    assert hiple("run", study.file).returncode == 0
    assert_same_results(study.directory, reference)
    assert status(study.directory)["root"] == status(reference)["root"]


@pytest.mark.parametrize("count", [3])
def test_numbers_that_are_none_are_not_tried_again(study, count):
    prepare(study)
    result = ranks(count)("run", study.file, "--inject", "engine=beta,step=10,kind=nan")
    assert missing(study.directory) == ["beta"], result.stderr
    assert "loss is nan in epoch 3, step 11" in failure(study.directory, "beta")["reason"]
    assert len(attempts(study.directory, "beta")) == 1


def test_wrong_input_is_not_tried_again(study):
    prepare(study)
    study.replace("run.yaml", "b > -3 [mm]", "b > 1000 [mm]")
    assert hiple("run", study.file).returncode == 3
    assert len(attempts(study.directory, "gamma")) == 1


def test_a_slow_engine_is_no_failure(study):
    prepare(study, "step_limit: 20s")
    reference = undisturbed(study)
    result = hiple("run", study.file, "--inject", "engine=beta,step=2,kind=slow:20")
    assert result.returncode == 0
    assert len(attempts(study.directory, "beta")) == 1
    assert_same_results(study.directory, reference)


def test_where_the_seconds_went(study):
    prepare(study, *LIMITS)
    result = hiple("run", study.file, "--inject", "engine=beta,step=10,kind=hang,attempt=1")
    assert "4 attempts to train an engine, 1 failed" in result.stdout, result.stdout
    seconds = status(study.directory)["rank_seconds"]
    assert seconds["attempts"] == 4 and seconds["failed_attempts"] == 1
    assert 4.5 < seconds["lost"] < 60  # it hung for five seconds
    assert seconds["repeated"] > 0 and seconds["useful"] > 0


@pytest.mark.parametrize("fault, told", [
    ("engine=beta", "it needs engine, step and kind"),
    ("engine=beta,step=0,kind=kill", "step must be"),
    ("engine=beta,step=1,kind=explode", "no kind"),
    ("engine=beta,step=1,kind=slow", "slow has a factor"),
    ("engine=beta,step=1,kind=kill:2", "slow has a factor"),
    ("engine=beta,step=1,kind=kill,when=now", "no key"),
    ("engine=bета,step=1,kind=kill", "no engine"),
    ("engine=betta,step=1,kind=kill", 'did you mean "beta"'),
])
def test_a_fault_that_is_none(study, fault, told):
    for words in (("run", study.file), ("train", study.file, "--engine", "beta")):
        result = hiple(*words, "--inject", fault)
        assert result.returncode == 2 and told in result.stderr, result.stderr
        assert not study.directory.exists()
