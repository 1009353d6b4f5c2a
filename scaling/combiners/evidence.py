"""Dempster's rule and Yager's variant (Shafer, "A Mathematical Theory of Evidence", 1976; Yager, "On the Dempster-Shafer framework
and new combination rules", Information Sciences 1987).

A mass function maps sets of findings, as bit masks, to masses: a number, or one for each of n cases."""

import numpy as np
from combiner import Combiner, reliability

CONFLICT = 0  # the empty set


def conjunction(masses):
    """All at once, without normalising: what they contradict each other in lies on the empty set."""
    combined = dict(masses[0])
    for mass in masses[1:]:
        product = {}
        for one, a in combined.items():
            for other, b in mass.items():
                product[one & other] = product.get(one & other, 0) + a * b
        combined = product
    return combined


def dempster(masses):
    """Conflict is left out, and the rest made to sum to one; NaN where all is conflict."""
    combined = conjunction(masses)
    rest = 1 - np.asarray(combined.pop(CONFLICT, 0.0), float)
    with np.errstate(divide="ignore", invalid="ignore"):
        return {focal: np.where(rest > 1e-12, mass / rest, np.nan) for focal, mass in combined.items()}


def yager(masses, frame):
    """Conflict is ignorance: it goes to the whole frame."""
    combined = conjunction(masses)
    conflict = combined.pop(CONFLICT, 0.0)
    combined[frame] = combined.get(frame, 0.0) + conflict
    return combined


def pignistic(mass, findings):
    """Each set's mass shared by its findings (Smets and Kennes, "The transferable belief model", 1994). [n, findings]"""
    shares = 0
    for focal, value in mass.items():
        inside = np.array([(focal >> f) & 1 for f in range(findings)], float)
        shares = shares + np.asarray(value, float)[..., None] * inside / inside.sum()
    return shares


class Evidence(Combiner):
    """Each engine's probabilities are masses, discounted by how often it is right; what it does not vouch for is ignorance."""

    def fit(self, cases, gold):
        self.trust = [{} for _ in self.questions]
        return super().fit(cases, gold)

    def fit_question(self, q, heard, gold):
        for each in heard:
            self.trust[q][each.engine] = reliability(each, gold)

    def masses(self, q, heard):
        frame = (1 << len(self.questions[q].findings)) - 1
        known = list(self.trust[q].values())
        usual = float(np.mean(known)) if known else 0.5  # of an engine that came after the fitting
        for each in heard:
            trust = self.trust[q].get(each.engine, usual) * each.judged
            mass = {frame: 1 - trust}
            for inside, probability in zip(each.sets, np.nan_to_num(each.probability).T):
                focal = int(sum(1 << f for f in np.flatnonzero(inside)))
                mass[focal] = mass.get(focal, 0) + trust * probability
            yield mass

    def combine(self, q, masses):
        raise NotImplementedError

    def answer_question(self, q, heard):
        shares = pignistic(self.combine(q, list(self.masses(q, heard))), len(self.questions[q].findings))
        contradictory = ~np.isfinite(shares).all(axis=1)
        shares = np.nan_to_num(shares)
        finding = self.likeliest(q, shares)
        sure = shares[np.arange(len(finding)), finding]
        return finding, sure, contradictory | (sure <= 0.5)


class DempsterShafer(Evidence):
    name = "Dempster-Shafer"

    def combine(self, q, masses):
        return dempster(masses)


class Yager(Evidence):
    name = "Yager"

    def combine(self, q, masses):
        return yager(masses, (1 << len(self.questions[q].findings)) - 1)
