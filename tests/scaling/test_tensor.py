"""tp is the monolith; a rank holds its part of every layer, and sums as often and as much as Megatron-LM says."""

import pytest
from conftest import scaling
from launching import OPEN_MPI
from oracle import SHAPE, STEPS, assert_equal
from scaling_case import Result

# Four layers are two pairs, three are a pair and a layer without a partner.
FOUR = ("--network", "32-96-64-80-8", "--batch", 24, "--steps", STEPS, "--warmup", 2, "--seed", 5)


@pytest.fixture
def rings(monkeypatch):
    """Of blocking sums too, as the study has it: other algorithms send more from some ranks than from others."""
    monkeypatch.setitem(OPEN_MPI, "OMPI_MCA_coll_tuned_use_dynamic_rules", "1")
    monkeypatch.setitem(OPEN_MPI, "OMPI_MCA_coll_tuned_allreduce_algorithm", "4")


@pytest.mark.parametrize("ranks", [1, 2, 4])
def test_equal_to_the_monolith_on_1_2_and_4_ranks(tmp_path, single, ranks):
    assert_equal(Result(tmp_path, ranks, "--strategy", "tp", *SHAPE), single)


def test_pairs_only_on_2_and_4_ranks(tmp_path):
    for name in ("1", "2", "4"):
        (tmp_path / name).mkdir()
    alone = Result(tmp_path / "1", 1, "--strategy", "single", *FOUR)
    for ranks in (2, 4):
        assert_equal(Result(tmp_path / str(ranks), ranks, "--strategy", "tp", *FOUR), (alone.record, alone.weights()))


def test_a_straggler_changes_no_number_on_2_ranks(tmp_path, single):
    assert_equal(Result(tmp_path, 2, "--strategy", "tp", "--straggler", "1:3", "--jitter", "0.2", *SHAPE), single)


@pytest.mark.parametrize("ranks", [1, 2, 4])
def test_a_rank_holds_its_part_of_every_layer_on_1_2_and_4_ranks(tmp_path, ranks):
    """All but the biases of layers that are split by their inputs is divided."""
    result = Result(tmp_path, ranks, "--strategy", "tp", "--network", "64-256-512-128-16", "--batch", 16, "--steps", 2)
    split = 64 * 256 + 256 * 512 + 512 * 128 + 128 * 16 + 256 + 128  # weights, and biases of layers 0 and 2
    for rank in range(ranks):
        memory, numbers = result.memory(rank), split // ranks + 512 + 16
        assert memory["parameters"] == memory["gradients"] == 4 * numbers
        assert memory["optimizer"] == 8 * numbers


@pytest.mark.parametrize("ranks", [2, 4])
def test_what_a_rank_sends_on_2_and_4_ranks(tmp_path, counted_messages, rings, ranks):
    """A sum of 2(N-1)/N on the way there for every pair, one on the way back for every pair but the first."""
    result = Result(tmp_path, ranks, "--strategy", "tp", *FOUR)
    rows, there, back = 24, 64 + 8, 64
    expected = 2 * (ranks - 1) / ranks * 4 * rows * (there + back)
    assert all(abs(sent - expected) <= 3 * 2 * ranks * 4 for sent in result.sent()), (result.sent(), expected)
    calls = result.calls()
    assert calls["MPI_Allreduce"] == (2 * STEPS * ranks, STEPS * ranks * 4 * rows * there)
    assert calls["MPI_Iallreduce"] == (STEPS * ranks, STEPS * ranks * 4 * rows * back)
    assert set(calls) <= {"MPI_Allreduce", "MPI_Iallreduce", "MPI_Testall", "MPI_Waitall"}


def test_a_last_layer_without_a_partner_gathers_its_outputs_on_2_ranks(tmp_path):
    calls = Result(tmp_path, 2, "--strategy", "tp", *SHAPE).calls()
    assert calls["MPI_Allgatherv"] == (2 * STEPS, 2 * STEPS * 64 * 4 * 4)  # 64 rows, 4 of 8 classes


def test_a_width_that_does_not_divide_is_refused_before_the_start(tmp_path):
    for words in (("check", "--ranks", 3), ("measure", "--output", tmp_path / "r.json")):
        done = scaling(*words, "--strategy", "tp", "--network", "32-96-64-8", ranks=3 if words[0] == "measure" else 0)
        assert done.returncode == 2 and "width 8 does not divide among 3 ranks" in done.stderr
    assert list(tmp_path.iterdir()) == []
