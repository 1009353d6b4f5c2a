"""Split conformal prediction by class (Vovk, "Conditional validity of inductive conformal predictors", 2012): with probability
1 - ALPHA the set holds the truth, whatever the truth is. A set of one finding is an answer; every other one leaves the question open.

A class with fewer than 1 / ALPHA - 1 held-out cases can never be excluded."""

import numpy as np
from combiner import Combiner
from pool import pool

ALPHA = 0.05


def p_values(scores, calibration):
    """[n, classes]: how usual each score is among the held-out scores of its class; larger scores are stranger."""
    result = np.ones(scores.shape)
    for f, known in enumerate(calibration):
        at_least = len(known) - np.searchsorted(known, scores[:, f], side="left")
        result[:, f] = (1 + at_least) / (1 + len(known))
    return result


class Conformal(Combiner):
    name = "conformal by class"

    def fit(self, cases, gold):
        self.calibration = [[] for _ in self.questions]
        return super().fit(cases, gold)

    def fit_question(self, q, heard, gold):
        heard = [each for each in heard if each.engine in self.spoken[q]]
        if not heard:
            return
        said = np.any([each.judged for each in heard], axis=0)
        scores = 1 - pool(heard)
        self.calibration[q] = [np.sort(scores[said & (gold == f), f]) for f in range(len(self.questions[q].findings))]

    def answer_question(self, q, heard):
        probability = pool(heard)
        if not self.calibration[q]:  # no engine spoke when it was fitted
            return self.likeliest(q, probability), np.zeros(len(probability)), np.ones(len(probability), bool)
        p = p_values(1 - probability, self.calibration[q])
        alone = (p > ALPHA).sum(axis=1) == 1
        # Sets do not order cases, and a class without held-out cases has the highest p-value of all: beyond its sets the pool speaks.
        finding = np.where(alone, np.argmax(p, axis=1), self.likeliest(q, probability))
        return finding, probability[np.arange(len(finding)), finding], ~alone
