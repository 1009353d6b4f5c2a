#!/usr/bin/env python3
"""The law's evaluator beside CLIPS, a rete engine, on one small law in one run: cases a second of both, as JSON.

    compare_law.py --bench build/release/bin/hiple-bench-law [--clips clips] [--cases 20000] [--repeat 5]

The law has 20 rules over 8 columns, a question each, and no missing values, of which CLIPS has no notion. Both must find every rule
true equally often, or the comparison fails. CLIPS's time is that of asserting the cases and running the rules, by its own clock, without
reading its program; the law's is that of decide() with the root.
"""

import argparse
import ast
import csv
import json
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

OPERATORS = {ast.Gt: ">", ast.GtE: ">=", ast.Lt: "<", ast.LtE: "<=", ast.Eq: "eq", ast.NotEq: "neq"}


def prefix(node):
    """A condition, which reads as Python, in CLIPS's notation."""
    if isinstance(node, ast.BoolOp):
        name = "and" if isinstance(node.op, ast.And) else "or"
        return f"({name} {' '.join(map(prefix, node.values))})"
    if isinstance(node, ast.UnaryOp):
        return f"(not {prefix(node.operand)})"
    if isinstance(node, ast.Compare):
        return f"({OPERATORS[type(node.ops[0])]} {prefix(node.left)} {prefix(node.comparators[0])})"
    if isinstance(node, ast.Name):
        return "?" + node.id
    return json.dumps(node.value) if isinstance(node.value, str) else repr(node.value)


def rules(law):
    """(question, condition) of each rule."""
    for when, question in re.findall(r"when: '(.*)', then: (\w+)\.", law):
        dates = re.sub(r'(c\d+ [<>]=? )"(\d+)-(\d+)-(\d+)"', r"\1\2\3\4", when)  # a date as a number: 20010301
        yield question, ast.parse(dates, mode="eval").body


def program(law, columns):
    slots = " ".join(f"(slot {name})" for name in columns)
    lines = [f"(deftemplate case (slot id) {slots})"]
    for question, condition in rules(law):
        names = sorted({node.id for node in ast.walk(condition) if isinstance(node, ast.Name)})
        pattern = " ".join(f"({name} ?{name})" for name in names)
        lines += [f"(defglobal ?*{question}* = 0)",
                  f"(defrule {question} (case {pattern}) (test {prefix(condition)}) => (bind ?*{question}* (+ ?*{question}* 1)))"]
    return "\n".join(lines) + "\n"


def cell(text):
    if re.fullmatch(r"\d{4}-\d\d-\d\d", text):
        return text.replace("-", "")
    return text if re.fullmatch(r"-?[\d.]+(e-?\d+)?", text) else json.dumps(text)


def facts(table):
    columns, *rows = table
    for number, row in enumerate(rows):
        yield f"(case (id {number}) {' '.join(f'({name} {cell(value)})' for name, value in zip(columns, row))})\n"


def run_clips(clips, folder, repeat, questions):
    """Seconds of each run, and how often each rule fired in the last."""
    script = f'(load* "{folder}/law.clp")\n'
    for _ in range(repeat):
        script += "(reset)\n(bind ?*start* (time))\n" + f'(load-facts "{folder}/facts.clp")\n(run)\n(printout t "seconds " (- (time) ?*start*) crlf)\n'
    script += "".join(f'(printout t "true {q} " ?*{q}* crlf)\n' for q in questions) + "(exit)\n"
    (folder / "run.clp").write_text("(defglobal ?*start* = 0)\n")
    (folder / "batch.clp").write_text(f'(load* "{folder}/run.clp")\n' + script)
    out = subprocess.run([clips, "-f2", str(folder / "batch.clp")], capture_output=True, text=True, check=True).stdout
    return ([float(value) for value in re.findall(r"^seconds ([\d.e-]+)", out, re.MULTILINE)],
            {q: int(n) for q, n in re.findall(r"^true (\w+) (\d+)", out, re.MULTILINE)})


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bench", required=True)
    parser.add_argument("--clips", default="clips")
    parser.add_argument("--cases", type=int, default=20000)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        ours = json.loads(subprocess.run([options.bench, "--sample", name, "--sample-cases", str(options.cases), "--repeat", str(options.repeat)],
                                         capture_output=True, text=True, check=True).stdout)
        with (folder / "table.csv").open(newline="") as file:
            table = list(csv.reader(file))
        (folder / "law.clp").write_text(program((folder / "law.yaml").read_text(), table[0]))
        (folder / "facts.clp").write_text("".join(facts(table)))
        seconds, true = run_clips(options.clips, folder, options.repeat, ours["sample"]["true"])
    if len(seconds) != options.repeat or true != ours["sample"]["true"]:
        sys.exit(f"CLIPS finds other rules true: {true}, the law {ours['sample']['true']}")
    median = statistics.median(seconds)
    clips = {"seconds": seconds, "median_seconds": median, "cases": options.cases, "cases_per_second": options.cases / median}
    ratio = ours["sample"]["cases_per_second"] / clips["cases_per_second"]
    print(json.dumps({"format": "hiple compare law", "version": 1, "hiple": ours, "clips": clips, "times_clips": ratio}, indent=1))


if __name__ == "__main__":
    main()
