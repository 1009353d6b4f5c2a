"""Majority: each engine that judged has one vote, for every finding of the set that it names."""

import numpy as np
from combiner import Combiner


class Majority(Combiner):
    name = "majority"

    def answer_question(self, q, heard):
        votes = sum(each.sets[each.label()] * each.judged[:, None] for each in heard).astype(float)
        voters = sum(each.judged for each in heard)
        mean = sum(each.by_finding() for each in heard) / voters[:, None]
        best = votes.max(axis=1)
        tied = votes == best[:, None]
        finding = self.likeliest(q, np.where(tied, mean, -1))
        # Findings that every voter allows are told apart by nobody: no quarrel. A draw between voters is left open.
        return finding, mean[np.arange(len(finding)), finding], (tied.sum(axis=1) > 1) & (best < voters)
