"""Everything that combiners are fitted to, asked about and measured by: runs on folds of the training part, and one with the rivals."""

import shutil
from dataclasses import dataclass

import numpy as np
import rival_network
from derived_runs import CASES, DONE, PARTIAL, BadInput, fold_numbers, hiple, run_and_judge, write_cases
from judged_cases import Cases, concatenate, read_cases
from monolith import ENGINE, SEPARATOR, engine_of, engines_alone
from network_cost import operations_of
from plain_yaml import Plain
from random_cut import CUT, cut_of
from row_table import read_table
from truth import Decided, Truth, joined_answers, joined_truth, read_gate_cases
from voices import find_voices

FOLD, PART, ALL = "hiple_fold", "hiple_part", "hiple_all"
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
    truth, law = joined_truth([each.truth for each in files], order), joined_answers([each.law for each in files], order)
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
        self.copy = {**self.entry_of(self.copied), "name": self.free_name(self.copied)}

    def entry_of(self, engine):
        found = [each for each in self.study.engines if str(each["name"]) == engine]
        if not found:
            raise BadInput(f"the run has no engine {engine}: it has {', '.join(str(each['name']) for each in self.study.engines)}")
        return found[0]

    def free_name(self, engine):
        """A name for the engine's copy that no engine of the study has."""
        taken, name = {str(each["name"]) for each in self.study.engines}, f"{engine}_again"
        while name in taken:
            name += "_again"
        return name

    def plain(self, cases):
        """Without the engine that is there twice."""
        return cases.without(self.copy["name"])

    def voices(self, cases, twice=False):
        """For each question the voices of the study's engines, and of the copy, where it is wanted."""
        classes = {name: engine.classes for name, engine in cases.engines.items()}
        copies = {str(self.copy["name"]): self.copied} if twice else {}
        return find_voices(self.study.gates, [*self.study.engines, *([self.copy] if twice else [])], self.questions, classes, copies)

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

    def findings_of(self, truth):
        """Of each case of the truth the names of its findings, one a question; nothing where they are not known."""
        stated = np.where(truth.has_truth, truth.gold, [question.default or 0 for question in self.questions])
        return [tuple(question.findings[finding] for question, finding in zip(self.questions, row)) if known else ()
                for row, known in zip(stated.tolist(), truth.known)]

    def labels(self, truth, trains):
        """What networks on all columns learn, as texts of each training case, empty where nothing is known: {(engine, column): texts}.
        The monolith's are the findings of all questions, joined."""
        findings = dict(zip(truth.case_id.tolist(), self.findings_of(truth)))
        told = [findings.get(case, ()) if used else () for case, used in zip(self.training.case_id.tolist(), trains)]
        labels = {(ENGINE, ALL): [SEPARATOR.join(each) for each in told]}
        for q, question in enumerate(self.questions):
            texts = [each[q] if each else "" for each in told]
            if len(set(texts) - {""}) > 1:
                labels[engine_of(question), f"{ALL}_{question.name}"] = texts
        return labels

    def asked_table(self, labels, trains):
        """The training part, the test part, and copies of the test part in which cells are missing, with other case ids."""
        table, parts = self.training, ["train" if used else "neither" for used in trains]
        spared = {*rival_network.dividing(self.study.run["data"]["split"]), self.study.cluster}  # nobody measures these
        for number, share in enumerate((0.0, *MISSING)):
            random = np.random.default_rng((self.study.seed, number))
            table = table.followed_by(self.test.blanked(share, random, spared).renumbered(number * self.offset()))
        rest = len(table.rows) - len(parts)
        table = table.with_column(PART, [*parts, *["test"] * rest], type="category", values=["train", "test", "neither"], role="label")
        for (_, column), texts in labels.items():
            classes = sorted(set(texts) - {""})
            table = table.with_column(column, [*texts, *[""] * rest], type="category", values=classes, role="label")
        return table

    def networks(self, labels):
        """Of networks on all columns: (entries of run.yaml, what each is planned to be)."""
        split, directory = self.study.run["data"]["split"], self.study.directory
        share = 1 - sum(float(split[part]) for part in ("early_stop", "calibration"))
        names = [str(engine["name"]) for engine in self.study.engines]
        own = [engine for engine in self.study.engines if "model" in engine and str(engine.get("type", "mlp")) != "command"]
        if not own:
            raise BadInput(f"{directory}: no engine is a network, after which those on all columns would be made")
        like, entries, plans = rival_network.like_whom(directory, own), [], {}
        columns = rival_network.readable(self.training.inputs(), split)
        for (name, column), texts in labels.items():
            rows, classes = share * sum(map(bool, texts)), len(set(texts) - {""})
            plans[name] = rival_network.network(directory, names, like, columns, classes, rows)
            entries.append(rival_network.entry(plans[name], like, name, column))
        return entries, plans

    def unseen(self, held):
        """How many test cases have a combination of findings that no training case has, so that the monolith has no class for it."""
        seen = set(self.findings_of(held.truth))
        return sum(each not in seen for each in self.findings_of(self.found.truth) if each)

    def rivals(self, held, name, trains=None):
        """One run with the study's engines, networks on all columns and a copy of an engine, over the test part and over copies of it
        in which cells are missing. `trains` [training rows]: which of them are trained on; all unless told. {share missing: Asked}"""
        trains = np.ones(len(self.training.rows), bool) if trains is None else trains
        labels = self.labels(held.truth, trains)
        entries, plans = self.networks(labels)
        split = {"column": PART, "train": ["train"], "test": ["test"]}
        engines = [*self.study.engines, self.copy, *entries]
        run = run_and_judge(self.study.derive(self.folder / name, self.asked_table(labels, trains), split, engines))
        self.plans = {each: {**plan, "spent": operations_of(run, each)} for each, plan in plans.items()}
        file = read_gate_cases(run / CASES)
        cases, which = read_cases(run, file.truth.case_id), file.truth.case_id // self.offset()
        untrained = [each for each in plans if each not in cases.engines]
        if untrained:
            raise RuntimeError(f"{run}: {', '.join(untrained)} could not be trained: engines/{untrained[0]}/log.txt says why")
        asked = {}
        for number, share in enumerate((0.0, *MISSING)):
            rows = np.flatnonzero(which == number)
            asked[share] = Asked(cases.take(rows), file.law.take(rows))
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
        cut = cut_of(self.study.engines, self.training.inputs(), random)
        table = self.training.followed_by(self.test)
        parts = ["train"] * len(self.training.rows) + ["test"] * len(self.test.rows)
        table = table.with_column(PART, parts, type="category", values=["train", "test"], role="label")
        table = table.with_column(CUT, random.integers(len(self.study.engines), size=len(table.rows)), type="integer")
        split = {"column": PART, "train": ["train"], "test": ["test"]}
        run = run_and_judge(self.study.derive(self.folder / "random_cut", table, split, cut))
        return read_gate_cases(run / CASES).law, write_cases(run, run / CASES)
