"""jobs/run.sh: its options, and an exit status that tells of this run whatever the launcher says."""

import os
import pathlib
import signal
import subprocess
import time

import pytest
from conftest import BIN, PATIENCE, environment, hiple, holder, status, wait_for

SCRIPT = pathlib.Path(os.environ["HIPLE_SOURCE_DIR"]) / "jobs" / "run.sh"


def job(*words, **more):
    command = ["bash", str(SCRIPT), *map(str, words)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                            env=environment(HIPLE_BIN_DIR=str(BIN)), **more)


def end(process):
    text, _ = process.communicate(timeout=PATIENCE)
    return process.returncode, text


@pytest.mark.parametrize("words", [["-n", "x"], ["-n", "0"], ["-t", "5 parsecs"], ["-q"], []])
def test_wrong_options(study, words):
    assert end(job(*words, *([study.file] if words else [])))[0] == 2
    assert not study.directory.exists()


def test_a_folder_with_blanks_from_elsewhere(study):
    folder = study.root / "two words"
    folder.mkdir()
    code, text = end(job("-n", 2, study.file, "--output", "the run", cwd=folder))
    assert code == 0, text
    assert status(folder / "the run")["state"] == "complete"


def test_a_refused_run_does_not_borrow_the_status_of_an_earlier_one(study):
    assert hiple("run", study.file).returncode == 0
    study.write_run(epochs=5)
    code, text = end(job("-n", 2, study.file))
    assert code == 2 and "holds a different run" in text
    code, text = end(job("-n", 2, study.file, "--fresh"))
    assert code == 0, text


def test_a_launcher_that_cannot_start_is_no_partial_run(study, tmp_path):
    (tmp_path / "mpirun").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "mpirun").chmod(0o755)
    command = ["bash", str(SCRIPT), str(study.file)]
    variables = environment(HIPLE_BIN_DIR=str(BIN), PATH=f"{tmp_path}:{os.environ['PATH']}")
    for earlier in (False, True):
        if earlier:
            assert hiple("run", study.file).returncode == 0
        result = subprocess.run(command, capture_output=True, text=True, env=variables, timeout=PATIENCE)
        assert result.returncode == 1 and "did not start" in result.stderr, result.stderr


def test_a_lost_integrator_is_replaced(study):
    study.write_run(slow=("beta",))
    process = job("-t", "6s", study.file)
    wait_for(lambda: (study.directory / "judgments" / "alpha.h5").exists())
    os.kill(wait_for(lambda: holder(study.directory / "LOCK")), signal.SIGKILL)
    code, text = end(process)
    assert code == 3, text
    assert "the integrating rank was lost" in text
    assert [entry["engine"] for entry in status(study.directory)["missing"]] == ["beta"]


def test_an_interrupt_ends_every_rank(study):
    study.write_run(slow=("beta",))
    process = job(study.file)
    worker = wait_for(lambda: holder(study.directory / "engines" / "beta" / "LOCK"))
    time.sleep(0.5)
    process.terminate()
    code, text = end(process)
    assert code == 1 and "start it again" in text
    wait_for(lambda: not os.path.exists(f"/proc/{worker}"))
