"""The study's statistics against values that are known from elsewhere."""

import pytest
from conftest import ROOT  # noqa: F401  (its import makes the study's modules known)
from intervals import Estimate, estimate, harmonic_mean, interval_rank, median, ratio


def test_median():
    assert median([3, 1, 2]) == 2
    assert median([4, 1, 3, 2]) == 2.5
    with pytest.raises(ValueError):
        median([])


# Conover, Practical Nonparametric Statistics: ranks of the 95 % interval of a median, k-th smallest and k-th largest.
@pytest.mark.parametrize("count,rank", [(5, None), (6, 1), (8, 1), (9, 2), (10, 2), (15, 4), (20, 6), (25, 8), (30, 10), (100, 40)])
def test_ranks_of_the_interval(count, rank):
    assert interval_rank(count) == rank


def test_coverage_is_what_the_binomial_says():
    scipy_stats = pytest.importorskip("scipy.stats")
    for count in range(6, 60):
        k = interval_rank(count)
        assert 1 - 2 * scipy_stats.binom.cdf(k - 1, count, 0.5) >= 0.95
        assert 1 - 2 * scipy_stats.binom.cdf(k, count, 0.5) < 0.95


def test_estimate_leaves_nothing_out():
    assert estimate([1, 2, 3, 4, 5, 600]) == Estimate(3.5, 1, 600, 6)
    assert estimate(range(1, 11)) == Estimate(5.5, 2, 9, 10)


def test_no_interval_below_six():
    few = estimate([1.0, 1.0, 1.0, 1.0, 1.0])
    assert not few.has_interval and not few.is_narrow(0.5)


def test_narrow_is_the_whole_interval():
    assert estimate([100, 100, 100, 100, 104, 105]).is_narrow(0.05)
    assert not estimate([100, 100, 100, 100, 104, 106]).is_narrow(0.05)


def test_harmonic_mean():
    assert harmonic_mean([40, 60]) == pytest.approx(48)  # there at 40, back at 60
    with pytest.raises(ValueError):
        harmonic_mean([1, 0])


def test_ratio_holds_what_both_intervals_allow():
    assert ratio(Estimate(4, 3, 5, 9), Estimate(2, 1, 3, 6)) == Estimate(2, 1, 5, 6)
    assert not ratio(Estimate(4, 3, 5, 9), Estimate(2, None, None, 3)).has_interval
