"""What strategies of one objective are held against: the monolith on one rank."""

import numpy

NETWORK, BATCH, STEPS = "32-96-64-8", 64, 20
SHAPE = ("--network", NETWORK, "--batch", BATCH, "--steps", STEPS, "--warmup", 2, "--seed", 5)


def assert_equal(result, single):
    """Losses within 1e-5, weights within 1e-4, and every rank says the same of its weights. `single`: record and weights."""
    record, weights = single
    numpy.testing.assert_allclose(result.record["losses"], record["losses"], rtol=1e-5)
    found = result.weights()
    assert found.keys() == weights.keys()
    for name in weights:
        numpy.testing.assert_allclose(found[name], weights[name], rtol=0, atol=1e-4, err_msg=name)
    # All ranks hold the same parameters, bit for bit: they added the same sums in the same order.
    assert len({entry["weights_sha256"] for entry in result.record["engines"]}) == 1
