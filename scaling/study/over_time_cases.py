"""Cases of a study in the order of time: portions of months, what is true of them as evidence, and how answers to them are counted."""

import itertools
import pathlib
import sys

import h5py
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "combiners"))
import plain_yaml  # noqa: E402  (its folder is known from here on)
from row_table import read_table  # noqa: E402

HEADER = "case,about,value,unit,source,date,reliability\n"
SOURCE = "physicians' comments"


def day_of(case):
    """The record's number begins with its day, YYMMDD."""
    text = f"{case:09d}"
    return f"19{text[:2]}-{text[2:4]}-{text[4:6]}"


def months_of(ids, least):
    """[(month of the last record, ids)]: a month with fewer than `least` records is looked at together with the next one, and the last
    one with the one before."""
    portions, begun = [], []
    for _, each in itertools.groupby(sorted(ids), lambda case: day_of(case)[:7]):
        begun += each
        if len(begun) >= least:
            portions.append(begun)
            begun = []
    if begun and portions:
        portions[-1] = portions[-1] + begun
    elif begun:
        portions.append(begun)
    return [(day_of(portion[-1])[:7], portion) for portion in portions]


class Records:
    """The table, which of its records are the first years, and what is true of each."""

    def __init__(self, run_file, table, first):
        """`first`: the years that engines and law were made from."""
        config = run_file.parent
        self.table = read_table(table, config / "schema.yaml")
        self.ids = [int(case) for case in self.table.case_id]
        years = self.table.column("year")
        self.first = sorted(case for case, year in zip(self.ids, years) if year in first)
        self.later = sorted(set(self.ids) - set(self.first))
        gates = plain_yaml.read(config / "gates.yaml")
        self.questions = list(gates["truth"])
        columns = [(self.table.column(truth["column"]), self.table.column(truth["also"])) for truth in gates["truth"].values()]
        self.truth = {case: [(gold[row], also[row]) for gold, also in columns] for row, case in enumerate(self.ids)}
        law = plain_yaml.read(config / "critical.yaml")
        self.covers = {entry["finding"]: {entry["finding"], *entry.get("covered_by", [])} for entry in law["findings"]}

    def evidence(self, cases):
        """What the physicians found, as lines for `hiple evidence add`."""
        lines = [f"{case},{question},{gold},,{SOURCE},{day_of(case)},1\n" for case in cases
                 for question, (gold, _) in zip(self.questions, self.truth[case]) if gold]
        return HEADER + "".join(lines)

    def outcome(self, case, answers):
        """`answers`: of each question the finding, or nothing. What `hiple gates` calls them: (decided whole, every question right,
        a critical finding is missed in silence or nothing where the case has none)."""
        truth = self.truth[case]
        decided = all(answers)
        right = decided and all(answer in (gold, also) for answer, (gold, also) in zip(answers, truth))
        critical = [(answer, self.covers[f"{question}.{gold}"], question)
                    for answer, (gold, _), question in zip(answers, truth, self.questions) if f"{question}.{gold}" in self.covers]
        missed = any(answer and f"{question}.{answer}" not in covered for answer, covered, question in critical) if critical else None
        return decided, right, missed

    def measured(self, cases, answers):
        """Counts over cases; `answers`: {case: findings}."""
        outcomes = [self.outcome(case, answers[case]) for case in cases]
        decided, right = sum(o[0] for o in outcomes), sum(o[1] for o in outcomes)
        return {"cases": len(cases), "decided": decided, "right": right, "wrong": decided - right, "open": len(cases) - decided,
                "critical": sum(o[2] is not None for o in outcomes), "missed": sum(bool(o[2]) for o in outcomes)}


def law_answers(directory, questions):
    """{case: of each question the finding, or None where it is left open or handed to a person}, of a run's decisions."""
    with h5py.File(directory / "decisions.h5") as file:
        stored = list(file["questions"].asstr()[...])
        columns = []
        for question in questions:
            names = [*file[f"findings/{question}"].asstr()[...], None]
            columns.append([names[min(number, len(names) - 1)] for number in file["finding"][:, stored.index(question)].tolist()])
        return dict(zip(file["case_id"][...].tolist(), zip(*columns)))


def surest(cases, sure, count):
    """So many of the cases, those of which somebody is surest; of equally sure ones the first."""
    order = np.argsort([-sure[case] for case in cases], kind="stable")
    return [cases[place] for place in order[:count]]


def paired(records, cases, ours, theirs):
    """(cases right in the one only, in the other only): of McNemar's test."""
    right = [(records.outcome(case, ours[case])[1], records.outcome(case, theirs[case])[1]) for case in cases]
    return sum(a and not b for a, b in right), sum(b and not a for a, b in right)
