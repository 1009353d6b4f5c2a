"""What `measure` refuses, and what its record says."""

import json
import struct

import pytest
from conftest import scaling
from scaling_case import Result

SMALL = ("--network", "8-12-3", "--batch", 24, "--steps", 6, "--warmup", 1)


def small(words):
    """The options above but for those that `words` have."""
    pairs = zip(SMALL[::2], SMALL[1::2])
    return [*words, *(word for pair in pairs if pair[0] not in words for word in pair)]


REFUSED = [
    (2, ("--strategy", "single"), "single on 2 ranks"),
    (3, ("--strategy", "ddp", "--batch", 100), "100 rows do not divide among 3 ranks"),
    (1, ("--strategy", "dpd"), 'did you mean "ddp"?'),
    (1, ("--strategy", "ddp", "--variant", "overlapp"), 'did you mean "overlap"?'),
    (1, ("--strategy", "single", "--network", "8-x-3"), '--network:1:3: "x" is no width'),
    (1, ("--strategy", "single", "--steps", 0), "--steps: 0 is out of range"),
    (2, ("--strategy", "ddp", "--straggler", "2:2"), "there is no rank 2"),
    (2, ("--strategy", "hiple", "--spread", "0.5"), "--spread"),
    (2, ("--strategy", "ddp", "--bucket", 100), "a bucket of 100 bytes is too small"),
    (1, ("--strategy", "ddp", "--seed", "-3"), 'hiple-scaling: --seed is "-3"'),
]


@pytest.mark.parametrize("ranks, words, message", REFUSED)
def test_a_refusal_comes_before_anything_is_started(tmp_path, ranks, words, message):
    output, counters = tmp_path / "record.json", tmp_path / "counters"
    done = scaling("measure", *small(words), "--output", output, "--counters", counters, ranks=ranks if ranks > 1 else 0)
    assert done.returncode == 2 and done.stderr.count(message) == 1, done.stderr
    assert not output.exists() and not counters.exists()
    checked = scaling("check", *small(words), "--ranks", ranks)
    assert checked.returncode == 2 and message in checked.stderr


def test_check_says_what_would_run():
    done = scaling("check", "--strategy", "ddp", *SMALL, "--ranks", 4)
    assert done.returncode == 0 and done.stdout == "ddp overlap on 4 ranks: 147 parameters, 6 rows a rank and step\n"


@pytest.mark.parametrize("ranks", [1, 2])
def test_a_record_of_ddp_on_1_and_2_ranks(tmp_path, ranks):
    record = Result(tmp_path, ranks, "--strategy", "ddp", *SMALL, "--jitter", "0.05").record
    assert (record["format"], record["version"]) == ("hiple scaling record", 1)
    assert (record["strategy"], record["variant"], record["ranks"], record["network"]) == ("ddp", "overlap", ranks, "8-12-3")
    assert (record["parameters"], record["gradient_bytes"]) == (8 * 12 + 12 + 12 * 3 + 3, 4 * (96 + 16 + 48 + 16))
    assert (record["global_batch"], record["batch_per_rank"], record["steps"], record["warmup"]) == (24, 24 // ranks, 6, 1)
    assert record["straggler"] is None and record["jitter"] == 0.05 and record["bucket_bytes"] == 25 << 20
    assert len(record["hosts"]) == len(record["binding"]) == len(record["per_rank"]) == ranks
    for number, rank in enumerate(record["per_rank"]):
        assert rank["rank"] == number and 0 <= rank["start"] < rank["end"]
        steps = list(zip(rank["step_seconds"], rank["compute_seconds"], rank["exposed_seconds"]))
        assert len(steps) == 6
        # A step is computing and communication, and a little that is neither.
        assert all(compute > 0 and exposed > 0 and compute + exposed <= step for step, compute, exposed in steps)
        assert sum(rank["step_seconds"]) <= (rank["end"] - rank["start"]) * (1 + 1e-9)
    assert record["step_seconds"] == [max(step) for step in zip(*(rank["step_seconds"] for rank in record["per_rank"]))]
    assert record["metadata"]["revision"] and record["metadata"]["started"].endswith("Z")
    assert record["metadata"]["mpi_settings"]["mpi_yield_when_idle"] == "1"
    assert any(name.startswith("libmpi.so") for name in record["libraries"])
    assert record["certificate"]["verdict"] == "synchronised" and record["certificate"]["steps"] == 6 * ranks


def test_more_ranks_than_cores_are_marked_on_5_ranks(tmp_path):
    result = Result(tmp_path, 5, "--strategy", "hiple", "--network", "8-12-3", "--batch", 20, "--steps", 2)
    crowded = result.record["cores"] < 5
    assert result.record["oversubscribed"] == crowded
    assert ("oversubscribed" in result.stderr) == crowded


def test_a_straggler_is_recorded_and_changes_no_engine_on_2_ranks(tmp_path):
    records = []
    for name, words in (("even", ()), ("slow", ("--straggler", "1:5", "--jitter", "0.2"))):
        folder = tmp_path / name
        folder.mkdir()
        records.append(Result(folder, 2, "--strategy", "hiple", *SMALL, *words).record)
    assert [record["straggler"] for record in records] == [None, {"rank": 1, "factor": 5.0}]
    assert records[0]["losses"] == records[1]["losses"]
    even, slow = ([engine["weights_sha256"] for engine in record["engines"]] for record in records)
    assert even == slow


@pytest.mark.parametrize("strategy", ["ddp", "hiple"])
def test_step_counters_on_2_ranks(tmp_path, strategy):
    counters = tmp_path / "counters"
    Result(tmp_path, 2, "--strategy", strategy, *SMALL, "--counters", counters)
    assert struct.unpack("=2Q", counters.read_bytes()) == (6, 6)


def test_a_trace_shows_the_sums_of_ddp_on_2_ranks(tmp_path):
    trace = tmp_path / "trace.json"
    Result(tmp_path, 2, "--strategy", "ddp", *SMALL, "--trace", trace)
    events = json.loads(trace.read_text())["traceEvents"]
    sums = [event for event in events if event["ph"] == "X" and event["name"] == "MPI_Iallreduce"]
    training = {event["pid"]: event for event in events if event["ph"] == "X" and event["name"] == "train"}
    assert {event["pid"] for event in sums} == set(training) == {0, 1}
    for rank, phase in training.items():
        inside = [event for event in sums if event["pid"] == rank and phase["ts"] <= event["ts"] <= phase["ts"] + phase["dur"]]
        assert len(inside) == 6, "one bucket a step"


def test_a_place_that_cannot_be_written_is_refused(tmp_path):
    done = scaling("measure", "--strategy", "single", *SMALL, "--output", tmp_path / "no" / "such" / "record.json")
    assert done.returncode == 2 and "there is no folder" in done.stderr
    done = scaling("measure", "--strategy", "single", *SMALL, "--output", tmp_path)
    assert done.returncode == 2 and "is a folder" in done.stderr
    assert list(tmp_path.iterdir()) == []
