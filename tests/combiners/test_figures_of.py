"""Figures by hand."""

from dataclasses import replace

import numpy as np
import pytest
from bounds import lower_bound, sign_test, upper_bound
from every_part import pooled
from figures_of import at_coverage, bound, measure, paired, risk_curve
from matched_table import LAW, matched_rows, sentences
from truth import Decided, Truth

# Two questions: state (none, high, low; low is critical, and covered by itself) and other (no, yes).
COVERS = (np.array([[False] * 3, [False] * 3, [False, False, True]]), np.zeros((2, 2), bool))


def truth(gold, crosses=None, also=None, cluster=None):
    gold = np.asarray(gold)
    n = len(gold)
    return Truth(np.arange(n), gold, np.full(gold.shape, -1) if also is None else np.asarray(also), np.array([True, True]), (gold >= 0).all(axis=1),
                 np.zeros(n, bool) if crosses is None else np.asarray(crosses, bool), np.arange(n) if cluster is None else np.asarray(cluster), COVERS, np.array([0, 0]))


def decided(finding, escalated=None, confidence=None):
    """-1 is left open."""
    finding = np.asarray(finding)
    return Decided(finding, finding >= 0, np.zeros(finding.shape, bool) if escalated is None else np.asarray(escalated, bool),
                   np.linspace(1, 0.5, len(finding)) if confidence is None else np.asarray(confidence, float))


def counts(figures, *names):
    return [(figures[name].count, figures[name].n) for name in names]


def test_an_open_question_is_neither_right_nor_wrong():
    figures = measure(decided([[0, 0], [1, -1], [1, 0]]), truth([[0, 0], [1, 0], [0, 0]]))
    assert counts(figures, "coverage", "exact", "wrong", "risk") == [(2, 3), (1, 3), (1, 3), (1, 2)]
    assert [(share.count, share.n) for share in figures["questions"]] == [(2, 3), (2, 3)]


def test_a_second_right_finding():
    figures = measure(decided([[2, 0], [1, 0]]), truth([[1, 0], [1, 0]], also=[[2, -1], [2, -1]]))
    assert counts(figures, "exact") == [(2, 2)]


def test_critical_findings():
    """Missed in silence, dropped, escalated, found."""
    figures = measure(decided([[0, 0], [-1, 0], [-1, 0], [2, 0]], escalated=[[0, 0], [0, 0], [1, 0], [0, 0]]), truth([[2, 0]] * 4))
    assert counts(figures, "silent", "strict") == [(1, 4), (2, 4)]
    assert bound(figures["silent"], True) == pytest.approx(upper_bound(1, 4))


def test_findings_of_cross_boundary_cases():
    """Both claimed; one claimed and one escalated for its own sake; one missed; and one that does not cross."""
    figures = measure(decided([[1, 1], [-1, 1], [0, 1], [1, 0]], escalated=[[0, 0], [1, 0], [0, 0], [0, 0]]),
                      truth([[1, 1], [1, 1], [1, 1], [1, 0]], crosses=[1, 1, 1, 0]))
    assert counts(figures, "claimed", "found") == [(1, 3), (2, 3)]


def test_truth_that_is_not_known_is_left_out():
    figures = measure(decided([[0, 0], [0, 0]]), truth([[0, 0], [-1, 0]]))
    assert counts(figures, "exact", "coverage") == [(1, 1), (2, 2)]


def test_one_miss_makes_its_cluster_a_miss():
    figures = measure(decided([[0, 0], [1, 0], [0, 0]]), truth([[0, 0]] * 3, cluster=[7, 7, 8]))
    assert (figures["exact"].bad, figures["exact"].units) == (1, 2)


def test_surest_cases_first_and_undecided_ones_never():
    made = decided([[0, 0], [-1, 0], [0, 0], [0, 0]], confidence=[0.6, 0.99, 0.9, 0.7])
    assert at_coverage(made, 0.5).decided.all(axis=1).tolist() == [False, False, True, True]
    assert at_coverage(made, 1.0).decided.all(axis=1).tolist() == [True, False, True, True]


