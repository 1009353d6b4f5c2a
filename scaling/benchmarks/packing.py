#!/usr/bin/python3
"""What engines gain side by side: many small ones on one rank, one after another and several at once, launched in turns in shuffled
order; the median of the pairs' ratios with its 95 % order-statistic interval. Every engine's judgments must have the same bytes both ways.

usage: packing.py [--engines 64] [--at-once CORES] [--pairs 6] [--epochs 30] [--output FILE.json]

Each engine has 7.4 thousand parameters (8-80-80-2) and reads eight columns of its own. The time is that of `hiple train --share 0/1`,
from its start to its end: reading, training, judging and writing. Exit status: 0 measured; 1 bits differ, or something failed."""

import argparse
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

import h5py
import numpy

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scaling" / "study"))
from intervals import estimate, median  # noqa: E402
from plan import program  # noqa: E402

ROWS, COLUMNS = 4000, 64
RUN = """\
hiple: 1
name: packing
seed: 3
as_of: 2026-11-30
data: {table: cases.csv, schema: schema.yaml, split: {test: 0.3}}
engines:
%slaw: law.yaml
output: unused
"""
ENGINE = """\
  - name: %s
    domain: %s
    target: y
    features: [%s]
    model: {type: mlp, hidden: [80, 80]}
    train: {epochs: %d, batch: 64, lr: 1e-3, early_stop: 0}
"""
LAW = """\
law: 1
name: packing
schema: schema.yaml
questions:
  - {name: y, findings: [none, yes], default: none}
panels:
  - {name: root, members: [%s]}
rules:
  - {id: Y-1, title: the first engine says so, when: '%s.label == "true"', then: y.yes}
"""


def write_study(folder, engines, epochs):
    numbers = numpy.random.default_rng(7)
    values = numbers.normal(size=(ROWS, COLUMNS))
    label = values[:, ::8].sum(axis=1) > 0
    names = [f"x{i}" for i in range(COLUMNS)]
    with open(folder / "cases.csv", "w", encoding="utf-8") as table:
        table.write(",".join(["case", *names, "y"]) + "\n")
        for case, (row, y) in enumerate(zip(values, label), 1):
            table.write(f"{case},{','.join(f'{value:.4f}' for value in row)},{str(bool(y)).lower()}\n")
    columns = "".join(f"  - {{name: {name}, type: real}}\n" for name in names)
    (folder / "schema.yaml").write_text(f"schema: 1\ncolumns:\n  - {{name: case, type: integer, role: id}}\n{columns}"
                                        "  - {name: y, type: boolean, role: label}\n", encoding="utf-8")
    all_names = [f"e{i}" for i in range(engines)]
    text = ""
    for i, name in enumerate(all_names):
        mine = ", ".join(names[(8 * i + j + i // 8) % COLUMNS] for j in range(8))
        text += ENGINE % (name, name, mine, epochs)
    (folder / "run.yaml").write_text(RUN % text, encoding="utf-8")
    (folder / "law.yaml").write_text(LAW % (", ".join(all_names), all_names[0]), encoding="utf-8")


def train(folder, at_once, directory):
    """Seconds, and each engine's judgments."""
    words = [str(program("hiple")), "train", str(folder / "run.yaml"), "--share", "0/1", "--output", str(directory), "--at-once", str(at_once)]
    begin = time.monotonic()
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    seconds = time.monotonic() - begin
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(words)}: exit status {done.returncode}\n{done.stderr[-2000:]}")
    found = {}
    for path in sorted(directory.glob("judgments/*.h5")):
        with h5py.File(path) as file:
            file.visititems(lambda name, node, path=path: found.update({(path.name, name): node[()].tobytes()})
                            if isinstance(node, h5py.Dataset) else None)
    return seconds, found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engines", type=int, default=64)
    parser.add_argument("--at-once", type=int, default=len(os.sched_getaffinity(0)), help="by default the cores of this process")
    parser.add_argument("--pairs", type=int, default=6, help="an interval takes six")
    parser.add_argument("--epochs", type=int, default=30)
    parser.add_argument("--output", help="the figures as JSON")
    options = parser.parse_args()
    order, seconds = random.Random(1), {1: [], options.at_once: []}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_study(folder, options.engines, options.epochs)
        first = None
        for pair in range(options.pairs):
            for at_once in order.sample(sorted(seconds), len(seconds)):
                taken, judgments = train(folder, at_once, folder / f"{pair}-{at_once}")
                seconds[at_once].append(taken)
                first = first or judgments
                if len({file for file, _ in judgments}) != options.engines or judgments != first:
                    print(f"{at_once} at once: judgments differ from those of the first run", file=sys.stderr)
                    return 1
                print(f"{at_once} at once: {taken:.2f} s", flush=True)
    gain = estimate([one / many for one, many in zip(seconds[1], seconds[options.at_once])])
    interval = "(no interval)" if gain.low is None else f"[{gain.low:.2f}, {gain.high:.2f}]"
    print(f"{options.engines} engines, {options.at_once} at once: {gain.median:.2f} times {interval} as fast as one after another "
          f"({median(seconds[1]):.2f} s and {median(seconds[options.at_once]):.2f} s); all judgments have the same bytes")
    if options.output:
        figures = {"format": "hiple packing", "version": 1, "engines": options.engines, "at_once": options.at_once, "rows": ROWS,
                   "epochs": options.epochs, "seconds_one_after_another": seconds[1], "seconds_at_once": seconds[options.at_once],
                   "times": gain.median, "interval": [gain.low, gain.high]}
        pathlib.Path(options.output).write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
