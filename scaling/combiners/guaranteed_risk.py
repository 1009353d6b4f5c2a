"""A threshold on the confidence under which, with confidence 1 - DELTA, at most RISK of the accepted cases are wrong (Geifman and
El-Yaniv, "Selective classification for deep neural networks", NeurIPS 2017, algorithm 1; exact binomial bounds). The guarantee is for
cases that are drawn as the held-out ones were."""

import math

import numpy as np
from bounds import upper_bound
from combiner import Answers
from pool import Pool

RISK, DELTA = 0.05, 0.05


def threshold_for(confidence, wrong, risk=RISK, delta=DELTA):
    """The least confidence at which cases are accepted; infinity where no threshold can be shown to keep to the risk."""
    order = np.argsort(-confidence, kind="stable")
    sorted_confidence, wrong_so_far = confidence[order], np.cumsum(wrong[order])
    steps = max(1, math.ceil(math.log2(max(2, len(order)))))
    low, high, found = 0, len(order) - 1, math.inf
    for _ in range(steps):
        if low > high:
            break
        middle = (low + high) // 2
        last = int(np.searchsorted(-sorted_confidence, -sorted_confidence[middle], side="right")) - 1  # equal ones go together
        if upper_bound(int(wrong_so_far[last]), last + 1, 1 - delta / steps) <= risk:
            found, low = float(sorted_confidence[middle]), middle + 1
        else:
            high = middle - 1
    return found


class GuaranteedRisk(Pool):
    name = "guaranteed risk"

    def fit_cases(self, cases, gold):
        told = (gold >= 0).any(axis=0)  # questions whose truth somebody told
        known = np.flatnonzero((gold[:, told] >= 0).all(axis=1))
        answers = super().answer(cases.take(known))
        self.threshold = threshold_for(answers.confidence, (answers.finding != gold[known])[:, told].any(axis=1).astype(int))

    def answer(self, cases):
        answers = super().answer(cases)
        rejected = answers.confidence < self.threshold
        return Answers(answers.finding, answers.confidence, answers.open | rejected[:, None])
