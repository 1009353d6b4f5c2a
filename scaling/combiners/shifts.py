"""What becomes of the law and of its rivals when the world is not as it was: an engine lost, one added, cells missing, a correlated
engine beside the others, a class that nobody was trained on.

Each rival leaves cases open under a threshold on its confidence, settled beforehand on held-out training cases so that it decides as
many of them as the law does. Nothing is fitted again, except where it says so."""

import json

import numpy as np
from derived_runs import BadInput, revision
from figures_of import bound, forced, measure, silent_of
from matched_table import LAW
from monolith import NETWORKS, engines_alone
from preparation import MISSING
from rivals import answers, fitted
from shift_table import shifts_text

PARTS = 2


def without_own_fold(questions, voices, held, gold):
    """Each held-out case answered by combiners that were fitted to others: {name: (case rows, confidence)}."""
    part = np.random.default_rng(0).permutation(len(held)) % PARTS
    sure = {}
    for each in range(PARTS):
        rest, own = np.flatnonzero(part != each), np.flatnonzero(part == each)
        combiners = fitted(questions, voices, held.take(rest), gold[rest])
        for name, found in answers(combiners, held.take(own)).items():
            sure.setdefault(name, np.full(len(held), np.nan))[own] = found.confidence
    return sure


def threshold_at(confidence, coverage):
    """The confidence from which on this share of the cases is accepted."""
    ordered = np.sort(confidence)[::-1]
    count = min(len(ordered), max(1, round(coverage * len(ordered))))
    return float(ordered[count - 1])


class Rivals:
    """Combiners fitted to some engines' held-out judgments, with their thresholds."""

    def __init__(self, questions, voices, held, gold, coverage):
        self.questions, self.combiners = questions, fitted(questions, voices, held, gold)
        self.threshold = {name: threshold_at(sure, coverage) for name, sure in without_own_fold(questions, voices, held, gold).items()}

    def decide(self, cases):
        decided = {}
        for name, found in answers(self.combiners, engines_alone(cases, self.questions)).items():
            accepted = found.confidence >= self.threshold[name]
            decided[name] = forced(found).accepting(accepted)
        return decided


class Networks:
    """Networks on all columns with their thresholds. They were not trained on folds: a threshold is that at which they decide as many test
    cases as the law does of held-out ones. It sees the test cases' inputs, not their truth."""

    def __init__(self, questions, held, cases, coverage):
        self.networks = [kind(questions).fit(held.cases, held.truth.gold) for kind in NETWORKS]
        self.threshold = {each.name: threshold_at(each.answer(cases).confidence, coverage) for each in self.networks}

    def decide(self, cases):
        found = {each.name: each.answer(cases) for each in self.networks}
        return {name: forced(each).accepting(each.confidence >= self.threshold[name]) for name, each in found.items()}


def summary(decided, truth):
    figures = measure(decided, truth)
    entry = {name: {"count": figures[name].count, "n": figures[name].n} for name in ("coverage", "exact", "wrong", "silent")}
    entry["silent"]["bound"] = bound(figures["silent"], True)
    return entry


def on_class(decided, truth, q, finding):
    """Of the test cases with this finding, in its own question: right, wrong, left open or escalated; and missed in silence."""
    rows = np.flatnonzero(truth.gold[:, q] == finding)
    right = decided.decided[rows, q] & (decided.finding[rows, q] == finding)
    _, silent, _ = silent_of(decided, truth)
    return {"n": len(rows), "right": int(right.sum()), "wrong": int((decided.decided[rows, q] & ~right).sum()),
            "open": int((~decided.decided[rows, q]).sum()), "silent": int(silent[rows, q].sum())}


