"""hiple status --watch: a table that is drawn again in a terminal, lines elsewhere, and the end of the run as its own."""

import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import termios

import pytest
from conftest import BIN, PATIENCE, environment, hiple, wait_for


@pytest.fixture
def going_on(study):
    """A run that trains until it is stopped."""
    study.write_run(slow=("alpha", "beta", "gamma"))
    process = subprocess.Popen([str(BIN / "hiple"), "run", str(study.file)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                               env=environment())
    wait_for(lambda: list(study.directory.glob("engines/*/progress.jsonl")))
    yield process
    process.terminate()
    process.communicate(timeout=PATIENCE)


def test_lines_where_there_is_no_terminal(study, going_on):
    watch = subprocess.Popen([str(BIN / "hiple"), "status", "--watch", "--every", "0.1", str(study.directory)], stdout=subprocess.PIPE, text=True)
    seen = []
    while not any("training, epoch" in line for line in seen):
        seen.append(watch.stdout.readline())
        assert seen[-1], seen
    assert all(re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ \w+: (waiting|training)", line) for line in seen)
    assert "\x1b" not in "".join(seen)
    going_on.send_signal(signal.SIGTERM)
    rest, _ = watch.communicate(timeout=PATIENCE)
    assert watch.returncode == 0 and "was interrupted" in rest
    assert "the same command goes on from there" in going_on.communicate(timeout=PATIENCE)[1]


@pytest.mark.parametrize("columns", [20, 40, 120])
def test_a_table_that_fits_the_terminal(study, going_on, columns):
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    watch = subprocess.Popen([str(BIN / "hiple"), "status", "--watch", "--every", "0.1", str(study.directory)], stdout=follower,
                             env=environment(TERM="xterm"))
    text = ""
    while text.count("\x1b[J") < 3:
        text += os.read(leader, 4096).decode()
    watch.send_signal(signal.SIGINT)
    watch.wait(timeout=PATIENCE)
    os.close(follower)
    os.close(leader)
    tables = re.split(r"\x1b\[\d+A\x1b\[J", text)
    assert "training" in tables[1]
    assert all(len(line) <= columns for table in tables for line in table.splitlines())
    assert ("samples/s" in text) == (columns == 120)


def test_a_run_that_has_ended(study):
    assert hiple("run", study.file).returncode == 0
    watched, plain = hiple("status", "--watch", study.directory), hiple("status", study.directory)
    assert watched.returncode == plain.returncode == 0
    assert watched.stdout == plain.stdout


def test_wrong_words(study, tmp_path):
    refused = hiple("status", "--watch", tmp_path)  # a study, of which no run was started
    assert refused.returncode == 2 and "holds no run" in refused.stderr
    assert hiple("status", "--every", "1", tmp_path).returncode == 2
    assert hiple("status", "--watch", "--every", "0", tmp_path).returncode == 2
