"""jobs/run.sh over three hosts and a real network path: made-up hosts, links of 100 Mbit/s, started from a
fourth. Root only."""

import json
import os
import pathlib
import shlex
import signal
import subprocess
import sys

import pytest
from conftest import BIN, PATIENCE, environment, hiple, holder, status, wait_for

SOURCE = pathlib.Path(os.environ["HIPLE_SOURCE_DIR"])
sys.path.insert(0, str(SOURCE / "scaling" / "network"))
from hosts import Hosts, reason_against  # noqa: E402

LEAST_BYTES = 2000  # of the launcher's and MPI's talk, that a host sends at least


@pytest.fixture
def hosts():
    reason = reason_against()
    if reason:
        pytest.skip("NO HOSTS: " + reason)
    with Hosts(4, "100mbit") as made:
        yield made


def start(hosts, *words):
    """run.sh on the first host, which starts four ranks on the three others, in their order."""
    places = ",".join(f"{name}:{count}" for name, count in zip(hosts.names[1:], (1, 2, 1)))
    command = "exec " + shlex.join([str(SOURCE / "jobs" / "run.sh"), "-n", "4", "-H", places, *map(str, words)])
    variables = {**environment(HIPLE_BIN_DIR=str(BIN)), **hosts.environment()}
    return subprocess.Popen(hosts.enter(0, command), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=variables)


def end(process):
    text, _ = process.communicate(timeout=PATIENCE)
    return process.returncode, text


def test_the_same_decisions_over_three_hosts(study, hosts):
    code, text = end(start(hosts, study.file))
    assert code == 0, text
    assert hiple("run", study.file, "--output", study.root / "alone").returncode == 0
    assert status(study.directory)["root"] == status(study.root / "alone")["root"]
    assert all(entry["bytes"] > LEAST_BYTES for entry in hosts.counters()), hosts.counters()


def test_a_host_that_dies_is_lost_long_before_the_deadline(study, hosts):
    """Its link is cut and its processes are gone at once, so that nobody is told. What tells is that its rank shows itself no more."""
    study.write_run(slow=("beta",), deadline="1d")
    study.replace("run.yaml", "deadline: 1d", "deadline: 1d, lost_after: 5s")
    process = start(hosts, study.file)
    lock = study.directory / "engines" / "beta" / "LOCK"
    wait_for(lambda: len(list(study.directory.glob("judgments/*.h5"))) == 2 and holder(lock))
    name = json.loads(lock.read_text())["host"]
    assert name == hosts.names[1]
    hosts.kill(name)
    wait_for((study.directory / "STATUS").exists)
    reason = status(study.directory)["missing"][0]["reason"]
    assert reason == f"lost: rank 0 on host {name} gave no sign of life for 5 s (integrate.lost_after)"
    code, text = end(process)
    assert code == 3, text


def test_a_rank_that_is_killed_on_another_host(study, hosts):
    """mpirun need not return then; run.sh does, with the decisions on the other engines."""
    study.write_run(slow=("beta",), deadline="15s")
    process = start(hosts, study.file)
    lock = study.directory / "engines" / "beta" / "LOCK"
    wait_for(lambda: len(list(study.directory.glob("judgments/*.h5"))) == 2 and holder(lock))
    assert json.loads(lock.read_text())["host"] == hosts.names[1]  # the longest engine is the first rank's
    os.kill(holder(lock), signal.SIGKILL)
    code, text = end(process)
    assert code == 3, text
    assert status(study.directory)["state"] == "partial"
    assert [entry["engine"] for entry in status(study.directory)["missing"]] == ["beta"]
