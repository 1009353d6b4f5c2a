"""moe is itself on one rank, however its experts are spread; rows travel by an all-to-all each way."""

import math

import numpy
import pytest
from conftest import scaling
from oracle import STEPS
from scaling_case import Result

NETWORK, BATCH, EXPERTS, WIDTH = "32-64-48-64-8", 64, 8, 64
SHAPE = ("--strategy", "moe", "--network", NETWORK, "--batch", BATCH, "--steps", STEPS, "--warmup", 2, "--seed", 5, "--experts", EXPERTS)
DENSE = 33 * 64 + 65 * 8 + 65 * 8  # first layer, router, last layer
EXPERT = 65 * 48 + 49 * 64


def slots(chosen, capacity):
    return math.ceil(chosen * (BATCH / EXPERTS) / EXPERTS * capacity)


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """By the options of the router: what one rank does."""
    kept = {}

    def find(*words):
        if words not in kept:
            kept[words] = Result(tmp_path_factory.mktemp("alone"), 1, *SHAPE, *words)
        return kept[words]
    return find


OPTIONS = [(), ("--chosen", 1), ("--chosen", 3, "--capacity", "0.5"), ("--capacity", "4")]


@pytest.mark.parametrize("ranks", [2, 4])
@pytest.mark.parametrize("words", OPTIONS)
def test_equal_to_itself_on_1_rank_on_2_and_4_ranks(tmp_path, alone, words, ranks):
    expected, found = alone(*words), Result(tmp_path, ranks, *SHAPE, *words)
    numpy.testing.assert_allclose(found.record["losses"], expected.record["losses"], rtol=1e-5)
    weights, others = expected.weights(), found.weights()
    assert weights.keys() == others.keys()
    for name in weights:
        numpy.testing.assert_allclose(others[name], weights[name], rtol=0, atol=1e-4, err_msg=name)
    assert len({entry["weights_sha256"] for entry in found.record["engines"]}) == 1


def test_it_learns_and_every_expert_and_the_router_with_it(tmp_path, alone):
    result = alone()
    losses = result.record["losses"]
    assert sum(losses[-5:]) < 0.95 * sum(losses[:5])
    one_step = [1 if word == STEPS else word for word in SHAPE]
    before, after = Result(tmp_path, 1, *one_step).weights(), result.weights()
    moved = {name for name in before if numpy.abs(before[name] - after[name]).max() > 1e-4}
    assert moved == set(before), set(before) - moved
    assert {f"expert{e}/layer{i}/weight" for e in range(EXPERTS) for i in (1, 2)} | {"router/weight"} <= moved


def test_experts_differ_and_their_parameters_are_counted(alone):
    result = alone()
    weights = result.weights()
    assert not numpy.allclose(weights["expert0/layer1/weight"], weights["expert1/layer1/weight"])
    assert result.record["parameters"] == result.record["engines"][0]["parameters"] == DENSE + EXPERTS * EXPERT
    assert result.record["gradient_bytes"] == 4 * (dense_with_zeros() + EXPERTS * EXPERT)
    assert result.record["options"] == {"experts": EXPERTS, "chosen": 2, "capacity": 1.25}


@pytest.mark.parametrize("ranks", [1, 2, 4])
def test_a_rank_holds_its_experts_on_1_2_and_4_ranks(tmp_path, ranks):
    result = Result(tmp_path, ranks, *SHAPE)
    for rank in range(ranks):
        memory = result.memory(rank)
        assert memory["parameters"] == memory["gradients"] == 4 * (dense_with_zeros() + EXPERTS // ranks * EXPERT)
        assert memory["optimizer"] == 2 * memory["parameters"]


def dense_with_zeros():
    """Biases of 8 numbers take a cache line, 16."""
    return DENSE + 8 + 8


@pytest.mark.parametrize("ranks", [2, 4])
@pytest.mark.parametrize("chosen, capacity", [(2, "1.25"), (1, "2")])
def test_what_a_rank_sends_on_2_and_4_ranks(tmp_path, counted_messages, chosen, capacity, ranks):
    """Four all-to-alls a step, each of (N-1)/N of the slots of a rank's rows; and the sum of the dense layers' gradient."""
    result = Result(tmp_path, ranks, *SHAPE, "--chosen", chosen, "--capacity", capacity)
    travelling = 4 * EXPERTS * (EXPERTS // ranks) * slots(chosen, float(capacity)) * WIDTH
    dense = 4 * dense_with_zeros()
    expected = 4 * travelling * (ranks - 1) / ranks + 2 * (ranks - 1) / ranks * dense
    assert all(abs(sent - expected) <= 2 * 2 * ranks * 4 for sent in result.sent()), (result.sent(), expected)
    calls = result.calls()
    assert calls["MPI_Ialltoallv"] == (4 * STEPS * ranks, 4 * STEPS * ranks * travelling)
    assert calls["MPI_Iallreduce"] == (2 * STEPS * ranks, STEPS * ranks * dense)
    assert set(calls) <= {"MPI_Ialltoallv", "MPI_Iallreduce", "MPI_Testall", "MPI_Waitall"}


def test_what_cannot_be_spread_is_refused_before_the_start(tmp_path):
    done = scaling("measure", *SHAPE, "--output", tmp_path / "r.json", ranks=3)
    assert done.returncode == 2 and "8 experts do not divide among 3 ranks" in done.stderr
    refusals = [(("--batch", 100), "100 rows do not divide into 8 groups"), (("--chosen", 9), "there are 8 experts"),
                (("--network", "32-64-8"), "no layer between"), (("--network", "32-64-48-8"), "64 inputs and 48 outputs"),
                (("--capacity", "0"), "--capacity"), (("--experts", 0), "--experts")]
    for words, message in refusals:
        done = scaling("check", *replaced(SHAPE, words), "--ranks", 2)
        assert done.returncode == 2 and message in done.stderr, done.stderr
    assert list(tmp_path.iterdir()) == []


def replaced(words, option):
    """Those words with another value of an option."""
    options = dict(zip(words[::2], words[1::2]))
    options.update([option])
    return [word for pair in options.items() for word in pair]
