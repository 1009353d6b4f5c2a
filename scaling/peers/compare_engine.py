#!/usr/bin/env python3
"""Training steps a second, hiple against PyTorch on the same machine in one run; JSON on standard output.

    python3 scaling/peers/compare_engine.py build/release/bin/hiple-bench-engine [--environment FOLDER | --python PYTHON]

Installs PyTorch itself (install_pytorch.sh). One thread, fp32, forward + softmax cross-entropy + backward + Adam. Each round
measures both in turn, cases in shuffled order; the ratio is the median over the rounds. Before that the losses of 20 steps from
the same weights and batch must agree to 1e-4, or the comparison is refused.
"""
import argparse
import json
import os
import pathlib
import platform
import random
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
TARGETS = {"32-64-64-8:64": 10.0, "32-128-128-8:256": 3.0, "64-256-256-16:256": 1.8, "64-512-512-16:512": 1.6,
           "128-1024-1024-1024-16:512": 1.25}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="hiple-bench-engine")
    parser.add_argument("--environment", default="build/peers/pytorch", help="folder for PyTorch's virtual environment")
    parser.add_argument("--python", help="a Python that has PyTorch, instead: /usr/bin/python3 for Debian's python3-torch")
    parser.add_argument("--case", action="append", help="as 32-64-64-8:64; may be repeated; default: the five with a target")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.5, help="length of a measurement")
    parser.add_argument("--processor-time", action="store_true", help="instead of the wall's: for a machine that others load")
    chosen = parser.parse_args()
    if chosen.rounds < 5:
        parser.error("--rounds: a median needs 5 at least")
    return chosen


def enter_environment(folder, python):
    """Goes on in the Python that has PyTorch."""
    found = python or subprocess.run([HERE / "install_pytorch.sh", folder], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
    if os.environ.get("HIPLE_PEER_PYTHON") != found:
        os.environ["HIPLE_PEER_PYTHON"] = found
        os.execv(found, [found, *sys.argv])


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor()


def measure_ours(options, case):
    command = [options.program, "--case", case, "--repetitions", "1", "--seconds", str(options.seconds)]
    if options.processor_time:
        command.append("--processor-time")
    report = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return report["metadata"], report["results"][0]


def summary(case, ours, eager, fused):
    ratios = [a["median_steps_per_second"] / b for a, b in zip(ours, eager)]
    entry = {
        "case": case,
        "hiple_steps_per_second": [a["median_steps_per_second"] for a in ours],
        "pytorch_steps_per_second": eager,
        "pytorch_fused_adam_steps_per_second": fused,
        "hiple_median": statistics.median(a["median_steps_per_second"] for a in ours),
        "pytorch_median": statistics.median(eager),
        "hiple_product_gflops": statistics.median(a["product_gflops"] for a in ours),
        "ratio": statistics.median(ratios),
        "ratio_range": [min(ratios), max(ratios)],
        "parts_us": {part: statistics.median(a["parts"][part] for a in ours) for part in ours[0]["parts"]},
    }
    if fused:
        entry["ratio_to_fused_adam"] = statistics.median(a["median_steps_per_second"] / b for a, b in zip(ours, fused))
    if case in TARGETS:
        entry |= {"target": TARGETS[case], "met": entry["ratio"] >= TARGETS[case]}
    return entry


def main():
    options = arguments()
    enter_environment(options.environment, options.python)
    import torch

    import pytorch_engine as peer
    torch.set_num_threads(1)
    cases = options.case or list(TARGETS)
    differences = {case: peer.largest_loss_difference(options.program, case) for case in cases}
    worst = max(differences, key=differences.get)
    if not differences[worst] <= peer.LOSS_TOLERANCE:
        sys.exit(f"{worst}: the losses differ from PyTorch's by {differences[worst]:.2g}, more than {peer.LOSS_TOLERANCE}")
    has_fused = tuple(int(n) for n in torch.__version__.split(".")[:2]) >= (2, 4)  # fused Adam on a processor
    clock = time.process_time if options.processor_time else time.perf_counter
    trainers = {case: [peer.Trainer(case, fused=fused) for fused in ([False, True] if has_fused else [False])] for case in cases}
    ours, theirs, load = {c: [] for c in cases}, {c: [[], []] for c in cases}, [os.getloadavg()[0]]
    for _ in range(options.rounds):
        for case in random.sample(cases, len(cases)):
            program, result = measure_ours(options, case)
            ours[case].append(result)
            for i, trainer in enumerate(trainers[case]):
                trainer.rate(0, clock)
                theirs[case][i].append(trainer.rate(options.seconds, clock))
        load.append(os.getloadavg()[0])
        print(f"round {len(load) - 1} of {options.rounds}", file=sys.stderr)
    metadata = {"processor": processor(), "cores": os.cpu_count(), "system": platform.platform(), "hiple": program,
                "pytorch": torch.__version__, "pytorch_build": torch.__config__.show(), "threads": 1,
                "clock": "processor" if options.processor_time else "wall", "rounds": options.rounds,
                "seconds": options.seconds, "removed_from_the_environment": peer.REMOVED, "load_average": load}
    results = [summary(c, ours[c], *theirs[c]) | {"largest_loss_difference": differences[c]} for c in cases]
    json.dump({"metadata": metadata, "results": results}, sys.stdout, indent=2)
    print()
    for r in results:
        print(f"{r['case']:28} {r['hiple_median']:9.1f} /s, PyTorch {r['pytorch_median']:9.1f} /s: {r['ratio']:.2f} times"
              + (f" (target {r['target']}: {'met' if r['met'] else 'NOT MET'})" if "target" in r else "")
              + f", {r['hiple_product_gflops']:.0f} GFLOP/s", file=sys.stderr)


if __name__ == "__main__":
    main()
