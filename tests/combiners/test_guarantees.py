"""Conformal sets and thresholds with a guaranteed risk."""

import math

import numpy as np
import pytest
from bounds import upper_bound
from conformal import Conformal, p_values
from conftest import ABC, STATE, cases, engine, fitted
from guaranteed_risk import GuaranteedRisk, threshold_for
from judged_cases import Question
from pool import pool

TWO = Question("q", ("a", "b"))


def test_p_values_by_hand():
    p = p_values(np.array([[0.2, 0.2]]), [np.array([0.1, 0.2, 0.3]), np.array([])])
    assert p.tolist() == [[3 / 4, 1.0]], "two of three are at least as strange; a class without held-out cases is never excluded"


def calibrated(of_b):
    """Forty cases of a, all judged a at 0.9; cases of b, all judged b at 0.9."""
    made = cases(e=engine("ab", [[0.9, 0.1]] * 40 + [[0.1, 0.9]] * of_b))
    return fitted(Conformal, TWO, made, [0] * 40 + [1] * of_b)


def test_a_set_of_one_finding_is_an_answer():
    found = calibrated(40).answer(cases(e=engine("ab", [[0.95, 0.05], [0.5, 0.5]])))
    assert found.finding[0, 0] == 0 and not found.open[0, 0]
    assert found.open[1, 0], "stranger than all of both classes: the set is empty"


def test_a_rare_class_is_never_excluded():
    assert calibrated(18).answer(cases(e=engine("ab", [[0.95, 0.05]]))).open[0, 0], "1 / (18 + 1) is over .05"
    assert not calibrated(20).answer(cases(e=engine("ab", [[0.95, 0.05]]))).open[0, 0]


def test_every_class_keeps_its_coverage():
    random = np.random.default_rng(3)
    truth = (random.random(4000) < 0.1).astype(int)  # one in ten is b, and b is seen worse
    seen = np.clip(np.where(truth == 1, random.normal(0.55, 0.25, 4000), random.normal(0.15, 0.1, 4000)), 0.001, 0.999)
    made = cases(e=engine("ab", np.column_stack([1 - seen, seen])))
    half = np.arange(4000) < 2000
    combiner = fitted(Conformal, TWO, made.take(np.flatnonzero(half)), truth[half])
    asked = made.take(np.flatnonzero(~half))
    p = p_values(1 - pool(combiner.hear(0, asked)), combiner.calibration[0])
    for finding in (0, 1):
        rows = truth[~half] == finding
        inside = int((p[rows, finding] > 0.05).sum())
        assert inside / rows.sum() > 0.95 - 3 * math.sqrt(0.05 * 0.95 / rows.sum())


def test_the_pool_is_the_product():
    made = cases(hyper=engine(("none", "high"), [[0.9, 0.1]]), hypo=engine(("none", "low"), [[0.2, 0.8]]))
    found = fitted(GuaranteedRisk, STATE, made, [2])
    product = np.array([0.9 * 0.2, 0.1 * 0.2, 0.9 * 0.8])
    assert pool(found.hear(0, made))[0] == pytest.approx(product / product.sum())


def test_threshold_by_hand():
    """Eight hundred sure cases that are right, two hundred unsure ones that are wrong."""
    confidence = np.array([0.9] * 800 + [0.6] * 200)
    wrong = np.array([0] * 800 + [1] * 200)
    assert threshold_for(confidence, wrong, risk=0.05) == 0.9
    assert threshold_for(confidence, wrong, risk=0.25) == 0.6
    assert upper_bound(200, 1000, 1 - 0.05 / 10) < 0.25


def test_too_few_cases_guarantee_nothing():
    assert threshold_for(np.full(50, 0.9), np.zeros(50, int), risk=0.05) == math.inf
    made = cases(e=engine("ab", [[0.9, 0.1]] * 50))
    assert fitted(GuaranteedRisk, TWO, made, [0] * 50).answer(made).open.all()


def test_the_risk_is_kept():
    """Of many draws, hardly any accepts cases of which more than the risk are wrong."""
    broken = 0
    for seed in range(60):
        random = np.random.default_rng(seed)
        sure = random.uniform(0.5, 1, 1500)
        threshold = threshold_for(sure, (random.random(1500) > sure).astype(int), risk=0.1)
        accepted = np.linspace(0.5, 1, 10001)
        accepted = accepted[accepted >= threshold]
        broken += len(accepted) > 0 and np.mean(1 - accepted) > 0.1
    assert broken <= 6