def test_mcnemar_by_hand():
    """Eight right here alone, one there alone: 2 (1 + 9) / 512."""
    assert sign_test(8, 1) == pytest.approx(20 / 512) and sign_test(0, 0) == 1
    gold = truth([[0, 0]] * 10)
    rival, law = decided([[0, 0]] * 8 + [[1, 0], [0, 0]]), decided([[-1, 0]] * 8 + [[0, 0], [0, 0]])
    test = paired(rival, law, gold)
    assert (test.better, test.worse) == (8, 1) and test.p == pytest.approx(20 / 512)


def test_paired_clusters_count_once():
    gold = truth([[0, 0]] * 4, cluster=[1, 1, 1, 2])
    test = paired(decided([[0, 0], [0, 0], [1, 0], [0, 0]]), decided([[1, 0], [1, 0], [0, 0], [0, 0]]), gold)
    assert (test.better, test.worse) == (1, 0)


def test_bounds():
    assert upper_bound(0, 59) < 0.05 < upper_bound(0, 58) and lower_bound(58, 58) < 0.95 < lower_bound(59, 59)
    assert upper_bound(4, 4) == 1 and lower_bound(0, 9) == 0 and np.isnan(upper_bound(0, 0))


def test_risk_curve():
    coverage, risk, missed = risk_curve(decided([[0, 0], [0, 0], [-1, 0], [2, 0]], confidence=[0.9, 0.8, 0.99, 0.7]), truth([[0, 0], [2, 0], [0, 0], [2, 0]]))
    assert coverage == pytest.approx([0.25, 0.5, 0.75]) and risk == pytest.approx([0, 0.5, 1 / 3]) and missed == pytest.approx([0, 0.5, 0.5])


def test_words_say_who_is_better():
    gold = truth([[0, 0]] * 20)
    law, rival = decided([[0, 0]] * 8 + [[-1, 0]] * 12), decided([[0, 0]] * 20)
    rows = matched_rows({LAW: (law, law), "stacking": (rival, rival)}, gold)
    said = sentences(rows)
    assert any("the law ends at 0.400" in line and "BETTER than the law: stacking (20, p 0.00049)" in line for line in said)
    swapped = sentences(matched_rows({LAW: (rival, rival), "stacking": (law, law)}, gold))
    assert all("Nobody is better" in line for line in swapped) and any("Worse: stacking (8" in line for line in swapped)


def test_parts_together():
    """Cases in the order of their ids, and each part's clusters its own: the same number in two parts is no cluster."""
    one, two = truth([[0, 0], [1, 0]], cluster=[0, 0]), truth([[2, 0], [1, 1]], cluster=[0, 1])
    one, two = replace(one, case_id=np.array([3, 9])), replace(two, case_id=np.array([1, 5]))
    right, wrong = decided([[0, 0], [1, 0]]), decided([[0, 0], [0, 0]])
    joined, ways = pooled([(one, {LAW: (right, right)}), (two, {LAW: (wrong, wrong)})])
    assert joined.case_id.tolist() == [1, 3, 5, 9] and joined.gold[:, 0].tolist() == [2, 0, 1, 1]
    assert joined.cluster.tolist() == [1, 0, 2, 0]
    figures = measure(ways[LAW][0], joined)
    assert counts(figures, "exact", "silent") == [(2, 4), (1, 1)] and (figures["exact"].bad, figures["exact"].units) == (2, 3)


def test_clusters_and_cases_that_disagree_make_nobody_better():
    """A rival is right in eight small clusters where the law is not, and wrong in one large cluster."""
    gold = [[0, 0]] * 28
    cluster = [*range(8), *[8] * 20]
    law, rival = decided([*[[1, 0]] * 8, *[[0, 0]] * 20]), decided([*[[0, 0]] * 8, *[[1, 0]] * 20])
    said = sentences(matched_rows({LAW: (law, law), "rival": (rival, rival)}, truth(gold, cluster=cluster)))[0]
    assert "Nobody is better" in said and "Better by clusters and worse by cases, or the reverse: rival (8," in said
