"""Votes, against cases that were counted by hand."""

import math

import numpy as np
import pytest
from conftest import ABC, STATE, cases, engine, fitted
from judged_cases import Question, sets_of
from log_odds import LogOdds
from majority import Majority

A, B = [0.8, 0.1, 0.1], [0.1, 0.7, 0.2]


def three(*labels):
    return cases(**{f"e{number}": engine("abc", [label]) for number, label in enumerate(labels)})


def test_most_votes_win():
    made = three(A, A, B)
    found = fitted(Majority, ABC, made, [0]).answer(made)
    assert found.finding[0, 0] == 0 and not found.open[0, 0]
    assert found.confidence[0] == pytest.approx((0.8 + 0.8 + 0.1) / 3)


def test_a_draw_is_left_open_and_an_abstainer_has_no_vote():
    made = three(A, B, None)
    found = fitted(Majority, ABC, three(A, B, B), [0]).answer(made)
    assert found.open[0, 0]
    assert not fitted(Majority, ABC, three(A, B, B), [0]).answer(three(None, B, None)).open[0, 0]


def test_where_nobody_judged_the_question_is_open():
    found = fitted(Majority, STATE, cases(e=engine(STATE.findings, [A])), [0]).answer(cases(e=engine(STATE.findings, [B, None])))
    assert found.open[:, 0].tolist() == [False, True] and found.confidence[1] == 0 and found.finding[1, 0] == STATE.default


def test_an_engine_without_a_voice_leaves_the_default_at_its_base_rate():
    silent = cases(e=engine(STATE.findings, [None] * 8))
    found = fitted(Majority, STATE, silent, [0] * 6 + [1, 2]).answer(silent)
    assert found.finding[0, 0] == 0 and not found.open[0, 0]
    assert found.confidence[0] == pytest.approx(7 / 11)  # one more of each of the three


def test_none_of_an_engine_that_knows_a_part_means_any_other_finding():
    assert sets_of(("none", "high"), STATE).tolist() == [[True, False, True], [False, True, False]]
    made = cases(hyper=engine(("none", "high"), [[0.9, 0.1], [0.9, 0.1], [0.2, 0.8]]), hypo=engine(("none", "low"), [[0.9, 0.1], [0.3, 0.7], [0.3, 0.7]]))
    found = fitted(Majority, STATE, made, [0, 2, 1]).answer(made)
    assert found.finding[:2, 0].tolist() == [0, 2]
    assert found.open[:, 0].tolist() == [False, False, True], "high and low contradict each other"


def test_classes_that_are_no_findings_are_no_voice():
    assert sets_of(("x", "none"), STATE) is None
    assert sets_of(("true", "false"), STATE, {"true": "high", "false": "none"}).tolist() == [[False, True, False], [True, False, True]]


def held_out(right_of_hundred):
    """Engines of 98 cases, of which so many less one are right: shrunk by one right and one wrong that is a share of a hundred."""
    return cases(**{f"e{number}": engine("ab", [[0.9, 0.1]] * (right - 1) + [[0.1, 0.9]] * (99 - right)) for number, right in enumerate(right_of_hundred)})


def test_one_good_engine_outvotes_two_poor_ones():
    question = Question("q", ("a", "b"))
    vote = fitted(LogOdds, question, held_out([90, 60, 60]), [0] * 98)
    assert vote.weight[0]["e0"] == pytest.approx(math.log(9)) and vote.weight[0]["e1"] == pytest.approx(math.log(1.5))
    asked = cases(e0=engine("ab", [[0.9, 0.1]]), e1=engine("ab", [[0.2, 0.8]]), e2=engine("ab", [[0.2, 0.8]]))
    found = vote.answer(asked)
    assert found.finding[0, 0] == 0
    certain = 9 / (9 + 1.5 * 1.5)
    assert found.confidence[0] == pytest.approx(certain * (0.9 + 0.2 + 0.2) / 3)
    even = fitted(LogOdds, question, held_out([75, 75, 75]), [0] * 98)
    assert even.answer(asked).finding[0, 0] == 1


def test_an_engine_that_came_later_has_the_usual_weight():
    question = Question("q", ("a", "b"))
    vote = fitted(LogOdds, question, held_out([90]), [0] * 98)
    vote.voices[0].append(vote.voices[0][0].__class__("late", vote.voices[0][0].sets))
    found = vote.answer(cases(e0=engine("ab", [[0.9, 0.1]]), late=engine("ab", [[0.05, 0.95]])))
    assert found.finding[0, 0] == 0 and found.confidence[0] == pytest.approx(0.5 * (0.9 + 0.05) / 2), "a draw of equal weights"
    assert np.isfinite(found.confidence).all()
