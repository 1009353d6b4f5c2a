#!/usr/bin/python3
"""What the ledger costs a training step of the shared objective, at each model size of the study, in one run and in two ways:

  by calls    MPI calls of a step, times what a wrapped call takes more than its PMPI twin at most (hiple-bench-ledger), by the step
  end to end  the step of hiple-scaling by that of hiple-scaling-unwatched, the same program linked without the wrappers: launched in
              pairs, in shuffled order; the median of the pairs' ratios with its 95 % order-statistic interval

usage: ledger_overhead.py [--pairs 20] [--output FILE.json]

The first can be told where the second drowns in the noise of the machine. Exit status: 0 the overhead is under 1 % of the step at every
size, by calls; 1 it is not, or something failed."""

import argparse
import json
import pathlib
import random
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scaling" / "study"))
from claims import percent  # noqa: E402
from intervals import estimate, median  # noqa: E402
from launching import Launcher  # noqa: E402
from plan import load_plan, program  # noqa: E402
from points import Point, select  # noqa: E402
from records import Launch  # noqa: E402

LIMIT = 0.01
WATCHED, UNWATCHED = "hiple-scaling", "hiple-scaling-unwatched"


def sizes_of(plan):
    """The shared objective on two ranks of one host, 128 rows in all: of each model size and variant."""
    points = select([Point(entry) for entry in plan["configurations"]], strategy="ddp", link="none", ranks=2, is_disturbed=False)
    return [point for point in points if "strong" in point.configuration["scaling"]]


def cost_of_a_call():
    """Seconds that the wrapper of a call takes: of the costliest kind that was measured."""
    done = subprocess.run([str(program("hiple-bench-ledger"))], capture_output=True, text=True, check=True)
    return max(1e-9 * case["overhead_ns_a_call"] for case in json.loads(done.stdout)["cases"])


def measure(launcher, point, name):
    record, told = launcher.launch(point.configuration, ["measure", *point.configuration["arguments"]], name=name)
    if record is None:
        raise SystemExit(f"{name}, {point.id}: {told['error']}")
    return Launch({"configuration": point.configuration, "launch": told, "record": record})


def calls_of_a_step(launch):
    """Of the rank that makes most; Open MPI is asked between layers, so that it depends on how long messages take."""
    calls = [share["training"]["calls"] for share in launch.record["certificate"]["per_rank"]]
    return max(calls) / launch.record["steps"]


def compare(launcher, point, pairs, order, cost):
    """One size: pairs of launches, watched and not, in shuffled order."""
    found = {WATCHED: [], UNWATCHED: []}
    for _ in range(pairs):
        for name in order.sample([WATCHED, UNWATCHED], 2):
            found[name].append(measure(launcher, point, name))
    if any(calls_of_a_step(launch) for launch in found[UNWATCHED]):
        raise SystemExit(f"{UNWATCHED} is watched: it compares nothing")
    steps = [launch.step_seconds() for launch in found[WATCHED]]
    calls = median([calls_of_a_step(launch) for launch in found[WATCHED]])
    end = estimate([watched / bare.step_seconds() - 1 for watched, bare in zip(steps, found[UNWATCHED])])
    return {"network": point.network, "variant": point.variant, "pairs": pairs, "step_seconds": median(steps), "calls_a_step": calls,
            "by_calls": calls * cost / median(steps), "end_to_end": end.median, "end_to_end_interval": [end.low, end.high]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=20, help="pairs of launches a size; an interval takes six")
    parser.add_argument("--output", help="the figures as JSON")
    options = parser.parse_args()
    plan, cost, rows = load_plan(ROOT / "scaling/studies/proof.yaml"), cost_of_a_call(), []
    print(f"a wrapped call takes at most {1e9 * cost:.0f} ns more than its twin")
    print(f"{'network':18} {'variant':8} {'step':>11} {'calls a step':>13} {'by calls':>9}   end to end")
    with Launcher(plan) as launcher:
        for point in sizes_of(plan):
            row = compare(launcher, point, options.pairs, random.Random(point.id), cost)
            rows.append(row)
            low, high = row["end_to_end_interval"]
            interval = "(no interval)" if low is None else f"[{percent(low)}, {percent(high)}]"
            print(f"{row['network']:18} {row['variant']:8} {1e3 * row['step_seconds']:8.3f} ms {row['calls_a_step']:13.1f} "
                  f"{percent(row['by_calls']):>9}   {percent(row['end_to_end'])} {interval}", flush=True)
    too_much = [row for row in rows if not row["by_calls"] < LIMIT]
    print(f"under {percent(LIMIT)} by calls: {len(rows) - len(too_much)} of {len(rows)}")
    if options.output:
        text = json.dumps({"format": "hiple ledger overhead", "version": 1, "seconds_a_call": cost, "sizes": rows}, indent=1)
        pathlib.Path(options.output).write_text(text + "\n", encoding="utf-8")
    return 1 if too_much or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
