"""ZeRO is the monolith at any stage; a rank holds what its table says, and says what its analysis says."""

import pytest
from oracle import SHAPE, STEPS, assert_equal
from scaling_case import Result

STAGES = ["zero1", "zero2", "zero3"]
# Smaller than a layer (of 12672, 24832 and 2080 bytes), and larger than all of them: one block, one bucket.
BUCKETS = [4096, 1 << 20]
# Layers of more than 1 MiB are blocks of their own: parameters are gathered in three parts, two at a time.
LARGE = ("--network", "64-1024-640-640-8", "--batch", 16, "--steps", 4, "--warmup", 1, "--seed", 5)


@pytest.mark.parametrize("ranks", [2, 4])
@pytest.mark.parametrize("bucket", BUCKETS)
@pytest.mark.parametrize("stage", STAGES)
def test_equal_to_the_monolith_on_2_and_4_ranks(tmp_path, single, stage, bucket, ranks):
    assert_equal(Result(tmp_path, ranks, "--strategy", stage, "--bucket", bucket, *SHAPE), single)


@pytest.mark.parametrize("stage", STAGES)
def test_alone_on_1_rank(tmp_path, single, stage):
    assert_equal(Result(tmp_path, 1, "--strategy", stage, *SHAPE), single)


@pytest.mark.parametrize("stage", STAGES)
def test_in_blocks_on_3_ranks(tmp_path, stage):
    """A rank count that divides no layer, and several blocks and buckets."""
    shape = [48 if word == 16 else word for word in LARGE]
    for name in ("alone", "shared"):
        (tmp_path / name).mkdir()
    alone = Result(tmp_path / "alone", 1, "--strategy", "single", *shape)
    shared = Result(tmp_path / "shared", 3, "--strategy", stage, "--bucket", 1 << 19, *shape)
    assert_equal(shared, (alone.record, alone.weights()))


def test_a_straggler_changes_no_number_on_2_ranks(tmp_path, single):
    assert_equal(Result(tmp_path, 2, "--strategy", "zero3", "--bucket", 4096, "--straggler", "1:3", "--jitter", "0.2", *SHAPE), single)


def states(stage, ranks):
    """Parameters, gradients and Adam's two moments, in units of the parameters' 4 bytes: ZeRO's table in single precision. With
    mixed precision it has 2, 2 and 12 bytes instead of 4, 4 and 8; what is divided is the same."""
    return (1 / ranks if stage >= 3 else 1, 1 / ranks if stage >= 2 else 1, 2 / ranks)


@pytest.mark.parametrize("ranks", [1, 2, 4])
@pytest.mark.parametrize("stage", [1, 2, 3])
def test_a_rank_holds_what_the_table_says_on_1_2_and_4_ranks(tmp_path, stage, ranks):
    result = Result(tmp_path, ranks, "--strategy", f"zero{stage}", "--bucket", 1 << 19, *LARGE)
    whole = result.record["gradient_bytes"]
    buckets = 16  # more than there are; each is divided with a remainder of less than a number a rank
    for rank in range(ranks):
        memory = result.memory(rank)
        for name, share in zip(("parameters", "gradients", "optimizer"), states(stage, ranks)):
            assert abs(memory[name] - share * whole) <= 2 * 4 * buckets, (rank, name, memory[name] / whole)
        # Beside them: three buckets under way, each with what is received; at stage 3 two blocks of parameters, of 2.6 MB at most.
        assert memory["exchange"] <= 3 * 2 * (1 << 19) + (2 * 4 * 1025 * 640 if stage == 3 else 0)


@pytest.mark.parametrize("stage", STAGES)
def test_nothing_large_is_allocated_that_is_not_counted_on_2_ranks(tmp_path, stage):
    """The allocator's own count beside what the strategy says it holds. No buffer reaches the size from which they lie on huge pages."""
    shape = ("--network", "64-256-256-16", "--batch", 128, "--steps", 4, "--warmup", 1)
    result = Result(tmp_path, 2, "--strategy", stage, "--bucket", 1 << 20, *shape)
    for rank in range(2):
        memory = result.memory(rank)
        counted = sum(bytes_ for name, bytes_ in memory.items() if name != "heap")
        assert counted <= memory["heap"] <= 1.05 * counted + (1 << 16), memory


@pytest.mark.parametrize("ranks", [2, 4])
@pytest.mark.parametrize("stage, volume", [("zero1", 1), ("zero2", 1), ("zero3", 1.5)])
def test_what_leaves_a_rank_on_2_and_4_ranks(tmp_path, counted_messages, stage, volume, ranks):
    """As much as data parallel training sends, 2(N-1)/N of the parameters a step; 1.5 times that at stage 3."""
    result = Result(tmp_path, ranks, "--strategy", stage, "--bucket", 1 << 19, *LARGE)
    expected = volume * 2 * (ranks - 1) / ranks * result.record["gradient_bytes"]
    assert all(abs(sent - expected) <= 16 * 4 * 4 * ranks for sent in result.sent()), (result.sent(), expected)


@pytest.mark.parametrize("stage, gathers", [("zero1", 1), ("zero2", 1), ("zero3", 2)])
def test_the_ledger_sees_the_sums_and_gathers_on_2_ranks(tmp_path, stage, gathers):
    result = Result(tmp_path, 2, "--strategy", stage, "--bucket", 1 << 20, *SHAPE)
    calls, half = result.calls(), result.record["gradient_bytes"] // 2
    # One block and one bucket. Each rank hands over the other's half of the gradient, and its own half of the parameters.
    assert calls["MPI_Ialltoallv"] == (2 * STEPS, 2 * STEPS * half)
    assert calls["MPI_Iallgatherv"] == (2 * STEPS * gathers, 2 * STEPS * gathers * half)
    assert set(calls) <= {"MPI_Ialltoallv", "MPI_Iallgatherv", "MPI_Waitall", "MPI_Testall"}
    assert result.record["certificate"]["verdict"] == "synchronised"
