"""Dempster's rule and Yager's, against published and hand-made cases."""

import numpy as np
import pytest
from conftest import ABC, STATE, cases, engine, fitted
from evidence import DempsterShafer, Yager, conjunction, dempster, pignistic, yager
from judged_cases import Question

A, B, C, ALL = 1, 2, 4, 7
ZADEH = [{A: 0.99, B: 0.01}, {C: 0.99, B: 0.01}]


def test_zadeh():
    """Zadeh 1979: two sources that agree on nothing but a remote possibility make Dempster's rule certain of it."""
    assert dempster(ZADEH) == {B: pytest.approx(1.0)}
    found = yager(ZADEH, ALL)
    assert found[B] == pytest.approx(0.0001) and found[ALL] == pytest.approx(0.9999)
    assert sum(found.values()) == pytest.approx(1.0)


def test_a_simple_support_function():
    """Shafer 1976, chapter 4: two sources for A with 0.6 and 0.7 give 1 - 0.4 * 0.3."""
    assert dempster([{A: 0.6, ALL: 0.4}, {A: 0.7, ALL: 0.3}])[A] == pytest.approx(0.88)
    assert yager([{A: 0.6, ALL: 0.4}, {A: 0.7, ALL: 0.3}], ALL)[A] == pytest.approx(0.88), "without conflict they are one rule"


def test_conflict_by_hand():
    """A with 0.6, B with 0.5: conflict 0.3; what is left is divided by 0.7, or the conflict goes to the frame."""
    masses = [{A: 0.6, ALL: 0.4}, {B: 0.5, ALL: 0.5}]
    assert conjunction(masses)[0] == pytest.approx(0.3)
    found = dempster(masses)
    assert (found[A], found[B], found[ALL]) == pytest.approx((0.3 / 0.7, 0.2 / 0.7, 0.2 / 0.7))
    found = yager(masses, ALL)
    assert (found[A], found[B], found[ALL]) == pytest.approx((0.3, 0.2, 0.5))


def test_nothing_is_left_of_a_full_contradiction():
    assert np.isnan(list(dempster([{A: 1.0}, {B: 1.0}]).values())).all()
    assert yager([{A: 1.0}, {B: 1.0}], ALL)[ALL] == pytest.approx(1.0)


def test_pignistic_shares():
    assert pignistic({A: np.array([0.5]), A | B: np.array([0.3]), ALL: np.array([0.2])}, 3)[0] == pytest.approx([0.5 + 0.15 + 0.2 / 3, 0.15 + 0.2 / 3, 0.2 / 3])


def zadeh_engines(trusted):
    """Two engines that were always right, or wrong half of the time; asked about Zadeh's case."""
    held = cases(one=engine("abc", [[1, 0, 0]] * 200), two=engine("abc", [[1, 0, 0]] * 200))
    gold = [0] * 200 if trusted else [0, 1] * 100
    return held, gold, cases(one=engine("abc", [[0.99, 0.01, 0]]), two=engine("abc", [[0, 0.01, 0.99]]))


def test_trusted_engines_in_zadehs_case_lead_yager_to_ignorance():
    held, gold, asked = zadeh_engines(trusted=True)
    assert fitted(Yager, ABC, held, gold).answer(asked).open[0, 0]
    assert fitted(DempsterShafer, ABC, held, gold).answer(asked).confidence[0] <= 0.5, "a doubt of 1 in 202 in each is enough"


def test_doubt_in_an_engine_is_ignorance():
    held = cases(e=engine("ab", [[1, 0]] * 98))
    two = Question("q", ("a", "b"))
    trusted = fitted(DempsterShafer, two, held, [0] * 98).answer(cases(e=engine("ab", [[1, 0]])))
    doubted = fitted(DempsterShafer, two, held, [0] * 59 + [1] * 39).answer(cases(e=engine("ab", [[1, 0]])))
    assert trusted.confidence[0] == pytest.approx(0.99 + 0.005) and doubted.confidence[0] == pytest.approx(0.6 + 0.2)


def test_none_supports_what_the_engine_does_not_know():
    held = cases(hyper=engine(("none", "high"), [[1, 0]] * 98), hypo=engine(("none", "low"), [[0, 1]] * 98))
    asked = cases(hyper=engine(("none", "high"), [[0.9, 0.1]]), hypo=engine(("none", "low"), [[0.2, 0.8]]))
    for kind in (DempsterShafer, Yager):
        found = fitted(kind, STATE, held, [2] * 98).answer(asked)
        assert found.finding[0, 0] == 2 and not found.open[0, 0]
