"""pp is the monolith; a rank holds its layers, and sends activations forth and gradients back, once a micro-batch."""

import pytest
from conftest import scaling
from oracle import SHAPE, STEPS, assert_equal
from scaling_case import Result

FIVE = ("--network", "32-96-64-80-48-8", "--batch", 48, "--steps", STEPS, "--warmup", 2, "--seed", 5)


@pytest.mark.parametrize("ranks, micro", [(1, 4), (2, 8), (2, 1), (3, 2), (3, 16)])
def test_equal_to_the_monolith_on_1_2_and_3_ranks(tmp_path, single, ranks, micro):
    """Fewer micro-batches than stages, as many as rows of four, and between."""
    assert_equal(Result(tmp_path, ranks, "--strategy", "pp", "--micro-batches", micro, *SHAPE), single)


@pytest.mark.parametrize("micro", [1, 3, 8])
def test_stages_of_several_layers_on_4_ranks(tmp_path, micro):
    for name in ("1", "4"):
        (tmp_path / name).mkdir()
    alone = Result(tmp_path / "1", 1, "--strategy", "single", *FIVE)
    assert_equal(Result(tmp_path / "4", 4, "--strategy", "pp", "--micro-batches", micro, *FIVE), (alone.record, alone.weights()))


def test_a_straggler_changes_no_number_on_3_ranks(tmp_path, single):
    assert_equal(Result(tmp_path, 3, "--strategy", "pp", "--straggler", "1:3", "--jitter", "0.2", *SHAPE), single)


def test_a_rank_holds_its_layers_on_3_ranks(tmp_path):
    result = Result(tmp_path, 3, "--strategy", "pp", "--network", "64-256-128-16", "--batch", 16, "--steps", 2)
    for rank, (inputs, outputs) in enumerate(((64, 256), (256, 128), (128, 16))):
        memory, numbers = result.memory(rank), (inputs + 1) * outputs
        assert memory["parameters"] == memory["gradients"] == 4 * numbers
        assert memory["optimizer"] == 8 * numbers
    # Data are where they are wanted: the inputs on the first rank, the labels on the last.
    assert result.memory(0)["data"] > 0 and result.memory(1)["data"] == 0


def test_1f1b_holds_the_activations_of_no_more_micro_batches_than_stages_follow_on_3_ranks(tmp_path):
    held = []
    for micro in (3, 12):
        folder = tmp_path / str(micro)
        folder.mkdir()
        result = Result(folder, 3, "--strategy", "pp", "--network", "64-64-64-64", "--batch", 8 * micro, "--steps", 2, "--micro-batches", micro)
        held.append([result.memory(rank)["activations"] for rank in range(3)])
    assert held[0] == held[1], "of equal micro-batches, four times as many take no more memory"
    assert held[0][0] == 3 * held[0][1] // 2 > held[0][2]


@pytest.mark.parametrize("ranks", [2, 3])
def test_what_a_rank_sends_on_2_and_3_ranks(tmp_path, counted_messages, ranks):
    """Every boundary is crossed by the activations of all rows and by the gradient by them."""
    result = Result(tmp_path, ranks, "--strategy", "pp", "--micro-batches", 8, *SHAPE)
    widths = [96, 64] if ranks == 3 else boundary(result)
    bytes_ = [4 * 64 * width for width in widths]
    expected = [(bytes_[rank] if rank < ranks - 1 else 0) + (bytes_[rank - 1] if rank > 0 else 0) for rank in range(ranks)]
    assert result.sent() == expected
    assert result.record["options"] == {"micro_batches": 8}
    calls = result.calls()
    assert calls["MPI_Isend"] == (STEPS * 2 * 8 * (ranks - 1), STEPS * 2 * sum(bytes_))
    assert calls["MPI_Irecv"][0] == STEPS * 2 * 8 * (ranks - 1)
    assert set(calls) <= {"MPI_Isend", "MPI_Irecv", "MPI_Testall", "MPI_Waitall"}


def boundary(result):
    """The width between two stages, by what the first holds: of 32-96-64-8 the first layer, or the first two."""
    numbers = result.memory(0)["parameters"] // 4
    return [96] if numbers == 33 * 96 else [64]


def test_what_cannot_be_a_pipeline_is_refused_before_the_start(tmp_path):
    done = scaling("measure", "--strategy", "pp", "--network", "32-96-8", "--output", tmp_path / "r.json", ranks=3)
    assert done.returncode == 2 and "2 layers are no pipeline of 3 ranks" in done.stderr
    done = scaling("check", "--strategy", "pp", "--batch", 100, "--micro-batches", 8, "--ranks", 2)
    assert done.returncode == 2 and "100 rows do not divide into 8 micro-batches" in done.stderr
    assert list(tmp_path.iterdir()) == []
