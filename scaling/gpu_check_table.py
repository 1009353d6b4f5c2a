#!/usr/bin/env python3
"""The measurements of gpu_check.sh and their table. See there."""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys

CASES = ("32-64-64-8:64", "64-256-256-16:256", "128-1024-1024-1024-16:512")
SMALL = CASES[0]
ADAM, PACKED = 100_000_000, 64
BARS = {"tests": "all pass", "losses": "within 1e-4", "adam": "0.85 of the copy", "eager": "5 times", "graph": "1 time",
        "packed": "10 times"}
ROWS = [("tests of label gpu", "tests"), ("losses of 20 steps, against PyTorch on the processor", "losses"),
        (f"Adam over {ADAM} parameters, against a copy", "adam"),
        *((f"steps of {case}, against PyTorch {mode}", f"{kind} {case}") for case in CASES
          for kind, mode in (("eager", "eager"), ("graph", "as a CUDA graph"))),
        (f"{PACKED} engines of {SMALL} at once, against one after another", "packed")]


def bar_of(key):
    kind = key.split()[0]
    return BARS[kind] if kind not in ("eager",) or key.endswith(SMALL) else "-"


class Check:
    def __init__(self, options):
        self.options, self.found, self.failed = options, {}, False

    def run(self, name, words):
        """A program's output, kept raw; None where it failed, which is told."""
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False)
        if self.options.output:
            (self.options.output / f"{name}.txt").write_text(done.stdout + done.stderr)
        if done.returncode != 0:
            print(f"{name}: exit status {done.returncode}: {(done.stderr or done.stdout).strip()[-600:]}", file=sys.stderr)
        return done.stdout if done.returncode == 0 else None

    def json(self, name, words):
        text = self.run(name, words)
        return json.loads(text) if text else None

    def bench(self, name, *words):
        return self.json(name, [self.options.bin / "hiple-bench-cuda", *words])

    def note(self, key, figures, met):
        self.found[key] = (figures, met)
        self.failed |= met is False

    def lost(self, key):
        self.note(key, "FAILED: see above", False)

    def tests(self):
        text = self.run("tests", [self.options.bin / "test_engine", "--gtest_filter=GpuTest.*"])
        passed = re.search(r"\[  PASSED  \] (\d+) test", text or "")
        skipped = "[  SKIPPED ]" in (text or "")
        if not passed or skipped or int(passed[1]) == 0:
            return self.lost("tests")
        return self.note("tests", f"{passed[1]} passed", True)

    def adam(self):
        report = self.bench("adam", "--adam", ADAM)
        if report is None:
            return self.lost("adam")
        one = report["adam"]
        return self.note("adam", f"{one['adam_bytes_per_second'] / 1e9:.0f} GB/s of {one['copy_bytes_per_second'] / 1e9:.0f} GB/s: "
                                 f"{one['share']:.3f}", one["share"] >= 0.85)

    def packed(self):
        report = self.bench("packed", "--case", SMALL, "--packed", PACKED, "--seconds", 0.3)
        if report is None:
            return self.lost("packed")
        one = report["results"][0]
        return self.note("packed", f"{one['at_once_steps_per_second']:.0f} and {one['one_after_another_steps_per_second']:.0f} "
                                   f"steps/s: {one['ratio']:.2f} times", one["ratio"] >= 10)

    def steps(self, torch):
        words = [word for case in CASES for word in ("--case", case)]
        report = self.bench("steps", *words, "--seconds", 0.5)
        peers = self.json("pytorch", [self.options.python, self.options.peers / "pytorch_cuda.py", *CASES]) if torch else None
        for i, case in enumerate(CASES):
            for kind, least in (("eager", 5 if case == SMALL else None), ("graph", 1)):
                key = f"{kind} {case}"
                if report is None or (torch and peers is None):
                    self.lost(key)
                    continue
                ours = report["results"][i]["median_steps_per_second"]
                if not torch:
                    self.note(key, f"{ours:.0f} steps/s; PyTorch NOT RUN: it is not installed with CUDA", None)
                    continue
                theirs = peers[case][kind]
                ratio = ours / theirs
                self.note(key, f"{ours:.0f} and {theirs:.0f} steps/s: {ratio:.2f} times", None if least is None else ratio >= least)

    def losses(self, torch):
        if not torch:
            return self.note("losses", "NOT RUN: PyTorch is not installed", None)
        text = self.run("losses", [self.options.python, self.options.peers / "pytorch_engine.py",
                                   self.options.bin / "hiple-bench-cuda", *CASES])
        return self.lost("losses") if text is None else self.note("losses", "; ".join(text.split("\n")[:-1]), True)


def print_table(title, found):
    print(title)
    rows = [("what", "bar", "measured", "met")]
    for name, key in ROWS:
        figures, met = found.get(key, ("NOT RUN", None))
        rows.append((name, bar_of(key), figures, "-" if met is None else "yes" if met else "NO"))
    widths = [max(len(row[i]) for row in rows) for i in range(4)]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--peers", type=pathlib.Path, required=True)
    parser.add_argument("--output", type=pathlib.Path)
    parser.add_argument("--python", default=os.environ.get("HIPLE_PEER_PYTHON", sys.executable), help="a Python that has PyTorch")
    options = parser.parse_args()
    devices = json.loads(subprocess.run([options.bin / "hiple", "devices", "--json"], check=True, capture_output=True, text=True).stdout)
    if not devices["devices"]:
        why = devices["place"]["notice"].split(":")[0] if devices["cuda"] else "the programs were built without CUDA"
        print_table(f"NOT RUN: {why}", {})
        return 77
    check = Check(options)
    probe = "import torch, sys; sys.exit(0 if torch.cuda.is_available() else 1)"
    torch = subprocess.run([options.python, "-c", probe], capture_output=True, check=False).returncode == 0
    check.tests()
    check.losses(torch)
    check.adam()
    check.steps(torch)
    check.packed()
    print_table(f"{devices['devices'][0]['name']}, fp32", check.found)
    return 1 if check.failed else 0


if __name__ == "__main__":
    sys.exit(main())
