#!/usr/bin/python3
"""Compares the law of a study with other ways to combine the same judgments, and writes tables and a figure.

  compare.py RUN.yaml|RUN_DIRECTORY [--output FOLDER] [--folds K] [--no-shifts | --every-part] [--copy ENGINE]
             [--new-class QUESTION.FINDING]

Runs the study where it was not run, and the runs that the comparison needs (docs/combiners.md). Writes table.txt, table.json,
table.csv, risk_coverage.png and .svg, answers.h5 and, unless told not to, shifts.txt and shifts.json into FOLDER, by default
RUN_DIRECTORY/comparison. Exit status: 0 done, 2 the input is wrong, 1 anything else."""

import argparse
import pathlib
import sys

import every_part
import numpy as np
import shifts
from comparison_files import log_look, network_lines, unseen_line, write_answers, write_table
from derived_runs import DONE, PARTIAL, BadInput, Study, hiple
from matched_table import CUT, LAW, curves, matched_rows, ways_of
from plain_yaml import read
from preparation import Preparation
from risk_figure import draw
from rivals import answers, fitted
from row_table import BadTable


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


def check_law(found, beside):
    """Beside the rivals the same engines must have been trained, so that the law decides as it did."""
    if not np.array_equal(found.finding, beside.finding) or not np.array_equal(found.decided, beside.decided):
        raise RuntimeError("the law decides otherwise beside the rivals: the engines are not the same")


def notes_on(preparation, held, voices):
    speaking = {voice.engine for each in voices for voice in each}
    silent = sorted({str(engine["name"]) for engine in preparation.study.engines} - speaking)
    notes = [*network_lines(preparation.plans), unseen_line(preparation.unseen(held), preparation.found.truth), 
             f"combiners are fitted to {len(held.cases)} training cases, each judged by engines that were trained on the other "
             f"{preparation.folds - 1} of {preparation.folds} folds"]
    return notes + ([f"engines that speak to no question: {', '.join(silent)}"] if silent else [])


def compare(study, folder, options):
    """Writes everything into the folder. Returns the truth of the test part, every way to decide it, and what the control's gates say."""
    preparation = Preparation(study, folder, options.folds, options.copy)
    log_look(folder, study.directory, preparation.found.root)
    say(f"{options.folds} runs on folds of the training part")
    held = preparation.folds_of(preparation.training, "folds")
    say("one run with networks on all columns, and with cells missing")
    asked = preparation.rivals(held, "rivals")
    now = asked[0.0]
    check_law(preparation.found.law, now.law)
    say("one run on a random cut")
    cut, cut_report = preparation.random_cut()

    say("fitting combiners")
    voices = preparation.voices(held.cases)
    combiners = fitted(preparation.questions, voices, preparation.plain(held.cases), held.truth.gold)
    found = answers(combiners, preparation.plain(now.cases))
    write_answers(folder / "answers.h5", now.cases.case_id, found)

    truth = preparation.found.truth
    # By all engines in the study's own run: beside the rivals networks on all columns would be among those whose confidence orders it.
    ways = ways_of(preparation.found.law, preparation.found.flat, found, cut)
    rows = matched_rows(ways, truth)
    check_same(preparation.report, rows)
    control = write_table(folder, preparation, rows, notes_on(preparation, held, voices), cut_report)
    draw_curves(folder, study, ways, truth)
    if not options.no_shifts:
        shifts.run(preparation, held, asked, voices, options.new_class, say)
        say(folder / "shifts.txt")
    return truth, ways, control


def draw_curves(folder, study, ways, truth):
    caption = f"{study.run['name']}, {len(truth.case_id)} test cases; a marker where a curve ends"
    draw(curves({name: each for name, each in ways.items() if name != CUT}, truth), folder / "risk_coverage", caption)
    say(folder / "table.txt")


def compare_as_told(options):
    study = Study(finished_run(options.run))
    folder = (options.output or study.directory / "comparison").resolve()
    if not options.every_part:
        compare(study, folder, options)
        return
    options.no_shifts = True
    truth, ways = every_part.compare_parts(study, folder, lambda *where: compare(*where, options), say)
    draw_curves(folder, study, ways, truth)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=pathlib.Path, help="run.yaml, or the directory of a finished run")
    parser.add_argument("--output", type=pathlib.Path, help="where tables, figure and derived runs go")
    parser.add_argument("--folds", type=int, default=5, help="of the training part; 5 by default")
    parser.add_argument("--no-shifts", action="store_true", help="no lost and added engines, missing cells and new classes")
    parser.add_argument("--every-part", action="store_true",
                        help="each value of the split's column is the test part in turn, and the tables are of all together; no shifts")
    parser.add_argument("--copy", help="the engine that a shift doubles; by default the first of the question to which most speak")
    parser.add_argument("--new-class", metavar="QUESTION.FINDING",
                        help="what a shift takes out of training; by default the critical finding with most test cases")
    options = parser.parse_args()
    try:
        if options.folds < 2:
            raise BadInput(f"--folds {options.folds}: nothing is held out with less than two")
        compare_as_told(options)
    except (BadInput, BadTable) as error:
        say(f"compare.py: {error}")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