class Shifts:
    def __init__(self, preparation, held, asked, voices):
        self.preparation, self.held, self.asked, self.voices = preparation, held, asked, voices
        self.questions, self.truth = preparation.questions, preparation.found.truth
        self.coverage = float(held.law.decided.all(axis=1).mean())
        self.plain = self.rivals_of(held, voices)
        self.networks = self.networks_of(held, asked[0.0].cases)
        self.rows = []

    def rivals_of(self, held, voices, cases=None):
        cases = self.preparation.plain(held.cases) if cases is None else cases
        return Rivals(self.questions, voices, cases, held.truth.gold, self.coverage)

    def networks_of(self, held, cases):
        return Networks(self.questions, held, cases, self.coverage)

    def add(self, scenario, ways):
        for name, decided in ways.items():
            self.rows.append({"scenario": scenario, "way": name, **summary(decided, self.truth)})

    def everybody(self, asked, rivals=None, cases=None, networks=None):
        """Law, rivals and networks on all columns, the last two at thresholds that were settled before."""
        ways = {LAW: asked.law}
        ways.update((rivals or self.plain).decide(self.preparation.plain(asked.cases) if cases is None else cases))
        ways.update((networks or self.networks).decide(asked.cases))
        return ways

    def as_it_was(self):
        self.add("as it was", self.everybody(self.asked[0.0]))

    def missing(self):
        for share in MISSING:
            self.add(f"{share:.0%} of cells missing", self.everybody(self.asked[share]))

    def lost_and_added(self):
        """`lost`: the engine's judgments are gone. `added`: the rivals were fitted before the engine was there, and are not fitted
        again; the law reads it by its rules."""
        now = self.asked[0.0]
        cases, held = self.preparation.plain(now.cases), self.preparation.plain(self.held.cases)
        for engine in [str(each["name"]) for each in self.preparation.study.engines]:
            if engine not in cases.engines:
                continue
            law = self.preparation.without_engine(engine)
            self.add(f"without {engine}", {LAW: law, **self.plain.decide(cases.without(engine))})
            if cases.engines[engine].judged.any():
                before = self.rivals_of(self.held, self.voices, held.without(engine))
                self.add(f"{engine} added", {LAW: now.law, **before.decide(cases)})

    def copied(self):
        """An engine stands there twice. The rivals are fitted again with it, as their user would."""
        now = self.asked[0.0]
        rivals = self.rivals_of(self.held, self.preparation.voices(self.held.cases, twice=True), self.held.cases)
        self.add(f"{self.preparation.copied} twice", self.everybody(now, rivals, now.cases))

    def new_class(self, wanted):
        """Engines, combiners and networks are made without any case of one finding. The law has the same rules as ever."""
        q, finding = self.choose(wanted)
        named = f"{self.questions[q].name}.{self.questions[q].findings[finding]}"
        kept = self.held.truth.case_id[self.held.truth.gold[:, q] != finding]
        trains = np.isin(self.preparation.training.case_id, kept)
        held = self.preparation.folds_of(self.preparation.training.take(np.flatnonzero(trains)), "new_class_folds")
        asked = self.preparation.rivals(self.held, "new_class", trains)[0.0]
        ways = self.everybody(asked, self.rivals_of(held, self.voices), networks=self.networks_of(held, asked.cases))
        self.add(f"{named} never trained on", ways)
        return named, {name: on_class(decided, self.truth, q, finding) for name, decided in ways.items()}

    def choose(self, wanted):
        if wanted:
            for q, question in enumerate(self.questions):
                for finding, name in enumerate(question.findings):
                    if f"{question.name}.{name}" == wanted:
                        return q, finding
            raise BadInput(f"--new-class {wanted}: the law has no such finding: write QUESTION.FINDING")
        counts = {}
        for q, covers in enumerate(self.truth.covers):
            for finding in np.flatnonzero(covers.any(axis=1)):
                counts[q, int(finding)] = int((self.truth.gold[:, q] == finding).sum())
        if not counts:  # nothing is critical: the most frequent finding that is not the default
            for q, question in enumerate(self.questions):
                for finding in range(len(question.findings)):
                    if finding != question.default:
                        counts[q, finding] = int((self.truth.gold[:, q] == finding).sum())
        return max(counts, key=counts.get)


def run(preparation, held, asked, voices, new_class, say):
    """Writes shifts.txt and shifts.json."""
    shifts = Shifts(preparation, held, asked, voices)
    shifts.as_it_was()
    shifts.missing()
    say("engines lost, added and copied")
    shifts.lost_and_added()
    shifts.copied()
    say("runs without a class")
    new = shifts.new_class(new_class)
    folder = preparation.folder
    (folder / "shifts.txt").write_text(shifts_text(shifts.rows, shifts.coverage, new), encoding="utf-8")
    record = {"format": "hiple shifts", "version": 1, "revision": revision(), "run": str(preparation.study.run["name"]),
              "root": preparation.found.root, "coverage": shifts.coverage, "rows": shifts.rows,
              "new_class": {"finding": new[0], "ways": new[1]}}
    (folder / "shifts.json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
