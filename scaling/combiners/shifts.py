"""What becomes of the law and of its rivals when the world is not as it was: an engine lost, one added, cells missing, a correlated engine
beside the others, a class that nobody was trained on.

Each rival leaves cases open under a threshold on its confidence, settled beforehand on held-out training cases so that it decides as many
of them as the law does. Nothing is fitted again, except where it says so."""

import json

import numpy as np
from derived_runs import BadInput
from figures_of import bound, forced, measure, silent_of
from matched_table import LAW
from monolith import ENGINE, Monolith
from preparation import MISSING
from rivals import answers, fitted
from table_text import aligned, number
from truth import Decided

PARTS = 3


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
        self.combiners = fitted(questions, voices, held, gold)
        self.threshold = {name: threshold_at(sure, coverage) for name, sure in without_own_fold(questions, voices, held, gold).items()}

    def decide(self, cases):
        decided = {}
        for name, found in answers(self.combiners, cases.without(ENGINE)).items():
            accepted = found.confidence >= self.threshold[name]
            decided[name] = forced(found).accepting(accepted)
        return decided


def monolith_decides(questions, cases, threshold):
    found = Monolith(questions).answer(cases)
    return forced(found).accepting(found.confidence >= threshold)


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
    def __init__(self, preparation, held, asked, voices, say):
        self.preparation, self.held, self.asked, self.voices, self.say = preparation, held, asked, voices, say
        self.questions, self.truth = preparation.questions, preparation.found.truth
        self.coverage = float(held.law.decided.all(axis=1).mean())
        self.copy = preparation.copy["name"]
        self.plain = Rivals(self.questions, voices, self.without_copy(held.cases), held.truth.gold, self.coverage)
        self.monolith = self.monolith_threshold()
        self.rows = []

    def without_copy(self, cases):
        return cases.without(self.copy)

    def monolith_threshold(self):
        """The monolith was not trained on folds: its threshold is that at which it decides as many test cases as the law would of held-out
        ones. It sees the test cases' inputs, not their truth."""
        return threshold_at(Monolith(self.questions).answer(self.asked[0.0].cases).confidence, self.coverage)

    def add(self, scenario, ways):
        for name, decided in ways.items():
            self.rows.append({"scenario": scenario, "way": name, **summary(decided, self.truth)})

    def everybody(self, asked, rivals=None, cases=None):
        ways = {LAW: asked.law}
        ways.update((rivals or self.plain).decide(self.without_copy(asked.cases) if cases is None else cases))
        ways[Monolith.name] = monolith_decides(self.questions, asked.cases, self.monolith)
        return ways

    def as_it_was(self):
        self.add("as it was", self.everybody(self.asked[0.0]))

    def missing(self):
        for share in MISSING:
            self.add(f"{share:.0%} of cells missing", self.everybody(self.asked[share]))

    def lost_and_added(self):
        """`lost`: the engine's judgments are gone. `added`: the rivals were fitted before the engine was there, and are not fitted again;
        the law reads it by its rules."""
        now = self.asked[0.0]
        for engine in [str(each["name"]) for each in self.preparation.study.engines]:
            if engine not in now.cases.engines:
                continue
            law = self.preparation.without_engine(engine)
            left = self.without_copy(now.cases).without(engine)
            ways = {LAW: law, **self.plain.decide(left)}
            self.add(f"without {engine}", ways)
            if now.cases.engines[engine].judged.any():
                before = Rivals(self.questions, self.voices, self.without_copy(self.held.cases).without(engine), self.held.truth.gold, self.coverage)
                ways = {LAW: now.law, **before.decide(self.without_copy(now.cases))}
                self.add(f"{engine} added", ways)

    def copied(self):
        """An engine stands there twice. The rivals are fitted again with it, as their user would."""
        voices = self.preparation.voices(self.held.cases)
        rivals = Rivals(self.questions, voices, self.held.cases, self.held.truth.gold, self.coverage)
        now = self.asked[0.0]
        self.add(f"{self.preparation.copied} twice", self.everybody(now, rivals, now.cases))

    def new_class(self, wanted):
        """Engines, combiners and monolith are made without any case of one finding. The law has the same rules as ever."""
        q, finding = self.choose(wanted)
        kept = self.held.truth.gold[:, q] != finding
        named = f"{self.questions[q].name}.{self.questions[q].findings[finding]}"
        trains = np.isin(self.preparation.training.case_id, self.held.truth.case_id[kept])
        table = self.preparation.training.take(np.flatnonzero(trains))
        held = self.preparation.folds_of(table, "new_class_folds")
        asked = self.preparation.rivals(self.held, "new_class", trains)[0.0]
        rivals = Rivals(self.questions, self.voices, self.without_copy(held.cases), held.truth.gold, self.coverage)
        ways = self.everybody(asked, rivals)
        ways[Monolith.name] = monolith_decides(self.questions, asked.cases, threshold_at(Monolith(self.questions).answer(asked.cases).confidence, self.coverage))
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


def text_of(rows, coverage, new):
    ways = list(dict.fromkeys(row["way"] for row in rows))
    scenarios = list(dict.fromkeys(row["scenario"] for row in rows))
    found = {(row["scenario"], row["way"]): row for row in rows}
    blocks = [f"Each rival leaves open what is under a threshold that was settled on held-out training cases, where the law decides {coverage:.3f} of the cases."]
    for figure, head in (("coverage", "decided whole"), ("exact", "exact set right, of all"), ("wrong", "decided and wrong, of all"), ("silent", "critical missed in silence")):
        lines = [[head, *ways]]
        for scenario in scenarios:
            cells = [found.get((scenario, way)) for way in ways]
            lines.append([scenario, *("-" if cell is None or not cell[figure]["n"] else number(cell[figure]["count"] / cell[figure]["n"]) for cell in cells)])
        blocks.append(aligned(lines))
    if new:
        named, outcomes = new
        lines = [[f"cases of {named}", "right", "wrong", "left open or escalated", "missed in silence", "of"]]
        lines += [[way, *(str(outcome[key]) for key in ("right", "wrong", "open", "silent", "n"))] for way, outcome in outcomes.items()]
        blocks.append(aligned(lines))
    return "\n\n".join(blocks) + "\n"


def run(preparation, held, asked, voices, folder, new_class, say):
    """Writes shifts.txt and shifts.json."""
    shifts = Shifts(preparation, held, asked, voices, say)
    shifts.as_it_was()
    shifts.missing()
    say("engines lost, added and copied")
    shifts.lost_and_added()
    shifts.copied()
    say("runs without a class")
    new = shifts.new_class(new_class)
    (folder / "shifts.txt").write_text(text_of(shifts.rows, shifts.coverage, new), encoding="utf-8")
    record = {"format": "hiple shifts", "version": 1, "root": preparation.found.root, "coverage": shifts.coverage, "rows": shifts.rows,
              "new_class": {"finding": new[0], "ways": new[1]}}
    (folder / "shifts.json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
