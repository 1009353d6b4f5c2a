"""What it would take to settle a gate that is undecided."""

import pytest
from gates_beside import breaks, cut_sentence, gates_text, keeps, settled_from, to_settle


def gate(counts, value, threshold, at_most, verdict="NOT_EVALUABLE", name="cmr_silent"):
    return {"gate": name, "counts": counts, "value": value, "bound": 0.5, "threshold": threshold, "at_most": at_most, "verdict": verdict}


@pytest.mark.parametrize("threshold, n", [(0.05, 59), (0.01, 299), (0.001, 2995)])
def test_without_a_miss(threshold, n):
    assert settled_from(0.0, True, threshold) == ("PASS", n)
    assert settled_from(1.0, False, 1 - threshold) == ("PASS", n)


@pytest.mark.parametrize("rate, at_most, threshold", [(3 / 154, True, 0.01), (0.878, False, 0.95), (0.004, True, 0.01), (0.97, False, 0.95)])
def test_so_many_do_and_one_less_does_not(rate, at_most, threshold):
    verdict, n = settled_from(rate, at_most, threshold)
    proves = breaks if verdict == "FAIL" else keeps
    assert proves(rate, n, at_most, threshold) and not proves(rate, n - 1, at_most, threshold)
    assert verdict == ("FAIL" if (rate > threshold) == at_most else "PASS")


def test_a_rate_at_its_threshold_is_never_settled():
    assert settled_from(0.05, True, 0.05) is None
    assert to_settle(gate("5/100", 0.05, 0.05, True)) == "no number of cases at this rate"


def test_in_words():
    assert to_settle(gate("0/100", 0.0, 0.01, True)) == "PASS from 299 cases at this rate"
    assert to_settle(gate("9/500, clusters 0/40", 0.018, 0.05, True)) == "PASS from 59 clusters at this rate"
    assert to_settle(gate("0/0", None, 0.95, False)) == "nothing to measure"
    assert to_settle(gate("0/400", 0.0, 0.01, True, "PASS")) == ""


def test_both_partitions_side_by_side():
    law = {"trusted": False, "gates": [gate("1/200", 0.005, 0.01, True), gate("190/200", 0.95, 0.9, False, "PASS", "coverage")]}
    cut = {"trusted": False, "gates": [gate("90/200", 0.45, 0.01, True, "FAIL"), gate("170/200", 0.85, 0.9, False, "FAIL", "coverage")]}
    text = gates_text(law, cut)
    assert "PASS from" in text and "90/200" in text and len(text.splitlines()) == 3
    said = cut_sentence(cut, {"better": 2, "worse": 50, "p": 1e-12})
    assert "FAIL: cmr_silent, coverage." in said and "not trusted" in said and "by the law alone 50" in said
