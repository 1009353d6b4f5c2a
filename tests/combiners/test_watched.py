"""Bounds that hold at every look at once."""

import math

import numpy as np
import pytest
from bounds import upper_bound
from confidence_sequence import interval, log_evidence
from truth import Decided, GateCases, Truth
from watched import looks, outcomes


def test_by_hand():
    """After no miss in n the evidence against a rate p is (1 - p)^-n / (n + 1): the bound is where that is 20."""
    low, high = interval(0, 99)
    assert low == 0 and high == pytest.approx(1 - (20 * 100) ** (-1 / 99))
    assert interval(0, 0) == (0.0, 1.0)
    assert interval(99, 99)[0] == pytest.approx((20 * 100) ** (-1 / 99)) and interval(99, 99)[1] == 1
    assert math.exp(log_evidence(0.5, 1, 2)) == pytest.approx(4 / 6)


def test_it_is_wider_than_the_bound_of_one_look():
    for count, n in ((0, 50), (3, 154), (20, 300)):
        assert interval(count, n)[1] > upper_bound(count, n)


def test_of_many_watched_streams_hardly_any_leaves_it():
    """True rate .05, twenty looks at 500 cases: the bound of one look is broken far more often than once in twenty."""
    always = once = 0
    n = np.arange(1, 501)
    for seed in range(100):
        counts = np.cumsum(np.random.default_rng(seed).random(500) < 0.05)
        always += bool((log_evidence(0.05, counts, n) > math.log(20)).any())
        once += any(upper_bound(int(counts[look - 1]), look) < 0.05 for look in range(25, 501, 25))
    assert always <= 10 < once


def test_looks():
    lines = list(looks(np.array([True, False, True, False, False]), np.array([True, True, False, True, True]), 2))
    assert [line[:3] for line in lines] == [(2, 1, 2), (4, 1, 3), (5, 1, 4)]


def test_what_counts():
    gold = np.array([[1], [1], [0]])
    truth = Truth(np.arange(3), gold, np.full((3, 1), -1), np.array([True]), np.ones(3, bool), np.zeros(3, bool), np.arange(3),
                  (np.array([[False, False], [False, True]]),), np.array([0]))
    law = Decided(np.array([[0], [1], [0]]), np.ones((3, 1), bool), np.zeros((3, 1), bool), np.ones(3))
    cases = GateCases((), truth, law, None, np.array([]), "", "")
    happened, counts = outcomes(cases, "silent")
    assert happened.tolist() == [True, False, False] and counts.tolist() == [True, True, False]
    assert outcomes(cases, "exact")[0].tolist() == [False, True, True]
