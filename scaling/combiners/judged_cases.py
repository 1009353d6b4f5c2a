"""What combiners see: the judgments of engines over cases, the questions, and who speaks to which. No truth is among it."""

from dataclasses import dataclass, replace

import h5py
import numpy as np

JUDGED = 0  # the status of a judgment that was made


@dataclass(frozen=True)
class Question:
    name: str
    findings: tuple
    default: int | None = None  # index of the finding that says that nothing was found


@dataclass(frozen=True)
class Judgments:
    """One engine over n cases with c classes; rows that it did not judge are NaN."""

    classes: tuple
    probability: np.ndarray  # [n, c]
    typicality: np.ndarray  # [n]
    judged: np.ndarray  # [n] bool

    def take(self, rows):
        return Judgments(self.classes, self.probability[rows], self.typicality[rows], self.judged[rows])


@dataclass(frozen=True)
class Cases:
    case_id: np.ndarray  # [n]
    engines: dict  # name: Judgments over these cases

    def __len__(self):
        return len(self.case_id)

    def take(self, rows):
        return Cases(self.case_id[rows], {name: engine.take(rows) for name, engine in self.engines.items()})

    def without(self, engine):
        return replace(self, engines={name: each for name, each in self.engines.items() if name != engine})

    def with_engine(self, name, judgments):
        return replace(self, engines={**self.engines, name: judgments})


@dataclass(frozen=True)
class Voice:
    """An engine that speaks to a question: what each of its classes says, as a set of findings. [classes, findings] bool

    An engine that knows a part of the findings says with the default ("none") that it is one of those which it does not know."""

    engine: str
    sets: np.ndarray


def sets_of(classes, question, meaning=None):
    """The sets of findings that classes mean; `meaning` translates a class's name. Nothing where a class is no finding."""
    names = [(meaning or {}).get(name, name) for name in classes]
    if any(name not in question.findings for name in names):
        return None
    sets = np.zeros((len(names), len(question.findings)), bool)
    sets[np.arange(len(names)), [question.findings.index(name) for name in names]] = True
    if question.default is not None:
        unknown = ~sets.any(axis=0)
        for row, name in enumerate(names):
            if name == question.findings[question.default]:
                sets[row] |= unknown
    return sets


def concatenate(parts):
    """The cases of several parts, in ascending order of their ids. Only engines that all parts have."""
    case_id = np.concatenate([part.case_id for part in parts])
    order = np.argsort(case_id, kind="stable")
    engines = {}
    for name, first in parts[0].engines.items():
        if all(name in part.engines for part in parts):
            gathered = [np.concatenate([getattr(part.engines[name], field) for part in parts])[order]
                        for field in ("probability", "typicality", "judged")]
            engines[name] = Judgments(first.classes, *gathered)
    return Cases(case_id[order], engines), order


def read_engine(group, case_id):
    """The judgments of these cases from a judgments file. Nothing where the engine judges a number."""
    classes = tuple(group["classes"].asstr()[...]) if group["classes"].shape[0] else ()
    if not classes:
        return None
    rows = np.searchsorted(group["case_id"][...], case_id)
    judged = group["status"][...][rows] == JUDGED
    if "probability" in group:
        probability = group["probability"][...][rows].astype(float)
    else:  # left out: the label has its confidence, and the others share the rest
        confidence, label = group["confidence"][...][rows].astype(float), group["label"][...][rows].astype(int)
        probability = np.repeat(((1 - confidence) / max(1, len(classes) - 1))[:, None], len(classes), axis=1)
        probability[np.flatnonzero(judged), label[judged]] = confidence[judged]
    probability[~judged] = np.nan
    return Judgments(classes, probability, group["typicality"][...][rows].astype(float), judged)


def read_cases(run, case_id):
    """What the engines of a run's directory say of these cases. An engine that failed or judges numbers is not among them."""
    engines = {}
    with h5py.File(run / "judgments.h5") as index:
        for name, entry in index["engines"].items():
            found = read_engine(entry["judgments"], case_id) if "judgments" in entry else None
            if found is not None:
                engines[name] = found
    return Cases(case_id, engines)
