"""What every combiner is: fitted to held-out judgments with their truth, then asked about cases whose truth it never sees."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Answers:
    """n cases, q questions. `finding` always holds an answer; `open` marks those that the combiner itself would rather not give."""

    finding: np.ndarray  # [n, q] index into the question's findings
    confidence: np.ndarray  # [n] that all of a case's answers are right: cases are accepted in this order
    open: np.ndarray  # [n, q] bool


@dataclass(frozen=True)
class Heard:
    """A voice over some cases."""

    engine: str
    sets: np.ndarray  # [classes, findings] bool
    probability: np.ndarray  # [n, classes]; NaN where it did not judge
    judged: np.ndarray  # [n] bool

    def by_finding(self):
        """How probable it is, by this engine, that the truth lies in the set that holds the finding. [n, findings]"""
        return np.nan_to_num(self.probability) @ self.sets

    def label(self):
        """[n] the likeliest class; 0 where it did not judge."""
        return np.argmax(np.nan_to_num(self.probability), axis=1)


class Combiner:
    """Answers each question by itself. Where no engine speaks to a question the default stands, as sure as its base rate."""

    name = ""
    source = ""  # paper or standard

    def __init__(self, questions, voices):
        self.questions, self.voices = questions, voices  # voices: for each question a list of Voice

    def fit(self, cases, gold):
        """`gold` [n, q]: index of the true finding; -1 where it is not known. Returns itself."""
        self.spoken, self.base_rate = [], []
        for q, question in enumerate(self.questions):
            known = gold[:, q] >= 0
            # An engine that never judged a held-out case, because it always abstains, is no voice.
            self.spoken.append({each.engine for each in self.hear(q, cases)})
            counts = np.bincount(gold[known, q], minlength=len(question.findings)) + 1  # Laplace: nothing is impossible
            self.base_rate.append(counts / counts.sum())
            self.fit_question(q, self.hear(q, cases, known), gold[known, q])
        self.fit_cases(cases, gold)
        return self

    def answer(self, cases):
        finding, sure, left = zip(*(self.answer_any(q, cases) for q in range(len(self.questions))))
        return Answers(np.stack(finding, axis=1), np.prod(np.stack(sure, axis=1), axis=1), np.stack(left, axis=1))

    def fallback(self, q):
        default = self.questions[q].default
        return default if default is not None else int(np.argmax(self.base_rate[q]))

    def hear(self, q, cases, rows=slice(None)):
        """The voices of a question that are there. One that came after the fitting is heard too: it may be of use to some."""
        there = [voice for voice in self.voices[q] if voice.engine in cases.engines and cases.engines[voice.engine].judged.any()]
        return [Heard(voice.engine, voice.sets, cases.engines[voice.engine].probability[rows], cases.engines[voice.engine].judged[rows])
                for voice in there]

    def answer_any(self, q, cases):
        heard = self.hear(q, cases)
        n = len(cases)
        if not self.spoken[q] and not heard:
            return np.full(n, self.fallback(q)), np.full(n, self.base_rate[q][self.fallback(q)]), np.zeros(n, bool)
        silent = ~np.any([each.judged for each in heard], axis=0) if heard else np.ones(n, bool)
        finding, sure, left = np.full(n, self.fallback(q)), np.zeros(n), np.ones(n, bool)
        if not silent.all():
            rows = np.flatnonzero(~silent)
            some = [Heard(each.engine, each.sets, each.probability[rows], each.judged[rows]) for each in heard]
            finding[rows], sure[rows], left[rows] = self.answer_question(q, some)
        return finding, sure, left

    def likeliest(self, q, scores):
        """[n] the finding with the highest score; of equal ones the default, if it is among them."""
        scores = scores.copy()
        if self.questions[q].default is not None:
            scores[:, self.questions[q].default] += 1e-12
        return np.argmax(scores, axis=1)

    # What a combiner is:
    def fit_question(self, q, heard, gold):
        """Of cases whose truth is known."""

    def fit_cases(self, cases, gold):
        """After every question."""

    def answer_question(self, q, heard):
        """finding [n], confidence [n], open [n], of cases of which some engine speaks."""
        raise NotImplementedError


def reliability(each, gold):
    """How often the set that an engine names holds the truth, among held-out cases; shrunk by one right and one wrong."""
    right = each.sets[each.label(), gold][each.judged]
    return (right.sum() + 1) / (len(right) + 2)
