"""A learned gate: for each case it weighs the engines that speak to a question, and the base rate beside them (Jacobs et al.,
"Adaptive mixtures of local experts", 1991, with the experts as they are). Fitted by expectation and maximisation to held-out
judgments (Jordan and Jacobs, "Hierarchical mixtures of experts and the EM algorithm", 1994)."""

import numpy as np
from combiner import Combiner
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler
from stacking import Statements, fit_quietly

ROUNDS = 6


class LearnedGate(Combiner):
    name = "learned gate"

    def opinions(self, q, heard, n):
        """[n, experts, findings]: an engine's set shares its probability; one that did not judge has the base rate."""
        base = np.tile(self.base_rate[q], (n, 1))
        opinions = [base]
        by_name = {each.engine: each for each in heard}
        for name in self.experts[q]:
            each = by_name.get(name)
            if each is None:
                opinions.append(base)
                continue
            shared = each.sets / each.sets.sum(axis=1, keepdims=True)
            opinions.append(np.where(each.judged[:, None], np.nan_to_num(each.probability) @ shared, base))
        return np.stack(opinions, axis=1)

    def fit_cases(self, cases, gold):
        self.statements = Statements().fit(cases)
        self.scale = StandardScaler().fit(self.statements.of(cases))
        inputs = self.scale.transform(self.statements.of(cases))
        self.experts = [sorted(names) for names in self.spoken]
        self.gates = []
        for q in range(len(self.questions)):
            known = np.flatnonzero(gold[:, q] >= 0)
            self.gates.append(self.fit_gate(q, self.hear(q, cases, known), inputs[known], gold[known, q]))

    def fit_gate(self, q, heard, inputs, gold):
        n, experts = len(gold), len(self.experts[q]) + 1
        if experts == 1 or n == 0:
            return None
        likelihood = np.maximum(self.opinions(q, heard, n)[np.arange(n), :, gold], 1e-9)
        weight = np.full((n, experts), 1 / experts)
        gate = LogisticRegression(C=1.0, max_iter=100, tol=1e-3, warm_start=True)  # a round begins where the last one ended
        for _ in range(ROUNDS):
            share = weight * likelihood
            share /= share.sum(axis=1, keepdims=True)
            fit_quietly(gate, np.tile(inputs, (experts, 1)), np.repeat(np.arange(experts), n), sample_weight=share.T.ravel())
            weight = gate.predict_proba(inputs)
        return gate

    def answer_any(self, q, cases):
        n = len(cases)
        if self.gates[q] is None:
            fallback = self.fallback(q)
            return np.full(n, fallback), np.full(n, self.base_rate[q][fallback]), np.zeros(n, bool)
        weight = self.gates[q].predict_proba(self.scale.transform(self.statements.of(cases)))
        mixture = (weight[:, :, None] * self.opinions(q, self.hear(q, cases), n)).sum(axis=1)
        finding = self.likeliest(q, mixture)
        return finding, mixture[np.arange(n), finding], np.zeros(n, bool)
