"""Two dozen runs of chaos.py, with a fixed seed; jobs/chaos.sh makes 200."""

import os
import subprocess

import chaos
from launching import ROOT


def test_killed_at_random_moments():
    outcomes = chaos.main(runs=24, seed=20261130)
    assert all(outcome.good for outcome in outcomes), [outcome for outcome in outcomes if not outcome.good]
    hit = [victim for outcome in outcomes for victim in outcome.hit]
    assert len(hit) >= 12 and {"engine", "spawner"} <= set(hit)
    assert sum(outcome.resumed for outcome in outcomes) > 0


def test_the_command_needs_nothing_from_its_environment():
    bare = {name: value for name, value in os.environ.items() if name != "HIPLE_SOURCE_DIR"}
    done = subprocess.run([ROOT / "jobs/chaos.sh", "2", "5"], env=bare, capture_output=True, text=True, timeout=400, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "runs tried" in done.stdout and "2, seed 5" in done.stdout
