"""hiple-scaling micro: what a record holds, alone and on two ranks, and what is refused."""

import json

import pytest

from conftest import scaling

QUICK = ("--repetitions", 5, "--seconds", "1e-4")


def series(record):
    return {entry["name"]: entry for entry in record["series"]}


def test_alone(tmp_path):
    output = tmp_path / "micro.json"
    done = scaling("micro", "--only", "memory,product,file", "--folder", tmp_path, "--output", output, *QUICK)
    assert done.returncode == 0, done.stderr
    record = json.loads(output.read_text())
    assert record["format"] == "hiple scaling micro" and record["ranks"] == 1
    assert set(series(record)) == {"triad", "four_reads_three_writes", "adam", "multiply_add", "product", "hdf5_write"}
    for entry in record["series"]:
        for point in entry["points"]:
            assert len(point["seconds"]) == 5
            assert point["rate"] == pytest.approx(point["work"] / sorted(point["seconds"])[2])
    assert list(tmp_path.iterdir()) == [output]


def test_threads_and_sizes_of_memory():
    done = scaling("micro", "--only", "memory", "--threads", 2, "--numbers", 100000, *QUICK)
    assert done.returncode == 0, done.stderr
    record = json.loads(done.stdout)
    assert record["threads"] == 2
    assert [point["size"] for point in series(record)["adam"]["points"]] == [10000, 100000]


def test_two_ranks_exchange_messages():
    done = scaling("micro", "--only", "messages", "--largest", 256, *QUICK, ranks=2)
    assert done.returncode == 0, done.stderr
    record = json.loads(done.stdout)
    assert record["ranks"] == 2 and set(series(record)) == {"point_to_point", "all_reduce"}
    assert [point["size"] for point in series(record)["point_to_point"]["points"]] == [4, 32, 256]
    assert [point["work"] for point in series(record)["all_reduce"]["points"]] == [4, 32, 256]  # 2 (N-1)/N = 1


def test_three_ranks_move_four_thirds():
    done = scaling("micro", "--only", "messages", "--largest", 32, *QUICK, ranks=3)
    assert done.returncode == 0, done.stderr
    assert [point["work"] for point in series(json.loads(done.stdout))["all_reduce"]["points"]] == pytest.approx([16 / 3, 128 / 3])


@pytest.mark.parametrize("words", [("--only", "memry"), ("--repetitions", 4), ("--seconds", 0), ("--folder", "/nowhere"),
                                   ("--largest", 2), ("--numbers", 9999), ("--threads", 0)])
def test_wrong_options_are_refused(words):
    done = scaling("micro", *words)
    assert done.returncode == 2 and words[0] in done.stderr


def test_an_unknown_command_is_named():
    done = scaling("micr")
    assert done.returncode == 2 and 'did you mean "micro"?' in done.stderr
