"""ddp is the monolith: same losses, same weights, on any number of ranks; and it says what its buckets predict."""

import pytest
from oracle import SHAPE, STEPS, assert_equal
from scaling_case import Result

# Layers of this network take 12672, 24832 and 2080 bytes: the buckets below are smaller than a layer, as large as some, and larger.
BUCKETS = [1024, 8192, 1 << 20]


def test_the_monolith_learns(single):
    """Else the comparisons below would compare what never moved."""
    losses = single[0]["losses"]
    assert len(losses) == STEPS and sum(losses[-5:]) < 0.95 * sum(losses[:5])


@pytest.mark.parametrize("ranks", [2, 4])
@pytest.mark.parametrize("bucket", BUCKETS)
def test_overlap_on_2_and_4_ranks(tmp_path, single, ranks, bucket):
    result = Result(tmp_path, ranks, "--strategy", "ddp", "--bucket", bucket, *SHAPE)
    assert_equal(result, single)
    size = result.record["gradient_bytes"]
    buckets = -(-size // bucket)
    calls = result.calls()
    assert calls["MPI_Iallreduce"] == (ranks * STEPS * buckets, ranks * STEPS * size)
    assert calls["MPI_Waitall"][0] == ranks * STEPS
    # Between two buckets the sums under way are looked at; behind the last one nothing is computed, and the wait does it.
    assert set(calls) == {"MPI_Iallreduce", "MPI_Waitall"} | ({"MPI_Testall"} if buckets > 1 else set())
    assert result.record["train_calls"] == sum(count for count, _ in calls.values())
    assert result.record["train_bytes"] == 2 * ranks * STEPS * size  # sent and received


@pytest.mark.parametrize("ranks", [1, 2, 4])
def test_naive_on_1_2_and_4_ranks(tmp_path, single, ranks):
    result = Result(tmp_path, ranks, "--strategy", "ddp", "--variant", "naive", *SHAPE)
    assert result.record["wire_bytes"] is None  # nobody asked Open MPI to count
    assert_equal(result, single)
    assert result.calls() == {"MPI_Allreduce": (ranks * STEPS, ranks * STEPS * result.record["gradient_bytes"])}


def test_a_straggler_changes_no_number_on_2_ranks(tmp_path, single):
    result = Result(tmp_path, 2, "--strategy", "ddp", "--straggler", "1:3", "--jitter", "0.2", *SHAPE)
    assert_equal(result, single)


@pytest.mark.parametrize("ranks", [2, 4])
def test_what_leaves_a_rank_is_2_n_minus_1_over_n_of_the_gradient_on_2_and_4_ranks(tmp_path, counted_messages, ranks):
    """By Open MPI's own count of the messages inside its collectives: claim C3, exactly."""
    result = Result(tmp_path, ranks, "--strategy", "ddp", "--bucket", 1 << 20, *SHAPE)
    expected = 2 * (ranks - 1) / ranks * result.record["gradient_bytes"]
    # A ring cuts a sum into as many parts as there are ranks; parts differ by one number.
    assert all(abs(sent - expected) <= 2 * ranks * 4 for sent in result.sent()), (result.sent(), expected)
    silent = tmp_path / "hiple"
    silent.mkdir()
    assert Result(silent, ranks, "--strategy", "hiple", *SHAPE).record["wire_bytes"] == [0] * ranks
