"""Stacking (Wolpert, "Stacked generalization", Neural Networks 1992): for each question a multinomial logistic regression over what all
engines said, fitted to held-out judgments. It answers always."""

import warnings

import numpy as np
from combiner import Combiner
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits


def logistic():
    return make_pipeline(StandardScaler(), LogisticRegression(C=1.0, max_iter=500))


def fit_quietly(model, inputs, answers, **more):
    # 500 iterations are enough for a comparison; of products so small, threads make slow ones.
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(inputs, answers, **more)


class Statements:
    """Judgments as columns of numbers: of each engine the logarithm of each probability, typicality, and whether it judged. What is
    missing, from a case or whole, has the mean of the cases that it was fitted to."""

    def fit(self, cases):
        self.classes = {name: len(engine.classes) for name, engine in cases.engines.items() if engine.judged.any()}
        self.means = {}
        self.means = {name: np.nanmean(self.of_engine(cases.engines[name]), axis=0) for name in self.classes}
        return self

    @staticmethod
    def of_engine(engine):
        logs = np.log(np.clip(engine.probability, 1e-6, 1))
        return np.column_stack([logs, np.where(engine.judged, engine.typicality, np.nan)])

    def of(self, cases):
        columns = []
        for name in self.classes:
            if name in cases.engines:
                said, judged = self.of_engine(cases.engines[name]), cases.engines[name].judged.astype(float)
            else:
                said, judged = np.full((len(cases), self.classes[name] + 1), np.nan), np.zeros(len(cases))
            columns += [np.where(np.isnan(said), self.means[name], said), judged[:, None]]
        return np.column_stack(columns) if columns else np.zeros((len(cases), 1))


class Stacking(Combiner):
    name = "stacking"

    def fit_question(self, q, heard, gold):
        """Every engine is read, whichever question it speaks to: see fit_cases."""

    def fit_cases(self, cases, gold):
        self.statements = Statements().fit(cases)
        inputs = self.statements.of(cases)
        self.models = []
        for q in range(len(self.questions)):
            known = gold[:, q] >= 0
            several = len(np.unique(gold[known, q])) > 1
            self.models.append(fit_quietly(logistic(), inputs[known], gold[known, q]) if several else None)

    def answer_any(self, q, cases):
        n = len(cases)
        if self.models[q] is None:
            only = int(np.argmax(self.base_rate[q]))
            return np.full(n, only), np.full(n, self.base_rate[q][only]), np.zeros(n, bool)
        probability = self.models[q].predict_proba(self.statements.of(cases))
        best = np.argmax(probability, axis=1)
        return self.models[q].classes_[best].astype(int), probability[np.arange(n), best], np.zeros(n, bool)
