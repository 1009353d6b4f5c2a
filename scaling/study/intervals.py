"""The statistics of the study: medians with intervals that assume nothing about the distribution."""

import math
from dataclasses import dataclass

CONFIDENCE = 0.95
LEAST_FOR_INTERVAL = 6  # below, not even the extremes hold the median with that confidence


@dataclass(frozen=True)
class Estimate:
    """A median of `count` values; the interval holds the true median with 95 % confidence, and is missing below six values."""

    median: float
    low: float | None
    high: float | None
    count: int

    @property
    def has_interval(self):
        return self.low is not None

    def is_narrow(self, width):
        """Whether the whole interval is no wider than this share of the median."""
        return self.has_interval and self.high - self.low <= width * abs(self.median)


def median(values):
    ordered = sorted(values)
    if not ordered:
        raise ValueError("the median of no values")
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def interval_rank(count, confidence=CONFIDENCE):
    """The largest k for which the k-th smallest and the k-th largest of `count` values hold the median between them with this
    confidence at least; nothing where even the extremes do not. As often as not a value lies under the median, so that the number
    of those that do is binomial (David and Nagaraja, Order Statistics, section 7.1)."""
    tail, best = 0.0, None
    for k in range(1, count // 2 + 1):
        tail += math.comb(count, k - 1) / 2**count
        if 1 - 2 * tail < confidence:
            break
        best = k
    return best


def estimate(values):
    """Median and interval of all values, none left out."""
    ordered = sorted(values)
    k = interval_rank(len(ordered))
    low, high = (ordered[k - 1], ordered[-k]) if k else (None, None)
    return Estimate(median(ordered), low, high, len(ordered))


def harmonic_mean(rates):
    """The mean of rates of equal amounts of work: all the work by all the time."""
    if not rates or any(rate <= 0 for rate in rates):
        raise ValueError("the harmonic mean is of rates above zero")
    return len(rates) / sum(1 / rate for rate in rates)


def ratio(above, below):
    """above / below, with the widest interval that both intervals allow: no less than the 95 % of either alone would be honest
    for a ratio, so this one is wide."""
    if not (above.has_interval and below.has_interval):
        return Estimate(above.median / below.median, None, None, min(above.count, below.count))
    return Estimate(above.median / below.median, above.low / below.high, above.high / below.low, min(above.count, below.count))
