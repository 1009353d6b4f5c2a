#!/usr/bin/python3
"""Compares the law of a study with other ways to combine the same judgments, and writes tables and a figure.

  compare.py RUN.yaml|RUN_DIRECTORY [--output FOLDER] [--folds K] [--no-shifts] [--copy ENGINE] [--new-class QUESTION.FINDING]

Runs the study where it was not run, and the runs that the comparison needs (docs/combiners.md). Writes table.txt, table.json, table.csv,
risk_coverage.png and .svg, answers.h5 and, unless told not to, shifts.txt and shifts.json into FOLDER, by default
RUN_DIRECTORY/comparison. Exit status: 0 done, 2 the input is wrong, 1 anything else."""

import argparse
import datetime
import json
import pathlib
import sys

import h5py
import numpy as np
import shifts
from derived_runs import DONE, PARTIAL, BadInput, Study, hiple
from matched_table import CUT, LAW, curves, matched_rows, sentences, ways_of
from plain_yaml import read
from preparation import Preparation
from risk_figure import draw
from rivals import answers, fitted
from row_table import BadTable
from table_text import matched_text, write_csv


def say(text):
    print(text, file=sys.stderr, flush=True)


def finished_run(given):
    """The directory of the run, which is made where it is not there yet."""
    if given.is_dir():
        if not (given / "decisions.h5").is_file():
            raise BadInput(f"{given}: holds no decisions: give a run.yaml, or the directory of a finished run")
        return given.resolve()
    if not given.is_file():
        raise BadInput(f"{given}: there is no such file: give a run.yaml, or the directory of a finished run")
    directory = pathlib.Path(str(read(given)["output"]))
    if not (directory / "decisions.h5").is_file():
        say(f"running {given}")
        hiple("run", given, accepted=(DONE, PARTIAL))
    return directory.resolve()


def check_same(report, rows):
    """What is counted here of the law must be what `hiple gates` counts: one definition of each figure."""
    law = next(each for each in rows if each["way"] == LAW and each["at"] == "own")
    for name in ("exact", "coverage", "found", "silent", "strict"):
        theirs = report["figures"][name]
        if (law[name]["count"], law[name]["n"]) != (theirs["count"], theirs["n"]):
            raise RuntimeError(f"{name}: {law[name]} here, {theirs} by hiple gates")


def cost_line(network, without):
    ratio = network["spent"] / network["budget"] if network["budget"] else float("nan")
    text = (f"monolith: two hidden layers of {network['hidden']}, {network['epochs']} epochs; training took {network['spent']:.3g} operations, "
            f"the engines' together {network['budget']:.3g} (ratio {ratio:.2f})")
    return text + (f"; not counted, since they are programs: {', '.join(without)}" if without else "")


def cut_line(report):
    verdicts = {gate["gate"]: gate["verdict"] for gate in report["gates"]}
    failed = [name for name, verdict in verdicts.items() if verdict == "FAIL"]
    said = f"FAIL: {', '.join(failed)}" if failed else "no gate FAILs"
    return f"law on a random cut of columns and cases, by hiple gates: {'trusted' if report['trusted'] else 'not trusted'}; {said}"


def write_answers(path, case_id, found):
    """Every rival's answers, case by case: findings as indices, -1 where it leaves a question open by itself."""
    with h5py.File(path, "w") as file:
        file["case_id"] = case_id
        for name, each in found.items():
            file[f"{name}/finding"] = each.finding.astype(np.int32)
            file[f"{name}/confidence"] = each.confidence
            file[f"{name}/open"] = each.open


