"""The benchmark of revisions says what it measured, and ends where the cone gives anything else than a full run."""

import json
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from launching import PATIENCE  # noqa: E402  (its folder is known from here on)

BENCH = os.path.join(os.environ["HIPLE_BIN_DIR"], "hiple-bench-revision")


def test_cones_are_measured_beside_full_runs():
    run = subprocess.run([BENCH, "--cases", "20000", "--repeat", "3", "--share", "0.05"], capture_output=True, text=True, timeout=PATIENCE)
    assert run.returncode == 0, run.stderr
    result = json.loads(run.stdout)
    assert result["format"] == "hiple bench revision" and result["cases"] == 20000
    for kind in ("spread", "together"):
        part = result[kind]
        assert part["cone_cases"] == 1000
        assert all(len(part[name]) == 3 and min(part[name]) > 0 for name in ("full_seconds", "cone_seconds", "again_seconds"))
        assert part["median_full_seconds"] == sorted(part["full_seconds"])[1]
        assert abs(part["ratio"] * part["median_full_seconds"] - part["median_cone_seconds"] - part["median_again_seconds"]) < 1e-9
