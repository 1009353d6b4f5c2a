"""Stacking, the learned gate and the monolith: what is learned, and what comes where something is missing."""

import numpy as np
import pytest
from conftest import STATE, cases, engine, fitted
from judged_cases import Question
from learned_gate import LearnedGate
from monolith import Monolith, NetworkAQuestion, engines_alone
from stacking import Stacking

TWO = Question("q", ("a", "b"))


def world(n=600, seed=1):
    """One engine sees the truth while its typicality is high; the other while that of the first is low. Returns (cases, gold)."""
    random = np.random.default_rng(seed)
    gold, first = random.integers(2, size=n), random.random(n) < 0.5
    seen = lambda good: np.where(good, np.where(gold == 1, 0.9, 0.1), random.choice([0.1, 0.9], size=n))
    one, two = seen(first), seen(~first)
    made = cases(one=engine("ab", np.column_stack([1 - one, one]), np.where(first, 0.9, 0.1)), two=engine("ab", np.column_stack([1 - two, two])))
    return made, gold


def right(found, gold):
    return float((found.finding[:, 0] == gold).mean())


def test_the_gate_learns_whom_to_believe():
    made, gold = world()
    asked, truth = world(seed=2)
    assert right(fitted(LearnedGate, TWO, made, gold).answer(asked), truth) > 0.97
    assert right(fitted(Stacking, TWO, made, gold).answer(asked), truth) < 0.9, "no sum of statements does"


def test_stacking_learns_across_questions():
    """An engine that speaks to another question tells what this one's engine does not see."""
    random = np.random.default_rng(1)
    gold = random.integers(2, size=400)
    blind = engine("ab", [[0.6, 0.4]] * 400)
    telling = engine("xy", np.where(gold[:, None] == 1, [0.1, 0.9], [0.9, 0.1]))
    made = cases(blind=blind, telling=telling)
    stacking = Stacking([TWO], [[]]).fit(made, gold[:, None])
    assert right(stacking.answer(made), gold) == 1.0


def test_where_an_engine_is_lost_stacking_answers_all_the_same():
    made, gold = world()
    stacking = fitted(Stacking, TWO, made, gold)
    found = stacking.answer(made.without("one"))
    assert not found.open.any() and np.isfinite(found.confidence).all()
    assert 0.6 < right(found, gold) < 0.9


def test_a_case_that_an_engine_did_not_judge_is_filled_with_the_mean():
    made, gold = world()
    combiner = fitted(Stacking, TWO, made, gold)
    filled = combiner.statements.of(cases(one=engine("ab", [None]), two=engine("ab", [[0.5, 0.5]])))
    assert filled[0, :3] == pytest.approx(combiner.statements.means["one"]) and filled[0, 3] == 0


def test_a_question_with_one_answer_needs_no_model():
    made, _ = world(20)
    found = fitted(Stacking, TWO, made, [1] * 20).answer(made)
    assert (found.finding == 1).all() and found.confidence == pytest.approx(21 / 22)


def test_truth_that_is_not_known_teaches_nothing():
    made, gold = world()
    some = gold.copy()
    some[300:] = -1
    alone = fitted(Stacking, TWO, made.take(np.arange(300)), gold[:300]).answer(made)
    assert right(fitted(Stacking, TWO, made, some).answer(made), gold) == pytest.approx(right(alone, gold), abs=0.05)


def test_the_monolith_answers_all_questions_by_one_class():
    other = Question("other", ("yes", "no"))
    made = cases(monolith=engine(("none|no", "high|yes", "low|no"), [[0.2, 0.7, 0.1], None]))
    found = Monolith([STATE, other]).fit(None, None).answer(made)
    assert found.finding[0].tolist() == [1, 0] and found.confidence[0] == pytest.approx(0.7)
    assert found.open.tolist() == [[False, False], [True, True]] and found.confidence[1] == 0


def test_a_network_a_question_can_answer_what_no_training_case_was():
    other = Question("other", ("yes", "no"))
    made = cases(monolith_state=engine(("low", "none"), [[0.9, 0.1], None]), hyper=engine(("a",), [[1.0], [1.0]]))
    found = NetworkAQuestion([STATE, other]).fit(None, np.array([[0, 1], [2, 1], [-1, 0], [2, -1]])).answer(made)
    assert found.finding[0].tolist() == [2, 1], "the other question had no network: its usual answer"
    assert found.confidence[0] == pytest.approx(0.9) and found.open.tolist() == [[False, False], [True, False]]
    assert list(engines_alone(made, [STATE, other]).engines) == ["hyper"]
