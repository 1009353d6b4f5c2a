"""What `hiple gates --cases` wrote: questions, truth and the law's own answers. Only what measures reads this; combiners are fitted to
`gold` of held-out training cases alone."""

from dataclasses import dataclass, replace

import h5py
import numpy as np
from judged_cases import Question

NOTHING = 65535
DECIDE, ABSTAIN, ESCALATE = 0, 1, 2


@dataclass(frozen=True)
class Decided:
    """Answers as they are measured. n cases, q questions."""

    finding: np.ndarray  # [n, q]; of no meaning where it is not decided
    decided: np.ndarray  # [n, q] bool
    escalated: np.ndarray  # [n, q] bool: handed to a person for the question's own sake
    confidence: np.ndarray  # [n]

    def take(self, rows):
        return Decided(self.finding[rows], self.decided[rows], self.escalated[rows], self.confidence[rows])

    def accepting(self, accepted):
        """What is left where only these cases are accepted: all answers of the others are withheld."""
        return Decided(self.finding, self.decided & accepted[:, None], self.escalated, self.confidence)


@dataclass(frozen=True)
class Truth:
    case_id: np.ndarray  # [n]
    gold: np.ndarray  # [n, q]; -1 where not known
    also: np.ndarray  # [n, q]: a second right finding, or -1
    has_truth: np.ndarray  # [q] bool
    known: np.ndarray  # [n] bool: counts in figures of cases
    crosses: np.ndarray  # [n] bool
    cluster: np.ndarray  # [n]: cases of one number are no independent ones
    covers: tuple  # [q] of [findings, findings] bool: which finding covers a critical one; a row without any is not critical
    default: np.ndarray  # [q]; -1 where there is none

    def take(self, rows):
        return Truth(self.case_id[rows], self.gold[rows], self.also[rows], self.has_truth, self.known[rows], self.crosses[rows],
                     self.cluster[rows], self.covers, self.default)


@dataclass(frozen=True)
class GateCases:
    questions: tuple  # of Question
    truth: Truth
    law: Decided
    flat: Decided | None  # by all engines; not where engines judged on demand
    training: np.ndarray  # ids of the training part
    root: str
    basis: str


def joined_truth(parts, order):
    """The truth of several files, whose questions are the same, in one order. Each file numbers its clusters for itself: no cluster is
    taken to lie in several."""
    fields = {field: np.concatenate([getattr(each, field) for each in parts]) for field in ("case_id", "gold", "also", "known", "crosses")}
    first = np.cumsum([0, *(each.cluster.max(initial=-1) + 1 for each in parts[:-1])])
    fields["cluster"] = np.concatenate([each.cluster + offset for each, offset in zip(parts, first)])
    return replace(parts[0], **{field: values[order] for field, values in fields.items()})


def joined_answers(parts, order):
    fields = ("finding", "decided", "escalated", "confidence")
    return Decided(*(np.concatenate([getattr(each, field) for each in parts])[order] for field in fields))


def index(values):
    """-1 in place of 65535."""
    return np.where(values == NOTHING, -1, values.astype(int))


def read_decided(group):
    status = group["status"][...]
    escalated = (status == ESCALATE) & (group["escalated"][...] != 0)
    return Decided(index(group["finding"][...]), status == DECIDE, escalated, group["score"][...])


def read_gate_cases(path):
    with h5py.File(path) as file:
        names = list(file["questions"].asstr()[...])
        default = index(file["default"][...])
        findings = [tuple(file["findings/" + name].asstr()[...]) for name in names]
        questions = tuple(Question(name, found, int(d) if d >= 0 else None) for name, found, d in zip(names, findings, default))
        case_id = file["case_id"][...]
        cluster = file["cluster"][...].astype(int) if "cluster" in file else np.arange(len(case_id))
        truth = Truth(case_id, index(file["gold"][...]), index(file["also"][...]), file["has_truth"][...] != 0, file["known"][...] != 0,
                      file["crosses"][...] != 0, cluster, tuple(file["covers/" + name][...] != 0 for name in names), default)
        flat = read_decided(file["flat"]) if "flat" in file else None
        training = file["training_case_id"][...]
        return GateCases(questions, truth, read_decided(file["law"]), flat, training, file.attrs["root"], file.attrs["basis"])
