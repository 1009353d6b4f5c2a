"""No synchronisation, shown beside an all-reduce: the certificate, a rank that is stopped, and a rank that is killed. Judged by
the ranks' step counters, never by a time."""

import os
import signal
import subprocess
import time
import uuid

import numpy
import pytest
from conftest import BIN, PATIENCE, environment
from scaling_case import Result

SHAPE = ("--network", "64-128-128-16", "--batch", 64, "--warmup", 0, "--seed", 3)
LONG = 1_000_000  # steps: more than any test here waits for
# A rank's loss is not the job's end (Open MPI, one host).
SURVIVE = ("--enable-recovery",)


class Job:
    """A measurement under mpirun that goes on in the background; whatever it becomes, it is gone at the end of the block."""

    def __init__(self, folder, strategy, ranks, steps, options=()):
        self.counters_file, self.record = folder / "counters", folder / "record.json"
        self.ranks, self.mark = ranks, uuid.uuid4().hex
        words = ["measure", "--strategy", strategy, *SHAPE, "--steps", steps, "--counters", self.counters_file, "--output", self.record]
        command = ["timeout", "--kill-after=5", "200", "mpirun", *options, "-n", ranks, BIN / "hiple-scaling", *words]
        self.process = subprocess.Popen([str(word) for word in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                        env=environment(HIPLE_TEST_MARK=self.mark))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        ranks = self.pids()
        for pid in ranks.values():
            self.send(pid, signal.SIGCONT)
        self.process.terminate()
        try:
            self.process.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        for pid in ranks.values():
            self.send(pid, signal.SIGKILL)

    @staticmethod
    def send(pid, what):
        try:
            os.kill(pid, what)
        except ProcessLookupError:
            pass

    def pids(self):
        """{rank: process} of those that are there."""
        found = {}
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{name}/environ", "rb") as file:
                    values = dict(entry.split(b"=", 1) for entry in file.read().split(b"\0") if b"=" in entry)
            except OSError:
                continue
            if values.get(b"HIPLE_TEST_MARK") == self.mark.encode() and b"OMPI_COMM_WORLD_RANK" in values:
                found[int(values[b"OMPI_COMM_WORLD_RANK"])] = int(name)
        return found

    def counters(self):
        try:
            read = numpy.fromfile(self.counters_file, dtype="<u8")
        except FileNotFoundError:
            return [0] * self.ranks
        return read.tolist() if len(read) == self.ranks else [0] * self.ranks

    def wait_for(self, condition, seconds=PATIENCE):
        """Until the counters are so; None where it does not come to it."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            counters = self.counters()
            if condition(counters):
                return counters
            time.sleep(0.02)
        return None

    def started(self):
        assert self.wait_for(lambda counters: min(counters) > 20), "no steps were taken"
        pids = self.pids()
        assert sorted(pids) == list(range(self.ranks))
        return pids


@pytest.mark.parametrize("ranks", [2, 4, 9])
def test_the_certificate_of_hiple_is_green(tmp_path, ranks):
    record = Result(tmp_path, ranks, "--strategy", "hiple", *SHAPE[:2], "--batch", 36 * ranks, "--steps", 30).record
    certificate = record["certificate"]
    assert certificate["verdict"] == "synchronisation-free", certificate["reason"]
    assert certificate["ranks"] == ranks and certificate["steps"] == 30 * ranks and certificate["missing"] == []
    assert all(share["training"]["calls"] == 0 and share["training"]["wait_seconds"] == 0 for share in certificate["per_rank"])
    # It was not blind: the barrier before the first step and what came after the last one were seen.
    assert all(share["outside"]["calls"] > 5 for share in certificate["per_rank"])
    assert record["train_calls"] == 0 and record["wait_seconds"] == 0


@pytest.mark.parametrize("ranks, variant, function", [(2, "overlap", "MPI_Iallreduce"), (4, "naive", "MPI_Allreduce")])
def test_the_certificate_of_ddp_is_red(tmp_path, ranks, variant, function):
    certificate = Result(tmp_path, ranks, "--strategy", "ddp", "--variant", variant, *SHAPE, "--steps", 30).record["certificate"]
    assert certificate["verdict"] == "synchronised"
    found = {(entry["rank"], entry["function"]): entry for entry in certificate["found"]}
    for rank in range(ranks):
        assert found[rank, function]["calls"] >= 30 and found[rank, function]["bytes"] > 0
        assert found[rank, function]["phase"] == "train"
    assert "while training" in certificate["reason"]


def stop_one(job, stopped):
    """Counters a second after a rank was stopped, and five seconds later. By then all that was under way is done."""
    pid = job.started()[stopped]
    os.kill(pid, signal.SIGSTOP)
    time.sleep(1)
    before = job.counters()
    time.sleep(5)
    after = job.counters()
    os.kill(pid, signal.SIGCONT)
    assert max(after) < LONG
    return before, after


@pytest.mark.parametrize("ranks", [2, 4])
def test_a_stopped_rank_stops_nobody_else_in_hiple(tmp_path, ranks):
    with Job(tmp_path, "hiple", ranks, LONG) as job:
        before, after = stop_one(job, 1)
        assert after[1] == before[1]
        assert all(after[rank] > before[rank] + 10 for rank in range(ranks) if rank != 1), (before, after)
        assert job.wait_for(lambda counters: counters[1] > after[1]), "it did not go on"


@pytest.mark.parametrize("ranks", [2, 4])
def test_a_stopped_rank_stops_everybody_in_ddp(tmp_path, ranks):
    with Job(tmp_path, "ddp", ranks, LONG) as job:
        before, after = stop_one(job, 1)
        assert after == before
        assert job.wait_for(lambda counters: all(now > then for now, then in zip(counters, after))), "they did not go on"


STEPS = 30_000  # some seconds


def kill_one(job, killed):
    os.kill(job.started()[killed], signal.SIGKILL)
    counters = job.counters()
    assert max(counters) < STEPS, "they were done before"


def test_a_killed_rank_costs_its_own_engine_only_in_hiple_on_4_ranks(tmp_path):
    with Job(tmp_path, "hiple", 4, STEPS, SURVIVE) as job:
        kill_one(job, 1)
        counters = job.wait_for(lambda counters: all(counters[rank] == STEPS for rank in (0, 2, 3)))
        assert counters, job.counters()
        assert counters[1] < STEPS
        # Without the lost rank's ledger there is no record, and no certificate.
        assert not job.record.exists()


def test_a_killed_rank_ends_everybodys_steps_in_ddp_on_4_ranks(tmp_path):
    with Job(tmp_path, "ddp", 4, STEPS, SURVIVE) as job:
        kill_one(job, 1)
        time.sleep(1)
        before = job.counters()
        time.sleep(5)
        assert job.counters() == before and max(before) < STEPS
        assert not job.record.exists()
