"""Bounds of a rate that hold at every look at once: with probability 0.95 the true rate never leaves them, however often and whenever
somebody looks. The mixture of binomial likelihood ratios over a uniform prior is a martingale under the true rate (Robbins, "Statistical
methods related to the law of the iterated logarithm", 1970; Howard et al., "Time-uniform, nonparametric, nonasymptotic confidence
sequences", Annals of Statistics 2021), so that it exceeds 1 / 0.05 once in twenty times at most (Ville)."""

import math

from scipy import optimize, special

CONFIDENCE = 0.95


def log_evidence(rate, count, n):
    """The logarithm of the martingale for this rate after `count` of `n`."""
    mixture = special.betaln(count + 1, n - count + 1)
    return mixture - special.xlogy(count, rate) - special.xlog1py(n - count, -rate)


def interval(count, n, confidence=CONFIDENCE):
    """(lower, upper). (0, 1) before the first case."""
    if n == 0:
        return 0.0, 1.0
    limit, middle = -math.log(1 - confidence), count / n
    outside = lambda rate: log_evidence(rate, count, n) - limit
    tiny = 1e-12
    low = 0.0 if count == 0 or outside(tiny) < 0 else optimize.brentq(outside, tiny, middle)
    high = 1.0 if count == n or outside(1 - tiny) < 0 else optimize.brentq(outside, middle, 1 - tiny)
    return low, high
