"""No two processes write one engine at once: the kernel's lock on engines/E/WRITER, tried by force."""

import os
import pathlib
import signal
import time

import pytest
from conftest import PATIENCE, hiple, status, wait_for
from support import assert_same_results, begin, engine_processes, prepare, processes, undisturbed

SLOW = ("--inject", "engine=beta,step=6,kind=slow:1000")


@pytest.fixture
def stopped(study):
    """A writer of beta that stands still in the middle of its training, with its LOCK taken away: (its owner, itself)."""
    prepare(study, epochs=6)
    study.reference = undisturbed(study)
    owner = begin("train", study.file, "--engine", "beta", *SLOW)
    beta = study.directory / "engines" / "beta"
    wait_for((beta / "checkpoint.h5").exists)
    process = wait_for(lambda: list(engine_processes(study.directory)))[0]
    os.kill(process, signal.SIGSTOP)
    (beta / "LOCK").unlink()
    yield owner, process
    if owner.poll() is None:
        owner.kill()
    owner.communicate()


def log_of(study):
    return (study.directory / "engines" / "beta" / "log.txt").read_text()


def begins(study):
    return log_of(study).count("): begins: host")


def waiting_second(study, process):
    """A second writer, started by force: it waits, and says for whom."""
    second = begin("train", study.file, "--engine", "beta")
    wait_for(lambda: f"waits for process {process} on host" in log_of(study))
    time.sleep(1)
    assert begins(study) == 1 and second.poll() is None
    return second


def test_one_process_alone_holds_the_lock(study, stopped):
    _, process = stopped
    writer = os.stat(study.directory / "engines" / "beta" / "WRITER")
    holders = []
    for number, _, _ in processes():
        for descriptor in pathlib.Path(f"/proc/{number}/fd").iterdir():
            try:
                seen = os.stat(descriptor)
            except OSError:
                continue
            if (seen.st_dev, seen.st_ino) == (writer.st_dev, writer.st_ino):
                holders.append(number)
    assert holders == [process]
    lines = [line for line in pathlib.Path("/proc/locks").read_text().splitlines() if line.split()[5].endswith(f":{writer.st_ino}")]
    assert len(lines) == 1 and "OFDLCK" in lines[0] and "WRITE" in lines[0], lines


def test_a_second_writer_waits_until_the_first_is_gone(study, stopped):
    owner, process = stopped
    second = waiting_second(study, process)
    owner.kill()  # and the process that stands still goes with it
    text, _ = second.communicate(timeout=PATIENCE)
    assert second.returncode == 0, text
    assert begins(study) == 2
    assert_same_results(study.directory, study.reference, ("beta",))


def test_a_second_writer_waits_until_the_first_has_finished(study, stopped):
    owner, process = stopped
    second = waiting_second(study, process)
    os.kill(process, signal.SIGCONT)
    assert owner.wait(timeout=PATIENCE) == 0
    text, _ = second.communicate(timeout=PATIENCE)
    assert second.returncode == 0 and "finished before, kept" in text, text
    assert_same_results(study.directory, study.reference, ("beta",))


def test_a_second_writer_that_waits_can_be_ended(study, stopped):
    _, process = stopped
    second = waiting_second(study, process)
    second.terminate()
    text, _ = second.communicate(timeout=PATIENCE)
    assert second.returncode == -signal.SIGTERM, text
    assert begins(study) == 1


def test_a_writer_that_lost_its_file_publishes_nothing(study, stopped):
    owner, process = stopped
    beta = study.directory / "engines" / "beta"
    (beta / "WRITER").unlink()
    assert hiple("train", study.file, "--engine", "beta").returncode == 0
    published = {path.name: path.stat().st_mtime_ns for path in (*beta.glob("*.h5"), beta / "result.json")}
    os.kill(process, signal.SIGCONT)
    text, _ = owner.communicate(timeout=PATIENCE)
    assert owner.returncode == 1 and "WRITER: was removed or replaced" in text, text
    assert {path.name: path.stat().st_mtime_ns for path in (*beta.glob("*.h5"), beta / "result.json")} == published
    assert not (beta / "FAILED").exists() and not list(study.directory.rglob("*.tmp.*"))
    assert_same_results(study.directory, study.reference, ("beta",))
    assert hiple("run", study.file).returncode == 0
    assert status(study.directory)["root"] == status(study.reference)["root"]


def test_fresh_does_not_pull_the_files_away_from_a_writer(study, stopped):
    _, process = stopped
    result = hiple("run", study.file, "--fresh")
    assert result.returncode == 2 and f"engine beta is being written by process {process}" in result.stderr, result.stderr
    assert (study.directory / "engines" / "beta" / "checkpoint.h5").exists()


def test_a_file_system_without_locks_is_refused_unless_asked_for(study):
    without = {"LD_PRELOAD": os.environ["HIPLE_NO_FILE_LOCKS"]}
    result = hiple("train", study.file, "--engine", "beta", **without)
    assert result.returncode == 2 and "has no locks" in result.stderr and "file_locks: none" in result.stderr, result.stderr
    assert not (study.directory / "judgments" / "beta.h5").exists()
    study.file.write_text(study.file.read_text() + "file_locks: none\n")
    for again in range(2):
        result = hiple("run", study.file, *(["--fresh"] if again else []), **without)
        assert result.returncode == 0, result.stderr
    assert not list(study.directory.rglob("WRITER*"))
