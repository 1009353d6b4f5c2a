#!/usr/bin/python3
"""The thyroid study as its later years come in (docs/growth.md). Engines and law were made from 1984-85. Month by month what the
physicians wrote of the records is added as evidence, rules are verified, and of each contradicted rule the first proposal that may be
accepted is accepted; the next month's records are decided by the law as it is then. Beside it a monolith is trained anew on all records so
far, each month. What is told of a month never had a part in what answers it.

Prints a table; FOLDER gets over_time.json, over_time.csv, over_time.png and .svg, and the study itself.

    scaling/study/over_time.py FOLDER --input thyroid0387.data [--months N] [--least N]
"""

import argparse
import csv
import hashlib
import json
import pathlib
import resource
import shutil
import sys
import time

import over_time_figure
from over_time_cases import Records, law_answers, months_of, paired, surest
from over_time_monolith import Monolith
from planted_world import ROOT, hiple

sys.path.insert(0, str(ROOT / "scaling" / "combiners"))
import plain_yaml  # noqa: E402  (its folder is known from here on)
from bounds import sign_test  # noqa: E402

# Of what may be accepted the first that goes on deciding; else the first. A person would look at each.
DECIDES = ("threshold", "exception")
WHO = {"revised": "the law, revised", "written": "the law as written", "monolith": "monolith, trained each month",
       "once": "monolith, trained once"}
MOST_ROUNDS = 20  # of proposing and accepting in a month


def timed(work):
    """(what it gives, its seconds: by the clock, and of processors in the programs that it started)."""
    used = lambda: sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
    started, before = time.monotonic(), used()
    result = work()
    return result, {"wall": time.monotonic() - started, "cpu": used() - before}


def added(*spent):
    return {kind: sum(each[kind] for each in spent) for kind in ("wall", "cpu")}


class Thyroid:
    """configs/thyroid in a folder of its own, with evidence. It names no gates: they would measure each proposal by the truth of months
    that are still to come."""

    def __init__(self, folder, source):
        self.folder, self.config, self.directory = folder, folder / "configs" / "thyroid", folder / "runs" / "thyroid"
        shutil.copytree(ROOT / "configs" / "thyroid", self.config)
        self.file, self.table = self.config / "run.yaml", folder / "runs" / "data" / "thyroid.csv"
        self.table.parent.mkdir(parents=True)
        hiple("data", "convert", "thyroid", "--input", source, "--output", self.table)
        for old, new in (("gates: gates.yaml\n", "evidence: evidence.h5\n"), ("output: runs/thyroid", f"output: {self.directory}")):
            text = self.file.read_text()
            assert old in text, old
            self.file.write_text(text.replace(old, new))
        self.first = list(plain_yaml.read(self.file)["data"]["split"]["train"])

    def add(self, name, text):
        path = self.folder / "evidence" / f"{name}.csv"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        hiple("evidence", "add", self.file, path)

    def engines(self):
        return {str(path.relative_to(self.directory)): hashlib.sha256(path.read_bytes()).hexdigest() for path in
                sorted([*self.directory.glob("engines/*/checkpoint.h5"), *self.directory.glob("judgments/*.h5")])}

    def told(self, *words):
        return json.loads(hiple(*words, "--json", allowed=(0, 1)))


def choice(listing, tried):
    """The proposal that is accepted next, or nothing; `tried`: rules that were revised this month already."""
    for rule in listing["contradicted"]:
        possible = [each for each in rule["proposals"] if not each["refused"]]
        if rule["law"] or rule["id"] in tried or not possible:
            continue
        return next((each for each in possible if each["kind"] in DECIDES), possible[0])
    return None


