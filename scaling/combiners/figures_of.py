"""What answers are worth, by the definitions of `hiple gates` (docs/gates.md). An open case stays in every denominator."""

from dataclasses import dataclass

import numpy as np
from bounds import lower_bound, sign_test, upper_bound
from truth import Decided


@dataclass(frozen=True)
class Share:
    """`count` of `n` cases; the bound is of clusters, where there are any: one bad case makes its cluster a bad one."""

    count: int
    n: int
    bad: int  # clusters
    units: int

    @property
    def ratio(self):
        return self.count / self.n if self.n else float("nan")


def share(good, rows, cluster, miss=False):
    """Of the rows; `miss` tells that what is counted is bad."""
    counted = good[rows]
    bad = np.unique(cluster[rows][counted if miss else ~counted])
    return Share(int(counted.sum()), int(rows.sum()), len(bad), len(np.unique(cluster[rows])))


def bound(value, miss):
    """The upper bound of misses, the lower bound of successes."""
    worst = upper_bound(value.bad, value.units)
    return worst if miss else (1 - worst if value.units else float("nan"))


def right_of(decided, truth):
    """[n, q]: decided with the true finding, or with what is right as well."""
    hit = (decided.finding == truth.gold) | ((truth.also >= 0) & (decided.finding == truth.also))
    return decided.decided & hit


def exact_of(decided, truth):
    return right_of(decided, truth)[:, truth.has_truth].all(axis=1)


def silent_of(decided, truth):
    """[n, q] bool: critical findings; those that are decided with a finding that does not cover them; those that are left open with
    nobody called."""
    critical, silent = np.zeros(truth.gold.shape, bool), np.zeros(truth.gold.shape, bool)
    for q, covers in enumerate(truth.covers):
        rows = np.flatnonzero(truth.gold[:, q] >= 0)
        gold = truth.gold[rows, q]
        critical[rows, q] = covers[gold].any(axis=1)
        silent[rows, q] = critical[rows, q] & decided.decided[rows, q] & ~covers[gold, decided.finding[rows, q]]
    return critical, silent, critical & ~decided.decided & ~decided.escalated


def measure(decided, truth):
    """The figures by name: Share, and of `questions` a Share each."""
    rows, right = truth.known, right_of(decided, truth)
    exact = right[:, truth.has_truth].all(axis=1)
    whole = decided.decided.all(axis=1)
    positive = (truth.gold != truth.default[None, :]) & (truth.gold >= 0)
    found = (~positive | right | decided.escalated).all(axis=1)
    claimed = (~positive | right).all(axis=1)
    critical, silent, dropped = silent_of(decided, truth)
    critical_rows, cross = rows & critical.any(axis=1), rows & truth.crosses
    every = np.ones(len(rows), bool)
    of = lambda good, where, miss=False: share(good, where, truth.cluster, miss)
    return {
        "coverage": of(whole, every),
        "exact": of(exact, rows),
        "wrong": of(whole & ~exact, rows, True),
        "risk": of(~exact, rows & whole, True),
        "claimed": of(claimed, cross),
        "found": of(found, cross),
        "silent": of(silent.any(axis=1), critical_rows, True),
        "strict": of((silent | dropped).any(axis=1), critical_rows, True),
        "questions": [of(right[:, q], truth.gold[:, q] >= 0) for q in range(truth.gold.shape[1])],
    }


MISSES = {"wrong", "risk", "silent", "strict"}


def at_coverage(decided, coverage, whole=None):
    """The surest cases, so many of all; a case that was not decided whole is never accepted. Equal ones in the order of cases."""
    whole = decided.decided.all(axis=1) if whole is None else whole
    order = [row for row in np.argsort(-decided.confidence, kind="stable") if whole[row]]
    accepted = np.zeros(len(whole), bool)
    accepted[order[:round(coverage * len(whole))]] = True
    return decided.accepting(accepted)


def own(answers):
    """A combiner's answers where it decides by itself what it leaves open."""
    return Decided(answers.finding, ~answers.open, np.zeros(answers.open.shape, bool), answers.confidence)


def forced(answers):
    """All of its answers, to be ordered by confidence."""
    return Decided(answers.finding, np.ones(answers.open.shape, bool), np.zeros(answers.open.shape, bool), answers.confidence)


@dataclass(frozen=True)
class Paired:
    better: int  # clusters in which the rival has more cases right than the law, or cases where there are no clusters
    worse: int
    p: float


def paired(rival, law, truth):
    """Both on the same cases; what is left open is not right. Exact: McNemar's test, of clusters a sign test."""
    difference = exact_of(rival, truth).astype(int) - exact_of(law, truth).astype(int)
    rows = truth.known
    _, number = np.unique(truth.cluster[rows], return_inverse=True)
    by_cluster = np.bincount(number, weights=difference[rows])
    better, worse = int((by_cluster > 0).sum()), int((by_cluster < 0).sum())
    return Paired(better, worse, sign_test(better, worse))


def risk_curve(decided, truth):
    """(coverage, wrong of accepted, silent critical misses of critical cases), from the surest case on, after each."""
    rows, whole = truth.known, decided.decided.all(axis=1)
    order = [row for row in np.argsort(-decided.confidence, kind="stable") if whole[row] and rows[row]]
    wrong = ~exact_of(decided, truth)[order]
    critical, silent, _ = silent_of(decided, truth)
    accepted = np.arange(1, len(order) + 1)
    n, k = max(1, rows.sum()), max(1, (critical.any(axis=1) & rows).sum())
    return accepted / n, np.cumsum(wrong) / accepted, np.cumsum(silent.any(axis=1)[order]) / k
