"""Made-up hosts: what they carry, what they leave behind, and what happens where there can be none."""

import os
import signal
import subprocess
import time

import hosts
import pytest
import with_hosts as program
from conftest import BIN, PATIENCE, ROOT, environment

WITH_HOSTS = ROOT / "scaling/network/with_hosts.py"


def skip_where_impossible():
    reason = hosts.reason_against()
    if reason:
        pytest.skip(f"NO NETWORK NAMESPACES, nothing was tested: {reason}")


def with_hosts(*words, timeout=PATIENCE):
    return subprocess.run(["/usr/bin/python3", WITH_HOSTS, *map(str, words)], capture_output=True, text=True, timeout=timeout,
                          env=environment(), check=False)


def ours(owner):
    return [name for name, pid in hosts.namespaces() if pid == owner]


def interfaces():
    return sorted(os.listdir("/sys/class/net"))


@pytest.mark.parametrize("rate,bits", [("10mbit", 1e7), ("1gbit", 1e9), ("5kbit", 5e3)])
def test_rates(rate, bits):
    assert hosts.bits_per_second(rate) == bits


@pytest.mark.parametrize("rate", ["", "10", "0mbit", "10mb", "1.5gbit", "-1mbit"])
def test_what_is_no_rate_is_refused(rate):
    with pytest.raises(ValueError):
        hosts.bits_per_second(rate)


def test_wrong_options_are_refused():
    for words in (("--rate", "fast"), ("--hosts", 0)):
        assert with_hosts(*words, "--", "true").returncode == 2


def test_every_rank_is_on_a_host_of_its_own_and_nothing_is_left():
    skip_where_impossible()
    before = interfaces()
    done = with_hosts("--hosts", 3, "--rate", "1gbit", "--", "hostname")
    assert done.returncode == 0, done.stderr
    names = sorted(done.stdout.split())
    assert [name.rsplit("-", 1)[1] for name in names] == ["host1", "host2", "host3"]
    assert not set(names) & {name for name, _ in hosts.namespaces()}
    assert interfaces() == before
    assert done.stderr.count("packets sent") == 3


def test_the_interfaces_count_what_an_all_reduce_has_to_send():
    """Five repetitions of a call at least, and two before them, of one size of 1 MiB: 2(N-1)/N = 1 of it each."""
    skip_where_impossible()
    with hosts.Hosts(2) as made:
        before = made.counters()
        words = f"mpirun --host {made.names[0]}:1,{made.names[1]}:1 -n 2 --bind-to none {BIN}/hiple-scaling micro --only messages"
        done = subprocess.run(made.enter(0, f"exec {words} --largest 4 --repetitions 5 --seconds 1e-9"), env={**environment(), **made.environment()},
                              capture_output=True, text=True, timeout=PATIENCE, check=False)
        assert done.returncode == 0, done.stderr
        small = [b["bytes"] - a["bytes"] for a, b in zip(before, made.counters())]
        before = made.counters()
        words = words.replace(" micro", " measure --strategy ddp --network 128-896-896-16 --batch 8 --steps 4 --warmup 0").replace("--only messages", "")
        done = subprocess.run(made.enter(0, f"exec {words} --output {made.folder.name}/r.json"), env={**environment(), **made.environment()},
                              capture_output=True, text=True, timeout=PATIENCE, check=False)
        assert done.returncode == 0, done.stderr
        large = [b["bytes"] - a["bytes"] for a, b in zip(before, made.counters())]
    gradient = 4 * 933648
    assert all(count < 1e6 for count in small)
    # Four steps and a broadcast, which only the first host sends.
    assert 5 * gradient < large[0] < 5.5 * gradient and 4 * gradient < large[1] < 4.5 * gradient


def test_two_runs_do_not_meet():
    skip_where_impossible()
    runs = [subprocess.Popen(["/usr/bin/python3", WITH_HOSTS, "--hosts", "2", "--", "hostname"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             text=True, env=environment()) for _ in range(2)]
    outputs = [run.communicate(timeout=PATIENCE) for run in runs]
    assert [run.returncode for run in runs] == [0, 0], outputs
    assert len({name for output, _ in outputs for name in output.split()}) == 4


def test_a_limit_ends_everything():
    skip_where_impossible()
    done = with_hosts("--hosts", 2, "--limit", 2, "--", "sleep", 300)
    assert done.returncode == 124
    assert not [name for name, owner in hosts.namespaces() if owner not in (0, os.getpid()) and not os.path.exists(f"/proc/{owner}")]


def started():
    """A run whose ranks sleep, with its namespaces made."""
    run = subprocess.Popen(["/usr/bin/python3", WITH_HOSTS, "--hosts", "2", "--", "sleep", "300"], stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL, env=environment())
    for _ in range(600):
        first = [name for name in ours(run.pid) if name.endswith("host1")]
        if len(ours(run.pid)) == 3 and hosts.ip("netns", "pids", first[0]).strip():
            return run
        time.sleep(0.05)
    run.terminate()
    raise AssertionError("no namespaces after 30 s")


def test_a_signal_leaves_nothing_behind():
    skip_where_impossible()
    run = started()
    run.send_signal(signal.SIGTERM)
    assert run.wait(timeout=PATIENCE) == 1
    assert ours(run.pid) == []


def test_what_a_killed_run_left_is_removed_by_the_next():
    skip_where_impossible()
    run = started()
    run.kill()
    run.wait()
    assert len(ours(run.pid)) == 3
    with hosts.Hosts(1):
        assert ours(run.pid) == []
    assert ours(os.getpid()) == []


def test_without_root_it_says_so(monkeypatch, capsys):
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr("sys.argv", ["with_hosts.py", "--", "true"])
    assert program.main() == 77
    assert "SKIPPED" in capsys.readouterr().err and "root" in hosts.reason_against()


def test_without_the_tools_it_says_which(monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setenv("PATH", "/nowhere")
    assert "no program ip" in hosts.reason_against()