def revise(study):
    """Accepts what may be accepted, until nothing may. (rules contradicted at first, what was accepted, whether something of each was)"""
    listing = study.told("revise", study.directory)
    contradicted, accepted, tried = [rule["id"] for rule in listing["contradicted"]], [], set()
    for _ in range(MOST_ROUNDS):
        proposal = choice(listing, tried)
        if proposal is None:
            break
        record = study.told("revise", study.directory, "--accept", proposal["id"])
        tried |= {record["rule"], *record["changed"]}
        accepted.append({key: record[key] for key in ("revision", "rule", "kind", "summary", "changed", "derived_again", "answers_changed")})
        listing = study.told("revise", study.directory)
    refused = {rule["id"]: sorted({reason for each in rule["proposals"] for reason in each["refused"]}) for rule in listing["contradicted"]}
    return contradicted, accepted, refused


def learn(study, month, evidence):
    """What the law's side does with the evidence of a month."""
    _, adding = timed(lambda: study.add(month, evidence))
    verified, verifying = timed(lambda: study.told("evidence", "verify", study.directory))
    (contradicted, accepted, refused), revising = timed(lambda: revise(study))
    wear, watching = timed(lambda: study.told("wear", study.directory))
    verdicts = [rule["verdict"] for rule in verified["rules"] if rule["status"] != "law"]
    return {"contradicted": contradicted, "accepted": accepted, "still_contradicted": refused,
            "verdicts": {verdict: verdicts.count(verdict) for verdict in ("SUPPORTED", "CONTRADICTED", "UNPROVEN")},
            "worn": [engine["engine"] for engine in wear["engines"] if engine["worn"]],
            "law_seconds": added(adding, verifying, revising, watching),
            "parts": {"add": adding, "verify": verifying, "revise": revising, "wear": watching}}


def all_together(records, portions, answers):
    """Of each who, counts over all months; and of each pair of interest McNemar's exact test."""
    cases = [case for _, portion in portions for case in portion]
    together = {who: records.measured(cases, answers[who]) for who in WHO}
    tests = {}
    for ours, theirs in (("revised", "written"), ("revised", "monolith"), ("written", "once"), ("monolith", "once")):
        better, worse = paired(records, cases, answers[ours], answers[theirs])
        tests[f"{ours} against {theirs}"] = {"better": better, "worse": worse, "p": sign_test(better, worse)}
    return together, tests


def study(folder, source, months=None, least=50, say=lambda text: None):
    world = Thyroid(folder, source)
    records = Records(world.file, world.table, world.first)
    portions = months_of(records.later, least)[:months]
    world.add("none", records.evidence([]))
    _, training = timed(lambda: hiple("run", world.file))
    engines, written = world.engines(), law_answers(world.directory, records.questions)
    monolith = Monolith(world.directory, records, folder / "monolith")
    first = monolith.prepare("first", records.first, [case for _, portion in portions for case in portion])
    _, training_monolith = timed(lambda: monolith.train(first))
    once, sure = monolith.answers(first)
    answers = {"revised": {}, "written": written, "monolith": {}, "once": once}
    now, rows, learned = once, [], list(records.first)
    for number, (month, cases) in enumerate(portions):
        law = law_answers(world.directory, records.questions)
        answers["revised"] |= {case: law[case] for case in cases}
        answers["monolith"] |= {case: now[case] for case in cases}
        row = {"month": month, "learned": len(learned), **{who: records.measured(cases, answers[who]) for who in WHO}}
        row["surest"] = records.measured(surest(cases, sure, row["revised"]["decided"]), now)
        rows.append(row)
        say(f"{month}: " + ", ".join(f"{name} {row[who]['right']}/{row[who]['cases']}" for who, name in WHO.items()))
        if number + 1 == len(portions):
            break
        row |= learn(world, month, records.evidence(cases))
        learned += cases
        files = monolith.prepare(portions[number + 1][0], learned, portions[number + 1][1])
        _, row["monolith_seconds"] = timed(lambda: monolith.train(files))
        now, sure = monolith.answers(files)
    together, tests = all_together(records, portions, answers)
    return {"months": rows, "together": together, "tests": tests, "monolith": monolith.plan, "engine_files": len(engines),
            "engines_unchanged": world.engines() == engines, "first_records": len(records.first),
            "first_seconds": {"law": training, "monolith": training_monolith}}


