"""Everything that combiners are fitted to, asked about and measured by: runs on folds of the training part, and one with the rivals."""

import shutil
from dataclasses import dataclass, replace

import numpy as np
import rival_network
from derived_runs import CASES, DONE, PARTIAL, BadInput, fold_numbers, hiple, run_and_judge, write_cases
from judged_cases import Cases, concatenate, read_cases
from monolith import ENGINE, SEPARATOR
from plain_yaml import Plain
from row_table import read_table
from truth import Decided, Truth, read_gate_cases
from voices import COPY, find_voices

FOLD, PART, CUT = "hiple_fold", "hiple_part", "hiple_cut"
MISSING = (0.1, 0.2, 0.3, 0.4, 0.5)


@dataclass(frozen=True)
class HeldOut:
    """Training cases as judged by engines that were trained without them, with their truth and the law's answers."""

    cases: Cases
    truth: Truth
    law: Decided


@dataclass(frozen=True)
class Asked:
    """Cases of the test part, as they are or changed; the truth is in the same order."""

    cases: Cases
    law: Decided
    flat: Decided | None


def joined(gate_cases, order):
    """The truth and the law's answers of several files, in one order."""
    first = gate_cases[0].truth
    gathered = {field: np.concatenate([getattr(each.truth, field) for each in gate_cases])[order]
                for field in ("case_id", "gold", "also", "known", "crosses", "cluster")}
    law = [np.concatenate([getattr(each.law, field) for each in gate_cases])[order]
           for field in ("finding", "decided", "escalated", "confidence")]
    return replace(first, **gathered), Decided(*law)


def held_out(study, table, folder, folds, engines):
    """Each fold of these rows judged by engines, and decided by the law, that were made of the other folds."""
    numbers = fold_numbers(table, study.group, folds, study.seed)
    table = table.with_column(FOLD, numbers, type="integer", role="label")
    files, cases = [], []
    for fold in range(folds):
        others = [Plain(str(each)) for each in range(folds) if each != fold]
        split = {"column": FOLD, "train": others, "test": [Plain(str(fold))]}
        run = run_and_judge(study.derive(folder / f"fold_{fold}", table, split, engines))
        files.append(read_gate_cases(run / CASES))
        cases.append(read_cases(run, files[-1].truth.case_id))
    gathered, order = concatenate(cases)
    truth, law = joined(files, order)
    return HeldOut(gathered, truth, law)


