"""The rival of the planted study's law: a logistic regression on what all engines say."""

import h5py
import numpy as np


def judged(world, directory):
    """log-probabilities [cases, classes] of each engine; a voice that is missing counts as one that knows nothing."""
    result = {}
    for engine in world.engines:
        with h5py.File(directory / "judgments" / f"{engine}.h5") as file:
            probability = file["probability"][...].astype(np.float64)
            probability[file["status"][...] != 0] = 1 / probability.shape[1]
            result[engine] = np.log(np.clip(probability, 1e-6, 1))
    return result


def stacking(world, cases, directory, seed=3):
    """The rival: for each question a logistic regression on the judgments of every engine, each of which always speaks. It learns from
    half of the ordinary test cases, more than the law has seen, and is asked about the rest. Returns (asked, label, confidence)."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from threadpoolctl import threadpool_limits

    inputs = np.concatenate(list(judged(world, directory).values()), axis=1)
    ordinary = np.flatnonzero(cases.test & (cases.kind == "ordinary"))
    learning = np.random.default_rng(seed).permutation(ordinary)[: len(ordinary) // 2]
    asked = cases.test.copy()
    asked[learning] = False
    label, confidence = np.zeros(cases.truth.shape, np.int16), np.ones(cases.truth.shape)
    for question in range(len(world.domains)):
        known = np.unique(cases.truth[learning, question])
        if len(known) < 2:
            label[:, question] = known[0]
            continue
        model = make_pipeline(StandardScaler(), LogisticRegression(C=1.0, max_iter=500))
        with threadpool_limits(1):  # of products so small, threads make slow ones
            probability = model.fit(inputs[learning], cases.truth[learning, question]).predict_proba(inputs)
        label[:, question] = model.classes_[probability.argmax(axis=1)]
        confidence[:, question] = probability.max(axis=1)
    return asked, label, confidence


def share(values):
    return {"count": int(np.sum(values)), "n": int(np.size(values))}


def compare_with_stacking(world, cases, answers, directory):
    """What law and rival do with cases unlike any before, when both answer the same share of the ordinary ones."""
    asked, label, confidence = stacking(world, cases, directory)
    ordinary, strange = asked & (cases.kind == "ordinary"), asked & (cases.kind == "unseen")
    coverage = np.mean(cases.at_home(answers.decided)[ordinary])
    at_home = cases.at_home(confidence)
    threshold = np.quantile(at_home[ordinary], 1 - coverage)
    answered = at_home >= threshold
    right = cases.at_home(label) == cases.at_home(cases.truth)
    return {"coverage_at_home": float(coverage), "threshold": float(threshold),
            "ordinary_right": {"law": share(cases.at_home(answers.right)[ordinary]), "stacking": share((right & answered)[ordinary])},
            "strange_answered": {"law": share(cases.at_home(answers.decided)[strange]), "stacking": share(answered[strange])}}
