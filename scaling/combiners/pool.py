"""The logarithmic pool of the engines' probabilities (Genest and Zidek, "Combining probability distributions", Statistical Science
1986): their product, made to sum to one. What is conformal or has a guaranteed risk starts from it, since nothing is fitted."""

import numpy as np
from combiner import Combiner


def pool(heard):
    """[n, findings]. An engine that did not judge a case has no part in it."""
    least = 1e-9
    logs = sum(np.where(each.judged[:, None], np.log(np.maximum(each.by_finding(), least)), 0) for each in heard)
    odds = np.exp(logs - logs.max(axis=1, keepdims=True))
    return odds / odds.sum(axis=1, keepdims=True)


class Pool(Combiner):
    name = "product of probabilities"

    def answer_question(self, q, heard):
        probability = pool(heard)
        finding = self.likeliest(q, probability)
        return finding, probability[np.arange(len(finding)), finding], np.zeros(len(finding), bool)
