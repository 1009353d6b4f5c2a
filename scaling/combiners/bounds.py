"""Exact bounds and tests. The bounds are those of src/gate/bounds.hpp."""

from scipy import special, stats


def lower_bound(count, n, confidence=0.95):
    """One-sided (Clopper and Pearson 1934). NaN where n is 0."""
    if n == 0:
        return float("nan")
    return float(special.betaincinv(count, n - count + 1, 1 - confidence)) if count > 0 else 0.0


def upper_bound(count, n, confidence=0.95):
    if n == 0:
        return float("nan")
    return float(special.betaincinv(count + 1, n - count, confidence)) if count < n else 1.0


def sign_test(better, worse):
    """Two-sided and exact: how probable so uneven a division is, were both as good. Of paired cases this is McNemar's exact test."""
    return 1.0 if better + worse == 0 else float(stats.binomtest(better, better + worse, 0.5).pvalue)