def log_look(folder, preparation):
    """Test parts are looked at rarely; here is when this one was."""
    line = {"time": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"), "run": str(preparation.study.directory), "root": preparation.found.root}
    with open(folder / "looks.jsonl", "a", encoding="utf-8") as file:
        print(json.dumps(line), file=file)


def compare(options):
    study = Study(finished_run(options.run))
    folder = (options.output or study.directory / "comparison").resolve()
    preparation = Preparation(study, folder, options.folds, options.copy)
    names = [question.name for question in preparation.questions]
    log_look(folder, preparation)
    say(f"{options.folds} runs on folds of the training part")
    held = preparation.folds_of(preparation.training, "folds")
    say("one run with the monolith, and with cells missing")
    asked = preparation.rivals(held, "rivals")
    now = asked[0.0]
    if not np.array_equal(now.law.finding, preparation.found.law.finding) or not np.array_equal(now.law.decided, preparation.found.law.decided):
        raise RuntimeError("the law decides otherwise beside the rivals: the engines are not the same")
    say("one run on a random cut")
    cut, cut_report = preparation.random_cut()

    voices = [[voice for voice in each if voice.engine != preparation.copy["name"]] for each in preparation.voices(held.cases)]
    plain = lambda cases: cases.without(preparation.copy["name"])
    say("fitting combiners")
    combiners = fitted(preparation.questions, voices, plain(held.cases), held.truth.gold)
    found = answers(combiners, plain(now.cases))
    write_answers(folder / "answers.h5", now.cases.case_id, found)

    truth = preparation.found.truth
    ways = ways_of(preparation.found.law, now.flat, found, cut)
    rows = matched_rows(ways, truth)
    check_same(preparation.report, rows)
    lines = sentences(rows)
    silent = [str(voice) for voice in sorted({str(engine["name"]) for engine in study.engines} - {voice.engine for each in voices for voice in each})]
    notes = [cost_line(preparation.network, preparation.network["without"]), cut_line(cut_report),
             f"combiners are fitted to {len(held.truth.case_id)} training cases, each judged by engines of {options.folds - 1} of {options.folds} folds without it"]
    notes += [f"engines that speak to no question: {', '.join(silent)}"] if silent else []
    title = f"{study.run['name']}: {len(truth.case_id)} test cases, root {preparation.found.root[:16]}"
    explained = ("wrong: decided whole and not all right, of all; of decided: the same, of those decided whole; cross claimed: every true finding of a cross-boundary case "
                 "decided; found: or escalated\nfor its own sake, as only a law does; critical: missed in silence, and or left open with nobody called, with exact upper bounds at 95 %; "
                 "better, worse: cases right here alone, by the law alone, p of McNemar's exact test")
    (folder / "table.txt").write_text("\n\n".join([title, explained, matched_text(rows, names), *lines, *notes]) + "\n", encoding="utf-8")
    record = {"format": "hiple comparison", "version": 1, "run": str(study.run["name"]), "root": preparation.found.root, "basis": preparation.found.basis,
              "questions": names, "rows": rows, "words": lines, "notes": notes, "network": preparation.network, "random_cut": cut_report["gates"]}
    (folder / "table.json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    write_csv(folder / "table.csv", rows, names)
    draw(curves({name: each for name, each in ways.items() if name != CUT}, truth), folder / "risk_coverage", f"{study.run['name']}, {len(truth.case_id)} test cases; a marker where a curve ends")
    say(folder / "table.txt")
    if not options.no_shifts:
        shifts.run(preparation, held, asked, voices, folder, options.new_class, say)
        say(folder / "shifts.txt")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=pathlib.Path, help="run.yaml, or the directory of a finished run")
    parser.add_argument("--output", type=pathlib.Path, help="where tables, figure and derived runs go")
    parser.add_argument("--folds", type=int, default=5, help="of the training part; 5 by default")
    parser.add_argument("--no-shifts", action="store_true", help="no tests of lost and added engines, missing cells and new classes")
    parser.add_argument("--copy", help="the engine that is there twice in a shift test; by default the first of the question to which most speak")
    parser.add_argument("--new-class", help="QUESTION.FINDING that no training case has in a shift test; by default the critical one with most test cases")
    options = parser.parse_args()
    try:
        if options.folds < 2:
            raise BadInput(f"--folds {options.folds}: nothing is held out with less than two")
        compare(options)
    except (BadInput, BadTable) as error:
        say(f"compare.py: {error}")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