class Preparation:
    def __init__(self, study, folder, folds, copied=None):
        self.study, self.folder, self.folds = study, folder, folds
        folder.mkdir(parents=True, exist_ok=True)
        self.report = write_cases(study.directory, folder / CASES)
        self.found = read_gate_cases(folder / CASES)
        self.questions = self.found.questions
        table = read_table(study.table, study.schema)
        training, test = np.isin(table.case_id, self.found.training), np.isin(table.case_id, self.found.truth.case_id)
        self.training, self.test = table.take(np.flatnonzero(training)), table.take(np.flatnonzero(test))
        self.copied = copied or self.most_spoken_to()
        self.copy = {**self.entry_of(self.copied), "name": self.copied + COPY}

    def entry_of(self, engine):
        found = [each for each in self.study.engines if str(each["name"]) == engine]
        if not found:
            raise BadInput(f"the run has no engine {engine}: it has {', '.join(str(each['name']) for each in self.study.engines)}")
        return found[0]

    def plain(self, cases):
        """Without the engine that is there twice."""
        return cases.without(self.copy["name"])

    def voices(self, cases, twice=False):
        """For each question the voices of the study's engines, and of the copy, where it is wanted."""
        classes = {name: engine.classes for name, engine in cases.engines.items() if name != ENGINE}
        return find_voices(self.study.gates, [*self.study.engines, *([self.copy] if twice else [])], self.questions, classes)

    def most_spoken_to(self):
        """The first engine of the question to which most engines speak."""
        cases = read_cases(self.study.directory, self.found.truth.case_id)
        classes = {name: engine.classes for name, engine in cases.engines.items()}
        voices = [each for each in find_voices(self.study.gates, self.study.engines, self.questions, classes) if each]
        if not voices:
            raise BadInput(f"{self.study.gates}: no engine speaks to any question (its target is no question's truth, and `needed` "
                           "does not name it): write needed")
        return max(voices, key=len)[0].engine

    def folds_of(self, table, name):
        return held_out(self.study, table, self.folder / name, self.folds, [*self.study.engines, self.copy])

    def offset(self):
        return 10 ** len(str(int(max(self.training.case_id.max(), self.test.case_id.max()))))

    def labels(self, truth, trains):
        """The monolith's label of each training case: its findings, joined; empty where one is not known, or it is not trained on."""
        row_of = {case: row for row, case in enumerate(truth.case_id.tolist())}
        labels = []
        for case, used in zip(self.training.case_id.tolist(), trains):
            row = row_of.get(case)
            labels.append(self.label(truth, row) if used and row is not None and truth.known[row] else "")
        return labels

    def label(self, truth, row):
        stated = [truth.gold[row, q] if truth.has_truth[q] else question.default or 0 for q, question in enumerate(self.questions)]
        return SEPARATOR.join(question.findings[finding] for question, finding in zip(self.questions, stated))

    def asked_table(self, labels, trains):
        """The training part, the test part, and copies of the test part in which cells are missing, with other case ids."""
        table, parts = self.training, ["train" if used else "neither" for used in trains]
        for number, share in enumerate((0.0, *MISSING)):
            random = np.random.default_rng((self.study.seed, number))
            table = table.followed_by(self.test.blanked(share, random).renumbered(number * self.offset()))
        rest = len(table.rows) - len(parts)
        table = table.with_column(PART, [*parts, *["test"] * rest], type="category", values=["train", "test", "neither"], role="label")
        classes = sorted(set(labels) - {""})
        return table.with_column(rival_network.LABEL, [*labels, *[""] * rest], type="category", values=classes, role="label")

    def monolith(self, labels):
        """Its entry in run.yaml, and what it is planned to cost."""
        split, directory = self.study.run["data"]["split"], self.study.directory
        share = 1 - sum(float(split[part]) for part in ("early_stop", "calibration"))
        names = [str(engine["name"]) for engine in self.study.engines]
        inputs, columns = self.training.inputs(), self.training.schema["columns"]
        plan = rival_network.network(directory, names, columns, inputs, len(set(labels) - {""}), share * sum(map(bool, labels)))
        own = [engine for engine in self.study.engines if "model" in engine and str(engine["model"].get("type", "mlp")) == "mlp"]
        if not own:
            raise BadInput(f"{self.study.directory}: no engine is a multilayer perceptron, after which the monolith would be made")
        largest = max(own, key=lambda engine: rival_network.weights_of(directory, str(engine["name"])))
        return rival_network.entry(plan, largest, inputs), plan

    def rivals(self, held, name, trains=None):
        """One run with the study's engines, the monolith and a copy of an engine, over the test part and over copies of it in which
        cells are missing. `trains` [training rows]: which of them are trained on; all unless told. {share missing: Asked}"""
        trains = np.ones(len(self.training.rows), bool) if trains is None else trains
        labels = self.labels(held.truth, trains)
        monolith, plan = self.monolith(labels)
        split = {"column": PART, "train": ["train"], "test": ["test"]}
        engines = [*self.study.engines, self.copy, monolith]
        run = run_and_judge(self.study.derive(self.folder / name, self.asked_table(labels, trains), split, engines))
        self.network = {**plan, "spent": rival_network.operations_of(run, ENGINE)}
        file = read_gate_cases(run / CASES)
        cases, which = read_cases(run, file.truth.case_id), file.truth.case_id // self.offset()
        asked = {}
        for number, share in enumerate((0.0, *MISSING)):
            rows = np.flatnonzero(which == number)
            asked[share] = Asked(cases.take(rows), file.law.take(rows), file.flat.take(rows) if file.flat else None)
        return asked

    def without_engine(self, engine):
        """The law's answers where an engine's judgments are lost."""
        lost = self.folder / f"lost_{engine}"
        if lost.exists():
            shutil.rmtree(lost)
        left_out = shutil.ignore_patterns("comparison*", f"{engine}.h5", "judgments.h5", "decisions.h5", "STATUS")
        shutil.copytree(self.study.directory, lost, ignore=left_out)
        hiple("integrate", lost / "run.yaml", "--output", lost, accepted=(DONE, PARTIAL))
        write_cases(lost, lost / CASES)
        return read_gate_cases(lost / CASES).law

    def random_cut(self):
        """The law over engines whose columns and cases were dealt at random. Returns (its answers, its report by `hiple gates`)."""
        random = np.random.default_rng((self.study.seed, 99))
        engines = self.study.engines
        columns = random.permutation(sorted({str(name) for engine in engines for name in engine["features"]}))
        dealt = np.array_split(columns, len(engines))
        table = self.training.followed_by(self.test)
        parts = ["train"] * len(self.training.rows) + ["test"] * len(self.test.rows)
        table = table.with_column(PART, parts, type="category", values=["train", "test"], role="label")
        table = table.with_column(CUT, random.integers(len(engines), size=len(table.rows)), type="integer")
        cut = [{**engine, "features": sorted(map(str, mine)), "cases": f"({engine['cases']}) and {CUT} == {number}"}
               for number, (engine, mine) in enumerate(zip(engines, dealt))]
        split = {"column": PART, "train": ["train"], "test": ["test"]}
        run = run_and_judge(self.study.derive(self.folder / "random_cut", table, split, cut))
        return read_gate_cases(run / CASES).law, write_cases(run, run / CASES)
