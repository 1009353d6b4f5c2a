"""What a study is to measure, as `hiple-scaling plan` reads it from a study file."""

import json
import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]


class BadInput(Exception):
    """The input is wrong; the text is what the user should read. Exit status 2."""


def program(name="hiple-scaling"):
    """A program, in HIPLE_BIN_DIR or where the release preset puts it."""
    path = pathlib.Path(os.environ.get("HIPLE_BIN_DIR") or ROOT / "build/release/bin") / name
    if not path.is_file():
        raise BadInput(f"no program {path}: build it with jobs/setup.sh, or set HIPLE_BIN_DIR")
    return path


def load_plan(study):
    """The plan of a study file; what is wrong with the file is said as the program says it."""
    done = subprocess.run([str(program()), "plan", str(study), "--json"], capture_output=True, text=True, check=False)
    if done.returncode == 2:
        raise BadInput(done.stderr.strip())
    if done.returncode != 0:
        raise RuntimeError(f"hiple-scaling plan failed: {done.stderr.strip()}")
    plan = json.loads(done.stdout)
    for entry in plan["configurations"]:  # places without the path: results shall not tell where a checkout was
        entry["place"] = pathlib.Path(entry["place"]).name
    return plan


def revision():
    """The git revision that the program was built from."""
    done = subprocess.run([str(program()), "--version"], capture_output=True, text=True, check=True)
    for line in done.stdout.splitlines():
        if line.startswith("revision"):
            return line.split()[-1]
    raise RuntimeError("hiple-scaling --version names no revision")
