"""A revision stands whole or not at all, whatever ends the program, and one is made at a time."""

import os
import pty
import signal
import subprocess

import pytest

from conftest import BIN, environment, hiple, holder, wait_for
from launching import PATIENCE
from revised import accepted, copy_of, inspections, proposals, replayed, revise, root_of, trained


@pytest.fixture(scope="module")
def origin(tmp_path_factory):
    study = trained(tmp_path_factory.mktemp("study"))
    proposals(study, "--evidence", inspections(study))
    return study


@pytest.fixture
def study(origin, tmp_path):
    return copy_of(origin, tmp_path / "copy")


@pytest.mark.parametrize("moment", ["law", "decisions", "record", "pointer"])
def test_killed_while_it_accepts_it_leaves_the_old_or_the_new(study, moment):
    old = root_of(study)
    best = proposals(study)[0]
    done = hiple("revise", study.directory, "--accept", best["id"], "--kill-after", moment)
    assert done.returncode == -signal.SIGKILL
    stands = replayed(study)
    assert (stands == old) == (moment != "pointer")
    assert hiple("explain", study.directory, "--case", 7).returncode == 0
    if moment != "pointer":
        assert stands == root_of(study)
        record = accepted(study, proposals(study)[0])  # whoever comes next takes the lock of the dead
        assert replayed(study) == record["root"] == root_of(study)
    assert not list(study.directory.glob("decisions.h5.tmp.*"))
    revise(study, "--undo", status=0)
    assert replayed(study) == old == root_of(study)


def at_a_terminal(study):
    ours, theirs = pty.openpty()
    process = subprocess.Popen([str(BIN / "hiple"), "revise", str(study.directory)], stdin=theirs, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, env=environment())
    os.close(theirs)
    return process, ours


def test_a_person_accepts_at_the_terminal_and_a_second_revision_is_refused(study):
    best = proposals(study)[0]
    lock = study.directory / "LOCK"
    process, terminal = at_a_terminal(study)
    try:
        wait_for(lambda: holder(lock) == process.pid or process.poll() is not None)
        said = revise(study, "--accept", best["id"], status=2)
        assert f"the run is in use by process {process.pid} on host" in said
        os.write(terminal, (best["id"] + "\n").encode())
        out, err = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
        os.close(terminal)
    assert process.returncode == 0, out + err
    assert "accept which one?" in out and "revision   1 of 0" in out
    assert replayed(study) == root_of(study) and not lock.exists()


def test_nothing_is_accepted_where_nothing_is_said(study):
    old = root_of(study)
    process, terminal = at_a_terminal(study)
    os.write(terminal, b"\n")
    process.communicate(timeout=PATIENCE)
    os.close(terminal)
    assert process.returncode == 1 and replayed(study) == old
