"""Evidence is added whole or not at all, whatever ends the program; and by one at a time."""

import random
import resource
import signal
import subprocess
import time

import pytest

from conftest import BIN, environment, hiple, holder, wait_for
from evident import added, evidence, evident, listed, write
from launching import PATIENCE


@pytest.fixture
def study(study):
    return evident(study)


def many(study, name, source, count=20000):
    return write(study, name, *(f"{1 + i % 240},b,{i}.5,mm,{source},{1900 + i // 240}-01-31,0.9" for i in range(count)))


def adding(study, path):
    return subprocess.Popen([str(BIN / "hiple"), "evidence", "add", str(study.file), str(path)], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, env=environment())


def test_killed_at_random_moments_it_leaves_the_old_or_the_new(study):
    numbers = random.Random(3)
    added(study, write(study, "first.csv", "7,b,1.5,mm,first,2026-01-31,0.9"))
    file = many(study, "many.csv", "many")
    begin = time.monotonic()
    copy = study.root / "evidence.h5"
    before = copy.read_bytes()
    done = adding(study, file)
    assert done.wait(timeout=PATIENCE) == 0
    seconds = time.monotonic() - begin
    seen = {"old": 0, "new": 0}
    for _ in range(25):
        copy.write_bytes(before)
        process = adding(study, file)
        time.sleep(numbers.uniform(0, 1.1 * seconds))
        process.send_signal(signal.SIGKILL)
        process.wait(timeout=PATIENCE)
        records = listed(study)
        seen[{1: "old", 20001: "new"}[records["case_records"]]] += 1
        assert evidence("check", study)
    assert seen["old"] > 0, seen
    # Whoever comes next takes the lock of the dead, and leaves nothing of what they wrote behind.
    copy.write_bytes(before)
    assert added(study, file)["added"]["cases"] == 20000
    assert not list(study.root.glob("evidence.h5.tmp.*")) and not (study.root / "evidence.h5.LOCK").exists()


def test_a_full_disk_leaves_the_old(study):
    added(study, write(study, "first.csv", "7,b,1.5,mm,first,2026-01-31,0.9"))
    before = (study.root / "evidence.h5").read_bytes()
    file = many(study, "many.csv", "many")
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100000, 100000))
    done = hiple("evidence", "add", study.file, file, preexec_fn=limit)
    assert done.returncode == 1 and "evidence.h5" in done.stderr
    assert (study.root / "evidence.h5").read_bytes() == before
    assert sorted(path.name for path in study.root.glob("evidence.h5*")) == ["evidence.h5"]


def test_of_two_at_once_the_second_is_refused_with_the_holder(study):
    added(study, write(study, "first.csv", "7,b,1.5,mm,first,2026-01-31,0.9"))
    lock = study.root / "evidence.h5.LOCK"
    file = many(study, "many.csv", "many")
    first = adding(study, file)
    wait_for(lambda: holder(lock) == first.pid or first.poll() is not None)
    first.send_signal(signal.SIGSTOP)
    try:
        assert holder(lock) == first.pid, "it was done before it could be stopped"
        said = evidence("add", study, write(study, "second.csv", "9,b,1.5,mm,second,2026-01-31,0.9"), status=2)
        assert f"evidence.h5.LOCK: the evidence is in use by process {first.pid} on host" in said
        assert listed(study)["case_records"] == 1  # reading is nobody's concern
    finally:
        first.send_signal(signal.SIGCONT)
    assert first.wait(timeout=PATIENCE) == 0
    assert listed(study)["case_records"] == 20001 and not lock.exists()
