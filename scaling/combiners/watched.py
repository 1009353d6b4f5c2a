#!/usr/bin/python3
"""A figure that is watched while cases come in: critical findings that the law missed in silence, or cases that it has right, with bounds that
hold at every look at once, and beside them the exact bounds that hold for one look alone.

  watched.py CASES.h5 [--every N] [--figure silent|exact] [--output PATH]

CASES.h5 is what `hiple gates RUN --cases CASES.h5` wrote. Cases come in the order of their ids, N between two looks. Writes PATH.csv, .png
and .svg, by default beside CASES.h5. Exit status: 0 done, 2 the input is wrong."""

import argparse
import csv
import pathlib
import sys

import h5py
import numpy as np
from bounds import lower_bound, upper_bound
from confidence_sequence import interval
from figures_of import exact_of, silent_of
from truth import read_gate_cases

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "study"))
from style import BLUE, ORANGE, RED, legend_below, panels, save  # noqa: E402

NAMES = {"silent": "critical findings missed in silence", "exact": "cases with every question right"}


def outcomes(cases, figure):
    """[n] 1 where it happened, and whether the case counts at all."""
    truth, law = cases.truth, cases.law
    if figure == "exact":
        return exact_of(law, truth), truth.known
    critical, silent, _ = silent_of(law, truth)
    return silent.any(axis=1), truth.known & critical.any(axis=1)


def looks(happened, counts, every):
    """One line a look: cases seen, count, of, rate, the bounds of one look, and those of all looks."""
    for seen in [*range(every, len(counts), every), len(counts)]:
        n = int(counts[:seen].sum())
        count = int((happened & counts)[:seen].sum())
        yield seen, count, n, count / n if n else float("nan"), lower_bound(count, n), upper_bound(count, n), *interval(count, n)


def draw(lines, figure, path, every):
    seen, _, n, rate, low, high, always_low, always_high = map(np.array, zip(*lines))
    drawing, (axis,) = panels(1, 6.4, 3.8)
    axis.fill_between(seen, always_low, always_high, color=BLUE, alpha=0.18, label="holds at every look at once (95 %)")
    axis.plot(seen, low, color=ORANGE, linestyle="--", linewidth=1.1, label="exact, for one look (one-sided 95 % each)")
    axis.plot(seen, high, color=ORANGE, linestyle="--", linewidth=1.1)
    axis.plot(seen, rate, color=RED, marker="o", markersize=3.5, linewidth=1.2, label=f"{NAMES[figure]}, so far")
    shown = high[n > 0] if figure == "silent" else np.array([1.0])
    axis.set(xlabel=f"cases seen, in the order of their ids; a look every {every}", ylabel="rate", xlim=(0, None),
             ylim=(0, min(1, 1.3 * np.nanquantile(shown, 0.9))))
    legend_below(drawing, [axis])
    save(drawing, path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", type=pathlib.Path, help="what `hiple gates --cases` wrote")
    parser.add_argument("--every", type=int, default=150, help="cases between two looks; 150 by default")
    parser.add_argument("--figure", choices=sorted(NAMES), default="silent")
    parser.add_argument("--output", type=pathlib.Path, help="where the files go, without an ending")
    options = parser.parse_args()
    if options.every < 1 or not options.cases.is_file() or not h5py.is_hdf5(options.cases):
        problem = f"{options.cases}: is no file that `hiple gates RUN --cases FILE` wrote: make it so"
        if options.every < 1:
            problem = f"--every {options.every}: it must be 1 at least"
        print(f"watched.py: {problem}", file=sys.stderr)
        return 2
    path = options.output or options.cases.with_name(f"watched_{options.figure}")
    lines = list(looks(*outcomes(read_gate_cases(options.cases), options.figure), options.every))
    with open(path.with_suffix(".csv"), "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["cases", "count", "n", "rate", "one_look_lower", "one_look_upper", "every_look_lower", "every_look_upper"])
        writer.writerows(lines)
    draw(lines, options.figure, path, options.every)
    seen, count, n, _, _, upper, _, always = lines[-1]
    print(f"{NAMES[options.figure]}: {count} of {n} after {seen} cases; at most {upper:.3f} for one look, at most {always:.3f} for all {len(lines)} looks")
    return 0


if __name__ == "__main__":
    sys.exit(main())
