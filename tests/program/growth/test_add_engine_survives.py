"""Whatever ends it, the directory shows the old run or the new one; it goes on where it was; and two at once are refused."""

import json
import random
import signal
import subprocess
import time

import h5py
import pytest

from conftest import BIN, PATIENCE, environment, hiple, holder, wait_for
from growing import copy_of, files_of, root_of, trained, works


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    return trained(tmp_path_factory.mktemp("study"))


@pytest.fixture
def study(finished, tmp_path):
    return copy_of(finished, tmp_path).grow()


def adding(study, *options):
    return subprocess.Popen([str(BIN / "hiple"), "add-engine", str(study.directory), "--run", str(study.wanted), *options],
                            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=environment())


def test_killed_at_random_moments_it_shows_the_old_or_the_new(study, finished, tmp_path_factory):
    numbers = random.Random(7)
    old, files = root_of(study.directory), files_of(study.directory, "alpha", "beta")
    spare = copy_of(finished, tmp_path_factory.mktemp("spare")).grow()
    begin = time.monotonic()
    spare.add()
    seconds, new = time.monotonic() - begin, root_of(spare.directory)
    assert new != old
    ended = 0
    for share in [0.1, *(numbers.uniform(0, 1.1) for _ in range(11))]:  # the first one in the middle, however fast the machine is now
        process = adding(study)
        time.sleep(share * seconds)
        process.send_signal(signal.SIGKILL)
        ended += process.wait(timeout=PATIENCE) == -signal.SIGKILL
        works(study.directory)
        assert files_of(study.directory, "alpha", "beta") == files
        if root_of(study.directory) != old:
            break
    assert ended > 0
    if root_of(study.directory) == old:
        study.add()
    assert root_of(study.directory) == new and root_of(study.directory / "versions/1") == old
    works(study.directory)
    works(study.directory / "versions/1")
    assert not (study.directory / "LOCK").exists() and not list((study.directory / "versions").rglob("*.tmp.*"))


def test_it_goes_on_from_the_checkpoint_and_nobody_else_meanwhile(study):
    study.grow(epochs=6)
    checkpoint = study.directory / "versions/next/engines/gamma/checkpoint.h5"

    def step():
        if not checkpoint.exists():
            return 0
        with h5py.File(checkpoint) as file:
            return int(file.attrs["step"])

    process = adding(study, "--inject", "engine=gamma,step=8,kind=hang")
    wait_for(lambda: step() >= 4)
    assert holder(study.directory / "LOCK") == process.pid
    for words in (["add-engine", study.directory, "--run", study.wanted], ["integrate", study.file]):
        other = hiple(*words)
        assert other.returncode == 2 and "LOCK" in other.stderr and str(process.pid) in other.stderr, other.stderr
    process.send_signal(signal.SIGKILL)
    process.wait(timeout=PATIENCE)
    works(study.directory)
    reached = step()
    told = json.loads(study.add("--json").stdout)
    attempts = [json.loads(line) for line in (study.directory / "engines/gamma/attempts.jsonl").read_text().splitlines()]
    result = json.loads((study.directory / "engines/gamma/result.json").read_text())
    assert told["version"] == 2 and max(a["attempt"] for a in attempts) == 2
    assert 4 <= reached < result["training"]["steps"]
    whole = hiple("run", study.wanted, "--output", study.root / "whole")
    assert whole.returncode == 0, whole.stderr
    assert root_of(study.root / "whole") == told["root"]
