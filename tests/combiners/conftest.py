"""Judgments made by hand, and the folder of the sources."""

import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from launching import ROOT  # noqa: E402

sys.path.insert(0, str(ROOT / "scaling" / "combiners"))
from judged_cases import Cases, Judgments, Question, Voice, sets_of  # noqa: E402

ABC = Question("q", ("a", "b", "c"))
STATE = Question("state", ("none", "high", "low"), 0)


def engine(classes, rows, typicality=None):
    """Rows of probabilities; None where it did not judge."""
    judged = np.array([row is not None for row in rows])
    probability = np.array([[np.nan] * len(classes) if row is None else row for row in rows], float)
    return Judgments(tuple(classes), probability, np.full(len(rows), 0.5) if typicality is None else np.asarray(typicality, float), judged)


def cases(**engines):
    return Cases(np.arange(1, 1 + len(next(iter(engines.values())).judged), dtype=np.uint64), engines)


def voices(question, made):
    return [Voice(name, sets_of(each.classes, question)) for name, each in made.engines.items()]


def fitted(kind, question, made, gold):
    """A combiner of one question, fitted to these cases."""
    return kind([question], [voices(question, made)]).fit(made, np.asarray(gold)[:, None])
