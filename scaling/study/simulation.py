#!/usr/bin/python3
"""Strategies on simulated ranks: jobs/simulation.sh says how it is used, docs/simulation.md what is simulated and what is not. Every simulation is one
line of FOLDER/simulation.jsonl, whole configuration and metadata included; what is there already is not simulated again."""

import argparse
import datetime
import json
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile
import time

import duration
import simulated_platform
from plan import BadInput, program, revision
from simulated_plan import configurations, shapes_of
from study_files import SIMULATION

DONE, FAILED, BAD_INPUT, PARTIAL = 0, 1, 2, 3
PIECES = "pieces.json"


def say(text):
    print(text, file=sys.stderr, flush=True)


def simulator():
    """The program and smpirun; BadInput in one line where SimGrid is missing."""
    if not shutil.which("smpirun"):
        raise BadInput("no SimGrid here: install libsimgrid-dev (jobs/setup.sh --optional), and build again")
    try:
        return program("hiple-simulate")
    except BadInput as error:
        raise BadInput("built without SimGrid: install libsimgrid-dev (jobs/setup.sh --optional), and build again") from error


def simgrid_version():
    done = subprocess.run(["smpirun", "-version"], capture_output=True, text=True, check=False)
    return done.stdout.strip().splitlines()[0] if done.stdout.strip() else "unknown"


def measure_pieces(folder, wanted, built):
    """The times of what is computed; those that are there stay, if they are of this revision and have every shape."""
    path, shapes = folder / PIECES, sorted({shape for one in wanted for shape in shapes_of(one)})
    if path.exists():
        record = json.loads(path.read_text())
        if record["metadata"]["revision"] != built:
            raise BadInput(f"{path}: of revision {record['metadata']['revision']}, and the program is {built} (give another folder)")
        if {f"{one['inputs']}x{one['outputs']}x{one['rows']}" for one in record["layers"]} >= set(shapes):
            return path
    say(f"measuring {len(shapes)} layers")
    subprocess.run([str(program()), "pieces", *shapes, "--output", str(path)], check=True)
    return path


def sum_of_pieces(pieces, one):
    """Seconds of a step's computing, of one rank's rows: what the simulation will take."""
    layers = {(layer["inputs"], layer["outputs"], layer["rows"]): layer for layer in pieces["layers"]}
    rows, widths = one["batch"] // one["ranks"], one["widths"]
    total, numbers = 0.0, 0
    for place, (inputs, outputs) in enumerate(zip(widths, widths[1:])):
        layer = layers[inputs, outputs, rows]
        total += layer["multiply"] + layer["activate"] + layer["through_activation"] + layer["weight_row"] * outputs + (layer["input"] if place else 0)
        numbers += inputs * outputs + outputs
    adam = min(pieces["adam"], key=lambda each: abs(each["numbers"] - numbers))
    return total + adam["seconds"] * numbers


def simulate(one, pieces, binary, scratch):
    """Runs one configuration. Returns its result."""
    folder = pathlib.Path(scratch)
    ranks = one["ranks"]
    text = simulated_platform.star(ranks, one["link"]["bits_per_second"], one["link"]["latency"]) if one["link"] else simulated_platform.fat_tree(ranks)
    (folder / "platform.xml").write_text(text)
    (folder / "hosts").write_text(simulated_platform.hosts(ranks))
    scale = one["measured"]["compute_seconds"] / sum_of_pieces(json.loads(pieces.read_text()), one) if one["measured"] else one["compute_scale"]
    config = {**{key: value for key, value in one.items() if key not in ("id", "scenario", "link", "measured")}, "compute_scale": scale,
              "pieces": str(pieces), "output": str(folder / "result.json")}
    (folder / "config.json").write_text(json.dumps(config))
    command = ["smpirun", "-np", str(ranks), "-hostfile", str(folder / "hosts"), "-platform", str(folder / "platform.xml"),
               *[f"--cfg={key}:{value}" for key, value in simulated_platform.OPTIONS.items()], "--log=root.thres:critical", str(binary),
               str(folder / "config.json")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
    if not (folder / "result.json").is_file():
        raise RuntimeError(f"{one['id']}: the simulation ended with {done.returncode}: {(done.stderr or done.stdout).strip()[-400:]}")
    return {**json.loads((folder / "result.json").read_text()), "compute_scale": scale}


def known(path, built):
    """{id: result} of what was simulated before."""
    if not path.exists():
        return {}
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    if any(line["revision"] != built for line in lines):
        raise BadInput(f"{path}: holds simulations of another revision than {built} (give another folder)")
    return {line["configuration"]["id"]: line["result"] for line in lines}


def run(options):
    binary, built, begin = simulator(), revision(), time.monotonic()
    wanted = configurations(options.most_ranks, options.against)
    options.folder.mkdir(parents=True, exist_ok=True)
    path = options.folder / SIMULATION
    results = known(path, built)
    pieces = measure_pieces(options.folder, [one for one in wanted if one["run"] is None], built)
    skipped = 0
    for one in wanted:
        if one["id"] in results:
            continue
        if time.monotonic() - begin > options.time_limit:
            skipped += 1
            continue
        if one["run"] is not None:  # a whole run takes the steps that were simulated before
            if one["run"]["of"] not in results:
                skipped += 1
                continue
            one["run"]["step_seconds"] = results[one["run"]["of"]]["step_seconds"][-1]
        started = time.monotonic()
        with tempfile.TemporaryDirectory() as scratch:
            result = simulate(one, pieces.resolve(), binary, scratch)
        results[one["id"]] = result
        now = datetime.datetime.now(datetime.timezone.utc)
        metadata = {"revision": built, "simgrid": simgrid_version(), "options": simulated_platform.OPTIONS, "host": platform.node(),
                    "load": os.getloadavg()[0], "wall_seconds": round(time.monotonic() - started, 2), "ended": f"{now:%Y-%m-%dT%H:%M:%SZ}"}
        with open(path, "a", encoding="utf-8") as file:
            file.write(json.dumps({"format": "hiple simulation", "version": 1, "revision": built, "configuration": one, "result": result,
                                   "metadata": metadata}, separators=(",", ":")) + "\n")
        said = f"{1e3 * result['step_seconds'][-1]:.3f} ms a step" if result["step_seconds"] else f"{sum(result['phase_seconds']):.1f} s"
        say(f"{one['id']}: {said} ({metadata['wall_seconds']} s)")
    if skipped:
        say(f"out of time: {skipped} of {len(wanted)} were not simulated")
    return PARTIAL if skipped else DONE


def time_limit(text):
    try:
        return duration.seconds_of(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--most-ranks", type=int, default=1024)
    parser.add_argument("--against", type=pathlib.Path)
    parser.add_argument("--time-limit", type=time_limit, default=1200.0)
    parser.add_argument("--draw", action="store_true")
    options = parser.parse_args()
    try:
        status = DONE if options.draw else run(options)
        import simulated_report  # matplotlib is only needed here
        for path in simulated_report.write(options.folder):
            say(f"wrote {path}")
    except BadInput as error:
        say(str(error))
        return BAD_INPUT
    print(options.folder)
    return status


if __name__ == "__main__":
    sys.exit(main())
