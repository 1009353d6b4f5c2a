"""Networks on all columns, trained by hiple as engines: one for all questions together, whose classes are the combinations of findings
that training cases have, and one for each question."""

import numpy as np
from combiner import Answers

ENGINE = "monolith"
SEPARATOR = "|"


def engine_of(question):
    return f"{ENGINE}_{question.name}"


def engines_alone(cases, questions):
    """Without these networks: what every other rival sees."""
    for name in (ENGINE, *map(engine_of, questions)):
        cases = cases.without(name)
    return cases


class Monolith:
    name = "monolith"

    def __init__(self, questions):
        self.questions = questions

    def fit(self, cases, gold):
        return self

    def answer(self, cases):
        engine = cases.engines[ENGINE]
        parts = [text.split(SEPARATOR) for text in engine.classes]
        meaning = np.array([[question.findings.index(part) for question, part in zip(self.questions, each)] for each in parts])
        probability = np.nan_to_num(engine.probability)
        best = np.argmax(probability, axis=1)
        open_ = np.repeat(~engine.judged[:, None], len(self.questions), axis=1)
        return Answers(meaning[best], probability[np.arange(len(best)), best], open_)


class NetworkAQuestion:
    """A combination that training never saw is open to it, and each of its networks costs what the monolith costs."""

    name = "a network a question"

    def __init__(self, questions):
        self.questions = questions

    def fit(self, cases, gold):
        """A question with one finding in training has no network, and that finding for its answer."""
        known = [gold[gold[:, q] >= 0, q] for q in range(len(self.questions))]
        self.usual = [int(np.bincount(each).argmax()) if len(each) else question.default or 0
                      for question, each in zip(self.questions, known)]
        return self

    def answer(self, cases):
        n = len(cases)
        finding, sure, open_ = np.tile(self.usual, (n, 1)), np.ones(n), np.zeros((n, len(self.questions)), bool)
        for q, question in enumerate(self.questions):
            engine = cases.engines.get(engine_of(question))
            if engine is None:
                continue
            probability = np.nan_to_num(engine.probability)
            meaning = np.array([question.findings.index(text) for text in engine.classes])
            best = np.argmax(probability, axis=1)
            finding[:, q], open_[:, q] = meaning[best], ~engine.judged
            sure = sure * probability[np.arange(n), best]
        return Answers(finding, sure, open_)


NETWORKS = (Monolith, NetworkAQuestion)
