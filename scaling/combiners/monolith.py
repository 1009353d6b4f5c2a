"""One network on all columns, trained by hiple as an engine. Its classes are the combinations of findings that training cases have, so
that it answers all questions at once."""

import numpy as np
from combiner import Answers

ENGINE = "monolith"
SEPARATOR = "|"


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