COLUMNS = ("cases", "decided", "right", "wrong", "open", "critical", "missed")


def write_csv(result, path):
    """A line a month; seconds of a line are those spent after its records were answered."""
    with path.open("w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["month", "learned", *(f"{who}_{column}" for who in (*WHO, "surest") for column in COLUMNS), "contradicted", "revised",
                      "law_seconds", "law_cpu_seconds", "monolith_seconds", "monolith_cpu_seconds"])
        for row in result["months"]:
            seconds = [f"{row[who][kind]:.3f}" if who in row else "" for who in ("law_seconds", "monolith_seconds") for kind in ("wall", "cpu")]
            out.writerow([row["month"], row["learned"], *(row[who][column] for who in (*WHO, "surest") for column in COLUMNS),
                          len(row["contradicted"]) if "contradicted" in row else "", len(row["accepted"]) if "accepted" in row else "", *seconds])


def table(result):
    """For people: a line a month, and one for all of them."""
    share = lambda part: f"{part['right']} / {part['cases']}"
    lines = ["| month | " + " | ".join(f"{name}: right" for name in WHO.values()) + " | left open by the law, revised | contradicted | revised | "
             "seconds, law | seconds, monolith |", "|---" * (len(WHO) + 6) + "|"]
    for row in result["months"]:
        learned = [", ".join(row["contradicted"]) or "-", str(len(row["accepted"])), f"{row['law_seconds']['wall']:.1f}",
                   f"{row['monolith_seconds']['wall']:.1f}"] if "accepted" in row else [""] * 4
        lines.append(f"| {row['month']} | " + " | ".join([*(share(row[who]) for who in WHO), str(row["revised"]["open"]), *learned]) + " |")
    steps = [row for row in result["months"] if "accepted" in row]
    total = lambda side: sum(row[f"{side}_seconds"]["wall"] for row in steps)
    lines.append("| all | " + " | ".join([*(share(result["together"][who]) for who in WHO), str(result["together"]["revised"]["open"]), "",
                                          str(sum(len(row["accepted"]) for row in steps)), f"{total('law'):.1f}", f"{total('monolith'):.1f}"]) + " |")
    lines += ["", *(f"{name}: {part['better']} records better, {part['worse']} worse, p {part['p']:.2g}" for name, part in result["tests"].items()),
              *(f"{row['month']}: {each['kind']}: {each['summary']}" for row in steps for each in row["accepted"]),
              f"engines' files unchanged: {result['engines_unchanged']}, {result['engine_files']} of them"]
    return "\n".join(lines)


def main(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--input", type=pathlib.Path, required=True, help="thyroid0387.data of the UCI archive")
    parser.add_argument("--months", type=int, help="only so many of the later months")
    parser.add_argument("--least", type=int, default=50, help="a month with fewer records is looked at together with the next")
    options = parser.parse_args(words)
    if options.months is not None and options.months < 2:
        parser.error("--months is at least 2: what one month tells is measured by the next")
    if options.least < 1:
        parser.error("--least is at least 1")
    if options.folder.exists() and any(options.folder.iterdir()):
        parser.error(f"{options.folder} is not empty")
    if not options.input.is_file():
        parser.error(f"{options.input}: no such file; it is thyroid0387.data of the UCI archive \"Thyroid Disease\"")
    folder = options.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    try:
        result = study(folder, options.input.resolve(), options.months, options.least, lambda text: print(text, file=sys.stderr, flush=True))
    except RuntimeError as error:
        sys.exit(str(error))
    (folder / "over_time.json").write_text(json.dumps(result, indent=1) + "\n")
    write_csv(result, folder / "over_time.csv")
    over_time_figure.draw(result, folder / "over_time")
    print(table(result))


if __name__ == "__main__":
    main(sys.argv[1:])
