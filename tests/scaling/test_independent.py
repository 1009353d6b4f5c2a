"""hiple: no message while training, and every engine as it is alone."""

import numpy
import pytest
from scaling_case import Result

SHAPE = ("--strategy", "hiple", "--network", "16-48-4", "--batch", 48, "--steps", 20, "--warmup", 2, "--seed", 5)


@pytest.mark.parametrize("ranks", [1, 2, 4])
def test_no_call_while_training_on_1_2_and_4_ranks(tmp_path, ranks):
    result = Result(tmp_path, ranks, *SHAPE)
    assert result.calls() == {}
    assert result.record["train_calls"] == 0 and result.record["train_bytes"] == 0
    assert result.record["certificate"]["verdict"] == "synchronisation-free"
    assert result.record["wait_seconds"] == 0
    assert result.calls("init")  # the ledger does see what there is
    assert [entry["name"] for entry in result.record["engines"]] == [f"engine{i}" for i in range(ranks)]


def test_engines_are_the_same_alone_and_beside_others_on_1_2_and_4_ranks(tmp_path):
    results = []
    for ranks in (1, 2, 4):
        folder = tmp_path / str(ranks)
        folder.mkdir()
        results.append(Result(folder, ranks, *SHAPE, "--engines", 4))
    hashes = [{entry["name"]: entry["weights_sha256"] for entry in result.record["engines"]} for result in results]
    assert len(set(hashes[0].values())) == 4
    assert hashes[0] == hashes[1] == hashes[2]
    for engine in hashes[0]:
        expected = results[0].weights(engine)
        for other in results[1:]:
            found = other.weights(engine)
            assert all(numpy.array_equal(found[name].view("u4"), expected[name].view("u4")) for name in expected)


def test_an_engine_is_the_same_where_there_is_no_other_on_1_rank(tmp_path):
    """Rows of a step are those of all engines: one engine of 12 rows is one of four with 48."""
    alone = Result(tmp_path, 1, *[12 if word == 48 else word for word in SHAPE]).record["engines"]
    among = Result(tmp_path, 1, *SHAPE, "--engines", 4).record["engines"]
    assert len(alone) == 1 and alone[0]["weights_sha256"] == among[0]["weights_sha256"]


def test_a_spread_of_costs_is_placed_longest_first_on_2_ranks(tmp_path):
    record = Result(tmp_path, 2, *SHAPE, "--engines", 4, "--spread", 4).record
    steps = {entry["name"]: (entry["rank"], entry["steps"]) for entry in record["engines"]}
    assert steps == {"engine0": (0, 20), "engine1": (1, 13), "engine2": (1, 8), "engine3": (0, 5)}
    taken = [len(rank["step_seconds"]) for rank in record["per_rank"]]
    assert taken == [25, 21] and len(record["step_seconds"]) == 25 and len(record["losses"]) == 20
    assert record["makespan_seconds"] == max(r["end"] for r in record["per_rank"]) - min(r["start"] for r in record["per_rank"])
    assert record["rank_seconds"] <= 2 * record["makespan_seconds"]
