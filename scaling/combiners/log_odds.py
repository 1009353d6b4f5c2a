"""Votes weighted by the log-odds that their engine is right (Nitzan and Paroush, "Optimal decision rules in uncertain dichotomous
choice situations", International Economic Review 1982)."""

import numpy as np
from combiner import Combiner, reliability


class LogOdds(Combiner):
    name = "log-odds vote"

    def fit(self, cases, gold):
        self.weight = [{} for _ in self.questions]
        return super().fit(cases, gold)

    def fit_question(self, q, heard, gold):
        for each in heard:
            right = reliability(each, gold)
            self.weight[q][each.engine] = np.log(right / (1 - right))

    def answer_question(self, q, heard):
        known = list(self.weight[q].values())
        usual = float(np.mean(known)) if known else 1.0  # of an engine that came after the fitting
        scores = sum(self.weight[q].get(each.engine, usual) * (each.sets[each.label()] * each.judged[:, None]) for each in heard)
        finding = self.likeliest(q, scores)
        odds = np.exp(scores - scores.max(axis=1, keepdims=True))
        certain = (odds / odds.sum(axis=1, keepdims=True))[np.arange(len(finding)), finding]
        # Weights are the same for all cases in which the same engines say the same: their own confidence orders those.
        mean = sum(each.by_finding() for each in heard)[np.arange(len(finding)), finding] / sum(each.judged for each in heard)
        return finding, certain * mean, np.zeros(len(finding), bool)
