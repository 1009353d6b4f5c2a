#!/usr/bin/env python3
"""Training steps a second, hiple against PyTorch on the same machine in one run; JSON on standard output.

    python3 scaling/peers/compare_engine.py build/release/bin/hiple-bench-engine [--environment FOLDER | --python PYTHON]

Installs PyTorch itself (install_pytorch.sh). fp32, forward + softmax cross-entropy + backward + Adam, on one thread or --threads;
with --judging the forward pass alone; with --ensemble N many engines of one shape side by side, one on each thread, against one
vmap over all of them. Each round measures all in turn, cases in shuffled order; a ratio is the median over the rounds. Before that
the losses of 20 steps from the same weights and batch must agree to 1e-4, or the comparison is refused.
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
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--judging", action="store_true", help="the forward pass alone")
    parser.add_argument("--compiled", action="store_true", help="torch.compile as a third peer; it wants a compiler, and minutes")
    parser.add_argument("--ensemble", type=int, metavar="N", help="N engines of each case, which by default is 8-80-80-2:64")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.5, help="length of a measurement")
    parser.add_argument("--processor-time", action="store_true", help="instead of the wall's: for a machine that others load")
    chosen = parser.parse_args()
    if chosen.rounds < 5:
        parser.error("--rounds: a median needs 5 at least")
    if chosen.threads < 1 or (chosen.ensemble is not None and chosen.ensemble < 1):
        parser.error("--threads and --ensemble: 1 at least")
    if chosen.ensemble and (chosen.judging or chosen.processor_time or chosen.compiled):
        parser.error("--ensemble trains, eager, by the wall's clock")
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


def start_ours(options, case, threads):
    command = [options.program, "--case", case, "--repetitions", "1", "--seconds", str(options.seconds), "--threads", str(threads)]
    command += ["--processor-time"] * options.processor_time + ["--judging"] * options.judging
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def end_ours(process):
    output, _ = process.communicate()
    if process.returncode != 0:
        sys.exit(f"{' '.join(process.args)}: exit status {process.returncode}")
    report = json.loads(output)
    return report["metadata"], report["results"][0]


def measure_ours(options, case):
    """The program's metadata, the rate, and all that it says of a step."""
    if options.ensemble:  # as many engines at once as threads, each on one: what a rank does with a pack
        running = [start_ours(options, case, 1) for _ in range(options.threads)]
        ended = [end_ours(process) for process in running]
        return ended[0][0], sum(result["median_steps_per_second"] for _, result in ended), ended[0][1]
    program, result = end_ours(start_ours(options, case, options.threads))
    return program, result["median_batches_per_second" if options.judging else "median_steps_per_second"], result


def peers(options, peer, case, has_fused):
    """PyTorch's ways of the same work, by name; and how many engines' steps a step of each is."""
    if options.ensemble:
        return {"vmap": peer.Ensemble(case, options.ensemble)}, options.ensemble
    if options.judging:
        return {kind: peer.Judge(case, kind) for kind in ["eager"] + ["compiled"] * options.compiled}, 1
    kinds = ["eager"] + ["fused"] * has_fused + ["compiled"] * (options.compiled and has_fused)
    return {kind: peer.Trainer(case, kind=kind) for kind in kinds}, 1


def summary(case, ours, theirs):
    rates = [rate for _, rate, _ in ours]
    entry = {"case": case, "hiple_per_second": rates, "hiple_median": statistics.median(rates), "pytorch_per_second": theirs}
    for kind, measured in theirs.items():
        ratios = [a / b for a, b in zip(rates, measured)]
        entry["ratio" if kind in ("eager", "vmap") else f"ratio_to_{kind}"] = statistics.median(ratios)
        if kind in ("eager", "vmap"):
            entry |= {"pytorch_median": statistics.median(measured), "ratio_range": [min(ratios), max(ratios)]}
    details = [result for _, _, result in ours]
    if "parts" in details[0]:
        entry["hiple_product_gflops"] = statistics.median(result["product_gflops"] for result in details)
        entry["parts_us"] = {part: statistics.median(result["parts"][part] for result in details) for part in details[0]["parts"]}
    if case in TARGETS and "eager" in theirs:
        entry |= {"target": TARGETS[case], "met": entry["ratio"] >= TARGETS[case]}
    return entry


def line(result):
    others = [f"{name.removeprefix('ratio_to_')} {value:.2f}" for name, value in result.items() if name.startswith("ratio_to_")]
    text = f"{result['case']:28} {result['hiple_median']:9.1f} /s, PyTorch {result['pytorch_median']:9.1f} /s: {result['ratio']:.2f} times"
    if others:
        text += f" ({', '.join(others)})"
    if "target" in result:
        text += f" (target {result['target']}: {'met' if result['met'] else 'NOT MET'})"
    return text + (f", {result['hiple_product_gflops']:.0f} GFLOP/s" if "hiple_product_gflops" in result else "")


def main():
    options = arguments()
    enter_environment(options.environment, options.python)
    import torch

    import pytorch_engine as peer
    cases = options.case or (["8-80-80-2:64"] if options.ensemble else list(TARGETS))
    differences = {case: peer.largest_loss_difference(options.program, case) for case in cases}
    worst = max(differences, key=differences.get)
    if not differences[worst] <= peer.LOSS_TOLERANCE:
        sys.exit(f"{worst}: the losses differ from PyTorch's by {differences[worst]:.2g}, more than {peer.LOSS_TOLERANCE}")
    torch.set_num_threads(options.threads)
    has_fused = tuple(int(n) for n in torch.__version__.split(".")[:2]) >= (2, 4)  # fused Adam on a processor
    if options.ensemble and not has_fused:
        sys.exit(f"PyTorch {torch.__version__} is too old for an ensemble with fused Adam: 2.4 at least")
    clock = time.process_time if options.processor_time else time.perf_counter
    made = {case: peers(options, peer, case, has_fused) for case in cases}
    ours, theirs, load = {c: [] for c in cases}, {c: {kind: [] for kind in made[c][0]} for c in cases}, [os.getloadavg()[0]]
    for _ in range(options.rounds):
        for case in random.sample(cases, len(cases)):
            ours[case].append(measure_ours(options, case))
            ways, engines = made[case]
            for kind, way in ways.items():
                peer.rate(way, 0, clock)
                theirs[case][kind].append(engines * peer.rate(way, options.seconds, clock))
        load.append(os.getloadavg()[0])
        print(f"round {len(load) - 1} of {options.rounds}", file=sys.stderr)
    metadata = {"processor": processor(), "cores": os.cpu_count(), "system": platform.platform(), "hiple": ours[cases[0]][0][0],
                "pytorch": torch.__version__, "pytorch_build": torch.__config__.show(), "threads": options.threads,
                "measured": "judging" if options.judging else f"{options.ensemble} engines" if options.ensemble else "training",
                "clock": "processor" if options.processor_time else "wall", "rounds": options.rounds,
                "seconds": options.seconds, "removed_from_the_environment": peer.REMOVED, "load_average": load}
    results = [summary(c, ours[c], theirs[c]) | {"largest_loss_difference": differences[c]} for c in cases]
    json.dump({"metadata": metadata, "results": results}, sys.stdout, indent=2)
    print()
    for result in results:
        print(line(result), file=sys.stderr)


if __name__ == "__main__":
    main()
