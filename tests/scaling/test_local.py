"""localsgd: nothing is said between two averages, one model remains, and each average is one sum of all parameters."""

import numpy
import pytest
from conftest import scaling
from launching import OPEN_MPI
from oracle import BATCH, SHAPE, STEPS, assert_equal
from scaling_case import Result


@pytest.fixture
def rings(monkeypatch):
    monkeypatch.setitem(OPEN_MPI, "OMPI_MCA_coll_tuned_use_dynamic_rules", "1")
    monkeypatch.setitem(OPEN_MPI, "OMPI_MCA_coll_tuned_allreduce_algorithm", "4")


def test_alone_it_is_the_monolith_on_1_rank(tmp_path, single):
    result = Result(tmp_path, 1, "--strategy", "localsgd", *SHAPE)
    assert_equal(result, single)
    assert result.record["losses"] == single[0]["losses"]


@pytest.mark.parametrize("variant", ["average", "diloco"])
@pytest.mark.parametrize("ranks", [2, 4])
def test_it_learns_and_one_model_remains_on_2_and_4_ranks(tmp_path, variant, ranks):
    record = Result(tmp_path, ranks, "--strategy", "localsgd", "--variant", variant, "--period", 6, *SHAPE).record
    assert sum(record["losses"][-5:]) < 0.97 * sum(record["losses"][:5])
    assert len({entry["weights_sha256"] for entry in record["engines"]}) == 1


def test_diloco_steps_from_where_the_ranks_began_towards_their_average_on_2_ranks(tmp_path):
    """With one average the ranks' own steps are those of the variant `average`, and Nesterov's first step is d = b + 0.7 (1 + 0.9) (a - b):
    what it says the run began with is within Adam's first step, 1e-3, of a run of one step."""
    for name in ("average", "diloco", "begin"):
        (tmp_path / name).mkdir()
    average, diloco = (Result(tmp_path / name, 2, "--strategy", "localsgd", "--variant", name, "--period", STEPS, *SHAPE).weights()
                       for name in ("average", "diloco"))
    near = Result(tmp_path / "begin", 1, "--strategy", "single", *[1 if word == STEPS else word for word in SHAPE]).weights()
    for name in average:
        begin = (diloco[name] - 1.33 * average[name]) / (1 - 1.33)
        assert numpy.abs(average[name] - near[name]).max() > 5e-3
        assert numpy.abs(begin - near[name]).max() < 1.1e-3, name


@pytest.mark.parametrize("ranks", [2, 4])
@pytest.mark.parametrize("period, averages", [(1, STEPS), (6, 4), (1000, 1)])
def test_what_a_rank_sends_on_2_and_4_ranks(tmp_path, counted_messages, rings, period, averages, ranks):
    """2(N-1)/N of the parameters an average, and nothing between; the last step has one."""
    result = Result(tmp_path, ranks, "--strategy", "localsgd", "--period", period, *SHAPE)
    whole = result.record["gradient_bytes"]
    assert result.calls() == {"MPI_Allreduce": (ranks * averages, ranks * averages * whole)}
    expected = averages / STEPS * 2 * (ranks - 1) / ranks * whole
    assert all(abs(sent - expected) <= averages / STEPS * 2 * ranks * 4 for sent in result.sent()), (result.sent(), expected)


def test_a_rank_holds_all_and_diloco_half_as_much_again_on_2_ranks(tmp_path):
    for variant, optimizer in (("average", 2), ("diloco", 4)):
        folder = tmp_path / variant
        folder.mkdir()
        result = Result(folder, 2, "--strategy", "localsgd", "--variant", variant, *SHAPE)
        memory, whole = result.memory(1), result.record["gradient_bytes"]
        assert (memory["parameters"], memory["gradients"], memory["optimizer"]) == (whole, whole, optimizer * whole)


def test_rows_that_do_not_divide_are_refused(tmp_path):
    done = scaling("measure", "--strategy", "localsgd", "--batch", BATCH, "--output", tmp_path / "r.json", ranks=3)
    assert done.returncode == 2 and "64 rows do not divide among 3 ranks" in done.stderr
    done = scaling("check", "--strategy", "localsgd", "--period", 0, "--ranks", 2)
    assert done.returncode == 2 and "--period" in done.stderr
